/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/text.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

/* One event of a value, and whether a comma goes before it. */
typedef struct event {
    assay_json_event kind;
    const char *text;
    size_t length;
} event;

static assay_status add_event(assay_log_text *to, const event *e, int *needs_comma);
static assay_status add_quoted(assay_log_text *to, const char *text, size_t n);

assay_status assay_log_text_add(assay_log_text *to, const char *bytes, size_t n)
{
    if (assay_grow(&to->text, &to->capacity, to->length + n + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", to->length + n);
    if (n > 0) memcpy(to->text + to->length, bytes, n);
    to->length += n;
    to->text[to->length] = '\0';
    return ASSAY_OK;
}

assay_status assay_log_text_add_part(assay_log_text *to, const char *bytes, size_t n)
{
    char length[24];
    int digits = snprintf(length, sizeof length, "%zu:", n);
    assay_status status = assay_log_text_add(to, length, (size_t)digits);

    return status == ASSAY_OK ? assay_log_text_add(to, bytes, n) : status;
}

assay_status assay_log_text_add_value(assay_log_text *to, assay_json_reader *reader,
                                      const assay_value *value, int bare)
{
    event e = { value->kind, value->text, value->length };
    int needs_comma = 0;
    size_t outside;
    assay_status status;

    if (bare && e.kind == ASSAY_JSON_STRING) return assay_log_text_add(to, e.text, e.length);
    status = add_event(to, &e, &needs_comma);
    if (!assay_json_is_container(e.kind)) return status;
    outside = assay_json_depth(reader) - 1;
    while (status == ASSAY_OK && assay_json_depth(reader) > outside) {
        double number;

        status = assay_json_next(reader, &e.kind, &e.text, &e.length, &number);
        if (status == ASSAY_OK) status = add_event(to, &e, &needs_comma);
    }
    return status;
}

static assay_status add_event(assay_log_text *to, const event *e, int *needs_comma)
{
    int is_end = e->kind == ASSAY_JSON_OBJECT_END || e->kind == ASSAY_JSON_ARRAY_END;
    assay_status status = *needs_comma && !is_end ? assay_log_text_add(to, ",", 1) : ASSAY_OK;

    if (status != ASSAY_OK) return status;
    *needs_comma = 1;
    switch (e->kind) {
    case ASSAY_JSON_OBJECT: *needs_comma = 0; return assay_log_text_add(to, "{", 1);
    case ASSAY_JSON_ARRAY: *needs_comma = 0; return assay_log_text_add(to, "[", 1);
    case ASSAY_JSON_OBJECT_END: return assay_log_text_add(to, "}", 1);
    case ASSAY_JSON_ARRAY_END: return assay_log_text_add(to, "]", 1);
    case ASSAY_JSON_KEY:
        *needs_comma = 0;
        status = add_quoted(to, e->text, e->length);
        return status == ASSAY_OK ? assay_log_text_add(to, ":", 1) : status;
    case ASSAY_JSON_STRING: return add_quoted(to, e->text, e->length);
    case ASSAY_JSON_NUMBER: return assay_log_text_add(to, e->text, e->length);
    case ASSAY_JSON_TRUE: return assay_log_text_add(to, "true", 4);
    case ASSAY_JSON_FALSE: return assay_log_text_add(to, "false", 5);
    default: return assay_log_text_add(to, "null", 4);
    }
}

/* The escapes that JavaScript's JSON.stringify() writes, and json.dumps() without ASCII. */
static assay_status add_quoted(assay_log_text *to, const char *text, size_t n)
{
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    assay_status status = assay_log_text_add(to, "\"", 1);
    size_t plain = 0;

    for (size_t i = 0; status == ASSAY_OK && i < n; i++) {
        const char *special = text[i] ? strchr(named, text[i]) : NULL;
        char escape[8];
        int length;

        if (!special && (unsigned char)text[i] >= 0x20) continue;
        length = special ? snprintf(escape, sizeof escape, "\\%c", letters[special - named])
                         : snprintf(escape, sizeof escape, "\\u%04x", (unsigned)text[i]);
        status = assay_log_text_add(to, text + plain, i - plain);
        if (status == ASSAY_OK) status = assay_log_text_add(to, escape, (size_t)length);
        plain = i + 1;
    }
    if (status == ASSAY_OK) status = assay_log_text_add(to, text + plain, n - plain);
    return status == ASSAY_OK ? assay_log_text_add(to, "\"", 1) : status;
}

void assay_log_hash(const char *bytes, size_t length, char hex[ASSAY_LOG_HASH_SIZE])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];

    SHA256((const unsigned char *)(bytes ? bytes : ""), length, digest);
    assay_hex(digest, sizeof digest, hex);
}

void assay_log_text_hash(const assay_log_text *text, char hex[ASSAY_LOG_HASH_SIZE])
{
    assay_log_hash(text->text, text->length, hex);
}
