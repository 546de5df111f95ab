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

#ifdef __cplusplus
}
#endif
#endif
