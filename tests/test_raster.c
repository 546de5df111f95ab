/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/tree_cuts.h"
#include "core/base64.h"
#include "core/memory.h"
#include "core/random.h"
#include "failing_memory.h"
#include "parts_reference.h"
#include "report/raster.h"
#include "text/vectors.h"

#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

static const assay_progress none;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static assay_vectors *random_vectors(size_t n, size_t d, uint64_t seed)
{
    double *dense = assay_alloc_aligned(n * d, sizeof *dense);
    assay_vectors *vectors;

    assert_non_null(dense);
    for (size_t k = 0; k < n * d; k++) dense[k] = uniform(&seed) - 0.3;
    assert_int_equal(assay_vectors_from_dense(dense, n, d, &vectors), ASSAY_OK);
    return vectors;
}

static assay_dendrogram *tree_of(const assay_vectors *vectors)
{
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_fit(vectors, NULL, &tree), ASSAY_OK);
    return tree;
}

/* Against OpenSSL's, for every remainder. */
static void base64_as_openssl_has_it(void **state)
{
    unsigned char bytes[100];
    char expected[140];

    (void)state;
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)(k * 37 + 200);
    for (size_t n = 0; n < sizeof bytes; n++) {
        char *got = assay_base64(bytes, n);

        assert_non_null(got);
        expected[0] = '\0';
        if (n) EVP_EncodeBlock((unsigned char *)expected, bytes, (int)n);
        assert_string_equal(got, expected);
        free(got);
    }
}

/* The byte of every cell against the largest product of its block, taken anew: within 1, since a product and
   1 less its distance round differently. */
static void check_similarity(size_t n)
{
    assay_vectors *vectors = random_vectors(n, 7, n);
    assay_dendrogram *tree = tree_of(vectors);
    size_t *leaf = malloc(n * sizeof *leaf), side = n < ASSAY_RASTER_MOST ? n : ASSAY_RASTER_MOST;
    double *cell = malloc(side * side * sizeof *cell), least = 1.0;
    assay_raster got, serial;

    assert_int_equal(assay_raster_similarity(vectors, tree, 0, none, &got), ASSAY_OK);
    assert_int_equal(assay_raster_similarity(vectors, tree, 1, none, &serial), ASSAY_OK);
    assert_int_equal(assay_tree_leaves(tree, leaf), ASSAY_OK);
    assert_true(got.rows == side && got.columns == side && got.of_rows == n && !got.none);
    assert_memory_equal(got.bytes, serial.bytes, side * side);
    for (size_t a = 0; a < side; a++)
        for (size_t b = 0; b < side; b++) {
            double most = -1.0;

            for (size_t i = a * n / side; i < (a + 1) * n / side; i++)
                for (size_t j = b * n / side; j < (b + 1) * n / side; j++)
                    most = fmax(most, i == j ? 1.0 : assay_vectors_dot(vectors, leaf[i], leaf[j]));
            cell[a * side + b] = most;
            least = fmin(least, most);
        }
    assert_true(fabs(got.low - least) < 1e-12 && got.high == 1.0);
    for (size_t k = 0; k < side * side; k++)
        assert_true(fabs(got.bytes[k] - 255.0 * (cell[k] - least) / (1.0 - least)) <= 0.5 + 1e-6);
    for (size_t k = 0; k < side; k++) assert_int_equal(got.row[k], leaf[k * n / side]);
    assay_raster_free(&got);
    assay_raster_free(&serial);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
    free(leaf);
    free(cell);
}

static void likeness_as_brute_force_has_it(void **state)
{
    (void)state;
    check_similarity(2);
    check_similarity(40);
    check_similarity(700); /* blocks */
}

/* Complete scores: Pearson's r by its textbook sums, within half a byte and rounding. */
static void correlations_are_pearsons(void **state)
{
    enum { N = 19, T = 12 };
    double scores[N * T];
    uint64_t seed = 3;
    assay_matrix *matrix;
    assay_raster got;

    (void)state;
    for (size_t k = 0; k < N * T; k++) scores[k] = k % T == 5 ? 0.25 : uniform(&seed);
    matrix = matrix_of(scores, N, T);
    assert_int_equal(assay_raster_correlations(matrix, 0, none, &got), ASSAY_OK);
    assert_true(got.rows == T - 1 && got.of_rows == T - 1); /* item 5 is constant */
    for (size_t a = 0; a < got.rows; a++)
        for (size_t b = 0; b < got.rows; b++) {
            double x = 0, y = 0, xx = 0, yy = 0, xy = 0, r;

            for (size_t m = 0; m < N; m++) {
                double u = scores[m * T + got.row[a]], v = scores[m * T + got.row[b]];

                x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
            }
            r = (xy - x * y / N) / sqrt((xx - x * x / N) * (yy - y * y / N));
            assert_true(fabs(got.bytes[a * got.rows + b] - 127.5 * (r + 1.0)) <= 0.5 + 1e-6);
        }
    assay_raster_free(&got);
    assay_matrix_free(matrix);
}

/* 2,100 items of which an even choice of 2,000 makes blocks: the mean of a block, the diagonal's ones in it,
   lies between -1 and 1 and the diagonal is above chance. Two columns leave nothing to draw. */
