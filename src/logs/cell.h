/* SPDX-License-Identifier: Apache-2.0 */
/* One observation of a tool's log, on its way into the table. */
#ifndef ASSAY_LOGS_CELL_H
#define ASSAY_LOGS_CELL_H

#include "data/identity.h"
#include "logs/pick.h"
#include "read/table.h"

typedef struct assay_log_cell {
    assay_name model; /* NULL text: the log names none, and its model is called as the file is */
    assay_name task;  /* what the item's id is one of; no text: of nothing */
    assay_name
        item; /* its id in the log: in the table the item is "TASK/ITEM"; where models are told
                         apart by task (by_task of the options), ITEM */
    assay_id_kind item_kind; /* how the log writes it, if the reader knows */
    assay_name content; /* what the item asks, by which inputs are joined within a task: a digest
                           that the tool wrote; no text: that of text below, unless a template made
                           it (template_id) */
    assay_name template_id; /* no text: the only one */
    assay_name run;         /* no text: the only one, or with --repeats a further one */
    assay_name cluster;     /* no text: none, for which the task serves */
    assay_name text;        /* the last turn of the user; no text: the log has none */
    double score;           /* where state is ASSAY_SCORED */
    assay_score_state state;
    size_t line; /* of the file, 0: unknown */
} assay_log_cell;

/* Put it into the table, at the item of equal content or of that id (data/identity.h). ASSAY_OK;
   ASSAY_E_FORMAT for a blank item; ASSAY_E_CONFLICT; ASSAY_E_NOMEM. */
assay_status assay_log_put(assay_table *table, const assay_log_cell *cell);

/* A value as a score: a finite number, true and false, or what assay_score_text_parse() takes for
   one. ASSAY_SCORED; ASSAY_UNSCORED for NaN, null and everything else, with a score of NaN. */
assay_score_state assay_log_score(const assay_value *value, double *score);

#endif
