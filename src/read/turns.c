/* SPDX-License-Identifier: Apache-2.0 */
#include "read/turns.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The event at hand. */
typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
} event;

/* What is known of a message so far. */
typedef struct message {
    int rank;          /* of the key that its content stood at; NO_CONTENT: none yet */
    int has_text;      /* the content is a text, which list->content holds */
    const char *fault; /* within it */
    int is_answer;     /* said by the model */
} message;

enum { NO_CONTENT = 99 };

/* OpenAI's key and garak's, ShareGPT's, and that of a bare text; the first that holds one serves. */
static const char *const content_keys[] = { "content", "value", "text", NULL };
static const char *const role_keys[] = { "role", "from", NULL };
static const char *const list_keys[] = { "turns", "messages", NULL };
static const char *const answering_roles[] = { "assistant", "gpt", "model", "bot",
                                               "chatbot",   "ai",  NULL };

static assay_status read_elements(assay_turn_list *list, assay_json_reader *reader);
static assay_status read_object(assay_turn_list *list, assay_json_reader *reader, int may_be_list);
static assay_status read_list_member(assay_turn_list *list, assay_json_reader *reader);
static assay_status read_role(assay_json_reader *reader, message *of);
static assay_status read_content(assay_turn_list *list, assay_json_reader *reader, int rank,
                                 message *of);
static assay_status read_parts(assay_turn_list *list, assay_json_reader *reader, int *found);
static assay_status read_part(assay_turn_list *list, assay_json_reader *reader, int *found);
static assay_status take_part(assay_turn_list *list, assay_json_reader *reader, const event *e,
                              int *found);
static assay_status take_text(assay_turn_list *list, const event *e, int *found);
static assay_status add_turn(assay_turn_list *list, const char *text, size_t length, int is_answer);
static void keep_fault(assay_turn_list *list, const char *fault);
static assay_status pass_fault(assay_turn_list *list, assay_json_reader *reader,
                               assay_json_event kind);
static assay_status append(assay_turn_text *to, const char *text, size_t length);
static assay_status next(assay_json_reader *reader, event *e);
static int place_among(const char *const *names, const char *name);

void assay_turn_list_free(assay_turn_list *list)
{
    free(list->all.text);
    free(list->content.text);
    free(list->spare.text);
    free(list->places);
    free(list->names);
    *list = (assay_turn_list){ 0 };
}

static void clear(assay_turn_list *list)
{
    list->all.length = list->n_read = list->n = 0;
    list->fault = NULL;
}

assay_status assay_turn_list_read(assay_turn_list *list, assay_json_reader *reader,
                                  assay_json_event start)
{
    clear(list);
    return start == ASSAY_JSON_ARRAY ? read_elements(list, reader) : read_object(list, reader, 1);
}

const assay_name *assay_turn_list_names(assay_turn_list *list)
{
    if (assay_grow(&list->names, &list->names_capacity, list->n + 1, sizeof *list->names) != 0)
        return NULL;
    for (size_t t = 0; t < list->n; t++)
        list->names[t] =
            (assay_name){ list->all.text + list->places[t].start, list->places[t].length };
    return list->names;
}

/* Texts and messages; null is none. */
static assay_status read_elements(assay_turn_list *list, assay_json_reader *reader)
{
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        if (e.kind == ASSAY_JSON_STRING)
            status = add_turn(list, e.text, e.length, 0);
        else if (e.kind == ASSAY_JSON_OBJECT)
            status = read_object(list, reader, 0);
        else if (e.kind != ASSAY_JSON_NULL)
            status = pass_fault(list, reader, e.kind);
        if (status != ASSAY_OK) return status;
    }
}

/* A message; or, where it may be, an object that holds a list of them, which then serves. */
static assay_status read_object(assay_turn_list *list, assay_json_reader *reader, int may_be_list)
{
    message of = { .rank = NO_CONTENT };

    for (;;) {
        event e;
        int rank;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK) return status;
        if (e.kind == ASSAY_JSON_OBJECT_END) break;
        rank = place_among(content_keys, e.text);
        if (rank >= 0)
            status = read_content(list, reader, rank, &of);
        else if (place_among(role_keys, e.text) >= 0)
            status = read_role(reader, &of);
        else if (may_be_list && place_among(list_keys, e.text) >= 0)
            status = read_list_member(list, reader);
        else
            status = assay_json_skip(reader);
        if (status != ASSAY_OK) return status;
    }
    if (may_be_list && list->n_read > 0) return ASSAY_OK;
    if (of.fault) keep_fault(list, of.fault);
    if (!of.has_text) return ASSAY_OK;
    return add_turn(list, list->content.text, list->content.length, of.is_answer);
}

static assay_status read_list_member(assay_turn_list *list, assay_json_reader *reader)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_NULL) return status;
    clear(list);
    if (e.kind == ASSAY_JSON_STRING) return add_turn(list, e.text, e.length, 0);
    if (e.kind != ASSAY_JSON_ARRAY) return pass_fault(list, reader, e.kind);
    return read_elements(list, reader);
}

