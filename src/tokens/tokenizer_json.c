/* SPDX-License-Identifier: Apache-2.0 */
/* tokenizer.json, as the tokenizers library writes it. */
#include "tokens/tokenizer.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/json_fields.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of its steps, NULL for none. Those that are not BERT's are refused once the model is known
   to be, since its name says more. */
typedef struct description {
    assay_tokenizer_parts *parts;
    char *normaliser, *pre_tokenizer, *model;
    size_t normaliser_line, pre_tokenizer_line;
} description;

static assay_status read_file(description *file, const assay_json_fields *in);
static assay_status take_step(void *user, const assay_json_fields *in, const char *key);
static assay_status take_rule(void *user, const assay_json_fields *in, const char *key);
static assay_status take_type(void *user, const assay_json_fields *in, const char *key);
static assay_status check_steps(const description *file);
static assay_status take_model(void *user, const assay_json_fields *in, const char *key);
static assay_status check_model(const description *file, const assay_json_fields *in);
static assay_status check_prefix(const description *file, const assay_json_fields *in);
static assay_status take_longest(assay_tokenizer_parts *parts, const assay_json_fields *in);
static assay_status take_vocabulary(assay_tokenizer_parts *parts, const assay_json_fields *in);
static assay_status take_piece(assay_tokenizer_parts *parts, const assay_json_fields *in,
                               const char *text, size_t length);
static assay_status take_added(void *user, const assay_json_fields *in);

assay_status assay_tokenizer_read_json(assay_tokenizer_parts *parts, assay_json_source source,
                                       void *user)
{
    description file = { .parts = parts };
    assay_json_fields in = { .path = parts->path };
    assay_status status = assay_json_open(parts->path, source, user, &in.reader);

    if (status == ASSAY_OK) status = read_file(&file, &in);
    assay_json_close(in.reader);
    free(file.normaliser);
    free(file.pre_tokenizer);
    free(file.model);
    return status;
}

static assay_status read_file(description *file, const assay_json_fields *in)
{
    assay_status status = assay_json_each(in, "tokenizer", take_step, file);

    if (status == ASSAY_OK) status = check_model(file, in);
    if (status == ASSAY_OK) status = check_steps(file);
    if (status == ASSAY_OK) status = assay_json_check_end(in);
    if (status == ASSAY_OK && !file->normaliser) {
        file->parts->rules = (assay_bert_rules){ 0 };
        file->parts->strip = 0;
    }
    return status;
}

static assay_status take_step(void *user, const assay_json_fields *in, const char *key)
{
    description *file = user;
    const size_t line = assay_json_line(in->reader);

    if (strcmp(key, "added_tokens") == 0)
        return assay_json_each_object(in, key, take_added, file->parts);
    if (strcmp(key, "normalizer") == 0) {
        file->normaliser_line = line;
        return assay_json_each(in, key, take_rule, file);
    }
    if (strcmp(key, "pre_tokenizer") == 0) {
        file->pre_tokenizer_line = line;
        return assay_json_each(in, key, take_type, &file->pre_tokenizer);
    }
    if (strcmp(key, "model") == 0) return assay_json_each(in, key, take_model, file);
    return assay_json_skip(in->reader);
}

static assay_status take_rule(void *user, const assay_json_fields *in, const char *key)
{
    description *file = user;
    assay_bert_rules *rules = &file->parts->rules;

    if (strcmp(key, "clean_text") == 0) return assay_json_take_flag(in, key, &rules->clean);
    if (strcmp(key, "handle_chinese_chars") == 0)
        return assay_json_take_flag(in, key, &rules->ideographs);
    if (strcmp(key, "strip_accents") == 0)
        return assay_json_take_flag(in, key, &file->parts->strip);
    if (strcmp(key, "lowercase") == 0) return assay_json_take_flag(in, key, &rules->lower);
    return take_type(&file->normaliser, in, key);
}

static assay_status take_type(void *user, const assay_json_fields *in, const char *key)
{
    char **type = user;

    if (strcmp(key, "type") == 0) return assay_json_take_text(in, key, type);
    return assay_json_skip(in->reader);
}

static assay_status check_steps(const description *file)
{
    const char *path = file->parts->path;

    if (file->normaliser && strcmp(file->normaliser, "BertNormalizer") != 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, file->normaliser_line,
                             "the normalizer %.60s, expected BertNormalizer", file->normaliser);
    if (!file->pre_tokenizer)
        return assay_fail_at(ASSAY_E_FORMAT, path, file->pre_tokenizer_line,
                             "no pre-tokenizer, expected BertPreTokenizer");
    if (strcmp(file->pre_tokenizer, "BertPreTokenizer") != 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, file->pre_tokenizer_line,
                             "the pre-tokenizer %.60s, expected BertPreTokenizer",
                             file->pre_tokenizer);
    return ASSAY_OK;
}

