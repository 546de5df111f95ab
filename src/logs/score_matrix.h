/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix of scores on its way into the table, with names beside it or by position. */
#ifndef ASSAY_LOGS_SCORE_MATRIX_H
#define ASSAY_LOGS_SCORE_MATRIX_H

#include "read/npy.h"
#include "read/table.h"

/* Names along one side of a matrix, and what the array of them is called; no starts: none. */
typedef struct assay_side_names {
    assay_npy_texts texts;
    char key[64];
    int are_objects; /* Python's, which are not read */
} assay_side_names;

typedef struct assay_score_matrix {
    const char *label; /* how messages call it */
    double *values;    /* n x d, row-major */
    size_t n, d;
    char kind;                                /* of the numbers, as in assay_npy_header */
    assay_side_names models, items, clusters; /* clusters: of the items */
} assay_score_matrix;

/**
 * Put the scores into the table: a row a model and a column an item, unless --rows or the numbers
 * of names say that it is the transpose.
 *
 * Where there are no names, models are called model-001 and on, items item-0001 and on, by their
 * position; a note says so. --columns and --drop choose among the items by exact name. NaN is missing. Rows of one name are a conflict, or with --repeats
 * further runs.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT for an empty matrix, an infinite score, names whose number is
 *         neither that of rows nor of columns, names that are Python objects, two items of one
 *         name, and for what is by its numbers an embedding (16 columns or more of floats of both
 *         signs, most of them no whole numbers, items without names) unless --format says that it
 *         holds scores; ASSAY_E_VALUE where --rows contradicts the names, and for a
 *         list that names what is no item; ASSAY_E_CONFLICT; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n d).
 */
assay_status assay_score_matrix_put(assay_table *table, const assay_score_matrix *matrix);

#endif
