/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/json_pass.h"
#include "read/json_token.h"

#include <stdlib.h>
#include <string.h>

/* What the reader has just passed, and so what may come next. */
typedef enum place {
    AT_START, /* of the whole input */
    AT_TOP,
    AFTER_OPENING,
    AFTER_VALUE,
    AFTER_COMMA,
    AFTER_KEY,
    AFTER_COLON
} place;

struct assay_json_reader {
    assay_json_input input;
    const assay_json_scan *scan;
    assay_json_nesting nesting;
    assay_json_text text;
    place place;
};

static assay_status go_to_token(assay_json_reader *reader, int *c);
static assay_status check_start(assay_json_input *input);
static int skip_space(assay_json_input *input);
static int is_closing(const assay_json_reader *reader, int c);
static int expects_key(const assay_json_reader *reader);
static assay_status read_value(assay_json_reader *reader, int c, assay_json_event *event,
                               double *number);
static assay_status read_scalar(assay_json_input *input, int c, assay_json_text *text,
                                assay_json_event *event, double *number);
static void finish_value(assay_json_reader *reader);

assay_status assay_json_open(const char *path, assay_json_source source, void *user,
                             assay_json_reader **out)
{
    assay_json_reader *reader = assay_alloc_zero(1, sizeof *reader);
    assay_status status;

    *out = NULL;
    if (!reader) return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read JSON", path);
    reader->scan = assay_json_scan_choose();
    reader->place = AT_START;
    if ((status = assay_json_input_open(&reader->input, path, source, user)) != ASSAY_OK) goto done;
    if ((status = assay_json_text_clear(&reader->input, &reader->text)) != ASSAY_OK) goto done;
    *out = reader;
    reader = NULL;
done:
    assay_json_close(reader);
    return status;
}

void assay_json_close(assay_json_reader *reader)
{
    if (!reader) return;
    assay_json_input_close(&reader->input);
    free(reader->text.bytes);
    free(reader);
}

assay_status assay_json_next(assay_json_reader *reader, assay_json_event *event, const char **text,
                             size_t *length, double *number)
{
    assay_json_input *input = &reader->input;
    assay_status status;
    int c;

    *event = ASSAY_JSON_END;
    *text = "";
    *length = 0;
    *number = 0;
    if ((status = go_to_token(reader, &c)) != ASSAY_OK) return status;
    if (c < 0 && reader->nesting.depth == 0) return ASSAY_OK;
    if (is_closing(reader, c)) {
        *event = c == '}' ? ASSAY_JSON_OBJECT_END : ASSAY_JSON_ARRAY_END;
        input->at++;
        reader->nesting.depth--;
        finish_value(reader);
        return ASSAY_OK;
    }
    if (expects_key(reader)) {
        if (c != '"') return assay_json_input_unexpected(input, "a key");
        *event = ASSAY_JSON_KEY;
        input->at++;
        status = assay_json_read_string(input, reader->scan, &reader->text);
        reader->place = AFTER_KEY;
    } else {
        status = read_value(reader, c, event, number);
    }
    if (status == ASSAY_OK && *event >= ASSAY_JSON_KEY && *event <= ASSAY_JSON_NUMBER) {
        *text = reader->text.bytes;
        *length = reader->text.length;
    }
    return status;
}

/* Step over white space and the comma or colon that must stand before the next token. *c is then
   its first byte, or -1 at the input's end. */
static assay_status go_to_token(assay_json_reader *reader, int *c)
{
    assay_json_input *input = &reader->input;

    if (input->status != ASSAY_OK) return assay_json_input_repeat(input);
    if (reader->place == AT_START) {
        if (check_start(input) != ASSAY_OK) return input->status;
        reader->place = AT_TOP;
    }
    *c = skip_space(input);
    if (reader->place == AFTER_VALUE && !is_closing(reader, *c)) {
        char closing = reader->nesting.closing[reader->nesting.depth - 1];
        if (*c != ',')
            return assay_json_input_unexpected(input, closing == '}' ? "',' or '}'" : "',' or ']'");
        input->at++;
        reader->place = AFTER_COMMA;
        *c = skip_space(input);
    } else if (reader->place == AFTER_KEY) {
        if (*c != ':') return assay_json_input_unexpected(input, "':'");
        input->at++;
        reader->place = AFTER_COLON;
        *c = skip_space(input);
    }
    input->token = assay_json_input_here(input);
    return input->status;
}

