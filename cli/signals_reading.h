/* SPDX-License-Identifier: Apache-2.0 */
/* How many signals there are, from all that the sections of `assay signals` found. The rules:
   include/assay/readings.h */
#ifndef ASSAY_CLI_SIGNALS_READING_H
#define ASSAY_CLI_SIGNALS_READING_H

#include <assay/readings.h>

struct signals_answer;

struct signals_reading {
    assay_signals_evidence evidence;
    assay_signals_reading reading;
    assay_signals_conflict conflict;
    int has_signal; /* 0: the scores are not told from noise, or replicates show none */
};

struct signals_reading signals_read(const struct signals_answer *all);

/* The pairs of a suite's columns against its limit of redundancy. */
struct signals_pairs {
    size_t n, above, undecided, unknown;
    size_t a, b; /* of the largest by size */
    assay_correlation largest;
};
struct signals_pairs signals_look_at_pairs(const struct signals_answer *all);

/* For the JSON: "one", "several", ...; what does not agree, or NULL. */
const char *signals_reading_name(assay_signals_reading reading);
const char *signals_conflict_name(assay_signals_conflict conflict);

#endif
