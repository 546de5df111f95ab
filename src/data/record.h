/* SPDX-License-Identifier: Apache-2.0 */
/* One record: the scores of one model, template and run, two bits a cell while they are 0 or 1. */
#ifndef ASSAY_DATA_RECORD_H
#define ASSAY_DATA_RECORD_H

#include "assay/results.h"

/*
 * A cell's two bits:        scored  one
 *   absent                     0     0
 *   read, without a score      0     1     why: reason[item], or ASSAY_MISSING where that is NULL
 *   score 0                    1     0
 *   score 1                    1     1
 *   any other score            1     0     its value: scores[item]
 * scores, once there is any such score, holds every scored cell's value.
 */
typedef struct assay_cells {
    uint64_t *scored, *one;
    double *scores;        /* NULL while every score is 0 or 1 */
    unsigned char *reason; /* NULL while every cell without a score is ASSAY_MISSING */
    size_t n_words;        /* of each plane; room for 64 * n_words items */
} assay_cells;             /* all zero is an empty record */

/* What putting a score into a cell comes to. */
typedef enum assay_put {
    ASSAY_PUT_NEW,      /* the cell said something else, or nothing, and no score conflicts */
    ASSAY_PUT_SAME,     /* the cell holds this score, or this lack of one, already */
    ASSAY_PUT_CONFLICT, /* it holds another; nothing changed */
    ASSAY_PUT_NO_MEMORY /* nothing changed */
} assay_put;

void assay_cells_free(assay_cells *cells);

/* Room for n_items. Returns 0, or -1 when there is no memory and nothing changed. */
int assay_cells_reserve(assay_cells *cells, size_t n_items);

/* One cell, which there must be room for; an item beyond the room is ASSAY_ABSENT. */
assay_score_state assay_cells_get(const assay_cells *cells, size_t item, double *score);
assay_put assay_cells_put(assay_cells *cells, size_t item, double score, assay_score_state state);

/* Put 64 cells at once, into word, where all of them are free: bit i of scored and one as above,
   reason always ASSAY_MISSING. Only while cells->scores is NULL. */
void assay_cells_put_word(assay_cells *cells, size_t word, uint64_t scored, uint64_t one);

#endif
