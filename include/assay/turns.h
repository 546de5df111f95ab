/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts of several turns as one vector each. Method: docs/score.md */
#ifndef ASSAY_TURNS_H
#define ASSAY_TURNS_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the vectors of a prompt's turns become one. Part of the ABI: never renumber. */
typedef enum assay_turns {
    ASSAY_TURNS_CONCAT = 0,   /* side by side: turn t is compared with turn t */
    ASSAY_TURNS_MEAN = 1,     /* their mean */
    ASSAY_TURNS_WEIGHTED = 2, /* their mean, turn t (from 0) weighing t + 1: the last weighs most */
    ASSAY_TURNS_LAST = 3,     /* the last one */
    ASSAY_TURNS_MAX = 4 /* all, the distance of two prompts being the largest of their turns' */
} assay_turns;

/**
 * Join the vectors of turns to one vector a prompt.
 *
 * With unit vectors u_t and v_t of the turns of two prompts: CONCAT has the cosine sum_t u_t . v_t /
 * sqrt(T_u T_v), T being how many turns are not zero; so for as many turns it is the mean of the
 * turns' cosines, and a turn that only one prompt has counts as unlike. MAX has the distance max_t
 * (1 - u_t . v_t), where a turn that is zero or not there is at 1 from one that is there, and at 0
 * from its like. It is no geometry of vectors: dendrograms, DBSCAN and representatives follow it; what
 * needs centres or coordinates (k-means, the Hopkins statistic, the map) refuses it.
 *
 * Where every prompt has one turn, the vectors are those given, to the bit. Columns of turn t follow
 * those of turn t - 1 (CONCAT, MAX) and have the same terms.
 *
 * @param turns  one vector a turn, dense or sparse, as the joined ones will be. Borrowed.
 * @param start  n + 1 numbers from 0 to the number of turns: those of prompt i are start[i] ..
 *               start[i + 1] - 1, one or more. Borrowed.
 * @param out    owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE without prompts, for a prompt without a turn, starts that do not fit
 *         the turns, or 2^32 columns; ASSAY_E_VALUE for how, or turns that are joined already;
 *         ASSAY_E_NOMEM.
 * Cost: O(entries), where dense CONCAT and MAX have n x most turns x d.
 */
ASSAY_API assay_status assay_vectors_join_turns(const assay_vectors *turns, const size_t *start,
                                                size_t n, assay_turns how, assay_vectors **out);

#ifdef __cplusplus
}
#endif
#endif
