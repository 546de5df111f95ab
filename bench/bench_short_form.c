/* SPDX-License-Identifier: Apache-2.0 */
/* How long greedy choice of items takes: arguments a file for the cells (bytes 0 and 1, a row a
   model), then a matrix in a file, or the numbers of models and of items of a made one. Prints
   seconds of all steps of ED-Greedy on one thread, best of 5, models, items, steps, the largest ED
   and where; then seconds of all steps of the ranking method, and of 50 with ten splits on all
   threads. */
#include "bench.h"

#include <assay/read.h>
#include <assay/short_form.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static assay_matrix *matrix_in(const char *path, const char *dump)
{
    assay_results *results = NULL;
    assay_matrix *matrix = NULL;
    FILE *to = fopen(dump, "wb");

    if (!to || assay_results_new(0, &results) != ASSAY_OK ||
        assay_read(results, path, NULL) != ASSAY_OK ||
        assay_matrix_from_results(results, &matrix) != ASSAY_OK) {
        fprintf(stderr, "%s\n", assay_last_error());
        exit(1);
    }
    for (size_t m = 0; m < assay_matrix_n_models(matrix); m++)
        for (size_t i = 0; i < assay_matrix_n_items(matrix); i++)
            putc(assay_matrix_score(matrix, m, i) == 1.0, to);
    fclose(to);
    assay_results_free(results);
    return matrix;
}

/* The best of five; the last form stays. */
static double best_of(const assay_matrix *matrix, const assay_short_form_options *options,
                      assay_short_form **form)
{
    double best = INFINITY;

    for (int k = 0; k < 5; k++) {
        double began = bench_now();

        assay_short_form_free(*form);
        if (assay_short_form_choose(matrix, options, form) != ASSAY_OK) exit(1);
        best = fmin(best, bench_now() - began);
    }
    return best;
}

int main(int argc, char **argv)
{
    assay_short_form_options options;
    assay_short_form *form = NULL;
    assay_matrix *matrix;
    double seconds;
    const double *ed;
    size_t n, peak = 0;

    if (argc != 3 && argc != 4) return 2;
    matrix = argc == 3
                 ? matrix_in(argv[2], argv[1])
                 : bench_matrix(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10), argv[1]);
    assay_short_form_options_init(&options, sizeof options);
    options.method = ASSAY_SHORT_FORM_ED;
    options.splits = 0;
    options.threads = 1;
    seconds = best_of(matrix, &options, &form);
    ed = assay_short_form_ed(form, &n);
    for (size_t k = 1; k < n; k++)
        if (ed[k] > ed[peak]) peak = k;
    printf("%.4f %zu %zu %zu %.6f %zu", seconds, assay_matrix_n_models(matrix),
           assay_matrix_n_items(matrix), n, ed[peak], peak + 1);
    options.method = ASSAY_SHORT_FORM_RANKING;
    printf(" %.4f", best_of(matrix, &options, &form));
    options.n_items = n < 50 ? n : 50;
    options.splits = 10;
    options.threads = 0;
    printf(" %.4f\n", best_of(matrix, &options, &form));
    assay_short_form_free(form);
    assay_matrix_free(matrix);
    return 0;
}
