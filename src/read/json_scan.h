/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes are that JSON gives a meaning to: the two inner loops of the reader, which a
   processor's vector instructions may do. */
#ifndef ASSAY_READ_JSON_SCAN_H
#define ASSAY_READ_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

enum { ASSAY_JSON_BLOCK = 64 }; /* bytes; the width of a mask */

/* One bit a byte of a block, the lowest for the first byte. */
typedef struct assay_json_masks {
    uint64_t quote, backslash, newline, bracket; /* bracket: any of { } [ ] */
} assay_json_masks;

typedef struct assay_json_scan {
    /* The masks of the ASSAY_JSON_BLOCK bytes at block. */
    void (*masks)(const char *block, assay_json_masks *masks);

    /* How many of the length bytes at text stand for themselves in a string: ASCII, and no quote,
       backslash or control character. ASSAY_JSON_BLOCK bytes past length must be readable. */
    size_t (*plain_run)(const char *text, size_t length);

    /* Copy bytes of a string that stand for themselves, and undo escapes of one letter, until length
       bytes are used or something else comes (the two bytes of an escape are used together).
       Returns how many were used; *made is how many came out, at most as many. As many bytes as above
       must be readable, and ASSAY_JSON_BLOCK bytes past to + length writable. */
    size_t (*copy_simple)(const char *text, size_t length, char *to, size_t *made);
} assay_json_scan;

extern const assay_json_scan assay_json_scan_plain; /* any processor */
extern const assay_json_scan assay_json_scan_avx2;  /* x86-64 with AVX2, and only built there */

/* What each letter after a backslash stands for; 0 where it is none of those. */
extern const char assay_json_escapes[256];

/* The fastest one that this processor runs. */
const assay_json_scan *assay_json_scan_choose(void);

#endif
