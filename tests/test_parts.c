/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "parts_reference.h"
#include "signals/parts.h"
#include "stats/linalg.h"

#include <string.h>

/* Sums of products of at most 150 x 90 numbers about 1: a relative 1e-11 is what either way keeps.
   */
static const double tolerance = 1e-11;

static void check_part(const assay_parts *parts, const double *scores, assay_part part)
{
    size_t t = parts->matrix->n_items, n = part.models ? part.n_models : parts->matrix->n_models;
    size_t k = part.items ? part.n_items : t;
    double task, unit, want[4];
    assay_dimensions all;

    for (int c = 0; c < 4; c++)
        want[c] = slow_part_ed(scores, t, part.models, n, part.items, k, (enum centring)c);
    assert_int_equal(assay_part_ed(parts, part, &task), ASSAY_OK);
    assert_int_equal(assay_part_dimensions(parts, part, &all), ASSAY_OK);
    assert_int_equal(assay_part_unit_ed(parts, part, &unit), ASSAY_OK);
    assert_near(task / want[TASK], 1.0, tolerance);
    assert_near(all.task / want[TASK], 1.0, tolerance);
    assert_near(all.model / want[MODEL], 1.0, tolerance);
    assert_near(all.both / want[BOTH], 1.0, tolerance);
    assert_near(unit / want[UNIT], 1.0, tolerance);
}

/* Both sides larger, and more rows than a tile or a word of bits. */
static void parts_are_by_the_definition(void **state)
{
    static const size_t shapes[][2] = { { 150, 9 }, { 12, 140 }, { 90, 85 }, { 3, 5 } };

    (void)state;
    assay_blas_hold();
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        for (size_t s = 0; s < 4; s++) {
            size_t n = shapes[s][0], t = shapes[s][1], models[150], items[150];
            double *scores = random_scores(n, t, (enum score_kind)kind, 10 + s);
            assay_matrix *matrix = matrix_of(scores, n, t);
            assay_parts parts;
            assay_random random;

            assert_int_equal(assay_parts_new(matrix, &parts), ASSAY_OK);
            assay_random_start(&random, s, ASSAY_PURPOSE_MATCHED, 7);
            check_part(&parts, scores, (assay_part){ 0 });
            for (int draw = 0; draw < 4 && n > 3; draw++) {
                size_t n_models = 3 + (size_t)assay_random_below(&random, n - 3);
                size_t n_items = 3 + (size_t)assay_random_below(&random, t - 3);

                assay_draw_some(&random, models, n, n_models);
                assay_draw_some(&random, items, t, n_items);
                check_part(&parts, scores, (assay_part){ models, items, n_models, n_items, 0 });
                check_part(&parts, scores, (assay_part){ models, NULL, n_models, 0, 0 });
                check_part(&parts, scores, (assay_part){ NULL, items, 0, n_items, 0 });
            }
            assay_parts_free(&parts);
            assay_matrix_free(matrix);
            free(scores);
        }
    }
    assay_blas_release();
}

/* A bootstrap sample: more models than items, so that they would be columns. */
static void models_may_repeat(void **state)
{
    static const size_t shapes[][2] = { { 80, 7 }, { 7, 80 } };

    (void)state;
    assay_blas_hold();
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        for (size_t s = 0; s < 2; s++) {
            size_t n = shapes[s][0], t = shapes[s][1], models[80];
            double *scores = random_scores(n, t, (enum score_kind)kind, 3);
            assay_matrix *matrix = matrix_of(scores, n, t);
            assay_parts parts;

            for (size_t m = 0; m < n; m++) models[m] = m * m % n;
            assert_int_equal(assay_parts_new(matrix, &parts), ASSAY_OK);
            check_part(&parts, scores, (assay_part){ models, NULL, n, 0, 1 });
            assay_parts_free(&parts);
            assay_matrix_free(matrix);
            free(scores);
        }
    }
    assay_blas_release();
}

