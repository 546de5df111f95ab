/* SPDX-License-Identifier: Apache-2.0 */
/* What spreadsheets write, and how columns are chosen among what they hold. */
#include "failing_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static void test_a_first_line_that_names_the_delimiter_is_no_record(void **state)
{
    assay_results *results = read_text("sep=;\r\nmodel;a;b,c,d\r\nx;0,5;1\r\n", NULL);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "x", "", "", "a") == 0.5);
    assert_true(score_of(results, "x", "", "", "b,c,d") == 1.0);
    assay_results_free(results);
    assert_fails("sep=,\nmodel,a\nx\n", NULL, ASSAY_E_FORMAT, "f.csv:3: 1 field, expected 2");
    assert_fails("sep=,\n", NULL, ASSAY_E_FORMAT, "f.csv: the file is empty");
}

static void test_empty_columns_at_the_end_are_passed_by(void **state)
{
    static const char *const texts[] = { "model,a,b,\nx,1,0,\ny,0,1,\n",
                                         "model;a;b;;\nx;1;0;;\ny;0;1;; \n",
                                         "item\tx\ty\t\na\t1\t0\t\nb\t0\t1\t\"\"\n",
                                         "item,model,score,\na,x,1,\nb,x,0,\na,y,0,\nb,y,1,\n" };

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assay_results *results = read_text(texts[k], NULL);

        assert_int_equal(assay_results_n_items(results), 2);
        assert_int_equal(assay_results_n_models(results), 2);
        assert_int_equal(assay_results_coverage(results).rows, 4);
        assert_true(score_of(results, "x", "", "", "a") == 1.0);
        assert_true(score_of(results, "y", "", "", "a") == 0.0);
        assert_true(score_of(results, "y", "", "", "b") == 1.0);
        assert_null(strstr(assay_results_note(results, 0), "ignored"));
        assay_results_free(results);
    }
}

static void test_a_decimal_comma_is_read_where_commas_do_not_separate(void **state)
{
    static const char *const texts[] = { "model\ta\nx\t0,25\n", "item\tx\na\t0,25\n",
                                         "item\tmodel\tscore\na\tx\t0,25\n",
                                         "item;model;score\na;x;25,0%\n" };

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assay_results *results = read_text(texts[k], NULL);
        assert_true(score_of(results, "x", "", "", "a") == 0.25);
        assay_results_free(results);
    }
}

static void test_a_lookup_that_failed_is_missing(void **state)
{
    assay_results *results = read_text("model,a,b\nx,#N/A,1\n", NULL);

    (void)state;
    assert_true(isnan(score_of(results, "x", "", "", "a")));
    assert_int_equal(assay_results_coverage(results).missing, 1);
    assay_results_free(results);
}

static void test_only_quotes_keep_the_spaces_around_a_name(void **state)
{
    assay_results *results = read_text("model, a ,\" a\"\n x ,1,0\n\"x \",0,1\n", NULL);

    (void)state;
    assert_true(score_of(results, "x", "", "", "a") == 1.0);
    assert_true(score_of(results, "x", "", "", " a") == 0.0);
    assert_true(score_of(results, "x ", "", "", "a") == 0.0);
    assay_results_free(results);
    results = read_text("item,model,run,score\n\" q\",m,\"1 \", 1 \nq ,m, 1 ,0\n", NULL);
    assert_true(score_of(results, "m", "", "1 ", " q") == 1.0);
    assert_true(score_of(results, "m", "", "1", "q") == 0.0);
    assay_results_free(results);
    results = read_text("item,m\n\" q\",1\n q,0\n", NULL);
    assert_true(score_of(results, "m", "", "", " q") == 1.0);
    assert_true(score_of(results, "m", "", "", "q") == 0.0);
    assay_results_free(results);
}

/* ---- --columns and --drop ---- */

static void test_a_listed_name_is_the_exact_one_or_else_the_one_nearly_so(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.drop = "Average,\"params (b), of\"";
    results =
        read_text("model,a,average,\"Params (B), of\",AVERAGE ,Average\nx,1,.5,7,0,w\n", &options);
    assert_int_equal(assay_results_n_items(results), 3); /* a, average, AVERAGE */
    assert_int_equal(assay_results_n_covariates(results), 2);
    assert_string_equal(assay_results_covariate(results, 0), "Params (B), of");
    assert_string_equal(assay_results_covariate_value(results, 1, 0), "w");
    assay_results_free(results);
    assert_fails("model,a,average,\"Params (B), of\",AVERAGE\nx,1,.5,7,0\n", &options,
                 ASSAY_E_VALUE, "f.csv: \"Average\" (--drop) could be each of: average, AVERAGE");
    options.drop = NULL;
    options.columns = "B_1";
    results = read_text("model,a,b 1\nx,w,0\n", &options);
    assert_int_equal(assay_results_n_items(results), 1);
    assert_string_equal(assay_results_item(results, 0), "b 1"); /* as the table has it */
    assay_results_free(results);
    options.columns = "a,b";
    options.drop = "B";
    results = read_text("model,a,b,c\nx,1,w,v\n", &options); /* dropped though listed */
    assert_int_equal(assay_results_n_items(results), 1);
    assert_int_equal(assay_results_n_covariates(results), 2);
    assay_results_free(results);
}

static void test_an_unknown_name_lists_the_items_there_are(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.drop = "avrage";
    assert_fails("model,run,average,a\nx,1,.5,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: \"avrage\" (--drop) is not among its items; there are: average, a");
    options.drop = "model"; /* a key is no item */
    assert_fails("model,a\nx,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: \"model\" (--drop) is not among its items; there are: a");
    options.drop = "a,\"b";
    assert_fails("model,a\nx,1\n", &options, ASSAY_E_VALUE,
                 "--drop:1: a quote opens here and is not closed");
}

static assay_status read_chosen(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, "t.csv", context);
    assay_results_free(results);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.columns = "a,b,c";
    options.drop = "C";
    write_text("t.csv", "sep=;\nmodel;a;b;c;d;\nx;1;0,5;w;v;\n");
    assert_true(fail_every_allocation(read_chosen, &options) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_first_line_that_names_the_delimiter_is_no_record,
                                  empty_folder),
        cmocka_unit_test_teardown(test_empty_columns_at_the_end_are_passed_by, empty_folder),
        cmocka_unit_test_teardown(test_a_decimal_comma_is_read_where_commas_do_not_separate,
                                  empty_folder),
        cmocka_unit_test_teardown(test_a_lookup_that_failed_is_missing, empty_folder),
        cmocka_unit_test_teardown(test_only_quotes_keep_the_spaces_around_a_name, empty_folder),
        cmocka_unit_test_teardown(test_a_listed_name_is_the_exact_one_or_else_the_one_nearly_so,
                                  empty_folder),
        cmocka_unit_test_teardown(test_an_unknown_name_lists_the_items_there_are, empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
