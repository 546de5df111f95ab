/* SPDX-License-Identifier: Apache-2.0 */
/* Which ids a category of BFCL has, of which its score file names those that failed. */
#ifndef ASSAY_LOGS_BFCL_IDS_H
#define ASSAY_LOGS_BFCL_IDS_H

#include "data/names.h"
#include "read/table.h"

/* Put the ids of the answers beside a score file into ids, with a file that says so as *source,
   to be freed; NULL where there is none. ASSAY_OK, or what reading it returns. */
assay_status assay_bfcl_ids_from_answers(assay_table *table, assay_names *ids, char **source);

/* Put 0 .. total - 1 into ids, with the prefix that the failing ones have in common
   ("simple_17"); none when one of them is no such number, or there is none. ASSAY_OK or
   ASSAY_E_NOMEM. */
assay_status assay_bfcl_ids_from_numbers(const assay_names *failing, size_t total,
                                         assay_names *ids);

/* Where the path has a folder that is called "score" or begins so: the offset of its name, else
   -1. */
ptrdiff_t assay_bfcl_score_folder(const char *path);

#endif
