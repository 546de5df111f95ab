/* SPDX-License-Identifier: Apache-2.0 */
/* What lighteval writes into paths: details/MODEL/DATE/details_TASK_DATE.parquet. */
#ifndef ASSAY_LOGS_LIGHTEVAL_PLACE_H
#define ASSAY_LOGS_LIGHTEVAL_PLACE_H

#include "read/table.h"

typedef struct assay_lighteval_place {
    assay_name task;           /* a NULL text: the name says none; borrowed from the table's path */
    assay_name model;          /* a NULL text: nothing says one */
    const char *model_is_from; /* "the folder", "the results file", "the file's name" */
    char *own;                 /* holds the model */
} assay_lighteval_place;       /* all zero is none; free it whatever happened */

/* ASSAY_OK or ASSAY_E_NOMEM. A results file that cannot be read is as none. */
assay_status assay_lighteval_place_find(assay_lighteval_place *place, const assay_table *table);
void assay_lighteval_place_free(assay_lighteval_place *place);

#endif
