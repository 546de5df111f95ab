/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/hopkins_points.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>

enum { TILE = 512 };

/* One query while it is being answered. */
typedef struct query {
    const double *row;
    double square; /* of its length, in the units of the screen */
    double bound;  /* on the error of what the screen says */
    double best;   /* squared distance so far, in the units of the rows */
    size_t own;    /* the point that does not count, or SIZE_MAX */
} query;

static void centre_rows(assay_points *points);
static void to_screen(const assay_points *points, const double *row, float *screen, double *square);
static double screen_bound(const assay_points *points, double square);
static float add_squares(float *values, const float *squares, size_t n);
static void check_candidates(const assay_points *points, query *asked, const float *values,
                             float lowest, size_t first);
static double squared_distance(const double *a, const double *b, size_t d);

assay_status assay_points_new(size_t n, size_t d, assay_points *points)
{
    *points = (assay_points){ .n = n, .d = d };
    points->row = d > SIZE_MAX / n ? NULL : assay_alloc_aligned(n * d, sizeof(double));
    points->screen = d > SIZE_MAX / n ? NULL : assay_alloc_aligned(n * d, sizeof(float));
    points->centre = assay_alloc_aligned(d, sizeof(double));
    points->squares = assay_alloc_aligned(n, sizeof(float));
    if (points->row && points->screen && points->centre && points->squares) return ASSAY_OK;
    assay_points_free(points);
    return assay_fail(ASSAY_E_NOMEM, "no memory for %zu points of %zu dimensions", n, d);
}

void assay_points_free(assay_points *points)
{
    free(points->row);
    free(points->screen);
    free(points->centre);
    free(points->squares);
    *points = (assay_points){ 0 };
}

void assay_points_prepare(assay_points *points)
{
    points->longest = 0.0;
    centre_rows(points);
    for (size_t i = 0; i < points->n; i++) {
        double square;

        to_screen(points, points->row + i * points->d, points->screen + i * points->d, &square);
        points->squares[i] = (float)square;
        points->longest = fmax(points->longest, sqrt(square));
    }
}

/* The screen's error grows with the lengths of what it multiplies. */
static void centre_rows(assay_points *points)
{
    size_t n = points->n, d = points->d;
    double largest = 0.0;
    int exponent;

    for (size_t j = 0; j < d; j++) points->centre[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) points->centre[j] += points->row[i * d + j];
    for (size_t j = 0; j < d; j++) points->centre[j] /= (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            double size = fabs(points->row[i * d + j] - points->centre[j]);
            if (size > largest) largest = size;
        }
    frexp(largest, &exponent);
    points->unit = ldexp(1.0, -exponent);
}

static void to_screen(const assay_points *points, const double *row, float *screen, double *square)
{
    *square = 0.0;
    for (size_t j = 0; j < points->d; j++) {
        double value = (row[j] - points->centre[j]) * points->unit;

        screen[j] = (float)value;
        *square += value * value;
    }
}

assay_status assay_points_space_new(size_t d, assay_points_space *space)
{
    space->queries = assay_alloc_aligned((size_t)ASSAY_QUERIES * d, sizeof(float));
    space->tile = assay_alloc_aligned((size_t)ASSAY_QUERIES * TILE, sizeof(float));
    if (space->queries && space->tile) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for distances in %zu dimensions", d);
}

void assay_points_space_free(assay_points_space *space)
{
    free(space->queries);
    free(space->tile);
    *space = (assay_points_space){ 0 };
}

/* |q - x|^2 = |q|^2 + (|x|^2 - 2 q.x): the screen gives what is in brackets, a tile at a time. */
void assay_points_nearest(const assay_points *points, const double *queries, size_t n_queries,
                          size_t self, assay_points_space *space, double *squared)
{
    query asked[ASSAY_QUERIES];
    size_t d = points->d;

    for (size_t q = 0; q < n_queries; q++) {
        asked[q] = (query){ .row = queries + q * d, .best = INFINITY, .own = SIZE_MAX };
        if (self != SIZE_MAX) asked[q].own = self + q;
        to_screen(points, asked[q].row, space->queries + q * d, &asked[q].square);
        asked[q].bound = screen_bound(points, asked[q].square);
    }
    for (size_t first = 0; first < points->n; first += TILE) {
        size_t n = points->n - first < TILE ? points->n - first : TILE;

        assay_linalg_abt_single(n_queries, n, d, -2.0f, space->queries, d,
                                points->screen + first * d, d, space->tile, TILE);
        for (size_t q = 0; q < n_queries; q++) {
            float *values = space->tile + q * TILE;
            size_t own = asked[q].own - first;

            if (own < n) values[own] = INFINITY;
            check_candidates(points, &asked[q], values,
                             add_squares(values, points->squares + first, n), first);
        }
    }
    for (size_t q = 0; q < n_queries; q++) squared[q] = asked[q].best;
}

/* Every rounding to single precision, of factors, products and sums, at its worst (Higham 2002,
   section 3.1, with room to spare), what may vanish below the least float, and double's part. */
static double screen_bound(const assay_points *points, double square)
{
    const double u = 0x1p-24;
    double length = sqrt(square), d = (double)points->d + 8.0;

    return u * (2.1 * d * length * points->longest + 4.0 * points->longest * points->longest) +
           0x1p-52 * d * square + d * 0x1p-120;
}

/* Returns the least of the sums: LANES of them side by side, which compilers turn into vectors. */
static float add_squares(float *values, const float *squares, size_t n)
{
    enum { LANES = 16 };
    float least[LANES], all = INFINITY;
    size_t j = 0;

    for (size_t k = 0; k < LANES; k++) least[k] = INFINITY;
    for (; j + LANES <= n; j += LANES)
        for (size_t k = 0; k < LANES; k++) {
            float sum = values[j + k] + squares[j + k];
            values[j + k] = sum;
            least[k] = sum < least[k] ? sum : least[k];
        }
    for (; j < n; j++) {
        values[j] += squares[j];
        all = values[j] < all ? values[j] : all;
    }
    for (size_t k = 0; k < LANES; k++) all = least[k] < all ? least[k] : all;
    return all;
}

/* Every point that may be nearer than the best so far, for all that the screen knows; what is no
   number there is a candidate too. */
static void check_candidates(const assay_points *points, query *asked, const float *values,
                             float lowest, size_t first)
{
    double known = asked->best * points->unit * points->unit - asked->square;
    double limit = fmin((double)lowest + asked->bound, known) + asked->bound;
    size_t n = points->n - first < TILE ? points->n - first : TILE;

    for (size_t j = 0; j < n; j++) {
        double squared;

        if ((double)values[j] > limit || first + j == asked->own) continue;
        squared = squared_distance(asked->row, points->row + (first + j) * points->d, points->d);
        asked->best = fmin(asked->best, squared);
    }
}

/* Four sums side by side, so that one addition need not wait for the one before. */
static double squared_distance(const double *a, const double *b, size_t d)
{
    double sum[4] = { 0.0 };

    for (size_t j = 0; j < d; j++) {
        double difference = a[j] - b[j];
        sum[j % 4] += difference * difference;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
