/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/best_study.h"
#include "assay/best_template.h"
#include "assay/plot.h"
#include "assay/sampling.h"
#include "failing_memory.h"
#include "prompteval_golden.h"
#include "svg_checks.h"
#include "template_fits.h"

enum { N_GRIDS = 2, N_METHODS = 4, I = 7, J = 15, SEEDS = 3 };
static const size_t budgets[] = { 5, 30, I *J };

struct setup {
    double *scores[N_GRIDS];
    assay_grid *grids[N_GRIDS];
    assay_best_method methods[N_GRIDS * N_METHODS];
    assay_best_study_options options;
};

static assay_best_method method(assay_best_rule rule, assay_templates_method estimator)
{
    assay_best_method made = { .rule = rule, .estimator = defaults() };

    made.estimator.method = estimator;
    return made;
}

static struct setup set_up(void)
{
    struct setup s;

    for (size_t g = 0; g < N_GRIDS; g++) {
        s.scores[g] = random_grid(I, J, 2.0, 7 + g);
        s.grids[g] = grid_of(s.scores[g], I, J);
        s.methods[g * N_METHODS] = method(ASSAY_BEST_HALVING, ASSAY_TEMPLATES_PE);
        s.methods[g * N_METHODS + 1] = method(ASSAY_BEST_HALVING, ASSAY_TEMPLATES_LOGREG);
        s.methods[g * N_METHODS + 2] = method(ASSAY_BEST_BALANCED, ASSAY_TEMPLATES_PE);
        s.methods[g * N_METHODS + 3] = method(ASSAY_BEST_BALANCED, ASSAY_TEMPLATES_AVG);
    }
    assay_best_study_options_init(&s.options, sizeof s.options);
    s.options.budgets = budgets;
    s.options.n_budgets = 3;
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

static assay_status run(const struct setup *s, assay_best_study **study)
{
    return assay_best_study_run((const assay_grid *const *)s->grids, N_GRIDS, s->methods, N_METHODS,
                                &s->options, study);
}

/* ---- by hand ---- */

static double true_regret(const double *y, size_t n_templates, size_t n_items, size_t i)
{
    double mine = 0.0, most = 0.0;

    for (size_t k = 0; k < n_templates; k++) {
        double sum = 0.0;

        for (size_t j = 0; j < n_items; j++) sum += y[k * n_items + j] / (double)n_items;
        most = fmax(most, sum);
        if (k == i) mine = sum;
    }
    return most - mine;
}

static double slow_halving(const struct setup *s, size_t g, size_t budget, size_t m, uint64_t seed)
{
    assay_best_template_options options;
    assay_best_template *best;
    double regret;

    assay_best_template_options_init(&options, sizeof options);
    options.seed = seed;
    options.score = s->methods[m].estimator.method;
    assert_int_equal(assay_best_template_study(s->grids[g], budget, &options, &best), ASSAY_OK);
    regret = true_regret(s->scores[g], I, J, assay_best_template_index(best));
    assay_best_template_free(best);
    return regret;
}

static double slow_balanced(const struct setup *s, size_t g, size_t budget, size_t m, uint64_t seed)
{
    assay_plan_options options;
    assay_plan *plan;
    const size_t *templates, *items;
    assay_grid *seen;
    assay_templates *fit;
    double most = -1.0, sum = 0.0, n = 0.0;
    size_t n_cells;

    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    assert_int_equal(assay_plan_new(I, J, &options, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, budget), ASSAY_OK);
    n_cells = assay_plan_cells(plan, &templates, &items);
    assert_int_equal(assay_grid_take(s->grids[g], n_cells, templates, items, &seen), ASSAY_OK);
    fit = fit_grid(seen, &s->methods[m].estimator);
    for (size_t i = 0; i < I; i++)
        if (assay_plan_n_of_template(plan, i) > 0) most = fmax(most, score(fit, i));
    for (size_t i = 0; i < I; i++) {
        if (assay_plan_n_of_template(plan, i) == 0 || fabs(score(fit, i) - most) > 1e-9) continue;
        sum += true_regret(s->scores[g], I, J, i);
        n++;
    }
    assay_templates_free(fit);
    assay_grid_free(seen);
    assay_plan_free(plan);
    return sum / n;
}

static void regrets_are_those_of_single_searches(void **state)
{
    struct setup s = set_up();
    assay_best_study *study;

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    assert_int_equal(assay_best_study_n_grids(study), N_GRIDS);
    assert_int_equal(assay_best_study_n_methods(study), N_METHODS);
    assert_int_equal(assay_best_study_n_seeds(study), SEEDS);
    for (size_t b = 0; b < 3; b++) {
        for (size_t m = 0; m < N_METHODS; m++) {
            double sum = 0.0;

            for (size_t g = 0; g < N_GRIDS; g++) {
                for (size_t k = 0; k < SEEDS; k++) {
                    double got = assay_best_study_value(study, b, m, g, k);
                    double want = m < 2 ? slow_halving(&s, g, budgets[b], m, 5 + k)
                                        : slow_balanced(&s, g, budgets[b], m, 5 + k);

                    assert_near(got, want, 1e-12);
                    sum += got;
                }
            }
            assert_near(assay_best_study_regret(study, b, m).mean, sum / (N_GRIDS * SEEDS), 1e-12);
            if (b == 2 && m >= 2) assert_near(sum, 0.0, 0.0); /* all cells: nothing is missed */
        }
    }
    assay_best_study_free(study);
    assay_best_study_free(NULL);
    tear_down(&s);
}

/* Scores 1, .5, 0: at random .5 is lost, sd sqrt(1/6); the standard deviations of the rest by hand
   too. */
static void summaries_are_as_on_paper(void **state)
{
    const double y[] = { 1, 1, 1, 0, 0, 0 }, same[] = { 1, 0, 1, 0, 1, 0 };
    const size_t one = 6;
    assay_grid *grids[2] = { grid_of(y, 3, 2), grid_of(same, 3, 2) };
    assay_best_method methods[2] = { method(ASSAY_BEST_BALANCED, ASSAY_TEMPLATES_AVG),
                                     method(ASSAY_BEST_BALANCED, ASSAY_TEMPLATES_AVG) };
    assay_best_study_options options;
    assay_best_study *study;
    assay_regret regret;

    (void)state;
    assay_best_study_options_init(&options, sizeof options);
    options.budgets = &one;
    options.n_budgets = 1;
    options.n_seeds = 1;
    assert_int_equal(
        assay_best_study_run((const assay_grid *const *)grids, 1, methods, 1, &options, &study),
        ASSAY_OK);
    regret = assay_best_study_random(study);
    assert_near(regret.mean, 0.5, 1e-15);
    assert_near(regret.sd_seeds, sqrt(1.0 / 6.0), 1e-15);
    assert_true(isnan(regret.sd_grids));
    regret = assay_best_study_regret(study, 0, 0);
    assert_near(regret.mean, 0.0, 0.0);
    assert_true(isnan(regret.sd_seeds) && isnan(regret.sd_grids));
    assay_best_study_free(study);

    options.n_seeds = 2;
    assert_int_equal(
        assay_best_study_run((const assay_grid *const *)grids, 2, methods, 1, &options, &study),
        ASSAY_OK);
    regret = assay_best_study_random(study);
    assert_near(regret.mean, 0.25, 1e-15);
    assert_near(regret.sd_seeds, sqrt(1.0 / 6.0) / 2.0, 1e-15);
    assert_near(regret.sd_grids, 0.5 / sqrt(2.0), 1e-15);
    assay_best_study_free(study);
    assay_grid_free(grids[0]);
    assay_grid_free(grids[1]);
}

static void threads_do_not_matter(void **state)
{
    struct setup s = set_up();
    assay_best_study *study[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        s.options.threads = k ? 3 : 1;
        assert_int_equal(run(&s, &study[k]), ASSAY_OK);
    }
    for (size_t b = 0; b < 3; b++)
        for (size_t m = 0; m < N_METHODS; m++)
            for (size_t g = 0; g < N_GRIDS; g++)
                for (size_t k = 0; k < SEEDS; k++)
                    assert_near(assay_best_study_value(study[0], b, m, g, k),
                                assay_best_study_value(study[1], b, m, g, k), 0.0);
    assay_best_study_free(study[0]);
    assay_best_study_free(study[1]);
    tear_down(&s);
}

static void the_figure_names_its_curves(void **state)
{
    static const char *const names[] = { "pe", "gse", "<plain>", "avg" };
    struct setup s = set_up();
    assay_best_study *study;
    char *svg = NULL;
    size_t size;
    FILE *to = open_memstream(&svg, &size);

    (void)state;
    assert_int_equal(run(&s, &study), ASSAY_OK);
    assay_plot_regret(study, names, "A & B", to);
    fclose(to);
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "A &amp; B"));
    assert_non_null(strstr(svg, "&lt;plain&gt;"));
    assert_non_null(strstr(svg, "at random"));
    assert_null(strstr(svg, "nan"));
    free(svg);
    assay_best_study_free(study);
    tear_down(&s);
}

