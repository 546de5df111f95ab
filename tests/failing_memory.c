/* SPDX-License-Identifier: Apache-2.0 */
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static long fail_at = -1, n_allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static int fails(void)
{
    long now = __atomic_fetch_add(&n_allocations, 1, __ATOMIC_RELAXED);
    return fail_at >= 0 && now == fail_at;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

size_t fail_every_allocation(assay_status (*call)(void *context), void *context)
{
    for (long n = 0;; n++) {
        assay_status status;

        n_allocations = 0;
        fail_at = n;
        status = call(context);
        fail_at = -1;
        if (status == ASSAY_OK) {
            assert_true(n_allocations <= n); /* it succeeded because nothing was left to fail */
            return (size_t)n;
        }
        assert_int_equal(status, ASSAY_E_NOMEM);
    }
}
