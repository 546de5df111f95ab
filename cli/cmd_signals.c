/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "options.h"
#include "output.h"
#include "session.h"
#include "signals_answer.h"
#include "signals_stream.h"

#include <assay/missing.h>

static const struct cli_usage usage = {
    .command = "signals",
    .arguments = "MATRIX...",
    .description =
        "How many independent signals the items give: effective dimensionality (ED) of the models "
        "x\n"
        "items scores, beside what pure noise would give. MATRIX is a wide or long CSV or TSV, "
        "JSON\n"
        "lines, a folder of them, or - for standard input; .gz and .zst are read as they are. "
        "Several are\n"
        "one table; with --atlas each is a benchmark of its own, and gives a row.",
    .example = "  assay signals leaderboard.csv\n"
               "  assay signals leaderboard.csv --drop average,params_b --json\n"
               "  assay signals leaderboard.csv --plot scree.svg\n"
               "  assay signals runs.csv --replicates runs\n"
               "  assay signals suite.csv --given 'log(params_b)' --pairs\n"
               "  assay signals suite.csv --admit new_benchmark.csv\n"
               "  assay signals leaderboard.csv --select 50\n"
               "  assay signals items.csv.zst --stream\n"
               "  assay signals leaderboard.csv --saturation --split-half --plot figures\n"
               "  assay signals leaderboard.csv --dates dates.csv --by score --window 40 --step 5\n"
               "  assay signals leaderboard.csv --audit --dates dates.csv\n"
               "  assay signals --atlas boards/ --drop average,params_b --plot atlas.svg\n",
};

static int parse(int argc, char **argv, struct signals_request *request, int *first);
static struct signals_atlas_with atlas_with(struct signals_request *request,
                                            const assay_signals_options *options);
static int asks_for_one(const struct signals_request *request);
static assay_status settle_missing(const struct signals_request *request, assay_results *results,
                                   uint64_t *n);
static int answer(struct signals_request *request, const assay_signals_options *options,
                  const assay_results *results, uint64_t n_as_wrong);
static assay_status check_draws(const struct signals_request *request);

int cmd_signals(int argc, char **argv)
{
    struct signals_request request;
    assay_signals_options options;
    assay_status status;
    struct signals_atlas_with with;
    assay_results *results;
    uint64_t n_as_wrong = 0;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    if (request.stream) return signals_stream(argc, argv);
    options = signals_options(&request);
    with = atlas_with(&request, &options);
    request.models.halves = request.audit.asked;
    request.audit.paths = argv + first;
    request.audit.n_paths = argc - first;
    if (assay_signals_options_check(&options) != ASSAY_OK ||
        signals_replicate_check(&request.replicate) != ASSAY_OK ||
        signals_atlas_check(&request.atlas, &with) != ASSAY_OK ||
        signals_subsets_check(&request.subsets) != ASSAY_OK ||
        signals_models_check(&request.models) != ASSAY_OK ||
        signals_short_form_check(&request.short_form) != ASSAY_OK ||
        check_draws(&request) != ASSAY_OK)
        return cli_failed(ASSAY_E_VALUE);
    if (request.atlas.is_asked && asks_for_one(&request)) {
        fputs("assay signals: --atlas gives a row a benchmark, without the sections about one of "
              "them; see 'assay signals --help'\n",
              stderr);
        return EXIT_USAGE;
    }
    if (request.atlas.is_asked && first < argc)
        return signals_atlas(&request.atlas, &with, argc - first, argv + first);
    if ((status = signals_suite_check(&request.suite, &request.reading)) != ASSAY_OK) {
        signals_suite_free(&request.suite);
        return cli_failed(status);
    }
    exit_status = cli_read_inputs(&usage, &request.common, &request.reading, argc - first,
                                  argv + first, &results);
    if (exit_status < 0) {
        status = signals_suite_check_dropped(&request.suite);
        if (status == ASSAY_OK)
            status = signals_suite_read(&request.suite, &request.common, &request.reading, results);
        if (status == ASSAY_OK) status = settle_missing(&request, results, &n_as_wrong);
        exit_status = status == ASSAY_OK ? answer(&request, &options, results, n_as_wrong)
                                         : cli_failed(status);
    }
    signals_suite_free(&request.suite);
    assay_results_free(results);
    return exit_status;
}

/* Whether something is drawn whose number --draws says. */
static assay_status check_draws(const struct signals_request *request)
{
    const struct signals_subsets_request *subsets = &request->subsets;
    const struct signals_models_request *models = &request->models;

    if (!cli_was_said(&subsets->draws) || subsets->saturation || subsets->split_half ||
        subsets->half_sample || subsets->matched || models->dates || models->by ||
        request->audit.asked)
        return ASSAY_OK;
    return cli_fail(ASSAY_E_VALUE, "--draws is for --saturation, --split-half, --matched, "
                                   "--interval subsample, --dates, --by or --audit");
}

/* Scores of another scale are the data's fault, no option's. */
static assay_status settle_missing(const struct signals_request *request, assay_results *results,
                                   uint64_t *n)
{
    assay_status status =
        request->missing == ASSAY_MISSING_WRONG ? assay_missing_as_wrong(results, n) : ASSAY_OK;

    return status == ASSAY_E_VALUE ? ASSAY_E_SHAPE : status;
}

