/* SPDX-License-Identifier: Apache-2.0 */
#include "score/mixture.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/distributions.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct component {
    double weight, a, b;
} component;

static int by_shape(const void *left, const void *right);
static int by_weight(const void *left, const void *right);
static size_t gather(const double *weight, const double *a, const double *b, size_t n,
                     component *components);
static assay_status keep(const component *components, size_t n, double total, assay_mixture *out);

assay_status assay_mixture_new(const double *weight, const double *a, const double *b, size_t n,
                               assay_mixture *out)
{
    component *components = assay_alloc(n, sizeof *components);
    double total = 0.0, light = 0.0;
    size_t n_distinct, first = 0;
    assay_status status;

    *out = (assay_mixture){ 0 };
    if (!components)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a mixture of %zu components", n);
    n_distinct = gather(weight, a, b, n, components);
    qsort(components, n_distinct, sizeof *components, by_weight);
    for (size_t k = 0; k < n_distinct; k++) total += components[k].weight;
    while (first + 1 < n_distinct && light + components[first].weight <= ASSAY_MIXTURE_DROP * total)
        light += components[first++].weight;
    status = n_distinct == 0 ? assay_fail(ASSAY_E_DEGENERATE, "a mixture without a weight above 0")
                             : keep(components + first, n_distinct - first, total - light, out);
    out->dropped = n_distinct ? light / total : 0.0;
    free(components);
    return status;
}

void assay_mixture_free(assay_mixture *mixture)
{
    free(mixture->weight);
    *mixture = (assay_mixture){ 0 };
}

/* Those of any weight, equal shapes put together. Returns how many they are. */
static size_t gather(const double *weight, const double *a, const double *b, size_t n,
                     component *components)
{
    size_t n_kept = 0, n_distinct = 0;
    double floor = 0.0;

    for (size_t k = 0; k < n; k++) floor = fmax(floor, weight[k]);
    floor *= ASSAY_MIXTURE_DROP * 1e-3 / (double)n; /* far below what may be left out of all */
    for (size_t k = 0; k < n; k++)
        if (weight[k] > floor) components[n_kept++] = (component){ weight[k], a[k], b[k] };
    qsort(components, n_kept, sizeof *components, by_shape);
    for (size_t k = 0; k < n_kept; k++) {
        component *last = components + n_distinct;
        if (n_distinct && last[-1].a == components[k].a && last[-1].b == components[k].b)
            last[-1].weight += components[k].weight;
        else
            components[n_distinct++] = components[k];
    }
    return n_distinct;
}

static int by_number(double x, double y)
{
    return (x > y) - (x < y);
}

static int by_shape(const void *left, const void *right)
{
    const component *x = left, *y = right;
    int order = by_number(x->a, y->a);

    if (order == 0) order = by_number(x->b, y->b);
    return order ? order : by_number(x->weight, y->weight);
}

static int by_weight(const void *left, const void *right)
{
    int order = by_number(((const component *)left)->weight, ((const component *)right)->weight);

    return order ? order : by_shape(left, right);
}

static assay_status keep(const component *components, size_t n, double total, assay_mixture *out)
{
    double *numbers = assay_alloc(4 * n, sizeof *numbers);

    if (!numbers) return assay_fail(ASSAY_E_NOMEM, "no memory for a mixture of %zu components", n);
    *out = (assay_mixture){ n, numbers, numbers + n, numbers + 2 * n, numbers + 3 * n, 0.0 };
    for (size_t k = 0; k < n; k++) {
        out->weight[k] = components[k].weight / total;
        out->a[k] = components[k].a;
        out->b[k] = components[k].b;
        out->log_beta[k] = assay_log_beta(out->a[k], out->b[k]);
    }
    return ASSAY_OK;
}

double assay_mixture_mean(const assay_mixture *mixture)
{
    double mean = 0.0;

    for (size_t k = 0; k < mixture->n; k++)
        mean += mixture->weight[k] * (mixture->a[k] / (mixture->a[k] + mixture->b[k]));
    return mean;
}

double assay_mixture_cdf(const assay_mixture *mixture, double q)
{
    double sum = 0.0;

    for (size_t k = 0; k < mixture->n; k++)
        sum += mixture->weight[k] * assay_beta_cdf(q, mixture->a[k], mixture->b[k]);
    return sum;
}

static double density(const assay_mixture *mixture, size_t k, double log_q, double log_rest)
{
    return mixture->weight[k] * exp((mixture->a[k] - 1.0) * log_q +
                                    (mixture->b[k] - 1.0) * log_rest - mixture->log_beta[k]);
}

