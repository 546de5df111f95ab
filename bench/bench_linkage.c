/* SPDX-License-Identifier: Apache-2.0 */
/* How long average linkage takes: arguments vectors, dimensions, a file to write the vectors to (or
   "-"), runs. Prints seconds, best of the runs, the last height and the sum of all. */
#include "bench.h"

#include "core/memory.h"
#include "core/random.h"
#include "text/vectors.h"

#include <assay/dendrogram.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Topics of twenty prompts within fields of twenty topics, as far apart as real prompts are: a
   normal direction for each, weighted. */
static assay_vectors *made_vectors(size_t n, size_t d, const char *dump)
{
    double *x = assay_alloc_aligned(n * d, sizeof *x), *field = assay_alloc_aligned(d, sizeof *x),
           *topic = assay_alloc_aligned(d, sizeof *x);
    assay_vectors *vectors;
    assay_random random;
    FILE *to;

    if (!x || !field || !topic) exit(1);
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            if (i % 400 == 0) field[k] = assay_random_normal(&random);
            if (i % 20 == 0) topic[k] = assay_random_normal(&random);
            x[i * d + k] = field[k] + topic[k] + assay_random_normal(&random);
        }
    }
    free(field);
    free(topic);
    if (assay_vectors_from_dense(x, n, d, &vectors) != ASSAY_OK) exit(1);
    if (strcmp(dump, "-") == 0) return vectors;
    to = fopen(dump, "wb");
    if (!to || fwrite(vectors->dense, sizeof *x, n * d, to) != n * d || fclose(to) != 0) exit(1);
    return vectors;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000;
    size_t d = argc > 2 ? strtoul(argv[2], NULL, 10) : 384;
    assay_vectors *vectors = made_vectors(n, d, argc > 3 ? argv[3] : "-");
    double best = INFINITY, last = 0.0, sum = 0.0;

    for (long k = argc > 4 ? strtol(argv[4], NULL, 10) : 5; k > 0; k--) {
        double began = bench_now();
        assay_dendrogram *tree;

        if (assay_dendrogram_fit(vectors, NULL, &tree) != ASSAY_OK) {
            fprintf(stderr, "%s\n", assay_last_error());
            return 1;
        }
        best = fmin(best, bench_now() - began);
        sum = 0.0;
        for (size_t t = 0; t + 1 < n; t++) {
            size_t children[2];

            assay_dendrogram_merge(tree, t, children, &last);
            sum += last;
        }
        assay_dendrogram_free(tree);
    }
    printf("%.4f %.12f %.9f\n", best, last, sum);
    assay_vectors_free(vectors);
    return 0;
}
