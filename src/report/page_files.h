/* SPDX-License-Identifier: Apache-2.0 */
/* The files of src/report/page, within the library. */
#ifndef ASSAY_REPORT_PAGE_FILES_H
#define ASSAY_REPORT_PAGE_FILES_H

#include <stddef.h>

typedef struct assay_page_file {
    const char *start, *end;
} assay_page_file;

extern const assay_page_file assay_page_style, assay_page_charts;

/* The page's own scripts, in the order in which they build on one another. */
enum { ASSAY_PAGE_N_SCRIPTS = 13 };
extern const assay_page_file assay_page_scripts[ASSAY_PAGE_N_SCRIPTS];

#endif
