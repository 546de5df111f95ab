/* SPDX-License-Identifier: Apache-2.0 */
/* The three commands within `assay audit`, each as far as the data allow. */
#include "audit_report.h"

#include <stdlib.h>
#include <string.h>

/* Above these sizes what is slow is left out, unless it is asked for by its own command; docs/audit.md. */
enum { MOST_EMBEDDED = 5000, MOST_TIED = 2000 };
static const double most_learnt = 2e5, most_resampled = 4e5, most_drawn = 5e4;
enum { FEW_PERMUTATIONS = 100 };

static assay_status find_score(struct report *report);
static assay_status find_templates(struct report *report);
static assay_status find_signals(struct report *report);

assay_status report_find_parts(struct report *report)
{
    assay_status status = assay_matrix_from_results(report->results, &report->matrix);

    if (status != ASSAY_OK) return status;
    status = assay_trials_count(report->results, NULL, &report->trials);
    if (status == ASSAY_E_VALUE) status = ASSAY_OK; /* scores that are no shares */
    if (status == ASSAY_OK) status = find_score(report);
    if (status == ASSAY_OK) status = find_templates(report);
    if (status == ASSAY_OK) status = find_signals(report);
    return status;
}

/* The data do not allow it, which is an answer too; what else fails ends the audit. */
static int is_refusal(assay_status status)
{
    return status == ASSAY_E_SHAPE || status == ASSAY_E_VALUE || status == ASSAY_E_DEGENERATE;
}

static void keep_reason(char reason[REPORT_TEXT])
{
    snprintf(reason, REPORT_TEXT, "%s", cli_reason());
}

static double n_cells(const struct report *report)
{
    return (double)assay_matrix_n_models(report->matrix) *
           (double)assay_matrix_n_items(report->matrix);
}

static int threads_of(const struct report *report)
{
    return (int)report->request->analysis.threads;
}

static void note(struct report *report, const char *what)
{
    snprintf(report->notes[report->n_notes++], REPORT_TEXT, "%s", what);
    if (!report->request->common.quiet) fprintf(stderr, "assay: %s\n", what);
}

/* ---- score ---- */

static int has_texts(const struct report *report)
{
    if (report->request->prompts) return 1;
    for (size_t i = 0; i < assay_results_n_items(report->results); i++)
        if (assay_results_item_text(report->results, i)) return 1;
    return 0;
}

static void ask_for_score(struct report *report)
{
    const struct report_request *of = report->request;
    struct score_request *request = &report->score_request;
    size_t n_items = assay_results_n_items(report->results);

    score_request_init(request);
    request->common = of->common;
    request->analysis = of->analysis;
    request->reading = of->reading;
    request->prompts = of->prompts;
    request->threads = threads_of(report);
    request->embed = of->embed;
    request->embed_by_default = !of->embed;
    if (!of->embed) request->embed = n_items > MOST_EMBEDDED ? "tfidf" : score_embed_default();
    if (n_items > MOST_TIED) request->tie_orders = 0;
    if (n_cells(report) > most_learnt) request->hyper = SCORE_HYPER_OFF;
}

static assay_status find_score(struct report *report)
{
    struct score_request *request = &report->score_request;
    size_t n_items = assay_results_n_items(report->results);
    assay_status status;

    if (!has_texts(report)) {
        report->no_texts = 1;
        snprintf(report->no_score, REPORT_TEXT,
                 "without the texts of the prompts no score counts a topic once");
        return ASSAY_OK;
    }
    ask_for_score(report);
    report->score = (struct score_answer){ .request = request, .results = report->results };
    status = assay_prior_parse(request->prior, &request->parsed_prior);
    if (status == ASSAY_OK) status = score_find(&report->score);
    if (is_refusal(status)) {
        keep_reason(report->no_score);
        score_free(&report->score);
        report->score = (struct score_answer){ 0 };
        return ASSAY_OK;
    }
    report->has_score = status == ASSAY_OK;
    if (report->has_score && (n_items > MOST_TIED || request->hyper == SCORE_HYPER_OFF))
        note(
            report,
            n_items > MOST_EMBEDDED && !report->request->embed
                ? "many prompts: they are compared by TF-IDF (--embed minilm takes longer), in one "
                  "order of ties, and without a distribution of topics that is learnt"
                : "many prompts: one order of ties, or no distribution of topics that is learnt; "
                  "assay score has both");
    return status;
}

