/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a Parquet file as CSV, so that its columns mean what a table's do. */
#ifndef ASSAY_READ_PARQUET_CSV_H
#define ASSAY_READ_PARQUET_CSV_H

#include "read/parquet.h"
#include "read/quoted.h"

typedef struct assay_parquet_csv {
    assay_parquet *parquet; /* all of whose columns were selected */
    const assay_progress *progress;
    assay_quoted line; /* the one at hand, */
    size_t taken;      /* of which so much was handed out */
    int has_header, has_ended;
} assay_parquet_csv; /* zeros but for the first two; free line.bytes */

/* The header and then the rows, for assay_csv_open(); user is an assay_parquet_csv. Names, texts and
   JSON are quoted, numbers bare, NULL a blank field. What assay_parquet_next() returns;
   ASSAY_E_CANCELLED. */
assay_status assay_parquet_csv_read(void *user, char *buffer, size_t size, size_t *got);

#endif
