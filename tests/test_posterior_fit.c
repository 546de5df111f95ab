/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/score.h"
#include "failing_memory.h"
#include "score/posterior.h"
#include "score_golden.h"

static assay_score_options defaults(void)
{
    assay_score_options options;

    assay_score_options_init(&options, sizeof options);
    return options;
}

static assay_score *fit_of(const assay_dendrogram *tree, size_t n_models, const double *x,
                           const double *m, const assay_score_options *options)
{
    assay_score *fit;

    if (assay_score_fit(tree, n_models, x, m, options, &fit) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return fit;
}

/* V3 with the paper's prior through the public door. */
static void the_third_hand_case_has_its_numbers(void **state)
{
    static const struct {
        assay_score_number number;
        double want;
    } cases[] = {
        { ASSAY_SCORE_PROMPTS, 3 },
        { ASSAY_SCORE_RUNS, 9 },
        { ASSAY_SCORE_RAW, 5. / 9 },
        { ASSAY_SCORE_CORRECTED, 0.5078053638922333 },
        { ASSAY_SCORE_SPREAD_LOW, 0.016229717418945775 },
        { ASSAY_SCORE_SPREAD_HIGH, 0.969345034127051 },
        { ASSAY_SCORE_THESE_LOW, 0.2902126818453161 },
        { ASSAY_SCORE_THESE_HIGH, 0.7209114969052693 },
        { ASSAY_SCORE_SPREAD_SD, 0.3066703670100067 },
        { ASSAY_SCORE_THESE_SD, 0.11097629138806372 },
        { ASSAY_SCORE_LIKE_SD, 0.18973379799424142 },
        { ASSAY_SCORE_TOPICS, 2.4757702200919716 },
        { ASSAY_SCORE_TOPICS_MAP, 3 },
        { ASSAY_SCORE_TOPICS_LOW, 1 },
        { ASSAY_SCORE_TOPICS_HIGH, 3 },
        { ASSAY_SCORE_OVERCOUNT, 3 / 2.4757702200919716 },
        { ASSAY_SCORE_MEAN_OVERCOUNT, 1.301342968722638 },
        { ASSAY_SCORE_REDUCTION, 100 * (1 - 2.4757702200919716 / 3) },
        { ASSAY_SCORE_LOG_EVIDENCE, -4.309442595818055 },
        { ASSAY_SCORE_RUNS_PER_TOPIC, 9 / 2.4757702200919716 },
    };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_score *fit = fit_of(tree, 1, v3_x, v3_m, NULL);
    size_t n;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_near("number", assay_score_value(fit, 0, cases[k].number), cases[k].want, 1e-11);
        assert_null(assay_score_reason(fit, 0, cases[k].number));
    }
    /* Two runs a topic: the hyperprior is shown unasked; kappa is not. */
    assert_true(assay_score_value(fit, 0, ASSAY_SCORE_HYPER_CORRECTED) > 0);
    assert_true(isnan(assay_score_value(fit, 0, ASSAY_SCORE_KAPPA)));
    assert_string_equal(assay_score_reason(fit, 0, ASSAY_SCORE_KAPPA), "was not asked for");
    /* MAP is S = 3, each prompt alone. */
    assert_true(isnan(assay_score_value(fit, 0, ASSAY_SCORE_ICC)));
    assert_non_null(assay_score_reason(fit, 0, ASSAY_SCORE_ICC));
    assert_true(isnan(assay_score_value(fit, 0, ASSAY_SCORE_N_NUMBERS)));
    assert_int_equal(assay_score_n_models(fit), 1);
    assert_near("pi(3|x)", assay_score_topics(fit, 0, &n)[2], 0.5149982988605971, 1e-12);
    assert_int_equal(n, 3);
    assert_near("ln pi(3)", assay_score_topics_log_prior(fit, 0, &n)[2], -0.8141511939655467,
                1e-12);
    assert_near("joint", assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS), 2.4757702200919716,
                1e-11);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
}

