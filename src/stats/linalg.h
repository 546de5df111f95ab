/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to BLAS and LAPACK. Matrices are row-major. */
#ifndef ASSAY_STATS_LINALG_H
#define ASSAY_STATS_LINALG_H

#include "assay/base.h"

#include <stddef.h>

/*
 * OpenBLAS's results change with its own number of threads, so it is held to one while a method
 * runs; assay's threads work on blocks of fixed shape instead. The number is a setting of the whole
 * process: the first hold keeps what the host had chosen and the last release puts it back.
 * Every method that calls the functions below holds around all of them.
 */
void assay_blas_hold(void);
void assay_blas_release(void);

/* c (m x n, rows ldc apart) += a (m x k, rows lda apart) times the transpose of b (n x k, ldb). */
void assay_linalg_add_abt(size_t m, size_t n, size_t k, const double *a, size_t lda,
                          const double *b, size_t ldb, double *c, size_t ldc);

/* c (m x n) = the transpose of a (k x m) times b (k x n). */
void assay_linalg_atb(size_t m, size_t n, size_t k, const double *a, const double *b, double *c);

/* c (n x n) = the product of a (n x k) with its own transpose: the upper triangle only. */
void assay_linalg_aat(size_t n, size_t k, const double *a, double *c);

/* c (n x n) = beta c + alpha a'a, with a k x n: the lower triangle only. */
void assay_linalg_add_ata(size_t n, size_t k, double alpha, const double *a, double beta,
                          double *c);

/* Solve matrix x = b for a symmetric positive definite n x n matrix, of which the lower triangle is
   read and overwritten by its Cholesky factor; b is overwritten by x. ASSAY_OK; ASSAY_E_DEGENERATE
   when it is not positive definite. O(n^3). */
assay_status assay_linalg_solve_definite(size_t n, double *matrix, double *b);

/* Overwrite the lower triangle of a symmetric positive definite n x n matrix by its Cholesky factor
   L, L L' = matrix. 0, or -1 when it is not positive definite. O(n^3). */
int assay_linalg_factor_definite(size_t n, double *matrix);

/* With such a factor: solve L L' x = b, L' x = b for each of the m rows of b (m x n), and overwrite
   the factor by the inverse of L L', its lower triangle only. O(n^2), O(m n^2), O(n^3). */
void assay_linalg_solve_factored(size_t n, const double *factor, double *b);
void assay_linalg_solve_transposed(size_t n, const double *factor, size_t m, double *b);
void assay_linalg_invert_factored(size_t n, double *factor);

/* With such a factor, which becomes its own inverse: the diagonal (n) of the inverse of L L'.
   O(n^3), half of what all of it takes. */
void assay_linalg_inverse_diagonal(size_t n, double *factor, double *diagonal);

/* All eigenvalues, largest first, of a symmetric n x n matrix (its lower triangle is read) and, in
   the same order, unit eigenvectors: the rows of matrix afterwards. ASSAY_OK; ASSAY_E_DEGENERATE as
   for assay_eigenvalues(); ASSAY_E_NOMEM. O(n^3). */
assay_status assay_linalg_eigenvectors(size_t n, double *matrix, double *values);

/* c (m x n, rows ldc apart) = scale times a (m x k, lda) times the transpose of b (n x k, ldb), in
   single precision. */
void assay_linalg_abt_single(size_t m, size_t n, size_t k, float scale, const float *a, size_t lda,
                             const float *b, size_t ldb, float *c, size_t ldc);

/* c (m x n, ldc) = a (m x k, lda) times b (k x n, ldb), in single precision. */
void assay_linalg_ab_single(size_t m, size_t n, size_t k, const float *a, size_t lda,
                            const float *b, size_t ldb, float *c, size_t ldc);

/* Factor a symmetric positive semi-definite n x n matrix, of which the upper triangle is read and
   overwritten: factor (n x n, cleared by the caller) gets F with F F' = matrix, of which the first
   *rank columns are not zero. pivots and work are room for n ints and 2 n doubles. O(n^3). */
void assay_linalg_semidefinite_factor(size_t n, double *matrix, int *pivots, double *work,
                                      double *factor, size_t *rank);

/* Working space for the eigenvalues of an n x n matrix. */
typedef struct assay_eigen_space {
    double *off_diagonal, *reflectors, *work;
    size_t n, n_work;
} assay_eigen_space;

/* ASSAY_OK or ASSAY_E_NOMEM (and then there is nothing to free). */
assay_status assay_eigen_space_new(size_t n, assay_eigen_space *space);
void assay_eigen_space_free(assay_eigen_space *space);

/* All eigenvalues, largest first, of a symmetric n x n matrix, of which the upper triangle is read
   and overwritten. ASSAY_OK, or
   ASSAY_E_DEGENERATE when the iteration does not converge (as with NaN or infinity within). O(n^3).
 */
assay_status assay_eigenvalues(double *matrix, assay_eigen_space *space, double *values);

/* The same in single precision, twice as fast: each value to about 1e-6 of the largest. For spectra
   that a Monte Carlo average blurs much more. The matrix is left as it is. */
typedef struct assay_single_space {
    float *matrix, *values, *off_diagonal, *reflectors, *work;
    size_t n, n_work;
} assay_single_space;
assay_status assay_single_space_new(size_t n, assay_single_space *space);
void assay_single_space_free(assay_single_space *space);
assay_status assay_eigenvalues_single(const double *matrix, assay_single_space *space,
                                      double *values);

#endif
