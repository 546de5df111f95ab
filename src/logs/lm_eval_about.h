/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around a samples file of lm-evaluation-harness: its name, its folder, and the results
   file beside it. */
#ifndef ASSAY_LOGS_LM_EVAL_ABOUT_H
#define ASSAY_LOGS_LM_EVAL_ABOUT_H

#include "data/names.h"
#include "logs/cell.h"

typedef struct assay_lm_eval_about {
    char *model;               /* NULL: nothing names it */
    char *task;                /* NULL: the same */
    char *results;             /* the results file that was read; NULL: there is none */
    const char *model_is_from; /* "the results file", "the folder", "the file's name" */
    double n_effective;        /* rows that the results file counts, NaN where it counts none */
    assay_names lower;         /* metrics of which it says that lower is better */
    char *no_error;            /* the first standard error that is no number, or NULL */
    char *unread;              /* why a results file could not be read, or NULL */
} assay_lm_eval_about;         /* all zero is none; free it whatever happened */

/**
 * Find out about a samples file.
 *
 * Since 0.4.3 a file is called samples_TASK_DATE.jsonl, where a task may hold '_' and DATE is like
 * 2026-01-21T03-44-18.458309; its results file is results_DATE.json, or another name that ends in
 * _DATE.json. Before, it is called ARGS_TASK.jsonl, where ARGS is config.model_args of the
 * results.json beside it with '/' and '=' as "__", so that only this file can tell the two apart.
 * The model is model_name of the results file, or what its model_args name; else what the folder is
 * called, for new names, and ARGS_TASK, for old ones; NULL for a file that was given a name of its
 * own.
 *
 * A results file that cannot be read is as none, and unread says why.
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_lm_eval_about_find(assay_lm_eval_about *about, const assay_table *table);
void assay_lm_eval_about_free(assay_lm_eval_about *about);

/* The task and the date within a samples file's name (no folder before it), borrowed from it; 0
   where the name is another one. */
int assay_lm_eval_name_split(const char *name, assay_name *task, assay_name *date);

#endif
