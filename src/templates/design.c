/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/design.h"

#include "core/error.h"
#include "core/memory.h"
#include "templates/grid.h"

#include <stdlib.h>
#include <string.h>

static void count_effects(const assay_grid *grid, const assay_templates_options *options,
                          assay_design *design);
static assay_status make_room(const assay_grid *grid, assay_design *design);
static void label(const assay_grid *grid, int faithful, unsigned char *y);
static void place_by_template(const assay_grid *grid, const unsigned char *y, assay_design *design);
static assay_status place_by_item(const assay_grid *grid, const unsigned char *y,
                                  assay_design *design);
static void place_by_cell(const assay_grid *grid, const assay_templates_options *options,
                          const unsigned char *y, assay_design *design);
static void place_rows_of_templates(const assay_grid *grid, const assay_templates_options *options,
                                    const unsigned char *y, assay_design *design);

assay_status assay_design_new(const assay_grid *grid, const assay_templates_options *options,
                              assay_design *design)
{
    assay_logistic *problem = &design->problem;
    unsigned char *y = assay_alloc(grid->n_cells, sizeof *y);
    assay_status status = ASSAY_OK;

    *design = (assay_design){ .problem = { .n = grid->n_cells, .c = options->c } };
    count_effects(grid, options, design);
    if (!y) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu labels", grid->n_cells);
        goto done;
    }
    if ((status = make_room(grid, design)) != ASSAY_OK) goto done;
    label(grid, options->faithful, y);
    if (design->eliminated == ASSAY_ELIMINATE_ITEMS) {
        problem->design = options->x;
        status = place_by_item(grid, y, design);
    } else if (design->eliminated == ASSAY_ELIMINATE_TEMPLATES) {
        problem->design = options->z;
        place_by_template(grid, y, design);
    } else if (options->method == ASSAY_TEMPLATES_LOGREG) {
        place_rows_of_templates(grid, options, y, design);
    } else {
        place_by_cell(grid, options, y, design);
    }
done:
    free(y);
    return status;
}

void assay_design_free(assay_design *design)
{
    free(design->row);
    free(design->level);
    free(design->y);
    free(design->made);
    *design = (assay_design){ 0 };
}

/* How many coefficients there are, and which of them are eliminated. */
static void count_effects(const assay_grid *grid, const assay_templates_options *options,
                          assay_design *design)
{
    assay_logistic *problem = &design->problem;
    int items = options->method == ASSAY_TEMPLATES_PE, one_hot = !options->x && !options->z;
    size_t n_free_items = grid->n_items - (one_hot && options->faithful ? 1u : 0u);

    design->n_template_effects = options->x ? options->n_x : grid->n_templates;
    design->n_item_effects = !items ? 0 : options->z ? options->n_z : n_free_items;
    design->has_constant = options->x && (options->z || !items);
    if (options->x)
        design->eliminated = design->has_constant ? ASSAY_ELIMINATE_NONE : ASSAY_ELIMINATE_ITEMS;
    else if (options->z || !items || grid->n_templates >= grid->n_items)
        design->eliminated = ASSAY_ELIMINATE_TEMPLATES;
    else
        design->eliminated = ASSAY_ELIMINATE_ITEMS;
    problem->n_levels = design->eliminated == ASSAY_ELIMINATE_TEMPLATES ? design->n_template_effects
                        : design->eliminated == ASSAY_ELIMINATE_ITEMS   ? design->n_item_effects
                                                                        : 0;
    problem->n_kept = design->n_template_effects + design->n_item_effects +
                      (design->has_constant ? 1u : 0u) - problem->n_levels;
}

