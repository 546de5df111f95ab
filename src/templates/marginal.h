/* SPDX-License-Identifier: Apache-2.0 */
/* Our own estimate of all templates' scores: effects of items integrated out, hyperparameters averaged. */
#ifndef ASSAY_TEMPLATES_MARGINAL_H
#define ASSAY_TEMPLATES_MARGINAL_H

#include "templates/fit.h"

/* Options are resolved; fit has its size and room for the scores. ASSAY_OK; ASSAY_E_DEGENERATE for
   covariates beyond the digits of a double; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. */
assay_status assay_marginal_fit(const assay_grid *grid, const assay_templates_options *options,
                                assay_templates *fit);

#endif
