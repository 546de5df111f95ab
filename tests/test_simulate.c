/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Statistical checks have fixed seeds, and pass within this many standard errors. */
static const double STANDARD_ERRORS = 5.0;

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g is not %.17g", got, want);
}

static assay_simulate_options defaults(void)
{
    assay_simulate_options opt;

    assay_simulate_options_init(&opt, sizeof opt);
    return opt;
}

static assay_simulate_options of_size(size_t n_models, size_t n_items, size_t n_clusters)
{
    assay_simulate_options opt = defaults();

    opt.n_models = n_models;
    opt.n_items = n_items;
    opt.n_clusters = n_clusters;
    return opt;
}

static assay_simulation *simulate(const assay_simulate_options *opt)
{
    assay_simulation *sim = NULL;

    assert_int_equal(assay_simulate(opt, &sim), ASSAY_OK);
    assert_non_null(sim);
    return sim;
}

static assay_simulate_options with_everything(void)
{
    assay_simulate_options opt = of_size(12, 60, 9);

    opt.seed = 42;
    opt.n_dimensions = 3;
    opt.n_templates = 4;
    opt.n_runs = 3;
    opt.missing_rate = 0.15;
    return opt;
}

static void test_probability_is_the_stated_formula(void **state)
{
    assay_simulate_options opt = with_everything();
    assay_simulation *sim = simulate(&opt);

    (void)state;
    for (size_t k = 0; k < opt.n_models * opt.n_items * opt.n_templates; k++) {
        size_t m = k / (opt.n_items * opt.n_templates), i = k / opt.n_templates % opt.n_items;
        size_t t = k % opt.n_templates, c = assay_simulation_item_cluster(sim, i);
        double logit =
            assay_simulation_template_effect(sim, t) + assay_simulation_interaction(sim, m, t);
        for (size_t d = 0; d < opt.n_dimensions; d++)
            logit += assay_simulation_loading(sim, c, d) * assay_simulation_ability(sim, m, d);
        logit -= assay_simulation_difficulty(sim, i);
        double p = assay_simulation_probability(sim, m, i, t);
        assert_true(p > 0.0 && p < 1.0);
        /* Sums of six terms of order 1 in another order: a few roundings. */
        assert_near(p, 1.0 / (1.0 + exp(-logit)), 1e-14);
    }
    assay_simulation_free(sim);
}

static void test_each_cluster_loads_mainly_on_one_dimension(void **state)
{
    assay_simulate_options opt = of_size(2, 60, 9);
    double length = 0.0;

    (void)state;
    opt.n_dimensions = 3;
    opt.cross_loading = 0.2;
    assay_simulation *sim = simulate(&opt);
    assert_near(assay_simulation_loading(sim, 4, 1), sqrt(0.8), 1e-15);
    assert_near(assay_simulation_loading(sim, 4, 0), sqrt(0.1), 1e-15);
    for (size_t d = 0; d < 3; d++) length += pow(assay_simulation_loading(sim, 7, d), 2.0);
    assert_near(length, 1.0, 1e-14);
    assay_simulation_free(sim);
}

static void test_one_template_has_no_effect(void **state)
{
    assay_simulate_options opt = of_size(3, 60, 9);

    (void)state;
    opt.template_sd = opt.template_model_sd = 50.0;
    assay_simulation *sim = simulate(&opt);
    assert_true(assay_simulation_template_effect(sim, 0) == 0.0);
    assert_true(assay_simulation_interaction(sim, 2, 0) == 0.0);
    assay_simulation_free(sim);
}

/* The spread of difficulties about their clusters' means estimates (1 - share) sd^2; a variance
   from df normal draws has the standard error sigma^2 sqrt(2 / df). */
