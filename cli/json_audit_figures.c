/* SPDX-License-Identifier: Apache-2.0 */
/* What the report draws, as JSON: docs/audit.md. */
#include "audit_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void json_posterior(assay_json *json, const struct report *report);
static void json_prompts(assay_json *json, const struct report *report);
static void json_tree(assay_json *json, const struct report *report);
static void json_map(assay_json *json, const struct report *report);
static void json_pairs(assay_json *json, const struct report *report);
static void json_rasters(assay_json *json, const struct report *report);

static void numbers(assay_json *json, const char *key, const double *x, size_t n)
{
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_number(json, x[k]);
    assay_json_end_array(json);
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

/* A picture needs no more digits. */
static double rounded(double x)
{
    return isfinite(x) ? round(x * 1e6) / 1e6 : x;
}

/* ---- items ---- */

static ptrdiff_t prompt_of(const struct report *report, size_t item)
{
    if (!report->has_score) return -1;
    return assay_prompts_find(report->score.prompts, assay_matrix_item(report->matrix, item));
}

static const char *text_of(const struct report *report, size_t item)
{
    ptrdiff_t prompt = prompt_of(report, item);

    if (prompt >= 0) return assay_prompts_text(report->score.prompts, (size_t)prompt);
    return assay_results_item_text(report->results, assay_matrix_item_source(report->matrix, item));
}

static const char *topic_of(const struct report *report, size_t item)
{
    ptrdiff_t prompt = prompt_of(report, item);

    if (prompt >= 0) return assay_prompts_cluster(report->score.prompts, (size_t)prompt);
    return assay_results_item_cluster(report->results,
                                      assay_matrix_item_source(report->matrix, item));
}

typedef const char *(*text_getter)(const struct report *, size_t);

/* Texts of all items; nothing where no item has one. */
static void json_texts(assay_json *json, const struct report *report, const char *key,
                       text_getter get)
{
    size_t n = assay_matrix_n_items(report->matrix), k = 0;

    while (k < n && !get(report, k)) k++;
    if (k == n) return;
    assay_json_key(json, key);
    assay_json_begin_array(json);
    for (k = 0; k < n; k++) json_report_text(json, report, get(report, k));
    assay_json_end_array(json);
}

static const char *name_of(const struct report *report, size_t item)
{
    return assay_matrix_item(report->matrix, item);
}

void json_report_items(assay_json *json, const struct report *report)
{
    static const char *const kinds[] = {
        [ASSAY_ITEM_ORDINARY] = "",
        [ASSAY_ITEM_ALWAYS_RIGHT] = "always right",
        [ASSAY_ITEM_ALWAYS_WRONG] = "always wrong",
        [ASSAY_ITEM_AGAINST_THE_GRAIN] = "against the grain",
    };
    const assay_item_statistics *items = report->figures.items;
    size_t n = assay_matrix_n_items(report->matrix);

    assay_json_key(json, "items");
    assay_json_begin_object(json);
    json_texts(json, report, "item", name_of);
    json_texts(json, report, "text", text_of);
    json_texts(json, report, "topic", topic_of);
    assay_json_key(json, "n");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_count(json, items[k].n);
    assay_json_end_array(json);
    assay_json_key(json, "rate");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_number(json, rounded(items[k].mean));
    assay_json_end_array(json);
    assay_json_key(json, "rest_correlation");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_number(json, rounded(items[k].rest_correlation));
    assay_json_end_array(json);
    assay_json_key(json, "kind");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_text(json, kinds[items[k].kind]);
    assay_json_end_array(json);
    assay_json_end_object(json);
}

/* ---- figures ---- */

void json_report_figures(assay_json *json, const struct report *report)
{
    assay_json_key(json, "figures");
    assay_json_begin_object(json);
    if (report->has_score) {
        json_posterior(json, report);
        json_prompts(json, report);
        json_tree(json, report);
        json_map(json, report);
        json_pairs(json, report);
    }
    json_rasters(json, report);
    assay_json_end_object(json);
}

static void json_posterior(assay_json *json, const struct report *report)
{
    size_t n;
    const double *p = assay_score_topics(report->score.fit, SIZE_MAX, &n);

    assay_json_key(json, "topics_posterior");
    assay_json_begin_object(json);
    assay_json_key(json, "clusters");
    assay_json_begin_array_in_line(json);
    for (size_t s = 0; s < n; s++)
        if (p[s] > 1e-6) assay_json_count(json, s + 1);
    assay_json_end_array(json);
    assay_json_key(json, "p");
    assay_json_begin_array_in_line(json);
    for (size_t s = 0; s < n; s++)
        if (p[s] > 1e-6) assay_json_number(json, p[s]);
    assay_json_end_array(json);
    assay_json_end_object(json);
}

/* Whether the prompts are the items, in their order: the map and the tree then share their texts. */
static int are_items(const struct report *report)
{
    size_t n = assay_prompts_n(report->score.prompts);

    if (n != assay_matrix_n_items(report->matrix)) return 0;
    for (size_t k = 0; k < n; k++)
        if (strcmp(assay_prompts_id(report->score.prompts, k),
                   assay_matrix_item(report->matrix, k)) != 0)
            return 0;
    return 1;
}

static void json_prompts(assay_json *json, const struct report *report)
{
    const assay_prompts *prompts = report->score.prompts;

    if (are_items(report)) return;
    assay_json_key(json, "prompts");
    assay_json_begin_object(json);
    assay_json_key(json, "item");
    assay_json_begin_array(json);
    for (size_t k = 0; k < assay_prompts_n(prompts); k++)
        json_report_text(json, report, assay_prompts_id(prompts, k));
    assay_json_end_array(json);
    assay_json_key(json, "text");
    assay_json_begin_array(json);
    for (size_t k = 0; k < assay_prompts_n(prompts); k++)
        json_report_text(json, report, assay_prompts_text(prompts, k));
    assay_json_end_array(json);
    assay_json_end_object(json);
}

static void json_cuts(assay_json *json, const struct report_figures *figures)
{
    assay_json_key(json, "cuts");
    assay_json_begin_array(json);
    for (size_t k = 0; k < figures->n_cuts; k++) {
        const assay_tree_cut *cut = &figures->cuts[k];

        assay_json_begin_object(json);
        count(json, "clusters", cut->clusters);
        assay_json_key(json, "p");
        assay_json_number(json, cut->p);
        assay_json_key(json, "low");
        assay_json_number(json, rounded(cut->low));
        assay_json_key(json, "high");
        assay_json_number(json,
                          isinf(cut->high) ? 2.0 : rounded(cut->high)); /* the largest distance */
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_tree(assay_json *json, const struct report *report)
{
    const struct report_figures *figures = &report->figures;
    size_t n = assay_prompts_n(report->score.prompts);

    if (!figures->leaves) return;
    assay_json_key(json, "dendrogram");
    assay_json_begin_object(json);
    assay_json_key(json, "order");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_count(json, figures->leaves[k]);
    assay_json_end_array(json);
    assay_json_key(json, "merges");
    assay_json_begin_array_in_line(json);
    for (size_t t = 0; t + 1 < n; t++) {
        size_t children[2];
        double height;

        assay_dendrogram_merge(report->score.tree, t, children, &height);
        assay_json_begin_array_in_line(json);
        assay_json_count(json, children[0]);
        assay_json_count(json, children[1]);
        assay_json_number(json, rounded(height));
        assay_json_end_array(json);
    }
    assay_json_end_array(json);
    json_cuts(json, figures);
    assay_json_end_object(json);
}

static void json_map(assay_json *json, const struct report *report)
{
    const struct report_figures *figures = &report->figures;
    size_t n = assay_prompts_n(report->score.prompts);

    if (!figures->x) return;
    for (size_t k = 0; k < n; k++) {
        figures->x[k] = rounded(figures->x[k]);
        figures->y[k] = rounded(figures->y[k]);
    }
    assay_json_key(json, "map");
    assay_json_begin_object(json);
    numbers(json, "x", figures->x, n);
    numbers(json, "y", figures->y, n);
    assay_json_key(json, "topic");
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) assay_json_count(json, report->score.topics[k]);
    assay_json_end_array(json);
    assay_json_key(json, "share");
    assay_json_number(json, figures->share);
    assay_json_end_object(json);
}

static void json_pairs(assay_json *json, const struct report *report)
{
    const struct report_figures *figures = &report->figures;
    const assay_prompts *prompts = report->score.prompts;

    count(json, "duplicates_found", figures->n_pairs_found);
    assay_json_key(json, "duplicates");
    assay_json_begin_array(json);
    for (size_t k = 0; k < figures->n_pairs; k++) {
        const assay_near_pair *pair = &figures->pairs[k];

        assay_json_begin_object(json);
        assay_json_key(json, "a");
        json_report_text(json, report, assay_prompts_id(prompts, pair->a));
        assay_json_key(json, "b");
        json_report_text(json, report, assay_prompts_id(prompts, pair->b));
        assay_json_key(json, "similarity");
        assay_json_number(json, rounded(pair->similarity));
        assay_json_key(json, "text_a");
        json_report_text(json, report, assay_prompts_text(prompts, pair->a));
        assay_json_key(json, "text_b");
        json_report_text(json, report, assay_prompts_text(prompts, pair->b));
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

/* ---- pictures ---- */

typedef const char *(*name_getter)(const struct report *, size_t);

static const char *prompt_name(const struct report *report, size_t k)
{
    return assay_prompts_id(report->score.prompts, k);
}

static const char *model_name(const struct report *report, size_t k)
{
    return assay_matrix_model(report->matrix, k);
}

/* Names along a side, where a row or column is one thing and no block. */
static void json_names(assay_json *json, const struct report *report, const char *key,
                       const size_t *which, size_t n, size_t of, name_getter get)
{
    if (n != of) return;
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    for (size_t k = 0; k < n; k++) json_report_text(json, report, get(report, which[k]));
    assay_json_end_array(json);
}

static void json_cells(assay_json *json, const assay_raster *raster)
{
    char *bytes = assay_raster_base64(raster);

    count(json, "rows", raster->rows);
    count(json, "columns", raster->columns);
    assay_json_key(json, "none");
    assay_json_bool(json, raster->none);
    assay_json_key(json, "low");
    assay_json_number(json, raster->low);
    assay_json_key(json, "high");
    assay_json_number(json, raster->high);
    assay_json_key(json, "bytes");
    assay_json_text(json, bytes ? bytes : "");
    free(bytes);
}

static void json_rasters(assay_json *json, const struct report *report)
{
    const assay_raster *similarity = &report->figures.similarity;
    const assay_raster *correlations = &report->figures.correlations;
    const assay_raster *outcomes = &report->figures.outcomes;

    if (similarity->rows) {
        assay_json_key(json, "similarity");
        assay_json_begin_object(json);
        count(json, "of", similarity->of_rows);
        json_cells(json, similarity);
        json_names(json, report, "labels", similarity->row, similarity->rows, similarity->of_rows,
                   prompt_name);
        assay_json_end_object(json);
    }
    if (correlations->rows) {
        assay_json_key(json, "correlations");
        assay_json_begin_object(json);
        count(json, "of", correlations->of_rows);
        assay_json_key(json, "what");
        assay_json_text(json, signals_is_suite(report->matrix) ? "columns" : "items");
        json_cells(json, correlations);
        json_names(json, report, "labels", correlations->row, correlations->rows,
                   correlations->of_rows, name_of);
        assay_json_end_object(json);
    }
    assay_json_key(json, "outcomes");
    assay_json_begin_object(json);
    count(json, "of_rows", outcomes->of_rows);
    count(json, "of_columns", outcomes->of_columns);
    json_cells(json, outcomes);
    json_names(json, report, "models", outcomes->row, outcomes->rows, outcomes->of_rows,
               model_name);
    json_names(json, report, "items", outcomes->column, outcomes->columns, outcomes->of_columns,
               name_of);
    assay_json_end_object(json);
}
