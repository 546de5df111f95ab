/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "cli.h"
#include "output.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64, HELP_VALUE = 1, FIRST_VALUE = 1000 };

/* ---- help ---- */

static void print_default(FILE *to, const struct cli_option *option)
{
    if (option->kind == CLI_INTEGER && *(const int64_t *)option->value)
        fprintf(to, " [%" PRId64 "]", *(const int64_t *)option->value);
    if (option->kind == CLI_UNSIGNED)
        fprintf(to, " [%" PRIu64 "]", *(const uint64_t *)option->value);
    if (option->kind == CLI_REAL) fprintf(to, " [%g]", *(const double *)option->value);
    if ((option->kind == CLI_TEXT || option->kind == CLI_OUTPUT) &&
        *(const char *const *)option->value)
        fprintf(to, " [%s]", *(const char *const *)option->value);
    if (option->kind == CLI_CHOICE) {
        const char *choice = option->argument;

        for (int i = *(const int *)option->value; i > 0; i--) choice = strchr(choice, '|') + 1;
        fprintf(to, " [%.*s]", (int)strcspn(choice, "|"), choice);
    }
}

static void print_option(FILE *to, const struct cli_option *option)
{
    enum { WIDTH = 30 };
    char left[64];
    int n = option->letter ? snprintf(left, sizeof left, "-%c, --%s", option->letter, option->name)
                           : snprintf(left, sizeof left, "    --%s", option->name);

    if (option->argument) snprintf(left + n, sizeof left - (size_t)n, " %s", option->argument);
    if (strlen(left) > WIDTH)
        fprintf(to, "  %s\n  %-*s %s", left, WIDTH, "", option->help);
    else
        fprintf(to, "  %-*s %s", WIDTH, left, option->help);
    print_default(to, option);
    putc('\n', to);
}

static int help(FILE *to, const struct cli_usage *usage, const struct cli_option_table *tables,
                int exit_status)
{
    fprintf(to, "usage: assay %s [options] %s\n\n%s\n", usage->command, usage->arguments,
            usage->description);
    for (; tables->options; tables++) {
        fprintf(to, "\n%s:\n", tables->heading);
        for (size_t i = 0; i < tables->n; i++) print_option(to, &tables->options[i]);
    }
    fprintf(
        to,
        "  -h, --help                     show this\n"
        "\nexamples:\n%s\n"
        "exit status: 0 done; 1 no answer (missing, unreadable, malformed or insufficient data);\n"
        "2 usage; 3 finished, but an input was damaged (--strict); 4 the system failed;\n"
        "130 interrupted\n",
        usage->example);
    return exit_status;
}

/* ---- parsing ---- */

static int choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    int index = 0;

    for (const char *at = choices; at; at = strchr(at, '|'), at = at ? at + 1 : NULL, index++)
        if (strcspn(at, "|") == length && strncmp(at, text, length) == 0) return index;
    return -1;
}

static int format_index(const char *text)
{
    for (int k = 0; k < ASSAY_N_FORMATS; k++)
        if (strcmp(assay_format_name((assay_format)k), text) == 0) return k;
    return -1;
}

/* Returns 0, or -1 when the text is not what the option takes. */
static int assign(const struct cli_option *option, const char *text)
{
    char *end = NULL;
    int index;

    errno = 0;
    switch (option->kind) {
    case CLI_FLAG: *(int *)option->value = 1; return 0;
    case CLI_TEXT:
    case CLI_OUTPUT: *(const char **)option->value = text; return 0;
    case CLI_INTEGER: *(int64_t *)option->value = strtoll(text, &end, 10); break;
    case CLI_UNSIGNED:
        if (strchr(text, '-')) return -1;
        *(uint64_t *)option->value = strtoull(text, &end, 10);
        break;
    case CLI_REAL: *(double *)option->value = strtod(text, &end); break;
    case CLI_CHOICE:
    case CLI_FORMAT:
        index =
            option->kind == CLI_FORMAT ? format_index(text) : choice_index(option->argument, text);
        if (index < 0) return -1;
        *(int *)option->value = index;
        return 0;
    }
    return errno == 0 && end != text && !*end ? 0 : -1;
}

static int wrong_argument(const struct cli_usage *usage, const struct cli_option *option,
                          const char *text)
{
    char safe[200];

    assay_printable(safe, sizeof safe, text, strlen(text));
    fprintf(stderr, "assay %s: --%s is '%s', expected ", usage->command, option->name, safe);
    if (option->kind == CLI_FORMAT)
        for (int k = 0; k < ASSAY_N_FORMATS; k++)
            fprintf(stderr, "%s%s", k > 0 ? "|" : "", assay_format_name((assay_format)k));
    else
        fputs(option->argument, stderr);
    fprintf(stderr, "; see 'assay %s --help'\n", usage->command);
    return EXIT_USAGE;
}

