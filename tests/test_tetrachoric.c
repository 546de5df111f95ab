/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/read.h"
#include "assay/tetrachoric.h"
#include "bivariate_oracle.h"
#include "core/random.h"
#include "failing_memory.h"
#include "signals/tetrachoric_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.17g, not %.17g +- %g", what, got, want, tolerance);
}

static double tetrachoric(uint64_t n11, uint64_t n10, uint64_t n01, uint64_t n00)
{
    double r = NAN;

    assert_int_equal(assay_tetrachoric(n11, n10, n01, n00, &r), ASSAY_OK);
    return r;
}

/* ---- one table ---- */

/*
 * R 4.2.2, psych 2.2.9, polycor 0.8-1, mvtnorm 1.1-3 (Debian 12). Of each table t (n11, n10, n01,
 * n00), m <- matrix(t, 2, 2, byrow = TRUE):
 *   psych     tetrachoric(m, correct = .5)$rho
 *   polycor   m[m == 0] <- .5; polychor(m, ML = FALSE, maxcor = 1)   (it corrects no cell itself)
 *   mvtnorm   t[t == 0] <- .5; p <- t / sum(t); h <- qnorm(p[3] + p[4]); k <- qnorm(p[2] + p[4])
 *             f <- function(r) pmvnorm(c(h, k), c(Inf, Inf), corr = matrix(c(1, r, r, 1), 2),
 *                                      algorithm = TVPACK(abseps = 1e-15)) - p[1]
 *             uniroot(f, c(-1 + 1e-9, 1 - 1e-9), tol = 1e-15)$root
 * The first two give the same digits but for the last: both minimise to optimize()'s tolerance of
 * 1e-4 of rho, which was 2e-5 here. The root is good to that of pmvnorm: 1e-13.
 */
static const struct {
    uint64_t t[4];
    double psych, mvtnorm;
} published[] = {
    { { 40, 10, 20, 30 }, 0.607092103631, 0.607072812945735 },
    { { 60, 1, 5, 68 }, 0.993065434104, 0.993045757673507 },
    { { 0, 12, 15, 40 }, -0.543745543195, -0.543732286560874 },
    { { 25, 0, 9, 100 }, 0.981845238137, 0.981837017760217 },
    { { 30, 7, 0, 80 }, 0.987480785914, 0.987492230149144 },
    { { 44, 21, 13, 0 }, -0.602235313463, -0.602240683031952 },
    { { 50, 0, 0, 84 }, 0.999694564457, 0.999699837961230 },
    { { 0, 60, 74, 0 }, -0.999735269458, -0.999724601989904 },
    { { 1, 0, 2, 131 }, 0.861656527636, 0.861647662776348 },
    { { 300, 4000, 20, 9 }, -0.655851017263, -0.655852325798150 },
    { { 4, 3, 3, 10 }, 0.521298127346, 0.521284102159476 },
    { { 0, 1, 1, 998 }, 0.836551319839, 0.836562604462108 },
};

static void published_software_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const uint64_t *t = published[i].t;
        double r = tetrachoric(t[0], t[1], t[2], t[3]);

        assert_near("psych's and polycor's", r, published[i].psych, 1e-4);
        assert_near("mvtnorm's", r, published[i].mvtnorm, 1e-13);
    }
}

/* How far r is from the root of the oracle's orthant: its distance there over its slope. */
static double distance_from_root(const uint64_t counts[4], double r)
{
    long double c[4], n = 0.0L, h, k, found;

    for (int i = 0; i < 4; i++) n += c[i] = counts[i] ? (long double)counts[i] : 0.5L;
    h = oracle_threshold((c[0] + c[1]) / n);
    k = oracle_threshold((c[0] + c[2]) / n);
    /* The smallest cell, so that no digit of it is lost: its slope is the same but for the sign. */
    if (r >= 0.0 && c[1] <= c[2])
        found = oracle_upper_orthant(h, -k, -r) - c[1] / n;
    else if (r >= 0.0)
        found = oracle_upper_orthant(-h, k, -r) - c[2] / n;
    else if (c[0] <= c[3])
        found = oracle_upper_orthant(h, k, r) - c[0] / n;
    else
        found = oracle_upper_orthant(-h, -k, r) - c[3] / n;
    return (double)(found / oracle_slope(h, k, r));
}

