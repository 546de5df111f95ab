/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "failing_memory.h"
#include "matrix_layout.h"

#include <math.h>
#include <stdlib.h>

static void an_array_comes_back_without_its_empty_rows_and_columns(void **state)
{
    const double scores[] = { 0.5, NAN, 1.0, NAN, NAN, NAN, 2.0, NAN, NAN };
    assay_matrix *matrix = NULL;

    (void)state;
    assert_int_equal(assay_matrix_from_scores(scores, 3, 3, &matrix), ASSAY_OK);
    assert_int_equal(assay_matrix_n_models(matrix), 2);
    assert_int_equal(assay_matrix_n_items(matrix), 2);
    assert_int_equal(assay_matrix_n_models_left_out(matrix), 1);
    assert_int_equal(assay_matrix_n_items_left_out(matrix), 1);
    assert_true(assay_matrix_score(matrix, 0, 0) == 0.5);
    assert_true(assay_matrix_score(matrix, 0, 1) == 1.0);
    assert_true(assay_matrix_score(matrix, 1, 0) == 2.0);
    assert_true(isnan(assay_matrix_score(matrix, 1, 1)));
    assert_string_equal(assay_matrix_model(matrix, 1), "");
    assert_string_equal(assay_matrix_item(matrix, 1), "");
    assert_layout(matrix);
    assay_matrix_free(matrix);
}

static void arrays_of_every_width_keep_the_layout(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t t = 1; t < 1100; t += 1 + t / 9) {
        size_t n = 1 + t % 9;
        double *scores = malloc(n * t * sizeof *scores);

        for (int kind = 0; kind < 3; kind++) { /* bits, bits with holes, doubles with holes */
            assay_matrix *matrix = NULL;

            for (size_t k = 0; k < n * t; k++) {
                scores[k] = (double)assay_random_below(&random, 2) * (kind == 2 ? 0.75 : 1.0);
                if (kind && k >= t && k % t && assay_random_below(&random, 3) == 0) scores[k] = NAN;
            }
            if (kind == 2) scores[0] = 0.75;
            assert_int_equal(assay_matrix_from_scores(scores, n, t, &matrix), ASSAY_OK);
            assert_int_equal(assay_matrix_is_binary(matrix), kind < 2);
            assert_int_equal(assay_matrix_n_models(matrix), n);
            assert_int_equal(assay_matrix_n_items(matrix), t);
            for (size_t k = 0; k < n * t; k++) {
                double got = assay_matrix_score(matrix, k / t, k % t);
                assert_true(got == scores[k] || (isnan(got) && isnan(scores[k])));
            }
            assert_layout(matrix);
            assay_matrix_free(matrix);
        }
        free(scores);
    }
}

static void bad_arrays_are_refused(void **state)
{
    double scores[] = { 1.0, 0.0, NAN, 1.0 };
    const double nothing[] = { NAN, NAN };
    assay_matrix *matrix = (assay_matrix *)1;

    (void)state;
    assert_int_equal(assay_matrix_from_scores(scores, 0, 2, &matrix), ASSAY_E_SHAPE);
    assert_null(matrix);
    assert_string_equal(assay_last_error(), "matrix: 0 models x 2 items");
    assert_int_equal(assay_matrix_from_scores(scores, 2, 0, &matrix), ASSAY_E_SHAPE);
    assert_int_equal(assay_matrix_from_scores(nothing, 1, 2, &matrix), ASSAY_E_SHAPE);
    scores[3] = -INFINITY;
    assert_int_equal(assay_matrix_from_scores(scores, 2, 2, &matrix), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "matrix: scores[1, 1] is -inf");
    assert_null(matrix);
}

/* ---- every allocation failing ---- */

static assay_status from_scores(void *context)
{
    assay_matrix *matrix = NULL;
    assay_status status = assay_matrix_from_scores(context, 2, 2, &matrix);

    assert_int_equal(status == ASSAY_OK, matrix != NULL);
    assay_matrix_free(matrix);
    return status;
}

static void memory_that_runs_out_gives_no_matrix(void **state)
{
    double bits[] = { 1, 0, NAN, 1 }, others[] = { 1, 0, 0.5, 1 };

    (void)state;
    assert_true(fail_every_allocation(from_scores, bits) > 5);
    assert_true(fail_every_allocation(from_scores, others) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_comes_back_without_its_empty_rows_and_columns),
        cmocka_unit_test(arrays_of_every_width_keep_the_layout),
        cmocka_unit_test(bad_arrays_are_refused),
        cmocka_unit_test(memory_that_runs_out_gives_no_matrix),
    };

    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
