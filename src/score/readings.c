/* SPDX-License-Identifier: Apache-2.0 */
#include "score/readings.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

assay_status assay_reading_mixture(const assay_posterior *posterior, assay_reading reading,
                                   assay_mixture *out)
{
    if (reading == ASSAY_READING_SPREAD)
        return assay_mixture_new(posterior->weight, posterior->a, posterior->b,
                                 2 * posterior->n - 1, out);
    return assay_matched_mixture(
        posterior->post, posterior->mean,
        reading == ASSAY_READING_THESE ? posterior->var_b : posterior->var_c, posterior->n, out);
}

/* Beta(mean k, (1 - mean) k) has variance mean (1 - mean) / (k + 1). */
assay_status assay_matched_mixture(const double *weight, const double *mean, const double *variance,
                                   size_t n, assay_mixture *out)
{
    double *a = assay_alloc(2 * n, sizeof *a), *b;
    assay_status status;

    *out = (assay_mixture){ 0 };
    if (!a) return assay_fail(ASSAY_E_NOMEM, "no memory for a mixture over %zu cuts", n);
    b = a + n;
    for (size_t s = 0; s < n; s++) {
        double k = mean[s] * (1.0 - mean[s]) / fmax(variance[s], 1e-300) - 1.0;
        a[s] = mean[s] * k;
        b[s] = (1.0 - mean[s]) * k;
    }
    status = assay_mixture_new(weight, a, b, n, out);
    free(a);
    return status;
}

assay_status assay_mixture_interval(const assay_mixture *mixture, double level, double bounds[2])
{
    assay_status status = assay_mixture_quantile(mixture, 0.5 - 0.5 * level, &bounds[0]);

    if (status != ASSAY_OK) return status;
    return assay_mixture_quantile(mixture, 0.5 + 0.5 * level, &bounds[1]);
}
