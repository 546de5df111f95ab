/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that are not there yet. */
#ifndef ASSAY_CORE_FOLDERS_H
#define ASSAY_CORE_FOLDERS_H

/* Make a folder and those above it. Returns 0, also where it was there; or -1 and sets errno, ENOMEM
   without memory. Above the last, nothing is told: what is there may be read-only, and what could not be
   made shows in the last. */
int assay_make_folders(const char *path);

#endif
