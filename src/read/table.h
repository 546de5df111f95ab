/* SPDX-License-Identifier: Apache-2.0 */
/* A table while it is being read: what the readers of long, wide and JSON tables share. */
#ifndef ASSAY_READ_TABLE_H
#define ASSAY_READ_TABLE_H

#include "read/columns.h"
#include "read/input.h"

enum { ASSAY_TABLE_NOTE_SIZE = 1024 };

typedef struct assay_table {
    assay_results *results;
    const assay_read_options *options;
    const char *path;       /* how messages call it */
    const char *model_path; /* how its model is called where no column names it; NULL: path */
    assay_input_stream *input;
    uint64_t reported; /* bytes on disk at the latest report of progress */
    int in_folder;     /* the file is one of a folder's */
    int model_is_path; /* no column names the model: it is called as the file is */
    size_t model;      /* that its rows name first, + 1; 0: none yet */
    const char *title; /* what the file was taken for, literal text */
    int format;        /* of the log that is read, an assay_format; ASSAY_FORMAT_AUTO for none */
    const char *sha256_of; /* what sha256 is of, where it is not of the file; else NULL */
    char sha256[65];
    char obstacle[512]; /* why the first of a folder's files was left out that something else could
                           have opened; "" for none */
    char *mapping;      /* ASSAY_TABLE_NOTE_SIZE: the latest note on columns, of a folder's files */
} assay_table;

/* Read the rows after the header, each an observation; each a model or item. ASSAY_OK, or what
   assay_read() returns. */
assay_status assay_long_read(assay_table *table, assay_csv *csv, const assay_header *header,
                             const assay_columns *columns);
assay_status assay_wide_read_models(assay_table *table, assay_csv *csv, const assay_header *header,
                                    const assay_columns *columns);
assay_status assay_wide_read_items(assay_table *table, assay_csv *csv, const assay_header *header,
                                   const assay_columns *columns);

/* Read JSON rows, to the end of the input. The same. */
assay_status assay_json_rows_read(assay_table *table);

/* Take one record of a table; state is the reader's own. */
typedef assay_status (*assay_take_record)(void *state, assay_csv_record *record);

/* Take every record that is left, reporting progress. What take returns; ASSAY_E_FORMAT when there
   is none; what assay_csv_next() returns; ASSAY_E_CANCELLED. */
assay_status assay_table_take_records(assay_table *table, assay_csv *csv, assay_take_record take,
                                      void *state);

/* Report progress every few megabytes. ASSAY_OK or ASSAY_E_CANCELLED. */
assay_status assay_table_step(assay_table *table);

/* Put "PATH:LINE: " before the sentence of a failure that knew no file, and more behind it. */
assay_status assay_table_fail(const assay_table *table, size_t line, assay_status status,
                              const char *more);

/* The same for a conflict: behind it stands what may be done about it, which depends on whether the
   row says its model and its run. */
assay_status assay_table_fail_conflict(const assay_table *table, size_t line, int has_model,
                                       int has_run);

/* Fail because a row has another number of fields than the header. Returns ASSAY_E_FORMAT. */
assay_status assay_table_fail_ragged(const assay_table *table, size_t line, size_t fields,
                                     size_t expected);

/* Fail because a row has something in a column, counted from 0, that has no name. The same. */
assay_status assay_table_fail_unnamed(const assay_table *table, size_t line, size_t column);

/* Check the name of a model or an item: not blank, UTF-8, no NUL character. ASSAY_OK or
   ASSAY_E_FORMAT. */
assay_status assay_table_check_name(const assay_table *table, size_t line, const char *what,
                                    assay_name name);

/* The model of a row, which has a task or not, as the table numbers it; the names are checked. A
   NULL text: without a column for it the model is called as the file is, whose name tells it from
   others. ASSAY_OK; ASSAY_E_FORMAT for a name that is none; ASSAY_E_NOMEM. */
assay_status assay_table_name_model(assay_table *table, size_t line, assay_name model,
                                    assay_name task, size_t *index);

/* Write "KIND; model = "...", item = "...", ...; other OTHERS ignored: a, b" as a note's text: the
   column or key of each role, a NULL text for none, and the list of those that have no role. */
void assay_table_describe(char out[ASSAY_TABLE_NOTE_SIZE], const char *kind,
                          const assay_name of[ASSAY_N_ROLES], const char *others,
                          const char *ignored);

/* Note how the columns were understood, once for files in a row of which it is the same. */
assay_status assay_table_note_mapping(assay_table *table, const char *mapping);

#endif
