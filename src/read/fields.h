/* SPDX-License-Identifier: Apache-2.0 */
/* A few columns of a delimited table, row by row: for the small files that options name. */
#ifndef ASSAY_READ_FIELDS_H
#define ASSAY_READ_FIELDS_H

#include "read/columns.h"
#include "read/input.h"

enum { ASSAY_FIELDS_MAX = 8 };

/* A column that is wanted: by the usual names of a role (ASSAY_N_ROLES: of none), or by a name. */
typedef struct assay_wanted {
    assay_role role;
    const char *name; /* NULL where the role says all */
    int optional;
} assay_wanted;

/* The fields of a row in the order in which they are wanted, without the spaces around them, not
   ended by NUL; a NULL text where the table lacks that column. Borrowed for the call. */
typedef assay_status (*assay_take_fields)(void *user, size_t line, const assay_name *fields);

/**
 * Give each row of a table to take.
 *
 * @param path      CSV or TSV, gzip and Zstandard undone; "-" for standard input.
 * @param n         from 1 to ASSAY_FIELDS_MAX wanted columns.
 * @param headless  1: where the first row has no column that is wanted, it is a row as the others
 *                  and the first wanted column is the table's first.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT for a wanted column that is not there, a row with
 *         another number of fields than the first, JSON, and as assay_csv_next(); what take
 *         returned; ASSAY_E_NOMEM.
 */
assay_status assay_fields_read(const char *path, const assay_wanted *wanted, size_t n, int headless,
                               assay_take_fields take, void *user);

/* The same of an input that was opened, and perhaps peeked at. */
assay_status assay_fields_read_input(assay_input_stream *input, const assay_wanted *wanted,
                                     size_t n, int headless, assay_take_fields take, void *user);

#endif
