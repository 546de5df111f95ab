/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's arrays as scores: .npy and .npz. */
#ifndef ASSAY_LOGS_SCORE_ARRAY_H
#define ASSAY_LOGS_SCORE_ARRAY_H

#include "logs/head.h"
#include "read/table.h"

/* A .npy, or a zip archive whose first entry is one. */
int assay_score_array_is_one(const assay_log_head *head);

/**
 * Read a matrix of scores (logs/score_matrix.h), to the end of the input.
 *
 * In an .npz an array of texts or whole numbers names the models or items where it is called like
 * either in the plural or not ("models", "subject_id", "items", "question_ids", ...); of several such
 * the first usual name serves; "clusters" and the like are of the items. Of several matrices of
 * numbers --metric chooses. Objects are never unpickled.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT for another archive or array, without a matrix,
 *         or with several and no --metric; ASSAY_E_VALUE for a metric that is not there, and for
 *         a filter.
 * Cost: O(bytes). Memory: 8 bytes a number, twice that in Fortran order.
 */
assay_status assay_score_array_read(assay_table *table, const assay_log_head *head);

#endif
