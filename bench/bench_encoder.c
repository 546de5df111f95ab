/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the sentence encoder is: arguments the model's folder, prompts as JSON lines, a .npy for the
   vectors (or "-"), runs, threads. Prints seconds (best of the runs: tokens and vectors, not the
   opening of the model), tokens, tokens a second, GFLOP/s that the model's matrices alone take, the
   GFLOP/s of OpenBLAS's single-precision product of 2000 x 2000 on as many threads in the same run, and
   the share of it. */
#include "bench.h"

#include "core/memory.h"
#include "embed/encoder.h"
#include "stats/linalg.h"

#include <assay/embed.h>
#include <assay/prompts.h>
#include <assay/write.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(void)
{
    fprintf(stderr, "bench_encoder: %s\n", assay_last_error());
    return 1;
}

/* A product on each thread, best of some. */
static double product_rate(int threads)
{
    enum { N = 2000, RUNS = 4 };
    double best = INFINITY;

    assay_blas_hold();
    for (int run = 0; run < RUNS; run++) {
        double began = 0.0;

#pragma omp parallel num_threads(threads)
        {
            float *a = assay_alloc_aligned((size_t)3 * N * N, sizeof *a);

            if (!a) exit(1);
            for (size_t k = 0; k < (size_t)2 * N * N; k++) a[k] = (float)(k % 7);
#pragma omp barrier
#pragma omp master
            began = bench_now();
#pragma omp barrier
            assay_linalg_ab_single(N, N, N, a, N, a + (size_t)N * N, N, a + (size_t)2 * N * N, N);
#pragma omp barrier
#pragma omp master
            best = fmin(best, bench_now() - began);
            free(a);
        }
    }
    assay_blas_release();
    return 2e-9 * N * N * N * threads / best;
}

/* Two for each multiplication and addition of the weights of the layers. */
static double operations_a_token(const assay_bert_shape *shape)
{
    double d = (double)shape->width, f = (double)shape->inner;

    return 2.0 * (double)shape->n_layers * (4.0 * d * d + 2.0 * d * f);
}

static int write_vectors(const assay_embedding *embedding, const char *path)
{
    FILE *to = strcmp(path, "-") == 0 ? NULL : fopen(path, "wb");

    if (!to) return strcmp(path, "-") != 0;
    assay_write_npy(assay_embedding_rows(embedding), assay_embedding_n(embedding),
                    assay_embedding_dimensions(embedding), to);
    return fclose(to) != 0;
}

static int time_runs(const assay_encoder *encoder, const assay_prompts *prompts, const char *dump,
                     long n_runs, int threads)
{
    assay_embed_options options;
    double best = INFINITY, rate, product = product_rate(threads), tokens = 0;

    assay_embed_options_init(&options, sizeof options);
    options.threads = threads;
    for (long run = 0; run < n_runs; run++) {
        double began = bench_now();
        assay_embedding *embedding;

        if (assay_embed(encoder, assay_prompts_texts(prompts), assay_prompts_n(prompts), &options,
                        &embedding) != ASSAY_OK)
            return fail();
        best = fmin(best, bench_now() - began);
        tokens = (double)assay_embedding_n_tokens(embedding);
        if (run == 0 && write_vectors(embedding, dump)) return 1;
        assay_embedding_free(embedding);
    }
    product = fmax(product, product_rate(threads));
    rate = 1e-9 * operations_a_token(&encoder->bert.shape) * tokens / best;
    printf("%.3f %.0f %.0f %.1f %.1f %.3f\n", best, tokens, tokens / best, rate, product,
           rate / product);
    return 0;
}

int main(int argc, char **argv)
{
    assay_encoder *encoder = NULL;
    assay_prompts *prompts = NULL;
    long n_runs = argc > 4 ? strtol(argv[4], NULL, 10) : 3;
    int threads = argc > 5 ? atoi(argv[5]) : omp_get_max_threads(), failed;

    if (argc < 3) {
        fputs("usage: bench_encoder MODEL PROMPTS.jsonl [VECTORS.npy [RUNS [THREADS]]]\n", stderr);
        return 2;
    }
    if (assay_encoder_open(argv[1], &encoder) != ASSAY_OK ||
        assay_prompts_read(argv[2], NULL, &prompts) != ASSAY_OK)
        return fail();
    failed = time_runs(encoder, prompts, argc > 3 ? argv[3] : "-", n_runs, threads);
    assay_prompts_free(prompts);
    assay_encoder_free(encoder);
    return failed;
}
