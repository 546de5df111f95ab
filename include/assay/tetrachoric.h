/* SPDX-License-Identifier: Apache-2.0 */
/* Tetrachoric correlations of 0/1 items, and the effective dimensionality of their matrix. Method:
   docs/signals.md */
#ifndef ASSAY_TETRACHORIC_H
#define ASSAY_TETRACHORIC_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The tetrachoric correlation of a 2 x 2 table: that of the two normals whose signs about two
 * thresholds would give the table.
 *
 * In two steps, which together are maximum likelihood: h and k from the margins, P(X > h) =
 * (n11 + n10) / n and P(Y > k) = (n11 + n01) / n; then the rho at which P(X > h, Y > k; rho) =
 * n11 / n. A cell of 0 counts as 1/2, each of them, before anything else: n and the margins grow by
 * it. (So does R's psych::tetrachoric() on a table, with its default correct = .5.)
 *
 * @param n11  how often both are 1; n10 the first alone, n01 the second alone, n00 neither.
 * @param r    the estimate, within -1 .. 1; left alone on failure.
 * @return ASSAY_OK; ASSAY_E_DEGENERATE when n is 0 or one of the two is constant.
 * Cost: about half a microsecond. Error: 1e-10 or less for n up to 1e6, 1e-13 as a rule.
 * Source: Pearson (1900); Plackett (1954) for the integral; see docs/signals.md.
 */
ASSAY_API assay_status assay_tetrachoric(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00,
                                         double *r);

/* Start from assay_tetrachoric_options_init(); later versions add fields only at the end. */
typedef struct assay_tetrachoric_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    size_t max_items;   /* items that are not constant beyond which nothing is estimated, up to
                           20,000; default 1,000, which takes about half a second */
    int threads;        /* 0, the default, is all of OpenMP's; the result is the same for any */
    assay_progress progress;
} assay_tetrachoric_options;

ASSAY_API void assay_tetrachoric_options_init(assay_tetrachoric_options *options,
                                              size_t struct_size);

/* NaN, NaN, NaN and a reason, a literal sentence, where it cannot be estimated; else reason is
   NULL. */
typedef struct assay_tetrachoric_ed {
    double raw;        /* (tr R)^2 / ||R||_F^2 = T^2 / ||R||_F^2 */
    double clipped;    /* the same with R's negative eigenvalues set to 0 */
    double least;      /* R's smallest eigenvalue */
    size_t n_items;    /* T: the items of R; where there is no R, those that are not constant */
    size_t n_left_out; /* items that are not constant, but left out of R: see below */
    const char *reason;
} assay_tetrachoric_ed;

/**
 * Effective dimensionality of the tetrachoric correlations of all pairs of items: how many signals
 * there would be behind the outcomes were each a normal cut at its item's difficulty.
 *
 * R has 1 on its diagonal and for each pair assay_tetrachoric() of the models that have both. R is
 * estimated pair by pair, so that it need not be a correlation matrix: with few models it has
 * negative eigenvalues, and raw and clipped may lie far apart. Where cells are missing, an item may
 * be constant on the models that have another one too, and then their pair has no correlation:
 * items are left out, always the one that lacks the most, until every pair has one. This is our
 * reading of BenchScope's "tetrachoric ED", whose definition is not public.
 *
 * @param matrix   0/1; borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      left alone on failure.
 * @return ASSAY_OK, also where nothing can be estimated (scores other than 0 and 1, no item that is
 *         not constant, too many of them, no pair that has a correlation): then out says why.
 *         ASSAY_E_VALUE for options; ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 *
 * Cost: O(T^2 N / 64) counting; about half a microsecond for each different table among the T^2 / 2
 * pairs, of which N models make at most N^3 / 48 or so; O(T^3) for the eigenvalues, which is most
 * of it beyond 1,000 items. Memory O(T^2). Safe to call from any thread.
 * Source: the ED of BenchScope, arXiv:2603.29357; see docs/signals.md for what is ours.
 */
ASSAY_API assay_status assay_tetrachoric_dimension(const assay_matrix *matrix,
                                                   const assay_tetrachoric_options *options,
                                                   assay_tetrachoric_ed *out);

#ifdef __cplusplus
}
#endif
#endif
