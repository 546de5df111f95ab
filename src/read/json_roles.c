/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_roles.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
} event;

static assay_status next(assay_json_roles *roles, event *e);
static assay_status take(assay_json_roles *roles, int role, const event *e);
static assay_status set_value(assay_json_roles *roles, int role, const event *e);
static assay_status take_score_within(assay_json_roles *roles);
static assay_status fail_nested(const assay_json_roles *roles, int role, assay_json_event kind);
static assay_status descend(assay_json_roles *roles, const event *e);
static assay_status read_members(assay_json_roles *roles, size_t prefix);
static assay_status read_elements(assay_json_roles *roles, size_t prefix);
static assay_status read_element(assay_json_roles *roles, size_t prefix, const event *e);
static assay_status read_named(assay_json_roles *roles, size_t *score_key);
static assay_status take_named(assay_json_roles *roles, size_t prefix, const char *score_key);

static const char *const names_of_scores[] = { "score", "value" };
enum { NO_SCORE = sizeof names_of_scores / sizeof names_of_scores[0] };

void assay_json_roles_free(assay_json_roles *roles)
{
    for (int k = 0; k < ASSAY_N_ROLES; k++) free(roles->of[k].value.text);
    free(roles->path.text);
    free(roles->name.text);
    free(roles->score.text);
}

void assay_json_roles_give(assay_json_roles *roles, const assay_read_options *options)
{
    for (int k = 0; k < ASSAY_N_ROLES; k++)
        roles->of[k].given = assay_role_given((assay_role)k, options);
}

void assay_json_roles_begin(assay_json_roles *roles, size_t line)
{
    roles->line = line;
    for (int k = 0; k < ASSAY_N_ROLES; k++) roles->of[k].present = 0;
}

