/* SPDX-License-Identifier: Apache-2.0 */
/* Models that repeat another one's outcomes: the same system under two names, or a table pasted
   twice. Method: docs/signals.md, "Copies of models" */
#ifndef ASSAY_MODEL_COPIES_H
#define ASSAY_MODEL_COPIES_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_model_copies {
    size_t n_exact;      /* models that have every cell, holes too, of the one that they repeat */
    size_t n_by_chance;  /* of these, on so few outcomes that chance may do it */
    size_t n_near;       /* further models, which repeat one nearly */
    const char *no_near; /* a literal sentence why near-copies were not looked for, or NULL */
} assay_model_copies;

/**
 * Which models repeat an earlier one. A model that does is compared with no later one, so that
 * every copy points to a model that is none. Of one item nothing is a copy.
 *
 * A near-copy differs in d cells of the c that both have, with d at most 1, or c / 100; has at least
 * nine tenths of the cells in common that either has; and agrees with the other often enough for
 * that to be no chance: max(d, 1) times 20 cells beside the value that they agree on most often, or
 * max(d, 1) times 4 different values. So two models that solve nearly everything are no
 * near-copies for it, and of 0/1 outcomes at least 20 must be shared of either kind. An exact copy
 * that shares less is one all the same, and counted as one that may be by chance. All of these
 * numbers are ours.
 *
 * @param matrix  borrowed for the call.
 * @param like    of each model, the one that it repeats, itself where there is none. Room for
 *                n_models.
 * @param near    of each model, 1 where it repeats that one nearly. Room for n_models.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(NT + N log N) for the exact ones: rows are compared cell by cell where their digests are
 *         the same. O(N^2) comparisons for the others, each of which ends with the first cells that
 *         differ; they are not made where N^2 T is above 2e11 of 0/1 cells, or 4e9 of others.
 *         Memory O(N + T).
 */
ASSAY_API assay_status assay_model_copies_find(const assay_matrix *matrix, size_t *like,
                                               unsigned char *near, assay_model_copies *out);

#ifdef __cplusplus
}
#endif
#endif