static void test_cluster_share_splits_the_difficulty(void **state)
{
    assay_simulate_options opt = of_size(1, 4000, 50);
    double sum[50] = { 0.0 }, squares = 0.0, df = 3950.0, want = 0.3 * 4.0;

    (void)state;
    opt.difficulty_sd = 2.0;
    opt.cluster_share = 0.7;
    assay_simulation *sim = simulate(&opt);
    for (size_t i = 0; i < opt.n_items; i++)
        sum[assay_simulation_item_cluster(sim, i)] += assay_simulation_difficulty(sim, i);
    for (size_t i = 0; i < opt.n_items; i++) {
        size_t c = assay_simulation_item_cluster(sim, i);
        double mean = sum[c] / (double)assay_simulation_cluster_size(sim, c);
        squares += pow(assay_simulation_difficulty(sim, i) - mean, 2.0);
    }
    assert_near(squares / df, want, STANDARD_ERRORS * want * sqrt(2.0 / df));
    assay_simulation_free(sim);
}

/* Over the observed cells of each model, and the missing cells of all. */
static void test_outcomes_and_holes_come_at_their_rates(void **state)
{
    assay_simulate_options opt = of_size(30, 150, 20);
    double missing = 0.0, cells = 30.0 * 150.0 * 4.0, rate = 0.1;

    (void)state;
    opt.n_templates = 4;
    opt.n_runs = 3;
    opt.missing_rate = rate;
    assay_simulation *sim = simulate(&opt);
    for (size_t m = 0; m < opt.n_models; m++) {
        double excess = 0.0, variance = 0.0;
        for (size_t k = 0; k < opt.n_items * opt.n_templates * opt.n_runs; k++) {
            size_t i = k / (opt.n_templates * opt.n_runs), t = k / opt.n_runs % opt.n_templates;
            size_t run = k % opt.n_runs;
            double p = assay_simulation_probability(sim, m, i, t);
            int outcome = assay_simulation_outcome(sim, m, i, t, run);
            int first = assay_simulation_outcome(sim, m, i, t, 0);
            assert_int_equal(outcome == ASSAY_OUTCOME_MISSING, first == ASSAY_OUTCOME_MISSING);
            missing += run == 0 && outcome == ASSAY_OUTCOME_MISSING;
            if (outcome == ASSAY_OUTCOME_MISSING) continue;
            assert_in_range(outcome, 0, 1);
            excess += outcome - p;
            variance += p * (1.0 - p);
        }
        assert_true(fabs(excess) < STANDARD_ERRORS * sqrt(variance));
    }
    assert_near(missing / cells, rate, STANDARD_ERRORS * sqrt(rate * (1.0 - rate) / cells));
    assay_simulation_free(sim);
}

/* Each outcome that b has and a has too is the same in both, but for the holes. */
static void check_kept(const assay_simulate_options *a, const assay_simulate_options *b)
{
    assay_simulation *before = simulate(a), *after = simulate(b);

    for (size_t k = 0; k < a->n_models * a->n_items * a->n_templates * a->n_runs; k++) {
        size_t m = k / (a->n_items * a->n_templates * a->n_runs), run = k % a->n_runs;
        size_t i = k / (a->n_templates * a->n_runs) % a->n_items;
        size_t t = k / a->n_runs % a->n_templates;
        int was = assay_simulation_outcome(before, m, i, t, run);
        int is = assay_simulation_outcome(after, m, i, t, run);
        if (a->missing_rate != b->missing_rate && is == ASSAY_OUTCOME_MISSING) continue;
        assert_int_equal(was, is);
    }
    assay_simulation_free(before);
    assay_simulation_free(after);
}

static void test_more_models_runs_or_holes_change_nothing_else(void **state)
{
    assay_simulate_options a = with_everything(), b = a;

    (void)state;
    b.n_models += 5;
    check_kept(&a, &b);
    b = a;
    b.n_runs += 2;
    check_kept(&a, &b);
    b = a;
    b.members = ASSAY_MEMBERS_PARAPHRASES;
    check_kept(&a, &b);
    b = a;
    a.missing_rate = 0.0;
    check_kept(&a, &b);
}