/* What getopt did not know ('?') or what lacks its argument (':'). A letter is in optopt; of a long
   option argv tells the text. */
static int wrong_option(const struct cli_usage *usage, int value, const char *text)
{
    char letter[3] = { '-', (char)optopt, '\0' }, safe[200];
    const char *shown = optopt > 0 && optopt < FIRST_VALUE ? letter : text;

    assay_printable(safe, sizeof safe, shown, strlen(shown));
    fprintf(stderr, "assay %s: %s %s; see 'assay %s --help'\n", usage->command, safe,
            value == ':' ? "lacks its argument" : "is not an option here", usage->command);
    return EXIT_USAGE;
}

/* getopt's two tables and, by the value that it returns, the options behind them. */
struct lookup {
    struct option longs[MAX_OPTIONS + 2];
    char letters[2 * MAX_OPTIONS + 4];
    const struct cli_option *options[MAX_OPTIONS];
    size_t n;
};

static void fill_lookup(struct lookup *lookup, const struct cli_option_table *tables)
{
    char *letter = lookup->letters;

    *lookup = (struct lookup){ 0 };
    *letter++ = ':'; /* tell a missing argument from an unknown option */
    *letter++ = 'h';
    for (; tables->options; tables++) {
        for (size_t i = 0; i < tables->n && lookup->n < MAX_OPTIONS; i++) {
            const struct cli_option *option = &tables->options[i];
            int takes = option->kind != CLI_FLAG;

            lookup->longs[lookup->n] =
                (struct option){ option->name, takes ? required_argument : no_argument, NULL,
                                 FIRST_VALUE + (int)lookup->n };
            lookup->options[lookup->n++] = option;
            if (!option->letter) continue;
            *letter++ = option->letter;
            if (takes) *letter++ = ':';
        }
    }
    lookup->longs[lookup->n] = (struct option){ "help", no_argument, NULL, HELP_VALUE };
}

/* What the last command line said, in its order; of an option said twice the last. */
static struct cli_said said[MAX_OPTIONS];
static size_t n_said;

static void remember(const struct cli_option *option, const char *text)
{
    size_t i = 0;

    while (i < n_said && said[i].value != option->value) i++;
    if (i == n_said) n_said++;
    said[i] = (struct cli_said){ option->name, text, option->value, option->kind };
}

size_t cli_n_said(void)
{
    return n_said;
}

struct cli_said cli_said_at(size_t i)
{
    return said[i];
}

int cli_was_said(const void *value)
{
    for (size_t i = 0; i < n_said; i++)
        if (said[i].value == value) return 1;
    return 0;
}

static const struct cli_option *find(const struct lookup *lookup, int value)
{
    if (value >= FIRST_VALUE) return lookup->options[value - FIRST_VALUE];
    for (size_t i = 0; i < lookup->n; i++)
        if (lookup->options[i]->letter == value) return lookup->options[i];
    return NULL;
}

/* Whether text, which may be FILE:COLUMN, leads to the file that is to be written. */
static int leads_to(const char *text, const char *output)
{
    const char *colon = strrchr(text, ':');
    char file[4096];

    if (cli_output_is_input(output, text)) return 1;
    if (!colon || (size_t)(colon - text) >= sizeof file) return 0;
    snprintf(file, sizeof file, "%.*s", (int)(colon - text), text);
    return cli_output_is_input(output, file);
}

/* Of what was said, no output may be an input, nor be written twice. Returns -1, or an exit status. */
static int check_outputs(const struct cli_usage *usage, int n_inputs, char **inputs)
{
    for (size_t i = 0; i < n_said; i++) {
        const char *lost = NULL;

        if (said[i].kind != CLI_OUTPUT || strcmp(said[i].text, "-") == 0) continue;
        for (int k = 0; k < n_inputs; k++)
            if (cli_output_is_input(said[i].text, inputs[k])) lost = "an input";
        for (size_t k = 0; k < n_said; k++) {
            if (said[k].kind == CLI_TEXT && leads_to(said[k].text, said[i].text)) lost = "an input";
            if (k < i && said[k].kind == CLI_OUTPUT && strcmp(said[k].text, said[i].text) == 0)
                lost = "another output";
        }
        if (!lost) continue;
        fprintf(stderr, "assay %s: %s%s names %s, which would be lost\n", usage->command,
                strcmp(said[i].name, "output") == 0 ? "-" : "--",
                strcmp(said[i].name, "output") == 0 ? "o" : said[i].name, lost);
        return EXIT_USAGE;
    }
    return -1;
}

