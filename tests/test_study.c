/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"
#include "assay/sampling.h"
#include "assay/study.h"
#include "failing_memory.h"
#include "svg_checks.h"
#include "template_fits.h"

enum { N_GRIDS = 2, N_METHODS = 2, I = 6, J = 15, SEEDS = 3 };
static const size_t budgets[] = { 12, 30, I *J };
static const double levels[] = { 0.1, 0.5 };

struct setup {
    double *scores[N_GRIDS];
    assay_grid *grids[N_GRIDS];
    assay_templates_options methods[N_GRIDS * N_METHODS];
    assay_study_options options;
};

static struct setup set_up(void)
{
    struct setup s;

    for (size_t g = 0; g < N_GRIDS; g++) {
        s.scores[g] = random_grid(I, J, 1.0, 7 + g);
        s.grids[g] = grid_of(s.scores[g], I, J);
        for (size_t m = 0; m < N_METHODS; m++) s.methods[g * N_METHODS + m] = defaults();
        s.methods[g * N_METHODS].method = ASSAY_TEMPLATES_AVG;
    }
    assay_study_options_init(&s.options, sizeof s.options);
    s.options.budgets = budgets;
    s.options.n_budgets = 3;
    s.options.levels = levels;
    s.options.n_levels = 2;
    s.options.n_seeds = SEEDS;
    s.options.seed = 5;
    return s;
}

static void tear_down(struct setup *s)
{
    for (size_t g = 0; g < N_GRIDS; g++) {
        assay_grid_free(s->grids[g]);
        free(s->scores[g]);
    }
}

static assay_status run(const struct setup *s, assay_study **study)
{
    return assay_study_run((const assay_grid *const *)s->grids, N_GRIDS, s->methods, N_METHODS,
                           &s->options, study);
}

/* The same by calling plans, fits and distances one by one. */
static void is_what_its_parts_give(void **state)
{
    struct setup s = set_up();
    assay_study *study;

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    for (size_t g = 0; g < N_GRIDS; g++) {
        double truth[I] = { 0.0 };

        for (size_t k = 0; k < I * J; k++) truth[k / J] += s.scores[g][k] / J;
        for (size_t seed = 0; seed < SEEDS; seed++) {
            assay_plan_options options;
            assay_plan *plan;

            assay_plan_options_init(&options, sizeof options);
            options.seed = 5 + seed;
            assert_int_equal(assay_plan_new(I, J, &options, &plan), ASSAY_OK);
            for (size_t b = 0; b < 3; b++) {
                const size_t *templates, *items;
                size_t n;
                assay_grid *seen;

                assert_int_equal(assay_plan_extend(plan, budgets[b]), ASSAY_OK);
                n = assay_plan_cells(plan, &templates, &items);
                assert_int_equal(assay_grid_take(s.grids[g], n, templates, items, &seen), ASSAY_OK);
                for (size_t m = 0; m < N_METHODS; m++) {
                    assay_templates *fit = fit_grid(seen, &s.methods[m]);
                    const double *scores = assay_templates_scores(fit, &n);
                    double w1, estimate, true_one;

                    assay_scores_w1(scores, truth, I, &w1);
                    assert_near(assay_study_value(study, b, m, ASSAY_STUDY_W1, g, seed), w1, 1e-12);
                    for (size_t l = 0; l < 2; l++) {
                        assay_scores_quantile(scores, I, levels[l], 0, &estimate);
                        assay_scores_quantile(truth, I, levels[l], 0, &true_one);
                        assert_near(
                            assay_study_value(study, b, m, ASSAY_STUDY_QUANTILE + l, g, seed),
                            fabs(estimate - true_one), 1e-12);
                    }
                    assay_templates_free(fit);
                }
                assay_grid_free(seen);
            }
            assay_plan_free(plan);
        }
    }
    assay_study_free(study);
    tear_down(&s);
}

