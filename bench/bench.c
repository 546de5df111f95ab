/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include "core/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *or_stop(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static void draw(double *scores, size_t n_models, size_t n_items)
{
    double *difficulty = or_stop(malloc(n_items * sizeof *difficulty));
    assay_random random;

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
}

static void write_bytes(const char *path, const double *scores, size_t n)
{
    FILE *to = or_stop(fopen(path, "wb"));

    for (size_t k = 0; k < n; k++) putc((int)scores[k], to);
    fclose(to);
}

assay_matrix *bench_matrix(size_t n_models, size_t n_items, const char *dump)
{
    double *scores = or_stop(malloc(n_models * n_items * sizeof *scores));
    assay_matrix *matrix = NULL;

    draw(scores, n_models, n_items);
    if (dump) write_bytes(dump, scores, n_models * n_items);
    if (assay_matrix_from_scores(scores, n_models, n_items, &matrix) != ASSAY_OK) or_stop(NULL);
    free(scores);
    return matrix;
}
