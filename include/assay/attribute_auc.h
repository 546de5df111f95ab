/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a component of the outcomes tells two kinds of models apart. Method: docs/signals.md */
#ifndef ASSAY_ATTRIBUTE_AUC_H
#define ASSAY_ATTRIBUTE_AUC_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The area under the ROC curve of a score for two kinds of things: the probability that one of the
 * kind 1 has the higher score, a tie counting half.
 *
 * With midranks and n1, n0 of the kinds, AUC = (R1 - n1 (n1 + 1)/2) / (n1 n0), R1 the sum of the
 * ranks of kind 1 (Mann and Whitney). p is two-sided: exact over all assignments of the kinds where
 * no two scores tie and there are at most 200 of them, else normal with the variance of tied ranks
 * and a correction for continuity.
 *
 * @param score     n numbers, finite.
 * @param kind      of each: 1 or 0; anything else is left out.
 * @param auc       left alone on failure, as are p and is_exact.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE without one of the kinds; ASSAY_E_VALUE for a score that is
 *         not finite; ASSAY_E_NOMEM.
 * Cost: O(n log n); exact p O(n1 n0 (n1 + n0)), less than a tenth of a second.
 * Source: Mann and Whitney (1947); Hanley and McNeil (1982).
 */
ASSAY_API assay_status assay_rank_auc(const double *score, const int *kind, size_t n, double *auc,
                                      double *p, int *is_exact);

enum { ASSAY_ATTRIBUTE_COMPONENTS = 5 };

/* All NaN, and a reason, a literal sentence, where there is no such component. */
typedef struct assay_component_auc {
    double share;  /* of the variance */
    double auc;    /* whatever the sign of the component: max(AUC, 1 - AUC) */
    double p;      /* of the AUC, two-sided */
    double p_holm; /* corrected for looking at all components (Holm 1979) */
    int is_exact;
    const char *reason;
} assay_component_auc;

typedef struct assay_attribute_auc {
    size_t n_one, n_zero, n_left_out; /* models of either kind, and of none */
    assay_component_auc component[ASSAY_ATTRIBUTE_COMPONENTS];
} assay_attribute_auc;

/**
 * The AUC of the models' scores on each of the first five principal components (items' means out)
 * for a property that a model has or has not.
 *
 * The components are those of all models of the matrix, also of those without the property's value.
 *
 * @param matrix   borrowed for the call.
 * @param kind     of each model: 1, 0, or anything else where it is not known.
 * @param threads  0 is all of OpenMP's; the result is the same for any number.
 * @param out      left alone on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 2 models; ASSAY_E_DEGENERATE when no item tells
 *         two models apart, or one of the kinds is lacking; ASSAY_E_VALUE for threads;
 *         ASSAY_E_NOMEM.
 * Cost: O(R^2 L + R^3), R the smaller and L the larger side. Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357 ("semantic AUC"), whose definition is not public.
 */
ASSAY_API assay_status assay_attribute_auc_fit(const assay_matrix *matrix, const int *kind,
                                               int threads, assay_attribute_auc *out);

#ifdef __cplusplus
}
#endif
#endif
