/* SPDX-License-Identifier: Apache-2.0 */
/* What the report is called, and the commands that make it and its parts again. */
#include "audit_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void report_say(char *text, size_t size, const char *format, ...)
{
    static const char cut[] = "...";
    size_t used = strlen(text);
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= size - used)
        memcpy(text + size - sizeof cut, cut, sizeof cut);
}

/* ---- commands ---- */

/* " word", quoted where a shell needs it. */
static void say_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-/,:=+@%";

    if (*word && strspn(word, plain) == strlen(word)) {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", to);
        else
            putc(*word, to);
    }
    putc('\'', to);
}

/* The k-th of "a|b|c". */
static void say_choice(FILE *to, const char *choices, int k)
{
    while (k-- > 0) choices = strchr(choices, '|') + 1;
    fprintf(to, " %.*s", (int)strcspn(choices, "|"), choices);
}

/* Options of reading that are not as they come. */
static void say_reading(FILE *to, const struct report_request *request)
{
    struct cli_reading reading;
    struct cli_option options[CLI_N_READING];

    cli_reading_options(&reading, options);
    reading = request->reading;
    for (int k = 0; k < CLI_N_READING; k++) {
        const struct cli_option *option = &options[k];

        if (option->kind == CLI_TEXT && *(const char **)option->value) {
            fprintf(to, " --%s", option->name);
            say_word(to, *(const char **)option->value);
        } else if (option->kind == CLI_FLAG && *(int *)option->value) {
            fprintf(to, " --%s", option->name);
        } else if (option->kind == CLI_CHOICE && *(int *)option->value) {
            fprintf(to, " --%s", option->name);
            say_choice(to, option->argument, *(int *)option->value);
        }
    }
}

/* `assay templates` has another than the others, cmd_templates.c. */
static double default_level(const char *command)
{
    return strcmp(command, "templates") == 0 ? 0.9 : 0.95;
}

/* How the prompts were compared, also where that was left to the machine: NULL where they were not. */
static const char *embed_of(const struct report *report)
{
    return report->has_score ? report->score_request.embed : report->request->embed;
}

char *report_command_of(const struct report *report, const char *command, int with_prompts,
                        const char *options)
{
    const struct report_request *request = report->request;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    if (!to) return NULL;
    fprintf(to, "assay %s", command);
    for (int i = 0; i < request->n_paths; i++) say_word(to, request->paths[i]);
    if (with_prompts && request->prompts) {
        fputs(" --prompts", to);
        say_word(to, request->prompts);
    }
    if (with_prompts && embed_of(report)) {
        fputs(" --embed", to);
        say_word(to, embed_of(report));
    }
    say_reading(to, request);
    if (request->common.force) fputs(" --force", to);
    if (request->analysis.level != default_level(command))
        fprintf(to, " --level %g", request->analysis.level);
    if (request->analysis.seed != 1) fprintf(to, " --seed %" PRIu64, request->analysis.seed);
    if (*options) fprintf(to, " %s", options);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}

/* Without --threads and --quiet: the same page comes of it. */
char *report_command(const struct report *report)
{
    const char *output = report->request->common.output;
    char *made = report_command_of(report, "audit", 1, ""), *text = NULL;
    size_t length;
    FILE *to = made ? open_memstream(&text, &length) : NULL;

    if (to) {
        fprintf(to, "%s -o", made);
        say_word(to, output ? output : "report.html");
        if (fclose(to) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(made);
    return text;
}

/* ---- names ---- */

/* How many bytes all paths have in common, up to the last slash. */
static size_t common_folder(char **paths, int n)
{
    size_t length = strlen(paths[0]);

    for (int i = 1; i < n; i++)
        for (size_t k = 0; k < length; k++)
            if (paths[i][k] != paths[0][k]) length = k;
    while (length > 0 && paths[0][length - 1] != '/') length--;
    return length;
}

/* The last part of a path of that length, without slashes behind. */
static void name_of(const char *path, size_t length, char *out, size_t size)
{
    size_t first;

    while (length > 1 && path[length - 1] == '/') length--;
    first = length;
    while (first > 0 && path[first - 1] != '/') first--;
    assay_printable(out, size, path + first, length - first);
}

static void count(char *text, size_t size, const char *before, size_t n, const char *what)
{
    report_say(text, size, "%s%zu %s%s", before, n, what, n == 1 ? "" : "s");
}

void report_name(struct report *report)
{
    char **paths = report->request->paths;
    int n = report->request->n_paths;
    size_t folder = n > 1 ? common_folder(paths, n) : strlen(paths[0]);
    size_t runs = assay_results_n_runs(report->results);
    size_t templates = assay_results_n_templates(report->results);
    char *subtitle = report->subtitle;

    if (n == 1 && strcmp(paths[0], "-") == 0)
        snprintf(report->title, sizeof report->title, "standard input");
    else
        name_of(paths[0], folder > 0 ? folder : strlen(paths[0]), report->title,
                sizeof report->title - 32);
    if (n > 1 && folder == 0)
        report_say(report->title, sizeof report->title, " and %d more", n - 1);
    count(subtitle, sizeof report->subtitle, "", assay_matrix_n_models(report->matrix), "model");
    if (report->has_score)
        count(subtitle, sizeof report->subtitle, ", ", assay_prompts_n(report->score.prompts),
              "prompt");
    else
        count(subtitle, sizeof report->subtitle, ", ", assay_matrix_n_items(report->matrix),
              "item");
    if (templates > 1) count(subtitle, sizeof report->subtitle, ", ", templates, "wording");
    report_say(subtitle, sizeof report->subtitle,
               runs > 1 ? ", several runs a cell" : ", one run a cell");
}
