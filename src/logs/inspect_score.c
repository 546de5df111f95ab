/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect_sample.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/score_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
    double number;
} event;

static assay_status read_score(assay_inspect_reader *r, assay_json_reader *reader, const event *e);
static assay_status read_value(assay_inspect_reader *r, assay_json_reader *reader, const event *e);
static assay_status read_object(assay_inspect_reader *r, assay_json_reader *reader);
static assay_status read_array(assay_inspect_reader *r, assay_json_reader *reader);
static assay_status add_score(assay_inspect_reader *r, assay_json_reader *reader, const event *e,
                              int is_keyed);
static void score_of(const event *e, assay_inspect_score *score);
static event event_of(const assay_value *value);
static assay_status next(assay_json_reader *reader, event *e);

assay_status assay_inspect_scores(assay_inspect_reader *r, assay_json_reader *reader,
                                  const assay_value *first)
{
    if (first->kind == ASSAY_JSON_ARRAY) return assay_json_leave(reader);
    if (first->kind != ASSAY_JSON_OBJECT) return ASSAY_OK;
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = assay_inspect_metric(r, 0, e.text, e.length);
        if (status == ASSAY_OK) status = next(reader, &e);
        if (status == ASSAY_OK) status = read_score(r, reader, &e);
        if (status != ASSAY_OK) return status;
    }
}

assay_status assay_inspect_score_of(assay_inspect_reader *r, assay_json_reader *reader,
                                    const assay_value *first)
{
    const event e = event_of(first);

    return read_score(r, reader, &e);
}

assay_status assay_inspect_value(assay_inspect_reader *r, assay_json_reader *reader,
                                 const assay_value *first)
{
    const event e = event_of(first);

    return read_value(r, reader, &e);
}

static assay_status read_score(assay_inspect_reader *r, assay_json_reader *reader, const event *e)
{
    const size_t scorer = r->metric_length;

    if (e->kind != ASSAY_JSON_OBJECT) return read_value(r, reader, e);
    for (;;) {
        event within;
        int is_value;
        assay_status status = next(reader, &within);

        if (status != ASSAY_OK || within.kind == ASSAY_JSON_OBJECT_END) return status;
        is_value = within.length == 5 && memcmp(within.text, "value", 5) == 0;
        if (!is_value)
            status = assay_json_skip(reader);
        else if ((status = next(reader, &within)) == ASSAY_OK)
            status = read_value(r, reader, &within);
        r->metric_length = scorer;
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_value(assay_inspect_reader *r, assay_json_reader *reader, const event *e)
{
    if (e->kind == ASSAY_JSON_OBJECT) return read_object(r, reader);
    if (e->kind == ASSAY_JSON_ARRAY) return read_array(r, reader);
    return add_score(r, reader, e, 0);
}

static assay_status read_object(assay_inspect_reader *r, assay_json_reader *reader)
{
    const size_t scorer = r->metric_length;

    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = assay_inspect_metric(r, scorer + 1, e.text, e.length);
        if (status == ASSAY_OK) r->metric[scorer] = '/';
        if (status == ASSAY_OK) status = next(reader, &e);
        if (status == ASSAY_OK) status = add_score(r, reader, &e, 1);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_array(assay_inspect_reader *r, assay_json_reader *reader)
{
    const size_t scorer = r->metric_length;

    for (size_t k = 0;; k++) {
        char place[24];
        const int length = snprintf(place, sizeof place, "/%zu", k);
        event e;
        assay_status status = assay_inspect_metric(r, scorer, place, (size_t)length);

        if (status == ASSAY_OK) status = next(reader, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        if ((status = add_score(r, reader, &e, 1)) != ASSAY_OK) return status;
    }
}

/* What is nested deeper is no score. */
static assay_status add_score(assay_inspect_reader *r, assay_json_reader *reader, const event *e,
                              int is_keyed)
{
    const assay_name metric = { r->metric, r->metric_length };
    assay_inspect_score score;

    if (assay_json_is_container(e->kind)) return assay_json_leave(reader);
    score_of(e, &score);
    return assay_inspect_add_score(r->to, metric, is_keyed, &score);
}

/* C, I and yes/no are among the words that all readers know; P (partly correct) and N (no
   answer) mean something only here. */
static void score_of(const event *e, assay_inspect_score *score)
{
    int state = ASSAY_UNSCORED;

    *score = (assay_inspect_score){ .score = NAN };
    switch (e->kind) {
    case ASSAY_JSON_TRUE: score->score = 1.0; break;
    case ASSAY_JSON_FALSE: score->score = 0.0; break;
    case ASSAY_JSON_NUMBER: score->score = e->number; break;
    case ASSAY_JSON_STRING:
        if (e->length == 1 && (*e->text == 'P' || *e->text == 'N'))
            score->score = *e->text == 'P' ? 0.5 : 0.0;
        else
            state = assay_score_text_parse(e->text, e->length, 0, &score->score);
        score->is_word = state < 0;
        break;
    default: break;
    }
    score->state = isfinite(score->score) ? ASSAY_SCORED : ASSAY_UNSCORED;
    if (score->state != ASSAY_SCORED) score->score = NAN;
}

assay_status assay_inspect_metric(assay_inspect_reader *r, size_t at, const char *text,
                                  size_t length)
{
    if (assay_grow(&r->metric, &r->metric_capacity, at + length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for an Inspect log");
    memcpy(r->metric + at, text, length);
    r->metric[at + length] = '\0';
    r->metric_length = at + length;
    return ASSAY_OK;
}

static event event_of(const assay_value *value)
{
    return (event){ value->kind, value->text, value->length, value->number };
}

static assay_status next(assay_json_reader *reader, event *e)
{
    return assay_json_next(reader, &e->kind, &e->text, &e->length, &e->number);
}
