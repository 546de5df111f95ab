/* SPDX-License-Identifier: Apache-2.0 */
/* Settings out of a model's JSON files: the members of one object that somebody asked for. */
#ifndef ASSAY_EMBED_SETTINGS_H
#define ASSAY_EMBED_SETTINGS_H

#include "assay/base.h"

enum { ASSAY_SETTING_TEXT = 128, ASSAY_MODEL_PATH = 4096 };

typedef enum assay_setting_kind {
    ASSAY_SETTING_IS_TEXT,   /* char[ASSAY_SETTING_TEXT]; what does not fit is cut */
    ASSAY_SETTING_IS_NUMBER, /* double */
    ASSAY_SETTING_IS_FLAG    /* int */
} assay_setting_kind;

/* A member that is missing leaves the value as it is; so does null, but that it makes NaN of a number. */
typedef struct assay_setting {
    const char *key;
    assay_setting_kind kind;
    void *value;
} assay_setting;

/* FOLDER/INNER/NAME, without INNER or NAME where they are empty. ASSAY_OK; ASSAY_E_READ when that
   is too long. */
assay_status assay_model_file(const char *folder, const char *inner, const char *name,
                              char path[ASSAY_MODEL_PATH]);
int assay_model_has_file(const char *path);

/* ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT when it is not one JSON object, or a member is of another
   kind; ASSAY_E_NOMEM. */
assay_status assay_settings_read(const char *path, const assay_setting *settings, size_t n);

/* The same for an array of objects: after each, take(user) is called, which also puts the values back to
   what they are when a member is missing. What it returns, if not ASSAY_OK, ends the reading. */
assay_status assay_settings_read_each(const char *path, const assay_setting *settings, size_t n,
                                      assay_status (*take)(void *user), void *user);

#endif
