/* SPDX-License-Identifier: Apache-2.0 */
/* Where a log lies: tools that write no model's name into a log put it into the path. */
#ifndef ASSAY_LOGS_PLACE_H
#define ASSAY_LOGS_PLACE_H

#include "read/header.h"

/* The file's name without its folders. */
const char *assay_log_file_name(const char *path);

/* The same without ".json", ".jsonl" or ".csv" (and ".gz" or ".zst" behind them). Both are borrowed
   from path. */
assay_name assay_log_stem(const char *path);

/* The name of the folder the file lies in, for up = 0; of the one around it, for 1; and so on. A
   NULL text where the path has none, or "." or "..". Borrowed from path. */
assay_name assay_log_folder(const char *path, size_t up);

/* A name without an ending, a NULL text where it does not end so or is nothing else. */
assay_name assay_log_without_end(assay_name name, const char *end);

#endif