int cli_parse(int argc, char **argv, const struct cli_usage *usage,
              const struct cli_option_table *tables, int *first)
{
    struct lookup lookup;
    int value;

    fill_lookup(&lookup, tables);
    n_said = 0;
    opterr = 0;
    optind = 1;
    while ((value = getopt_long(argc, argv, lookup.letters, lookup.longs, NULL)) != -1) {
        const struct cli_option *option;

        if (value == HELP_VALUE || value == 'h') return help(stdout, usage, tables, EXIT_DONE);
        if (value == '?' || value == ':') return wrong_option(usage, value, argv[optind - 1]);
        option = find(&lookup, value);
        if (assign(option, optarg) != 0) return wrong_argument(usage, option, optarg);
        remember(option, option->kind == CLI_FLAG ? NULL : optarg);
    }
    *first = optind;
    return check_outputs(usage, argc - optind, argv + optind);
}

/* ---- options that commands share ---- */

void cli_common_options(struct cli_common *common, struct cli_option options[CLI_N_COMMON])
{
    *common = (struct cli_common){ 0 };
    const struct cli_option all[CLI_N_COMMON] = {
        { "output", 'o', CLI_OUTPUT, &common->output, "FILE",
          "write there, not to standard output" },
        { "force", 0, CLI_FLAG, &common->force, NULL,
          "where rows contradict each other keep the first, and go on" },
        { "strict", 0, CLI_FLAG, &common->strict, NULL,
          "exit with status 3 when an input was damaged" },
        { "quiet", 'q', CLI_FLAG, &common->quiet, NULL, "no notes and no progress bar" },
    };
    memcpy(options, all, sizeof all);
}

void cli_analysis_options(struct cli_analysis *analysis, struct cli_option options[CLI_N_ANALYSIS])
{
    *analysis = (struct cli_analysis){ .seed = 1, .level = 0.95 };
    const struct cli_option all[CLI_N_ANALYSIS] = {
        { "json", 0, CLI_FLAG, &analysis->json, NULL, "one JSON object instead of a table" },
        { "seed", 0, CLI_UNSIGNED, &analysis->seed, "N", "of everything random" },
        { "level", 0, CLI_REAL, &analysis->level, "P", "coverage of intervals" },
        { "threads", 't', CLI_INTEGER, &analysis->threads, "N",
          "processors to use; the result does not depend on it [all]" },
    };
    memcpy(options, all, sizeof all);
}

int cli_threads(const struct cli_analysis *analysis)
{
    const int64_t most = 99999; /* as good as any number that is out of range */

    return (int)(analysis->threads < -most  ? -most
                 : analysis->threads > most ? most
                                            : analysis->threads);
}

void cli_reading_options(struct cli_reading *reading, struct cli_option options[CLI_N_READING])
{
    assay_read_options *read = &reading->read;

    *reading = (struct cli_reading){ 0 };
    assay_read_options_init(read, sizeof *read);
    const struct cli_option all[CLI_N_READING] = {
        { "format", 0, CLI_FORMAT, &reading->format, "NAME",
          "what the inputs are: auto, csv, tsv, jsonl, or a tool's log (docs/formats.md)" },
        { "rows", 0, CLI_CHOICE, &reading->rows, "auto|models|items",
          "what a row of a wide table or a matrix is" },
        { "columns", 0, CLI_TEXT, &read->columns, "A,B", "read only these columns as items" },
        { "drop", 0, CLI_TEXT, &read->drop, "A,B", "these columns describe models; not items" },
        { "model", 0, CLI_TEXT, &read->model, "COLUMN", "of a long table: the model" },
        { "item", 0, CLI_TEXT, &read->item, "COLUMN", "... the item (question, instance)" },
        { "score", 0, CLI_TEXT, &read->score, "COLUMN", "... the score" },
        { "template", 0, CLI_TEXT, &read->template_column, "COLUMN", "... the prompt template" },
        { "run", 0, CLI_TEXT, &read->run, "COLUMN", "... the repeat" },
        { "repeats", 0, CLI_FLAG, &read->repeats, NULL,
          "rows that repeat a cell are further runs of it" },
        { "metric", 0, CLI_TEXT, &read->metric, "NAME",
          "of a log or .npz with several scores: which one" },
        { "filter", 0, CLI_TEXT, &read->filter, "NAME",
          "of a log with an answer as several filters left it: which one" },
        { "join", 0, CLI_CHOICE, &reading->join, "content|id",
          "by what items of several inputs are one: content, or ids alone" },
        { "task-name", 0, CLI_TEXT, &read->task_name, "PATTERN",
          "of lm-eval: tasks called like '{task}_{template}' are templates of one task" },
    };
    memcpy(options, all, sizeof all);
}
