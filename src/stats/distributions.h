/* SPDX-License-Identifier: Apache-2.0 */
/* The seam to the maths library (Boost.Math): distributions and their inverses. Every function
   returns NaN where it is undefined, and never throws. */
#ifndef ASSAY_STATS_DISTRIBUTIONS_H
#define ASSAY_STATS_DISTRIBUTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The t for which Student's distribution with df > 0 degrees of freedom has P(T <= t) = p. */
double assay_student_quantile(double p, double df);

/* The z for which a standard normal has P(Z <= z) = p, p in (0, 1). */
double assay_normal_quantile(double p);

/* P(X <= q) for X ~ Beta(a, b), a and b > 0: 0 below q = 0, 1 above q = 1. */
double assay_beta_cdf(double q, double a, double b);

/* The q in [0, 1] for which that is p. */
double assay_beta_quantile(double p, double a, double b);

#ifdef __cplusplus
}
#endif
#endif
