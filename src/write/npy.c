/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in NumPy's .npy format, version 1. */
#include "assay/write.h"

#include <string.h>

enum { BEFORE_TEXT = 10 }; /* bytes of magic, version and length */

/* The header is padded so that the numbers begin at a multiple of 64 bytes. */
static void write_header(size_t n, size_t d, FILE *to)
{
    static const char magic[] = "\x93NUMPY\x01"; /* with its 0: version 1.0 */
    char text[128 - BEFORE_TEXT];
    int length = snprintf(text, sizeof text,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }", n, d);

    memset(text + length, ' ', sizeof text - (size_t)length);
    text[sizeof text - 1] = '\n';
    fwrite(magic, 1, sizeof magic, to);
    fputc(sizeof text, to);
    fputc(0, to);
    fwrite(text, 1, sizeof text, to);
}

void assay_write_npy(const float *rows, size_t n, size_t d, FILE *to)
{
    write_header(n, d, to);
    for (size_t k = 0; k < n * d; k++) {
        unsigned char bytes[4];
        uint32_t bits;

        memcpy(&bits, &rows[k], sizeof bits);
        for (int b = 0; b < 4; b++) bytes[b] = (unsigned char)(bits >> 8 * b);
        fwrite(bytes, 1, sizeof bytes, to);
    }
}
