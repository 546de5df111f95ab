/* SPDX-License-Identifier: Apache-2.0 */
#include "score/mixture.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct point {
    double q, density, cdf;
} point;

/* Points from left to right. */
struct curve {
    point *points;
    size_t n, capacity;
};

enum { N_COARSE = 64, DEEPEST = 48 };
static const double most_mass = 1.0 / 512; /* between two points, unless they are this near: */
static const double least_width = 1e-9;
static const double edge = 1e-12; /* densities may be infinite at 0 and 1 */

static assay_status draw(const assay_mixture *mixture, struct curve *curve);
static double region(const assay_mixture *mixture, const struct curve *curve, double threshold,
                     assay_hpd *set);

/* The threshold is found by bisection on its logarithm. */
assay_status assay_mixture_hpd(const assay_mixture *mixture, double level, assay_hpd *out)
{
    struct curve curve = { 0 };
    assay_hpd set = { 0 };
    double low = INFINITY, high = 0.0, mass = 0.0;
    assay_status status = draw(mixture, &curve);

    *out = (assay_hpd){ 0 };
    if (status != ASSAY_OK) goto done;
    set.bounds = assay_alloc(curve.n, sizeof *set.bounds);
    if (!set.bounds) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a set of highest density");
        goto done;
    }
    for (size_t i = 0; i < curve.n; i++) {
        low = fmin(low, curve.points[i].density);
        high = fmax(high, curve.points[i].density);
    }
    low = log(fmax(low, 1e-300)) - 1.0;
    high = log(high);
    for (int i = 0; i < 60 && fabs(mass - level) > 1e-8; i++) {
        double middle = 0.5 * (low + high);
        mass = region(mixture, &curve, exp(middle), &set);
        if (mass > level)
            low = middle;
        else
            high = middle;
    }
    if (mass < level - 1e-8) region(mixture, &curve, exp(low), &set); /* a flat density */
    *out = set;
    set.bounds = NULL;
done:
    free(set.bounds);
    free(curve.points);
    return status;
}

static point point_at(const assay_mixture *mixture, double q)
{
    return (point){ q, assay_mixture_density(mixture, q), assay_mixture_cdf(mixture, q) };
}

/* Halve the way to the next point until little probability is left between neighbours. */
static assay_status draw(const assay_mixture *mixture, struct curve *curve)
{
    point stack[DEEPEST], last = point_at(mixture, edge);

    for (int k = 0; k <= N_COARSE; k++) {
        double sine = sin(0.5 * acos(-1.0) * k / N_COARSE);
        int depth = 1;

        stack[0] = k == 0 ? last : point_at(mixture, fmin(fmax(sine * sine, edge), 1.0 - edge));
        while (depth > 0) {
            point next = stack[depth - 1];
            if (depth < DEEPEST && next.cdf - last.cdf > most_mass &&
                next.q - last.q > least_width) {
                stack[depth++] = point_at(mixture, 0.5 * (last.q + next.q));
                continue;
            }
            if (assay_grow(&curve->points, &curve->capacity, curve->n + 1, sizeof next) != 0)
                return assay_fail(ASSAY_E_NOMEM, "no memory for a density of %zu points", curve->n);
            curve->points[curve->n++] = last = next;
            depth--;
        }
    }
    return ASSAY_OK;
}

/* Where the density passes the threshold between two points: the Illinois method on logarithms. */
static double crossing(const assay_mixture *mixture, const point *left, double threshold)
{
    double low = left[0].q, high = left[1].q, level = log(threshold);
    double at_low = log(left[0].density) - level, at_high = log(left[1].density) - level;

    for (int i = 0; i < 80 && high - low > 1e-14; i++) {
        double q = isfinite(at_low) && isfinite(at_high)
                       ? (low * at_high - high * at_low) / (at_high - at_low)
                       : 0.5 * (low + high);
        double at = log(assay_mixture_density(mixture, q)) - level;

        if (fabs(at) < 1e-12) return q;
        if ((at > 0.0) == (at_high > 0.0)) {
            high = q;
            at_high = at;
            at_low *= 0.5;
        } else {
            low = q;
            at_low = at;
            at_high *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

/* The set where the density is above the threshold; returns its probability. */
static double region(const assay_mixture *mixture, const struct curve *curve, double threshold,
                     assay_hpd *set)
{
    const point *points = curve->points;
    double mass = 0.0;

    set->n = 0;
    for (size_t i = 0; i < curve->n; i++) {
        int above = points[i].density > threshold;
        if (above && (i == 0 || !(points[i - 1].density > threshold)))
            set->bounds[set->n][0] = i == 0 ? 0.0 : crossing(mixture, points + i - 1, threshold);
        if (above && i + 1 == curve->n) set->bounds[set->n++][1] = 1.0;
        if (above && i + 1 < curve->n && !(points[i + 1].density > threshold))
            set->bounds[set->n++][1] = crossing(mixture, points + i, threshold);
    }
    for (size_t k = 0; k < set->n; k++)
        mass += assay_mixture_cdf(mixture, set->bounds[k][1]) -
                assay_mixture_cdf(mixture, set->bounds[k][0]);
    return mass;
}
