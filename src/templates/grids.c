/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/grids.h"

#include "assay/read.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

/* What an axis is made of. */
typedef struct named {
    const char *what; /* "template" */
    const char *(*name)(const assay_results *results, size_t index);
    size_t n_table; /* of them in the table */
    size_t count;   /* given, or 0 */
    const char *const *ids;
} named;

/* A record with its number. */
typedef struct record_at {
    assay_record record;
    size_t number;
} record_at;

/* The table's records of one model, ordered by template. */
typedef struct model_records {
    size_t model, n;
    const record_at *at;
} model_records;

/* The cells of one grid, over runs. */
typedef struct cells {
    size_t n, capacity_t, capacity_i, capacity_s;
    size_t *templates, *items;
    double *scores;
} cells;

static assay_status check_ids(const named *of);
static assay_status sort_records(const assay_results *results, record_at **out);
static assay_status make_grid(assay_grids *grids, const model_records *records, const named of[2],
                              assay_named_grid *out);
static assay_status name_grid(const assay_results *results, size_t model, assay_named_grid *out);
static assay_status find_axis(const assay_results *results, size_t model, const named *of,
                              const size_t *seen, size_t n_seen, assay_named_axis *out);
static assay_status see_names(const assay_results *results, const model_records *records,
                              size_t **seen, size_t n_seen[2]);
static assay_status take_cells(const assay_results *results, const model_records *records,
                               const assay_named_grid *grid, cells *all);

