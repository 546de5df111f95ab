/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/hopkins.h"
#include "cluster/hopkins_null.h"
#include "cluster/hopkins_points.h"
#include "core/random.h"
#include "failing_memory.h"
#include "stats/linalg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const assay_purpose STREAM = ASSAY_PURPOSE_SIMULATE_TEXT;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
}

static assay_hopkins_options defaults(void)
{
    assay_hopkins_options options;

    assay_hopkins_options_init(&options, sizeof options);
    return options;
}

static assay_hopkins measured(const double *rows, size_t n, size_t d,
                              const assay_hopkins_options *options)
{
    assay_hopkins result;

    if (assay_hopkins_of_rows(rows, n, d, options, &result) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return result;
}

static double *normals(size_t n, size_t d, uint64_t seed)
{
    double *rows = malloc(n * d * sizeof *rows);
    assay_random random;

    assay_random_start(&random, seed, STREAM, 0);
    for (size_t k = 0; k < n * d; k++) rows[k] = assay_random_normal(&random);
    return rows;
}

/* ---- by hand ---- */

/* Data 0, .1, .9, 1; random points .5, .2; drawn are the first and the third. Tolerances: a few
   roundings. */
static void the_case_by_hand_gives_five_sevenths(void **state)
{
    const double data[] = { 0.0, 0.1, 0.9, 1.0 }, random_points[] = { 0.5, 0.2 };
    assay_points points;
    assay_points_space space;
    double u[2], w[2];

    (void)state;
    assert_int_equal(assay_points_new(4, 1, &points), ASSAY_OK);
    assert_int_equal(assay_points_space_new(1, &space), ASSAY_OK);
    memcpy(points.row, data, sizeof data);
    assay_points_prepare(&points);
    assay_points_nearest(&points, random_points, 2, SIZE_MAX, &space, u);
    assay_points_nearest(&points, data, 1, 0, &space, &w[0]);
    assay_points_nearest(&points, data + 2, 1, 2, &space, &w[1]);
    for (int k = 0; k < 2; k++) {
        u[k] = sqrt(u[k]);
        w[k] = sqrt(w[k]);
    }
    assert_near(u[0], 0.4, 1e-15);
    assert_near(u[1], 0.1, 1e-15);
    assert_near(w[0], 0.1, 1e-15);
    assert_near(w[1], 0.1, 1e-15);
    assert_near(assay_hopkins_statistic(u, w, 2, 1.0), 5.0 / 7.0, 1e-15);
    assert_near(assay_hopkins_statistic(u, w, 2, 2.0), 17.0 / 19.0, 1e-15);
    assay_points_space_free(&space);
    assay_points_free(&points);
}

static void high_powers_neither_overflow_nor_vanish(void **state)
{
    const double u[] = { 2e3, 1e3 }, w[] = { 2e3, 2e3 }, none[] = { 0.0, 0.0 };

    (void)state;
    assert_near(assay_hopkins_statistic(u, w, 2, 384.0), 1.0 / 3.0, 1e-15);
    assert_near(assay_hopkins_statistic(w, none, 2, 384.0), 1.0, 0.0);
    assert_near(assay_hopkins_statistic(none, none, 2, 1.0), 0.5, 0.0);
}

/* A zero vector is at 1 from e, and -e is at 2 from e: so each of the two points drawn on the
   sphere of one dimension has u = 0 or 1, each w = 1, and H = 0, 1/3 or 1/2 with probabilities
   1/4, 1/2, 1/4. Tolerance: 4 standard errors. */
static void zero_vectors_are_at_cosine_distance_one(void **state)
{
    const double pair[] = { 0.0, 1.0 }, twins[] = { 0.0, 0.0, 3.0, 1.0 };
    assay_hopkins_options options = defaults();
    assay_hopkins result;

    (void)state;
    options.metric = ASSAY_HOPKINS_COSINE;
    options.window = ASSAY_HOPKINS_SPHERE;
    options.n_sampled = 2;
    result = measured(pair, 2, 1, &options);
    assert_near(result.mean, 7.0 / 24.0, 4.0 * result.se);
    assert_near(result.sd, sqrt(17.0 / 144.0 - 49.0 / 576.0), 0.01);
    options.window = ASSAY_HOPKINS_ORTHANT; /* every point is e itself, as near as can be */
    assert_near(measured(pair, 2, 1, &options).mean, 0.0, 0.0);
    assert_near(measured(twins, 4, 1, &options).mean, 0.5, 0.0); /* and every w is 0 */
}

/* ---- the search ---- */

static double slow_nearest(const double *rows, size_t n, size_t d, const double *query, size_t own)
{
    double best = INFINITY;

    for (size_t i = 0; i < n; i++) {
        double squared = 0.0;

        for (size_t j = 0; j < d; j++)
            squared += (rows[i * d + j] - query[j]) * (rows[i * d + j] - query[j]);
        if (i != own) best = fmin(best, squared);
    }
    return best;
}

/* Also far from the origin, tiny, huge, and with near-duplicates, where single precision alone would
   see no difference. Tolerance: the rounding of a sum of d squares. */
static void the_nearest_point_is_found_exactly(void **state)
{
    static const struct {
        size_t n, d;
        double scale, offset;
    } cases[] = { { 2, 1, 1, 0 },       { 700, 3, 1, 1e6 }, { 1100, 40, 1e-20, 0 },
                  { 600, 17, 1e25, 0 }, { 513, 384, 1, 0 }, { 300, 1000, 1, -50 },
                  { 515, 5, 1e-120, 0 } };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        size_t n = cases[c].n, d = cases[c].d, n_queries = n < 100 ? n : 100;
        double *rows = normals(n, d, c + 1), *outside = normals(100, d, c + 50), squared[128];
        assay_points points;
        assay_points_space space;

        for (size_t k = 0; k < n * d; k++) rows[k] = rows[k] * cases[c].scale + cases[c].offset;
        for (size_t k = 0; k < 100 * d; k++)
            outside[k] = outside[k] * cases[c].scale + cases[c].offset;
        if (n > 500) /* each tenth point is almost the one after it */
            for (size_t i = 0; i + 1 < n; i += 10)
                for (size_t j = 0; j < d; j++)
                    rows[i * d + j] = rows[(i + 1) * d + j] * (1.0 + (j == 0 ? 1e-12 : 0.0));
        assert_int_equal(assay_points_new(n, d, &points), ASSAY_OK);
        assert_int_equal(assay_points_space_new(d, &space), ASSAY_OK);
        memcpy(points.row, rows, n * d * sizeof *rows);
        assay_points_prepare(&points);
        assay_points_nearest(&points, rows, n_queries, 0, &space, squared);
        for (size_t q = 0; q < n_queries; q++) {
            double expected = slow_nearest(rows, n, d, rows + q * d, q);
            assert_near(squared[q] / expected, 1.0, 1e-13);
        }
        assay_points_nearest(&points, outside, n_queries, SIZE_MAX, &space, squared);
        for (size_t q = 0; q < n_queries; q++) {
            double expected = slow_nearest(rows, n, d, outside + q * d, SIZE_MAX);
            assert_near(squared[q] / expected, 1.0, 1e-13);
        }
        assay_points_space_free(&space);
        assay_points_free(&points);
        free(rows);
        free(outside);
    }
}

