/* SPDX-License-Identifier: Apache-2.0 */
#include "read/delimited.h"

#include "core/error.h"
#include "data/results.h"

assay_status assay_delimited_read(assay_table *table, const char *delimiters)
{
    assay_csv *csv = NULL;
    assay_status status =
        assay_csv_open(table->path, delimiters, assay_input_read, table->input, &csv);

    if (status == ASSAY_OK) status = assay_delimited_read_from(table, csv);
    assay_csv_close(csv);
    return status;
}

assay_status assay_delimited_read_from(assay_table *table, assay_csv *csv)
{
    assay_header header = { 0 };
    assay_columns columns;
    assay_csv_record record;
    assay_status status;
    int more;

    if ((status = assay_csv_next(csv, &record, &more)) != ASSAY_OK) goto done;
    if (!more) {
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "the file is empty");
        goto done;
    }
    if ((status = assay_header_read(&header, table->path, &record)) != ASSAY_OK) goto done;
    status = assay_columns_find(table->path, &header, table->options, &columns);
    if (status != ASSAY_OK) goto done;
    if (columns.is_long) assay_results_mark_rows(table->results);
    table->title = columns.is_long                     ? "a long table"
                   : columns.rows == ASSAY_ROWS_MODELS ? "a wide table, a row a model"
                                                       : "a wide table, a row an item";
    if (columns.is_long)
        status = assay_long_read(table, csv, &header, &columns);
    else if (columns.rows == ASSAY_ROWS_MODELS)
        status = assay_wide_read_models(table, csv, &header, &columns);
    else
        status = assay_wide_read_items(table, csv, &header, &columns);
done:
    assay_header_free(&header);
    return status;
}
