/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/linalg.h"

#include "core/error.h"
#include "core/memory.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* LAPACK's Fortran symbols. Debian's OpenBLAS package brings the routines but not LAPACKE's header.
 */
void dsytrd_(const char *uplo, const int *n, double *a, const int *lda, double *d, double *e,
             double *tau, double *work, const int *lwork, int *info, size_t);
void dpstrf_(const char *uplo, const int *n, double *a, const int *lda, int *pivots, int *rank,
             const double *tolerance, double *work, int *info, size_t);
void dsterf_(const int *n, double *d, double *e, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a, const int *lda, int *info,
             size_t, size_t);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t, size_t);
void ssytrd_(const char *uplo, const int *n, float *a, const int *lda, float *d, float *e,
             float *tau, float *work, const int *lwork, int *info, size_t);
void ssterf_(const int *n, float *d, float *e, int *info);

/* How many methods are running, and what the host had set before the first: the one piece of state
   in the library, because the setting that it guards belongs to the process. */
static pthread_mutex_t hold_lock = PTHREAD_MUTEX_INITIALIZER;
static int n_holds, threads_of_host;

void assay_blas_hold(void)
{
    pthread_mutex_lock(&hold_lock);
    if (n_holds++ == 0) {
        threads_of_host = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&hold_lock);
}

void assay_blas_release(void)
{
    pthread_mutex_lock(&hold_lock);
    if (--n_holds == 0) openblas_set_num_threads(threads_of_host);
    pthread_mutex_unlock(&hold_lock);
}

void assay_linalg_add_abt(size_t m, size_t n, size_t k, const double *a, size_t lda,
                          const double *b, size_t ldb, double *c, size_t ldc)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k, 1.0, a, (int)lda,
                b, (int)ldb, 1.0, c, (int)ldc);
}

void assay_linalg_atb(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1.0, a, (int)m, b,
                (int)n, 0.0, c, (int)n);
}

void assay_linalg_aat(size_t n, size_t k, const double *a, double *c)
{
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)n, (int)k, 1.0, a, (int)k, 0.0, c,
                (int)n);
}

void assay_linalg_add_ata(size_t n, size_t k, double alpha, const double *a, double beta, double *c)
{
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)n, (int)k, alpha, a, (int)n, beta, c,
                (int)n);
}

/* LAPACK reads by columns: its upper triangle is our lower one. */
int assay_linalg_factor_definite(size_t n, double *matrix)
{
    int order = (int)n, info = 0;

    dpotrf_("U", &order, matrix, &order, &info, 1);
    return info == 0 ? 0 : -1;
}

void assay_linalg_solve_factored(size_t n, const double *factor, double *b)
{
    int order = (int)n;

    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, order, factor, order, b, 1);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, order, factor, order, b, 1);
}

/* L' x = b is x' L = b' for rows. */
void assay_linalg_solve_transposed(size_t n, const double *factor, size_t m, double *b)
{
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, (int)m, (int)n,
                1.0, factor, (int)n, b, (int)n);
}

void assay_linalg_invert_factored(size_t n, double *factor)
{
    int order = (int)n, info = 0;

    dpotri_("U", &order, factor, &order, &info, 1);
}

/* With M = L^-1, lower too: M'M. */
void assay_linalg_inverse_diagonal(size_t n, double *factor, double *diagonal)
{
    int order = (int)n, info = 0;

    dtrtri_("U", "N", &order, factor, &order, &info, 1, 1);
    for (size_t i = 0; i < n; i++) diagonal[i] = 0.0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i <= k; i++) diagonal[i] += factor[k * n + i] * factor[k * n + i];
}

assay_status assay_linalg_solve_definite(size_t n, double *matrix, double *b)
{
    if (assay_linalg_factor_definite(n, matrix))
        return assay_fail(ASSAY_E_DEGENERATE, "a matrix of %zu rows is not positive definite", n);
    assay_linalg_solve_factored(n, matrix, b);
    return ASSAY_OK;
}

void assay_linalg_abt_single(size_t m, size_t n, size_t k, float scale, const float *a, size_t lda,
                             const float *b, size_t ldb, float *c, size_t ldc)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k, scale, a, (int)lda,
                b, (int)ldb, 0.0f, c, (int)ldc);
}

void assay_linalg_ab_single(size_t m, size_t n, size_t k, const float *a, size_t lda,
                            const float *b, size_t ldb, float *c, size_t ldc)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1.0f, a,
                (int)lda, b, (int)ldb, 0.0f, c, (int)ldc);
}

/* LAPACK reads by columns: its lower triangle is our upper one, and its L with P'AP = LL' has
   element (i, j) at matrix[j n + i]. Row i of L is row pivots[i] of F. */
void assay_linalg_semidefinite_factor(size_t n, double *matrix, int *pivots, double *work,
                                      double *factor, size_t *rank)
{
    const double usual_tolerance = -1.0;
    int order = (int)n, found = 0, info;

    dpstrf_("L", &order, matrix, &order, pivots, &found, &usual_tolerance, work, &info, 1);
    for (size_t i = 0; i < n; i++) {
        double *row = factor + (size_t)(pivots[i] - 1) * n;
        for (size_t j = 0; j <= i && j < (size_t)found; j++) row[j] = matrix[j * n + i];
    }
    *rank = (size_t)found;
}