/* ---- what it says ---- */

/* H ~ Beta(m, m) where d is the dimension and m is small beside n: mean .5, sd .078 for m = 20.
   Tolerances: an edge has fewer neighbours and n is finite, .03; sd of a sample of 1,000, 10 %. */
static void uniform_points_give_a_half(void **state)
{
    enum { N = 2000 };
    assay_hopkins_options options = defaults();
    double *rows = malloc(2 * N * sizeof *rows);
    assay_hopkins result;
    assay_random random;

    (void)state;
    assay_random_start(&random, 5, STREAM, 0);
    for (size_t k = 0; k < 2 * N; k++) rows[k] = assay_random_uniform(&random);
    options.exponent = 2.0;
    options.n_sampled = 20;
    options.repeats = 1000;
    result = measured(rows, N, 2, &options);
    assert_near(result.mean, 0.5, 0.03);
    assert_near(result.sd, sqrt(1.0 / (4.0 * 41.0)), 0.008);
    assert_near(result.se, result.sd / sqrt(1000.0), 1e-15);
    free(rows);
}

static void clusters_exceed_both_nulls_and_a_normal_cloud_does_not(void **state)
{
    enum { N = 80, D = 6 };
    assay_hopkins_options options = defaults();
    double *cloud = normals(N, D, 11), *clusters = normals(N, D, 12);
    assay_hopkins result;

    (void)state;
    for (size_t i = 0; i < N; i++) clusters[i * D + i % 4] += 40.0;
    options.data_sets = 99;
    options.repeats = 100;
    result = measured(clusters, N, D, &options);
    assert_true(result.mean > 0.9);
    for (int kind = 0; kind < ASSAY_HOPKINS_N_NULLS; kind++) {
        assert_near(result.against[kind].p, 0.01, 1e-15); /* (1 + 0) / (99 + 1) */
        assert_true(result.against[kind].z > 3.0);
    }
    result = measured(cloud, N, D, &options);
    assert_true(fabs(result.against[ASSAY_HOPKINS_GAUSSIAN].z) < 3.0);
    assert_true(result.against[ASSAY_HOPKINS_GAUSSIAN].p > 0.02);
    assert_true(result.mean > 0.5); /* although it has none */
    options.data_sets = 0;
    result = measured(cloud, N, D, &options);
    assert_true(isnan(result.against[0].z) && isnan(result.against[1].p));
    free(cloud);
    free(clusters);
}