void assay_grids_options_init(assay_grids_options *options, size_t struct_size)
{
    const assay_grids_options defaults = { .struct_size = struct_size };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_grids_from_results(const assay_results *results,
                                      const assay_grids_options *options, assay_grids **out)
{
    assay_grids_options opt;
    assay_grids *grids = NULL;
    record_at *sorted = NULL;
    size_t next = 0, n_records = assay_results_n_records(results);
    size_t n_models = assay_results_n_models(results);
    assay_status status;

    *out = NULL;
    assay_grids_options_init(&opt, sizeof opt);
    status = assay_options_take("grids", options, &opt, sizeof opt);
    if (status != ASSAY_OK) return status;
    const named of[2] = { { "template", assay_results_template, assay_results_n_templates(results),
                            opt.n_templates, opt.template_ids },
                          { "item", assay_results_item, assay_results_n_items(results), opt.n_items,
                            opt.item_ids } };
    for (int a = 0; a < 2 && status == ASSAY_OK; a++) status = check_ids(&of[a]);
    if (status != ASSAY_OK) return status;

    if (n_models == 0)
        return assay_fail(ASSAY_E_SHAPE, "no scores, expected templates x items of them");
    if ((status = assay_grids_new(n_models, &grids)) != ASSAY_OK) return status;
    grids->results = results;
    status = sort_records(results, &sorted);
    for (size_t k = 0; k < n_models && status == ASSAY_OK; k++) {
        model_records own = { k, 0, sorted + next };

        while (next < n_records && sorted[next].record.model == k) next++, own.n++;
        status = make_grid(grids, &own, of, &grids->grids[k]);
    }
    free(sorted);
    if (status == ASSAY_OK)
        *out = grids;
    else
        assay_grids_free(grids);
    return status;
}

assay_status assay_grids_new(size_t n, assay_grids **out)
{
    assay_grids *grids = assay_alloc_zero(1, sizeof *grids);

    *out = NULL;
    if (grids) grids->grids = assay_alloc_zero(n, sizeof *grids->grids);
    if (!grids || !grids->grids) {
        free(grids);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu grids", n);
    }
    grids->n = n;
    *out = grids;
    return ASSAY_OK;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static assay_status check_ids(const named *of)
{
    const char **sorted;
    assay_status status = ASSAY_OK;

    if (!of->ids) return ASSAY_OK;
    if (of->count == 0) return assay_fail(ASSAY_E_SHAPE, "ids of no %ss", of->what);
    sorted = assay_alloc(of->count, sizeof *sorted);
    if (!sorted) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ids", of->count);
    memcpy(sorted, of->ids, of->count * sizeof *sorted);
    qsort(sorted, of->count, sizeof *sorted, compare_texts);
    for (size_t k = 1; k < of->count && status == ASSAY_OK; k++)
        if (strcmp(sorted[k - 1], sorted[k]) == 0)
            status = assay_fail(ASSAY_E_SHAPE, "the id \"%.60s\" comes twice among the %ss",
                                sorted[k], of->what);
    free(sorted);
    return status;
}

static int compare_records(const void *a, const void *b)
{
    const record_at *x = a, *y = b;

    if (x->record.model != y->record.model) return x->record.model < y->record.model ? -1 : 1;
    if (x->record.template_index != y->record.template_index)
        return x->record.template_index < y->record.template_index ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static assay_status sort_records(const assay_results *results, record_at **out)
{
    size_t n = assay_results_n_records(results);

    *out = assay_alloc(n, sizeof **out);
    if (!*out) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu records", n);
    for (size_t r = 0; r < n; r++) (*out)[r] = (record_at){ assay_results_record(results, r), r };
    qsort(*out, n, sizeof **out, compare_records);
    return ASSAY_OK;
}

static assay_status make_grid(assay_grids *grids, const model_records *records, const named of[2],
                              assay_named_grid *out)
{
    const assay_results *results = grids->results;
    const size_t model = records->model;
    size_t *seen[2] = { NULL, NULL }, n_seen[2] = { 0, 0 };
    cells all = { 0 };
    assay_status status = name_grid(results, model, out);

    if (status == ASSAY_OK) status = see_names(results, records, seen, n_seen);
    if (status == ASSAY_OK)
        status = find_axis(results, model, &of[0], seen[0], n_seen[0], &out->templates);
    if (status == ASSAY_OK)
        status = find_axis(results, model, &of[1], seen[1], n_seen[1], &out->items);
    if (status == ASSAY_OK) status = take_cells(results, records, out, &all);
    if (status == ASSAY_OK && all.n == 0)
        status = assay_fail(ASSAY_E_SHAPE, "\"%.60s\" has no score at all",
                            assay_results_model(results, model));
    if (status == ASSAY_OK)
        status = assay_grid_new(out->templates.n, out->items.n, all.n, all.templates, all.items,
                                all.scores, &out->grid);
    free(seen[0]);
    free(seen[1]);
    free(all.templates);
    free(all.items);
    free(all.scores);
    return status;
}

/* "MODEL / TASK" is the model's name where there is a task. */
static assay_status name_grid(const assay_results *results, size_t model, assay_named_grid *out)
{
    const char *name = assay_results_model(results, model);
    size_t length = strlen(name);

    for (size_t c = 0; c < assay_results_n_covariates(results); c++)
        if (strcmp(assay_results_covariate(results, c), ASSAY_TASK_COVARIATE) == 0)
            out->task = assay_results_covariate_value(results, c, model);
    if (out->task) length -= strlen(ASSAY_TASK_SEPARATOR) + strlen(out->task);
    out->model = assay_copy_text(name, length);
    return out->model ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for a name");
}

/* The templates and the items that the model's records name, by number in the table. */
static assay_status see_names(const assay_results *results, const model_records *records,
                              size_t **seen, size_t n_seen[2])
{
    size_t n_templates = assay_results_n_templates(results);
    size_t n_items = assay_results_n_items(results), n = 0;
    unsigned char *has_template = assay_alloc_zero(n_templates, 1);
    unsigned char *has_item = assay_alloc_zero(n_items, 1);

    seen[0] = assay_alloc(n_templates, sizeof *seen[0]);
    seen[1] = assay_alloc(n_items, sizeof *seen[1]);
    if (!has_template || !has_item || !seen[0] || !seen[1]) {
        free(has_template);
        free(has_item);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu items", n_items);
    }
    for (size_t r = 0; r < records->n; r++) {
        double score;

        has_template[records->at[r].record.template_index] = 1;
        for (size_t j = 0; j < n_items; j++)
            if (!has_item[j])
                has_item[j] =
                    assay_results_cell(results, records->at[r].number, j, &score) != ASSAY_ABSENT;
    }
    for (size_t i = 0; i < n_templates; i++)
        if (has_template[i]) seen[0][n++] = i;
    n_seen[0] = n;
    n = 0;
    for (size_t j = 0; j < n_items; j++)
        if (has_item[j]) seen[1][n++] = j;
    n_seen[1] = n;
    free(has_template);
    free(has_item);
    return ASSAY_OK;
}

/* ---- where each stands ---- */

/* The number that a name is, written as we would, below n; or NOWHERE. */
static ptrdiff_t number_of(const char *name, size_t n)
{
    char again[24];
    char *end;
    unsigned long long value = strtoull(name, &end, 10);

    snprintf(again, sizeof again, "%llu", value);
    return *name && strcmp(again, name) == 0 && value < n ? (ptrdiff_t)value : NOWHERE;
}

typedef struct id_at {
    const char *id;
    size_t at;
} id_at;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const id_at *)a)->id, ((const id_at *)b)->id);
}

