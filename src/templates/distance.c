/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of scores, and how far two distributions of them are apart. */
#include "templates/distance.h"

#include "core/error.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

/* Which order statistic, counted from 0. The product n p may be just above a whole number that it is
   meant to be, which the inverse must not take for the next one. */
static size_t place_of(size_t n, double p, assay_quantile_rule rule)
{
    double at = (double)n * p;
    size_t place = (size_t)at;

    if (rule == ASSAY_QUANTILE_INVERSE) {
        at = ceil(at - 1e-9);
        place = at > 1.0 ? (size_t)at - 1 : 0;
    }
    return place < n ? place : n - 1;
}

double assay_sorted_quantile(const double *s, size_t n, double p, assay_quantile_rule rule)
{
    return rule == ASSAY_QUANTILE_LINEAR ? assay_quantile_of_sorted(s, n, p)
                                         : s[place_of(n, p, rule)];
}

double assay_sorted_w1(const double *x, const double *y, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) sum += fabs(x[k] - y[k]);
    return sum / (double)n;
}

assay_status assay_check_quantile(double p, assay_quantile_rule rule)
{
    if (!(p >= 0.0 && p <= 1.0) || (unsigned)rule > ASSAY_QUANTILE_INVERSE)
        return assay_fail(ASSAY_E_VALUE,
                          "the %g-quantile by rule %d, expected 0 to 1, rules 0 to 2", p,
                          (int)rule);
    return ASSAY_OK;
}

assay_status assay_scores_quantile(const double *scores, size_t n, double p,
                                   assay_quantile_rule rule, double *out)
{
    assay_status status;
    double *s;

    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "a quantile of no scores");
    if ((status = assay_check_quantile(p, rule)) != ASSAY_OK) return status;
    s = assay_sorted_copy(scores, n);
    if (!s) return assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu scores", n);
    *out = assay_sorted_quantile(s, n, p, rule);
    free(s);
    return ASSAY_OK;
}

assay_status assay_scores_w1(const double *a, const double *b, size_t n, double *out)
{
    double *x, *y;

    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "the distance between no scores");
    x = assay_sorted_copy(a, n);
    y = assay_sorted_copy(b, n);
    if (x && y) *out = assay_sorted_w1(x, y, n);
    free(x);
    free(y);
    return x && y ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu scores", n);
}
