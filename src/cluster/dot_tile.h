/* SPDX-License-Identifier: Apache-2.0 */
/* Dot products of many rows with many, each with the same bits as one taken alone. */
#ifndef ASSAY_CLUSTER_DOT_TILE_H
#define ASSAY_CLUSTER_DOT_TILE_H

#include <stddef.h>

enum { ASSAY_TILE_ROWS = 6, ASSAY_PANEL = 8 };

/*
 * out[r][c] = the product of a[r] and column c of a panel, over d numbers, for six rows and eight columns.
 * A panel holds ASSAY_PANEL vectors side by side: panel[k * ASSAY_PANEL + c] is number k of vector c.
 * The terms of every product are added in the order of k, one rounding for each multiplication and
 * each addition, so that the processor's vector unit and assay_vectors_dot() agree to the bit.
 */
void assay_dot_tile(const double *const a[ASSAY_TILE_ROWS], const double *panel, size_t d,
                    double out[ASSAY_TILE_ROWS][ASSAY_PANEL]);

/* Fill a panel from up to ASSAY_PANEL rows, stride apart; columns without a row become 0. */
void assay_dot_panel(const double *rows, size_t n_rows, size_t stride, size_t d, double *panel);

#endif
