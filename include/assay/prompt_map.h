/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts as points of a plane. */
#ifndef ASSAY_PROMPT_MAP_H
#define ASSAY_PROMPT_MAP_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The first two principal components of the vectors, which is classical multidimensional scaling of the
 * distances between them: by 200 steps of the power method, as many digits as a figure needs.
 *
 * @param x, y   n numbers each.
 * @param share  of the total variance that the two have; NaN where there is none.
 * @return ASSAY_OK; ASSAY_E_VALUE for ASSAY_TURNS_MAX, which is no geometry of vectors; ASSAY_E_NOMEM.
 * Cost: O(n d) a step; memory O(d).
 */
ASSAY_API assay_status assay_prompt_map_find(const assay_vectors *vectors, double *x, double *y,
                                             double *share);

#ifdef __cplusplus
}
#endif
#endif
