/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as hexadecimal digits. */
#ifndef ASSAY_CORE_HEX_H
#define ASSAY_CORE_HEX_H

#include <stddef.h>

/* Write n bytes as 2 n lower-case digits, ended by NUL. */
void assay_hex(const unsigned char *bytes, size_t n, char *hex);

#endif
