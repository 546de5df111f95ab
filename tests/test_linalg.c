/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "failing_memory.h"
#include "stats/linalg.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int openblas_get_num_threads(void);
void openblas_set_num_threads(int n);

/* ---- eigenvalues ---- */

/* The eigenvalues of a matrix, which stays as it is. The lower triangle is filled with NaN: only
   the upper one may be read. */
static assay_status eigenvalues_of(const double *matrix, size_t n, double *values)
{
    double *copy = malloc(n * n * sizeof *copy);
    assay_eigen_space space;
    assay_status status;

    for (size_t k = 0; k < n * n; k++) copy[k] = k / n <= k % n ? matrix[k] : NAN;
    assert_int_equal(assay_eigen_space_new(n, &space), ASSAY_OK);
    assay_blas_hold();
    status = assay_eigenvalues(copy, &space, values);
    assay_blas_release();
    assay_eigen_space_free(&space);
    free(copy);
    return status;
}

/* LAPACK's bound: a modest multiple of n times the rounding unit times the largest eigenvalue. */
static void assert_spectrum(const double *matrix, size_t n, const double *want)
{
    double *got = malloc(n * sizeof *got), largest = 1e-300;

    assert_int_equal(eigenvalues_of(matrix, n, got), ASSAY_OK);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(want[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= 10.0 * (double)n * DBL_EPSILON * largest))
            fail_msg("eigenvalue %zu of %zu is %.17g, not %.17g", i, n, got[i], want[i]);
    free(got);
}

static void a_diagonal_matrix_has_its_diagonal_largest_first(void **state)
{
    const double matrix[] = { 2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 7.5, 0, 0, 0, 0, 0 };
    const double want[] = { 7.5, 2, 0, -3 };

    (void)state;
    assert_spectrum(matrix, 4, want);
    assert_spectrum(matrix + 10, 1, want);
}

/* The Laplacian of a path of n vertices: 2 - 2 cos(pi k / n), k = 0 .. n - 1. */
static void a_path_has_the_eigenvalues_of_its_formula(void **state)
{
    (void)state;
    for (size_t n = 2; n < 130; n += 1 + n / 3) {
        double *matrix = calloc(n * n, sizeof *matrix), *want = malloc(n * sizeof *want);

        for (size_t i = 0; i + 1 < n; i++) {
            matrix[i * n + i] += 1;
            matrix[(i + 1) * n + i + 1] += 1;
            matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
        }
        for (size_t k = 0; k < n; k++)
            want[n - 1 - k] = 2 - 2 * cos(acos(-1.0) * (double)k / (double)n);
        assert_spectrum(matrix, n, want);
        free(matrix);
        free(want);
    }
}

/* H A H with H = I - 2 v v' / v'v, which is orthogonal. */
static void reflect(double *a, const double *v, size_t n)
{
    double length = 0.0;

    for (size_t i = 0; i < n; i++) length += v[i] * v[i];
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++) {
            size_t row = side ? 1 : n, step = side ? n : 1;
            double product = 0.0;

            for (size_t k = 0; k < n; k++) product += a[i * row + k * step] * v[k];
            for (size_t k = 0; k < n; k++) a[i * row + k * step] -= 2.0 * product / length * v[k];
        }
    }
}

static void a_rotated_diagonal_keeps_its_eigenvalues(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t n = 2; n <= 100; n += 14) {
        double *matrix = calloc(n * n, sizeof *matrix), *want = malloc(n * sizeof *want),
               *v = malloc(n * sizeof *v);

        for (size_t i = 0; i < n; i++) {
            want[i] = 100.0 - (double)(3 * i); /* of both signs, the largest first */
            if (i > n / 2) want[i] = want[n / 2];
            matrix[i * n + i] = want[i];
        }
        for (int k = 0; k < 4; k++) {
            for (size_t i = 0; i < n; i++) v[i] = assay_random_normal(&random);
            reflect(matrix, v, n);
        }
        assert_spectrum(matrix, n, want);
        free(matrix);
        free(want);
        free(v);
    }
}

