/* SPDX-License-Identifier: Apache-2.0 */
#include "data/matrix.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"
#include "stats/mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the scores come from while a matrix is filled: a results table, or an array. */
struct source {
    const assay_results *results;
    const double *scores;
    size_t n_models, n_items;
    size_t *first_record, *next_record; /* the records of a model, as a list; SIZE_MAX ends it */
};

static assay_status list_records(struct source *source);
static double mean_score(const struct source *source, size_t model, size_t item);
static assay_status fill(struct source *source, assay_matrix **out);

assay_status assay_matrix_from_results(const assay_results *results, assay_matrix **out)
{
    struct source source = { .results = results,
                             .n_models = assay_results_n_models(results),
                             .n_items = assay_results_n_items(results) };
    assay_status status;

    *out = NULL;
    status = list_records(&source);
    if (status == ASSAY_OK) status = fill(&source, out);
    free(source.first_record);
    free(source.next_record);
    return status;
}

assay_status assay_matrix_from_scores(const double *scores, size_t n_models, size_t n_items,
                                      assay_matrix **out)
{
    struct source source = { .scores = scores, .n_models = n_models, .n_items = n_items };

    *out = NULL;
    if (!scores || n_models == 0 || n_items == 0 || n_models > SIZE_MAX / sizeof *scores / n_items)
        return assay_fail(ASSAY_E_SHAPE, "matrix: %zu models x %zu items", n_models, n_items);
    for (size_t k = 0; k < n_models * n_items; k++)
        if (isinf(scores[k]))
            return assay_fail(ASSAY_E_VALUE, "matrix: scores[%zu, %zu] is %g", k / n_items,
                              k % n_items, scores[k]);
    return fill(&source, out);
}

static assay_status list_records(struct source *source)
{
    size_t n = assay_results_n_records(source->results);

    source->first_record = assay_alloc(source->n_models, sizeof(size_t));
    source->next_record = assay_alloc(n, sizeof(size_t));
    if (!source->first_record || !source->next_record)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu records", n);
    for (size_t m = 0; m < source->n_models; m++) source->first_record[m] = SIZE_MAX;
    for (size_t r = n; r-- > 0;) {
        size_t model = assay_results_record(source->results, r).model;
        source->next_record[r] = source->first_record[model];
        source->first_record[model] = r;
    }
    return ASSAY_OK;
}

/* NaN where there is no score. */
static double mean_score(const struct source *source, size_t model, size_t item)
{
    assay_mean mean = { 0 };
    double score;

    if (source->scores) return source->scores[model * source->n_items + item];
    for (size_t r = source->first_record[model]; r != SIZE_MAX; r = source->next_record[r]) {
        if (assay_results_cell(source->results, r, item, &score) == ASSAY_SCORED)
            assay_mean_add(&mean, score);
    }
    return assay_mean_of(&mean);
}

/* The one record of a model whose scores are all 0 or 1, or NULL: its planes can be used whole. */
static const assay_cells *whole_record(const struct source *source, size_t model)
{
    const assay_cells *cells;
    size_t r = source->results ? source->first_record[model] : SIZE_MAX;

    if (r == SIZE_MAX || source->next_record[r] != SIZE_MAX) return NULL;
    cells = &source->results->cells[r];
    return cells->scores ? NULL : cells;
}

/* Which models and items have a score, and whether every score is 0 or 1. Kept ones are listed. */
struct census {
    size_t *models, *items;
    size_t n_models, n_items;
    int binary;
};

/* Mark the items that a model has a score on; returns whether there is any. */
static int mark_scored(const struct source *source, size_t model, uint64_t *seen, int *binary)
{
    const assay_cells *cells = whole_record(source, model);
    uint64_t any = 0;

    if (cells) {
        for (size_t w = 0; w < cells->n_words; w++) {
            any |= cells->scored[w];
            if (cells->scored[w]) seen[w] |= cells->scored[w]; /* room beyond the last item is 0 */
        }
        return any != 0;
    }
    for (size_t i = 0; i < source->n_items; i++) {
        double score = mean_score(source, model, i);

        if (isnan(score)) continue;
        any = 1;
        seen[i / 64] |= (uint64_t)1 << (i % 64);
        if (score != 0.0 && score != 1.0) *binary = 0;
    }
    return any != 0;
}

