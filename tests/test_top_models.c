/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/read.h"
#include "assay/top_models.h"
#include "failing_memory.h"
#include "parts_reference.h"

#include <stdio.h>
#include <unistd.h>

/* By Python's fractions: sums of binomial coefficients over powers of 2. The tolerance is that of the
   beta distribution, some 1e-14 of the value. */
static void sign_tests_are_exact(void **state)
{
    static const struct {
        size_t plus, minus;
        double p;
    } golden[] = {
        { 0, 0, 1.0 },
        { 0, 1, 1.0 },
        { 1, 1, 1.0 },
        { 7, 8, 1.0 },
        { 0, 5, 0.0625 },
        { 3, 12, 0.03515625 },
        { 12, 3, 0.03515625 },
        { 20, 31, 0.16077960181198847 },
        { 40, 80, 0.0003304000183913207 },
        { 200, 260, 0.005883922473103979 },
        { 0, 60, 1.734723475976807e-18 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        assert_near(assay_sign_test(golden[i].plus, golden[i].minus) / golden[i].p, 1.0, 1e-13);
}

/* The best first, and of equal means the first; the worst two stay out. */
static void the_best_come_first(void **state)
{
    static const double scores[] = {
        0, 0, 0, 1,   /* .25 */
        1, 1, 1, 0,   /* .75 */
        1, 1, 1, NAN, /* 1 */
        0, 1, 1, 1,   /* .75 */
        0, 0, 0, 0,
    };
    static const size_t want[] = { 2, 1, 3 };
    assay_matrix *matrix = matrix_of(scores, 5, 4);
    assay_top_models got;
    size_t models[9];

    (void)state;
    assert_near(assay_matrix_mean_score(matrix, 2), 1.0, 0.0);
    assert_int_equal(assay_top_models_compare(matrix, 3, 0.05, models, &got), ASSAY_OK);
    assert_memory_equal(models, want, sizeof want);
    assert_int_equal(got.n_models, 3);
    assert_int_equal(got.n_pairs, 3);
    /* Four items on one side have p = 1/8. */
    assert_non_null(got.reason);
    assert_int_equal(assay_top_models_compare(matrix, 9, 0.05, models, &got), ASSAY_OK);
    assert_int_equal(got.n_models, 5);
    assay_matrix_free(matrix);
}

/* Model a beats b on k items and ties on the others: p is 2^(1 - k), by each level on both sides of
   it; a third model that equals b makes two such pairs of three, so that Holm asks for level / 3,
   then level / 2. */
static void holm_allows_for_all_pairs(void **state)
{
    enum { ITEMS = 20, WINS = 8 };
    double scores[3 * ITEMS] = { 0 };
    const double p = ldexp(1.0, 1 - WINS);
    assay_matrix *matrix;
    assay_top_models got;
    size_t models[3];

    (void)state;
    for (size_t i = 0; i < WINS; i++) scores[i] = 1.0;
    matrix = matrix_of(scores, 3, ITEMS);
    assert_int_equal(assay_top_models_compare(matrix, 3, 3.001 * p, models, &got), ASSAY_OK);
    assert_int_equal(got.n_apart, 2);
    assert_int_equal(got.n_apart_alone, 2);
    assert_null(got.reason);
    assert_int_equal(assay_top_models_compare(matrix, 3, 2.999 * p, models, &got), ASSAY_OK);
    assert_int_equal(got.n_apart, 0);
    assert_int_equal(got.n_apart_alone, 2);
    assert_int_equal(assay_top_models_compare(matrix, 3, 0.999 * p, models, &got), ASSAY_OK);
    assert_int_equal(got.n_apart_alone, 0);
    assay_matrix_free(matrix);
}

/* Of ten models nine or ten are easy, one or none hard, eight and two neither; of those that have
   the item. */
static void easy_and_hard_items(void **state)
{
    static const size_t solved[] = { 10, 9, 8, 5, 2, 1, 0 };
    enum { MODELS = 10, ITEMS = 8 };
    double scores[MODELS * ITEMS];
    assay_matrix *matrix;
    assay_top_models got;
    size_t models[MODELS];

    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        for (size_t i = 0; i < 7; i++) scores[m * ITEMS + i] = m < solved[i];
        scores[m * ITEMS + 7] = m == 3 ? 1.0 : NAN;
    }
    matrix = matrix_of(scores, MODELS, ITEMS);
    assert_int_equal(assay_top_models_compare(matrix, MODELS, 0.05, models, &got), ASSAY_OK);
    assert_int_equal(got.n_easy, 3);
    assert_int_equal(got.n_hard, 2);
    assert_null(got.no_items);
    assay_matrix_free(matrix);
    scores[0] = 0.5;
    matrix = matrix_of(scores, MODELS, ITEMS);
    assert_int_equal(assay_top_models_compare(matrix, MODELS, 0.05, models, &got), ASSAY_OK);
    assert_non_null(got.no_items);
    assert_int_equal(got.n_easy + got.n_hard, 0);
    assay_matrix_free(matrix);
}

static void errors_and_one_model(void **state)
{
    static const double scores[] = { 1, 0, 1, 0, 1, 1 };
    assay_matrix *matrix = matrix_of(scores, 2, 3), *one = matrix_of(scores, 1, 3);
    assay_top_models got;
    size_t models[2];

    (void)state;
    assert_int_equal(assay_top_models_compare(matrix, 1, 0.05, models, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_top_models_compare(matrix, SIZE_MAX, 0.05, models, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_top_models_compare(matrix, ASSAY_TOP_MOST + 1, 0.05, models, &got),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "top models: 4097, expected 2 to 4096");
    assert_int_equal(assay_top_models_compare(matrix, 2, 0.0, models, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_top_models_compare(matrix, 2, 1.0, models, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_top_models_compare(matrix, 2, NAN, models, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_top_models_compare(one, 2, 0.05, models, &got), ASSAY_OK);
    assert_non_null(got.reason);
    assert_int_equal(got.n_pairs, 0);
    assay_matrix_free(matrix);
    assay_matrix_free(one);
}

/* By a program in Python that shares nothing with this one. */
static void swebench(void **state)
{
    char path[512];
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;
    assay_top_models got;
    size_t models[10];

    (void)state;
    snprintf(path, sizeof path, "%s/data/matrices/swebench_verified.csv", ASSAY_SHARED_FOLDER);
    if (access(path, R_OK) != 0) {
        print_message("skipped: swebench_verified.csv is not there\n");
        skip();
    }
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_top_models_compare(matrix, 10, 0.05, models, &got), ASSAY_OK);
    assert_int_equal(got.n_apart, 0);
    assert_int_equal(got.n_apart_alone, 5);
    assert_int_equal(got.n_easy, 329);
    assert_int_equal(got.n_hard, 66);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

static assay_status compare(void *matrix)
{
    assay_top_models got;
    size_t models[3];

    return assay_top_models_compare(matrix, 3, 0.05, models, &got);
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(4, 6, BITS, 1);
    assay_matrix *matrix = matrix_of(scores, 4, 6);

    (void)state;
    assert_int_equal(fail_every_allocation(compare, matrix), 2);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_tests_are_exact),      cmocka_unit_test(the_best_come_first),
        cmocka_unit_test(holm_allows_for_all_pairs), cmocka_unit_test(easy_and_hard_items),
        cmocka_unit_test(errors_and_one_model),      cmocka_unit_test(swebench),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
