/* SPDX-License-Identifier: Apache-2.0 */
/* The turns of a prompt are the same however the input comes in pieces, and reading them passes over
   the whole value: what comes after it is found. The input is the value. */
#include "read/turns.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const char *text;
    size_t size, at, most; /* most: bytes of a piece */
} input;

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

static assay_status give(void *user, char *buffer, size_t size, size_t *got)
{
    input *from = user;
    size_t left = from->size - from->at;

    *got = left < from->most ? left : from->most;
    if (*got > size) *got = size;
    if (*got > 0) memcpy(buffer, from->text + from->at, *got);
    from->at += *got;
    return ASSAY_OK;
}

/* The turns of the first value, where it has any; how the reading ended; the event after it. */
static assay_status read(input from, assay_turn_list *list, assay_json_event *after)
{
    assay_json_reader *reader;
    const char *text;
    size_t length;
    double number;
    assay_status status;

    *after = ASSAY_JSON_END;
    check(assay_json_open("f", give, &from, &reader) == ASSAY_OK);
    status = assay_json_next(reader, after, &text, &length, &number);
    if (status == ASSAY_OK && (*after == ASSAY_JSON_ARRAY || *after == ASSAY_JSON_OBJECT)) {
        status = assay_turn_list_read(list, reader, *after);
        if (status == ASSAY_OK) {
            check(assay_json_depth(reader) == 0);
            status = assay_json_next(reader, after, &text, &length, &number);
        }
    }
    assay_json_close(reader);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const input whole = { (const char *)data, size, 0, size + 1 };
    const input pieces = { (const char *)data, size, 0, 1 + size % 7 };
    assay_turn_list a = { 0 }, b = { 0 };
    assay_json_event after_a, after_b;
    assay_status status = read(whole, &a, &after_a);

    check(read(pieces, &b, &after_b) == status);
    check(after_a == after_b && a.n == b.n && a.n <= a.n_read && (!a.fault) == (!b.fault));
    if (status == ASSAY_OK) {
        const assay_name *x = assay_turn_list_names(&a), *y = assay_turn_list_names(&b);

        for (size_t t = 0; t < a.n; t++)
            check(x[t].length == y[t].length && memcmp(x[t].text, y[t].text, x[t].length) == 0);
    }
    assay_turn_list_free(&a);
    assay_turn_list_free(&b);
    return 0;
}
