/* SPDX-License-Identifier: Apache-2.0 */
/* The .npy reader must say the same however its source cuts the input into pieces, and what it has
   read must be the shape's numbers, all of them there. */
#include "pieces.h"
#include "read/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input whole = { data, size, size + 1 }, pieces = { data, size, 1 + size % 7 };
    double *a, *b;
    size_t n[2] = { 0 }, d[2] = { 0 };
    char sentence[1024];
    assay_status status = assay_npy_read("fuzz", from_memory, &whole, &a, &n[0], &d[0]);

    strcpy(sentence, status == ASSAY_OK ? "" : assay_last_error());
    check(assay_npy_read("fuzz", from_memory, &pieces, &b, &n[1], &d[1]) == status);
    check((status == ASSAY_OK) == (a != NULL) && (status == ASSAY_OK) == (b != NULL));
    if (status == ASSAY_OK) {
        check(n[0] == n[1] && d[0] == d[1] && n[0] * d[0] <= size);
        check(memcmp(a, b, n[0] * d[0] * sizeof *a) == 0);
    } else {
        check(strcmp(sentence, assay_last_error()) == 0);
    }
    free(a);
    free(b);
    return 0;
}
