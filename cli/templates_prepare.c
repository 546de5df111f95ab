/* SPDX-License-Identifier: Apache-2.0 */
/* From the inputs of `assay templates` to grids, fits and a study. */
#include "templates_answer.h"

#include <assay/cells.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status make_grids(struct templates_answer *answer);
static void find_full(struct templates_grid *each);
static void note_one_template(const struct templates_answer *answer);
static void note_numbers(const struct templates_answer *answer);

assay_status templates_prepare(struct templates_answer *answer)
{
    assay_status status = answer->published ? templates_simulate(answer) : make_grids(answer);

    if (status == ASSAY_OK && !answer->published && !answer->request->common.quiet) {
        note_one_template(answer);
        note_numbers(answer);
    }
    if (status == ASSAY_OK && answer->request->study && !answer->published)
        status = templates_complete(answer);
    for (size_t k = 0; k < answer->n_grids && status == ASSAY_OK; k++) {
        find_full(&answer->each[k]);
        status = templates_read_features(answer, k);
        if (status == ASSAY_OK) status = templates_choose_methods(answer, k);
        if (status == ASSAY_OK) status = templates_estimate(answer, k);
    }
    if (status == ASSAY_OK) status = templates_find_spread(answer);
    if (status == ASSAY_OK && answer->request->best) return templates_find_best(answer);
    if (status == ASSAY_OK && answer->request->study) status = templates_run_study(answer);
    return status;
}

/* ---- lists and ids ---- */

/* Numbers between commas, n of them for free(). */
static assay_status parse_list(const char *option, const char *list, double **out, size_t *n)
{
    size_t most = 1;
    const char *at = list;

    for (const char *p = list; *p; p++) most += *p == ',';
    *out = malloc(most * sizeof **out);
    if (!*out) return cli_no_memory();
    for (*n = 0; *n < most; (*n)++) {
        char *end;

        (*out)[*n] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite((*out)[*n]))
            return cli_fail(ASSAY_E_VALUE, "--%s is '%s', expected numbers with commas between",
                            option, list);
        at = end + 1;
    }
    return ASSAY_OK;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static assay_status parse_budgets(struct templates_answer *answer)
{
    double *numbers = NULL;
    size_t n = 0, kept = 0;
    assay_status status = parse_list("budgets", answer->request->budgets, &numbers, &n);

    if (status == ASSAY_OK) answer->budgets = malloc(n * sizeof *answer->budgets);
    if (status == ASSAY_OK && !answer->budgets) status = cli_no_memory();
    for (size_t b = 0; b < n && status == ASSAY_OK; b++) {
        if (!(numbers[b] >= 1.0 && numbers[b] < 1e15 && floor(numbers[b]) == numbers[b]))
            status =
                cli_fail(ASSAY_E_VALUE, "--budgets has %g, expected counts of cells", numbers[b]);
        else
            answer->budgets[b] = (size_t)numbers[b];
    }
    free(numbers);
    if (status != ASSAY_OK) return status;
    qsort(answer->budgets, n, sizeof *answer->budgets, compare_sizes);
    for (size_t b = 0; b < n; b++)
        if (b == 0 || answer->budgets[b] != answer->budgets[kept - 1])
            answer->budgets[kept++] = answer->budgets[b];
    answer->n_budgets = kept;
    return ASSAY_OK;
}

/* The ids of a file, each allocated. */
static assay_status read_ids(assay_axis axis, const char *path, char ***ids, size_t *n)
{
    assay_ids *read = NULL;
    assay_status status = assay_ids_read(axis, path, &read);

    if (status != ASSAY_OK) return status;
    *ids = calloc(assay_ids_n(read), sizeof **ids);
    if (!*ids) status = cli_no_memory();
    for (; status == ASSAY_OK && *n < assay_ids_n(read); ++*n) {
        (*ids)[*n] = strdup(assay_ids_text(read, *n));
        if (!(*ids)[*n]) {
            status = cli_no_memory();
            break;
        }
    }
    assay_ids_free(read);
    return status;
}

static assay_status parse_axis(assay_axis axis, const char *text, char ***ids, size_t *n)
{
    static const char *const options[] = {
        [ASSAY_AXIS_TEMPLATES] = "templates", [ASSAY_AXIS_ITEMS] = "items"
    };
    char *end;
    unsigned long long count;

    if (!text) return ASSAY_OK;
    if (strspn(text, "0123456789") != strlen(text) || !*text) return read_ids(axis, text, ids, n);
    errno = 0;
    count = strtoull(text, &end, 10);
    if (errno || count == 0 || count > 0x7fffffff)
        return cli_fail(ASSAY_E_VALUE, "--%s is %s, expected 1 to 2147483647", options[axis], text);
    *n = (size_t)count;
    return ASSAY_OK;
}

/* Levels that print alike are one; -0 is 0. */
static void drop_repeated_levels(struct templates_answer *answer)
{
    size_t kept = 0;

    for (size_t l = 0; l < answer->n_levels; l++) {
        const double level = answer->levels[l] + 0.0;
        int is_new = 1;

        for (size_t k = 0; k < kept; k++) is_new &= fabs(answer->levels[k] - level) > 1e-9;
        if (is_new) answer->levels[kept++] = level;
    }
    answer->n_levels = kept;
}

