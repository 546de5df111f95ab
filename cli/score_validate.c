/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-validation of each model, in folds that are given or dealt. */
#include "score_answer.h"
#include "session.h"

#include <assay/read.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status validate_models(struct score_answer *answer, const size_t *fold,
                                    const assay_validation_options *options);
static assay_status read_folds(const struct score_answer *answer, size_t *fold);
static assay_status take_folds(const struct score_answer *answer, const assay_results *table,
                               size_t *fold);
static assay_status check_folds(const struct score_answer *answer, const size_t *fold);

assay_status score_validate(struct score_answer *answer)
{
    size_t n = assay_trials_n_prompts(answer->trials), *fold = NULL;
    assay_validation_options options;
    assay_status status = ASSAY_OK;

    assay_validation_options_init(&options, sizeof options);
    options.seed = answer->request->analysis.seed;
    options.prior = answer->request->parsed_prior;
    options.progress = cli_progress(answer->request->common.quiet);
    answer->validated = calloc(assay_trials_n_models(answer->trials), sizeof *answer->validated);
    if (!answer->validated) return cli_no_memory();
    if (answer->request->folds) {
        fold = malloc(n * sizeof *fold);
        status = fold ? read_folds(answer, fold) : cli_no_memory();
    }
    if (status == ASSAY_OK) status = validate_models(answer, fold, &options);
    free(fold);
    return status;
}

/* A model with too few prompts is no fault: its n stays 0. */
static assay_status validate_models(struct score_answer *answer, const size_t *fold,
                                    const assay_validation_options *options)
{
    size_t n_models = assay_trials_n_models(answer->trials);
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < n_models; k++) {
        status = assay_validate(answer->tree, score_successes(answer, k), score_runs(answer, k),
                                answer->labels, fold, options, &answer->validated[k]);
        if (status != ASSAY_OK && status != ASSAY_E_SHAPE) return status;
    }
    return ASSAY_OK;
}

/* A long table whose score is the fold: whole numbers, which the library takes from 0 on. */
static assay_status read_folds(const struct score_answer *answer, size_t *fold)
{
    const char *path = answer->request->folds;
    assay_results *table = NULL;
    assay_read_options options;
    assay_status status = assay_results_new(0, &table);

    assay_read_options_init(&options, sizeof options);
    options.score = "fold";
    options.progress = cli_progress(answer->request->common.quiet);
    if (status == ASSAY_OK) status = assay_read(table, path, &options);
    if (status == ASSAY_E_VALUE)
        status =
            cli_fail(ASSAY_E_FORMAT, "%s: has no column \"fold\", expected item and fold", path);
    if (status == ASSAY_OK) status = take_folds(answer, table, fold);
    if (status == ASSAY_OK) status = check_folds(answer, fold);
    assay_results_free(table);
    return status;
}

/* Folds are numbered anew, by first appearance: only which prompts share one matters. */
static assay_status take_folds(const struct score_answer *answer, const assay_results *table,
                               size_t *fold)
{
    size_t n = assay_prompts_n(answer->prompts), n_folds = 0;
    double *given = malloc((n ? n : 1) * sizeof *given);

    if (!given) return cli_no_memory();
    for (size_t i = 0; i < n; i++) fold[i] = SIZE_MAX;
    for (size_t i = 0; i < assay_results_n_items(table); i++) {
        ptrdiff_t at = assay_prompts_find(answer->prompts, assay_results_item(table, i));
        double value;
        size_t k = 0;

        if (at < 0 || assay_results_cell(table, 0, i, &value) != ASSAY_SCORED) continue;
        while (k < n_folds && given[k] != value) k++;
        if (k == n_folds) given[n_folds++] = value;
        fold[at] = k;
    }
    free(given);
    return ASSAY_OK;
}

static assay_status check_folds(const struct score_answer *answer, const size_t *fold)
{
    for (size_t i = 0; i < assay_prompts_n(answer->prompts); i++)
        if (fold[i] == SIZE_MAX)
            return cli_fail(ASSAY_E_SHAPE, "%s: has no fold of prompt \"%.80s\"",
                            answer->request->folds, assay_prompts_id(answer->prompts, i));
    return ASSAY_OK;
}
