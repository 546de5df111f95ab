/* SPDX-License-Identifier: Apache-2.0 */
/* Topics: groups of prompts, each with one prompt to keep. */
#ifndef ASSAY_TOPICS_H
#define ASSAY_TOPICS_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The prompt of each topic that is most like the topic: the largest mean cosine to its prompts, itself
 * among them (so that a zero vector comes last), the first of equal ones (within 1e-12).
 *
 * @param labels          labels[i] < n_topics: the topic of prompt i.
 * @param representative  n_topics numbers; SIZE_MAX for a topic without prompts.
 * @return ASSAY_OK; ASSAY_E_VALUE for a label out of range; ASSAY_E_NOMEM.
 * Cost: O(n d), or O(entries + topics x d) for sparse vectors;
 * ASSAY_TURNS_MAX, O(n d) for each prompt of the largest topic.
 */
ASSAY_API assay_status assay_topics_representatives(const assay_vectors *vectors,
                                                    const size_t *labels, size_t n_topics,
                                                    size_t *representative);

#ifdef __cplusplus
}
#endif
#endif
