/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/hopkins.h"

#include "cluster/hopkins_data_set.h"
#include "cluster/hopkins_null.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "stats/linalg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The null data sets of all kinds, which threads measure side by side, each in a room of its own. */
typedef struct nulls {
    const assay_hopkins_options *options;
    const assay_null_source *source;
    assay_data_set *rooms;
    int n_rooms;
    double *means; /* by kind and data set */
} nulls;

static assay_status resolve_options(const assay_hopkins_options *given,
                                    assay_hopkins_options *options);
static double *dense_copy(const assay_vectors *vectors);
static assay_status check_rows(const double *rows, size_t n, size_t d);
static assay_status choose_sizes(assay_hopkins_options *options, size_t n);
static assay_status measure_data(const double *rows, size_t n, size_t d,
                                 const assay_hopkins_options *options, assay_hopkins *result);
static assay_status measure_nulls(const double *rows, size_t n, size_t d,
                                  const assay_hopkins_options *options, assay_hopkins *result);
static assay_status measure_one(void *user, size_t k, int thread);
static void compare(const nulls *of, int kind, assay_hopkins *result);

assay_status assay_hopkins_measure(const assay_vectors *vectors,
                                   const assay_hopkins_options *options, assay_hopkins *out)
{
    double *copy = NULL;
    assay_status status;

    if (assay_vectors_by_turn(vectors))
        return assay_fail(ASSAY_E_VALUE,
                          "hopkins: the largest of the turns' distances is no geometry "
                          "of vectors, expected another way to join turns");
    if (vectors->dense)
        return assay_hopkins_of_rows(vectors->dense, vectors->n, vectors->d, options, out);
    copy = dense_copy(vectors);
    if (!copy)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors of %zu dimensions", vectors->n,
                          vectors->d);
    status = assay_hopkins_of_rows(copy, vectors->n, vectors->d, options, out);
    free(copy);
    return status;
}

assay_status assay_hopkins_of_rows(const double *rows, size_t n, size_t d,
                                   const assay_hopkins_options *options, assay_hopkins *out)
{
    assay_hopkins_options used;
    assay_hopkins result = { 0 };
    assay_status status = resolve_options(options, &used);

    if (status == ASSAY_OK) status = check_rows(rows, n, d);
    if (status == ASSAY_OK) status = choose_sizes(&used, n);
    if (status != ASSAY_OK) return status;
    /* Threads are counted first: an OpenBLAS that is made with OpenMP shares its setting. */
    used.threads = assay_threads(used.threads);
    assay_blas_hold();
    status = measure_data(rows, n, d, &used, &result);
    if (status == ASSAY_OK) status = measure_nulls(rows, n, d, &used, &result);
    assay_blas_release();
    if (status == ASSAY_OK) *out = result;
    return status;
}

