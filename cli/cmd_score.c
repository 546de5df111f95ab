/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "output.h"
#include "print_score.h"
#include "score_answer.h"
#include "session.h"

#include <string.h>

static const struct cli_usage usage = {
    .command = "score",
    .arguments = "RESULTS... [--prompts PROMPTS]",
    .description =
        "The score of each model once prompts that say the same stop counting many times, with\n"
        "honest intervals, and how many independent prompts there are (BHM-ESC, exact). RESULTS\n"
        "has model (optional), item, and successes and trials or one score a row; PROMPTS has id,\n"
        "prompt and optionally cluster, as JSON lines or CSV. Without it the texts that RESULTS\n"
        "holds serve (a garak report has them).",
    .example =
        "  assay score results.csv --prompts prompts.jsonl\n"
        "  assay score results.csv --prompts prompts.jsonl --embed vectors.npy --json\n"
        "  assay score results.csv --prompts prompts.jsonl --topics topics.csv --plot figures\n"
        "  assay score garak.report.jsonl\n",
};

static int parse(int argc, char **argv, struct score_request *request, int *first);
static assay_status check(struct score_request *request);
static assay_status work(struct score_answer *answer);
static int failed(assay_status status);
static int tell(const struct score_answer *answer);
static int draw(const struct score_answer *answer);

int cmd_score(int argc, char **argv)
{
    struct score_request request;
    struct score_answer answer = { .request = &request };
    assay_status status;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    if ((status = check(&request)) != ASSAY_OK) return cli_failed(status);
    exit_status = cli_read_inputs(&usage, &request.common, &request.reading, argc - first,
                                  argv + first, &answer.results);
    if (exit_status < 0) {
        status = work(&answer);
        cli_progress_done();
        exit_status = status == ASSAY_OK ? tell(&answer) : failed(status);
    }
    assay_results_free(answer.results);
    score_free(&answer);
    return exit_status;
}

static int parse(int argc, char **argv, struct score_request *request, int *first)
{
    struct cli_option common[CLI_N_COMMON], analysis[CLI_N_ANALYSIS];
    struct cli_option reading[CLI_N_READING];
    const struct cli_option own[] = {
        { "prompts", 'p', CLI_TEXT, &request->prompts, "FILE", "the prompts: id, prompt, cluster" },
        { "embed", 0, CLI_TEXT, &request->embed, "minilm|tfidf|VECTORS|MODEL|URL#MODEL",
          "how prompts are compared (MODEL:windows: long ones whole) [minilm or tfidf]" },
        { "turns", 0, CLI_CHOICE, &request->turns, "concat|mean|weighted|last|max",
          "how a prompt of several turns is compared" },
        { "linkage", 0, CLI_CHOICE, &request->linkage, "average|complete|single",
          "how far apart two groups of prompts are" },
        { "prior", 0, CLI_TEXT, &request->prior, "PRIOR",
          "on how many topics: paper, uniform, binom:Q, ... (docs/score.md)" },
        { "tie-orders", 0, CLI_INTEGER, &request->tie_orders, "K",
          "random orders inside ties to average over; -1: 20 where merges are tied" },
        { "hyper", 0, CLI_CHOICE, &request->hyper, "auto|on|off",
          "also with the topics' distribution learnt; auto: where runs are few" },
        { "missing", 0, CLI_CHOICE, &request->missing, "drop|wrong|bounds",
          "runs without a score: left out, counted as 0, or told as bounds" },
        { "kappa", 0, CLI_FLAG, &request->kappa, NULL,
          "also with prompts of one topic that differ" },
        { "partitions", 0, CLI_FLAG, &request->partitions, NULL,
          "also over all partitions that agree with the tree" },
    };
    const struct cli_option more[] = {
        { "topics", 0, CLI_OUTPUT, &request->topics, "FILE.csv",
          "write the topics, a prompt to keep in each; -: in place of the table" },
        { "per-prompt", 0, CLI_OUTPUT, &request->per_prompt, "FILE.csv",
          "write each prompt's posterior mean and sd; -: in place of the table" },
        { "every-eval-ever", 0, CLI_TEXT, &request->every_eval_ever, "DIR",
          "write MODEL.json for each: score and interval as Every Eval Ever has them" },
        { "plot", 0, CLI_TEXT, &request->plot, "DIR", "draw similarities, tree, map and scores" },
        { "cv", 0, CLI_FLAG, &request->cv, NULL, "cross-validate against simpler methods" },
        { "folds", 0, CLI_TEXT, &request->folds, "FILE",
          "cross-validate in these folds: columns item and fold" },
        { "sensitivity", 0, CLI_FLAG, &request->sensitivity, NULL,
          "what other priors and linkages would say" },
        { "families", 0, CLI_FLAG, &request->families, NULL,
          "and what k-means and DBSCAN would; minutes for many models" },
        { "average", 0, CLI_TEXT, &request->average, "EMBED,...",
          "average by evidence over these and --embed, and all linkages" },
        { "hpd", 0, CLI_FLAG, &request->hpd, NULL, "also the sets of highest density" },
        { "hopkins", 0, CLI_FLAG, &request->hopkins, NULL, "do the prompts cluster at all?" },
        { "hit", 0, CLI_REAL, &request->hit, "K", "P(at least one success in K runs)" },
    };
    const struct cli_option_table tables[] = {
        { "score", own, sizeof own / sizeof *own },
        { "further answers", more, sizeof more / sizeof *more },
        { "inputs", reading, CLI_N_READING },
        { "analysis", analysis, CLI_N_ANALYSIS },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };

    score_request_init(request);
    cli_common_options(&request->common, common);
    cli_analysis_options(&request->analysis, analysis);
    cli_reading_options(&request->reading, reading);
    return cli_parse(argc, argv, &usage, tables, first);
}

