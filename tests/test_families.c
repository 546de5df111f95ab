/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/families.h"
#include "dendrogram_oracle.h"
#include "failing_memory.h"
#include "score/family.h"
#include "text/vectors_take.h"

enum { MOST = 40 };

static const assay_prior uniform = { .kind = ASSAY_PRIOR_UNIFORM };
static const assay_prior paper = { .kind = ASSAY_PRIOR_PAPER };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
}

static void assert_same_row(const assay_sensitivity *a, const assay_sensitivity *b,
                            double tolerance)
{
    assert_near(a->topics, b->topics, tolerance);
    assert_true(a->topics_low == b->topics_low && a->topics_high == b->topics_high);
    assert_near(a->overcount, b->overcount, tolerance);
    assert_near(a->score, b->score, tolerance);
    assert_near(a->spread_sd, b->spread_sd, tolerance);
    assert_near(a->these_sd, b->these_sd, tolerance);
    assert_near(a->like_sd, b->like_sd, tolerance);
    assert_near(a->log_evidence, b->log_evidence, tolerance);
}

/* Up to MOST outcomes of 0 to 5 runs each; none where missing says so. */
static void draw_outcomes(assay_random *random, size_t n, int missing, double *x, double *m)
{
    for (size_t i = 0; i < n; i++) {
        m[i] = 1.0 + (double)assay_random_below(random, 5);
        x[i] = (double)assay_random_below(random, (uint64_t)m[i] + 1);
        if (missing && assay_random_below(random, 4) == 0) m[i] = i % 2 ? 0.0 : (double)NAN;
    }
}

/* ---- by hand ---- */

/* The page's example of three vectors, whose partitions by average linkage k-means makes too:
   pi(S|x) = (16, 120, 105) / 241 with a uniform prior. Fractions are exact: tolerance some units in
   the last place; the numbers for the paper's prior are given to seven digits. */
static void three_prompts_are_as_by_hand(void **state)
{
    const double e[] = { 1, 0, .8, .6, 0, 1 }, x[] = { 3, 2, 0 }, m[] = { 3, 3, 3 };
    assay_vectors *vectors = vectors_of(e, 3, 2);
    assay_sensitivity row;

    (void)state;
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &uniform, 0, 1, 1, &row),
                     ASSAY_OK);
    assert_near(row.topics, (16.0 + 240.0 + 315.0) / 241.0, 1e-14);
    assert_near(row.overcount, 3.0 / row.topics, 1e-15);
    assert_true(row.topics_low == 1.0 && row.topics_high == 3.0);
    assert_near(row.score, 1339.0 / 2651.0, 1e-14);
    assert_near(row.spread_sd, sqrt(1948601.0 / 21083403.0), 1e-14);
    assert_near(row.these_sd, sqrt(8038661.0 / 632502090.0), 1e-14);
    assert_near(row.log_evidence, log((1.0 / 420.0 + 1.0 / 56.0 + 1.0 / 64.0) / 3.0), 1e-13);
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &paper, 3, 1, 1, &row),
                     ASSAY_OK);
    assert_near(row.topics, 2.4757702, 5e-8);
    assert_near(row.score, .5078054, 5e-8);
    assert_near(row.spread_sd * row.spread_sd, .0940467, 5e-8);
    assert_near(row.these_sd * row.these_sd, .0123157, 5e-8);
    assert_near(row.like_sd * row.like_sd, .0359989, 5e-8);
    assert_near(row.log_evidence, -4.3094426, 5e-8);
    assay_vectors_free(vectors);
}

/* Cut at two clusters, pi(S|x) = (16, 120) / 136, and the prior is 1/2 each. */
static void a_prior_is_cut_at_s_max_and_scaled(void **state)
{
    const double e[] = { 1, 0, .8, .6, 0, 1 }, x[] = { 3, 2, 0 }, m[] = { 3, 3, 3 };
    assay_vectors *vectors = vectors_of(e, 3, 2);
    assay_sensitivity row;

    (void)state;
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &uniform, 2, 1, 1, &row),
                     ASSAY_OK);
    assert_near(row.topics, 256.0 / 136.0, 1e-14);
    assert_near(row.score, (16.0 * 6.0 / 11.0 + 120.0 * 19.0 / 40.0) / 136.0, 1e-14);
    assert_near(row.log_evidence, log((1.0 / 420.0 + 1.0 / 56.0) / 2.0), 1e-13);
    assay_vectors_free(vectors);
}

