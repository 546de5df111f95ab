/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/template_variance.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* The grid's values, and the same cells item by item. */
typedef struct values {
    const assay_grid *cells;
    const double *y;
    double n, mean, spread; /* cells, their mean and variance */
    double *item_mean;
    size_t *start;       /* n_items + 1: where an item's cells begin in templates */
    uint32_t *templates; /* of the cells */
    double *row;         /* n_templates: room for a row of T */
} values;

/* An estimate, and how far noise alone moves it: its variance were there nothing to find. */
typedef struct estimate {
    double value, variance;
} estimate;

/* A sum over pairs of distinct cells, both ways, and how many there are. */
typedef struct pair_sums {
    double products, n;
} pair_sums;

/* About the items' means: the sum of squares of cells (s) and of templates (q), the cells less the
   items (v), the sum of T_ik^2. */
typedef struct item_sums {
    double cells, templates, freedom, trace;
} item_sums;

/* So many cells of the grid's variance are added to those about the items' means, lest few of these
   decide which estimate noise moves less. */
static const double CAUTION = 4.0;

static assay_status make_room(values *v);
static void arrange(values *v);
static estimate among_all(const values *v);
static item_sums about_items(const values *v);
static double squares_of_row(const values *v, size_t template_index);
static estimate against_items(const values *v, const item_sums *sums);

assay_status assay_template_variance_find(const assay_grid *cells, const double *y,
                                          assay_template_variance *out)
{
    values v = { .cells = cells, .y = y, .n = (double)assay_grid_n_cells(cells) };
    double n_items = (double)assay_grid_n_items(cells);
    assay_status status = make_room(&v);

    if (status == ASSAY_OK) {
        arrange(&v);
        item_sums sums = about_items(&v);
        estimate pairs = among_all(&v), items = against_items(&v, &sums);

        out->any =
            isnan(pairs.value) || items.variance <= pairs.variance ? items.value : pairs.value;
        out->these = sums.freedom > 0.0 ? sums.cells / sums.freedom / n_items : NAN;
        if (n_items > 1.0) out->these += (1.0 - 1.0 / n_items) * out->any;
    }
    free(v.item_mean);
    free(v.start);
    free(v.templates);
    free(v.row);
    return status;
}

static assay_status make_room(values *v)
{
    size_t n_items = assay_grid_n_items(v->cells);

    v->item_mean = assay_alloc_zero(n_items, sizeof *v->item_mean);
    v->start = assay_alloc_zero(n_items + 1, sizeof *v->start);
    v->templates = assay_alloc(assay_grid_n_cells(v->cells), sizeof *v->templates);
    v->row = assay_alloc_zero(assay_grid_n_templates(v->cells), sizeof *v->row);
    if (v->item_mean && v->start && v->templates && v->row) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "spread: no memory for %zu cells",
                      assay_grid_n_cells(v->cells));
}

/* Means, and the cells by item. An item's start serves as its end while it is being filled. */
static void arrange(values *v)
{
    size_t n_items = assay_grid_n_items(v->cells), k = 0;

    for (size_t j = 0; j < n_items; j++)
        v->start[j + 1] = v->start[j] + assay_grid_n_of_item(v->cells, j);
    for (size_t i = 0; i < assay_grid_n_templates(v->cells); i++) {
        const uint32_t *items;
        size_t n_row = assay_grid_row(v->cells, i, &items, NULL);

        for (size_t c = 0; c < n_row; c++, k++) {
            v->templates[v->start[items[c]]++] = (uint32_t)i;
            v->item_mean[items[c]] += v->y[k];
            v->mean += v->y[k] / v->n;
        }
    }
    for (size_t j = n_items; j > 0; j--) v->start[j] = v->start[j - 1];
    v->start[0] = 0;
    for (size_t j = 0; j < n_items; j++)
        if (v->start[j + 1] > v->start[j])
            v->item_mean[j] /= (double)(v->start[j + 1] - v->start[j]);
    for (k = 0; k < assay_grid_n_cells(v->cells); k++)
        v->spread += (v->y[k] - v->mean) * (v->y[k] - v->mean) / (v->n - 1.0);
}

/* The square of a sum over a group is the sum over its pairs, both ways, and the squares. Of all
   pairs, those of neither one template nor one item are what the two kinds leave of (sum d)^2 = 0. */
static estimate among_all(const values *v)
{
    double squares = v->spread * (v->n - 1.0), value;
    pair_sums rows = { -squares, -v->n }, columns = rows, neither;
    const double *y = v->y;

    for (size_t i = 0; i < assay_grid_n_templates(v->cells); i++) {
        size_t n_row = assay_grid_row(v->cells, i, NULL, NULL);
        double sum = 0.0;

        for (size_t c = 0; c < n_row; c++) sum += *y++ - v->mean;
        rows.products += sum * sum;
        rows.n += (double)n_row * (double)n_row;
    }
    for (size_t j = 0; j < assay_grid_n_items(v->cells); j++) {
        double m = (double)assay_grid_n_of_item(v->cells, j), sum = m * (v->item_mean[j] - v->mean);

        if (m == 0.0) continue;
        columns.products += sum * sum;
        columns.n += m * m;
    }
    neither.products = -squares - rows.products - columns.products;
    neither.n = v->n * v->n - v->n - rows.n - columns.n;
    if (!(rows.n > 0.0 && neither.n > 0.0)) return (estimate){ NAN, INFINITY };
    value = rows.products / rows.n - neither.products / neither.n;
    return (estimate){ value, 2.0 * v->spread * v->spread / rows.n };
}

static item_sums about_items(const values *v)
{
    item_sums sums = { .freedom = v->n };
    const double *y = v->y;

    for (size_t i = 0; i < assay_grid_n_templates(v->cells); i++) {
        const uint32_t *items;
        size_t n_row = assay_grid_row(v->cells, i, &items, NULL);
        double sum = 0.0;

        for (size_t c = 0; c < n_row; c++) {
            double r = *y++ - v->item_mean[items[c]];
            sum += r;
            sums.cells += r * r;
        }
        sums.templates += sum * sum;
        sums.trace += squares_of_row(v, i);
    }
    for (size_t j = 0; j < assay_grid_n_items(v->cells); j++)
        sums.freedom -= assay_grid_n_of_item(v->cells, j) > 0;
    return sums;
}

/* Of T_i; the row is left at zeros. */
static double squares_of_row(const values *v, size_t template_index)
{
    const uint32_t *items;
    size_t n_row = assay_grid_row(v->cells, template_index, &items, NULL);
    double squares = 0.0;

    v->row[template_index] = (double)n_row;
    for (size_t c = 0; c < n_row; c++) {
        size_t begin = v->start[items[c]], end = v->start[items[c] + 1];

        for (size_t k = begin; k < end; k++) v->row[v->templates[k]] -= 1.0 / (double)(end - begin);
    }
    for (size_t c = 0; c < n_row; c++)
        for (size_t k = v->start[items[c]]; k < v->start[items[c] + 1]; k++) {
            double *t = &v->row[v->templates[k]];
            squares += *t * *t;
            *t = 0.0;
        }
    return squares;
}

/* E s = (var(t) + var(e)) v and E q = var(t) sum of T_ik^2 + var(e) v. */
static estimate against_items(const values *v, const item_sums *sums)
{
    double freedom = sums->trace - sums->freedom;
    double w = (sums->cells + CAUTION * v->spread) / (sums->freedom + CAUTION);

    if (!(freedom > 1e-9 * sums->trace)) return (estimate){ NAN, INFINITY };
    return (estimate){ (sums->templates - sums->cells) / freedom, 2.0 * w * w / freedom };
}
