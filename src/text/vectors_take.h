/* SPDX-License-Identifier: Apache-2.0 */
/* Some of the rows of vectors. */
#ifndef ASSAY_TEXT_VECTORS_TAKE_H
#define ASSAY_TEXT_VECTORS_TAKE_H

#include "text/vectors.h"

/* A copy of n >= 1 rows, in the order given; the dimensions stay, their terms are left behind. out is
   owned by the caller, NULL on failure. ASSAY_OK or ASSAY_E_NOMEM. O(entries). */
assay_status assay_vectors_take(const assay_vectors *vectors, const size_t *rows, size_t n,
                                assay_vectors **out);

#endif
