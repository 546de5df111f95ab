/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/simulate_templates.h"
#include "failing_memory.h"
#include "reading.h"

#include <math.h>
#include <sys/stat.h>

/* Statistical checks have fixed seeds, and pass within this many standard errors. */
static const double STANDARD_ERRORS = 5.0;

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

static assay_simulate_templates_options with_seed(uint64_t seed)
{
    assay_simulate_templates_options options;

    assay_simulate_templates_options_init(&options, sizeof options);
    options.seed = seed;
    return options;
}

static assay_template_simulation *simulate(const size_t *counts, size_t n_templates, size_t n_items,
                                           const assay_simulate_templates_options *options)
{
    assay_template_simulation *sim;

    assert_int_equal(assay_simulate_templates(counts, n_templates, n_items, options, &sim),
                     ASSAY_OK);
    return sim;
}

static double score_of_row(const assay_grid *grid, size_t i)
{
    const double *scores;
    size_t n = assay_grid_row(grid, i, NULL, &scores);
    double sum = 0.0;

    assert_int_equal(n, assay_grid_n_items(grid));
    for (size_t j = 0; j < n; j++) sum += scores[j];
    return sum;
}

/* Also none and all of them, and one item. */
static void every_template_scores_as_given(void **state)
{
    const size_t counts[] = { 0, 1, 17, 29, 30 }, one[] = { 1 };

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assay_simulate_templates_options options = with_seed(seed);
        assay_template_simulation *sim;

        options.interaction = (double)(seed % 3) / 2.0;
        sim = simulate(counts, 5, 30, &options);
        assert_true(assay_grid_is_binary(assay_template_simulation_grid(sim)));
        for (size_t i = 0; i < 5; i++)
            assert_true(score_of_row(assay_template_simulation_grid(sim), i) == (double)counts[i]);
        assay_template_simulation_free(sim);
    }
    assay_template_simulation *sim = simulate(one, 1, 1, NULL);
    assert_true(score_of_row(assay_template_simulation_grid(sim), 0) == 1.0);
    assay_template_simulation_free(sim);
    assay_template_simulation_free(NULL);
}

/* Beta(a m, a (1 - m)): mean m, variance m (1 - m) / (1 + a), E p (1 - p) = m (1 - m) a / (1 + a).
   Its fourth moment is at most its variance, which bounds the error of the latter two. */
static void easiness_is_beta(void **state)
{
    enum { J = 20000 };
    const size_t counts[] = { J / 4, J / 2, J / 4 * 3 - J / 10 };
    const double m = (0.25 + 0.5 + 0.65) / 3.0, concentrations[] = { 0.25, 1.0, 2.0 };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_simulate_templates_options options = with_seed(3);
        double a = options.concentration = concentrations[k], sum = 0, squares = 0, noise = 0;
        double variance = m * (1.0 - m) / (1.0 + a);
        assay_template_simulation *sim = simulate(counts, 3, J, &options);
        const double *p = assay_template_simulation_easiness(sim);

        for (size_t j = 0; j < J; j++) {
            assert_true(p[j] >= 1e-6 && p[j] <= 1.0 - 1e-6);
            sum += p[j];
            squares += (p[j] - m) * (p[j] - m);
            noise += p[j] * (1.0 - p[j]);
        }
        assert_near(sum / J, m, STANDARD_ERRORS * sqrt(variance / J));
        assert_near(squares / J, variance, STANDARD_ERRORS * sqrt(variance / J));
        assert_near(noise / J, m * (1.0 - m) * a / (1.0 + a), STANDARD_ERRORS * 0.25 / sqrt(J));
        assay_template_simulation_free(sim);
    }
}

/* With rho = 1 the templates of a group that score alike are alike, and those of others are not. */
static void groups_share_their_residuals(void **state)
{
    enum { I = 40, J = 200 };
    size_t counts[I], n_alike = 0, n_groups[4] = { 0 };
    assay_simulate_templates_options options = with_seed(5);
    assay_template_simulation *sim;
    const assay_grid *grid;
    const size_t *group;

    (void)state;
    for (size_t i = 0; i < I; i++) counts[i] = 90;
    options.interaction = 1.0;
    options.n_groups = 4;
    options.concentration = 5.0;
    sim = simulate(counts, I, J, &options);
    grid = assay_template_simulation_grid(sim);
    group = assay_template_simulation_groups(sim);
    for (size_t i = 0; i < I; i++) {
        const double *a, *b;

        assert_true(group[i] < 4);
        n_groups[group[i]]++;
        assay_grid_row(grid, i, NULL, &a);
        for (size_t k = 0; k < i; k++) {
            assay_grid_row(grid, k, NULL, &b);
            assert_int_equal(memcmp(a, b, J * sizeof *a) == 0, group[i] == group[k]);
            n_alike += group[i] == group[k];
        }
    }
    assert_true(n_alike > 0);
    for (size_t g = 0; g < 4; g++) assert_true(n_groups[g] > 0);
    assay_template_simulation_free(sim);
}

