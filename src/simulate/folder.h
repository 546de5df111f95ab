/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that simulations are written to. */
#ifndef ASSAY_SIMULATE_FOLDER_H
#define ASSAY_SIMULATE_FOLDER_H

#include "assay/base.h"

#include <stdio.h>

/* Make a folder where there is none. ASSAY_OK; ASSAY_E_WRITE. */
assay_status assay_folder_make(const char *folder);

/* Write a file in it, whole or not at all. Failed writes are seen by ferror(to). ASSAY_OK;
   ASSAY_E_WRITE; ASSAY_E_NOMEM. */
typedef void (*assay_file_writer)(const void *what, FILE *to);
assay_status assay_folder_write(const char *folder, const char *name, assay_file_writer write,
                                const void *what);

#endif
