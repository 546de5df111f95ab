/* SPDX-License-Identifier: Apache-2.0 */
/* Tables read by task, as grids; and covariates from files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/covariates.h"
#include "assay/grids.h"
#include "failing_memory.h"
#include "reading.h"

#include <math.h>

static assay_results *read_by_task(const char *text)
{
    assay_read_options options = defaults();
    assay_results *results;

    options.by_task = 1;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("cells", text), &options), ASSAY_OK);
    return results;
}

static assay_grids_options counts(size_t n_templates, size_t n_items)
{
    assay_grids_options options;

    assay_grids_options_init(&options, sizeof options);
    options.n_templates = n_templates;
    options.n_items = n_items;
    return options;
}

static assay_grids *make(const assay_results *results, const assay_grids_options *options)
{
    assay_grids *grids;

    assert_int_equal(assay_grids_from_results(results, options, &grids), ASSAY_OK);
    return grids;
}

static void items_belong_to_their_task(void **state)
{
    assay_results *results = read_by_task("model,task,template,e0,e1,e2\n"
                                          "m,law,a,1,0,1\nm,law,b,0,0,\n"
                                          "m,maths,a,1,1,1\n");
    assay_grids *grids = make(results, NULL);

    (void)state;
    assert_int_equal(assay_grids_n(grids), 2);
    assert_string_equal(assay_grids_model(grids, 0), "m");
    assert_string_equal(assay_grids_task(grids, 0), "law");
    assert_string_equal(assay_grids_task(grids, 1), "maths");
    assert_int_equal(assay_grid_n_templates(assay_grids_grid(grids, 0)), 2);
    assert_int_equal(assay_grid_n_cells(assay_grids_grid(grids, 0)), 5);
    assert_int_equal(assay_grid_n_templates(assay_grids_grid(grids, 1)), 1);
    assert_int_equal(assay_grid_n_items(assay_grids_grid(grids, 0)), 3); /* the blank one too */
    assert_true(isnan(assay_grid_score(assay_grids_grid(grids, 0), 1, 2)));
    assert_string_equal(assay_grids_template(grids, 0, 1), "b");
    assert_string_equal(assay_grids_item(grids, 0, 2), "e2");
    assay_grids_free(grids);
    assay_grids_free(NULL);
    assay_results_free(results);
}

static void wide_tables_may_begin_with_the_template(void **state)
{
    static const char *const tables[] = { "template,e0,e1\na,1,0\nb,0,1\n",
                                          "template,task,e0,e1\na,,1,0\nb,,0,1\n",
                                          "task,template,model,e0,e1\nt,a,m,1,0\nt,b,m,0,1\n" };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_results *results = read_by_task(tables[k]);
        assay_grids *grids = make(results, NULL);

        assert_int_equal(assay_grids_n(grids), 1);
        assert_string_equal(assay_grids_model(grids, 0), k < 2 ? "cells" : "m");
        assert_true((assay_grids_task(grids, 0) != NULL) == (k == 2));
        assert_true(assay_grid_score(assay_grids_grid(grids, 0), 1, 1) == 1.0);
        assay_grids_free(grids);
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void numbers_are_positions(void **state)
{
    assay_results *results = read_by_task("template,item,score\n1,2,1\n0,1,0\n1,0,0.5\n");
    assay_grids_options more = counts(4, 5);
    assay_grids *grids = make(results, NULL);

    (void)state;
    assert_string_equal(assay_grids_template(grids, 0, 0), "0");
    assert_true(assay_grid_score(assay_grids_grid(grids, 0), 1, 2) == 1.0);
    assert_true(assay_grid_score(assay_grids_grid(grids, 0), 1, 0) == 0.5);
    assay_grids_free(grids);
    grids = make(results, &more);
    assert_int_equal(assay_grid_n_templates(assay_grids_grid(grids, 0)), 4);
    assert_int_equal(assay_grid_n_items(assay_grids_grid(grids, 0)), 5);
    assert_true(assay_grid_score(assay_grids_grid(grids, 0), 1, 2) == 1.0);
    assert_null(assay_grids_template(grids, 0, 3));
    assay_grids_free(grids);
    assay_results_free(results);
}

/* 3 is none of 0 .. 2, and 01 is not how we write 1. */
static void other_ids_come_in_order(void **state)
{
    static const char *const tables[] = { "template,item,score\n3,b,1\n0,a,0\n1,b,1\n",
                                          "template,item,score\n2,b,1\n01,a,0\n0,b,1\n" };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_by_task(tables[k]);
        assay_grids *grids = make(results, NULL);

        assert_string_equal(assay_grids_template(grids, 0, 0), k ? "2" : "3");
        assert_string_equal(assay_grids_item(grids, 0, 0), "b");
        assay_grids_free(grids);
        assay_results_free(results);
        empty_folder(NULL);
    }
}