static void a_space_can_be_used_again(void **state)
{
    double first[] = { 1, 2, 2, 1 }, second[] = { 5, 0, 0, 6 }, values[2];
    assay_eigen_space space;

    (void)state;
    assert_int_equal(assay_eigen_space_new(2, &space), ASSAY_OK);
    assert_int_equal(assay_eigenvalues(first, &space, values), ASSAY_OK);
    assert_true(fabs(values[0] - 3) < 1e-14 && fabs(values[1] + 1) < 1e-14);
    assert_int_equal(assay_eigenvalues(second, &space, values), ASSAY_OK);
    assert_true(fabs(values[0] - 6) < 1e-14 && fabs(values[1] - 5) < 1e-14);
    assay_eigen_space_free(&space);
    assert_null(space.work);
}

static void what_is_not_finite_has_no_eigenvalues(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 10, 60 };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        double *matrix = calloc(n * n, sizeof *matrix), *values = malloc(n * sizeof *values);

        for (size_t i = 0; i < n; i++) matrix[i * n + i] = (double)i;
        matrix[n - 1] = NAN;
        assert_int_equal(eigenvalues_of(matrix, n, values), ASSAY_E_DEGENERATE);
        assert_non_null(strstr(assay_last_error(), "did not converge"));
        matrix[n - 1] = INFINITY;
        assert_int_equal(eigenvalues_of(matrix, n, values), ASSAY_E_DEGENERATE);
        free(matrix);
        free(values);
    }
}

static assay_status new_space(void *context)
{
    assay_eigen_space space;
    assay_status status = assay_eigen_space_new(20, &space);

    (void)context;
    if (status == ASSAY_OK) assay_eigen_space_free(&space);
    return status;
}

static void a_space_without_memory_leaves_nothing_to_free(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(new_space, NULL) >= 2);
    assert_string_equal(assay_last_error(), "no memory for the eigenvalues of a 20 x 20 matrix");
}

/* ---- products ---- */

static void fill(double *x, size_t n, assay_random *random)
{
    for (size_t i = 0; i < n; i++) x[i] = assay_random_normal(random);
}

/* A sum of k products of standard normals: its rounding error is below k eps times the sum of
   absolute products, which is below 10 k here. */
static double tolerance(size_t k)
{
    return 10.0 * (double)(k * k + 1) * DBL_EPSILON;
}

static void add_abt_equals_three_loops_and_keeps_out_of_the_gaps(void **state)
{
    enum { M = 13, N = 9, LDA = 40, LDB = 37, LDC = 12 };
    static double a[M * LDA], b[N * LDB], c[M * LDC], before[M * LDC];
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 0; k <= 37; k++) {
        fill(a, M * LDA, &random);
        fill(b, N * LDB, &random);
        fill(c, M * LDC, &random);
        memcpy(before, c, sizeof c);
        assay_blas_hold();
        assay_linalg_add_abt(M, N, k, a, LDA, b, LDB, c, LDC);
        assay_blas_release();
        for (size_t i = 0; i < M * LDC; i++) {
            double want = before[i];

            for (size_t p = 0; p < k && i % LDC < N; p++)
                want += a[i / LDC * LDA + p] * b[i % LDC * LDB + p];
            assert_true(fabs(c[i] - want) <= (i % LDC < N ? tolerance(k) : 0.0));
        }
    }
}

static void aat_equals_three_loops_in_the_upper_triangle_only(void **state)
{
    enum { N = 17 };
    static double a[N * 50], c[N * N];
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 1; k <= 50; k += 7) {
        fill(a, N * k, &random);
        for (size_t i = 0; i < N * N; i++) c[i] = 1e9; /* what was there is overwritten */
        assay_blas_hold();
        assay_linalg_aat(N, k, a, c);
        assay_blas_release();
        for (size_t i = 0; i < N * N; i++) {
            double want = 0.0;

            for (size_t p = 0; p < k; p++) want += a[i / N * k + p] * a[i % N * k + p];
            if (i / N > i % N)
                assert_true(c[i] == 1e9);
            else
                assert_true(fabs(c[i] - want) <= tolerance(k));
        }
    }
}

