/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/bivariate_normal.h"

#include <math.h>
#include <stddef.h>

/* Gauss and Legendre's rules on [-1, 1]: the positive nodes, which have their mirror images. */
struct rule {
    size_t n;
    double node[8], weight[8];
};
static const struct rule rule_of_16 = {
    8,
    { 0.98940093499164993, 0.94457502307323258, 0.86563120238783174, 0.75540440835500303,
      0.61787624440264375, 0.45801677765722739, 0.28160355077925891, 0.095012509837637440 },
    { 0.027152459411754095, 0.062253523938647893, 0.095158511682492785, 0.12462897125553387,
      0.14959598881657673, 0.16915651939500254, 0.18260341504492359, 0.18945061045506850 },
};
static const struct rule rule_of_6 = {
    3,
    { 0.93246951420315203, 0.66120938646626451, 0.23861918608319691 },
    { 0.17132449237917035, 0.36076157304813861, 0.46791393457269105 },
};

static const double pi = 3.14159265358979323846;

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}

double assay_bivariate_normal(double h, double k, double rho)
{
    double a = fabs(rho), other = rho < 0.0 ? -k : k, independent = normal_cdf(h) * normal_cdf(k);
    assay_orthant orthant;
    double added;

    if (isnan(h) || isnan(k) || !(a <= 1.0)) return NAN;
    if (isinf(h) || isinf(k)) return independent;
    if (rho == 1.0) return normal_cdf(fmin(h, k));
    if (rho == -1.0) return fmax(normal_cdf(h) - normal_cdf(-k), 0.0);
    orthant = assay_orthant_at(h, other);
    added = orthant.scale * assay_orthant_between(orthant, sqrt((1.0 - a) / (1.0 + a)), 1.0);
    return rho < 0.0 ? fmax(independent - added, 0.0) : independent + added;
}

assay_orthant assay_orthant_at(double h, double k)
{
    return (assay_orthant){
        .near = (h - k) * (h - k) / 8.0,
        .far = (h + k) * (h + k) / 8.0,
        .scale = exp(-(h * h + k * k) / 4.0) / pi,
    };
}

double assay_orthant_density(assay_orthant orthant, double x)
{
    double square = x * x, inverse = 1.0 / (square * (1.0 + square));

    return exp(-orthant.near * inverse * (1.0 + square) - orthant.far * square) * inverse * square;
}

static double by_rule(const struct rule *rule, assay_orthant orthant, double low, double high)
{
    double middle = 0.5 * (low + high), half = 0.5 * (high - low), sum = 0.0;

    for (size_t i = 0; i < rule->n; i++) {
        double reach = half * rule->node[i];

        sum += rule->weight[i] * (assay_orthant_density(orthant, middle - reach) +
                                  assay_orthant_density(orthant, middle + reach));
    }
    return half * sum;
}

/* How many times e^1 g may change in between, to a bound. */
static double change(assay_orthant orthant, double low, double high)
{
    double slope = 2.0 * orthant.near / (low * low * low) + 2.0 * orthant.far * high + 1.0 / low;

    return slope * (high - low);
}

/* g has its only singularities at 0 and +-i, so that from half of an x to that x 16 nodes give all
   digits; an interval over which g hardly changes needs 6. Below the x at which g underflows, and
   below 2^-60, there is nothing to add. */
double assay_orthant_between(assay_orthant orthant, double low, double high)
{
    double sum = 0.0;

    while (high > low && high > 0x1p-60 && orthant.near < 745.0 * high * high) {
        double from = fmax(low, 0.5 * high);
        const struct rule *rule = change(orthant, from, high) < 0.5 ? &rule_of_6 : &rule_of_16;

        sum += by_rule(rule, orthant, from, high);
        high = from;
    }
    return sum;
}
