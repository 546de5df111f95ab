/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/log_beta.h"

#include <math.h>

static const double half_log_two_pi = 0.918938533204672741780329736406;

/* ln Gamma(x) - ((x - 1/2) ln x - x + ln(2 pi) / 2) for x >= 10: Stirling's series, of which the
   first term left out is below 3e-17 there. */
static double stirling_rest(double x)
{
    double y = 1.0 / (x * x);

    return (1.0 / 12 -
            y * (1.0 / 360 -
                 y * (1.0 / 1260 -
                      y * (1.0 / 1680 -
                           y * (1.0 / 1188 -
                                y * (691.0 / 360360 - y * (1.0 / 156 - y * 3617.0 / 122400))))))) /
           x;
}

/* Gamma(x) = Gamma(x + 1) / x, until Stirling's series holds. */
double assay_log_gamma(double x)
{
    double product = 1.0;

    for (; x < 10.0; x += 1.0) product *= x;
    return (x - 0.5) * log(x) - x + half_log_two_pi + stirling_rest(x) - log(product);
}

/* B(a, b) = B(a + 1, b) (a + b) / a, until Stirling's series holds for both. */
double assay_log_beta(double a, double b)
{
    double low = a < b ? a : b, high = a < b ? b : a, sum = a + b;
    double above = 1.0, below = 1.0;

    for (; high < 10.0; high += 1.0, sum += 1.0) {
        above *= sum;
        below *= high;
    }
    for (; low < 10.0; low += 1.0, sum += 1.0) {
        above *= sum;
        below *= low;
    }
    if (low > high) {
        double swap = low;
        low = high;
        high = swap;
    }
    return half_log_two_pi - 0.5 * log(high) + (low - 0.5) * log(low / sum) +
           high * log1p(-low / sum) + stirling_rest(low) + stirling_rest(high) -
           stirling_rest(sum) + log(above / below);
}

double assay_log_choose(double m, double x)
{
    if (x == 0.0 || x == m) return 0.0;
    return -log1p(m) - assay_log_beta(x + 1.0, m - x + 1.0);
}

double assay_log_sum_exp(const double *values, size_t n)
{
    double largest = -INFINITY, sum = 0.0;

    for (size_t i = 0; i < n; i++) largest = fmax(largest, values[i]);
    if (!(largest > -INFINITY)) return -INFINITY;
    for (size_t i = 0; i < n; i++) sum += exp(values[i] - largest);
    return largest + log(sum);
}
