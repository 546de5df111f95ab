/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/published.h"
#include "assay/study.h"
#include "failing_memory.h"
#include "reading.h"

#include <math.h>

static const char long_table[] =
    "task,J,model,template,n_correct\nt,5,a,p,3\nt,5,b,p,4\nt,5,a,q,0\n"
    "u,7,a,p,1\nt,5,a,r,5\nu,7,a,q,7\n";
static const char wide_table[] = "task,template,method,valid,a,b\nt,1,cot,1,.5,.26\nt,2,x,0,1,.75\n"
                                 "u,1,x,1,0,.25\n";

static assay_status read_some(const char *text, const char *tasks, const char *models,
                              size_t n_items, assay_published **out)
{
    assay_published_options options;
    assay_status status;

    assay_published_options_init(&options, sizeof options);
    options.tasks = tasks;
    options.models = models;
    options.n_items = n_items;
    status = assay_published_read(write_text("p.csv", text), &options, out);
    empty_folder(NULL);
    return status;
}

static void long_tables_are_split(void **state)
{
    assay_published *p;

    (void)state;
    assert_int_equal(read_some(long_table, NULL, NULL, 0, &p), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 3);
    assert_string_equal(assay_published_task(p, 0), "t");
    assert_string_equal(assay_published_model(p, 1), "b");
    assert_string_equal(assay_published_task(p, 2), "u");
    assert_int_equal(assay_published_n_templates(p, 0), 3);
    assert_string_equal(assay_published_template(p, 0, 2), "r");
    assert_int_equal(assay_published_counts(p, 0)[2], 5);
    assert_int_equal(assay_published_n_items(p, 2), 7);
    assert_int_equal(assay_published_input(p).rows, 6);
    assert_int_equal(strlen(assay_published_input(p).sha256), 64);
    assay_published_free(p);
    assert_int_equal(read_some(long_table, "u", NULL, 0, &p), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 1);
    assert_int_equal(assay_published_place(p, 0), 2);
    assay_published_free(p);
}

/* By hand: .26 of 4 items are 1.04, which is no whole number of them. */
static void wide_tables_have_a_column_a_model(void **state)
{
    assay_published *p;

    (void)state;
    assert_int_equal(read_some(wide_table, NULL, NULL, 4, &p), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 4);
    assert_string_equal(assay_published_model(p, 3), "b");
    assert_int_equal(assay_published_counts(p, 1)[0], 1);
    assert_int_equal(assay_published_counts(p, 1)[1], 3);
    assert_int_equal(assay_published_n_rounded(p), 1);
    assay_published_free(p);
    assert_int_equal(read_some(wide_table, "t", "b", 4, &p), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 1);
    assay_published_free(p);
    assert_int_equal(read_some("template,accuracy\nx,.5\n", NULL, NULL, 4, &p), ASSAY_OK);
    assert_null(assay_published_task(p, 0));
    assert_null(assay_published_model(p, 0));
    assert_int_equal(assay_published_counts(p, 0)[0], 2);
    assay_published_free(p);
}

static void what_is_no_score_is_refused(void **state)
{
    static const struct {
        const char *text, *tasks, *models;
        size_t n_items;
        assay_status want;
        const char *says;
    } cases[] = {
        { "", NULL, NULL, 0, ASSAY_E_FORMAT, "empty" },
        { "task,J,model,n_correct\n", NULL, NULL, 0, ASSAY_E_FORMAT, "template" },
        { "template,accuracy\na,1\n", NULL, NULL, 0, ASSAY_E_FORMAT, "\"J\"" },
        { "template,model,J\na,b,3\n", NULL, NULL, 0, ASSAY_E_FORMAT, "n_correct" },
        { "template,J,n_correct\na,3,4\n", NULL, NULL, 0, ASSAY_E_FORMAT, "0 to J" },
        { "template,J,n_correct\na,3,1.5\n", NULL, NULL, 0, ASSAY_E_FORMAT, "0 to J" },
        { "template,J,n_correct\na,0,0\n", NULL, NULL, 0, ASSAY_E_FORMAT, "from 1" },
        { "template,J,n_correct\na,3,1\nb,4,1\n", NULL, NULL, 0, ASSAY_E_FORMAT, "as before" },
        { "template,J,n_correct\na,3,1\na,3,1\n", NULL, NULL, 0, ASSAY_E_FORMAT, "twice" },
        { "template,J,n_correct\na,3\n", NULL, NULL, 0, ASSAY_E_FORMAT, "expected 3" },
        { "template,J,n_correct\n", NULL, NULL, 0, ASSAY_E_SHAPE, "no row" },
        { "template,m\na,1.5\n", NULL, NULL, 3, ASSAY_E_FORMAT, "0 to 1" },
        { "template,m\na,1\n", NULL, "n", 3, ASSAY_E_FORMAT, "asked for" },
        { long_table, "t,v", NULL, 0, ASSAY_E_SHAPE, "no task \"v\"" },
        { long_table, NULL, "a,c", 0, ASSAY_E_SHAPE, "no model \"c\"" },
        { long_table, "v", NULL, 0, ASSAY_E_SHAPE, "of these tasks" },
    };
    assay_published *p;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(
            read_some(cases[k].text, cases[k].tasks, cases[k].models, cases[k].n_items, &p),
            cases[k].want);
        assert_null(p);
        assert_non_null(strstr(assay_last_error(), cases[k].says));
    }
    assert_int_equal(assay_published_read("nowhere.csv", NULL, &p), ASSAY_E_READ);
}

