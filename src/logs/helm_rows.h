/* SPDX-License-Identifier: Apache-2.0 */
/* The statistics of a HELM run, as its file has them, and as observations once all are there: only all
   of them together say which is the score and which split serves. */
#ifndef ASSAY_LOGS_HELM_ROWS_H
#define ASSAY_LOGS_HELM_ROWS_H

#include "logs/helm_run.h"

/* An instance under a perturbation in a trial: rows that say more of it are one. */
typedef struct assay_helm_row {
    size_t instance, perturbation, trial; /* names */
    size_t split, sub_split;              /* names, SIZE_MAX: none told */
    int is_scored;                        /* has the chosen metric */
    size_t line;
} assay_helm_row;

typedef struct assay_helm_statistic {
    size_t row, metric, split, sub_split;
    double value; /* NaN: of nothing */
} assay_helm_statistic;

typedef struct assay_helm_rows {
    assay_table *table;
    assay_helm_run run;
    assay_picker rows_picker, picker;
    assay_helm_row *rows;
    assay_helm_statistic *statistics;
    size_t n, n_begun, rows_capacity,
        statistics_capacity; /* n: statistics; n_begun: of rows done */
    assay_names keys, instances, perturbations, trials, splits, sub_splits, metrics;
    assay_log_text scratch;
} assay_helm_rows;

/* Put the chosen score of the chosen split into the table, with notes. What assay_read() returns. */
assay_status assay_helm_rows_put(assay_helm_rows *h);

#endif
