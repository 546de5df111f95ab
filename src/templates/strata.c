/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/strata.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_labels(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* The place of a label among the distinct ones, which are sorted. */
static uint32_t place_of(size_t label, const size_t *distinct, size_t n)
{
    const size_t *found = bsearch(&label, distinct, n, sizeof *distinct, compare_labels);

    return (uint32_t)(found - distinct);
}

assay_status assay_strata_new(const size_t *labels, size_t n_items, assay_strata *strata)
{
    size_t *distinct = assay_alloc(n_items, sizeof *distinct), n = 0;

    *strata = (assay_strata){ .group = assay_alloc(n_items, sizeof *strata->group),
                              .size = assay_alloc_zero(n_items, sizeof *strata->size),
                              .had = assay_alloc_zero(n_items, sizeof *strata->had) };
    if (!distinct || !strata->group || !strata->size || !strata->had) {
        free(distinct);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the strata of %zu items", n_items);
    }
    memcpy(distinct, labels, n_items * sizeof *distinct);
    qsort(distinct, n_items, sizeof *distinct, compare_labels);
    for (size_t j = 0; j < n_items; j++)
        if (j == 0 || distinct[j] != distinct[n - 1]) distinct[n++] = distinct[j];
    for (size_t j = 0; j < n_items; j++)
        strata->size[strata->group[j] = place_of(labels[j], distinct, n)]++;
    strata->n_groups = n;
    free(distinct);
    return ASSAY_OK;
}

void assay_strata_free(assay_strata *strata)
{
    free(strata->group);
    free(strata->size);
    free(strata->had);
    *strata = (assay_strata){ 0 };
}

/* had_a / size_a < had_b / size_b, exactly. */
static int covered_less(const assay_strata *strata, uint32_t a, uint32_t b)
{
    return (uint64_t)strata->had[a] * strata->size[b] < (uint64_t)strata->had[b] * strata->size[a];
}

static void count_had(assay_strata *strata, const uint64_t *has, size_t n_words)
{
    memset(strata->had, 0, strata->n_groups * sizeof *strata->had);
    for (size_t w = 0; w < n_words; w++)
        for (uint64_t word = has[w]; word; word &= word - 1)
            strata->had[strata->group[64 * w + (size_t)__builtin_ctzll(word)]]++;
}

size_t assay_strata_narrow(assay_strata *strata, const uint64_t *has, uint64_t *candidates,
                           size_t n_words)
{
    uint32_t best = UINT32_MAX;
    size_t n = 0;

    count_had(strata, has, n_words);
    for (size_t w = 0; w < n_words; w++) {
        for (uint64_t word = candidates[w]; word; word &= word - 1) {
            uint32_t group = strata->group[64 * w + (size_t)__builtin_ctzll(word)];

            if (best == UINT32_MAX || covered_less(strata, group, best)) best = group;
        }
    }
    for (size_t w = 0; w < n_words; w++) {
        for (uint64_t word = candidates[w]; word; word &= word - 1) {
            uint64_t lowest = word & -word;
            uint32_t group = strata->group[64 * w + (size_t)__builtin_ctzll(word)];

            if (covered_less(strata, best, group))
                candidates[w] &= ~lowest;
            else
                n++;
        }
    }
    return n;
}
