/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/topics.h"

#include "core/error.h"
#include "core/memory.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sum += row i. */
static void add_row(const assay_vectors *x, size_t i, double *sum)
{
    if (x->dense)
        for (size_t k = 0; k < x->d; k++) sum[k] += x->dense[i * x->d + k];
    else
        for (size_t e = x->start[i]; e < x->start[i + 1]; e++) sum[x->column[e]] += x->value[e];
}

/* The dot product of row i and sum. */
static double dot_row(const assay_vectors *x, size_t i, const double *sum)
{
    double total = 0.0;

    if (x->dense)
        for (size_t k = 0; k < x->d; k++) total += x->dense[i * x->d + k] * sum[k];
    else
        for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
            total += x->value[e] * sum[x->column[e]];
    return total;
}

/* Prompts topic by topic: order[first[k]] .. order[first[k + 1] - 1] are those of topic k. */
static void sort_by_topic(const size_t *labels, size_t n, size_t n_topics, size_t *first,
                          size_t *order)
{
    memset(first, 0, (n_topics + 1) * sizeof *first);
    for (size_t i = 0; i < n; i++) first[labels[i] + 1]++;
    for (size_t k = 0; k < n_topics; k++) first[k + 1] += first[k];
    for (size_t i = 0; i < n; i++) order[first[labels[i]]++] = i;
    for (size_t k = n_topics; k > 0; k--) first[k] = first[k - 1];
    first[0] = 0;
}

/* The similarities of one member to all, where they have no sum of vectors. */
static double sum_of_similarities(const assay_vectors *x, const size_t *members, size_t n, size_t j)
{
    double total = 0.0;

    for (size_t k = 0; k < n; k++) total += assay_vectors_dot(x, members[j], members[k]);
    return total;
}

/* The mean cosine to all is largest where the dot product with their sum is. */
static size_t medoid(const assay_vectors *x, const size_t *members, size_t n, double *sum)
{
    const int by_turn = assay_vectors_by_turn(x);
    size_t best = SIZE_MAX;
    double most = -INFINITY;

    memset(sum, 0, x->d * sizeof *sum);
    for (size_t j = 0; j < n && !by_turn; j++) add_row(x, members[j], sum);
    for (size_t j = 0; j < n; j++) {
        double like = by_turn ? sum_of_similarities(x, members, n, j) : dot_row(x, members[j], sum);

        if (like > most + 1e-12) {
            most = like;
            best = members[j];
        }
    }
    return best;
}

assay_status assay_topics_representatives(const assay_vectors *vectors, const size_t *labels,
                                          size_t n_topics, size_t *representative)
{
    size_t n = vectors->n;
    size_t *first = assay_alloc(n_topics + 1, sizeof *first),
           *order = assay_alloc(n, sizeof *order);
    double *sum = assay_alloc(vectors->d, sizeof *sum);
    assay_status status = ASSAY_OK;

    for (size_t i = 0; i < n; i++)
        if (labels[i] >= n_topics)
            status = assay_fail(ASSAY_E_VALUE, "topics: labels[%zu] is %zu, expected below %zu", i,
                                labels[i], n_topics);
    if (!first || !order || !sum)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu topics", n_topics);
    if (status == ASSAY_OK) {
        sort_by_topic(labels, n, n_topics, first, order);
        for (size_t k = 0; k < n_topics; k++)
            representative[k] = medoid(vectors, order + first[k], first[k + 1] - first[k], sum);
    }
    free(first);
    free(order);
    free(sum);
    return status;
}
