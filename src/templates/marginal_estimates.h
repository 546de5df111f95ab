/* SPDX-License-Identifier: Apache-2.0 */
/* From the laws of the templates' effects to their scores: expectations, and draws. */
#ifndef ASSAY_TEMPLATES_MARGINAL_ESTIMATES_H
#define ASSAY_TEMPLATES_MARGINAL_ESTIMATES_H

#include "templates/marginal_tilt.h"

/* What is averaged over: n tilts whose weights add up to 1. */
typedef struct assay_marginal_mixture {
    const assay_marginal_cells *cells;
    assay_tilt *tilts;
    size_t n;
} assay_marginal_mixture;

/* scores[i] = E S_i; theta[i] = E theta_i and effects[j] = E b_j of the items seen; all in the order
   of the cells. sorted[r]: the (r + 1/2) / n quantile of the mean of all laws of S_i, without what
   the level shares, which no template differs in (Shen and Louis 1998). ASSAY_OK; ASSAY_E_NOMEM.
   O(n_tilts n LAW_POINTS (ASSAY_NODES + PRIOR_PARTS)). */
assay_status assay_marginal_expect(const assay_marginal_mixture *mixture, double *scores,
                                   double *theta, double *effects, double *sorted);

/* n_draws draws (rows) of all scores: the tilt, effects by the normal law carried over to each
   template's own, the prior's parts by the weighted-likelihood bootstrap (Newton and Raftery 1994),
   the items, and the cells that were not run. Draw d is by stream d of the seed. ASSAY_OK;
   ASSAY_E_NOMEM. A draw: O(n^2 + n PRIOR_PARTS PART_STEPS + n_cells ASSAY_NODES + J). */
assay_status assay_marginal_draw(const assay_marginal_mixture *mixture, size_t n_draws,
                                 uint64_t seed, double *scores);

#endif
