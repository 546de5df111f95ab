/* SPDX-License-Identifier: Apache-2.0 */
/* vocab.txt: a piece a line, whose id is the number of the line from 0. */
#include "tokens/tokenizer.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16, LINE_MAX = ASSAY_PIECE_MAX + 1 }; /* with a carriage return */

/* The line that is being read; of a longer one only the length goes on. */
typedef struct line {
    char text[LINE_MAX];
    size_t length, number;
} line;

static assay_status take_bytes(assay_tokenizer_parts *parts, const char *bytes, size_t n,
                               line *now);
static assay_status end_line(assay_tokenizer_parts *parts, line *now);

assay_status assay_tokenizer_read_vocabulary(assay_tokenizer_parts *parts, assay_json_source source,
                                             void *user)
{
    char *buffer = assay_alloc(BUFFER_SIZE, 1);
    line now = { .number = 1 };
    assay_status status = ASSAY_OK;

    if (!buffer) return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", parts->path);
    for (;;) {
        size_t got = 0;

        status = source(user, buffer, BUFFER_SIZE, &got);
        if (status != ASSAY_OK || got == 0) break;
        if ((status = take_bytes(parts, buffer, got, &now)) != ASSAY_OK) break;
    }
    if (status == ASSAY_OK && now.length > 0) status = end_line(parts, &now);
    free(buffer);
    return status;
}

static assay_status take_bytes(assay_tokenizer_parts *parts, const char *bytes, size_t n, line *now)
{
    for (size_t i = 0; i < n;) {
        const char *end = memchr(bytes + i, '\n', n - i);
        const size_t more = end ? (size_t)(end - (bytes + i)) : n - i;
        const size_t room = now->length < LINE_MAX ? LINE_MAX - now->length : 0;
        assay_status status = ASSAY_OK;

        if (room > 0) memcpy(now->text + now->length, bytes + i, more < room ? more : room);
        now->length += more;
        i += more + 1;
        if (end) status = end_line(parts, now);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

/* An empty line has an id that nothing is cut into. */
static assay_status end_line(assay_tokenizer_parts *parts, line *now)
{
    const size_t number = now->number++;
    size_t length = now->length;

    now->length = 0;
    if (length > 0 && length <= LINE_MAX && now->text[length - 1] == '\r') length--;
    if (length == 0 && number <= ASSAY_N_IDS_MAX) return ASSAY_OK;
    if (number > ASSAY_N_IDS_MAX)
        return assay_fail_at(ASSAY_E_FORMAT, parts->path, number,
                             "more than %d lines, expected fewer", ASSAY_N_IDS_MAX);
    return assay_tokenizer_piece(parts, number, now->text, length, (uint32_t)number - 1);
}
