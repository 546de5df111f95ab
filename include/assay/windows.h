/* SPDX-License-Identifier: Apache-2.0 */
/* ED of models of like skill: windows that slide over the models in the order of a score. Method:
   docs/signals.md */
#ifndef ASSAY_WINDOWS_H
#define ASSAY_WINDOWS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque; free with assay_windows_free(). */
typedef struct assay_windows assay_windows;

/* Start from assay_windows_options_init(); later versions add fields only at the end. */
typedef struct assay_windows_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* default 1 */
    size_t window;      /* models in a window, 3 or more; 0, the default: a third of those with a
                           score, 3 to 500 */
    size_t step;        /* models from one window to the next; 0, the default: a twentieth of a
                           window, 1 to 25 */
    size_t draws;       /* of the bootstrap, up to 1,000,000; 0 none; default 1,000 */
    int threads;        /* 0, the default, is all of OpenMP's; the result is the same for any */
    assay_progress progress;
} assay_windows_options;

ASSAY_API void assay_windows_options_init(assay_windows_options *options, size_t struct_size);

/* How each item is scaled within a window. Never renumber. */
typedef enum assay_windows_scale {
    ASSAY_WINDOWS_AS_IT_IS = 0,
    ASSAY_WINDOWS_UNIT_VARIANCE =
        1 /* to variance 1, items that are constant in the window left out */
} assay_windows_scale;

/**
 * ED (items' means out) of every window of models, from the weakest to the best.
 *
 * The models are sorted by score, those of one score in the order of the matrix. The last window
 * holds the best models; the others follow downwards by step, as long as there are enough.
 *
 * The bootstrap draws the models of the last window, and those of the one with the least ED, with
 * replacement, each its own. (Models drawn twice bias ED down where the window is not much larger
 * than the number of items. That the least was looked for is not allowed for.)
 *
 * @param matrix   borrowed for the call.
 * @param score    a number a model; NaN leaves the model out.
 * @param options  NULL for the defaults.
 * @param out      the windows, owned by the caller; NULL on failure.
 * @return ASSAY_OK, also where there are too few models for one window: then there are none, and a
 *         reason. ASSAY_E_VALUE for options or an infinite score; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: with n models a window and T items O(n T min(n, T)) a window, and for each draw. Memory
 * O(nT) a thread. Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357 ("performance-conditional compression").
 */
ASSAY_API assay_status assay_windows_fit(const assay_matrix *matrix, const double *score,
                                         const assay_windows_options *options, assay_windows **out);
ASSAY_API void assay_windows_free(assay_windows *windows); /* NULL is fine */

typedef struct assay_window {
    size_t first; /* its weakest model among those sorted, from 0 */
    double score_from, score_mean, score_to;
    double ed[2]; /* by assay_windows_scale; NaN where nothing varies */
} assay_window;

ASSAY_API size_t assay_windows_n(const assay_windows *windows);
ASSAY_API assay_window assay_windows_at(const assay_windows *windows, size_t k);

/* Models with a score, the models of a window, and those from one window to the next. */
ASSAY_API size_t assay_windows_n_models(const assay_windows *windows);
ASSAY_API size_t assay_windows_size(const assay_windows *windows);
ASSAY_API size_t assay_windows_step(const assay_windows *windows);

/* All NaN, and a reason, a literal sentence, where there are no two windows with an ED. */
typedef struct assay_windows_summary {
    double first, least,
        last;            /* ED of the weakest window, of the one with the least, of the best */
    size_t at_least;     /* which one that is; the first of equal ones */
    double p_last_above; /* share of draws whose last is above their least, a tie counting half; NaN
                            where the last is the least, or nothing was drawn */
    const char *reason;
} assay_windows_summary;
ASSAY_API assay_windows_summary assay_windows_summarise(const assay_windows *windows,
                                                        assay_windows_scale scale);

#ifdef __cplusplus
}
#endif
#endif