static assay_status place_by_ids(const assay_results *results, const named *of, const size_t *seen,
                                 size_t n_seen, assay_named_axis *out)
{
    id_at *sorted = assay_alloc(of->count, sizeof *sorted);
    assay_status status = ASSAY_OK;

    if (!sorted) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ids", of->count);
    for (size_t k = 0; k < of->count; k++) {
        sorted[k] = (id_at){ of->ids[k], k };
        out->name[k] = of->ids[k];
    }
    qsort(sorted, of->count, sizeof *sorted, compare_ids);
    for (size_t k = 0; k < n_seen && status == ASSAY_OK; k++) {
        const id_at wanted = { of->name(results, seen[k]), 0 };
        const id_at *found = bsearch(&wanted, sorted, of->count, sizeof *sorted, compare_ids);

        if (found)
            out->place[seen[k]] = (ptrdiff_t)found->at;
        else
            status = assay_fail(ASSAY_E_SHAPE,
                                "the %s \"%.60s\" is not among the %zu ids that are given",
                                of->what, wanted.id, of->count);
    }
    free(sorted);
    return status;
}

static void place_in_order(const assay_results *results, const named *of, const size_t *seen,
                           size_t n_seen, assay_named_axis *out)
{
    int are_numbers = 1;

    for (size_t k = 0; k < n_seen && are_numbers; k++)
        are_numbers = number_of(of->name(results, seen[k]), out->n) != NOWHERE;
    for (size_t k = 0; k < n_seen; k++)
        out->place[seen[k]] =
            are_numbers ? number_of(of->name(results, seen[k]), out->n) : (ptrdiff_t)k;
}

static assay_status find_axis(const assay_results *results, size_t model, const named *of,
                              const size_t *seen, size_t n_seen, assay_named_axis *out)
{
    assay_status status = ASSAY_OK;

    out->n = of->count ? of->count : n_seen;
    if (out->n < n_seen && !of->ids)
        return assay_fail(ASSAY_E_SHAPE, "\"%.60s\" has %zu %ss, expected at most %zu",
                          assay_results_model(results, model), n_seen, of->what, out->n);
    out->place = assay_alloc(of->n_table, sizeof *out->place);
    out->name = assay_alloc_zero(out->n, sizeof *out->name);
    if (!out->place || !out->name)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu %ss", out->n, of->what);
    for (size_t k = 0; k < of->n_table; k++) out->place[k] = NOWHERE;
    if (of->ids)
        status = place_by_ids(results, of, seen, n_seen, out);
    else
        place_in_order(results, of, seen, n_seen, out);
    for (size_t k = 0; k < n_seen && status == ASSAY_OK; k++)
        out->name[out->place[seen[k]]] = of->name(results, seen[k]);
    return status;
}