/* Two partitions into two and one into three: pi(2) is halved, pi(1) is not there. Evidence
   1/2 (e^-1 + e^-2) / 2 + 1/2 e^-3 with pi = (1/3, 1/3, 1/3). */
static void partitions_of_the_same_size_share_its_prior(void **state)
{
    const assay_partition partitions[] = { { 2, -1.0, .5, .09, .01, .02 },
                                           { 3, -3.0, .2, .04, .02, .03 },
                                           { 2, -2.0, .4, .08, .03, .04 } };
    const double third[] = { -log(3.0), -log(3.0), -log(3.0) };
    const double w[] = { .25 * exp(-1.0), .5 * exp(-3.0), .25 * exp(-2.0) };
    const double total = w[0] + w[1] + w[2];
    const double mean = (.5 * w[0] + .2 * w[1] + .4 * w[2]) / total;
    const double square = (.34 * w[0] + .08 * w[1] + .24 * w[2]) / total; /* variance + mean^2 */
    assay_sensitivity row;

    (void)state;
    assert_int_equal(assay_family_mix(partitions, 3, third, 3, &row), ASSAY_OK);
    assert_near(row.log_evidence, log(total), 1e-14);
    assert_near(row.topics, (2.0 * (w[0] + w[2]) + 3.0 * w[1]) / total, 1e-14);
    assert_near(row.score, mean, 1e-15);
    assert_near(row.spread_sd, sqrt(square - mean * mean), 1e-14);
    assert_true(row.topics_low == 2.0 && row.topics_high == 3.0);
}

/* ---- one partition ---- */

/* ln p(x|partition) as the chance of each outcome after those before it, which is a product of
   whole numbers' quotients: no gamma function. Moments from the mixture's definition. Tolerance:
   some 100 sums of terms near 1. */
static void a_partition_agrees_with_a_direct_sum(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, 1, 0);
    for (int trial = 0; trial < 200; trial++) {
        size_t n = 1 + (size_t)assay_random_below(&random, 12), S = 0, labels[12];
        double x[12], m[12], beta[2] = { .5 + assay_random_uniform(&random), 1.25 };
        double log_p = 0.0, a[12], b[12], mean = 0.0, square = 0.0, within = 0.0;
        assay_partition of;

        draw_outcomes(&random, n, 0, x, m);
        for (size_t i = 0; i < n; i++) {
            labels[i] = (size_t)assay_random_below(&random, S + 1);
            S += labels[i] == S;
        }
        for (size_t c = 0; c < S; c++) {
            a[c] = beta[0];
            b[c] = beta[1];
        }
        for (size_t i = 0; i < n; i++) {
            double *to_a = &a[labels[i]], *to_b = &b[labels[i]];
            for (double k = 0; k < x[i]; k++) {
                log_p += log(*to_a / (*to_a + *to_b) * (m[i] - k) / (k + 1.0));
                *to_a += 1.0;
            }
            for (double k = x[i]; k < m[i]; k++) {
                log_p += log(*to_b / (*to_a + *to_b));
                *to_b += 1.0;
            }
        }
        for (size_t c = 0; c < S; c++) {
            double sum = a[c] + b[c], v = a[c] * b[c] / (sum * sum * (sum + 1.0));
            mean += a[c] / sum / (double)S;
            square += a[c] * a[c] / (sum * sum) / (double)S;
            within += v;
        }
        assert_int_equal(
            assay_partition_measure(labels, n, (assay_outcomes){ x, m, NULL }, beta, &of),
            ASSAY_OK);
        assert_int_equal(of.n_clusters, S);
        assert_near(of.log_likelihood, log_p, 1e-11);
        assert_near(of.mean, mean, 1e-14);
        assert_near(of.spread, within / (double)S + square - mean * mean, 1e-14);
        assert_near(of.these, within / ((double)S * (double)S), 1e-14);
        assert_near(of.like,
                    2.0 * within / ((double)S * ((double)S + 1.0)) +
                        (square - mean * mean) / ((double)S + 1.0),
                    1e-14);
    }
}