/* A table's grid is the one of assay_simulate_templates() by its own seed, asked for alone or not. */
static void grids_are_those_of_their_seeds(void **state)
{
    assay_simulate_templates_options options;
    assay_published *p, *alone;
    assay_grids *grids, *one;

    (void)state;
    assay_simulate_templates_options_init(&options, sizeof options);
    options.seed = 40;
    options.concentration = 2.0;
    assert_int_equal(read_some(long_table, NULL, NULL, 0, &p), ASSAY_OK);
    assert_int_equal(read_some(long_table, "u", NULL, 0, &alone), ASSAY_OK);
    assert_int_equal(assay_grids_simulate(p, &options, 2, (assay_progress){ NULL, NULL }, &grids),
                     ASSAY_OK);
    assert_int_equal(assay_grids_simulate(alone, &options, 1, (assay_progress){ NULL, NULL }, &one),
                     ASSAY_OK);
    assert_int_equal(assay_grids_n(grids), 3);
    assert_string_equal(assay_grids_model(grids, 1), "b");
    assert_string_equal(assay_grids_task(grids, 2), "u");
    assert_string_equal(assay_grids_template(grids, 0, 2), "r");
    assert_null(assay_grids_item(grids, 0, 0));
    for (size_t k = 0; k < 3; k++) {
        const assay_grid *grid = assay_grids_grid(grids, k);
        assay_template_simulation *sim;

        options.seed = 40 + k;
        assert_int_equal(assay_simulate_templates(assay_published_counts(p, k),
                                                  assay_published_n_templates(p, k),
                                                  assay_published_n_items(p, k), &options, &sim),
                         ASSAY_OK);
        for (size_t i = 0; i < assay_grid_n_templates(grid); i++) {
            double sum = 0.0;

            for (size_t j = 0; j < assay_grid_n_items(grid); j++) {
                double score = assay_grid_score(grid, i, j);

                assert_true(score == assay_grid_score(assay_template_simulation_grid(sim), i, j));
                if (k == 2) assert_true(score == assay_grid_score(assay_grids_grid(one, 0), i, j));
                sum += score;
            }
            assert_true(sum == (double)assay_published_counts(p, k)[i]);
        }
        assay_template_simulation_free(sim);
    }
    assay_grids_free(grids);
    assay_grids_free(one);
    assay_published_free(p);
    assay_published_free(alone);
}

/* Each of three tables is in a sample of one about equally often: 600 draws, where a share of 1/3 has a
   standard deviation of 11.5; five of them are allowed. */
static void samples_are_fair(void **state)
{
    size_t taken[3] = { 0 };
    assay_published *p;

    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        assert_int_equal(read_some(long_table, NULL, NULL, 0, &p), ASSAY_OK);
        assert_int_equal(assay_published_sample(p, 1, seed), ASSAY_OK);
        assert_int_equal(assay_published_n(p), 1);
        taken[assay_published_place(p, 0)]++;
        assay_published_free(p);
    }
    for (int k = 0; k < 3; k++) assert_true(taken[k] > 142 && taken[k] < 258);
    assert_int_equal(read_some(long_table, NULL, NULL, 0, &p), ASSAY_OK);
    assert_int_equal(assay_published_sample(p, 0, 1), ASSAY_E_SHAPE);
    assert_int_equal(assay_published_sample(p, 9, 1), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 3);
    assert_int_equal(assay_published_sample(p, 2, 1), ASSAY_OK);
    assert_int_equal(assay_published_n(p), 2);
    assert_true(assay_published_place(p, 0) < assay_published_place(p, 1));
    assay_published_free(p);
}

