/* SPDX-License-Identifier: Apache-2.0 */
#include "read/csv.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BUFFER_SIZE = 256 * 1024 };

struct assay_csv {
    const char *path, *delimiters;
    assay_csv_source source;
    void *user;
    char *buffer; /* unread bytes: buffer[begin, end) */
    size_t capacity, begin, end;
    size_t quote; /* where the first quote among the unread bytes stands; end when there is none */
    size_t line;  /* on which begin stands, from 1 */
    char delimiter;
    int started, source_ended;
    int numbers_records; /* line counts records */
    assay_status failed;
};

/* Where a record ends within the buffer, and what comes after it. */
typedef struct extent {
    size_t end, next; /* offsets: one past its last byte; of the next record */
    size_t lines;     /* line ends in [begin, next) */
    int whole;        /* 0: its end is not in the buffer yet */
} extent;

static assay_status next_record(assay_csv *csv, assay_csv_record *record, int *more);
static assay_status start(assay_csv *csv);
static char take_delimiter_line(assay_csv *csv);
static assay_status check_encoding(assay_csv *csv);
static assay_status find_delimiter(assay_csv *csv, int *found);
static char most_frequent(const char *delimiters, const size_t *counts);
static assay_status find_end(assay_csv *csv, extent *record);
static void find_plain_end(assay_csv *csv, extent *record);
static assay_status find_quoted_end(const assay_csv *csv, extent *record);
static assay_status pass_quoted(const assay_csv *csv, size_t *at, extent *record);
static size_t count_lines(const char *text, size_t length);
static assay_status fill(assay_csv *csv);
static assay_status make_room(assay_csv *csv);
static assay_status check_bytes(assay_csv *csv, size_t from, size_t to);

assay_status assay_csv_open(const char *path, const char *delimiters, assay_csv_source source,
                            void *user, assay_csv **out)
{
    assay_csv *csv;

    *out = NULL;
    csv = assay_alloc_zero(1, sizeof *csv);
    if (csv) csv->buffer = assay_alloc(BUFFER_SIZE, 1);
    if (!csv || !csv->buffer) {
        free(csv);
        return assay_fail(ASSAY_E_NOMEM, "no memory to read %s", path);
    }
    csv->path = path;
    csv->delimiters = delimiters;
    csv->source = source;
    csv->user = user;
    csv->capacity = BUFFER_SIZE;
    csv->line = 1;
    *out = csv;
    return ASSAY_OK;
}

void assay_csv_close(assay_csv *csv)
{
    if (!csv) return;
    free(csv->buffer);
    free(csv);
}

void assay_csv_number_records(assay_csv *csv)
{
    csv->numbers_records = 1;
    csv->line = 0;
}

assay_status assay_csv_next(assay_csv *csv, assay_csv_record *record, int *more)
{
    *more = 0;
    if (csv->failed != ASSAY_OK)
        return assay_fail_at(csv->failed, csv->path, csv->line, "reading has failed before");
    csv->failed = next_record(csv, record, more);
    return csv->failed;
}

static assay_status next_record(assay_csv *csv, assay_csv_record *record, int *more)
{
    assay_status status;

    if (!csv->started && (status = start(csv)) != ASSAY_OK) return status;
    for (;;) {
        extent found;
        size_t begin, end, line = csv->line;

        if ((status = find_end(csv, &found)) != ASSAY_OK) return status;
        begin = csv->begin;
        end = found.end;
        if (begin == csv->end) return ASSAY_OK;
        csv->begin = found.next;
        csv->line += csv->numbers_records ? 1 : found.lines;
        if (end > begin && csv->buffer[end - 1] == '\r') end--;
        if (end == begin) continue; /* a blank line */
        *record =
            (assay_csv_record){ csv->buffer + begin, csv->buffer + end, line, csv->delimiter };
        *more = 1;
        return ASSAY_OK;
    }
}

static assay_status start(assay_csv *csv)
{
    static const char mark[] = "\xef\xbb\xbf";
    assay_status status;
    char named;
    int found = 0;

    if ((status = fill(csv)) != ASSAY_OK) return status;
    if (csv->end >= 3 && memcmp(csv->buffer, mark, 3) == 0) csv->begin = 3;
    named = take_delimiter_line(csv);
    while (!found) {
        if ((status = find_delimiter(csv, &found)) != ASSAY_OK) return status;
        if (!found && (status = fill(csv)) != ASSAY_OK) return status;
    }
    if (named) csv->delimiter = named;
    csv->started = 1;
    return ASSAY_OK;
}

