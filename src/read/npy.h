/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in NumPy's .npy format, versions 1 to 3. */
#ifndef ASSAY_READ_NPY_H
#define ASSAY_READ_NPY_H

#include "read/npy_header.h"

/* Where the bytes come from: fill buffer with up to size bytes and set *got; 0 is the end. */
typedef assay_status (*assay_npy_source)(void *user, char *buffer, size_t size, size_t *got);

/**
 * Read an array of numbers to its end: b1, i1 to i8, u1 to u8, f2, f4 or f8, of either byte order,
 * in C or Fortran order. Python objects are never unpickled.
 *
 * @param path  how messages call the input.
 * @param out   n x d, row-major, from assay_alloc_aligned(), owned by the caller; NULL on failure.
 *              An array of one dimension is n x 1.
 * @return ASSAY_OK; ASSAY_E_FORMAT for another kind of file, another type ('|O', text, complex,
 *         records), no or more than two dimensions, a size that overflows, data that are cut short
 *         or go on after the array; what the source returns; ASSAY_E_NOMEM.
 * Cost: O(bytes). Memory: grows with the bytes that are there, not with the shape that is claimed;
 * twice the array's where it is in Fortran order.
 */
assay_status assay_npy_read(const char *path, assay_npy_source source, void *user, double **out,
                            size_t *n, size_t *d);

/* Its two halves. length: the bytes that the whole array takes, header and all. On ASSAY_E_FORMAT
   the header holds what was understood of it. */
assay_status assay_npy_read_header(const char *path, assay_npy_source source, void *user,
                                   assay_npy_header *header, uint64_t *length);
/* The first half for an array of numbers or of texts. */
assay_status assay_npy_read_any_header(const char *path, assay_npy_source source, void *user,
                                       assay_npy_header *header, uint64_t *length);
assay_status assay_npy_read_values(const char *path, assay_npy_source source, void *user,
                                   const assay_npy_header *header, double **out);

/* The texts of an array of them, or whole numbers as texts. */
typedef struct assay_npy_texts {
    char *bytes;    /* UTF-8 where the array was 'U', as they are where it was 'S' */
    size_t *starts; /* text k is bytes[starts[k] .. starts[k + 1]), k < n */
    size_t n;
} assay_npy_texts; /* all zero is none; free it whatever happened */

/* The second half for an array of texts of one dimension, or of whole numbers, which are written
   out. NUL characters that fill a text up are no part of it. ASSAY_OK; ASSAY_E_FORMAT for another
   array, what is no code point, or data that are cut short or go on; what the source returns;
   ASSAY_E_NOMEM. Memory: grows with the bytes that are there. */
assay_status assay_npy_read_texts(const char *path, assay_npy_source source, void *user,
                                  const assay_npy_header *header, assay_npy_texts *texts);
void assay_npy_texts_free(assay_npy_texts *texts);

/* n of its numbers, header->size bytes each, as doubles: for who reads the values piece by piece. */
void assay_npy_convert(const assay_npy_header *header, const unsigned char *from, size_t n,
                       double *to);

#endif
