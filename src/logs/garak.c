/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/garak.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/garak_line.h"
#include "logs/metrics.h"
#include "logs/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_HASH = 16 };

/* What was noticed on the way, for the notes at the end. */
typedef struct tally {
    size_t attempts, repeated_lines, repeated_prompts, without_metric, several_detectors;
} tally;

typedef struct report {
    assay_table *table;
    assay_json_reader *reader;
    const char *metric;
    assay_garak_line line;
    double threshold;
    char *model;       /* NULL: no set-up line named it */
    assay_names begun; /* attempts, by probe, uuid and seq */
    size_t n_finished; /* of those */
    unsigned char *finished;
    size_t finished_capacity;
    assay_names known;  /* finished attempts, by the same and the hash of what was said */
    size_t *first_runs; /* of those, less 1 */
    size_t first_runs_capacity;
    size_t *n_runs; /* so far, by item of the table */
    size_t n_runs_capacity, n_runs_set;
    assay_names probes, detectors; /* detectors: all that were seen */
    size_t *primary;               /* of each probe: the detector it is scored by */
    size_t primary_capacity;
    char *key; /* of the attempt at hand */
    size_t key_capacity;
    tally seen;
} report;

static assay_status read_lines(report *r);
static assay_status take_line(report *r);
static assay_status refuse_hitlog(const report *r);
static assay_status take_setup(report *r);
static assay_status take_attempt(report *r);
static assay_status mark_begun(report *r, size_t *key_length);
static assay_status choose_detector(report *r, const assay_garak_detector **chosen);
static assay_status learn_detectors(report *r, size_t *primary);
static assay_status find_attempt(report *r, size_t key_length, int *is_new, size_t *attempt);
static assay_status name_item(report *r, size_t *item);
static assay_status first_run(report *r, size_t item, size_t n, int is_new, size_t *first);
static assay_status put_outputs(report *r, const assay_garak_detector *detector, size_t n,
                                size_t item, size_t first);
static assay_status put_output(report *r, size_t model, size_t item, size_t run, double score,
                               assay_score_state state);
static assay_status finish(report *r);
static assay_status add_notes(report *r);
static assay_status keep_what_came(report *r, assay_status status);
static assay_status set_key(report *r, size_t at, const char *text, size_t length);
static assay_status fail_memory(void);

int assay_garak_is_report(const assay_log_head *head)
{
    return assay_log_head_at(head, "entry_type") == ASSAY_JSON_STRING;
}

int assay_garak_is_hitlog(const assay_log_head *head)
{
    return assay_log_head_at(head, "goal") != ASSAY_JSON_END &&
           (assay_log_head_at(head, "attempt_idx") != ASSAY_JSON_END ||
            assay_log_head_at(head, "generations_per_prompt") != ASSAY_JSON_END);
}

assay_status assay_garak_read(assay_table *table, const assay_log_head *head)
{
    report r = { .table = table, .metric = table->options->metric, .threshold = 0.5 };
    assay_status status = assay_json_open(table->path, assay_input_read, table->input, &r.reader);

    (void)head;
    if (status == ASSAY_OK) status = read_lines(&r);
    if (status == ASSAY_E_FORMAT) status = keep_what_came(&r, status);
    if (status == ASSAY_OK) status = finish(&r);
    assay_json_close(r.reader);
    assay_garak_line_free(&r.line);
    assay_names_free(&r.begun);
    assay_names_free(&r.known);
    assay_names_free(&r.probes);
    assay_names_free(&r.detectors);
    free(r.model);
    free(r.finished);
    free(r.first_runs);
    free(r.n_runs);
    free(r.primary);
    free(r.key);
    return status;
}

static assay_status read_lines(report *r)
{
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_status status = assay_json_next(r->reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        if (event != ASSAY_JSON_OBJECT)
            return assay_fail_at(ASSAY_E_FORMAT, r->table->path, assay_json_line(r->reader),
                                 "a JSON value that is not an object, expected garak's entries");
        if ((status = assay_garak_line_read(&r->line, r->reader)) != ASSAY_OK) return status;
        if ((status = take_line(r)) != ASSAY_OK) return status;
        if ((status = assay_table_step(r->table)) != ASSAY_OK) return status;
    }
}

static assay_status take_line(report *r)
{
    const assay_garak_text *type = &r->line.entry_type;

    if (!type->present && r->line.is_hit) return refuse_hitlog(r);
    if (!type->present)
        return assay_fail_at(ASSAY_E_FORMAT, r->table->path, r->line.number,
                             "an entry without \"entry_type\", expected a garak report");
    if (strcmp(type->text, "start_run setup") == 0) return take_setup(r);
    if (strcmp(type->text, "attempt") == 0) return take_attempt(r);
    return ASSAY_OK; /* garak's own sums and timings */
}

