/* SPDX-License-Identifier: Apache-2.0 */
/* What a folder has to read. */
#ifndef ASSAY_READ_FOLDER_H
#define ASSAY_READ_FOLDER_H

#include "assay/base.h"

typedef struct assay_folder {
    char **files; /* n paths, in the order of their bytes */
    size_t n, capacity;
    size_t n_left; /* files that are there and are of another kind */
} assay_folder;

/**
 * List the files below a folder whose names end in .csv, .tsv, .jsonl, .ndjson or .eval, with or without
 * .gz or .zst behind. Hidden files and folders, and folders that are symbolic links, are passed by.
 *
 * @param folder  starts as zeros; free it whatever happened.
 * @return ASSAY_OK; ASSAY_E_READ when a folder cannot be read or nothing is found; ASSAY_E_NOMEM.
 */
assay_status assay_folder_list(assay_folder *folder, const char *path);

/* The same without looking into its sub-folders, which are listed among the files. */
assay_status assay_folder_list_here(assay_folder *folder, const char *path);

/* How much of a file's name is left without the endings that make it readable. */
size_t assay_folder_stem(const char *name);

void assay_folder_free(assay_folder *folder);

#endif
