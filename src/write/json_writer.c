/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/json_writer.h"

#include "core/number.h"
#include "core/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void indent(assay_json *json)
{
    putc('\n', json->to);
    for (int i = 0; i < json->depth; i++) fputs("  ", json->to);
}

/* What must stand before the next key or element: a comma, a new line, or nothing. */
static void separate(assay_json *json)
{
    int in_line, at = json->depth - 1;

    if (json->after_key) {
        json->after_key = 0;
        return;
    }
    if (at < 0) return;
    in_line = json->in_line[at];
    if (json->filled[at]) fputs(json->pretty && in_line ? ", " : ",", json->to);
    json->filled[at] = 1;
    if (json->pretty && !in_line) indent(json);
}

static void open_container(assay_json *json, char bracket, int in_line)
{
    int at = json->depth, nested_in_line = at > 0 && json->in_line[at - 1];

    separate(json);
    putc(bracket, json->to);
    json->filled[at] = 0;
    json->in_line[at] = (char)(in_line || nested_in_line);
    json->depth++;
}

static void close_container(assay_json *json, char bracket)
{
    int at = --json->depth;

    if (json->pretty && !json->in_line[at] && json->filled[at]) indent(json);
    putc(bracket, json->to);
}

void assay_json_start(assay_json *json, FILE *to, int pretty)
{
    memset(json, 0, sizeof *json);
    json->to = to;
    json->pretty = pretty;
}

void assay_json_begin_object(assay_json *json)
{
    open_container(json, '{', 0);
}

void assay_json_end_object(assay_json *json)
{
    close_container(json, '}');
}

void assay_json_begin_array(assay_json *json)
{
    open_container(json, '[', 0);
}

void assay_json_begin_array_in_line(assay_json *json)
{
    open_container(json, '[', 1);
}

void assay_json_end_array(assay_json *json)
{
    close_container(json, ']');
}

static void write_escaped(FILE *to, uint32_t c, const char *bytes, size_t n)
{
    static const char controls[] = "\b\f\n\r\t", letters[] = "bfnrt";

    if (c == '"' || c == '\\') {
        putc('\\', to);
        putc((int)c, to);
        return;
    }
    if (c && c < 0x20 && strchr(controls, (int)c)) {
        putc('\\', to);
        putc(letters[strchr(controls, (int)c) - controls], to);
        return;
    }
    /* Controls would reach a terminal, U+2028 and U+2029 break lines in scripts. */
    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029)
        fprintf(to, "\\u%04" PRIx32, c);
    else
        fwrite(bytes, 1, n, to);
}

static void write_quoted(FILE *to, const char *text, size_t length)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

    putc('"', to);
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t n = assay_utf8_decode(text + i, length - i, &c);

        if (n)
            write_escaped(to, c, text + i, n);
        else
            fputs(replacement, to);
        i += n ? n : 1;
    }
    putc('"', to);
}

void assay_json_key(assay_json *json, const char *key)
{
    separate(json);
    write_quoted(json->to, key, strlen(key));
    fputs(json->pretty ? ": " : ":", json->to);
    json->after_key = 1;
}

void assay_json_text_n(assay_json *json, const char *text, size_t length)
{
    separate(json);
    write_quoted(json->to, text, length);
}

void assay_json_text(assay_json *json, const char *text)
{
    if (text)
        assay_json_text_n(json, text, strlen(text));
    else
        assay_json_null(json);
}

void assay_json_number(assay_json *json, double value)
{
    char text[ASSAY_NUMBER_SIZE];

    if (!isfinite(value)) {
        assay_json_null(json);
        return;
    }
    separate(json);
    assay_number_format(value, text);
    fputs(text, json->to);
}

void assay_json_count(assay_json *json, uint64_t value)
{
    separate(json);
    fprintf(json->to, "%" PRIu64, value);
}

void assay_json_bool(assay_json *json, int value)
{
    separate(json);
    fputs(value ? "true" : "false", json->to);
}

void assay_json_null(assay_json *json)
{
    separate(json);
    fputs("null", json->to);
}