static assay_status refuse_hitlog(const report *r)
{
    return assay_fail_at(
        ASSAY_E_FORMAT, r->table->path, r->line.number,
        "a garak hitlog, which lists only the attacks that worked, so that no rate "
        "follows; give the report.jsonl of the same run");
}

static assay_status take_setup(report *r)
{
    const assay_garak_text *type = &r->line.target_type, *name = &r->line.target_name;
    size_t length = type->length + name->length + 2;

    free(r->model);
    r->model = NULL;
    r->n_runs_set = 0; /* several runs one after the other: each starts anew */
    r->threshold = isnan(r->line.threshold) ? 0.5 : r->line.threshold;
    if (!type->present && !name->present) return ASSAY_OK;
    if (!(r->model = assay_alloc(length, 1))) return fail_memory();
    snprintf(r->model, length, "%s%s%s", type->present ? type->text : "",
             type->present && name->present ? ":" : "", name->present ? name->text : "");
    return assay_table_check_name(r->table, r->line.number, "target's name",
                                  (assay_name){ r->model, strlen(r->model) });
}

static assay_status take_attempt(report *r)
{
    const assay_garak_detector *detector;
    size_t key_length, attempt, item, n, first;
    assay_status status = assay_table_check_name(
        r->table, r->line.number, "probe_classname",
        (assay_name){ r->line.probe.present ? r->line.probe.text : "", r->line.probe.length });
    int is_new = 0;

    if (status == ASSAY_OK) status = mark_begun(r, &key_length);
    if (status != ASSAY_OK || r->line.status != 2.0) return status;
    if ((status = choose_detector(r, &detector)) != ASSAY_OK) return status;
    if ((status = find_attempt(r, key_length, &is_new, &attempt)) != ASSAY_OK) return status;
    if (r->metric && !detector) {
        r->seen.without_metric += (size_t)is_new;
        return ASSAY_OK;
    }
    r->seen.attempts += (size_t)is_new;
    r->seen.repeated_lines += (size_t)!is_new;
    if (!is_new && r->table->options->repeats) return ASSAY_OK;
    n = detector && detector->n > r->line.n_outputs ? detector->n : r->line.n_outputs;
    if ((status = name_item(r, &item)) != ASSAY_OK) return status;
    first = r->first_runs[attempt];
    if ((status = first_run(r, item, n, is_new, &first)) != ASSAY_OK) return status;
    r->first_runs[attempt] = first;
    return put_outputs(r, detector, n, item, first);
}

/* Every attempt is written twice, when it was sent and when it was judged: one that was never judged
   is missing from the scores, and said so. */
static assay_status mark_begun(report *r, size_t *key_length)
{
    const assay_garak_text *parts[] = { &r->line.probe, &r->line.uuid, &r->line.seq };
    size_t attempt, length = 0, known = r->begun.count;
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < 3; k++) {
        status = set_key(r, length, parts[k]->present ? parts[k]->text : "", parts[k]->length);
        length += parts[k]->length;
        if (status == ASSAY_OK) status = set_key(r, length++, "\x1f", 1);
    }
    if (status != ASSAY_OK) return status;
    *key_length = length;
    if (assay_names_add(&r->begun, r->key, length, &attempt) != 0 ||
        assay_grow(&r->finished, &r->finished_capacity, r->begun.count, 1) != 0)
        return fail_memory();
    if (attempt == known) r->finished[attempt] = 0;
    if (r->line.status != 2.0 || r->finished[attempt]) return ASSAY_OK;
    r->finished[attempt] = 1;
    r->n_finished++;
    return ASSAY_OK;
}

/* The metric asked for, or the probe's primary detector; NULL where the line has no such scores. */
static assay_status choose_detector(report *r, const assay_garak_detector **chosen)
{
    size_t primary = 0;
    assay_status status = learn_detectors(r, &primary);

    *chosen = NULL;
    for (size_t k = 0; status == ASSAY_OK && k < r->line.n_detectors; k++) {
        const assay_garak_detector *detector = &r->line.detectors[k];
        const char *name = assay_garak_detector_name(detector->name.text);
        const char *wanted =
            r->metric ? assay_garak_detector_name(r->metric) : r->detectors.text[primary];

        if (strcmp(name, wanted) == 0) *chosen = detector;
    }
    return status;
}

