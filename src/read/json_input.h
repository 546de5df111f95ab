/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader's window on its source: a buffer that slides along, the place in the file, and
   the one failure that ends the reading. */
#ifndef ASSAY_READ_JSON_INPUT_H
#define ASSAY_READ_JSON_INPUT_H

#include "read/json.h"

#include "read/json_scan.h"

enum { ASSAY_JSON_SENTENCE = 1024 };

typedef struct assay_json_position {
    size_t line, byte; /* both from 1 */
} assay_json_position;

typedef struct assay_json_input {
    const char *path;
    assay_json_source source;
    void *user;
    char *buffer; /* the ASSAY_JSON_BLOCK bytes from buffer + end on are spaces */
    size_t at, end;
    size_t before;             /* bytes of the source that came before buffer[0] */
    size_t line, line_start;   /* the line of buffer[at], and how many bytes came before it */
    assay_json_position token; /* where the latest event began */
    size_t n_mended;           /* bytes of strings that were not UTF-8 */
    int ended;                 /* the source has no more */
    int is_cut;
    assay_status status;  /* of the failure, with its sentence */
    assay_status pending; /* the source's failure, until the bytes before it are used up */
    char sentence[ASSAY_JSON_SENTENCE];
} assay_json_input;

/* Returns ASSAY_OK or ASSAY_E_NOMEM. Nothing is read yet. */
assay_status assay_json_input_open(assay_json_input *input, const char *path,
                                   assay_json_source source, void *user);
void assay_json_input_close(assay_json_input *input);

/* Have at least need bytes (at most ASSAY_JSON_BLOCK) from buffer + at on, or all that are left.
   What was before buffer + at is gone. Returns ASSAY_OK, or what the source returns once nothing is
   left that it gave before. */
assay_status assay_json_input_refill(assay_json_input *input, size_t need);

/* The same, but costing nothing when the buffer has them. */
static inline assay_status assay_json_input_have(assay_json_input *input, size_t need)
{
    if (input->end - input->at >= need) return ASSAY_OK;
    return assay_json_input_refill(input, need);
}

/* The byte at buffer + at, or -1 when the input ends there or the source has failed. */
static inline int assay_json_input_peek(assay_json_input *input)
{
    if (assay_json_input_have(input, 1) != ASSAY_OK || input->at == input->end) return -1;
    return (unsigned char)input->buffer[input->at];
}

/* Tell that the byte at buffer + at is a line end. */
static inline void assay_json_input_newline(assay_json_input *input, size_t at)
{
    input->line++;
    input->line_start = input->before + at + 1;
}

/* The place of buffer[at]. */
static inline assay_json_position assay_json_input_here(const assay_json_input *input)
{
    return (assay_json_position){ input->line, input->before + input->at - input->line_start + 1 };
}

/* Fail for good with "PATH:LINE:BYTE: ..."; returns ASSAY_E_FORMAT. A failure before it stands. */
__attribute__((format(printf, 3, 4))) assay_status assay_json_input_fail(assay_json_input *input,
                                                                         assay_json_position where,
                                                                         const char *format, ...);

/* The same for what stands at buffer + at, or for the input's end if nothing does. */
assay_status assay_json_input_unexpected(assay_json_input *input, const char *expected);

/* Fail for good with this status; its sentence is this thread's latest. Returns the status. */
assay_status assay_json_input_give_up(assay_json_input *input, assay_status status);

/* Say the failure again. */
assay_status assay_json_input_repeat(const assay_json_input *input);

#endif