/* Every table of 14 models that is not degenerate. 1e-12: the rounding of r's own integral, 1e-16,
   over slopes as small as 1e-3 or so. */
static void every_small_table_is_at_its_root(void **state)
{
    enum { N = 14 };
    size_t n = 0;

    (void)state;
    for (uint64_t a = 0; a <= N; a++) {
        for (uint64_t b = 0; a + b <= N; b++) {
            for (uint64_t c = 0; a + b + c <= N; c++) {
                const uint64_t t[4] = { a, b, c, N - a - b - c };
                double r;

                if (!(a + b) || !(t[2] + t[3]) || !(a + c) || !(b + t[3])) continue;
                r = tetrachoric(t[0], t[1], t[2], t[3]);
                assert_true(fabs(r) < 1.0);
                assert_near("distance", distance_from_root(t, r), 0.0, 1e-12);
                n++;
            }
        }
    }
    assert_true(n > 500);
}

/* 1e-10 is what the header promises. */
static void tables_of_up_to_a_million_are_at_their_root(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 7, 0, 0);
    for (int i = 0; i < 3000; i++) {
        uint64_t t[4];
        double r;

        for (int c = 0; c < 4; c++)
            t[c] = (uint64_t)floor(exp(assay_random_uniform(&random) * log(3e5)) - 0.9);
        if (!(t[0] + t[1]) || !(t[2] + t[3]) || !(t[0] + t[2]) || !(t[1] + t[3])) continue;
        r = tetrachoric(t[0], t[1], t[2], t[3]);
        if (!(fabs(distance_from_root(t, r)) <= 1e-10))
            fail_msg("%llu %llu %llu %llu: %.17g is %g off", (unsigned long long)t[0],
                     (unsigned long long)t[1], (unsigned long long)t[2], (unsigned long long)t[3],
                     r, distance_from_root(t, r));
    }
}

/* Both cut at their medians: n11/n = 1/4 + asin(rho) / (2 pi) (Sheppard 1899), so that rho =
   cos(2 pi n10/n). */
static void at_the_medians_there_is_a_closed_form(void **state)
{
    (void)state;
    for (uint64_t a = 1; a < 200; a++) {
        double want = cos(acos(-1.0) * (double)(200 - a) / 200.0);

        assert_near("median cut", tetrachoric(a, 200 - a, 200 - a, a), want, 5e-15);
    }
    assert_true(tetrachoric(6, 4, 9, 6) == 0.0);
    assert_true(tetrachoric(1, 10, 10, 100) == 0.0);
}

static void symmetries_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const uint64_t *t = published[i].t;
        double r = tetrachoric(t[0], t[1], t[2], t[3]);

        assert_true(tetrachoric(t[0], t[2], t[1], t[3]) == r);
        assert_true(tetrachoric(t[3], t[1], t[2], t[0]) == r);
        assert_true(tetrachoric(t[3], t[2], t[1], t[0]) == r);
        assert_true(tetrachoric(t[1], t[0], t[3], t[2]) == -r);
        assert_true(tetrachoric(t[2], t[3], t[0], t[1]) == -r);
    }
}

static void one_more_on_the_diagonal_gives_more(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 60; a++) {
        assert_true(tetrachoric(a + 1, 20, 20, a + 1) > tetrachoric(a, 20, 20, a));
        assert_true(tetrachoric(a + 1, 60 - a, 70 - a, 9 + a) >
                    tetrachoric(a, 61 - a, 71 - a, 8 + a));
    }
}

