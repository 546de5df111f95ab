/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/random.h"
#include "data/attribute.h"
#include "data/names.h"
#include "failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t add(assay_names *names, const char *text, size_t length)
{
    size_t index = SIZE_MAX;

    assert_int_equal(assay_names_add(names, text, length, &index), 0);
    assert_true(index < names->count);
    return index;
}

static void names_are_numbered_by_first_appearance(void **state)
{
    assay_names names = { 0 };

    (void)state;
    assert_int_equal(add(&names, "b", 1), 0);
    assert_int_equal(add(&names, "a", 1), 1);
    assert_int_equal(add(&names, "b", 1), 0);
    assert_int_equal(add(&names, "", 0), 2);
    assert_int_equal(add(&names, "", 0), 2);
    assert_int_equal(names.count, 3);
    assert_string_equal(names.text[0], "b");
    assert_string_equal(names.text[1], "a");
    assert_string_equal(names.text[2], "");
    assay_names_free(&names);
    assert_null(names.text);
    assert_int_equal(names.count, 0);
    assay_names_free(&names);
}

static void names_are_looked_up_without_being_added(void **state)
{
    assay_names names = { 0 };

    (void)state;
    assert_int_equal(assay_names_find(&names, "a", 1), -1);
    add(&names, "b", 1);
    add(&names, "ab", 2);
    assert_int_equal(assay_names_find(&names, "abc", 2), 1);
    assert_int_equal(assay_names_find(&names, "b", 1), 0);
    assert_int_equal(assay_names_find(&names, "a", 1), -1);
    assert_int_equal(assay_names_find(&names, "", 0), -1);
    assert_int_equal(names.count, 2);
    assay_names_free(&names);
}

static void a_name_is_not_its_own_beginning(void **state)
{
    static const char text[] = "abcabcabcabc";
    assay_names names = { 0 };

    (void)state;
    for (int again = 0; again < 2; again++) /* longest first, then all of them once more */
        for (size_t length = sizeof text; length-- > 0;)
            assert_int_equal(add(&names, text, length), sizeof text - 1 - length);
    assert_int_equal(names.count, sizeof text);
    assay_names_free(&names);
}

/* Two texts of one hash, made by hand: "ab" is filed under the hash of "a". */
static void a_shared_hash_does_not_make_names_the_same(void **state)
{
    assay_names a = { 0 }, names = { 0 };

    (void)state;
    add(&a, "a", 1); /* the first name has index 0 in both */
    add(&names, "ab", 2);
    assert_int_equal(names.n_slots, a.n_slots);
    memcpy(names.slots, a.slots, a.n_slots * sizeof *a.slots);
    assert_int_equal(add(&names, "a", 1), 1);
    assert_int_equal(add(&names, "a", 1), 1);
    assay_names_free(&a);
    assay_names_free(&names);
}

static void text_need_not_end_in_nul(void **state)
{
    assay_names names = { 0 };
    char *text = malloc(2); /* on the heap: the sanitizer sees a byte read too far */

    (void)state;
    memcpy(text, "xy", 2);
    assert_int_equal(add(&names, text, 2), 0);
    assert_int_equal(add(&names, "xy", 2), 0);
    assert_string_equal(names.text[0], "xy");
    assert_int_equal(add(&names, text, 1), 1);
    free(text);
    assay_names_free(&names);
}

static void a_name_ends_at_a_nul_byte(void **state)
{
    assay_names names = { 0 };

    (void)state;
    assert_int_equal(add(&names, "a\0b", 3), 0);
    assert_int_equal(add(&names, "a", 1), 0);
    assert_int_equal(add(&names, "a\0c", 3), 0);
    assert_int_equal(add(&names, "\0", 1), 1);
    assert_int_equal(add(&names, "", 0), 1);
    assay_names_free(&names);
}

static void a_hundred_thousand_names_are_found_again(void **state)
{
    enum { N = 100000 };
    assay_names names = { 0 };
    char text[32];

    (void)state;
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < N; i++) {
            int length = snprintf(text, sizeof text, "%s%zu", i % 2 ? "item-" : "", i / 2);

            assert_int_equal(add(&names, text, (size_t)length), i);
        }
        assert_int_equal(names.count, N);
    }
    assert_string_equal(names.text[0], "0");
    assert_string_equal(names.text[N - 1], "item-49999");
    assay_names_free(&names);
}

static void short_random_names_agree_with_a_search_through_a_list(void **state)
{
    enum { N = 3000 };
    static char list[N][4];
    assay_names names = { 0 };
    assay_random random;
    size_t n = 0;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < N; trial++) {
        size_t length = (size_t)assay_random_below(&random, 4), want = 0;
        char text[4] = "";

        for (size_t i = 0; i < length; i++) text[i] = (char)(1 + assay_random_below(&random, 12));
        while (want < n && strcmp(list[want], text) != 0) want++;
        if (want == n) strcpy(list[n++], text);
        assert_int_equal(add(&names, text, length), want);
    }
    assert_int_equal(names.count, n);
    assay_names_free(&names);
}

