/* SPDX-License-Identifier: Apache-2.0 */
/* Which items of a wide table are read: the options columns and drop. */
#ifndef ASSAY_READ_SELECTION_H
#define ASSAY_READ_SELECTION_H

#include "assay/read.h"
#include "read/header.h"

/**
 * Decide which columns of a table are read as items.
 *
 * A name of the options is that of the column that is called so exactly, or else of the one that is
 * nearly (assay_name_is_nearly).
 *
 * @param is_item  by column: 1 where it may be an item; becomes 0 where the options leave it out.
 * @return ASSAY_OK; ASSAY_E_VALUE when a list is malformed, or a name of it is that of no such
 *         column (the sentence lists them) and must be, or nearly that of two; ASSAY_E_NOMEM.
 */
assay_status assay_selection_of_columns(const assay_read_options *options, const char *path,
                                        const assay_header *header, unsigned char *is_item);

/* 1 where a table that is not wide has to be refused, for it has no columns to choose among. */
int assay_selection_is_asked(const assay_read_options *options);

/* The same for a table whose rows are items, of which one after the other is seen: names count
   exactly, because a later one may do so. */
typedef struct assay_selection {
    assay_header columns, drop;
    unsigned char *columns_seen, *drop_seen; /* a name of the list was asked about */
    uint64_t *drop_met;                      /* borrowed from the options */
    char items[ASSAY_HEADER_LIST_SIZE];      /* the names that were asked about, the first ones */
} assay_selection;

/* ASSAY_OK; ASSAY_E_VALUE when a list is malformed; ASSAY_E_NOMEM. Free it whatever happened. */
assay_status assay_selection_open(assay_selection *selection, const assay_read_options *options);
void assay_selection_free(assay_selection *selection);

/* 1 when this is to be read as an item. */
int assay_selection_takes(assay_selection *selection, assay_name name);

/* ASSAY_E_VALUE when a list names something that was never asked about, and must be there. */
assay_status assay_selection_check(const assay_selection *selection, const char *path);

#endif
