/* SPDX-License-Identifier: Apache-2.0 */
#include "text/vectors.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status check_finite(const double *dense, size_t n, size_t d);
static void scale_row(double *x, size_t n);
static double row_length(const double *x, size_t n);
static double *row_of(const assay_vectors *vectors, size_t i, size_t *n);
static assay_status count_distinct(assay_vectors *vectors);
static uint64_t hash_row(const assay_vectors *vectors, size_t i);
static int are_equal(const assay_vectors *vectors, size_t i, size_t j);
static double dot_dense(const double *x, const double *y, size_t d);
static double dot_sparse(const assay_vectors *vectors, size_t a, size_t a_end, size_t b,
                         size_t b_end);
static double least_turn(const assay_vectors *vectors, size_t i, size_t j);
static double dense_turn(const assay_vectors *vectors, size_t i, size_t j, size_t turn);
static double sparse_turn(const assay_vectors *vectors, size_t turn, size_t *a, size_t a_end,
                          size_t *b, size_t b_end);
static int is_zero(const double *x, size_t n);

assay_status assay_vectors_from_dense(double *dense, size_t n, size_t d, assay_vectors **out)
{
    assay_vectors *vectors = NULL;
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (n == 0 || d == 0)
        status = assay_fail(ASSAY_E_SHAPE, "vectors: %zu x %zu, expected at least 1 x 1", n, d);
    if (status == ASSAY_OK) status = check_finite(dense, n, d);
    if (status != ASSAY_OK) goto done;
    vectors = assay_alloc_zero(1, sizeof *vectors);
    if (!vectors) {
        status = assay_fail(ASSAY_E_NOMEM, "vectors: no memory");
        goto done;
    }
    vectors->n = n;
    vectors->d = d;
    vectors->dense = dense;
    dense = NULL;
    if ((status = assay_vectors_finish(vectors)) != ASSAY_OK) goto done;
    *out = vectors;
    vectors = NULL;
done:
    assay_vectors_free(vectors);
    free(dense);
    return status;
}

static assay_status check_finite(const double *dense, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++)
            if (!isfinite(dense[i * d + k]))
                return assay_fail(ASSAY_E_VALUE, "vectors: [%zu, %zu] is %g, expected a number", i,
                                  k, dense[i * d + k]);
    return ASSAY_OK;
}

assay_status assay_vectors_finish(assay_vectors *vectors)
{
    for (size_t i = 0; i < vectors->n; i++) {
        size_t n;
        double *row = row_of(vectors, i, &n);

        scale_row(row, n);
    }
    return assay_vectors_count(vectors);
}

assay_status assay_vectors_count(assay_vectors *vectors)
{
    vectors->n_zero = 0;
    for (size_t i = 0; i < vectors->n; i++)
        vectors->n_zero += (size_t)assay_vectors_is_zero(vectors, i);
    return count_distinct(vectors);
}

/* The entries of a row: all d of a dense one. */
static double *row_of(const assay_vectors *vectors, size_t i, size_t *n)
{
    if (vectors->dense) {
        *n = vectors->d;
        return vectors->dense + i * vectors->d;
    }
    *n = vectors->start[i + 1] - vectors->start[i];
    return vectors->value + vectors->start[i];
}

/* Where squares would overflow or vanish, the row is first brought near 1 by a power of two, which
   changes no digit. Adding 0 makes 0 of -0, so that equal rows have equal bytes. */
static void scale_row(double *x, size_t n)
{
    double length = row_length(x, n);

    if (!(length > 1e-140 && length < 1e140)) {
        double largest = 0;
        int exponent;

        for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
        if (largest > 0) {
            frexp(largest, &exponent);
            for (size_t k = 0; k < n; k++) x[k] = ldexp(x[k], -exponent);
        }
        length = row_length(x, n);
    }
    for (size_t k = 0; k < n; k++) x[k] = (length > 0 ? x[k] / length : 0) + 0.0;
}

static double row_length(const double *x, size_t n)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* Open addressing over the rows that differ from all before them: slots hold a row + 1, or 0. */
static assay_status count_distinct(assay_vectors *vectors)
{
    const size_t n = vectors->n;
    size_t n_slots = 16, *slots;
    uint64_t *hashes;

    while (n_slots / 2 < n) n_slots *= 2;
    slots = assay_alloc_zero(n_slots, sizeof *slots);
    hashes = assay_alloc(n, sizeof *hashes);
    vectors->n_distinct = 0;
    for (size_t i = 0; slots && hashes && i < n; i++) {
        size_t slot;

        hashes[i] = hash_row(vectors, i);
        slot = (size_t)hashes[i] & (n_slots - 1);
        for (; slots[slot]; slot = (slot + 1) & (n_slots - 1)) {
            const size_t other = slots[slot] - 1;
            if (hashes[other] == hashes[i] && are_equal(vectors, i, other)) break;
        }
        if (slots[slot]) continue;
        slots[slot] = i + 1;
        vectors->n_distinct++;
    }
    free(hashes);
    free(slots);
    return vectors->n_distinct ? ASSAY_OK
                               : assay_fail(ASSAY_E_NOMEM, "vectors: no memory for %zu rows", n);
}

