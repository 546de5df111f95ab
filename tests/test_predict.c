/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "score/predict.h"
#include "score_golden.h"

enum { N = 30 };

static assay_posterior *random_fit(const assay_dendrogram *tree, size_t leave_out, double *x,
                                   double *m)
{
    unsigned char mask[N];
    double log_prior[N];
    assay_posterior *p;

    for (size_t i = 0; i < N; i++) {
        m[i] = 6;
        x[i] = (double)(i * i % 7);
        mask[i] = i != leave_out;
        log_prior[i] = -log(N);
    }
    assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ x, m, mask },
                                         (assay_score_prior){ log_prior, 1, 1 }, &p),
                     ASSAY_OK);
    return p;
}

/* V3, uniform prior, by hand: prompt 2 (0 of 3) is Beta(1, 4), but Beta(6, 5) when S = 1. */
static void a_prompts_rate_is_as_by_hand(void **state)
{
    const double log_prior[] = { 0, 0, 0 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_posterior *p;
    double psm[9];

    (void)state;
    assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ v3_x, v3_m, NULL },
                                         (assay_score_prior){ log_prior, 1, 1 }, &p),
                     ASSAY_OK);
    assert_near("rate", assay_prompt_rate(p, 2).mean, (225. * 1 / 5 + 16. * 6 / 11) / 241, 1e-14);
    assert_near("hit", assay_hit_at_k(p, 2, 1), assay_prompt_rate(p, 2).mean, 1e-14);
    /* E[(1 - p)^2] of Beta(1, 4) is 4 5 / (5 6); of Beta(6, 5), 5 6 / (11 12) */
    assert_near("hit twice", assay_hit_at_k(p, 2, 2), 1 - (225. * 20 / 30 + 16. * 30 / 132) / 241,
                1e-14);
    assert_int_equal(assay_posterior_similarity(p, tree, psm), ASSAY_OK);
    assert_near("PSM", psm[1], 136. / 241, 1e-14);
    assert_near("PSM", psm[2], 16. / 241, 1e-14);
    assert_near("PSM", psm[5], 16. / 241, 1e-14);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* ln predictive of a held-out prompt = what its data add to the ln evidence; summed over all
   outcomes it is 1, and its mean is the rate. */
static void predictions_are_ratios_of_evidences(void **state)
{
    assay_dendrogram *tree = random_tree(N, 6);
    double x[N], m[N], total = 0, mean = 0, fresh = 0, fresh_mean = 0;
    assay_posterior *without = random_fit(tree, 11, x, m);
    assay_posterior *with = random_fit(tree, SIZE_MAX, x, m);

    (void)state;
    assert_near("ln density", assay_prompt_log_density(without, 11, x[11], m[11]),
                with->log_evidence - without->log_evidence, 1e-11);
    for (int k = 0; k <= 6; k++) {
        double p = exp(assay_prompt_log_density(without, 11, k, 6));
        double q = exp(assay_new_topic_log_density(with, k, 6));
        total += p;
        mean += p * k / 6;
        fresh += q;
        fresh_mean += q * k / 6;
    }
    assert_near("sum", total, 1, 1e-12);
    assert_near("mean", mean, assay_prompt_rate(without, 11).mean, 1e-12);
    assert_near("sum", fresh, 1, 1e-12);
    assert_near("mean", fresh_mean, with->expected_score, 1e-12);
    assay_posterior_free(with);
    assay_posterior_free(without);
    assay_dendrogram_free(tree);
}

/* No success in k runs is one of the outcomes that are predicted. */
static void hit_at_k_is_one_minus_the_chance_of_none(void **state)
{
    assay_dendrogram *tree = random_tree(N, 7);
    double x[N], m[N], before = 0;
    assay_posterior *p = random_fit(tree, SIZE_MAX, x, m);

    (void)state;
    assert_near("at 0", assay_hit_at_k(p, SIZE_MAX, 0), 0, 0);
    assert_near("at 1", assay_hit_at_k(p, SIZE_MAX, 1), p->expected_score, 1e-13);
    for (int k = 1; k <= 64; k *= 2) {
        double hit = assay_hit_at_k(p, SIZE_MAX, k);
        assert_near("new topic", hit, 1 - exp(assay_new_topic_log_density(p, 0, k)), 1e-12);
        assert_near("prompt", assay_hit_at_k(p, 4, k),
                    1 - exp(assay_prompt_log_density(p, 4, 0, k)), 1e-12);
        assert_true(hit > before && hit <= 1);
        before = hit;
    }
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* The chance that two prompts share a cluster, against the sum over cuts by their labels. */
static void similarity_is_the_chance_of_one_cluster(void **state)
{
    assay_dendrogram *tree = random_tree(N, 8);
    double x[N], m[N], psm[N * N], slow[N * N] = { 0 };
    assay_posterior *p = random_fit(tree, SIZE_MAX, x, m);

    (void)state;
    for (size_t S = 1; S <= N; S++) {
        size_t label[N];
        assert_int_equal(assay_dendrogram_labels(tree, S, label), ASSAY_OK);
        for (size_t k = 0; k < N * N; k++)
            if (label[k / N] == label[k % N]) slow[k] += p->post[S - 1];
    }
    assert_int_equal(assay_posterior_similarity(p, tree, psm), ASSAY_OK);
    for (size_t k = 0; k < N * N; k++) {
        assert_near("PSM", psm[k], slow[k], 1e-13);
        assert_true(psm[k] == psm[k % N * N + k / N]);
    }
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

/* A weight of 1e-40 counts where the density has 1e-40 elsewhere: no digits are lost by
   differences of sums. 1,000 runs all failed in a topic that succeeds. */
static void a_great_surprise_keeps_its_density(void **state)
{
    static const size_t children[] = { 0, 1 };
    const double x[] = { 1000, 0 }, m[] = { 1000, 0 }, log_prior[] = { 0, -200 };
    assay_dendrogram *tree = tree_of(children, 2);
    assay_posterior *p;
    double together = -log(2001) - (lgamma(2001) - 2 * lgamma(1001)) + log(1001),
           alone = -log(1001);

    (void)state; /* together: B(1001, 1001) / B(1001, 1); alone, with weight e^-200, 1 / 1001 */
    assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ x, m, NULL },
                                         (assay_score_prior){ log_prior, 1, 1 }, &p),
                     ASSAY_OK);
    assert_near("V", log(p->present[1]), -200, 1e-12);
    assert_true(together < alone - 200);
    assert_near("ln density", assay_prompt_log_density(p, 1, 0, 1000), alone - 200, 1e-10);
    assay_posterior_free(p);
    assay_dendrogram_free(tree);
}

struct similarity {
    assay_posterior *p;
    assay_dendrogram *tree;
};

static assay_status fill(void *context)
{
    struct similarity *of = context;
    double psm[N * N];

    return assay_posterior_similarity(of->p, of->tree, psm);
}

static void failing_allocations_are_reported(void **state)
{
    double x[N], m[N];
    assay_dendrogram *tree = random_tree(N, 8);
    struct similarity of = { random_fit(tree, SIZE_MAX, x, m), tree };

    (void)state;
    assert_int_equal(fail_every_allocation(fill, &of), 3);
    assay_posterior_free(of.p);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompts_rate_is_as_by_hand),
        cmocka_unit_test(predictions_are_ratios_of_evidences),
        cmocka_unit_test(hit_at_k_is_one_minus_the_chance_of_none),
        cmocka_unit_test(similarity_is_the_chance_of_one_cluster),
        cmocka_unit_test(a_great_surprise_keeps_its_density),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