/* Share of items that all templates answer alike, and the variance of the items' means. */
static void moments_of(const assay_grid *grid, double *constant, double *variance)
{
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);
    double mean = 0, squares = 0;

    *constant = 0;
    for (size_t j = 0; j < n_items; j++) {
        double p = 0;

        for (size_t i = 0; i < n_templates; i++) p += assay_grid_score(grid, i, j);
        p /= (double)n_templates;
        mean += p / (double)n_items;
        squares += p * p / (double)n_items;
        *constant += (p == 0.0 || p == 1.0) / (double)n_items;
    }
    *variance = squares - mean * mean;
}

/* A grid that the script behind the published study of this simulator made. */
static assay_grid *read_grid(const char *name)
{
    char path[400];
    assay_results *results;
    assay_read_options options = defaults();
    assay_grid *grid;
    double *y;
    size_t n_templates, n_items;

    snprintf(path, sizeof path, "%s/data/templates/semisynth/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) return NULL;
    options.rows = ASSAY_ROWS_MODELS; /* a template a row */
    results = read_ok(path, &options);
    n_templates = assay_results_n_records(results);
    n_items = assay_results_n_items(results);
    y = malloc(n_templates * n_items * sizeof *y);
    for (size_t i = 0; i < n_templates; i++)
        for (size_t j = 0; j < n_items; j++) assay_results_cell(results, i, j, &y[i * n_items + j]);
    assert_int_equal(assay_grid_from_scores(y, n_templates, n_items, &grid), ASSAY_OK);
    free(y);
    assay_results_free(results);
    return grid;
}

/* A draw of theirs is one of ours: within the spread of 40 of them. */
static void compare_with_script(const char *name, double concentration)
{
    enum { SEEDS = 40 };
    assay_grid *theirs = read_grid(name);
    double want[2], sum[2] = { 0 }, squares[2] = { 0 };
    size_t n_templates, n_items, *counts;

    if (!theirs) skip();
    n_templates = assay_grid_n_templates(theirs);
    n_items = assay_grid_n_items(theirs);
    counts = malloc(n_templates * sizeof *counts);
    for (size_t i = 0; i < n_templates; i++) counts[i] = (size_t)score_of_row(theirs, i);
    moments_of(theirs, &want[0], &want[1]);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assay_simulate_templates_options options = with_seed(seed);
        assay_template_simulation *sim;
        double got[2];

        options.concentration = concentration;
        sim = simulate(counts, n_templates, n_items, &options);
        moments_of(assay_template_simulation_grid(sim), &got[0], &got[1]);
        for (size_t k = 0; k < 2; k++) {
            sum[k] += got[k] / SEEDS;
            squares[k] += got[k] * got[k] / SEEDS;
        }
        assay_template_simulation_free(sim);
    }
    for (size_t k = 0; k < 2; k++) {
        double sd = sqrt(squares[k] - sum[k] * sum[k]);

        assert_true(sd > 0.0 && sd < 0.1);
        assert_near(want[k], sum[k], 3.0 * sd);
    }
    free(counts);
    assay_grid_free(theirs);
}

static void draws_are_as_the_script_makes_them(void **state)
{
    (void)state;
    compare_with_script("MMLU_anatomy_meta_llama_llama_3_70b_instruct_100x135.csv", 0.25);
    compare_with_script("MMLU_high_school_biology_mistralai_mistral_7b_v0_1_100x310.csv", 0.25);
    compare_with_script("BBH_navigate_alpaca-13b_170x100.csv", 1.0);
    compare_with_script("LMentry_rhyming_word_t0pp_245x100.csv", 2.0);
}

