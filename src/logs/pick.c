/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/pick.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The event at hand. */
typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
    double number;
} event;

/* Which picks a key is on the way to, one bit each, and which one it names itself. */
typedef struct aim {
    uint64_t within;
    ptrdiff_t itself; /* -1: none */
    int is_text;      /* 1: the key is known to hold no NUL */
} aim;

/* A key, where it stood and what it led to. Objects of one file have the same keys in one order, so that
   the next one is most often known. */
enum { SEEN_MAX = 64, SEEN_LENGTH = 24 };
typedef struct assay_picked_key {
    uint64_t open;
    size_t depth, length;
    aim at;
    char text[SEEN_LENGTH];
} picked_key;

static void split(assay_name *parts, const char *path);
static assay_status read_members(assay_picker *p, assay_json_reader *reader, uint64_t open,
                                 size_t depth);
static aim aim_of(assay_picker *p, uint64_t open, size_t depth, const event *key);
static int is_same(const char *a, const char *b, size_t length);
static aim find_aim(const assay_picker *p, uint64_t open, size_t depth, const event *key);
static int is_passed(const assay_picker *p, aim at);
static assay_status take(assay_picker *p, assay_json_reader *reader, size_t k, const event *e);
static assay_status keep(assay_picker *p, assay_value *value, const event *e);
static assay_status next(assay_json_reader *reader, event *e);

assay_status assay_picker_open(assay_picker *picker, const char *path, const assay_pick *picks,
                               size_t n, void *user)
{
    *picker = (assay_picker){ .path = path, .picks = picks, .n = n, .user = user };
    picker->values = assay_alloc_zero(n, sizeof *picker->values);
    picker->parts = assay_alloc_zero(n * ASSAY_PICK_DEPTH, sizeof *picker->parts);
    picker->seen = assay_alloc_zero(SEEN_MAX, sizeof *picker->seen);
    if (!picker->values || !picker->parts || !picker->seen)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", path);
    for (size_t k = 0; k < n; k++) split(picker->parts + k * ASSAY_PICK_DEPTH, picks[k].path);
    return ASSAY_OK;
}

void assay_picker_close(assay_picker *picker)
{
    for (size_t k = 0; picker->values && k < picker->n; k++) free(picker->values[k].text);
    free(picker->values);
    free(picker->taken.text);
    free(picker->parts);
    free(picker->seen);
    free(picker->key);
    *picker = (assay_picker){ 0 };
}

assay_status assay_picker_object(assay_picker *picker, assay_json_reader *reader)
{
    uint64_t all = picker->n < 64 ? (UINT64_C(1) << picker->n) - 1 : ~UINT64_C(0);

    picker->line = assay_json_line(reader);
    picker->n_seen = 0;
    for (size_t k = 0; k < picker->n; k++) picker->values[k].kind = ASSAY_JSON_END;
    return read_members(picker, reader, all, 0);
}

assay_status assay_picker_array(assay_picker *picker, assay_json_reader *reader,
                                assay_object_done done)
{
    for (;;) {
        event e;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        if (e.kind == ASSAY_JSON_ARRAY) status = assay_json_leave(reader);
        if (e.kind == ASSAY_JSON_OBJECT) {
            status = assay_picker_object(picker, reader);
            if (status == ASSAY_OK) status = done(picker->user);
        }
        if (status != ASSAY_OK) return status;
    }
}

assay_name assay_value_name(const assay_value *value)
{
    switch (value->kind) {
    case ASSAY_JSON_STRING:
    case ASSAY_JSON_NUMBER: return (assay_name){ value->text, value->length };
    case ASSAY_JSON_TRUE: return (assay_name){ "true", 4 };
    case ASSAY_JSON_FALSE: return (assay_name){ "false", 5 };
    default: return (assay_name){ NULL, 0 };
    }
}

static void split(assay_name *parts, const char *path)
{
    for (size_t depth = 0;; depth++) {
        size_t length = strcspn(path, "/");

        parts[depth] = (assay_name){ path, length };
        if (!path[length]) return;
        path += length + 1;
    }
}