static assay_status take_census(const struct source *source, struct census *census)
{
    uint64_t *seen = assay_alloc_zero(source->n_items / 64 + 1, sizeof *seen);
    assay_status status = ASSAY_OK;

    census->models = assay_alloc(source->n_models, sizeof *census->models);
    census->items = assay_alloc(source->n_items, sizeof *census->items);
    census->binary = 1;
    if (!seen || !census->models || !census->items) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu models x %zu items", source->n_models,
                            source->n_items);
        goto done;
    }
    for (size_t m = 0; m < source->n_models; m++)
        if (mark_scored(source, m, seen, &census->binary)) census->models[census->n_models++] = m;
    for (size_t i = 0; i < source->n_items; i++)
        if (seen[i / 64] >> (i % 64) & 1) census->items[census->n_items++] = i;
    if (census->n_models == 0) status = assay_fail(ASSAY_E_SHAPE, "no cell has a score");
done:
    free(seen);
    return status;
}

uint64_t *assay_plane_new(size_t n_rows, size_t n_bits, size_t *stride)
{
    size_t rows = (n_rows + 3) / 4 * 4;

    *stride = n_bits ? (n_bits + 511) / 512 * 8 : 8;
    if (rows > SIZE_MAX / *stride) return NULL;
    return assay_alloc_aligned(rows * *stride, sizeof(uint64_t));
}

static void fill_from_record(const assay_cells *cells, assay_matrix *matrix, size_t m)
{
    for (size_t w = 0; w < cells->n_words && w < matrix->stride; w++) {
        matrix->observed[m * matrix->stride + w] = cells->scored[w];
        matrix->value[m * matrix->stride + w] = cells->scored[w] & cells->one[w];
        matrix->n_observed += (uint64_t)__builtin_popcountll(cells->scored[w]);
    }
}

static void fill_cell_by_cell(const struct source *source, const struct census *census,
                              assay_matrix *matrix, size_t m)
{
    for (size_t i = 0; i < matrix->n_items; i++) {
        double score = mean_score(source, census->models[m], census->items[i]);
        size_t word = m * matrix->stride + i / 64;
        uint64_t bit = (uint64_t)1 << (i % 64);

        if (matrix->scores) matrix->scores[m * matrix->n_items + i] = score;
        if (isnan(score)) continue;
        matrix->n_observed++;
        matrix->observed[word] |= bit;
        if (matrix->value && score == 1.0) matrix->value[word] |= bit;
    }
}

static void fill_cells(const struct source *source, const struct census *census,
                       assay_matrix *matrix)
{
    int all_items = matrix->n_items == source->n_items;

    for (size_t m = 0; m < matrix->n_models; m++) {
        const assay_cells *cells = whole_record(source, census->models[m]);

        if (cells && all_items && matrix->value)
            fill_from_record(cells, matrix, m);
        else
            fill_cell_by_cell(source, census, matrix, m);
    }
}

/* names[i] is a copy of the kept[i]-th name. */
static char **copy_names(const assay_results *results,
                         const char *(*name)(const assay_results *, size_t), const size_t *kept,
                         size_t n)
{
    char **names = assay_alloc_zero(n, sizeof *names);

    if (!names) return NULL;
    for (size_t i = 0; i < n; i++) {
        const char *text = results ? name(results, kept[i]) : "";

        names[i] = assay_copy_text(text, strlen(text));
        if (names[i]) continue;
        while (i-- > 0) free(names[i]);
        free(names);
        return NULL;
    }
    return names;
}

