/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_reading.h"

#include "print_signals.h"

#include <math.h>

struct signals_pairs signals_look_at_pairs(const struct signals_answer *all)
{
    const struct signals_suite *suite = all->suite;
    struct signals_pairs found = { .largest = { NAN, NAN, NAN, NULL } };
    size_t t = assay_redundancy_n_columns(suite->fit);

    for (size_t a = 0; a < t; a++) {
        for (size_t b = a + 1; b < t; b++) {
            assay_correlation rho = assay_redundancy_pair(suite->fit, a, b).spearman;
            assay_finding side = assay_read_strength(&rho, suite->redundant);

            found.n++;
            found.above += side == ASSAY_FINDING_ABOVE;
            found.undecided += side == ASSAY_FINDING_UNDECIDED;
            found.unknown += side == ASSAY_FINDING_UNKNOWN;
            if (side == ASSAY_FINDING_UNKNOWN || fabs(rho.value) <= fabs(found.largest.value))
                continue;
            found.a = a;
            found.b = b;
            found.largest = rho;
        }
    }
    return found;
}

static int varies(const assay_matrix *matrix, size_t item)
{
    double first = NAN;

    for (size_t m = 0; m < assay_matrix_n_models(matrix); m++) {
        double x = assay_matrix_score(matrix, m, item);

        if (isnan(x)) continue;
        if (!isnan(first) && x != first) return 1;
        first = x;
    }
    return 0;
}

/* A constant column is alone in its group, and no ability. */
static size_t count_groups(const struct signals_suite *suite)
{
    size_t n = 0;

    for (size_t g = 0; g < suite->n_groups; g++) {
        int found = 0;

        for (size_t c = 0; c < assay_redundancy_n_columns(suite->fit) && !found; c++)
            found = suite->labels[c] == g && varies(suite->matrix, c);
        n += found != 0;
    }
    return n;
}

static int scales_differ(const assay_matrix *matrix)
{
    for (size_t i = 0; i < assay_matrix_n_items(matrix); i++)
        if (assay_matrix_doubts(matrix, i) & ~(unsigned)ASSAY_DOUBT_NAME) return 1;
    return 0;
}

struct signals_reading signals_read(const struct signals_answer *all)
{
    size_t n = assay_matrix_n_models(all->matrix), t = assay_matrix_n_items(all->matrix);
    struct signals_interval interval = signals_interval(all);
    struct signals_reading found = { 0 };
    assay_signals_evidence *evidence = &found.evidence;

    evidence->at_most = t < n - 1 ? t : n - 1;
    evidence->low = interval.low;
    evidence->high = interval.high;
    evidence->shuffled = assay_signals_value(all->fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN);
    evidence->parallel = assay_signals_value(all->fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    evidence->no_signal = all->replicate->table && all->replicate->fit.no_signal;
    evidence->small_shape = all->subsets->small_shape;
    evidence->scales_differ = scales_differ(all->matrix);
    /* Outcomes of single items correlate little, whatever they have in common: no evidence. */
    if (all->suite->in_table && !assay_matrix_is_binary(all->matrix)) {
        struct signals_pairs pairs = signals_look_at_pairs(all);

        evidence->n_groups = count_groups(all->suite);
        evidence->n_pairs = pairs.n - pairs.unknown;
        evidence->n_redundant = pairs.above;
    }
    found.reading = assay_read_signals(evidence, &found.conflict);
    found.has_signal = found.reading != ASSAY_SIGNALS_READ_NOISE && !evidence->no_signal;
    return found;
}

const char *signals_reading_name(assay_signals_reading reading)
{
    static const char *const names[] = { "undecided", "by shape", "noise", "one", "several" };

    return names[reading];
}

const char *signals_conflict_name(assay_signals_conflict conflict)
{
    static const char *const names[] = { NULL,   "not counted", "no interval", "scales", "ed",
                                         "runs", "pairs",       "groups",      "shape" };

    return names[conflict];
}
