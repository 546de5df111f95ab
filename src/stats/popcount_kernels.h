/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels behind stats/popcount.h. */
#ifndef ASSAY_STATS_POPCOUNT_KERNELS_H
#define ASSAY_STATS_POPCOUNT_KERNELS_H

#include "stats/popcount.h"

void assay_popcount_plain(const uint64_t *a, const uint64_t *b, size_t stride, size_t n_words,
                          uint32_t counts[16]);

/* Those that this x86-64 processor has, fastest first; returns how many. popcount_x86.c */
size_t assay_popcount_choices_x86(assay_popcount_choice *choices);

#endif
