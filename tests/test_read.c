/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

/* ---- wide ---- */

static void test_a_wide_table_has_a_row_a_model(void **state)
{
    assay_results *results = read_text("model,a,b,c\nx,1,0,\ny,0.5,TRUE,90.18%\n", NULL);
    assay_coverage coverage = assay_results_coverage(results);

    (void)state;
    assert_true(score_of(results, "x", "", "", "a") == 1.0);
    assert_true(score_of(results, "x", "", "", "b") == 0.0);
    assert_true(isnan(score_of(results, "x", "", "", "c")));
    assert_true(score_of(results, "y", "", "", "a") == 0.5);
    assert_true(score_of(results, "y", "", "", "b") == 1.0);
    assert_true(score_of(results, "y", "", "", "c") == 0.9018);
    assert_int_equal(coverage.rows, 6);
    assert_int_equal(coverage.used, 5);
    assert_int_equal(coverage.missing, 1);
    assert_int_equal(assay_results_n_inputs(results), 1);
    assert_int_equal(assay_results_input(results, 0).rows, 6);
    assert_string_equal(assay_results_note(results, 0),
                        "t.csv: wide table, a row a model, 3 items; model = "
                        "\"model\"");
    assay_results_free(results);
}

static void test_items_are_joined_by_name_whatever_their_order(void **state)
{
    static const char *const texts[] = { "model,a,b\ny,1,0.5\n", "model,b,a,d\nz,0,0.25,1\n",
                                         "model,b\nw,1\n" };
    assay_results *results = read_text("model,b,a,c\nx,1,0,1\n", NULL);

    (void)state;
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(assay_read(results, write_text("u.csv", texts[k]), NULL), ASSAY_OK);
    assert_true(score_of(results, "x", "", "", "a") == 0.0);
    assert_true(score_of(results, "y", "", "", "a") == 1.0);
    assert_true(score_of(results, "y", "", "", "b") == 0.5);
    assert_true(score_of(results, "y", "", "", "c") == -1.0);
    assert_true(score_of(results, "z", "", "", "a") == 0.25);
    assert_true(score_of(results, "z", "", "", "d") == 1.0);
    assert_true(score_of(results, "w", "", "", "b") == 1.0);
    assert_true(score_of(results, "w", "", "", "a") == -1.0);
    assay_results_free(results);
    results = read_text("model,a,b\nx,1,0\n", NULL); /* the same items, the other way round */
    assert_int_equal(assay_read(results, write_text("u.csv", "model,b,a\ny,1,0\n"), NULL),
                     ASSAY_OK);
    assert_true(score_of(results, "y", "", "", "a") == 0.0);
    assert_true(score_of(results, "y", "", "", "b") == 1.0);
    assay_results_free(results);
}

static void test_leading_template_and_run_belong_to_a_wide_row(void **state)
{
    assay_results *results =
        read_text("model;template;run;a;b\nx;t1;1;0,5;1\nx;t2;1;0;1\nx;t1;2;1;1", NULL);

    (void)state;
    assert_int_equal(assay_results_n_records(results), 3);
    assert_true(score_of(results, "x", "t1", "1", "a") == 0.5);
    assert_true(score_of(results, "x", "t2", "1", "a") == 0.0);
    assert_true(score_of(results, "x", "t1", "2", "a") == 1.0);
    assay_results_free(results);
}

static void test_dropped_columns_are_covariates(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.drop = "params,\"date, of\"";
    results = read_text("model,a,params,b,\"date, of\"\nx,1,7B,0,2024\ny,1,,0,2025\n", &options);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(assay_results_n_covariates(results), 2);
    assert_string_equal(assay_results_covariate(results, 1), "date, of");
    assert_string_equal(assay_results_covariate_value(results, 0, 0), "7B");
    assert_null(assay_results_covariate_value(results, 0, 1));
    assert_string_equal(assay_results_covariate_value(results, 1, 1), "2025");
    assert_true(has_note(results, "2 items; model = \"model\"; kept as covariates: params, date, "
                                  "of"));
    assay_results_free(results);
    options.drop = NULL;
    options.columns = "b";
    results = read_text("model,a,b\nx,what,0\n", &options);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_string_equal(assay_results_covariate_value(results, 0, 0), "what");
    assay_results_free(results);
    options.columns = "b,zz";
    assert_fails("model,a,b\nx,1,0\n", &options, ASSAY_E_VALUE,
                 "f.csv: \"zz\" (--columns) is not among its items; there are: a, b");
}

static void test_rows_of_items_are_chosen_by_their_ids(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.drop = "q2";
    results = read_text("item\tm1\tm2\nq1\t1\t0\nq2\tx\tx\nq3\t0\t-\n", &options);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "m1", "", "", "q1") == 1.0);
    assert_true(isnan(score_of(results, "m2", "", "", "q3")));
    assay_results_free(results);
    options.drop = "q9";
    assert_fails("item,m1\nq1,1\nQ9,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: \"q9\" (--drop) is not among its items; there are: q1, Q9");
}

