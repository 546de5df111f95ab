/* SPDX-License-Identifier: Apache-2.0 */
/* Which items of a wide table are read: the options columns and drop. */
#ifndef ASSAY_READ_SELECTION_H
#define ASSAY_READ_SELECTION_H

#include "assay/read.h"
#include "read/header.h"

typedef struct assay_selection {
    assay_header columns, drop;
    unsigned char *columns_seen, *drop_seen; /* a name of the list was asked about */
} assay_selection;

/* ASSAY_OK; ASSAY_E_VALUE when a list is malformed; ASSAY_E_NOMEM. Free it whatever happened. */
assay_status assay_selection_open(assay_selection *selection, const assay_read_options *options);
void assay_selection_free(assay_selection *selection);

/* 1 when this is to be read as an item. */
int assay_selection_takes(assay_selection *selection, assay_name name);

/* ASSAY_E_VALUE when a list names something that was never asked about. */
assay_status assay_selection_check(const assay_selection *selection, const char *path);

#endif
