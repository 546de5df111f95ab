/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy choice of items against exhaustive searches and, where the data are at hand, NumPy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/read.h"
#include "assay/short_form.h"
#include "assay/signals.h"
#include "core/random.h"
#include "failing_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.17g, not %.17g +- %g", what, got, want, tolerance);
}

enum kind { ZERO_ONE, REAL, HOLES };

static void make_scores(uint64_t seed, size_t n, size_t t, enum kind kind, double *x)
{
    assay_random random;

    assay_random_start(&random, seed, 0, 0);
    for (size_t m = 0; m < n; m++) {
        double ability = assay_random_normal(&random), other = assay_random_normal(&random);

        for (size_t c = 0; c < t; c++) {
            double score = ability + (c % 3 == 0 ? other : 0.0) + assay_random_normal(&random);

            if (kind != REAL) score = score > .1 * (double)(c % 5) ? 1.0 : 0.0;
            if (kind == HOLES && assay_random_uniform(&random) < .1) score = NAN;
            x[m * t + c] = score;
        }
    }
}

static assay_short_form *choose(const double *scores, size_t n, size_t t,
                                assay_short_form_options options)
{
    assay_matrix *matrix = NULL;
    assay_short_form *form = NULL;

    assert_int_equal(assay_matrix_from_scores(scores, n, t, &matrix), ASSAY_OK);
    assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_OK);
    assay_matrix_free(matrix);
    return form;
}

static assay_short_form_options by(assay_short_form_method method, size_t n_items, size_t splits)
{
    assay_short_form_options options;

    assay_short_form_options_init(&options, sizeof options);
    options.method = method;
    options.n_items = n_items;
    options.splits = splits;
    options.threads = 2;
    return options;
}

/* ---- a slow reference ---- */

/* Z, a row a model: each item's mean over some models out, holes 0. */
static void deviations(const double *x, size_t t, const size_t *models, size_t n, double *z)
{
    for (size_t c = 0; c < t; c++) {
        double sum = 0, count = 0;

        for (size_t m = 0; m < n; m++)
            if (!isnan(x[models[m] * t + c])) sum += x[models[m] * t + c], count += 1;
        for (size_t m = 0; m < n; m++) {
            double score = x[models[m] * t + c];

            z[m * t + c] = isnan(score) ? 0.0 : score - sum / count;
        }
    }
}

static void gram(const double *z, size_t n, size_t t, double *g)
{
    for (size_t a = 0; a < t; a++) {
        for (size_t b = 0; b < t; b++) {
            g[a * t + b] = 0.0;
            for (size_t m = 0; m < n; m++) g[a * t + b] += z[m * t + a] * z[m * t + b];
        }
    }
}

static double slow_ed(const double *g, size_t t, const size_t *items, size_t k)
{
    double trace = 0, squares = 0;

    for (size_t i = 0; i < k; i++) {
        trace += g[items[i] * t + items[i]];
        for (size_t j = 0; j < k; j++)
            squares += g[items[i] * t + items[j]] * g[items[i] * t + items[j]];
    }
    return trace * trace / squares;
}

/* By how much the variance of the sum of all items falls when some are seen with noise of .3 d:
   g'(G_SS + .3 diag d)^-1 g with g_s = sum_t G_st, by Gaussian elimination with pivots. */
static double slow_gain(const double *g, size_t t, const size_t *items, size_t k)
{
    double a[16][17], gain = 0.0, sums[16];

    for (size_t i = 0; i < k; i++) {
        sums[i] = 0.0;
        for (size_t c = 0; c < t; c++) sums[i] += g[items[i] * t + c];
        for (size_t j = 0; j < k; j++) a[i][j] = g[items[i] * t + items[j]] * (i == j ? 1.3 : 1.0);
        a[i][k] = sums[i];
    }
    for (size_t p = 0; p < k; p++) {
        size_t best = p;

        for (size_t i = p + 1; i < k; i++)
            if (fabs(a[i][p]) > fabs(a[best][p])) best = i;
        for (size_t j = 0; j <= k; j++) {
            double swapped = a[p][j];

            a[p][j] = a[best][j];
            a[best][j] = swapped;
        }
        for (size_t i = 0; i < k; i++) {
            double factor = i == p ? 0.0 : a[i][p] / a[p][p];

            for (size_t j = p; j <= k; j++) a[i][j] -= factor * a[p][j];
        }
    }
    for (size_t i = 0; i < k; i++) gain += sums[i] * a[i][k] / a[i][i];
    return gain;
}

