/* SPDX-License-Identifier: Apache-2.0 */
/* A search for the best template that is run by hand: enacted again up to the cells that lack
   scores. */
#include "assay/best_template.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

struct assay_best_round {
    const assay_grid *have; /* while the search is enacted */
    size_t *templates, *items, n_cells;
    size_t index, n_rounds, n_left, n_used, n_unused;
    assay_best_template *search;
};

static assay_status look_up(void *user, size_t n, const size_t *templates, const size_t *items,
                            double *scores);
static void count_rounds(assay_best_round *round, size_t n_templates);

assay_status assay_best_template_next(size_t n_templates, size_t n_items, size_t budget,
                                      const assay_grid *have,
                                      const assay_best_template_options *options,
                                      assay_best_round **out)
{
    assay_best_round *round;
    assay_status status;

    *out = NULL;
    if (have &&
        (assay_grid_n_templates(have) != n_templates || assay_grid_n_items(have) != n_items))
        return assay_fail(
            ASSAY_E_SHAPE, "best template: cells of %zu templates x %zu items, expected %zu x %zu",
            assay_grid_n_templates(have), assay_grid_n_items(have), n_templates, n_items);
    round = assay_alloc_zero(1, sizeof *round);
    if (!round) return assay_fail(ASSAY_E_NOMEM, "no memory for a round of a search");
    round->have = have;
    status = assay_best_template_search(n_templates, n_items, budget, look_up, round, options,
                                        &round->search);
    if (round->n_cells > 0) status = ASSAY_OK; /* which ended it */
    if (status != ASSAY_OK) {
        assay_best_round_free(round);
        return status;
    }
    round->have = NULL;
    round->n_unused = (have ? assay_grid_n_cells(have) : 0) - round->n_used;
    count_rounds(round, n_templates);
    *out = round;
    return ASSAY_OK;
}

/* The scores of a round; or its cells that have none, which ends the search. */
static assay_status look_up(void *user, size_t n, const size_t *templates, const size_t *items,
                            double *scores)
{
    assay_best_round *round = user;
    size_t n_missing = 0;

    for (size_t k = 0; k < n; k++) {
        scores[k] = round->have ? assay_grid_score(round->have, templates[k], items[k]) : NAN;
        n_missing += isnan(scores[k]) != 0;
    }
    round->n_used += n - n_missing;
    if (n_missing == 0) {
        round->index++;
        return ASSAY_OK;
    }
    round->templates = assay_alloc(n_missing, sizeof *round->templates);
    round->items = assay_alloc(n_missing, sizeof *round->items);
    if (!round->templates || !round->items)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu cells", n_missing);
    for (size_t k = 0; k < n; k++) {
        if (!isnan(scores[k])) continue;
        round->templates[round->n_cells] = templates[k];
        round->items[round->n_cells++] = items[k];
    }
    return ASSAY_E_CANCELLED;
}

/* A round leaves half of the templates, rounded down, to the next. */
static void count_rounds(assay_best_round *round, size_t n_templates)
{
    round->n_rounds = 1;
    while (round->n_rounds < 63 && (size_t)1 << round->n_rounds < n_templates) round->n_rounds++;
    if (round->search) round->index = assay_best_template_n_rounds(round->search);
    if (!round->search) {
        round->n_left = n_templates;
        for (size_t r = 0; r < round->index; r++) round->n_left /= 2;
        return;
    }
    for (size_t i = 0; i < n_templates; i++)
        round->n_left += assay_best_template_dropped_in(round->search, i) == round->index;
}

void assay_best_round_free(assay_best_round *round)
{
    if (!round) return;
    free(round->templates);
    free(round->items);
    assay_best_template_free(round->search);
    free(round);
}

/* ---- getters ---- */

size_t assay_best_round_cells(const assay_best_round *round, const size_t **templates,
                              const size_t **items)
{
    *templates = round->templates;
    *items = round->items;
    return round->n_cells;
}

size_t assay_best_round_index(const assay_best_round *round)
{
    return round->index;
}

size_t assay_best_round_n_rounds(const assay_best_round *round)
{
    return round->n_rounds;
}

size_t assay_best_round_n_left(const assay_best_round *round)
{
    return round->n_left;
}

size_t assay_best_round_n_unused(const assay_best_round *round)
{
    return round->n_unused;
}

const assay_best_template *assay_best_round_search(const assay_best_round *round)
{
    return round->search;
}