/* To tridiagonal form. LAPACK reads by columns: its lower triangle is our upper one. */
static void tridiagonalise(int n, double *matrix, double *diagonal, assay_eigen_space *space,
                           double *work, int n_work)
{
    int info;

    dsytrd_("L", &n, matrix, &n, diagonal, space->off_diagonal, space->reflectors, work, &n_work,
            &info, 1);
}

assay_status assay_eigen_space_new(size_t n, assay_eigen_space *space)
{
    double best_work = 0.0, nothing = 0.0;

    *space = (assay_eigen_space){ .n = n };
    tridiagonalise((int)n, &nothing, &nothing, space, &best_work, -1);
    space->n_work = (size_t)best_work;
    space->work = assay_alloc_aligned(space->n_work, sizeof(double));
    space->off_diagonal = assay_alloc_aligned(n, sizeof(double));
    space->reflectors = assay_alloc_aligned(n, sizeof(double));
    if (!space->work || !space->off_diagonal || !space->reflectors) {
        assay_eigen_space_free(space);
        return assay_fail(ASSAY_E_NOMEM, "no memory for the eigenvalues of a %zu x %zu matrix", n,
                          n);
    }
    return ASSAY_OK;
}

void assay_eigen_space_free(assay_eigen_space *space)
{
    free(space->off_diagonal);
    free(space->reflectors);
    free(space->work);
    *space = (assay_eigen_space){ 0 };
}

/* Largest first, where LAPACK has the smallest; it may let NaN through and call it converged. */
static assay_status finish_values(double *values, size_t n, int info)
{
    for (size_t i = 0; i < n && info == 0; i++) info = !isfinite(values[i]);
    if (info != 0)
        return assay_fail(ASSAY_E_DEGENERATE,
                          "the eigenvalues of a %zu x %zu matrix did not converge", n, n);
    for (size_t i = 0; i < n / 2; i++) {
        double swapped = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = swapped;
    }
    return ASSAY_OK;
}

assay_status assay_eigenvalues(double *matrix, assay_eigen_space *space, double *values)
{
    size_t n = space->n;
    int order = (int)n, info;

    tridiagonalise(order, matrix, values, space, space->work, (int)space->n_work);
    dsterf_(&order, values, space->off_diagonal, &info);
    return finish_values(values, n, info);
}

/* LAPACK's columns are our rows; both orders are turned round. */
assay_status assay_linalg_eigenvectors(size_t n, double *matrix, double *values)
{
    int order = (int)n, info = 0, n_work = order < 2 ? 8 : 34 * order;
    double *work = assay_alloc_aligned((size_t)n_work, sizeof *work);

    if (!work)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the eigenvectors of a %zu x %zu matrix", n,
                          n);
    dsyev_("V", "U", &order, matrix, &order, values, work, &n_work, &info, 1, 1);
    free(work);
    for (size_t i = 0; i < n / 2 && info == 0; i++) {
        double *low = matrix + i * n, *high = matrix + (n - 1 - i) * n;

        for (size_t j = 0; j < n; j++) {
            double swapped = low[j];
            low[j] = high[j];
            high[j] = swapped;
        }
    }
    return finish_values(values, n, info);
}

/* ---- single precision ---- */

assay_status assay_single_space_new(size_t n, assay_single_space *space)
{
    int order = (int)n, info, ask = -1;
    float best_work = 0.0f, nothing = 0.0f;

    *space = (assay_single_space){ .n = n };
    ssytrd_("L", &order, &nothing, &order, &nothing, &nothing, &nothing, &best_work, &ask, &info,
            1);
    space->n_work = (size_t)best_work;
    space->matrix = assay_alloc_aligned(n * n, sizeof(float));
    space->values = assay_alloc_aligned(n, sizeof(float));
    space->off_diagonal = assay_alloc_aligned(n, sizeof(float));
    space->reflectors = assay_alloc_aligned(n, sizeof(float));
    space->work = assay_alloc_aligned(space->n_work, sizeof(float));
    if (space->matrix && space->values && space->off_diagonal && space->reflectors && space->work)
        return ASSAY_OK;
    assay_single_space_free(space);
    return assay_fail(ASSAY_E_NOMEM, "no memory for the eigenvalues of a %zu x %zu matrix", n, n);
}

void assay_single_space_free(assay_single_space *space)
{
    free(space->matrix);
    free(space->values);
    free(space->off_diagonal);
    free(space->reflectors);
    free(space->work);
    *space = (assay_single_space){ 0 };
}

assay_status assay_eigenvalues_single(const double *matrix, assay_single_space *space,
                                      double *values)
{
    size_t n = space->n;
    int order = (int)n, n_work = (int)space->n_work, info;

    for (size_t k = 0; k < n * n; k++) space->matrix[k] = (float)matrix[k];
    ssytrd_("L", &order, space->matrix, &order, space->values, space->off_diagonal,
            space->reflectors, space->work, &n_work, &info, 1);
    ssterf_(&order, space->values, space->off_diagonal, &info);
    for (size_t i = 0; i < n; i++) values[i] = (double)space->values[i];
    return finish_values(values, n, info);
}
