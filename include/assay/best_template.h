/* SPDX-License-Identifier: Apache-2.0 */
/* The best of many prompt templates within a budget of runs: sequential halving. */
#ifndef ASSAY_BEST_TEMPLATE_H
#define ASSAY_BEST_TEMPLATE_H

#include "assay/templates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished search. Opaque; free with assay_best_template_free(). */
typedef struct assay_best_template assay_best_template;

/* Start from assay_best_template_options_init(); later versions add fields only at the end. */
typedef struct assay_best_template_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* of the cells; default 1 */
    assay_templates_method
        score;    /* by which templates are dropped: PE, the default, by S_i; LOGREG by theta_i */
    int faithful; /* this, C and the covariates as in assay_templates_options */
    double c;
    const double *x;
    size_t n_x;
    const double *z;
    size_t n_z;
    assay_progress progress;
} assay_best_template_options;

ASSAY_API void assay_best_template_options_init(assay_best_template_options *options,
                                                size_t struct_size);

/* Run n cells: fill in their scores, in [0, 1]. Anything but ASSAY_OK ends the search with it. */
typedef assay_status (*assay_run_cells)(void *user, size_t n, const size_t *templates,
                                        const size_t *items, double *scores);

/**
 * Look for the template with the highest score over all items, running at most budget cells.
 *
 * In R = ceil(log2 I) rounds (1 where I is 1) of budget / R cells each, rounded down, the first
 * having what is left over: run a balanced plan over the templates still in (with LOGREG any items,
 * not those least run), fit all cells so far, and drop the half, rounded up, of the templates that
 * scores least; of equals the first. It ends early where all cells of those still in are run. The
 * answer is the one left that has the highest mean over its observed cells: that mean is the best
 * of several, and so too high an estimate of its score.
 *
 * @param run, user  called once a round on the calling thread, with cells that were not run before.
 * @param options    NULL for the defaults.
 * @param out        owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for a size or budget of 0; ASSAY_E_VALUE for options, and for a
 *         score that is not in [0, 1]; as assay_templates_fit(); ASSAY_E_CANCELLED; ASSAY_E_NOMEM;
 *         what run returned.
 * Cost: R fits.
 * Source: PromptEval, arXiv:2405.17202, best-prompt identification, and its released code.
 */
ASSAY_API assay_status assay_best_template_search(size_t n_templates, size_t n_items, size_t budget,
                                                  assay_run_cells run, void *user,
                                                  const assay_best_template_options *options,
                                                  assay_best_template **out);

/* The same on a grid whose cells are all there: what the search would have found. ASSAY_E_SHAPE
   also where it asks for a cell that was not run. */
ASSAY_API assay_status assay_best_template_study(const assay_grid *full, size_t budget,
                                                 const assay_best_template_options *options,
                                                 assay_best_template **out);
ASSAY_API void assay_best_template_free(assay_best_template *best); /* NULL is fine */

/* The answer; and the mean of its observed cells, uncorrected for having been chosen. */
ASSAY_API size_t assay_best_template_index(const assay_best_template *best);
ASSAY_API double assay_best_template_observed_mean(const assay_best_template *best);

/* Rounds that ran; and the round, from 0, in which a template was dropped: that number for those
   that were not. */
ASSAY_API size_t assay_best_template_n_rounds(const assay_best_template *best);
ASSAY_API size_t assay_best_template_dropped_in(const assay_best_template *best,
                                                size_t template_index);

/* All cells that were run, owned by the search. */
ASSAY_API const assay_grid *assay_best_template_grid(const assay_best_template *best);

/* ---- a search that is run by hand, round by round ---- */

/* Where such a search stands. Opaque; free with assay_best_round_free(). */
typedef struct assay_best_round assay_best_round;

/**
 * The cells that a search asks for next, given the scores of those that were run.
 *
 * A search depends on its sizes, budget and options and on the scores it gets, on nothing else. It
 * is enacted again on the scores at hand, up to the first round with cells that have none: these
 * are to be run now. Once all are there the search is over, and the same as
 * assay_best_template_search(). Nothing has to be kept between rounds but the scores; a round that
 * was run in part goes on.
 *
 * @param have     n_templates x n_items, the cells so far, borrowed for the call; those that the
 *                 search does not ask for are not used. NULL: none was run.
 * @param options  as of the search, the same in every round.
 * @param out      owned by the caller; NULL on failure.
 * @return as assay_best_template_search(); ASSAY_E_SHAPE also where have is of another size.
 * Cost: a fit for every round that is complete.
 */
ASSAY_API assay_status assay_best_template_next(size_t n_templates, size_t n_items, size_t budget,
                                                const assay_grid *have,
                                                const assay_best_template_options *options,
                                                assay_best_round **out);
ASSAY_API void assay_best_round_free(assay_best_round *round); /* NULL is fine */

/* The cells to run, owned by the round: how many there are, 0 where the search is over. */
ASSAY_API size_t assay_best_round_cells(const assay_best_round *round, const size_t **templates,
                                        const size_t **items);

/* Which round it is, from 0, of how many there may be; how many templates are still in; and how
   many cells there were that the search did not ask for. Of a search that is over: the rounds it
   had, and the templates that were left. */
ASSAY_API size_t assay_best_round_index(const assay_best_round *round);
ASSAY_API size_t assay_best_round_n_rounds(const assay_best_round *round);
ASSAY_API size_t assay_best_round_n_left(const assay_best_round *round);
ASSAY_API size_t assay_best_round_n_unused(const assay_best_round *round);

/* The search once it is over, owned by the round; NULL before. */
ASSAY_API const assay_best_template *assay_best_round_search(const assay_best_round *round);

#ifdef __cplusplus
}
#endif
#endif
