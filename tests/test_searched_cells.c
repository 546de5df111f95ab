/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/searched_cells.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

/* A grid whose template i has cells[i] cells. */
static assay_searched_cells of_counts(const size_t *cells, size_t n_templates, size_t n_items)
{
    double *scores = malloc(n_templates * n_items * sizeof *scores);
    assay_searched_cells got;
    assay_grid *grid;

    for (size_t i = 0; i < n_templates; i++)
        for (size_t j = 0; j < n_items; j++)
            scores[i * n_items + j] = j < cells[i] ? (double)(j % 2) : NAN;
    assert_int_equal(assay_grid_from_scores(scores, n_templates, n_items, &grid), ASSAY_OK);
    got = assay_searched_cells_of(grid);
    assay_grid_free(grid);
    free(scores);
    return got;
}

/* A mean of 16 cells allows a range of 32; templates without a cell are not counted. */
static void the_rule_by_hand(void **state)
{
    static const size_t within[] = { 0, 4, 4, 4, 36, 32 }, beyond[] = { 3, 0, 5, 4, 36, 32 };
    static const size_t alike[] = { 7, 7, 8 }, one[] = { 0, 0, 40 };
    assay_searched_cells got = of_counts(within, 6, 40);

    (void)state;
    assert_int_equal(got.n_templates, 5);
    assert_int_equal(got.least, 4);
    assert_int_equal(got.most, 36);
    assert_false(got.looks_searched);
    got = of_counts(beyond, 6, 40);
    assert_int_equal(got.least, 3);
    assert_true(got.looks_searched);
    assert_false(of_counts(alike, 3, 8).looks_searched);
    got = of_counts(one, 3, 40);
    assert_int_equal(got.n_templates, 1);
    assert_false(got.looks_searched);
}

/* Cells that are there by chance alone, of few and of many: never doubted in 200 grids. A range
   beyond 8 roots of the mean needs a count 4 from it, of 100 templates: below 100 x 1e-4 a grid for
   a Poisson mean of 2, and far below for larger ones; the seed is fixed. */
static void chance_does_not_look_searched(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t cells[100] = { 0 };
        double share = seed % 2 ? .02 : .3;
        assay_random random;

        assay_random_start(&random, seed, 0, 0);
        for (size_t i = 0; i < 100; i++)
            for (size_t j = 0; j < 100; j++) cells[i] += assay_random_uniform(&random) < share;
        assert_false(of_counts(cells, 100, 100).looks_searched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_by_hand),
        cmocka_unit_test(chance_does_not_look_searched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
