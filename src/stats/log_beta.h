/* SPDX-License-Identifier: Apache-2.0 */
/* Logarithms of the gamma and beta functions and of binomial coefficients, without global state. */
#ifndef ASSAY_STATS_LOG_BETA_H
#define ASSAY_STATS_LOG_BETA_H

#include <stddef.h>

/* ln Gamma(x), x > 0; absolute error of a few units of the last place of max(1, result). */
double assay_log_gamma(double x);

/* ln B(a, b), a and b > 0: without the cancellation of three log-gammas where a or b is large. */
double assay_log_beta(double a, double b);

/* ln C(m, x) = -ln(m + 1) - ln B(x + 1, m - x + 1), 0 <= x <= m, both of any kind of number. */
double assay_log_choose(double m, double x);

/* ln sum exp(values[i]); -infinity where there is none, or all are. */
double assay_log_sum_exp(const double *values, size_t n);

#endif
