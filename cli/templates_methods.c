/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of `assay templates`, and what each makes of a grid. */
#include "templates_answer.h"

#include <stdlib.h>
#include <string.h>

static assay_status find_keys(struct templates_answer *answer, size_t k);
static void add_method(struct templates_answer *answer, size_t k, const char *name,
                       assay_templates_method method, int covariates);
static assay_status read_quantiles(const struct templates_answer *answer,
                                   struct templates_estimate *of);

/* The same methods on every grid; ours leads, as it has earned on the study's grids
   (docs/templates.md). */
assay_status templates_choose_methods(struct templates_answer *answer, size_t k)
{
    const struct templates_grid *each = &answer->each[k];
    assay_status status = find_keys(answer, k);

    answer->n_methods = 0;
    add_method(answer, k, "assay", ASSAY_TEMPLATES_MARGINAL, 1);
    add_method(answer, k, "avg", ASSAY_TEMPLATES_AVG, 0);
    add_method(answer, k, "pe-rasch", ASSAY_TEMPLATES_PE, 0);
    if (each->x || each->z) add_method(answer, k, "pe-covariates", ASSAY_TEMPLATES_PE, 1);
    if (answer->request->logreg) add_method(answer, k, "logreg", ASSAY_TEMPLATES_LOGREG, 1);
    return status;
}

/* ---- keys ---- */

typedef struct named {
    const char *id; /* NULL where it was only counted */
    size_t index;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = (x->id != NULL) - (y->id != NULL);

    if (order == 0 && x->id) order = strcmp(x->id, y->id);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Each one's rank among the ids: what does not depend on the order in which they come. */
static uint64_t *rank_ids(const assay_grids *grids, size_t k, size_t n,
                          const char *(*id)(const assay_grids *, size_t, size_t))
{
    named *sorted = malloc(n * sizeof *sorted);
    uint64_t *keys = malloc(n * sizeof *keys);

    for (size_t i = 0; sorted && i < n; i++) sorted[i] = (named){ id(grids, k, i), i };
    if (sorted) qsort(sorted, n, sizeof *sorted, compare_names);
    for (size_t rank = 0; sorted && keys && rank < n; rank++) keys[sorted[rank].index] = rank;
    if (!sorted) {
        free(keys);
        keys = NULL;
    }
    free(sorted);
    return keys;
}

static assay_status find_keys(struct templates_answer *answer, size_t k)
{
    struct templates_grid *each = &answer->each[k];

    each->template_keys =
        rank_ids(answer->grids, k, assay_grid_n_templates(each->grid), assay_grids_template);
    each->item_keys = rank_ids(answer->grids, k, assay_grid_n_items(each->grid), assay_grids_item);
    return each->template_keys && each->item_keys ? ASSAY_OK : cli_no_memory();
}

/* ---- methods ---- */

static void add_method(struct templates_answer *answer, size_t k, const char *name,
                       assay_templates_method method, int covariates)
{
    const struct templates_request *request = answer->request;
    struct templates_grid *each = &answer->each[k];
    assay_templates_options *options = &each->methods[answer->n_methods];

    assay_templates_options_init(options, sizeof *options);
    options->method = method;
    options->faithful = request->faithful;
    options->c = request->c;
    options->seed = request->analysis.seed;
    options->n_draws = request->draws;
    options->level = request->analysis.level;
    options->template_keys = each->template_keys;
    options->item_keys = each->item_keys;
    options->progress = cli_progress(request->common.quiet);
    if (covariates) {
        options->x = each->x;
        options->n_x = each->n_x;
        options->z = method == ASSAY_TEMPLATES_PE ? each->z : NULL;
        options->n_z = options->z ? each->n_z : 0;
    }
    answer->methods[answer->n_methods++] = name;
}

/* Where every cell was run the averages are the scores, and nothing is fitted. */
assay_status templates_estimate(struct templates_answer *answer, size_t k)
{
    struct templates_grid *each = &answer->each[k];
    assay_status status = ASSAY_OK;

    for (size_t m = 0; m < answer->n_methods && status == ASSAY_OK; m++) {
        struct templates_estimate *of = &each->estimates[m];
        size_t n = 0;

        if (each->is_full && each->methods[m].method != ASSAY_TEMPLATES_AVG) continue;
        status = assay_templates_fit(each->grid, &each->methods[m], &of->fit);
        cli_progress_done();
        if (status != ASSAY_OK) break;
        of->scores = assay_templates_scores(of->fit, &n);
        of->mean = assay_templates_mean(of->fit);
        status = read_quantiles(answer, of);
        if (!assay_templates_converged(of->fit) && !answer->request->common.quiet)
            fprintf(stderr, "assay: %s was not at its optimum after %d iterations\n",
                    answer->methods[m], assay_templates_iterations(of->fit));
    }
    return status;
}

static assay_status read_quantiles(const struct templates_answer *answer,
                                   struct templates_estimate *of)
{
    size_t n;
    const double *distribution = assay_templates_distribution(of->fit, &n);
    assay_status status = ASSAY_OK;

    of->quantiles = malloc(answer->n_levels * sizeof *of->quantiles);
    if (!of->quantiles) return cli_no_memory();
    for (size_t l = 0; l < answer->n_levels && status == ASSAY_OK; l++)
        status = assay_scores_quantile(distribution, n, answer->levels[l],
                                       (assay_quantile_rule)answer->request->convention,
                                       &of->quantiles[l]);
    return status;
}