/* Each column of the permutation null holds the data's numbers; 400 sets of the Gaussian null have
   their mean and covariance. Tolerance: 5 standard errors of a covariance of 400 n normals. */
static void nulls_have_the_moments_of_the_data(void **state)
{
    enum { N = 12, SETS = 400 };
    const size_t dimensions[] = { 3, 20 }; /* the factor of the covariance, and of fewer prompts */

    (void)state;
    for (size_t c = 0; c < 2; c++) {
        size_t d = dimensions[c];
        double *data = normals(N, d, 21 + c), *null = malloc(N * d * sizeof *null);
        double product = 0.0, first = 0.0, second = 0.0, means[2] = { 0 }, covariance = 0.0,
               variance[2] = { 0 }, sum[2] = { 0 };
        assay_null_source source;

        for (size_t i = 0; i < N; i++) data[i * d + 1] += 2.0 * data[i * d]; /* correlated */
        for (size_t i = 0; i < N; i++) data[i * d + 2] = 7.0;                /* and constant */
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < 2; j++) means[j] += data[i * d + j] / N;
        for (size_t i = 0; i < N; i++) {
            covariance += (data[i * d] - means[0]) * (data[i * d + 1] - means[1]) / (N - 1.0);
            for (size_t j = 0; j < 2; j++)
                variance[j] += pow(data[i * d + j] - means[j], 2.0) / (N - 1.0);
        }
        assay_blas_hold();
        assert_int_equal(assay_null_source_new(data, N, d, 9, &source), ASSAY_OK);
        for (uint64_t s = 0; s < SETS; s++) {
            assert_int_equal(assay_null_fill(&source, ASSAY_HOPKINS_GAUSSIAN, s, null, d),
                             ASSAY_OK);
            for (size_t i = 0; i < N; i++) {
                product += (null[i * d] - means[0]) * (null[i * d + 1] - means[1]) / (N * SETS);
                first += null[i * d] / (N * SETS);
                second += null[i * d + 1] / (N * SETS);
                assert_near(null[i * d + 2], 7.0, 1e-12);
            }
        }
        assert_near(first, means[0], 5.0 * sqrt(variance[0] / (N * SETS)));
        assert_near(second, means[1], 5.0 * sqrt(variance[1] / (N * SETS)));
        assert_near(product, covariance,
                    5.0 * sqrt((variance[0] * variance[1] + covariance * covariance) / (N * SETS)));
        assert_int_equal(assay_null_fill(&source, ASSAY_HOPKINS_PERMUTATION, 3, null, d), ASSAY_OK);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < 2; j++) {
                sum[j] += null[i * d + j] / N;
                assert_true(slow_nearest(data, N * d, 1, &null[i * d + j], SIZE_MAX) == 0.0);
            }
        assert_near(sum[0], means[0], 1e-12);
        assert_near(sum[1], means[1], 1e-12);
        assay_null_source_free(&source);
        assay_blas_release();
        free(data);
        free(null);
    }
}

/* ---- invariances ---- */

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    enum { N = 150, D = 20 };
    static const int threads[] = { 1, 2, 7 };
    double *rows = normals(N, D, 31);

    (void)state;
    for (int window = 0; window < 3; window++) {
        assay_hopkins_options options = defaults();
        assay_hopkins results[3];

        options.window = (assay_hopkins_window)window;
        options.metric = window == 1 ? ASSAY_HOPKINS_COSINE : ASSAY_HOPKINS_EUCLIDEAN;
        options.data_sets = window == 0 ? 99 : 0;
        options.repeats = 9;
        for (int k = 0; k < 3; k++) {
            options.threads = threads[k];
            results[k] = measured(rows, N, D, &options);
        }
        assert_memory_equal(&results[0], &results[1], sizeof results[0]);
        assert_memory_equal(&results[0], &results[2], sizeof results[0]);
    }
    free(rows);
}