static void test_true_scores_are_means_of_probability(void **state)
{
    assay_simulate_options opt = with_everything();
    assay_simulation *sim = simulate(&opt);

    (void)state;
    for (size_t m = 0; m < opt.n_models; m++) {
        double clusters[9] = { 0.0 }, templates[4] = { 0.0 }, all = 0.0, alike = 0.0;
        for (size_t k = 0; k < opt.n_items * opt.n_templates; k++) {
            size_t i = k / opt.n_templates, t = k % opt.n_templates;
            double p = assay_simulation_probability(sim, m, i, t);
            clusters[assay_simulation_item_cluster(sim, i)] += p / 4.0;
            templates[t] += p / 60.0;
            all += p / 240.0;
        }
        /* Sums of at most 240 numbers below 1, each rounded to 1e-16. */
        for (size_t c = 0; c < 9; c++) {
            clusters[c] /= (double)assay_simulation_cluster_size(sim, c);
            alike += clusters[c] / 9.0;
            assert_near(assay_simulation_cluster_score(sim, m, c), clusters[c], 1e-13);
        }
        for (size_t t = 0; t < 4; t++)
            assert_near(assay_simulation_template_score(sim, m, t), templates[t], 1e-13);
        assert_near(assay_simulation_score(sim, m), all, 1e-13);
        assert_near(assay_simulation_score_of_clusters(sim, m), alike, 1e-13);
    }
    assay_simulation_free(sim);
}

static double covariance(const assay_simulation *sim, size_t i, size_t j)
{
    size_t n = assay_simulation_options(sim)->n_models;
    double sum_i = 0.0, sum_j = 0.0, product = 0.0;

    for (size_t m = 0; m < n; m++) {
        double a = assay_simulation_probability(sim, m, i, 0);
        double b = assay_simulation_probability(sim, m, j, 0);
        sum_i += a;
        sum_j += b;
        product += a * b;
    }
    return product - sum_i * sum_j / (double)n;
}

/* From the covariance of items, which the library only forms when there are fewer items. */
static double dimension_by_items(const assay_simulation *sim)
{
    size_t n_items = assay_simulation_options(sim)->n_items;
    double trace = 0.0, squares = 0.0;

    for (size_t i = 0; i < n_items; i++) {
        trace += covariance(sim, i, i);
        for (size_t j = 0; j < n_items; j++) squares += pow(covariance(sim, i, j), 2.0);
    }
    return trace * trace / squares;
}

static void test_dimension_is_the_participation_ratio_of_p(void **state)
{
    const size_t n_models[] = { 20, 90 };
    double found[5] = { 0.0 };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (size_t d = 1; d <= 4; d++) {
            assay_simulate_options opt = of_size(n_models[k], 60, 12);
            opt.n_dimensions = d;
            assay_simulation *sim = simulate(&opt);
            found[d] = assay_simulation_dimension(sim);
            /* The one-pass covariance loses at most a few digits of sixteen. */
            assert_near(found[d], dimension_by_items(sim), 1e-10);
            assay_simulation_free(sim);
        }
        /* One axis, but for the curve of the logistic. */
        assert_true(found[1] >= 1.0 && found[1] < 1.25);
        assert_true(found[4] > found[1] + 0.5);
    }
}

static void test_equal_models_have_no_dimension(void **state)
{
    assay_simulate_options opt = of_size(1, 60, 12);
    assay_simulation *sim = simulate(&opt);

    (void)state;
    assert_true(isnan(assay_simulation_dimension(sim)));
    assay_simulation_free(sim);
    opt.n_models = 7;
    opt.ability_sd = 0.0;
    sim = simulate(&opt);
    assert_true(isnan(assay_simulation_dimension(sim)));
    assay_simulation_free(sim);
}

static void check_count(size_t offset, size_t value, const char *sentence)
{
    assay_simulate_options opt = defaults();
    assay_simulation *sim = (assay_simulation *)&opt; /* must become NULL */

    memcpy((char *)&opt + offset, &value, sizeof value);
    assert_int_equal(assay_simulate(&opt, &sim), ASSAY_E_VALUE);
    assert_null(sim);
    assert_string_equal(assay_last_error(), sentence);
}

