/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/matrix.h"
#include "assay/read.h"
#include "failing_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODELS = 6, MOST_ITEMS = 6 };

/* Three columns in 0..1 of three decimals that have little in common. */
static const double plain[MODELS][3] = { { .111, .512, .937 }, { .305, .204, .411 },
                                         { .498, .851, .602 }, { .702, .345, .118 },
                                         { .867, .666, .775 }, { .951, .107, .306 } };

static assay_matrix *matrix_of(double (*cell)(size_t model, size_t item), size_t n_items)
{
    double scores[MODELS * MOST_ITEMS];
    assay_matrix *matrix = NULL;

    for (size_t m = 0; m < MODELS; m++)
        for (size_t t = 0; t < n_items; t++) scores[m * n_items + t] = cell(m, t);
    assert_int_equal(assay_matrix_from_scores(scores, MODELS, n_items, &matrix), ASSAY_OK);
    return matrix;
}

/* Each column's doubts are as wanted; returns the share of the variance. */
static double check(double (*cell)(size_t model, size_t item), size_t n_items, const unsigned *want)
{
    assay_matrix *matrix = matrix_of(cell, n_items);
    double share;

    for (size_t t = 0; t < n_items; t++) {
        assert_int_equal(assay_matrix_doubts(matrix, t), want[t]);
        assert_true((assay_matrix_doubt(matrix, t) != NULL) == (want[t] != 0));
    }
    share = assay_matrix_doubtful_share(matrix);
    assay_matrix_free(matrix);
    return share;
}

static double as_they_are(size_t m, size_t t)
{
    return plain[m][t];
}

/* The second in percent: of the variance the others have one part in ten thousand each. */
static double one_in_percent(size_t m, size_t t)
{
    return t == 1 ? 100.0 * plain[m][1] : plain[m][t];
}

static double one_in_fractions(size_t m, size_t t)
{
    return t == 2 ? plain[m][2] : 100.0 * plain[m][t];
}

/* Within 2, so that only the variance tells: ten times the spread of the others. */
static double one_varies_most(size_t m, size_t t)
{
    return t == 0 ? 2.0 * plain[m][0] - 0.2 : 0.5 + 0.1 * plain[m][t];
}

static void scales_are_told_apart(void **state)
{
    static const unsigned none[] = { 0, 0, 0 };
    static const unsigned high[] = { 0, ASSAY_DOUBT_LEAVES_RANGE | ASSAY_DOUBT_VARIANCE, 0 };
    static const unsigned low[] = { 0, 0, ASSAY_DOUBT_STAYS_IN_RANGE };
    static const unsigned most[] = { ASSAY_DOUBT_VARIANCE, 0, 0 };
    double share;

    (void)state;
    assert_true(check(as_they_are, 3, none) == 0.0);
    share = check(one_in_percent, 3, high);
    assert_true(share > 0.999 && share < 1.0);
    assert_true(check(one_in_fractions, 3, low) < 0.001);
    assert_true(check(one_varies_most, 3, most) > 0.9);
}

/* As a leaderboard writes it: two decimals. 0.5200 of .111, .512 and .937, say. */
static double rounded_mean(size_t m, size_t t)
{
    if (t < 3) return plain[m][t];
    return round(100.0 * (plain[m][0] + plain[m][1] + plain[m][2]) / 3.0) / 100.0;
}

/* The same, but of one model a unit of the last decimal off. */
static double wrong_mean(size_t m, size_t t)
{
    return rounded_mean(m, t) + (t == 3 && m == 4 ? 0.01 : 0.0);
}

static double sum(size_t m, size_t t)
{
    return t < 3 ? plain[m][t] : plain[m][0] + plain[m][1] + plain[m][2];
}

/* A parameter count is no part of the mean, and does not hide it. */
static double mean_beside_a_property(size_t m, size_t t)
{
    return t == 4 ? 7.0 * (double)(m + 1) : rounded_mean(m, t);
}

static double mean_with_a_hole(size_t m, size_t t)
{
    return m == 2 && t == 1 ? NAN : rounded_mean(m, t);
}

/* Whole numbers of 1 to 5 are too coarse to tell a mean from what is alike. */
static double marks(size_t m, size_t t)
{
    static const double given[MODELS][3] = { { 1, 2, 2 }, { 2, 2, 3 }, { 3, 3, 3 },
                                             { 3, 4, 4 }, { 4, 4, 5 }, { 5, 5, 4 } };

    return given[m][t];
}

static double repeats(size_t m, size_t t)
{
    return plain[m][t < 3 ? 0 : 1];
}

static void means_and_sums_are_found(void **state)
{
    static const unsigned none[] = { 0, 0, 0, 0 };
    static const unsigned mean[] = { 0, 0, 0, ASSAY_DOUBT_MEAN };
    static const unsigned property[] = { 0, 0, 0, ASSAY_DOUBT_MEAN,
                                         ASSAY_DOUBT_LEAVES_RANGE | ASSAY_DOUBT_VARIANCE };
    static const unsigned total[] = { 0, 0, 0, ASSAY_DOUBT_SUM | ASSAY_DOUBT_LEAVES_RANGE };

    (void)state;
    check(rounded_mean, 4, mean);
    check(wrong_mean, 4, none);
    check(sum, 4, total);
    check(mean_beside_a_property, 5, property);
    check(mean_with_a_hole, 4, mean);
    check(marks, 3, none);
    check(repeats, 4, none);
}

/* Outcomes of 0 and 1 are all on one scale; names count. */
static void bits_are_judged_by_their_names(void **state)
{
    char path[] = "/tmp/assay-doubt-XXXXXX";
    FILE *to = fdopen(mkstemp(path), "w");
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;

    (void)state;
    assert_non_null(to);
    fputs("model,q1,Average,q3\na,1,0,1\nb,0,1,1\n", to);
    fclose(to);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_matrix_doubts(matrix, 0), 0);
    assert_int_equal(assay_matrix_doubts(matrix, 1), ASSAY_DOUBT_NAME);
    assert_true(isnan(assay_matrix_doubtful_share(matrix)));
    assay_matrix_free(matrix);
    assay_results_free(results);
    remove(path);
}

static assay_status make(void *scores)
{
    assay_matrix *matrix = NULL;
    assay_status status = assay_matrix_from_scores(scores, MODELS, 3, &matrix);

    assay_matrix_free(matrix);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double scores[MODELS * 3];

    (void)state;
    memcpy(scores, plain, sizeof scores);
    assert_true(fail_every_allocation(make, scores) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_are_told_apart),
        cmocka_unit_test(means_and_sums_are_found),
        cmocka_unit_test(bits_are_judged_by_their_names),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
