/* SPDX-License-Identifier: Apache-2.0 */
/* The two kinds of tables behind assay/item_rows.h. */
#ifndef ASSAY_READ_ITEM_ROWS_H
#define ASSAY_READ_ITEM_ROWS_H

#include "assay/item_rows.h"
#include "read/header.h"
#include "read/input.h"
#include "read/npy_header.h"

struct assay_item_rows {
    assay_input_stream *input;
    const char *path; /* how messages call it */
    assay_progress progress;
    uint64_t reported; /* bytes, when the progress was last asked */
    size_t n_models;
    double *scores; /* of the row, n_models */

    assay_csv *csv; /* NULL for an array */
    assay_header header;

    assay_npy_header array;
    size_t n_items, n_read; /* of the array */
    unsigned char *bytes;   /* a row of it */
};

/* The header of an array, which is checked, and its next row, as assay_item_rows_open() and
   assay_item_rows_next() return them. */
assay_status assay_item_rows_open_array(assay_item_rows *table, assay_rows rows);
assay_status assay_item_rows_next_in_array(assay_item_rows *table, const double **scores);

#endif
