/* SPDX-License-Identifier: Apache-2.0 */
/* The aggregate of Every Eval Ever beside its instances: what it says of their metrics. */
#ifndef ASSAY_LOGS_EVERY_EVAL_EVER_BESIDE_H
#define ASSAY_LOGS_EVERY_EVAL_EVER_BESIDE_H

#include "data/names.h"
#include "logs/pick.h"
#include "read/table.h"

/* One of evaluation_results; its texts end in NUL and may be empty. */
typedef struct assay_every_eval_ever_result {
    char *id, *metric_id, *metric_name; /* id: evaluation_result_id, or evaluation_name */
    int lower_is_better, has_unknown;
} assay_every_eval_ever_result;

typedef struct assay_every_eval_ever_beside {
    char *path;
    assay_every_eval_ever_result *results;
    size_t n, capacity;
    assay_picker picker; /* while reading, of a result */
} assay_every_eval_ever_beside;

/* Read X.json beside X_samples.jsonl, if it is there and whole. ASSAY_OK; ASSAY_E_NOMEM. Free it whatever happened. */
assay_status assay_every_eval_ever_beside_read(assay_every_eval_ever_beside *beside,
                                               assay_table *table);
void assay_every_eval_ever_beside_free(assay_every_eval_ever_beside *beside);

/* Whether it calls the metric of a result so. */
int assay_every_eval_ever_beside_calls(const assay_every_eval_ever_beside *beside, assay_name id,
                                       const char *metric);

/* Whether -1 stands for unknown among the scores of a result. */
int assay_every_eval_ever_beside_has_unknown(const assay_every_eval_ever_beside *beside,
                                             assay_name id);

/* Note of which of these metrics lower is better. */
assay_status assay_every_eval_ever_beside_note(const assay_every_eval_ever_beside *beside,
                                               assay_table *table, const assay_names *metrics);

#endif
