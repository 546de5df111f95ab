/* SPDX-License-Identifier: Apache-2.0 */
/* From a path to its observations: one file, or a folder of them. */
#ifndef ASSAY_LOGS_READ_H
#define ASSAY_LOGS_READ_H

#include "read/table.h"

/* Read a file, "-" for standard input; what assay_read() returns. */
assay_status assay_log_read_file(assay_table *table, const char *path);

/* Read the logs below a folder, those that give no observation left out; notes say what was read,
   what was not and why. The same. */
assay_status assay_log_read_folder(assay_table *table, const char *path);

#endif
