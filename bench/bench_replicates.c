/* SPDX-License-Identifier: Apache-2.0 */
/* How long ED without noise takes, with its interval: arguments models, items, runs [134 500 5].
   Prints seconds, best of 9, of the table of runs and of the estimate, and the ED. */
#include "bench.h"
#include "core/random.h"

#include <assay/replicate_dimension.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One ability: P = 1 / (1 + exp(-(1.5 theta - b))). */
static double *draw(size_t n_models, size_t n_items, size_t n_runs)
{
    double *x = malloc(n_models * n_items * n_runs * sizeof *x);
    double *b = malloc(n_items * sizeof *b);
    assay_random random;

    if (!x || !b) exit(1);
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_OUTCOME, UINT64_C(0x100000000));
    for (size_t a = 0; a < n_items; a++) b[a] = assay_random_normal(&random);
    for (size_t i = 0; i < n_models; i++) {
        double theta = 1.5 * assay_random_normal(&random);

        for (size_t c = 0; c < n_items * n_runs; c++)
            x[i * n_items * n_runs + c] =
                assay_random_uniform(&random) < 1.0 / (1.0 + exp(b[c / n_runs] - theta));
    }
    free(b);
    return x;
}

int main(int argc, char **argv)
{
    size_t n_models = argc > 1 ? strtoul(argv[1], NULL, 10) : 134;
    size_t n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 500;
    size_t n_runs = argc > 3 ? strtoul(argv[3], NULL, 10) : 5;
    double *x = draw(n_models, n_items, n_runs), table = INFINITY, estimate = INFINITY;
    assay_replicate_dimension fit = { 0 };

    for (int k = 0; k < 9; k++) {
        double began = bench_now(), made;
        assay_replicates *replicates;

        if (assay_replicates_from_runs(x, n_models, n_items, n_runs, &replicates) != ASSAY_OK)
            return 1;
        made = bench_now();
        if (assay_replicate_dimension_fit(replicates, 0.95, 1, &fit) != ASSAY_OK) return 1;
        table = fmin(table, made - began);
        estimate = fmin(estimate, bench_now() - made);
        assay_replicates_free(replicates);
    }
    printf("%.4f %.4f %.12f\n", table, estimate, fit.value);
    free(x);
    return 0;
}
