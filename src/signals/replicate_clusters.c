/* SPDX-License-Identifier: Apache-2.0 */
/* Items of one cluster as replicates of one item: each member is a row, seen by every model. */
#include "core/error.h"
#include "core/memory.h"
#include "signals/replicates.h"

#include <math.h>
#include <stdlib.h>

/* An item that is kept, and its cluster. */
struct member {
    size_t label, item;
};

static assay_status sort_members(const assay_complete *complete, const size_t *labels,
                                 struct member **members);
static assay_status fill_clusters(const double *scores, const assay_complete *complete,
                                  const struct member *members, assay_replicates *made);
static void find_alike(const assay_complete *complete, assay_replicates *made);

assay_status assay_replicates_from_clusters(const double *scores, size_t n_models, size_t n_items,
                                            const size_t *labels, assay_replicates **out)
{
    assay_complete complete = { .n = { 1, n_models, n_items }, .least = { 1, 0, 0 } };
    assay_replicates *made = NULL;
    struct member *members = NULL;
    unsigned char *lacks;
    assay_status status;

    *out = NULL;
    if (n_models == 0 || n_items == 0 || n_models > SIZE_MAX / sizeof *scores / n_items)
        return assay_fail(ASSAY_E_SHAPE, "replicates: %zu models x %zu items", n_models, n_items);
    lacks = assay_alloc(n_models * n_items, 1);
    if (!lacks) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu models", n_models);
    complete.lacks = lacks;
    for (size_t k = 0; k < n_models * n_items; k++) {
        if (isinf(scores[k])) {
            free(lacks);
            return assay_fail(ASSAY_E_VALUE, "replicates: scores[%zu, %zu] is %g", k / n_items,
                              k % n_items, scores[k]);
        }
        lacks[k] = (unsigned char)(scores[k] != scores[k]);
    }
    status = assay_complete_find(&complete);
    if (status == ASSAY_OK) status = sort_members(&complete, labels, &members);
    if (status == ASSAY_OK) {
        made = assay_replicates_new(ASSAY_REPLICATES_CLUSTERS, &complete);
        status = made ? fill_clusters(scores, &complete, members, made)
                      : assay_fail(ASSAY_E_NOMEM, "no memory for replicates");
    }
    free(members);
    free(lacks);
    assay_complete_free(&complete);
    if (status == ASSAY_OK) {
        *out = made;
        made = NULL;
    }
    assay_replicates_free(made);
    return status;
}

/* By cluster, and in it by item: where rows stand in the input does not matter otherwise. */
static int compare_members(const void *a, const void *b)
{
    const struct member *s = a, *t = b;

    if (s->label != t->label) return s->label < t->label ? -1 : 1;
    return (s->item > t->item) - (s->item < t->item);
}

static assay_status sort_members(const assay_complete *complete, const size_t *labels,
                                 struct member **members)
{
    size_t n = 0;

    *members = assay_alloc(complete->n[2], sizeof **members);
    if (!*members) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu items", complete->n[2]);
    for (size_t a = 0; a < complete->n[2]; a++)
        if (complete->kept[2][a]) (*members)[n++] = (struct member){ labels[a], a };
    qsort(*members, n, sizeof **members, compare_members);
    return ASSAY_OK;
}

static assay_status fill_clusters(const double *scores, const assay_complete *complete,
                                  const struct member *members, assay_replicates *made)
{
    size_t n = complete->left[1], n_members = complete->left[2], n_clusters = 0, row = 0;
    size_t least = SIZE_MAX, most = 0;

    made->scores = assay_alloc_aligned(n * n_members, sizeof(double));
    made->first_member = assay_alloc_zero(n_members + 1, sizeof(size_t));
    if (!made->scores || !made->first_member)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu items of clusters", n_members);
    for (size_t first = 0, end; first < n_members; first = end) {
        for (end = first; end < n_members && members[end].label == members[first].label;) end++;
        if (end - first == 1) {
            made->count[ASSAY_REPLICATES_SINGLETONS]++;
            continue;
        }
        if (end - first < least) least = end - first;
        if (end - first > most) most = end - first;
        for (size_t k = first; k < end; k++, row++)
            for (size_t m = 0, i = 0; m < complete->n[1]; m++)
                if (complete->kept[1][m])
                    made->scores[row * n + i++] = scores[m * complete->n[2] + members[k].item];
        made->first_member[++n_clusters] = row;
    }
    made->count[ASSAY_REPLICATES_N_ITEMS] = n_clusters;
    made->count[ASSAY_REPLICATES_LEAST] = most ? least : 0;
    made->count[ASSAY_REPLICATES_MOST] = most;
    find_alike(complete, made);
    assay_replicates_scale(made, row);
    return ASSAY_OK;
}

static void find_alike(const assay_complete *complete, assay_replicates *made)
{
    size_t n = complete->left[1];

    for (size_t i = 0; i < n; i++) {
        int differs = 0;

        for (size_t a = 0; a < made->count[ASSAY_REPLICATES_N_ITEMS] && !differs; a++) {
            size_t first = made->first_member[a];

            for (size_t k = first + 1; k < made->first_member[a + 1] && !differs; k++)
                differs = made->scores[k * n + i] != made->scores[first * n + i];
        }
        if (!differs) made->count[ASSAY_REPLICATES_MODELS_ALIKE]++;
    }
    made->are_alike = made->count[ASSAY_REPLICATES_MODELS_ALIKE] == n;
}
