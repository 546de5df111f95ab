/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/sampling.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/random.h"
#include "templates/level.h"
#include "templates/strata.h"

#include <stdlib.h>
#include <string.h>

struct assay_plan {
    assay_level rows, columns;
    uint64_t *has;        /* a row of columns.n_words words a template: its items */
    uint64_t *candidates; /* of one template, being drawn from */
    assay_strata strata;  /* none where it has no group */
    int random_items;
    assay_random random;
    size_t *templates, *items, n, template_capacity, item_capacity;
};

static assay_status resolve_options(const assay_plan_options *given, assay_plan_options *options);
static assay_status make_room(assay_plan *plan, size_t n_templates, size_t n_items);
static int draw_cell(assay_plan *plan);
static size_t find_candidates(assay_plan *plan, const uint64_t *has);
static assay_status take(assay_plan *plan, size_t i, size_t j);

void assay_plan_options_init(assay_plan_options *options, size_t struct_size)
{
    const assay_plan_options defaults = { .struct_size = struct_size, .seed = 1 };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_plan_options *given, assay_plan_options *options)
{
    assay_plan_options_init(options, sizeof *options);
    return assay_options_take("plan", given, options, sizeof *options);
}

assay_status assay_plan_new(size_t n_templates, size_t n_items, const assay_plan_options *given,
                            assay_plan **out)
{
    assay_plan_options options;
    assay_plan *plan = NULL;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(given, &options)) != ASSAY_OK) goto done;
    if (n_templates < 1 || n_templates > INT32_MAX || n_items < 1 || n_items > INT32_MAX) {
        status = assay_fail(ASSAY_E_SHAPE,
                            "a plan of %zu templates x %zu items, expected 1 to %d of each",
                            n_templates, n_items, INT32_MAX);
        goto done;
    }
    plan = assay_alloc_zero(1, sizeof *plan);
    if (!plan) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a plan");
        goto done;
    }
    if ((status = make_room(plan, n_templates, n_items)) != ASSAY_OK) goto done;
    if (options.arms &&
        (status = assay_plan_set_arms(plan, options.arms, options.n_arms)) != ASSAY_OK)
        goto done;
    if (options.strata &&
        (status = assay_strata_new(options.strata, n_items, &plan->strata)) != ASSAY_OK)
        goto done;
    plan->random_items = options.random_items;
    assay_random_start(&plan->random, options.seed, ASSAY_PURPOSE_PLAN, 0);
    *out = plan;
    plan = NULL;
done:
    assay_plan_free(plan);
    return status;
}

static assay_status make_room(assay_plan *plan, size_t n_templates, size_t n_items)
{
    size_t n_words = (n_items + 63) / 64;
    assay_status status = assay_level_new(n_templates, &plan->rows);

    if (status == ASSAY_OK) status = assay_level_new(n_items, &plan->columns);
    if (status != ASSAY_OK) return status;
    plan->has = assay_alloc_zero(n_templates * n_words, sizeof *plan->has);
    plan->candidates = assay_alloc(n_words, sizeof *plan->candidates);
    if (!plan->has || !plan->candidates)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a plan of %zu templates x %zu items",
                          n_templates, n_items);
    return ASSAY_OK;
}

void assay_plan_free(assay_plan *plan)
{
    if (!plan) return;
    assay_level_free(&plan->rows);
    assay_level_free(&plan->columns);
    assay_strata_free(&plan->strata);
    free(plan->has);
    free(plan->candidates);
    free(plan->templates);
    free(plan->items);
    free(plan);
}

