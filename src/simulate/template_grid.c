/* SPDX-License-Identifier: Apache-2.0 */
/* Cells behind given scores of templates. */
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "simulate/template_simulation.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the draw, each with a stream of its own for every item, template or group. Frozen. */
enum { PART_EASINESS, PART_GROUP, PART_SHARED, PART_CELL };

/* u_ij of one row, and its place. */
typedef struct ranked {
    double u;
    size_t item;
} ranked;

static assay_status check(const size_t *n_correct, size_t n_templates, size_t n_items,
                          const assay_simulate_templates_options *options);
static void draw_items(assay_template_simulation *sim, double mean, size_t n_items);
static void draw_groups(assay_template_simulation *sim, size_t n_templates);
static void draw_row(const assay_template_simulation *sim, const double *easiness_logit,
                     size_t template_index, size_t n_items, ranked *row);
static void score_row(ranked *row, size_t n_items, size_t n_correct, double *scores);
static double logit(double p);
static void start(const assay_template_simulation *sim, assay_random *random, uint64_t part,
                  size_t which);

void assay_simulate_templates_options_init(assay_simulate_templates_options *options,
                                           size_t struct_size)
{
    const assay_simulate_templates_options defaults = {
        .struct_size = struct_size, .seed = 1, .concentration = 0.25, .n_groups = 10
    };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_simulate_templates(const size_t *n_correct, size_t n_templates, size_t n_items,
                                      const assay_simulate_templates_options *given,
                                      assay_template_simulation **out)
{
    assay_simulate_templates_options options;
    assay_template_simulation *sim = NULL;
    double *scores = NULL, *easiness_logit = NULL, total = 0.0;
    ranked *row = NULL;
    assay_status status;

    *out = NULL;
    assay_simulate_templates_options_init(&options, sizeof options);
    status = assay_options_take("simulate templates", given, &options, sizeof options);
    if (status == ASSAY_OK) status = check(n_correct, n_templates, n_items, &options);
    if (status != ASSAY_OK) return status;
    sim = assay_alloc_zero(1, sizeof *sim);
    if (sim) sim->easiness = assay_alloc(n_items, sizeof *sim->easiness);
    if (sim) sim->group = assay_alloc(n_templates, sizeof *sim->group);
    if (n_items <= SIZE_MAX / n_templates)
        scores = assay_alloc(n_templates * n_items, sizeof *scores);
    row = assay_alloc(n_items, sizeof *row);
    easiness_logit = assay_alloc(n_items, sizeof *easiness_logit);
    if (!sim || !sim->easiness || !sim->group || !scores || !row || !easiness_logit) {
        status = assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu templates x %zu items",
                            n_templates, n_items);
        goto done;
    }
    sim->options = options;
    for (size_t i = 0; i < n_templates; i++) total += (double)n_correct[i];
    draw_items(sim, total / (double)n_templates / (double)n_items, n_items);
    draw_groups(sim, n_templates);
    for (size_t j = 0; j < n_items; j++) easiness_logit[j] = logit(sim->easiness[j]);
    for (size_t i = 0; i < n_templates; i++) {
        draw_row(sim, easiness_logit, i, n_items, row);
        score_row(row, n_items, n_correct[i], scores + i * n_items);
    }
    status = assay_grid_from_scores(scores, n_templates, n_items, &sim->grid);
    if (status != ASSAY_OK) goto done;
    *out = sim;
    sim = NULL;
done:
    assay_template_simulation_free(sim);
    free(scores);
    free(row);
    free(easiness_logit);
    return status;
}

static assay_status check(const size_t *n_correct, size_t n_templates, size_t n_items,
                          const assay_simulate_templates_options *options)
{
    if (n_templates < 1 || n_templates > INT32_MAX || n_items < 1 || n_items > INT32_MAX)
        return assay_fail(ASSAY_E_SHAPE, "%zu templates x %zu items, expected 1 to %d of each",
                          n_templates, n_items, INT32_MAX);
    if (!(options->concentration > 0.0 && options->concentration <= 1e6))
        return assay_fail(ASSAY_E_VALUE, "concentration is %g, expected above 0, at most 1e6",
                          options->concentration);
    if (!(options->interaction >= 0.0 && options->interaction <= 1.0))
        return assay_fail(ASSAY_E_VALUE, "interaction is %g, expected 0 to 1",
                          options->interaction);
    if (options->n_groups < 1 || options->n_groups > INT32_MAX)
        return assay_fail(ASSAY_E_VALUE, "groups is %zu, expected 1 to %d", options->n_groups,
                          INT32_MAX);
    for (size_t i = 0; i < n_templates; i++)
        if (n_correct[i] > n_items)
            return assay_fail(ASSAY_E_VALUE, "template %zu has %zu of %zu items correct", i,
                              n_correct[i], n_items);
    return ASSAY_OK;
}

