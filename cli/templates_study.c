/* SPDX-License-Identifier: Apache-2.0 */
/* The study of `assay templates`: its grids without holes, and the run. */
#include "templates_answer.h"

#include <stdlib.h>
#include <string.h>

assay_status templates_complete(struct templates_answer *answer)
{
    size_t n = answer->n_grids;
    assay_left_out *left_out = calloc(n, sizeof *left_out);
    assay_grids *whole = NULL;
    assay_status status;

    if (!left_out) return cli_no_memory();
    status = assay_grids_complete(answer->grids, (assay_incomplete)answer->request->drop_incomplete,
                                  left_out, &whole);
    if (status == ASSAY_E_SHAPE && !answer->request->drop_incomplete)
        status = cli_fail(status,
                          "--study compares with the truth, so every cell must have a score: %s; "
                          "--drop-incomplete items or templates leaves out what has a hole",
                          assay_last_error());
    for (size_t k = 0; k < n && status == ASSAY_OK; k++) {
        answer->each[k].grid = assay_grids_grid(whole, k);
        answer->each[k].left_out = left_out[k];
    }
    if (status == ASSAY_OK) {
        assay_grids_free(answer->grids);
        answer->grids = whole;
    }
    free(left_out);
    return status;
}

assay_status templates_check_budgets(const struct templates_answer *answer)
{
    size_t most = answer->budgets[answer->n_budgets - 1];

    for (size_t k = 0; k < answer->n_grids; k++) {
        const char *task = assay_grids_task(answer->grids, k);
        size_t n = assay_grid_n_cells(answer->each[k].grid);

        if (most > n)
            return cli_fail(
                ASSAY_E_SHAPE, "--budgets has %zu, but %.80s%s%.80s has %zu cells in all", most,
                assay_grids_model(answer->grids, k), task ? " / " : "", task ? task : "", n);
    }
    return ASSAY_OK;
}

assay_status templates_run_study(struct templates_answer *answer)
{
    const struct templates_request *request = answer->request;
    size_t n = answer->n_grids;
    const assay_grid **grids = malloc(n * sizeof *grids);
    assay_templates_options *methods = malloc(n * answer->n_methods * sizeof *methods);
    assay_study_options options;
    assay_status status = templates_check_budgets(answer);

    if (!grids || !methods) status = cli_no_memory();
    for (size_t k = 0; k < n && status == ASSAY_OK; k++) {
        grids[k] = answer->each[k].grid;
        memcpy(methods + k * answer->n_methods, answer->each[k].methods,
               answer->n_methods * sizeof *methods);
    }
    assay_study_options_init(&options, sizeof options);
    options.budgets = answer->budgets;
    options.n_budgets = answer->n_budgets;
    options.levels = answer->levels;
    options.n_levels = answer->n_levels;
    options.rule = (assay_quantile_rule)request->convention;
    options.n_seeds = (size_t)request->seeds;
    options.seed = request->analysis.seed;
    options.threads = (int)request->analysis.threads; /* checked: 0 to 1024 */
    options.progress = cli_progress(request->common.quiet);
    if (status == ASSAY_OK)
        status = assay_study_run(grids, n, methods, answer->n_methods, &options, &answer->study);
    cli_progress_done();
    free(grids);
    free(methods);
    return status;
}
