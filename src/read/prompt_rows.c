/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a prompt set: JSON objects, or the records of a table. */
#include "core/error.h"
#include "core/memory.h"
#include "read/columns.h"
#include "read/input.h"
#include "read/json.h"
#include "read/prompts.h"
#include "read/turns.h"

#include <stdlib.h>
#include <string.h>

typedef struct buffer {
    char *text;
    size_t length, capacity;
} buffer;

/* A part of a prompt: what its key or column is called, and what the row at hand has. */
typedef struct part {
    const char *given;
    buffer name; /* a NULL text: not found yet */
    int rank;    /* of the one found, among the usual names */
    size_t row;  /* in which it was found, from 1 */
    int present; /* this row has it */
    int ever;    /* some row named it, if only for null */
    buffer value;
} part;

typedef struct rows {
    assay_prompts *prompts;
    const char *path;
    assay_json_reader *reader;
    part parts[ASSAY_N_PROMPT_PARTS];
    assay_turn_list turns; /* of this row's text, where has_turns says so */
    int has_turns;
    size_t n, line;
    char names[ASSAY_HEADER_LIST_SIZE]; /* the keys of row 1 */
} rows;

enum { NO_PART = -1 };
static const assay_role role_of[ASSAY_N_PROMPT_PARTS] = { ASSAY_ROLE_ITEM, ASSAY_ROLE_TEXT,
                                                          ASSAY_ROLE_CLUSTER };
static const char *const part_name[ASSAY_N_PROMPT_PARTS] = { "id", "text", "cluster" };

/* What JSON rows call a text of several turns, after the usual names of a text. */
static const char *const conversation_names[] = { "messages", "conversation", "conversations",
                                                  "turns", NULL };

static assay_status read_input(assay_prompts *prompts, assay_input_stream *input,
                               const assay_prompts_options *options);
static int is_json(const char *bytes, size_t length);
static assay_status read_json(rows *r, assay_input_stream *input);
static assay_status read_values(rows *r);
static assay_status read_members(rows *r);
static assay_status choose(rows *r, assay_name key, int *which);
static int rank_of(const rows *r, int which, assay_name key);
static assay_status take_value(rows *r, int which);
static assay_status take_turns(rows *r, int which, assay_json_event event);
static assay_status put_row(rows *r);
static assay_status read_csv(rows *r, assay_input_stream *input);
static assay_status choose_columns(rows *r, const assay_header *header);
static assay_status read_records(rows *r, assay_csv *csv, const assay_header *header);
static assay_status check_parts_are_known(const rows *r);
static assay_status fail_twins(const rows *r, assay_name first, assay_name second);
static assay_status set_text(buffer *to, const char *text, size_t length);

assay_status assay_prompts_read_rows(assay_prompts *prompts, const char *path,
                                     const assay_prompts_options *options)
{
    assay_input_stream *input = NULL;
    assay_status status = assay_input_open(path, &options->progress, &input);

    if (status == ASSAY_OK) status = read_input(prompts, input, options);
    assay_input_close(input);
    return status;
}

static assay_status read_input(assay_prompts *prompts, assay_input_stream *input,
                               const assay_prompts_options *options)
{
    rows r = { .prompts = prompts, .path = assay_input_name(input) };
    const char *bytes;
    size_t length;
    assay_status status = assay_input_peek(input, &bytes, &length);

    r.parts[ASSAY_PROMPT_ID].given = options->id;
    r.parts[ASSAY_PROMPT_TEXT].given = options->text;
    r.parts[ASSAY_PROMPT_CLUSTER].given = options->cluster;
    if (status == ASSAY_OK)
        status = is_json(bytes, length) ? read_json(&r, input) : read_csv(&r, input);
    if (status == ASSAY_OK && r.n == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, r.path, 0,
                               "has no prompts, expected JSON rows or CSV with a header");
    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++) {
        free(r.parts[k].name.text);
        free(r.parts[k].value.text);
    }
    assay_turn_list_free(&r.turns);
    return status;
}

static int is_json(const char *bytes, size_t length)
{
    size_t i = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < length && bytes[i] != '\0' && strchr(" \t\r\n", bytes[i])) i++;
    return i < length && (bytes[i] == '{' || bytes[i] == '[');
}

static assay_status read_json(rows *r, assay_input_stream *input)
{
    assay_status status = assay_json_open(r->path, assay_input_read, input, &r->reader);

    if (status == ASSAY_OK) status = read_values(r);
    assay_json_close(r->reader);
    return status;
}

