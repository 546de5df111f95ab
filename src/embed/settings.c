/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/settings.h"

#include "core/error.h"
#include "read/input.h"
#include "read/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file of settings while it is read. */
typedef struct reading {
    const char *path;
    assay_json_reader *json;
    const assay_setting *settings;
    size_t n;
    assay_status (*take)(void *user); /* for an array; NULL for one object */
    void *user;
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
} reading;

static assay_status read_file(reading *r);
static assay_status read_document(reading *r);
static assay_status fail_document(const reading *r);
static assay_status read_objects(reading *r);
static assay_status read_object(reading *r);
static assay_status read_value(reading *r, const assay_setting *setting);
static assay_status next(reading *r);

assay_status assay_model_file(const char *folder, const char *inner, const char *name,
                              char path[ASSAY_MODEL_PATH])
{
    int n = snprintf(path, ASSAY_MODEL_PATH, "%s%s%s%s%s", folder, *inner ? "/" : "", inner,
                     *name ? "/" : "", name);

    if (n < 0 || n >= ASSAY_MODEL_PATH)
        return assay_fail(ASSAY_E_READ, "%.200s...: the path is too long", folder);
    return ASSAY_OK;
}

int assay_model_has_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0;
}

assay_status assay_settings_read(const char *path, const assay_setting *settings, size_t n)
{
    reading r = { .path = path, .settings = settings, .n = n };

    return read_file(&r);
}

assay_status assay_settings_read_each(const char *path, const assay_setting *settings, size_t n,
                                      assay_status (*take)(void *user), void *user)
{
    reading r = { .path = path, .settings = settings, .n = n, .take = take, .user = user };

    return read_file(&r);
}

static assay_status read_file(reading *r)
{
    assay_input_stream *input = NULL;
    assay_status status = assay_input_open(r->path, NULL, &input);

    if (status == ASSAY_OK) status = assay_json_open(r->path, assay_input_read, input, &r->json);
    if (status == ASSAY_OK) status = read_document(r);
    assay_json_close(r->json);
    assay_input_close(input);
    return status;
}

static assay_status read_document(reading *r)
{
    assay_status status = next(r);

    if (status != ASSAY_OK) return status;
    if (r->take && r->event == ASSAY_JSON_ARRAY)
        status = read_objects(r);
    else if (!r->take && r->event == ASSAY_JSON_OBJECT)
        status = read_object(r);
    else
        return fail_document(r);
    if (status == ASSAY_OK) status = next(r);
    return status == ASSAY_OK && r->event != ASSAY_JSON_END ? fail_document(r) : status;
}

static assay_status fail_document(const reading *r)
{
    return assay_fail_at(ASSAY_E_FORMAT, r->path, assay_json_line(r->json),
                         "expected one JSON %s and nothing else",
                         r->take ? "array of objects" : "object");
}

static assay_status read_objects(reading *r)
{
    for (;;) {
        assay_status status = next(r);

        if (status != ASSAY_OK || r->event == ASSAY_JSON_ARRAY_END) return status;
        if (r->event != ASSAY_JSON_OBJECT)
            return assay_fail_at(ASSAY_E_FORMAT, r->path, assay_json_line(r->json),
                                 "expected a JSON object in the array");
        if ((status = read_object(r)) != ASSAY_OK) return status;
        if ((status = r->take(r->user)) != ASSAY_OK) return status;
    }
}

static assay_status read_object(reading *r)
{
    for (;;) {
        const assay_setting *wanted = NULL;
        assay_status status = next(r);

        if (status != ASSAY_OK || r->event == ASSAY_JSON_OBJECT_END) return status;
        for (size_t k = 0; k < r->n; k++)
            if (strcmp(r->settings[k].key, r->text) == 0) wanted = &r->settings[k];
        status = wanted ? read_value(r, wanted) : assay_json_skip(r->json);
        if (status != ASSAY_OK) return status;
    }
}

static assay_status read_value(reading *r, const assay_setting *setting)
{
    static const char *const expected[] = { [ASSAY_SETTING_IS_TEXT] = "a string",
                                            [ASSAY_SETTING_IS_NUMBER] = "a number",
                                            [ASSAY_SETTING_IS_FLAG] = "true or false" };
    assay_status status = next(r);
    int is_flag = r->event == ASSAY_JSON_TRUE || r->event == ASSAY_JSON_FALSE;

    if (status != ASSAY_OK) return status;
    if (r->event == ASSAY_JSON_NULL) {
        if (setting->kind == ASSAY_SETTING_IS_NUMBER) *(double *)setting->value = NAN;
        return ASSAY_OK;
    }
    if (setting->kind == ASSAY_SETTING_IS_TEXT && r->event == ASSAY_JSON_STRING)
        snprintf(setting->value, ASSAY_SETTING_TEXT, "%s", r->text);
    else if (setting->kind == ASSAY_SETTING_IS_NUMBER && r->event == ASSAY_JSON_NUMBER)
        *(double *)setting->value = r->number;
    else if (setting->kind == ASSAY_SETTING_IS_FLAG && is_flag)
        *(int *)setting->value = r->event == ASSAY_JSON_TRUE;
    else
        return assay_fail_at(ASSAY_E_FORMAT, r->path, assay_json_line(r->json),
                             "\"%s\" is something else, expected %s", setting->key,
                             expected[setting->kind]);
    return ASSAY_OK;
}

static assay_status next(reading *r)
{
    return assay_json_next(r->json, &r->event, &r->text, &r->length, &r->number);
}
