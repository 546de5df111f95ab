/* SPDX-License-Identifier: Apache-2.0 */
/* How much the templates of each grid differ without the noise of few items, and how often they
   change which of a task's models is best. What the library refuses is kept as a reason. */
#include "templates_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An id and its place in the first grid of a task. */
struct place {
    const char *id;
    size_t index;
};

typedef const char *(*id_of)(const assay_grids *, size_t, size_t);

static void keep_reason(char *reason, size_t size);
static int is_same_task(const struct templates_answer *answer, size_t a, size_t b);
static assay_status compare_models(struct templates_answer *answer,
                                   struct templates_winner *winner);

static int is_refusal(assay_status status)
{
    return status == ASSAY_E_DEGENERATE || status == ASSAY_E_SHAPE;
}

/* Of cells that were drawn it would tell about the drawing. */
static assay_status leave_out_spread(struct templates_answer *answer)
{
    for (size_t k = 0; k < answer->n_grids; k++)
        snprintf(answer->each[k].no_spread, sizeof answer->each[k].no_spread,
                 "the cells are simulated from published row means");
    return ASSAY_OK;
}

assay_status templates_find_spread(struct templates_answer *answer)
{
    assay_status status = ASSAY_OK;

    if (answer->published) return leave_out_spread(answer);
    for (size_t k = 0; k < answer->n_grids && status == ASSAY_OK; k++) {
        struct templates_grid *each = &answer->each[k];

        status = assay_grid_spread(each->grid, &each->spread);
        if (!is_refusal(status)) continue;
        keep_reason(each->no_spread, sizeof each->no_spread);
        status = ASSAY_OK;
    }
    if (status != ASSAY_OK) return status;
    answer->winners = calloc(answer->n_grids, sizeof *answer->winners);
    if (!answer->winners) return cli_no_memory();
    for (size_t k = 0; k < answer->n_grids && status == ASSAY_OK; k++) {
        struct templates_winner *winner = &answer->winners[answer->n_winners];
        size_t n_before = 0, n = 0;

        for (size_t l = 0; l < answer->n_grids; l++) {
            if (!is_same_task(answer, k, l)) continue;
            n++;
            n_before += l < k;
        }
        if (n_before > 0 || n < 2) continue;
        winner->first = k;
        winner->n_models = n;
        status = compare_models(answer, winner);
        answer->n_winners++;
    }
    return status;
}

/* The library's sentence without the "spread: " that it begins with. */
static void keep_reason(char *reason, size_t size)
{
    const char *sentence = assay_last_error(), *colon = strstr(sentence, ": ");

    snprintf(reason, size, "%s", colon ? colon + 2 : sentence);
}

static int is_same_task(const struct templates_answer *answer, size_t a, size_t b)
{
    const char *s = assay_grids_task(answer->grids, a), *t = assay_grids_task(answer->grids, b);

    return s && t ? strcmp(s, t) == 0 : s == t;
}

/* ---- one order for all models ---- */

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->id, ((const struct place *)b)->id);
}

/* For each of n ids of grid k its place among as many of grid first, or SIZE_MAX: in *out, for
   free(). */
static assay_status find_places(const struct templates_answer *answer, size_t first, size_t k,
                                size_t n, id_of id, size_t **out)
{
    struct place *places = malloc(n * sizeof *places);
    size_t *found = malloc(n * sizeof *found), n_places = 0;

    *out = found;
    if (!places || !found) {
        free(places);
        return cli_no_memory();
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = id(answer->grids, first, i);

        if (name) places[n_places++] = (struct place){ name, i };
    }
    if (n_places) qsort(places, n_places, sizeof *places, compare_ids);
    for (size_t i = 0; i < n; i++) {
        const struct place key = { id(answer->grids, k, i), 0 }, *at = NULL;

        if (key.id && n_places) at = bsearch(&key, places, n_places, sizeof *places, compare_ids);
        found[i] = at ? at->index : SIZE_MAX;
    }
    free(places);
    return ASSAY_OK;
}

static void say_lacking(const struct templates_answer *answer, size_t first, const char *what,
                        const char *id, char *reason, size_t size)
{
    char model[80], safe[80];
    const char *name = assay_grids_model(answer->grids, first);

    snprintf(reason, size, "%s has no %s '%s', which another model has",
             assay_printable(model, sizeof model, name, strlen(name)), what,
             assay_printable(safe, sizeof safe, id, strlen(id)));
}

/* The cells of grid k where those of the same template and item stand in grid first. A grid of
   another size is NULL with ASSAY_OK, and so is one with a cell that the first has no place for,
   which reason then says. */
