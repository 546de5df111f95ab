/* SPDX-License-Identifier: Apache-2.0 */
/* How long ED under three centrings takes on a large 0/1 matrix. Prints seconds, best of 5, and the
   dimensions, for bench/dimension.py to set beside NumPy's. */
#include "core/memory.h"
#include "core/random.h"

#include <assay/signals.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A Rasch population: models of differing ability, items of differing difficulty. */
static double *draw_scores(size_t n_models, size_t n_items)
{
    double *scores = malloc(n_models * n_items * sizeof *scores);
    double *difficulty = malloc(n_items * sizeof *difficulty);
    assay_random random;

    if (!scores || !difficulty) abort();
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t t = 0; t < n_items; t++) difficulty[t] = assay_random_normal(&random);
    for (size_t m = 0; m < n_models; m++) {
        double ability = assay_random_normal(&random);

        for (size_t t = 0; t < n_items; t++) {
            double p = 1.0 / (1.0 + exp(difficulty[t] - ability));
            scores[m * n_items + t] = assay_random_uniform(&random) < p;
        }
    }
    free(difficulty);
    return scores;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    size_t n_models = argc > 1 ? strtoul(argv[1], NULL, 10) : 4576;
    size_t n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
    double *scores = draw_scores(n_models, n_items), best = INFINITY;
    assay_matrix *matrix = NULL;
    assay_dimensions ed = { 0 };

    if (assay_matrix_from_scores(scores, n_models, n_items, &matrix) != ASSAY_OK) return 1;
    free(scores);
    for (int k = 0; k < 5; k++) {
        double began = now();

        if (assay_effective_dimensions(matrix, 0, &ed) != ASSAY_OK) return 1;
        best = fmin(best, now() - began);
    }
    printf("%zu %zu %.4f %.10f %.10f %.10f\n", n_models, n_items, best, ed.task, ed.model, ed.both);
    assay_matrix_free(matrix);
    return 0;
}
