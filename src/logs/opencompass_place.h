/* SPDX-License-Identifier: Apache-2.0 */
/* Where a file of OpenCompass lies: results/MODEL/DATASET.json, predictions/MODEL/DATASET_0.json.
   */
#ifndef ASSAY_LOGS_OPENCOMPASS_PLACE_H
#define ASSAY_LOGS_OPENCOMPASS_PLACE_H

#include "assay/base.h"
#include "read/header.h"

typedef struct assay_opencompass_place {
    assay_name model, task; /* NULL texts where the file does not lie so */
    assay_name part;        /* of a dataset that was cut: its number; no text: the whole */
} assay_opencompass_place;

/* Both are borrowed from path. A dataset was cut where the file's name ends in a number and another
   part lies beside it. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_opencompass_find_place(const char *path, assay_opencompass_place *place);

#endif