static void summaries_are_means_and_deviations(void **state)
{
    struct setup s = set_up();
    assay_study *study;
    assay_study_summary summary;
    double sum = 0.0, of_grid[N_GRIDS] = { 0.0 }, of_seed[SEEDS] = { 0.0 }, square = 0.0;

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    for (size_t g = 0; g < N_GRIDS; g++) {
        for (size_t seed = 0; seed < SEEDS; seed++) {
            double w1 = assay_study_value(study, 1, 1, 0, g, seed);

            sum += w1;
            of_grid[g] += w1 / SEEDS;
            of_seed[seed] += w1 / N_GRIDS;
        }
    }
    summary = assay_study_summarise(study, 1, 1, 0);
    assert_near(summary.mean, sum / (N_GRIDS * SEEDS), 1e-15);
    assert_near(summary.sd_grids, fabs(of_grid[0] - of_grid[1]) / sqrt(2.0), 1e-15);
    for (size_t seed = 0; seed < SEEDS; seed++)
        square += (of_seed[seed] - summary.mean) * (of_seed[seed] - summary.mean);
    assert_near(summary.sd_seeds, sqrt(square / (SEEDS - 1)), 1e-15);
    assert_near(assay_study_summarise(study, 2, 1, 0).mean, 0.0, 1e-12); /* all cells were run */
    assay_study_free(study);
    tear_down(&s);
}

/* Means over the seeds of one grid, and over grids of one group, from the values one by one. */
static void grids_and_groups_are_summarised(void **state)
{
    static const size_t apart[] = { 1, 0 }, together[] = { 0, 0 }, gap[] = { 1, 1 };
    static const size_t beyond[] = { 0, 2 };
    struct setup s = set_up();
    assay_study *study;
    assay_study_summary one;
    double mean[N_GRIDS] = { 0.0 }, square = 0.0, sd;

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    for (size_t g = 0; g < N_GRIDS; g++)
        for (size_t seed = 0; seed < SEEDS; seed++)
            mean[g] += assay_study_value(study, 0, 1, 2, g, seed) / SEEDS;
    for (size_t seed = 0; seed < SEEDS; seed++)
        square += pow(assay_study_value(study, 0, 1, 2, 1, seed) - mean[1], 2.0);
    one = assay_study_summarise_grid(study, 0, 1, 2, 1);
    assert_near(one.mean, mean[1], 1e-15);
    assert_near(one.sd_seeds, sqrt(square / (SEEDS - 1)), 1e-15);
    assert_true(isnan(one.sd_grids));
    assert_int_equal(assay_study_sd_over_groups(study, 0, 1, 2, apart, &sd), ASSAY_OK);
    assert_near(sd, fabs(mean[0] - mean[1]) / sqrt(2.0), 1e-15);
    assert_int_equal(assay_study_sd_over_groups(study, 0, 1, 2, together, &sd), ASSAY_OK);
    assert_true(isnan(sd));
    assert_int_equal(assay_study_sd_over_groups(study, 0, 1, 2, gap, &sd), ASSAY_OK);
    assert_true(isnan(sd));
    assert_int_equal(assay_study_sd_over_groups(study, 0, 1, 2, beyond, &sd), ASSAY_E_VALUE);
    assay_study_free(study);
    tear_down(&s);
}

static void one_of_each_has_no_deviation(void **state)
{
    struct setup s = set_up();
    assay_study *study;
    assay_study_summary summary;

    (void)state;
    s.options.n_seeds = 1;
    assert_int_equal(
        assay_study_run((const assay_grid *const *)s.grids, 1, s.methods, 1, &s.options, &study),
        ASSAY_OK);
    summary = assay_study_summarise(study, 0, 0, 0);
    assert_true(isnan(summary.sd_seeds) && isnan(summary.sd_grids));
    assay_study_free(study);
    tear_down(&s);
}

