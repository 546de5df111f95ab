/* SPDX-License-Identifier: Apache-2.0 */
/* One row of a long table: an observation as text. */
#ifndef ASSAY_READ_ROW_H
#define ASSAY_READ_ROW_H

#include "data/identity.h"
#include "read/table.h"

typedef struct assay_row {
    assay_name field[ASSAY_N_ROLES]; /* a NULL text: the table has no such column */
    size_t line;
    int decimal_comma;
    assay_name score_column; /* as messages call it */
    assay_id_kind id_kind;   /* of its item, where the table tells */
} assay_row;

/* Put a row into the table. ASSAY_OK; ASSAY_E_FORMAT for a blank name or what is not a score;
   ASSAY_E_CONFLICT; ASSAY_E_NOMEM. */
assay_status assay_row_put(assay_table *table, const assay_row *row);

#endif
