/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a HELM run say beside its scores: the model, the task and adapter by the run's
   name, and the instances. */
#ifndef ASSAY_LOGS_HELM_RUN_H
#define ASSAY_LOGS_HELM_RUN_H

#include "data/names.h"
#include "logs/text.h"
#include "read/table.h"

typedef struct assay_helm_instance {
    char *text, *split;                /* NULL: unknown */
    char content[ASSAY_LOG_HASH_SIZE]; /* "": unknown */
} assay_helm_instance;

typedef struct assay_helm_run {
    assay_log_text name, model;                 /* model: no text where nothing names it */
    assay_log_text task, variant, augmentation; /* parts of the name */
    assay_names ids;                            /* of instances */
    assay_helm_instance *instances;             /* by id */
    size_t instances_capacity;
} assay_helm_run; /* all zero is empty; free it whatever happened */

/* Read what lies beside the table's file. ASSAY_OK; ASSAY_E_READ, ASSAY_E_FORMAT for files that are
   broken; ASSAY_E_NOMEM. */
assay_status assay_helm_run_read(assay_helm_run *run, assay_table *table);
void assay_helm_run_free(assay_helm_run *run);

/* What is known of an instance, or NULL. */
const assay_helm_instance *assay_helm_run_instance(const assay_helm_run *run, const char *id);

/* Whether a statistic is a count, a time, a price or a likelihood, which is no score; the scenario's
   main metric among names of statistics, or the first that is a score, SIZE_MAX where none is. */
int assay_helm_is_metadata(const char *statistic);
size_t assay_helm_main_metric(const assay_helm_run *run, const assay_names *statistics);

#endif