static void cosine_on_the_sphere_ignores_the_lengths_of_rows(void **state)
{
    enum { N = 60, D = 8 };
    assay_hopkins_options options = defaults();
    double *rows = normals(N, D, 41), first;

    (void)state;
    options.metric = ASSAY_HOPKINS_COSINE;
    options.window = ASSAY_HOPKINS_SPHERE;
    first = measured(rows, N, D, &options).mean;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++) rows[i * D + j] *= ldexp(1.0, (int)i - 30);
    assert_near(measured(rows, N, D, &options).mean, first, 0.0);
    options.seed = 2;
    assert_true(measured(rows, N, D, &options).mean != first);
    free(rows);
}

static void sparse_vectors_are_measured_as_the_same_dense_ones(void **state)
{
    double dense[] = { 1, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0 }, values[] = { 1, 0.6, 0.8, 1 };
    size_t start[] = { 0, 1, 3, 3, 4 };
    uint32_t column[] = { 0, 1, 2, 1 };
    const double rows[] = { 1, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0 };
    assay_vectors of_dense = { .n = 4, .d = 3, .dense = dense };
    assay_vectors of_sparse = { .n = 4, .d = 3, .start = start, .column = column, .value = values };
    assay_hopkins a, b;

    (void)state;
    assert_int_equal(assay_hopkins_measure(&of_dense, NULL, &a), ASSAY_OK);
    assert_int_equal(assay_hopkins_measure(&of_sparse, NULL, &b), ASSAY_OK);
    assert_near(a.mean, b.mean, 0.0);
    assert_near(a.mean, measured(rows, 4, 3, NULL).mean, 0.0);
    assert_int_equal(a.n_sampled, 1);
    assert_int_equal(a.repeats, 1000);
}

/* ---- against the published variant, on sentence vectors ---- */

static double *shared_vectors(const char *name, size_t *n, size_t *d)
{
    char path[512], head[128];
    FILE *from;
    double *rows;

    snprintf(path, sizeof path, "%s/golden/minilm/%s.npy", ASSAY_SHARED_FOLDER, name);
    from = fopen(path, "rb");
    if (!from) return NULL;
    assert_int_equal(fread(head, 1, sizeof head, from), sizeof head);
    head[sizeof head - 1] = '\0';
    assert_non_null(strstr(head + 10, "'<f4'"));
    assert_int_equal(sscanf(strstr(head + 10, "(") + 1, "%zu, %zu", n, d), 2);
    rows = malloc(*n * *d * sizeof *rows);
    for (size_t k = 0; k < *n * *d; k++) {
        float value;

        assert_int_equal(fread(&value, sizeof value, 1, from), 1);
        rows[k] = (double)value;
    }
    fclose(from);
    return rows;
}

/* H and the mean of the nulls as computed independently, in NumPy and with other random numbers.
   Tolerances: of H, 4 standard errors of either (at most .004 there) and half its last digit; of a
   null, 4 standard deviations over data sets, since how many made its mean is not known. */
