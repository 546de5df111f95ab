/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, one code point at a time. */
#ifndef ASSAY_CORE_UTF8_H
#define ASSAY_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Decode the code point at text (at most length bytes). Returns how many bytes it takes, 1 to 4, or
   0 when it is not well-formed UTF-8: overlong, a surrogate, above U+10FFFF or cut short. */
size_t assay_utf8_decode(const char *text, size_t length, uint32_t *code_point);

/* Encode one code point (not a surrogate, at most U+10FFFF) and return its 1 to 4 bytes. */
size_t assay_utf8_encode(uint32_t code_point, char out[4]);

#endif
