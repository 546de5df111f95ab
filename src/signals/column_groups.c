/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of columns, and admission of one: both read the correlations of all pairs. */
#include "signals/redundancy.h"

#include "cluster/agglomerate.h"
#include "cluster/distances.h"
#include "cluster/labels.h"
#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

/* 1 - r, laid out as the linkage wants it; r = 0 where there is none. */
static void distances_of(const assay_redundancy *fit, double *distance)
{
    size_t n = fit->n_columns;

    distance[0] = 0.0;
    for (size_t a = 0; a + 1 < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            double r = assay_redundancy_pair(fit, a, b).pearson.value;

            distance[assay_distances_row(n, a) + b] = isnan(r) ? 1.0 : 1.0 - r;
        }
    }
}

/* Merges come with growing distance, and the cut is after the last that is near enough. A merge's
   second slot becomes its first's, from the last merge backwards so that names come from above. */
static size_t cut(const assay_slot_merge *merges, size_t n, double threshold, size_t *labels,
                  size_t *number)
{
    size_t n_merges = 0;

    while (n_merges + 1 < n && merges[n_merges].distance <= 1.0 - threshold + ASSAY_SAME_DISTANCE)
        n_merges++;
    for (size_t i = 0; i < n; i++) labels[i] = i;
    for (size_t k = n_merges; k-- > 0;) labels[merges[k].second] = labels[merges[k].first];
    return assay_labels_renumber(labels, n, number, n);
}

assay_status assay_redundancy_groups(const assay_redundancy *fit, assay_linkage linkage,
                                     double threshold, size_t *labels, size_t *n_groups)
{
    size_t n = fit->n_columns;
    double *distance = NULL;
    assay_slot_merge *merges = NULL;
    size_t *number = NULL;
    assay_status status = ASSAY_OK;

    if (!(threshold >= -1.0 && threshold <= 1.0))
        return assay_fail(ASSAY_E_VALUE, "groups: threshold is %g, expected -1 to 1", threshold);
    if (linkage != ASSAY_LINKAGE_AVERAGE && linkage != ASSAY_LINKAGE_COMPLETE &&
        linkage != ASSAY_LINKAGE_SINGLE)
        return assay_fail(ASSAY_E_VALUE, "groups: linkage is %d, expected 0 to 2", (int)linkage);
    distance = assay_alloc(assay_distances_count(n), sizeof *distance);
    merges = assay_alloc(n, sizeof *merges);
    number = assay_alloc(n, sizeof *number);
    if (!distance || !merges || !number) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the groups of %zu columns", n);
        goto done;
    }
    distances_of(fit, distance);
    status = assay_agglomerate(distance, n, linkage, (assay_progress){ 0 }, merges);
    if (status == ASSAY_OK) *n_groups = cut(merges, n, threshold, labels, number);
done:
    free(distance);
    free(merges);
    free(number);
    return status;
}

static const char no_correlation[] = "its correlation with none of the others can be estimated";
static const char few_models[] = "fewer than 3 models have it and one of the others";

assay_status assay_redundancy_admit(const assay_redundancy *fit, size_t column,
                                    const unsigned char *is_other, double limit,
                                    assay_admission *out)
{
    assay_admission admission = { .spearman = { NAN, NAN, NAN, NULL } };
    double most = -1.0;
    int have_models = 0; /* enough for a correlation with one of the others */

    if (!(limit >= 0.0 && limit <= 1.0))
        return assay_fail(ASSAY_E_VALUE, "admission: limit is %g, expected 0 to 1", limit);
    if (column >= fit->n_columns)
        return assay_fail(ASSAY_E_VALUE, "admission: column is %zu of %zu", column, fit->n_columns);
    for (size_t c = 0; c < fit->n_columns; c++) {
        assay_pair pair;
        assay_correlation rho;

        if (c == column || !is_other[c]) continue;
        pair = assay_redundancy_pair(fit, column, c);
        rho = pair.spearman;
        have_models |= pair.n >= 3;
        admission.n_others++;
        admission.n_unknown += isnan(rho.value) != 0;
        if (!(fabs(rho.value) > most)) continue;
        most = fabs(rho.value);
        admission.nearest = c;
        admission.spearman = rho;
        admission.n_models = pair.n;
    }
    if (admission.n_others == admission.n_unknown)
        admission.spearman.reason = admission.reason = have_models ? no_correlation : few_models;
    else
        admission.admitted = most < limit;
    *out = admission;
    return ASSAY_OK;
}