/* ---- DBSCAN ---- */

/* With min_samples 1 and all distances different the partitions are all cuts of the single-linkage
   tree, so that the rows are the same. Both are sums of the same terms, in another order. */
static void dbscan_of_one_sample_is_the_single_linkage_tree(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, 1, 0);
    for (int trial = 0; trial < 60; trial++) {
        size_t n = 1 + (size_t)assay_random_below(&random, MOST);
        assay_vectors *vectors = random_vectors(&random, n, 5, 0);
        const double beta[2] = { .75, 1.5 };
        assay_dendrogram_options options;
        assay_dendrogram *tree;
        double x[MOST], m[MOST];
        assay_sensitivity row, expected;

        draw_outcomes(&random, n, 0, x, m);
        assay_dendrogram_options_init(&options, sizeof options);
        options.linkage = ASSAY_LINKAGE_SINGLE;
        assert_int_equal(assay_dendrogram_fit(vectors, &options, &tree), ASSAY_OK);
        assert_int_equal(assay_sensitivity_to_priors(tree, x, m, beta,
                                                     trial % 3 ? &paper : &uniform, 1, &expected),
                         ASSAY_OK);
        assert_int_equal(assay_sensitivity_to_dbscan(vectors, x, m, beta,
                                                     trial % 3 ? &paper : &uniform, 1, &row),
                         ASSAY_OK);
        assert_same_row(&row, &expected, 1e-10);
        assay_dendrogram_free(tree);
        assay_vectors_free(vectors);
    }
}

/* Where vectors tie, DBSCAN has only the cuts between heights: the evidence is that of those cuts
   alone, with their prior scaled. */
static void ties_leave_only_the_cuts_at_heights(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, 1, 0);
    for (int trial = 0; trial < 60; trial++) {
        size_t n = 2 + (size_t)assay_random_below(&random, MOST - 1);
        assay_vectors *vectors = random_vectors(&random, n, 3, 3);
        oracle_tree tree = oracle(vectors, ASSAY_LINKAGE_SINGLE, NULL);
        double x[MOST], m[MOST], table[MOST] = { 0 };
        assay_prior cuts = { .kind = ASSAY_PRIOR_TABLE, .table = table, .n_table = n };
        assay_dendrogram *same;
        assay_sensitivity row, expected;

        draw_outcomes(&random, n, 0, x, m);
        for (size_t t = 0; t < n; t++) { /* after t merges there are n - t clusters */
            const int is_at_height = t > 0 || tree.height[0] > 1e-12;
            const int is_last = t + 1 == n || tree.height[t] > tree.height[t - (t > 0)] + 1e-12;
            table[n - t - 1] = is_at_height && (t == 0 || is_last);
        }
        assert_int_equal(assay_dendrogram_new(n, &same), ASSAY_OK);
        memcpy(same->children, tree.children, 2 * (n - 1) * sizeof *same->children);
        assert_int_equal(assay_sensitivity_to_priors(same, x, m, NULL, &cuts, 1, &expected),
                         ASSAY_OK);
        assert_int_equal(assay_sensitivity_to_dbscan(vectors, x, m, NULL, &uniform, 1, &row),
                         ASSAY_OK);
        assert_same_row(&row, &expected, 1e-10);
        assay_dendrogram_free(same);
        oracle_free(&tree);
        assay_vectors_free(vectors);
    }
}

/* ---- both ---- */

