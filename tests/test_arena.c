/* SPDX-License-Identifier: Apache-2.0 */
#include "core/arena.h"

#include "core/error.h"
#include "core/random.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TEXTS = 3000, LONGEST = 3 * 1024 * 1024 };

static char source[LONGEST];

/* Short ones, some long ones, and a few that are longer than a block. */
static size_t length_of(assay_random *random)
{
    uint64_t kind = assay_random_below(random, 300);

    return (size_t)assay_random_below(random, kind == 0 ? LONGEST : kind < 10 ? 100000 : 300);
}

static void copies_stay_what_they_are(void **state)
{
    static const char *copies[N_TEXTS];
    static size_t lengths[N_TEXTS];
    assay_arena arena = { 0 };
    assay_random random;

    (void)state;
    for (size_t i = 0; i < LONGEST; i++) source[i] = (char)('a' + i % 23);
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t k = 0; k < N_TEXTS; k++) {
        lengths[k] = length_of(&random);
        copies[k] = assay_arena_copy(&arena, source + LONGEST - lengths[k], lengths[k]);
        assert_non_null(copies[k]);
    }
    for (size_t k = 0; k < N_TEXTS; k++) {
        assert_memory_equal(copies[k], source + LONGEST - lengths[k], lengths[k]);
        assert_int_equal(copies[k][lengths[k]], 0);
    }
    assay_arena_free(&arena);
    assay_arena_free(&arena); /* it is empty, and may be freed again */
}

static void a_length_that_no_memory_has_is_refused(void **state)
{
    assay_arena arena = { 0 };

    (void)state;
    assert_null(assay_arena_copy(&arena, source, SIZE_MAX));
    assert_null(assay_arena_copy(&arena, source, SIZE_MAX - 1));
    assay_arena_free(&arena);
}

static assay_status copy_some(void *context)
{
    const size_t lengths[] = { 10, 2000, 10, 5000, 100000, 10 };
    assay_arena arena = { 0 };
    assay_status status = ASSAY_OK;

    (void)context;
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0] && status == ASSAY_OK; k++)
        if (!assay_arena_copy(&arena, source, lengths[k]))
            status = assay_fail(ASSAY_E_NOMEM, "no memory");
    assay_arena_free(&arena);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(copy_some, NULL) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_stay_what_they_are),
        cmocka_unit_test(a_length_that_no_memory_has_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