/* Objects one after the other, or within an array. */
static assay_status read_values(rows *r)
{
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_status status = assay_json_next(r->reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        r->line = assay_json_line(r->reader);
        if (event == ASSAY_JSON_ARRAY_END) continue;
        if (event == ASSAY_JSON_ARRAY && assay_json_depth(r->reader) <= 1) continue;
        if (event != ASSAY_JSON_OBJECT)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, r->line,
                                 "a JSON value that is not an object, expected an object a prompt");
        r->n++;
        if ((status = read_members(r)) != ASSAY_OK) return status;
        if (r->n == 1 && (status = check_parts_are_known(r)) != ASSAY_OK) return status;
        if ((status = put_row(r)) != ASSAY_OK) return status;
    }
}

static assay_status read_members(rows *r)
{
    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++) r->parts[k].present = 0;
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        int which;
        assay_status status = assay_json_next(r->reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) return status;
        if (r->n == 1) assay_header_list_add(r->names, text, length);
        if ((status = choose(r, (assay_name){ text, length }, &which)) != ASSAY_OK) return status;
        status = which == NO_PART ? assay_json_skip(r->reader) : take_value(r, which);
        if (status != ASSAY_OK) return status;
    }
}

/* The part that a key or a column holds. The row in which a part is first seen decides what it is
   called: the most usual name there; of an id there may be one only. */
static assay_status choose(rows *r, assay_name key, int *which)
{
    *which = NO_PART;
    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++)
        if (r->parts[k].given && assay_name_is(key, r->parts[k].given)) *which = k;
    for (int k = 0; *which == NO_PART && k < ASSAY_N_PROMPT_PARTS; k++) {
        part *of = &r->parts[k];
        const assay_name known = { of->name.text, of->name.length };
        const int rank = of->given ? -1 : rank_of(r, k, key);

        if (rank < 0) continue;
        if (known.text && assay_name_is(key, known.text)) {
            *which = k;
        } else if (!known.text || (of->row == r->n && rank < of->rank)) {
            if (known.text && k == ASSAY_PROMPT_ID) return fail_twins(r, known, key);
            *which = k;
            of->rank = rank;
            of->row = r->n;
            return set_text(&of->name, key.text, key.length);
        } else if (of->row == r->n && k == ASSAY_PROMPT_ID) {
            return fail_twins(r, known, key);
        }
    }
    return ASSAY_OK;
}

static int rank_of(const rows *r, int which, assay_name key)
{
    enum { AFTER_ALL = 100 };
    const int rank = assay_role_rank(role_of[which], key);

    for (int k = 0; rank < 0 && r->reader && which == ASSAY_PROMPT_TEXT && conversation_names[k];
         k++)
        if (assay_name_is(key, conversation_names[k])) return AFTER_ALL + k;
    return rank;
}

static assay_status fail_twins(const rows *r, assay_name first, assay_name second)
{
    return assay_fail_at(ASSAY_E_FORMAT, r->path, r->line,
                         "\"%.*s\" and \"%.*s\" could both be the id of a prompt, expected one",
                         (int)(first.length < 60 ? first.length : 60), first.text,
                         (int)(second.length < 60 ? second.length : 60), second.text);
}

static assay_status take_value(rows *r, int which)
{
    part *of = &r->parts[which];
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(r->reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    of->ever = 1;
    of->present = event != ASSAY_JSON_NULL;
    if (which == ASSAY_PROMPT_TEXT) r->has_turns = 0;
    switch (event) {
    case ASSAY_JSON_NULL: return ASSAY_OK;
    case ASSAY_JSON_STRING:
    case ASSAY_JSON_NUMBER: return set_text(&of->value, text, length);
    case ASSAY_JSON_TRUE: return set_text(&of->value, "true", 4);
    case ASSAY_JSON_FALSE: return set_text(&of->value, "false", 5);
    default: return take_turns(r, which, event);
    }
}

static assay_status take_turns(rows *r, int which, assay_json_event event)
{
    if (which != ASSAY_PROMPT_TEXT)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, r->line,
                             "the %s of a prompt is an %s, expected a text", part_name[which],
                             event == ASSAY_JSON_OBJECT ? "object" : "array");
    r->has_turns = 1;
    return assay_turn_list_read(&r->turns, r->reader, event);
}