static int is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Everything that can be said of the options alone, before anything is read. */
static assay_status check(struct score_request *request)
{
    int64_t threads = request->analysis.threads;
    assay_score_options options;
    assay_status status;

    request->embed_by_default = !request->embed;
    if (!request->embed) request->embed = score_embed_default();
    status = assay_prior_parse(request->prior, &request->parsed_prior);

    if (status == ASSAY_OK) status = score_embed_check(request->embed);
    if (status == ASSAY_OK && request->average) status = score_average_check(request->average);
    if (status != ASSAY_OK) return status;
    if (threads < 0 || threads > 1024)
        return cli_fail(ASSAY_E_VALUE, "score: threads is %lld, expected 0 to 1024",
                        (long long)threads);
    if (request->tie_orders < -1 || request->tie_orders > SCORE_MOST_ORDERS)
        return cli_fail(ASSAY_E_VALUE, "score: tie-orders is %lld, expected -1 to %d",
                        (long long)request->tie_orders, SCORE_MOST_ORDERS);
    if (!(request->hit >= 0.0 && request->hit <= 1e9))
        return cli_fail(ASSAY_E_VALUE, "score: hit is %g, expected a number of runs up to 1e9",
                        request->hit);
    if (is_stdout(request->topics) + is_stdout(request->per_prompt) +
            is_stdout(request->every_eval_ever) >
        1)
        return cli_fail(ASSAY_E_VALUE, "score: two of --topics, --per-prompt and --every-eval-ever "
                                       "are -, expected one at most");
    if (request->plot && cli_plot_is_file(request->plot))
        return cli_fail(ASSAY_E_VALUE, "score: --plot is %s, expected a folder for five figures",
                        request->plot);
    request->threads = (int)threads;
    if (request->folds) request->cv = 1;
    if (request->families) request->sensitivity = 1;
    assay_score_options_init(&options, sizeof options);
    options.level = request->analysis.level;
    options.prior = request->parsed_prior;
    return assay_score_options_check(&options);
}

/* Prompts too few, all alike or without coordinates are no fault: the rest of the answer stands. */
static assay_status measure_hopkins(struct score_answer *answer)
{
    assay_hopkins_options options;
    assay_status status;

    assay_hopkins_options_init(&options, sizeof options);
    options.seed = answer->request->analysis.seed;
    options.threads = answer->request->threads;
    options.data_sets = 99;
    options.progress = cli_progress(answer->request->common.quiet);
    status = assay_hopkins_measure(answer->vectors, &options, &answer->measured);
    if (status != ASSAY_E_SHAPE && status != ASSAY_E_DEGENERATE &&
        !(status == ASSAY_E_VALUE && score_is_by_turn(answer)))
        return status;
    snprintf(answer->not_measured, sizeof answer->not_measured, "%s", assay_last_error());
    return ASSAY_OK;
}

static assay_status work(struct score_answer *answer)
{
    const struct score_request *request = answer->request;
    assay_status status = score_find(answer);

    if (status == ASSAY_OK && request->sensitivity) status = score_try_choices(answer);
    if (status == ASSAY_OK && request->average) status = score_try_average(answer);
    if (status == ASSAY_OK && request->cv) status = score_validate(answer);
    if (status == ASSAY_OK && request->hopkins) status = measure_hopkins(answer);
    if (status == ASSAY_OK && cli_interrupted())
        status = cli_fail(ASSAY_E_CANCELLED, "score was interrupted");
    return status;
}

/* The options were in order: a bad value is one of the data's. */
static int failed(assay_status status)
{
    int exit_status = cli_failed(status);

    return exit_status == EXIT_USAGE ? EXIT_NO_ANSWER : exit_status;
}

/* ---- telling ---- */

static int tell(const struct score_answer *answer)
{
    const struct score_request *request = answer->request;
    int in_place = (is_stdout(request->topics) || is_stdout(request->per_prompt) ||
                    is_stdout(request->every_eval_ever)) &&
                   (!request->common.output || is_stdout(request->common.output));
    int exit_status = -1;

    if (!request->common.quiet) print_score_warnings(answer);
    if (request->topics) exit_status = cli_output_raw(request->topics, print_score_topics, answer);
    if (exit_status < 0 && request->per_prompt)
        exit_status = cli_output_raw(request->per_prompt, print_score_prompts, answer);
    if (exit_status < 0 && request->plot) exit_status = draw(answer);
    if (exit_status < 0 && request->every_eval_ever)
        exit_status = print_score_every_eval_ever(answer);
    if (exit_status < 0 && !in_place)
        exit_status =
            cli_output(request->common.output,
                       request->analysis.json ? print_score_json : print_score_table, answer);
    return exit_status < 0 ? cli_finish(&request->common, answer->results) : exit_status;
}

static int draw(const struct score_answer *answer)
{
    static const struct {
        const char *name;
        cli_printer print;
    } figures[] = {
        { "similarity.svg", print_score_similarity },
        { "topics.svg", print_score_together },
        { "tree.svg", print_score_tree },
        { "map.svg", print_score_map },
        { "scores.svg", print_score_densities },
    };
    int exit_status = -1;

    for (size_t i = 0; i < sizeof figures / sizeof *figures && exit_status < 0; i++)
        if (figures[i].print != print_score_map || !score_is_by_turn(answer))
            exit_status =
                cli_plot(answer->request->plot, figures[i].name, figures[i].print, answer);
    return exit_status;
}
