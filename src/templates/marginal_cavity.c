/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/marginal_cavity.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_variance = 1e-6;

/* A sum without one w is the difference: any w is at most some thousand times the others and 1 / 9
   together, as own_sd is .04 or more and h is .02 or more, so that digits enough are left. */
static void with_level_only(size_t n, const double *y, const double *d, assay_tilt *tilt)
{
    const double of_level = 1.0 / ASSAY_LEVEL_VARIANCE;
    double all = 0.0, all_y = 0.0;

    for (size_t i = 0; i < n; i++) {
        all += 1.0 / d[i];
        all_y += y[i] / d[i];
    }
    for (size_t i = 0; i < n; i++) {
        tilt->variance[i] = 1.0 / (of_level + (all - 1.0 / d[i]));
        tilt->mean[i] = tilt->variance[i] * (all_y - y[i] / d[i]);
        tilt->variance[i] = fmax(tilt->variance[i], least_variance);
    }
    tilt->level_variance = ASSAY_LEVEL_VARIANCE + 1.0 / all;
}

/* inverse is room for n x n. */
static assay_status with_covariates(const assay_effect_kernel *kernel, const double *y,
                                    const double *d, double *inverse, assay_tilt *tilt)
{
    size_t n = kernel->n;
    double all = 0.0;

    assay_effect_prior_shared(kernel, tilt->s, tilt->f, inverse);
    for (size_t i = 0; i < n; i++) inverse[i * n + i] += d[i];
    if (assay_linalg_factor_definite(n, inverse))
        return assay_fail(ASSAY_E_DEGENERATE, "a covariance of %zu templates is not one", n);
    assay_linalg_invert_factored(n, inverse);
    for (size_t i = 0; i < n; i++) {
        double a = inverse[i * n + i], ay = a * y[i];

        for (size_t k = 0; k < i; k++) ay += inverse[i * n + k] * y[k];
        for (size_t k = i + 1; k < n; k++) ay += inverse[k * n + i] * y[k];
        for (size_t k = 0; k < i; k++) all += 2.0 * inverse[i * n + k];
        all += a;
        tilt->mean[i] = y[i] - ay / a;
        tilt->variance[i] = fmax(1.0 / a - d[i], least_variance);
    }
    tilt->level_variance = 1.0 / fmax(all, 1e-9);
    return ASSAY_OK;
}

assay_status assay_tilt_cavities(const assay_effect_kernel *kernel, const double *gradient,
                                 const double *information, assay_tilt *tilt)
{
    const double least_information = 0.02;
    size_t n = kernel->n;
    double *inverse = assay_alloc(n * n, sizeof *inverse), *y = assay_alloc(n, sizeof *y);
    double *d = assay_alloc(n, sizeof *d);
    assay_status status = ASSAY_OK;

    if (!inverse || !y || !d) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu templates", n);
        goto done;
    }
    memcpy(inverse, tilt->factor, n * n * sizeof *inverse);
    assay_linalg_inverse_diagonal(n, inverse, tilt->sd);
    for (size_t i = 0; i < n; i++) {
        double h = fmax(information[i], least_information);

        tilt->sd[i] = sqrt(tilt->sd[i]);
        y[i] = tilt->mode[i] + gradient[i] / h;
        d[i] = 1.0 / h + tilt->own_sd * tilt->own_sd;
    }
    if (kernel->rank == 0 || tilt->f == 0.0)
        with_level_only(n, y, d, tilt);
    else
        status = with_covariates(kernel, y, d, inverse, tilt);
done:
    free(inverse);
    free(y);
    free(d);
    return status;
}
