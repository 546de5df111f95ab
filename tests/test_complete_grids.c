/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/complete_grids.h"
#include "failing_memory.h"
#include "reading.h"

/* Template u and item e2 were never run; s lacks e3. */
static const char table[] = "template,e0,e1,e2,e3\nr,1,0,,1\ns,0,1,,\nt,1,1,,0\nu,,,,\n";

static assay_results *read_table(const char *text)
{
    assay_read_options options = defaults();
    assay_results *results;

    options.by_task = 1;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, write_text("t.csv", text), &options), ASSAY_OK);
    empty_folder(NULL);
    return results;
}

static assay_grids *grids_of(const assay_results *results)
{
    assay_grids *grids;

    assert_int_equal(assay_grids_from_results(results, NULL, &grids), ASSAY_OK);
    return grids;
}

/* By hand: what is left of the table by either rule. */
static void what_has_a_hole_goes(void **state)
{
    assay_results *results = read_table(table);
    assay_grids *grids = grids_of(results), *whole;
    assay_left_out left_out;

    (void)state;
    assert_int_equal(assay_grids_complete(grids, ASSAY_INCOMPLETE_ITEMS, &left_out, &whole),
                     ASSAY_OK);
    assert_int_equal(left_out.templates_never_run, 1);
    assert_int_equal(left_out.items_never_run, 1);
    assert_int_equal(left_out.items, 1);
    assert_int_equal(left_out.templates, 0);
    assert_int_equal(assay_grid_n_templates(assay_grids_grid(whole, 0)), 3);
    assert_int_equal(assay_grid_n_items(assay_grids_grid(whole, 0)), 2);
    assert_string_equal(assay_grids_template(whole, 0, 2), "t");
    assert_string_equal(assay_grids_item(whole, 0, 1), "e1");
    assert_true(assay_grid_score(assay_grids_grid(whole, 0), 1, 1) == 1.0);
    assay_grids_free(whole);
    assert_int_equal(assay_grids_complete(grids, ASSAY_INCOMPLETE_TEMPLATES, &left_out, &whole),
                     ASSAY_OK);
    assert_int_equal(left_out.templates, 1);
    assert_int_equal(left_out.items, 0);
    assay_grids_free(grids); /* what is left does not need it */
    assert_int_equal(assay_grid_n_cells(assay_grids_grid(whole, 0)), 6);
    assert_string_equal(assay_grids_template(whole, 0, 1), "t");
    assert_string_equal(assay_grids_item(whole, 0, 2), "e3");
    assert_true(assay_grid_score(assay_grids_grid(whole, 0), 1, 2) == 0.0);
    assay_grids_free(whole);
    assay_results_free(results);
}

static void a_hole_is_named(void **state)
{
    assay_results *results = read_table(table);
    assay_grids *grids = grids_of(results), *whole;

    (void)state;
    assert_int_equal(assay_grids_complete(grids, ASSAY_INCOMPLETE_REFUSE, NULL, &whole),
                     ASSAY_E_SHAPE);
    assert_null(whole);
    assert_non_null(strstr(assay_last_error(), "lacks 1 of 9 cells"));
    assert_non_null(strstr(assay_last_error(), "template \"s\" and the item \"e3\""));
    assert_int_equal(assay_grids_complete(grids, (assay_incomplete)3, NULL, &whole), ASSAY_E_VALUE);
    assay_grids_free(grids);
    assay_results_free(results);
}

/* A grid without a hole stays as it is, and one where all has holes is refused. */
static void all_or_nothing(void **state)
{
    assay_results *results = read_table("template,e0,e1\nr,1,0\ns,0,1\n");
    assay_grids *grids = grids_of(results), *whole;

    (void)state;
    assert_int_equal(assay_grids_complete(grids, ASSAY_INCOMPLETE_REFUSE, NULL, &whole), ASSAY_OK);
    assert_int_equal(assay_grid_n_cells(assay_grids_grid(whole, 0)), 4);
    assay_grids_free(whole);
    assay_grids_free(grids);
    assay_results_free(results);
    results = read_table("template,e0,e1\nr,1,\ns,,1\n");
    grids = grids_of(results);
    for (int rule = 1; rule < 3; rule++) {
        assert_int_equal(assay_grids_complete(grids, (assay_incomplete)rule, NULL, &whole),
                         ASSAY_E_SHAPE);
        assert_non_null(strstr(assay_last_error(), "has a hole"));
    }
    assay_grids_free(grids);
    assay_results_free(results);
}

/* One that is only counted has its number. */
static void counted_ones_are_left_out(void **state)
{
    assay_results *results = read_table("template,e0,e1\nr,1,0\ns,0,1\n");
    assay_grids_options options;
    assay_grids *grids, *whole;
    assay_left_out left_out;

    (void)state;
    assay_grids_options_init(&options, sizeof options);
    options.n_templates = 5;
    options.n_items = 4;
    assert_int_equal(assay_grids_from_results(results, &options, &grids), ASSAY_OK);
    assert_int_equal(assay_grids_complete(grids, ASSAY_INCOMPLETE_REFUSE, &left_out, &whole),
                     ASSAY_OK);
    assert_int_equal(left_out.templates_never_run, 3);
    assert_int_equal(left_out.items_never_run, 2);
    assert_int_equal(assay_grid_n_templates(assay_grids_grid(whole, 0)), 2);
    assay_grids_free(whole);
    assay_grids_free(grids);
    assay_results_free(results);
}

static assay_status make_and_free(void *context)
{
    assay_grids *whole;
    assay_status status = assay_grids_complete(context, ASSAY_INCOMPLETE_ITEMS, NULL, &whole);

    assay_grids_free(whole);
    return status;
}

static void memory_may_run_out(void **state)
{
    assay_results *results = read_table(table);
    assay_grids *grids = grids_of(results);

    (void)state;
    assert_true(fail_every_allocation(make_and_free, grids) > 8);
    assay_grids_free(grids);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_has_a_hole_goes, empty_folder),
        cmocka_unit_test_teardown(a_hole_is_named, empty_folder),
        cmocka_unit_test_teardown(all_or_nothing, empty_folder),
        cmocka_unit_test_teardown(counted_ones_are_left_out, empty_folder),
        cmocka_unit_test_teardown(memory_may_run_out, empty_folder),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
