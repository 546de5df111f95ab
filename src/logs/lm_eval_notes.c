/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lm_eval_notes.h"

#include "core/error.h"
#include "data/results.h"
#include "logs/metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static assay_status fail_unmet(const assay_table *table, const char *what, const char *option,
                               assay_name asked, const assay_names *met);
static int is_none_for_another(const assay_lm_eval_seen *seen);
static int comes_after_none(const assay_lm_eval_seen *seen);
static assay_status note_mapping(assay_table *table, const assay_lm_eval_seen *seen);
static assay_status note_choices(assay_table *table, const assay_lm_eval_seen *seen);
static assay_status note_metric(assay_table *table, const assay_lm_eval_seen *seen);
static assay_status note_results(assay_table *table, const assay_lm_eval_seen *seen);
static assay_status note_rows(assay_table *table, const assay_lm_eval_seen *seen);

void assay_lm_eval_seen_free(assay_lm_eval_seen *seen)
{
    assay_lm_eval_about_free(&seen->about);
    assay_names_free(&seen->metrics);
    assay_names_free(&seen->filters);
}

assay_status assay_lm_eval_conclude(assay_table *table, const assay_lm_eval_seen *seen)
{
    assay_status status;

    if (seen->filter != SIZE_MAX && comes_after_none(seen))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "lines of filter \"none\" stand before those of \"%.60s\" "
                             "(--filter), where a task has the one or the other; give --filter "
                             "none, or a file of the others alone",
                             seen->asked_filter.text);
    if (seen->filter == SIZE_MAX || is_none_for_another(seen))
        return fail_unmet(table, "filter", "filter", seen->asked_filter, &seen->filters);
    if (seen->chosen == SIZE_MAX && seen->asked_metric.text)
        return fail_unmet(table, "metric", "metric", seen->asked_metric, &seen->metrics);
    if (seen->chosen == SIZE_MAX || (seen->scored == 0 && seen->containers > 0)) {
        char names[ASSAY_HEADER_LIST_SIZE];

        assay_log_list(&seen->metrics, SIZE_MAX, names);
        if (seen->asked_metric.text)
            return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                                 "metric \"%.60s\" (--metric) is no number an item, so that no "
                                 "score follows; there are: %s",
                                 seen->metrics.text[seen->chosen], names);
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "no metric is a number an item, so that no score follows%s%s",
                             names[0] ? "; there are: " : "", names);
    }
    status = note_mapping(table, seen);
    if (status == ASSAY_OK) status = note_choices(table, seen);
    if (status == ASSAY_OK) status = note_metric(table, seen);
    if (status == ASSAY_OK) status = note_results(table, seen);
    return status == ASSAY_OK ? note_rows(table, seen) : status;
}

/* Lines of "none" were taken whatever --filter says, as of a task that has no others: but it has. */
static int is_none_for_another(const assay_lm_eval_seen *seen)
{
    return seen->asked_filter.text && seen->filters.count > 1 &&
           !assay_name_is(seen->asked_filter, seen->filters.text[seen->filter]);
}

static int comes_after_none(const assay_lm_eval_seen *seen)
{
    return is_none_for_another(seen) && assay_names_find(&seen->filters, seen->asked_filter.text,
                                                         seen->asked_filter.length) >= 0;
}

static assay_status fail_unmet(const assay_table *table, const char *what, const char *option,
                               assay_name asked, const assay_names *met)
{
    char names[ASSAY_HEADER_LIST_SIZE];

    assay_log_list(met, SIZE_MAX, names);
    return assay_fail_at(ASSAY_E_VALUE, table->path, 0, "no %s \"%.*s\" (--%s); there are: %s",
                         what, (int)(asked.length < 60 ? asked.length : 60), asked.text, option,
                         names);
}

