/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .eval archive that an Inspect log is read by. */
#ifndef ASSAY_LOGS_INSPECT_ARCHIVE_H
#define ASSAY_LOGS_INSPECT_ARCHIVE_H

#include "logs/inspect_sample.h"

typedef enum assay_inspect_source {
    ASSAY_INSPECT_WHOLE = 0, /* a document, or summaries.json */
    ASSAY_INSPECT_JOURNAL,
    ASSAY_INSPECT_MEMBERS /* samples/ */
} assay_inspect_source;

typedef struct assay_inspect_log {
    assay_table *table;
    assay_picker header; /* of the document, header.json or start.json */
    assay_inspect_reader reader;
    assay_inspect_samples samples;
    assay_inspect_source source;
    int is_invalidated; /* the header says that some samples were */
} assay_inspect_log;

/* Read the header and the samples of the table's input. What assay_inspect_read() returns. */
assay_status assay_inspect_archive_read(assay_inspect_log *log);

#endif
