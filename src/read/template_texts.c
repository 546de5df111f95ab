/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of templates or items, from tables or JSON rows, as surface counts. */
#include "assay/covariates.h"
#include "core/error.h"
#include "core/memory.h"
#include "read/features.h"
#include "read/fields.h"
#include "read/json.h"

#include <stdlib.h>
#include <string.h>

/* The texts so far, by place. */
typedef struct reading {
    assay_features_options options;
    assay_id_places places;
    char **texts, *first; /* first: the first id that came */
} reading;

/* Bytes that a reader takes as a stream. */
typedef struct piece {
    const char *bytes;
    size_t left;
} piece;

/* The fields that are looked for. */
enum { NAMED, ID, TEXT, TASK, N_FIELDS };

static assay_status read_json(reading *r, assay_input_stream *input);
static assay_status read_csv(reading *r, assay_input_stream *input);
static assay_status take_text(void *user, size_t line, const assay_name *fields);
static assay_status unquote_all(reading *r);
static assay_status count(const reading *r, assay_features *to);
static void free_reading(reading *r);

assay_status assay_features_read_texts(const char *path, const char *const *ids, size_t n,
                                       const char *what, const assay_features_options *options,
                                       assay_features **out)
{
    reading r = { .first = NULL };
    assay_features *to = NULL;
    assay_input_stream *input = NULL;
    const char *bytes = "";
    size_t length = 0;
    int is_json = 0;
    assay_status status;

    *out = NULL;
    if ((status = assay_features_options_resolve(options, &r.options)) != ASSAY_OK) return status;
    if ((status = assay_id_places_new(ids, n, what, &r.places)) != ASSAY_OK) goto done;
    if ((status = assay_input_open(path, NULL, &input)) != ASSAY_OK) goto done;
    if ((status = assay_features_new(assay_input_name(input), what, n, &to)) != ASSAY_OK) goto done;
    r.places.path = to->path;
    r.texts = assay_alloc_zero(n, sizeof *r.texts);
    if (!r.texts) status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu texts", path, n);
    if (status == ASSAY_OK) status = assay_input_peek(input, &bytes, &length);
    is_json = length > 0 && (*bytes == '{' || *bytes == '[');
    if (status == ASSAY_OK) status = is_json ? read_json(&r, input) : read_csv(&r, input);
    if (status == ASSAY_OK) status = assay_id_places_check(&r.places, r.first);
    if (status == ASSAY_OK && !is_json) status = unquote_all(&r);
    if (status == ASSAY_OK) status = count(&r, to);
    if (status != ASSAY_OK) goto done;
    *out = to;
    to = NULL;
done:
    assay_input_close(input);
    assay_features_free(to);
    free_reading(&r);
    return status;
}

static void free_reading(reading *r)
{
    for (size_t k = 0; r->texts && k < r->places.n; k++) free(r->texts[k]);
    free(r->texts);
    free(r->first);
    assay_id_places_free(&r->places);
}

static assay_status no_memory(const reading *r)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its texts", r->places.path);
}

/* ---- rows ---- */

static assay_role role_of(const reading *r)
{
    return strcmp(r->places.what, "item") == 0 ? ASSAY_ROLE_ITEM : ASSAY_ROLE_TEMPLATE;
}

static assay_status read_csv(reading *r, assay_input_stream *input)
{
    const assay_wanted wanted[N_FIELDS] = { [NAMED] = { role_of(r), r->places.what, 1 },
                                            [ID] = { ASSAY_N_ROLES, "id", 1 },
                                            [TEXT] = { ASSAY_ROLE_TEXT, "text", 0 },
                                            [TASK] = { ASSAY_N_ROLES, "task", 1 } };

    return assay_fields_read_input(input, wanted, N_FIELDS, 0, take_text, r);
}

static assay_status take_text(void *user, size_t line, const assay_name *fields)
{
    reading *r = user;
    const assay_name id = fields[NAMED].text ? fields[NAMED] : fields[ID];
    ptrdiff_t place;
    assay_status status;

    if (!id.text || !fields[TEXT].text)
        return assay_fail_at(ASSAY_E_FORMAT, r->places.path, line,
                             "no %s, expected \"%s\" (or \"id\") and \"text\"",
                             id.text ? "text" : "id", r->places.what);
    if (r->options.task && fields[TASK].text && !assay_name_is(fields[TASK], r->options.task))
        return ASSAY_OK;
    if (!r->first) r->first = assay_copy_text(id.text, id.length);
    if (!r->first) return no_memory(r);
    place = assay_id_places_find(&r->places, id.text, id.length);
    if (place < 0) return ASSAY_OK;
    status = assay_id_places_fill(&r->places, (size_t)place, line);
    if (status != ASSAY_OK) return status;
    r->texts[place] = assay_copy_text(fields[TEXT].text, fields[TEXT].length);
    return r->texts[place] ? ASSAY_OK : no_memory(r);
}

/* ---- JSON ---- */

