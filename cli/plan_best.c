/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_best.h"
#include "session.h"

#include <assay/grids.h>
#include <assay/read.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scores of --have. */
struct scores {
    assay_results *results;
    assay_grids *grids;
    const char **templates, **items; /* ids, where files gave them */
};

static assay_status read_scores(const struct plan_answer *answer, const char *have,
                                struct scores *scores);
static assay_status check_names(const struct plan_answer *answer, const struct scores *scores);
static void note_scores(struct plan_answer *answer, const char *have, const struct scores *scores);
static void free_scores(struct scores *scores);

assay_status plan_best(struct plan_answer *answer, const char *have, int by_gse)
{
    struct scores scores = { 0 };
    assay_best_template_options options;
    assay_status status = have ? read_scores(answer, have, &scores) : ASSAY_OK;

    assay_best_template_options_init(&options, sizeof options);
    options.seed = answer->seed;
    if (by_gse) options.score = ASSAY_TEMPLATES_LOGREG;
    if (status == ASSAY_OK)
        status = assay_best_template_next(
            assay_ids_n(answer->templates), assay_ids_n(answer->items), answer->budget,
            scores.grids ? assay_grids_grid(scores.grids, 0) : NULL, &options, &answer->round);
    if (status == ASSAY_OK && scores.grids) note_scores(answer, have, &scores);
    free_scores(&scores);
    return status;
}

/* ---- the scores ---- */

static void note_scores(struct plan_answer *answer, const char *have, const struct scores *scores)
{
    assay_input input = assay_results_input(scores->results, 0);
    struct plan_input *noted = &answer->inputs[answer->n_inputs++];

    *noted =
        (struct plan_input){ .path = have, .file.rows = input.rows, .sha256_of = input.sha256_of };
    snprintf(noted->file.sha256, sizeof noted->file.sha256, "%s", input.sha256);
    answer->n_have = assay_grid_n_cells(assay_grids_grid(scores->grids, 0));
    answer->coverage = assay_results_coverage(scores->results);
}

/* The ids as a list, or NULL where they are positions. */
static assay_status list_ids(const assay_ids *ids, const char ***out)
{
    size_t n = assay_ids_n(ids);

    *out = NULL;
    if (!assay_ids_text(ids, 0)) return ASSAY_OK;
    *out = malloc(n * sizeof **out);
    if (!*out) return cli_no_memory();
    for (size_t k = 0; k < n; k++) (*out)[k] = assay_ids_text(ids, k);
    return ASSAY_OK;
}

static assay_status read_scores(const struct plan_answer *answer, const char *have,
                                struct scores *scores)
{
    assay_read_options reading;
    assay_grids_options options;
    assay_status status = assay_results_new(0, &scores->results);

    assay_read_options_init(&reading, sizeof reading);
    reading.by_task = 1;
    assay_grids_options_init(&options, sizeof options);
    options.n_templates = assay_ids_n(answer->templates);
    options.n_items = assay_ids_n(answer->items);
    if (status == ASSAY_OK) status = assay_read(scores->results, have, &reading);
    if (status == ASSAY_OK) status = list_ids(answer->templates, &scores->templates);
    if (status == ASSAY_OK) status = list_ids(answer->items, &scores->items);
    options.template_ids = scores->templates;
    options.item_ids = scores->items;
    if (status == ASSAY_OK)
        status = assay_grids_from_results(scores->results, &options, &scores->grids);
    if (status == ASSAY_OK) status = check_names(answer, scores);
    return status;
}

/* Where positions stand for ids, position i must be called i: else it is none of the plan's. */
static int is_position(const char *name, size_t position)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", position);
    return !name || strcmp(name, text) == 0;
}

static assay_status check_names(const struct plan_answer *answer, const struct scores *scores)
{
    const assay_grids *grids = scores->grids;

    if (assay_grids_n(grids) > 1)
        return cli_fail(ASSAY_E_SHAPE,
                        "--have has %zu models or tasks, expected one: a search follows the scores "
                        "of one model",
                        assay_grids_n(grids));
    for (size_t i = 0; !scores->templates && i < assay_ids_n(answer->templates); i++)
        if (!is_position(assay_grids_template(grids, 0, i), i))
            return cli_fail(ASSAY_E_SHAPE,
                            "--have has the template '%.80s', expected 0 to %zu, or a file of ids "
                            "for --templates",
                            assay_grids_template(grids, 0, i), assay_ids_n(answer->templates) - 1);
    for (size_t j = 0; !scores->items && j < assay_ids_n(answer->items); j++)
        if (!is_position(assay_grids_item(grids, 0, j), j))
            return cli_fail(ASSAY_E_SHAPE,
                            "--have has the item '%.80s', expected 0 to %zu, or a file of ids for "
                            "--items",
                            assay_grids_item(grids, 0, j), assay_ids_n(answer->items) - 1);
    return ASSAY_OK;
}

static void free_scores(struct scores *scores)
{
    assay_grids_free(scores->grids);
    assay_results_free(scores->results);
    free(scores->templates);
    free(scores->items);
}

/* ---- words ---- */

static void print_answer(const struct plan_answer *answer, const assay_best_template *search)
{
    size_t best = assay_best_template_index(search);
    const char *id = assay_ids_text(answer->templates, best);
    double mean = assay_best_template_observed_mean(search);
    char safe[120];

    if (id)
        assay_printable(safe, sizeof safe, id, strlen(id));
    else
        snprintf(safe, sizeof safe, "%zu", best);
    fprintf(stderr, "the search is over: the best template is %s; ", safe);
    if (isnan(mean))
        fputs("the budget left it without a cell", stderr);
    else
        fprintf(stderr,
                "the mean of its cells, %.4f, is too high, since it was chosen for it: score it on "
                "items it has not run",
                mean);
}

void print_plan_best(const struct plan_answer *answer)
{
    const assay_best_round *round = answer->round;
    const assay_best_template *search = assay_best_round_search(round);
    const size_t *templates, *items;
    size_t n = assay_best_round_cells(round, &templates, &items);

    if (search)
        print_answer(answer, search);
    else
        fprintf(stderr, "round %zu of %zu: %zu cell%s; %zu of %zu templates are still in",
                assay_best_round_index(round) + 1, assay_best_round_n_rounds(round), n,
                n == 1 ? "" : "s", assay_best_round_n_left(round), assay_ids_n(answer->templates));
    if (assay_best_round_n_unused(round) > 0)
        fprintf(stderr, "; %zu of the %zu cells in --have are not of this search, and left out",
                assay_best_round_n_unused(round), answer->n_have);
    fputc('\n', stderr);
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

void json_plan_best(assay_json *json, const struct plan_answer *answer)
{
    const assay_best_round *round = answer->round;
    const assay_best_template *search = assay_best_round_search(round);

    assay_json_key(json, "search");
    assay_json_begin_object(json);
    count(json, "round", assay_best_round_index(round) + (search ? 0 : 1));
    count(json, "rounds", assay_best_round_n_rounds(round));
    count(json, "templates_left", assay_best_round_n_left(round));
    count(json, "unused", assay_best_round_n_unused(round));
    assay_json_key(json, "is_over");
    assay_json_bool(json, search != NULL);
    if (search) {
        size_t best = assay_best_template_index(search);
        const char *id = assay_ids_text(answer->templates, best);

        assay_json_key(json, "best");
        if (id)
            assay_json_text(json, id);
        else
            assay_json_count(json, best);
        cli_json_estimate(json, "observed_mean", assay_best_template_observed_mean(search),
                          "the budget left it without a cell");
    }
    assay_json_end_object(json);
}
