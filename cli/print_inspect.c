/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect_answer.h"
#include "session.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHOWN_NAMES = 6, NAME_SIZE = 100, FORMATS_MAX = 128 };

typedef const char *(*name_of)(const assay_results *, size_t);

static void print_part(FILE *to, const struct inspect_part *part);
static void print_formats(FILE *to, const assay_results *results);
static void print_names(FILE *to, const char *what, const assay_results *results, size_t n,
                        name_of name);
static void print_scores(FILE *to, const assay_inspection *found);
static void print_questions(FILE *to, const assay_inspection *found);

assay_status print_inspect_table(FILE *to, const void *data)
{
    const struct inspect_answer *answer = data;

    for (size_t k = 0; k < answer->n; k++) {
        if (k > 0) putc('\n', to);
        print_part(to, &answer->parts[k]);
    }
    if (!answer->together.results) return ASSAY_OK;
    putc('\n', to);
    print_part(to, &answer->together);
    return ASSAY_OK;
}

static void print_part(FILE *to, const struct inspect_part *part)
{
    const assay_results *results = part->results;
    const assay_inspection *found = &part->found;
    char safe[NAME_SIZE * 4];

    fprintf(to, "%s\n",
            part->path ? assay_printable(safe, sizeof safe, part->path, strlen(part->path))
                       : "all together");
    if (!results) {
        fprintf(to, "  cannot be read  %s\n", part->problems[0]);
        return;
    }
    if (part->path) print_formats(to, results);
    for (size_t k = 0; part->path && k < assay_results_n_notes(results); k++)
        fprintf(to, "  note            %s\n", assay_results_note(results, k));
    fputs("  ", to);
    cli_print_coverage(to, results);
    print_names(to, "models", results, found->models, assay_results_model);
    print_names(to, "tasks", results, found->tasks, assay_results_task);
    print_names(to, "items", results, found->items, assay_results_item);
    print_names(to, "templates", results, found->templates, assay_results_template);
    print_names(to, "runs", results, found->runs, assay_results_run);
    if (found->clusters) fprintf(to, "  clusters        %zu\n", found->clusters);
    if (found->items_with_text)
        fprintf(to, "  texts           %zu items have one, %zu different\n", found->items_with_text,
                found->distinct_texts);
    print_scores(to, found);
    for (size_t k = 0; k < part->n_problems; k++)
        fprintf(to, "  problem         %s\n", part->problems[k]);
    print_questions(to, found);
}

/* What the files of the part are: one, or how many of each format. */
static void print_formats(FILE *to, const assay_results *results)
{
    const char *formats[FORMATS_MAX]; /* literals: of one reader one */
    size_t counts[FORMATS_MAX], n = assay_results_n_inputs(results), n_formats = 0;

    for (size_t k = 0; k < n; k++) {
        const char *format = assay_results_input_format(results, k);
        size_t at = 0;

        while (at < n_formats && formats[at] != format) at++;
        if (!format || at == FORMATS_MAX) continue;
        if (at == n_formats) {
            formats[n_formats] = format;
            counts[n_formats++] = 0;
        }
        counts[at]++;
    }
    for (size_t k = 0; k < n_formats; k++)
        if (n == 1)
            fprintf(to, "  is              %s\n", formats[k]);
        else
            fprintf(to, "  holds           %zu file%s: %s\n", counts[k], counts[k] == 1 ? "" : "s",
                    formats[k]);
}

/* A thing that was never named is no name: one template, one run. */
static void print_names(FILE *to, const char *what, const assay_results *results, size_t n,
                        name_of name)
{
    char safe[NAME_SIZE];

    if (n == 0 || (n == 1 && !*name(results, 0))) return;
    fprintf(to, "  %-14s  %zu: ", what, n);
    for (size_t k = 0; k < n && k < SHOWN_NAMES; k++) {
        const char *text = name(results, k);

        fprintf(to, "%s%s", k ? ", " : "",
                *text ? assay_printable(safe, sizeof safe, text, strlen(text)) : "(no name)");
    }
    if (n > SHOWN_NAMES) fprintf(to, " and %zu more", n - SHOWN_NAMES);
    putc('\n', to);
}

static void print_scores(FILE *to, const assay_inspection *found)
{
    if (found->scores == 0)
        fputs("  scores          none\n", to);
    else if (found->binary)
        fprintf(to, "  scores          %" PRIu64 ", each 0 or 1\n", found->scores);
    else
        fprintf(to, "  scores          %" PRIu64 ", from %g to %g\n", found->scores, found->low,
                found->high);
}

