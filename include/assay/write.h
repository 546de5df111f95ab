/* SPDX-License-Identifier: Apache-2.0 */
/* A results table as a file that every other tool reads. */
#ifndef ASSAY_WRITE_H
#define ASSAY_WRITE_H

#include "assay/results.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_layout {
    ASSAY_LAYOUT_WIDE = 0, /* CSV: a row a record (model, and template and run where there are any),
                              a column an item */
    ASSAY_LAYOUT_LONG = 1, /* CSV: a row an observation; cluster and text where items carry them */
    ASSAY_LAYOUT_JSONL = 2 /* the long rows as JSON lines */
} assay_layout;

/**
 * Write every cell that was read, in the order of records and items.
 *
 * A cell that was read without a score is empty (null in JSON); its state errored or unscored,
 * where any is, has a column of its own in the long layouts. Cells never read are left out of the
 * long layouts and empty in the wide one. Numbers read back as the same doubles; fields are quoted
 * as RFC 4180 asks, and where a reader would take spaces off their ends. Covariates are not
 * written: a reader would take them for items. What assay_read() would not take for items in a wide
 * header has no place there either: an item called like a key column ("model", or "template" and
 * "run" where these are written), a first item called like a template or a run, or one item called
 * like a column of items and another like one of scores (the usual names of docs/formats.md).
 *
 * @param delimiter  of the CSV layouts: ',' or '\t'.
 * @param progress   called a record at a time, stage "writing"; all zero for none.
 * @param to         a stream that stays the caller's; failed writes are seen by ferror(to).
 * @return ASSAY_OK; ASSAY_E_VALUE for another layout or delimiter, and for the wide layout
 *         when a name has no place in its header, with nothing written; ASSAY_E_CANCELLED.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_write(const assay_results *results, assay_layout layout,
                                   char delimiter, assay_progress progress, FILE *to);

/* Write n x d numbers, row-major, as a NumPy array of single precision (.npy, '<f4'). to stays the
   caller's; failed writes are seen by ferror(to). assay_vectors_read() reads the same numbers back. */
ASSAY_API void assay_write_npy(const float *rows, size_t n, size_t d, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
