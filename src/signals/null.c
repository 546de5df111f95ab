/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/null.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/threads.h"
#include "signals/shuffle.h"
#include "stats/linalg.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>

double assay_marchenko_pastur(size_t n_models, size_t n_items)
{
    double n = (double)n_models, t = (double)n_items;

    return t * n / (t + n);
}

/*
 * Shuffling leaves tr G = sum_t d_t and every item's own product d_t alone. The product of two
 * items has mean 0 and mean square d_s d_t / (N - 1), so that E ||G||_F^2 = sum d_t^2 + ((sum
 * d_t)^2 - sum d_t^2) / (N - 1).
 */
double assay_permutation_ed_at_mean(const assay_centred *z)
{
    double sum = 0.0, squares = 0.0;

    for (size_t t = 0; t < z->n_items; t++) {
        sum += z->item_squares[t];
        squares += z->item_squares[t] * z->item_squares[t];
    }
    return assay_permutation_ed_of_spread(sum, squares, z->n_models);
}

double assay_permutation_ed_of_spread(double sum, double squares, size_t n_models)
{
    return sum * sum / (squares + (sum * sum - squares) / (double)(n_models - 1));
}

size_t assay_permutations_affordable(const assay_centred *z)
{
    /* Steps of one replicate: the product, the eigenvalues (much of which runs at the speed of
       memory) and the shuffle; about 3e10 of them a second a core, and 20 seconds are allowed. */
    const double most = 6e11, fewest = 100.0, usual = 1000.0;
    double r = (double)z->n_rows, l = (double)z->n_columns;
    double affordable = floor(most / (r * r * l + 13.0 * r * r * r + 50.0 * r * l));

    if (affordable < fewest) return 0;
    return (size_t)fmin(affordable, usual);
}

/* What one thread works in. */
struct bench {
    assay_shuffle shuffle;
    double *gram;
    assay_single_space eigen;
};

struct replicates {
    const assay_centred *z;
    uint64_t seed;
    struct bench *benches; /* by thread */
    int n_benches;
    double *spectra; /* n x R */
    double *ed;      /* n */
};

static assay_status replicates_new(const assay_centred *z, size_t n, uint64_t seed, int threads,
                                   struct replicates *all);
static void replicates_free(struct replicates *all);
static assay_status run_one(void *user, size_t replicate, int thread);
static assay_status summarise(const struct replicates *all, size_t n, assay_permutation_null *null);

assay_status assay_permutation_null_new(const assay_centred *z, size_t n, uint64_t seed,
                                        int threads, assay_progress progress,
                                        assay_permutation_null *null)
{
    struct replicates all = { 0 };
    assay_status status;

    *null = (assay_permutation_null){ .n = n, .mean_ed = NAN, .mean_ed_se = NAN };
    if (n == 0) return ASSAY_OK;
    if ((size_t)threads > n) threads = (int)n;
    status = replicates_new(z, n, seed, threads, &all);
    if (status == ASSAY_OK)
        status = assay_do_pieces(n, threads, "permutations", progress, run_one, &all);
    if (status == ASSAY_OK) status = summarise(&all, n, null);
    replicates_free(&all);
    return status;
}

static assay_status replicates_new(const assay_centred *z, size_t n, uint64_t seed, int threads,
                                   struct replicates *all)
{
    size_t r = z->n_rows;
    assay_status status;

    *all = (struct replicates){ .z = z, .seed = seed, .n_benches = threads };
    all->benches = assay_alloc_zero((size_t)threads, sizeof *all->benches);
    all->spectra = assay_alloc_aligned(n * r, sizeof(double));
    all->ed = assay_alloc(n, sizeof(double));
    if (!all->benches || !all->spectra || !all->ed)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu permutations", n);
    for (int t = 0; t < threads; t++) {
        struct bench *bench = &all->benches[t];

        if ((status = assay_shuffle_new(z, &bench->shuffle)) != ASSAY_OK) return status;
        if ((status = assay_single_space_new(r, &bench->eigen)) != ASSAY_OK) return status;
        bench->gram = assay_alloc_aligned(r * r, sizeof(double));
        if (!bench->gram)
            return assay_fail(ASSAY_E_NOMEM, "no memory for a Gram matrix of %zu rows", r);
    }
    return ASSAY_OK;
}

static void replicates_free(struct replicates *all)
{
    for (int t = 0; all->benches && t < all->n_benches; t++) {
        assay_shuffle_free(&all->benches[t].shuffle);
        assay_single_space_free(&all->benches[t].eigen);
        free(all->benches[t].gram);
    }
    free(all->benches);
    free(all->spectra);
    free(all->ed);
}

static assay_status run_one(void *user, size_t replicate, int thread)
{
    const struct replicates *all = user;
    struct bench *bench = &all->benches[thread];
    size_t r = all->z->n_rows;
    double trace = 0.0, squares = 0.0;
    assay_random random;

    assay_random_start(&random, all->seed, ASSAY_PURPOSE_PERMUTATION, replicate);
    assay_shuffle_gram(&bench->shuffle, &random, bench->gram);
    for (size_t i = 0; i < r; i++) {
        double diagonal = bench->gram[i * r + i];

        trace += diagonal;
        squares += diagonal * diagonal;
        for (size_t j = i + 1; j < r; j++)
            squares += 2.0 * bench->gram[i * r + j] * bench->gram[i * r + j];
    }
    all->ed[replicate] = trace * trace / squares;
    /* The rounding of single precision, 1e-6 of the first, is far below the spread of the draws. */
    return assay_eigenvalues_single(bench->gram, &bench->eigen, all->spectra + replicate * r);
}

static assay_status summarise(const struct replicates *all, size_t n, assay_permutation_null *null)
{
    size_t r = all->z->n_rows;
    double *column = assay_alloc(n, sizeof *column), squares = 0.0;

    null->q95 = assay_alloc(r, sizeof *null->q95);
    if (!column || !null->q95) {
        free(column);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu permutations", n);
    }
    for (size_t i = 0; i < r; i++) {
        for (size_t k = 0; k < n; k++) column[k] = all->spectra[k * r + i];
        null->q95[i] = assay_quantile(column, n, 0.95);
    }
    free(column);

    null->mean_ed = 0.0;
    for (size_t k = 0; k < n; k++) null->mean_ed += all->ed[k] / (double)n;
    for (size_t k = 0; k < n; k++)
        squares += (all->ed[k] - null->mean_ed) * (all->ed[k] - null->mean_ed);
    if (n > 1) null->mean_ed_se = sqrt(squares / ((double)n * (double)(n - 1)));
    return ASSAY_OK;
}
