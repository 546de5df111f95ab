/* SPDX-License-Identifier: Apache-2.0 */
/* Whose the rows of an array are: VECTORS.npy has VECTORS.ids.csv beside it where `assay embed` made it. */
#include "read/embeddings.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "id," ASSAY_IDS_LONG "\n";

/* The path of the ids, allocated; NULL in *out where there is no such file, or it is somebody else's. */
static assay_status find_ids(const char *path, char **out)
{
    static const char ending[] = ".npy", beside[] = ".ids.csv";
    size_t length = strlen(path), n = sizeof ending - 1;
    char first[sizeof head] = "", *ids;
    FILE *from;

    *out = NULL;
    if (length <= n || strcmp(path + length - n, ending) != 0) return ASSAY_OK;
    ids = assay_alloc(length - n + sizeof beside, 1);
    if (!ids) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its ids", path);
    memcpy(ids, path, length - n);
    memcpy(ids + length - n, beside, sizeof beside);
    from = fopen(ids, "rb");
    if (from && fgets(first, sizeof first, from) && strcmp(first, head) == 0) *out = ids;
    if (from) fclose(from);
    if (!*out) free(ids);
    return ASSAY_OK;
}

/* The row of each prompt in place of the rows as they came. */
static assay_status arrange(assay_embeddings *e, const assay_prompts *ids)
{
    size_t n = assay_prompts_n(e->prompts), d = e->d;
    double *arranged = assay_alloc_aligned(n * d, sizeof *arranged);

    if (!arranged) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu vectors", e->path, n);
    for (size_t i = 0; i < n; i++) {
        const char *id = assay_prompts_id(e->prompts, i);
        ptrdiff_t row = assay_prompts_find(ids, id);

        if (row < 0) {
            free(arranged);
            return assay_fail_at(ASSAY_E_SHAPE, e->path, 0,
                                 "prompt \"%.60s\" has no vector by the ids beside it", id);
        }
        memcpy(arranged + i * d, e->dense + (size_t)row * d, d * sizeof *arranged);
    }
    free(e->dense);
    e->dense = arranged;
    return ASSAY_OK;
}

assay_status assay_embeddings_match_ids(assay_embeddings *e, size_t n_rows, int *is_matched)
{
    assay_prompts_options options;
    assay_prompts *ids = NULL;
    char *path;
    assay_status status = find_ids(e->path, &path);

    *is_matched = path != NULL;
    if (status != ASSAY_OK || !path) return status;
    assay_prompts_options_init(&options, sizeof options);
    options.id = "id";
    options.text = ASSAY_IDS_LONG;
    status = assay_prompts_read(path, &options, &ids);
    if (status == ASSAY_OK && assay_prompts_n(ids) != n_rows)
        status = assay_fail_at(ASSAY_E_SHAPE, path, 0, "%zu ids, expected %zu as there are vectors",
                               assay_prompts_n(ids), n_rows);
    if (status == ASSAY_OK) status = arrange(e, ids);
    assay_prompts_free(ids);
    free(path);
    return status;
}