/* The greedy choice, every candidate evaluated from nothing. Values that differ by rounding are
   equal, and then the first is taken. */
static void slow_choice(const double *g, size_t t, assay_short_form_method method, size_t n_items,
                        size_t *items)
{
    for (size_t k = 0; k < n_items; k++) {
        double most = -1.0;
        size_t best = 0;

        for (size_t c = 0; c < t; c++) {
            double value;
            int taken = !(g[c * t + c] > 0.0);

            for (size_t i = 0; i < k; i++) taken |= items[i] == c;
            if (taken) continue;
            items[k] = c;
            value = method == ASSAY_SHORT_FORM_RANKING ? slow_gain(g, t, items, k + 1)
                    : k == 0                           ? g[c * t + c]
                                                       : slow_ed(g, t, items, k + 1);
            if (value > most * (1.0 + 1e-12)) most = value, best = c;
        }
        items[k] = best;
    }
}

static double slow_spearman(const double *x, const double *y, size_t n)
{
    double xx = 0, yy = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        double a = 0, b = 0;

        for (size_t j = 0; j < n; j++) {
            a += (x[j] < x[i] - 1e-9) - (x[j] > x[i] + 1e-9);
            b += (y[j] < y[i] - 1e-9) - (y[j] > y[i] + 1e-9);
        }
        xx += a * a, yy += b * b, xy += a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0.0;
}

static double slow_agreement(const double *z, size_t n, size_t t, const size_t *items, size_t k)
{
    double part[64] = { 0 }, whole[64] = { 0 };

    for (size_t m = 0; m < n; m++) {
        for (size_t i = 0; i < k; i++) part[m] += z[m * t + items[i]];
        for (size_t c = 0; c < t; c++) whole[m] += z[m * t + c];
    }
    return slow_spearman(part, whole, n);
}

/* ---- the choices ---- */

static void each_step_is_the_best_there_is(void **state)
{
    enum { N = 20, T = 12 };
    double x[N * T], z[N * T], g[T * T];
    size_t all[N], want[T], n;

    (void)state;
    for (size_t m = 0; m < N; m++) all[m] = m;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        make_scores(seed, N, T, (enum kind)(seed % 3), x);
        deviations(x, T, all, N, z);
        gram(z, N, T, g);
        for (int method = 0; method < 2; method++) {
            assay_short_form *form = choose(x, N, T, by((assay_short_form_method)method, T, 0));
            const size_t *items = assay_short_form_items(form, &n);
            const double *ed = assay_short_form_ed(form, &n);

            assert_int_equal(n, T);
            slow_choice(g, T, (assay_short_form_method)method, T, want);
            assert_memory_equal(items, want, sizeof want);
            for (size_t k = 0; k < T; k++) /* rounding of 144 products */
                assert_near("ED", ed[k], slow_ed(g, T, items, k + 1), 1e-11 * ed[k]);
            assert_near("agreement", assay_short_form_get_quality(form).spearman, 1.0, 1e-15);
            assay_short_form_free(form);
        }
    }
}

/* All sets of k of 12 items. The gain of a set is that of a Gaussian's conditional variance: greedy
   is not the best set, but is never below 9 tenths of it here, and at k = 1 is it. */
static void the_greedy_set_is_near_the_best_of_all_sets(void **state)
{
    enum { N = 20, T = 12 };
    double x[N * T], z[N * T], g[T * T], worst = 1.0;
    size_t all[N], n;

    (void)state;
    for (size_t m = 0; m < N; m++) all[m] = m;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double best[T + 1] = { 0 };
        assay_short_form *form;
        const size_t *items;

        make_scores(seed, N, T, (enum kind)(seed % 2), x);
        deviations(x, T, all, N, z);
        gram(z, N, T, g);
        for (unsigned set = 1; set < 1u << T; set++) {
            size_t list[T], k = 0;

            for (size_t c = 0; c < T; c++)
                if (set >> c & 1) list[k++] = c;
            best[k] = fmax(best[k], slow_gain(g, T, list, k));
        }
        form = choose(x, N, T, by(ASSAY_SHORT_FORM_RANKING, T, 0));
        items = assay_short_form_items(form, &n);
        assert_near("first", slow_gain(g, T, items, 1), best[1], 1e-9 * best[1]);
        for (size_t k = 1; k <= T; k++) worst = fmin(worst, slow_gain(g, T, items, k) / best[k]);
        assay_short_form_free(form);
    }
    assert_true(worst > .9 && worst < 1.0 + 1e-9);
}

