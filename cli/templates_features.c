/* SPDX-License-Identifier: Apache-2.0 */
/* What describes the templates and items of `assay templates`, as covariates of each grid. */
#include "templates_answer.h"

#include <stdlib.h>
#include <string.h>

/* One side of a grid. */
struct side {
    const char *what; /* "template" */
    const char *path, *texts;
    size_t (*count)(const assay_grid *grid);
    const char *(*id)(const assay_grids *grids, size_t k, size_t index);
};

static int is_as_before(const struct templates_answer *answer, size_t k, const struct side *side);
static assay_status copy(const double *from, size_t n, double **to);
static assay_status read_side(const struct templates_answer *answer, size_t k,
                              const struct side *side, double **out, size_t *n_columns);

assay_status templates_read_features(struct templates_answer *answer, size_t k)
{
    const struct templates_request *request = answer->request;
    const struct side sides[2] = {
        { "template", request->template_features, request->template_texts, assay_grid_n_templates,
          assay_grids_template },
        { "item", request->item_features, NULL, assay_grid_n_items, assay_grids_item },
    };
    struct templates_grid *each = &answer->each[k];
    assay_status status = ASSAY_OK;

    for (int s = 0; s < 2 && status == ASSAY_OK; s++) {
        double **out = s ? &each->z : &each->x;
        size_t *n = s ? &each->n_z : &each->n_x;

        if (!sides[s].path && !sides[s].texts) continue;
        if (!is_as_before(answer, k, &sides[s])) {
            status = read_side(answer, k, &sides[s], out, n);
            continue;
        }
        *n = s ? each[-1].n_z : each[-1].n_x;
        status = copy(s ? each[-1].z : each[-1].x, *n * sides[s].count(each->grid), out);
    }
    return status;
}

/* Whether the grid before has the same ids and the same task, so that nothing need be read again. */
static int is_as_before(const struct templates_answer *answer, size_t k, const struct side *side)
{
    const char *task = assay_grids_task(answer->grids, k), *before;
    size_t n = side->count(answer->each[k].grid);

    if (k == 0 || side->count(answer->each[k - 1].grid) != n) return 0;
    before = assay_grids_task(answer->grids, k - 1);
    if (task && before ? strcmp(task, before) != 0 : task != before) return 0;
    for (size_t i = 0; i < n; i++) {
        const char *a = side->id(answer->grids, k, i), *b = side->id(answer->grids, k - 1, i);

        if (a && b ? strcmp(a, b) != 0 : a != b) return 0;
    }
    return 1;
}

static assay_status copy(const double *from, size_t n, double **to)
{
    *to = malloc(n * sizeof **to);
    if (!*to) return cli_no_memory();
    memcpy(*to, from, n * sizeof **to);
    return ASSAY_OK;
}

static assay_status read_side(const struct templates_answer *answer, size_t k,
                              const struct side *side, double **out, size_t *n_columns)
{
    size_t n = side->count(answer->each[k].grid);
    const char **ids = malloc(n * sizeof *ids);
    assay_features_options options;
    assay_features *features = NULL;
    assay_status status;

    if (!ids) return cli_no_memory();
    for (size_t i = 0; i < n; i++) ids[i] = side->id(answer->grids, k, i);
    assay_features_options_init(&options, sizeof options);
    options.columns = answer->request->features_columns;
    options.task = assay_grids_task(answer->grids, k);
    status = side->texts
                 ? assay_features_read_texts(side->texts, ids, n, side->what, &options, &features)
                 : assay_features_read(side->path, ids, n, side->what, &options, &features);
    if (status == ASSAY_OK)
        status =
            assay_features_covariates(features, (assay_features_rule)answer->request->features,
                                      (size_t)answer->request->features_dimensions, out, n_columns);
    assay_features_free(features);
    free(ids);
    return status;
}
