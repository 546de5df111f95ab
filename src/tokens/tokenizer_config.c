/* SPDX-License-Identifier: Apache-2.0 */
/* tokenizer_config.json, as the transformers library writes it: how a vocab.txt is meant. */
#include "tokens/tokenizer.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct config {
    assay_tokenizer_parts *parts;
    char *class;
} config;

static assay_status take_setting(void *user, const assay_json_fields *in, const char *key);
static assay_status check_class(const assay_json_fields *in, const char *class);
static assay_status take_name(const assay_json_fields *in, const char *key, char **name);
static assay_status take_content(void *user, const assay_json_fields *in, const char *key);
static assay_status take_numbered(void *user, const assay_json_fields *in, const char *key);

assay_status assay_tokenizer_read_config(assay_tokenizer_parts *parts, const char *path,
                                         assay_json_source source, void *user)
{
    config file = { .parts = parts };
    assay_json_fields in = { .path = path };
    assay_status status = assay_json_open(path, source, user, &in.reader);

    if (status == ASSAY_OK) status = assay_json_each(&in, "tokenizer", take_setting, &file);
    if (status == ASSAY_OK) status = assay_json_check_end(&in);
    assay_json_close(in.reader);
    free(file.class);
    return status;
}

static assay_status take_setting(void *user, const assay_json_fields *in, const char *key)
{
    static const char *const roles[ASSAY_N_ROLES] = { "unk_token", "cls_token", "sep_token",
                                                      "pad_token", "mask_token" };
    config *file = user;
    assay_tokenizer_parts *parts = file->parts;

    for (size_t role = 0; role < ASSAY_N_ROLES; role++)
        if (strcmp(key, roles[role]) == 0) return take_name(in, key, &parts->names[role]);
    if (strcmp(key, "do_lower_case") == 0)
        return assay_json_take_flag(in, key, &parts->rules.lower);
    if (strcmp(key, "strip_accents") == 0) return assay_json_take_flag(in, key, &parts->strip);
    if (strcmp(key, "tokenize_chinese_chars") == 0)
        return assay_json_take_flag(in, key, &parts->rules.ideographs);
    if (strcmp(key, "added_tokens_decoder") == 0)
        return assay_json_each(in, key, take_numbered, parts);
    if (strcmp(key, "tokenizer_class") == 0) {
        assay_status status = assay_json_take_text(in, key, &file->class);
        return status == ASSAY_OK && file->class ? check_class(in, file->class) : status;
    }
    return assay_json_skip(in->reader);
}

/* Others share the name of the file, such as BertJapaneseTokenizer, but not what is done with it. */
static assay_status check_class(const assay_json_fields *in, const char *class)
{
    static const char *const known[] = { "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
                                         "MobileBertTokenizer" };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const size_t n = strlen(known[k]);

        if (strncmp(class, known[k], n) == 0 && (!class[n] || strcmp(class + n, "Fast") == 0))
            return ASSAY_OK;
    }
    return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                         "the tokenizer %.60s, expected BertTokenizer", class);
}

/* A name as it is, or an object with it. */
static assay_status take_name(const assay_json_fields *in, const char *key, char **name)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(in->reader, &event, &text, &length, &number);

    if (status != ASSAY_OK || event == ASSAY_JSON_NULL) return status;
    if (event == ASSAY_JSON_OBJECT) return assay_json_each_left(in, take_content, name);
    if (event != ASSAY_JSON_STRING)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                             "\"%s\" is something else, expected text", key);
    free(*name);
    *name = assay_copy_text(text, length);
    return *name ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "%s: no memory for a name", in->path);
}

static assay_status take_content(void *user, const assay_json_fields *in, const char *key)
{
    char **name = user;

    if (strcmp(key, "content") == 0) return assay_json_take_text(in, key, name);
    return assay_json_skip(in->reader);
}

/* An added token whose key is its id. */
static assay_status take_numbered(void *user, const assay_json_fields *in, const char *key)
{
    assay_listed_token token = { .path = in->path, .is_even = 1, .has_id = 1 };
    assay_status status;

    token.line = assay_json_line(in->reader);
    for (const char *c = key; *c; c++) {
        if (*c >= '0' && *c <= '9') token.how.id = 10 * token.how.id + (uint32_t)(*c - '0');
        if (*c < '0' || *c > '9' || token.how.id >= ASSAY_N_IDS_MAX)
            return assay_fail_at(ASSAY_E_FORMAT, in->path, token.line,
                                 "the id \"%s\", expected a whole number below %d", key,
                                 ASSAY_N_IDS_MAX);
    }
    status = assay_json_each(in, key, assay_tokenizer_take_property, &token);
    if (status != ASSAY_OK) {
        free(token.text);
        return status;
    }
    return assay_tokenizer_list(user, &token);
}
