/* SPDX-License-Identifier: Apache-2.0 */
/* How often each term is in each text. */
#ifndef ASSAY_TEXT_COUNTS_H
#define ASSAY_TEXT_COUNTS_H

#include "data/names.h"
#include "text/terms.h"

/* Row i has the entries start[i] .. start[i + 1] - 1, in the order of their first appearance. Terms
   are numbered by first appearance over all texts. Starts as zeros; free it whatever happened. */
typedef struct assay_counts {
    size_t n, n_entries;
    size_t *start;
    uint32_t *term, *count;
    assay_names vocabulary;
    uint32_t *texts_with; /* of each term, in how many texts it is */
    size_t *latest;       /* of each term, its latest entry */
    size_t term_capacity, count_capacity, texts_with_capacity, latest_capacity;
} assay_counts;

/* ASSAY_OK; ASSAY_E_SHAPE with 2^32 texts, or terms, or terms in one text; ASSAY_E_NOMEM. */
assay_status assay_counts_take(assay_counts *counts, const char *const *texts, size_t n,
                               const assay_tfidf_options *options);
void assay_counts_free(assay_counts *counts);

#endif
