/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of items that a sampling plan spreads each template over. */
#ifndef ASSAY_TEMPLATES_STRATA_H
#define ASSAY_TEMPLATES_STRATA_H

#include "assay/base.h"

typedef struct assay_strata {
    size_t n_groups;
    uint32_t *group; /* of each item, from 0 */
    uint32_t *size;  /* items of each group */
    uint32_t *had;   /* room: of each group, how many one template has */
} assay_strata;

/* Groups from any numbers, one an item. ASSAY_OK; ASSAY_E_NOMEM (freeing is then fine too). */
assay_status assay_strata_new(const size_t *labels, size_t n_items, assay_strata *strata);
void assay_strata_free(assay_strata *strata);

/* Of the candidates leave those whose group has the smallest share of its items in has; how many
   they are. Both are sets of n_words words, and there is a candidate. */
size_t assay_strata_narrow(assay_strata *strata, const uint64_t *has, uint64_t *candidates,
                           size_t n_words);

#endif
