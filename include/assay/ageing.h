/* SPDX-License-Identifier: Apache-2.0 */
/* What changes between the first and the last models of a benchmark: its ageing. Method:
   docs/signals.md */
#ifndef ASSAY_AGEING_H
#define ASSAY_AGEING_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start from assay_ageing_options_init(); later versions add fields only at the end. */
typedef struct assay_ageing_options {
    size_t struct_size;  /* sizeof this struct as the caller was compiled */
    uint64_t seed;       /* default 1 */
    size_t permutations; /* of the dates behind each p, up to 1,000,000; 0 none; default 999 */
    int threads;         /* 0, the default, is all of OpenMP's; the result is the same for any */
    assay_progress progress;
} assay_ageing_options;

ASSAY_API void assay_ageing_options_init(assay_ageing_options *options, size_t struct_size);

/* Both NaN, and a reason, a literal sentence, where one of the halves has no such number. */
typedef struct assay_change {
    double early, late;
    double share; /* late / early - 1; NaN unless early is above 0 */
    double p;     /* two-sided, of the dates shuffled among the models; NaN without permutations */
    const char *reason;
} assay_change;

/* ED on the items whose pass rates lie within (low, high) in both halves; 0 and 1 stand for all
   items. */
typedef struct assay_ageing_ed {
    double low, high;
    size_t n_items;
    assay_change task, model, both; /* the three centrings */
} assay_ageing_ed;

enum { ASSAY_AGEING_N_FILTERS = 3 }; /* all items; (.1, .9); (.2, .8) */

typedef struct assay_ageing {
    size_t n_half;                                   /* models in each half */
    size_t n_undated;                                /* models without a date, left out */
    int has_middle;                                  /* 1: of an odd number the middle one is out */
    int is_tied;                                     /* 1: models of one date stand on both sides */
    size_t early_from, early_to, late_from, late_to; /* the first and the last model of each half */
    assay_change solve_rate;                         /* mean of the scores that there are */
    assay_change pairwise_r;                         /* mean Pearson r of two models over items */
    assay_ageing_ed ed[ASSAY_AGEING_N_FILTERS];
} assay_ageing;

/**
 * The first half of the models by date beside the last half.
 *
 * Models of one date keep the order of the matrix. The pairwise r leaves out models whose scores
 * are all the same. Items of a fixed pass rate hold the variance fixed: that ED changes because
 * items have become easy is then no reason.
 *
 * p is (1 + the permutations at least as far apart) / (1 + permutations), where the dates are
 * shuffled among the dated models and everything is done again, the choice of items too; far apart
 * is |late - early|, of ED |log(late / early)|. A permutation without such a number counts as far
 * apart.
 *
 * A missing cell stands at its item's mean: over the half for ED, over all models for r. The solve
 * rate leaves it out.
 *
 * @param matrix   borrowed for the call.
 * @param when     a number a model, later being larger; NaN for none. See assay_date_days().
 * @param options  NULL for the defaults.
 * @param out      left alone on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 4 dated models; ASSAY_E_DEGENERATE when all have
 *         one date; ASSAY_E_VALUE for options or an infinite date; ASSAY_E_CANCELLED;
 *         ASSAY_E_NOMEM.
 * Cost: O(n^2 T + nT) a permutation, n the models of a half, 64 cells an operation where 0/1.
 * Memory O(NT) a thread. Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357, for the split and the two first rows; see docs/signals.md.
 */
ASSAY_API assay_status assay_ageing_fit(const assay_matrix *matrix, const double *when,
                                        const assay_ageing_options *options, assay_ageing *out);

#ifdef __cplusplus
}
#endif
#endif