static void given_ids_decide(void **state)
{
    static const char *const ids[] = { "x", "b", "a" }, *const twice[] = { "a", "b", "a" };
    assay_results *results = read_by_task("template,item,score\na,i,1\nb,i,0\n");
    assay_grids_options options = counts(3, 0);
    assay_grids *grids;

    (void)state;
    options.template_ids = ids;
    grids = make(results, &options);
    assert_true(assay_grid_score(assay_grids_grid(grids, 0), 2, 0) == 1.0);
    assert_true(assay_grid_score(assay_grids_grid(grids, 0), 1, 0) == 0.0);
    assert_string_equal(assay_grids_template(grids, 0, 0), "x");
    assay_grids_free(grids);
    options.n_templates = 2; /* a is not among x and b */
    assert_int_equal(assay_grids_from_results(results, &options, &grids), ASSAY_E_SHAPE);
    assert_null(grids);
    options.template_ids = twice, options.n_templates = 3;
    assert_int_equal(assay_grids_from_results(results, &options, &grids), ASSAY_E_SHAPE);
    options = counts(1, 0);
    assert_int_equal(assay_grids_from_results(results, &options, &grids), ASSAY_E_SHAPE);
    assay_results_free(results);
}

static void runs_count_by_their_mean(void **state)
{
    assay_results *results =
        read_by_task("template,item,run,score\na,i,1,1\nb,i,1,0\na,i,2,0\na,i,3,1\n");
    assay_grids *grids = make(results, NULL);

    (void)state;
    assert_true(fabs(assay_grid_score(assay_grids_grid(grids, 0), 0, 0) - 2.0 / 3.0) < 1e-15);
    assay_grids_free(grids);
    assay_results_free(results);
}

static void what_is_no_score_is_refused(void **state)
{
    assay_results *high = read_by_task("template,item,score\na,i,2\n"), *none, *empty;
    assay_grids *grids;

    (void)state;
    empty_folder(NULL);
    none = read_by_task("template,item,score\na,i,\n");
    assert_int_equal(assay_results_new(0, &empty), ASSAY_OK);
    assert_int_equal(assay_grids_from_results(high, NULL, &grids), ASSAY_E_FORMAT);
    assert_int_equal(assay_grids_from_results(none, NULL, &grids), ASSAY_E_SHAPE);
    assert_int_equal(assay_grids_from_results(empty, NULL, &grids), ASSAY_E_SHAPE);
    assay_results_free(high);
    assay_results_free(none);
    assay_results_free(empty);
}

/* "a / b" on c is called as a on "b / c" would be. */
static void names_that_are_two_things_are_refused(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.by_task = 1;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results,
                                write_text("cells", "model,task,template,item,score\n"
                                                    "a / b,c,t,i,1\na,b / c,t,i,1\n"),
                                &options),
                     ASSAY_E_FORMAT);
    assay_results_free(results);
}

/* Without by_task a task is a column like others. */
static void tasks_are_not_looked_for_unasked(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(
        assay_read(results, write_text("cells", "model,task,item,score\nm,t,i,1\n"), NULL),
        ASSAY_OK);
    assert_string_equal(assay_results_model(results, 0), "m");
    assert_int_equal(assay_results_n_covariates(results), 0);
    assay_results_free(results);
}

static assay_status make_and_free(void *context)
{
    assay_grids *grids;
    assay_status status = assay_grids_from_results(context, NULL, &grids);

    assay_grids_free(grids);
    return status;
}

static void memory_may_run_out(void **state)
{
    assay_results *results = read_by_task("model,task,template,e0,e1\nm,t,a,1,0\nm,u,a,1,0\n");

    (void)state;
    assert_true(fail_every_allocation(make_and_free, results) > 10);
    assay_results_free(results);
}

