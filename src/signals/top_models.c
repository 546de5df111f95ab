/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/top_models.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"
#include "stats/distributions.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

static const char one_model[] = "there is one model";
static const char too_few[] = "not even all items on one side would tell a pair apart";
static const char no_outcomes[] = "the scores are not 0 or 1";

struct ranked {
    double mean;
    size_t model;
};

static int better(const void *left, const void *right);
static void compare_pairs(const assay_matrix *matrix, const size_t *models, double level, double *p,
                          assay_top_models *out);
static void count_items(const assay_matrix *matrix, const size_t *models, assay_top_models *out);

double assay_sign_test(size_t plus, size_t minus)
{
    double least = (double)(plus < minus ? plus : minus);
    double most = (double)(plus < minus ? minus : plus);

    if (plus == minus) return 1.0;
    /* P(X <= k) of n coins is I_1/2(n - k, k + 1). */
    return fmin(1.0, 2.0 * assay_beta_cdf(0.5, most, least + 1.0));
}

assay_status assay_top_models_compare(const assay_matrix *matrix, size_t n_top, double level,
                                      size_t *models, assay_top_models *out)
{
    size_t n = n_top < matrix->n_models ? n_top : matrix->n_models;
    struct ranked *ranked;
    double *p;

    if (n_top < 2 || n_top > ASSAY_TOP_MOST)
        return assay_fail(ASSAY_E_VALUE, "top models: %zu, expected 2 to %d", n_top,
                          ASSAY_TOP_MOST);
    if (!(level > 0.0 && level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "top models: level is %g, expected 0 to 1", level);
    ranked = assay_alloc(matrix->n_models, sizeof *ranked);
    p = assay_alloc(n * (n - 1) / 2, sizeof *p);
    if (!ranked || !p) {
        free(ranked);
        free(p);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the order of %zu models", matrix->n_models);
    }
    for (size_t m = 0; m < matrix->n_models; m++)
        ranked[m] = (struct ranked){ assay_matrix_mean_score(matrix, m), m };
    qsort(ranked, matrix->n_models, sizeof *ranked, better);
    for (size_t k = 0; k < n; k++) models[k] = ranked[k].model;
    *out = (assay_top_models){ .n_models = n, .n_pairs = n * (n - 1) / 2 };
    compare_pairs(matrix, models, level, p, out);
    count_items(matrix, models, out);
    free(ranked);
    free(p);
    return ASSAY_OK;
}

static int better(const void *left, const void *right)
{
    const struct ranked *x = left, *y = right;

    if (x->mean != y->mean) return x->mean > y->mean ? -1 : 1;
    return (x->model > y->model) - (x->model < y->model);
}

static double compare(const assay_matrix *matrix, size_t a, size_t b)
{
    size_t plus = 0, minus = 0;

    for (size_t i = 0; i < matrix->n_items; i++) {
        double x = assay_matrix_score(matrix, a, i), y = assay_matrix_score(matrix, b, i);

        plus += x > y;
        minus += x < y;
    }
    return assay_sign_test(plus, minus);
}

/* Holm: the k-th smallest of c values is held against level / (c - k + 1), up to the first that
   fails. */
static void compare_pairs(const assay_matrix *matrix, const size_t *models, double level, double *p,
                          assay_top_models *out)
{
    size_t n = 0;

    for (size_t a = 0; a < out->n_models; a++)
        for (size_t b = a + 1; b < out->n_models; b++)
            p[n++] = compare(matrix, models[a], models[b]);
    assay_sort_numbers(p, n);
    while (out->n_apart < n && p[out->n_apart] < level / (double)(n - out->n_apart)) out->n_apart++;
    while (out->n_apart_alone < n && p[out->n_apart_alone] < level) out->n_apart_alone++;
    if (out->n_models < 2)
        out->reason = one_model;
    else if (!(assay_sign_test(matrix->n_items, 0) < level / (double)n))
        out->reason = too_few;
}

static void count_items(const assay_matrix *matrix, const size_t *models, assay_top_models *out)
{
    if (!assay_matrix_is_binary(matrix)) {
        out->no_items = no_outcomes;
        return;
    }
    for (size_t i = 0; i < matrix->n_items; i++) {
        size_t solved = 0, failed = 0;

        for (size_t k = 0; k < out->n_models; k++) {
            double score = assay_matrix_score(matrix, models[k], i);

            solved += score == 1.0;
            failed += score == 0.0;
        }
        /* 10 (n - k) <= n is k >= .9 n without its rounding. */
        out->n_easy += solved > 0 && 10 * failed <= solved + failed;
        out->n_hard += failed > 0 && 10 * solved <= solved + failed;
    }
}
