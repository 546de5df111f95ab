/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/complete_grids.h"

#include "core/error.h"
#include "core/memory.h"
#include "templates/grids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where each template and item of a grid goes in the new one; LEFT_OUT for those that do not. */
typedef struct places {
    size_t *of_template, *of_item, n_templates, n_items;
    assay_left_out left_out;
} places;

static const size_t LEFT_OUT = SIZE_MAX;

static assay_status complete(const assay_grids *grids, size_t k, assay_incomplete rule,
                             assay_left_out *left_out, assay_named_grid *out);
static void leave_out_never_run(const assay_grid *grid, places *p);
static void leave_out_items(const assay_grid *grid, places *p);
static void leave_out_templates(const assay_grid *grid, places *p);
static assay_status check_whole(const assay_grids *grids, size_t k, const places *p,
                                assay_incomplete rule);
static assay_status take_cells(const assay_grid *grid, const places *p, assay_grid **out);
static assay_status take_names(const assay_named_axis *from, const size_t *place, size_t n,
                               assay_named_axis *to);

assay_status assay_grids_complete(const assay_grids *grids, assay_incomplete rule,
                                  assay_left_out *left_out, assay_grids **out)
{
    assay_grids *whole = NULL;
    assay_status status;

    *out = NULL;
    if ((unsigned)rule > ASSAY_INCOMPLETE_TEMPLATES)
        return assay_fail(ASSAY_E_VALUE, "what to leave out is rule %d, expected 0 to 2",
                          (int)rule);
    if ((status = assay_grids_new(grids->n, &whole)) != ASSAY_OK) return status;
    whole->results = grids->results;
    for (size_t k = 0; k < grids->n && status == ASSAY_OK; k++)
        status = complete(grids, k, rule, left_out ? &left_out[k] : NULL, &whole->grids[k]);
    if (status == ASSAY_OK)
        *out = whole;
    else
        assay_grids_free(whole);
    return status;
}

static assay_status complete(const assay_grids *grids, size_t k, assay_incomplete rule,
                             assay_left_out *left_out, assay_named_grid *out)
{
    const assay_named_grid *from = &grids->grids[k];
    const assay_grid *grid = from->grid;
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);
    places p = { .of_template = assay_alloc(n_templates, sizeof *p.of_template),
                 .of_item = assay_alloc(n_items, sizeof *p.of_item) };
    assay_status status = ASSAY_OK;

    out->task = from->task;
    out->model = assay_copy_text(from->model, strlen(from->model));
    if (!p.of_template || !p.of_item || !out->model)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a grid of %zu templates x %zu items",
                            n_templates, n_items);
    if (status == ASSAY_OK) {
        leave_out_never_run(grid, &p);
        if (rule == ASSAY_INCOMPLETE_ITEMS) leave_out_items(grid, &p);
        if (rule == ASSAY_INCOMPLETE_TEMPLATES) leave_out_templates(grid, &p);
        status = check_whole(grids, k, &p, rule);
    }
    if (status == ASSAY_OK)
        status = take_names(&from->templates, p.of_template, n_templates, &out->templates);
    if (status == ASSAY_OK) status = take_names(&from->items, p.of_item, n_items, &out->items);
    if (status == ASSAY_OK) status = take_cells(grid, &p, &out->grid);
    if (status == ASSAY_OK && left_out) *left_out = p.left_out;
    free(p.of_template);
    free(p.of_item);
    return status;
}

/* ---- what stays ---- */

/* Number those of n that stay, in order. */
static size_t number(size_t *place, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (place[i] != LEFT_OUT) place[i] = kept++;
    return kept;
}

static void leave_out_never_run(const assay_grid *grid, places *p)
{
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);

    for (size_t i = 0; i < n_templates; i++)
        p->of_template[i] = assay_grid_row(grid, i, NULL, NULL) > 0 ? 0 : LEFT_OUT;
    for (size_t j = 0; j < n_items; j++)
        p->of_item[j] = assay_grid_n_of_item(grid, j) > 0 ? 0 : LEFT_OUT;
    p->n_templates = number(p->of_template, n_templates);
    p->n_items = number(p->of_item, n_items);
    p->left_out.templates_never_run = n_templates - p->n_templates;
    p->left_out.items_never_run = n_items - p->n_items;
}

static void leave_out_items(const assay_grid *grid, places *p)
{
    size_t n = assay_grid_n_items(grid), before = p->n_items;

    for (size_t j = 0; j < n; j++)
        if (assay_grid_n_of_item(grid, j) < p->n_templates) p->of_item[j] = LEFT_OUT;
    p->n_items = number(p->of_item, n);
    p->left_out.items = before - p->n_items;
}