static assay_status take_model(void *user, const assay_json_fields *in, const char *key)
{
    description *file = user;
    assay_tokenizer_parts *parts = file->parts;
    assay_status status;

    if (strcmp(key, "type") == 0) {
        status = assay_json_take_text(in, key, &file->model);
        return status == ASSAY_OK ? check_model(file, in) : status;
    }
    if (strcmp(key, "continuing_subword_prefix") == 0) {
        status = assay_json_take_text(in, key, &parts->prefix);
        return status == ASSAY_OK ? check_prefix(file, in) : status;
    }
    if (strcmp(key, "unk_token") == 0)
        return assay_json_take_text(in, key, &parts->names[ASSAY_UNKNOWN]);
    if (strcmp(key, "max_input_chars_per_word") == 0) return take_longest(parts, in);
    if (strcmp(key, "vocab") == 0) return take_vocabulary(parts, in);
    return assay_json_skip(in->reader);
}

static assay_status check_model(const description *file, const assay_json_fields *in)
{
    if (file->model && strcmp(file->model, "WordPiece") == 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                         "a %.60s tokenizer, expected WordPiece",
                         file->model ? file->model : "nameless");
}

static assay_status check_prefix(const description *file, const assay_json_fields *in)
{
    const char *prefix = file->parts->prefix;

    if (!prefix || strlen(prefix) <= ASSAY_PREFIX_MAX) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                         "a continuing prefix of %zu bytes, expected at most %d", strlen(prefix),
                         ASSAY_PREFIX_MAX);
}

static assay_status take_longest(assay_tokenizer_parts *parts, const assay_json_fields *in)
{
    uint32_t longest = (uint32_t)parts->max_characters;
    assay_status status =
        assay_json_take_whole(in, "max_input_chars_per_word", ASSAY_WORD_MAX, &longest);

    parts->max_characters = longest;
    return status;
}

static assay_status take_vocabulary(assay_tokenizer_parts *parts, const assay_json_fields *in)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(in->reader, &event, &text, &length, &number);

    if (status == ASSAY_OK && event != ASSAY_JSON_OBJECT)
        return assay_fail_at(ASSAY_E_FORMAT, in->path, assay_json_line(in->reader),
                             "\"vocab\" is something else, expected an object of pieces");
    while (status == ASSAY_OK) {
        status = assay_json_next(in->reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) break;
        status = take_piece(parts, in, text, length);
    }
    return status;
}

/* The piece that is a key, and the id behind it. */
static assay_status take_piece(assay_tokenizer_parts *parts, const assay_json_fields *in,
                               const char *text, size_t length)
{
    const size_t line = assay_json_line(in->reader);
    char piece[ASSAY_PIECE_MAX + 1];
    uint32_t id = UINT32_MAX;
    assay_status status;

    if (length <= ASSAY_PIECE_MAX) memcpy(piece, text, length);
    piece[length <= ASSAY_PIECE_MAX ? length : 0] = '\0';
    status = assay_json_take_whole(in, piece, ASSAY_N_IDS_MAX - 1, &id);
    return status == ASSAY_OK ? assay_tokenizer_piece(parts, line, piece, length, id) : status;
}

static assay_status take_added(void *user, const assay_json_fields *in)
{
    assay_listed_token token = { .path = in->path, .is_even = 1 };
    assay_status status;

    token.line = assay_json_line(in->reader);
    status = assay_json_each_left(in, assay_tokenizer_take_property, &token);
    if (status != ASSAY_OK) {
        free(token.text);
        return status;
    }
    return assay_tokenizer_list(user, &token);
}

assay_status assay_tokenizer_take_property(void *user, const assay_json_fields *in, const char *key)
{
    assay_listed_token *token = user;

    if (strcmp(key, "id") == 0) {
        token->has_id = 1;
        return assay_json_take_whole(in, key, ASSAY_N_IDS_MAX - 1, &token->how.id);
    }
    if (strcmp(key, "content") == 0) return assay_json_take_text(in, key, &token->text);
    if (strcmp(key, "single_word") == 0)
        return assay_json_take_flag(in, key, &token->how.is_single);
    if (strcmp(key, "lstrip") == 0) return assay_json_take_flag(in, key, &token->how.takes_left);
    if (strcmp(key, "rstrip") == 0) return assay_json_take_flag(in, key, &token->how.takes_right);
    if (strcmp(key, "normalized") == 0) return assay_json_take_flag(in, key, &token->is_even);
    return assay_json_skip(in->reader);
}