assay_status assay_json_buffer_set(assay_json_buffer *to, size_t at, const char *text,
                                   size_t length)
{
    if (assay_grow(&to->text, &to->capacity, at + length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
    if (length > 0) memcpy(to->text + at, text, length);
    to->length = at + length;
    to->text[to->length] = '\0';
    return ASSAY_OK;
}

int assay_json_roles_choose(const assay_json_roles *roles)
{
    const assay_json_buffer *path = &roles->path;
    int role = ASSAY_JSON_NO_ROLE;

    for (int k = 0; k < ASSAY_N_ROLES; k++) {
        const char *given = roles->of[k].given;

        if (!given || strlen(given) < path->length || memcmp(given, path->text, path->length) != 0)
            continue;
        if (given[path->length] == '\0') return k;
        if (given[path->length] == '.') role = ASSAY_JSON_WITHIN;
    }
    return role;
}

assay_status assay_json_roles_take(assay_json_roles *roles, int role)
{
    size_t mended = assay_json_n_mended(roles->reader);
    event e;
    assay_status status = next(roles, &e);

    if (status == ASSAY_OK && assay_json_n_mended(roles->reader) > mended &&
        role != ASSAY_ROLE_TEXT)
        return assay_fail_at(ASSAY_E_FORMAT, roles->file, roles->line,
                             "the %s \"%.60s\" is not UTF-8, expected UTF-8",
                             assay_role_name((assay_role)role), e.text);
    return status == ASSAY_OK ? take(roles, role, &e) : status;
}

static assay_status take(assay_json_roles *roles, int role, const event *e)
{
    assay_json_role *of = &roles->of[role];

    if (of->present)
        return assay_fail_at(ASSAY_E_FORMAT, roles->file, roles->line,
                             "the key \"%.60s\" stands twice in one object, expected once",
                             roles->path.text);
    of->ever = of->present = 1;
    of->kind = e->kind;
    if (!assay_json_is_container(e->kind)) return set_value(roles, role, e);
    if (role == ASSAY_ROLE_SCORE && e->kind == ASSAY_JSON_OBJECT) return take_score_within(roles);
    if (assay_role_option((assay_role)role)) return fail_nested(roles, role, e->kind);
    of->present = 0; /* a list of messages, or of attempts, say: no text that one could show */
    return assay_json_leave(roles->reader);
}

/* As a table would have it: null is nothing. */
static event as_text(const event *e)
{
    switch (e->kind) {
    case ASSAY_JSON_STRING:
    case ASSAY_JSON_NUMBER: return *e;
    case ASSAY_JSON_TRUE: return (event){ e->kind, "true", 4 };
    case ASSAY_JSON_FALSE: return (event){ e->kind, "false", 5 };
    default: return (event){ e->kind, "", 0 };
    }
}

static assay_status set_value(assay_json_roles *roles, int role, const event *e)
{
    event text = as_text(e);

    return assay_json_buffer_set(&roles->of[role].value, 0, text.text, text.length);
}

static assay_status take_score_within(assay_json_roles *roles)
{
    size_t score_key;
    assay_status status = read_named(roles, &score_key);

    if (status != ASSAY_OK) return status;
    if (score_key == NO_SCORE) return fail_nested(roles, ASSAY_ROLE_SCORE, ASSAY_JSON_OBJECT);
    return assay_json_buffer_set(&roles->of[ASSAY_ROLE_SCORE].value, 0, roles->score.text,
                                 roles->score.length);
}

static assay_status fail_nested(const assay_json_roles *roles, int role, assay_json_event kind)
{
    const char *name = assay_role_name((assay_role)role);

    return assay_fail_at(ASSAY_E_FORMAT, roles->file, roles->line,
                         "\"%.60s\" holds an %s, expected the %s itself (%s %.60s.KEY names what "
                         "is within an object)",
                         roles->path.text, kind == ASSAY_JSON_OBJECT ? "object" : "array", name,
                         assay_role_option((assay_role)role), roles->path.text);
}

assay_status assay_json_roles_descend(assay_json_roles *roles)
{
    event e;
    assay_status status = next(roles, &e);

    return status == ASSAY_OK ? descend(roles, &e) : status;
}

/* Recursion goes as deep as an option's name has dots. */
static assay_status descend(assay_json_roles *roles, const event *e)
{
    size_t prefix = roles->path.length + 1;
    assay_status status;

    if (!assay_json_is_container(e->kind)) return ASSAY_OK;
    status = assay_json_buffer_set(&roles->path, prefix - 1, ".", 1);
    if (status != ASSAY_OK) return status;
    return e->kind == ASSAY_JSON_OBJECT ? read_members(roles, prefix)
                                        : read_elements(roles, prefix);
}

/* The rest of an object whose own path is the first prefix bytes of the path. */
static assay_status read_members(assay_json_roles *roles, size_t prefix)
{
    for (;;) {
        event e;
        int role;
        assay_status status = next(roles, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        status = assay_json_buffer_set(&roles->path, prefix, e.text, e.length);
        if (status != ASSAY_OK) return status;
        role = assay_json_roles_choose(roles);
        if (role == ASSAY_JSON_NO_ROLE)
            status = assay_json_skip(roles->reader);
        else if (role == ASSAY_JSON_WITHIN)
            status = assay_json_roles_descend(roles);
        else
            status = assay_json_roles_take(roles, role);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_elements(assay_json_roles *roles, size_t prefix)
{
    for (size_t k = 0;; k++) {
        char number[24];
        int length = snprintf(number, sizeof number, "%zu", k);
        event e;
        assay_status status = next(roles, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        status = assay_json_buffer_set(&roles->path, prefix, number, (size_t)length);
        if (status == ASSAY_OK) status = read_element(roles, prefix, &e);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_element(assay_json_roles *roles, size_t prefix, const event *e)
{
    int role = assay_json_roles_choose(roles);
    size_t score_key;
    assay_status status;

    if (role >= 0) return take(roles, role, e);
    if (role == ASSAY_JSON_WITHIN) return descend(roles, e);
    if (e->kind == ASSAY_JSON_ARRAY) return assay_json_leave(roles->reader);
    if (e->kind != ASSAY_JSON_OBJECT) return ASSAY_OK;
    status = read_named(roles, &score_key);
    if (status != ASSAY_OK || score_key == NO_SCORE || roles->name.length == 0) return status;
    return take_named(roles, prefix, names_of_scores[score_key]);
}

/* Read the rest of an object: what it is called, and its score, under which of the names. */
static assay_status read_named(assay_json_roles *roles, size_t *score_key)
{
    static const char *const names[] = { "name", "key", "metric", "scorer" };
    size_t name_key = sizeof names / sizeof names[0];

    *score_key = NO_SCORE;
    roles->name.length = 0;
    for (;;) {
        size_t is_name = 0, is_score = 0;
        event e, text;
        assay_status status = next(roles, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        while (is_name < name_key && strcmp(e.text, names[is_name]) != 0) is_name++;
        while (is_score < *score_key && strcmp(e.text, names_of_scores[is_score]) != 0) is_score++;
        if ((status = next(roles, &e)) != ASSAY_OK) return status;
        text = as_text(&e);
        if (assay_json_is_container(e.kind)) {
            status = assay_json_leave(roles->reader);
        } else if (is_name < name_key && e.kind == ASSAY_JSON_STRING) {
            name_key = is_name;
            status = assay_json_buffer_set(&roles->name, 0, text.text, text.length);
        } else if (is_score < *score_key) {
            *score_key = is_score;
            status = assay_json_buffer_set(&roles->score, 0, text.text, text.length);
        }
        if (status != ASSAY_OK) return status;
    }
}

/* "LIST.NAME", and with the key as well, "LIST.NAME.score". */
static assay_status take_named(assay_json_roles *roles, size_t prefix, const char *score_key)
{
    event e = { ASSAY_JSON_STRING, roles->score.text, roles->score.length };
    assay_status status =
        assay_json_buffer_set(&roles->path, prefix, roles->name.text, roles->name.length);
    int role;

    if (status != ASSAY_OK) return status;
    role = assay_json_roles_choose(roles);
    if (role == ASSAY_JSON_WITHIN) {
        status = assay_json_buffer_set(&roles->path, roles->path.length, ".", 1);
        if (status == ASSAY_OK)
            status = assay_json_buffer_set(&roles->path, roles->path.length, score_key,
                                           strlen(score_key));
        if (status != ASSAY_OK) return status;
        role = assay_json_roles_choose(roles);
    }
    return role >= 0 ? take(roles, role, &e) : ASSAY_OK;
}

static assay_status next(assay_json_roles *roles, event *e)
{
    double number;

    return assay_json_next(roles->reader, &e->kind, &e->text, &e->length, &number);
}
