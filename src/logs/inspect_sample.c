/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect_sample.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Inspect puts behind a summary's text that it cut. */
#define CUT "...\n(content truncated)"

typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
    double number;
} event;

static assay_status take_input(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status take_choices(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_scores(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status take_old_score(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value);
static assay_status take_reduced(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_reduced_value(void *user, assay_json_reader *reader, const char *key,
                                       const assay_value *value);
static assay_status reduced_done(void *user);

enum { ID, EPOCH, INVALIDATION, ERROR };
static const assay_pick sample_picks[] = {
    [ID] = { "id", NULL },
    [EPOCH] = { "epoch", NULL },
    [INVALIDATION] = { "invalidation", NULL },
    [ERROR] = { "error", NULL },
    { "input", take_input },
    { "choices", take_choices },
    { "scores", take_scores },
    { "score", take_old_score },
};
enum { SCORER, REDUCER };
static const assay_pick reduction_picks[] = {
    [SCORER] = { "scorer", NULL }, [REDUCER] = { "reducer", NULL }, { "samples", take_reduced }
};
static const assay_pick reduced_picks[] = {
    [ID] = { "sample_id", NULL }, [EPOCH] = { "epoch", NULL }, { "value", take_reduced_value }
};

static void begin_sample(assay_inspect_reader *r);
static assay_status keep_text(assay_inspect_reader *r, const assay_name *turns, size_t n);
static assay_status name_content(assay_inspect_reader *r);
static int ends_cut(assay_name text);
static assay_status digest_begin(assay_inspect_reader *r);
static assay_status digest_add(assay_inspect_reader *r, const char *text, size_t length);
static assay_status digest_end(assay_inspect_reader *r, unsigned char *digest);
static assay_status next(assay_json_reader *reader, event *e);
static assay_status fail_memory(void);

assay_status assay_inspect_reader_open(assay_inspect_reader *r, assay_inspect_samples *to,
                                       const char *path)
{
    assay_status status;

    *r = (assay_inspect_reader){ .to = to, .digest = EVP_MD_CTX_new() };
    begin_sample(r);
    if (!r->digest) return fail_memory();
    status = assay_picker_open(&r->samples, path, sample_picks,
                               sizeof sample_picks / sizeof *sample_picks, r);
    if (status == ASSAY_OK)
        status = assay_picker_open(&r->marks, path, sample_picks, INVALIDATION + 1, r);
    if (status == ASSAY_OK)
        status = assay_picker_open(&r->reductions, path, reduction_picks,
                                   sizeof reduction_picks / sizeof *reduction_picks, r);
    if (status == ASSAY_OK)
        status = assay_picker_open(&r->reduced, path, reduced_picks,
                                   sizeof reduced_picks / sizeof *reduced_picks, r);
    return status;
}

void assay_inspect_reader_close(assay_inspect_reader *r)
{
    assay_picker_close(&r->samples);
    assay_picker_close(&r->marks);
    assay_picker_close(&r->reductions);
    assay_picker_close(&r->reduced);
    assay_turn_list_free(&r->turns);
    EVP_MD_CTX_free(r->digest);
    free(r->metric);
}

void assay_inspect_reader_at(assay_inspect_reader *r, const char *path)
{
    r->samples.path = r->marks.path = r->reductions.path = r->reduced.path = path;
}

static void begin_sample(assay_inspect_reader *r)
{
    r->sample = (assay_inspect_sample){ .text = ASSAY_INSPECT_NONE,
                                        .content = ASSAY_INSPECT_NONE,
                                        .first = r->to->n_scores };
    memset(r->input, 0, sizeof r->input);
    memset(r->choices, 0, sizeof r->choices);
    r->needs_content = r->is_cut = 0;
}

assay_status assay_inspect_sample_done(void *user)
{
    assay_inspect_reader *r = user;
    const assay_value *of = r->samples.values;
    assay_status status = name_content(r);

    r->sample.line = r->has_lines ? r->samples.line : 0;
    r->sample.is_errored = of[ERROR].kind != ASSAY_JSON_END && of[ERROR].kind != ASSAY_JSON_NULL;
    r->sample.is_invalidated =
        of[INVALIDATION].kind != ASSAY_JSON_END && of[INVALIDATION].kind != ASSAY_JSON_NULL;
    if (status == ASSAY_OK)
        status = assay_inspect_add_sample(r->to, &of[ID], &of[EPOCH], r->sample);
    begin_sample(r);
    return status == ASSAY_OK ? assay_table_step(r->to->table) : status;
}

assay_status assay_inspect_mark_done(void *user)
{
    assay_inspect_reader *r = user;
    const assay_value *of = r->marks.values;

    if (of[INVALIDATION].kind == ASSAY_JSON_END || of[INVALIDATION].kind == ASSAY_JSON_NULL)
        return ASSAY_OK;
    return assay_inspect_invalidate(r->to, &of[ID], &of[EPOCH]);
}

/* ---- what a sample asks ---- */

static assay_status take_input(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    assay_inspect_reader *r = user;
    const assay_name text = { value->text, value->length }, *turns;
    assay_status status;

    (void)key;
    if (value->kind == ASSAY_JSON_STRING) return keep_text(r, &text, 1);
    if (value->kind != ASSAY_JSON_OBJECT && value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    status = assay_turn_list_read(&r->turns, reader, value->kind);
    if (status != ASSAY_OK || r->turns.n == 0) return status;
    turns = assay_turn_list_names(&r->turns);
    return turns ? keep_text(r, turns, r->turns.n) : fail_memory();
}

static assay_status keep_text(assay_inspect_reader *r, const assay_name *turns, size_t n)
{
    const assay_name *last = &turns[n - 1];
    assay_status status = digest_begin(r);

    for (size_t k = 0; status == ASSAY_OK && k < n; k++) {
        status = digest_add(r, turns[k].text, turns[k].length);
        r->is_cut |= ends_cut(turns[k]);
    }
    r->needs_content |= n > 1;
    if (status == ASSAY_OK) status = digest_end(r, r->input);
    if (status == ASSAY_OK && last->length > 0 &&
        assay_names_add(&r->to->texts, last->text, last->length, &r->sample.text) != 0)
        return fail_memory();
    return status;
}

static int ends_cut(assay_name text)
{
    const size_t n = sizeof CUT - 1;

    return text.length > n && memcmp(text.text + text.length - n, CUT, n) == 0;
}

static assay_status take_choices(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    assay_inspect_reader *r = user;
    assay_status status;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    status = digest_begin(r);
    while (status == ASSAY_OK) {
        event e;

        status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) break;
        status = assay_json_is_container(e.kind) ? assay_json_leave(reader)
                                                 : digest_add(r, e.text, e.length);
        r->needs_content = 1;
    }
    return status == ASSAY_OK ? digest_end(r, r->choices) : status;
}

/* Questions of one wording differ by their choices, and texts that were cut by what is missing. */
static assay_status name_content(assay_inspect_reader *r)
{
    const assay_name id = assay_value_name(&r->samples.values[ID]);
    unsigned char digest[EVP_MAX_MD_SIZE];
    char hex[2 * EVP_MAX_MD_SIZE + 1];
    assay_status status;

    if ((!r->needs_content && !r->is_cut) || r->sample.text == ASSAY_INSPECT_NONE) return ASSAY_OK;
    status = digest_begin(r);
    if (status == ASSAY_OK) status = digest_add(r, (const char *)r->input, sizeof r->input);
    if (status == ASSAY_OK) status = digest_add(r, (const char *)r->choices, sizeof r->choices);
    if (status == ASSAY_OK && r->is_cut && id.text) status = digest_add(r, id.text, id.length);
    if (status == ASSAY_OK) status = digest_end(r, digest);
    if (status != ASSAY_OK) return status;
    assay_hex(digest, 32, hex);
    return assay_names_add(&r->to->contents, hex, 64, &r->sample.content) == 0 ? ASSAY_OK
                                                                               : fail_memory();
}

/* ---- reductions ---- */

static assay_status take_scores(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    (void)key;
    return assay_inspect_scores(user, reader, value);
}

/* Old logs have one score, whose scorer the sample does not name. */
static assay_status take_old_score(void *user, assay_json_reader *reader, const char *key,
                                   const assay_value *value)
{
    assay_inspect_reader *r = user;
    assay_status status;

    if (value->kind == ASSAY_JSON_NULL) return ASSAY_OK;
    status = assay_inspect_metric(r, 0, key, strlen(key));
    return status == ASSAY_OK ? assay_inspect_score_of(r, reader, value) : status;
}

static assay_status take_reduced(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    assay_inspect_reader *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&r->reduced, reader, reduced_done);
}

/* The metric is the scorer, and "scorer (reducer)" where it is no mean. */
static assay_status take_reduced_value(void *user, assay_json_reader *reader, const char *key,
                                       const assay_value *value)
{
    assay_inspect_reader *r = user;
    const assay_name reducer = assay_value_name(&r->reductions.values[REDUCER]);
    assay_name scorer = assay_value_name(&r->reductions.values[SCORER]);
    assay_status status;

    (void)key;
    if (!scorer.text) scorer = (assay_name){ "score", 5 };
    status = assay_inspect_metric(r, 0, scorer.text, scorer.length);
    if (status == ASSAY_OK && reducer.text && strcmp(reducer.text, "mean") != 0) {
        status = assay_inspect_metric(r, r->metric_length, " (", 2);
        if (status == ASSAY_OK)
            status = assay_inspect_metric(r, r->metric_length, reducer.text, reducer.length);
        if (status == ASSAY_OK) status = assay_inspect_metric(r, r->metric_length, ")", 1);
    }
    return status == ASSAY_OK ? assay_inspect_value(r, reader, value) : status;
}

static assay_status reduced_done(void *user)
{
    assay_inspect_reader *r = user;
    const assay_value *of = r->reduced.values;
    assay_status status = ASSAY_OK;

    r->sample.is_reduced = 1;
    r->sample.line = r->has_lines ? r->reduced.line : 0;
    if (assay_value_name(&of[ID]).text)
        status = assay_inspect_add_sample(r->to, &of[ID], &of[EPOCH], r->sample);
    begin_sample(r);
    return status;
}

assay_status assay_inspect_reduction_done(void *user)
{
    assay_inspect_reader *r = user;

    begin_sample(r);
    return assay_table_step(r->to->table);
}

/* ---- the ground ---- */

static assay_status digest_begin(assay_inspect_reader *r)
{
    return EVP_DigestInit_ex(r->digest, EVP_sha256(), NULL) ? ASSAY_OK : fail_memory();
}

/* Its length goes before each text, so that two are never one. */
static assay_status digest_add(assay_inspect_reader *r, const char *text, size_t length)
{
    char size[24];
    const int n = snprintf(size, sizeof size, "%zu:", length);

    return EVP_DigestUpdate(r->digest, size, (size_t)n) && EVP_DigestUpdate(r->digest, text, length)
               ? ASSAY_OK
               : fail_memory();
}

static assay_status digest_end(assay_inspect_reader *r, unsigned char *digest)
{
    return EVP_DigestFinal_ex(r->digest, digest, NULL) ? ASSAY_OK : fail_memory();
}

static assay_status next(assay_json_reader *reader, event *e)
{
    return assay_json_next(reader, &e->kind, &e->text, &e->length, &e->number);
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for an Inspect log");
}
