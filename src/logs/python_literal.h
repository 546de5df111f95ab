/* SPDX-License-Identifier: Apache-2.0 */
/* Values as Python prints them, which tools wrote where JSON was meant. */
#ifndef ASSAY_LOGS_PYTHON_LITERAL_H
#define ASSAY_LOGS_PYTHON_LITERAL_H

#include "logs/text.h"

/**
 * Append what Python's repr() of a value says as JSON: dicts with keys of text, lists and tuples
 * (both are arrays), texts in either quotes with their escapes, numbers, nan, inf, True, False and
 * None; and a number within a call, as NumPy writes it: np.float64(0.5). Nothing is evaluated. JSON
 * is understood as well.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT for anything else, for more than 64 levels, and for what stands
 *         behind the value; ASSAY_E_NOMEM.
 * Cost: O(length).
 */
assay_status assay_python_literal(const char *text, size_t length, assay_log_text *json);

#endif