assay_status templates_parse_lists(struct templates_answer *answer)
{
    const struct templates_request *request = answer->request;
    assay_status status =
        parse_list("quantiles", request->quantiles, &answer->levels, &answer->n_levels);

    for (size_t l = 0; l < answer->n_levels && status == ASSAY_OK; l++)
        if (!(answer->levels[l] >= 0.0 && answer->levels[l] <= 1.0))
            status =
                cli_fail(ASSAY_E_VALUE, "--quantiles has %g, expected 0 to 1", answer->levels[l]);
    if (status == ASSAY_OK) drop_repeated_levels(answer);
    if (status == ASSAY_OK) status = parse_budgets(answer);
    if (status == ASSAY_OK && request->study && (request->seeds < 1 || request->seeds > 1000000))
        status = cli_fail(ASSAY_E_VALUE, "--seeds is %lld, expected 1 to 1000000",
                          (long long)request->seeds);
    if (status == ASSAY_OK)
        status = parse_axis(ASSAY_AXIS_TEMPLATES, request->templates, &answer->template_ids,
                            &answer->n_templates);
    if (status == ASSAY_OK)
        status = parse_axis(ASSAY_AXIS_ITEMS, request->items, &answer->item_ids, &answer->n_items);
    return status;
}

/* ---- grids ---- */

static assay_status make_grids(struct templates_answer *answer)
{
    assay_grids_options options;
    assay_status status;

    assay_grids_options_init(&options, sizeof options);
    options.n_templates = answer->n_templates;
    options.n_items = answer->n_items;
    options.template_ids = (const char *const *)answer->template_ids;
    options.item_ids = (const char *const *)answer->item_ids;
    status = assay_grids_from_results(answer->results, &options, &answer->grids);
    return status == ASSAY_OK ? templates_list_grids(answer) : status;
}

assay_status templates_list_grids(struct templates_answer *answer)
{
    answer->each = calloc(assay_grids_n(answer->grids), sizeof *answer->each);
    if (!answer->each) return cli_no_memory();
    answer->n_grids = assay_grids_n(answer->grids);
    for (size_t k = 0; k < answer->n_grids; k++)
        answer->each[k].grid = assay_grids_grid(answer->grids, k);
    return ASSAY_OK;
}

/* Ids that are numbers: the largest, and whether 0 is one of them; -1 where an id is none. */
struct numbers {
    long largest;
    int has_zero;
};

static struct numbers numbers_of(const assay_grids *grids, size_t k, size_t n,
                                 const char *(*name)(const assay_grids *, size_t, size_t))
{
    struct numbers found = { -1, 0 };

    for (size_t i = 0; i < n; i++) {
        const char *text = name(grids, k, i);
        long value;

        if (!text || !*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 9)
            return (struct numbers){ -1, 0 };
        value = strtol(text, NULL, 10);
        if (value > found.largest) found.largest = value;
        found.has_zero |= value == 0;
    }
    return found;
}

/* One template everywhere: perhaps its column goes by another name. */
static void note_one_template(const struct templates_answer *answer)
{
    for (size_t k = 0; k < answer->n_grids; k++)
        if (assay_grid_n_templates(answer->each[k].grid) > 1) return;
    fputs("assay: there is one template only: if a column names it, say which with --template\n",
          stderr);
}

/* Ids 0, 3, 7 are probably of a larger set, and what was never run counts for the scores. Counted from 1 they
   are no positions. */
static void note_missing_numbers(const char *axis, struct numbers ids, size_t n)
{
    if (ids.largest < 0 || (size_t)ids.largest < n + !ids.has_zero) return;
    fprintf(
        stderr,
        "assay: the %ss' ids go up to %ld, but only %zu %ss come: if the others were never run, ",
        axis, ids.largest, n, axis);
    if (ids.has_zero)
        fprintf(stderr, "--%ss %ld counts them in\n", axis, ids.largest + 1);
    else
        fprintf(stderr, "--%ss FILE with all ids, one a line, counts them in\n", axis);
}

static void note_numbers(const struct templates_answer *answer)
{
    const assay_grid *grid = answer->each[0].grid;
    size_t n_items = assay_grid_n_items(grid), n_templates = assay_grid_n_templates(grid);

    if (answer->n_items == 0)
        note_missing_numbers("item", numbers_of(answer->grids, 0, n_items, assay_grids_item),
                             n_items);
    if (answer->n_templates == 0)
        note_missing_numbers("template",
                             numbers_of(answer->grids, 0, n_templates, assay_grids_template),
                             n_templates);
}

static void find_full(struct templates_grid *each)
{
    size_t n_templates = assay_grid_n_templates(each->grid);

    each->is_full = assay_grid_n_cells(each->grid) == n_templates * assay_grid_n_items(each->grid);
}

/* ---- the end ---- */

static void free_ids(char **ids, size_t n)
{
    for (size_t k = 0; ids && k < n; k++) free(ids[k]);
    free(ids);
}

void templates_free(struct templates_answer *answer)
{
    for (size_t k = 0; k < answer->n_grids; k++) {
        for (size_t m = 0; m < TEMPLATES_MOST_METHODS; m++) {
            free(answer->each[k].estimates[m].quantiles);
            assay_templates_free(answer->each[k].estimates[m].fit);
        }
        free(answer->each[k].template_keys);
        free(answer->each[k].item_keys);
        free(answer->each[k].x);
        free(answer->each[k].z);
        assay_chosen_template_free(answer->each[k].chosen);
    }
    free(answer->each);
    free(answer->winners);
    assay_study_free(answer->study);
    assay_best_study_free(answer->best_study);
    assay_grids_free(answer->grids);
    assay_published_free(answer->published);
    free_ids(answer->template_ids, answer->n_templates);
    free_ids(answer->item_ids, answer->n_items);
    free(answer->levels);
    free(answer->budgets);
}
