/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text and back, whatever the locale. */
#ifndef ASSAY_CORE_NUMBER_H
#define ASSAY_CORE_NUMBER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ASSAY_NUMBER_SIZE = 32 };

/* Read a whole decimal number ("-1.5e3", "+2", ".5"): correctly rounded. Returns 0, or -1 when the
   text is not exactly one number or its value is not finite. Never reads past length. */
int assay_number_parse(const char *text, size_t length, double *value);

/* The shortest text that reads back as the same double, ended by NUL. Returns its length. */
size_t assay_number_format(double value, char out[ASSAY_NUMBER_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
