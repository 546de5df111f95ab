/* SPDX-License-Identifier: Apache-2.0 */
/* Correlations of a suite's columns against hand cases, slow programs and, where the data are at
   hand, NumPy and SciPy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "redundancy_fits.h"

/* What is left of x once its least-squares line on z is taken out. */
static void residuals(const double *x, const double *z, size_t n, double *out)
{
    long double mx = 0, mz = 0, zz = 0, xz = 0;

    for (size_t i = 0; i < n; i++) mx += x[i], mz += z[i];
    for (size_t i = 0; i < n; i++) {
        zz += (z[i] - mz / n) * (z[i] - mz / n);
        xz += (x[i] - mx / n) * (z[i] - mz / n);
    }
    for (size_t i = 0; i < n; i++) out[i] = (double)(x[i] - mx / n - xz / zz * (z[i] - mz / n));
}

/* ---- pairs ---- */

/* By hand. Columns 0 and 1: d = 1, 1, 1, 1, 0, so that rho = 1 - 6 x 4 / (5 x 24) = .8, and so is r
   as they are their own ranks. Column 2 is the square of column 0. */
static void small_columns_are_as_by_hand(void **state)
{
    const double x[] = { 1, 2, 1, 2, 1, 4, 3, 4, 9, 4, 3, 16, 5, 5, 25 };
    assay_redundancy *fit = fit_with(x, 5, 3, NULL, 0, 1);
    assay_pair pair = assay_redundancy_pair(fit, 1, 0);

    (void)state;
    assert_int_equal(pair.n, 5);
    assert_near("r", pair.pearson.value, .8, 1e-15);
    assert_near("rho", pair.spearman.value, .8, 1e-15);
    assert_true(isnan(pair.pearson.low));
    assert_string_equal(pair.pearson.reason, "fewer than 10 models");
    assert_near("rho of squares", assay_redundancy_pair(fit, 0, 2).spearman.value, 1.0, 0.0);
    assay_redundancy_free(fit);

    const double ties[] = { 1, 1, 2, 2, 2, 3, 3, 4 };
    fit = fit_with(ties, 4, 2, NULL, 0, 1);
    /* Ranks 1, 2.5, 2.5, 4 and 1 .. 4: 4.5 / sqrt(4.5 x 5) = sqrt(.9). */
    assert_near("rho with ties", assay_redundancy_pair(fit, 0, 1).spearman.value, sqrt(.9), 1e-15);
    assay_redundancy_free(fit);
}

static size_t take_both(const double *x, size_t n, size_t t, size_t a, size_t b,
                        const double *given, double *lists[3])
{
    size_t k = 0;

    for (size_t m = 0; m < n; m++) {
        if (isnan(x[m * t + a]) || isnan(x[m * t + b]) || (given && isnan(given[m]))) continue;
        lists[0][k] = x[m * t + a];
        lists[1][k] = x[m * t + b];
        if (given) lists[2][k] = given[m];
        k++;
    }
    return k;
}

/* 1e-13: sums of 60 terms in double, against long double. */
static void pairs_are_those_of_the_models_that_have_both(void **state)
{
    enum { N = 60, T = 5 };
    double x[N * T], a[N], b[N], *lists[] = { a, b, NULL };

    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assay_redundancy *fit;

        make_scores(seed, N, T, seed % 2 ? .5 : 0.0, .2, x);
        fit = fit_with(x, N, T, NULL, 0, 2);
        for (size_t i = 0; i < T; i++) {
            for (size_t j = i + 1; j < T; j++) {
                assay_pair pair = assay_redundancy_pair(fit, i, j);
                size_t n = take_both(x, N, T, i, j, NULL, lists);

                assert_int_equal(pair.n, n);
                assert_near("r", pair.pearson.value, slow_pearson(a, b, n), 1e-13);
                assert_near("rho", pair.spearman.value, slow_spearman(a, b, n), 1e-13);
            }
        }
        assay_redundancy_free(fit);
    }
}

/* The partial correlation is that of what regressions on the covariate leave (Yule 1907): another
   way to the same number. */
