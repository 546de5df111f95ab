/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/intervals.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>

static assay_status check_level(double level)
{
    if (level > 0.0 && level < 1.0) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE, "interval: level is %g, expected between 0 and 1", level);
}

static void wald(double x, double n, double z, double bounds[2])
{
    double p = x / n, reach = z * sqrt(p * (1.0 - p) / n);

    bounds[0] = p - reach;
    bounds[1] = p + reach;
}

static void wilson(double x, double n, double z, double bounds[2])
{
    double p = x / n, z2 = z * z / n, middle = (p + 0.5 * z2) / (1.0 + z2);
    double reach = z * sqrt(p * (1.0 - p) / n + 0.25 * z2 / n) / (1.0 + z2);

    bounds[0] = x == 0.0 ? 0.0 : middle - reach;
    bounds[1] = x == n ? 1.0 : middle + reach;
}

/* The tails of Beta(a, b) below and of Beta(c, d) above; at 0 and n a bound may be the end itself. */
static void from_beta(double x, double n, double level, assay_interval_kind kind, double bounds[2])
{
    double tail = 0.5 - 0.5 * level, below = 0.0, above = 1.0; /* what is added to x */
    int reaches_ends = kind != ASSAY_INTERVAL_UNIFORM;

    if (kind == ASSAY_INTERVAL_JEFFREYS) below = above = 0.5;
    if (kind == ASSAY_INTERVAL_UNIFORM) below = above = 1.0;
    bounds[0] = 0.0;
    bounds[1] = 1.0;
    if (!(reaches_ends && x == 0.0))
        bounds[0] = assay_beta_quantile(
            tail, x + below, n - x + (kind == ASSAY_INTERVAL_CLOPPER_PEARSON ? 1.0 : below));
    if (!(reaches_ends && x == n))
        bounds[1] = assay_beta_quantile(
            1.0 - tail, x + above, n - x + (kind == ASSAY_INTERVAL_CLOPPER_PEARSON ? 0.0 : above));
}

assay_status assay_interval(assay_interval_kind kind, double x, double n, double level,
                            double bounds[2])
{
    assay_status status = check_level(level);
    double z;

    if (status != ASSAY_OK) return status;
    if (!(n > 0.0 && isfinite(n)))
        return assay_fail(ASSAY_E_VALUE, "interval: n is %g, expected above 0", n);
    if (!(x >= 0.0 && x <= n))
        return assay_fail(ASSAY_E_VALUE, "interval: %g successes of %g", x, n);
    if ((unsigned)kind > ASSAY_INTERVAL_UNIFORM)
        return assay_fail(ASSAY_E_VALUE, "interval: kind %d is not known", (int)kind);
    z = assay_normal_quantile(0.5 + 0.5 * level);
    if (kind == ASSAY_INTERVAL_WALD)
        wald(x, n, z, bounds);
    else if (kind == ASSAY_INTERVAL_WILSON)
        wilson(x, n, z, bounds);
    else
        from_beta(x, n, level, kind, bounds);
    return ASSAY_OK;
}

static assay_status check_scores(const double *scores, const size_t *labels, size_t n)
{
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "a clustered mean of no scores");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(scores[i]))
            return assay_fail(ASSAY_E_VALUE, "clustered mean: score %zu is %g", i, scores[i]);
        if (labels[i] >= n)
            return assay_fail(ASSAY_E_VALUE,
                              "clustered mean: label %zu of score %zu, expected "
                              "below %zu",
                              labels[i], i, n);
    }
    return ASSAY_OK;
}

assay_status assay_clustered_mean(const double *scores, const size_t *labels, size_t n,
                                  double level, assay_clustered *out)
{
    assay_clustered result = { 0 };
    double *sums = NULL, squares = 0.0, between = 0.0, C;
    unsigned char *seen = NULL;
    assay_status status = check_level(level);

    if (status == ASSAY_OK) status = check_scores(scores, labels, n);
    if (status != ASSAY_OK) return status;
    sums = assay_alloc_zero(n, sizeof *sums);
    seen = assay_alloc_zero(n, 1);
    if (!sums || !seen) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the clusters of %zu scores", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++) result.mean += scores[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        double away = scores[i] - result.mean;
        squares += away * away;
        sums[labels[i]] += away;
        result.n_clusters += !seen[labels[i]];
        seen[labels[i]] = 1;
    }
    for (size_t c = 0; c < n; c++) between += sums[c] * sums[c];
    C = (double)result.n_clusters;
    result.plain = n > 1 ? sqrt(squares / ((double)n * ((double)n - 1.0))) : NAN;
    result.miller = C > 1.0 ? sqrt(between) / (double)n : NAN;
    result.inspect = result.miller * sqrt(C / (C - 1.0));
    result.t = C > 1.0 ? assay_student_quantile(0.5 + 0.5 * level, C - 1.0) : NAN;
    result.bounds[0] = result.mean - result.t * result.inspect;
    result.bounds[1] = result.mean + result.t * result.inspect;
    *out = result;
done:
    free(seen);
    free(sums);
    return status;
}
