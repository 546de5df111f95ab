// SPDX-License-Identifier: Apache-2.0
// Errors become NaN or infinity by policy, so that no exception can cross into C.
#include "stats/distributions.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <cmath>
#include <limits>

namespace
{
namespace bm = boost::math;
using quiet =
    bm::policies::policy<bm::policies::domain_error<bm::policies::ignore_error>,
                         bm::policies::pole_error<bm::policies::ignore_error>,
                         bm::policies::overflow_error<bm::policies::ignore_error>,
                         bm::policies::underflow_error<bm::policies::ignore_error>,
                         bm::policies::denorm_error<bm::policies::ignore_error>,
                         bm::policies::rounding_error<bm::policies::ignore_error>,
                         bm::policies::evaluation_error<bm::policies::ignore_error>,
                         bm::policies::indeterminate_result_error<bm::policies::ignore_error>,
                         bm::policies::promote_double<false>>;
} // namespace

double assay_student_quantile(double p, double df)
{
    if (!(p > 0 && p < 1 && df > 0)) return std::numeric_limits<double>::quiet_NaN();
    return bm::quantile(bm::students_t_distribution<double, quiet>(df), p);
}

double assay_beta_cdf(double q, double a, double b)
{
    if (!(a > 0 && b > 0 && std::isfinite(a + b)) || std::isnan(q))
        return std::numeric_limits<double>::quiet_NaN();
    if (q <= 0) return 0;
    if (q >= 1) return 1;
    try {
        return bm::ibeta(a, b, q, quiet());
    } catch (...) { // whatever the policy lets through
        return std::numeric_limits<double>::quiet_NaN();
    }
}

double assay_beta_quantile(double p, double a, double b)
{
    if (!(a > 0 && b > 0 && std::isfinite(a + b) && p >= 0 && p <= 1))
        return std::numeric_limits<double>::quiet_NaN();
    try {
        return bm::ibeta_inv(a, b, p, quiet());
    } catch (...) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

double assay_normal_quantile(double p)
{
    if (!(p > 0 && p < 1)) return std::numeric_limits<double>::quiet_NaN();
    return -std::sqrt(2.0) * bm::erfc_inv(2 * p, quiet());
}
