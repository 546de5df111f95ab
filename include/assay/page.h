/* SPDX-License-Identifier: Apache-2.0 */
/* The report: one HTML file that needs nothing else. */
#ifndef ASSAY_PAGE_H
#define ASSAY_PAGE_H

#include "assay/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write a page that shows an audit.
 *
 * The file holds its style, its scripts, the charts' library and the audit; it asks nothing of any
 * network, which its Content-Security-Policy forbids too: only the scripts that are written here
 * run, by their SHA-256. The audit stands in it as data, and its texts reach the page as text.
 *
 * @param json    the audit, a JSON object in UTF-8 as assay_json_...() write it (docs/audit.md has
 *                its keys); what HTML could take for its own is escaped. Borrowed.
 * @param output  opened by the caller, who ends it.
 * @return ASSAY_OK; ASSAY_E_NOMEM; ASSAY_E_WRITE.
 * Cost: O(length); memory as much as the scripts, 0.4 MB.
 */
ASSAY_API assay_status assay_page_write(const assay_output *output, const char *json,
                                        size_t length);

#ifdef __cplusplus
}
#endif
#endif