static assay_status reorder(const struct templates_answer *answer, size_t first, size_t k,
                            assay_grid **out, char *reason, size_t size)
{
    const assay_grid *grid = answer->each[k].grid, *like = answer->each[first].grid;
    size_t n_templates = assay_grid_n_templates(grid), n_items = assay_grid_n_items(grid);
    size_t n_cells = assay_grid_n_cells(grid), n = 0;
    size_t *of_templates = NULL, *of_items = NULL, *templates = NULL, *items = NULL;
    double *scores = NULL;
    assay_status status;

    *out = NULL;
    if (n_templates != assay_grid_n_templates(like) || n_items != assay_grid_n_items(like))
        return ASSAY_OK;
    status = find_places(answer, first, k, n_templates, assay_grids_template, &of_templates);
    if (status == ASSAY_OK)
        status = find_places(answer, first, k, n_items, assay_grids_item, &of_items);
    templates = malloc(n_cells * sizeof *templates);
    items = malloc(n_cells * sizeof *items);
    scores = malloc(n_cells * sizeof *scores);
    if (status == ASSAY_OK && (!templates || !items || !scores)) status = cli_no_memory();
    for (size_t i = 0; i < n_templates && status == ASSAY_OK && !*reason; i++) {
        const uint32_t *columns;
        const double *row;
        size_t n_row = assay_grid_row(grid, i, &columns, &row);

        if (n_row > 0 && of_templates[i] == SIZE_MAX)
            say_lacking(answer, first, "template", assay_grids_template(answer->grids, k, i),
                        reason, size);
        for (size_t c = 0; c < n_row && !*reason; c++) {
            if (of_items[columns[c]] == SIZE_MAX)
                say_lacking(answer, first, "item", assay_grids_item(answer->grids, k, columns[c]),
                            reason, size);
            templates[n] = of_templates[i];
            items[n] = of_items[columns[c]];
            scores[n++] = row[c];
        }
    }
    if (status == ASSAY_OK && !*reason)
        status = assay_grid_new(n_templates, n_items, n, templates, items, scores, out);
    free(of_templates);
    free(of_items);
    free(templates);
    free(items);
    free(scores);
    return status;
}

/* The library numbers models and templates; people know them by their names. */
static void say_unlike(const struct templates_answer *answer, size_t first, size_t k,
                       const assay_grid *grid, char *reason, size_t size)
{
    const assay_grid *like = answer->each[first].grid;
    const char *names[] = { assay_grids_model(answer->grids, k),
                            assay_grids_model(answer->grids, first), NULL };
    char safe[3][56];
    size_t unlike;

    for (size_t i = 0; i < 2; i++)
        assay_printable(safe[i], sizeof safe[i], names[i], strlen(names[i]));
    if (assay_grid_n_templates(grid) != assay_grid_n_templates(like) ||
        assay_grid_n_items(grid) != assay_grid_n_items(like)) {
        snprintf(reason, size, "%s has %zu templates x %zu items, and %s %zu x %zu", safe[0],
                 assay_grid_n_templates(grid), assay_grid_n_items(grid), safe[1],
                 assay_grid_n_templates(like), assay_grid_n_items(like));
        return;
    }
    if ((unlike = assay_grid_first_unlike(like, grid)) == SIZE_MAX) return;
    names[2] = assay_grids_template(answer->grids, first, unlike);
    if (names[2])
        assay_printable(safe[2], sizeof safe[2], names[2], strlen(names[2]));
    else
        snprintf(safe[2], sizeof safe[2], "%zu", unlike);
    snprintf(reason, size, "%s has other cells of template '%s' than %s, expected the same",
             safe[0], safe[2], safe[1]);
}

/* ---- the winner ---- */

static assay_status compare_models(struct templates_answer *answer, struct templates_winner *winner)
{
    size_t n = winner->n_models, m = 0, best = 0;
    const assay_grid **grids = calloc(n, sizeof *grids);
    assay_grid **own = calloc(n, sizeof *own);
    size_t *places = calloc(n, sizeof *places);
    assay_status status = grids && own && places ? ASSAY_OK : cli_no_memory();

    for (size_t k = winner->first; k < answer->n_grids && status == ASSAY_OK; k++) {
        if (!is_same_task(answer, winner->first, k)) continue;
        if (k != winner->first && !*winner->reason)
            status =
                reorder(answer, winner->first, k, &own[m], winner->reason, sizeof winner->reason);
        grids[m] = own[m] ? own[m] : answer->each[k].grid;
        if (status == ASSAY_OK && !*winner->reason)
            say_unlike(answer, winner->first, k, grids[m], winner->reason, sizeof winner->reason);
        places[m++] = k;
    }
    if (status == ASSAY_OK && !*winner->reason) {
        status = assay_winner_change(grids, n, &best, &winner->observed, &winner->p, NULL);
        if (status == ASSAY_OK) winner->best = places[best];
        if (is_refusal(status)) {
            keep_reason(winner->reason, sizeof winner->reason);
            status = ASSAY_OK;
        }
    }
    for (size_t k = 0; own && k < n; k++) assay_grid_free(own[k]);
    free(own);
    free(grids);
    free(places);
    return status;
}
