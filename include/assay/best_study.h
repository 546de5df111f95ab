/* SPDX-License-Identifier: Apache-2.0 */
/* How good a template is found within a budget of runs: tried on grids that are full. */
#ifndef ASSAY_BEST_STUDY_H
#define ASSAY_BEST_STUDY_H

#include "assay/templates.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished study. Opaque; free with assay_best_study_free(). */
typedef struct assay_best_study assay_best_study;

/* Which cells are run. Part of the ABI: never renumber. */
typedef enum assay_best_rule {
    ASSAY_BEST_HALVING = 0, /* assay_best_template_search() by the estimator, PE or LOGREG */
    ASSAY_BEST_BALANCED = 1 /* a balanced plan; the answer has the highest S_i, by any estimator */
} assay_best_rule;

/* A way to an answer. */
typedef struct assay_best_method {
    assay_best_rule rule;
    assay_templates_options estimator; /* of halving: its method, faithful, c and covariates */
} assay_best_method;

/* Start from assay_best_study_options_init(); later versions add fields only at the end. */
typedef struct assay_best_study_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    const size_t
        *budgets; /* n_budgets, ascending, borrowed for the call; NULL: 200, 400, 800, 1600 */
    size_t n_budgets;
    size_t n_seeds; /* default 20 */
    uint64_t seed;  /* searches and plans draw from seed, seed + 1, ..; default 1 */
    int threads;    /* 0, the default: all; the result does not depend on it */
    assay_progress progress;
} assay_best_study_options;

ASSAY_API void assay_best_study_options_init(assay_best_study_options *options, size_t struct_size);

/**
 * The regret of each method at each budget: max_i S_i - S_answer, S_i the mean of template i over
 * all items.
 *
 * Of a balanced plan only templates that have a cell can be the answer, and where several have the
 * highest score (to 1e-9) the regret is the mean of theirs. All methods that are balanced see the
 * same cells.
 *
 * @param grids    n_grids, each with a score in every cell. Borrowed for the call.
 * @param methods  n_grids x n_methods, row-major: what each method is on each grid (its covariates
 *                 may differ). Borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for no grid, method, budget or seed, for a grid that lacks a cell
 *         and for a budget above a grid's cells; ASSAY_E_VALUE for budgets of 0 or that do not
 *         ascend, and for other options; as assay_best_template_search(); ASSAY_E_CANCELLED;
 *         ASSAY_E_NOMEM.
 * Cost: for every grid, seed and budget a search a method that halves, else a fit; memory 8 bytes
 * for each of them.
 * Source: the protocol of PromptEval, arXiv:2405.17202, best-prompt identification.
 */
ASSAY_API assay_status assay_best_study_run(const assay_grid *const *grids, size_t n_grids,
                                            const assay_best_method *methods, size_t n_methods,
                                            const assay_best_study_options *options,
                                            assay_best_study **out);
ASSAY_API void assay_best_study_free(assay_best_study *study); /* NULL is fine */

ASSAY_API const size_t *assay_best_study_budgets(const assay_best_study *study, size_t *n);
ASSAY_API size_t assay_best_study_n_grids(const assay_best_study *study);
ASSAY_API size_t assay_best_study_n_methods(const assay_best_study *study);
ASSAY_API size_t assay_best_study_n_seeds(const assay_best_study *study);

/* One regret. O(1). */
ASSAY_API double assay_best_study_value(const assay_best_study *study, size_t budget, size_t method,
                                        size_t grid, size_t seed);

/* Mean regret over grids and seeds; and standard deviations (n - 1): over seeds of the means over
   grids, over grids of the means over seeds. NaN where there is only one. */
typedef struct assay_regret {
    double mean, sd_seeds, sd_grids;
} assay_regret;
ASSAY_API assay_regret assay_best_study_regret(const assay_best_study *study, size_t budget,
                                               size_t method);

/* That of a template picked at random, which no seed is needed for: the mean is that of max_i S_i -
   S_i, and sd_seeds what one seed after another would have. */
ASSAY_API assay_regret assay_best_study_random(const assay_best_study *study);

#ifdef __cplusplus
}
#endif
#endif
