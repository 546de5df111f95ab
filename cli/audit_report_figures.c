/* SPDX-License-Identifier: Apache-2.0 */
/* What the report draws, from the library; and the end of it all. */
#include "audit_report.h"

#include <assay/prompt_map.h>
#include <math.h>
#include <stdlib.h>

/* Cosines from here on are called nearly the same; so many pairs are listed. docs/audit.md */
static const double nearly_the_same = 0.95;
enum { MOST_PAIRS = 1000, MOST_LEAVES = 5000 };

/* Cuts that are less probable are not drawn; the chance that any item is wrongly said to go against the
   grain. */
static const double least_probable = 1e-6, against_the_grain = 0.05;

static assay_status draw_matrix(struct report *report);
static assay_status draw_prompts(struct report *report);
static assay_status draw_tree(struct report *report);

assay_status report_find_figures(struct report *report)
{
    assay_status status = draw_matrix(report);

    if (status == ASSAY_OK && report->has_score) status = draw_prompts(report);
    if (status == ASSAY_OK && report->has_score) status = draw_tree(report);
    return status;
}

static assay_status draw_matrix(struct report *report)
{
    struct report_figures *figures = &report->figures;
    const assay_matrix *matrix = report->matrix;
    assay_progress progress = cli_progress(report->request->common.quiet);
    int threads = (int)report->request->analysis.threads;
    assay_status status;

    figures->items = calloc(assay_matrix_n_items(matrix), sizeof *figures->items);
    if (!figures->items) return cli_no_memory();
    status = assay_item_statistics_find(matrix, against_the_grain, figures->items);
    if (status == ASSAY_OK) status = assay_raster_outcomes(matrix, &figures->outcomes);
    if (status == ASSAY_OK && assay_matrix_n_models(matrix) > 2)
        status = assay_raster_correlations(matrix, threads, progress, &figures->correlations);
    return status;
}

static assay_status draw_prompts(struct report *report)
{
    struct report_figures *figures = &report->figures;
    const struct score_answer *score = &report->score;
    assay_progress progress = cli_progress(report->request->common.quiet);
    int threads = (int)report->request->analysis.threads;
    size_t n = assay_prompts_n(score->prompts);
    assay_status status;

    figures->pairs = malloc(MOST_PAIRS * sizeof *figures->pairs);
    if (!figures->pairs) return cli_no_memory();
    status =
        assay_near_pairs_find(score->vectors, score->tree, nearly_the_same, MOST_PAIRS, threads,
                              progress, figures->pairs, &figures->n_pairs, &figures->n_pairs_found);
    if (status == ASSAY_OK)
        status = assay_raster_similarity(score->vectors, score->tree, threads, progress,
                                         &figures->similarity);
    if (status != ASSAY_OK || score_is_by_turn(score)) return status; /* no coordinates */
    figures->x = malloc(n * sizeof *figures->x);
    figures->y = malloc(n * sizeof *figures->y);
    if (!figures->x || !figures->y) return cli_no_memory();
    return assay_prompt_map_find(score->vectors, figures->x, figures->y, &figures->share);
}

/* The cuts are of the tree of all prompts only where each of them has a score. */
static assay_status draw_tree(struct report *report)
{
    struct report_figures *figures = &report->figures;
    const struct score_answer *score = &report->score;
    size_t n = assay_prompts_n(score->prompts), n_topics;
    const double *post = assay_score_topics(score->fit, SIZE_MAX, &n_topics);

    if (n > MOST_LEAVES || n < 2) return ASSAY_OK;
    figures->leaves = malloc(n * sizeof *figures->leaves);
    figures->cuts = malloc(n * sizeof *figures->cuts);
    if (!figures->leaves || !figures->cuts) return cli_no_memory();
    if (n_topics == n && assay_trials_n_unscored_prompts(score->trials) == 0)
        figures->n_cuts = assay_tree_cuts_find(score->tree, post, least_probable, figures->cuts);
    return assay_tree_leaves(score->tree, figures->leaves);
}

void report_free(struct report *report)
{
    struct report_figures *figures = &report->figures;

    for (size_t k = 0; k < report->n_answers; k++) free(report->answers[k].command);
    score_free(&report->score);
    templates_free(&report->templates);
    if (report->tried_signals) {
        signals_free(&report->signals_request, &report->signals);
        signals_suite_free(&report->signals_request.suite);
    }
    free(report->means);
    free(figures->items);
    free(figures->x);
    free(figures->y);
    free(figures->leaves);
    free(figures->cuts);
    free(figures->pairs);
    assay_raster_free(&figures->similarity);
    assay_raster_free(&figures->correlations);
    assay_raster_free(&figures->outcomes);
    assay_matrix_free(report->matrix);
    assay_trials_free(report->trials);
}
