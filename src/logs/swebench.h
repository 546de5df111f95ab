/* SPDX-License-Identifier: Apache-2.0 */
/* Results of SWE-bench: its run reports, the lists of its experiments repository, reports of single
   instances. */
#ifndef ASSAY_LOGS_SWEBENCH_H
#define ASSAY_LOGS_SWEBENCH_H

#include "logs/head.h"
#include "read/table.h"

int assay_swebench_is_report(const assay_log_head *head);   /* MODEL.RUN_ID.json */
int assay_swebench_is_lists(const assay_log_head *head);    /* results.json */
int assay_swebench_is_instance(const assay_log_head *head); /* report.json of an instance */

/**
 * Read any of the three, to the end of the input.
 *
 * Item: an instance. Score: 1 where it is resolved. A report's model is what its file is called
 * before the last point, and its run what stands behind it; without a point, the file's path. The
 * model of results.json is the folder it lies in (the one around, where that is called results);
 * that of report.json in RUN_ID/MODEL/INSTANCE/ stands there with the run. Elsewhere it is the
 * path.
 *
 * Of a report, unresolved instances and empty patches (the system answered nothing) are scored 0,
 * those whose evaluation failed (error_ids) are errored, and those never submitted
 * (incomplete_ids) missing. SWE-bench itself counts all of them as unresolved: --metric
 * resolved_of_total does that. Of the lists, where no instance is named that was tried in vain,
 * no rate follows: refused. What is in none of the lists is unknown; install_fail, reset_failed,
 * no_logs, test_errored and test_timeout are errored.
 *
 * @return what assay_read() returns; ASSAY_E_FORMAT where no rate follows; ASSAY_E_VALUE for
 *         another metric than resolved, resolved_of_total, or a filter.
 * Cost: O(bytes); memory for the instances' names.
 */
assay_status assay_swebench_read(assay_table *table, const assay_log_head *head);
assay_status assay_swebench_read_instance(assay_table *table, const assay_log_head *head);

#endif
