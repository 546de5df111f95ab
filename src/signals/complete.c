/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/complete.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* One place along an axis. */
struct unit {
    int axis;
    size_t at;
};

static void count_lacking(const assay_complete *complete, size_t *counts[ASSAY_COMPLETE_AXES]);
static int find_worst(const assay_complete *complete, size_t *const counts[ASSAY_COMPLETE_AXES],
                      struct unit *worst);
static void leave_out(assay_complete *complete, size_t *counts[ASSAY_COMPLETE_AXES],
                      struct unit unit);

assay_status assay_complete_find(assay_complete *complete)
{
    size_t *counts[ASSAY_COMPLETE_AXES] = { NULL };
    struct unit worst;
    int have_memory = 1;

    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) {
        size_t n = complete->n[axis];

        complete->left[axis] = n;
        complete->kept[axis] = assay_alloc(n, 1);
        counts[axis] = assay_alloc_zero(n, sizeof(size_t));
        have_memory = have_memory && complete->kept[axis] && counts[axis];
        for (size_t i = 0; complete->kept[axis] && i < n; i++) complete->kept[axis][i] = 1;
    }
    if (have_memory) {
        count_lacking(complete, counts);
        while (find_worst(complete, counts, &worst)) leave_out(complete, counts, worst);
    }
    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) free(counts[axis]);
    return have_memory ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory to find complete cells");
}

void assay_complete_free(assay_complete *complete)
{
    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) free(complete->kept[axis]);
}

static void count_lacking(const assay_complete *complete, size_t *counts[ASSAY_COMPLETE_AXES])
{
    const unsigned char *lacks = complete->lacks;

    for (size_t i = 0; i < complete->n[0]; i++)
        for (size_t j = 0; j < complete->n[1]; j++)
            for (size_t k = 0; k < complete->n[2]; k++, lacks++) {
                counts[0][i] += *lacks;
                counts[1][j] += *lacks;
                counts[2][k] += *lacks;
            }
}

/* 0 when nothing that is kept lacks a cell. An axis at its least yields where nothing else can. */
static int find_worst(const assay_complete *complete, size_t *const counts[ASSAY_COMPLETE_AXES],
                      struct unit *worst)
{
    double cells = 1.0, share = 0.0;

    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) cells *= (double)complete->left[axis];
    for (int pass = 0; pass < 2 && share == 0.0; pass++) {
        for (int axis = ASSAY_COMPLETE_AXES - 1; axis >= 0; axis--) {
            double slice = cells / (double)complete->left[axis];

            if (pass == 0 && complete->left[axis] <= complete->least[axis]) continue;
            for (size_t i = 0; i < complete->n[axis]; i++) {
                if (!complete->kept[axis][i] || !((double)counts[axis][i] / slice > share))
                    continue;
                share = (double)counts[axis][i] / slice;
                *worst = (struct unit){ axis, i };
            }
        }
    }
    return share > 0.0;
}

static void leave_out(assay_complete *complete, size_t *counts[ASSAY_COMPLETE_AXES],
                      struct unit unit)
{
    size_t first[ASSAY_COMPLETE_AXES] = { 0 }, end[ASSAY_COMPLETE_AXES];

    for (int axis = 0; axis < ASSAY_COMPLETE_AXES; axis++) end[axis] = complete->n[axis];
    first[unit.axis] = unit.at;
    end[unit.axis] = unit.at + 1;
    for (size_t i = first[0]; i < end[0]; i++)
        for (size_t j = first[1]; j < end[1]; j++) {
            const unsigned char *row = complete->lacks + (i * complete->n[1] + j) * complete->n[2];

            if (!complete->kept[0][i] || !complete->kept[1][j]) continue;
            for (size_t k = first[2]; k < end[2]; k++) {
                if (!row[k] || !complete->kept[2][k]) continue;
                counts[0][i]--;
                counts[1][j]--;
                counts[2][k]--;
            }
        }
    complete->kept[unit.axis][unit.at] = 0;
    complete->left[unit.axis]--;
}