static assay_status make_room(const assay_grid *grid, assay_design *design)
{
    size_t n = grid->n_cells;

    design->row = assay_alloc(n, sizeof *design->row);
    design->level = assay_alloc(n, sizeof *design->level);
    design->y = assay_alloc(n, sizeof *design->y);
    if (design->eliminated == ASSAY_ELIMINATE_NONE)
        design->made = assay_alloc((n > grid->n_templates ? n : grid->n_templates),
                                   design->problem.n_kept * sizeof(double));
    if (!design->row || !design->level || !design->y ||
        (design->eliminated == ASSAY_ELIMINATE_NONE && !design->made))
        return assay_fail(ASSAY_E_NOMEM, "no memory for a regression of %zu cells", n);
    design->problem.row = design->row;
    design->problem.level = design->level;
    design->problem.y = design->y;
    if (design->made) design->problem.design = design->made;
    return ASSAY_OK;
}

/* 1 from .5 on. The released code, whose solver needs two classes, flips one where all agree. */
static void label(const assay_grid *grid, int faithful, unsigned char *y)
{
    size_t n_right = 0;

    for (size_t k = 0; k < grid->n_cells; k++) n_right += y[k] = grid->score[k] >= 0.5;
    if (faithful && (n_right == 0 || n_right == grid->n_cells))
        y[assay_numpy_choice_of_0(grid->n_cells)] ^= 1u;
}

/* Rows are items; in the regression without items' effects there is but an empty one. */
static void place_by_template(const assay_grid *grid, const unsigned char *y, assay_design *design)
{
    int items = design->n_item_effects > 0 || design->problem.design;

    design->problem.n_rows = items ? grid->n_items : 1;
    for (size_t i = 0; i < grid->n_templates; i++) {
        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++) {
            design->row[k] = items ? grid->item[k] : 0;
            design->level[k] = (uint32_t)i;
        }
    }
    memcpy(design->y, y, grid->n_cells);
}

/* Rows are templates: the grid turned round by a counting sort. */
static assay_status place_by_item(const assay_grid *grid, const unsigned char *y,
                                  assay_design *design)
{
    size_t *next = assay_alloc(grid->n_items, sizeof *next), sum = 0;

    if (!next) return assay_fail(ASSAY_E_NOMEM, "no memory to sort %zu items", grid->n_items);
    design->problem.n_rows = grid->n_templates;
    for (size_t j = 0; j < grid->n_items; j++) {
        next[j] = sum;
        sum += grid->column[j];
    }
    for (size_t i = 0; i < grid->n_templates; i++) {
        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++) {
            size_t to = next[grid->item[k]]++;

            design->row[to] = (uint32_t)i;
            design->level[to] = grid->item[k];
            design->y[to] = y[k];
        }
    }
    free(next);
    return ASSAY_OK;
}

/* Covariates of both: a row (x, z, 1) for every cell. */
static void place_by_cell(const assay_grid *grid, const assay_templates_options *options,
                          const unsigned char *y, assay_design *design)
{
    size_t n_x = options->n_x, n_z = options->n_z;
    double *to = design->made;

    design->problem.n_rows = grid->n_cells;
    for (size_t i = 0; i < grid->n_templates; i++) {
        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++, to += n_x + n_z + 1) {
            memcpy(to, options->x + i * n_x, n_x * sizeof *to);
            memcpy(to + n_x, options->z + grid->item[k] * n_z, n_z * sizeof *to);
            to[n_x + n_z] = 1.0;
            design->row[k] = (uint32_t)k;
            design->level[k] = 0;
        }
    }
    memcpy(design->y, y, grid->n_cells);
}

/* Covariates of the templates alone: a row (x, 1) for every template. */
static void place_rows_of_templates(const assay_grid *grid, const assay_templates_options *options,
                                    const unsigned char *y, assay_design *design)
{
    size_t n_x = options->n_x;
    double *to = design->made;

    design->problem.n_rows = grid->n_templates;
    for (size_t i = 0; i < grid->n_templates; i++, to += n_x + 1) {
        memcpy(to, options->x + i * n_x, n_x * sizeof *to);
        to[n_x] = 1.0;
        for (size_t k = grid->start[i]; k < grid->start[i + 1]; k++) {
            design->row[k] = (uint32_t)i;
            design->level[k] = 0;
        }
    }
    memcpy(design->y, y, grid->n_cells);
}