static void a_constant_side_is_an_error(void **state)
{
    static const uint64_t tables[][4] = {
        { 0, 0, 0, 0 }, { 5, 0, 0, 0 }, { 0, 5, 0, 0 }, { 0, 0, 5, 0 }, { 0, 0, 0, 5 },
        { 3, 4, 0, 0 }, { 0, 0, 3, 4 }, { 3, 0, 4, 0 }, { 0, 3, 0, 4 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const uint64_t *t = tables[i];
        double r = 7.0;

        assert_int_equal(assay_tetrachoric(t[0], t[1], t[2], t[3], &r), ASSAY_E_DEGENERATE);
        assert_true(r == 7.0);
    }
}

static void counts_of_any_size_end_within_bounds(void **state)
{
    static const uint64_t some[] = { 0, 1, 2, 1000, 1u << 31, (uint64_t)1 << 53, UINT64_MAX };
    enum { N = sizeof some / sizeof *some };

    (void)state;
    for (size_t k = 0; k < N * N * N * N; k++) {
        double r = NAN;

        if (assay_tetrachoric(some[k % N], some[k / N % N], some[k / N / N % N],
                              some[k / N / N / N], &r) == ASSAY_OK)
            assert_true(r >= -1.0 && r <= 1.0);
    }
}

/* ---- a matrix ---- */

/* Scores 0 and 1 from one ability and difficulties, with holes where asked for. */
static double *random_scores(size_t n, size_t t, double missing, uint64_t seed)
{
    double *x = malloc(n * t * sizeof *x);
    assay_random random;

    assay_random_start(&random, seed, 0, 0);
    for (size_t m = 0; m < n; m++) {
        double ability = assay_random_normal(&random);

        for (size_t i = 0; i < t; i++) {
            double hard = 2.0 * (double)i / (double)t - 1.0;
            int hole = assay_random_uniform(&random) < missing;

            x[m * t + i] = ability + assay_random_normal(&random) > hard;
            if (hole) x[m * t + i] = NAN;
        }
    }
    return x;
}

/* The same, a cell at a time; NAN where there is none. */
static double pair_by_hand(const double *x, size_t n, size_t t, size_t a, size_t b)
{
    uint64_t count[2][2] = { { 0, 0 }, { 0, 0 } };
    double r = NAN;

    for (size_t m = 0; m < n; m++) {
        double first = x[m * t + a], second = x[m * t + b];

        if (!isnan(first) && !isnan(second)) count[first == 1.0][second == 1.0]++;
    }
    assay_tetrachoric(count[1][1], count[1][0], count[0][1], count[0][0], &r);
    return a == b ? 1.0 : r;
}

/* Jacobi's rotations, until nothing is left off the diagonal. */
static void eigenvalues_by_jacobi(double *r, size_t n, double *values)
{
    for (int sweep = 0; sweep < 30; sweep++) {
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                double angle = 0.5 * atan2(2.0 * r[p * n + q], r[q * n + q] - r[p * n + p]);
                double c = cos(angle), s = sin(angle);

                for (size_t k = 0; k < n; k++) {
                    double kp = r[k * n + p], kq = r[k * n + q];
                    r[k * n + p] = c * kp - s * kq;
                    r[k * n + q] = s * kp + c * kq;
                }
                for (size_t k = 0; k < n; k++) {
                    double pk = r[p * n + k], qk = r[q * n + k];
                    r[p * n + k] = c * pk - s * qk;
                    r[q * n + k] = s * pk + c * qk;
                }
            }
        }
    }
    for (size_t i = 0; i < n; i++) values[i] = r[i * n + i];
}

static assay_matrix *matrix_of(const double *x, size_t n, size_t t)
{
    assay_matrix *matrix = NULL;

    assert_int_equal(assay_matrix_from_scores(x, n, t, &matrix), ASSAY_OK);
    return matrix;
}

