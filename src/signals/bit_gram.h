/* SPDX-License-Identifier: Apache-2.0 */
/* G of complete 0/1 data from integer counts: exact but for one rounding a cell, while N^2 T < 2^53. */
#ifndef ASSAY_SIGNALS_BIT_GRAM_H
#define ASSAY_SIGNALS_BIT_GRAM_H

#include "signals/centred.h"
#include "stats/popcount.h"

/*
 * With c_ab the count of items that a and b both solve, k_t the number of models that solve t,
 * u_a = sum_t k_t x_ta and q = sum_t k_t^2, the centred product of two models is
 *     G_ab = c_ab - (u_a + u_b) / N + q / N^2,
 * and that of two items, with c_st the models that solve both, G_st = c_st - k_s k_t / N.
 * Both are an integer over one divisor:
 *     G = [scale c - (shift_a + shift_b) - rank_a rank_b + base] / divisor,   shift = N u, rank =
 * k.
 */
typedef struct assay_bit_form {
    size_t n_rows;
    double scale, base, divisor;
    double *shift, *rank; /* n_rows each */
    assay_popcount_kernel kernel;
} assay_bit_form;

/* 1 when Z is of complete 0/1 data. */
int assay_bit_form_fits(const assay_centred *z);

/* For the rows of z; shift is 0 and has to be filled where the rows are models. ASSAY_OK or
   ASSAY_E_NOMEM; free it in either case. */
assay_status assay_bit_form_new(const assay_centred *z, assay_bit_form *form);
void assay_bit_form_free(assay_bit_form *form);

/* One tile of G, and its mirror image: rows first_a .. and first_b .. of 64 (see popcount.h).
   counts has room for a tile. */
void assay_bit_gram_tile(const assay_bit_form *form, assay_bit_rows rows, size_t first_a,
                         size_t first_b, uint32_t *counts, double *gram);

#endif
