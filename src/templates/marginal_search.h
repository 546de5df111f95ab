/* SPDX-License-Identifier: Apache-2.0 */
/* Where the evidence is: modes over the spreads of items and of templates, and the share of
   covariates. */
#ifndef ASSAY_TEMPLATES_MARGINAL_SEARCH_H
#define ASSAY_TEMPLATES_MARGINAL_SEARCH_H

#include "assay/base.h"
#include "templates/marginal_mode.h"

/* How many r, s and f there are. Priors: s half-Cauchy(1), log r ~ N(log 2.5, .8^2). */
enum { ASSAY_ITEM_SPREADS = 5, ASSAY_EFFECT_SPREADS = 8, ASSAY_SHARES = 3 };

/* The mode at one (r, s, f), and what a tilt needs of the climb that found it. */
typedef struct assay_found_mode {
    int is_found;
    double r, s, f;
    double evidence;                        /* with the priors of r and s */
    double *theta, *gradient, *information; /* n each: of l there, of its Hessian the diagonal */
    double *factor; /* n x n: of the Hessian; NULL where there is to be no tilt */
} assay_found_mode;

typedef struct assay_mode_search {
    const assay_marginal_cells *cells;
    const assay_effect_kernel *kernel;
    assay_effect_prior prior;
    assay_item_prior items;
    assay_marginal_point point;
    double *gradient, *information;
    double *start; /* where Newton's method begins */
    double *at;    /* where the point, gradient and information are, with item spread at_r */
    size_t at_r;
    assay_found_mode modes[ASSAY_ITEM_SPREADS][ASSAY_EFFECT_SPREADS][ASSAY_SHARES];
    size_t r; /* the item spread chosen */
    assay_progress progress;
    int n_steps; /* said to it */
} assay_mode_search;

/* cells and kernel are borrowed. ASSAY_OK; ASSAY_E_NOMEM (freeing is then fine too). */
assay_status assay_mode_search_new(const assay_marginal_cells *cells,
                                   const assay_effect_kernel *kernel, assay_progress progress,
                                   assay_mode_search *search);
void assay_mode_search_free(assay_mode_search *search);

/* Chooses r by coordinates and finds the modes at it, of which those that are not hopeless keep
   their factors: the caller may take theta and factor, leaving NULL. ASSAY_OK; ASSAY_E_CANCELLED;
   ASSAY_E_DEGENERATE; ASSAY_E_NOMEM. Ten to twenty calls of assay_marginal_mode(), with
   covariates 16 more. */
assay_status assay_mode_search_run(assay_mode_search *search);

/* One step of progress, before a climb or the caller's own work on a mode. ASSAY_OK;
   ASSAY_E_CANCELLED. */
assay_status assay_mode_search_step(assay_mode_search *search);

#endif
