/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_answer.h"

#include "signals_tetrachoric.h"

static assay_status find_suite(struct signals_request *request,
                               const assay_signals_options *options, const assay_results *results,
                               const assay_matrix *matrix);
static assay_status further(const struct signals_request *request,
                            const assay_signals_options *options, const assay_results *results,
                            const assay_matrix *matrix, struct signals_subsets *subsets,
                            struct signals_models *models);

assay_signals_options signals_options(const struct signals_request *request)
{
    assay_signals_options options;

    assay_signals_options_init(&options, sizeof options);
    options.seed = request->analysis.seed;
    options.level = request->analysis.level;
    options.permutations = request->permutations;
    options.threads = cli_threads(&request->analysis);
    options.progress = cli_progress(request->common.quiet);
    return options;
}

assay_status signals_find(struct signals_request *request, const assay_signals_options *options,
                          const assay_results *results, struct signals_found *found)
{
    assay_status status;

    *found = (struct signals_found){ .answer = { .analysis = &request->analysis,
                                                 .results = results,
                                                 .replicate = &request->replicate,
                                                 .suite = &request->suite,
                                                 .short_form = &request->short_form,
                                                 .audit = &request->audit } };
    status = assay_matrix_from_results(results, &found->matrix);
    if (status == ASSAY_OK && !request->common.quiet) print_signals_doubts(found->matrix, NULL);
    if (status == ASSAY_OK) status = assay_signals_fit(found->matrix, options, &found->fit);
    if (status == ASSAY_OK) status = signals_copies_find(found->matrix, options, &found->copies);
    if (status == ASSAY_OK)
        status = signals_tetrachoric(found->matrix, request->tetrachoric, options->threads,
                                     options->progress, &found->tetrachoric);
    if (status == ASSAY_OK)
        status =
            signals_replicate_find(&request->replicate, results, options->level, options->threads);
    if (status == ASSAY_OK) status = find_suite(request, options, results, found->matrix);
    if (status == ASSAY_OK)
        status = further(request, options, results, found->matrix, &found->subsets, &found->models);
    found->answer.matrix = found->matrix;
    found->answer.fit = found->fit;
    found->answer.copies = &found->copies;
    found->answer.tetrachoric = &found->tetrachoric;
    found->answer.subsets = &found->subsets;
    found->answer.models = &found->models;
    if (status == ASSAY_OK) found->reading = signals_read(&found->answer);
    found->answer.reading = &found->reading;
    if (status == ASSAY_OK) status = signals_audit_find(&request->audit, &found->answer, options);
    return status;
}

void signals_free(struct signals_request *request, struct signals_found *found)
{
    signals_replicate_free(&request->replicate);
    signals_models_free(&found->models);
    signals_copies_free(&found->copies);
    signals_audit_free(&request->audit);
    assay_short_form_free(request->short_form.form);
    assay_signals_free(found->fit);
    assay_matrix_free(found->matrix);
}

/* The further sections, as far as they were asked for. */
static assay_status further(const struct signals_request *request,
                            const assay_signals_options *options, const assay_results *results,
                            const assay_matrix *matrix, struct signals_subsets *subsets,
                            struct signals_models *models)
{
    size_t draws = (size_t)request->subsets.draws;
    struct signals_models_setting setting = { options->seed, draws, options->threads,
                                              options->progress };
    assay_subsets_options of_subsets;
    assay_status status;

    assay_subsets_options_init(&of_subsets, sizeof of_subsets);
    of_subsets.seed = options->seed;
    of_subsets.draws = draws;
    of_subsets.threads = options->threads;
    of_subsets.progress = options->progress;
    status = signals_subsets(matrix, &request->subsets, options->level, &of_subsets, subsets);
    if (status == ASSAY_OK)
        status = signals_models(results, matrix, &request->models, &setting, models);
    return status;
}

/* Correlations, groups and a short form: what a suite is asked for. */
static assay_status find_suite(struct signals_request *request,
                               const assay_signals_options *options, const assay_results *results,
                               const assay_matrix *matrix)
{
    assay_redundancy_options redundancy;
    const char *unused = NULL;
    assay_status status;

    assay_redundancy_options_init(&redundancy, sizeof redundancy);
    redundancy.seed = options->seed;
    redundancy.level = options->level;
    redundancy.threads = options->threads;
    redundancy.progress = options->progress;
    status = signals_suite_find(&request->suite, results, matrix, &redundancy);
    if (status == ASSAY_OK) unused = signals_suite_unused(&request->suite, request->analysis.json);
    /* Whether there are pairs depends on the input: the same command may be right of the next. */
    if (unused && !request->common.quiet)
        fprintf(
            stderr,
            "assay: --%s has no effect here: without --pairs or --groups no pairs are printed of "
            "so many items, or of items of 0 and 1\n",
            unused);
    if (status == ASSAY_OK) status = signals_short_form_find(&request->short_form, matrix, options);
    return status;
}
