/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/grid.h"
#include "failing_memory.h"

#include <math.h>
#include <string.h>

/* By hand: 3 templates x 4 items, out of order, one cell twice. */
static const size_t templates[] = { 2, 0, 0, 2, 0, 2 };
static const size_t items[] = { 3, 1, 0, 0, 3, 3 };
static const double scores[] = { 1.0, 0.0, 1.0, 0.25, 0.5, 1.0 };

static assay_grid *by_hand(void)
{
    assay_grid *grid;

    assert_int_equal(assay_grid_new(3, 4, 6, templates, items, scores, &grid), ASSAY_OK);
    return grid;
}

static void cells_come_in_order(void **state)
{
    assay_grid *grid = by_hand();
    const uint32_t *item;
    const double *score;

    (void)state;
    assert_int_equal(assay_grid_n_templates(grid), 3);
    assert_int_equal(assay_grid_n_items(grid), 4);
    assert_int_equal(assay_grid_n_cells(grid), 5);
    assert_int_equal(assay_grid_n_repeats(grid), 1);
    assert_false(assay_grid_is_binary(grid));
    assert_int_equal(assay_grid_row(grid, 0, &item, &score), 3);
    assert_true(item[0] == 0 && item[1] == 1 && item[2] == 3);
    assert_true(score[0] == 1.0 && score[1] == 0.0 && score[2] == 0.5);
    assert_int_equal(assay_grid_row(grid, 1, NULL, NULL), 0);
    assert_int_equal(assay_grid_row(grid, 2, &item, &score), 2);
    assert_true(item[0] == 0 && item[1] == 3 && score[0] == 0.25 && score[1] == 1.0);
    assay_grid_free(grid);
    assay_grid_free(NULL);
}

static void cells_are_found(void **state)
{
    assay_grid *grid = by_hand();

    (void)state;
    assert_true(assay_grid_score(grid, 2, 3) == 1.0);
    assert_true(assay_grid_score(grid, 0, 3) == 0.5);
    assert_true(isnan(assay_grid_score(grid, 0, 2)));
    assert_true(isnan(assay_grid_score(grid, 1, 0)));
    assert_true(isnan(assay_grid_score(grid, 3, 0)));
    assert_true(isnan(assay_grid_score(grid, 0, 4)));
    assert_int_equal(assay_grid_n_of_item(grid, 0), 2);
    assert_int_equal(assay_grid_n_of_item(grid, 2), 0);
    assert_int_equal(assay_grid_n_of_item(grid, 3), 2);
    assay_grid_free(grid);
}

static void an_array_is_a_grid(void **state)
{
    const double x[] = { 1, NAN, 0, 0, 1, 1 };
    assay_grid *grid;

    (void)state;
    assert_int_equal(assay_grid_from_scores(x, 2, 3, &grid), ASSAY_OK);
    assert_int_equal(assay_grid_n_cells(grid), 5);
    assert_true(assay_grid_is_binary(grid));
    assert_true(isnan(assay_grid_score(grid, 0, 1)));
    assert_true(assay_grid_score(grid, 1, 1) == 1.0); /* a full row is looked up directly */
    assay_grid_free(grid);
}

static void a_part_is_taken(void **state)
{
    assay_grid *grid = by_hand(), *part;
    const size_t i[] = { 2, 0 }, j[] = { 0, 3 }, absent[] = { 1, 2 };

    (void)state;
    assert_int_equal(assay_grid_take(grid, 2, i, j, &part), ASSAY_OK);
    assert_int_equal(assay_grid_n_cells(part), 2);
    assert_int_equal(assay_grid_n_items(part), 4);
    assert_true(assay_grid_score(part, 2, 0) == 0.25);
    assay_grid_free(part);
    assert_int_equal(assay_grid_take(grid, 2, i, absent, &part), ASSAY_E_SHAPE);
    assert_null(part);
    assert_string_equal(assay_last_error(),
                        "cell (2, 1) has no score in the grid of 3 templates x 4 items");
    assay_grid_free(grid);
}

/* Other scores are no other cells; a cell more, or the same number on other items, are. */
static void unlike_cells_are_found(void **state)
{
    const double of[][6] = { { 1, 0, NAN, 0, 0, 1 },
                             { 0, 1, NAN, .5, 0, 1 },
                             { 1, 0, NAN, 0, NAN, 1 },
                             { 1, NAN, 0, 0, 0, 1 } };
    const size_t want[] = { SIZE_MAX, SIZE_MAX, 1, 0 };
    assay_grid *grids[4];

    (void)state;
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(assay_grid_from_scores(of[k], 2, 3, &grids[k]), ASSAY_OK);
    for (size_t k = 0; k < 4; k++) {
        assert_true(assay_grid_first_unlike(grids[0], grids[k]) == want[k]);
        assert_true(assay_grid_first_unlike(grids[k], grids[0]) == want[k]);
    }
    for (size_t k = 0; k < 4; k++) assay_grid_free(grids[k]);
}

static void expect(assay_status want, const char *sentence, size_t i, size_t j, double score)
{
    const size_t at[] = { 0, i }, item[] = { 1, j };
    const double value[] = { 0.0, score };
    assay_grid *grid;

    assert_int_equal(assay_grid_new(2, 2, 2, at, item, value, &grid), want);
    assert_null(grid);
    assert_string_equal(assay_last_error(), sentence);
}

static void faults_are_named(void **state)
{
    const double none[] = { NAN, NAN };
    assay_grid *grid;

    (void)state;
    expect(ASSAY_E_SHAPE,
           "cell (2, 0) is outside the grid of 2 templates x 2 items, which count from 0", 2, 0, 1);
    expect(ASSAY_E_SHAPE,
           "cell (1, 2) is outside the grid of 2 templates x 2 items, which count from 0", 1, 2, 1);
    expect(ASSAY_E_VALUE, "the score of template 1, item 0 is 1.5, expected 0 to 1", 1, 0, 1.5);
    expect(ASSAY_E_VALUE, "the score of template 1, item 0 is -0.5, expected 0 to 1", 1, 0, -0.5);
    expect(ASSAY_E_VALUE, "the score of template 1, item 0 is nan, expected 0 to 1", 1, 0, NAN);
    expect(ASSAY_E_CONFLICT, "template 0, item 1 has two scores, 0 and 1", 0, 1, 1.0);
    assert_int_equal(assay_grid_from_scores(none, 1, 2, &grid), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "a grid of 1 templates x 2 items has no score");
    assert_int_equal(assay_grid_new(0, 2, 6, templates, items, scores, &grid), ASSAY_E_SHAPE);
    assert_int_equal(assay_grid_new(2, 0, 6, templates, items, scores, &grid), ASSAY_E_SHAPE);
    assert_int_equal(assay_grid_new(SIZE_MAX, 2, 6, templates, items, scores, &grid),
                     ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "expected 1 to 2147483647 of each"));
}

static assay_status make_and_take(void *context)
{
    assay_grid *grid = NULL, *part = NULL;
    const double x[] = { 1, NAN, 0, 0, 1, 1 };
    const size_t i[] = { 1, 0 }, j[] = { 2, 0 };
    assay_status status = assay_grid_from_scores(x, 2, 3, &grid);

    (void)context;
    if (status == ASSAY_OK) status = assay_grid_take(grid, 2, i, j, &part);
    assay_grid_free(part);
    assay_grid_free(grid);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(make_and_take, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_come_in_order),       cmocka_unit_test(cells_are_found),
        cmocka_unit_test(an_array_is_a_grid),        cmocka_unit_test(a_part_is_taken),
        cmocka_unit_test(unlike_cells_are_found),    cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
