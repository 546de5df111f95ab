/* SPDX-License-Identifier: Apache-2.0 */
/* Published scores of templates in place of cells: `assay templates --study --accuracies`. */
#include "templates_answer.h"

#include "cli.h"

#include <string.h>

int templates_check_published(const struct templates_request *request, int n_inputs)
{
    const struct templates_published *of = &request->published;
    const char *wrong = NULL;

    if (!of->accuracies) {
        assay_simulate_templates_options defaults;

        assay_simulate_templates_options_init(&defaults, sizeof defaults);
        if (of->tasks || of->models || of->sample || of->concentration != defaults.concentration)
            wrong = "--tasks, --models, --sample and --concentration are of --accuracies";
    } else if (!request->study) {
        wrong = "--accuracies has no cells to estimate from, expected --study beside it";
    } else if (n_inputs > 0) {
        wrong = "--accuracies is in place of CELLS, expected no further input";
    } else if (request->templates) {
        wrong = "--templates is of CELLS; with --accuracies they are those of the file";
    } else if (request->items && request->items[strspn(request->items, "0123456789")]) {
        wrong = "--items names a file; with --accuracies it is how many items a task has";
    } else if (request->reading.read.task || request->reading.read.model) {
        wrong = "--task and --model name columns of CELLS; with --accuracies, --tasks and --models "
                "choose rows";
    } else if (request->drop_incomplete) {
        wrong = "--drop-incomplete is of CELLS; the grids of --accuracies have no holes";
    }
    if (!wrong) return -1;
    fprintf(stderr, "assay templates: %s; see 'assay templates --help'\n", wrong);
    return EXIT_USAGE;
}

assay_status templates_read_published(struct templates_answer *answer)
{
    const struct templates_published *of = &answer->request->published;
    assay_published_options options;
    assay_status status;

    assay_published_options_init(&options, sizeof options);
    options.tasks = of->tasks;
    options.models = of->models;
    options.n_items = answer->n_items;
    status = assay_published_read(of->accuracies, &options, &answer->published);
    if (status == ASSAY_OK && of->sample)
        status = assay_published_sample(answer->published, (size_t)of->sample,
                                        answer->request->analysis.seed);
    if (status == ASSAY_OK && !answer->request->common.quiet &&
        assay_published_n_rounded(answer->published) > 0)
        fprintf(
            stderr,
            "assay: %zu accuracies are no whole number of correct items: is the number of items "
            "right?\n",
            assay_published_n_rounded(answer->published));
    return status;
}

assay_status templates_simulate(struct templates_answer *answer)
{
    assay_simulate_templates_options options;
    int64_t threads = answer->request->analysis.threads;
    assay_status status;

    assay_simulate_templates_options_init(&options, sizeof options);
    options.seed = answer->request->analysis.seed;
    options.concentration = answer->request->published.concentration;
    status = assay_grids_simulate(answer->published, &options, (int)threads,
                                  cli_progress(answer->request->common.quiet), &answer->grids);
    cli_progress_done();
    return status == ASSAY_OK ? templates_list_grids(answer) : status;
}
