/* SPDX-License-Identifier: Apache-2.0 */
#include "read/json_input.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 18 };

static void read_more(assay_json_input *input, size_t need);
static assay_status raise_pending(assay_json_input *input);
static void keep_sentence(assay_json_input *input);
static int is_binary(unsigned char c);

assay_status assay_json_input_open(assay_json_input *input, const char *path,
                                   assay_json_source source, void *user)
{
    memset(input, 0, sizeof *input);
    input->path = path;
    input->source = source;
    input->user = user;
    input->line = 1;
    input->token = assay_json_input_here(input);
    input->buffer = assay_alloc(BUFFER_SIZE + ASSAY_JSON_BLOCK, 1);
    if (!input->buffer) return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read JSON", path);
    memset(input->buffer, ' ', ASSAY_JSON_BLOCK);
    return ASSAY_OK;
}

void assay_json_input_close(assay_json_input *input)
{
    free(input->buffer);
    input->buffer = NULL;
}

assay_status assay_json_input_refill(assay_json_input *input, size_t need)
{
    if (input->status != ASSAY_OK) return input->status;
    if (input->end - input->at < need && !input->ended) read_more(input, need);
    if (input->at == input->end && input->pending != ASSAY_OK) return raise_pending(input);
    return ASSAY_OK;
}

static void read_more(assay_json_input *input, size_t need)
{
    size_t left = input->end - input->at;

    memmove(input->buffer, input->buffer + input->at, left);
    input->before += input->at;
    input->at = 0;
    input->end = left;
    while (input->end < need && !input->ended) {
        size_t got = 0;

        input->pending =
            input->source(input->user, input->buffer + input->end, BUFFER_SIZE - input->end, &got);
        if (input->pending != ASSAY_OK) keep_sentence(input);
        input->end += got;
        input->ended = got == 0;
    }
    memset(input->buffer + input->end, ' ', ASSAY_JSON_BLOCK);
}

static assay_status raise_pending(assay_json_input *input)
{
    input->status = input->pending;
    return assay_json_input_repeat(input);
}

assay_status assay_json_input_fail(assay_json_input *input, assay_json_position where,
                                   const char *format, ...)
{
    char what[256];
    va_list args;

    if (input->status != ASSAY_OK) return input->status;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return assay_json_input_give_up(input, assay_fail(ASSAY_E_FORMAT, "%.400s:%zu:%zu: %s",
                                                      input->path, where.line, where.byte, what));
}

assay_status assay_json_input_unexpected(assay_json_input *input, const char *expected)
{
    assay_json_position here = assay_json_input_here(input);
    unsigned char c = (unsigned char)input->buffer[input->at];

    if (input->at == input->end && input->status == ASSAY_OK && input->pending != ASSAY_OK)
        return raise_pending(input);
    if (input->at == input->end && input->status == ASSAY_OK) {
        input->is_cut = 1;
        return assay_json_input_fail(input, here, "the input ends here, expected %s", expected);
    }
    if (is_binary(c))
        return assay_json_input_fail(
            input, here, "byte 0x%02x, expected %s: is this a binary file?", c, expected);
    if (c <= ' ' || c >= 0x80)
        return assay_json_input_fail(input, here, "byte 0x%02x, expected %s", c, expected);
    return assay_json_input_fail(input, here, "'%c', expected %s", c, expected);
}

static int is_binary(unsigned char c)
{
    return (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
}

assay_status assay_json_input_give_up(assay_json_input *input, assay_status status)
{
    input->status = status;
    keep_sentence(input);
    return status;
}

static void keep_sentence(assay_json_input *input)
{
    snprintf(input->sentence, sizeof input->sentence, "%s", assay_last_error());
}

assay_status assay_json_input_repeat(const assay_json_input *input)
{
    return assay_fail(input->status, "%s", input->sentence);
}