static void partial_correlations_are_those_of_residuals(void **state)
{
    enum { N = 50, T = 4 };
    double x[N * T], z[N], a[N], b[N], c[N], *lists[] = { a, b, c };

    (void)state;
    make_scores(5, N, T, 0.0, .1, x);
    for (size_t m = 0; m < N; m++)
        z[m] = m % 9 == 0 ? NAN : exp(.1 * (double)(m * 7 % N)) + x[m * T] * !isnan(x[m * T]);
    for (size_t m = 0; m < N; m++)
        if (m % 9 != 0 && isnan(z[m])) z[m] = (double)m;
    assay_redundancy *fit = fit_with(x, N, T, z, 0, 1);

    for (size_t i = 0; i < T; i++) {
        for (size_t j = i + 1; j < T; j++) {
            assay_pair pair = assay_redundancy_pair(fit, i, j);
            size_t n = take_both(x, N, T, i, j, z, lists);
            double left[N], right[N], rank[3][N];

            residuals(a, c, n, left);
            residuals(b, c, n, right);
            assert_int_equal(pair.n_given, n);
            assert_true(pair.n > n);
            assert_near("partial r", pair.partial_pearson.value, slow_pearson(left, right, n),
                        1e-12);
            for (size_t k = 0; k < 3; k++)
                for (size_t m = 0; m < n; m++) {
                    rank[k][m] = 0.0;
                    for (size_t o = 0; o < n; o++)
                        rank[k][m] += lists[k][o] < lists[k][m]    ? 1.0
                                      : lists[k][o] == lists[k][m] ? 0.5
                                                                   : 0.0;
                }
            residuals(rank[0], rank[2], n, left);
            residuals(rank[1], rank[2], n, right);
            assert_near("partial rho", pair.partial_spearman.value, slow_pearson(left, right, n),
                        1e-12);
        }
    }
    assay_redundancy_free(fit);
}

/* r_xy = .5, r_xz = .6, r_yz = .7: (.5 - .42) / sqrt(.64 x .51). Three columns with just these
   correlations from orthogonal contrasts of 4 models. */
static void a_partial_correlation_by_hand(void **state)
{
    const double e[3][4] = { { 1, 1, -1, -1 }, { 1, -1, 1, -1 }, { 1, -1, -1, 1 } };
    double scores[8], z[4], want = .08 / sqrt(.64 * .51), s = sqrt(1 - .36), y2 = sqrt(1 - .49);

    (void)state;
    for (size_t m = 0; m < 4; m++) {
        double u = (.5 - .42) / (s * y2); /* of what z leaves of x and y */

        z[m] = e[0][m];
        scores[2 * m] = .6 * e[0][m] + s * e[1][m];
        scores[2 * m + 1] = .7 * e[0][m] + y2 * (u * e[1][m] + sqrt(1 - u * u) * e[2][m]);
    }
    assay_redundancy *fit = fit_with(scores, 4, 2, z, 0, 1);
    assay_pair pair = assay_redundancy_pair(fit, 0, 1);

    assert_near("r", pair.pearson.value, .5, 1e-14);
    assert_near("partial r", pair.partial_pearson.value, want, 1e-14);
    assay_redundancy_free(fit);
}

/* Each resample written out as a list, its correlations slowly, the quantiles by sorting. */
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double slow_quantile(double *values, size_t n, double p)
{
    double at = p * (double)(n - 1);
    size_t i = (size_t)at;

    qsort(values, n, sizeof *values, by_value);
    return i + 1 < n ? values[i] + (at - (double)i) * (values[i + 1] - values[i]) : values[n - 1];
}

