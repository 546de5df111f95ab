/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/readings.h"

#include <math.h>

assay_finding assay_read_interval(double value, double low, double high, double limit)
{
    if (isnan(value)) return ASSAY_FINDING_UNKNOWN;
    return low > limit    ? ASSAY_FINDING_ABOVE
           : high < limit ? ASSAY_FINDING_BELOW
                          : ASSAY_FINDING_UNDECIDED; /* NaN bounds too */
}

assay_finding assay_read_strength(const assay_correlation *r, double limit)
{
    double most = fmax(fabs(r->low), fabs(r->high));
    double least = r->low < 0.0 && r->high > 0.0 ? 0.0 : fmin(fabs(r->low), fabs(r->high));

    return assay_read_interval(fabs(r->value), least, most, limit);
}

assay_finding assay_read_change(const assay_change *change, double limit)
{
    if (isnan(change->early) || isnan(change->late)) return ASSAY_FINDING_UNKNOWN;
    if (!(change->p < limit) || change->late == change->early) return ASSAY_FINDING_UNDECIDED;
    return change->late > change->early ? ASSAY_FINDING_ABOVE : ASSAY_FINDING_BELOW;
}

assay_finding assay_read_both(assay_finding a, assay_finding b)
{
    if (a == ASSAY_FINDING_UNKNOWN) return b;
    return b == ASSAY_FINDING_UNKNOWN || a == b ? a : ASSAY_FINDING_UNDECIDED;
}

/* What parallel analysis alone would say, and what speaks against it. */
static assay_signals_conflict find_conflict(const assay_signals_evidence *evidence)
{
    int is_below = evidence->high < evidence->shuffled;
    int all_redundant = evidence->n_pairs > 0 && evidence->n_redundant == evidence->n_pairs;
    int one_group = evidence->n_groups == 1 || all_redundant;

    if (isnan(evidence->parallel)) return ASSAY_SIGNALS_NOT_COUNTED;
    if (isnan(evidence->low) || isnan(evidence->high) || isnan(evidence->shuffled))
        return ASSAY_SIGNALS_NO_INTERVAL;
    if (evidence->scales_differ) return ASSAY_SIGNALS_BESIDE_SCALES;
    if (is_below == (evidence->parallel < 1.0)) return ASSAY_SIGNALS_BESIDE_ED;
    if (evidence->parallel < 1.0)
        return evidence->n_redundant > 0 ? ASSAY_SIGNALS_BESIDE_PAIRS : ASSAY_SIGNALS_AGREE;
    if (evidence->no_signal) return ASSAY_SIGNALS_BESIDE_RUNS;
    if (evidence->n_groups > 0 && one_group != (evidence->parallel < 2.0))
        return ASSAY_SIGNALS_BESIDE_GROUPS;
    return evidence->parallel < 2.0 && evidence->small_shape && !all_redundant
               ? ASSAY_SIGNALS_BESIDE_SHAPE
               : ASSAY_SIGNALS_AGREE;
}

assay_signals_reading assay_read_signals(const assay_signals_evidence *evidence,
                                         assay_signals_conflict *conflict)
{
    int by_shape = evidence->at_most <= 1;
    assay_signals_conflict found = by_shape ? ASSAY_SIGNALS_AGREE : find_conflict(evidence);

    if (conflict) *conflict = found;
    if (by_shape) return ASSAY_SIGNALS_READ_BY_SHAPE;
    if (found != ASSAY_SIGNALS_AGREE) return ASSAY_SIGNALS_READ_UNDECIDED;
    if (evidence->parallel < 1.0) return ASSAY_SIGNALS_READ_NOISE;
    return evidence->parallel < 2.0 ? ASSAY_SIGNALS_READ_ONE : ASSAY_SIGNALS_READ_SEVERAL;
}
