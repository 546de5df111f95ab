/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/score.h"
#include "failing_memory.h"
#include "score/posterior.h"
#include "score/predict.h"
#include "score/readings.h"
#include "score_golden.h"
#include "stats/log_beta.h"

static assay_posterior *fit(const assay_dendrogram *tree, assay_outcomes outcomes,
                            assay_prior_kind kind)
{
    double *log_prior = malloc(tree->n * sizeof *log_prior);
    assay_posterior *posterior;

    assert_int_equal(assay_prior_log(&(assay_prior){ .kind = kind, .a = 0.5 }, tree->n, log_prior),
                     ASSAY_OK);
    assert_int_equal(
        assay_posterior_new(tree, outcomes, (assay_score_prior){ log_prior, 1, 1 }, &posterior),
        ASSAY_OK);
    free(log_prior);
    return posterior;
}

static void assert_interval(const assay_posterior *posterior, assay_reading reading, double low,
                            double high, double tolerance)
{
    assay_mixture mixture;
    double bounds[2];

    assert_int_equal(assay_reading_mixture(posterior, reading, &mixture), ASSAY_OK);
    assert_int_equal(assay_mixture_interval(&mixture, 0.95, bounds), ASSAY_OK);
    assert_near("low", bounds[0], low, tolerance);
    assert_near("high", bounds[1], high, tolerance);
    assay_mixture_free(&mixture);
}