/* ---- cells ---- */

static int add_cell(cells *all, size_t template_index, size_t item, double score)
{
    size_t n = all->n + 1;

    if (assay_grow(&all->templates, &all->capacity_t, n, sizeof *all->templates) != 0 ||
        assay_grow(&all->items, &all->capacity_i, n, sizeof *all->items) != 0 ||
        assay_grow(&all->scores, &all->capacity_s, n, sizeof *all->scores) != 0)
        return -1;
    all->templates[all->n] = template_index;
    all->items[all->n] = item;
    all->scores[all->n++] = score;
    return 0;
}

/* A record's scores onto the sums of its template. */
static assay_status add_record(const assay_results *results, const record_at *at, double *sum,
                               size_t *count)
{
    for (size_t j = 0; j < assay_results_n_items(results); j++) {
        double score;

        if (assay_results_cell(results, at->number, j, &score) != ASSAY_SCORED) continue;
        if (!(score >= 0.0 && score <= 1.0))
            return assay_fail(ASSAY_E_FORMAT,
                              "the score of item \"%.60s\" with template \"%.60s\" is %g, "
                              "expected 0 to 1",
                              assay_results_item(results, j),
                              assay_results_template(results, at->record.template_index), score);
        sum[j] += score;
        count[j]++;
    }
    return ASSAY_OK;
}

static assay_status add_cells(size_t template_index, size_t n_items, const assay_named_grid *grid,
                              const double *sum, const size_t *count, cells *all)
{
    for (size_t j = 0; j < n_items; j++)
        if (count[j] > 0 && add_cell(all, (size_t)grid->templates.place[template_index],
                                     (size_t)grid->items.place[j], sum[j] / (double)count[j]) != 0)
            return assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells", all->n);
    return ASSAY_OK;
}

/* The records of a template, which are its runs, stand together. */
static assay_status take_cells(const assay_results *results, const model_records *records,
                               const assay_named_grid *grid, cells *all)
{
    size_t n_items = assay_results_n_items(results), r = 0;
    double *sum = assay_alloc(n_items, sizeof *sum);
    size_t *count = assay_alloc(n_items, sizeof *count);
    assay_status status = ASSAY_OK;

    if (!sum || !count) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu items", n_items);
    while (r < records->n && status == ASSAY_OK) {
        size_t template_index = records->at[r].record.template_index;

        memset(sum, 0, n_items * sizeof *sum);
        memset(count, 0, n_items * sizeof *count);
        while (r < records->n && records->at[r].record.template_index == template_index &&
               status == ASSAY_OK)
            status = add_record(results, &records->at[r++], sum, count);
        if (status == ASSAY_OK) status = add_cells(template_index, n_items, grid, sum, count, all);
    }
    free(sum);
    free(count);
    return status;
}

/* ---- getters ---- */

void assay_grids_free(assay_grids *grids)
{
    if (!grids) return;
    for (size_t k = 0; k < grids->n; k++) {
        assay_named_grid *one = &grids->grids[k];

        free(one->model);
        free(one->templates.place);
        free(one->templates.name);
        free(one->items.place);
        free(one->items.name);
        assay_grid_free(one->grid);
    }
    free(grids->grids);
    free(grids);
}

size_t assay_grids_n(const assay_grids *grids)
{
    return grids->n;
}

const char *assay_grids_model(const assay_grids *grids, size_t k)
{
    return grids->grids[k].model;
}

const char *assay_grids_task(const assay_grids *grids, size_t k)
{
    return grids->grids[k].task;
}

const assay_grid *assay_grids_grid(const assay_grids *grids, size_t k)
{
    return grids->grids[k].grid;
}

const char *assay_grids_template(const assay_grids *grids, size_t k, size_t template_index)
{
    return grids->grids[k].templates.name[template_index];
}

const char *assay_grids_item(const assay_grids *grids, size_t k, size_t item)
{
    return grids->grids[k].items.name[item];
}
