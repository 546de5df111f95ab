/* SPDX-License-Identifier: Apache-2.0 */
/* One sample of an Inspect log, as JSON has it: a summary, a whole sample of any version, or a
   reduction. */
#ifndef ASSAY_LOGS_INSPECT_SAMPLE_H
#define ASSAY_LOGS_INSPECT_SAMPLE_H

#include "logs/inspect_samples.h"
#include "read/turns.h"

#include <openssl/evp.h>

typedef struct assay_inspect_reader {
    assay_inspect_samples *to;
    int has_lines;                    /* its lines are the file's, not a member's */
    assay_picker samples;             /* of summaries and samples */
    assay_picker reductions, reduced; /* a list of samples by scorer and reducer; one of them */
    assay_picker marks;               /* of a sample only whether it was invalidated */
    assay_inspect_sample sample;      /* the one at hand */
    assay_turn_list turns;
    char *metric; /* the name of the score at hand, "scorer/key" */
    size_t metric_length, metric_capacity;
    EVP_MD_CTX *digest; /* of what the sample asks */
    unsigned char input[EVP_MAX_MD_SIZE], choices[EVP_MAX_MD_SIZE];
    int needs_content, is_cut;
} assay_inspect_reader; /* close it whatever happened */

/* ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_inspect_reader_open(assay_inspect_reader *r, assay_inspect_samples *to,
                                       const char *path);
void assay_inspect_reader_close(assay_inspect_reader *r);

/* How messages call what is read from here on. Borrowed. */
void assay_inspect_reader_at(assay_inspect_reader *r, const char *path);

/* What becomes of an object that r->samples or r->marks picked from; user is r. */
assay_status assay_inspect_sample_done(void *user);
assay_status assay_inspect_mark_done(void *user);

/* Reductions, an array of objects: to be given to assay_picker_array() with r->reductions. */
assay_status assay_inspect_reduction_done(void *user);

/* What inspect_score.c reads. r->metric is the scorer's name, which assay_inspect_metric() puts
   there: text from a place on, where what was there ends. All return ASSAY_OK, ASSAY_E_NOMEM, or
   what assay_json_next() does. */
assay_status assay_inspect_metric(assay_inspect_reader *r, size_t at, const char *text,
                                  size_t length);

/* {"scorer": SCORE, ...}, a SCORE: {"value": VALUE, ...}, and a VALUE: a scalar, {"key": scalar,
   ...} or [scalar, ...]; first is what it begins with. */
assay_status assay_inspect_scores(assay_inspect_reader *r, assay_json_reader *reader,
                                  const assay_value *first);
assay_status assay_inspect_score_of(assay_inspect_reader *r, assay_json_reader *reader,
                                    const assay_value *first);
assay_status assay_inspect_value(assay_inspect_reader *r, assay_json_reader *reader,
                                 const assay_value *first);

#endif