static void compare_with_brute_force(size_t n, size_t t, double missing)
{
    double *x = random_scores(n, t, missing, 3), *r = malloc(t * t * sizeof *r);
    double *values = malloc(t * sizeof *values), squares = 0.0, up = 0.0, up_squares = 0.0;
    size_t *items = malloc(t * sizeof *items);
    assay_matrix *matrix = matrix_of(x, n, t);
    assay_tetrachoric_ed ed;
    double least = INFINITY;

    for (size_t i = 0; i < t; i++) items[i] = i;
    assert_int_equal(assay_tetrachoric_pairs(matrix, items, t, 2, (assay_progress){ 0 }, r),
                     ASSAY_OK);
    for (size_t k = 0; k < t * t; k++) {
        double want = pair_by_hand(x, n, t, k / t, k % t);

        assert_true(r[k] == want);
        squares += want * want;
    }
    eigenvalues_by_jacobi(r, t, values);
    for (size_t i = 0; i < t; i++) {
        least = fmin(least, values[i]);
        up += fmax(values[i], 0.0);
        up_squares += fmax(values[i], 0.0) * fmax(values[i], 0.0);
    }
    assert_int_equal(assay_tetrachoric_dimension(matrix, NULL, &ed), ASSAY_OK);
    assert_null(ed.reason);
    assert_int_equal(ed.n_items, t);
    /* Two sums, and two ways to the same eigenvalues, of about t terms. */
    assert_near("raw", ed.raw, (double)(t * t) / squares, 1e-11);
    assert_near("clipped", ed.clipped, up * up / up_squares, 1e-11);
    assert_near("least", ed.least, least, 1e-11);
    free(x);
    free(r);
    free(values);
    free(items);
    assay_matrix_free(matrix);
}

static void brute_force_agrees(void **state)
{
    (void)state;
    compare_with_brute_force(40, 7, 0.0);
    compare_with_brute_force(150, 70, 0.0); /* two tiles, and words beyond the second */
    compare_with_brute_force(150, 70, 0.2);
    compare_with_brute_force(700, 66, 0.5);
}

/* Two items that agree but for a corrected cell: R = [1 r; r 1], eigenvalues 1 + r and 1 - r. A
   third that all solve is left out. */
static void two_items_by_hand(void **state)
{
    static const double x[] = { 1, 1, 1, /**/ 1, 1, 1, /**/ 0, 1, 0, /**/ 0, 1, 0, /**/ 1, 1, 0 };
    double r = tetrachoric(2, 1, 0, 2), want = 4.0 / (2.0 + 2.0 * r * r);
    assay_matrix *matrix = matrix_of(x, 5, 3);
    assay_tetrachoric_ed ed;

    (void)state;
    assert_int_equal(assay_tetrachoric_dimension(matrix, NULL, &ed), ASSAY_OK);
    assert_int_equal(ed.n_items, 2);
    assert_near("raw", ed.raw, want, 1e-15);
    assert_near("clipped", ed.clipped, want, 1e-14);
    assert_near("least", ed.least, 1.0 - r, 1e-14);
    assay_matrix_free(matrix);
}

/* Strike off by hand, counted anew each time: the columns that are left, 0 where struck. */
static size_t strike_by_hand(const double *x, size_t n, size_t t, int *left)
{
    size_t n_left = t;

    for (size_t i = 0; i < t; i++) left[i] = 1;
    for (;; n_left--) {
        size_t worst = 0, most = 0;

        for (size_t a = 0; a < t; a++) {
            size_t lacks = 0;

            for (size_t b = 0; b < t && left[a]; b++)
                lacks += left[b] && isnan(pair_by_hand(x, n, t, a, b));
            if (lacks > most) most = lacks, worst = a;
        }
        if (most == 0) return n_left;
        left[worst] = 0;
    }
}

