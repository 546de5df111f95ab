/* SPDX-License-Identifier: Apache-2.0 */
/* A complete part of a table in which cells are lacking. */
#ifndef ASSAY_SIGNALS_COMPLETE_H
#define ASSAY_SIGNALS_COMPLETE_H

#include "assay/base.h"

#include <stddef.h>

enum { ASSAY_COMPLETE_AXES = 3 };

/* lacks[(i0 * n[1] + i1) * n[2] + i2] is 1 where a cell is lacking; kept[axis][i] becomes 1 for
   what remains, of which there are left[axis]. An axis that is down to least[axis] goes
   further only where nothing else can. */
typedef struct assay_complete {
    size_t n[ASSAY_COMPLETE_AXES], least[ASSAY_COMPLETE_AXES];
    const unsigned char *lacks;
    unsigned char *kept[ASSAY_COMPLETE_AXES];
    size_t left[ASSAY_COMPLETE_AXES];
} assay_complete;

/* Leave out what lacks the largest share of its cells, of equal ones that of the last axis and the
   first along it, until nothing is lacking. kept is made, and freed by assay_complete_free() in any
   case. ASSAY_OK or ASSAY_E_NOMEM. O(cells + (sum of n) x units left out). */
assay_status assay_complete_find(assay_complete *complete);
void assay_complete_free(assay_complete *complete);

#endif