/* V3_paired: the joint posterior of two models, and the difference of their scores given S. */
static void two_models_share_their_topics(void **state)
{
    static const double x[] = { 3, 2, 0, 1, 1, 0 }, m[] = { 3, 3, 3, 3, 3, 3 };
    static const double post[] = { 0.08672926144613302, 0.5575452521537122, 0.3557254864001547 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_score_options options = defaults();
    assay_posterior *p[2];
    assay_score *fit;
    const double flat[] = { 0, 0, 0 };
    double delta = 0, variance = 0, above = 0;
    size_t n;

    (void)state;
    options.prior.kind = ASSAY_PRIOR_UNIFORM;
    fit = fit_of(tree, 2, x, m, &options);
    for (size_t s = 0; s < 3; s++)
        assert_near("pi(S|all)", assay_score_topics(fit, SIZE_MAX, &n)[s], post[s], 1e-13);
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(assay_posterior_new(tree, (assay_outcomes){ x + 3 * k, m, NULL },
                                             (assay_score_prior){ flat, 1, 1 }, &p[k]),
                         ASSAY_OK);
    for (size_t s = 0; s < 3; s++) delta += post[s] * (p[0]->mean[s] - p[1]->mean[s]);
    for (size_t s = 0; s < 3; s++) {
        double mean = p[0]->mean[s] - p[1]->mean[s], v = p[0]->var_b[s] + p[1]->var_b[s];
        variance += post[s] * (v + (mean - delta) * (mean - delta));
        above += post[s] * 0.5 * erfc(-mean / sqrt(2 * v));
    }
    assert_near("difference", delta, 0.19933826699870638, 1e-13);
    assert_near("its variance", variance, 0.02564356116760677, 1e-13);
    assert_near("P(A > B)", above, 0.8953776100638025, 1e-12);
    assert_near("least", assay_score_joint(fit, ASSAY_SCORE_JOINT_LEAST),
                fmin(p[0]->expected_s, p[1]->expected_s), 1e-12);
    assert_near("most", assay_score_joint(fit, ASSAY_SCORE_JOINT_MOST),
                fmax(p[0]->expected_s, p[1]->expected_s), 1e-12);
    assert_near("map", assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_MAP), 2, 0);
    assert_near("low", assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_LOW), 1, 0);
    assert_near("high", assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_HIGH), 3, 0);
    for (size_t k = 0; k < 2; k++) assay_posterior_free(p[k]);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
}

enum { N = 60 };

/* Topics of ten prompts, every rate different; model 1 lacks every third prompt. */
static void simulate(double *x, double *m)
{
    for (size_t i = 0; i < 2 * N; i++) {
        m[i] = 20;
        x[i] = (double)((i % N) / 10 * 4);
        if (i >= N && i % 3 == 0) m[i] = i % 2 ? 0 : NAN;
        if (i >= N && i % 3 == 0) x[i] = NAN;
    }
}

/* Neighbours join: 0-1, 2-3, ... then tens, then everything. */
static assay_dendrogram *neighbours(void)
{
    size_t children[2 * N], open[N], n_open = N, t = 0;

    for (size_t i = 0; i < N; i++) open[i] = i;
    for (size_t topic = 0; topic < 6; topic++) {
        for (size_t i = 1; i < 10; i++, t++) {
            children[2 * t] = open[10 * topic];
            children[2 * t + 1] = 10 * topic + i;
            open[10 * topic] = N + t;
        }
    }
    for (size_t topic = 1; topic < 6; topic++, t++, n_open--) {
        children[2 * t] = open[0];
        children[2 * t + 1] = open[10 * topic];
        open[0] = N + t;
    }
    return tree_of(children, N);
}