static double hold(double value, double margin)
{
    return fmin(fmax(value, margin), 1.0 - margin);
}

static double logit(double p)
{
    return log(p / (1.0 - p));
}

/* A Beta draw as the quantile of a uniform one, so that it takes one number. */
static void draw_items(assay_template_simulation *sim, double mean, size_t n_items)
{
    double a = sim->options.concentration, m = hold(mean, 0.01);
    assay_random random;

    start(sim, &random, PART_EASINESS, 0);
    for (size_t j = 0; j < n_items; j++) {
        double u = assay_random_uniform(&random);
        sim->easiness[j] = hold(assay_beta_quantile(u, a * m, a * (1.0 - m)), 1e-6);
    }
}

static void draw_groups(assay_template_simulation *sim, size_t n_templates)
{
    assay_random random;

    start(sim, &random, PART_GROUP, 0);
    for (size_t i = 0; i < n_templates; i++)
        sim->group[i] = (size_t)assay_random_below(&random, sim->options.n_groups);
}

/* What a group has in common is drawn again for each of its templates, the same every time. */
static void draw_row(const assay_template_simulation *sim, const double *easiness_logit,
                     size_t template_index, size_t n_items, ranked *row)
{
    double shared = sqrt(sim->options.interaction), own = sqrt(1.0 - sim->options.interaction);
    assay_random of_group, of_cell;

    start(sim, &of_group, PART_SHARED, sim->group[template_index]);
    start(sim, &of_cell, PART_CELL, template_index);
    for (size_t j = 0; j < n_items; j++) {
        double z = own * assay_random_normal(&of_cell);

        if (shared > 0.0) z += shared * assay_random_normal(&of_group);
        row[j].u = easiness_logit[j] + logit(hold(0.5 * erfc(-z / sqrt(2.0)), 1e-12));
        row[j].item = j;
    }
}

static int is_before(const ranked *a, const ranked *b)
{
    return a->u != b->u ? a->u > b->u : a->item < b->item;
}

static void swap(ranked *a, ranked *b)
{
    ranked kept = *a;

    *a = *b;
    *b = kept;
}

/* Move the k that are before all others to the front, in any order (Hoare's selection). No two are
   equal, since items differ: which they are does not depend on how they are found. */
static void bring_forward(ranked *row, size_t n, size_t k)
{
    while (n > 1 && k > 0 && k < n) {
        size_t low = 0, high = n - 1;
        ranked pivot;

        if (is_before(&row[n / 2], &row[0])) swap(&row[n / 2], &row[0]);
        if (is_before(&row[high], &row[0])) swap(&row[high], &row[0]);
        if (is_before(&row[high], &row[n / 2])) swap(&row[high], &row[n / 2]);
        pivot = row[n / 2];
        while (low <= high) {
            while (is_before(&row[low], &pivot)) low++;
            while (is_before(&pivot, &row[high])) high--;
            if (low > high) break;
            swap(&row[low++], &row[high]);
            if (high-- == 0) break;
        }
        if (k <= high) {
            n = high + 1;
        } else {
            if (k <= low) return;
            row += low;
            n -= low;
            k -= low;
        }
    }
}

static void score_row(ranked *row, size_t n_items, size_t n_correct, double *scores)
{
    bring_forward(row, n_items, n_correct);
    for (size_t k = 0; k < n_items; k++) scores[row[k].item] = k < n_correct;
}

static void start(const assay_template_simulation *sim, assay_random *random, uint64_t part,
                  size_t which)
{
    assay_random_start(random, sim->options.seed, ASSAY_PURPOSE_SIMULATE_TEMPLATES,
                       (part << 32) + which);
}

void assay_template_simulation_free(assay_template_simulation *sim)
{
    if (!sim) return;
    assay_grid_free(sim->grid);
    free(sim->easiness);
    free(sim->group);
    free(sim);
}

const assay_grid *assay_template_simulation_grid(const assay_template_simulation *sim)
{
    return sim->grid;
}

const double *assay_template_simulation_easiness(const assay_template_simulation *sim)
{
    return sim->easiness;
}

const size_t *assay_template_simulation_groups(const assay_template_simulation *sim)
{
    return sim->group;
}
