// SPDX-License-Identifier: Apache-2.0
// The seam to the C++ library's <charconv>: correctly rounded, shortest, and blind to the locale,
// which strtod and printf are not. Nothing here allocates or throws.
#include "core/number.h"

#include <charconv>
#include <cmath>

int assay_number_parse(const char *text, size_t length, double *value)
{
    const char *end = text + length;

    // <charconv> takes no plus sign, and would take "inf" and "nan".
    if (length > 1 && *text == '+' && text[1] != '-') text++;
    if (text == end || ((*text < '0' || *text > '9') && *text != '-' && *text != '.')) return -1;
    auto result = std::from_chars(text, end, *value);
    return result.ec == std::errc() && result.ptr == end && std::isfinite(*value) ? 0 : -1;
}

size_t assay_number_format(double value, char out[ASSAY_NUMBER_SIZE])
{
    auto result = std::to_chars(out, out + ASSAY_NUMBER_SIZE - 1, value);
    *result.ptr = '\0';
    return static_cast<size_t>(result.ptr - out);
}
