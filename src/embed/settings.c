/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/settings.h"

#include "core/error.h"
#include "read/input.h"
#include "read/json_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file of settings while it is read. */
typedef struct reading {
    const assay_setting *settings;
    size_t n;
    assay_status (*take)(void *user); /* for an array; NULL for one object */
    void *user;
} reading;

static assay_status read_file(const char *path, reading *r);
static assay_status take_object(void *user, const assay_json_fields *in);
static assay_status take_member(void *user, const assay_json_fields *in, const char *key);
static assay_status take_text(const assay_json_fields *in, const char *key, char *value);

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
    reading r = { .settings = settings, .n = n };

    return read_file(path, &r);
}

assay_status assay_settings_read_each(const char *path, const assay_setting *settings, size_t n,
                                      assay_status (*take)(void *user), void *user)
{
    reading r = { .settings = settings, .n = n, .take = take, .user = user };

    return read_file(path, &r);
}

static assay_status read_file(const char *path, reading *r)
{
    assay_json_fields in = { .path = path };
    assay_input_stream *input = NULL;
    assay_status status = assay_input_open(path, NULL, &input);

    if (status == ASSAY_OK) status = assay_json_open(path, assay_input_read, input, &in.reader);
    if (status == ASSAY_OK)
        status = r->take ? assay_json_each_object(&in, "settings", take_object, r)
                         : assay_json_each(&in, "settings", take_member, r);
    if (status == ASSAY_OK) status = assay_json_check_end(&in);
    assay_json_close(in.reader);
    assay_input_close(input);
    return status;
}

static assay_status take_object(void *user, const assay_json_fields *in)
{
    const reading *r = user;
    assay_status status = assay_json_each_left(in, take_member, user);

    return status == ASSAY_OK ? r->take(r->user) : status;
}

static assay_status take_member(void *user, const assay_json_fields *in, const char *key)
{
    const reading *r = user;

    for (size_t k = 0; k < r->n; k++) {
        const assay_setting *setting = &r->settings[k];

        if (strcmp(setting->key, key) != 0) continue;
        if (setting->kind == ASSAY_SETTING_IS_TEXT) return take_text(in, key, setting->value);
        if (setting->kind == ASSAY_SETTING_IS_FLAG)
            return assay_json_take_flag(in, key, setting->value);
        return assay_json_take_number(in, key, setting->value);
    }
    return assay_json_skip(in->reader);
}

static assay_status take_text(const assay_json_fields *in, const char *key, char *value)
{
    char *text = NULL;
    assay_status status = assay_json_take_text(in, key, &text);

    if (text) snprintf(value, ASSAY_SETTING_TEXT, "%s", text);
    free(text);
    return status;
}
