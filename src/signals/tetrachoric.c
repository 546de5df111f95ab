/* SPDX-License-Identifier: Apache-2.0 */
/* Steps as in docs/signals.md, "Tetrachoric ED". */
#include "signals/tetrachoric.h"

#include "assay/tetrachoric.h"
#include "core/error.h"
#include "stats/bivariate_normal.h"
#include "stats/distributions.h"

#include <inttypes.h>
#include <math.h>

/* The table in doubles, with 1/2 for 0; n is their sum. */
struct cells {
    double n11, n10, n01, n00, n;
};

static struct cells corrected(assay_two_by_two table);
static double threshold(double ones, double zeros);
static double first_guess(const struct cells *cells);
static double solve(assay_orthant orthant, double target, double x);

assay_status assay_tetrachoric(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00, double *r)
{
    assay_two_by_two table = { n11, n10, n01, n00 };
    double sign;

    if (assay_two_by_two_is_degenerate(table))
        return assay_fail(ASSAY_E_DEGENERATE,
                          "tetrachoric: of a table with %" PRIu64 ", %" PRIu64 ", %" PRIu64
                          " and %" PRIu64 " one side is constant",
                          n11, n10, n01, n00);
    table = assay_two_by_two_canonical(table, &sign);
    *r = sign * assay_tetrachoric_canonical(table);
    return ASSAY_OK;
}

int assay_two_by_two_is_degenerate(assay_two_by_two table)
{
    return (!table.n11 && !table.n10) || (!table.n01 && !table.n00) || (!table.n11 && !table.n01) ||
           (!table.n10 && !table.n00);
}

static void exchange(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;

    *a = *b;
    *b = kept;
}

assay_two_by_two assay_two_by_two_canonical(assay_two_by_two table, double *sign)
{
    struct cells cells = corrected(table);

    *sign = 1.0;
    if (cells.n11 * cells.n00 < cells.n10 * cells.n01) { /* the second changes its sign */
        exchange(&table.n11, &table.n10);
        exchange(&table.n01, &table.n00);
        *sign = -1.0;
    }
    if (table.n11 > table.n00) exchange(&table.n11, &table.n00); /* both change it, and places */
    if (table.n10 > table.n01) exchange(&table.n10, &table.n01); /* the two change places */
    return table;
}

double assay_tetrachoric_canonical(assay_two_by_two table)
{
    struct cells cells = corrected(table);
    double h = threshold(cells.n11 + cells.n10, cells.n01 + cells.n00);
    double k = threshold(cells.n11 + cells.n01, cells.n10 + cells.n00);
    /* n11/n less the product of its margins: exact but for one rounding while n < 2^26. */
    double above = (cells.n11 * cells.n00 - cells.n10 * cells.n01) / (cells.n * cells.n), x;
    assay_orthant orthant = assay_orthant_at(h, k);

    if (!(above > 0.0)) return 0.0;
    x = solve(orthant, above / orthant.scale, first_guess(&cells));
    return (1.0 - x) * (1.0 + x) / (1.0 + x * x);
}

static struct cells corrected(assay_two_by_two table)
{
    struct cells cells = {
        .n11 = table.n11 ? (double)table.n11 : 0.5,
        .n10 = table.n10 ? (double)table.n10 : 0.5,
        .n01 = table.n01 ? (double)table.n01 : 0.5,
        .n00 = table.n00 ? (double)table.n00 : 0.5,
    };
    cells.n = (cells.n11 + cells.n00) + (cells.n10 + cells.n01);
    return cells;
}

/* The h with P(X > h) = ones / (ones + zeros), from the rarer side so that no digit is lost. */
static double threshold(double ones, double zeros)
{
    double n = ones + zeros;

    return ones <= zeros ? -assay_normal_quantile(ones / n) : assay_normal_quantile(zeros / n);
}

/* Bonett and Price (2005): rho is about cos(pi / (1 + odds ratio^e)), with e from the margins. Here
   x = tan(acos(rho) / 2). */
static double first_guess(const struct cells *cells)
{
    const double quarter_turn = 1.57079632679489661923;
    double first = (cells->n11 + cells->n10) / cells->n;
    double second = (cells->n11 + cells->n01) / cells->n;
    double rarest = fmin(fmin(first, 1.0 - first), fmin(second, 1.0 - second));
    double e = 0.5 * (1.0 - fabs(first - second) / 5.0 - (0.5 - rarest) * (0.5 - rarest));
    double odds_ratio = (cells->n11 / cells->n10) * (cells->n00 / cells->n01);

    return tan(quarter_turn / (1.0 + pow(odds_ratio, e)));
}

/*
 * The x at which the integral I of g from x to 1 is the target; I' = -g. Halley's step, since
 * g'/g = slope costs nothing, within a bracket: a step that leaves it, or is not below half of the
 * last one, is replaced by halving. The error after a step is about its cube, in units of the
 * length over which g changes, so that the step after one below 1e-5 of it needs no evaluation.
 * After the first, I is carried along by what lies between two x, which is little.
 * Below sqrt(near / 2) g has fallen so steeply that steps from there are blind: none starts there.
 */
static double solve(assay_orthant orthant, double target, double x)
{
    enum { MOST = 100 }; /* halvings end a bracket in 60 */
    double low = 0.0, high = 1.0, last = 1.0, integral;

    x = fmin(fmax(x, fmin(0.5, sqrt(0.5 * orthant.near))), 1.0);
    integral = assay_orthant_between(orthant, x, 1.0);
    for (int i = 0; i < MOST; i++) {
        double missing = target - integral, to;
        double slope =
            2.0 * orthant.near / (x * x * x) - 2.0 * orthant.far * x - 2.0 * x / (1.0 + x * x);
        double newton = missing / assay_orthant_density(orthant, x);
        double step = newton / fmax(1.0 - 0.5 * slope * newton, 0.5);

        if (missing > 0.0)
            high = x;
        else
            low = x;
        to = x - step;
        if (fabs(step) * (fabs(slope) + 1.0 / x) < 1e-5) return fmin(fmax(to, low), high);
        if (!(to > low && to < high) || fabs(step) > 0.5 * last) to = 0.5 * (low + high);
        last = fabs(to - x);
        integral +=
            to < x ? assay_orthant_between(orthant, to, x) : -assay_orthant_between(orthant, x, to);
        x = to;
    }
    return x;
}