/* V1: p(x|S=1) = B(3,3), p(x|S=2) = 1/9 up to one factor; the fractions are by hand. */
static void two_prompts_are_as_by_hand(void **state)
{
    static const size_t children[] = { 0, 1 };
    static const double x[] = { 2, 0 }, m[] = { 2, 2 };
    assay_dendrogram *tree = tree_of(children, 2);
    assay_posterior *p = fit(tree, (assay_outcomes){ x, m, NULL }, ASSAY_PRIOR_UNIFORM);

    (void)state;
    assert_near("pi(1)", p->post[0], 3. / 13, 1e-14);
    assert_near("pi(2)", p->post[1], 10. / 13, 1e-14);
    assert_near("ln p(x)", p->log_evidence, log(0.5 * (1. / 30 + 1. / 9)), 1e-14);
    assert_near("E[S]", p->expected_s, 23. / 13, 1e-14);
    assert_near("E[n/S]", p->expected_n_per_s, 16. / 13, 1e-14);
    assert_near("mean", p->expected_score, 0.5, 1e-15);
    assert_near("var A", p->var_within + p->var_between, 31. / 364, 1e-15);
    assert_near("var B", p->variance_b, 0.02266483516483514, 1e-15);
    assert_near("var C", p->variance_c, 0.04349816849816851, 1e-15);
    assert_int_equal(p->map_s, 2);
    assert_int_equal(p->low_s, 1);
    assert_int_equal(p->high_s, 2);
    assert_interval(p, ASSAY_READING_SPREAD, 0.02212814046327355, 0.9778718595367265, 2e-12);
    assert_interval(p, ASSAY_READING_THESE, 0.20828574464491373, 0.7917142553550862, 2e-12);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* V2: one prompt, 1 of 3: Beta(2, 3). All readings are one. */
static void one_prompt_is_one_beta(void **state)
{
    static const double x[] = { 1 }, m[] = { 3 };
    assay_dendrogram *tree = tree_of(NULL, 1);
    assay_posterior *p = fit(tree, (assay_outcomes){ x, m, NULL }, ASSAY_PRIOR_PAPER);

    (void)state;
    assert_near("mean", p->expected_score, 0.4, 1e-15);
    assert_near("var A", p->var_within + p->var_between, 0.04, 1e-15);
    assert_near("var B", p->variance_b, 0.04, 1e-15);
    assert_near("var C", p->variance_c, 0.04, 1e-15);
    assert_near("ln p(x)", p->log_evidence, log(0.25), 1e-14);
    assert_near("Kish", p->kish, 1.0, 1e-15);
    for (int reading = 0; reading < 3; reading++)
        assert_interval(p, (assay_reading)reading, 0.06758598648854298, 0.8058795503167567, 2e-12);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* V3: likelihoods 1/420, 1/56, 1/64; the fractions are by hand. */
static void three_prompts_are_as_by_hand(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_posterior *p = fit(tree, (assay_outcomes){ v3_x, v3_m, NULL }, ASSAY_PRIOR_UNIFORM);
    static const double post[] = { 16. / 241, 120. / 241, 105. / 241 };
    static const double likelihood[] = { 1. / 420, 1. / 56, 1. / 64 };
    static const double mean[] = { 6. / 11, 19. / 40, 8. / 15 };

    (void)state;
    for (size_t s = 0; s < 3; s++) {
        assert_near("pi(S|x)", p->post[s], post[s], 1e-14);
        assert_near("p(x|S)", exp(p->log_likelihood[s]), likelihood[s], 1e-14);
        assert_near("E[score|S]", p->mean[s], mean[s], 1e-15);
    }
    assert_near("mean", p->expected_score, 1339. / 2651, 1e-14);
    assert_near("var A", p->var_within + p->var_between, 1948601. / 21083403, 1e-14);
    assert_near("var B", p->variance_b, 8038661. / 632502090, 1e-15);
    assert_near("var C", p->variance_c, 0.036268547349780356, 1e-14);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* V3 with the paper's prior, from the method's vectors. */
static void three_prompts_with_the_papers_prior(void **state)
{
    static const double present[] = { 0.514998298860597, 0.514998298860597, 0.9607719212313747,
                                      0.44577362237077767, 0.03922807876862484 };
    static const double weight[] = { 0.17166609962019908, 0.17166609962019908, 0.3945529108055879,
                                     0.22288681118538883, 0.03922807876862484 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_posterior *p = fit(tree, (assay_outcomes){ v3_x, v3_m, NULL }, ASSAY_PRIOR_PAPER);

    (void)state;
    assert_near("ln p(x)", p->log_evidence, -4.309442595818055, 1e-12);
    assert_near("E[S]", p->expected_s, 2.4757702200919716, 1e-12);
    assert_near("E[n/S]", p->expected_n_per_s, 1.301342968722638, 1e-12);
    assert_near("mean", p->expected_score, 0.5078053638922333, 1e-12);
    assert_near("within", p->var_within, 0.02741979032441074, 1e-12);
    assert_near("between", p->var_between, 0.06662692367764148, 1e-12);
    assert_near("var B", p->variance_b, 0.012315737250248426, 1e-12);
    assert_near("var C", p->variance_c, 0.03599891410131961, 1e-12);
    for (size_t c = 0; c < 5; c++) {
        assert_near("V", p->present[c], present[c], 1e-12);
        assert_near("W", p->weight[c], weight[c], 1e-12);
    }
    assert_interval(p, ASSAY_READING_SPREAD, 0.016229717418945775, 0.969345034127051, 2e-12);
    assert_interval(p, ASSAY_READING_THESE, 0.2902126818453161, 0.7209114969052693, 2e-12);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* What each prompt's cluster is in the S-cut, by walking up from the leaf: the oracle's labels. */
static size_t cluster_of(const assay_dendrogram *tree, size_t i, size_t S)
{
    size_t n = tree->n, c = i;

    for (size_t t = 0; t < n - S; t++)
        if (tree->children[2 * t] == c || tree->children[2 * t + 1] == c) c = n + t;
    return c;
}

/* Every S on its own, from the clusters of its cut: nothing of the recursion is used. */
static void every_cut_on_its_own_gives_the_same(void **state)
{
    enum { N = 24 };

    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        double x[N], m[N], likelihood[N], log_prior[N], total = 0, mean = 0, variance_a = 0;
        double means[N], variance_b = 0, variance_c = 0, kish = 0;
        assay_dendrogram *tree = random_tree(N, seed);
        assay_random random;
        assay_posterior *p;

        assay_random_start(&random, seed, ASSAY_PURPOSE_PERMUTATION, 77);
        for (size_t i = 0; i < N; i++) { /* odd seeds: fractional successes */
            m[i] = 1.0 + (double)assay_random_below(&random, 30);
            x[i] = m[i] * assay_random_uniform(&random);
            if (seed % 2 == 0) x[i] = floor(x[i]);
        }
        p = fit(tree, (assay_outcomes){ x, m, NULL }, ASSAY_PRIOR_PAPER);
        assay_prior_log(&(assay_prior){ 0 }, N, log_prior);
        for (size_t S = 1; S <= N; S++) {
            double X[2 * N] = { 0 }, M[2 * N] = { 0 }, size[2 * N] = { 0 };
            double s1 = 0, s2 = 0, v = 0, sizes = 0, k = (double)S;

            likelihood[S - 1] = log_prior[S - 1];
            for (size_t i = 0; i < N; i++) {
                size_t c = cluster_of(tree, i, S);
                X[c] += x[i];
                M[c] += m[i];
                size[c] += 1;
                likelihood[S - 1] += lgamma(m[i] + 1) - lgamma(x[i] + 1) - lgamma(m[i] - x[i] + 1);
            }
            for (size_t c = 0; c < 2 * N; c++) {
                double a = 1 + X[c], b = 1 + M[c] - X[c], mu = a / (a + b);
                if (size[c] == 0) continue;
                likelihood[S - 1] += lgamma(a) + lgamma(b) - lgamma(a + b);
                s1 += mu;
                s2 += mu * mu;
                v += mu * (1 - mu) / (a + b + 1);
                sizes += size[c] * size[c];
            }
            means[S - 1] = s1 / k;
            assert_near("var B|S", p->var_b[S - 1], v / (k * k), 1e-14);
            assert_near("var C|S", p->var_c[S - 1],
                        2 * v / (k * (k + 1)) + (s2 / k - s1 / k * (s1 / k)) / (k + 1), 1e-14);
            variance_a += p->post[S - 1] * (v + s2) / k;
            kish += p->post[S - 1] * N * N / sizes;
            total += exp(likelihood[S - 1]);
        }
        for (size_t s = 0; s < N; s++) mean += exp(likelihood[s]) / total * means[s];
        for (size_t s = 0; s < N; s++) {
            double square = (means[s] - mean) * (means[s] - mean);
            assert_near("pi(S|x)", p->post[s], exp(likelihood[s]) / total, 1e-11);
            assert_near("E[score|S]", p->mean[s], means[s], 1e-13);
            variance_b += p->post[s] * (p->var_b[s] + square);
            variance_c += p->post[s] * (p->var_c[s] + square);
        }
        assert_near("ln p(x)", p->log_evidence, log(total), 1e-10);
        assert_near("mean", p->expected_score, mean, 1e-12);
        assert_near("var A", p->var_within + p->var_between, variance_a - mean * mean, 1e-12);
        assert_near("var B", p->variance_b, variance_b, 1e-13);
        assert_near("var C", p->variance_c, variance_c, 1e-13);
        assert_near("Kish", p->kish, kish, 1e-10);
        assay_posterior_free(p);
        assay_dendrogram_free(tree);
    }
}

/* The weights of the nodes are a distribution, and so are those of a prompt's ancestors. */
static void weights_sum_to_one(void **state)
{
    enum { N = 500 };
    double x[N], m[N];
    assay_dendrogram *tree = random_tree(N, 5);
    assay_posterior *p;
    double total = 0;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        m[i] = 4;
        x[i] = (double)(i * 7 % 5);
    }
    p = fit(tree, (assay_outcomes){ x, m, NULL }, ASSAY_PRIOR_PAPER);
    for (size_t c = 0; c < 2 * N - 1; c++) total += p->weight[c];
    assert_near("sum of W", total, 1.0, 1e-13);
    for (size_t i = 0; i < N; i++) {
        total = 0;
        for (size_t c = i; c != SIZE_MAX; c = p->parent[c]) total += p->present[c];
        assert_near("sum of V", total, 1.0, 1e-13);
    }
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* A masked prompt is the same as one with no runs. */
static void masked_prompts_add_no_data(void **state)
{
    enum { N = 12 };
    double x[N], m[N], x0[N], m0[N];
    unsigned char mask[N];
    assay_dendrogram *tree = random_tree(N, 9);
    assay_posterior *a, *b;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        m[i] = 9;
        x[i] = (double)(i % 10);
        mask[i] = i % 3 != 0;
        x0[i] = mask[i] ? x[i] : 0;
        m0[i] = mask[i] ? m[i] : 0;
    }
    a = fit(tree, (assay_outcomes){ x, m, mask }, ASSAY_PRIOR_BINOMIAL);
    b = fit(tree, (assay_outcomes){ x0, m0, NULL }, ASSAY_PRIOR_BINOMIAL);
    for (size_t s = 0; s < N; s++) assert_true(a->post[s] == b->post[s]);
    assert_true(a->log_evidence == b->log_evidence && a->expected_score == b->expected_score);
    assay_posterior_free(a);
    assay_posterior_free(b);
    assay_dendrogram_free(tree);
}

/* 100,000 prompts of 25 runs in 40 topics of which the tree knows nothing: the sums keep their
   digits when n is large, against sums in another order. */
static void many_prompts_are_stable(void **state)
{
    enum { N = 100000 };
    double *x = malloc(N * sizeof *x), *m = malloc(N * sizeof *m), total = 0, at_one, X = 0;
    assay_dendrogram *tree = random_tree(N, 3);
    assay_posterior *p;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        m[i] = 25;
        x[i] = (double)(i * 7919 % 40) / 40 * 25;
        X += x[i];
    }
    p = fit(tree, (assay_outcomes){ x, m, NULL }, ASSAY_PRIOR_PAPER);
    for (size_t c = 0; c < 2 * N - 1; c++) total += p->weight[c];
    assert_near("sum of W", total, 1.0, 1e-11);
    at_one = assay_log_beta(1 + X, 1 + 25.0 * N - X) +
             assay_log_coefficients((assay_outcomes){ x, m, NULL }, N);
    assert_near("ln p(x|S=1)", p->log_likelihood[0], at_one, 1e-7); /* of a number of 1e6 */
    assert_near("E[score|S=1]", p->mean[0], (1 + X) / (2 + 25.0 * N), 1e-15);
    total = 0;
    for (size_t i = 0; i < N; i++) total += p->v[i];
    assert_near("var B|S=n", p->var_b[N - 1] / (total / N / N), 1.0, 1e-12);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
    free(x);
    free(m);
}

static void an_impossible_prior_is_refused(void **state)
{
    const double nothing[] = { -INFINITY, -INFINITY, -INFINITY };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_posterior *p;

    (void)state;
    assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ v3_x, v3_m, NULL },
                                         (assay_score_prior){ nothing, 1, 1 }, &p),
                     ASSAY_E_DEGENERATE);
    assert_null(p);
    assert_non_null(strstr(assay_last_error(), "no number of topics possible with 3 prompts"));
    assay_dendrogram_free(tree);
}

