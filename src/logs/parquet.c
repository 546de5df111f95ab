/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/parquet.h"

#include "core/error.h"
#include "logs/lighteval.h"
#include "read/delimited.h"
#include "read/parquet_csv.h"

#include <stdio.h>
#include <stdlib.h>

static assay_status read_columns(assay_table *table, assay_parquet *parquet);
static assay_status read_table(assay_table *table, assay_parquet *parquet);
static assay_status check_options(const assay_table *table);

int assay_parquet_is_asked(const assay_table *table, const assay_log_head *head)
{
    switch (table->options->format) {
    case ASSAY_FORMAT_PARQUET: return 1;
    case ASSAY_FORMAT_AUTO:
    case ASSAY_FORMAT_LIGHTEVAL: return head->kind == ASSAY_HEAD_PARQUET;
    default: return 0;
    }
}

assay_status assay_parquet_read(assay_table *table, const assay_log_head *head)
{
    assay_parquet *parquet = NULL;
    assay_status status;

    if (head->kind != ASSAY_HEAD_PARQUET)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "is no Parquet file, expected one");
    status = assay_parquet_open(table->path, table->input, &parquet);
    if (status == ASSAY_E_FORMAT && !table->obstacle[0])
        snprintf(table->obstacle, sizeof table->obstacle, "%s", assay_last_error());
    if (status == ASSAY_OK) status = read_columns(table, parquet);
    assay_parquet_close(parquet);
    return status;
}

static assay_status read_columns(assay_table *table, assay_parquet *parquet)
{
    const assay_format format = table->options->format;
    int may_be_log = format == ASSAY_FORMAT_AUTO;

    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (assay_role_given((assay_role)r, table->options)) may_be_log = 0;
    if (format == ASSAY_FORMAT_LIGHTEVAL || (may_be_log && assay_lighteval_is_details(parquet)))
        return assay_lighteval_read(table, parquet);
    return read_table(table, parquet);
}

static assay_status read_table(assay_table *table, assay_parquet *parquet)
{
    assay_parquet_csv source = { .parquet = parquet, .progress = &table->options->progress };
    assay_csv *csv = NULL;
    assay_status status = check_options(table);

    if (status == ASSAY_OK) status = assay_parquet_select(parquet, NULL, 0);
    if (status == ASSAY_OK)
        status = assay_csv_open(table->path, ",", assay_parquet_csv_read, &source, &csv);
    if (status == ASSAY_OK) {
        assay_csv_number_records(csv);
        status = assay_delimited_read_from(table, csv);
    }
    assay_csv_close(csv);
    free(source.line.bytes);
    return status;
}

static assay_status check_options(const assay_table *table)
{
    const assay_read_options *options = table->options;

    if (options->metric || options->filter)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "is no tool's log, of whose scores --metric names one; --score names "
                             "a column");
    if (options->task_name)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "is no log of lm-evaluation-harness, of whose tasks --task-name makes "
                             "templates; --template names a column");
    return ASSAY_OK;
}