static assay_status put_row(rows *r)
{
    assay_name parts[ASSAY_N_PROMPT_PARTS] = { { NULL, 0 } };
    const assay_name *turns;

    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++)
        if (r->parts[k].present)
            parts[k] = (assay_name){ r->parts[k].value.text, r->parts[k].value.length };
    if (!r->parts[ASSAY_PROMPT_TEXT].present || !r->has_turns)
        return assay_prompts_add(r->prompts, r->path, r->line, parts);
    if (r->turns.fault)
        return assay_fail_at(ASSAY_E_FORMAT, r->path, r->line,
                             "turn %zu of a prompt is %s, expected a text or a message",
                             r->turns.fault_turn, r->turns.fault);
    if (!(turns = assay_turn_list_names(&r->turns)))
        return assay_fail(ASSAY_E_NOMEM, "prompts: no memory for %zu turns", r->turns.n);
    return assay_prompts_add_turns(r->prompts, r->path, r->line, parts, turns, r->turns.n);
}

/* After the first row: the id and the text must be somewhere, and what an option names too. */
static assay_status check_parts_are_known(const rows *r)
{
    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++) {
        const part *of = &r->parts[k];

        if (of->given && !of->ever)
            return assay_fail_at(ASSAY_E_VALUE, r->path, r->line,
                                 "nothing is called \"%.60s\", which was to be the %s; there are: "
                                 "%s",
                                 of->given, part_name[k], r->names);
        if (!of->given && !of->name.text && k != ASSAY_PROMPT_CLUSTER)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, r->line,
                                 "nothing is known to be the %s of a prompt; there are: %s",
                                 part_name[k], r->names);
    }
    return ASSAY_OK;
}

static assay_status read_csv(rows *r, assay_input_stream *input)
{
    assay_csv *csv = NULL;
    assay_csv_record record;
    assay_header header = { 0 };
    int more;
    assay_status status = assay_csv_open(r->path, ",\t;", assay_input_read, input, &csv);

    if (status == ASSAY_OK) status = assay_csv_next(csv, &record, &more);
    if (status != ASSAY_OK || !more) goto done;
    r->line = record.line;
    if ((status = assay_header_read(&header, r->path, &record)) != ASSAY_OK) goto done;
    if ((status = choose_columns(r, &header)) != ASSAY_OK) goto done;
    status = read_records(r, csv, &header);
done:
    assay_header_free(&header);
    assay_csv_close(csv);
    return status;
}

static assay_status choose_columns(rows *r, const assay_header *header)
{
    for (size_t c = 0; c < header->n; c++) {
        int which;
        assay_status status = choose(r, header->names[c], &which);

        if (status != ASSAY_OK) return status;
        if (which != NO_PART) r->parts[which].ever = 1;
    }
    assay_header_list(header, r->names);
    return check_parts_are_known(r);
}

static assay_status read_records(rows *r, assay_csv *csv, const assay_header *header)
{
    ptrdiff_t column[ASSAY_N_PROMPT_PARTS];
    assay_csv_record record;
    int more;
    assay_status status;

    for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++) {
        const char *name = r->parts[k].given ? r->parts[k].given : r->parts[k].name.text;
        column[k] = name ? assay_header_find(header, name, strlen(name)) : ASSAY_NO_COLUMN;
    }
    while ((status = assay_csv_next(csv, &record, &more)) == ASSAY_OK && more) {
        assay_name parts[ASSAY_N_PROMPT_PARTS] = { { NULL, 0 } };
        assay_csv_text field;
        size_t c = 0;

        for (; assay_csv_field(&record, &field); c++)
            for (int k = 0; k < ASSAY_N_PROMPT_PARTS; k++)
                if (column[k] == (ptrdiff_t)c)
                    parts[k] = k == ASSAY_PROMPT_TEXT ? (assay_name){ field.text, field.length }
                                                      : assay_name_of(&field);
        if (c != header->n)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, record.line, "%zu field%s, expected %zu",
                                 c, c == 1 ? "" : "s", header->n);
        status = assay_prompts_add(r->prompts, r->path, record.line, parts);
        if (status != ASSAY_OK) return status;
        r->n++;
    }
    return status;
}

/* Replace a text, and end it by NUL. */
static assay_status set_text(buffer *to, const char *text, size_t length)
{
    if (assay_grow(&to->text, &to->capacity, length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "prompts: no memory for a text of %zu bytes", length);
    if (length > 0) memcpy(to->text, text, length);
    to->length = length;
    to->text[length] = '\0';
    return ASSAY_OK;
}
