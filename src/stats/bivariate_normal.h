/* SPDX-License-Identifier: Apache-2.0 */
/* The standard bivariate normal distribution, by one integral that is smooth for any correlation. */
#ifndef ASSAY_STATS_BIVARIATE_NORMAL_H
#define ASSAY_STATS_BIVARIATE_NORMAL_H

/* P(X <= h, Y <= k) of two standard normals with correlation rho in [-1, 1], to about 1e-15; NaN
   outside of it. h and k may be infinite. */
double assay_bivariate_normal(double h, double k, double rho);

/*
 * What a correlation adds to an orthant of two independent normals. Plackett (1954) has dP/d rho =
 * phi2(h, k; rho); with rho = (1 - x^2) / (1 + x^2), so that x runs from 1 at rho = 0 to 0 at
 * rho = 1, the square roots and the 1 - rho^2 of phi2 are gone:
 *
 *     P(X > h, Y > k; rho) - Phi(-h) Phi(-k) = scale int_x^1 g(u) du,
 *     g(u) = exp(-near / u^2 - far u^2) / (1 + u^2),                                          (1)
 *     near = (h - k)^2 / 8,   far = (h + k)^2 / 8,   scale = exp(-(h^2 + k^2) / 4) / pi,
 *
 * the same for P(X <= h, Y <= k) - Phi(h) Phi(k), and with -k for k and the sign changed for -rho.
 */
typedef struct assay_orthant {
    double near, far, scale;
} assay_orthant;

/* h and k finite. */
assay_orthant assay_orthant_at(double h, double k);

/* g(x), 0 < x <= 1. */
double assay_orthant_density(assay_orthant orthant, double x);

/* The integral of g from low to high, 0 <= low <= high <= 1. */
double assay_orthant_between(assay_orthant orthant, double low, double high);

#endif
