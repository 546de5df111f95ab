/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "score/kappa.h"
#include "score/predict.h"
#include "score_golden.h"

static const double uniform[] = { -1.0986122886681098, -1.0986122886681098, -1.0986122886681098 };

/* V3's tree and outcomes, uniform prior: the slow reference's numbers, by SciPy's lgamma. */
static void the_third_hand_case_has_the_references_numbers(void **state)
{
    static const double post[] = { 0.11073644253533114, 0.4661623170035698, 0.4231012404610993 };
    static const double kappa[] = { 0.11437996579343562, 0.11610226597392212, 0.10937404174315941,
                                    0.1020965506959424,  0.09709101663601619, 0.09419540454463454,
                                    0.09264383647590393, 0.09184153789889785, 0.0912280998211492,
                                    0.09104728041693913 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_kappa *fit;

    (void)state;
    assert_int_equal(assay_kappa_new(tree, (assay_outcomes){ v3_x, v3_m, NULL }, uniform, &fit),
                     ASSAY_OK);
    for (size_t s = 0; s < 3; s++) assert_near("pi(S|x)", fit->post[s], post[s], 1e-10);
    for (size_t g = 0; g < 10; g++) assert_near("P(kappa)", fit->probability[g], kappa[g], 1e-10);
    assert_near("mean", fit->expected_score, 0.5035056988730742, 1e-10);
    assert_near("ln p(x)", fit->log_evidence, -4.332583014362811, 1e-10);
    for (size_t i = 0; i < 3; i++) assert_true(isnan(fit->rate[i]) && isnan(fit->log_density[i]));
    assay_kappa_free(fit);
    assay_dendrogram_free(tree);
}

/* kappa = 1, one run: x = 1 has probability p whatever kappa is, so that the data say nothing of
   kappa and everything is BHM-ESC's. */
static void single_runs_say_nothing_of_kappa(void **state)
{
    static const double x[] = { 1, 0, 1 }, m[] = { 1, 1, 1 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_outcomes outcomes = { x, m, NULL };
    assay_posterior *p;
    assay_kappa *fit;

    (void)state;
    assert_int_equal(assay_kappa_new(tree, outcomes, uniform, &fit), ASSAY_OK);
    assert_int_equal(assay_posterior_new(tree, outcomes, (assay_score_prior){ uniform, 1, 1 }, &p),
                     ASSAY_OK);
    for (size_t g = 0; g < 10; g++) assert_near("P(kappa)", fit->probability[g], 0.1, 1e-10);
    assert_near("mean", fit->expected_score, p->expected_score, 1e-10);
    assert_near("E[S]", fit->expected_s, p->expected_s, 1e-10);
    assert_near("ln p(x)", fit->log_evidence, p->log_evidence, 1e-10);
    assay_posterior_free(p);
    assay_kappa_free(fit);
    assay_dendrogram_free(tree);
}

/* What is predicted of a masked prompt is the ratio of two evidences: with it and without. */
static void a_masked_prompts_density_is_a_ratio_of_evidences(void **state)
{
    enum { N = 9 };
    double x[N], m[N], log_prior[N], mean = 0, total = 0;
    unsigned char mask[N];
    assay_dendrogram *tree = random_tree(N, 2);
    assay_kappa *without, *with;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        m[i] = 4;
        x[i] = (double)(i * 3 % 5);
        log_prior[i] = -log(N);
        mask[i] = i != 5;
    }
    for (int success = 0; success <= 4; success++) {
        x[5] = success;
        assert_int_equal(assay_kappa_new(tree, (assay_outcomes){ x, m, mask }, log_prior, &without),
                         ASSAY_OK);
        assert_int_equal(assay_kappa_new(tree, (assay_outcomes){ x, m, NULL }, log_prior, &with),
                         ASSAY_OK);
        assert_near("ln density", without->log_density[5],
                    with->log_evidence - without->log_evidence, 1e-10);
        total += exp(without->log_density[5]);
        mean += exp(without->log_density[5]) * success / 4;
        if (success == 4) assert_near("rate", without->rate[5], mean, 1e-10);
        assay_kappa_free(with);
        assay_kappa_free(without);
    }
    assert_near("sum", total, 1.0, 1e-10);
    assay_dendrogram_free(tree);
}

static void an_impossible_prior_is_refused(void **state)
{
    const double nothing[] = { -INFINITY, -INFINITY, -INFINITY };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_kappa *fit;

    (void)state;
    assert_int_equal(assay_kappa_new(tree, (assay_outcomes){ v3_x, v3_m, NULL }, nothing, &fit),
                     ASSAY_E_DEGENERATE);
    assert_null(fit);
    assay_dendrogram_free(tree);
}

static assay_status new_one(void *context)
{
    assay_kappa *fit;
    assay_status status =
        assay_kappa_new(context, (assay_outcomes){ v3_x, v3_m, NULL }, uniform, &fit);

    assay_kappa_free(fit);
    return status;
}

static void failing_allocations_are_reported(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);

    (void)state;
    assert_int_equal(fail_every_allocation(new_one, tree), 12);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_hand_case_has_the_references_numbers),
        cmocka_unit_test(single_runs_say_nothing_of_kappa),
        cmocka_unit_test(a_masked_prompts_density_is_a_ratio_of_evidences),
        cmocka_unit_test(an_impossible_prior_is_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("kappa", tests, NULL, NULL);
}
