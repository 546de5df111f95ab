/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/grid.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cells as they were given. */
typedef struct cells {
    size_t n;
    const size_t *templates, *items;
    const double *scores;
} cells;

static assay_status check_size(size_t n_templates, size_t n_items);
static assay_status check_cells(size_t n_templates, size_t n_items, const cells *given);
static assay_status make_room(size_t n_templates, size_t n_items, size_t n, assay_grid **out);
static assay_status put_in_order(assay_grid *grid, const cells *given);
static assay_status merge_repeats(assay_grid *grid);
static void count_columns(assay_grid *grid);

assay_status assay_grid_new(size_t n_templates, size_t n_items, size_t n, const size_t *templates,
                            const size_t *items, const double *scores, assay_grid **out)
{
    const cells given = { n, templates, items, scores };
    assay_grid *grid = NULL;
    assay_status status;

    *out = NULL;
    if ((status = check_size(n_templates, n_items)) != ASSAY_OK) goto done;
    if ((status = check_cells(n_templates, n_items, &given)) != ASSAY_OK) goto done;
    if ((status = make_room(n_templates, n_items, n, &grid)) != ASSAY_OK) goto done;
    if ((status = put_in_order(grid, &given)) != ASSAY_OK) goto done;
    if ((status = merge_repeats(grid)) != ASSAY_OK) goto done;
    count_columns(grid);
    *out = grid;
    grid = NULL;
done:
    assay_grid_free(grid);
    return status;
}

static assay_status check_size(size_t n_templates, size_t n_items)
{
    if (n_templates >= 1 && n_templates <= INT32_MAX && n_items >= 1 && n_items <= INT32_MAX)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_SHAPE,
                      "a grid of %zu templates x %zu items, expected 1 to %d of each", n_templates,
                      n_items, INT32_MAX);
}

static assay_status fail_score(size_t i, size_t j, double score)
{
    return assay_fail(ASSAY_E_VALUE, "the score of template %zu, item %zu is %g, expected 0 to 1",
                      i, j, score);
}

static assay_status check_cells(size_t n_templates, size_t n_items, const cells *given)
{
    if (given->n == 0)
        return assay_fail(ASSAY_E_SHAPE, "a grid of %zu templates x %zu items has no score",
                          n_templates, n_items);
    for (size_t k = 0; k < given->n; k++) {
        size_t i = given->templates[k], j = given->items[k];

        if (i >= n_templates || j >= n_items)
            return assay_fail(ASSAY_E_SHAPE,
                              "cell (%zu, %zu) is outside the grid of %zu templates x %zu items, "
                              "which count from 0",
                              i, j, n_templates, n_items);
        if (!(given->scores[k] >= 0.0 && given->scores[k] <= 1.0))
            return fail_score(i, j, given->scores[k]);
    }
    return ASSAY_OK;
}

static assay_status make_room(size_t n_templates, size_t n_items, size_t n, assay_grid **out)
{
    assay_grid *grid = assay_alloc_zero(1, sizeof *grid);

    *out = grid;
    if (grid) {
        grid->n_templates = n_templates;
        grid->n_items = n_items;
        grid->start = assay_alloc_zero(n_templates + 1, sizeof *grid->start);
        grid->item = assay_alloc(n, sizeof *grid->item);
        grid->score = assay_alloc(n, sizeof *grid->score);
        grid->column = assay_alloc_zero(n_items, sizeof *grid->column);
    }
    if (grid && grid->start && grid->item && grid->score && grid->column) return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM,
                      "no memory for %zu cells of a grid of %zu templates x %zu items", n,
                      n_templates, n_items);
}

/* start[k] = where key k begins, from the counts of the keys at start[k + 1]. */
static void begin_from_counts(size_t *start, size_t n)
{
    for (size_t k = 0; k < n; k++) start[k + 1] += start[k];
}

/* By item, then (keeping that order) by template: two passes of a counting sort. */
static assay_status put_in_order(assay_grid *grid, const cells *given)
{
    size_t n = given->n;
    size_t *by_item = assay_alloc(n, sizeof *by_item);
    size_t *next = assay_alloc_zero(grid->n_items + 1, sizeof *next);
    size_t *place = assay_alloc(grid->n_templates, sizeof *place);
    assay_status status = ASSAY_OK;

    if (!by_item || !next || !place) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu cells of a grid", n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) next[given->items[k] + 1]++;
    begin_from_counts(next, grid->n_items);
    for (size_t k = 0; k < n; k++) by_item[next[given->items[k]]++] = k;
    for (size_t k = 0; k < n; k++) grid->start[given->templates[k] + 1]++;
    begin_from_counts(grid->start, grid->n_templates);
    for (size_t i = 0; i < grid->n_templates; i++) place[i] = grid->start[i];
    for (size_t k = 0; k < n; k++) {
        size_t from = by_item[k], to = place[given->templates[from]]++;

        grid->item[to] = (uint32_t)given->items[from];
        grid->score[to] = given->scores[from];
    }
done:
    free(by_item);
    free(next);
    free(place);
    return status;
}

/* Equal cells stand side by side now; the first of them stays. */
static assay_status merge_repeats(assay_grid *grid)
{
    size_t kept = 0, from = 0;

    for (size_t i = 0; i < grid->n_templates; i++) {
        size_t first = kept;

        for (; from < grid->start[i + 1]; from++) {
            int repeats = kept > first && grid->item[kept - 1] == grid->item[from];

            if (repeats && grid->score[kept - 1] != grid->score[from])
                return assay_fail(ASSAY_E_CONFLICT,
                                  "template %zu, item %u has two scores, %g and %g", i,
                                  grid->item[from], grid->score[kept - 1], grid->score[from]);
            if (repeats) continue;
            grid->item[kept] = grid->item[from];
            grid->score[kept++] = grid->score[from];
        }
        grid->start[i] = first;
    }
    grid->n_repeats = grid->start[grid->n_templates] - kept;
    grid->n_cells = grid->start[grid->n_templates] = kept;
    return ASSAY_OK;
}

