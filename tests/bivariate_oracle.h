/* SPDX-License-Identifier: Apache-2.0 */
/* The bivariate normal the direct way, in long double: for each x the share of y, integrated. It
   has nothing in common with src/stats/bivariate_normal.c but the distribution. */
#ifndef TESTS_BIVARIATE_ORACLE_H
#define TESTS_BIVARIATE_ORACLE_H

#include <math.h>

static inline long double oracle_upper_tail(long double x)
{
    return 0.5L * erfcl(x / sqrtl(2.0L));
}

static inline long double oracle_density(long double x)
{
    return expl(-0.5L * x * x) / sqrtl(8.0L * atanl(1.0L));
}

/* phi2(h, k; rho): what a correlation adds to an orthant. */
static inline long double oracle_slope(long double h, long double k, long double rho)
{
    long double left = (1.0L - rho) * (1.0L + rho);

    return expl(-0.5L * (h * h + k * k - 2.0L * rho * h * k) / left) /
           (8.0L * atanl(1.0L) * sqrtl(left));
}

/* Double exponential quadrature (Takahasi and Mori 1974) of phi(x) P(Y > k | x) from a to b. */
static inline long double oracle_piece(long double a, long double b, long double k, long double rho)
{
    const long double step = 1.0L / 32, half = 0.5L * (b - a), middle = 0.5L * (a + b);
    long double spread = sqrtl((1.0L - rho) * (1.0L + rho)), sum = 0.0L;

    for (int i = -128; i <= 128; i++) {
        long double t = (long double)i * step, u = 2.0L * atanl(1.0L) * sinhl(t);
        long double x = middle + half * tanhl(u);
        long double weight = 2.0L * atanl(1.0L) * coshl(t) / (coshl(u) * coshl(u));

        sum += weight * oracle_density(x) * oracle_upper_tail((k - rho * x) / spread);
    }
    return sum * step * half;
}

/* P(X > h, Y > k), |rho| < 1. The share of y goes from 0 to 1 within a few spreads of x = k / rho:
   there are cuts about it. */
static inline long double oracle_upper_orthant(long double h, long double k, long double rho)
{
    long double cut[6] = { h }, end = fmaxl(h, 0.0L) + 13.0L, sum = 0.0L;
    long double width = rho != 0.0L ? sqrtl((1.0L - rho) * (1.0L + rho)) / fabsl(rho) : 1.0L;
    int n = 1;

    for (int i = -1; i <= 1 && rho != 0.0L; i++) {
        long double at = k / rho + 6.0L * (long double)i * width;

        if (at > cut[n - 1] && at < end) cut[n++] = at;
    }
    cut[n++] = end;
    for (int i = 1; i < n; i++) sum += oracle_piece(cut[i - 1], cut[i], k, rho);
    return sum;
}

/* The h with P(X > h) = p, by bisection: as good as erfcl. */
static inline long double oracle_threshold(long double p)
{
    long double low = -40.0L, high = 40.0L;

    for (int i = 0; i < 90; i++) {
        long double middle = 0.5L * (low + high);

        if (oracle_upper_tail(middle) > p)
            low = middle;
        else
            high = middle;
    }
    return 0.5L * (low + high);
}

#endif
