/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/attribute_auc.h"
#include "failing_memory.h"
#include "parts_reference.h"

/* ---- the AUC of a score ---- */

struct golden {
    size_t n;
    double auc, p;
    int is_exact;
};

/* scipy.stats.mannwhitneyu() of SciPy 1.10.1, method "exact" or "asymptotic". */
static void small_samples_are_scipys(void **state)
{
    const double x[] = { 1.2, .3, 2.5, -.7, .9, 1.1, 3.3, -1.2, .05, .6, 2.2, 1.9 };
    const double tied[] = { 1, 0, 2, -1, 1, 1, 3, -1, 0, 1, 2, 2 };
    const int kind[] = { 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0 };
    double auc, p;
    int is_exact;

    (void)state;
    assert_int_equal(assay_rank_auc(x, kind, 12, &auc, &p, &is_exact), ASSAY_OK);
    assert_int_equal(is_exact, 1);
    assert_near(auc, 0.888888888888889, 1e-14);
    assert_near(p, 0.025974025974026, 1e-14);
    assert_int_equal(assay_rank_auc(tied, kind, 12, &auc, &p, &is_exact), ASSAY_OK);
    assert_int_equal(is_exact, 0);
    assert_near(auc, 0.847222222222222, 1e-14);
    assert_near(p, 0.0479678737427312, 1e-14);
}

/* The same; the patterns are those of the program that made the numbers. */
static void large_samples_are_scipys(void **state)
{
    static const struct golden golden[] = { { 134, 0.483333333333333, 0.74307690240778, 1 },
                                            { 134, 0.164319248826291, 1.36546621977297e-12, 1 },
                                            { 300, 0.388712981933321, 0.00113133110816173, 0 } };

    (void)state;
    for (int k = 0; k < 3; k++) {
        double score[300], auc, p;
        int kind[300], is_exact;

        for (int i = 0; i < 300; i++) {
            score[i] = 0.5 * i;
            kind[i] = k == 0   ? (i * 37 + 11) % 134 < 60
                      : k == 1 ? (i * i * 7 + 3 * i) % 134 + i * .9 < 120
                               : (i * 91) % 300 + i * .3 < 160;
        }
        assert_int_equal(assay_rank_auc(score, kind, golden[k].n, &auc, &p, &is_exact), ASSAY_OK);
        assert_int_equal(is_exact, golden[k].is_exact);
        assert_near(auc, golden[k].auc, 1e-14);
        assert_near(p / golden[k].p, 1.0, 1e-10);
    }
}

/* All C(9, k) assignments, counted one by one: shares of them are exact but for rounding. */
static void exact_p_is_counted(void **state)
{
    enum { N = 9 };
    const double score[N] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };

    (void)state;
    for (unsigned seen = 1; seen + 1 < 1u << N; seen += 3) {
        int kind[N], is_exact, n_one = __builtin_popcount(seen);
        double auc, p, as_far = 0.0, all = 0.0;

        for (int i = 0; i < N; i++) kind[i] = (int)(seen >> i & 1);
        assert_int_equal(assay_rank_auc(score, kind, N, &auc, &p, &is_exact), ASSAY_OK);
        for (unsigned other = 1; other + 1 < 1u << N; other++) {
            double above = 0.0;

            if (__builtin_popcount(other) != n_one) continue;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < i; j++) above += (other >> i & 1) && !(other >> j & 1);
            all += 1.0;
            as_far += fabs(above / (n_one * (N - n_one)) - 0.5) >= fabs(auc - 0.5) - 1e-12;
        }
        assert_near(p, as_far / all, 1e-12);
    }
}

static void auc_errors(void **state)
{
    const double score[] = { 1, 2, NAN, 2 }, same[] = { 1, 1, 1, 1 };
    const int both[] = { 1, 0, 1, 0 }, one[] = { 1, 1, 1, 1 }, holes[] = { 1, 0, -1, 7 };
    double auc = 0.0, p = 0.0;
    int is_exact;

    (void)state;
    assert_int_equal(assay_rank_auc(score, both, 4, &auc, &p, &is_exact), ASSAY_E_VALUE);
    assert_int_equal(assay_rank_auc(same, one, 4, &auc, &p, &is_exact), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_rank_auc(score, holes, 4, &auc, &p, &is_exact), ASSAY_OK);
    assert_near(auc, 0.0, 0.0);
    assert_int_equal(assay_rank_auc(same, both, 4, &auc, &p, &is_exact), ASSAY_OK);
    assert_near(auc, 0.5, 0.0);
    assert_near(p, 1.0, 0.0);
}

/* ---- components ---- */

/* Two orthogonal axes, built in: the first tells nothing of the kind, the second all. Model m has
   3 a_m on item 0 and b_m on item 1, a and b orthogonal and of sum 0. */
