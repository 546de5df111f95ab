/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON from a text, in pieces of any size, and writes its events down as words. Include it
   after cmocka.h. */
#ifndef TESTS_JSON_EVENTS_H
#define TESTS_JSON_EVENTS_H

#include "read/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 1 << 30 }; /* as a chunk: the whole text at once */

/* A text handed out in pieces of at most chunk bytes. */
typedef struct text_source {
    const char *text;
    size_t length, chunk;
} text_source;

static inline assay_status from_text(void *user, char *buffer, size_t size, size_t *got)
{
    text_source *from = user;
    size_t n = from->length < from->chunk ? from->length : from->chunk;

    if (n > size) n = size;
    memcpy(buffer, from->text, n);
    from->text += n;
    from->length -= n;
    *got = n;
    return ASSAY_OK;
}

/* What reading came to: the events as words, such as "{ a: 1=1 }", then the failure if any. */
typedef struct outcome {
    char *words;
    size_t length;
    assay_status status;
    int is_cut;
    char sentence[300];
} outcome;

static inline void write_event(FILE *to, assay_json_event event, const char *text, size_t length,
                               double number)
{
    static const char *const marks[] = {
        "", "{", "}", "[", "]", "", "", "", "true", "false", "null"
    };

    assert_int_equal(text[length], 0);
    fputs(marks[event], to);
    if (event == ASSAY_JSON_STRING) fputc('\'', to);
    fwrite(text, 1, length, to);
    if (event == ASSAY_JSON_STRING) fputc('\'', to);
    if (event == ASSAY_JSON_KEY) fputc(':', to);
    if (event == ASSAY_JSON_NUMBER) fprintf(to, "=%.17g", number);
}

static inline void walk(assay_json_reader *reader, FILE *to, outcome *out)
{
    for (size_t n = 0, line = 1;; n++) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;

        out->status = assay_json_next(reader, &event, &text, &length, &number);
        assert_true(assay_json_line(reader) >= line);
        line = assay_json_line(reader);
        if (out->status != ASSAY_OK || event == ASSAY_JSON_END) break;
        if (n) fputc(' ', to);
        write_event(to, event, text, length, number);
    }
}

static inline outcome read_chunks(const char *text, size_t length, size_t chunk)
{
    text_source from = { text, length, chunk };
    outcome out = { 0 };
    assay_json_reader *reader;
    FILE *to = open_memstream(&out.words, &out.length);

    assert_int_equal(assay_json_open("f.json", from_text, &from, &reader), ASSAY_OK);
    walk(reader, to, &out);
    out.is_cut = assay_json_is_cut(reader);
    if (out.status != ASSAY_OK)
        snprintf(out.sentence, sizeof out.sentence, "%s", assay_last_error());
    else
        assert_int_equal(assay_json_depth(reader), 0);
    assay_json_close(reader);
    fclose(to);
    return out;
}

/* The text is taken, and these are its events. */
static inline void expect_bytes(const char *text, size_t length, const char *words)
{
    outcome out = read_chunks(text, length, ALL);

    if (out.status != ASSAY_OK) fail_msg("%s", out.sentence);
    assert_string_equal(out.words, words);
    assert_int_equal(out.is_cut, 0);
    free(out.words);
}

#endif
