/* SPDX-License-Identifier: Apache-2.0 */
/* Semi-synthetic grids of templates x items: the templates' scores are given, often real ones, and
   the cells behind them are drawn. The model: docs/simulate.md */
#ifndef ASSAY_SIMULATE_TEMPLATES_H
#define ASSAY_SIMULATE_TEMPLATES_H

#include "assay/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many items each template answers correctly, as published. Opaque. */
typedef struct assay_accuracies assay_accuracies;

/* Start from assay_accuracies_options_init(); later versions add fields only at the end. */
typedef struct assay_accuracies_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    const char *task;   /* only these rows, by the column "task"; NULL: all, which must agree */
    const char *model;  /* likewise by the column "model"; without one, accuracies are in the column
                           of this name */
    size_t n_items;     /* J; 0, the default: by the column "J" */
} assay_accuracies_options;

ASSAY_API void assay_accuracies_options_init(assay_accuracies_options *options, size_t struct_size);

/**
 * Read accuracies, a row a template: the columns template, and n_correct (or another usual name of
 * successes) or accuracy (or another usual name of scores); J, the number of items, in a column or
 * in the options. An accuracy stands for round(accuracy x J) correct items.
 *
 * @param path     CSV or TSV; "-" is standard input.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT, naming the line, for a missing column, a template
 *         that comes twice, a number out of its range, rows of several tasks, models or J, and where
 *         no row is left; ASSAY_E_VALUE for options not understood; ASSAY_E_NOMEM.
 * Cost: O(bytes).
 */
ASSAY_API assay_status assay_accuracies_read(const char *path,
                                             const assay_accuracies_options *options,
                                             assay_accuracies **out);
ASSAY_API void assay_accuracies_free(assay_accuracies *accuracies); /* NULL is fine */

/* The templates in the order of the rows, their names and counts, and J. Owned by accuracies. */
ASSAY_API size_t assay_accuracies_n_templates(const assay_accuracies *accuracies);
ASSAY_API size_t assay_accuracies_n_items(const assay_accuracies *accuracies);
ASSAY_API const char *assay_accuracies_template(const assay_accuracies *accuracies,
                                                size_t template_index);
ASSAY_API const size_t *assay_accuracies_counts(const assay_accuracies *accuracies);

/* A grid with what it was drawn from. Opaque; free with assay_template_simulation_free(). */
typedef struct assay_template_simulation assay_template_simulation;

/* Start from assay_simulate_templates_options_init(); later versions add fields only at the end. */
typedef struct assay_simulate_templates_options {
    size_t struct_size;   /* sizeof this struct as the caller was compiled */
    uint64_t seed;        /* default 1 */
    double concentration; /* a: how alike items are in difficulty, above 0, at most 1e6; small:
                             almost all are right, or wrong, under every template; default .25 */
    double interaction;   /* rho: share of the residual's variance that templates of a group have in
                             common, 0 to 1; default 0, a (conditional) Rasch model */
    size_t n_groups;      /* of templates, 1 to 2^31 - 1; default 10 */
} assay_simulate_templates_options;

ASSAY_API void assay_simulate_templates_options_init(assay_simulate_templates_options *options,
                                                     size_t struct_size);

/**
 * Draw the cells of a full grid in which template i answers exactly n_correct[i] items correctly.
 *
 * With m the mean accuracy, held within .01 to .99,
 *   p_j ~ Beta(a m, a (1 - m)), held within 1e-6 to 1 - 1e-6,
 *   u_ij = logit(p_j) + logit(Phi(sqrt(rho) G_g(i)j + sqrt(1 - rho) E_ij)),
 * G and E standard normal, g(i) a group drawn for each template, Phi held within 1e-12 to 1 - 1e-12;
 * y_ij is 1 for the n_correct[i] largest u_ij of row i, of equals the first. For a row by itself
 * that is the model P(y = 1) = sigmoid(theta_i + logit(p_j)), given its sum.
 *
 * @param n_correct  n_templates counts, each at most n_items.
 * @param options    NULL for the defaults.
 * @param out        owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE for sizes as in assay_grid_new(); ASSAY_E_VALUE naming a count or
 *         an option out of range; ASSAY_E_NOMEM.
 * Cost: O(I J log J); memory O(I J), and J a group where rho > 0.
 */
ASSAY_API assay_status assay_simulate_templates(const size_t *n_correct, size_t n_templates,
                                                size_t n_items,
                                                const assay_simulate_templates_options *options,
                                                assay_template_simulation **out);
ASSAY_API void assay_template_simulation_free(assay_template_simulation *simulation);

/* The cells; p_j of the items; g(i) of the templates, from 0. Owned by the simulation. */
ASSAY_API const assay_grid *assay_template_simulation_grid(
    const assay_template_simulation *simulation);
ASSAY_API const double *assay_template_simulation_easiness(
    const assay_template_simulation *simulation);
ASSAY_API const size_t *assay_template_simulation_groups(
    const assay_template_simulation *simulation);

/**
 * Write grid.csv, a row a template and a column an item, and truth.json (docs/simulate.md), each
 * whole or not at all, truth.json last.
 *
 * @param accuracies  what it was drawn from: the names of the templates.
 * @param folder      made when absent; the folder that holds it must exist.
 * @return ASSAY_OK; ASSAY_E_SHAPE where the accuracies are of another size; ASSAY_E_WRITE;
 *         ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_template_simulation_write(const assay_template_simulation *simulation,
                                                       const assay_accuracies *accuracies,
                                                       const char *folder);

#ifdef __cplusplus
}
#endif
#endif
