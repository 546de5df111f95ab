/* SPDX-License-Identifier: Apache-2.0 */
/* How long ED of a stream of random 0/1 items takes, and how much memory: arguments models, threads
   (0 all), a file for the cells or "-", and numbers of items, rising. Prints, for each of these,
   items, seconds (best of 3, without the drawing), the peak of resident megabytes so far and the
   three dimensions. */
#include "bench.h"

#include "core/random.h"

#include <assay/dimension_stream.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { BLOCK = 512 };

/* Items x models, half of the bits 1; always the same. */
static void draw_block(unsigned char *bits, size_t n, uint64_t block)
{
    assay_random random;

    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, block);
    for (size_t k = 0; k < n; k += 32) {
        uint64_t word = (uint64_t)(assay_random_uniform(&random) * 4294967296.0);

        for (size_t b = 0; b < 32 && k + b < n; b++) bits[k + b] = word >> b & 1;
    }
}

static double megabytes(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

/* Returns seconds, or NAN when something failed. */
static double run(size_t n_models, int threads, size_t n_items, FILE *dump, unsigned char *bits,
                  assay_streamed_dimensions *found)
{
    assay_dimension_stream_options options;
    assay_dimension_stream *stream = NULL;
    assay_status status;
    double seconds = 0.0, began;

    assay_dimension_stream_options_init(&options, sizeof options);
    options.threads = threads;
    status = assay_dimension_stream_new(n_models, &options, &stream);
    for (size_t t = 0; t < n_items && status == ASSAY_OK; t += BLOCK) {
        size_t n = n_items - t < BLOCK ? n_items - t : BLOCK;

        draw_block(bits, n * n_models, t / BLOCK);
        if (dump && fwrite(bits, 1, n * n_models, dump) != n * n_models) status = ASSAY_E_WRITE;
        began = bench_now();
        if (status == ASSAY_OK) status = assay_dimension_stream_add_bits(stream, n, bits);
        seconds += bench_now() - began;
    }
    began = bench_now();
    if (status == ASSAY_OK) status = assay_dimension_stream_result(stream, found);
    seconds += bench_now() - began;
    assay_dimension_stream_free(stream);
    return status == ASSAY_OK ? seconds : (double)NAN;
}

int main(int argc, char **argv)
{
    size_t n_models = argc > 1 ? strtoul(argv[1], NULL, 10) : 4576;
    int threads = argc > 2 ? atoi(argv[2]) : 0;
    const char *path = argc > 3 && strcmp(argv[3], "-") != 0 ? argv[3] : NULL;
    unsigned char *bits = malloc(n_models * BLOCK);

    for (int k = 4; k < argc && bits; k++) {
        size_t n_items = strtoul(argv[k], NULL, 10);
        assay_streamed_dimensions found = { 0 };
        double best = INFINITY;

        for (int again = 0; again < (n_items > 100000 ? 1 : 3); again++) {
            FILE *dump = path && again == 0 && k == argc - 1 ? fopen(path, "wb") : NULL;
            double seconds = run(n_models, threads, n_items, dump, bits, &found);

            if (dump && fclose(dump) != 0) return 1;
            if (isnan(seconds)) return 1;
            best = fmin(best, seconds);
        }
        printf("%zu %.4f %.0f %.12f %.12f %.12f\n", n_items, best, megabytes(), found.ed.task,
               found.ed.model, found.ed.both);
        fflush(stdout);
    }
    free(bits);
    return 0;
}
