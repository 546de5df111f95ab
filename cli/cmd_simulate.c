/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "options.h"
#include "session.h"
#include "simulate_templates.h"

#include <assay/simulate.h>
#include <stdio.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "simulate",
    .arguments = "benchmark|templates -o FOLDER",
    .description =
        "Make a benchmark whose truth is known: prompts in clusters of one meaning, models of "
        "known\n"
        "ability, and their right and wrong answers. FOLDER receives results.csv, results.jsonl,\n"
        "matrix.csv, prompts.jsonl and truth.json; a seed fixes every byte of them.\n"
        "'assay simulate templates --help' tells of grids of templates x items instead.",
    .example =
        "  assay simulate benchmark -o example\n"
        "  assay simulate benchmark -o hard --seed 7 --items 120 --clusters 30 --models 24 \\\n"
        "      --members paraphrases --templates 10 --runs 3 --missing 0.1\n"
        "  assay simulate templates --accuracies published.csv --task navigate -o grid\n",
};

/* As on the command line, where counts are uint64_t and the members a choice. */
struct request {
    const char *folder;
    uint64_t items, clusters, models, dimensions, templates, runs;
    int members, balanced, unbalanced, quiet;
    assay_simulate_options options;
};

static int parse(int argc, char **argv, struct request *request, int *first);
static int check_arguments(const struct request *request, int n_arguments, char **arguments);
static int resolve(struct request *request);
static int make(const struct request *request);
static int fail(const char *sentence);

int cmd_simulate(int argc, char **argv)
{
    struct request request;
    int first, exit_status;

    if (argc > 1 && strcmp(argv[1], "templates") == 0) return simulate_templates(argc, argv);
    exit_status = parse(argc, argv, &request, &first);
    if (exit_status < 0) exit_status = check_arguments(&request, argc - first, argv + first);
    if (exit_status < 0) exit_status = resolve(&request);
    if (exit_status < 0) exit_status = make(&request);
    return exit_status;
}

static int parse(int argc, char **argv, struct request *request, int *first)
{
    assay_simulate_options *opt = &request->options;
    const struct cli_option sizes[] = {
        { "items", 0, CLI_UNSIGNED, &request->items, "N", "prompts" },
        { "clusters", 0, CLI_UNSIGNED, &request->clusters, "N", "clusters of prompts" },
        { "models", 0, CLI_UNSIGNED, &request->models, "N", "models" },
        { "dimensions", 0, CLI_UNSIGNED, &request->dimensions, "N", "latent abilities of a model" },
        { "templates", 0, CLI_UNSIGNED, &request->templates, "N", "wordings of every prompt" },
        { "runs", 0, CLI_UNSIGNED, &request->runs, "N", "repeats of every cell" },
        { "missing", 0, CLI_REAL, &opt->missing_rate, "P", "share of cells left out" },
    };
    const struct cli_option prompts[] = {
        { "members", 0, CLI_CHOICE, &request->members, "share-words|paraphrases",
          "how prompts of a cluster resemble each other" },
        { "size-exponent", 0, CLI_REAL, &opt->size_exponent, "X",
          "cluster sizes fall as rank^-X; 0: all alike" },
        { "balanced", 0, CLI_FLAG, &request->balanced, NULL, "the same as --size-exponent 0" },
        { "unbalanced", 0, CLI_FLAG, &request->unbalanced, NULL, "the same as --size-exponent 1" },
    };
    const struct cli_option model[] = {
        { "difficulty-mean", 0, CLI_REAL, &opt->difficulty_mean, "X", "of the items" },
        { "difficulty-sd", 0, CLI_REAL, &opt->difficulty_sd, "X", "of the items" },
        { "cluster-share", 0, CLI_REAL, &opt->cluster_share, "P",
          "of the difficulty's variance between clusters" },
        { "ability-sd", 0, CLI_REAL, &opt->ability_sd, "X", "of the models, in each dimension" },
        { "cross-loading", 0, CLI_REAL, &opt->cross_loading, "P",
          "of a cluster's squared loading off its dimension" },
        { "template-sd", 0, CLI_REAL, &opt->template_sd, "X", "of the templates' effects" },
        { "template-model-sd", 0, CLI_REAL, &opt->template_model_sd, "X",
          "of the interaction of template and model" },
    };
    const struct cli_option other[] = {
        { "output", 'o', CLI_TEXT, &request->folder, "FOLDER", "where to; made when absent" },
        { "seed", 0, CLI_UNSIGNED, &opt->seed, "N", "of everything random" },
        { "quiet", 'q', CLI_FLAG, &request->quiet, NULL, "do not say what was made" },
    };
    const struct cli_option_table tables[] = {
        { "sizes", sizes, sizeof sizes / sizeof *sizes },
        { "prompts", prompts, sizeof prompts / sizeof *prompts },
        { "model, in logits", model, sizeof model / sizeof *model },
        { "other", other, sizeof other / sizeof *other },
        { NULL, NULL, 0 },
    };

    *request = (struct request){ 0 };
    assay_simulate_options_init(opt, sizeof *opt);
    request->items = opt->n_items;
    request->clusters = opt->n_clusters;
    request->models = opt->n_models;
    request->dimensions = opt->n_dimensions;
    request->templates = opt->n_templates;
    request->runs = opt->n_runs;
    request->members = (int)opt->members;
    return cli_parse(argc, argv, &usage, tables, first);
}