/* ---- covariates ---- */

static const char *const ids[] = { "b", "a" };

static assay_status read_covariates(const char *text, double **x, size_t *d)
{
    assay_status status =
        assay_covariates_read(write_text("features.csv", text), ids, 2, "template", x, d);

    empty_folder(NULL);
    return status;
}

static void covariates_find_their_ids(void **state)
{
    double *x;
    size_t d;

    (void)state;
    assert_int_equal(read_covariates("id,\"u,v\",w\na,1,2\nother,9,9\nb,3,-4e1\n", &x, &d),
                     ASSAY_OK);
    assert_int_equal(d, 2);
    assert_true(x[0] == 3 && x[1] == -40 && x[2] == 1 && x[3] == 2);
    free(x);
    assert_int_equal(read_covariates("1,2,3\n4,5,6\n", &x, &d), ASSAY_OK);
    assert_int_equal(d, 3);
    assert_true(x[0] == 1 && x[5] == 6);
    free(x);
}

static void covariates_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *text;
        assay_status want;
    } cases[] = {
        { "", ASSAY_E_FORMAT },
        { "id\na\nb\n", ASSAY_E_FORMAT },
        { "id,u\na,1\n", ASSAY_E_SHAPE },
        { "id,u\na,1\nb,2\na,1\n", ASSAY_E_CONFLICT },
        { "id,u\na,1\nb,x\n", ASSAY_E_FORMAT },
        { "id,u\na,1\nb,2,3\n", ASSAY_E_FORMAT },
        { "1\n2\n3\n", ASSAY_E_SHAPE },
        { "1\n", ASSAY_E_SHAPE },
        { "1,2\n3,nan\n", ASSAY_E_FORMAT },
    };
    static const char *const counted[] = { "a", NULL };
    double *x;
    size_t d;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(read_covariates(cases[k].text, &x, &d), cases[k].want);
        assert_null(x);
    }
    assert_int_equal(assay_covariates_read("nowhere.csv", ids, 2, "item", &x, &d), ASSAY_E_READ);
    assert_int_equal(assay_covariates_read(write_text("features.csv", "id,u\na,1\n"), counted, 2,
                                           "item", &x, &d),
                     ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "only counted"));
}

static void arrays_have_finite_numbers(void **state)
{
    /* 2 x 1 numbers of 8 bytes: 1 and 2, then 1 and NaN. */
    enum { HEADER = 128, SIZE = HEADER + 16 };
    static const double values[2][2] = { { 1.0, 2.0 }, { 1.0, NAN } };
    char bytes[SIZE];
    double *x;
    size_t d;

    (void)state;
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", 59);
    bytes[HEADER - 1] = '\n';
    for (int k = 0; k < 2; k++) {
        memcpy(bytes + HEADER, values[k], sizeof values[k]);
        assert_int_equal(assay_covariates_read(write_bytes("x.npy", bytes, sizeof bytes), ids, 2,
                                               "template", &x, &d),
                         k ? ASSAY_E_FORMAT : ASSAY_OK);
        assert_true(k || (d == 1 && x[1] == 2.0));
        free(x);
        empty_folder(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(items_belong_to_their_task, empty_folder),
        cmocka_unit_test_teardown(wide_tables_may_begin_with_the_template, empty_folder),
        cmocka_unit_test_teardown(numbers_are_positions, empty_folder),
        cmocka_unit_test_teardown(other_ids_come_in_order, empty_folder),
        cmocka_unit_test_teardown(given_ids_decide, empty_folder),
        cmocka_unit_test_teardown(runs_count_by_their_mean, empty_folder),
        cmocka_unit_test_teardown(what_is_no_score_is_refused, empty_folder),
        cmocka_unit_test_teardown(names_that_are_two_things_are_refused, empty_folder),
        cmocka_unit_test_teardown(tasks_are_not_looked_for_unasked, empty_folder),
        cmocka_unit_test_teardown(memory_may_run_out, empty_folder),
        cmocka_unit_test_teardown(covariates_find_their_ids, empty_folder),
        cmocka_unit_test_teardown(covariates_that_are_none_are_refused, empty_folder),
        cmocka_unit_test_teardown(arrays_have_finite_numbers, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
