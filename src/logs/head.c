/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/head.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/kinds.h"
#include "read/text_source.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 5, KEYS_MAX = 64, PATH_MAX_BYTES = 512, BETWEEN = '\x1f' };

/* The value at hand, and where it stands. */
typedef struct walk {
    assay_log_head *head;
    assay_json_reader *reader;
    char path[PATH_MAX_BYTES]; /* its keys, with BETWEEN between them */
} walk;

static assay_head_kind kind_of(const char *bytes, size_t length);
static assay_status read_keys(assay_log_head *head);
static assay_status walk_value(walk *w, size_t path_length, size_t depth);
static assay_status walk_object(walk *w, size_t path_length, size_t depth);
static assay_status walk_array(walk *w, size_t path_length, size_t depth);
static assay_status keep(walk *w, size_t path_length, assay_json_event event);
static int matches(const char *key, const char *path);

assay_status assay_log_head_read(assay_log_head *head, const char *path, const char *bytes,
                                 size_t length)
{
    assay_status status;

    *head = (assay_log_head){
        .path = path, .bytes = bytes, .length = length, .kind = kind_of(bytes, length)
    };
    if (head->kind != ASSAY_HEAD_OBJECT && head->kind != ASSAY_HEAD_ARRAY) return ASSAY_OK;
    status = read_keys(head);
    return status == ASSAY_E_FORMAT ? ASSAY_OK : status; /* the head ends within a value */
}

void assay_log_head_free(assay_log_head *head)
{
    assay_names_free(&head->keys);
    free(head->events);
    *head = (assay_log_head){ 0 };
}

assay_json_event assay_log_head_at(const assay_log_head *head, const char *path)
{
    for (size_t k = 0; k < head->keys.count; k++)
        if (matches(head->keys.text[k], path)) return (assay_json_event)head->events[k];
    return ASSAY_JSON_END;
}

int assay_log_head_has(const assay_log_head *head, const char *const *paths, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (assay_log_head_at(head, paths[k]) == ASSAY_JSON_END) return 0;
    return 1;
}

static assay_head_kind kind_of(const char *bytes, size_t length)
{
    static const struct magic {
        const char *bytes;
        size_t length;
        assay_head_kind kind;
    } magics[] = {
        { "PK\3\4", 4, ASSAY_HEAD_ZIP },
        { "PK\5\6", 4, ASSAY_HEAD_ZIP },
        { "\x93NUMPY", 6, ASSAY_HEAD_NPY },
        { "PAR1", 4, ASSAY_HEAD_PARQUET },
    };
    const char *start = bytes;

    for (size_t k = 0; k < sizeof magics / sizeof magics[0]; k++)
        if (length >= magics[k].length && memcmp(bytes, magics[k].bytes, magics[k].length) == 0)
            return magics[k].kind;
    if (!assay_kinds_is_json(bytes, length)) return ASSAY_HEAD_OTHER;
    while (*start != '{' && *start != '[') start++;
    return *start == '{' ? ASSAY_HEAD_OBJECT : ASSAY_HEAD_ARRAY;
}

static assay_status read_keys(assay_log_head *head)
{
    assay_text_source source = { head->bytes, head->length };
    walk w = { .head = head };
    assay_status status = assay_json_open(head->path, assay_text_source_read, &source, &w.reader);

    if (status == ASSAY_OK) status = walk_value(&w, 0, 0);
    assay_json_close(w.reader);
    return status;
}

/* Recursion is at most DEPTH_MAX keys deep, with as many arrays between. */
static assay_status walk_value(walk *w, size_t path_length, size_t depth)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(w->reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && path_length > 0) status = keep(w, path_length, event);
    if (status != ASSAY_OK) return status;
    if (event == ASSAY_JSON_OBJECT) return walk_object(w, path_length, depth);
    if (event == ASSAY_JSON_ARRAY) return walk_array(w, path_length, depth);
    return ASSAY_OK;
}

static assay_status walk_object(walk *w, size_t path_length, size_t depth)
{
    if (depth == DEPTH_MAX) return assay_json_leave(w->reader);
    for (size_t k = 0;; k++) {
        assay_json_event event;
        const char *text;
        size_t length, at = path_length;
        double number;
        assay_status status = assay_json_next(w->reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) return status;
        if (k >= KEYS_MAX || at + length + 1 > PATH_MAX_BYTES) {
            status = assay_json_skip(w->reader); /* named by items, say */
        } else {
            if (at > 0) w->path[at++] = BETWEEN;
            memcpy(w->path + at, text, length);
            status = walk_value(w, at + length, depth + 1);
        }
        if (status != ASSAY_OK) return status;
    }
}

static assay_status walk_array(walk *w, size_t path_length, size_t depth)
{
    size_t outside = assay_json_depth(w->reader) - 1;
    assay_status status;

    if (depth == DEPTH_MAX) return assay_json_leave(w->reader);
    status = walk_value(w, path_length, depth + 1);
    return status == ASSAY_OK && assay_json_depth(w->reader) > outside ? assay_json_leave(w->reader)
                                                                       : status;
}

/* What a key's value begins with: the first that is seen stays, so that an array is one. */
static assay_status keep(walk *w, size_t path_length, assay_json_event event)
{
    assay_log_head *head = w->head;
    size_t before = head->keys.count, index;

    if (assay_names_add(&head->keys, w->path, path_length, &index) != 0 ||
        assay_grow(&head->events, &head->events_capacity, index + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory to recognise it", head->path);
    if (index == before) head->events[index] = (unsigned char)event;
    return ASSAY_OK;
}

static int matches(const char *key, const char *path)
{
    for (;;) {
        size_t in_key = strcspn(key, "\x1f"), in_path = strcspn(path, "/");
        int is_any = in_path == 1 && path[0] == '*';

        if (!is_any && (in_key != in_path || memcmp(key, path, in_key) != 0)) return 0;
        key += in_key;
        path += in_path;
        if (!*key || !*path) return !*key && !*path;
        key++;
        path++;
    }
}
