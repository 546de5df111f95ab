/* SPDX-License-Identifier: Apache-2.0 */
/* A few items (or columns of a suite) in place of all: chosen so that they rank the models as all
   do, or so that they hold as many signals as they can. Method: docs/signals.md */
#ifndef ASSAY_SHORT_FORM_H
#define ASSAY_SHORT_FORM_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Part of the ABI: never renumber. */
typedef enum assay_short_form_method {
    ASSAY_SHORT_FORM_RANKING = 0, /* what the mean of all items is least uncertain given */
    ASSAY_SHORT_FORM_ED = 1       /* BenchScope's ED-Greedy: the largest effective dimensionality */
} assay_short_form_method;

/* Start from assay_short_form_options_init(); later versions add fields only at the end. */
typedef struct assay_short_form_options {
    size_t struct_size;             /* sizeof this struct as the caller was compiled */
    assay_short_form_method method; /* default ASSAY_SHORT_FORM_RANKING */
    size_t n_items; /* to choose; 0, the default, is all that are not constant, in their order */
    uint64_t seed;  /* of the splits and the random sets; default 1 */
    size_t splits; /* of the models into halves, behind what holds for others; default 10; 0 none */
    int threads;   /* 0, the default, is all of OpenMP's; the result is the same for any number */
    assay_progress progress;
    double level; /* of the gain's interval, in (0, 1); default 0.95 */
} assay_short_form_options;

ASSAY_API void assay_short_form_options_init(assay_short_form_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_short_form_options_check(const assay_short_form_options *options);

/* The items that were chosen. Opaque; free with assay_short_form_free(). */
typedef struct assay_short_form assay_short_form;

/**
 * Choose items one after the other, each time the one that helps most; of equal ones the first.
 *
 * With z_t the scores of item t less their mean over models (a missing cell is 0), G_st = z_s'z_t
 * and d_t = G_tt, the two methods are
 *
 *     ED        the item that makes (sum of d)^2 / ||G||_F^2 of the chosen the largest. The first,
 *               where all are 1, is that of the largest d.
 *     ranking   z_t is taken for the item's signal and, beside it, noise of variance .3 d_t; the
 *               item that most lowers the variance of sum_t z_t given the chosen. G being what is
 *               left of it so far, that is the largest (sum_s G_st)^2 / (G_tt + .3 d_t).
 *
 * ED is not a short form for ranking: it looks for items that agree with none.
 *
 * @param matrix   borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_VALUE for options, and for more items than are not constant;
 *         ASSAY_E_DEGENERATE when all are constant; ASSAY_E_SHAPE where the matrix would take more
 *         than 1 GiB as doubles; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 *
 * Cost, for K of T items and N models: O(K T N) (ED), O(K (T + K) N) (ranking), and as much for
 * each split; memory O(TN). No T x T matrix is made: of G only the last item's column is needed.
 * Source: BenchScope, arXiv:2603.29357, for the name ED-Greedy; Nadeau and Bengio, "Inference for
 * the Generalization Error", Machine Learning 52 (2003), for the gain's interval; docs/signals.md.
 */
ASSAY_API assay_status assay_short_form_choose(const assay_matrix *matrix,
                                               const assay_short_form_options *options,
                                               assay_short_form **out);
ASSAY_API void assay_short_form_free(assay_short_form *form); /* NULL is fine */

/* The items, in the order in which they were chosen, n of them; owned by the form. */
ASSAY_API const size_t *assay_short_form_items(const assay_short_form *form, size_t *n);

/* The ED of the first 1, 2, ... of them; owned by the form. */
ASSAY_API const double *assay_short_form_ed(const assay_short_form *form, size_t *n);

/* How well the models' order by their mean over the chosen items is that by all items. NaN with a
   reason, a literal sentence, where it cannot be estimated. */
typedef struct assay_short_form_quality {
    double spearman; /* on the models that they were chosen by: too good */
    double held_out; /* chosen by one half of the models, on the other: the mean over all halves */
    double held_out_sd; /* of the halves */
    double random;      /* on the same halves, of 20 random sets of as many items that vary */
    size_t n_splits;    /* into halves */
    const char *reason; /* why there is no held_out, or NULL */
    double gain;        /* held_out - random; choosing is worth it where its interval is above 0 */
    double gain_low, gain_high; /* Student's t, J - 1 degrees of freedom, over the J halves, with
                                   the variance (1 / J + 1) s^2 of Nadeau and Bengio (2003): the
                                   halves are made of the same models. NaN without a held_out */
} assay_short_form_quality;
ASSAY_API assay_short_form_quality assay_short_form_get_quality(const assay_short_form *form);

#ifdef __cplusplus
}
#endif
#endif