void assay_hopkins_options_init(assay_hopkins_options *options, size_t struct_size)
{
    const assay_hopkins_options defaults = {
        .struct_size = struct_size,
        .seed = 1,
        .exponent = 1.0,
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_hopkins_options_check(const assay_hopkins_options *options)
{
    assay_hopkins_options resolved;

    return resolve_options(options, &resolved);
}

double assay_hopkins_statistic(const double *u, const double *w, size_t m, double exponent)
{
    double largest = 0.0, sum_u = 0.0, sum_w = 0.0;

    for (size_t k = 0; k < m; k++) largest = fmax(largest, fmax(u[k], w[k]));
    if (largest == 0.0) return 0.5;
    for (size_t k = 0; k < m; k++) { /* in shares of the largest: high powers would overflow */
        sum_u += pow(u[k] / largest, exponent);
        sum_w += pow(w[k] / largest, exponent);
    }
    return sum_u / (sum_u + sum_w);
}

/* Defaults first, then as much of the caller's struct as it knew about when compiled. */
static assay_status resolve_options(const assay_hopkins_options *given,
                                    assay_hopkins_options *options)
{
    assay_status status;

    assay_hopkins_options_init(options, sizeof *options);
    status = assay_options_take("hopkins", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if ((int)options->window < ASSAY_HOPKINS_BOX || (int)options->window > ASSAY_HOPKINS_ORTHANT)
        return assay_fail(ASSAY_E_VALUE, "hopkins: window is %d, expected 0 to 2",
                          (int)options->window);
    if ((int)options->metric < ASSAY_HOPKINS_EUCLIDEAN ||
        (int)options->metric > ASSAY_HOPKINS_COSINE)
        return assay_fail(ASSAY_E_VALUE, "hopkins: metric is %d, expected 0 or 1",
                          (int)options->metric);
    if (!(options->exponent > 0.0 && isfinite(options->exponent)))
        return assay_fail(ASSAY_E_VALUE, "hopkins: exponent is %g, expected above 0",
                          options->exponent);
    if (options->repeats == 1 || options->repeats > 10000000)
        return assay_fail(ASSAY_E_VALUE, "hopkins: repeats is %zu, expected 0 or 2 to 10000000",
                          options->repeats);
    if ((options->data_sets > 0 && options->data_sets < 99) || options->data_sets > 1000000)
        return assay_fail(ASSAY_E_VALUE, "hopkins: data_sets is %zu, expected 0 or 99 to 1000000",
                          options->data_sets);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "hopkins: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

static double *dense_copy(const assay_vectors *vectors)
{
    double *copy = assay_alloc_aligned(vectors->n * vectors->d, sizeof *copy);

    for (size_t i = 0; copy && i < vectors->n; i++)
        for (size_t k = vectors->start[i]; k < vectors->start[i + 1]; k++)
            copy[i * vectors->d + vectors->column[k]] = vectors->value[k];
    return copy;
}

static assay_status check_rows(const double *rows, size_t n, size_t d)
{
    if (n < 2) return assay_fail(ASSAY_E_SHAPE, "hopkins needs 2 prompts or more, got %zu", n);
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < d; j++)
            if (rows[i * d + j] != rows[j]) return ASSAY_OK;
    return assay_fail(ASSAY_E_DEGENERATE,
                      "hopkins is undefined: all %zu prompts have the same vector", n);
}

/* What was left at 0 and depends on n. */
static assay_status choose_sizes(assay_hopkins_options *options, size_t n)
{
    size_t tenth = (size_t)nearbyint(0.1 * (double)n);

    if (options->n_sampled > n)
        return assay_fail(ASSAY_E_VALUE,
                          "hopkins: n_sampled is %zu, expected 0 to %zu, the prompts",
                          options->n_sampled, n);
    if (!options->n_sampled) options->n_sampled = tenth > 0 ? tenth : 1;
    if (!options->repeats) options->repeats = n <= 300 ? 1000 : 100;
    return ASSAY_OK;
}

static assay_status measure_data(const double *rows, size_t n, size_t d,
                                 const assay_hopkins_options *options, assay_hopkins *result)
{
    assay_data_set set;
    assay_status status = assay_data_set_new(options, n, d, options->threads, &set);

    if (status == ASSAY_OK) {
        for (size_t i = 0; i < n; i++)
            memcpy(set.points.row + i * set.points.d, rows + i * d, d * sizeof *rows);
        assay_data_set_measure(&set, &result->mean, &result->sd);
        result->se = result->sd / sqrt((double)options->repeats);
        result->n_sampled = options->n_sampled;
        result->repeats = options->repeats;
        result->data_sets = options->data_sets;
    }
    assay_data_set_free(&set);
    return status;
}

static assay_status measure_nulls(const double *rows, size_t n, size_t d,
                                  const assay_hopkins_options *options, assay_hopkins *result)
{
    assay_null_source source = { 0 };
    nulls of = { .options = options, .source = &source, .n_rooms = options->threads };
    assay_status status = ASSAY_OK;
    size_t n_sets;

    if ((size_t)of.n_rooms > options->data_sets) of.n_rooms = (int)options->data_sets;
    for (int kind = 0; kind < ASSAY_HOPKINS_N_NULLS; kind++)
        result->against[kind] = (assay_hopkins_against){ NAN, NAN, NAN, NAN };
    if (options->data_sets == 0) return ASSAY_OK;
    n_sets = ASSAY_HOPKINS_N_NULLS * options->data_sets;
    of.means = assay_alloc(n_sets, sizeof *of.means);
    of.rooms = assay_alloc_zero((size_t)of.n_rooms, sizeof *of.rooms);
    if (!of.means || !of.rooms)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu data sets", options->data_sets);
    if (status == ASSAY_OK) status = assay_null_source_new(rows, n, d, options->seed, &source);
    for (int t = 0; status == ASSAY_OK && t < of.n_rooms; t++)
        status = assay_data_set_new(options, n, d, 1, &of.rooms[t]);
    if (status == ASSAY_OK)
        status = assay_do_pieces(n_sets, of.n_rooms, "Hopkins nulls", options->progress,
                                 measure_one, &of);
    for (int kind = 0; status == ASSAY_OK && kind < ASSAY_HOPKINS_N_NULLS; kind++)
        compare(&of, kind, result);
    for (int t = 0; of.rooms && t < of.n_rooms; t++) assay_data_set_free(&of.rooms[t]);
    assay_null_source_free(&source);
    free(of.rooms);
    free(of.means);
    return status;
}

/* Numbers do not depend on how many data sets there are: more of them leave the first as they are. */
static assay_status measure_one(void *user, size_t k, int thread)
{
    const nulls *of = user;
    assay_data_set *room = &of->rooms[thread];
    size_t kind = k / of->options->data_sets, r = k % of->options->data_sets;
    double sd;
    assay_status status;

    room->number = 1 + ASSAY_HOPKINS_N_NULLS * (uint64_t)r + (uint64_t)kind;
    status = assay_null_fill(of->source, (assay_hopkins_null)kind, room->number, room->points.row,
                             room->points.d);
    if (status == ASSAY_OK) assay_data_set_measure(room, &of->means[k], &sd);
    return status;
}

/* The spread that H is judged by is that over data sets: that over repeats is our own noise. */
static void compare(const nulls *of, int kind, assay_hopkins *result)
{
    assay_hopkins_against *against = &result->against[kind];
    size_t n = of->options->data_sets, n_reaching = 0;
    const double *means = of->means + (size_t)kind * n;

    for (size_t r = 0; r < n; r++) n_reaching += means[r] >= result->mean;
    assay_mean_and_sd(means, n, &against->mean, &against->sd);
    against->z = against->sd > 0.0 ? (result->mean - against->mean) / against->sd : NAN;
    against->p = (1.0 + (double)n_reaching) / ((double)n + 1.0);
}
