/* SPDX-License-Identifier: Apache-2.0 */
/* What the .npz reader reads must be the shape's numbers, no more of them than the bytes can be
   inflated to, and the same however its source cuts the input into pieces. (Whether a broken
   archive is noticed may depend on the pieces: libarchive looks as far ahead as it has bytes.) */
#include "pieces.h"
#include "read/npz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input whole = { data, size, size + 1 }, pieces = { data, size, 1 + size % 7 };
    double *a, *b;
    size_t n[2] = { 0 }, d[2] = { 0 };
    const int has_a = assay_npz_read("fuzz", from_memory, &whole, &a, &n[0], &d[0]) == ASSAY_OK;
    const int has_b = assay_npz_read("fuzz", from_memory, &pieces, &b, &n[1], &d[1]) == ASSAY_OK;

    check(has_a == (a != NULL) && has_b == (b != NULL));
    check(n[0] * d[0] <= 1032 * size && n[1] * d[1] <= 1032 * size);
    if (has_a && has_b) {
        check(n[0] == n[1] && d[0] == d[1]);
        check(memcmp(a, b, n[0] * d[0] * sizeof *a) == 0);
    }
    free(a);
    free(b);
    return 0;
}
