/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a benchmark still tells its best models apart. Method: docs/signals.md */
#ifndef ASSAY_TOP_MODELS_H
#define ASSAY_TOP_MODELS_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The sign test, exact: how likely that of plus + minus fair coins as many or more fall on one side.
 * Of two models' 0/1 outcomes it is McNemar's exact test, plus and minus being the items that only
 * one of them solves.
 *
 * @return min(1, 2 P(X <= min(plus, minus))), X ~ Binomial(plus + minus, 1/2); 1 for none.
 */
ASSAY_API double assay_sign_test(size_t plus, size_t minus);

/* From how large a share of the top on an item counts as easy; up to one less it, as hard. Ours. */
#define ASSAY_TOP_EASY 0.9

/* How many models can be compared: their pairs are 8 million, a p of 8 bytes each. Ours. */
#define ASSAY_TOP_MOST 4096

typedef struct assay_top_models {
    size_t n_models; /* of the top */
    size_t n_pairs;
    size_t n_apart;        /* pairs that differ, all pairs allowed for (Holm) */
    size_t n_apart_alone;  /* each by itself */
    size_t n_easy, n_hard; /* items that at least 90 % of the top solve, at most 10 %; 0 where
                                   scores are not 0 or 1 */
    const char *reason;    /* a literal sentence where no pair can be told apart, or NULL */
    const char *no_items;  /* the same where nothing is easy or hard */
} assay_top_models;

/**
 * The models with the largest mean score: which of their pairs a sign test over items tells apart,
 * and how many items hardly differ between them. Of equal means the first model stands above.
 *
 * A pair is compared on the items that both have; an item where they tie counts for neither. Items
 * are taken for independent draws.
 *
 * @param n_top   how many at most; 2 to ASSAY_TOP_MOST.
 * @param level   of each test or of all of them together, such as .05; in (0, 1).
 * @param models  the models of the top, the best first. Room for n_top.
 * @return ASSAY_OK; ASSAY_E_VALUE for n_top and level; ASSAY_E_NOMEM. One model, or so few items
 *         that not even all of them on one side would differ, is a reason.
 * Cost: O(NT + n_top^2 T); memory O(N), and 8 bytes a pair of the top.
 */
ASSAY_API assay_status assay_top_models_compare(const assay_matrix *matrix, size_t n_top,
                                                double level, size_t *models,
                                                assay_top_models *out);

#ifdef __cplusplus
}
#endif
#endif
