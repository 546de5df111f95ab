// SPDX-License-Identifier: Apache-2.0
// The seam to the C++ library's <charconv>: correctly rounded, shortest, and blind to the locale,
// which strtod and printf are not. Nothing here allocates or throws.
#include "core/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

// Of a number that no double is near: whether it is too small rather than too large. Its leading
// digit stands for 10^power.
static bool is_tiny(const char *text, const char *end)
{
    const char *mantissa_end = std::find_if(text, end, [](char c) { return c == 'e' || c == 'E'; });
    bool fraction = false, leading = true;
    long power = -1, exponent = 0;

    for (const char *p = text; p != mantissa_end; p++) {
        leading = leading && (*p < '1' || *p > '9');
        if (*p == '.')
            fraction = true;
        else if (fraction && leading)
            power--;
        else if (!fraction && !leading)
            power++;
    }
    if (mantissa_end == end) return power < 0;
    const char *digits = mantissa_end + 1 + (mantissa_end[1] == '+');
    if (std::from_chars(digits, end, exponent).ec != std::errc()) return *digits == '-';
    return exponent < -power;
}

int assay_number_parse(const char *text, size_t length, double *value)
{
    const char *end = text + length;

    // <charconv> takes no plus sign, and would take "inf" and "nan".
    if (length > 1 && *text == '+' && text[1] != '-') text++;
    if (text == end || ((*text < '0' || *text > '9') && *text != '-' && *text != '.')) return -1;
    auto result = std::from_chars(text, end, *value);
    if (result.ptr != end) return -1;
    if (result.ec == std::errc::result_out_of_range && is_tiny(text, end)) {
        *value = *text == '-' ? -0.0 : 0.0;
        return 0;
    }
    return result.ec == std::errc() && std::isfinite(*value) ? 0 : -1;
}

size_t assay_number_format(double value, char out[ASSAY_NUMBER_SIZE])
{
    auto result = std::to_chars(out, out + ASSAY_NUMBER_SIZE - 1, value);
    *result.ptr = '\0';
    return static_cast<size_t>(result.ptr - out);
}