static assay_status everything(void *context)
{
    const assay_dendrogram *tree = context;
    const double log_prior[] = { 0, 0, 0 };
    assay_outcomes outcomes = { v3_x, v3_m, NULL };
    double bounds[2], curve[3];
    assay_mixture mixture = { 0 };
    assay_hpd set = { 0 };
    assay_posterior *p;
    assay_status status =
        assay_posterior_new(tree, outcomes, (assay_score_prior){ log_prior, 1, 1 }, &p);

    if (status == ASSAY_OK) status = assay_likelihood_curve(tree, outcomes, 1, 1, curve);
    for (int r = 0; r < 3 && status == ASSAY_OK; r++) {
        status = assay_reading_mixture(p, (assay_reading)r, &mixture);
        if (status == ASSAY_OK) status = assay_mixture_interval(&mixture, 0.9, bounds);
        if (status == ASSAY_OK) status = assay_mixture_hpd(&mixture, 0.9, &set);
        free(set.bounds);
        set.bounds = NULL;
        assay_mixture_free(&mixture);
    }
    assay_posterior_free(p);
    return status;
}

static void failing_allocations_are_reported(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);

    (void)state;
    assert_true(fail_every_allocation(everything, tree) > 15);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_prompts_are_as_by_hand),
        cmocka_unit_test(one_prompt_is_one_beta),
        cmocka_unit_test(three_prompts_are_as_by_hand),
        cmocka_unit_test(three_prompts_with_the_papers_prior),
        cmocka_unit_test(every_cut_on_its_own_gives_the_same),
        cmocka_unit_test(weights_sum_to_one),
        cmocka_unit_test(masked_prompts_add_no_data),
        cmocka_unit_test(many_prompts_are_stable),
        cmocka_unit_test(an_impossible_prior_is_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("posterior", tests, NULL, NULL);
}