static void leave_out_templates(const assay_grid *grid, places *p)
{
    size_t n = assay_grid_n_templates(grid), before = p->n_templates;

    for (size_t i = 0; i < n; i++)
        if (assay_grid_row(grid, i, NULL, NULL) < p->n_items) p->of_template[i] = LEFT_OUT;
    p->n_templates = number(p->of_template, n);
    p->left_out.templates = before - p->n_templates;
}

/* ---- what is refused ---- */

/* The first item that stays and that the template lacks. */
static size_t first_hole(const assay_grid *grid, const places *p, size_t i)
{
    const uint32_t *items;
    size_t n = assay_grid_row(grid, i, &items, NULL), at = 0;

    for (size_t j = 0; j < assay_grid_n_items(grid); j++) {
        while (at < n && items[at] < j) at++;
        if (p->of_item[j] != LEFT_OUT && (at == n || items[at] != j)) return j;
    }
    return LEFT_OUT;
}

/* A name, or the number of one that is only counted. */
static const char *name_or_number(const assay_named_axis *axis, size_t k, char number_text[24])
{
    if (axis->name[k]) return axis->name[k];
    snprintf(number_text, 24, "%zu", k);
    return number_text;
}

static assay_status fail_first_hole(const assay_named_grid *from, const places *p, size_t n_missing)
{
    char of_template[24], of_item[24];
    size_t i = 0, j = LEFT_OUT;

    for (;; i++) {
        if (p->of_template[i] == LEFT_OUT) continue;
        j = first_hole(from->grid, p, i);
        if (j != LEFT_OUT) break;
    }
    return assay_fail(ASSAY_E_SHAPE,
                      "%.80s%s%.80s lacks %zu of %zu cells, the first that of the template "
                      "\"%.60s\" and the item \"%.60s\"",
                      from->model, from->task ? " / " : "", from->task ? from->task : "", n_missing,
                      p->n_templates * p->n_items, name_or_number(&from->templates, i, of_template),
                      name_or_number(&from->items, j, of_item));
}

static assay_status check_whole(const assay_grids *grids, size_t k, const places *p,
                                assay_incomplete rule)
{
    const assay_named_grid *from = &grids->grids[k];
    size_t n = assay_grid_n_cells(from->grid), all = p->n_templates * p->n_items;

    if (all == 0)
        return assay_fail(ASSAY_E_SHAPE, "%.80s%s%.80s: every %s has a hole", from->model,
                          from->task ? " / " : "", from->task ? from->task : "",
                          rule == ASSAY_INCOMPLETE_ITEMS ? "item" : "template");
    if (rule != ASSAY_INCOMPLETE_REFUSE || n == all) return ASSAY_OK;
    return fail_first_hole(from, p, all - n);
}

/* ---- the new grid ---- */

static assay_status take_cells(const assay_grid *grid, const places *p, assay_grid **out)
{
    size_t most = assay_grid_n_cells(grid), n = 0;
    size_t *templates = assay_alloc(most, sizeof *templates);
    size_t *items = assay_alloc(most, sizeof *items);
    double *scores = assay_alloc(most, sizeof *scores);
    assay_status status = ASSAY_OK;

    if (!templates || !items || !scores)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the %zu cells of a grid", most);
    for (size_t i = 0; i < assay_grid_n_templates(grid) && status == ASSAY_OK; i++) {
        const uint32_t *columns;
        const double *row;
        size_t n_row = assay_grid_row(grid, i, &columns, &row);

        for (size_t c = 0; c < n_row && p->of_template[i] != LEFT_OUT; c++) {
            if (p->of_item[columns[c]] == LEFT_OUT) continue;
            templates[n] = p->of_template[i];
            items[n] = p->of_item[columns[c]];
            scores[n++] = row[c];
        }
    }
    if (status == ASSAY_OK)
        status = assay_grid_new(p->n_templates, p->n_items, n, templates, items, scores, out);
    free(templates);
    free(items);
    free(scores);
    return status;
}

static assay_status take_names(const assay_named_axis *from, const size_t *place, size_t n,
                               assay_named_axis *to)
{
    to->name = assay_alloc_zero(n, sizeof *to->name);
    if (!to->name) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu names", n);
    for (size_t k = 0; k < n; k++) {
        if (place[k] == LEFT_OUT) continue;
        to->name[place[k]] = from->name[k];
        to->n = place[k] + 1;
    }
    return ASSAY_OK;
}
