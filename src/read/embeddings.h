/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors made elsewhere while they are being read as rows. */
#ifndef ASSAY_READ_EMBEDDINGS_H
#define ASSAY_READ_EMBEDDINGS_H

#include "assay/vectors.h"
#include "read/input.h"

typedef struct assay_embeddings {
    const assay_prompts *prompts;
    const char *path; /* how messages call the file */
    double *dense;    /* a row a prompt, d numbers each */
    size_t d, n_rows;
    unsigned char *filled; /* by prompt, where rows have ids */
    int by_id;             /* the first row had one, so all must */

    double *values; /* the row at hand */
    size_t n_values, values_capacity;
    char *id;
    size_t id_capacity;
    int has_id;
} assay_embeddings;

/* Begin a row, give it an id and numbers, and put it in its place. ASSAY_OK; ASSAY_E_FORMAT when it
   is not like the first row; ASSAY_E_CONFLICT; ASSAY_E_NOMEM. */
void assay_embeddings_begin(assay_embeddings *e);
assay_status assay_embeddings_set_id(assay_embeddings *e, const char *text, size_t length);
assay_status assay_embeddings_add_value(assay_embeddings *e, double value);
assay_status assay_embeddings_put(assay_embeddings *e, size_t line);

/* The second column of a file of ids. */
#define ASSAY_IDS_LONG "longer_than_the_model_takes"

/* Where a file of ids stands beside an array of so many rows, put each prompt's row in its place.
   ASSAY_OK; ASSAY_E_SHAPE; what assay_prompts_read() returns. */
assay_status assay_embeddings_match_ids(assay_embeddings *e, size_t n_rows, int *is_matched);

/* Read all rows of an input. What assay_vectors_read() returns. */
assay_status assay_embeddings_read_json(assay_embeddings *e, assay_input_stream *input);
assay_status assay_embeddings_read_csv(assay_embeddings *e, assay_input_stream *input);

#endif
