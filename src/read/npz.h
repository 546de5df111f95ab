/* SPDX-License-Identifier: Apache-2.0 */
/* The array of vectors in NumPy's .npz format: a zip archive of .npy files. */
#ifndef ASSAY_READ_NPZ_H
#define ASSAY_READ_NPZ_H

#include "read/npy.h"

/* 1 when an input begins like a zip archive. */
int assay_npz_begins(const char *bytes, size_t length);

/**
 * Read the only array of rows and columns of numbers or, among several, the only one called
 * vectors, embeddings, X or arr_0. Other entries are passed by: nothing is unpickled, and nothing
 * is written under an entry's name.
 *
 * @param path  how messages call the input; an array in it is PATH[NAME].
 * @param out   n x d as from assay_npy_read(), owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_FORMAT when there is no such array (the sentence names those there
 *         are), for a malformed or encrypted archive or array, and where an entry's size is not what
 *         its array takes; what the source returns; ASSAY_E_NOMEM.
 * Cost: O(bytes), once through, so that a pipe will do. Memory: as assay_npy_read(), 64 KiB, and
 * what the decompressor takes.
 */
assay_status assay_npz_read(const char *path, assay_npy_source source, void *user, double **out,
                            size_t *n, size_t *d);

#endif
