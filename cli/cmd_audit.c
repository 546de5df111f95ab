/* SPDX-License-Identifier: Apache-2.0 */
#include "audit_report.h"
#include "cli.h"
#include "output.h"

#include <string.h>

static const struct cli_usage usage = {
    .command = "audit",
    .arguments = "LOGS...",
    .description =
        "The truth about a benchmark from its results: what the models score, how many "
        "independent\n"
        "prompts and how many signals there are, and how far scores move with the wording, each\n"
        "with an interval that was measured to hold, or the reason why there is none. LOGS are "
        "files\n"
        "or folders of results; -o writes the report, one HTML file that needs nothing else.",
    .example = "  assay audit results/ -o report.html\n"
               "  assay audit leaderboard.csv --prompts prompts.jsonl -o report.html\n"
               "  assay audit leaderboard.csv --drop average,params_b --json\n"
               "  assay audit garak.report.jsonl -o report.html\n",
};

static int parse(int argc, char **argv, struct report_request *request, int *first);
static int check(const struct report_request *request);
static assay_status work(struct report *report);
static int tell(struct report *report);

int cmd_audit(int argc, char **argv)
{
    struct report_request request;
    struct report report = { .request = &request };
    assay_status status;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    request.paths = argv + first;
    request.n_paths = argc - first;
    if ((exit_status = check(&request)) >= 0) return exit_status;
    exit_status = cli_read_inputs(&usage, &request.common, &request.reading, request.n_paths,
                                  request.paths, &report.results);
    if (exit_status < 0) {
        status = work(&report);
        cli_progress_done();
        exit_status = status == ASSAY_OK ? tell(&report) : cli_failed(status);
        if (exit_status == EXIT_USAGE) exit_status = EXIT_NO_ANSWER; /* options were in order */
    }
    report_free(&report);
    assay_results_free(report.results);
    return exit_status;
}

static int parse(int argc, char **argv, struct report_request *request, int *first)
{
    struct cli_option common[CLI_N_COMMON], analysis[CLI_N_ANALYSIS];
    struct cli_option reading[CLI_N_READING];
    const struct cli_option own[] = {
        { "prompts", 'p', CLI_TEXT, &request->prompts, "FILE", "the prompts: id, prompt, cluster" },
        { "embed", 0, CLI_TEXT, &request->embed, "minilm|tfidf|VECTORS|MODEL|URL#MODEL",
          "how prompts are compared [minilm or tfidf; tfidf of over 5,000]" },
    };
    const struct cli_option_table tables[] = {
        { "audit", own, sizeof own / sizeof *own },
        { "inputs", reading, CLI_N_READING },
        { "analysis", analysis, CLI_N_ANALYSIS },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };

    *request = (struct report_request){ 0 };
    cli_common_options(&request->common, common);
    cli_analysis_options(&request->analysis, analysis);
    cli_reading_options(&request->reading, reading);
    common[0].argument = "REPORT.html";
    common[0].help = "write the report there";
    return cli_parse(argc, argv, &usage, tables, first);
}

static int misused(const char *what)
{
    fprintf(stderr, "assay audit: %s; see 'assay audit --help'\n", what);
    return EXIT_USAGE;
}

/* Everything that can be said before anything is read. Returns -1 to go on, or the exit status. */
static int check(const struct report_request *request)
{
    const char *output = request->common.output;
    assay_status status = request->embed ? score_embed_check(request->embed) : ASSAY_OK;

    if (status != ASSAY_OK) return cli_failed(status);
    if (!(request->analysis.level > 0.5 && request->analysis.level < 1.0))
        return misused("--level is out of range, expected between 0.5 and 1");
    if (request->analysis.threads < 0 || request->analysis.threads > 1024)
        return misused("--threads is out of range, expected 0 to 1024");
    if (!output) return -1;
    if (strcmp(output, "-") == 0 && request->analysis.json)
        return misused("-o - and --json both write to standard output, expected one of them");
    for (int i = 0; i < request->n_paths; i++)
        if (cli_output_is_input(output, request->paths[i]))
            return misused("-o would overwrite an input");
    if (request->prompts && cli_output_is_input(output, request->prompts))
        return misused("-o would overwrite the prompts");
    return cli_output_check(output);
}

static assay_status work(struct report *report)
{
    const struct report_request *request = report->request;
    assay_status status = report_find_parts(report);

    if (status == ASSAY_OK) report_name(report);
    if (status == ASSAY_OK) status = report_find_means(report);
    if (status == ASSAY_OK) status = report_find_answers(report);
    if (status == ASSAY_OK && (request->common.output || request->analysis.json))
        status = report_find_figures(report);
    if (status == ASSAY_OK && cli_interrupted())
        status = cli_fail(ASSAY_E_CANCELLED, "audit was interrupted");
    return status;
}

static int tell(struct report *report)
{
    const struct report_request *request = report->request;
    const char *output = request->common.output;
    int exit_status = -1;

    report->is_page = 1;
    if (output) exit_status = cli_output(output, print_report_page, report);
    report->is_page = 0;
    if (exit_status < 0 && !(output && strcmp(output, "-") == 0))
        exit_status = cli_output(
            NULL, request->analysis.json ? print_report_json : print_report_summary, report);
    return exit_status < 0 ? cli_finish(&request->common, report->results) : exit_status;
}