static void sentence_vectors_give_the_values_of_an_independent_program(void **state)
{
    static const struct {
        const char *name;
        double h, permutation, gaussian, cosine; /* the last on the sphere */
    } table[] = {
        { "garak_ansiraw", .762, .535, .626, .904 },
        { "garak_repeat", .815, .510, .670, .980 },
        { "garak_js_v0.13.1", .764, .541, .641, .926 },
        { "harmbench_copyright", .610, .558, .602, .723 },
        { "mmlu_us_foreign_policy", .618, .561, .599, .678 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        assay_hopkins_options options = defaults();
        size_t n, d;
        double *rows = shared_vectors(table[k].name, &n, &d);
        assay_hopkins result;

        if (!rows) {
            print_message("no sentence vectors beside this checkout\n");
            skip();
        }
        options.repeats = 1000;
        result = measured(rows, n, d, &options);
        assert_near(result.mean, table[k].h, 4.0 * hypot(result.se, .004) + .0005);
        options.repeats = 12;
        options.data_sets = 99;
        result = measured(rows, n, d, &options);
        assert_near(result.against[ASSAY_HOPKINS_PERMUTATION].mean, table[k].permutation,
                    4.0 * result.against[ASSAY_HOPKINS_PERMUTATION].sd);
        assert_near(result.against[ASSAY_HOPKINS_GAUSSIAN].mean, table[k].gaussian,
                    4.0 * result.against[ASSAY_HOPKINS_GAUSSIAN].sd);
        options = defaults();
        options.metric = ASSAY_HOPKINS_COSINE;
        options.window = ASSAY_HOPKINS_SPHERE;
        options.repeats = 1000;
        result = measured(rows, n, d, &options);
        assert_near(result.mean, table[k].cosine, 4.0 * hypot(result.se, .004) + .0005);
        free(rows);
    }
}

/* ---- failures ---- */

static void assert_refused(const assay_hopkins_options *options, const char *sentence)
{
    assert_int_equal(assay_hopkins_options_check(options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
}

static void options_out_of_range_are_named(void **state)
{
    assay_hopkins_options options = defaults();

    (void)state;
    assert_int_equal(assay_hopkins_options_check(NULL), ASSAY_OK);
    options.window = (assay_hopkins_window)3;
    assert_refused(&options, "hopkins: window is 3, expected 0 to 2");
    options = defaults();
    options.metric = (assay_hopkins_metric)2;
    assert_refused(&options, "hopkins: metric is 2, expected 0 or 1");
    options = defaults();
    options.exponent = 0.0;
    assert_refused(&options, "hopkins: exponent is 0, expected above 0");
    options = defaults();
    options.repeats = 1;
    assert_refused(&options, "hopkins: repeats is 1, expected 0 or 2 to 10000000");
    options = defaults();
    options.data_sets = 98;
    assert_refused(&options, "hopkins: data_sets is 98, expected 0 or 99 to 1000000");
    options = defaults();
    options.threads = -1;
    assert_refused(&options, "hopkins: threads is -1, expected 0 to 1024");
    options = defaults();
    options.struct_size = 1;
    assert_refused(&options, "hopkins: struct_size 1 is not understood");
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    assert_string_equal(stage, "Hopkins nulls");
    return fraction > 0.25;
}

static void what_cannot_be_measured_is_refused(void **state)
{
    const double rows[] = { 1, 2, 1, 2, 1, 2 };
    assay_hopkins_options options = defaults();
    assay_hopkins result = { .mean = -1.0 };
    double *cloud = normals(10, 2, 51);

    (void)state;
    assert_int_equal(assay_hopkins_of_rows(rows, 1, 2, NULL, &result), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "hopkins needs 2 prompts or more, got 1");
    assert_int_equal(assay_hopkins_of_rows(rows, 3, 2, NULL, &result), ASSAY_E_DEGENERATE);
    assert_string_equal(assay_last_error(),
                        "hopkins is undefined: all 3 prompts have the same vector");
    options.n_sampled = 11;
    assert_int_equal(assay_hopkins_of_rows(cloud, 10, 2, &options, &result), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "hopkins: n_sampled is 11, expected 0 to 10, the prompts");
    options = defaults();
    options.repeats = 2;
    options.data_sets = 99;
    options.progress.step = stop;
    assert_int_equal(assay_hopkins_of_rows(cloud, 10, 2, &options, &result), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "cancelled in Hopkins nulls");
    assert_near(result.mean, -1.0, 0.0);
    free(cloud);
}

static assay_status measure_some(void *context)
{
    assay_hopkins_options options = defaults();
    const double values[] = { 1, 0.6, 0.8, 1 };
    size_t start[] = { 0, 1, 3, 3, 4 };
    uint32_t column[] = { 0, 1, 2, 1 };
    assay_vectors vectors = { .n = 4, .d = 3, .start = start, .column = column };
    assay_hopkins result;

    (void)context;
    vectors.value = (double *)(uintptr_t)values;
    options.threads = 1;
    options.repeats = 2;
    options.data_sets = 99;
    return assay_hopkins_measure(&vectors, &options, &result);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(measure_some, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_case_by_hand_gives_five_sevenths),
        cmocka_unit_test(high_powers_neither_overflow_nor_vanish),
        cmocka_unit_test(zero_vectors_are_at_cosine_distance_one),
        cmocka_unit_test(the_nearest_point_is_found_exactly),
        cmocka_unit_test(uniform_points_give_a_half),
        cmocka_unit_test(clusters_exceed_both_nulls_and_a_normal_cloud_does_not),
        cmocka_unit_test(nulls_have_the_moments_of_the_data),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(cosine_on_the_sphere_ignores_the_lengths_of_rows),
        cmocka_unit_test(sparse_vectors_are_measured_as_the_same_dense_ones),
        cmocka_unit_test(sentence_vectors_give_the_values_of_an_independent_program),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