static void a_model_without_some_prompts_is_that_model_on_the_rest(void **state)
{
    double x[2 * N], m[2 * N], rest_x[N], rest_m[N];
    unsigned char keep[N];
    assay_dendrogram *tree = neighbours(), *pruned;
    assay_score *fit, *rest;
    const size_t *prompts;
    size_t n = 0, n_prompts;

    (void)state;
    simulate(x, m);
    for (size_t i = 0; i < N; i++) {
        keep[i] = (i + N) % 3 != 0;
        if (!keep[i]) continue;
        rest_x[n] = x[N + i];
        rest_m[n++] = m[N + i];
    }
    assert_int_equal(assay_dendrogram_prune(tree, keep, NULL, &pruned), ASSAY_OK);
    fit = fit_of(tree, 2, x, m, NULL);
    rest = fit_of(pruned, 1, rest_x, rest_m, NULL);
    for (int k = 0; k < ASSAY_SCORE_N_NUMBERS; k++) {
        double got = assay_score_value(fit, 1, (assay_score_number)k);
        double alone = assay_score_value(rest, 0, (assay_score_number)k);
        assert_true(got == alone || (isnan(got) && isnan(alone)));
    }
    prompts = assay_score_prompts(fit, 1, &n_prompts);
    assert_int_equal(n_prompts, n);
    assert_int_equal(prompts[0], 1);
    assert_true(isnan(assay_score_prompt_mean(fit, 1, 0)));
    assert_true(isnan(assay_score_prompt_hit(fit, 1, 3, 2)));
    assert_true(assay_score_prompt_mean(fit, 1, 1) == assay_score_prompt_mean(rest, 0, 0));
    assert_true(assay_score_prompt_sd(fit, 1, 59) == assay_score_prompt_sd(rest, 0, n - 1));
    assert_near("topics", assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS), 6, 1.0);
    assay_score_free(fit);
    /* Where that model is the only one, prompts that it lacks count nowhere. */
    fit = fit_of(tree, 1, x + N, m + N, NULL);
    assay_score_topics(fit, SIZE_MAX, &n_prompts);
    assert_int_equal(n_prompts, n);
    for (int k = 0; k < ASSAY_SCORE_JOINT_N_NUMBERS; k++)
        assert_near("joint", assay_score_joint(fit, (assay_score_joint_number)k),
                    assay_score_joint(rest, (assay_score_joint_number)k), 1e-12);
    assay_score_free(fit);
    assay_score_free(rest);
    assay_dendrogram_free(pruned);
    assay_dendrogram_free(tree);
}

/* Equal rates within topics and many runs: the tree's six topics are found; every score is its
   topic's, so that ICC is 1 and the sizes of the responses and of Kish are near six. */
static void six_topics_are_worth_six_prompts(void **state)
{
    double x[2 * N], m[2 * N], similarity[N * N];
    assay_dendrogram *tree = neighbours();
    assay_score *fit;

    (void)state;
    simulate(x, m);
    fit = fit_of(tree, 1, x, m, NULL);
    assert_near("map", assay_score_value(fit, 0, ASSAY_SCORE_TOPICS_MAP), 6, 0);
    assert_near("ICC", assay_score_value(fit, 0, ASSAY_SCORE_ICC), 1, 1e-12);
    assert_near("from responses", assay_score_value(fit, 0, ASSAY_SCORE_RESPONSE_SIZE), 6, 1e-10);
    assert_near("Kish", assay_score_value(fit, 0, ASSAY_SCORE_KISH), 6, 0.5);
    assert_true(assay_score_value(fit, 0, ASSAY_SCORE_RUNS_PER_TOPIC) > 20);
    assert_true(isnan(assay_score_value(fit, 0, ASSAY_SCORE_HYPER_CORRECTED)));
    assert_non_null(strstr(assay_score_reason(fit, 0, ASSAY_SCORE_HYPER_MU), "20 runs a topic"));
    assert_int_equal(assay_score_similarity(fit, 0, similarity), ASSAY_OK);
    assert_true(similarity[1] > 0.9 && similarity[N + 15] < 0.1);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
}

/* ICC by hand: topics (1, .6 | .2, .2): between = .64 / 1, within = .08 / 2, m0 = 2. */
static void the_icc_is_that_of_the_analysis_of_variance(void **state)
{
    static const size_t children[] = { 0, 1, 2, 3, 4, 5 };
    static const double x[] = { 10, 6, 2, 2 }, m[] = { 10, 10, 10, 10 };
    assay_dendrogram *tree = tree_of(children, 4);
    assay_score_options options = defaults();
    assay_score *fit;

    (void)state;
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 2 };
    fit = fit_of(tree, 1, x, m, &options);
    assert_near("between", 2 * (0.8 - 0.5) * (0.8 - 0.5) + 2 * 0.09, 0.36, 1e-12);
    assert_near("ICC", assay_score_value(fit, 0, ASSAY_SCORE_ICC), (0.36 - 0.04) / (0.36 + 0.04),
                1e-12);
    assert_near("size", assay_score_value(fit, 0, ASSAY_SCORE_RESPONSE_SIZE), 4 / 1.8, 1e-12);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
}