static void components_are_found(void **state)
{
    static const double a[] = { 1, -1, 2, -2, 3, -3, 4, -4 },
                        b[] = { 1, 1, -1, -1, 1.5, 1.5, -1.5, -1.5 };
    static const int kind[] = { 1, 1, 0, 0, 1, 1, 0, 0 };
    double scores[16], square = 0.0, other = 0.0;
    assay_matrix *matrix;
    assay_attribute_auc got;

    (void)state;
    for (size_t m = 0; m < 8; m++) {
        scores[2 * m] = 3.0 * a[m];
        scores[2 * m + 1] = b[m];
        square += 9.0 * a[m] * a[m];
        other += b[m] * b[m];
    }
    matrix = matrix_of(scores, 8, 2);
    assert_int_equal(assay_attribute_auc_fit(matrix, kind, 0, &got), ASSAY_OK);
    assert_int_equal(got.n_one, 4);
    assert_int_equal(got.n_zero, 4);
    assert_near(got.component[0].share, square / (square + other), 1e-12);
    assert_near(got.component[0].auc, 0.5, 1e-12);
    assert_near(got.component[0].p, 1.0, 1e-12);
    assert_near(got.component[1].auc, 1.0, 1e-12);
    assert_int_equal(got.component[1].is_exact, 0); /* pairs of models tie on it */
    assert_near(got.component[1].p_holm, fmin(2.0 * got.component[1].p, 1.0), 1e-15);
    assert_near(got.component[0].p_holm, 1.0, 1e-12);
    for (int k = 2; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
        assert_non_null(got.component[k].reason);
        assert_true(isnan(got.component[k].auc) && isnan(got.component[k].p_holm));
    }
    assay_matrix_free(matrix);
}

/* Whichever side is smaller, the components are the same: a table beside itself with each item
   twice. */
static void either_side_gives_the_same(void **state)
{
    enum { MODELS = 12, ITEMS = 9 };

    (void)state;
    for (int bits = 0; bits < 2; bits++) {
        double *scores = random_scores(MODELS, ITEMS, bits ? BITS : REALS, 12);
        double twice[MODELS * 2 * ITEMS];
        int kind[MODELS];
        assay_matrix *matrix = matrix_of(scores, MODELS, ITEMS), *wide;
        assay_attribute_auc a, b;

        for (size_t m = 0; m < MODELS; m++) {
            kind[m] = m % 3 == 0;
            for (size_t i = 0; i < 2 * ITEMS; i++)
                twice[m * 2 * ITEMS + i] = scores[m * ITEMS + i % ITEMS];
        }
        kind[5] = -1;
        wide = matrix_of(twice, MODELS, 2 * ITEMS);
        assert_int_equal(assay_attribute_auc_fit(matrix, kind, 1, &a), ASSAY_OK);
        assert_int_equal(assay_attribute_auc_fit(wide, kind, 2, &b), ASSAY_OK);
        assert_int_equal(a.n_left_out, 1);
        for (int k = 0; k < ASSAY_ATTRIBUTE_COMPONENTS; k++) {
            assert_near(a.component[k].share, b.component[k].share, 1e-12);
            assert_near(a.component[k].auc, b.component[k].auc, 1e-12);
            assert_near(a.component[k].p, b.component[k].p, 1e-12);
            assert_true(a.component[k].p_holm >= a.component[k].p);
        }
        assay_matrix_free(matrix);
        assay_matrix_free(wide);
        free(scores);
    }
}

static void errors(void **state)
{
    static const double same[] = { 1, 0, 1, 0 };
    static const int kind[] = { 1, 0, 1 }, one[] = { 1, 1, 1 };
    double *scores = random_scores(3, 4, BITS, 2);
    assay_matrix *matrix = matrix_of(scores, 3, 4), *constant = matrix_of(same, 2, 2);
    assay_matrix *single = matrix_of(same, 1, 2);
    assay_attribute_auc got;

    (void)state;
    assert_int_equal(assay_attribute_auc_fit(matrix, kind, -1, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_attribute_auc_fit(matrix, one, 0, &got), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_attribute_auc_fit(constant, kind, 0, &got), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_attribute_auc_fit(single, kind, 0, &got), ASSAY_E_SHAPE);
    assay_matrix_free(matrix);
    assay_matrix_free(constant);
    assay_matrix_free(single);
    free(scores);
}

static assay_status fit(void *matrix)
{
    static const int kind[] = { 1, 0, 1, 0, 0 };
    assay_attribute_auc got;

    return assay_attribute_auc_fit(matrix, kind, 1, &got);
}

static void every_allocation_may_fail(void **state)
{
    double *scores = random_scores(5, 6, REALS, 8);
    assay_matrix *matrix = matrix_of(scores, 5, 6);

    (void)state;
    assert_true(fail_every_allocation(fit, matrix) > 6);
    assay_matrix_free(matrix);
    free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_samples_are_scipys),
        cmocka_unit_test(large_samples_are_scipys),
        cmocka_unit_test(exact_p_is_counted),
        cmocka_unit_test(auc_errors),
        cmocka_unit_test(components_are_found),
        cmocka_unit_test(either_side_gives_the_same),
        cmocka_unit_test(errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
