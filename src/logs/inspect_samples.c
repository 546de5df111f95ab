/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect_samples.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static assay_status make_key(assay_inspect_samples *s, const assay_value *id,
                             const assay_value *epoch, size_t *length);
static assay_status mark_kind(assay_inspect_samples *s, size_t id, int is_text);
static assay_status keep_sample(assay_inspect_samples *s, size_t key, int is_new,
                                const assay_inspect_sample *sample);
static assay_status fail_memory(const assay_inspect_samples *s);

void assay_inspect_samples_free(assay_inspect_samples *s)
{
    assay_names_free(&s->ids);
    assay_names_free(&s->runs);
    assay_names_free(&s->texts);
    assay_names_free(&s->contents);
    assay_names_free(&s->metrics);
    assay_names_free(&s->keys);
    free(s->samples);
    free(s->scores);
    free(s->of_key);
    free(s->is_keyed);
    free(s->id_kinds);
    free(s->key);
}

assay_status assay_inspect_add_score(assay_inspect_samples *s, assay_name metric, int is_keyed,
                                     const assay_inspect_score *score)
{
    size_t before = s->metrics.count, index;

    if (assay_names_add(&s->metrics, metric.text, metric.length, &index) != 0 ||
        assay_grow(&s->is_keyed, &s->keyed_capacity, s->metrics.count, 1) != 0 ||
        assay_grow(&s->scores, &s->scores_capacity, s->n_scores + 1, sizeof *s->scores) != 0)
        return fail_memory(s);
    if (index == before) s->is_keyed[index] = (unsigned char)is_keyed;
    s->scores[s->n_scores] = *score;
    s->scores[s->n_scores++].metric = index;
    return ASSAY_OK;
}

assay_status assay_inspect_add_sample(assay_inspect_samples *s, const assay_value *id,
                                      const assay_value *epoch, assay_inspect_sample sample)
{
    const assay_name name = assay_value_name(id), run = assay_value_name(epoch);
    size_t key, length, before = s->keys.count;
    assay_status status;

    if (!name.text)
        return assay_fail_at(ASSAY_E_FORMAT, s->table->path, sample.line,
                             "a sample without an id, expected a number or a text");
    status = assay_table_check_name(s->table, sample.line, "id", name);
    if (status == ASSAY_OK && run.length > 0)
        status = assay_table_check_name(s->table, sample.line, "epoch", run);
    if (status == ASSAY_OK) status = make_key(s, id, epoch, &length);
    if (status != ASSAY_OK) return status;
    sample.run = ASSAY_INSPECT_NONE;
    if (assay_names_add(&s->ids, name.text, name.length, &sample.id) != 0 ||
        (run.text && assay_names_add(&s->runs, run.text, run.length, &sample.run) != 0) ||
        assay_names_add(&s->keys, s->key, length, &key) != 0)
        return fail_memory(s);
    sample.id_is_text = id->kind == ASSAY_JSON_STRING;
    sample.n = s->n_scores - sample.first;
    status = mark_kind(s, sample.id, sample.id_is_text);
    return status == ASSAY_OK ? keep_sample(s, key, key == before, &sample) : status;
}

assay_status assay_inspect_invalidate(assay_inspect_samples *s, const assay_value *id,
                                      const assay_value *epoch)
{
    size_t length;
    ptrdiff_t key;
    assay_status status;

    if (!assay_value_name(id).text) return ASSAY_OK;
    if ((status = make_key(s, id, epoch, &length)) != ASSAY_OK) return status;
    key = assay_names_find(&s->keys, s->key, length);
    if (key >= 0) s->samples[s->of_key[key]].is_invalidated = 1;
    return ASSAY_OK;
}

/* The ids 1 and "1" are two, as Inspect has it. */
static assay_status make_key(assay_inspect_samples *s, const assay_value *id,
                             const assay_value *epoch, size_t *length)
{
    const assay_name name = assay_value_name(id), run = assay_value_name(epoch);

    *length = 2 + name.length + run.length;
    if (assay_grow(&s->key, &s->key_capacity, *length + 1, 1) != 0) return fail_memory(s);
    s->key[0] = id->kind == ASSAY_JSON_STRING ? '"' : '#';
    if (run.length > 0) memcpy(s->key + 1, run.text, run.length);
    s->key[1 + run.length] = ' ';
    memcpy(s->key + 2 + run.length, name.text, name.length);
    s->key[*length] = '\0';
    return ASSAY_OK;
}

static assay_status mark_kind(assay_inspect_samples *s, size_t id, int is_text)
{
    size_t before = s->kinds_capacity;

    if (assay_grow(&s->id_kinds, &s->kinds_capacity, id + 1, 1) != 0) return fail_memory(s);
    if (s->kinds_capacity > before) memset(s->id_kinds + before, 0, s->kinds_capacity - before);
    s->id_kinds[id] |= is_text ? 2 : 1;
    return ASSAY_OK;
}

static assay_status keep_sample(assay_inspect_samples *s, size_t key, int is_new,
                                const assay_inspect_sample *sample)
{
    if (!is_new && s->later_wins && !sample->is_reduced) {
        s->samples[s->of_key[key]] = *sample;
        return ASSAY_OK;
    }
    if (assay_grow(&s->samples, &s->samples_capacity, s->n + 1, sizeof *s->samples) != 0 ||
        assay_grow(&s->of_key, &s->of_key_capacity, key + 1, sizeof *s->of_key) != 0)
        return fail_memory(s);
    s->of_key[key] = s->n;
    s->n_reduced += sample->is_reduced;
    s->samples[s->n++] = *sample;
    return ASSAY_OK;
}

static assay_status fail_memory(const assay_inspect_samples *s)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its samples", s->table->path);
}
