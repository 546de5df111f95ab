/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of large tables in bytes: what the report's heat maps show. Method: docs/audit.md */
#ifndef ASSAY_RASTER_H
#define ASSAY_RASTER_H

#include "assay/dendrogram.h"
#include "assay/matrix.h"
#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A picture takes so many rows and columns at most; outcomes may have more columns. */
enum { ASSAY_RASTER_MOST = 512, ASSAY_RASTER_MOST_COLUMNS = 2048 };

/* So many prompts or items are looked at, at most: an even choice of more. */
enum { ASSAY_RASTER_MOST_PROMPTS = 5000, ASSAY_RASTER_MOST_ITEMS = 2000 };

/* rows x columns bytes, row-major. Byte 0 is low and 255 is high; where none is 1, 254 is high and 255
   a cell without a number. Start from zeros; free with assay_raster_free(). */
typedef struct assay_raster {
    size_t rows, columns;
    size_t of_rows, of_columns; /* what is drawn: of more rows than there are, a row is a block */
    double low, high;
    int none;
    unsigned char *bytes;
    size_t *row,
        *column; /* which prompt, model or item is drawn there: the first of its block; of a
                             square picture column is row */
} assay_raster;

ASSAY_API void assay_raster_free(assay_raster *raster); /* of zeros is fine */

/**
 * Cosines of all pairs of prompts, in the order of the tree; a cell is the largest of its block, so that no
 * two prompts that are alike get lost. Of more than 5,000 prompts an even choice of the tree's order is
 * looked at. low is the least cell, high 1.
 *
 * @param threads  0: all.
 * @return ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(n^2 d) for n <= 5,000 prompts, 4 n^2 bytes. The same bytes for any number of threads.
 */
ASSAY_API assay_status assay_raster_similarity(const assay_vectors *vectors,
                                               const assay_dendrogram *tree, int threads,
                                               assay_progress progress, assay_raster *out);

/**
 * Correlations of items over models, like next to like: the order is that of average linkage on 1 - r. A
 * score that is missing counts as the mean of its item; items that all models answer alike are left
 * out. A cell is the mean of its block; low is -1, high 1. Of more than 2,000 items an even choice is
 * looked at.
 *
 * @return ASSAY_OK, without rows when fewer than two items vary; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(T^2 N), 4 T^2 + 8 TN bytes for T <= 2,000 items and N models.
 */
ASSAY_API assay_status assay_raster_correlations(const assay_matrix *matrix, int threads,
                                                 assay_progress progress, assay_raster *out);

/**
 * The scores themselves: models from the best mean to the worst, items from the easiest to the hardest,
 * equal ones in their order. A cell is the mean of the scores of its block, none where there is none; low
 * and high are 0 and 1, or the least and the largest score where one is outside.
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 * Cost: O(NT).
 */
ASSAY_API assay_status assay_raster_outcomes(const assay_matrix *matrix, assay_raster *out);

/* The bytes in base64, for free(); NULL without memory. */
ASSAY_API char *assay_raster_base64(const assay_raster *raster);

#ifdef __cplusplus
}
#endif
#endif