double assay_mixture_density(const assay_mixture *mixture, double q)
{
    double log_q = log(q), log_rest = log1p(-q), sum = 0.0;

    for (size_t k = 0; k < mixture->n; k++) sum += density(mixture, k, log_q, log_rest);
    return sum;
}

/* ---- quantiles ---- */

/* The search for a quantile: it is between low and high. Components that are all below low count
   as settled and those all above high as nothing, so that few are left to evaluate. */
struct search {
    const assay_mixture *mixture;
    double p, low, high, settled, error; /* error: how far the latest cdf was from p */
    size_t *active, n_active;
    double *cdf; /* of each active component, at the latest point */
};

static const double nearly = 1e-13; /* of q */

static double start_of_search(const assay_mixture *mixture, double p);
static double step_of_search(struct search *search, double q);

assay_status assay_mixture_quantile(const assay_mixture *mixture, double p, double *q)
{
    struct search search = {
        .mixture = mixture, .p = p, .high = 1.0, .error = 2.0, .n_active = mixture->n
    };
    double at = start_of_search(mixture, p);
    assay_status status = ASSAY_OK;

    search.active = assay_alloc(mixture->n, sizeof *search.active);
    search.cdf = assay_alloc(mixture->n, sizeof *search.cdf);
    if (!search.active || !search.cdf) {
        status =
            assay_fail(ASSAY_E_NOMEM, "no memory for a quantile of %zu components", mixture->n);
        goto done;
    }
    for (size_t k = 0; k < mixture->n; k++) search.active[k] = k;
    for (int i = 0; i < 400; i++) {
        double next = step_of_search(&search, at), moved = fabs(next - at);
        at = next;
        if (moved <= nearly || search.high - search.low <= nearly) break;
    }
    *q = at;
done:
    free(search.cdf);
    free(search.active);
    return status;
}

/* From the normal distribution of the mixture's mean and variance: a bound for the search's length,
   not for its result. */
static double start_of_search(const assay_mixture *mixture, double p)
{
    double mean = assay_mixture_mean(mixture), variance = 0.0, q;

    for (size_t k = 0; k < mixture->n; k++) {
        double sum = mixture->a[k] + mixture->b[k], mu = mixture->a[k] / sum;
        variance +=
            mixture->weight[k] * (mu * (1.0 - mu) / (sum + 1.0) + (mu - mean) * (mu - mean));
    }
    q = mean + sqrt(variance) * assay_normal_quantile(p);
    if (q > 0.0 && q < 1.0) return q;
    return q <= 0.0 ? 0.5 * p * mean : 1.0 - 0.5 * (1.0 - p) * (1.0 - mean);
}

/* Components that this point settles are put aside. */
static void settle(struct search *search, int is_low)
{
    size_t n_left = 0;

    for (size_t i = 0; i < search->n_active; i++) {
        size_t k = search->active[i];
        if (is_low && search->cdf[i] >= 1.0)
            search->settled += search->mixture->weight[k];
        else if (is_low || search->cdf[i] > 1e-17)
            search->active[n_left++] = k;
    }
    search->n_active = n_left;
}

/* One step of Halley's method from q, or of bisection where that leaves the bounds, which q
   narrows, or did not halve the error. Returns q itself when it is near enough. */
static double step_of_search(struct search *search, double q)
{
    const assay_mixture *mixture = search->mixture;
    double log_q = log(q), log_rest = log1p(-q);
    double sum = search->settled - search->p, slope = 0.0, bend = 0.0, newton, next;
    int helps;

    for (size_t i = 0; i < search->n_active; i++) {
        size_t k = search->active[i];
        double f = density(mixture, k, log_q, log_rest);

        search->cdf[i] = assay_beta_cdf(q, mixture->a[k], mixture->b[k]);
        sum += mixture->weight[k] * search->cdf[i];
        slope += f;
        bend += f * ((mixture->a[k] - 1.0) / q - (mixture->b[k] - 1.0) / (1.0 - q));
    }
    newton = sum / slope;
    if (sum == 0.0 || fabs(newton) <= nearly) return q;
    if (sum < 0.0)
        search->low = q;
    else
        search->high = q;
    settle(search, sum < 0.0);
    next = q - newton / fmax(1.0 - 0.5 * newton * bend / slope, 0.5);
    helps = fabs(sum) < 0.5 * search->error;
    search->error = fabs(sum);
    if (helps && next > search->low && next < search->high) return next;
    return 0.5 * (search->low + search->high);
}
