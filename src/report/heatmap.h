/* SPDX-License-Identifier: Apache-2.0 */
/* A square matrix of numbers in 0..1 as a picture within a figure. */
#ifndef ASSAY_REPORT_HEATMAP_H
#define ASSAY_REPORT_HEATMAP_H

#include "assay/base.h"

#include <stdio.h>

/* The number at (row, column) of an n x n matrix, in [0, 1]. */
typedef double (*assay_heat)(const void *user, size_t row, size_t column);

/* Draw the matrix into the square at (x, y) of the given side, as an embedded PNG of at most 512 x 512
   pixels: cells of larger matrices are averaged. 0 is the paper, 1 a deep blue, in between as
   even to the eye (one hue, so that it reads in grey and to the colour-blind). ASSAY_OK or
   ASSAY_E_NOMEM, before anything was drawn. */
assay_status assay_svg_heatmap(FILE *to, double x, double y, double side, size_t n, assay_heat heat,
                               const void *user);

#endif
