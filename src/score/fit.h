/* SPDX-License-Identifier: Apache-2.0 */
/* A fit from the inside: one of these a model. */
#ifndef ASSAY_SCORE_FIT_H
#define ASSAY_SCORE_FIT_H

#include "assay/score.h"
#include "score/average.h"
#include "score/mixture.h"
#include "score/posterior.h"

/* The model's own n prompts: the tree pruned to them, and its outcomes in that order. */
typedef struct assay_score_model {
    size_t n, *kept;
    assay_dendrogram *tree;
    double *x, *m, *log_prior;
    unsigned char *has; /* which prompts of the input it has */
    assay_posterior *posterior;
    assay_mixture reading[3];
    double value[ASSAY_SCORE_N_NUMBERS];
    const char *reason[ASSAY_SCORE_N_NUMBERS];
} assay_score_model;

struct assay_score {
    size_t n, n_models, joint_n; /* joint_n: prompts that any model has */
    assay_score_model *models;
    double *joint_post, *joint_log_prior;
    double joint[ASSAY_SCORE_JOINT_N_NUMBERS];
};

/* Prune, fit and number one model: x and m have n of the tree's prompts. As assay_score_fit(). */
assay_status assay_score_model_fit(const assay_dendrogram *tree, const double *x, const double *m,
                                   const assay_score_options *options, assay_score_model *model);
void assay_score_model_free(assay_score_model *model);

/* Extensions that the options ask for; the model's posterior is there. */
assay_status assay_score_model_extend(const assay_score_options *options, assay_score_model *model);

static inline void assay_score_set(assay_score_model *model, assay_score_number number,
                                   double value, const char *reason)
{
    model->value[number] = value;
    model->reason[number] = value == value ? NULL : reason;
}

#endif
