/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of templates x items behind given scores of the templates. */
#include "simulate_templates.h"

#include "cli.h"
#include "options.h"
#include "session.h"

#include <assay/simulate_templates.h>
#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "simulate templates",
    .arguments = "--accuracies FILE -o FOLDER",
    .description =
        "Draw the cells of a grid of templates x items whose templates score exactly as given:\n"
        "published accuracies become a grid on which estimates can be compared with the truth.\n"
        "FILE has a row a template: the columns template, and n_correct or accuracy. FOLDER\n"
        "receives grid.csv and truth.json; a seed fixes every byte of them.",
    .example = "  assay simulate templates --accuracies published.csv --items 100 -o grid\n"
               "  assay simulate templates --accuracies mmlu.csv.gz --task anatomy \\\n"
               "      --model meta_llama_llama_3_8b --seed 7 -o grid\n",
};

struct request {
    const char *accuracies, *folder;
    uint64_t items, groups;
    int quiet;
    assay_accuracies_options reading;
    assay_simulate_templates_options options;
};

static int parse(int argc, char **argv, struct request *request, int *first);
static int make(const struct request *request);
static int fail(const char *sentence);

int simulate_templates(int argc, char **argv)
{
    struct request request;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    if (argc - first > 1) return fail("more than one thing to simulate, expected 'templates'");
    if (!request.accuracies) return fail("--accuracies FILE is missing");
    if (!request.folder || !*request.folder) return fail("-o FOLDER is missing");
    request.reading.n_items = (size_t)request.items;
    request.options.n_groups = (size_t)request.groups;
    return make(&request);
}

static int parse(int argc, char **argv, struct request *request, int *first)
{
    assay_simulate_templates_options *opt = &request->options;
    const struct cli_option accuracies[] = {
        { "accuracies", 0, CLI_TEXT, &request->accuracies, "FILE",
          "columns template, and n_correct or accuracy" },
        { "items", 0, CLI_UNSIGNED, &request->items, "J", "items; 0: by the column J of FILE" },
        { "task", 0, CLI_TEXT, &request->reading.task, "NAME", "only these rows, by column task" },
        { "model", 0, CLI_TEXT, &request->reading.model, "NAME",
          "only these rows, by column model; or the column of this name" },
    };
    const struct cli_option model[] = {
        { "concentration", 0, CLI_REAL, &opt->concentration, "A",
          "how alike items are; small: most are all right or all wrong" },
        { "interaction", 0, CLI_REAL, &opt->interaction, "P",
          "share of the residuals that templates of a group have in common" },
        { "groups", 0, CLI_UNSIGNED, &request->groups, "N", "of templates" },
    };
    const struct cli_option other[] = {
        { "output", 'o', CLI_TEXT, &request->folder, "FOLDER", "where to; made when absent" },
        { "seed", 0, CLI_UNSIGNED, &opt->seed, "N", "of everything random" },
        { "quiet", 'q', CLI_FLAG, &request->quiet, NULL, "do not say what was made" },
    };
    const struct cli_option_table tables[] = {
        { "accuracies", accuracies, sizeof accuracies / sizeof *accuracies },
        { "model", model, sizeof model / sizeof *model },
        { "other", other, sizeof other / sizeof *other },
        { NULL, NULL, 0 },
    };

    *request = (struct request){ 0 };
    assay_accuracies_options_init(&request->reading, sizeof request->reading);
    assay_simulate_templates_options_init(opt, sizeof *opt);
    request->groups = opt->n_groups;
    return cli_parse(argc, argv, &usage, tables, first);
}

static int make(const struct request *request)
{
    assay_accuracies *accuracies = NULL;
    assay_template_simulation *sim = NULL;
    assay_status status =
        assay_accuracies_read(request->accuracies, &request->reading, &accuracies);

    if (status == ASSAY_OK)
        status = assay_simulate_templates(
            assay_accuracies_counts(accuracies), assay_accuracies_n_templates(accuracies),
            assay_accuracies_n_items(accuracies), &request->options, &sim);
    if (status == ASSAY_OK)
        status = assay_template_simulation_write(sim, accuracies, request->folder);
    if (status == ASSAY_OK && !request->quiet)
        fprintf(stderr, "wrote %zu templates x %zu items\n",
                assay_accuracies_n_templates(accuracies), assay_accuracies_n_items(accuracies));
    assay_template_simulation_free(sim);
    assay_accuracies_free(accuracies);
    return status == ASSAY_OK ? EXIT_DONE : cli_failed(status);
}

static int fail(const char *sentence)
{
    fprintf(stderr, "assay simulate: %s; see 'assay simulate templates --help'\n", sentence);
    return EXIT_USAGE;
}
