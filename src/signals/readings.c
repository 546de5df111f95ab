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

assay_signals_reading assay_read_signals(const assay_signals_evidence *evidence)
{
    int is_below = evidence->high < evidence->shuffled;

    if (evidence->at_most <= 1) return ASSAY_SIGNALS_READ_BY_SHAPE;
    if (isnan(evidence->low) || isnan(evidence->high) || isnan(evidence->shuffled) ||
        isnan(evidence->parallel))
        return ASSAY_SIGNALS_READ_UNDECIDED;
    if (evidence->parallel < 1.0)
        return is_below ? ASSAY_SIGNALS_READ_UNDECIDED : ASSAY_SIGNALS_READ_NOISE;
    if (!is_below || evidence->no_signal) return ASSAY_SIGNALS_READ_UNDECIDED;
    return evidence->parallel < 2.0 ? ASSAY_SIGNALS_READ_ONE : ASSAY_SIGNALS_READ_SEVERAL;
}
