/* SPDX-License-Identifier: Apache-2.0 */
/* The logs of tools that are read: one row a format, each in a file of its own. */
#ifndef ASSAY_LOGS_LOGS_H
#define ASSAY_LOGS_LOGS_H

#include "logs/head.h"
#include "read/table.h"

typedef struct assay_log_format {
    assay_format format;
    const char *title; /* as messages call it, after "is " or "a log of" */
    int (*is_one)(const assay_log_head *head);
    assay_status (*read)(assay_table *table,
                         const assay_log_head *head); /* what assay_read() returns */
    const char *refusal; /* where read is NULL: "WHAT IT IS; what to give instead" */
} assay_log_format;

/* The format of a log: the first that is_one() knows, among those that format names unless that is
   ASSAY_FORMAT_AUTO; where it knows none, the first of that name; NULL for none of these. */
const assay_log_format *assay_log_find(assay_format format, const assay_log_head *head);

#endif