static assay_status read_and_draw(void *context)
{
    assay_published_options options;
    assay_published *p;
    assay_grids *grids = NULL;
    assay_status status;

    assay_published_options_init(&options, sizeof options);
    options.tasks = "t";
    status = assay_published_read(context, &options, &p);
    if (status == ASSAY_OK)
        status = assay_grids_simulate(p, NULL, 1, (assay_progress){ NULL, NULL }, &grids);
    assay_grids_free(grids);
    assay_published_free(p);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(read_and_draw, (void *)write_text("p.csv", long_table)) > 30);
}

/* ---- the paper's own scores, where they are at hand ---- */

static void study_of(const char *name, size_t n_items, double concentration, size_t sample,
                     double w1[2][4])
{
    assay_published_options options;
    assay_simulate_templates_options drawing;
    assay_study_options study_options;
    assay_published *p;
    assay_grids *grids;
    const assay_grid **each;
    assay_templates_options *methods;
    assay_study *study;
    size_t n;

    assay_published_options_init(&options, sizeof options);
    options.n_items = n_items;
    assert_int_equal(assay_published_read(name, &options, &p), ASSAY_OK);
    assert_int_equal(assay_published_n_rounded(p), 0);
    assert_int_equal(assay_published_sample(p, sample, 1), ASSAY_OK);
    assay_simulate_templates_options_init(&drawing, sizeof drawing);
    drawing.concentration = concentration;
    assert_int_equal(assay_grids_simulate(p, &drawing, 0, (assay_progress){ NULL, NULL }, &grids),
                     ASSAY_OK);
    n = assay_grids_n(grids);
    each = calloc(n, sizeof *each);
    methods = calloc(2 * n, sizeof *methods);
    for (size_t k = 0; k < n; k++) {
        each[k] = assay_grids_grid(grids, k);
        for (int m = 0; m < 2; m++) {
            assay_templates_options_init(&methods[2 * k + (size_t)m], sizeof *methods);
            methods[2 * k + (size_t)m].method = m ? ASSAY_TEMPLATES_PE : ASSAY_TEMPLATES_AVG;
            methods[2 * k + (size_t)m].faithful = 1;
        }
    }
    assay_study_options_init(&study_options, sizeof study_options);
    study_options.n_seeds = 2;
    assert_int_equal(assay_study_run(each, n, methods, 2, &study_options, &study), ASSAY_OK);
    for (size_t m = 0; m < 2; m++)
        for (size_t b = 0; b < 4; b++) w1[m][b] = assay_study_summarise(study, b, m, 0).mean;
    assay_study_free(study);
    free(each);
    free(methods);
    assay_grids_free(grids);
    assay_published_free(p);
}

/* The paper's W1 on MMLU, of the averages and PE-Rasch, means over 57 x 15 grids. A sample of 100 of
   them has a standard error of .04 / 10 (the sd over grids is .04 and less), of which five are allowed;
   what the drawing of cells changes was measured on all grids: .003 at most. */
static void a_sample_of_mmlu_is_like_the_paper(void **state)
{
    static const double paper[2][4] = { { .2588, .1708, .1145, .0747 },
                                        { .1239, .0678, .0460, .0297 } };
    const char *name = ASSAY_SHARED_FOLDER "/data/templates/mmlu_template_accuracy.csv.gz";
    double w1[2][4];

    (void)state;
    if (access(name, R_OK) != 0) {
        print_message("skipped: there is no %s\n", name);
        skip();
    }
    study_of(name, 0, 0.25, 100, w1);
    for (int m = 0; m < 2; m++)
        for (int b = 0; b < 4; b++) assert_true(fabs(w1[m][b] - paper[m][b]) < 0.023);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(long_tables_are_split, empty_folder),
        cmocka_unit_test_teardown(wide_tables_have_a_column_a_model, empty_folder),
        cmocka_unit_test_teardown(what_is_no_score_is_refused, empty_folder),
        cmocka_unit_test_teardown(grids_are_those_of_their_seeds, empty_folder),
        cmocka_unit_test_teardown(samples_are_fair, empty_folder),
        cmocka_unit_test_teardown(memory_may_run_out, empty_folder),
        cmocka_unit_test(a_sample_of_mmlu_is_like_the_paper),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