static void intervals_are_the_quantiles_of_resamples(void **state)
{
    enum { N = 25, T = 3, B = 200 };
    double x[N * T], r[B], rho[B];
    assay_redundancy *fit;
    assay_pair pair;
    size_t kept = 0;

    (void)state;
    make_scores(11, N, T, .5, .1, x);
    fit = fit_with(x, N, T, NULL, B, 2);
    pair = assay_redundancy_pair(fit, 1, 2);
    for (size_t k = 0; k < B; k++) {
        double a[N], b[N];
        size_t n = 0;
        assay_random random;

        assay_random_start(&random, 1, ASSAY_PURPOSE_RESAMPLE_MODELS, k);
        for (size_t i = 0; i < N; i++) {
            size_t m = (size_t)assay_random_below(&random, N);

            if (isnan(x[m * T + 1]) || isnan(x[m * T + 2])) continue;
            a[n] = x[m * T + 1];
            b[n++] = x[m * T + 2];
        }
        r[kept] = slow_pearson(a, b, n);
        rho[kept] = slow_spearman(a, b, n);
        kept += isnan(r[kept]) ? 0 : 1;
    }
    assert_int_equal(assay_redundancy_resamples(fit), B);
    assert_near("low", pair.pearson.low, slow_quantile(r, kept, .025), 1e-12);
    assert_near("high", pair.pearson.high, slow_quantile(r, kept, .975), 1e-12);
    assert_near("low rho", pair.spearman.low, slow_quantile(rho, kept, .025), 1e-12);
    assert_near("high rho", pair.spearman.high, slow_quantile(rho, kept, .975), 1e-12);
    assay_redundancy_free(fit);
}

static void the_same_bits_for_any_number_of_threads(void **state)
{
    enum { N = 40, T = 9 };
    const int threads[] = { 1, 2, 7 };
    double x[N * T], z[N];
    assay_pair want[T][T];

    (void)state;
    make_scores(3, N, T, 0.0, .1, x);
    for (size_t m = 0; m < N; m++) z[m] = (double)(m * m % 17);
    for (size_t k = 0; k < 3; k++) {
        assay_redundancy *fit = fit_with(x, N, T, z, 150, threads[k]);

        for (size_t a = 0; a < T; a++) {
            for (size_t b = a + 1; b < T; b++) {
                assay_pair pair = assay_redundancy_pair(fit, a, b);

                if (k == 0) want[a][b] = pair;
                assert_memory_equal(&pair, &want[a][b], sizeof pair);
            }
        }
        assay_redundancy_free(fit);
    }
}

/* Powers of 2 change no bit; huge scores do not overflow. */
static void scale_does_not_matter(void **state)
{
    enum { N = 30, T = 2 };
    double x[N * T], y[N * T];
    assay_redundancy *small, *large;

    (void)state;
    make_scores(8, N, T, 0.0, 0.0, x);
    for (size_t i = 0; i < N * T; i++) y[i] = ldexp(x[i], i % T ? 1000 : -1000);
    small = fit_with(x, N, T, NULL, 100, 1);
    large = fit_with(y, N, T, NULL, 100, 1);
    assay_pair a = assay_redundancy_pair(small, 0, 1), b = assay_redundancy_pair(large, 0, 1);
    assert_memory_equal(&a, &b, sizeof a);
    assay_redundancy_free(small);
    assay_redundancy_free(large);
}

static void what_cannot_be_estimated_says_why(void **state)
{
    /* Column 0 is the covariate, 1 is constant, 2 has two models. */
    double x[12 * 4], z[12];
    assay_redundancy *fit;
    assay_pair pair;

    (void)state;
    for (size_t m = 0; m < 12; m++) {
        z[m] = x[m * 4] = (double)(m * 5 % 12);
        x[m * 4 + 1] = .1;
        x[m * 4 + 2] = m < 2 ? (double)m : NAN;
        x[m * 4 + 3] = (double)(m % 3);
    }
    fit = fit_with(x, 12, 4, z, 100, 1);
    pair = assay_redundancy_pair(fit, 0, 1);
    assert_true(isnan(pair.pearson.value) && isnan(pair.spearman.value));
    assert_string_equal(pair.pearson.reason,
                        "one of the two is the same for all models that have both");
    assert_true(isnan(assay_composite_ceiling(pair.pearson.value)));
    pair = assay_redundancy_pair(fit, 0, 2);
    assert_int_equal(pair.n, 2);
    assert_string_equal(pair.spearman.reason, "fewer than 3 models have both");
    pair = assay_redundancy_pair(fit, 0, 3); /* the covariate is column 0 itself */
    assert_false(isnan(pair.pearson.value) || isnan(pair.pearson.low));
    assert_true(isnan(pair.partial_pearson.value));
    assert_non_null(strstr(pair.partial_pearson.reason, "decides"));
    assay_redundancy_free(fit);
}

