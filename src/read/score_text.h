/* SPDX-License-Identifier: Apache-2.0 */
/* How the text of a cell is understood as a score, in every table alike. */
#ifndef ASSAY_READ_SCORE_TEXT_H
#define ASSAY_READ_SCORE_TEXT_H

#include "assay/results.h"

/**
 * Read a score; spaces around it and the case of its letters do not matter.
 *
 * A number; a percentage ("90.18%" is .9018); 1 for true, pass, passed, correct, C, yes and 0 for
 * false, fail, failed, incorrect, I, no. Missing: nothing, NA, N/A, #N/A, NaN, null, none, "-".
 *
 * @param decimal_comma  1: one comma may stand in place of the point ("0,5").
 * @param score          set when the state is ASSAY_SCORED, NaN otherwise.
 * @return ASSAY_SCORED or ASSAY_MISSING, or -1 when the text is neither.
 */
int assay_score_text_parse(const char *text, size_t length, int decimal_comma, double *score);

/* Fail with "PATH:LINE: column "c" has "abc", expected a score (...)". Returns ASSAY_E_FORMAT. */
assay_status assay_score_text_fail(const char *path, size_t line, const char *column,
                                   size_t column_length, const char *text, size_t length);

#endif
