/* SPDX-License-Identifier: Apache-2.0 */
/* Items from a NumPy array, row by row. */
#include "core/error.h"
#include "core/memory.h"
#include "read/item_rows.h"
#include "read/npy.h"

#include <math.h>

static assay_status check_order(const assay_item_rows *table, int rows_are_models);
static assay_status fill(assay_item_rows *table, size_t size, size_t *got);

assay_status assay_item_rows_open_array(assay_item_rows *table, assay_rows rows)
{
    assay_npy_header *header = &table->array;
    int rows_are_models = rows == ASSAY_ROWS_MODELS;
    uint64_t length;
    assay_status status =
        assay_npy_read_header(table->path, assay_input_read, table->input, header, &length);

    if (status == ASSAY_OK) status = check_order(table, rows_are_models);
    if (status != ASSAY_OK) return status;
    table->n_models = rows_are_models ? header->n : header->d;
    table->n_items = rows_are_models ? header->d : header->n;
    if (table->n_models > SIZE_MAX / sizeof(double)) goto no_memory;
    table->bytes = assay_alloc(table->n_models, header->size);
    if (table->bytes) return ASSAY_OK;
no_memory:
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a row of %zu numbers", table->path,
                      table->n_models);
}

/* The numbers of an item have to stand together. */
static assay_status check_order(const assay_item_rows *table, int rows_are_models)
{
    if (table->array.n_dimensions != 2)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "an array of one dimension, expected items and models");
    if (rows_are_models == table->array.is_fortran) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                         "an array in %s order whose rows are %s, so that the scores of an item "
                         "lie apart, expected them side by side: %s",
                         rows_are_models ? "C" : "Fortran", rows_are_models ? "models" : "items",
                         rows_are_models ? "transpose it" : "write it in C order");
}

assay_status assay_item_rows_next_in_array(assay_item_rows *table, const double **scores)
{
    size_t size = table->n_models * table->array.size, got;
    assay_status status;

    if (table->n_read == table->n_items) {
        status = fill(table, 1, &got);
        if (status == ASSAY_OK && got > 0)
            status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                                   "the data go on after the array, expected its end");
        return status;
    }
    if ((status = fill(table, size, &got)) != ASSAY_OK) return status;
    if (got < size)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "the data are cut short: %zu of %zu items are there", table->n_read,
                             table->n_items);
    assay_npy_convert(&table->array, table->bytes, table->n_models, table->scores);
    table->n_read++;
    for (size_t m = 0; m < table->n_models; m++)
        if (isinf(table->scores[m]))
            return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                                 "item %zu has %g for model %zu, expected a finite number, or NaN "
                                 "for missing",
                                 table->n_read, table->scores[m], m + 1);
    *scores = table->scores;
    return ASSAY_OK;
}

/* As many bytes as there are, up to size, to the front of the row. */
static assay_status fill(assay_item_rows *table, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        size_t more = 0;
        assay_status status =
            assay_input_read(table->input, (char *)table->bytes + *got, size - *got, &more);

        if (status != ASSAY_OK) return status;
        if (more == 0) break;
        *got += more;
    }
    return ASSAY_OK;
}
