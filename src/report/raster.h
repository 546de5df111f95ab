/* SPDX-License-Identifier: Apache-2.0 */
/* Rasters from the inside. */
#ifndef ASSAY_REPORT_RASTER_H
#define ASSAY_REPORT_RASTER_H

#include "assay/raster.h"

/* What is drawn first in row k of so many, when n are drawn. */
static inline size_t assay_raster_first(size_t n, size_t rows, size_t k)
{
    return k * n / rows;
}

/* The byte of a number, rounded and kept within the scale; of NaN, where there is none, 255. */
unsigned char assay_raster_byte(const assay_raster *raster, double value);

/* Room for rows x columns, all 0, and the places. Where is_square is 1 column is row. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_raster_new(size_t rows, size_t columns, int is_square, assay_raster *raster);

/* What becomes of the cells of a block. */
typedef enum assay_raster_block { ASSAY_RASTER_LARGEST, ASSAY_RASTER_MEAN } assay_raster_block;

/* The cosines of all pairs of vectors as they stand, into cells (side x side); a vector's with itself is 1.
   ASSAY_OK; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. O(n^2 d). */
assay_status assay_raster_cosines(const assay_vectors *vectors, assay_raster_block block,
                                  int threads, assay_progress progress, size_t side, double *cells);

#endif
