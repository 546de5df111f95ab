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
 * as RFC 4180 asks. Covariates are not written: a reader would take them for items.
 *
 * @param delimiter  of the CSV layouts: ',' or '\t'.
 * @param progress   called a record at a time, stage "writing"; all zero for none.
 * @param to         a stream that stays the caller's; failed writes are seen by ferror(to).
 * @return ASSAY_OK; ASSAY_E_VALUE for another layout or delimiter.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_write(const assay_results *results, assay_layout layout,
                                   char delimiter, assay_progress progress, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