static void copies_of_a_subset_are_its_rows(void **state)
{
    const size_t rows[] = { 4, 0, 3 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 6, 1, 0);
    for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
        assay_vectors *all = random_vectors(&random, 6, 4, 2), *taken;
        assay_vectors *from = is_sparse ? sparse_copy(all) : all;

        assert_int_equal(assay_vectors_take(from, rows, 3, &taken), ASSAY_OK);
        assert_int_equal(assay_vectors_n(taken), 3);
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++) /* scaled once more: 2 units in the last place */
                assert_near(assay_vectors_dot(taken, i, j),
                            assay_vectors_dot(all, rows[i], rows[j]), 1e-15);
        assay_vectors_free(taken);
        if (is_sparse) assay_vectors_free(from);
        assay_vectors_free(all);
    }
}

/* Missing prompts are left out before anything is clustered: the row is that of the rest alone. */
static void missing_prompts_are_as_if_never_there(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 7, 1, 0);
    for (int trial = 0; trial < 20; trial++) {
        const size_t n = 25;
        assay_vectors *all = random_vectors(&random, n, 4, trial % 2 ? 3 : 0), *rest;
        double x[25], m[25], own_x[25], own_m[25];
        size_t kept[25], n_own = 0;
        assay_sensitivity row, expected;

        draw_outcomes(&random, n, 1, x, m);
        for (size_t i = 0; i < n; i++) {
            if (!(m[i] > 0.0)) continue;
            own_x[n_own] = x[i];
            own_m[n_own] = m[i];
            kept[n_own++] = i;
        }
        assert_int_equal(assay_vectors_take(all, kept, n_own, &rest), ASSAY_OK);
        assert_int_equal(assay_sensitivity_to_kmeans(all, x, m, NULL, &paper, 9, 5, 1, &row),
                         ASSAY_OK);
        assert_int_equal(
            assay_sensitivity_to_kmeans(rest, own_x, own_m, NULL, &paper, 9, 5, 1, &expected),
            ASSAY_OK);
        assert_memory_equal(&row, &expected, sizeof row);
        assert_int_equal(assay_sensitivity_to_dbscan(all, x, m, NULL, &paper, 3, &row), ASSAY_OK);
        assert_int_equal(
            assay_sensitivity_to_dbscan(rest, own_x, own_m, NULL, &paper, 3, &expected), ASSAY_OK);
        assert_memory_equal(&row, &expected, sizeof row);
        assay_vectors_free(all);
        assay_vectors_free(rest);
    }
}

/* Five directions with rates of 0 and 1 in turn: both families find the five, and the evidence of
   k-means is nearly that of the true partition alone, which a fixed prior gives. */
static void clear_topics_are_found(void **state)
{
    enum { N = 30 };
    const assay_prior five = { .kind = ASSAY_PRIOR_FIXED, .a = 5.0 };
    double e[N * 5], x[N], m[N];
    assay_random random;
    assay_sensitivity row, alone;

    (void)state;
    assay_random_start(&random, 8, 1, 0);
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < 5; k++)
            e[i * 5 + k] = (double)(i % 5 == k) + .05 * assay_random_uniform(&random);
        m[i] = 25.0;
        x[i] = i % 5 % 2 ? 25.0 : 0.0;
    }
    assay_vectors *vectors = vectors_of(e, N, 5);
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &uniform, 0, 1, 2, &row),
                     ASSAY_OK);
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &five, 0, 1, 2, &alone),
                     ASSAY_OK);
    assert_near(row.topics, 5.0, .1);
    /* Each cluster but one surely 0 or 1: (3 x 1/152 + 2 x 151/152) / 5. */
    assert_near(alone.score, (3.0 / 152.0 + 2.0 * 151.0 / 152.0) / 5.0, 1e-14);
    assert_true(alone.topics == 5.0 && alone.topics_low == 5.0 && alone.topics_high == 5.0);
    assert_near(alone.log_evidence, 5.0 * -log(151.0), 1e-10);
    assert_near(row.log_evidence, alone.log_evidence - log(30.0), .2);
    assert_int_equal(assay_sensitivity_to_dbscan(vectors, x, m, NULL, &five, 3, &row), ASSAY_OK);
    assert_near(row.log_evidence, alone.log_evidence, 1e-10);
    assay_vectors_free(vectors);
}

