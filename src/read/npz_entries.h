/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of NumPy's .npz format, a zip archive of .npy files, one after the other. */
#ifndef ASSAY_READ_NPZ_ENTRIES_H
#define ASSAY_READ_NPZ_ENTRIES_H

#include "read/npy.h"

typedef struct assay_npz_entry {
    const char *name;  /* as numpy.load() calls it: without folders and without ".npy" */
    const char *label; /* PATH[NAME], as messages call it */
    assay_npy_header header;
    int is_array;      /* of numbers or texts; 0: not, and the header holds what was understood */
    uint64_t length;   /* what the array takes, header and all */
    uint64_t declared; /* what the archive says of it, if has_size */
    int has_size;      /* where an archive was written to a pipe, an entry's size comes after it */
    assay_npy_source source; /* its values, behind the header */
    void *source_user;
} assay_npz_entry;

/* Take an entry, whose values may be read or left. */
typedef assay_status (*assay_npz_take)(void *user, const assay_npz_entry *entry);

/**
 * Show every entry that is a file. Nothing is unpickled, and nothing is written under an entry's
 * name.
 *
 * @param path  how messages call the input.
 * @return ASSAY_OK; ASSAY_E_FORMAT for a malformed or encrypted archive; what the source and take
 *         return; ASSAY_E_NOMEM.
 * Cost: O(bytes), once through, so that a pipe will do. Memory: 64 KiB, and what the decompressor
 * takes.
 */
assay_status assay_npz_visit(const char *path, assay_npy_source source, void *user,
                             assay_npz_take take, void *take_user);

/* ASSAY_E_FORMAT where an entry's size is not what its array takes, else ASSAY_OK. */
assay_status assay_npz_check_size(const assay_npz_entry *entry);

/* Names for a sentence: "a, b and more". All zero is none. */
enum { ASSAY_NPZ_LIST_SIZE = 256 };
typedef struct assay_npz_list {
    char text[ASSAY_NPZ_LIST_SIZE];
    size_t length;
    int is_full;
} assay_npz_list;
void assay_npz_list_add(assay_npz_list *to, const char *name);

#endif