static void a_seed_fixes_every_cell(void **state)
{
    enum { I = 6, J = 50 };
    const size_t counts[I] = { 10, 20, 30, 25, 25, 40 };
    assay_simulate_templates_options options = with_seed(9);
    assay_template_simulation *sims[3];
    size_t n_same = 0;

    (void)state;
    sims[0] = simulate(counts, I, J, &options);
    sims[1] = simulate(counts, I, J, &options);
    options.seed = 10;
    sims[2] = simulate(counts, I, J, &options);
    for (size_t i = 0; i < I; i++) {
        const double *y[3];

        for (size_t k = 0; k < 3; k++)
            assay_grid_row(assay_template_simulation_grid(sims[k]), i, NULL, &y[k]);
        assert_memory_equal(y[0], y[1], J * sizeof *y[0]);
        n_same += memcmp(y[0], y[2], J * sizeof *y[0]) == 0;
    }
    assert_int_equal(n_same, 0);
    for (size_t k = 0; k < 3; k++) assay_template_simulation_free(sims[k]);
}

static void expect_fault(size_t count, size_t n_items, double a, double rho, size_t groups,
                         assay_status want, const char *sentence)
{
    assay_simulate_templates_options options = with_seed(1);
    assay_template_simulation *sim;

    options.concentration = a;
    options.interaction = rho;
    options.n_groups = groups;
    assert_int_equal(assay_simulate_templates(&count, 1, n_items, &options, &sim), want);
    assert_null(sim);
    assert_string_equal(assay_last_error(), sentence);
}

static void faults_are_named(void **state)
{
    (void)state;
    expect_fault(0, 0, 1, 0, 1, ASSAY_E_SHAPE,
                 "1 templates x 0 items, expected 1 to 2147483647 of each");
    expect_fault(4, 3, 1, 0, 1, ASSAY_E_VALUE, "template 0 has 4 of 3 items correct");
    expect_fault(1, 3, 0, 0, 1, ASSAY_E_VALUE, "concentration is 0, expected above 0, at most 1e6");
    expect_fault(1, 3, 1, NAN, 1, ASSAY_E_VALUE, "interaction is nan, expected 0 to 1");
    expect_fault(1, 3, 1, 0, 0, ASSAY_E_VALUE, "groups is 0, expected 1 to 2147483647");
}

