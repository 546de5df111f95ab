/* SPDX-License-Identifier: Apache-2.0 */
/* How long the posterior of one model takes, with the intervals of all three readings: the number of
   prompts, and a file for the tree and the outcomes, for the peer. Prints seconds, best of 7, E[S] and
   the mean. */
#include "bench.h"

#include "core/random.h"

#include <assay/dendrogram.h>
#include <assay/score.h>
#include <assay/vectors.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "text/vectors.h"

enum { DIMENSIONS = 24, RUNS = 25 };

/* Prompts around n / 5 centres, and outcomes that follow the centres. */
static assay_vectors *draw(size_t n, double *x, double *m)
{
    size_t n_centres = n / 5 + 1;
    double *rows = assay_alloc_aligned(n * DIMENSIONS, sizeof *rows);
    double *centres = malloc(n_centres * DIMENSIONS * sizeof *centres);
    assay_vectors *vectors = NULL;
    assay_random random;

    if (!rows || !centres) return NULL;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 0; k < n_centres * DIMENSIONS; k++) centres[k] = assay_random_normal(&random);
    for (size_t i = 0; i < n; i++) {
        size_t c = i % n_centres;
        double p = 0.5 + 0.5 * sin((double)c);

        for (size_t k = 0; k < DIMENSIONS; k++)
            rows[i * DIMENSIONS + k] =
                centres[c * DIMENSIONS + k] + 0.2 * assay_random_normal(&random);
        m[i] = RUNS;
        x[i] = 0.0;
        for (int r = 0; r < RUNS; r++) x[i] += assay_random_uniform(&random) < p;
    }
    free(centres);
    return assay_vectors_from_dense(rows, n, DIMENSIONS, &vectors) == ASSAY_OK ? vectors : NULL;
}

/* A line a merge (two nodes), then a line a prompt (successes, runs). */
static void write_case(const char *path, const assay_dendrogram *tree, const double *x,
                       const double *m)
{
    FILE *to = fopen(path, "w");
    size_t n = assay_dendrogram_n(tree);

    if (!to) return;
    for (size_t t = 0; t + 1 < n; t++) {
        size_t children[2];
        double height;

        assay_dendrogram_merge(tree, t, children, &height);
        fprintf(to, "%zu %zu\n", children[0], children[1]);
    }
    for (size_t i = 0; i < n; i++) fprintf(to, "%.0f %.0f\n", x[i], m[i]);
    fclose(to);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    double *x = malloc(n * sizeof *x), *m = malloc(n * sizeof *m), best = INFINITY;
    double topics = NAN, mean = NAN;
    assay_vectors *vectors = x && m ? draw(n, x, m) : NULL;
    assay_dendrogram *tree = NULL;
    assay_score_options options;

    if (!vectors || assay_dendrogram_fit(vectors, NULL, &tree) != ASSAY_OK) return 1;
    if (argc > 2) write_case(argv[2], tree, x, m);
    assay_score_options_init(&options, sizeof options);
    options.hyper = 0;
    for (int k = 0; k < 7; k++) {
        double began = bench_now();
        assay_score *fit;

        if (assay_score_fit(tree, 1, x, m, &options, &fit) != ASSAY_OK) return 1;
        best = fmin(best, bench_now() - began);
        topics = assay_score_value(fit, 0, ASSAY_SCORE_TOPICS);
        mean = assay_score_value(fit, 0, ASSAY_SCORE_CORRECTED);
        assay_score_free(fit);
    }
    printf("%.5f %.9f %.9f\n", best, topics, mean);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
    free(x);
    free(m);
    return 0;
}