/* Pass over a first line "sep=;" and return the delimiter that it names, or NUL. */
static char take_delimiter_line(assay_csv *csv)
{
    const char *line = csv->buffer + csv->begin;
    size_t left = csv->end - csv->begin, n = 5;
    char named;

    if (left < n || strncasecmp(line, "sep=", 4) != 0) return '\0';
    named = line[4];
    if (named == '\0' || !strchr(csv->delimiters, named)) return '\0';
    if (n < left && line[n] == '\r') n++;
    if (n < left && line[n] != '\n') return '\0';
    csv->begin += n < left ? n + 1 : n;
    csv->line++;
    return named;
}

/* A NUL beside a character is how UTF-16 begins that has no byte order mark. */
static assay_status check_encoding(assay_csv *csv)
{
    const unsigned char *bytes = (const unsigned char *)csv->buffer;

    if (csv->end < 2) return ASSAY_OK;
    if ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff) ||
        (bytes[0] == 0) != (bytes[1] == 0))
        return assay_fail_at(ASSAY_E_FORMAT, csv->path, 0, "UTF-16; expected UTF-8");
    return ASSAY_OK;
}

/* Count what could be the delimiter in the first record that is not blank. */
static assay_status find_delimiter(assay_csv *csv, int *found)
{
    size_t counts[8] = { 0 };
    int quoted = 0, may_open = 1, blank = 1;

    for (size_t i = csv->begin; i < csv->end; i++) {
        char c = csv->buffer[i];
        const char *known = c ? strchr(csv->delimiters, c) : NULL;

        if (quoted) {
            quoted = c != '"';
            may_open = !quoted; /* a quote at once after a closing one is a doubled quote */
            continue;
        }
        if (c == '\n' && !blank) {
            *found = 1;
            break;
        }
        if (c == '\r' && i + 1 < csv->end && csv->buffer[i + 1] != '\n')
            return assay_fail_at(ASSAY_E_FORMAT, csv->path, csv->line,
                                 "a carriage return within the line, expected lines that end in "
                                 "LF or CRLF");
        if (known && known - csv->delimiters < 8) counts[known - csv->delimiters]++;
        quoted = c == '"' && may_open;
        may_open = known || c == '\n';
        if (c != '\n' && c != '\r') blank = 0;
    }
    *found = *found || csv->source_ended;
    if (*found) csv->delimiter = most_frequent(csv->delimiters, counts);
    return ASSAY_OK;
}

static char most_frequent(const char *delimiters, const size_t *counts)
{
    size_t best = 0;
    for (size_t k = 1; delimiters[k]; k++)
        if (counts[k] > counts[best]) best = k;
    return delimiters[best];
}

static assay_status find_end(assay_csv *csv, extent *record)
{
    for (;;) {
        assay_status status;

        find_plain_end(csv, record);
        if (csv->quote < record->end && (status = find_quoted_end(csv, record)) != ASSAY_OK)
            return status;
        if (record->whole) return ASSAY_OK;
        if ((status = fill(csv)) != ASSAY_OK) return status;
    }
}

/* The end of the line, which is the record's unless a quote stands before it. */
static void find_plain_end(assay_csv *csv, extent *record)
{
    size_t length = csv->end - csv->begin;
    const char *line_end = memchr(csv->buffer + csv->begin, '\n', length);

    record->whole = line_end || csv->source_ended;
    record->end = line_end ? (size_t)(line_end - csv->buffer) : csv->end;
    record->next = line_end ? record->end + 1 : csv->end;
    record->lines = line_end ? 1 : 0;
    if (csv->quote < csv->begin) { /* the one known has gone by: where is the next? */
        const char *quote = memchr(csv->buffer + csv->begin, '"', length);
        csv->quote = quote ? (size_t)(quote - csv->buffer) : csv->end;
    }
}

static assay_status find_quoted_end(const assay_csv *csv, extent *record)
{
    const char *buffer = csv->buffer;
    size_t at = csv->begin;

    record->lines = 0;
    record->whole = 0;
    for (;;) { /* at the start of a field */
        if (at < csv->end && buffer[at] == '"') {
            assay_status status = pass_quoted(csv, &at, record);
            if (status != ASSAY_OK || at == csv->end + 1) return status;
        } else {
            while (at < csv->end && buffer[at] != csv->delimiter && buffer[at] != '\n') at++;
        }
        if (at == csv->end || buffer[at] != csv->delimiter) break;
        at++;
    }
    if (at < csv->end && buffer[at] == '\r') at++;
    record->whole = at < csv->end || csv->source_ended;
    record->end = at;
    record->next = at < csv->end ? at + 1 : at;
    record->lines += at < csv->end;
    return ASSAY_OK;
}