/* Cut back to any count and filled again, the table is as if it had never held more. */
static void names_that_were_cut_are_new_again(void **state)
{
    assay_names names = { 0 };
    char text[16];

    (void)state;
    for (size_t kept = 0; kept < 200; kept += 7) {
        for (size_t i = 0; i < 200; i++) {
            int length = snprintf(text, sizeof text, "%zu", i);
            assert_int_equal(add(&names, text, (size_t)length), i);
        }
        assay_names_cut(&names, kept);
        assert_int_equal(names.count, kept);
        assert_int_equal(add(&names, "199", 3), kept);
        assert_int_equal(add(&names, "new", 3), kept + 1);
        for (size_t i = 0; i < kept; i++) {
            int length = snprintf(text, sizeof text, "%zu", i);
            assert_int_equal(add(&names, text, (size_t)length), i);
        }
        assay_names_cut(&names, kept);
        assay_names_cut(&names, kept + 5); /* there are no more: nothing happens */
        assert_int_equal(names.count, kept);
    }
    assay_names_free(&names);
}

/* Enough to grow every array; an addition that fails leaves the table as it was. */
static assay_status add_two_hundred(void *context)
{
    assay_names names = { 0 };
    assay_status status = ASSAY_OK;

    (void)context;
    for (size_t i = 0; i < 200 && status == ASSAY_OK; i++) {
        char text[16];
        size_t index, length = (size_t)snprintf(text, sizeof text, "n%zu", i);

        if (assay_names_add(&names, text, length, &index) == 0) continue;
        status = assay_fail(ASSAY_E_NOMEM, "no memory");
        assert_int_equal(names.count, i);
        for (size_t k = 0; k < i; k++) {
            length = (size_t)snprintf(text, sizeof text, "n%zu", k);
            assert_int_equal(add(&names, text, length), k);
        }
        length = (size_t)snprintf(text, sizeof text, "n%zu", i);
        assert_int_equal(add(&names, text, length), i); /* there is memory again */
    }
    assay_names_free(&names);
    return status;
}

static void an_addition_without_memory_changes_nothing(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(add_two_hundred, NULL) > 200);
}

/* ---- attributes ---- */

static void the_first_text_of_an_index_stays(void **state)
{
    assay_attribute attribute = { 0 };

    (void)state;
    assert_null(assay_attribute_get(&attribute, 0));
    assert_int_equal(assay_attribute_set(&attribute, 5, "five!", 4), 0);
    assert_int_equal(assay_attribute_set(&attribute, 5, "other", 5), 0);
    assert_int_equal(assay_attribute_set(&attribute, 40, "", 0), 0);
    assert_string_equal(assay_attribute_get(&attribute, 5), "five");
    assert_string_equal(assay_attribute_get(&attribute, 40), "");
    for (size_t i = 0; i < 50; i++)
        if (i != 5 && i != 40) assert_null(assay_attribute_get(&attribute, i));
    assay_attribute_free(&attribute);
    assert_null(assay_attribute_get(&attribute, 5));
}

static assay_status set_some(void *context)
{
    char text[2000] = "";
    assay_attribute attribute = { 0 };
    assay_status status = ASSAY_OK;

    (void)context;
    for (size_t i = 0; i < 100 && status == ASSAY_OK; i += 9) {
        text[0] = (char)('a' + i / 9); /* each another one */
        if (assay_attribute_set(&attribute, i, text, sizeof text) == 0) continue;
        status = assay_fail(ASSAY_E_NOMEM, "no memory");
        assert_null(assay_attribute_get(&attribute, i));
    }
    assay_attribute_free(&attribute);
    return status;
}

static void an_attribute_without_memory_is_not_set(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(set_some, NULL) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_numbered_by_first_appearance),
        cmocka_unit_test(names_are_looked_up_without_being_added),
        cmocka_unit_test(a_name_is_not_its_own_beginning),
        cmocka_unit_test(a_shared_hash_does_not_make_names_the_same),
        cmocka_unit_test(text_need_not_end_in_nul),
        cmocka_unit_test(a_name_ends_at_a_nul_byte),
        cmocka_unit_test(a_hundred_thousand_names_are_found_again),
        cmocka_unit_test(short_random_names_agree_with_a_search_through_a_list),
        cmocka_unit_test(names_that_were_cut_are_new_again),
        cmocka_unit_test(an_addition_without_memory_changes_nothing),
        cmocka_unit_test(the_first_text_of_an_index_stays),
        cmocka_unit_test(an_attribute_without_memory_is_not_set),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
