/* SPDX-License-Identifier: Apache-2.0 */
/* What a model's folder says in JSON: objects of which some keys are known, and values that must be of
   one kind. Faults are told with file and line. */
#ifndef ASSAY_READ_JSON_FIELDS_H
#define ASSAY_READ_JSON_FIELDS_H

#include "read/json.h"

typedef struct assay_json_fields {
    assay_json_reader *reader;
    const char *path;
} assay_json_fields;

/* Take the value of a key (UTF-8, cut to 63 bytes), all of it, or pass over it. */
typedef assay_status (*assay_take_field)(void *user, const assay_json_fields *in, const char *key);

/* Give every key of the object that comes next, or of the one that is open already; null has none.
   name: how messages call it. ASSAY_OK; ASSAY_E_FORMAT when it is no object; what take returns. */
assay_status assay_json_each(const assay_json_fields *in, const char *name, assay_take_field take,
                             void *user);
assay_status assay_json_each_left(const assay_json_fields *in, assay_take_field take, void *user);

/* Give every object of the array that comes next to take, one after the other, to be read by
   assay_json_each_left(). */
typedef assay_status (*assay_take_object)(void *user, const assay_json_fields *in);
assay_status assay_json_each_object(const assay_json_fields *in, const char *name,
                                    assay_take_object take, void *user);

/* ASSAY_OK when nothing more comes, else ASSAY_E_FORMAT. */
assay_status assay_json_check_end(const assay_json_fields *in);

/* Take the value that comes next; one of another kind is refused. For text and flags null leaves *out
   as it is; of a number it makes NaN. The text is owned by the caller and has no NUL within; what
   was in *out before is freed. A whole number is written in digits alone and is at most most. */
assay_status assay_json_take_text(const assay_json_fields *in, const char *name, char **out);
assay_status assay_json_take_flag(const assay_json_fields *in, const char *name, int *out);
assay_status assay_json_take_number(const assay_json_fields *in, const char *name, double *out);
assay_status assay_json_take_whole(const assay_json_fields *in, const char *name, uint32_t most,
                                   uint32_t *out);

#endif
