/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/static_table.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static assay_status load_vectors(const assay_safetensors *tensors, assay_static_table *table);
static assay_status load_weights(const assay_safetensors *tensors, assay_static_table *table);
static assay_status load_rows(const assay_safetensors *tensors, assay_static_table *table);

assay_status assay_static_table_load(const assay_safetensors *tensors, assay_static_table *table)
{
    assay_status status;

    *table = (assay_static_table){ 0 };
    status = load_vectors(tensors, table);
    if (status == ASSAY_OK) status = load_rows(tensors, table);
    if (status == ASSAY_OK) status = load_weights(tensors, table);
    return status;
}

void assay_static_table_free(assay_static_table *table)
{
    free(table->made_vectors);
    free(table->made_weights);
    free(table->made_rows);
    *table = (assay_static_table){ 0 };
}

/* As model2vec and sentence-transformers call the table. */
static assay_status load_vectors(const assay_safetensors *tensors, assay_static_table *table)
{
    const assay_tensor *tensor = assay_safetensors_find(tensors, "embeddings");

    if (!tensor) tensor = assay_safetensors_find(tensors, "embedding.weight");
    if (!tensor || tensor->n_dimensions != 2 || tensor->count == 0)
        return assay_fail_at(
            ASSAY_E_FORMAT, tensors->path, 0,
            "has no tensor \"embeddings\" or \"embedding.weight\" of two dimensions, "
            "expected those of a static model");
    table->n_rows = table->n_tokens = tensor->shape[0];
    table->d = tensor->shape[1];
    return assay_tensor_floats(tensors, tensor, &table->vectors, &table->made_vectors);
}

/* Where several tokens share a row. */
static assay_status load_rows(const assay_safetensors *tensors, assay_static_table *table)
{
    const assay_tensor *tensor = assay_safetensors_find(tensors, "mapping");
    assay_status status;

    if (!tensor) return ASSAY_OK;
    status = assay_tensor_integers(tensors, tensor, &table->made_rows);
    if (status != ASSAY_OK) return status;
    table->rows = table->made_rows;
    table->n_tokens = tensor->count;
    for (size_t t = 0; t < tensor->count; t++)
        if (table->rows[t] < 0 || (uint64_t)table->rows[t] >= table->n_rows)
            return assay_fail_at(ASSAY_E_FORMAT, tensors->path, 0,
                                 "token %zu is mapped to row %lld, expected one of %zu", t,
                                 (long long)table->rows[t], table->n_rows);
    return ASSAY_OK;
}

static assay_status load_weights(const assay_safetensors *tensors, assay_static_table *table)
{
    const assay_tensor *tensor = assay_safetensors_find(tensors, "weights");

    if (!tensor) return ASSAY_OK;
    if (tensor->count != table->n_tokens)
        return assay_fail_at(ASSAY_E_FORMAT, tensors->path, 0,
                             "has %zu weights, expected %zu, one a token", tensor->count,
                             table->n_tokens);
    return assay_tensor_floats(tensors, tensor, &table->weights, &table->made_weights);
}

void assay_static_table_run(const assay_static_table *table, const uint32_t *ids, size_t n,
                            float *vector)
{
    size_t d = table->d;

    memset(vector, 0, d * sizeof *vector);
    for (size_t t = 0; t < n; t++) {
        size_t row = table->rows ? (size_t)table->rows[ids[t]] : ids[t];
        float weight = table->weights ? table->weights[ids[t]] : 1.0f;
        const float *x = table->vectors + row * d;

        for (size_t k = 0; k < d; k++) vector[k] += weight * x[k];
    }
    for (size_t k = 0; n && k < d; k++) vector[k] /= (float)n;
}