/* Enough for k-means to use its threads with 7 clusters; groups, so that it soon ends. */
static void threads_change_no_byte(void **state)
{
    enum { N = 300, D = 500, N_GROUPS = 5 };
    static const int threads[] = { 2, 7 };
    double *e = malloc((size_t)N * D * sizeof *e), x[N], m[N];
    assay_random random;
    assay_sensitivity row, expected;

    (void)state;
    assay_random_start(&random, 9, 1, 0);
    for (size_t k = 0; k < (size_t)N * D; k++)
        e[k] = assay_random_normal(&random) + 3.0 * (double)(k / D % N_GROUPS == k % N_GROUPS);
    assay_vectors *vectors = vectors_of(e, N, D);
    draw_outcomes(&random, N, 0, x, m);
    assert_int_equal(assay_sensitivity_to_kmeans(vectors, x, m, NULL, &uniform, 7, 3, 1, &expected),
                     ASSAY_OK);
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        assert_int_equal(
            assay_sensitivity_to_kmeans(vectors, x, m, NULL, &uniform, 7, 3, threads[k], &row),
            ASSAY_OK);
        assert_memory_equal(&row, &expected, sizeof row);
    }
    assay_vectors_free(vectors);
    free(e);
}

static void check_kmeans(const assay_vectors *vectors, const double *x, const double *m,
                         const double *beta, const assay_prior *prior, size_t s_max, int threads,
                         assay_status expected, const char *sentence)
{
    assay_sensitivity row = { .topics = -7.0 };

    assert_int_equal(
        assay_sensitivity_to_kmeans(vectors, x, m, beta, prior, s_max, 1, threads, &row), expected);
    assert_string_equal(assay_last_error(), sentence);
    assert_true(row.topics == -7.0);
}

static void check_dbscan(const assay_vectors *vectors, const double *x, const double *m,
                         const assay_prior *prior, size_t min_samples, assay_status expected,
                         const char *sentence)
{
    assay_sensitivity row = { .topics = -7.0 };

    assert_int_equal(assay_sensitivity_to_dbscan(vectors, x, m, NULL, prior, min_samples, &row),
                     expected);
    assert_string_equal(assay_last_error(), sentence);
    assert_true(row.topics == -7.0);
}

static void each_fault_has_its_sentence(void **state)
{
    const double e[] = { 1, 0, .8, .6, 0, 1 }, x[] = { 3, 2, 0 }, m[] = { 3, 3, 3 };
    const double none[] = { 0, 0, 0 }, less[] = { 3, 1, 3 }, no_beta[] = { 1, 0 };
    const assay_prior three = { .kind = ASSAY_PRIOR_FIXED, .a = 3.0 };
    const assay_prior two = { .kind = ASSAY_PRIOR_FIXED, .a = 2.0 };
    const assay_prior bad = { .kind = ASSAY_PRIOR_GEOMETRIC, .a = -1.0 };
    assay_vectors *vectors = vectors_of(e, 3, 2), *equal;

    (void)state;
    check_kmeans(vectors, x, none, NULL, &paper, 0, 1, ASSAY_E_SHAPE, "the model has no prompt");
    check_kmeans(vectors, x, less, NULL, &paper, 0, 1, ASSAY_E_VALUE,
                 "prompt 1 has 2 successes of 1 runs, expected 0 <= successes <= runs");
    check_kmeans(vectors, x, m, no_beta, &paper, 0, 1, ASSAY_E_VALUE,
                 "validation: Beta(1, 0), expected numbers above 0");
    check_kmeans(vectors, x, m, NULL, &bad, 0, 1, ASSAY_E_VALUE, "prior geom:-1, expected above 0");
    check_kmeans(vectors, x, m, NULL, &paper, 0, -1, ASSAY_E_VALUE,
                 "k-means: threads is -1, expected 0 or more");
    check_kmeans(vectors, x, m, NULL, &three, 2, 1, ASSAY_E_DEGENERATE,
                 "the prior leaves no number of topics possible that is among the partitions of 3 "
                 "prompts");
    check_dbscan(vectors, x, none, &paper, 1, ASSAY_E_SHAPE, "the model has no prompt");
    check_dbscan(vectors, x, m, &paper, 0, ASSAY_E_VALUE,
                 "DBSCAN: min_samples is 0, expected 1 or more");
    equal = vectors_of((const double[]){ 1, 1, 1 }, 3, 1);
    check_dbscan(equal, x, m, &two, 1, ASSAY_E_DEGENERATE,
                 "the prior leaves no number of topics possible that is among the partitions of 3 "
                 "prompts");
    assay_vectors_free(equal);
    assay_vectors_free(vectors);
}