/* Step over a byte order mark. In UTF-16, every second byte of JSON's first two characters is 0. */
static assay_status check_start(assay_json_input *input)
{
    assay_status status = assay_json_input_have(input, 3);
    const char *start = input->buffer;
    size_t n = input->end;

    if (status != ASSAY_OK) return status;
    if (n >= 2 && (memcmp(start, "\xff\xfe", 2) == 0 || memcmp(start, "\xfe\xff", 2) == 0 ||
                   (start[0] == '\0') != (start[1] == '\0')))
        return assay_json_input_fail(input, assay_json_input_here(input), "UTF-16; expected UTF-8");
    if (n >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0) input->at = 3;
    return ASSAY_OK;
}

/* Returns the first byte after the white space, or -1 at the input's end. */
static int skip_space(assay_json_input *input)
{
    int c;

    while ((c = assay_json_input_peek(input)) == ' ' || c == '\n' || c == '\t' || c == '\r') {
        if (c == '\n') assay_json_input_newline(input, input->at);
        input->at++;
    }
    return c;
}

/* Whether this closes what is open, at a place where it may: not after a comma or a colon. */
static int is_closing(const assay_json_reader *reader, int c)
{
    const assay_json_nesting *nesting = &reader->nesting;

    return (reader->place == AFTER_OPENING || reader->place == AFTER_VALUE) &&
           c == nesting->closing[nesting->depth - 1];
}

static int expects_key(const assay_json_reader *reader)
{
    const assay_json_nesting *nesting = &reader->nesting;

    return (reader->place == AFTER_OPENING || reader->place == AFTER_COMMA) &&
           nesting->closing[nesting->depth - 1] == '}';
}

static assay_status read_value(assay_json_reader *reader, int c, assay_json_event *event,
                               double *number)
{
    assay_json_input *input = &reader->input;
    assay_status status;

    if (c == '{' || c == '[') {
        *event = c == '{' ? ASSAY_JSON_OBJECT : ASSAY_JSON_ARRAY;
        reader->place = AFTER_OPENING;
        return assay_json_pass_opening(input, &reader->nesting);
    }
    if (c == '"') {
        *event = ASSAY_JSON_STRING;
        input->at++;
        status = assay_json_read_string(input, reader->scan, &reader->text);
    } else {
        status = read_scalar(input, c, &reader->text, event, number);
    }
    finish_value(reader);
    return status;
}

/* A number or a word. Text NULL: only pass over it. */
static assay_status read_scalar(assay_json_input *input, int c, assay_json_text *text,
                                assay_json_event *event, double *number)
{
    switch (c) {
    case 't': *event = ASSAY_JSON_TRUE; return assay_json_read_word(input, "true", NULL);
    case 'f': *event = ASSAY_JSON_FALSE; return assay_json_read_word(input, "false", NULL);
    case 'n': *event = ASSAY_JSON_NULL; return assay_json_read_word(input, "null", NULL);
    default: break;
    }
    *event = ASSAY_JSON_NUMBER;
    if ((c >= '0' && c <= '9') || c == '-' || c == 'N' || c == 'I')
        return assay_json_read_number(input, text, number);
    return assay_json_input_unexpected(input, "a value");
}

static void finish_value(assay_json_reader *reader)
{
    reader->place = reader->nesting.depth ? AFTER_VALUE : AT_TOP;
}

assay_status assay_json_skip(assay_json_reader *reader)
{
    assay_json_input *input = &reader->input;
    size_t depth = reader->nesting.depth;
    assay_json_event event;
    assay_status status;
    double number;
    int c;

    if ((status = go_to_token(reader, &c)) != ASSAY_OK) return status;
    if ((c < 0 && depth == 0) || is_closing(reader, c) || expects_key(reader)) return ASSAY_OK;
    if (c == '"') {
        input->at++;
        status = assay_json_pass_string(input, reader->scan);
    } else if (c != '{' && c != '[') {
        status = read_scalar(input, c, NULL, &event, &number);
    } else if ((status = assay_json_pass_opening(input, &reader->nesting)) == ASSAY_OK) {
        status = assay_json_pass_levels(input, reader->scan, &reader->nesting, depth);
    }
    finish_value(reader);
    return status;
}

assay_status assay_json_leave(assay_json_reader *reader)
{
    assay_status status;

    if (reader->input.status != ASSAY_OK) return assay_json_input_repeat(&reader->input);
    if (reader->nesting.depth == 0) return ASSAY_OK;
    status = assay_json_pass_levels(&reader->input, reader->scan, &reader->nesting,
                                    reader->nesting.depth - 1);
    finish_value(reader);
    return status;
}

int assay_json_is_cut(const assay_json_reader *reader)
{
    return reader->input.is_cut;
}

size_t assay_json_n_mended(const assay_json_reader *reader)
{
    return reader->input.n_mended;
}

size_t assay_json_line(const assay_json_reader *reader)
{
    return reader->input.token.line;
}

size_t assay_json_depth(const assay_json_reader *reader)
{
    return reader->nesting.depth;
}
