/* SPDX-License-Identifier: Apache-2.0 */
/* The table itself as a picture. */
#include "report/raster.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* Sums are of scores times this, so that none overflows; a power of two changes no digit. */
static const double down = 0x1p-40;

/* A model or an item, to be sorted. */
struct ranked {
    double mean;
    size_t which;
};

/* The sums of the scores by model and by item, and how many there are. */
struct sums {
    double *model, *item;
    size_t *n_model, *n_item;
    double least, most;
};

static void add_up(const assay_matrix *matrix, struct sums *sums);
static int best_first(const void *left, const void *right);
static void sort(const double *sum, const size_t *count, size_t n, struct ranked *ranked);
static void fill(const assay_matrix *matrix, const struct ranked *models,
                 const struct ranked *items, assay_raster *out);

assay_status assay_raster_outcomes(const assay_matrix *matrix, assay_raster *out)
{
    size_t n = assay_matrix_n_models(matrix), t = assay_matrix_n_items(matrix);
    struct sums sums = { assay_alloc_zero(n, sizeof(double)),
                         assay_alloc_zero(t, sizeof(double)),
                         assay_alloc_zero(n, sizeof(size_t)),
                         assay_alloc_zero(t, sizeof(size_t)),
                         INFINITY,
                         -INFINITY };
    struct ranked *models = assay_alloc(n, sizeof *models), *items = assay_alloc(t, sizeof *items);
    assay_status status = ASSAY_OK;

    *out = (assay_raster){ 0 };
    if (!sums.model || !sums.item || !sums.n_model || !sums.n_item || !models || !items)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a picture of %zu x %zu", n, t);
    if (status == ASSAY_OK)
        status =
            assay_raster_new(n < ASSAY_RASTER_MOST ? n : ASSAY_RASTER_MOST,
                             t < ASSAY_RASTER_MOST_COLUMNS ? t : ASSAY_RASTER_MOST_COLUMNS, 0, out);
    if (status == ASSAY_OK) {
        add_up(matrix, &sums);
        sort(sums.model, sums.n_model, n, models);
        sort(sums.item, sums.n_item, t, items);
        out->of_rows = n;
        out->of_columns = t;
        out->none = 1;
        out->low = fmin(sums.least, 0.0);
        out->high = sums.most > 1.0 || out->low < 0.0 ? sums.most : 1.0;
        fill(matrix, models, items, out);
    }
    free(sums.model);
    free(sums.item);
    free(sums.n_model);
    free(sums.n_item);
    free(models);
    free(items);
    if (status != ASSAY_OK) assay_raster_free(out);
    return status;
}

static void add_up(const assay_matrix *matrix, struct sums *sums)
{
    for (size_t m = 0; m < assay_matrix_n_models(matrix); m++)
        for (size_t t = 0; t < assay_matrix_n_items(matrix); t++) {
            double x = assay_matrix_score(matrix, m, t);

            if (isnan(x)) continue;
            sums->model[m] += down * x;
            sums->n_model[m]++;
            sums->item[t] += down * x;
            sums->n_item[t]++;
            sums->least = fmin(sums->least, x);
            sums->most = fmax(sums->most, x);
        }
}

static int best_first(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->mean != b->mean) return a->mean > b->mean ? -1 : 1;
    return (a->which > b->which) - (a->which < b->which);
}

static void sort(const double *sum, const size_t *count, size_t n, struct ranked *ranked)
{
    for (size_t k = 0; k < n; k++) /* the matrix leaves out who has no score */
        ranked[k] = (struct ranked){ count[k] ? sum[k] / (double)count[k] : -INFINITY, k };
    qsort(ranked, n, sizeof *ranked, best_first);
}

/* The mean of the scores of a block, NaN for none. */
static double mean_of(const assay_matrix *matrix, const struct ranked *models, size_t n_models,
                      const struct ranked *items, size_t n_items)
{
    double sum = 0.0;
    size_t n = 0;

    for (size_t m = 0; m < n_models; m++)
        for (size_t t = 0; t < n_items; t++) {
            double x = assay_matrix_score(matrix, models[m].which, items[t].which);

            if (isnan(x)) continue;
            sum += down * x;
            n++;
        }
    return n ? sum / (double)n / down : NAN;
}

static void fill(const assay_matrix *matrix, const struct ranked *models,
                 const struct ranked *items, assay_raster *out)
{
    for (size_t r = 0; r < out->rows; r++) {
        size_t model = assay_raster_first(out->of_rows, out->rows, r);
        size_t next_model = assay_raster_first(out->of_rows, out->rows, r + 1);

        out->row[r] = models[model].which;
        for (size_t c = 0; c < out->columns; c++) {
            size_t item = assay_raster_first(out->of_columns, out->columns, c);
            size_t next_item = assay_raster_first(out->of_columns, out->columns, c + 1);

            out->column[c] = items[item].which;
            out->bytes[r * out->columns + c] =
                assay_raster_byte(out, mean_of(matrix, models + model, next_model - model,
                                               items + item, next_item - item));
        }
    }
}
