/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole or not at all: written under a temporary name beside its place, then
   renamed. Devices and pipes are written to as they are. */
#ifndef ASSAY_OUTPUT_H
#define ASSAY_OUTPUT_H

#include "assay/base.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_output {
    FILE *to;               /* write here */
    char *path, *temporary; /* both NULL where there is no file to replace */
} assay_output;

/* Open path for writing. ASSAY_E_WRITE or ASSAY_E_NOMEM on failure, and
   then there is nothing to close. */
ASSAY_API assay_status assay_output_open(assay_output *output, const char *path);

/* Put the file in its place. Every opened output is ended by exactly one of commit and abandon;
   a commit that fails (ASSAY_E_WRITE: the disk is full, say) has removed the temporary file. */
ASSAY_API assay_status assay_output_commit(assay_output *output);

/* Remove what was written. */
ASSAY_API void assay_output_abandon(assay_output *output);

#ifdef __cplusplus
}
#endif
#endif