static void every_extension_fills_its_numbers(void **state)
{
    double x[2 * N], m[2 * N];
    assay_dendrogram *tree = neighbours(), *other = random_tree(N, 1);
    const assay_dendrogram *trees[] = { tree, other };
    assay_score_options options = defaults();
    assay_score *fit;

    (void)state;
    simulate(x, m);
    options.hyper = options.kappa = options.partitions = 1;
    options.trees = trees;
    options.n_trees = 2;
    fit = fit_of(tree, 2, x, m, &options);
    for (size_t model = 0; model < 2; model++) {
        for (int k = 0; k < ASSAY_SCORE_N_NUMBERS; k++)
            if (isnan(assay_score_value(fit, model, (assay_score_number)k)))
                fail_msg("number %d is NaN: %s", k,
                         assay_score_reason(fit, model, (assay_score_number)k));
        /* The random tree has no evidence: the average is the tree that has. */
        assert_near("trees", assay_score_value(fit, model, ASSAY_SCORE_TREES_CORRECTED),
                    assay_score_value(fit, model, ASSAY_SCORE_CORRECTED), 1e-9);
        assert_true(assay_score_value(fit, model, ASSAY_SCORE_TREES_TOPICS_MOST) >
                    assay_score_value(fit, model, ASSAY_SCORE_TREES_TOPICS_LEAST) + 5);
        assert_near("kappa's score", assay_score_value(fit, model, ASSAY_SCORE_KAPPA_CORRECTED),
                    assay_score_value(fit, model, ASSAY_SCORE_CORRECTED), 0.02);
    }
    assay_score_free(fit);
    assay_dendrogram_free(tree);
    assay_dendrogram_free(other);
}

static void readings_can_be_asked_for_their_shape(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_score *fit = fit_of(tree, 1, v3_x, v3_m, NULL);
    double bounds[4][2];
    size_t n;

    (void)state;
    for (int r = 0; r < 3; r++) {
        double low =
            assay_score_value(fit, 0, (assay_score_number)(ASSAY_SCORE_SPREAD_LOW + 2 * r));
        assert_near("cdf", assay_score_cdf(fit, 0, (assay_reading)r, low), 0.025, 1e-11);
        assert_true(assay_score_density(fit, 0, (assay_reading)r, 0.5) > 0);
    }
    assert_near("cdf", assay_score_cdf(fit, 0, ASSAY_READING_SPREAD, 0.25), 0.2801750602241734,
                1e-12);
    assert_int_equal(assay_score_hpd(fit, 0, ASSAY_READING_SPREAD, 0.95, bounds, 4, &n), ASSAY_OK);
    assert_int_equal(n, 2);
    assert_int_equal(assay_score_hpd(fit, 0, ASSAY_READING_SPREAD, 0.95, bounds, 1, &n),
                     ASSAY_E_VALUE);
    assert_int_equal(n, 2);
    assert_int_equal(assay_score_hpd(fit, 0, ASSAY_READING_SPREAD, 1, bounds, 4, &n),
                     ASSAY_E_VALUE);
    assert_int_equal(assay_score_hpd(fit, 0, (assay_reading)3, 0.9, bounds, 4, &n), ASSAY_E_VALUE);
    assert_true(isnan(assay_score_cdf(fit, 0, (assay_reading)3, 0.5)));
    assert_true(isnan(assay_score_density(fit, 0, (assay_reading)3, 0.5)));
    assert_near("hit", assay_score_hit(fit, 0, 1), 0.5078053638922333, 1e-12);
    assert_near("densities", exp(assay_score_new_topic_log_density(fit, 0, 0, 1)),
                1 - 0.5078053638922333, 1e-12);
    assert_near("densities", exp(assay_score_prompt_log_density(fit, 0, 2, 1, 1)),
                assay_score_prompt_mean(fit, 0, 2), 1e-12);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    assert_string_equal(stage, "score");
    assert_near("fraction", fraction, 0, 0);
    return 1;
}

