/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/best_template.h"

#include "assay/sampling.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_best_template {
    size_t n_templates, n_rounds, index;
    double observed_mean;
    size_t *dropped_in; /* n_templates */
    assay_grid *grid;
};

/* The search as it stands. */
struct search {
    assay_best_template_options options;
    size_t n_templates, n_items;
    assay_run_cells run;
    void *user;
    assay_plan *plan;
    double *scores; /* of the plan's cells, in its order */
    size_t n_scores, capacity;
    size_t *arms, n_arms; /* the templates still in, ascending */
    struct standing *order;
    assay_best_template *best;
};

/* A template among those still in. */
struct standing {
    double score;
    size_t index;
};

static assay_status resolve_options(const assay_best_template_options *given,
                                    assay_best_template_options *options);
static assay_status start(struct search *search, size_t budget);
static void finish(struct search *search);
static size_t rounds_for(size_t n);
static assay_status run_more(struct search *search, size_t budget);
static int arms_are_full(const struct search *search);
static assay_status drop_half(struct search *search, size_t round);
static void answer(struct search *search);

assay_status assay_best_template_search(size_t n_templates, size_t n_items, size_t budget,
                                        assay_run_cells run, void *user,
                                        const assay_best_template_options *given,
                                        assay_best_template **out)
{
    struct search search = {
        .n_templates = n_templates, .n_items = n_items, .run = run, .user = user
    };
    size_t n_rounds = rounds_for(n_templates), each = budget / n_rounds;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(given, &search.options)) != ASSAY_OK) goto done;
    if ((status = start(&search, budget)) != ASSAY_OK) goto done;
    for (size_t r = 0; r < n_rounds; r++) {
        size_t more = r == 0 ? budget - each * (n_rounds - 1) : each;

        if ((status = run_more(&search, search.n_scores + more)) != ASSAY_OK) goto done;
        search.best->n_rounds = r + 1;
        if (arms_are_full(&search) || search.n_arms == 1) break;
        if ((status = drop_half(&search, r)) != ASSAY_OK) goto done;
    }
    answer(&search);
    *out = search.best;
    search.best = NULL;
done:
    finish(&search);
    return status;
}

void assay_best_template_options_init(assay_best_template_options *options, size_t struct_size)
{
    assay_best_template_options defaults = { .struct_size = struct_size, .seed = 1 };
    assay_templates_options fitting;

    assay_templates_options_init(&fitting, sizeof fitting);
    defaults.score = ASSAY_TEMPLATES_PE;
    defaults.c = fitting.c;
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_best_template_options *given,
                                    assay_best_template_options *options)
{
    assay_status status;

    assay_best_template_options_init(options, sizeof *options);
    status = assay_options_take("best template", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->score != ASSAY_TEMPLATES_PE && options->score != ASSAY_TEMPLATES_LOGREG)
        return assay_fail(ASSAY_E_VALUE, "best template: there is no dropping by method %d",
                          (int)options->score);
    return ASSAY_OK;
}

static size_t rounds_for(size_t n)
{
    size_t n_rounds = 1;

    while (n_rounds < 63 && (size_t)1 << n_rounds < n) n_rounds++;
    return n_rounds;
}

static assay_status start(struct search *search, size_t budget)
{
    assay_plan_options options;
    size_t n = search->n_templates;
    assay_status status;

    if (budget == 0) return assay_fail(ASSAY_E_SHAPE, "best template: a budget of no cell");
    assay_plan_options_init(&options, sizeof options);
    options.seed = search->options.seed;
    options.random_items = search->options.score != ASSAY_TEMPLATES_PE;
    status = assay_plan_new(n, search->n_items, &options, &search->plan);
    if (status != ASSAY_OK) return status;
    search->arms = assay_alloc(n, sizeof *search->arms);
    search->order = assay_alloc(n, sizeof *search->order);
    search->best = assay_alloc_zero(1, sizeof *search->best);
    if (search->best) search->best->dropped_in = assay_alloc(n, sizeof(size_t));
    if (!search->arms || !search->order || !search->best || !search->best->dropped_in)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a search among %zu templates", n);
    for (size_t i = 0; i < n; i++) {
        search->arms[i] = i;
        search->best->dropped_in[i] = SIZE_MAX;
    }
    search->n_arms = search->best->n_templates = n;
    return ASSAY_OK;
}

static void finish(struct search *search)
{
    assay_plan_free(search->plan);
    free(search->scores);
    free(search->arms);
    free(search->order);
    assay_best_template_free(search->best);
}

void assay_best_template_free(assay_best_template *best)
{
    if (!best) return;
    free(best->dropped_in);
    assay_grid_free(best->grid);
    free(best);
}

/* ---- a round ---- */

static assay_status report(const struct search *search, size_t budget)
{
    const assay_progress *progress = &search->options.progress;
    double fraction = (double)search->n_scores / (double)(budget > 0 ? budget : 1);

    if (progress->step && progress->step(progress->user, "rounds", fraction) != 0)
        return assay_fail(ASSAY_E_CANCELLED, "cancelled in rounds");
    return ASSAY_OK;
}