/* Items 1 and 3 are equal, and so are 0 and 2: the first of equals is taken, exactly. */
static void ties_go_to_the_first(void **state)
{
    const double x[] = { 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0 };
    size_t n;

    (void)state;
    for (int method = 0; method < 2; method++) {
        assay_short_form *form = choose(x, 6, 4, by((assay_short_form_method)method, 4, 0));
        const size_t *items = assay_short_form_items(form, &n);

        for (size_t i = 0; i < 4; i++)
            for (size_t j = i + 1; j < 4; j++)
                if (items[i] % 2 == items[j] % 2) assert_true(items[i] < items[j]);
        assay_short_form_free(form);
    }
}

/* The ED of a form is that of a matrix of its items alone. */
static void ed_is_that_of_the_items_alone(void **state)
{
    enum { N = 30, T = 40, K = 9 };
    double x[N * T], part[N * K];
    assay_dimensions dimensions;
    assay_matrix *matrix = NULL;
    assay_short_form *form;
    const size_t *items;
    size_t n;

    (void)state;
    make_scores(9, N, T, HOLES, x);
    form = choose(x, N, T, by(ASSAY_SHORT_FORM_ED, K, 0));
    items = assay_short_form_items(form, &n);
    for (size_t m = 0; m < N; m++)
        for (size_t k = 0; k < K; k++) part[m * K + k] = x[m * T + items[k]];
    assert_int_equal(assay_matrix_from_scores(part, N, K, &matrix), ASSAY_OK);
    assert_int_equal(assay_effective_dimensions(matrix, 1, &dimensions), ASSAY_OK);
    assert_near("ED", assay_short_form_ed(form, &n)[K - 1], dimensions.task, 1e-12 * K);
    assay_short_form_free(form);
    assay_matrix_free(matrix);
}

static void constant_items_are_never_chosen(void **state)
{
    enum { N = 10, T = 6 };
    double x[N * T];
    assay_short_form_options options = by(ASSAY_SHORT_FORM_RANKING, 0, 3);
    assay_short_form *form;
    const size_t *items;
    size_t n;

    (void)state;
    make_scores(3, N, T, REAL, x);
    for (size_t m = 0; m < N; m++) x[m * T + 1] = .1, x[m * T + 4] = 3e5;
    form = choose(x, N, T, options);
    items = assay_short_form_items(form, &n);
    assert_int_equal(n, 4);
    for (size_t k = 0; k < n; k++) assert_true(items[k] != 1 && items[k] != 4);
    assay_short_form_free(form);
}

/* ---- quality ---- */

static void shuffled(assay_random *random, size_t *list, size_t n, size_t n_first)
{
    for (size_t i = 0; i < n_first && i + 1 < n; i++) {
        size_t other = i + (size_t)assay_random_below(random, n - i), swapped = list[i];

        list[i] = list[other];
        list[other] = swapped;
    }
}