static void count_columns(assay_grid *grid)
{
    grid->is_binary = 1;
    for (size_t k = 0; k < grid->n_cells; k++) {
        grid->column[grid->item[k]]++;
        if (grid->score[k] != 0.0 && grid->score[k] != 1.0) grid->is_binary = 0;
    }
}

/* ---- other ways to make one ---- */

/* An array without a hole is in order as it stands. */
static assay_status take_full(const double *scores, size_t n_templates, size_t n_items,
                              assay_grid **out)
{
    size_t n = n_templates * n_items;
    assay_grid *grid = NULL;
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < n && status == ASSAY_OK; k++)
        if (!(scores[k] >= 0.0 && scores[k] <= 1.0))
            status = fail_score(k / n_items, k % n_items, scores[k]);
    if (status == ASSAY_OK) status = make_room(n_templates, n_items, n, &grid);
    if (status != ASSAY_OK) {
        assay_grid_free(grid);
        return status;
    }
    for (size_t i = 0; i <= n_templates; i++) grid->start[i] = i * n_items;
    for (size_t k = 0; k < n; k++) grid->item[k] = (uint32_t)(k % n_items);
    memcpy(grid->score, scores, n * sizeof *scores);
    grid->n_cells = n;
    count_columns(grid);
    *out = grid;
    return ASSAY_OK;
}

assay_status assay_grid_from_scores(const double *scores, size_t n_templates, size_t n_items,
                                    assay_grid **out)
{
    size_t *templates = NULL, *items = NULL, n = 0;
    double *observed = NULL;
    assay_status status;

    *out = NULL;
    if ((status = check_size(n_templates, n_items)) != ASSAY_OK) goto done;
    for (size_t k = 0; k < n_templates * n_items; k++)
        if (!isnan(scores[k])) n++;
    if (n == n_templates * n_items) return take_full(scores, n_templates, n_items, out);
    templates = assay_alloc(n, sizeof *templates);
    items = assay_alloc(n, sizeof *items);
    observed = assay_alloc(n, sizeof *observed);
    if (!templates || !items || !observed) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the %zu cells of a grid", n);
        goto done;
    }
    n = 0;
    for (size_t k = 0; k < n_templates * n_items; k++) {
        if (isnan(scores[k])) continue;
        templates[n] = k / n_items;
        items[n] = k % n_items;
        observed[n++] = scores[k];
    }
    status = assay_grid_new(n_templates, n_items, n, templates, items, observed, out);
done:
    free(templates);
    free(items);
    free(observed);
    return status;
}

assay_status assay_grid_take(const assay_grid *full, size_t n, const size_t *templates,
                             const size_t *items, assay_grid **out)
{
    double *scores = assay_alloc(n, sizeof *scores);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!scores) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the scores of %zu cells", n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        scores[k] = assay_grid_score(full, templates[k], items[k]);
        if (!isnan(scores[k])) continue;
        status = assay_fail(ASSAY_E_SHAPE,
                            "cell (%zu, %zu) has no score in the grid of %zu "
                            "templates x %zu items",
                            templates[k], items[k], full->n_templates, full->n_items);
        goto done;
    }
    status = assay_grid_new(full->n_templates, full->n_items, n, templates, items, scores, out);
done:
    free(scores);
    return status;
}

void assay_grid_free(assay_grid *grid)
{
    if (!grid) return;
    free(grid->start);
    free(grid->item);
    free(grid->score);
    free(grid->column);
    free(grid);
}

/* ---- getters ---- */

size_t assay_grid_n_templates(const assay_grid *grid)
{
    return grid->n_templates;
}

size_t assay_grid_n_items(const assay_grid *grid)
{
    return grid->n_items;
}

size_t assay_grid_n_cells(const assay_grid *grid)
{
    return grid->n_cells;
}

size_t assay_grid_n_repeats(const assay_grid *grid)
{
    return grid->n_repeats;
}

int assay_grid_is_binary(const assay_grid *grid)
{
    return grid->is_binary;
}

size_t assay_grid_row(const assay_grid *grid, size_t template_index, const uint32_t **items,
                      const double **scores)
{
    size_t first = grid->start[template_index];

    if (items) *items = grid->item + first;
    if (scores) *scores = grid->score + first;
    return grid->start[template_index + 1] - first;
}

size_t assay_grid_first_unlike(const assay_grid *a, const assay_grid *b)
{
    for (size_t i = 0; i < a->n_templates; i++) {
        const uint32_t *of_a, *of_b;
        size_t n = assay_grid_row(a, i, &of_a, NULL);

        if (assay_grid_row(b, i, &of_b, NULL) != n ||
            (n > 0 && memcmp(of_a, of_b, n * sizeof *of_a) != 0))
            return i;
    }
    return SIZE_MAX;
}

size_t assay_grid_n_of_item(const assay_grid *grid, size_t item)
{
    return grid->column[item];
}

double assay_grid_score(const assay_grid *grid, size_t template_index, size_t item)
{
    size_t low, high;

    if (template_index >= grid->n_templates || item >= grid->n_items) return NAN;
    low = grid->start[template_index];
    high = grid->start[template_index + 1];
    if (high - low == grid->n_items) return grid->score[low + item];
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (grid->item[middle] == item) return grid->score[middle];
        if (grid->item[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return NAN;
}
