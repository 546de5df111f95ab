/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of the canonical merges: every pair looked at, n - 1 times. */
#ifndef TESTS_DENDROGRAM_ORACLE_H
#define TESTS_DENDROGRAM_ORACLE_H

#include "assay/dendrogram.h"
#include "core/memory.h"
#include "core/random.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Child nodes 2 t and 2 t + 1 and height t of merge t. */
typedef struct oracle_tree {
    size_t n, *children;
    double *height;
} oracle_tree;

static inline void oracle_free(oracle_tree *tree)
{
    free(tree->children);
    free(tree->height);
}

static inline double oracle_distance(const assay_vectors *x, size_t i, size_t j)
{
    double d;

    if (assay_vectors_is_zero(x, i) && assay_vectors_is_zero(x, j)) return 0.0;
    d = 1.0 - assay_vectors_dot(x, i, j);
    if (fabs(d) < 1e-12) return 0.0;
    return fmin(fmax(d, 0.0), 2.0);
}

static inline double oracle_update(assay_linkage linkage, double n_i, double n_j, double to_i,
                                   double to_j)
{
    if (linkage == ASSAY_LINKAGE_COMPLETE) return fmax(to_i, to_j);
    if (linkage == ASSAY_LINKAGE_SINGLE) return fmin(to_i, to_j);
    return (n_i * to_i + n_j * to_j) / (n_i + n_j);
}

/* Slots in the order of order[] (NULL: that of the vectors); a merged cluster keeps the earlier one. */
static inline oracle_tree oracle(const assay_vectors *x, assay_linkage linkage, const size_t *order)
{
    size_t n = x->n, *node = malloc(n * sizeof *node), *active = malloc(n * sizeof *active);
    double *m = malloc(n * n * sizeof *m), *size = malloc(n * sizeof *size);
    oracle_tree tree = { n, malloc((2 * n + 1) * sizeof *tree.children),
                         malloc(n * sizeof *tree.height) };

    for (size_t i = 0; i < n; i++) {
        node[i] = order ? order[i] : i;
        size[i] = 1.0;
        active[i] = i;
        for (size_t j = 0; j < i; j++)
            m[i * n + j] = m[j * n + i] =
                oracle_distance(x, order ? order[i] : i, order ? order[j] : j);
    }
    for (size_t t = 0; t + 1 < n; t++) {
        double best = INFINITY;
        size_t a = 0, b = 0;

        for (size_t p = 0; p < n - t; p++) {
            const double *row = m + active[p] * n;

            for (size_t q = p + 1; q < n - t; q++)
                if (row[active[q]] < best - 1e-12) best = row[active[q]], a = p, b = q;
        }
        size_t i = active[a], j = active[b];
        for (size_t p = 0; p < n - t; p++) {
            size_t k = active[p];

            if (k == i || k == j) continue;
            m[i * n + k] = m[k * n + i] =
                oracle_update(linkage, size[i], size[j], m[i * n + k], m[j * n + k]);
        }
        tree.children[2 * t] = node[i];
        tree.children[2 * t + 1] = node[j];
        tree.height[t] = best;
        size[i] += size[j];
        node[i] = n + t;
        memmove(active + b, active + b + 1, (n - t - b - 1) * sizeof *active);
    }
    free(node);
    free(active);
    free(m);
    free(size);
    return tree;
}

/* Children of each merge in the order of their smallest leaves, as a dendrogram has them: for trees
   made in another order. */
static inline void oracle_settle(oracle_tree *tree)
{
    size_t *least = malloc(2 * tree->n * sizeof *least);

    for (size_t i = 0; i < tree->n; i++) least[i] = i;
    for (size_t t = 0; t + 1 < tree->n; t++) {
        size_t *pair = tree->children + 2 * t;

        if (least[pair[1]] < least[pair[0]]) {
            size_t swapped = pair[0];

            pair[0] = pair[1];
            pair[1] = swapped;
        }
        least[tree->n + t] = least[pair[0]];
    }
    free(least);
}

/* Merges exactly; heights to 1e-10, which the issue states: their sums are taken in another order. */
static inline void assert_same_tree(const assay_dendrogram *tree, const oracle_tree *expected)
{
    assert_int_equal(assay_dendrogram_n(tree), expected->n);
    for (size_t t = 0; t + 1 < expected->n; t++) {
        size_t children[2];
        double height;

        assay_dendrogram_merge(tree, t, children, &height);
        assert_int_equal(children[0], expected->children[2 * t]);
        assert_int_equal(children[1], expected->children[2 * t + 1]);
        assert_true(fabs(height - expected->height[t]) <= 1e-10);
    }
}

/* Unit vectors of the numbers given, row after row. */
static inline assay_vectors *vectors_of(const double *x, size_t n, size_t d)
{
    double *copy = assay_alloc_aligned(n * d, sizeof *copy);
    assay_vectors *vectors;

    assert_non_null(copy);
    memcpy(copy, x, n * d * sizeof *copy);
    assert_int_equal(assay_vectors_from_dense(copy, n, d, &vectors), ASSAY_OK);
    return vectors;
}

/* Numbers from {0, ..., levels - 1}, or normal ones for levels 0. */
static inline assay_vectors *random_vectors(assay_random *random, size_t n, size_t d,
                                            unsigned levels)
{
    double *x = assay_alloc_aligned(n * d, sizeof *x);
    assay_vectors *vectors;

    assert_non_null(x);
    for (size_t k = 0; k < n * d; k++)
        x[k] = levels ? (double)assay_random_below(random, levels) : assay_random_normal(random);
    assert_int_equal(assay_vectors_from_dense(x, n, d, &vectors), ASSAY_OK);
    return vectors;
}

/* The same rows with what is 0 left out. Columns must be fewer than 2^32. */
static inline assay_vectors *sparse_copy(const assay_vectors *dense)
{
    assay_vectors *sparse = calloc(1, sizeof *sparse);
    size_t e = 0;

    *sparse = (assay_vectors){
        .n = dense->n, .d = dense->d, .n_zero = dense->n_zero, .n_distinct = dense->n_distinct
    };
    sparse->start = calloc(dense->n + 1, sizeof *sparse->start);
    sparse->column = calloc(dense->n * dense->d + 1, sizeof *sparse->column);
    sparse->value = calloc(dense->n * dense->d + 1, sizeof *sparse->value);
    for (size_t i = 0; i < dense->n; i++) {
        for (size_t k = 0; k < dense->d; k++) {
            if (dense->dense[i * dense->d + k] == 0.0) continue;
            sparse->column[e] = (uint32_t)k;
            sparse->value[e++] = dense->dense[i * dense->d + k];
        }
        sparse->start[i + 1] = e;
    }
    return sparse;
}

#endif