static void refused(const assay_dendrogram *tree, size_t n_models, const double *x, const double *m,
                    const assay_score_options *options, assay_status status, const char *sentence)
{
    assay_score *fit;

    assert_int_equal(assay_score_fit(tree, n_models, x, m, options, &fit), status);
    assert_null(fit);
    if (!strstr(assay_last_error(), sentence))
        fail_msg("'%s' lacks '%s'", assay_last_error(), sentence);
}

static void what_cannot_be_scored_is_refused(void **state)
{
    static const double none[] = { NAN, NAN, NAN }, much[] = { 3, 4.5, 0 }, below[] = { 3, -1, 0 };
    static const double few[] = { 3, -3, 3 };
    assay_dendrogram *tree = tree_of(v3_children, 3), *four = random_tree(4, 1);
    const assay_dendrogram *trees[] = { tree, four };
    assay_score_options options;

    (void)state;
    refused(tree, 0, v3_x, v3_m, NULL, ASSAY_E_SHAPE, "there is no model");
    refused(tree, 1, none, v3_m, NULL, ASSAY_E_SHAPE, "a model has no prompt");
    refused(tree, 1, much, v3_m, NULL, ASSAY_E_VALUE,
            "model 0 has 4.5 of 3 on prompt 1; expected scores from 0 to 1, they range from 0 to "
            "1.5");
    refused(tree, 1, below, v3_m, NULL, ASSAY_E_VALUE, "they range from -0.333333 to 1");
    refused(tree, 1, v3_x, few, NULL, ASSAY_E_VALUE, "-3 runs of prompt 1, model 0");
    options = defaults();
    options.level = 1;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_VALUE, "level is 1");
    assert_int_equal(assay_score_options_check(&options), ASSAY_E_VALUE);
    options = defaults();
    options.b = 0;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_VALUE, "Beta(1, 0)");
    options = defaults();
    options.hyper = 2;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_VALUE, "hyper is 2");
    options = defaults();
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_BINOMIAL, .a = 2 };
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_VALUE, "prior binom:2");
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 7 };
    assert_int_equal(assay_score_options_check(&options), ASSAY_OK);
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_DEGENERATE, "'fixed' leaves no number");
    options = defaults();
    options.trees = trees;
    options.n_trees = 2;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_SHAPE, "tree 1 is over 4 prompts, expected 3");
    options = defaults();
    options.progress.step = stop;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_CANCELLED, "cancelled");
    options.struct_size = 3;
    refused(tree, 1, v3_x, v3_m, &options, ASSAY_E_VALUE, "struct_size 3");
    assay_dendrogram_free(tree);
    assay_dendrogram_free(four);
}

static assay_status everything(void *context)
{
    static const double x[] = { 3000, 2000, 0, NAN, 1, 1 }, m[] = { 3000, 3000, 3000, 3, 3, 3 };
    const assay_dendrogram *trees[] = { context, context };
    assay_score_options options = defaults();
    double bounds[3][2], similarity[9];
    size_t n;
    assay_score *fit;
    assay_status status;

    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 2 };
    options.hyper = 0;
    options.kappa = options.partitions = 1;
    options.trees = trees;
    options.n_trees = 2;
    status = assay_score_fit(context, 2, x, m, &options, &fit);
    if (status == ASSAY_OK)
        status = assay_score_hpd(fit, 0, ASSAY_READING_LIKE, 0.9, bounds, 3, &n);
    if (status == ASSAY_OK) status = assay_score_similarity(fit, 0, similarity);
    assay_score_free(fit);
    return status;
}

static void failing_allocations_are_reported(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);

    (void)state;
    assert_true(fail_every_allocation(everything, tree) > 100);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_hand_case_has_its_numbers),
        cmocka_unit_test(two_models_share_their_topics),
        cmocka_unit_test(a_model_without_some_prompts_is_that_model_on_the_rest),
        cmocka_unit_test(six_topics_are_worth_six_prompts),
        cmocka_unit_test(the_icc_is_that_of_the_analysis_of_variance),
        cmocka_unit_test(every_extension_fills_its_numbers),
        cmocka_unit_test(readings_can_be_asked_for_their_shape),
        cmocka_unit_test(what_cannot_be_scored_is_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("posterior_fit", tests, NULL, NULL);
}
