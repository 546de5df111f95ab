/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of a suite's columns and admission of new ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "redundancy_fits.h"

/* ---- groups ---- */

/* Labels by column, merged while the nearest two are near enough: by the definition of each
   linkage, over all pairs of columns, every time anew. */
static size_t slow_groups(const assay_redundancy *fit, assay_linkage linkage, double threshold,
                          size_t *label)
{
    size_t t = assay_redundancy_n_columns(fit), n = t;

    for (size_t c = 0; c < t; c++) label[c] = c;
    for (;;) {
        double nearest = INFINITY;
        size_t first = 0, second = 0;

        for (size_t i = 0; i < t; i++) {
            for (size_t j = i + 1; j < t; j++) {
                double sum = 0, low = INFINITY, high = -INFINITY, k = 0, d;

                for (size_t a = 0; a < t; a++) {
                    for (size_t b = 0; b < t; b++) {
                        double r;

                        if (label[a] != i || label[b] != j) continue;
                        r = assay_redundancy_pair(fit, a, b).pearson.value;
                        d = isnan(r) ? 1.0 : 1.0 - r;
                        sum += d, k += 1.0, low = fmin(low, d), high = fmax(high, d);
                    }
                }
                d = linkage == ASSAY_LINKAGE_AVERAGE    ? sum / k
                    : linkage == ASSAY_LINKAGE_COMPLETE ? high
                                                        : low;
                if (k > 0 && d < nearest - 1e-12) nearest = d, first = i, second = j;
            }
        }
        if (!(nearest <= 1.0 - threshold)) break;
        for (size_t c = 0; c < t; c++)
            if (label[c] == second) label[c] = first;
        n--;
    }
    return n;
}

static void groups_are_those_of_slow_linkage(void **state)
{
    enum { N = 30, T = 10 };
    double x[N * T];

    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assay_redundancy *fit;

        make_scores(seed, N, T, 0.0, 0.0, x);
        for (size_t m = 0; m < N; m++) x[m * T + 7] = 1.0; /* uncorrelated with all */
        fit = fit_with(x, N, T, NULL, 0, 1);
        for (int linkage = 0; linkage < 3; linkage++) {
            for (double threshold = -.3; threshold < 1.0; threshold += .1) {
                size_t got[T], want[T], n_got, n_want;

                assert_int_equal(
                    assay_redundancy_groups(fit, (assay_linkage)linkage, threshold, got, &n_got),
                    ASSAY_OK);
                n_want = slow_groups(fit, (assay_linkage)linkage, threshold, want);
                assert_int_equal(n_got, n_want);
                for (size_t a = 0; a < T; a++)
                    for (size_t b = 0; b < T; b++)
                        assert_int_equal(got[a] == got[b], want[a] == want[b]);
                assert_int_equal(got[0], 0); /* numbered by first appearance */
            }
        }
        assay_redundancy_free(fit);
    }
}

/* ---- admission ---- */

static void a_column_is_admitted_when_it_is_unlike_all_others(void **state)
{
    enum { N = 20, T = 4 };
    double x[N * T];
    unsigned char others[T] = { 1, 1, 1, 1 };
    assay_admission answer;
    assay_redundancy *fit;

    (void)state;
    make_scores(2, N, T, 0.0, 0.0, x);
    for (size_t m = 0; m < N; m++) x[m * T + 3] = -exp(x[m * T + 2]); /* the reverse order */
    for (size_t m = 0; m < N; m++) x[m * T] = 7.0;
    fit = fit_with(x, N, T, NULL, 100, 1);
    assert_int_equal(assay_redundancy_admit(fit, 3, others, .7, &answer), ASSAY_OK);
    assert_false(answer.admitted);
    assert_int_equal(answer.nearest, 2);
    assert_near("rho", answer.spearman.value, -1.0, 0.0);
    assert_int_equal(answer.n_others, 3);
    assert_int_equal(answer.n_unknown, 1);
    assert_int_equal(answer.n_models, 20);
    others[2] = 0;
    assert_int_equal(assay_redundancy_admit(fit, 3, others, 1.0, &answer), ASSAY_OK);
    assert_true(answer.admitted);
    assert_int_equal(answer.nearest, 1);
    others[1] = 0;
    assert_int_equal(assay_redundancy_admit(fit, 3, others, .7, &answer), ASSAY_OK);
    assert_false(answer.admitted);
    assert_non_null(answer.reason);
    assert_int_equal(assay_redundancy_admit(fit, 3, others, 1.5, &answer), ASSAY_E_VALUE);
    assert_int_equal(assay_redundancy_admit(fit, 4, others, .5, &answer), ASSAY_E_VALUE);
    assay_redundancy_free(fit);
}

/* Of two models there is no correlation, of three there is: both say how many they are of. */
static void few_models_are_no_refusal(void **state)
{
    enum { N = 6, T = 3 };
    static const unsigned char others[T] = { 1, 1, 0 };
    double x[N * T];
    assay_admission answer;
    assay_redundancy *fit;

    (void)state;
    make_scores(6, N, T, 0.0, 0.0, x);
    for (size_t m = 2; m < N; m++) x[m * T + 2] = NAN;
    fit = fit_with(x, N, T, NULL, 0, 1);
    assert_int_equal(assay_redundancy_admit(fit, 2, others, .7, &answer), ASSAY_OK);
    assert_string_equal(answer.reason, "fewer than 3 models have it and one of the others");
    assert_string_equal(answer.spearman.reason, answer.reason);
    assert_int_equal(answer.n_models, 0);
    assay_redundancy_free(fit);
    x[2 * T + 2] = 3.0;
    fit = fit_with(x, N, T, NULL, 0, 1);
    assert_int_equal(assay_redundancy_admit(fit, 2, others, .7, &answer), ASSAY_OK);
    assert_null(answer.reason);
    assert_string_equal(answer.spearman.reason, "fewer than 10 models");
    assert_int_equal(answer.n_models, 3);
    assay_redundancy_free(fit);
}

/* ---- a published board ---- */

/* Seven groups of 20 categories, as the paper has, by average and complete linkage; SciPy's
   scipy.cluster.hierarchy gives the same numbers. */
static void the_categories_of_bfcl_make_seven_groups(void **state)
{
    static const struct {
        const char *drop;
        size_t groups[3];
    } cases[] = { { "web_search_base,web_search_no_snippet", { 7, 7, 5 } },
                  { NULL, { 7, 7, 5 } },
                  { "live_irrelevance,live_relevance", { 6, 6, 4 } } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_results *results = NULL;
        assay_matrix *matrix = board("bfcl_v4_categories.csv", cases[i].drop, &results);
        assay_redundancy_options options;
        assay_redundancy *fit = NULL;
        size_t labels[22], n;

        assay_redundancy_options_init(&options, sizeof options);
        options.resamples = 0;
        assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_OK);
        for (int linkage = 0; linkage < 3; linkage++) {
            assert_int_equal(assay_redundancy_groups(fit, (assay_linkage)linkage, .7, labels, &n),
                             ASSAY_OK);
            assert_int_equal(n, cases[i].groups[linkage]);
        }
        assay_redundancy_free(fit);
        assay_matrix_free(matrix);
        assay_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_those_of_slow_linkage),
        cmocka_unit_test(a_column_is_admitted_when_it_is_unlike_all_others),
        cmocka_unit_test(few_models_are_no_refusal),
        cmocka_unit_test(the_categories_of_bfcl_make_seven_groups),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