static void print_questions(FILE *to, const assay_inspection *found)
{
    for (int q = 0; q < ASSAY_N_QUESTIONS; q++) {
        const char *lacks = assay_inspection_lacks(found, (assay_question)q);

        fprintf(to, "  %-22s  %s\n", inspect_question_name((assay_question)q),
                lacks ? lacks : "yes");
    }
}

/* ---- JSON ---- */

static void json_count(assay_json *json, const char *key, uint64_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_names(assay_json *json, const char *key, const assay_results *results, size_t n,
                       name_of name)
{
    assay_json_key(json, key);
    assay_json_begin_array(json);
    for (size_t k = 0; k < n; k++) assay_json_text(json, name(results, k));
    assay_json_end_array(json);
}

static void json_files(assay_json *json, const assay_results *results)
{
    assay_json_key(json, "files");
    assay_json_begin_array(json);
    for (size_t k = 0; k < assay_results_n_inputs(results); k++) {
        assay_json_begin_object(json);
        assay_json_key(json, "path");
        assay_json_text(json, assay_results_input(results, k).path);
        assay_json_key(json, "format");
        assay_json_text(json, assay_results_input_format(results, k));
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_questions(assay_json *json, const assay_inspection *found)
{
    assay_json_key(json, "questions");
    assay_json_begin_array(json);
    for (int q = 0; q < ASSAY_N_QUESTIONS; q++) {
        const char *lacks = assay_inspection_lacks(found, (assay_question)q);

        assay_json_begin_object(json);
        assay_json_key(json, "question");
        assay_json_text(json, inspect_question_name((assay_question)q));
        assay_json_key(json, "command");
        assay_json_text(json, assay_question_command((assay_question)q));
        assay_json_key(json, "possible");
        assay_json_bool(json, !lacks);
        assay_json_key(json, "needs");
        assay_json_text(json, lacks);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_found(assay_json *json, const struct inspect_part *part)
{
    const assay_results *results = part->results;
    const assay_inspection *found = &part->found;

    json_files(json, results);
    json_names(json, "models", results, found->models, assay_results_model);
    json_names(json, "tasks", results, found->tasks, assay_results_task);
    json_names(json, "templates", results, found->templates, assay_results_template);
    json_names(json, "runs", results, found->runs, assay_results_run);
    json_count(json, "items", found->items);
    json_count(json, "items_of_all_models", found->items_of_all);
    json_count(json, "fewest_items_of_a_model", found->fewest_items);
    json_count(json, "most_items_of_a_model", found->most_items);
    json_count(json, "items_that_differ", found->items_that_differ);
    json_count(json, "most_templates_of_a_model", found->most_templates_of_a_model);
    json_count(json, "clusters", found->clusters);
    json_count(json, "items_with_text", found->items_with_text);
    json_count(json, "distinct_texts", found->distinct_texts);
    json_count(json, "repeated_cells", found->repeated_cells);
    json_count(json, "scores", found->scores);
    cli_json_estimate(json, "lowest_score", found->low, "no cell has a score");
    cli_json_estimate(json, "highest_score", found->high, "no cell has a score");
    assay_json_key(json, "all_0_or_1");
    assay_json_bool(json, found->scores > 0 && found->binary);
    json_names(json, "notes", results, assay_results_n_notes(results), assay_results_note);
}

static void json_part(assay_json *json, const struct inspect_part *part)
{
    assay_json_begin_object(json);
    assay_json_key(json, "path");
    assay_json_text(json, part->path);
    assay_json_key(json, "readable");
    assay_json_bool(json, part->results != NULL);
    if (part->results) json_found(json, part);
    assay_json_key(json, "problems");
    assay_json_begin_array(json);
    for (size_t k = 0; k < part->n_problems; k++) assay_json_text(json, part->problems[k]);
    assay_json_end_array(json);
    if (part->results) json_questions(json, &part->found);
    assay_json_end_object(json);
}

assay_status print_inspect_json(FILE *to, const void *data)
{
    const struct inspect_answer *answer = data;
    const struct inspect_part *whole = inspect_whole(answer);
    const assay_coverage none = { 0 };
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    if (whole->results)
        cli_json_head(&json, "assay.inspect/1", "inspect", 0, whole->results);
    else
        cli_json_head_of(&json, "assay.inspect/1", "inspect", 0, NULL, 0, none);
    assay_json_key(&json, "arguments");
    assay_json_begin_array(&json);
    for (size_t k = 0; k < answer->n; k++) json_part(&json, &answer->parts[k]);
    assay_json_end_array(&json);
    assay_json_key(&json, "together");
    if (answer->together.results)
        json_part(&json, &answer->together);
    else
        assay_json_null(&json);
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}