/* The plan up to budget cells, those that are new run, and the grid of all. */
static assay_status run_more(struct search *search, size_t budget)
{
    const size_t *templates, *items;
    size_t n, before = search->n_scores;
    assay_status status = report(search, budget);

    if (status != ASSAY_OK) return status;
    if ((status = assay_plan_extend(search->plan, budget)) != ASSAY_OK) return status;
    n = assay_plan_cells(search->plan, &templates, &items);
    if (n == before) return ASSAY_OK;
    if (assay_grow(&search->scores, &search->capacity, n, sizeof *search->scores) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the scores of %zu cells", n);
    status = search->run(search->user, n - before, templates + before, items + before,
                         search->scores + before);
    if (status != ASSAY_OK) return status;
    search->n_scores = n;
    assay_grid_free(search->best->grid);
    return assay_grid_new(search->n_templates, search->n_items, n, templates, items, search->scores,
                          &search->best->grid);
}

static int arms_are_full(const struct search *search)
{
    for (size_t a = 0; a < search->n_arms; a++)
        if (assay_plan_n_of_template(search->plan, search->arms[a]) < search->n_items) return 0;
    return 1;
}

static int by_score(const void *a, const void *b)
{
    const struct standing *x = a, *y = b;

    if (x->score != y->score) return x->score < y->score ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* S_i or theta_i of those still in, least first. */
static assay_status rank(struct search *search)
{
    const assay_best_template_options *given = &search->options;
    assay_templates_options options;
    assay_templates *fit;
    assay_status status;
    const double *score;
    size_t n;

    assay_templates_options_init(&options, sizeof options);
    options.method = given->score;
    options.faithful = given->faithful;
    options.c = given->c;
    options.x = given->x;
    options.n_x = given->n_x;
    options.z = given->z;
    options.n_z = given->n_z;
    status = assay_templates_fit(search->best->grid, &options, &fit);
    if (status != ASSAY_OK) return status;
    score = given->score == ASSAY_TEMPLATES_PE ? assay_templates_scores(fit, &n)
                                               : assay_templates_theta(fit, &n);
    for (size_t a = 0; a < search->n_arms; a++)
        search->order[a] = (struct standing){ score[search->arms[a]], search->arms[a] };
    qsort(search->order, search->n_arms, sizeof *search->order, by_score);
    assay_templates_free(fit);
    return ASSAY_OK;
}

static assay_status drop_half(struct search *search, size_t round)
{
    size_t n_dropped = (search->n_arms + 1) / 2, n = 0;
    assay_status status = rank(search);

    if (status != ASSAY_OK) return status;
    for (size_t k = 0; k < n_dropped; k++) search->best->dropped_in[search->order[k].index] = round;
    for (size_t a = 0; a < search->n_arms; a++)
        if (search->best->dropped_in[search->arms[a]] == SIZE_MAX)
            search->arms[n++] = search->arms[a];
    search->n_arms = n;
    return assay_plan_set_arms(search->plan, search->arms, n);
}

/* The highest observed mean of those left; one without a cell comes last. */
static void answer(struct search *search)
{
    assay_best_template *best = search->best;
    double highest = -INFINITY;

    for (size_t a = 0; a < search->n_arms; a++) {
        const double *scores;
        size_t n = assay_grid_row(best->grid, search->arms[a], NULL, &scores);
        double sum = 0.0, mean;

        for (size_t k = 0; k < n; k++) sum += scores[k];
        mean = n > 0 ? sum / (double)n : -1.0;
        if (!(mean > highest)) continue;
        highest = mean;
        best->index = search->arms[a];
        best->observed_mean = n > 0 ? mean : NAN;
    }
    for (size_t i = 0; i < best->n_templates; i++)
        if (best->dropped_in[i] == SIZE_MAX) best->dropped_in[i] = best->n_rounds;
}

/* ---- on a full grid ---- */

static assay_status look_up(void *user, size_t n, const size_t *templates, const size_t *items,
                            double *scores)
{
    const assay_grid *full = user;

    for (size_t k = 0; k < n; k++) {
        scores[k] = assay_grid_score(full, templates[k], items[k]);
        if (isnan(scores[k]))
            return assay_fail(ASSAY_E_SHAPE, "cell (%zu, %zu) has no score: a study needs them all",
                              templates[k], items[k]);
    }
    return ASSAY_OK;
}

assay_status assay_best_template_study(const assay_grid *full, size_t budget,
                                       const assay_best_template_options *options,
                                       assay_best_template **out)
{
    return assay_best_template_search(assay_grid_n_templates(full), assay_grid_n_items(full),
                                      budget, look_up, (void *)(uintptr_t)full, options, out);
}

/* ---- getters ---- */

size_t assay_best_template_index(const assay_best_template *best)
{
    return best->index;
}

double assay_best_template_observed_mean(const assay_best_template *best)
{
    return best->observed_mean;
}

size_t assay_best_template_n_rounds(const assay_best_template *best)
{
    return best->n_rounds;
}

size_t assay_best_template_dropped_in(const assay_best_template *best, size_t template_index)
{
    return best->dropped_in[template_index];
}

const assay_grid *assay_best_template_grid(const assay_best_template *best)
{
    return best->grid;
}
