/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what data/matrix.h promises of every matrix. Include it after cmocka.h. */
#ifndef TESTS_MATRIX_LAYOUT_H
#define TESTS_MATRIX_LAYOUT_H

#include "data/matrix.h"

#include <math.h>

static inline void assert_rows_are_clear(const uint64_t *plane, size_t stride, size_t first,
                                         size_t end)
{
    for (size_t w = first * stride; w < end * stride; w++) assert_true(plane[w] == 0);
}

static inline void assert_layout(const assay_matrix *matrix)
{
    size_t n = matrix->n_models, t = matrix->n_items, stride = matrix->stride;
    uint64_t n_observed = 0;

    assert_int_equal((uintptr_t)matrix->observed % 64, 0);
    assert_int_equal((uintptr_t)matrix->value % 64, 0);
    assert_int_equal(stride % 8, 0);
    assert_true(64 * stride >= t);
    assert_true(!matrix->value != !matrix->scores);
    for (size_t m = 0; m < n; m++) {
        for (size_t i = 0; i < 64 * stride; i++) {
            int seen = assay_plane_bit(matrix->observed, stride, m, i);
            double score = i < t ? assay_matrix_score(matrix, m, i) : NAN;

            assert_int_equal(seen, !isnan(score));
            n_observed += (uint64_t)seen;
            if (matrix->value)
                assert_int_equal(assay_plane_bit(matrix->value, stride, m, i), score == 1.0);
            if (matrix->scores && i < t && seen) assert_true(matrix->scores[m * t + i] == score);
        }
    }
    assert_true(assay_matrix_n_observed(matrix) == n_observed);
    assert_rows_are_clear(matrix->observed, stride, n, (n + 3) / 4 * 4);
    if (matrix->value) assert_rows_are_clear(matrix->value, stride, n, (n + 3) / 4 * 4);
}

#endif
