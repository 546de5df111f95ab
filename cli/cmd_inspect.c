/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"
#include "inspect_answer.h"
#include "output.h"
#include "session.h"

#include <assay/matrix.h>
#include <assay/read.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "inspect",
    .arguments = "FILE...",
    .description =
        "What each input is, before anything is computed from it: its format, the columns or keys\n"
        "that serve, models, tasks, items, templates and runs, the range of scores, what is wrong\n"
        "with it, and which questions can be asked of it. What other commands refuse without\n"
        "--force is told here as a problem.",
    .example = "  assay inspect results.jsonl\n"
               "  assay inspect logs/ more.csv --json\n",
};

enum { SHOWN_DOUBTS = 3, SENTENCE_SIZE = 1024 };

struct request {
    struct cli_common common;
    struct cli_reading reading;
    int json;
};

static int check(const struct request *request, int n_paths, char **paths);
static assay_status inspect_all(struct request *request, int n_paths, char **paths,
                                struct inspect_answer *answer);
static assay_status inspect_part(struct request *request, char **paths, int n_paths,
                                 struct inspect_part *part);
static assay_status read_part(struct request *request, char **paths, int n_paths,
                              struct inspect_part *part);
static assay_status find_problems(struct inspect_part *part);
static assay_status find_doubts(struct inspect_part *part);
__attribute__((format(printf, 2, 3))) static assay_status add_problem(struct inspect_part *part,
                                                                      const char *format, ...);
static int finish(const struct request *request, const struct inspect_answer *answer);
static void free_part(struct inspect_part *part);

int cmd_inspect(int argc, char **argv)
{
    struct request request = { .json = 0 };
    struct inspect_answer answer = { 0 };
    struct cli_option common[CLI_N_COMMON], reading[CLI_N_READING];
    const struct cli_option own[] = {
        { "json", 0, CLI_FLAG, &request.json, NULL, "one JSON object instead of a table" },
    };
    const struct cli_option_table tables[] = {
        { "inspect", own, sizeof own / sizeof *own },
        { "inputs", reading, CLI_N_READING },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };
    assay_status status;
    int first, exit_status;

    cli_common_options(&request.common, common);
    cli_reading_options(&request.reading, reading);
    exit_status = cli_parse(argc, argv, &usage, tables, &first);
    if (exit_status >= 0) return exit_status;
    exit_status = check(&request, argc - first, argv + first);
    if (exit_status >= 0) return exit_status;
    status = inspect_all(&request, argc - first, argv + first, &answer);
    cli_progress_done();
    exit_status = status == ASSAY_OK
                      ? cli_output(request.common.output,
                                   request.json ? print_inspect_json : print_inspect_table, &answer)
                      : cli_failed(status);
    if (exit_status < 0) exit_status = finish(&request, &answer);
    for (size_t k = 0; k < answer.n; k++) free_part(&answer.parts[k]);
    free_part(&answer.together);
    free(answer.parts);
    return exit_status;
}

static int check(const struct request *request, int n_paths, char **paths)
{
    (void)request;
    if (n_paths < 1) {
        fputs("assay inspect: no input, expected FILE... (- is standard input); see 'assay inspect "
              "--help'\n",
              stderr);
        return EXIT_USAGE;
    }
    for (int k = 0; k < n_paths && n_paths > 1; k++) {
        if (strcmp(paths[k], "-") != 0) continue;
        fputs("assay inspect: standard input is read once, expected no other input beside it\n",
              stderr);
        return EXIT_USAGE;
    }
    return -1;
}

static assay_status inspect_all(struct request *request, int n_paths, char **paths,
                                struct inspect_answer *answer)
{
    char **readable = malloc((size_t)n_paths * sizeof *readable);
    int n_readable = 0;
    assay_status status = ASSAY_OK;

    answer->parts = calloc((size_t)n_paths, sizeof *answer->parts);
    if (!answer->parts || !readable) status = cli_no_memory();
    request->reading.read.format = (assay_format)request->reading.format;
    request->reading.read.rows = (assay_rows)request->reading.rows;
    request->reading.read.join = (assay_join)request->reading.join;
    request->reading.read.progress = cli_progress(request->common.quiet);
    for (int k = 0; k < n_paths && status == ASSAY_OK; k++) {
        struct inspect_part *part = &answer->parts[answer->n++];

        part->path = paths[k];
        status = inspect_part(request, &paths[k], 1, part);
        if (part->results) readable[n_readable++] = paths[k];
    }
    if (status == ASSAY_OK && n_readable > 1)
        status = inspect_part(request, readable, n_readable, &answer->together);
    free(readable);
    return status;
}

static assay_status inspect_part(struct request *request, char **paths, int n_paths,
                                 struct inspect_part *part)
{
    assay_status status = read_part(request, paths, n_paths, part);

    if (status != ASSAY_OK || !part->results) return status;
    status = assay_inspect(part->results, &part->found);
    return status == ASSAY_OK ? find_problems(part) : status;
}

