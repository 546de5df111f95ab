/* SPDX-License-Identifier: Apache-2.0 */
/* The variance between templates of any values of a grid's cells, without the noise of sampling. */
#ifndef ASSAY_TEMPLATES_TEMPLATE_VARIANCE_H
#define ASSAY_TEMPLATES_TEMPLATE_VARIANCE_H

#include "assay/grid.h"

/* Estimates that may be negative, and NaN where there is nothing to make them from. */
typedef struct assay_template_variance {
    double any;   /* of ever more items */
    double these; /* of the grid's items */
} assay_template_variance;

/**
 * Estimate it, as assay/spread.h says.
 *
 * @param cells  which cells there are, two or more.
 * @param y      their values, template by template and the items ascending; any numbers.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_template_variance_find(const assay_grid *cells, const double *y,
                                          assay_template_variance *out);

#endif