static assay_status fill(struct source *source, assay_matrix **out)
{
    struct census census = { 0 };
    assay_matrix *matrix = NULL;
    assay_status status = take_census(source, &census);

    if (status != ASSAY_OK) goto done;
    matrix = assay_alloc_zero(1, sizeof *matrix);
    if (!matrix) goto no_memory;
    matrix->n_models = census.n_models;
    matrix->n_items = census.n_items;
    matrix->n_models_left_out = source->n_models - census.n_models;
    matrix->n_items_left_out = source->n_items - census.n_items;
    matrix->model_names =
        copy_names(source->results, assay_results_model, census.models, census.n_models);
    matrix->item_names =
        copy_names(source->results, assay_results_item, census.items, census.n_items);
    matrix->observed = assay_plane_new(census.n_models, census.n_items, &matrix->stride);
    if (census.binary)
        matrix->value = assay_plane_new(census.n_models, census.n_items, &matrix->stride);
    else if (census.n_models <= SIZE_MAX / sizeof(double) / census.n_items)
        matrix->scores = assay_alloc(census.n_models * census.n_items, sizeof(double));
    if (!matrix->model_names || !matrix->item_names || !matrix->observed ||
        (!matrix->value && !matrix->scores))
        goto no_memory;
    fill_cells(source, &census, matrix);
    matrix->model_source = census.models;
    matrix->item_source = census.items;
    census.models = census.items = NULL;
    matrix->n_within = assay_matrix_count_within_0_and_1(matrix);
    if (assay_matrix_find_doubts(matrix) != 0) goto no_memory;
    *out = matrix;
    matrix = NULL;
    goto done;
no_memory:
    status = assay_fail(ASSAY_E_NOMEM, "no memory for a matrix of %zu models x %zu items",
                        census.n_models, census.n_items);
done:
    free(census.models);
    free(census.items);
    assay_matrix_free(matrix);
    return status;
}

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; names && i < n; i++) free(names[i]);
    free(names);
}

void assay_matrix_free(assay_matrix *matrix)
{
    if (!matrix) return;
    free_names(matrix->model_names, matrix->n_models);
    free_names(matrix->item_names, matrix->n_items);
    free(matrix->model_source);
    free(matrix->item_source);
    free(matrix->observed);
    free(matrix->value);
    free(matrix->scores);
    free(matrix->doubts);
    free(matrix);
}

size_t assay_matrix_n_models(const assay_matrix *matrix)
{
    return matrix->n_models;
}

size_t assay_matrix_n_items(const assay_matrix *matrix)
{
    return matrix->n_items;
}

uint64_t assay_matrix_n_observed(const assay_matrix *matrix)
{
    return matrix->n_observed;
}

size_t assay_matrix_n_models_left_out(const assay_matrix *matrix)
{
    return matrix->n_models_left_out;
}

size_t assay_matrix_n_items_left_out(const assay_matrix *matrix)
{
    return matrix->n_items_left_out;
}

int assay_matrix_is_binary(const assay_matrix *matrix)
{
    return matrix->value != NULL;
}

double assay_matrix_score(const assay_matrix *matrix, size_t model, size_t item)
{
    if (matrix->scores) return matrix->scores[model * matrix->n_items + item];
    if (!assay_plane_bit(matrix->observed, matrix->stride, model, item)) return NAN;
    return assay_plane_bit(matrix->value, matrix->stride, model, item);
}

double assay_matrix_mean_score(const assay_matrix *matrix, size_t model)
{
    assay_mean mean = { 0 };

    for (size_t i = 0; i < matrix->n_items; i++) {
        double score = assay_matrix_score(matrix, model, i);

        if (!isnan(score)) assay_mean_add(&mean, score);
    }
    return assay_mean_of(&mean);
}

size_t assay_matrix_model_source(const assay_matrix *matrix, size_t model)
{
    return matrix->model_source[model];
}

size_t assay_matrix_item_source(const assay_matrix *matrix, size_t item)
{
    return matrix->item_source[item];
}

const char *assay_matrix_model(const assay_matrix *matrix, size_t model)
{
    return matrix->model_names[model];
}

const char *assay_matrix_item(const assay_matrix *matrix, size_t item)
{
    return matrix->item_names[item];
}
