/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON pull reader must say the same however its source cuts the input into pieces, and the
   same about what is left when values are passed over. The input is the text; its bytes also say
   how long the pieces are and what is passed over. */
#include "read/json.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const char *text;
    size_t size, at;
    int is_whole; /* one piece, or many small ones */
} input;

/* One call of assay_json_next, and all that it says. */
typedef struct step {
    assay_status status;
    assay_json_event event;
    const char *text;
    size_t length, line, depth;
    double number;
} step;

static void compare_pieces(const char *text, size_t size);
static void compare_passing(const char *text, size_t size);
static assay_json_reader *start(input *from);
static void next(assay_json_reader *reader, step *now);
static void check_same(const step *a, const step *b);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;

    if (size == 0) return 0;
    compare_pieces(text, size);
    compare_passing(text, size);
    return 0;
}

static void compare_pieces(const char *text, size_t size)
{
    input whole = { text, size, 0, 1 }, pieces = { text, size, 0, 0 };
    assay_json_reader *a = start(&whole), *b = start(&pieces);
    step x = { .event = ASSAY_JSON_NULL }, y = { .event = ASSAY_JSON_NULL };

    while (x.status == ASSAY_OK && x.event != ASSAY_JSON_END) {
        char sentence[1024];

        next(a, &x);
        strcpy(sentence, x.status == ASSAY_OK ? "" : assay_last_error());
        next(b, &y);
        check_same(&x, &y);
        if (x.status == ASSAY_OK) continue;
        check(strcmp(sentence, assay_last_error()) == 0);
        check(assay_json_is_cut(a) == assay_json_is_cut(b));
        check(assay_json_skip(b) == x.status && strcmp(sentence, assay_last_error()) == 0);
    }
    if (x.status == ASSAY_OK) check(x.depth == 0 && !assay_json_is_cut(a));
    assay_json_close(a);
    assay_json_close(b);
}

/* Reader b passes over some values; a reads them, and must then stand at the same place. A fault
   within what b passes over may be seen by a alone, and ends the comparison. */
static void compare_passing(const char *text, size_t size)
{
    input whole = { text, size, 0, 1 }, pieces = { text, size, 0, 0 };
    assay_json_reader *a = start(&whole), *b = start(&pieces);
    step x = { .event = ASSAY_JSON_NULL }, y;

    for (size_t n = 0; x.status == ASSAY_OK && x.event != ASSAY_JSON_END; n++) {
        assay_status status = ASSAY_OK;
        unsigned wish = (unsigned char)text[n * 7 % size] / 3 % 4;

        next(a, &x);
        next(b, &y);
        check_same(&x, &y);
        if (x.status != ASSAY_OK) break;
        if (wish == 0 && x.event == ASSAY_JSON_KEY) {
            status = assay_json_skip(b);
            do next(a, &x);
            while (x.status == ASSAY_OK && x.depth > y.depth);
        } else if (wish == 1 && x.depth > 0) {
            status = assay_json_leave(b);
            while (x.status == ASSAY_OK && x.depth >= y.depth) next(a, &x);
        }
        if (x.status == ASSAY_OK) check(status == ASSAY_OK);
        if (x.status == ASSAY_OK) check(assay_json_depth(a) == assay_json_depth(b));
    }
    assay_json_close(a);
    assay_json_close(b);
}

static assay_status deliver(void *user, char *buffer, size_t size, size_t *got)
{
    input *from = user;
    size_t n = from->size - from->at;
    size_t piece = n ? 1 + (unsigned char)from->text[from->at] * 5u % 16 : 0;

    if (!from->is_whole && n > piece) n = piece;
    if (n > size) n = size;
    memcpy(buffer, from->text + from->at, n);
    from->at += n;
    *got = n;
    return ASSAY_OK;
}

static assay_json_reader *start(input *from)
{
    assay_json_reader *reader;

    check(assay_json_open("f", deliver, from, &reader) == ASSAY_OK);
    return reader;
}

static void next(assay_json_reader *reader, step *now)
{
    size_t line = assay_json_line(reader), depth = assay_json_depth(reader);

    now->status = assay_json_next(reader, &now->event, &now->text, &now->length, &now->number);
    now->line = assay_json_line(reader);
    now->depth = assay_json_depth(reader);
    check(now->line >= line);
    check(now->text[now->length] == '\0');
    if (now->status != ASSAY_OK) return;
    switch (now->event) {
    case ASSAY_JSON_OBJECT:
    case ASSAY_JSON_ARRAY: check(now->depth == depth + 1); break;
    case ASSAY_JSON_OBJECT_END:
    case ASSAY_JSON_ARRAY_END: check(now->depth + 1 == depth); break;
    default: check(now->depth == depth);
    }
}

static void check_same(const step *a, const step *b)
{
    check(a->status == b->status && a->depth == b->depth);
    if (a->status != ASSAY_OK) return; /* the line is then that of whichever event came last */
    check(a->event == b->event && a->line == b->line && a->length == b->length);
    check(memcmp(a->text, b->text, a->length) == 0);
    check(memcmp(&a->number, &b->number, sizeof a->number) == 0); /* NaN too */
}