/* Each half's choice and its agreement on the other, slowly. */
static void what_holds_for_others_is_measured_on_them(void **state)
{
    enum { N = 21, T = 12, K = 3, SPLITS = 4 };
    double x[N * T], held_out[2 * SPLITS], mean = 0, squares = 0, random_mean = 0;
    double of_half[2 * SPLITS] = { 0 }, gain_squares = 0, half_width;
    assay_short_form *form;
    assay_short_form_quality quality;

    (void)state;
    make_scores(17, N, T, REAL, x);
    form = choose(x, N, T, by(ASSAY_SHORT_FORM_RANKING, K, SPLITS));
    quality = assay_short_form_get_quality(form);
    for (size_t s = 0; s < SPLITS; s++) {
        size_t models[N], items[K];
        double z[2][N * T], g[T * T];
        size_t n[2] = { N / 2, N - N / 2 };
        assay_random random;

        for (size_t m = 0; m < N; m++) models[m] = m;
        assay_random_start(&random, 1, ASSAY_PURPOSE_HALVES, s);
        shuffled(&random, models, N, N);
        deviations(x, T, models, n[0], z[0]);
        deviations(x, T, models + n[0], n[1], z[1]);
        for (size_t h = 0; h < 2; h++) {
            gram(z[h], n[h], T, g);
            slow_choice(g, T, ASSAY_SHORT_FORM_RANKING, K, items);
            held_out[2 * s + h] = slow_agreement(z[1 - h], n[1 - h], T, items, K);
            mean += held_out[2 * s + h] / (2 * SPLITS);
            for (size_t i = 0; i < 20; i++) {
                size_t list[T];

                for (size_t c = 0; c < T; c++) list[c] = c;
                assay_random_start(&random, 1, ASSAY_PURPOSE_RANDOM_ITEMS, (2 * s + h) * 20 + i);
                shuffled(&random, list, T, K);
                of_half[2 * s + h] += slow_agreement(z[1 - h], n[1 - h], T, list, K) / 20;
            }
            random_mean += of_half[2 * s + h] / (2 * SPLITS);
        }
    }
    for (size_t h = 0; h < 2 * SPLITS; h++)
        squares += (held_out[h] - mean) * (held_out[h] - mean) / (2 * SPLITS - 1);
    assert_int_equal(quality.n_splits, SPLITS);
    assert_near("held out", quality.held_out, mean, 1e-12);
    assert_near("sd", quality.held_out_sd, sqrt(squares), 1e-12);
    assert_near("random", quality.random, random_mean, 1e-12);
    for (size_t h = 0; h < 2 * SPLITS; h++)
        gain_squares += pow(held_out[h] - of_half[h] - mean + random_mean, 2) / (2 * SPLITS - 1);
    /* Student's .975 quantile with 7 degrees of freedom is that of the printed tables. */
    half_width = 2.3646242515927849 * sqrt((1.0 / (2 * SPLITS) + 1.0) * gain_squares);
    assert_near("gain", quality.gain, mean - random_mean, 1e-12);
    assert_near("its low end", quality.gain_low, mean - random_mean - half_width, 1e-10);
    assert_near("its high end", quality.gain_high, mean - random_mean + half_width, 1e-10);
    assay_short_form_free(form);
}

/* Outcomes that have nothing in common: nothing is gained, and nearly never said to be. Of 100
   tables 2.5 may be by the interval's level; 8 would be by chance once in 500. */
static void nothing_is_gained_from_noise(void **state)
{
    enum { TABLES = 100, N = 24, T = 20, K = 4 };
    int n_above = 0;

    (void)state;
    for (uint64_t k = 0; k < TABLES; k++) {
        double x[N * T];
        assay_random random;
        assay_short_form *form;

        assay_random_start(&random, 1000 + k, 0, 0);
        for (size_t i = 0; i < sizeof x / sizeof *x; i++)
            x[i] = assay_random_uniform(&random) < .2 + .03 * (double)(i % T) ? 1.0 : 0.0;
        form = choose(x, N, T, by(ASSAY_SHORT_FORM_RANKING, K, 10));
        n_above += assay_short_form_get_quality(form).gain_low > 0.0;
        assay_short_form_free(form);
    }
    print_message("%d of %d tables of noise are said to gain\n", n_above, TABLES);
    assert_true(n_above <= 7);
}

static void few_models_are_not_split(void **state)
{
    double x[9 * 5];
    assay_short_form *form;
    assay_short_form_quality quality;

    (void)state;
    make_scores(1, 9, 5, REAL, x);
    form = choose(x, 9, 5, by(ASSAY_SHORT_FORM_RANKING, 2, 10));
    quality = assay_short_form_get_quality(form);
    assert_true(isnan(quality.held_out) && isnan(quality.random) && !isnan(quality.spearman));
    assert_true(isnan(quality.gain) && isnan(quality.gain_low) && isnan(quality.gain_high));
    assert_string_equal(quality.reason, "fewer than 10 models");
    assay_short_form_free(form);
}