/* Refused before any of the work: within a second, with sanitizers too. */
static void what_would_take_too_long_is_refused(void **state)
{
    enum { N = ASSAY_DBSCAN_MOST + 1, D = 8 };
    double *e = calloc((size_t)N * D, sizeof *e), *x = calloc(N, sizeof *x);
    double *m = malloc(N * sizeof *m);
    assay_vectors *vectors;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        e[i * D + i % D] = m[i] = 1.0;
        e[i * D] += (double)i;
    }
    vectors = vectors_of(e, N, D);
    check_dbscan(vectors, x, m, &paper, 1, ASSAY_E_SHAPE,
                 "DBSCAN of 5001 prompts, expected at most 5000");
    /* 5002 x 8 x S (S + 1) / 2 <= 5e8: S = 157 gives 4.963e8, 158 gives 5.026e8. */
    check_kmeans(vectors, x, m, NULL, &paper, 158, 1, ASSAY_E_SHAPE,
                 "k-means into 1 to 158 clusters of 5001 prompts with 8 dimensions would take too "
                 "long, expected at most 157 clusters");
    check_kmeans(vectors, x, m, NULL, &paper, 0, 1, ASSAY_E_SHAPE,
                 "k-means into 1 to 5001 clusters of 5001 prompts with 8 dimensions would take too "
                 "long, expected at most 157 clusters");
    assay_vectors_free(vectors);
    free(e);
    free(x);
    free(m);
}

typedef struct call {
    const assay_vectors *vectors;
    const double *x, *m;
} call;

static assay_status call_kmeans(void *context)
{
    const call *c = context;
    assay_sensitivity row;

    return assay_sensitivity_to_kmeans(c->vectors, c->x, c->m, NULL, &paper, 3, 1, 1, &row);
}

static assay_status call_dbscan(void *context)
{
    const call *c = context;
    assay_sensitivity row;

    return assay_sensitivity_to_dbscan(c->vectors, c->x, c->m, NULL, &paper, 2, &row);
}

static void every_allocation_may_fail(void **state)
{
    assay_random random;
    double x[8], m[8];

    (void)state;
    assay_random_start(&random, 10, 1, 0);
    draw_outcomes(&random, 8, 0, x, m);
    for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
        assay_vectors *dense = random_vectors(&random, 8, 3, 3), *sparse = sparse_copy(dense);
        call c = { is_sparse ? sparse : dense, x, m };

        m[2] = 0.0; /* so that rows are copied */
        assert_true(fail_every_allocation(call_kmeans, &c) > 12);
        assert_true(fail_every_allocation(call_dbscan, &c) > 12);
        assay_vectors_free(dense);
        assay_vectors_free(sparse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_prompts_are_as_by_hand),
        cmocka_unit_test(a_prior_is_cut_at_s_max_and_scaled),
        cmocka_unit_test(partitions_of_the_same_size_share_its_prior),
        cmocka_unit_test(a_partition_agrees_with_a_direct_sum),
        cmocka_unit_test(dbscan_of_one_sample_is_the_single_linkage_tree),
        cmocka_unit_test(ties_leave_only_the_cuts_at_heights),
        cmocka_unit_test(copies_of_a_subset_are_its_rows),
        cmocka_unit_test(missing_prompts_are_as_if_never_there),
        cmocka_unit_test(clear_topics_are_found),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(each_fault_has_its_sentence),
        cmocka_unit_test(what_would_take_too_long_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