/* Returns -1 to go on, or the exit status. */
static int check_arguments(const struct request *request, int n_arguments, char **arguments)
{
    if (n_arguments == 0)
        return fail("what to simulate is missing, expected 'benchmark' or 'templates'");
    if (strcmp(arguments[0], "templates") == 0)
        return fail("'templates' has options of its own, and so stands before them");
    if (strcmp(arguments[0], "benchmark") != 0)
        return fail("what to simulate is unknown, expected 'benchmark' or 'templates'");
    if (n_arguments > 1) return fail("more than one thing to simulate, expected 'benchmark'");
    if (!request->folder || !*request->folder) return fail("-o FOLDER is missing");
    return -1;
}

static int resolve(struct request *request)
{
    assay_simulate_options defaults, *opt = &request->options;

    assay_simulate_options_init(&defaults, sizeof defaults);
    if (request->balanced + request->unbalanced + (opt->size_exponent != defaults.size_exponent) >
        1)
        return fail("--balanced, --unbalanced and --size-exponent exclude each other");
    if (request->balanced) opt->size_exponent = 0.0;
    if (request->unbalanced) opt->size_exponent = 1.0;
    opt->n_items = (size_t)request->items;
    opt->n_clusters = (size_t)request->clusters;
    opt->n_models = (size_t)request->models;
    opt->n_dimensions = (size_t)request->dimensions;
    opt->n_templates = (size_t)request->templates;
    opt->n_runs = (size_t)request->runs;
    opt->members = (assay_members)request->members;
    return -1;
}

static int make(const struct request *request)
{
    const assay_simulate_options *opt = &request->options;
    assay_simulation *sim = NULL;
    assay_status status = assay_simulate(opt, &sim);

    if (status == ASSAY_OK) status = assay_simulation_write(sim, request->folder);
    if (status == ASSAY_OK && !request->quiet)
        fprintf(stderr, "wrote %zu models, %zu items in %zu clusters, %zu template%s, %zu run%s\n",
                opt->n_models, opt->n_items, opt->n_clusters, opt->n_templates,
                opt->n_templates == 1 ? "" : "s", opt->n_runs, opt->n_runs == 1 ? "" : "s");
    assay_simulation_free(sim);
    return status == ASSAY_OK ? EXIT_DONE : cli_failed(status);
}

static int fail(const char *sentence)
{
    fprintf(stderr, "assay simulate: %s; see 'assay simulate --help'\n", sentence);
    return EXIT_USAGE;
}
