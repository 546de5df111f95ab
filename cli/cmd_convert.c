/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "options.h"
#include "output.h"
#include "session.h"

#include <assay/every_eval_ever.h>
#include <assay/write.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "convert",
    .arguments = "FILE... [-o OUT]",
    .description =
        "Rewrite any readable results as one table: wide (a row a model, a column an "
        "item) or long\n"
        "(a row an observation) CSV or TSV, or JSON lines, its own or those of Every Eval "
        "Ever. Scores keep\n"
        "every digit.",
    .example = "  assay convert results.jsonl.gz -o results.csv\n"
               "  assay convert a.csv b.csv --to wide -o matrix.csv\n",
};

struct request {
    struct cli_common common;
    struct cli_reading reading;
    int to; /* a choice, in the order of the option's table */
};

enum { TO_AUTO, TO_WIDE, TO_LONG, TO_JSONL, TO_EVERY_EVAL_EVER };

struct conversion {
    const assay_results *results;
    assay_layout layout;
    char delimiter;
    assay_progress progress;
    int is_exchange; /* the lines of Every Eval Ever, in place of a layout */
};

static assay_status print(FILE *to, const void *data)
{
    const struct conversion *conversion = data;

    if (conversion->is_exchange)
        return assay_write_every_eval_ever(conversion->results, conversion->progress, to);
    return assay_write(conversion->results, conversion->layout, conversion->delimiter,
                       conversion->progress, to);
}

static int ends_with(const char *path, const char *ending)
{
    size_t length = path ? strlen(path) : 0, n = strlen(ending);

    return length >= n && strcmp(path + length - n, ending) == 0;
}

/* Only names that say a layout may go without --to. Returns -1 to go on, or an exit status. */
static int check_output(const struct request *request)
{
    static const char *const known[] = { ".csv", ".tsv", ".txt", ".jsonl", ".ndjson" };
    const char *path = request->common.output, *slash = path ? strrchr(path, '/') : NULL;
    const char *dot = path ? strrchr(slash ? slash : path, '.') : NULL;

    if (!dot || request->to != TO_AUTO) return -1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(dot, known[i]) == 0) return -1;
    fputs(
        "assay convert: the name of -o does not say what to write, expected .csv, .tsv, .jsonl or "
        ".ndjson, or --to\n",
        stderr);
    return EXIT_USAGE;
}

/* What --to says, else the name of the output; CSV is long unless told otherwise. */
static struct conversion plan(const struct request *request, const assay_results *results)
{
    const char *path = request->common.output;
    struct conversion conversion = { .results = results,
                                     .layout = ASSAY_LAYOUT_LONG,
                                     .delimiter = ends_with(path, ".tsv") ? '\t' : ',',
                                     .progress = cli_progress(request->common.quiet) };

    conversion.is_exchange = request->to == TO_EVERY_EVAL_EVER;
    if (request->to == TO_WIDE) conversion.layout = ASSAY_LAYOUT_WIDE;
    if (request->to == TO_JSONL ||
        (request->to == TO_AUTO && (ends_with(path, ".jsonl") || ends_with(path, ".ndjson"))))
        conversion.layout = ASSAY_LAYOUT_JSONL;
    return conversion;
}

static void note_covariates(const assay_results *results)
{
    for (size_t i = 0; i < assay_results_n_covariates(results); i++) {
        const char *name = assay_results_covariate(results, i);
        char safe[200];

        fprintf(stderr, "assay: column \"%s\" describes models and is not written\n",
                assay_printable(safe, sizeof safe, name, strlen(name)));
    }
}

int cmd_convert(int argc, char **argv)
{
    struct request request = { .to = TO_AUTO };
    struct conversion conversion;
    struct cli_option common[CLI_N_COMMON], reading[CLI_N_READING];
    const struct cli_option own[] = {
        { "to", 0, CLI_CHOICE, &request.to, "auto|wide|long|jsonl|every-eval-ever",
          "the layout; auto goes by the ending of -o" },
    };
    const struct cli_option_table tables[] = {
        { "convert", own, sizeof own / sizeof *own },
        { "inputs", reading, CLI_N_READING },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };
    assay_results *results;
    int first, exit_status;

    cli_common_options(&request.common, common);
    cli_reading_options(&request.reading, reading);
    exit_status = cli_parse(argc, argv, &usage, tables, &first);
    if (exit_status >= 0) return exit_status;
    exit_status = check_output(&request);
    if (exit_status >= 0) return exit_status;
    exit_status = cli_read_inputs(&usage, &request.common, &request.reading, argc - first,
                                  argv + first, &results);
    if (exit_status >= 0) return exit_status;
    conversion = plan(&request, results);
    if (!request.common.quiet) note_covariates(results);
    exit_status = cli_output_raw(request.common.output, print, &conversion);
    cli_progress_done();
    if (!request.common.quiet) cli_print_coverage(stderr, results);
    if (exit_status < 0) exit_status = cli_finish(&request.common, results);
    assay_results_free(results);
    return exit_status;
}