/* The first one of a probe's first judged attempt is garak's primary detector. */
static assay_status learn_detectors(report *r, size_t *primary)
{
    size_t probe, first = SIZE_MAX, known = r->probes.count;

    if (assay_names_add(&r->probes, r->line.probe.text, r->line.probe.length, &probe) != 0 ||
        assay_grow(&r->primary, &r->primary_capacity, r->probes.count, sizeof *r->primary) != 0)
        return fail_memory();
    if (probe == known) r->primary[probe] = SIZE_MAX;
    for (size_t k = 0; k < r->line.n_detectors; k++) {
        const char *name = assay_garak_detector_name(r->line.detectors[k].name.text);
        size_t index;

        if (assay_names_add(&r->detectors, name, strlen(name), &index) != 0) return fail_memory();
        if (k == 0) first = index;
    }
    if (r->primary[probe] == SIZE_MAX) r->primary[probe] = first;
    r->seen.several_detectors += r->line.n_detectors > 1;
    *primary = r->primary[probe];
    return ASSAY_OK;
}

/* Aggregated reports give all attempts one uuid and count seq anew: what was said tells them apart. */
static assay_status find_attempt(report *r, size_t key_length, int *is_new, size_t *attempt)
{
    const assay_garak_text *said[] = { &r->line.prompt, &r->line.outputs };
    size_t known = r->known.count, length = key_length;
    char hex[ASSAY_LOG_HASH_SIZE];

    for (size_t k = 0; k < 2; k++, length += ASSAY_LOG_HASH_SIZE - 1) {
        assay_status status;

        assay_log_hash(said[k]->text, said[k]->length, hex);
        status = set_key(r, length, hex, ASSAY_LOG_HASH_SIZE - 1);
        if (status != ASSAY_OK) return status;
    }
    if (assay_names_add(&r->known, r->key, length, attempt) != 0 ||
        assay_grow(&r->first_runs, &r->first_runs_capacity, r->known.count,
                   sizeof *r->first_runs) != 0)
        return fail_memory();
    *is_new = *attempt == known;
    if (*is_new) r->first_runs[*attempt] = 0;
    return ASSAY_OK;
}

static assay_status name_item(report *r, size_t *item)
{
    const assay_garak_text *probe = &r->line.probe, *prompt = &r->line.prompt, *seq = &r->line.seq;
    assay_results *results = r->table->results;
    size_t length = probe->length;
    char hex[ASSAY_LOG_HASH_SIZE];
    assay_status status = set_key(r, 0, probe->text, probe->length);

    assay_log_hash(prompt->text, prompt->length, hex);
    if (status == ASSAY_OK) status = set_key(r, length, "/#", prompt->present ? 1 : 2);
    length += prompt->present ? 1 : 2;
    if (status == ASSAY_OK)
        status = prompt->present ? set_key(r, length, hex, ITEM_HASH)
                                 : set_key(r, length, seq->present ? seq->text : "", seq->length);
    length += prompt->present ? ITEM_HASH : seq->length;
    if (status == ASSAY_OK) status = assay_results_name_item(results, r->key, length, item);
    if (status == ASSAY_OK)
        status = assay_results_set_item_cluster(results, *item, probe->text, probe->length);
    if (status == ASSAY_OK && prompt->present)
        status = assay_results_set_item_text(results, *item, prompt->text, prompt->length);
    return status;
}

static assay_status first_run(report *r, size_t item, size_t n, int is_new, size_t *first)
{
    if (!is_new) return ASSAY_OK;
    if (assay_grow(&r->n_runs, &r->n_runs_capacity, item + 1, sizeof *r->n_runs) != 0)
        return fail_memory();
    for (; r->n_runs_set <= item; r->n_runs_set++) r->n_runs[r->n_runs_set] = 0;
    *first = r->n_runs[item];
    r->n_runs[item] += n;
    r->seen.repeated_prompts += *first > 0;
    return ASSAY_OK;
}

static assay_status put_outputs(report *r, const assay_garak_detector *detector, size_t n,
                                size_t item, size_t first)
{
    const char *name = r->model ? r->model : r->table->path;
    size_t model;
    assay_status status = assay_results_name_model(r->table->results, name, strlen(name), &model);

    if (!r->model) r->table->model_is_path = 1;
    for (size_t k = 0; status == ASSAY_OK && k < n; k++) {
        double score = detector && k < detector->n ? detector->scores[k] : NAN;
        int no_answer = k < r->line.n_outputs && r->line.output_is_null[k];

        if (isnan(score))
            status = put_output(r, model, item, first + k, NAN,
                                no_answer ? ASSAY_ERRORED : ASSAY_UNSCORED);
        else
            status = put_output(r, model, item, first + k, score < r->threshold, ASSAY_SCORED);
    }
    return status;
}