/* Recursion goes as deep as a path has keys. */
static assay_status read_members(assay_picker *p, assay_json_reader *reader, uint64_t open,
                                 size_t depth)
{
    for (;;) {
        event e;
        aim at;
        assay_status status = next(reader, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        at = aim_of(p, open, depth, &e);
        if (at.within == 0 && is_passed(p, at)) {
            if ((status = assay_json_skip(reader)) != ASSAY_OK) return status;
            continue;
        }
        if (assay_grow(&p->key, &p->key_capacity, e.length + 1, 1) != 0)
            return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a key", p->path);
        memcpy(p->key, e.text, e.length + 1);
        if (!at.is_text && memchr(p->key, '\0', e.length)) /* it would be taken for another name */
            return assay_fail_at(ASSAY_E_FORMAT, p->path, assay_json_line(reader),
                                 "a key has a NUL character after \"%.60s\", expected text",
                                 p->key);
        if ((status = next(reader, &e)) != ASSAY_OK) return status;
        if (e.kind == ASSAY_JSON_OBJECT && at.within != 0) {
            if (at.itself >= 0) p->values[at.itself].kind = ASSAY_JSON_OBJECT;
            status = read_members(p, reader, at.within, depth + 1);
        } else if (at.itself >= 0) {
            status = take(p, reader, (size_t)at.itself, &e);
        } else if (assay_json_is_container(e.kind)) {
            status = assay_json_leave(reader);
        }
        if (status != ASSAY_OK) return status;
    }
}

static int is_passed(const assay_picker *p, aim at)
{
    return at.itself < 0 || p->picks[at.itself].take == assay_pick_pass;
}

static aim aim_of(assay_picker *p, uint64_t open, size_t depth, const event *key)
{
    picked_key *seen = &p->seen[p->n_seen % SEEN_MAX];

    p->n_seen++;
    if (seen->open == open && seen->depth == depth && seen->length == key->length &&
        is_same(seen->text, key->text, key->length))
        return seen->at;
    if (key->length > SEEN_LENGTH) return find_aim(p, open, depth, key);
    *seen = (picked_key){ open, depth, key->length, find_aim(p, open, depth, key), { 0 } };
    seen->at.is_text = !memchr(key->text, '\0', key->length);
    memcpy(seen->text, key->text, key->length);
    return seen->at;
}

/* Without a call: it is done for each key. */
static int is_same(const char *a, const char *b, size_t length)
{
    for (; length >= sizeof(uint64_t); length -= sizeof(uint64_t)) {
        uint64_t x, y;

        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y) return 0;
        a += sizeof x;
        b += sizeof y;
    }
    while (length > 0 && *a == *b) a++, b++, length--;
    return length == 0;
}

/* A pick that names the key goes before one that takes any. */
static aim find_aim(const assay_picker *p, uint64_t open, size_t depth, const event *key)
{
    aim at = { 0, -1, 0 };
    int is_named = 0;

    for (uint64_t left = open; left; left &= left - 1) {
        const size_t k = (size_t)__builtin_ctzll(left);
        const assay_name *part = p->parts + k * ASSAY_PICK_DEPTH + depth;
        const int is_any = part->length == 1 && part->text[0] == '*';
        int is_last;

        if (!is_any && (part->length != key->length || part->text[0] != key->text[0] ||
                        memcmp(part->text, key->text, key->length)))
            continue;
        is_last = depth + 1 == ASSAY_PICK_DEPTH || !part[1].text;
        if (!is_last)
            at.within |= UINT64_C(1) << k;
        else if (at.itself < 0 || (!is_any && !is_named))
            at.itself = (ptrdiff_t)k, is_named = !is_any;
    }
    return at;
}

static assay_status take(assay_picker *p, assay_json_reader *reader, size_t k, const event *e)
{
    assay_status status;

    if (p->picks[k].take) {
        status = keep(p, &p->taken, e);
        return status == ASSAY_OK ? p->picks[k].take(p->user, reader, p->key, &p->taken) : status;
    }
    if (p->values[k].kind != ASSAY_JSON_END)
        return assay_fail_at(ASSAY_E_FORMAT, p->path, assay_json_line(reader),
                             "the key \"%.60s\" stands twice in one object, expected once", p->key);
    status = keep(p, &p->values[k], e);
    return status == ASSAY_OK ? assay_json_leave_value(reader, e->kind) : status;
}

assay_status assay_pick_pass(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value)
{
    (void)user;
    (void)key;
    return assay_json_leave_value(reader, value->kind);
}

static assay_status keep(assay_picker *p, assay_value *value, const event *e)
{
    if (assay_grow(&value->text, &value->capacity, e->length + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a text of %zu bytes", p->path,
                          e->length);
    memcpy(value->text, e->text, e->length);
    value->text[e->length] = '\0';
    value->length = e->length;
    value->kind = e->kind;
    value->number = e->kind == ASSAY_JSON_NUMBER  ? e->number
                    : e->kind == ASSAY_JSON_TRUE  ? 1.0
                    : e->kind == ASSAY_JSON_FALSE ? 0.0
                                                  : NAN;
    return ASSAY_OK;
}

static assay_status next(assay_json_reader *reader, event *e)
{
    return assay_json_next(reader, &e->kind, &e->text, &e->length, &e->number);
}