static void correlations_of_many_and_of_none(void **state)
{
    enum { N = 8, T = 2100 };
    double *scores = malloc(sizeof(double[N * T]));
    static const double alike[] = { 1, 0, 1, 0, 1, 0 };
    uint64_t seed = 9;
    assay_matrix *matrix;
    assay_raster got;

    (void)state;
    assert_non_null(scores);
    for (size_t k = 0; k < N * T; k++) scores[k] = uniform(&seed) < 0.1 ? NAN : uniform(&seed);
    matrix = matrix_of(scores, N, T);
    assert_int_equal(assay_raster_correlations(matrix, 0, none, &got), ASSAY_OK);
    assert_true(got.rows == ASSAY_RASTER_MOST && got.of_rows == T);
    for (size_t k = 0; k < got.rows; k++) {
        assert_true(got.bytes[k * got.rows + k] > 127);
        assert_true(got.row[k] < T);
    }
    assay_raster_free(&got);
    assay_matrix_free(matrix);
    free(scores);
    matrix = matrix_of(alike, 3, 2);
    assert_int_equal(assay_raster_correlations(matrix, 0, none, &got), ASSAY_OK);
    assert_true(got.rows == 0 && got.bytes == NULL && got.of_rows == 0);
    assay_raster_free(&got);
    assay_matrix_free(matrix);
}

/* By hand: model 1 is best, then 2, then 0; item 2 is easiest, then 0, then 1. */
static void outcomes_by_hand(void **state)
{
    static const double scores[] = {
        0, 0, 0.5, /* */
        1, 1, 1,   /* */
        1, 0, NAN, /* */
    };
    static const unsigned char expected[] = { 254, 254, 254, 255, 254, 0, 127, 0, 0 };
    assay_matrix *matrix = matrix_of(scores, 3, 3);
    assay_raster got;
    char *text;

    (void)state;
    assert_int_equal(assay_raster_outcomes(matrix, &got), ASSAY_OK);
    assert_true(got.rows == 3 && got.columns == 3 && got.none && got.low == 0 && got.high == 1);
    assert_memory_equal(got.bytes, expected, sizeof expected);
    assert_true(got.row[0] == 1 && got.row[1] == 2 && got.row[2] == 0);
    assert_true(got.column[0] == 2 && got.column[1] == 0 && got.column[2] == 1);
    text = assay_raster_base64(&got);
    assert_string_equal(text, "/v7+//4AfwAA");
    free(text);
    assay_raster_free(&got);
    assay_matrix_free(matrix);
}

/* 600 x 2,100: blocks of one or two rows and columns, whose means are taken anew from the places. And scores
   near the largest double are drawn as their like. */
static void outcomes_of_many_are_means(void **state)
{
    enum { N = 600, T = 2100 };
    double *scores = malloc(sizeof(double[N * T])), sum = 0.0, drawn = 0.0;
    static const double small[] = { 0.5, -0.25, 0.75, 1.0 };
    double huge[4];
    uint64_t seed = 5;
    assay_matrix *matrix;
    assay_raster got, of_huge;

    (void)state;
    assert_non_null(scores);
    for (size_t k = 0; k < N * T; k++) sum += scores[k] = uniform(&seed);
    matrix = matrix_of(scores, N, T);
    assert_int_equal(assay_raster_outcomes(matrix, &got), ASSAY_OK);
    assert_true(got.rows == ASSAY_RASTER_MOST && got.columns == ASSAY_RASTER_MOST_COLUMNS);
    for (size_t r = 0; r < got.rows; r++)
        for (size_t c = 0; c < got.columns; c++) {
            size_t rows = (r + 1) * N / got.rows - r * N / got.rows;
            size_t columns = (c + 1) * T / got.columns - c * T / got.columns;

            drawn += (double)(rows * columns) * got.bytes[r * got.columns + c] / 254.0;
        }
    /* rounding of a byte is 1/508 at most, of either sign: their mean over 10^6 cells is below 1e-5 */
    assert_true(fabs(drawn - sum) < 1e-5 * N * T);
    assay_raster_free(&got);
    assay_matrix_free(matrix);
    free(scores);

    for (size_t k = 0; k < 4; k++) huge[k] = ldexp(small[k], 1023);
    matrix = matrix_of(small, 2, 2);
    assert_int_equal(assay_raster_outcomes(matrix, &got), ASSAY_OK);
    assay_matrix_free(matrix);
    matrix = matrix_of(huge, 2, 2);
    assert_int_equal(assay_raster_outcomes(matrix, &of_huge), ASSAY_OK);
    assert_memory_equal(got.bytes, of_huge.bytes, 4);
    assert_true(got.low == -0.25 && got.high == 1.0);
    assay_raster_free(&got);
    assay_raster_free(&of_huge);
    assay_matrix_free(matrix);
}

static assay_status draw_all(void *data)
{
    assay_matrix *matrix = data;
    assay_raster one = { 0 }, two = { 0 };
    assay_status status = assay_raster_correlations(matrix, 1, none, &one);

    if (status == ASSAY_OK) status = assay_raster_outcomes(matrix, &two);
    assay_raster_free(&one);
    assay_raster_free(&two);
    return status;
}

static void memory_may_fail(void **state)
{
    static const double scores[] = { 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0 };
    assay_matrix *matrix = matrix_of(scores, 4, 3);

    (void)state;
    assert_true(fail_every_allocation(draw_all, matrix) > 8);
    assay_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_as_openssl_has_it),
        cmocka_unit_test(likeness_as_brute_force_has_it),
        cmocka_unit_test(correlations_are_pearsons),
        cmocka_unit_test(correlations_of_many_and_of_none),
        cmocka_unit_test(outcomes_by_hand),
        cmocka_unit_test(outcomes_of_many_are_means),
        cmocka_unit_test(memory_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