/* ---- templates ---- */

static assay_status find_templates(struct report *report)
{
    const struct report_request *of = report->request;
    struct templates_request *request = &report->templates_request;
    assay_status status;

    if (assay_results_n_templates(report->results) < 2) {
        snprintf(report->no_templates, REPORT_TEXT, "every prompt was asked in one wording");
        return ASSAY_OK;
    }
    templates_request_init(request);
    request->common = of->common;
    request->analysis = of->analysis;
    request->reading = of->reading;
    if (10.0 / (1.0 - of->analysis.level) > (double)request->draws ||
        (double)assay_matrix_n_observed(report->matrix) *
                (double)assay_results_n_templates(report->results) >
            most_drawn)
        request->draws = 0;
    report->templates = (struct templates_answer){ .request = request, .results = report->results };
    status = templates_parse_lists(&report->templates);
    if (status == ASSAY_OK) status = templates_prepare(&report->templates);
    report->has_templates = status == ASSAY_OK;
    if (status != ASSAY_E_FORMAT && !is_refusal(status)) return status;
    keep_reason(report->no_templates); /* E_FORMAT: scores that are no shares */
    templates_free(&report->templates);
    report->templates = (struct templates_answer){ 0 };
    return ASSAY_OK;
}

/* ---- signals ---- */

/* What its options would set before any is given. */
static void init_signals(struct signals_request *request)
{
    struct cli_option none[CLI_N_READING + SIGNALS_N_SUITE];
    assay_signals_options defaults;

    *request = (struct signals_request){ 0 };
    assay_signals_options_init(&defaults, sizeof defaults);
    signals_replicate_options(&request->replicate, none);
    signals_subsets_options(&request->subsets, none);
    signals_models_options(&request->models, none);
    signals_suite_options(&request->suite, none);
    signals_short_form_options(&request->short_form, none);
    signals_atlas_options(&request->atlas, none);
    signals_audit_options(&request->audit, none);
    request->permutations = defaults.permutations;
}

static void ask_for_signals(struct report *report)
{
    const struct report_request *of = report->request;
    struct signals_request *request = &report->signals_request;
    int is_large = n_cells(report) > most_resampled;

    init_signals(request);
    request->common = of->common;
    request->analysis = of->analysis;
    request->reading = of->reading;
    request->subsets.saturation = !is_large;
    request->models.halves = !is_large;
    request->suite.groups = signals_is_suite(report->matrix);
    request->audit.asked = 1;
    request->audit.no_short_form = is_large;
    request->audit.paths = of->paths;
    request->audit.n_paths = of->n_paths;
    if (is_large) request->permutations = FEW_PERMUTATIONS;
}

static assay_status find_signals(struct report *report)
{
    assay_signals_options options;
    assay_status status;

    if (assay_matrix_n_models(report->matrix) < 2) {
        snprintf(report->no_signals, REPORT_TEXT, "there is one model");
        return ASSAY_OK;
    }
    ask_for_signals(report);
    report->tried_signals = 1;
    options = signals_options(&report->signals_request);
    status = signals_suite_check(&report->signals_request.suite, &report->signals_request.reading);
    if (status == ASSAY_OK)
        status =
            signals_find(&report->signals_request, &options, report->results, &report->signals);
    if (is_refusal(status)) {
        keep_reason(report->no_signals);
        return ASSAY_OK;
    }
    report->has_signals = status == ASSAY_OK;
    if (report->has_signals && report->signals_request.audit.no_short_form)
        note(report, "many cells: 100 shuffles, and nothing over subsets of items or models; assay "
                     "signals has more");
    return status;
}