/* Which field a key names, N_FIELDS for none; and how usual that name is, 0 the most. */
static int field_of_key(const reading *r, assay_name key, int *rank)
{
    if ((*rank = assay_role_rank(role_of(r), key)) >= 0) return NAMED;
    if ((*rank = assay_role_rank(ASSAY_ROLE_TEXT, key)) >= 0) return TEXT;
    *rank = 0;
    if (assay_name_is(key, "id")) return ID;
    return assay_name_is(key, "task") ? TASK : N_FIELDS;
}

/* The rest of an object whose begin was read: a row. */
static assay_status read_object(reading *r, assay_json_reader *json)
{
    char *kept[N_FIELDS] = { NULL };
    int ranks[N_FIELDS] = { 0 };
    assay_name fields[N_FIELDS] = { { NULL, 0 } };
    size_t line = assay_json_line(json), length;
    assay_json_event event = ASSAY_JSON_OBJECT;
    const char *text;
    double number;
    assay_status status = ASSAY_OK;

    while (status == ASSAY_OK) {
        int field, rank;

        status = assay_json_next(json, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) break;
        field = field_of_key(r, (assay_name){ text, length }, &rank);
        if (field == N_FIELDS || (kept[field] && rank >= ranks[field])) {
            status = assay_json_skip(json);
            continue;
        }
        status = assay_json_next(json, &event, &text, &length, &number);
        if (status == ASSAY_OK && event != ASSAY_JSON_STRING && event != ASSAY_JSON_NUMBER)
            status = assay_fail_at(ASSAY_E_FORMAT, r->places.path, assay_json_line(json),
                                   "an id or text that is neither, expected a string");
        if (status != ASSAY_OK) break;
        free(kept[field]);
        kept[field] = assay_copy_text(text, length);
        ranks[field] = rank;
        fields[field] = (assay_name){ kept[field], length };
        if (!kept[field]) status = no_memory(r);
    }
    if (status == ASSAY_OK) status = take_text(r, line, fields);
    for (int k = 0; k < N_FIELDS; k++) free(kept[k]);
    return status;
}

static assay_status read_json(reading *r, assay_input_stream *input)
{
    assay_json_reader *json = NULL;
    assay_json_event event = ASSAY_JSON_NULL;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_open(r->places.path, assay_input_read, input, &json);

    while (status == ASSAY_OK) {
        status = assay_json_next(json, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_END) break;
        if (event == ASSAY_JSON_OBJECT)
            status = read_object(r, json);
        else if (event != ASSAY_JSON_ARRAY && event != ASSAY_JSON_ARRAY_END)
            status =
                assay_fail_at(ASSAY_E_FORMAT, r->places.path, assay_json_line(json),
                              "no object, expected one with \"%s\" and \"text\"", r->places.what);
    }
    assay_json_close(json);
    return status;
}

/* ---- texts that are JSON strings ---- */

static assay_status read_piece(void *user, char *buffer, size_t size, size_t *got)
{
    piece *of = user;

    *got = of->left < size ? of->left : size;
    memcpy(buffer, of->bytes, *got);
    of->bytes += *got;
    of->left -= *got;
    return ASSAY_OK;
}

/* The string that a text is in quotes; 0 in *is_string where it is none. */
static assay_status unquote(const reading *r, char **text, int *is_string)
{
    piece of = { *text, strlen(*text) };
    assay_json_reader *json = NULL;
    assay_json_event event;
    const char *inner;
    char *copy = NULL;
    size_t length;
    double number;
    assay_status status = assay_json_open(r->places.path, read_piece, &of, &json);

    *is_string = 0;
    if (status != ASSAY_OK) return status;
    status = assay_json_next(json, &event, &inner, &length, &number);
    if (status == ASSAY_OK && event == ASSAY_JSON_STRING) {
        copy = assay_copy_text(inner, length);
        if (!copy) status = no_memory(r);
    }
    if (copy) status = assay_json_next(json, &event, &inner, &length, &number);
    *is_string = status == ASSAY_OK && copy && event == ASSAY_JSON_END;
    assay_json_close(json);
    if (*is_string) {
        free(*text);
        *text = copy;
    } else {
        free(copy);
    }
    return status == ASSAY_E_NOMEM ? status : ASSAY_OK;
}

/* All or none of them. */
static assay_status unquote_all(reading *r)
{
    assay_status status = ASSAY_OK;
    int is_string = 1;

    for (size_t k = 0; k < r->places.n; k++) {
        size_t length = strlen(r->texts[k]);

        if (length < 2 || r->texts[k][0] != '"' || r->texts[k][length - 1] != '"') return ASSAY_OK;
    }
    for (size_t k = 0; k < r->places.n && status == ASSAY_OK && is_string; k++)
        status = unquote(r, &r->texts[k], &is_string);
    if (status == ASSAY_OK && !is_string)
        status = assay_fail_at(ASSAY_E_FORMAT, r->places.path, 0,
                               "every text is in quotes, but not every one is a JSON string");
    return status;
}

/* ---- counts ---- */

static assay_status count(const reading *r, assay_features *to)
{
    to->is_counts = 1;
    return assay_covariates_surface((const char *const *)r->texts, r->places.n, &to->x, &to->d);
}
