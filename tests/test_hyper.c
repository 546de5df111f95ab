/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "score/hyper.h"
#include "score_golden.h"

static const double uniform[] = { -1.0986122886681098, -1.0986122886681098, -1.0986122886681098 };

/* V3's tree and outcomes, uniform prior: the slow reference's numbers. */
static void the_third_hand_case_has_the_references_numbers(void **state)
{
    static const double post[] = { 0.13347568599280263, 0.47272672397407445, 0.3937975900331224 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_hyper fit;

    (void)state;
    assert_int_equal(assay_hyper_new(tree, (assay_outcomes){ v3_x, v3_m, NULL }, uniform, &fit),
                     ASSAY_OK);
    for (size_t s = 0; s < 3; s++) assert_near("pi(S|x)", fit.average->post[s], post[s], 1e-11);
    assert_near("E[S]", fit.average->expected_s, 2.2603219040403184, 1e-11);
    assert_near("mean", fit.average->expected_score, 0.5112671910967721, 1e-11);
    assert_near("var A", fit.average->variance[0], 0.08505555108738727, 1e-11);
    assert_near("var B", fit.average->variance[1], 0.01844082483577708, 1e-11);
    assert_near("ln p(x)", fit.average->log_evidence, -5.397556811814702, 1e-11);
    assert_near("E[mu]", fit.expected_mu, 0.49854924384848237, 1e-11);
    assert_near("E[nu]", fit.expected_nu, 17.03143601452124, 1e-9);
    assay_hyper_free(&fit);
    assay_dendrogram_free(tree);
}

/* Forty topics of one prompt with one run, one success in ten: Beta(1, 1) in each would give
   .9 / 3 + .1 * 2 / 3 = .37 at S = n; the learnt distribution keeps to the data. */
static void few_runs_no_longer_pull_to_one_half(void **state)
{
    enum { N = 40 };
    double x[N], m[N], log_prior[N], published;
    assay_dendrogram *tree = random_tree(N, 4);
    assay_posterior *p;
    assay_hyper fit;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        m[i] = 1;
        x[i] = i % 10 == 0;
        log_prior[i] = i + 1 == N ? 0 : -INFINITY;
    }
    assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ x, m, NULL },
                                         (assay_score_prior){ log_prior, 1, 1 }, &p),
                     ASSAY_OK);
    published = p->expected_score;
    assert_near("published", published, 0.9 / 3 + 0.2 / 3, 1e-12);
    assert_int_equal(assay_hyper_new(tree, (assay_outcomes){ x, m, NULL }, log_prior, &fit),
                     ASSAY_OK);
    assert_true(fit.average->expected_score > 0.08 && fit.average->expected_score < 0.16);
    assay_posterior_free(p);
    assay_hyper_free(&fit);
    assay_dendrogram_free(tree);
}

/* The mixtures' means and the readings' order: B is narrower than C, C than A. */
static void readings_agree_in_the_mean_and_differ_in_width(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_hyper fit;
    assay_rate rate;

    (void)state;
    assert_int_equal(assay_hyper_new(tree, (assay_outcomes){ v3_x, v3_m, NULL }, uniform, &fit),
                     ASSAY_OK);
    for (int r = 0; r < 3; r++) {
        assay_mixture mixture;
        assert_int_equal(assay_average_mixture(fit.average, (assay_reading)r, &mixture), ASSAY_OK);
        assert_near("mean", assay_mixture_mean(&mixture), fit.average->expected_score, 1e-12);
        assay_mixture_free(&mixture);
    }
    assert_true(fit.average->variance[1] < fit.average->variance[2]);
    assert_true(fit.average->variance[2] < fit.average->variance[0]);
    rate = assay_average_prompt_rate(fit.average, 2); /* 0 of 3 */
    assert_true(rate.mean < 0.3 && rate.variance > 0);
    double total = 0; /* of the predictive of three runs, and its mean */
    double mean = 0;
    for (int x = 0; x <= 3; x++) {
        double p = exp(assay_average_prompt_log_density(fit.average, 2, x, 3));
        total += p;
        mean += p * x / 3;
    }
    assert_near("sum", total, 1.0, 1e-12);
    assert_near("predictive mean", mean, rate.mean, 1e-12);
    assay_hyper_free(&fit);
    assay_dendrogram_free(tree);
}

