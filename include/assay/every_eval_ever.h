/* SPDX-License-Identifier: Apache-2.0 */
/* Results in the form of Every Eval Ever (schema 0.3.0), which other evaluation tools exchange. */
#ifndef ASSAY_EVERY_EVAL_EVER_H
#define ASSAY_EVERY_EVAL_EVER_H

#include "assay/results.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_EVERY_EVAL_EVER_SCHEMA "0.3.0"

/**
 * Write every cell that was read as an instance-level line, in the order of records and items.
 *
 * model_id is the model, and input.raw the item's text or "". An item called "CLUSTER/ID" after its
 * cluster has evaluation_name CLUSTER and sample_id ID; of any other metadata.item is its name,
 * evaluation_name its cluster or "unnamed". metadata.run, .template and .cluster stand where there
 * are any. is_correct is whether the score is at least 1. The schema wants a score of every line: a
 * cell without one has 0, and metadata.state (errored, unscored, missing) and error say so.
 * sample_hash is left out, because a table does not know the reference answers that it covers.
 *
 * assay_read() makes the same table of the lines: models, items, templates, runs, scores, states,
 * texts and clusters.
 *
 * @param progress  called a record at a time, stage "writing"; all zero for none.
 * @param to        a stream that stays the caller's; failed writes are seen by ferror(to).
 * @return ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(records x items).
 */
ASSAY_API assay_status assay_write_every_eval_ever(const assay_results *results,
                                                   assay_progress progress, FILE *to);

/* The evaluation_id of a model's lines and aggregates, "assay/MODEL/DIGEST": the digest is one of
   the inputs, so that what comes of the same inputs belongs together. To be freed; NULL without
   memory. */
ASSAY_API char *assay_every_eval_ever_id(const assay_results *results, const char *model);

#ifdef __cplusplus
}
#endif
#endif