/* From the opening quote to what follows the closing one: a delimiter, a line end, or the end of
   the bytes. One past the end of the buffer when more of them are needed to tell. */
static assay_status pass_quoted(const assay_csv *csv, size_t *at, extent *record)
{
    const char *p = csv->buffer + *at + 1, *end = csv->buffer + csv->end;
    size_t opened = csv->line + record->lines;

    for (;; p++) {
        const char *quote = memchr(p, '"', (size_t)(end - p));

        if (!quote && csv->source_ended)
            return assay_fail_at(ASSAY_E_FORMAT, csv->path, opened,
                                 "a quote opens here and is not closed");
        *at = csv->end + 1;
        if (!quote) return ASSAY_OK;
        record->lines += count_lines(p, (size_t)(quote - p));
        p = quote + 1;
        if (p == end || *p != '"') break;
    }
    *at = (size_t)(p - csv->buffer);
    if (p == end || *p == csv->delimiter || *p == '\n') return ASSAY_OK;
    if (*p == '\r' && (p + 1 == end || p[1] == '\n')) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, csv->path, csv->line + record->lines,
                         "text after a closing quote, expected a delimiter or the line's end "
                         "(a quote within quotes is written twice)");
}

static size_t count_lines(const char *text, size_t length)
{
    const char *end = text + length;
    size_t lines = 0;
    while ((text = memchr(text, '\n', (size_t)(end - text))) != NULL) {
        lines++;
        text++;
    }
    return lines;
}

/* Read until the buffer is full: a long record is looked at again only when twice as much of it is
   there, so that all looking stays linear in its length. */
static assay_status fill(assay_csv *csv)
{
    assay_status status = make_room(csv);
    size_t from = csv->end;

    if (status != ASSAY_OK) return status;
    while (csv->end < csv->capacity && !csv->source_ended) {
        size_t got;

        status = csv->source(csv->user, csv->buffer + csv->end, csv->capacity - csv->end, &got);
        if (status != ASSAY_OK) return status;
        csv->end += got;
        csv->source_ended = got == 0;
    }
    if (!csv->started && (status = check_encoding(csv)) != ASSAY_OK) return status;
    return check_bytes(csv, from, csv->end);
}

/* Move what is unread to the front; double the buffer when it is full of one record. */
static assay_status make_room(assay_csv *csv)
{
    size_t kept = csv->end - csv->begin;

    if (csv->begin > 0 && kept > 0) memmove(csv->buffer, csv->buffer + csv->begin, kept);
    csv->quote = csv->quote >= csv->begin && csv->quote < csv->end ? csv->quote - csv->begin : kept;
    csv->begin = 0;
    csv->end = kept;
    if (kept < csv->capacity) return ASSAY_OK;
    if (kept >= ASSAY_CSV_RECORD_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, csv->path, csv->line,
                             csv->quote < kept ? "a record over 1 GiB: is a quote left open?"
                                               : "a record over 1 GiB");
    if (assay_grow(&csv->buffer, &csv->capacity, csv->capacity + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a record of %zu bytes", csv->path,
                          kept);
    return ASSAY_OK;
}

/* Bytes that have just come in: no NUL among them, and where the first quote is if none is known.
 */
static assay_status check_bytes(assay_csv *csv, size_t from, size_t to)
{
    const char *bytes = csv->buffer + from;
    const char *nul = memchr(bytes, 0, to - from);

    if (nul)
        return assay_fail_at(ASSAY_E_FORMAT, csv->path,
                             csv->line + count_lines(csv->buffer + csv->begin,
                                                     (size_t)(nul - csv->buffer) - csv->begin),
                             "a NUL byte: binary data, expected text");
    if (csv->quote == from) {
        const char *quote = memchr(bytes, '"', to - from);
        csv->quote = quote ? (size_t)(quote - csv->buffer) : to;
    }
    return ASSAY_OK;
}

void assay_csv_take_quoted(assay_csv_record *record, assay_csv_text *field)
{
    char *from = record->next + 1, *to = from;
    char *quote = memchr(from, '"', (size_t)(record->end - from));

    field->text = from;
    field->quoted = 1;
    while (quote + 1 < record->end && quote[1] == '"') { /* keep the first of the two */
        size_t kept = (size_t)(quote + 1 - from);
        if (to != from) memmove(to, from, kept);
        to += kept;
        from = quote + 2;
        quote = memchr(from, '"', (size_t)(record->end - from));
    }
    if (to != from) memmove(to, from, (size_t)(quote - from));
    field->length = (size_t)(to - field->text) + (size_t)(quote - from);
    record->next = quote + 1 < record->end ? quote + 2 : NULL;
}