/* First as other commands read, so that a conflict shows; then, past it, with force. */
static assay_status read_part(struct request *request, char **paths, int n_paths,
                              struct inspect_part *part)
{
    int is_stdin = strcmp(paths[0], "-") == 0;
    assay_status status = ASSAY_OK;

    for (int force = is_stdin; force < 2; force++) {
        status = assay_results_new(force, &part->results);
        for (int k = 0; k < n_paths && status == ASSAY_OK; k++)
            status = assay_read(part->results, paths[k], &request->reading.read);
        if (status == ASSAY_OK) return status;
        assay_results_free(part->results);
        part->results = NULL;
        if (status == ASSAY_E_NOMEM || status == ASSAY_E_CANCELLED || status == ASSAY_E_VALUE)
            return status;
        if (add_problem(part, "%s", assay_last_error()) != ASSAY_OK) return ASSAY_E_NOMEM;
        if (status != ASSAY_E_CONFLICT) return ASSAY_OK;
    }
    return ASSAY_OK;
}

static assay_status find_problems(struct inspect_part *part)
{
    const assay_inspection *found = &part->found;
    const assay_coverage coverage = assay_results_coverage(part->results);
    assay_status status = ASSAY_OK;

    if (coverage.refused > 0)
        status =
            add_problem(part,
                        "%" PRIu64 " score%s earlier ones: refused without --force, with which "
                        "the first stays",
                        coverage.refused, coverage.refused == 1 ? " contradicts" : "s contradict");
    if (status == ASSAY_OK && coverage.duplicate > 0)
        status = add_problem(part, "%" PRIu64 " score%s said again; counted once",
                             coverage.duplicate, coverage.duplicate == 1 ? " is" : "s are");
    if (status == ASSAY_OK && coverage.errored + coverage.unscored + coverage.missing > 0)
        status = add_problem(
            part, "rows without a score, over which no mean goes: %" PRIu64 " of %" PRIu64,
            coverage.errored + coverage.unscored + coverage.missing, coverage.rows);
    if (status == ASSAY_OK && found->fewest_items < found->most_items)
        status = add_problem(part, "models have %zu to %zu items; items that all of them have: %zu",
                             found->fewest_items, found->most_items, found->items_of_all);
    if (status == ASSAY_OK && found->distinct_texts < found->items_with_text)
        status = add_problem(part, "%zu texts of items are %zu different ones",
                             found->items_with_text, found->distinct_texts);
    if (status == ASSAY_OK && (found->low < 0.0 || found->high > 1.0))
        status = add_problem(part, "scores leave 0..1: no rates of success");
    if (status == ASSAY_OK && assay_results_damaged(part->results))
        status = add_problem(part, "an input is damaged, and was read as far as it goes");
    return status == ASSAY_OK && found->scores > 0 ? find_doubts(part) : status;
}

/* Columns that describe models, and are taken for items. */
static assay_status find_doubts(struct inspect_part *part)
{
    assay_matrix *matrix = NULL;
    assay_status status = assay_matrix_from_results(part->results, &matrix);
    int n = 0;

    for (size_t i = 0; status == ASSAY_OK && n < SHOWN_DOUBTS && i < assay_matrix_n_items(matrix);
         i++) {
        const char *doubt = assay_matrix_doubt(matrix, i);

        if (!doubt) continue;
        n++;
        status = add_problem(part, "item \"%.60s\" %s: is it one? --drop leaves it out",
                             assay_matrix_item(matrix, i), doubt);
    }
    assay_matrix_free(matrix);
    return status;
}

static assay_status add_problem(struct inspect_part *part, const char *format, ...)
{
    char raw[SENTENCE_SIZE], safe[SENTENCE_SIZE];
    char **problems = realloc(part->problems, (part->n_problems + 1) * sizeof *problems);
    va_list args;

    if (!problems) return cli_no_memory();
    part->problems = problems;
    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    assay_printable(safe, sizeof safe, raw, strlen(raw));
    problems[part->n_problems] = strdup(safe);
    if (!problems[part->n_problems]) return cli_no_memory();
    part->n_problems++;
    return ASSAY_OK;
}

/* Problems are what was asked for; an input that cannot be read is no answer. */
static int finish(const struct request *request, const struct inspect_answer *answer)
{
    int exit_status = EXIT_DONE;

    for (size_t k = 0; k < answer->n; k++) {
        const assay_results *results = answer->parts[k].results;

        if (!results) return cli_finish(&request->common, NULL) ? EXIT_SYSTEM : EXIT_NO_ANSWER;
        if (exit_status == EXIT_DONE) exit_status = cli_finish(&request->common, results);
    }
    return exit_status;
}

static void free_part(struct inspect_part *part)
{
    for (size_t k = 0; k < part->n_problems; k++) free(part->problems[k]);
    free(part->problems);
    assay_results_free(part->results);
}

const struct inspect_part *inspect_whole(const struct inspect_answer *answer)
{
    return answer->together.results ? &answer->together : &answer->parts[0];
}

const char *inspect_question_name(assay_question question)
{
    return question == ASSAY_ASK_NOISE ? "signals, noise removed"
                                       : assay_question_command(question);
}
