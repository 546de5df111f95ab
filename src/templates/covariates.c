/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/covariates.h"

#include "assay/covariates.h"
#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_share_of_rank = 1e-6; /* check_multicolinearity() of the released code */
static const double least_share_kept = 1e-5;    /* and its pca_filter() */

static void take_out_means(const double *x, size_t n, size_t d, double *means, double *centred)
{
    memset(means, 0, d * sizeof *means);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++) means[k] += x[i * d + k];
    for (size_t k = 0; k < d; k++) means[k] /= (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++) centred[i * d + k] = x[i * d + k] - means[k];
}

/* Rounding may make a share below 0; and a matrix where nothing varies has none. */
static void as_shares(double *values, size_t d)
{
    double total = 0.0;

    for (size_t k = 0; k < d; k++) total += values[k] = fmax(values[k], 0.0);
    for (size_t k = 0; k < d && total > 0.0; k++) values[k] /= total;
}

assay_status assay_principal_components(const double *x, size_t n, size_t d, double *means,
                                        double *directions, double *shares)
{
    double *centred = assay_alloc_aligned(n, d * sizeof *centred);
    assay_status status;

    if (!centred || d > INT32_MAX / 64) {
        free(centred);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the components of %zu covariates", d);
    }
    take_out_means(x, n, d, means, centred);
    assay_blas_hold();
    assay_linalg_add_ata(d, n, 1.0, centred, 0.0, directions);
    status = assay_linalg_eigenvectors(d, directions, shares);
    assay_blas_release();
    if (status == ASSAY_OK) as_shares(shares, d);
    free(centred);
    return status;
}

assay_status assay_check_full_rank(const char *name, const double *x, size_t n, size_t d)
{
    double *means = assay_alloc(d, sizeof *means), *shares = assay_alloc(d, sizeof *shares);
    double *directions = assay_alloc_zero(d, d * sizeof *directions);
    assay_status status = ASSAY_OK;

    if (!means || !shares || !directions) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the components of %zu covariates", d);
        goto done;
    }
    status = assay_principal_components(x, n, d, means, directions, shares);
    if (status == ASSAY_OK && !(shares[d - 1] > least_share_of_rank))
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "the %zu covariates of %zu %s are not independent: their least "
                            "component has %.3g of the variance, which is not above %g",
                            d, n, name, shares[d - 1], least_share_of_rank);
done:
    free(means);
    free(shares);
    free(directions);
    return status;
}

assay_status assay_covariates_rotate(const double *x, size_t n, size_t d, double **out,
                                     size_t *n_kept)
{
    double *means = assay_alloc(d, sizeof *means), *shares = assay_alloc(d, sizeof *shares);
    double *directions = assay_alloc_zero(d, d * sizeof *directions), *kept = NULL;
    assay_status status = ASSAY_OK;
    size_t m = 0;

    *out = NULL;
    *n_kept = 0;
    if (n == 0 || d == 0) {
        status = assay_fail(ASSAY_E_SHAPE, "covariates of %zu rows x %zu columns", n, d);
        goto done;
    }
    if (!means || !shares || !directions) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the components of %zu covariates", d);
        goto done;
    }
    status = assay_principal_components(x, n, d, means, directions, shares);
    if (status != ASSAY_OK) goto done;
    while (m < d && shares[m] > least_share_kept) m++;
    if (m == 0) {
        status = assay_fail(ASSAY_E_DEGENERATE, "all %zu rows have the same covariates", n);
        goto done;
    }
    kept = assay_alloc_zero(n, m * sizeof *kept);
    if (!kept) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu covariates", n, m);
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++)
            for (size_t k = 0; k < d; k++)
                kept[i * m + c] += (x[i * d + k] - means[k]) * directions[c * d + k];
    *out = kept;
    *n_kept = m;
done:
    free(means);
    free(shares);
    free(directions);
    return status;
}

/* ---- factors ---- */

/* The levels that a factor has, ascending; how many. */
static size_t levels_of(const size_t *codes, size_t n, size_t n_factors, size_t factor,
                        size_t *levels)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        size_t code = codes[i * n_factors + factor], at = m;

        for (size_t k = 0; k < m && at == m; k++)
            if (levels[k] == code) at = k;
        if (at == m) levels[m++] = code;
    }
    return m;
}

assay_status assay_covariates_one_hot(const size_t *codes, size_t n, size_t n_factors, double **out,
                                      size_t *n_columns)
{
    size_t *levels = assay_alloc(n, n_factors * sizeof *levels);
    size_t *n_levels = assay_alloc(n_factors, sizeof *n_levels), d = 0, column = 0;
    double *x = NULL;
    assay_status status = ASSAY_OK;

    *out = NULL;
    *n_columns = 0;
    if (n == 0 || n_factors == 0) {
        status = assay_fail(ASSAY_E_SHAPE, "factors of %zu rows x %zu columns", n, n_factors);
        goto done;
    }
    if (!levels || !n_levels) goto no_memory;
    for (size_t f = 0; f < n_factors; f++)
        d += n_levels[f] = levels_of(codes, n, n_factors, f, levels + f * n);
    x = assay_alloc_zero(n, d * sizeof *x);
    if (!x) goto no_memory;
    for (size_t f = 0; f < n_factors; column += n_levels[f++])
        for (size_t l = 0; l < n_levels[f]; l++)
            for (size_t i = 0; i < n; i++)
                x[i * d + column + l] = codes[i * n_factors + f] == levels[f * n + l];
    *out = x;
    *n_columns = d;
    goto done;
no_memory:
    status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu factors of %zu rows", n_factors, n);
done:
    free(levels);
    free(n_levels);
    return status;
}
