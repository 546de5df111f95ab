/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_fields.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 64 };

typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
    double number;
} event;

static assay_status next(const assay_json_fields *in, event *e);
static int is_whole(const event *e, uint32_t most);
static assay_status fail_kind(const assay_json_fields *in, const char *name, const char *expected);

assay_status assay_json_each(const assay_json_fields *in, const char *name, assay_take_field take,
                             void *user)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_NULL) return status;
    if (e.kind != ASSAY_JSON_OBJECT) return fail_kind(in, name, "an object");
    return assay_json_each_left(in, take, user);
}

assay_status assay_json_each_left(const assay_json_fields *in, assay_take_field take, void *user)
{
    for (;;) {
        char key[KEY_SIZE];
        size_t length;
        event e;
        assay_status status = next(in, &e);

        if (status != ASSAY_OK || e.kind == ASSAY_JSON_OBJECT_END) return status;
        length = e.length < KEY_SIZE ? e.length : KEY_SIZE - 1;
        memcpy(key, e.text, length);
        key[length] = '\0';
        if ((status = take(user, in, key)) != ASSAY_OK) return status;
    }
}

assay_status assay_json_each_object(const assay_json_fields *in, const char *name,
                                    assay_take_object take, void *user)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_NULL) return status;
    if (e.kind != ASSAY_JSON_ARRAY) return fail_kind(in, name, "an array");
    for (;;) {
        status = next(in, &e);
        if (status != ASSAY_OK || e.kind == ASSAY_JSON_ARRAY_END) return status;
        if (e.kind != ASSAY_JSON_OBJECT) return fail_kind(in, name, "an array of objects");
        if ((status = take(user, in)) != ASSAY_OK) return status;
    }
}

assay_status assay_json_check_end(const assay_json_fields *in)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_END) return status;
    return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                         "the file goes on behind its object, expected its end");
}

assay_status assay_json_take_text(const assay_json_fields *in, const char *name, char **out)
{
    event e;
    assay_status status = next(in, &e);
    char *copy;

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_NULL) return status;
    if (e.kind != ASSAY_JSON_STRING || memchr(e.text, '\0', e.length))
        return fail_kind(in, name, "text");
    copy = assay_copy_text(e.text, e.length);
    if (!copy) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for \"%s\"", in->path, name);
    free(*out);
    *out = copy;
    return ASSAY_OK;
}

assay_status assay_json_take_flag(const assay_json_fields *in, const char *name, int *out)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK || e.kind == ASSAY_JSON_NULL) return status;
    if (e.kind != ASSAY_JSON_TRUE && e.kind != ASSAY_JSON_FALSE)
        return fail_kind(in, name, "true or false");
    *out = e.kind == ASSAY_JSON_TRUE;
    return ASSAY_OK;
}

assay_status assay_json_take_number(const assay_json_fields *in, const char *name, double *out)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK) return status;
    if (e.kind != ASSAY_JSON_NUMBER && e.kind != ASSAY_JSON_NULL)
        return fail_kind(in, name, "a number");
    *out = e.kind == ASSAY_JSON_NUMBER ? e.number : NAN;
    return ASSAY_OK;
}

assay_status assay_json_take_whole(const assay_json_fields *in, const char *name, uint32_t most,
                                   uint32_t *out)
{
    event e;
    assay_status status = next(in, &e);

    if (status != ASSAY_OK) return status;
    if (e.kind != ASSAY_JSON_NUMBER)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                             "\"%.60s\" is no whole number, expected one from 0 to %u", name, most);
    if (!is_whole(&e, most))
        return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                             "\"%.60s\" is %.*s, expected a whole number from 0 to %u", name,
                             (int)(e.length < 32 ? e.length : 32), e.text, most);
    *out = (uint32_t)e.number;
    return ASSAY_OK;
}

/* Written as digits alone. */
static int is_whole(const event *e, uint32_t most)
{
    if (!(e->number <= most)) return 0;
    for (size_t i = 0; i < e->length; i++)
        if (e->text[i] < '0' || e->text[i] > '9') return 0;
    return e->length > 0;
}

static assay_status next(const assay_json_fields *in, event *e)
{
    return assay_json_next(in->reader, &e->kind, &e->text, &e->length, &e->number);
}

static assay_status fail_kind(const assay_json_fields *in, const char *name, const char *expected)
{
    return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                         "\"%s\" is something else, expected %s", name, expected);
}
