/* SPDX-License-Identifier: Apache-2.0 */
/* Covariates of prompt templates, as PromptEval makes them: factors and surface counts, rotated. */
#ifndef ASSAY_COVARIATES_H
#define ASSAY_COVARIATES_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A column of 0 and 1 for each level of each factor: separators, casing and the like.
 *
 * @param codes      n x n_factors numbers, row-major: any, equal ones being one level.
 * @param out        n x *n_columns, row-major, for free(); levels in the order in which they come.
 * @return ASSAY_OK; ASSAY_E_SHAPE for no row or factor; ASSAY_E_NOMEM.
 * Cost: O(n x columns).
 */
ASSAY_API assay_status assay_covariates_one_hot(const size_t *codes, size_t n, size_t n_factors,
                                                double **out, size_t *n_columns);

/**
 * Covariates as PE takes them: centred, rotated onto their principal components, of which those with
 * more than 1e-5 of the variance are kept. A component's sign is arbitrary, and does not matter.
 *
 * @param x    n x d finite numbers, row-major.
 * @param out  n x *n_kept, row-major, largest variance first, for free().
 * @return ASSAY_OK; ASSAY_E_SHAPE for no row or column; ASSAY_E_DEGENERATE where all rows are the
 *         same; ASSAY_E_NOMEM.
 * Cost: O(n d^2 + d^3).
 * Source: pca_filter() of the released code of PromptEval.
 */
ASSAY_API assay_status assay_covariates_rotate(const double *x, size_t n, size_t d, double **out,
                                               size_t *n_kept);

/**
 * Counts of what a template looks like: words in upper case, lower case and title case; line
 * breaks; the strings ":", "-", "||", "<sep>", "::", "" (characters + 1), "(", ")", "\"", "?";
 * spaces; then each framing word, one with ":" that begins with a capital or a digit in any of the
 * texts, in the order in which they come.
 *
 * Words stand between white space; strings are counted without overlap. Case is that of Unicode.
 *
 * @param texts  n texts of UTF-8, ended by NUL.
 * @param out    n x *n_columns, row-major, for free(): ASSAY_SURFACE_COUNTS + framing words.
 * @return ASSAY_OK; ASSAY_E_SHAPE for no text; ASSAY_E_NOMEM.
 * Source: get_features.py of the released code of PromptEval.
 */
enum { ASSAY_SURFACE_COUNTS = 15 };
ASSAY_API assay_status assay_covariates_surface(const char *const *texts, size_t n, double **out,
                                                size_t *n_columns);

/**
 * Numbers from a file as they are, in the order of ids: assay_features_read() (assay/features.h, which
 * also takes text) and its rule ASSAY_FEATURES_AS_IS. Rows are joined by id, or stand in order.
 *
 * @param path  a file, or "-" for standard input.
 * @param ids   n of them; NULL entries (ones that were only counted) can have no row by name.
 * @param what  what they are, "template" or "item", for messages.
 * @param out   n x *n_columns, row-major, for free().
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT for what is no number or a ragged row;
 *         ASSAY_E_SHAPE for another number of rows and for an id without a row, naming it;
 *         ASSAY_E_CONFLICT for two rows of one id; ASSAY_E_NOMEM.
 * Cost: O(bytes + n log n).
 */
ASSAY_API assay_status assay_covariates_read(const char *path, const char *const *ids, size_t n,
                                             const char *what, double **out, size_t *n_columns);

#ifdef __cplusplus
}
#endif
#endif
