/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect_samples.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was noticed on the way, for the notes at the end. */
typedef struct tally {
    size_t invalidated, errored_with_score, words, both_kinds;
} tally;

static int counts(const assay_inspect_samples *s, const assay_inspect_sample *sample);
static assay_status choose_metric(const assay_inspect_samples *s, size_t *metric);
static assay_status first_metric(const assay_inspect_samples *s, size_t *metric);
static assay_status put_sample(assay_inspect_samples *s, const assay_inspect_sample *sample,
                               size_t metric, assay_log_cell cell, tally *seen);
static const assay_inspect_score *find_score(const assay_inspect_samples *s,
                                             const assay_inspect_sample *sample, size_t metric);
static assay_status put_quoted(assay_table *table, assay_log_cell *cell);
static assay_name name_of(const assay_names *names, size_t index);
static assay_status note_all(assay_inspect_samples *s, size_t metric, int has_template,
                             const tally *seen);
static assay_status note_mapping(assay_inspect_samples *s, size_t metric, int has_template);
static assay_status note_count(assay_inspect_samples *s, size_t n, const char *what);

assay_status assay_inspect_put(assay_inspect_samples *s, assay_log_cell cell)
{
    size_t metric;
    tally seen = { 0 };
    assay_status status = choose_metric(s, &metric);

    for (size_t k = 0; status == ASSAY_OK && k < s->n; k++)
        if (counts(s, &s->samples[k])) status = put_sample(s, &s->samples[k], metric, cell, &seen);
    return status == ASSAY_OK ? note_all(s, metric, cell.template_id.length > 0, &seen) : status;
}

/* Reductions say again what the samples they were made from say. */
static int counts(const assay_inspect_samples *s, const assay_inspect_sample *sample)
{
    return !sample->is_reduced || s->n_reduced == s->n;
}

static assay_status choose_metric(const assay_inspect_samples *s, size_t *metric)
{
    const char *given = s->table->options->metric;
    char list[ASSAY_HEADER_LIST_SIZE];
    ptrdiff_t found;

    if (!given) return first_metric(s, metric);
    found = assay_names_find(&s->metrics, given, strlen(given));
    *metric = (size_t)found;
    if (found >= 0) return ASSAY_OK;
    assay_log_list(&s->metrics, ASSAY_INSPECT_NONE, list);
    return assay_fail_at(ASSAY_E_VALUE, s->table->path, 0,
                         "no scorer \"%.60s\" (--metric); there are: %s", given,
                         *list ? list : "none");
}

/* One that gives scores goes before one that does not, then one without a key before one with. */
static assay_status first_metric(const assay_inspect_samples *s, size_t *metric)
{
    unsigned char *gives = assay_alloc_zero(s->metrics.count, 1);
    int best = 0;

    *metric = ASSAY_INSPECT_NONE;
    if (!gives) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its scorers", s->table->path);
    for (size_t k = 0; k < s->n; k++) {
        const assay_inspect_sample *sample = &s->samples[k];

        for (size_t i = 0; i < sample->n && counts(s, sample); i++)
            if (s->scores[sample->first + i].state == ASSAY_SCORED)
                gives[s->scores[sample->first + i].metric] = 1;
    }
    for (size_t k = 0; k < s->metrics.count; k++) {
        int rank = 1 + 2 * gives[k] + !s->is_keyed[k];

        if (rank > best) *metric = k, best = rank;
    }
    free(gives);
    return ASSAY_OK;
}

static assay_status put_sample(assay_inspect_samples *s, const assay_inspect_sample *sample,
                               size_t metric, assay_log_cell cell, tally *seen)
{
    const assay_inspect_score *score = find_score(s, sample, metric);

    if (sample->is_invalidated) {
        seen->invalidated++;
        return ASSAY_OK;
    }
    if (sample->is_reduced && !score) return ASSAY_OK; /* another scorer's */
    cell.item = name_of(&s->ids, sample->id);
    cell.run = name_of(&s->runs, sample->run);
    cell.text = name_of(&s->texts, sample->text);
    cell.content = name_of(&s->contents, sample->content);
    cell.line = sample->line;
    cell.state = score ? score->state : ASSAY_UNSCORED;
    cell.score = score ? score->score : NAN;
    if (sample->is_errored) {
        seen->errored_with_score += cell.state == ASSAY_SCORED;
        cell.state = ASSAY_ERRORED;
        cell.score = NAN;
    } else if (score && score->is_word) {
        seen->words++;
    }
    if (sample->id_is_text && s->id_kinds[sample->id] == 3) {
        seen->both_kinds++;
        return put_quoted(s->table, &cell);
    }
    return assay_log_put(s->table, &cell);
}

/* The last of a key that stands twice: as Python reads it. */
static const assay_inspect_score *find_score(const assay_inspect_samples *s,
                                             const assay_inspect_sample *sample, size_t metric)
{
    for (size_t i = sample->n; i > 0; i--)
        if (s->scores[sample->first + i - 1].metric == metric)
            return &s->scores[sample->first + i - 1];
    return NULL;
}

/* Beside a number 1 the text 1 is called "1", with its quotes. */
static assay_status put_quoted(assay_table *table, assay_log_cell *cell)
{
    const size_t length = cell->item.length + 2;
    char *quoted = assay_alloc(length + 1, 1);
    assay_status status;

    if (!quoted) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a name", table->path);
    snprintf(quoted, length + 1, "\"%s\"", cell->item.text);
    cell->item = (assay_name){ quoted, length };
    status = assay_log_put(table, cell);
    free(quoted);
    return status;
}

static assay_name name_of(const assay_names *names, size_t index)
{
    if (index == ASSAY_INSPECT_NONE) return (assay_name){ NULL, 0 };
    return (assay_name){ names->text[index], strlen(names->text[index]) };
}

static assay_status note_all(assay_inspect_samples *s, size_t metric, int has_template,
                             const tally *seen)
{
    assay_status status = note_mapping(s, metric, has_template);

    if (status == ASSAY_OK)
        status = note_count(s, seen->invalidated, "samples that were invalidated, left out");
    if (status == ASSAY_OK)
        status = note_count(s, seen->words, "scores that are text and none we know, unscored");
    if (status == ASSAY_OK)
        status = note_count(s, seen->errored_with_score,
                            "samples with an error and a score all the same, which is not used");
    if (status == ASSAY_OK && seen->both_kinds > 0)
        status = assay_results_add_note(s->table->results,
                                        "%s: ids that are a number here and the same as text "
                                        "there, such as 1 and \"1\", are two items; the text is "
                                        "called by its quotes",
                                        s->table->path);
    return status;
}

static assay_status note_mapping(assay_inspect_samples *s, size_t metric, int has_template)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], others[ASSAY_HEADER_LIST_SIZE];
    const char *name = metric == ASSAY_INSPECT_NONE ? "none" : s->metrics.text[metric];

    assay_log_list(&s->metrics, metric, others);
    snprintf(mapping, sizeof mapping,
             "an Inspect log; model = eval.model, item = eval.task and id, run = epoch, score = "
             "%.100s%s%s%s",
             name, has_template ? ", template = eval.task_args" : "",
             *others ? "; --metric chooses another scorer: " : "", others);
    return assay_table_note_mapping(s->table, mapping);
}

static assay_status note_count(assay_inspect_samples *s, size_t n, const char *what)
{
    return n > 0 ? assay_results_add_note(s->table->results, "%s: %s: %zu", s->table->path, what, n)
                 : ASSAY_OK;
}
