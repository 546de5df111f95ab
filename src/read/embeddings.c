/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors that were made elsewhere: .npy, .npz, CSV and JSON rows. */
#include "read/embeddings.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/input.h"
#include "read/npz.h"
#include "text/vectors.h"

#include <stdlib.h>
#include <string.h>

/* assay_npy_read() or assay_npz_read(). */
typedef assay_status (*array_reader)(const char *path, assay_npy_source source, void *user,
                                     double **out, size_t *n, size_t *d);

static assay_status read_content(assay_embeddings *e, assay_input_stream *input);
static assay_status read_array(assay_embeddings *e, assay_input_stream *input, array_reader read);
static assay_status put_first(assay_embeddings *e, size_t line);
static assay_status put_by_id(assay_embeddings *e, size_t line);
static assay_status check_complete(const assay_embeddings *e);
static assay_status fail_rows(const assay_embeddings *e, size_t n);

assay_status assay_vectors_read(const char *path, const assay_prompts *prompts, assay_vectors **out)
{
    assay_embeddings e = { .prompts = prompts, .path = path };
    assay_input_stream *input = NULL;
    assay_status status;

    *out = NULL;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "vectors: no path");
    status = assay_input_open(path, NULL, &input);
    if (status == ASSAY_OK) status = read_content(&e, input);
    if (status == ASSAY_OK) {
        status = assay_vectors_from_dense(e.dense, assay_prompts_n(prompts), e.d, out);
        e.dense = NULL;
        if (status == ASSAY_E_VALUE || status == ASSAY_E_SHAPE)
            status = assay_fail_at(status, e.path, 0, "%s", assay_last_error());
    }
    assay_input_close(input);
    free(e.dense);
    free(e.filled);
    free(e.values);
    free(e.id);
    return status;
}

static assay_status read_content(assay_embeddings *e, assay_input_stream *input)
{
    const char *bytes;
    size_t length, i = 0;
    assay_status status;

    e->path = assay_input_name(input);
    if ((status = assay_input_peek(input, &bytes, &length)) != ASSAY_OK) return status;
    if (length == 0) return assay_fail_at(ASSAY_E_FORMAT, e->path, 0, "the file is empty");
    if (length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0)
        return read_array(e, input, assay_npy_read);
    if (assay_npz_begins(bytes, length)) return read_array(e, input, assay_npz_read);
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) i = 3;
    while (i < length && bytes[i] != '\0' && strchr(" \t\r\n", bytes[i])) i++;
    status = i < length && (bytes[i] == '{' || bytes[i] == '[')
                 ? assay_embeddings_read_json(e, input)
                 : assay_embeddings_read_csv(e, input);
    return status == ASSAY_OK ? check_complete(e) : status;
}

static assay_status read_array(assay_embeddings *e, assay_input_stream *input, array_reader read)
{
    size_t n;
    int is_matched;
    assay_status status = read(e->path, assay_input_read, input, &e->dense, &n, &e->d);

    if (status == ASSAY_OK) status = assay_embeddings_match_ids(e, n, &is_matched);
    if (status != ASSAY_OK || is_matched) return status;
    return n == assay_prompts_n(e->prompts) ? ASSAY_OK : fail_rows(e, n);
}

assay_status assay_embeddings_put(assay_embeddings *e, size_t line)
{
    const size_t n = assay_prompts_n(e->prompts);
    assay_status status = ASSAY_OK;

    if (e->n_rows == 0) status = put_first(e, line);
    if (status != ASSAY_OK) return status;
    if (e->n_values != e->d)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                             "a vector of %zu numbers, expected %zu as in the first row",
                             e->n_values, e->d);
    if (e->has_id != e->by_id)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                             e->by_id ? "a row without an id, expected one as in the first row"
                                      : "a row with an id, expected none as in the first row");
    if (e->by_id)
        status = put_by_id(e, line);
    else if (e->n_rows < n)
        memcpy(e->dense + e->n_rows * e->d, e->values, e->d * sizeof *e->values);
    e->n_rows++;
    return status;
}

static assay_status put_first(assay_embeddings *e, size_t line)
{
    const size_t n = assay_prompts_n(e->prompts);

    if (e->n_values == 0)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, line,
                             "a row without numbers, expected a "
                             "vector");
    e->d = e->n_values;
    e->by_id = e->has_id;
    e->filled = assay_alloc_zero(n, 1);
    if (e->d <= SIZE_MAX / n) e->dense = assay_alloc_aligned(n * e->d, sizeof *e->dense);
    if (!e->filled || !e->dense)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu vectors of %zu numbers", e->path, n,
                          e->d);
    return ASSAY_OK;
}

static assay_status put_by_id(assay_embeddings *e, size_t line)
{
    const ptrdiff_t prompt = assay_prompts_find(e->prompts, e->id);
    double *row;

    if (prompt < 0) return ASSAY_OK;
    row = e->dense + (size_t)prompt * e->d;
    if (e->filled[prompt] && memcmp(row, e->values, e->d * sizeof *row) != 0)
        return assay_fail_at(ASSAY_E_CONFLICT, e->path, line,
                             "\"%.60s\" was there before with another vector, expected one an id",
                             e->id);
    memcpy(row, e->values, e->d * sizeof *row);
    e->filled[prompt] = 1;
    return ASSAY_OK;
}

static assay_status check_complete(const assay_embeddings *e)
{
    const size_t n = assay_prompts_n(e->prompts);
    size_t first = n, n_missing = 0;

    if (e->n_rows == 0)
        return assay_fail_at(ASSAY_E_FORMAT, e->path, 0, "has no vectors, expected one a prompt");
    if (!e->by_id) return e->n_rows == n ? ASSAY_OK : fail_rows(e, e->n_rows);
    for (size_t i = n; i-- > 0;)
        if (!e->filled[i]) {
            first = i;
            n_missing++;
        }
    if (n_missing == 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_SHAPE, e->path, 0,
                         "has no vector for the prompt \"%.60s\"%s: %zu of %zu prompts have none",
                         assay_prompts_id(e->prompts, first), n_missing > 1 ? " and others" : "",
                         n_missing, n);
}

static assay_status fail_rows(const assay_embeddings *e, size_t n)
{
    const size_t n_repeated = assay_prompts_n_repeated(e->prompts);

    return assay_fail_at(ASSAY_E_SHAPE, e->path, 0,
                         "has %zu vectors without ids, expected %zu: one a prompt, in their "
                         "order%s",
                         n, assay_prompts_n(e->prompts),
                         n_repeated ? " (a prompt that is repeated counts once)" : "");
}

assay_status assay_embeddings_add_value(assay_embeddings *e, double value)
{
    if (assay_grow(&e->values, &e->values_capacity, e->n_values + 1, sizeof *e->values) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a vector", e->path);
    e->values[e->n_values++] = value + 0.0; /* 0 for -0 */
    return ASSAY_OK;
}

assay_status assay_embeddings_set_id(assay_embeddings *e, const char *text, size_t length)
{
    if (assay_grow(&e->id, &e->id_capacity, length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for an id", e->path);
    if (length > 0) memcpy(e->id, text, length);
    e->id[length] = '\0';
    e->has_id = 1;
    return ASSAY_OK;
}

void assay_embeddings_begin(assay_embeddings *e)
{
    e->n_values = 0;
    e->has_id = 0;
}
