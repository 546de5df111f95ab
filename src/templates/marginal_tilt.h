/* SPDX-License-Identifier: Apache-2.0 */
/* Each template's own law beside the normal approximation of all: its likelihood against what the
   other cells say of it, under a prior of any shape that is found from all templates. */
#ifndef ASSAY_TEMPLATES_MARGINAL_TILT_H
#define ASSAY_TEMPLATES_MARGINAL_TILT_H

#include "templates/marginal_mode.h"
#include "templates/marginal_parts.h"

/* Everything about one (r, s, f). Rows are those of templates. */
typedef struct assay_tilt {
    assay_item_prior items;  /* r */
    double s, f, own_sd;     /* own_sd = s sqrt(1 - f) */
    double evidence;         /* log, up to a constant common to all */
    double weight;           /* among all (s, f) */
    double *mode;            /* n */
    double *factor;          /* n x n: lower Cholesky factor of the precision at the mode */
    double *sd;              /* n: of the normal approximation */
    double *mean, *variance; /* n: of the common part of theta_i, by all cells but its own */
    double level_variance;   /* of the level that all have in common */
    double *low, *step;      /* n: a law's points are low + t step */
    double *likelihood;      /* n x LAW_POINTS: of the own cells, largest 1 */
    double *
        density; /* n x LAW_POINTS x PRIOR_PARTS: of theta_i, if its own effect is of a part; lent */
    double *joint;                  /* n x PRIOR_PARTS: of the own cells and a part */
    double part[ASSAY_PRIOR_PARTS]; /* weights of the parts */
    double *law;                    /* n x LAW_POINTS: of theta_i, given everything */
    double *law_mean;               /* n */
} assay_tilt;

/* chance[k LAW_POINTS + t] = sigmoid(low + t step + b_k). */
void assay_law_chances(double low, double step, const assay_item_prior *items, double *chance);

/* One pseudo-template that is normal, in how many. */
#define ASSAY_PRIOR_STRENGTH 1.0

/* Steps of expectation and maximisation that find the parts' weights. */
enum { ASSAY_PART_STEPS = 40 };

/*
 * From the mode of an (s, f), with the gradient and the information's diagonal there, and in
 * evidence the logarithm of Laplace's evidence and of the prior of (s, f). tilt->mode and
 * tilt->factor are the caller's, and become the tilt's with a call that succeeds; density is room
 * for those of a tilt, lent for the call. To the evidence are added
 *   sum_i log (int N(t; m_i, v_i + own_sd^2) L_i(t) dt / Laplace's value of it), and
 *   max(0, what the weights of parts gain in log likelihood - 1).
 * ASSAY_OK; ASSAY_E_DEGENERATE; ASSAY_E_NOMEM.
 * O(n^3 + n_cells LAW_POINTS ASSAY_NODES + n LAW_POINTS PRIOR_PARTS).
 */
assay_status assay_tilt_find(const assay_marginal_cells *cells, const assay_effect_kernel *kernel,
                             const double *gradient, const double *information, double *density,
                             assay_tilt *tilt);

/* Its densities again, into density. */
void assay_tilt_densities(assay_tilt *tilt, size_t n, double *density);
void assay_tilt_free(assay_tilt *tilt);

#endif
