/* SPDX-License-Identifier: Apache-2.0 */
/* The scores that a log offers, of which one is taken. */
#ifndef ASSAY_LOGS_METRICS_H
#define ASSAY_LOGS_METRICS_H

#include "data/names.h"
#include "read/table.h"

/* The metric of the options among n names that a format has, by its index; the first without one.
   ASSAY_OK; ASSAY_E_VALUE for another, whose sentence lists them. */
assay_status assay_log_choose_metric(const assay_table *table, const char *const *names, size_t n,
                                     size_t *index);

/* Fail because the log has no score that --metric names: ASSAY_E_VALUE with a list of those seen.
   */
assay_status assay_log_fail_metric(const assay_table *table, const assay_names *seen);

/* The names, but for one (SIZE_MAX: of all), as a list for a sentence. */
void assay_log_list(const assay_names *names, size_t but, char list[ASSAY_HEADER_LIST_SIZE]);

/* Where no option chose one of several: note which was taken, and the others. */
assay_status assay_log_note_metrics(assay_table *table, const assay_names *seen, const char *taken);

#endif
