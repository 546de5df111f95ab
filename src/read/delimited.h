/* SPDX-License-Identifier: Apache-2.0 */
/* A table of delimited text, or of what comes as such. */
#ifndef ASSAY_READ_DELIMITED_H
#define ASSAY_READ_DELIMITED_H

#include "read/table.h"

/* Read a long or a wide table to its end: from the input, or from another reader of records, which
   stays the caller's. What assay_read() returns. */
assay_status assay_delimited_read(assay_table *table, const char *delimiters);
assay_status assay_delimited_read_from(assay_table *table, assay_csv *csv);

#endif