static void test_a_row_said_twice_counts_once(void **state)
{
    assay_results *results = read_text("model,a,b\nx,1,0\nx,1,0\n", NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).duplicate, 2);
    assert_int_equal(assay_results_coverage(results).used, 2);
    assay_results_free(results);
    results = read_text("item,m\nq,1\nq,1\n", NULL);
    assert_int_equal(assay_results_coverage(results).duplicate, 1);
    assay_results_free(results);
}

/* ---- long ---- */

static void test_a_long_table_has_a_row_an_observation(void **state)
{
    assay_results *results =
        read_text("\xef\xbb\xbfitem_id,model,template,epoch,correct,category,prompt,other\r\n"
                  "q1, m1 ,t,1,PASS,red,\"Say \"\"hi\"\",\nplease\",z\r\n"
                  "q1,m1,t,2,fail,blue,,z\r\n"
                  "q2,m1,,1,n/a,,,\r\n",
                  NULL);

    (void)state;
    assert_true(score_of(results, "m1", "t", "1", "q1") == 1.0);
    assert_true(score_of(results, "m1", "t", "2", "q1") == 0.0);
    assert_true(isnan(score_of(results, "m1", "", "1", "q2")));
    assert_string_equal(assay_results_item_cluster(results, 0), "red");
    assert_string_equal(assay_results_item_text(results, 0), "Say \"hi\",\nplease");
    assert_null(assay_results_item_text(results, 1));
    assert_string_equal(assay_results_note(results, 0),
                        "t.csv: long table; model = \"model\", item = \"item_id\", "
                        "score = \"correct\", template = \"template\", run = \"epoch\", cluster = "
                        "\"category\", text = \"prompt\"; other columns ignored: other");
    assay_results_free(results);
}

static void test_without_a_model_column_the_model_is_called_as_the_file_is(void **state)
{
    assay_results *results = read_text("id,score\n1,0.5\n2,1\n", NULL);

    (void)state;
    assert_int_equal(assay_results_n_models(results), 1);
    assert_true(score_of(results, "t.csv", "", "", "1") == 0.5);
    assert_string_equal(
        assay_results_note(results, 0),
        "t.csv: long table; all of one model, called as the file is; item = \"id\", "
        "score = \"score\"");
    assert_int_equal(assay_read(results, write_text("u.csv", "id,score\n1,0.25\n"), NULL),
                     ASSAY_OK); /* no conflict: another model's */
    assert_true(score_of(results, "u.csv", "", "", "1") == 0.25);
    assert_int_equal(assay_read(results, write_text("\xe9.csv", "id,score\n1,1\n"), NULL),
                     ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "\\xe9.csv:2: the path, by which the model is called, \"\\xe9.csv\" is not "
                        "UTF-8, expected UTF-8");
    assay_results_free(results);
}

static void test_rows_that_repeat_a_cell_are_runs_when_told(void **state)
{
    const char *text = "item,score\nq,1\nq,1\nq,0\n";
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.repeats = 1;
    results = read_text(text, &options);
    assert_int_equal(assay_results_n_runs(results) >= 3, 1);
    assert_true(score_of(results, "t.csv", "", "1", "q") == 1.0);
    assert_true(score_of(results, "t.csv", "", "2", "q") == 1.0);
    assert_true(score_of(results, "t.csv", "", "3", "q") == 0.0);
    assert_int_equal(assay_results_coverage(results).duplicate, 0);
    assay_results_free(results);
    results = read_text("model,a,b\nx,1,0\nx,0,0\n", &options);
    assert_true(score_of(results, "x", "", "2", "a") == 0.0);
    assay_results_free(results);
    results = read_text("item,x\na,1\na,0\n", &options);
    assert_true(score_of(results, "x", "", "2", "a") == 0.0);
    assay_results_free(results);
}

static void test_with_force_the_first_value_stays(void **state)
{
    const char *path = write_text("t.csv", "item,score\nq,1\nq,0\n");
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(1, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).refused, 1);
    assert_true(score_of(results, "t.csv", "", "", "q") == 1.0);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_wide_table_has_a_row_a_model, empty_folder),
        cmocka_unit_test_teardown(test_items_are_joined_by_name_whatever_their_order, empty_folder),
        cmocka_unit_test_teardown(test_leading_template_and_run_belong_to_a_wide_row, empty_folder),
        cmocka_unit_test_teardown(test_dropped_columns_are_covariates, empty_folder),
        cmocka_unit_test_teardown(test_rows_of_items_are_chosen_by_their_ids, empty_folder),
        cmocka_unit_test_teardown(test_a_row_said_twice_counts_once, empty_folder),
        cmocka_unit_test_teardown(test_a_long_table_has_a_row_an_observation, empty_folder),
        cmocka_unit_test_teardown(test_without_a_model_column_the_model_is_called_as_the_file_is,
                                  empty_folder),
        cmocka_unit_test_teardown(test_rows_that_repeat_a_cell_are_runs_when_told, empty_folder),
        cmocka_unit_test_teardown(test_with_force_the_first_value_stays, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