/* ---- the ceiling ---- */

/* The six rows of the paper's Table 4, at its two digits. */
static void the_ceilings_of_table_4(void **state)
{
    const double rows[][2] = { { -.64, .42 }, { -.34, .57 }, { -.31, .59 },
                               { -.27, .60 }, { -.21, .63 }, { -.15, .65 } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near("ceiling", assay_composite_ceiling(rows[i][0]), rows[i][1], .005 + 1e-9);
    assert_near("of equals", assay_composite_ceiling(1.0), 1.0, 0.0);
    assert_near("of opposites", assay_composite_ceiling(-1.0), 0.0, 0.0);
}

/* No composite beats it, by Pearson or by Spearman; the standardised sum attains it by Pearson. */
static void no_composite_beats_the_ceiling(void **state)
{
    enum { N = 12, T = 2 };
    double x[N * T], a[N], b[N], c[N];
    assay_random random;

    (void)state;
    assay_random_start(&random, 4, 0, 0);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        double sa = 0, sb = 0, ma = 0, mb = 0;

        make_scores(seed, N, T, seed % 2 ? 1.0 : 0.0, 0.0, x);
        for (size_t m = 0; m < N; m++) a[m] = x[2 * m], b[m] = x[2 * m + 1] * (seed % 3 ? 1 : -1);
        double pearson = assay_composite_ceiling(slow_pearson(a, b, N));
        double spearman = assay_composite_ceiling(slow_spearman(a, b, N));

        for (int k = 0; k < 200; k++) {
            double u = assay_random_normal(&random), v = assay_random_normal(&random);

            for (size_t m = 0; m < N; m++)
                c[m] = u * a[m] + v * b[m] + (k % 2 ? assay_random_normal(&random) : 0.0);
            assert_true(fmin(slow_pearson(c, a, N), slow_pearson(c, b, N)) <= pearson + 1e-12);
            assert_true(fmin(slow_spearman(c, a, N), slow_spearman(c, b, N)) <= spearman + 1e-12);
        }
        for (size_t m = 0; m < N; m++) ma += a[m] / N, mb += b[m] / N;
        for (size_t m = 0; m < N; m++) {
            sa += (a[m] - ma) * (a[m] - ma);
            sb += (b[m] - mb) * (b[m] - mb);
        }
        for (size_t m = 0; m < N; m++) c[m] = (a[m] - ma) / sqrt(sa) + (b[m] - mb) / sqrt(sb);
        assert_near("bisector", slow_pearson(c, a, N), pearson, 1e-12);
        assert_near("bisector", slow_pearson(c, b, N), pearson, 1e-12);
    }
}

/* ---- the covariate ---- */

static void a_covariate_is_read_from_the_dropped_column(void **state)
{
    const char *path = write_text("c.csv", "model,size,q1,q2\na,7,1,0\nb,,0,1\nc,-2,1,1\n"
                                           "d,70B,1,1\ne,1e1,0,0\n");
    assay_read_options reading = defaults();
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;
    double given[5];
    size_t n_without;

    (void)state;
    reading.drop = "size";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, &reading), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_redundancy_covariate(results, matrix, 0, 0, given, &n_without),
                     ASSAY_OK);
    assert_int_equal(n_without, 2);
    assert_true(given[0] == 7.0 && isnan(given[1]) && given[2] == -2.0 && isnan(given[3]));
    assert_int_equal(assay_redundancy_covariate(results, matrix, 0, 1, given, &n_without),
                     ASSAY_OK);
    assert_int_equal(n_without, 3);
    assert_near("log", given[4], log(10.0), 1e-15);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* ---- failures ---- */

