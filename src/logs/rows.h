/* SPDX-License-Identifier: Apache-2.0 */
/* The ways that tools write a log: lines, one array, one document, several files side by side. */
#ifndef ASSAY_LOGS_ROWS_H
#define ASSAY_LOGS_ROWS_H

#include "logs/pick.h"
#include "read/table.h"

/**
 * Pick from every object of the table's input: JSON lines, values one after the other, or the
 * elements of one array; and call done with the picker's user pointer after each.
 *
 * A log that is cut short keeps the rows that are whole, with a note, and marks the table damaged.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT when a value is no object, or nothing is there; what the picker and
 *         done return; ASSAY_E_CANCELLED.
 */
assay_status assay_log_rows(assay_table *table, assay_picker *picker, assay_object_done done);

/* Pick from the one object that the table's input is. The same, but without rows that a cut leaves;
   and what assay_log_note_rest() does. */
assay_status assay_log_document(assay_table *table, assay_picker *picker);

/* The log's one object was read to its end: what stands behind it, as where files were put one after
   the other, is not lost without a note, and marks the table damaged. ASSAY_OK; ASSAY_E_READ,
   ASSAY_E_NOMEM. */
assay_status assay_log_note_rest(assay_table *table, assay_json_reader *reader);

/* The path of a file beside another one, or NULL without memory; to be freed. */
char *assay_log_beside(const char *path, const char *name);

/* Pick from the first object of another file, one beside the log, say. *found is 0, and the picker's
   values are those of an empty object, where there is no such file, it holds no object, or reading failed. ASSAY_OK;
   ASSAY_E_READ, ASSAY_E_FORMAT, ASSAY_E_NOMEM; what take returns. */
assay_status assay_log_pick_file(assay_picker *picker, const char *path,
                                 const assay_progress *progress, int *found);

/* A log's companion failed with status: what cannot be read of it is passed by with a note, for the log
   stands for itself. ASSAY_OK for ASSAY_E_FORMAT and ASSAY_E_READ, or ASSAY_E_NOMEM; else status. */
assay_status assay_log_pass_by(assay_table *table, assay_status status);

/* The same from every object of another file, as assay_log_rows() takes them from the input, with done
   after each. *found says whether there was a file. */
assay_status assay_log_pick_rows(assay_picker *picker, const char *path,
                                 const assay_progress *progress, assay_object_done done,
                                 int *found);

#endif
