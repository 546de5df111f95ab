/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as SVG: self-contained, readable in light and dark, no scripts. */
#ifndef ASSAY_PLOT_H
#define ASSAY_PLOT_H

#include "assay/best_study.h"
#include "assay/dendrogram.h"
#include "assay/saturation.h"
#include "assay/score.h"
#include "assay/signals.h"
#include "assay/study.h"
#include "assay/windows.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The scree of a fit: each component's share of the variance, on a logarithmic scale, with the null
 * band (up to the 95 % quantile of shuffled matrices) where there is one.
 *
 * @param title  stands above the figure; hostile text is escaped. NULL for none.
 * @param to     a stream that stays the caller's; failed writes are seen by ferror(to).
 */
ASSAY_API void assay_plot_scree(const assay_signals *fit, const char *title, FILE *to);

/**
 * Cosine similarities of the prompts, in the order of the tree: one square, 0 white, 1 blue. Of more than
 * 512 prompts an even choice is shown.
 *
 * @return ASSAY_OK; ASSAY_E_NOMEM (what was written before is no figure then).
 */
ASSAY_API assay_status assay_plot_similarity(const assay_vectors *vectors,
                                             const assay_dendrogram *tree, const char *title,
                                             FILE *to);

/* The posterior similarity matrix: how probable it is that two prompts are of one topic, with post[s - 1]
   = pi(S = s | x), n of them. The same otherwise; O(n^2). */
ASSAY_API assay_status assay_plot_together(const assay_dendrogram *tree, const double *post,
                                           const char *title, FILE *to);

/* The tree with its distances and, beside each cut, its probability. */
ASSAY_API assay_status assay_plot_tree(const assay_dendrogram *tree, const double *post,
                                       const char *title, FILE *to);

/* The prompts by their first two principal components, the eight largest topics in colour; labels[i] is
   prompt i's topic, below n. O(n d) a step of the power method. ASSAY_OK; ASSAY_E_VALUE for
   ASSAY_TURNS_MAX, which is no geometry of vectors; ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_plot_map(const assay_vectors *vectors, const size_t *labels,
                                      const char *title, FILE *to);

/* The posterior of each model's score (the first 20): the density of topics like these, the interval on
   these topics, the corrected and the raw mean. names[k] is model k's. */
ASSAY_API void assay_plot_scores(const assay_score *fit, const char *const *names,
                                 const char *title, FILE *to);

/* A study: W1 by budget, both logarithmic, a curve for each method with a band of one standard
   deviation over seeds. names[m] is method m's. */
ASSAY_API void assay_plot_study(const assay_study *study, const char *const *names,
                                const char *title, FILE *to);

/* A study of the best: regret by budget, a curve for each method (the first 7), and a line for a
   template picked at random. names[m] is method m's. */
ASSAY_API void assay_plot_regret(const assay_best_study *study, const char *const *names,
                                 const char *title, FILE *to);
/* ED by the number of items and of models drawn, with a band of one standard deviation and the
   fitted hyperbola. */
ASSAY_API void assay_plot_saturation(const assay_saturation *saturation, const char *title,
                                     FILE *to);

/* ED of windows of models of like skill by their mean score, as it is and with unit variance; dots
   at the least and at the last. by is what the models are sorted by. */
ASSAY_API void assay_plot_windows(const assay_windows *windows, const char *by, const char *title,
                                  FILE *to);

/* A row of the figure below. */
typedef struct assay_plot_benchmark {
    const char *name;     /* hostile text is escaped */
    double ed, low, high; /* ED and its interval, NaN where there is none */
    double noise;         /* what pure noise of its shape gives */
    int is_small;         /* 1: of a shape that leaves ED no room to be compared */
} assay_plot_benchmark;

/* Effective dimensionalities side by side: a row a benchmark, in their order (those that are small
   last, and apart): ED as a dot on its interval, pure noise as a ring, on a logarithmic scale. */
ASSAY_API void assay_plot_atlas(const assay_plot_benchmark *rows, size_t n, const char *title,
                                FILE *to);

#ifdef __cplusplus
}
#endif
#endif