/* ---- the host's threads ---- */

static void the_last_release_puts_the_hosts_threads_back(void **state)
{
    int host = openblas_get_num_threads(), chosen;

    (void)state;
    for (int asked = 1; asked <= 2; asked++) {
        openblas_set_num_threads(asked);
        chosen = openblas_get_num_threads(); /* a build without threads knows 1 only */
        assay_blas_hold();
        assert_int_equal(openblas_get_num_threads(), 1);
        assay_blas_hold();
        assay_blas_hold();
        assay_blas_release();
        assert_int_equal(openblas_get_num_threads(), 1);
        assay_blas_release();
        assert_int_equal(openblas_get_num_threads(), 1);
        assay_blas_release();
        assert_int_equal(openblas_get_num_threads(), chosen);
    }
    openblas_set_num_threads(host);
}

static void *hold_and_release(void *user)
{
    (void)user;
    for (int i = 0; i < 2000; i++) {
        assay_blas_hold();
        assay_blas_release();
    }
    return NULL;
}

static void holds_of_many_threads_do_not_lose_the_hosts_choice(void **state)
{
    int host = openblas_get_num_threads(), chosen;
    pthread_t threads[4];

    (void)state;
    openblas_set_num_threads(2);
    chosen = openblas_get_num_threads();
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hold_and_release, NULL), 0);
    for (size_t i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(openblas_get_num_threads(), chosen);
    openblas_set_num_threads(host);
}

/* Against the double one: a backward stable method in single precision errs by a small multiple of
   6e-8 times the largest eigenvalue; 2e-6 for n = 60. */
static void single_precision_agrees_to_single_precision(void **state)
{
    enum { N = 60 };
    double matrix[N * N], copy[N * N], values[N], single[N];
    assay_eigen_space space;
    assay_single_space single_space;

    (void)state;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            matrix[i * N + j] = cos((double)(i * j)) + cos((double)(i + j));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++) matrix[i * N + j] = matrix[j * N + i];
    memcpy(copy, matrix, sizeof copy);
    assert_int_equal(assay_eigen_space_new(N, &space), ASSAY_OK);
    assert_int_equal(assay_single_space_new(N, &single_space), ASSAY_OK);
    assert_int_equal(assay_eigenvalues_single(matrix, &single_space, single), ASSAY_OK);
    assert_memory_equal(matrix, copy, sizeof copy);
    assert_int_equal(assay_eigenvalues(matrix, &space, values), ASSAY_OK);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(single[i] - values[i]) <
                    2e-6 * fmax(fabs(values[0]), fabs(values[N - 1])));
    copy[0] = NAN;
    assert_int_equal(assay_eigenvalues_single(copy, &single_space, single), ASSAY_E_DEGENERATE);
    assay_eigen_space_free(&space);
    assay_single_space_free(&single_space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagonal_matrix_has_its_diagonal_largest_first),
        cmocka_unit_test(a_path_has_the_eigenvalues_of_its_formula),
        cmocka_unit_test(a_rotated_diagonal_keeps_its_eigenvalues),
        cmocka_unit_test(a_space_can_be_used_again),
        cmocka_unit_test(what_is_not_finite_has_no_eigenvalues),
        cmocka_unit_test(a_space_without_memory_leaves_nothing_to_free),
        cmocka_unit_test(add_abt_equals_three_loops_and_keeps_out_of_the_gaps),
        cmocka_unit_test(aat_equals_three_loops_in_the_upper_triangle_only),
        cmocka_unit_test(the_last_release_puts_the_hosts_threads_back),
        cmocka_unit_test(single_precision_agrees_to_single_precision),
        cmocka_unit_test(holds_of_many_threads_do_not_lose_the_hosts_choice),
    };

    return cmocka_run_group_tests_name("linalg", tests, NULL, NULL);
}
