/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks share: a clock, and a 0/1 matrix to work on. */
#ifndef BENCH_H
#define BENCH_H

#include <assay/matrix.h>

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* A Rasch population: models of differing ability, items of differing difficulty; always the same.
   Its cells are written to dump as bytes 0 and 1, a row a model, unless that is NULL. Ends the
   program where there is no memory. */
assay_matrix *bench_matrix(size_t n_models, size_t n_items, const char *dump);

#endif
