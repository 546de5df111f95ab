/* SPDX-License-Identifier: Apache-2.0 */
/* The template that looks best from some of its runs, and what it scores once its having been
   chosen for that is taken off: the highest of many estimates is too high (the winner's curse). */
#ifndef ASSAY_CHOSEN_TEMPLATE_H
#define ASSAY_CHOSEN_TEMPLATE_H

#include "assay/templates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A choice. Opaque; free with assay_chosen_template_free(). */
typedef struct assay_chosen_template assay_chosen_template;

/* Start from assay_chosen_template_options_init(); later versions add fields only at the end. */
typedef struct assay_chosen_template_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    size_t n_splits;    /* of the items into halves, 1 to 10^6; default 50 */
    size_t n_draws;     /* of the bootstrap, 1 to 10^6; default 400 */
    double level;       /* of the interval and of the set of templates; default .95 */
    uint64_t seed;      /* default 1 */
    int threads;        /* 0, the default: all; the result does not depend on it */
    assay_progress progress;
} assay_chosen_template_options;

ASSAY_API void assay_chosen_template_options_init(assay_chosen_template_options *options,
                                                  size_t struct_size);

/* How a score is corrected. Part of the ABI: never renumber. */
typedef enum assay_correction {
    ASSAY_CORRECTION_SPLIT = 0,     /* chosen on half of the items, scored on the other: the one to
                                       lead with */
    ASSAY_CORRECTION_SHRUNK = 1,    /* drawn in to the mean of the templates */
    ASSAY_CORRECTION_BOOTSTRAP = 2, /* less the optimism of the bootstrap: stays too high */
    ASSAY_CORRECTIONS = 3           /* how many there are */
} assay_correction;

/**
 * Choose the template with the highest S_i of those that have a cell (of equals, to 1e-9, the
 * first), and estimate what it scores on items like these.
 *
 * Items are taken as drawn from many of their kind. SPLIT: n_splits times the items are halved at
 * random; the template is chosen and scored anew in each half, from the cells of its items alone,
 * and
 *     score = mean over splits and directions of S_i in the one half, i chosen in the other,
 * passing over a choice without a cell there. It estimates the expected score of a template that is
 * chosen so from half of the data, which is worse than the one chosen from all where templates
 * truly differ: then it errs downwards.
 *
 * In each of n_draws draws all J items are drawn again with replacement, an item that comes twice
 * being two; e_i = S*_i - S_i, and a template that a draw leaves without a cell is not in it. With
 * m and u the mean and variance (n - 1) of the S_i, c the mean square over draws of the mean of e,
 * and v the mean over templates of the mean square of e_i less that mean,
 *     SHRUNK     m + k (max_i S_i - m),  k = max(0, 1 - v / u),
 * the posterior mean where scores and noise are normal, which choosing does not bias. With w the
 * template that has the highest S*_i of a draw,
 *     BOOTSTRAP  max_i S_i - mean of e_w;
 * the S_i of a draw's truth spread by their noise besides, so that this takes off too little.
 *
 * The interval goes from the lower of SPLIT and SHRUNK to the higher, and z sqrt(k v + c) beyond
 * either, held within 0 to 1; z is the normal quantile.
 *
 * A template is not separable from the best where max_k S_k - S_i is at most the level-quantile
 * over draws of max_k e_k - e_i (multiple comparisons with the best): the set holds the truly best
 * of the templates that have cells with about that probability.
 *
 * Where only one template has cells nothing was chosen, and SPLIT's score is its S_i.
 *
 * @param grid       borrowed for the call, as are both options. Cells chosen by looking at
 *                   scores, as assay_best_template_search() does, are not what this corrects for.
 * @param estimator  of S_i; NULL for the defaults, PE.
 * @param options    NULL for the defaults.
 * @param out        owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE where all cells are of one item; ASSAY_E_VALUE for options;
 *         as assay_templates_fit(), also for item covariates not of full rank in a half or a
 *         draw; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: 1 + 2 n_splits + n_draws fits (means, where every cell was run); memory 8 bytes a template
 * and draw.
 * Source: splits and bootstrap over items: after SIREN, arXiv:2605.05973; shrinking: B. Efron,
 * "Tweedie's formula and selection bias" (2011); the set: J. C. Hsu, "Simultaneous confidence
 * intervals for all distances from the best" (1981).
 */
ASSAY_API assay_status assay_chosen_template_find(const assay_grid *grid,
                                                  const assay_templates_options *estimator,
                                                  const assay_chosen_template_options *options,
                                                  assay_chosen_template **out);
ASSAY_API void assay_chosen_template_free(assay_chosen_template *chosen); /* NULL is fine */

/* The template, and its S_i as it stands: the highest. */
ASSAY_API size_t assay_chosen_template_index(const assay_chosen_template *chosen);
ASSAY_API double assay_chosen_template_raw(const assay_chosen_template *chosen);

/* Its score corrected. NaN for SPLIT where no choice of a half has a cell in the other. */
ASSAY_API double assay_chosen_template_corrected(const assay_chosen_template *chosen,
                                                 assay_correction correction);

/* The interval of its score. */
ASSAY_API void assay_chosen_template_interval(const assay_chosen_template *chosen, double *low,
                                              double *high);

/* The templates that are not separable from the best, itself among them, by S_i, the highest first;
   owned by the choice. */
ASSAY_API const size_t *assay_chosen_template_inseparable(const assay_chosen_template *chosen,
                                                          size_t *n);

#ifdef __cplusplus
}
#endif
#endif