static assay_status note_mapping(assay_table *table, const assay_lm_eval_seen *seen)
{
    const char *filter = seen->filters.text[seen->filter];
    const int is_split = table->options->task_name && !seen->not_split && seen->about.task;
    char mapping[ASSAY_TABLE_NOTE_SIZE];

    snprintf(
        mapping, sizeof mapping,
        "samples of lm-evaluation-harness; model = %s, item = %s, %sscore = \"%.60s\"%s%.60s%s",
        seen->about.model ? seen->about.model_is_from : "the file",
        seen->score_tasks > 0 ? "doc.question_id" : "task and doc_id",
        seen->score_tasks > 0 ? "template = doc.prompt_id, "
        : is_split            ? "template = part of the task's name, "
                              : "",
        seen->metrics.text[seen->chosen], filter[0] == '#' ? "" : ", filter \"",
        filter[0] == '#' ? "" : filter, filter[0] == '#' ? "" : "\"");
    return assay_table_note_mapping(table, mapping);
}

static assay_status note_choices(assay_table *table, const assay_lm_eval_seen *seen)
{
    char names[ASSAY_HEADER_LIST_SIZE];
    assay_status status = ASSAY_OK;

    if (seen->metrics.count > 1 && !seen->asked_metric.text) {
        assay_log_list(&seen->metrics, seen->chosen, names);
        status = assay_results_add_note(table->results,
                                        "%s: scored by \"%.60s\"; --metric chooses another: %s",
                                        table->path, seen->metrics.text[seen->chosen], names);
    }
    if (status == ASSAY_OK && seen->filters.count > 1) {
        assay_log_list(&seen->filters, seen->filter, names);
        status = assay_results_add_note(table->results,
                                        "%s: every item stands once a filter; those of \"%.60s\" "
                                        "are read, and --filter chooses "
                                        "another: %s",
                                        table->path, seen->filters.text[seen->filter], names);
    }
    return status;
}

/* What is known of metrics whose mean over items is not what the harness publishes. */
static assay_status note_metric(assay_table *table, const assay_lm_eval_seen *seen)
{
    static const char *const others[] = { "f1",
                                          "mcc",
                                          "matthews_corrcoef",
                                          "bleu",
                                          "chrf",
                                          "ter",
                                          "median",
                                          "nanmean",
                                          "perplexity",
                                          "word_perplexity",
                                          "byte_perplexity",
                                          "bits_per_byte" };
    const char *metric = seen->metrics.text[seen->chosen];
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < sizeof others / sizeof others[0]; k++)
        if (strcmp(metric, others[k]) == 0)
            status = assay_results_add_note(table->results,
                                            "%s: \"%.60s\" of all items is not the mean of "
                                            "theirs%s: means here are of what the "
                                            "items say",
                                            table->path, metric,
                                            k >= 8 ? " (an item's is a log-likelihood)" : "");
    if (status == ASSAY_OK && assay_names_find(&seen->about.lower, metric, strlen(metric)) >= 0)
        status = assay_results_add_note(table->results, "%s: of \"%.60s\", lower is better",
                                        table->path, metric);
    return status;
}

static assay_status note_results(assay_table *table, const assay_lm_eval_seen *seen)
{
    const assay_lm_eval_about *about = &seen->about;
    assay_status status = ASSAY_OK;

    if (about->unread)
        status = assay_results_add_note(table->results, "passed by: %s", about->unread);
    if (status == ASSAY_OK && about->n_effective > (double)seen->used)
        status = assay_results_add_note(table->results, "%s: %zu of %.0f items present",
                                        table->path, seen->used, about->n_effective);
    if (status == ASSAY_OK && about->no_error)
        status = assay_results_add_note(
            table->results, "%s: \"%.60s\" is no number; errors here are computed from the items",
            about->results, about->no_error);
    return status;
}

static assay_status note_rows(assay_table *table, const assay_lm_eval_seen *seen)
{
    assay_status status = ASSAY_OK;

    if (seen->repeated > 0)
        status = assay_results_add_note(
            table->results,
            "%s: items with several answers (repeats): %zu; the harness scores one value of each, "
            "so that they are one run",
            table->path, seen->repeated);
    if (status == ASSAY_OK && seen->not_split)
        status = assay_results_add_note(
            table->results, "%s: the task \"%.80s\" does not fit --task-name, and is no template",
            table->path, seen->about.task);
    if (status == ASSAY_OK && seen->lost_characters > 0)
        status = assay_results_add_note(
            table->results,
            "%s: prompts with characters that could not be read (U+FFFD), as where a file is not "
            "UTF-8: %zu",
            table->path, seen->lost_characters);
    return status;
}