/* What is left is as if the others had never been there. */
static void items_without_a_correlation_are_left_out(void **state)
{
    enum { N = 14, T = 30 }; /* none constant with this seed */
    double *x = random_scores(N, T, 0.4, 6), left[N * T];
    int is_left[T];
    size_t n_left = strike_by_hand(x, N, T, is_left), k = 0;
    assay_matrix *matrix = matrix_of(x, N, T), *other;
    assay_tetrachoric_ed ed, want;

    (void)state;
    assert_in_range(n_left, 3, T - 3);
    for (size_t c = 0; c < N * T; c++)
        if (is_left[c % T]) left[k++] = x[c];
    other = matrix_of(left, N, n_left);
    assert_int_equal(assay_tetrachoric_dimension(matrix, NULL, &ed), ASSAY_OK);
    assert_int_equal(assay_tetrachoric_dimension(other, NULL, &want), ASSAY_OK);
    assert_null(ed.reason);
    assert_int_equal(ed.n_items, n_left);
    assert_int_equal(ed.n_left_out, T - n_left);
    assert_int_equal(want.n_left_out, 0);
    assert_true(ed.raw == want.raw && ed.clipped == want.clipped && ed.least == want.least);
    free(x);
    assay_matrix_free(matrix);
    assay_matrix_free(other);
}

static void threads_do_not_matter(void **state)
{
    double *x = random_scores(90, 300, 0.1, 5);
    assay_matrix *matrix = matrix_of(x, 90, 300);
    assay_tetrachoric_options options;
    assay_tetrachoric_ed first, other;

    (void)state;
    assay_tetrachoric_options_init(&options, sizeof options);
    options.threads = 1;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &first), ASSAY_OK);
    assert_null(first.reason);
    for (options.threads = 2; options.threads < 6; options.threads++) {
        assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &other), ASSAY_OK);
        assert_memory_equal(&first.raw, &other.raw, sizeof first.raw);
        assert_memory_equal(&first.clipped, &other.clipped, sizeof first.clipped);
        assert_memory_equal(&first.least, &other.least, sizeof first.least);
    }
    free(x);
    assay_matrix_free(matrix);
}

/* ---- where there is no answer ---- */

static void assert_no_answer(const double *x, size_t n, size_t t, size_t max_items,
                             const char *reason)
{
    assay_matrix *matrix = matrix_of(x, n, t);
    assay_tetrachoric_options options;
    assay_tetrachoric_ed ed = { 0 };

    assay_tetrachoric_options_init(&options, sizeof options);
    options.max_items = max_items;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &ed), ASSAY_OK);
    assert_true(isnan(ed.raw) && isnan(ed.clipped) && isnan(ed.least));
    assert_non_null(ed.reason);
    assert_string_equal(ed.reason, reason);
    assay_matrix_free(matrix);
}

static void no_answer_has_a_reason(void **state)
{
    static const double reals[] = { 0, 1, 0.5, 1 }, constant[] = { 0, 1, 0, 1 };
    static const double three[] = { 0, 1, 0, 1, 0, 1 };
    /* Both vary; on the models that have both, the second does not. */
    static const double apart[] = { 1, 0, /**/ 0, 0, /**/ 1, NAN, /**/ NAN, 1 };

    (void)state;
    assert_no_answer(reals, 2, 2, 1000, "the scores are not all 0 or 1");
    assert_no_answer(constant, 2, 2, 1000, "no item tells two models apart");
    assert_no_answer(three, 2, 3, 2, "more items than the limit");
    assert_no_answer(three, 2, 3, 0, "more items than the limit");
    assert_no_answer(
        apart, 4, 2, 1000,
        "of no two items do the models that have both differ on the one and on the other");
}

static void options_are_checked(void **state)
{
    static const double x[] = { 0, 1, 1, 0 };
    assay_matrix *matrix = matrix_of(x, 2, 2);
    assay_tetrachoric_options options;
    assay_tetrachoric_ed ed;

    (void)state;
    assay_tetrachoric_options_init(&options, sizeof options);
    options.max_items = 20001;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &ed), ASSAY_E_VALUE);
    assay_tetrachoric_options_init(&options, sizeof options);
    options.threads = -1;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &ed), ASSAY_E_VALUE);
    options.struct_size = 1;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &ed), ASSAY_E_VALUE);
    assay_matrix_free(matrix);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void it_can_be_cancelled(void **state)
{
    static const double x[] = { 0, 1, 1, 0 };
    assay_matrix *matrix = matrix_of(x, 2, 2);
    assay_tetrachoric_options options;
    assay_tetrachoric_ed ed;

    (void)state;
    assay_tetrachoric_options_init(&options, sizeof options);
    options.progress.step = stop;
    assert_int_equal(assay_tetrachoric_dimension(matrix, &options, &ed), ASSAY_E_CANCELLED);
    assay_matrix_free(matrix);
}

