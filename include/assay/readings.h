/* SPDX-License-Identifier: Apache-2.0 */
/* What the numbers of a benchmark say by stated rules: on which side of a limit an interval lies,
   how many signals there are, which way something moves. Method: docs/signals.md, "The audit" */
#ifndef ASSAY_READINGS_H
#define ASSAY_READINGS_H

#include "assay/ageing.h"
#include "assay/redundancy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The limits. The first two are of BenchScope's workflow, the third the custom, the others are ours. */
#define ASSAY_LIMIT_REDUNDANT 0.9 /* pairs whose Spearman correlation is above are redundant */
#define ASSAY_LIMIT_ADMIT 0.7     /* a new column's largest |Spearman| is to be below */
#define ASSAY_LIMIT_P 0.05
#define ASSAY_LIMIT_HALF 0.5  /* of the items, or of the pairs of models: most of them */
#define ASSAY_LIMIT_IDLE 0.05 /* of the items that are constant or repeat others: more are many */

/* Part of the ABI: never renumber. */
typedef enum assay_finding {
    ASSAY_FINDING_UNKNOWN = 0,  /* there is no estimate */
    ASSAY_FINDING_BELOW = 1,    /* the interval is below the limit; or it falls */
    ASSAY_FINDING_ABOVE = 2,    /* the interval is above it; or it rises */
    ASSAY_FINDING_UNDECIDED = 3 /* the interval has the limit within, or there is none */
} assay_finding;

/* Above where low > limit; below where high < limit; a NaN value is unknown. */
ASSAY_API assay_finding assay_read_interval(double value, double low, double high, double limit);

/* The same of |r|: of -.8 to .1 it is 0 to .8. */
ASSAY_API assay_finding assay_read_strength(const assay_correlation *r, double limit);

/* Of a change and its p: rises or falls where p < limit, undecided where not. */
ASSAY_API assay_finding assay_read_change(const assay_change *change, double limit);

/* Of two readings that should agree, such as of two centrings: theirs where they do; undecided where
   they do not, or one of them is; the other one where one is unknown. */
ASSAY_API assay_finding assay_read_both(assay_finding a, assay_finding b);

/* Part of the ABI: never renumber. */
typedef enum assay_signals_reading {
    ASSAY_SIGNALS_READ_UNDECIDED = 0,
    ASSAY_SIGNALS_READ_BY_SHAPE = 1, /* one item, or two models: one signal by definition */
    ASSAY_SIGNALS_READ_NOISE = 2,    /* not told from noise */
    ASSAY_SIGNALS_READ_ONE = 3,      /* one ability explains what is above chance */
    ASSAY_SIGNALS_READ_SEVERAL = 4   /* as many signals above chance as parallel analysis counts */
} assay_signals_reading;

/* What that is read from. What is not known of a table (it has no groups, say) stays 0. */
typedef struct assay_signals_evidence {
    size_t at_most;   /* the largest ED that the shape allows, min(N - 1, T) */
    double low, high; /* the interval of ED */
    double shuffled;  /* ED of the shuffled scores */
    double
        parallel;  /* leading components above the shuffled ones; NaN where nothing was shuffled */
    int no_signal; /* 1: replicates of the cells show none */
    int small_shape;             /* 1: min(T, N) is at most ASSAY_SMALL_SHAPE */
    size_t n_groups;             /* of a suite's columns that vary; 0 where they were not grouped */
    size_t n_pairs, n_redundant; /* with a correlation; of these, surely above the limit */
    int scales_differ;           /* 1: a column is of another scale, or made of the others */
} assay_signals_evidence;

/* Why a reading is undecided: the first of these that holds. Part of the ABI: never renumber. */
typedef enum assay_signals_conflict {
    ASSAY_SIGNALS_AGREE = 0,
    ASSAY_SIGNALS_NOT_COUNTED = 1,   /* nothing was shuffled */
    ASSAY_SIGNALS_NO_INTERVAL = 2,   /* ED has none */
    ASSAY_SIGNALS_BESIDE_SCALES = 3, /* ED and the count are those of a column of another scale */
    ASSAY_SIGNALS_BESIDE_ED = 4,     /* ED's interval says noise where the count does not, or the
                                         other way round */
    ASSAY_SIGNALS_BESIDE_RUNS = 5,   /* replicates show no signal */
    ASSAY_SIGNALS_BESIDE_PAIRS = 6,  /* noise, but some columns are surely redundant */
    ASSAY_SIGNALS_BESIDE_GROUPS = 7, /* one component and several groups, or the other way round */
    ASSAY_SIGNALS_BESIDE_SHAPE = 8   /* one component, where there is no room for a second */
} assay_signals_conflict;

/**
 * How many signals there are.
 *
 * By shape where ED can only be 1. Otherwise parallel analysis says noise with 0, one with 1 and
 * several with more, as long as the rest agrees. For one or several the whole interval of ED is
 * below that of the shuffled scores and replicates show a signal; for noise it is not below, and no
 * pair of columns is surely redundant. No column is of another scale. Where the columns of a suite
 * are grouped, one ability is one group and several are several; and with so few items or models
 * that the shape alone keeps ED low, one ability takes that every pair of columns is surely
 * redundant, which stands for one group too. Where they do not agree, where there is no interval,
 * or where nothing was shuffled, it is undecided.
 *
 * @param conflict  what does not agree, ASSAY_SIGNALS_AGREE unless undecided; NULL is fine.
 */
ASSAY_API assay_signals_reading assay_read_signals(const assay_signals_evidence *evidence,
                                                   assay_signals_conflict *conflict);

#ifdef __cplusplus
}
#endif
#endif