static void the_same_bits_for_any_number_of_threads(void **state)
{
    enum { N = 60, T = 4000, K = 20 }; /* so large that products are shared among threads */
    const int threads[] = { 1, 2, 7 };
    double *x = malloc(N * T * sizeof *x), ed[K];
    size_t items[K], n;
    assay_short_form_quality want;

    (void)state;
    make_scores(5, N, T, REAL, x);
    for (size_t k = 0; k < 3; k++) {
        assay_short_form_options options = by(ASSAY_SHORT_FORM_RANKING, K, 3);
        assay_short_form_quality quality;
        assay_short_form *form;

        options.threads = threads[k];
        form = choose(x, N, T, options);
        quality = assay_short_form_get_quality(form);
        if (k == 0) {
            memcpy(items, assay_short_form_items(form, &n), sizeof items);
            memcpy(ed, assay_short_form_ed(form, &n), sizeof ed);
            want = quality;
        }
        assert_memory_equal(assay_short_form_items(form, &n), items, sizeof items);
        assert_memory_equal(assay_short_form_ed(form, &n), ed, sizeof ed);
        assert_memory_equal(&quality, &want, sizeof want);
        assay_short_form_free(form);
    }
    free(x);
}

/* ---- failures ---- */

static void what_is_out_of_range_is_refused(void **state)
{
    const double x[] = { 1, 0, 0, 1, 1, 0 }, constant[] = { 1, 0, 1, 0 };
    assay_short_form_options options = by(ASSAY_SHORT_FORM_ED, 2, 0);
    assay_matrix *matrix = NULL;
    assay_short_form *form = NULL;

    (void)state;
    assert_int_equal(assay_matrix_from_scores(x, 3, 2, &matrix), ASSAY_OK);
    assert_int_equal(assay_short_form_options_check(&options), ASSAY_OK);
    options.n_items = 3;
    assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_E_VALUE);
    options = by((assay_short_form_method)2, 1, 0);
    assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_E_VALUE);
    options = by(ASSAY_SHORT_FORM_ED, 1, 10001);
    assert_int_equal(assay_short_form_options_check(&options), ASSAY_E_VALUE);
    options = by(ASSAY_SHORT_FORM_ED, 1, 1);
    options.threads = -1;
    assert_int_equal(assay_short_form_options_check(&options), ASSAY_E_VALUE);
    options = by(ASSAY_SHORT_FORM_ED, 1, 1);
    options.level = 1.0;
    assert_int_equal(assay_short_form_options_check(&options), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
    assert_int_equal(assay_matrix_from_scores(constant, 2, 2, &matrix), ASSAY_OK);
    assert_int_equal(assay_short_form_choose(matrix, NULL, &form), ASSAY_E_DEGENERATE);
    assert_null(form);
    assay_short_form_free(NULL);
    assay_matrix_free(matrix);
}

static int stop_in(void *user, const char *stage, double fraction)
{
    (void)fraction;
    return strcmp(stage, user) == 0;
}

static void cancelling_stops_it(void **state)
{
    enum { N = 12, T = 5 };
    static char choosing[] = "choosing", splits[] = "splits";
    char *const stages[] = { choosing, splits };
    double x[N * T];
    assay_matrix *matrix = NULL;

    (void)state;
    make_scores(1, N, T, REAL, x);
    assert_int_equal(assay_matrix_from_scores(x, N, T, &matrix), ASSAY_OK);
    for (size_t i = 0; i < 2; i++) {
        assay_short_form_options options = by(ASSAY_SHORT_FORM_RANKING, 2, 2);
        assay_short_form *form = NULL;

        options.progress = (assay_progress){ stop_in, stages[i] };
        assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_E_CANCELLED);
        options.method = ASSAY_SHORT_FORM_ED;
        assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_E_CANCELLED);
        assert_null(form);
    }
    assay_matrix_free(matrix);
}

static assay_status choose_both_ways(void *matrix)
{
    assay_status status = ASSAY_OK;

    for (int method = 0; method < 2 && status == ASSAY_OK; method++) {
        assay_short_form_options options = by((assay_short_form_method)method, 2, 1);
        assay_short_form *form = NULL;

        options.threads = 1;
        status = assay_short_form_choose(matrix, &options, &form);
        assay_short_form_free(form);
    }
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    double x[12 * 4];
    assay_matrix *matrix = NULL;

    (void)state;
    make_scores(1, 12, 4, ZERO_ONE, x);
    assert_int_equal(assay_matrix_from_scores(x, 12, 4, &matrix), ASSAY_OK);
    assert_true(fail_every_allocation(choose_both_ways, matrix) > 50);
    assay_matrix_free(matrix);
}