static assay_status read_role(assay_json_reader *reader, message *of)
{
    event e;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK) return status;
    of->is_answer = 0;
    if (e.kind == ASSAY_JSON_STRING)
        for (size_t k = 0; answering_roles[k]; k++)
            if (strcasecmp(e.text, answering_roles[k]) == 0) of->is_answer = 1;
    return assay_json_leave_value(reader, e.kind);
}

/* A text, an object with one, or an array of either; null is no content. What stands at a less usual
   key counts for nothing, faults included, wherever it comes. */
static assay_status read_content(assay_turn_list *list, assay_json_reader *reader, int rank,
                                 message *of)
{
    const char *before = list->fault, *fault;
    event e;
    int found = 0;
    assay_status status = next(reader, &e);

    if (status != ASSAY_OK) return status;
    list->fault = NULL;
    list->spare.length = 0;
    if (e.kind == ASSAY_JSON_ARRAY)
        status = read_parts(list, reader, &found);
    else
        status = take_part(list, reader, &e, &found);
    fault = list->fault;
    list->fault = before;
    if (status == ASSAY_OK && rank <= of->rank && (found || fault)) {
        const assay_turn_text swapped = list->content;

        list->content = list->spare;
        list->spare = swapped;
        of->rank = rank;
        of->has_text = found;
        of->fault = fault;
    }
    return status;
}

static assay_status read_parts(assay_turn_list *list, assay_json_reader *reader, int *found)
{
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        if ((status = take_part(list, reader, &e, found)) != ASSAY_OK) return status;
    }
}

/* e is the part's first event. */
static assay_status take_part(assay_turn_list *list, assay_json_reader *reader, const event *e,
                              int *found)
{
    switch (e->kind) {
    case ASSAY_JSON_NULL: return ASSAY_OK;
    case ASSAY_JSON_STRING:
    case ASSAY_JSON_NUMBER: return take_text(list, e, found);
    case ASSAY_JSON_OBJECT: return read_part(list, reader, found);
    default: return pass_fault(list, reader, e->kind);
    }
}

/* The text of an object; one without (a picture, say) has none. */
static assay_status read_part(assay_turn_list *list, assay_json_reader *reader, int *found)
{
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        if (strcmp(e.text, "text") != 0)
            status = assay_json_skip(reader);
        else if ((status = next(reader, &e)) == ASSAY_OK)
            status = e.kind == ASSAY_JSON_OBJECT ? pass_fault(list, reader, e.kind)
                                                 : take_part(list, reader, &e, found);
        if (status != ASSAY_OK) return status;
    }
}

/* Parts of one message stand on lines of their own. */
static assay_status take_text(assay_turn_list *list, const event *e, int *found)
{
    assay_status status = *found ? append(&list->spare, "\n", 1) : ASSAY_OK;

    *found = 1;
    return status == ASSAY_OK ? append(&list->spare, e->text, e->length) : status;
}

static assay_status add_turn(assay_turn_list *list, const char *text, size_t length, int is_answer)
{
    const assay_turn_place place = { list->all.length, length };
    assay_status status = append(&list->all, text, length);

    if (status != ASSAY_OK) return status;
    if (assay_grow(&list->places, &list->places_capacity, list->n_read + 1, sizeof place) != 0)
        return assay_fail(ASSAY_E_NOMEM, "prompts: no memory for %zu turns", list->n_read + 1);
    list->places[list->n_read++] = place;
    if (!is_answer) list->n = list->n_read;
    return ASSAY_OK;
}

/* The first one is told. */
static void keep_fault(assay_turn_list *list, const char *fault)
{
    if (list->fault) return;
    list->fault_turn = list->n_read + 1;
    list->fault = fault;
}

/* Pass over what stands where a text was expected, its first event read. */
static assay_status pass_fault(assay_turn_list *list, assay_json_reader *reader,
                               assay_json_event kind)
{
    keep_fault(list, kind == ASSAY_JSON_OBJECT   ? "an object"
                     : kind == ASSAY_JSON_ARRAY  ? "an array"
                     : kind == ASSAY_JSON_NUMBER ? "a number"
                                                 : "true or false");
    return assay_json_leave_value(reader, kind);
}

static assay_status append(assay_turn_text *to, const char *text, size_t length)
{
    if (assay_grow(&to->text, &to->capacity, to->length + length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "prompts: no memory for a text of %zu bytes", length);
    if (length > 0) memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
    return ASSAY_OK;
}

static assay_status next(assay_json_reader *reader, event *e)
{
    double number;

    return assay_json_next(reader, &e->kind, &e->text, &e->length, &number);
}

static int place_among(const char *const *names, const char *name)
{
    for (size_t k = 0; names[k]; k++)
        if (strcmp(name, names[k]) == 0) return (int)k;
    return -1;
}
