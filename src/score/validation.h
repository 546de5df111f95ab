/* SPDX-License-Identifier: Apache-2.0 */
/* What validation and sensitivity share: one model's own prompts. */
#ifndef ASSAY_SCORE_VALIDATION_H
#define ASSAY_SCORE_VALIDATION_H

#include "assay/validation.h"
#include "cluster/dendrogram.h"

/* The n prompts that a model has, kept[j] of the input each; the tree pruned to them. */
typedef struct assay_own_prompts {
    size_t n, *kept;
    double *x, *m;
    assay_dendrogram *tree;
} assay_own_prompts;

/* ASSAY_OK; ASSAY_E_SHAPE when there is none; ASSAY_E_VALUE naming the first outcome out of its
   range; ASSAY_E_NOMEM. Free it whatever happened. */
assay_status assay_own_prompts_take(const assay_dendrogram *tree, const double *x, const double *m,
                                    assay_own_prompts *own);
void assay_own_prompts_free(assay_own_prompts *own);

/* ASSAY_OK, or ASSAY_E_VALUE unless both are above 0 and finite. */
assay_status assay_check_beta(double a, double b);

#endif