static assay_status once(void *matrix)
{
    assay_tetrachoric_ed ed;

    return assay_tetrachoric_dimension(matrix, NULL, &ed);
}

static void every_allocation_may_fail(void **state)
{
    double *x = random_scores(20, 9, 0.1, 1);
    assay_matrix *matrix = matrix_of(x, 20, 9);

    (void)state;
    assert_true(fail_every_allocation(once, matrix) >= 6);
    free(x);
    assay_matrix_free(matrix);
}

/* ---- SWE-bench Verified ---- */

static void assert_ed(const assay_matrix *matrix, size_t n_items, double raw, double clipped)
{
    assay_tetrachoric_ed ed;

    assert_int_equal(assay_tetrachoric_dimension(matrix, NULL, &ed), ASSAY_OK);
    assert_int_equal(ed.n_items, n_items);
    assert_near("raw", ed.raw, raw, 1e-9);
    assert_near("clipped", ed.clipped, clipped, 1e-9);
}

/* The items of the matrix that 10 to 90 % of the models solve. */
static assay_matrix *middling_items(const assay_matrix *matrix)
{
    size_t n = assay_matrix_n_models(matrix), t = assay_matrix_n_items(matrix), n_kept = 0;
    double *x = malloc(n * t * sizeof *x);
    size_t *kept = malloc(t * sizeof *kept);
    assay_matrix *out;

    for (size_t i = 0; i < t; i++) {
        double solved = 0.0;

        for (size_t m = 0; m < n; m++) solved += assay_matrix_score(matrix, m, i);
        if (solved >= 0.1 * (double)n && solved <= 0.9 * (double)n) kept[n_kept++] = i;
    }
    for (size_t m = 0; m < n; m++)
        for (size_t i = 0; i < n_kept; i++)
            x[m * n_kept + i] = assay_matrix_score(matrix, m, kept[i]);
    out = matrix_of(x, n, n_kept);
    free(x);
    free(kept);
    return out;
}

/* Against a NumPy program of its own (64 nodes of Gauss and Legendre over the angle asin(rho),
   bisection, eigvalsh), which printed 16 digits; bisection ended at 1e-13. With 1/2 added to all
   four cells of a table that has a 0 it gave 3.2207 and 7.7038, to all cells of all tables 3.3692
   and 8.0204. */
static void swe_bench_verified_agrees_with_numpy(void **state)
{
    static const char name[] = "data/matrices/swebench_verified.csv";
    char path[512];
    assay_results *results = NULL;
    assay_matrix *matrix = NULL, *middling;

    (void)state;
    snprintf(path, sizeof path, "%s/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", name);
        skip();
    }
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_ed(matrix, 468, 3.239782083699849, 7.530661544035059);
    middling = middling_items(matrix);
    assert_ed(middling, 350, 2.8166161443742386, 5.407282642602579);
    assay_matrix_free(middling);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_software_agrees),
        cmocka_unit_test(every_small_table_is_at_its_root),
        cmocka_unit_test(tables_of_up_to_a_million_are_at_their_root),
        cmocka_unit_test(at_the_medians_there_is_a_closed_form),
        cmocka_unit_test(symmetries_are_exact),
        cmocka_unit_test(one_more_on_the_diagonal_gives_more),
        cmocka_unit_test(a_constant_side_is_an_error),
        cmocka_unit_test(counts_of_any_size_end_within_bounds),
        cmocka_unit_test(brute_force_agrees),
        cmocka_unit_test(two_items_by_hand),
        cmocka_unit_test(items_without_a_correlation_are_left_out),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(no_answer_has_a_reason),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(swe_bench_verified_agrees_with_numpy),
    };

    return cmocka_run_group_tests_name("tetrachoric", tests, NULL, NULL);
}
