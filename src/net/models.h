/* SPDX-License-Identifier: Apache-2.0 */
/* What a name of a model means. */
#ifndef ASSAY_NET_MODELS_H
#define ASSAY_NET_MODELS_H

#include "assay/models.h"

enum {
    ASSAY_MODEL_NAME = 200
}; /* "OWNER/NAME" of at most 96 characters each, with room for "--" */

typedef struct assay_model_name {
    char repo[ASSAY_MODEL_NAME];   /* OWNER/NAME on the hub; "" where a short name is not known */
    char folder[ASSAY_MODEL_NAME]; /* in the cache */
} assay_model_name;

/* ASSAY_OK; ASSAY_E_VALUE for what cannot be a name. */
assay_status assay_model_name_read(const char *name, assay_model_name *out);

/* "all-MiniLM-L6-v2, minilm, .." for sentences; a literal in all but fact. */
const char *assay_model_short_names(void);

/* FOLDER/NAME, allocated; NULL when there is no memory. */
char *assay_model_path(const char *folder, const char *name);

/* Whether a folder is a model's: it has a config.json. */
int assay_model_is_at(const char *folder);

#endif