static void what_is_out_of_range_is_refused(void **state)
{
    const double x[] = { 1, 2, 3, 4, 5, 6 }, endless[] = { 1, INFINITY, 2 };
    assay_matrix *matrix = matrix_of(x, 3, 2);
    assay_redundancy_options good, options;
    assay_redundancy *fit = NULL;
    size_t labels[2], n;

    (void)state;
    assay_redundancy_options_init(&good, sizeof good);
    assert_int_equal(assay_redundancy_options_check(&good), ASSAY_OK);
    options = good, options.level = 1.0;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_E_VALUE);
    options = good, options.resamples = -2;
    assert_int_equal(assay_redundancy_options_check(&options), ASSAY_E_VALUE);
    options = good, options.threads = -1;
    assert_int_equal(assay_redundancy_options_check(&options), ASSAY_E_VALUE);
    options = good, options.max_columns = 2001;
    assert_int_equal(assay_redundancy_options_check(&options), ASSAY_E_VALUE);
    options = good, options.given = endless;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "redundancy: the covariate of model 1 is inf");
    options = good, options.max_columns = 1;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_E_SHAPE);
    assert_null(fit);
    assert_int_equal(assay_redundancy_fit(matrix, &good, &fit), ASSAY_OK);
    assert_int_equal(assay_redundancy_groups(fit, ASSAY_LINKAGE_AVERAGE, 1.1, labels, &n),
                     ASSAY_E_VALUE);
    assert_int_equal(assay_redundancy_groups(fit, (assay_linkage)3, .5, labels, &n), ASSAY_E_VALUE);
    assay_redundancy_free(fit);
    assay_redundancy_free(NULL);
    assay_matrix_free(matrix);
}

static int stop_at_once(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void cancelling_stops_it(void **state)
{
    const double x[] = { 1, 2, 3, 4, 5, 6 };
    assay_matrix *matrix = matrix_of(x, 3, 2);
    assay_redundancy_options options;
    assay_redundancy *fit = NULL;

    (void)state;
    assay_redundancy_options_init(&options, sizeof options);
    options.progress.step = stop_at_once;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_E_CANCELLED);
    assert_null(fit);
    assay_matrix_free(matrix);
}

static assay_status fit_and_group(void *context)
{
    static const double given[12] = { 1, 4, 2, 8, 5, 7, 1, 3, 9, 6, 6, 2 };
    assay_redundancy_options options;
    assay_redundancy *fit = NULL;
    size_t labels[3], n;
    assay_status status;

    assay_redundancy_options_init(&options, sizeof options);
    options.given = given;
    options.resamples = 5;
    options.threads = 1;
    status = assay_redundancy_fit(context, &options, &fit);
    if (status == ASSAY_OK)
        status = assay_redundancy_groups(fit, ASSAY_LINKAGE_AVERAGE, .7, labels, &n);
    assay_redundancy_free(fit);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    double x[36];
    assay_matrix *matrix;

    (void)state;
    make_scores(1, 12, 3, 0.0, 0.0, x);
    matrix = matrix_of(x, 12, 3);
    assert_true(fail_every_allocation(fit_and_group, matrix) > 20);
    assay_matrix_free(matrix);
}

/* ---- a published board ---- */

/*
 * NumPy 1.24 and SciPy 1.10: scipy.stats.pearsonr() and spearmanr() of the raw scores of the Open
 * LLM Leaderboard, and the formula of partial correlations on them and log(params_b), of the 4,559
 * models whose params_b is above 0. Columns IFEval, BBH, MATH, GPQA, MUSR, MMLU_PRO. 1e-11: sums of
 * 4,576 terms in other orders, and 13 digits.
 */
