/* SPDX-License-Identifier: Apache-2.0 */
/* Products of a matrix with itself, positive definite systems, and eigenvectors. */
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
#include <stdlib.h>
#include <string.h>

enum { N = 23, K = 31 };

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

static void fill(double *x, size_t n, uint64_t seed)
{
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t k = 0; k < n; k++) x[k] = assay_random_normal(&random);
}

/* a'a by three loops, the whole of it. */
static void slow_ata(size_t n, size_t k, const double *a, double *c)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            c[i * n + j] = 0.0;
            for (size_t r = 0; r < k; r++) c[i * n + j] += a[r * n + i] * a[r * n + j];
        }
    }
}

static void add_ata_equals_three_loops_in_the_lower_triangle_only(void **state)
{
    double a[K * N], c[N * N], want[N * N];

    (void)state;
    fill(a, K * N, 1);
    slow_ata(N, K, a, want);
    for (size_t k = 0; k < N * N; k++) c[k] = k / N >= k % N ? 1.0 : 77.0;
    assay_blas_hold();
    assay_linalg_add_ata(N, K, -2.0, a, 3.0, c);
    assay_blas_release();
    for (size_t k = 0; k < N * N; k++)
        assert_near(c[k], k / N >= k % N ? 3.0 - 2.0 * want[k] : 77.0, 1e-12);
}

/* a'a of more rows than columns, and n x n. */
static void definite(double *matrix)
{
    double a[K * N];

    fill(a, K * N, 2);
    slow_ata(N, K, a, matrix);
}

static void a_definite_system_is_solved(void **state)
{
    double matrix[N * N], factored[N * N], b[N], x[N];

    (void)state;
    definite(matrix);
    fill(b, N, 3);
    memcpy(x, b, sizeof x);
    for (size_t k = 0; k < N * N; k++) factored[k] = k / N >= k % N ? matrix[k] : NAN;
    assay_blas_hold();
    assert_int_equal(assay_linalg_solve_definite(N, factored, x), ASSAY_OK);
    assay_blas_release();
    for (size_t i = 0; i < N; i++) {
        double sum = 0.0;

        for (size_t j = 0; j < N; j++) sum += matrix[i * N + j] * x[j];
        assert_near(sum, b[i], 1e-11); /* condition number in the hundreds */
    }
}

/* Both from one factor: the inverse times the matrix is the unit matrix, and its diagonal alone is
   the same. */
static void a_factor_is_inverted(void **state)
{
    double matrix[N * N], inverse[N * N], factor[N * N], diagonal[N];

    (void)state;
    definite(matrix);
    memcpy(factor, matrix, sizeof factor);
    assay_blas_hold();
    assert_int_equal(assay_linalg_factor_definite(N, factor), 0);
    memcpy(inverse, factor, sizeof inverse);
    assay_linalg_invert_factored(N, inverse);
    assay_linalg_inverse_diagonal(N, factor, diagonal);
    assay_blas_release();
    for (size_t i = 0; i < N; i++) {
        assert_near(diagonal[i], inverse[i * N + i], 1e-13);
        for (size_t k = 0; k < N; k++) {
            double sum = 0.0;

            for (size_t j = 0; j < N; j++)
                sum += inverse[i > j ? i * N + j : j * N + i] * matrix[j * N + k];
            assert_near(sum, i == k, 1e-11); /* condition number in the hundreds */
        }
    }
}

static void what_is_not_definite_is_told(void **state)
{
    double matrix[] = { 1, 2, 2, 1 }, b[] = { 1, 1 };

    (void)state;
    assert_int_equal(assay_linalg_solve_definite(2, matrix, b), ASSAY_E_DEGENERATE);
    assert_string_equal(assay_last_error(), "a matrix of 2 rows is not positive definite");
}

static void eigenvectors_are_what_they_are_called(void **state)
{
    double matrix[N * N], vectors[N * N], values[N];

    (void)state;
    definite(matrix);
    for (size_t k = 0; k < N * N; k++) vectors[k] = k / N >= k % N ? matrix[k] : NAN;
    assay_blas_hold();
    assert_int_equal(assay_linalg_eigenvectors(N, vectors, values), ASSAY_OK);
    assay_blas_release();
    for (size_t r = 0; r < N; r++) {
        const double *v = vectors + r * N;

        assert_true(r == 0 || values[r] <= values[r - 1]);
        for (size_t i = 0; i < N; i++) {
            double product = 0.0, dot = 0.0;

            for (size_t j = 0; j < N; j++) {
                product += matrix[i * N + j] * v[j];
                dot += v[j] * vectors[i * N + j];
            }
            assert_near(product, values[r] * v[i], 100.0 * N * DBL_EPSILON * values[0]);
            assert_near(dot, i == r, 1e-13);
        }
    }
}

static void one_number_is_its_own_eigenvalue(void **state)
{
    double matrix = -4.0, value;

    (void)state;
    assert_int_equal(assay_linalg_eigenvectors(1, &matrix, &value), ASSAY_OK);
    assert_near(value, -4.0, 0.0);
    assert_near(fabs(matrix), 1.0, 0.0);
}

static void what_is_not_finite_has_no_eigenvectors(void **state)
{
    double matrix[] = { 1, 0, NAN, 1 }, values[2];

    (void)state;
    assert_int_equal(assay_linalg_eigenvectors(2, matrix, values), ASSAY_E_DEGENERATE);
}

static assay_status find_vectors(void *context)
{
    double matrix[] = { 2, 0, 1, 2 }, values[2];

    (void)context;
    return assay_linalg_eigenvectors(2, matrix, values);
}

static void the_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(find_vectors, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(add_ata_equals_three_loops_in_the_lower_triangle_only),
        cmocka_unit_test(a_definite_system_is_solved),
        cmocka_unit_test(a_factor_is_inverted),
        cmocka_unit_test(what_is_not_definite_is_told),
        cmocka_unit_test(eigenvectors_are_what_they_are_called),
        cmocka_unit_test(one_number_is_its_own_eigenvalue),
        cmocka_unit_test(what_is_not_finite_has_no_eigenvectors),
        cmocka_unit_test(the_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
