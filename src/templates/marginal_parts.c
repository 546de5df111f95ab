/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_parts.h"

#include <math.h>
#include <stddef.h>

enum { POINTS = ASSAY_LAW_POINTS, PARTS = ASSAY_PRIOR_PARTS };

double assay_part_centre(size_t m)
{
    return ASSAY_PART_WIDTH * (double)m - 4.0;
}

void assay_part_start(double *weights)
{
    double sum = 0.0;

    for (size_t m = 0; m < PARTS; m++) {
        double c = assay_part_centre(m);

        sum += weights[m] = exp(-0.5 * c * c / (1.0 - ASSAY_PART_WIDTH * ASSAY_PART_WIDTH));
    }
    for (size_t m = 0; m < PARTS; m++) weights[m] /= sum;
}

/* density[direction j] = start ratio^j fall[j] of j < n, four at a time. */
static inline void spread(double start, double ratio, const double *fall, size_t n,
                          ptrdiff_t direction, double *density)
{
    double square = ratio * ratio, by = square * square;
    double of[4] = { start, start * ratio, start * square, start * square * ratio };
    size_t j = 0;

    for (; j + 4 <= n; j += 4) {
        for (size_t l = 0; l < 4; l++) {
            density[direction * (ptrdiff_t)(j + l)] = of[l] * fall[j + l];
            of[l] *= by;
        }
    }
    for (size_t l = 0; j + l < n; l++)
        density[direction * (ptrdiff_t)(j + l)] = of[l] * fall[j + l];
}

/* One point's, a parts away from that nearest, outwards from it: exp(-gap (j - a)^2) of the j-th is
   exp(-gap a^2) exp(2 gap a)^j fall[j]. What is less than e^-69 of the nearest one's is 0. */
static void spread_from(size_t nearest, double a, double gap, double start, const double *fall,
                        double *density)
{
    const double negligible = 69.0;
    double far = sqrt(a * a + negligible / gap), above = far + a, below = far - a;
    size_t most_above = PARTS - nearest, most_below = nearest + 1;
    double ratio =
        exp(most_above > 1 ? 2.0 * gap * a : -2.0 * gap * a); /* below 2: |a| < 1/2 inside */

    for (size_t m = 0; m < PARTS; m++) density[m] = 0.0;
    if (above + 1.0 < (double)most_above) most_above = (size_t)above + 1;
    if (below + 1.0 < (double)most_below) most_below = (size_t)below + 1;
    if (nearest + 1 < PARTS) spread(start, ratio, fall, most_above, 1, density + nearest);
    if (nearest > 0)
        spread(start, nearest + 1 < PARTS ? 1.0 / ratio : ratio, fall, most_below, -1,
               density + nearest);
}

/* The part nearest to x standard deviations of the own effects. */
static size_t nearest_part(double x)
{
    double m = floor((x + 4.0) / ASSAY_PART_WIDTH + 0.5);

    return m < 0.0 ? 0 : m > PARTS - 1 ? PARTS - 1 : (size_t)m;
}

/* fall[j] = exp(-gap j^2): the ratio of two neighbours falls by exp(-2 gap) a step. */
static void find_fall(double gap, double *fall)
{
    const double least = 1e-280; /* where digits end */
    double change = exp(-2.0 * gap), ratio = exp(-gap);

    fall[0] = 1.0;
    for (size_t j = 1; j < PARTS; j++) {
        fall[j] = fall[j - 1] > least ? fall[j - 1] * ratio : 0.0;
        ratio *= change;
    }
}

void assay_part_densities(double low, double step, double mean, double variance, double own_sd,
                          double *density)
{
    double d = own_sd * ASSAY_PART_WIDTH, gap = 0.5 * d * d / (variance + d * d);
    double fall[PARTS], away[POINTS]; /* from the nearest part, in their distances */
    double least = INFINITY;
    size_t nearest[POINTS];

    find_fall(gap, fall);
    for (size_t t = 0; t < POINTS; t++) {
        double x = (low + (double)t * step - mean) / own_sd;

        nearest[t] = nearest_part(x);
        away[t] = (x - assay_part_centre(nearest[t])) / ASSAY_PART_WIDTH;
        least = away[t] * away[t] < least ? away[t] * away[t] : least;
    }
    for (size_t t = 0; t < POINTS; t++)
        spread_from(nearest[t], away[t], gap, exp(-gap * (away[t] * away[t] - least)), fall,
                    density + t * PARTS);
}
