/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/outcome_patterns.h"
#include "assay/read.h"
#include "failing_memory.h"
#include "parts_reference.h"

#include <stdio.h>
#include <unistd.h>

/* By hand: items 0 and 3 are alike, 1 and 4 are constant but differ, 2 stands alone, 5 is 0 with
   another hole than 6. */
static void patterns_by_hand(void **state)
{
    static const double scores[] = {
        1, 0, 1, 1, 1, NAN, 0,   /* */
        0, 0, 1, 0, 1, 0,   NAN, /* */
        1, 0, 0, 1, 1, 0,   0,   /* */
    };
    static const size_t want[] = { 0, 1, 2, 0, 3, 4, 5 };
    static const unsigned char constants[] = { 0, 1, 0, 0, 1, 1, 1 };
    assay_matrix *matrix = matrix_of(scores, 3, 7);
    assay_outcome_patterns got;
    size_t labels[7];
    unsigned char constant[7];

    (void)state;
    assert_int_equal(assay_outcome_patterns_find(matrix, labels, constant, &got), ASSAY_OK);
    assert_memory_equal(labels, want, sizeof want);
    assert_memory_equal(constant, constants, sizeof constants);
    assert_int_equal(got.n_distinct, 6);
    assert_int_equal(got.n_constant, 4);
    assert_int_equal(got.n_shared, 1);
    assert_int_equal(got.n_repeats, 1);
    assert_int_equal(got.n_own, 2);
    assay_matrix_free(matrix);
}

/* A pattern that three share is shared once and repeated twice; 0 and -0 are one score; constant
   repeats do not count. */
static void repeats_are_counted_once_each(void **state)
{
    static const double scores[] = {
        0.5, 0.5, 0.0, 0.5, 2.0, -0.0, 2.0, /* */
        0.7, 0.7, 0.3, 0.7, 2.0, 0.3,  2.0, /* */
    };
    assay_matrix *matrix = matrix_of(scores, 2, 7);
    assay_outcome_patterns got;
    size_t labels[7];
    unsigned char constant[7];

    (void)state;
    assert_int_equal(assay_outcome_patterns_find(matrix, labels, constant, &got), ASSAY_OK);
    assert_int_equal(got.n_distinct, 3);
    assert_int_equal(got.n_constant, 2);
    assert_int_equal(got.n_shared, 2);
    assert_int_equal(got.n_repeats, 3);
    assay_matrix_free(matrix);
}

/* Item 1 is item 0 with a hole, 2 the same with another, 3 differs where both have a score, 4 has 8
   of 10 models only, 5 equals 0 but is constant on what they share, 6 is 0 itself. */
static void holes_alone_are_told(void **state)
{
    enum { MODELS = 10, ITEMS = 7 };
    static const size_t want[] = { 0, 0, 0, 3, 4, 5, 6 };
    double scores[MODELS * ITEMS];
    assay_matrix *matrix;
    assay_outcome_patterns got;
    size_t labels[ITEMS], like[ITEMS], n_like;
    unsigned char constant[ITEMS];
    const char *reason;

    (void)state;
    for (size_t m = 0; m < MODELS; m++)
        for (size_t i = 0; i < ITEMS; i++) scores[m * ITEMS + i] = m == 3 || m > 6;
    scores[0 * ITEMS + 1] = scores[9 * ITEMS + 2] = NAN;
    scores[0 * ITEMS + 3] = NAN, scores[9 * ITEMS + 3] = 0.0;
    scores[1 * ITEMS + 4] = scores[2 * ITEMS + 4] = NAN;
    for (size_t m = 0; m < MODELS; m++)
        if (m == 3 || m > 6) scores[m * ITEMS + 5] = NAN;
    matrix = matrix_of(scores, MODELS, ITEMS);
    assert_int_equal(assay_outcome_patterns_find(matrix, labels, constant, &got), ASSAY_OK);
    assert_int_equal(got.n_own + got.n_repeats + got.n_constant, ITEMS);
    assert_int_equal(got.n_repeats, 1); /* item 6 */
    assert_int_equal(
        assay_outcome_patterns_but_holes(matrix, labels, constant, like, &n_like, &reason),
        ASSAY_OK);
    assert_memory_equal(like, want, sizeof want);
    assert_int_equal(n_like, 2);
    assert_null(reason);
    assay_matrix_free(matrix);
}

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

/* Every pair of items compared, on few models so that patterns meet. */
static void random_patterns_are_those_of_all_pairs(void **state)
{
    enum { MODELS = 5, ITEMS = 60 };

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        enum score_kind kind = (enum score_kind)(seed % N_SCORE_KINDS);
        double *scores = random_scores(MODELS, ITEMS, kind, seed);
        assay_matrix *matrix;
        assay_outcome_patterns got;
        size_t labels[ITEMS], n = 0;
        unsigned char constant[ITEMS];

        if (kind >= REALS) /* few values */
            for (size_t k = 0; k < MODELS * ITEMS; k++) scores[k] = round(2.0 * scores[k]) / 2.0;
        matrix = matrix_of(scores, MODELS, ITEMS);
        assert_int_equal(assay_outcome_patterns_find(matrix, labels, constant, &got), ASSAY_OK);
        for (size_t i = 0; i < ITEMS; i++) {
            int is_first = 1;

            for (size_t j = 0; j < i; j++) {
                int alike = 1;

                for (size_t m = 0; m < MODELS; m++)
                    alike &= same(scores[m * ITEMS + i], scores[m * ITEMS + j]);
                assert_int_equal(labels[i] == labels[j], alike);
                is_first &= !alike;
            }
            n += (size_t)is_first;
            assert_true(labels[i] < n);
        }
        assert_int_equal(got.n_distinct, n);
        assay_matrix_free(matrix);
        free(scores);
    }
}

/* By Python's set() of the columns. */
static void swebench_has_464(void **state)
{
    char path[512];
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;
    assay_outcome_patterns got;
    size_t labels[500];
    unsigned char constant[500];

    (void)state;
    snprintf(path, sizeof path, "%s/data/matrices/swebench_verified.csv", ASSAY_SHARED_FOLDER);
    if (access(path, R_OK) != 0) {
        print_message("skipped: swebench_verified.csv is not there\n");
        skip();
    }
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_outcome_patterns_find(matrix, labels, constant, &got), ASSAY_OK);
    assert_int_equal(got.n_distinct, 464);
    assert_int_equal(got.n_constant, 32);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

static assay_status find(void *matrix)
{
    assay_outcome_patterns got;
    size_t labels[6], like[6], n_like;
    unsigned char constant[6];
    const char *reason;
    assay_status status = assay_outcome_patterns_find(matrix, labels, constant, &got);

    return status == ASSAY_OK
               ? assay_outcome_patterns_but_holes(matrix, labels, constant, like, &n_like, &reason)
               : status;
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(4, 6, BITS, 1);
    assay_matrix *matrix;

    (void)state;
    scores[7] = NAN;
    matrix = matrix_of(scores, 4, 6);
    assert_int_equal(fail_every_allocation(find, matrix), 4);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holes_alone_are_told),
        cmocka_unit_test(patterns_by_hand),
        cmocka_unit_test(repeats_are_counted_once_each),
        cmocka_unit_test(random_patterns_are_those_of_all_pairs),
        cmocka_unit_test(swebench_has_464),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
