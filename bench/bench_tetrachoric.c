/* SPDX-License-Identifier: Apache-2.0 */
/* How long the tetrachoric ED takes: arguments a file for the cells of the items that are not
   constant (bytes 0 and 1, a row a model), one for their correlations (doubles), then a matrix in a
   file, or the numbers of models and of items of a made one. Prints seconds of all, best of 5, the
   numbers of models and items, nanoseconds a pair of the correlations alone on one thread, raw and
   clipped ED. */
#include "bench.h"
#include "data/matrix.h"
#include "signals/tetrachoric_pairs.h"

#include <assay/read.h>
#include <assay/tetrachoric.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static assay_matrix *matrix_in(const char *path)
{
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;

    if (assay_results_new(0, &results) != ASSAY_OK || assay_read(results, path, NULL) != ASSAY_OK ||
        assay_matrix_from_results(results, &matrix) != ASSAY_OK) {
        fprintf(stderr, "%s\n", assay_last_error());
        exit(1);
    }
    assay_results_free(results);
    return matrix;
}

/* The items that have a 1 and a 0; their cells to the file. */
static size_t keep(const assay_matrix *matrix, const char *path, size_t *items)
{
    size_t n_models = matrix->n_models, n = 0;
    FILE *to = fopen(path, "wb");

    if (!to) exit(1);
    for (size_t i = 0; i < matrix->n_items; i++) {
        double sum = 0.0;

        for (size_t m = 0; m < n_models; m++) sum += assay_matrix_score(matrix, m, i);
        if (sum > 0.0 && sum < (double)n_models) items[n++] = i;
    }
    for (size_t m = 0; m < n_models; m++)
        for (size_t i = 0; i < n; i++) putc(assay_matrix_score(matrix, m, items[i]) == 1.0, to);
    fclose(to);
    return n;
}

static double best_of_all(const assay_matrix *matrix, assay_tetrachoric_ed *ed)
{
    assay_tetrachoric_options options;
    double best = INFINITY;

    assay_tetrachoric_options_init(&options, sizeof options);
    options.max_items = 20000;
    for (int k = 0; k < 5; k++) {
        double began = bench_now();

        if (assay_tetrachoric_dimension(matrix, &options, ed) != ASSAY_OK) exit(1);
        best = fmin(best, bench_now() - began);
    }
    return best;
}

int main(int argc, char **argv)
{
    assay_matrix *matrix = argc == 4 ? matrix_in(argv[3]) : NULL;
    double seconds, pairs = INFINITY, *r;
    assay_tetrachoric_ed ed;
    size_t *items, n;
    FILE *to;

    if (argc == 5)
        matrix = bench_matrix(strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10), NULL);
    if (!matrix || !(items = malloc(matrix->n_items * sizeof *items))) return 2;
    n = keep(matrix, argv[1], items);
    if (n < 2 || !(r = malloc(n * n * sizeof *r)) || !(to = fopen(argv[2], "wb"))) return 1;
    seconds = best_of_all(matrix, &ed);
    for (int k = 0; k < 5; k++) {
        double began = bench_now();

        if (assay_tetrachoric_pairs(matrix, items, n, 1, (assay_progress){ 0 }, r) != ASSAY_OK)
            return 1;
        pairs = fmin(pairs, bench_now() - began);
    }
    fwrite(r, sizeof *r, n * n, to);
    fclose(to);
    printf("%.4f %zu %zu %.1f %.9f %.9f\n", seconds, matrix->n_models, n,
           1e9 * pairs / (0.5 * (double)n * (double)(n - 1)), ed.raw, ed.clipped);
    free(r);
    free(items);
    assay_matrix_free(matrix);
    return 0;
}
