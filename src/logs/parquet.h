/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet files: a tool's log, or a table like those in CSV. */
#ifndef ASSAY_LOGS_PARQUET_H
#define ASSAY_LOGS_PARQUET_H

#include "logs/head.h"
#include "read/table.h"

/* Whether the file is read here: it is Parquet, or --format says so, and says nothing else. */
int assay_parquet_is_asked(const assay_table *table, const assay_log_head *head);

/**
 * Read a Parquet file through libduckdb (read/parquet.h): details of lighteval (logs/lighteval.h),
 * unless an option names a column or --format says otherwise; else a long or wide table, whose
 * columns mean what they do in CSV. What is nested stands in a column as JSON, so that options
 * name it as "metric.acc". Lines of messages are rows, counted from 1.
 *
 * @return what assay_read() returns.
 */
assay_status assay_parquet_read(assay_table *table, const assay_log_head *head);

#endif