static const struct {
    size_t a, b;
    double pearson, spearman, partial_pearson, partial_spearman;
} open_llm[] = {
    { 0, 1, 0.6307629223442, 0.6258796640067, 0.5184368272333, 0.5349882014993 },
    { 0, 2, 0.5813661997160, 0.6834759523353, 0.4866908161240, 0.6115500341706 },
    { 0, 3, 0.4410693620152, 0.4925227167928, 0.2668309054142, 0.3411886051551 },
    { 0, 4, 0.3312970611155, 0.3515344027752, 0.1287297552857, 0.1793630136432 },
    { 0, 5, 0.6453347426554, 0.6508774329980, 0.5387988318086, 0.5675049240728 },
    { 1, 2, 0.7162074727194, 0.7943038901507, 0.6390009131662, 0.7271040105836 },
    { 1, 3, 0.8385695491652, 0.8621417989786, 0.7461731621515, 0.7579645311102 },
    { 1, 4, 0.7054448615736, 0.7125599974239, 0.5363168374421, 0.5590234764086 },
    { 1, 5, 0.9596913796971, 0.9518189704879, 0.9261499576751, 0.9091168331951 },
    { 2, 3, 0.6702342994759, 0.7065635104530, 0.5703399631382, 0.5874175863587 },
    { 2, 4, 0.4986588857341, 0.5127333415421, 0.3443114380116, 0.3398505956220 },
    { 2, 5, 0.7634926850058, 0.8415056049138, 0.7058285704294, 0.7947666763084 },
    { 3, 4, 0.7023616265701, 0.6992623380280, 0.5628771602462, 0.5513462793508 },
    { 3, 5, 0.8399975951980, 0.8570596936972, 0.7491994618486, 0.7528193384214 },
    { 4, 5, 0.6886680323228, 0.6768147380561, 0.5155859928469, 0.5057709389989 },
};

static void the_open_llm_leaderboard_agrees_with_scipy(void **state)
{
    assay_results *results = NULL;
    assay_matrix *matrix =
        board("open_llm_leaderboard_v2_raw.csv", "average,params_b,exact", &results);
    assay_redundancy_options options;
    assay_redundancy *fit = NULL;
    double *given = malloc(assay_matrix_n_models(matrix) * sizeof *given);
    size_t n_without;

    (void)state;
    assert_int_equal(assay_redundancy_covariate(results, matrix, 1, 1, given, &n_without),
                     ASSAY_OK);
    assert_int_equal(n_without, 17);
    assay_redundancy_options_init(&options, sizeof options);
    options.given = given;
    options.resamples = 0;
    assert_int_equal(assay_redundancy_fit(matrix, &options, &fit), ASSAY_OK);
    for (size_t i = 0; i < sizeof open_llm / sizeof *open_llm; i++) {
        assay_pair pair = assay_redundancy_pair(fit, open_llm[i].a, open_llm[i].b);

        assert_int_equal(pair.n, 4576);
        assert_int_equal(pair.n_given, 4559);
        assert_near("r", pair.pearson.value, open_llm[i].pearson, 1e-11);
        assert_near("rho", pair.spearman.value, open_llm[i].spearman, 1e-11);
        assert_near("partial r", pair.partial_pearson.value, open_llm[i].partial_pearson, 1e-11);
        assert_near("partial rho", pair.partial_spearman.value, open_llm[i].partial_spearman,
                    1e-11);
    }
    /* The paper's Fig. 1: .96, .32, .50; the middle one is .33 here (803 rows are interpolated). */
    assert_near("BBH x MMLU-Pro", assay_redundancy_pair(fit, 1, 5).pearson.value, .96, .005);
    assert_near("MATH x MUSR", assay_redundancy_pair(fit, 2, 4).pearson.value, .50, .005);
    assay_redundancy_free(fit);
    free(given);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_columns_are_as_by_hand),
        cmocka_unit_test(pairs_are_those_of_the_models_that_have_both),
        cmocka_unit_test(partial_correlations_are_those_of_residuals),
        cmocka_unit_test(a_partial_correlation_by_hand),
        cmocka_unit_test(intervals_are_the_quantiles_of_resamples),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(what_cannot_be_estimated_says_why),
        cmocka_unit_test(the_ceilings_of_table_4),
        cmocka_unit_test(no_composite_beats_the_ceiling),
        cmocka_unit_test_teardown(a_covariate_is_read_from_the_dropped_column, empty_folder),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(cancelling_stops_it),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(the_open_llm_leaderboard_agrees_with_scipy),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
