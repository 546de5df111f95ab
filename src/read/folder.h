/* SPDX-License-Identifier: Apache-2.0 */
/* What a folder has to read. */
#ifndef ASSAY_READ_FOLDER_H
#define ASSAY_READ_FOLDER_H

#include "data/results.h"

/* Why something in a folder is not read. */
typedef enum assay_left {
    ASSAY_LEFT_KIND,       /* its name has none of the endings */
    ASSAY_LEFT_HIDDEN,     /* it has, but begins with a dot */
    ASSAY_LEFT_LINK,       /* a symbolic link to a folder, which may lead round in a circle */
    ASSAY_LEFT_UNREADABLE, /* a folder that may not be looked into, a link that leads nowhere */
    ASSAY_LEFT_SAME,       /* a file that is there under another name too */
    ASSAY_N_LEFT
} assay_left;

enum { ASSAY_LEFT_SHOWN = 3 };

typedef struct assay_left_files {
    size_t n;
    char *first[ASSAY_LEFT_SHOWN]; /* of n paths the first ones in the order of their bytes */
} assay_left_files;

typedef struct assay_folder_file {
    char *path;
    assay_input_file id;
    int is_link;
} assay_folder_file;

typedef struct assay_folder {
    assay_folder_file *files; /* n, in the order of their paths' bytes */
    size_t n, capacity;
    assay_left_files left[ASSAY_N_LEFT];
} assay_folder;

/**
 * List the files below a folder that are logs by their names: .json, .jsonl, .jsonlines, .ndjson, .csv,
 * .tsv, .eval, .npy, .npz and .parquet, with or without .gz or .zst behind. Hidden ones and folders
 * that are symbolic links are passed by; of a file with several names the one that is no link, and
 * comes first, is listed.
 *
 * @param folder  starts as zeros; free it whatever happened.
 * @return ASSAY_OK; ASSAY_E_READ when the folder cannot be read, a folder below it only in part, or
 *         nothing is found; ASSAY_E_NOMEM.
 */
assay_status assay_folder_list(assay_folder *folder, const char *path);

/* The same without looking into its sub-folders, which are listed among the files; and each name is
   listed. */
assay_status assay_folder_list_here(assay_folder *folder, const char *path);

/* How much of a file's name is left without the endings that make it readable. */
size_t assay_folder_stem(const char *name);

/* Why, as notes say it: "no log by its name". */
const char *assay_left_reason(assay_left why);

void assay_folder_free(assay_folder *folder);

#endif
