/* SPDX-License-Identifier: Apache-2.0 */
/* What replicates are made of, and the tables that estimators take. */
#ifndef ASSAY_SIGNALS_REPLICATES_H
#define ASSAY_SIGNALS_REPLICATES_H

#include "assay/replicates.h"
#include "signals/complete.h"

/*
 * Item-major throughout: a row of n_models numbers an item. A constant is taken from each row so
 * that its mean over models is 0, and all are divided by a power of 2: neither changes an ED made
 * of indices that all differ, and both keep digits. runs: one table, the means of the runs, and
 * noise, the estimated variances of these means. templates: a table for each, one after the other.
 * clusters: a row for each member; cluster a's are first_member[a] .. first_member[a + 1] - 1.
 */
struct assay_replicates {
    assay_replicate_source source;
    size_t count[ASSAY_REPLICATES_N_COUNTS];
    int are_alike;        /* no two replicates of a cell differ anywhere */
    double *scores;       /* the tables */
    double *noise;        /* runs only */
    size_t *first_member; /* clusters only: one more than there are clusters */
};

/* Runs of the cells of a table, as they come, models x items. Shared by arrays and results. */
typedef struct assay_run_tally {
    size_t n_models, n_items, n_templates; /* templates that were folded into mean and noise */
    double unit;    /* what scores are divided by; near the largest, so that squares are finite */
    double *origin; /* by item: its first score, NaN before there is any */
    double *first, *sum, *squares; /* by cell, of one template, less origin */
    size_t *n;
    double *mean, *noise; /* sums over the templates that were folded */
    size_t least, most;   /* runs of a cell that has two or more */
    unsigned char *differs, *lacks;
} assay_run_tally;

/* Its unit is 1. ASSAY_OK or ASSAY_E_NOMEM; free it in either case. */
assay_status assay_run_tally_new(size_t n_models, size_t n_items, assay_run_tally *tally);
void assay_run_tally_free(assay_run_tally *tally);
void assay_run_tally_add(assay_run_tally *tally, size_t model, size_t item, double score);
void assay_run_tally_fold(assay_run_tally *tally); /* what was added since was one template's */

/* Keep what is complete. The number of runs is taken over all cells that have two or more. ASSAY_OK
   or ASSAY_E_NOMEM. */
assay_status assay_replicates_from_tally(const assay_run_tally *tally, assay_replicates **out);

/* An empty one, or NULL. */
assay_replicates *assay_replicates_new(assay_replicate_source source,
                                       const assay_complete *complete);

/* Centre and scale n_rows rows of scores, and noise with them where there is any. */
void assay_replicates_scale(assay_replicates *replicates, size_t n_rows);

#endif
