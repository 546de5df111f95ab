/* SPDX-License-Identifier: Apache-2.0 */
/* The tetrachoric correlation of one 2 x 2 table. */
#ifndef ASSAY_SIGNALS_TETRACHORIC_H
#define ASSAY_SIGNALS_TETRACHORIC_H

#include <stdint.h>

/* How often both are 1, the first alone, the second alone, neither. */
typedef struct assay_two_by_two {
    uint64_t n11, n10, n01, n00;
} assay_two_by_two;

/* 1 when one of the two is constant, or nothing was counted. */
int assay_two_by_two_is_degenerate(assay_two_by_two table);

/*
 * A table and the one that is left when the two change places, when one changes its sign or both do
 * have the same correlation but for its sign. This is the one of the eight with n11 n00 >= n10 n01,
 * n11 <= n00 and n10 <= n01; *sign is 1 or -1.
 */
assay_two_by_two assay_two_by_two_canonical(assay_two_by_two table, double *sign);

/* The correlation of such a table that is not degenerate: 0 .. 1. */
double assay_tetrachoric_canonical(assay_two_by_two table);

#endif