/* ---- SWE-bench Verified ---- */

static assay_matrix *swe_bench(void)
{
    const char *path = ASSAY_SHARED_FOLDER "/data/matrices/swebench_verified.csv";
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;

    if (access(path, R_OK) != 0) {
        print_message("skipped: swebench_verified.csv is not there\n");
        skip();
    }
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assay_results_free(results);
    return matrix;
}

/* A NumPy program with the whole 500 x 500 Gram matrix, of which equal items are the first too; its
   digits are 12. The history alone would be the same for any rule of ties. */
static void ed_greedy_has_the_history_of_the_reference(void **state)
{
    static const struct {
        size_t k;
        double ed;
    } history[] = {
        { 1, 1.000000000000 },    { 2, 1.999445103215 },    { 3, 2.995340226552 },
        { 5, 4.904572914759 },    { 10, 9.184860659117 },   { 20, 15.769184900299 },
        { 30, 20.605622821188 },  { 50, 26.335224557529 },  { 75, 29.607678689438 },
        { 99, 30.769562600790 },  { 100, 30.795184128185 }, { 101, 30.819913741653 },
        { 108, 30.913564777883 }, { 150, 28.216531466379 }, { 200, 22.991195455717 },
        { 300, 14.752962382419 }, { 400, 10.275128233764 }, { 467, 7.938482336199 },
        { 468, 7.895810582316 },
    };
    static const size_t first[] = { 161, 74, 340, 312, 144, 440, 22, 293, 408, 328, 60, 373 };
    assay_matrix *matrix = swe_bench();
    assay_short_form_options options = by(ASSAY_SHORT_FORM_ED, 0, 0);
    assay_short_form *form = NULL;
    const double *ed;
    size_t n, peak = 0;

    (void)state;
    assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_OK);
    assert_memory_equal(assay_short_form_items(form, &n), first, sizeof first);
    assert_int_equal(n, 468);
    ed = assay_short_form_ed(form, &n);
    for (size_t i = 0; i < sizeof history / sizeof *history; i++)
        assert_near("ED", ed[history[i].k - 1], history[i].ed, 1e-11);
    for (size_t k = 1; k < n; k++)
        if (ed[k] > ed[peak]) peak = k;
    assert_int_equal(peak + 1, 108);
    assay_short_form_free(form);
    assay_matrix_free(matrix);
}

/* The reference has .72 for ED-Greedy and .97 for random items at k = 50; on other models than
   those that chose, the ranking method is above both. */
static void a_short_form_for_ranking_ranks(void **state)
{
    assay_matrix *matrix = swe_bench();
    assay_short_form_quality quality[2];

    (void)state;
    for (int method = 0; method < 2; method++) {
        assay_short_form_options options = by((assay_short_form_method)method, 50, 5);
        assay_short_form *form = NULL;

        assert_int_equal(assay_short_form_choose(matrix, &options, &form), ASSAY_OK);
        quality[method] = assay_short_form_get_quality(form);
        assay_short_form_free(form);
    }
    assert_near("ED-Greedy", quality[ASSAY_SHORT_FORM_ED].spearman, .72, .005);
    assert_near("random", quality[ASSAY_SHORT_FORM_ED].random, .97, .005);
    assert_true(quality[ASSAY_SHORT_FORM_RANKING].held_out > .975);
    assert_true(quality[ASSAY_SHORT_FORM_RANKING].held_out > quality[0].random);
    assert_true(quality[ASSAY_SHORT_FORM_RANKING].spearman > .99);
    assay_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_the_best_there_is),
        cmocka_unit_test(the_greedy_set_is_near_the_best_of_all_sets),
        cmocka_unit_test(ties_go_to_the_first),
        cmocka_unit_test(ed_is_that_of_the_items_alone),
        cmocka_unit_test(constant_items_are_never_chosen),
        cmocka_unit_test(what_holds_for_others_is_measured_on_them),
        cmocka_unit_test(nothing_is_gained_from_noise),
        cmocka_unit_test(few_models_are_not_split),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(cancelling_stops_it),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(ed_greedy_has_the_history_of_the_reference),
        cmocka_unit_test(a_short_form_for_ranking_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