/* One tree twice is that tree; two trees weigh as their evidences do. */
static void trees_are_averaged_by_evidence(void **state)
{
    static const size_t other[] = { 1, 2, 3, 0 };
    assay_dendrogram *a = tree_of(v3_children, 3), *b = tree_of(other, 3),
                     *four = random_tree(4, 1);
    const assay_dendrogram *const same[] = { a, a }, *const two[] = { a, b };
    const assay_dendrogram *const unequal[] = { a, four };
    const double log_weight[] = { log(0.75), log(0.25) };
    assay_outcomes outcomes = { v3_x, v3_m, NULL };
    assay_score_prior prior = { uniform, 1, 1 };
    assay_average *average;
    assay_posterior *pa, *pb;
    double w, weight;

    (void)state;
    assert_int_equal(assay_posterior_new(a, outcomes, prior, &pa), ASSAY_OK);
    assert_int_equal(assay_posterior_new(b, outcomes, prior, &pb), ASSAY_OK);
    assert_int_equal(assay_average_trees(same, NULL, 2, outcomes, prior, &average), ASSAY_OK);
    assert_near("ln p(x)", average->log_evidence, pa->log_evidence, 1e-14);
    assert_near("E[S]", average->expected_s, pa->expected_s, 1e-14);
    assert_near("var A", average->variance[0], pa->var_within + pa->var_between, 1e-14);
    assay_average_free(average);
    assert_int_equal(assay_average_trees(two, log_weight, 2, outcomes, prior, &average), ASSAY_OK);
    w = 0.75 * exp(pa->log_evidence);
    weight = w / (w + 0.25 * exp(pb->log_evidence));
    assert_near("weight", average->weight[0], weight, 1e-14);
    assert_near("E[S]", average->expected_s,
                weight * pa->expected_s + (1 - weight) * pb->expected_s, 1e-13);
    assert_near("p(x)", exp(average->log_evidence),
                0.75 * exp(pa->log_evidence) + 0.25 * exp(pb->log_evidence), 1e-15);
    assert_near("least", average->least_s, fmin(pa->expected_s, pb->expected_s), 0);
    assert_near("most", average->most_score, fmax(pa->expected_score, pb->expected_score), 0);
    assay_average_free(average);
    assert_int_equal(assay_average_trees(unequal, NULL, 2, outcomes, prior, &average),
                     ASSAY_E_SHAPE);
    assert_null(average);
    assert_non_null(strstr(assay_last_error(), "trees of 3 and of 4 prompts"));
    assay_posterior_free(pa);
    assay_posterior_free(pb);
    assay_dendrogram_free(a);
    assay_dendrogram_free(b);
    assay_dendrogram_free(four);
}

static void an_impossible_prior_is_refused(void **state)
{
    const double nothing[] = { -INFINITY, -INFINITY, -INFINITY };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_hyper fit;

    (void)state;
    assert_int_equal(assay_hyper_new(tree, (assay_outcomes){ v3_x, v3_m, NULL }, nothing, &fit),
                     ASSAY_E_DEGENERATE);
    assert_null(fit.average);
    assay_dendrogram_free(tree);
}

static assay_status new_and_mixture(void *context)
{
    static const double certain[] = { 0, -INFINITY, -INFINITY };
    static const double x[] = { 3000, 2000, 0 }, m[] = { 3000, 3000, 3000 };
    assay_mixture mixture = { 0 };
    assay_hyper fit;
    assay_status status = assay_hyper_new(context, (assay_outcomes){ x, m, NULL }, certain, &fit);

    if (status == ASSAY_OK)
        status = assay_average_mixture(fit.average, ASSAY_READING_LIKE, &mixture);
    assay_mixture_free(&mixture);
    assay_hyper_free(&fit);
    return status;
}

static void failing_allocations_are_reported(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);

    (void)state;
    assert_true(fail_every_allocation(new_and_mixture, tree) > 171);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_hand_case_has_the_references_numbers),
        cmocka_unit_test(few_runs_no_longer_pull_to_one_half),
        cmocka_unit_test(readings_agree_in_the_mean_and_differ_in_width),
        cmocka_unit_test(trees_are_averaged_by_evidence),
        cmocka_unit_test(an_impossible_prior_is_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("hyper", tests, NULL, NULL);
}