assay_status assay_plan_add(assay_plan *plan, size_t n, const size_t *templates,
                            const size_t *items)
{
    for (size_t k = 0; k < n; k++)
        if (templates[k] >= plan->rows.n || items[k] >= plan->columns.n)
            return assay_fail(ASSAY_E_SHAPE,
                              "cell (%zu, %zu) is outside the plan of %zu templates x %zu items, "
                              "which count from 0",
                              templates[k], items[k], plan->rows.n, plan->columns.n);
    for (size_t k = 0; k < n; k++) {
        const uint64_t *has = plan->has + templates[k] * plan->columns.n_words;
        assay_status status;

        if (assay_bit(has, items[k])) continue;
        if ((status = take(plan, templates[k], items[k])) != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

assay_status assay_plan_set_arms(assay_plan *plan, const size_t *arms, size_t n)
{
    uint64_t *member = assay_alloc_zero(plan->rows.n_words, sizeof *member);

    if (!member) return assay_fail(ASSAY_E_NOMEM, "no memory for the %zu arms of a plan", n);
    for (size_t k = 0; k < n; k++) {
        if (arms[k] >= plan->rows.n || assay_bit(member, arms[k])) {
            free(member);
            if (arms[k] >= plan->rows.n)
                return assay_fail(ASSAY_E_SHAPE, "template %zu is not among the %zu of the plan",
                                  arms[k], plan->rows.n);
            return assay_fail(ASSAY_E_VALUE, "template %zu is named twice", arms[k]);
        }
        assay_set_bit(member, arms[k]);
    }
    if (n == 0) {
        free(member);
        return assay_fail(ASSAY_E_SHAPE, "a plan without a template to run");
    }
    free(plan->rows.member);
    plan->rows.member = member;
    assay_level_settle(&plan->rows);
    return ASSAY_OK;
}

/* Room for all of it first, so that nothing fails half way. */
assay_status assay_plan_extend(assay_plan *plan, size_t budget)
{
    size_t all = plan->rows.n * plan->columns.n, need = budget < all ? budget : all;

    if (assay_grow(&plan->templates, &plan->template_capacity, need, sizeof *plan->templates) !=
            0 ||
        assay_grow(&plan->items, &plan->item_capacity, need, sizeof *plan->items) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a plan of %zu cells", need);
    while (plan->n < budget && draw_cell(plan))
        ;
    return ASSAY_OK;
}

/* Draws are numbered by the cells that are there, and candidates taken by their rank: nothing
   depends on the order in which the cells came. Returns 0 where the arms are full. */
static int draw_cell(assay_plan *plan)
{
    size_t i, n;

    assay_random_go_to(&plan->random, plan->n);
    if (plan->rows.least >= plan->columns.n) return 0;
    i = assay_bit_of_rank(plan->rows.lowest,
                          assay_random_below_32(&plan->random, (uint32_t)plan->rows.n_lowest));
    n = find_candidates(plan, plan->has + i * plan->columns.n_words);
    if (plan->strata.n_groups && !plan->random_items)
        n = assay_strata_narrow(&plan->strata, plan->has + i * plan->columns.n_words,
                                plan->candidates, plan->columns.n_words);
    take(plan, i,
         assay_bit_of_rank(plan->candidates, assay_random_below_32(&plan->random, (uint32_t)n)));
    return 1;
}

/* Items that a template lacks, with the smallest count among those; how many they are. */
static size_t find_candidates(assay_plan *plan, const uint64_t *has)
{
    const assay_level *columns = &plan->columns;
    const uint64_t *from = plan->random_items ? columns->member : columns->lowest;
    uint32_t least = UINT32_MAX;
    size_t n = 0;

    for (size_t w = 0; w < columns->n_words; w++) {
        plan->candidates[w] = from[w] & ~has[w];
        n += assay_bits_of_word(plan->candidates[w]);
    }
    if (n > 0) return n;
    for (size_t j = 0; j < columns->n; j++)
        if (!assay_bit(has, j) && columns->count[j] < least) least = columns->count[j];
    for (size_t j = 0; j < columns->n; j++) {
        if (assay_bit(has, j) || columns->count[j] != least) continue;
        assay_set_bit(plan->candidates, j);
        n++;
    }
    return n;
}

static assay_status take(assay_plan *plan, size_t i, size_t j)
{
    size_t need = plan->n + 1;

    if (assay_grow(&plan->templates, &plan->template_capacity, need, sizeof *plan->templates) !=
            0 ||
        assay_grow(&plan->items, &plan->item_capacity, need, sizeof *plan->items) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a plan of %zu cells", need);
    plan->templates[plan->n] = i;
    plan->items[plan->n++] = j;
    assay_set_bit(plan->has + i * plan->columns.n_words, j);
    assay_level_raise(&plan->rows, i);
    assay_level_raise(&plan->columns, j);
    return ASSAY_OK;
}

/* ---- getters ---- */

size_t assay_plan_cells(const assay_plan *plan, const size_t **templates, const size_t **items)
{
    *templates = plan->templates;
    *items = plan->items;
    return plan->n;
}

size_t assay_plan_n_of_template(const assay_plan *plan, size_t template_index)
{
    return plan->rows.count[template_index];
}

size_t assay_plan_n_of_item(const assay_plan *plan, size_t item)
{
    return plan->columns.count[item];
}
