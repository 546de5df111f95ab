/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a .npy array: a Python dict written as text. */
#ifndef ASSAY_READ_NPY_HEADER_H
#define ASSAY_READ_NPY_HEADER_H

#include "assay/base.h"

typedef struct assay_npy_header {
    char kind; /* 'b', 'i', 'u' or 'f'; 'O' where Python objects were refused; 'S' or 'U': texts */
    size_t size; /* bytes of a number: 1, 2, 4 or 8; of a text: one a byte, or four a code point */
    int is_big_endian, is_fortran;
    size_t n_dimensions, n, d; /* 1 or 2 of them; d is 1 for one */
} assay_npy_header;

/* Understand "{'descr': '<f8', 'fortran_order': False, 'shape': (20, 500), }", keys in any order.
   ASSAY_OK, or ASSAY_E_FORMAT saying what stands in the way; n x d x 8 does not overflow. */
assay_status assay_npy_header_parse(const char *path, const char *text, size_t length,
                                    assay_npy_header *header);

/* The same, where an array of texts ('S' and 'U') will do as well. */
assay_status assay_npy_header_parse_any(const char *path, const char *text, size_t length,
                                        assay_npy_header *header);

#endif
