/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as text. */
#ifndef ASSAY_CORE_BASE64_H
#define ASSAY_CORE_BASE64_H

#include <stddef.h>

/* The n bytes in base64 (RFC 4648, section 4: with padding, without line breaks), ended by NUL; to be
   freed. NULL without memory. */
char *assay_base64(const unsigned char *bytes, size_t n);

#endif
