/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/outcome_patterns.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"
#include "signals/score_bits.h"

#include <math.h>
#include <stdlib.h>

struct item {
    uint64_t digest;
    size_t item;
};

static uint64_t digest_of(const assay_matrix *matrix, size_t item);
static int by_digest(const void *left, const void *right);
static void find_firsts(const assay_matrix *matrix, const struct item *sorted, size_t *first);
static void number_and_count(const assay_matrix *matrix, size_t *labels, size_t *members,
                             unsigned char *constant, assay_outcome_patterns *out);

assay_status assay_outcome_patterns_find(const assay_matrix *matrix, size_t *labels,
                                         unsigned char *constant, assay_outcome_patterns *out)
{
    struct item *sorted = assay_alloc(matrix->n_items, sizeof *sorted);
    size_t *members = assay_alloc(matrix->n_items, sizeof *members);
    assay_status status = ASSAY_OK;

    if (!sorted || !members) {
        status =
            assay_fail(ASSAY_E_NOMEM, "no memory for the patterns of %zu items", matrix->n_items);
        goto done;
    }
    for (size_t i = 0; i < matrix->n_items; i++)
        sorted[i] = (struct item){ digest_of(matrix, i), i };
    qsort(sorted, matrix->n_items, sizeof *sorted, by_digest);
    find_firsts(matrix, sorted, labels);
    number_and_count(matrix, labels, members, constant, out);
done:
    free(sorted);
    free(members);
    return status;
}

static uint64_t digest_of(const assay_matrix *matrix, size_t item)
{
    uint64_t digest = 0;

    for (size_t m = 0; m < matrix->n_models; m++)
        digest = assay_digest_more(digest, assay_score_bits(matrix, m, item));
    return digest;
}

static int by_digest(const void *left, const void *right)
{
    const struct item *x = left, *y = right;

    if (x->digest != y->digest) return x->digest < y->digest ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static int are_alike(const assay_matrix *matrix, size_t a, size_t b)
{
    for (size_t m = 0; m < matrix->n_models; m++)
        if (assay_score_bits(matrix, m, a) != assay_score_bits(matrix, m, b)) return 0;
    return 1;
}

/* Of each item the first that is like it, itself perhaps: that has the same digest, and where two
   patterns share one, they are told apart. */
static void find_firsts(const assay_matrix *matrix, const struct item *sorted, size_t *first)
{
    size_t from = 0;

    for (size_t k = 0; k < matrix->n_items; k++) {
        size_t item = sorted[k].item;

        if (sorted[k].digest != sorted[from].digest) from = k;
        first[item] = item;
        for (size_t j = from; j < k && first[item] == item; j++)
            if (first[sorted[j].item] == sorted[j].item && are_alike(matrix, sorted[j].item, item))
                first[item] = sorted[j].item;
    }
}

static int is_constant(const assay_matrix *matrix, size_t item)
{
    double score = NAN;

    for (size_t m = 0; m < matrix->n_models; m++) {
        double other = assay_matrix_score(matrix, m, item);

        if (!isnan(score) && !isnan(other) && other != score) return 0;
        if (!isnan(other)) score = other;
    }
    return 1;
}

/* Firsts become numbers: a first comes before all that are like it. */
static void number_and_count(const assay_matrix *matrix, size_t *labels, size_t *members,
                             unsigned char *constant, assay_outcome_patterns *out)
{
    *out = (assay_outcome_patterns){ 0 };
    for (size_t i = 0; i < matrix->n_items; i++) {
        int is_first = labels[i] == i;
        size_t label = is_first ? out->n_distinct++ : labels[labels[i]];

        labels[i] = label;
        members[label] = is_first ? 1 : members[label] + 1;
        constant[i] = (unsigned char)is_constant(matrix, i);
        out->n_constant += constant[i];
        out->n_own += is_first && !constant[i];
        if (is_first || constant[i]) continue;
        out->n_repeats++;
        out->n_shared += members[label] == 2;
    }
}
