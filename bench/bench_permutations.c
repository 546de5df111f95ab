/* SPDX-License-Identifier: Apache-2.0 */
/* How long the permutation null takes: arguments models, items, permutations. Prints seconds, best
   of 3, and the mean ED under the null. */
#include "bench.h"

#include <assay/signals.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    size_t n_models = argc > 1 ? strtoul(argv[1], NULL, 10) : 134;
    size_t n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
    assay_matrix *matrix = bench_matrix(n_models, n_items, NULL);
    assay_signals_options options;
    double best = INFINITY, mean = NAN;

    assay_signals_options_init(&options, sizeof options);
    options.permutations = argc > 3 ? strtol(argv[3], NULL, 10) : 1000;
    for (int k = 0; k < 5; k++) {
        double began = bench_now();
        assay_signals *fit;

        if (assay_signals_fit(matrix, &options, &fit) != ASSAY_OK) return 1;
        best = fmin(best, bench_now() - began);
        mean = assay_signals_value(fit, ASSAY_SIGNALS_PERMUTATION_MEAN);
        assay_signals_free(fit);
    }
    printf("%.4f %.6f\n", best, mean);
    assay_matrix_free(matrix);
    return 0;
}
