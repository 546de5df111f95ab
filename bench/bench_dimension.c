/* SPDX-License-Identifier: Apache-2.0 */
/* How long ED under three centrings takes on a 0/1 matrix: arguments models, items and a file for
   its cells. Prints seconds, best of 5, and the three dimensions. */
#include "bench.h"

#include <assay/signals.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    size_t n_models = argc > 1 ? strtoul(argv[1], NULL, 10) : 4576;
    size_t n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
    assay_matrix *matrix = bench_matrix(n_models, n_items, argc > 3 ? argv[3] : NULL);
    assay_dimensions ed = { 0 };
    double best = INFINITY;

    for (int k = 0; k < 5; k++) {
        double began = bench_now();

        if (assay_effective_dimensions(matrix, 0, &ed) != ASSAY_OK) return 1;
        best = fmin(best, bench_now() - began);
    }
    printf("%.4f %.12f %.12f %.12f\n", best, ed.task, ed.model, ed.both);
    assay_matrix_free(matrix);
    return 0;
}
