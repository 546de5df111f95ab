/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/ageing.h"
#include "failing_memory.h"
#include "parts_reference.h"

#include <string.h>

static assay_ageing_options with_permutations(size_t permutations, int threads)
{
    assay_ageing_options options;

    assay_ageing_options_init(&options, sizeof options);
    options.permutations = permutations;
    options.threads = threads;
    return options;
}

/* ---- a slow, obvious reference ---- */

/* Pearson of two rows; missing cells stand at their item's mean over all n models. */
static double slow_r(const double *scores, size_t n, size_t t, size_t a, size_t b)
{
    double sum[2] = { 0 }, product[3] = { 0 };

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < t; i++) {
            double of_item = 0.0, count = 0.0, x[2] = { scores[a * t + i], scores[b * t + i] };

            for (size_t m = 0; m < n; m++)
                if (!isnan(scores[m * t + i])) of_item += scores[m * t + i], count += 1.0;
            for (int k = 0; k < 2; k++)
                x[k] = (isnan(x[k]) ? of_item / count : x[k]) - (pass ? sum[k] / (double)t : 0.0);
            if (!pass) {
                sum[0] += x[0];
                sum[1] += x[1];
            }
            product[0] += x[0] * x[0];
            product[1] += x[0] * x[1];
            product[2] += x[1] * x[1];
        }
        if (!pass) memset(product, 0, sizeof product);
    }
    return product[1] / sqrt(product[0] * product[2]);
}

static double slow_mean_r(const double *scores, size_t n, size_t t, const size_t *models,
                          size_t half)
{
    double sum = 0.0;

    for (size_t a = 0; a < half; a++)
        for (size_t b = 0; b < a; b++) sum += slow_r(scores, n, t, models[a], models[b]);
    return sum / (0.5 * (double)half * ((double)half - 1.0));
}

static double slow_rate(const double *scores, size_t t, const size_t *models, size_t half,
                        size_t from, size_t until)
{
    double sum = 0.0, n = 0.0;

    for (size_t m = 0; m < half; m++)
        for (size_t i = from; i < until; i++)
            if (!isnan(scores[models[m] * t + i])) sum += scores[models[m] * t + i], n += 1.0;
    return sum / n;
}

static size_t slow_filter(const double *scores, size_t t, const size_t *early, const size_t *late,
                          size_t half, double least, size_t *items)
{
    size_t n = 0;

    for (size_t i = 0; i < t; i++) {
        double a = slow_rate(scores, t, early, half, i, i + 1);
        double b = slow_rate(scores, t, late, half, i, i + 1);

        if (least == 0.0 || (a > least && a < 1.0 - least && b > least && b < 1.0 - least))
            items[n++] = i;
    }
    return n;
}