/* ---- published ---- */

enum { QWEN_I = 40, QWEN_J = 100, MANY = 20 };

/* Mean regret over 20 seeds and n matrices, by PE and by GSE, against another program's over 20
   seeds of its own: four standard errors of the difference, and half a unit of the last digit
   printed. */
static void compare(const assay_grid *const *grids, size_t n, const double want[2][4])
{
    assay_best_method methods[20];
    assay_best_study_options options;
    assay_best_study *study;

    for (size_t k = 0; k < 2 * n; k++) {
        methods[k] =
            method(ASSAY_BEST_HALVING, k % 2 ? ASSAY_TEMPLATES_LOGREG : ASSAY_TEMPLATES_PE);
        methods[k].estimator.faithful = 1;
    }
    assay_best_study_options_init(&options, sizeof options);
    options.seed = 0;
    assert_int_equal(assay_best_study_run(grids, n, methods, 2, &options, &study), ASSAY_OK);
    for (size_t m = 0; m < 2; m++) {
        print_message("%-4s", m ? "GSE" : "PE");
        for (size_t b = 0; b < 4; b++) {
            assay_regret got = assay_best_study_regret(study, b, m);

            print_message("  %.4f (%.3f, sd %.4f)", got.mean, want[m][b], got.sd_seeds);
            assert_near(got.mean, want[m][b], 4.0 * got.sd_seeds * sqrt(2.0 / MANY) + 5e-4);
        }
        print_message("\n");
    }
    assay_best_study_free(study);
}

