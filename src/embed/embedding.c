/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/embedding.h"

#include "core/error.h"
#include "core/memory.h"
#include "text/vectors.h"

#include <stdlib.h>

void assay_embedding_free(assay_embedding *embedding)
{
    if (!embedding) return;
    free(embedding->rows);
    free(embedding->is_long);
    free(embedding);
}

size_t assay_embedding_n(const assay_embedding *embedding)
{
    return embedding->n;
}

size_t assay_embedding_dimensions(const assay_embedding *embedding)
{
    return embedding->d;
}

const float *assay_embedding_rows(const assay_embedding *embedding)
{
    return embedding->rows;
}

size_t assay_embedding_n_long(const assay_embedding *embedding)
{
    return embedding->n_long;
}

int assay_embedding_is_long(const assay_embedding *embedding, size_t i)
{
    return embedding->is_long && embedding->is_long[i];
}

size_t assay_embedding_n_unknown(const assay_embedding *embedding)
{
    return embedding->n_unknown;
}

size_t assay_embedding_n_tokens(const assay_embedding *embedding)
{
    return embedding->n_tokens;
}

size_t assay_embedding_n_distinct(const assay_embedding *embedding)
{
    return embedding->n_distinct;
}

size_t assay_embedding_n_stored(const assay_embedding *embedding)
{
    return embedding->n_stored;
}

const char *assay_embedding_store_fault(const assay_embedding *embedding)
{
    return embedding->store_fault[0] ? embedding->store_fault : NULL;
}

assay_status assay_vectors_from_embedding(const assay_embedding *embedding, assay_vectors **out)
{
    size_t n = embedding->n, d = embedding->d;
    double *dense = assay_alloc_aligned(n * d, sizeof *dense);

    *out = NULL;
    if (!dense) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu vectors", n, d);
    for (size_t k = 0; k < n * d; k++) dense[k] = embedding->rows[k];
    return assay_vectors_from_dense(dense, n, d, out);
}