/* Dates against the order of the matrix: model m is dated -m, and so the last come first. */
static void halves_are_by_the_definition(void **state)
{
    enum { MODELS = 24, ITEMS = 60 };

    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(MODELS, ITEMS, (enum score_kind)kind, 31), when[MODELS];
        assay_matrix *matrix = matrix_of(scores, MODELS, ITEMS);
        assay_ageing_options options = with_permutations(0, 0);
        size_t early[MODELS / 2], late[MODELS / 2], items[ITEMS];
        assay_ageing got;

        for (size_t m = 0; m < MODELS; m++) when[m] = -(double)m;
        for (size_t k = 0; k < MODELS / 2; k++) {
            early[k] = MODELS - 1 - k;
            late[k] = MODELS / 2 - 1 - k;
        }
        assert_int_equal(assay_ageing_fit(matrix, when, &options, &got), ASSAY_OK);
        assert_int_equal(got.n_half, MODELS / 2);
        assert_int_equal(got.early_from, MODELS - 1);
        assert_int_equal(got.late_to, 0);
        /* Sums of a few hundred numbers about 1. */
        assert_near(got.solve_rate.early, slow_rate(scores, ITEMS, early, 12, 0, ITEMS), 1e-13);
        assert_near(got.solve_rate.late, slow_rate(scores, ITEMS, late, 12, 0, ITEMS), 1e-13);
        assert_near(got.pairwise_r.early, slow_mean_r(scores, MODELS, ITEMS, early, 12), 1e-12);
        assert_near(got.pairwise_r.late, slow_mean_r(scores, MODELS, ITEMS, late, 12), 1e-12);
        assert_true(isnan(got.pairwise_r.p));
        for (int f = 0; f < ASSAY_AGEING_N_FILTERS; f++) {
            const assay_ageing_ed *ed = &got.ed[f];
            size_t n = slow_filter(scores, ITEMS, early, late, 12, ed->low, items);
            const assay_change changes[] = { ed->task, ed->model, ed->both };

            assert_int_equal(ed->n_items, n);
            assert_true(n > 3);
            for (int c = 0; c < 3; c++) {
                double a = slow_part_ed(scores, ITEMS, early, 12, items, n, (enum centring)c);
                double b = slow_part_ed(scores, ITEMS, late, 12, items, n, (enum centring)c);

                assert_near(changes[c].early / a, 1.0, 1e-11);
                assert_near(changes[c].late / b, 1.0, 1e-11);
                assert_near(changes[c].share, b / a - 1.0, 1e-11);
            }
        }
        assay_matrix_free(matrix);
        free(scores);
    }
}

/* Four models have six orders of two and two, of which the observed and its mirror image are the
   farthest apart: p tends to 1/3. Later models solve everything. */
static void p_of_few_models(void **state)
{
    static const double scores[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0 };
    static const double when[] = { 1, 2, 3, 4 };
    assay_matrix *matrix = matrix_of(scores, 4, 4);
    assay_ageing_options options = with_permutations(6000, 0);
    assay_ageing got;

    (void)state;
    assert_int_equal(assay_ageing_fit(matrix, when, &options, &got), ASSAY_OK);
    assert_near(got.solve_rate.early, 0.25, 1e-15);
    assert_near(got.solve_rate.late, 0.75, 1e-15);
    assert_near(got.solve_rate.p, 1.0 / 3.0, 5.0 * sqrt(2.0 / 9.0 / 6000.0));
    assay_matrix_free(matrix);
}

/* Without a trend p is uniform: of 60 data sets about 3 are below .05, and more than 10 with a
   probability of 2e-4. */
static void p_is_fair(void **state)
{
    int low = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        double *scores = random_scores(16, 20, BITS, 100 + seed), when[16];
        assay_matrix *matrix = matrix_of(scores, 16, 20);
        assay_ageing_options options = with_permutations(199, 0);
        assay_ageing got;

        for (size_t m = 0; m < 16; m++) when[m] = (double)m;
        assert_int_equal(assay_ageing_fit(matrix, when, &options, &got), ASSAY_OK);
        low += got.ed[0].task.p <= 0.05;
        assay_matrix_free(matrix);
        free(scores);
    }
    assert_true(low <= 10);
}

static void undated_and_tied_models(void **state)
{
    double *scores = random_scores(7, 9, BITS, 3);
    double when[] = { NAN, 5, 2, 2, 2, 1, NAN };
    assay_matrix *matrix = matrix_of(scores, 7, 9);
    assay_ageing_options options = with_permutations(10, 0);
    assay_ageing got;

    (void)state;
    assert_int_equal(assay_ageing_fit(matrix, when, &options, &got), ASSAY_OK);
    assert_int_equal(got.n_undated, 2);
    assert_int_equal(got.n_half, 2);
    assert_int_equal(got.has_middle, 1);
    assert_int_equal(got.is_tied, 1);
    assert_int_equal(got.early_from, 5);
    assert_int_equal(got.early_to, 2);
    assert_int_equal(got.late_from, 4);
    assert_int_equal(got.late_to, 1);
    assay_matrix_free(matrix);
    free(scores);
}