static void check_real(size_t offset, double value, const char *sentence)
{
    assay_simulate_options opt = defaults();
    assay_simulation *sim = (assay_simulation *)&opt;

    memcpy((char *)&opt + offset, &value, sizeof value);
    assert_int_equal(assay_simulate(&opt, &sim), ASSAY_E_VALUE);
    assert_null(sim);
    assert_string_equal(assay_last_error(), sentence);
}

#define AT(field) offsetof(assay_simulate_options, field)

static void test_each_bad_option_is_named(void **state)
{
    assay_simulate_options opt = defaults();
    assay_simulation *sim;

    (void)state;
    check_count(AT(struct_size), 3, "simulate: struct_size 3 is not understood");
    check_count(AT(struct_size), 4000, "simulate: struct_size 4000 is not understood");
    check_count(AT(n_items), 0, "simulate: n_items is 0, want 1 to 10000000");
    check_count(AT(n_items), 39, "simulate: n_clusters is 40, want 1 to 39");
    check_count(AT(n_clusters), 0, "simulate: n_clusters is 0, want 1 to 200");
    check_count(AT(n_models), 0, "simulate: n_models is 0, want 1 to 10000000");
    check_count(AT(n_dimensions), 41, "simulate: n_dimensions is 41, want 1 to 40");
    check_count(AT(n_templates), 0, "simulate: n_templates is 0, want 1 to 10000000");
    check_count(AT(n_runs), 10000001, "simulate: n_runs is 10000001, want 1 to 10000000");
    check_real(AT(size_exponent), -1.0, "simulate: size_exponent is -1, want 0 to 100");
    check_real(AT(difficulty_mean), 101.0, "simulate: difficulty_mean is 101, want -100 to 100");
    check_real(AT(difficulty_sd), -0.5, "simulate: difficulty_sd is -0.5, want 0 to 100");
    check_real(AT(cluster_share), 1.5, "simulate: cluster_share is 1.5, want 0 to 1");
    check_real(AT(ability_sd), NAN, "simulate: ability_sd is nan, want 0 to 100");
    check_real(AT(cross_loading), 0.6, "simulate: cross_loading is 0.6, want 0 to 0.5");
    check_real(AT(template_sd), INFINITY, "simulate: template_sd is inf, want 0 to 100");
    check_real(AT(template_model_sd), -1.0, "simulate: template_model_sd is -1, want 0 to 100");
    check_real(AT(missing_rate), 1.0, "simulate: missing_rate is 1, want 0 to below 1");
    opt.members = (assay_members)2;
    assert_int_equal(assay_simulate(&opt, &sim), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "simulate: members is 2, want 0 or 1");
    opt = of_size(1, 4000, 3841);
    assert_int_equal(assay_simulate(&opt, &sim), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "simulate: n_clusters is 3841, want 1 to 3840");
}

static void test_older_options_struct_is_accepted(void **state)
{
    assay_simulate_options old;

    (void)state;
    memset(&old, 0xff, sizeof old);
    assay_simulate_options_init(&old, AT(missing_rate));
    assay_simulation *sim = simulate(&old);
    assert_true(assay_simulation_options(sim)->missing_rate == defaults().missing_rate);
    assay_simulation_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probability_is_the_stated_formula),
        cmocka_unit_test(test_each_cluster_loads_mainly_on_one_dimension),
        cmocka_unit_test(test_one_template_has_no_effect),
        cmocka_unit_test(test_cluster_share_splits_the_difficulty),
        cmocka_unit_test(test_outcomes_and_holes_come_at_their_rates),
        cmocka_unit_test(test_more_models_runs_or_holes_change_nothing_else),
        cmocka_unit_test(test_true_scores_are_means_of_probability),
        cmocka_unit_test(test_dimension_is_the_participation_ratio_of_p),
        cmocka_unit_test(test_equal_models_have_no_dimension),
        cmocka_unit_test(test_each_bad_option_is_named),
        cmocka_unit_test(test_older_options_struct_is_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
