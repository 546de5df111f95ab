/* SPDX-License-Identifier: Apache-2.0 */
/* A property of the models in a file of its own: which column it is, and its values. */
#ifndef ASSAY_READ_MODEL_COLUMN_FILE_H
#define ASSAY_READ_MODEL_COLUMN_FILE_H

#include "assay/model_column.h"
#include "data/attribute.h"

typedef struct assay_column_file {
    const assay_results *results; /* borrowed */
    const char *path;
    assay_model_column_kind kind;
    const char *wanted; /* the column that was asked for, or NULL */
    /* the answer */
    assay_attribute values; /* by model of the table */
    char *name;
    size_t n_unknown;
} assay_column_file;

/* Read it, as assay_model_column_find() says. The answer is the caller's to free, whatever
   happened. */
assay_status assay_column_file_read(assay_column_file *file);

#endif
