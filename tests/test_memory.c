/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/memory.h"
#include "failing_memory.h"

#include <stdlib.h>
#include <string.h>

static int all_zero(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return 0;
    return 1;
}

static void a_size_that_overflows_gives_null(void **state)
{
    /* volatile: the compiler would warn of sizes that no object can have */
    volatile size_t half = SIZE_MAX / 2 + 1, most = SIZE_MAX, root = (size_t)1 << 32;

    (void)state;
    assert_null(assay_alloc(half, 2));
    assert_null(assay_alloc(2, half));
    assert_null(assay_alloc(root, root));
    assert_null(assay_alloc_zero(half, 2));
    assert_null(assay_alloc_zero(root, root));
    assert_null(assay_alloc_aligned(half, 2));
    assert_null(assay_alloc_aligned(root, root));
    assert_null(assay_alloc_aligned(most, 1)); /* the padding overflows, not the product */
    assert_null(assay_alloc_aligned(most / 8, 8));
}

static void a_count_of_zero_gives_a_pointer_to_free(void **state)
{
    void *pointers[] = { assay_alloc(0, 8),         assay_alloc(8, 0),
                         assay_alloc_zero(0, 8),    assay_alloc_zero(8, 0),
                         assay_alloc_aligned(0, 8), assay_alloc_aligned(8, 0) };

    (void)state;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        assert_non_null(pointers[i]);
        free(pointers[i]);
    }
}

static void all_of_the_bytes_can_be_written_and_cleared_ones_are_zero(void **state)
{
    (void)state;
    for (size_t n = 1; n < 200; n++) {
        unsigned char *plain = assay_alloc(n, 3), *zero = assay_alloc_zero(n, 3),
                      *aligned = assay_alloc_aligned(n, 3);

        assert_non_null(plain);
        assert_non_null(zero);
        assert_non_null(aligned);
        assert_true(all_zero(zero, 3 * n));
        assert_true(all_zero(aligned, 3 * n));
        assert_int_equal((uintptr_t)aligned % 64, 0);
        memset(plain, 0xa5, 3 * n);
        memset(zero, 0xa5, 3 * n);
        memset(aligned, 0xa5, 3 * n);
        free(plain);
        free(zero);
        free(aligned);
    }
}

static void growing_doubles_and_keeps_what_is_there(void **state)
{
    uint32_t *array = NULL;
    size_t capacity = 0, n_growths = 0;

    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;

        assert_int_equal(assay_grow(&array, &capacity, i + 1, sizeof *array), 0);
        assert_true(capacity > i);
        if (capacity != before) {
            assert_true(before == 0 || capacity == 2 * before);
            n_growths++;
        }
        array[i] = i;
    }
    assert_true(n_growths < 18); /* 16 * 2^13 > 100000 */
    for (uint32_t i = 0; i < 100000; i++) assert_int_equal(array[i], i);
    free(array);
}

static void room_that_is_there_is_left_alone(void **state)
{
    int *array = NULL, *before;
    size_t capacity = 0, held;

    (void)state;
    assert_int_equal(assay_grow(&array, &capacity, 0, sizeof *array), 0);
    assert_null(array);
    assert_int_equal(assay_grow(&array, &capacity, 1000, sizeof *array), 0);
    assert_true(capacity >= 1000);
    before = array;
    held = capacity;
    assert_int_equal(assay_grow(&array, &capacity, held, sizeof *array), 0);
    assert_int_equal(assay_grow(&array, &capacity, 3, sizeof *array), 0);
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, held);
    free(array);
}

static void a_need_that_overflows_is_refused_and_changes_nothing(void **state)
{
    double *array = NULL, *before;
    size_t capacity = 0;

    (void)state;
    assert_int_equal(assay_grow(&array, &capacity, 20, sizeof *array), 0);
    before = array;
    assert_int_equal(assay_grow(&array, &capacity, SIZE_MAX, sizeof *array), -1);
    assert_int_equal(assay_grow(&array, &capacity, SIZE_MAX / 8, sizeof *array), -1);
    assert_int_equal(assay_grow(&array, &capacity, SIZE_MAX / 16 + 1, sizeof *array), -1);
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, 32);
    free(array);
}

static void a_copy_of_text_has_its_bytes_and_an_end(void **state)
{
    char *copy = assay_copy_text("abcdef", 3), *empty = assay_copy_text(NULL, 0),
         *with_nul = assay_copy_text("a\0b", 3);

    (void)state;
    assert_string_equal(copy, "abc");
    assert_string_equal(empty, "");
    assert_memory_equal(with_nul, "a\0b", 4);
    free(copy);
    free(empty);
    free(with_nul);
}

static assay_status allocate_of_each_kind(void *context)
{
    char *plain = assay_alloc(3, 4), *zero = assay_alloc_zero(3, 4),
         *aligned = assay_alloc_aligned(3, 4), *copy = assay_copy_text("text", 4);
    int *array = NULL;
    size_t capacity = 0;
    int grown = assay_grow(&array, &capacity, 5, sizeof *array);
    int good = plain && zero && aligned && copy && grown == 0;

    (void)context;
    if (grown != 0) {
        assert_null(array);
        assert_int_equal(capacity, 0);
    }
    free(plain);
    free(zero);
    free(aligned);
    free(copy);
    free(array);
    return good ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory");
}

static void memory_that_runs_out_is_reported_by_every_call(void **state)
{
    (void)state;
    assert_int_equal(fail_every_allocation(allocate_of_each_kind, NULL), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_that_overflows_gives_null),
        cmocka_unit_test(a_count_of_zero_gives_a_pointer_to_free),
        cmocka_unit_test(all_of_the_bytes_can_be_written_and_cleared_ones_are_zero),
        cmocka_unit_test(growing_doubles_and_keeps_what_is_there),
        cmocka_unit_test(room_that_is_there_is_left_alone),
        cmocka_unit_test(a_need_that_overflows_is_refused_and_changes_nothing),
        cmocka_unit_test(a_copy_of_text_has_its_bytes_and_an_end),
        cmocka_unit_test(memory_that_runs_out_is_reported_by_every_call),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