/* The whole matrix is what assay_effective_dimensions() has. */
static void the_whole_is_the_matrix(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(30, 50, (enum score_kind)kind, 4);
        assay_matrix *matrix = matrix_of(scores, 30, 50);
        assay_dimensions whole, part;
        assay_parts parts;

        assert_int_equal(assay_effective_dimensions(matrix, 1, &whole), ASSAY_OK);
        assert_int_equal(assay_parts_new(matrix, &parts), ASSAY_OK);
        assay_blas_hold();
        assert_int_equal(assay_part_dimensions(&parts, (assay_part){ 0 }, &part), ASSAY_OK);
        assay_blas_release();
        assert_near(part.task / whole.task, 1.0, tolerance);
        assert_near(part.model / whole.model, 1.0, tolerance);
        assert_near(part.both / whole.both, 1.0, tolerance);
        assay_parts_free(&parts);
        assay_matrix_free(matrix);
        free(scores);
    }
}

/* Equal models, scores far from 0 or huge, and additive ones: nothing is made of rounding. */
static void nothing_varies(void **state)
{
    static const double same[] = { 0.1, 0.7, 1, 0.1, 0.7, 1, 0.1, 0.7, 1 };
    static const double bits[] = { 1, 0, 1, 1, 0, 1, 0, 1, 1 };
    static const double additive[] = { 1e200, 3e200, 2e200, 2e200, 4e200, 3e200 };
    static const size_t first_two[] = { 0, 1 };
    const double *tables[] = { same, bits, additive };

    (void)state;
    assay_blas_hold();
    for (int k = 0; k < 3; k++) {
        size_t n = k == 2 ? 2 : 3;
        assay_matrix *matrix = matrix_of(tables[k], n, 3);
        assay_parts parts;
        assay_dimensions ed;

        assert_int_equal(assay_parts_new(matrix, &parts), ASSAY_OK);
        assert_int_equal(
            assay_part_dimensions(&parts, (assay_part){ first_two, NULL, 2, 0, 0 }, &ed), ASSAY_OK);
        if (k < 2)
            assert_true(isnan(ed.task));
        else
            assert_near(ed.task, 1.0, 1e-12);
        assert_true(isnan(ed.both));
        assert_near(ed.model, 1.0, 1e-12);
        assay_parts_free(&parts);
        assay_matrix_free(matrix);
    }
    assay_blas_release();
}

/* Each of the 10 pairs of 5 comes about as often: chi-squared with 9 degrees of freedom is below
   27.9 with probability .999. */
static void draws_are_uniform(void **state)
{
    enum { DRAWS = 20000 };
    double counts[25] = { 0 }, chi = 0.0;
    assay_random random;

    (void)state;
    assay_random_start(&random, 5, ASSAY_PURPOSE_MATCHED, 1);
    for (int k = 0; k < DRAWS; k++) {
        size_t order[5], low, high, seen = 0;

        assay_draw_some(&random, order, 5, 2);
        for (size_t i = 0; i < 5; i++) seen |= (size_t)1 << order[i];
        assert_int_equal(seen, 31);
        low = order[0] < order[1] ? order[0] : order[1];
        high = order[0] + order[1] - low;
        counts[low * 5 + high] += 1.0;
    }
    for (size_t a = 0; a < 5; a++)
        for (size_t b = a + 1; b < 5; b++)
            chi += (counts[a * 5 + b] - DRAWS / 10.0) * (counts[a * 5 + b] - DRAWS / 10.0) /
                   (DRAWS / 10.0);
    assert_true(chi < 27.9);
}

static assay_status make_and_ask(void *matrix)
{
    assay_parts parts;
    assay_dimensions ed;
    assay_status status = assay_parts_new(matrix, &parts);

    if (status == ASSAY_OK) status = assay_part_dimensions(&parts, (assay_part){ 0 }, &ed);
    assay_parts_free(&parts);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assay_blas_hold();
    for (int kind = BITS; kind <= REALS; kind += REALS - BITS) {
        double *scores = random_scores(6, 5, (enum score_kind)kind, 8);
        assay_matrix *matrix = matrix_of(scores, 6, 5);

        assert_true(fail_every_allocation(make_and_ask, matrix) >= 3);
        assay_matrix_free(matrix);
        free(scores);
    }
    assay_blas_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_by_the_definition), cmocka_unit_test(models_may_repeat),
        cmocka_unit_test(the_whole_is_the_matrix),     cmocka_unit_test(nothing_varies),
        cmocka_unit_test(draws_are_uniform),           cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
