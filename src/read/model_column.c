/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/model_column.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/model_column_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct assay_model_column {
    const assay_results *results;
    ptrdiff_t covariate; /* of the table, or -1: then */
    assay_attribute values;
    char *name;
    size_t n_unknown;
};

static ptrdiff_t find_covariate(const assay_results *results, const char *name);
static int is_item(const assay_results *results, const char *name);
static assay_status read_file(assay_model_column *column, const char *where,
                              assay_model_column_kind kind);
static assay_status check_any(const assay_model_column *column, const char *where);

assay_status assay_model_column_find(const assay_results *results, const char *where,
                                     assay_model_column_kind kind, assay_model_column **out)
{
    assay_model_column *column = assay_alloc_zero(1, sizeof *column);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!column) return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    column->results = results;
    column->covariate = find_covariate(results, where);
    if (column->covariate >= 0) {
        column->name = assay_copy_text(where, strlen(where));
        if (!column->name)
            status = assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    } else if (is_item(results, where)) {
        status =
            assay_fail(ASSAY_E_VALUE,
                       "\"%.60s\" is read as an item; --drop it, and it is kept as a column of "
                       "the models",
                       where);
    } else {
        status = read_file(column, where, kind);
    }
    if (status == ASSAY_OK) status = check_any(column, where);
    if (status == ASSAY_OK)
        *out = column;
    else
        assay_model_column_free(column);
    return status;
}

static ptrdiff_t find_covariate(const assay_results *results, const char *name)
{
    for (size_t c = 0; c < assay_results_n_covariates(results); c++)
        if (strcmp(assay_results_covariate(results, c), name) == 0) return (ptrdiff_t)c;
    return -1;
}

static int is_item(const assay_results *results, const char *name)
{
    for (size_t i = 0; i < assay_results_n_items(results); i++)
        if (strcmp(assay_results_item(results, i), name) == 0) return 1;
    return 0;
}

/* A file, or FILE:COLUMN where there is no file of that whole name. */
static assay_status read_file(assay_model_column *column, const char *where,
                              assay_model_column_kind kind)
{
    const char *colon = strrchr(where, ':');
    int is_whole = access(where, F_OK) == 0;
    char *path =
        assay_copy_text(where, is_whole || !colon ? strlen(where) : (size_t)(colon - where));
    assay_column_file file = { .results = column->results, .path = path, .kind = kind };
    assay_status status;

    if (!path) return assay_fail(ASSAY_E_NOMEM, "no memory for a column of the models");
    if (!is_whole && colon) file.wanted = colon + 1;
    if (access(path, F_OK) == 0)
        status = assay_column_file_read(&file);
    else
        status = assay_fail(ASSAY_E_VALUE,
                            "\"%.60s\" is neither a column that was dropped nor a file", where);
    column->values = file.values;
    column->name = file.name;
    column->n_unknown = file.n_unknown;
    free(path);
    return status;
}

static assay_status check_any(const assay_model_column *column, const char *where)
{
    for (size_t m = 0; m < assay_results_n_models(column->results); m++)
        if (assay_model_column_text(column, m)) return ASSAY_OK;
    return assay_fail(ASSAY_E_SHAPE, "\"%.60s\" has a value for none of the models", where);
}

/* ---- getters ---- */

const char *assay_model_column_name(const assay_model_column *column)
{
    return column->name;
}

const char *assay_model_column_text(const assay_model_column *column, size_t model)
{
    const char *text =
        column->covariate >= 0
            ? assay_results_covariate_value(column->results, (size_t)column->covariate, model)
            : assay_attribute_get(&column->values, model);

    return text && *text ? text : NULL;
}

size_t assay_model_column_n_unknown(const assay_model_column *column)
{
    return column->n_unknown;
}

void assay_model_column_free(assay_model_column *column)
{
    if (!column) return;
    assay_attribute_free(&column->values);
    free(column->name);
    free(column);
}
