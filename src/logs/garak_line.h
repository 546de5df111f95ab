/* SPDX-License-Identifier: Apache-2.0 */
/* One line of a garak report, whatever its version. */
#ifndef ASSAY_LOGS_GARAK_LINE_H
#define ASSAY_LOGS_GARAK_LINE_H

#include "read/json.h"

/* Text that grows and is used again line by line; ended by NUL once there is any. */
typedef struct assay_garak_text {
    char *text;
    size_t length, capacity;
    int present; /* this line has it, and it is not null */
} assay_garak_text;

/* What a detector said of each output; NaN for null. */
typedef struct assay_garak_detector {
    assay_garak_text name;
    double *scores;
    size_t n, capacity;
} assay_garak_detector;

typedef struct assay_garak_line {
    size_t number; /* in the file, from 1 */
    assay_garak_text entry_type, target_type, target_name, probe, uuid, seq;
    assay_garak_text prompt;  /* the last turn of the user */
    assay_garak_text outputs; /* all of them, each ended by NUL */
    unsigned char *output_is_null;
    size_t n_outputs, outputs_capacity;
    assay_garak_detector *detectors;
    size_t n_detectors, detectors_made, detectors_capacity;
    double status, threshold; /* NaN where the line has none */
    int is_hit;               /* it has a key that only a hitlog's lines have */
} assay_garak_line;           /* all zero is an empty one */

void assay_garak_line_free(assay_garak_line *line);

/* Read the members of an object whose start was the latest event. ASSAY_OK, ASSAY_E_NOMEM, or what
   assay_json_next() returns. */
assay_status assay_garak_line_read(assay_garak_line *line, assay_json_reader *reader);

/* A detector's name without the "detector." that old versions put before it. */
const char *assay_garak_detector_name(const char *name);

#endif
