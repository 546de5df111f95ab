/* SPDX-License-Identifier: Apache-2.0 */
#include "read/parquet_csv.h"

#include "core/error.h"

#include <string.h>

static assay_status step(const assay_parquet_csv *csv);
static assay_status write_line(assay_parquet_csv *csv);
static assay_status write_field(assay_parquet_csv *csv, size_t column, int is_header,
                                assay_name value);

assay_status assay_parquet_csv_read(void *user, char *buffer, size_t size, size_t *got)
{
    assay_parquet_csv *csv = user;
    assay_status status = step(csv);

    *got = 0;
    while (status == ASSAY_OK && *got < size && !csv->has_ended) {
        size_t n = csv->line.length - csv->taken;

        if (n == 0) {
            status = write_line(csv);
            continue;
        }
        if (n > size - *got) n = size - *got;
        memcpy(buffer + *got, csv->line.bytes + csv->taken, n);
        csv->taken += n;
        *got += n;
    }
    return status;
}

static assay_status step(const assay_parquet_csv *csv)
{
    const assay_progress *progress = csv->progress;

    if (progress->step && progress->step(progress->user, "reading", 0.0) != 0)
        return assay_fail(ASSAY_E_CANCELLED, "reading was cancelled");
    return ASSAY_OK;
}

static assay_status write_line(assay_parquet_csv *csv)
{
    const size_t n = assay_parquet_n_columns(csv->parquet);
    const int is_header = !csv->has_header;
    const assay_name *values = NULL;
    assay_status status = is_header ? ASSAY_OK : assay_parquet_next(csv->parquet, &values);

    csv->taken = csv->line.length = 0;
    csv->has_header = 1;
    csv->has_ended = !is_header && !values;
    for (size_t k = 0; status == ASSAY_OK && !csv->has_ended && k < n; k++) {
        const char *name = assay_parquet_column_at(csv->parquet, k).name;
        const assay_name value = is_header ? (assay_name){ name, strlen(name) } : values[k];

        if (k > 0) status = assay_quoted_add(&csv->line, ",");
        if (status == ASSAY_OK) status = write_field(csv, k, is_header, value);
    }
    return status == ASSAY_OK && !csv->has_ended ? assay_quoted_add(&csv->line, "\n") : status;
}

/* A blank line would be no row: where there is one column its NULL has quotes. */
static assay_status write_field(assay_parquet_csv *csv, size_t column, int is_header,
                                assay_name value)
{
    const int is_number =
        !is_header && assay_parquet_is_number(assay_parquet_column_at(csv->parquet, column));

    if (!value.text && assay_parquet_n_columns(csv->parquet) > 1) return ASSAY_OK;
    return is_number
               ? assay_quoted_add_bytes(&csv->line, value.text ? value.text : "", value.length)
               : assay_quoted_add_within(&csv->line, '"', value.text ? value.text : "",
                                         value.length);
}