static assay_status put_output(report *r, size_t model, size_t item, size_t run, double score,
                               assay_score_state state)
{
    assay_results *results = r->table->results;
    char name[24];
    size_t template_index, record, length = (size_t)snprintf(name, sizeof name, "%zu", run + 1);
    assay_status status = assay_results_name_template(results, "", 0, &template_index);

    if (status == ASSAY_OK && r->table->options->repeats)
        status = assay_results_next_run(results, model, template_index, item, &record);
    else if (status == ASSAY_OK) {
        status = assay_results_name_run(results, name, length, &run);
        if (status == ASSAY_OK)
            status = assay_results_find_record(results, model, template_index, run, &record);
    }
    if (status == ASSAY_OK) status = assay_results_put(results, record, item, score, state);
    if (status == ASSAY_E_CONFLICT)
        return assay_table_fail_conflict(r->table, r->line.number, 1, 0);
    return status == ASSAY_OK ? ASSAY_OK : assay_table_fail(r->table, r->line.number, status, "");
}

static assay_status finish(report *r)
{
    char list[ASSAY_HEADER_LIST_SIZE];

    if (r->seen.attempts > 0) return add_notes(r);
    if (r->seen.without_metric == 0)
        return assay_fail_at(ASSAY_E_FORMAT, r->table->path, 0,
                             "a garak report without a finished attempt (status 2)");
    assay_log_list(&r->detectors, SIZE_MAX, list);
    return assay_fail_at(ASSAY_E_VALUE, r->table->path, 0,
                         "no detector \"%.60s\" (--metric); there are: %s", r->metric, list);
}

static assay_status add_notes(report *r)
{
    const tally *seen = &r->seen;
    const char *path = r->table->path;
    assay_results *results = r->table->results;
    char list[ASSAY_HEADER_LIST_SIZE];
    assay_status status = assay_results_add_note(
        results,
        "%s: garak report, %zu attempt%s; model = target, item = probe and prompt, run = output, "
        "score = 1 where the attack failed (detector below %g), cluster = probe",
        path, seen->attempts, seen->attempts == 1 ? "" : "s", r->threshold);

    assay_log_list(&r->detectors, SIZE_MAX, list);
    if (status == ASSAY_OK && !r->metric && seen->several_detectors > 0)
        status = assay_results_add_note(results,
                                        "%s: several detectors an attempt; each probe is scored by "
                                        "its first, and --metric chooses another: %s",
                                        path, list);
    if (status == ASSAY_OK && seen->without_metric > 0)
        status =
            assay_results_add_note(results, "%s: attempts without detector %.60s, left out: %zu",
                                   path, r->metric, seen->without_metric);
    if (status == ASSAY_OK && seen->repeated_lines > 0)
        status =
            assay_results_add_note(results, "%s: lines that repeat an attempt, counted once: %zu",
                                   path, seen->repeated_lines);
    if (status == ASSAY_OK && seen->repeated_prompts > 0)
        status = assay_results_add_note(results,
                                        "%s: attempts with a prompt that their probe sent before, "
                                        "whose outputs are further runs of it: %zu",
                                        path, seen->repeated_prompts);
    if (status == ASSAY_OK && r->n_finished < r->begun.count)
        status = assay_results_add_note(results, "%s: attempts never finished, left out: %zu", path,
                                        r->begun.count - r->n_finished);
    return status;
}

/* A report that was cut off keeps the attempts that are whole. */
static assay_status keep_what_came(report *r, assay_status status)
{
    int is_cut = assay_json_is_cut(r->reader) || assay_input_is_cut(r->table->input);

    if (!is_cut || r->seen.attempts == 0) return status;
    assay_results_mark_damaged(r->table->results);
    return assay_results_add_note(r->table->results,
                                  "%s:%zu: cut short; the %zu attempts before were read",
                                  r->table->path, assay_json_line(r->reader), r->seen.attempts);
}

/* Put text into the key at a place, where what was there ends. */
static assay_status set_key(report *r, size_t at, const char *text, size_t length)
{
    if (assay_grow(&r->key, &r->key_capacity, at + length + 1, 1) != 0) return fail_memory();
    if (length > 0) memcpy(r->key + at, text, length);
    return ASSAY_OK;
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a garak report");
}