/* Scores beyond 1 have no pass rate; models that solve all have no r. */
static void nothing_is_invented(void **state)
{
    double *scores = random_scores(8, 6, REALS, 3), when[8];
    static const double solved[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1 };
    assay_matrix *matrix, *easy = matrix_of(solved, 4, 3);
    assay_ageing got;

    (void)state;
    for (size_t m = 0; m < 8; m++) when[m] = (double)m;
    for (size_t k = 0; k < 48; k++) scores[k] *= 100.0;
    matrix = matrix_of(scores, 8, 6);
    assert_int_equal(assay_ageing_fit(matrix, when, NULL, &got), ASSAY_OK);
    assert_int_equal(got.ed[1].n_items, 0);
    assert_non_null(got.ed[1].task.reason);
    assert_true(isnan(got.ed[1].task.early) && isnan(got.ed[1].task.p));
    assert_null(got.ed[0].task.reason);
    assert_int_equal(assay_ageing_fit(easy, when, NULL, &got), ASSAY_OK);
    assert_non_null(got.pairwise_r.reason);
    assert_non_null(got.ed[0].task.reason);
    assert_non_null(got.ed[2].both.reason);
    assert_near(got.solve_rate.early, 1.0, 0.0);
    assay_matrix_free(matrix);
    assay_matrix_free(easy);
    free(scores);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(14, 30, (enum score_kind)kind, 5), when[14];
        assay_matrix *matrix = matrix_of(scores, 14, 30);
        assay_ageing_options one = with_permutations(60, 1), many = with_permutations(60, 5);
        assay_ageing a, b;

        for (size_t m = 0; m < 14; m++) when[m] = (double)(m * 5 % 14);
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        assert_int_equal(assay_ageing_fit(matrix, when, &one, &a), ASSAY_OK);
        assert_int_equal(assay_ageing_fit(matrix, when, &many, &b), ASSAY_OK);
        assert_true(a.ed[0].task.p == b.ed[0].task.p && a.pairwise_r.p == b.pairwise_r.p);
        assert_true(a.ed[1].both.late == b.ed[1].both.late && a.ed[2].model.p == b.ed[2].model.p);
        assay_matrix_free(matrix);
        free(scores);
    }
}

static void errors(void **state)
{
    double *scores = random_scores(5, 6, BITS, 1);
    double when[] = { 1, 2, 3, NAN, NAN }, same[] = { 1, 1, 1, 1, 1 },
           far[] = { 1, 2, INFINITY, 3, 4 };
    assay_matrix *matrix = matrix_of(scores, 5, 6);
    assay_ageing_options options = with_permutations(2000000, 0);
    assay_ageing got;

    (void)state;
    assert_int_equal(assay_ageing_fit(matrix, when, NULL, &got), ASSAY_E_SHAPE);
    assert_int_equal(assay_ageing_fit(matrix, same, NULL, &got), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_ageing_fit(matrix, far, NULL, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_ageing_fit(matrix, same, &options, &got), ASSAY_E_VALUE);
    options = with_permutations(1, -2);
    assert_int_equal(assay_ageing_fit(matrix, same, &options, &got), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
    free(scores);
}

static assay_status fit(void *matrix)
{
    static const double when[] = { 3, 1, 2, 5, 4 };
    assay_ageing_options options = with_permutations(2, 1);
    assay_ageing got;

    return assay_ageing_fit(matrix, when, &options, &got);
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(5, 6, BITS, 8);
    assay_matrix *matrix = matrix_of(scores, 5, 6);

    (void)state;
    assert_true(fail_every_allocation(fit, matrix) > 8);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_by_the_definition),
        cmocka_unit_test(p_of_few_models),
        cmocka_unit_test(p_is_fair),
        cmocka_unit_test(undated_and_tied_models),
        cmocka_unit_test(nothing_is_invented),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
