/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of published scores from the inside, and how a number of correct items is read. */
#ifndef ASSAY_SIMULATE_PUBLISHED_H
#define ASSAY_SIMULATE_PUBLISHED_H

#include "assay/published.h"
#include "data/names.h"

typedef struct assay_published_table {
    char *task, *model; /* NULL where no column says */
    size_t place, n_items, *counts, capacity;
    assay_names templates;
} assay_published_table;

struct assay_published {
    assay_published_table *tables;
    size_t n, capacity, n_rounded;
    char *path, sha256[65];
    uint64_t rows;
};

void assay_published_table_free(assay_published_table *table);

#endif