static assay_accuracies *accuracies_of(const char *text, const char *task, const char *model,
                                       size_t n_items)
{
    assay_accuracies_options options;
    assay_accuracies *accuracies;

    assay_accuracies_options_init(&options, sizeof options);
    options.task = task;
    options.model = model;
    options.n_items = n_items;
    if (assay_accuracies_read(write_text("a.csv", text), &options, &accuracies) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    unlink(written[--n_written]);
    return accuracies;
}

static void accuracies_are_read(void **state)
{
    assay_accuracies *a = accuracies_of("template,n_correct,J\nx,3,10\ny,10,10\n", NULL, NULL, 0);

    (void)state;
    assert_int_equal(assay_accuracies_n_templates(a), 2);
    assert_int_equal(assay_accuracies_n_items(a), 10);
    assert_string_equal(assay_accuracies_template(a, 1), "y");
    assert_true(assay_accuracies_counts(a)[0] == 3 && assay_accuracies_counts(a)[1] == 10);
    assay_accuracies_free(a);
    assay_accuracies_free(NULL);

    /* A long table of several tasks and models. */
    a = accuracies_of("task,model,template,accuracy\nt,m,x,.25\nt,n,x,.5\nu,m,x,1\nt,m,z,0.76\n",
                      "t", "m", 8);
    assert_int_equal(assay_accuracies_n_templates(a), 2);
    assert_true(assay_accuracies_counts(a)[0] == 2 && assay_accuracies_counts(a)[1] == 6);
    assay_accuracies_free(a);

    /* A column for each model. */
    a = accuracies_of("task,template,valid,m,n\nt,1,1,0.5,.07\nt,2,1,0.25,.08\n", NULL, "n", 100);
    assert_true(assay_accuracies_counts(a)[0] == 7 && assay_accuracies_counts(a)[1] == 8);
    assay_accuracies_free(a);
}

static void accuracies_fail(const char *text, const char *model, size_t n_items,
                            const char *sentence)
{
    assay_accuracies_options options;
    assay_accuracies *accuracies;

    assay_accuracies_options_init(&options, sizeof options);
    options.model = model;
    options.n_items = n_items;
    assert_int_equal(assay_accuracies_read(write_text("a.csv", text), &options, &accuracies),
                     ASSAY_E_FORMAT);
    assert_null(accuracies);
    assert_string_equal(assay_last_error(), sentence);
    unlink(written[--n_written]);
}

static void faults_of_accuracies_are_named(void **state)
{
    (void)state;
    accuracies_fail("template,accuracy\nx,.5\n", NULL, 0,
                    "a.csv: no column \"J\", expected one, or to be told how many items");
    accuracies_fail("template,colour\nx,.5\n", NULL, 5,
                    "a.csv: no column \"n_correct\" or \"accuracy\", expected one, or a model");
    accuracies_fail("template,accuracy\nx,.5\n", "m", 5,
                    "a.csv: no column \"model\" or \"m\", expected one of them");
    accuracies_fail("template,model,accuracy\nx,n,.5\n", "m", 5,
                    "a.csv: has no row of that task and model, expected one a template");
    accuracies_fail("template,accuracy\n", NULL, 5, "a.csv: has no row, expected one a template");
    accuracies_fail("template,accuracy\nx,50\n", NULL, 5,
                    "a.csv:2: accuracy \"50\", expected a number from 0 to 1");
    accuracies_fail("template,n_correct\nx,6\n", NULL, 5,
                    "a.csv:2: n_correct \"6\", expected a whole number from 0 to J");
    accuracies_fail("template,n_correct,J\nx,6,7.5\n", NULL, 0,
                    "a.csv:2: J \"7.5\", expected a whole number from 1");
    accuracies_fail("template,n_correct,J\nx,6,7\ny,6,8\n", NULL, 0,
                    "a.csv:3: J is 8, expected 7 as before");
    accuracies_fail("template,accuracy\nx,.5\nx,.5\n", NULL, 5,
                    "a.csv:3: template \"x\" comes twice, expected one row a template");
    accuracies_fail("template,accuracy,task\nx,.5,a\ny,.5,b\n", NULL, 5,
                    "a.csv:3: task \"b\" after task \"a\", expected to be told which");
}

static void files_say_what_was_drawn(void **state)
{
    assay_accuracies *a =
        accuracies_of("template,n_correct,J\n\"a, \"\"b\"\"\",3,3\ny,0,3\n", NULL, NULL, 0);
    assay_template_simulation *sim = simulate(assay_accuracies_counts(a), 2, 3, NULL), *other;
    const size_t one[] = { 1 };
    char text[100] = "";
    FILE *from;

    (void)state;
    assert_int_equal(assay_template_simulation_write(sim, a, "grid"), ASSAY_OK);
    from = fopen("grid/grid.csv", "r");
    assert_non_null(from);
    assert_true(fread(text, 1, sizeof text - 1, from) > 0);
    fclose(from);
    assert_string_equal(text, "template,e0,e1,e2\n\"a, \"\"b\"\"\",1,1,1\ny,0,0,0\n");
    assert_int_equal(unlink("grid/grid.csv"), 0);
    assert_int_equal(unlink("grid/truth.json"), 0);
    assert_int_equal(rmdir("grid"), 0);
    assert_int_equal(assay_template_simulation_write(sim, a, "no/where"), ASSAY_E_WRITE);
    other = simulate(one, 1, 3, NULL);
    assert_int_equal(assay_template_simulation_write(other, a, "grid"), ASSAY_E_SHAPE);
    assay_template_simulation_free(other);
    assay_template_simulation_free(sim);
    assay_accuracies_free(a);
}

static assay_status read_and_simulate(void *context)
{
    assay_accuracies *a = NULL;
    assay_template_simulation *sim = NULL;
    assay_status status = assay_accuracies_read(context, NULL, &a);

    if (status == ASSAY_OK)
        status = assay_simulate_templates(assay_accuracies_counts(a), 2, 9, NULL, &sim);
    if (status == ASSAY_OK) status = assay_template_simulation_write(sim, a, "grid");
    assay_template_simulation_free(sim);
    assay_accuracies_free(a);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[] = "all.csv";

    (void)state;
    write_text(path, "task,model,template,n_correct,J\nt,m,x,3,9\nt,m,y,4,9\n");
    assert_true(fail_every_allocation(read_and_simulate, path) >= 10);
    unlink("grid/grid.csv");
    unlink("grid/truth.json");
    assert_int_equal(rmdir("grid"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_template_scores_as_given),
        cmocka_unit_test(easiness_is_beta),
        cmocka_unit_test(groups_share_their_residuals),
        cmocka_unit_test(draws_are_as_the_script_makes_them),
        cmocka_unit_test(a_seed_fixes_every_cell),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test_teardown(accuracies_are_read, empty_folder),
        cmocka_unit_test_teardown(faults_of_accuracies_are_named, empty_folder),
        cmocka_unit_test_teardown(files_say_what_was_drawn, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
