/* SPDX-License-Identifier: Apache-2.0 */
/* The CSV reader must say the same however its source cuts the input into pieces and wherever the
   end of its buffer falls; and what it has read, written again with every field in quotes, must be
   read as the same. The first byte of the input says how long the pieces are; from 224 on a long
   quoted field stands before the rest, so that the buffer ends within it. */
#include "read/csv.h"

#include "read/score_text.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER = 256 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const char *text;
    size_t left, step;
} input;

/* All records: fields in quotes, each record ended by LF; and their lines. */
typedef struct output {
    char *text;
    size_t length, n_records, n_fields, lines;
    assay_status status;
} output;

static output read_all(const char *text, size_t length, size_t step);
static void write_field(output *out, const assay_csv_text *field, int is_first);
static void check_same(const output *a, const output *b);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t before = size > 0 && data[0] >= 224 ? BUFFER - size / 2 : 0, length;
    output whole, pieces, again;
    char *text;

    if (size == 0 || size > BUFFER / 2) return 0;
    length = before + size - 1;
    text = malloc(length + 1);
    check(text != NULL);
    if (before > 0) {
        memset(text, 'x', before);
        memcpy(text, "a\n\"", 3);
        memcpy(text + before - 2, "\"\n", 2);
    }
    memcpy(text + before, data + 1, size - 1);
    whole = read_all(text, length, length + 1);
    pieces = read_all(text, length, before > 0 ? 1000 + data[0] : 1 + data[0] % 16);
    check_same(&whole, &pieces);
    check(whole.lines == pieces.lines);
    if (whole.status == ASSAY_OK) {
        again = read_all(whole.text, whole.length, BUFFER);
        check_same(&whole, &again);
        free(again.text);
    }
    free(whole.text);
    free(pieces.text);
    free(text);
    return 0;
}

static assay_status from_memory(void *user, char *buffer, size_t size, size_t *got)
{
    input *in = user;

    *got = in->left < size ? in->left : size;
    if (*got > in->step) *got = in->step;
    memcpy(buffer, in->text, *got);
    in->text += *got;
    in->left -= *got;
    return ASSAY_OK;
}

static output read_all(const char *text, size_t length, size_t step)
{
    input in = { text, length, step };
    output out = { 0 };
    assay_csv *csv = NULL;
    assay_csv_record record;
    int more = 1;

    /* a field of one byte becomes three and a delimiter, a quote at most two */
    out.text = malloc(4 * length + 16);
    check(out.text != NULL);
    check(assay_csv_open("fuzz", ",", from_memory, &in, &csv) == ASSAY_OK);
    while ((out.status = assay_csv_next(csv, &record, &more)) == ASSAY_OK && more) {
        assay_csv_text field;
        size_t n = 0;

        out.lines = out.lines * 31 + record.line;
        for (; assay_csv_field(&record, &field); n++) {
            double score;
            write_field(&out, &field, n == 0);
            assay_score_text_parse(field.text, field.length, 1, &score);
        }
        check(n > 0);
        out.text[out.length++] = '\n';
        out.n_records++;
        out.n_fields += n;
    }
    assay_csv_close(csv);
    return out;
}

static void write_field(output *out, const assay_csv_text *field, int is_first)
{
    const char *from = field->text;
    size_t left = field->length;

    if (!is_first) out->text[out->length++] = ',';
    out->text[out->length++] = '"';
    while (left > 0) {
        const char *quote = memchr(from, '"', left);
        size_t n = quote ? (size_t)(quote - from) + 1 : left;

        memcpy(out->text + out->length, from, n);
        out->length += n;
        if (quote) out->text[out->length++] = '"';
        from += n;
        left -= n;
    }
    out->text[out->length++] = '"';
}

static void check_same(const output *a, const output *b)
{
    check(a->status == b->status);
    check(a->n_records == b->n_records && a->n_fields == b->n_fields);
    check(a->length == b->length && memcmp(a->text, b->text, a->length) == 0);
}