static int parse(int argc, char **argv, struct signals_request *request, int *first)
{
    assay_signals_options defaults;
    struct cli_option common[CLI_N_COMMON], analysis[CLI_N_ANALYSIS];
    struct cli_option reading[CLI_N_READING], replicate[SIGNALS_N_REPLICATE];
    struct cli_option suite[SIGNALS_N_SUITE], short_form[SIGNALS_N_SHORT_FORM];
    struct cli_option subsets[SIGNALS_SUBSETS_N_OPTIONS], models[SIGNALS_MODELS_N_OPTIONS];
    struct cli_option atlas[SIGNALS_N_ATLAS];
    struct cli_option audit[SIGNALS_N_AUDIT];
    const struct cli_option own[] = {
        { "permutations", 0, CLI_INTEGER, &request->permutations, "N",
          "shuffles behind the null's quantiles; 0 none, -1 by the size" },
        { "tetrachoric", 0, CLI_FLAG, &request->tetrachoric, NULL,
          "tetrachoric ED also where it takes seconds: up to 3,000 items" },
        { "missing", 0, CLI_CHOICE, &request->missing, "drop|wrong",
          "cells without a score: left out, or counted as 0" },
        { "stream", 0, CLI_FLAG, &request->stream, NULL,
          "ED alone, a row (an item) at a time, of a table or .npy of any length" },
        { "plot", 0, CLI_OUTPUT, &request->plot, "FILE.svg|DIR",
          "draw the scree; in DIR also the curves below; with --atlas ED of each" },
    };
    const struct cli_option_table tables[] = {
        { "signals", own, sizeof own / sizeof *own }, /* its own first */
        { "audit", audit, SIGNALS_N_AUDIT },
        { "noise", replicate, SIGNALS_N_REPLICATE },
        { "suites", suite, SIGNALS_N_SUITE },
        { "short forms", short_form, SIGNALS_N_SHORT_FORM },
        { "parts of the matrix", subsets, SIGNALS_SUBSETS_N_OPTIONS },
        { "dates, skill and kinds of models", models, SIGNALS_MODELS_N_OPTIONS },
        { "several benchmarks", atlas, SIGNALS_N_ATLAS },
        { "inputs", reading, CLI_N_READING },
        { "analysis", analysis, CLI_N_ANALYSIS },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };

    assay_signals_options_init(&defaults, sizeof defaults);
    cli_common_options(&request->common, common);
    cli_analysis_options(&request->analysis, analysis);
    cli_reading_options(&request->reading, reading);
    signals_replicate_options(&request->replicate, replicate);
    signals_subsets_options(&request->subsets, subsets);
    signals_models_options(&request->models, models);
    signals_suite_options(&request->suite, suite);
    signals_short_form_options(&request->short_form, short_form);
    signals_atlas_options(&request->atlas, atlas);
    signals_audit_options(&request->audit, audit);
    request->permutations = defaults.permutations;
    request->tetrachoric = 0;
    request->stream = 0;
    request->missing = 0;
    request->plot = NULL;
    return cli_parse(argc, argv, &usage, tables, first);
}

static int draw(const struct signals_request *request, const struct signals_answer *all)
{
    int folder = !cli_plot_is_file(request->plot);
    int exit_status = cli_plot(request->plot, "scree.svg", print_signals_plot, all);

    if (exit_status < 0 && folder && request->subsets.saturation)
        exit_status = cli_plot(request->plot, "saturation.svg", print_signals_saturation_plot, all);
    if (exit_status < 0 && folder && all->models->windows)
        exit_status = cli_plot(request->plot, "skill.svg", print_signals_skill_plot, all);
    return exit_status;
}

/* Whether a section about one benchmark is asked for. */
static int asks_for_one(const struct signals_request *request)
{
    const struct signals_subsets_request *subsets = &request->subsets;
    const struct signals_models_request *models = &request->models;

    return subsets->saturation || subsets->split_half || subsets->half_sample || subsets->matched ||
           models->dates || models->by || models->attribute || request->suite.pairs ||
           cli_was_said(&request->suite.redundant) || cli_was_said(&request->suite.resamples) ||
           cli_was_said(&request->suite.group_threshold) || cli_was_said(&request->suite.linkage) ||
           cli_was_said(&subsets->half_sample) || request->suite.groups || request->suite.given ||
           request->suite.admit || request->short_form.n_items || request->audit.asked ||
           request->missing;
}

static struct signals_atlas_with atlas_with(struct signals_request *request,
                                            const assay_signals_options *options)
{
    return (struct signals_atlas_with){
        .common = &request->common,
        .analysis = &request->analysis,
        .reading = &request->reading,
        .replicate = &request->replicate,
        .signals = options,
        .plot = request->plot,
        .tetrachoric = request->tetrachoric,
    };
}

static int answer(struct signals_request *request, const assay_signals_options *options,
                  const assay_results *results, uint64_t n_as_wrong)
{
    struct signals_found found;
    assay_status status = signals_find(request, options, results, &found);
    int exit_status;

    found.answer.n_as_wrong = n_as_wrong;
    cli_progress_done();
    exit_status = status == ASSAY_OK ? -1 : cli_failed(status);
    if (exit_status < 0 && request->plot) exit_status = draw(request, &found.answer);
    if (exit_status < 0)
        exit_status = cli_output(request->common.output,
                                 request->analysis.json ? print_signals_json : print_signals_table,
                                 &found.answer);
    if (exit_status < 0) exit_status = cli_finish(&request->common, results);
    signals_free(request, &found);
    return exit_status;
}