static void threads_do_not_matter(void **state)
{
    struct setup s = set_up();
    assay_study *one, *many;

    (void)state;
    s.options.threads = 1;
    assert_int_equal(run(&s, &one), ASSAY_OK);
    s.options.threads = 4;
    assert_int_equal(run(&s, &many), ASSAY_OK);
    for (size_t b = 0; b < 3; b++)
        for (size_t m = 0; m < N_METHODS; m++)
            for (size_t g = 0; g < N_GRIDS; g++)
                for (size_t seed = 0; seed < SEEDS; seed++)
                    assert_true(assay_study_value(one, b, m, 0, g, seed) ==
                                assay_study_value(many, b, m, 0, g, seed));
    assay_study_free(one);
    assay_study_free(many);
    tear_down(&s);
}

static void assert_refused(const struct setup *s, assay_status want)
{
    assay_study *study;

    assert_int_equal(run(s, &study), want);
    assert_null(study);
}

static void what_is_no_study_is_refused(void **state)
{
    static const size_t descending[] = { 20, 10 }, none[] = { 0 }, large[] = { I * J + 1 };
    static const double above[] = { 1.5 };
    struct setup s = set_up();
    assay_study_options good = s.options;
    assay_grid *full = s.grids[0];
    double *holes = random_grid(I, J, 0.7, 3);

    (void)state;
    s.options.budgets = descending, s.options.n_budgets = 2;
    assert_refused(&s, ASSAY_E_VALUE);
    s.options.budgets = none, s.options.n_budgets = 1;
    assert_refused(&s, ASSAY_E_VALUE);
    s.options.budgets = large;
    assert_refused(&s, ASSAY_E_SHAPE);
    s.options = good, s.options.levels = above, s.options.n_levels = 1;
    assert_refused(&s, ASSAY_E_VALUE);
    s.options = good, s.options.n_seeds = 0;
    assert_refused(&s, ASSAY_E_SHAPE);
    s.options = good, s.options.threads = -1;
    assert_refused(&s, ASSAY_E_VALUE);
    s.options = good, s.methods[1].c = -1.0;
    assert_refused(&s, ASSAY_E_VALUE);
    s.methods[1].c = 100.0;
    s.grids[0] = grid_of(holes, I, J);
    assert_refused(&s, ASSAY_E_SHAPE);
    assay_grid_free(s.grids[0]);
    s.grids[0] = full;
    free(holes);
    tear_down(&s);
}

static int stop_at_once(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    return fraction > 0.0;
}

static void can_be_cancelled(void **state)
{
    struct setup s = set_up();

    (void)state;
    s.options.progress.step = stop_at_once;
    s.options.threads = 1;
    assert_refused(&s, ASSAY_E_CANCELLED);
    tear_down(&s);
}

static assay_status run_and_free(void *context)
{
    assay_study *study;
    assay_status status = run(context, &study);

    assay_study_free(study);
    return status;
}

static void memory_may_run_out(void **state)
{
    struct setup s = set_up();

    (void)state;
    s.options.threads = 1;
    s.options.n_seeds = 1;
    s.options.n_budgets = 1;
    assert_true(fail_every_allocation(run_and_free, &s) > 10);
    tear_down(&s);
}

static void figure_is_well_formed(void **state)
{
    static const char *const names[] = { "avg", "<pe>" };
    struct setup s = set_up();
    assay_study *study;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    assay_plot_study(study, names, "a & b", to);
    fclose(to);
    assert_well_formed(text);
    assert_int_equal(count(text, "<circle"), 3 * N_METHODS);
    assert_int_equal(count(text, "fill-opacity=\".15\""), N_METHODS);
    assert_int_equal(count(text, "&lt;pe&gt;"), 1);
    assert_int_equal(count(text, "a &amp; b"), 1);
    free(text);
    assay_study_free(study);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_its_parts_give),
        cmocka_unit_test(summaries_are_means_and_deviations),
        cmocka_unit_test(grids_and_groups_are_summarised),
        cmocka_unit_test(one_of_each_has_no_deviation),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_is_no_study_is_refused),
        cmocka_unit_test(can_be_cancelled),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(figure_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