static void regret_is_as_published_on_qwen(void **state)
{
    static const double sensitive[2][4] = { { .036, .030, .015, .007 },
                                            { .045, .036, .019, .009 } };
    static const double robust[2][4] = { { .039, .024, .016, .003 }, { .040, .033, .022, .009 } };
    double *y = read_table("data/templates/qwen25_mmlu_40x100_x10.csv", 10 * QWEN_I, QWEN_J, 1, 3);
    assay_grid *grids[10];

    (void)state;
    for (size_t k = 0; k < 10; k++) grids[k] = grid_of(y + k * QWEN_I * QWEN_J, QWEN_I, QWEN_J);
    compare((const assay_grid *const *)grids, 6, sensitive);
    compare((const assay_grid *const *)grids + 6, 4, robust);
    for (size_t k = 0; k < 10; k++) assay_grid_free(grids[k]);
    free(y);
}

static void regret_is_as_published_on_mmlu(void **state)
{
    static const double want[2][4] = { { .024, .025, .028, .019 }, { .025, .023, .020, .023 } };
    double *y = golden_matrix();
    assay_grid *grid = grid_of(y, GOLDEN_I, GOLDEN_J);
    const assay_grid *const grids[] = { grid };

    (void)state;
    compare(grids, 1, want);
    assay_grid_free(grid);
    free(y);
}

/* ---- faults ---- */

static void refused(struct setup *s, assay_status status, const char *sentence)
{
    assay_best_study *study;

    assert_int_equal(run(s, &study), status);
    assert_null(study);
    assert_non_null(strstr(assay_last_error(), sentence));
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void faults_are_named(void **state)
{
    static const size_t none[] = { 0, 5 }, falling[] = { 9, 5 }, large[] = { 5, I * J + 1 };
    const double partial[] = { 1, NAN, 0, 1 };
    struct setup s = set_up();
    assay_best_study_options options = s.options;
    assay_grid *kept = s.grids[1], *holes = grid_of(partial, 2, 2);
    assay_best_study *study;

    (void)state;
    s.options.n_budgets = 2;
    s.options.budgets = none;
    refused(&s, ASSAY_E_VALUE, "a budget of 0 after one of 0");
    s.options.budgets = falling;
    refused(&s, ASSAY_E_VALUE, "a budget of 5 after one of 9");
    s.options.budgets = large;
    refused(&s, ASSAY_E_SHAPE, "a budget of 106, but grid 1 has 105 cells");
    s.options = options;
    s.options.n_seeds = 0;
    refused(&s, ASSAY_E_SHAPE, "a study of 3 budgets, 0 seeds");
    s.options = options;
    s.options.threads = -1;
    refused(&s, ASSAY_E_VALUE, "on -1 threads");
    s.options = options;
    s.options.progress.step = stop;
    refused(&s, ASSAY_E_CANCELLED, "cancelled in study");
    s.options = options;
    s.options.struct_size = 1;
    refused(&s, ASSAY_E_VALUE, "struct_size 1 is not understood");
    s.options = options;
    s.methods[0].estimator.method = ASSAY_TEMPLATES_AVG;
    refused(&s, ASSAY_E_VALUE, "there is no dropping by method 0");
    s.methods[0].estimator.method = ASSAY_TEMPLATES_PE;
    s.grids[1] = holes;
    refused(&s, ASSAY_E_SHAPE, "grid 2 lacks 1 of 4 cells");
    s.grids[1] = kept;
    assert_int_equal(assay_best_study_run(NULL, 0, NULL, 0, &options, &study), ASSAY_E_SHAPE);
    assay_grid_free(holes);
    tear_down(&s);
}

static assay_status run_and_free(void *context)
{
    assay_best_study *study;
    assay_status status = run(context, &study);

    assay_best_study_free(study);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    struct setup s = set_up();

    (void)state;
    s.options.n_seeds = 1;
    s.options.n_budgets = 1;
    s.options.threads = 1;
    assert_true(fail_every_allocation(run_and_free, &s) > 40);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regrets_are_those_of_single_searches),
        cmocka_unit_test(summaries_are_as_on_paper),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(the_figure_names_its_curves),
        cmocka_unit_test(regret_is_as_published_on_qwen),
        cmocka_unit_test(regret_is_as_published_on_mmlu),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