static uint64_t mix(uint64_t h, uint64_t bits)
{
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t hash_row(const assay_vectors *vectors, size_t i)
{
    size_t n;
    const double *x = row_of(vectors, i, &n);
    uint64_t h = n;

    for (size_t k = 0; k < n; k++) {
        uint64_t bits;

        memcpy(&bits, &x[k], sizeof bits);
        h = mix(h, bits);
        if (!vectors->dense) h = mix(h, vectors->column[vectors->start[i] + k]);
    }
    return mix(h, h >> 32);
}

static int are_equal(const assay_vectors *vectors, size_t i, size_t j)
{
    size_t n, other_n;
    const double *x = row_of(vectors, i, &n), *other = row_of(vectors, j, &other_n);

    if (n != other_n || memcmp(x, other, n * sizeof *x) != 0) return 0;
    return vectors->dense ||
           memcmp(vectors->column + vectors->start[i], vectors->column + vectors->start[j],
                  n * sizeof *vectors->column) == 0;
}

double assay_vectors_dot(const assay_vectors *vectors, size_t i, size_t j)
{
    const size_t d = vectors->d;

    if (assay_vectors_by_turn(vectors)) return least_turn(vectors, i, j);
    if (!vectors->dense)
        return dot_sparse(vectors, vectors->start[i], vectors->start[i + 1], vectors->start[j],
                          vectors->start[j + 1]);
    return dot_dense(vectors->dense + i * d, vectors->dense + j * d, d);
}

static double dot_dense(const double *x, const double *y, size_t d)
{
    double sum = 0;

    for (size_t k = 0; k < d; k++) sum += x[k] * y[k];
    return sum;
}

/* Of the entries a .. a_end - 1 and b .. b_end - 1. */
static double dot_sparse(const assay_vectors *vectors, size_t a, size_t a_end, size_t b,
                         size_t b_end)
{
    const uint32_t *column = vectors->column;
    double sum = 0;

    while (a < a_end && b < b_end) {
        const uint32_t of_a = column[a], of_b = column[b];

        if (of_a == of_b) sum += vectors->value[a] * vectors->value[b];
        a += of_a <= of_b;
        b += of_b <= of_a;
    }
    return sum;
}

static double least_turn(const assay_vectors *vectors, size_t i, size_t j)
{
    size_t a = vectors->dense ? 0 : vectors->start[i], b = vectors->dense ? 0 : vectors->start[j];
    double least = 1;

    for (size_t t = 0; t < vectors->n_turns; t++) {
        if (!vectors->dense && a == vectors->start[i + 1] && b == vectors->start[j + 1]) break;
        const double product = vectors->dense ? dense_turn(vectors, i, j, t)
                                              : sparse_turn(vectors, t, &a, vectors->start[i + 1],
                                                            &b, vectors->start[j + 1]);
        least = product < least ? product : least;
    }
    return least;
}

/* Turns that are both zero are alike. */
static double dense_turn(const assay_vectors *vectors, size_t i, size_t j, size_t turn)
{
    const size_t d = vectors->d / vectors->n_turns;
    const double *x = vectors->dense + i * vectors->d + turn * d;
    const double *y = vectors->dense + j * vectors->d + turn * d;

    return is_zero(x, d) && is_zero(y, d) ? 1 : dot_dense(x, y, d);
}

/* The turn's entries are from *a and *b on, which move on to those of the next. */
static double sparse_turn(const assay_vectors *vectors, size_t turn, size_t *a, size_t a_end,
                          size_t *b, size_t b_end)
{
    const size_t beyond = (turn + 1) * (vectors->d / vectors->n_turns), from_a = *a, from_b = *b;

    while (*a < a_end && vectors->column[*a] < beyond) ++*a;
    while (*b < b_end && vectors->column[*b] < beyond) ++*b;
    if (from_a == *a && from_b == *b) return 1;
    return dot_sparse(vectors, from_a, *a, from_b, *b);
}

int assay_vectors_is_zero(const assay_vectors *vectors, size_t i)
{
    size_t n;
    const double *x = row_of(vectors, i, &n);

    return is_zero(x, n);
}

static int is_zero(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (x[k] != 0) return 0;
    return 1;
}

void assay_vectors_free(assay_vectors *vectors)
{
    if (!vectors) return;
    for (size_t k = 0; vectors->terms && k < vectors->n_terms; k++) free(vectors->terms[k]);
    free(vectors->terms);
    free(vectors->dense);
    free(vectors->start);
    free(vectors->column);
    free(vectors->value);
    free(vectors);
}

size_t assay_vectors_n(const assay_vectors *vectors)
{
    return vectors->n;
}

size_t assay_vectors_dimensions(const assay_vectors *vectors)
{
    return vectors->d;
}

size_t assay_vectors_n_zero(const assay_vectors *vectors)
{
    return vectors->n_zero;
}

size_t assay_vectors_n_distinct(const assay_vectors *vectors)
{
    return vectors->n_distinct;
}

const char *assay_vectors_term(const assay_vectors *vectors, size_t column)
{
    return vectors->terms && column < vectors->d ? vectors->terms[column % vectors->n_terms] : NULL;
}

void assay_vectors_row(const assay_vectors *vectors, size_t i, double *out)
{
    if (vectors->dense) {
        memcpy(out, vectors->dense + i * vectors->d, vectors->d * sizeof *out);
        return;
    }
    for (size_t k = 0; k < vectors->d; k++) out[k] = 0;
    for (size_t e = vectors->start[i]; e < vectors->start[i + 1]; e++)
        out[vectors->column[e]] = vectors->value[e];
}
