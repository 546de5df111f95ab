/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/helm_rows.h"

#include "core/error.h"
#include "data/results.h"
#include "logs/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static assay_status choose_metric(const assay_helm_rows *h, size_t *metric);
static assay_status choose_split(const assay_helm_rows *h, size_t *split);
static assay_status put_scores(assay_helm_rows *h, size_t metric, size_t split);
static assay_status put_unscored(assay_helm_rows *h, size_t split, size_t *n_others);
static assay_status put(assay_helm_rows *h, const assay_helm_row *of, double value,
                        assay_score_state state);
static assay_status name_template(assay_helm_rows *h, const assay_helm_row *of);
static assay_status add_notes(assay_helm_rows *h, size_t metric, size_t split, size_t n_others);

assay_status assay_helm_rows_put(assay_helm_rows *h)
{
    size_t metric, split, n_others = 0;
    assay_status status = choose_metric(h, &metric);

    if (status == ASSAY_OK) status = choose_split(h, &split);
    if (status == ASSAY_OK) status = put_scores(h, metric, split);
    if (status == ASSAY_OK) status = put_unscored(h, split, &n_others);
    return status == ASSAY_OK ? add_notes(h, metric, split, n_others) : status;
}

static void list_metrics(const assay_helm_rows *h, size_t but, char list[ASSAY_HEADER_LIST_SIZE])
{
    list[0] = '\0';
    for (size_t k = 0; k < h->metrics.count; k++)
        if (k != but && !assay_helm_is_metadata(h->metrics.text[k]))
            assay_header_list_add(list, h->metrics.text[k], strlen(h->metrics.text[k]));
}

static assay_status choose_metric(const assay_helm_rows *h, size_t *metric)
{
    const char *wanted = h->table->options->metric;
    char list[ASSAY_HEADER_LIST_SIZE];
    ptrdiff_t found = wanted ? assay_names_find(&h->metrics, wanted, strlen(wanted)) : -1;

    *metric = found >= 0 ? (size_t)found : assay_helm_main_metric(&h->run, &h->metrics);
    if (wanted ? found >= 0 : *metric != SIZE_MAX) return ASSAY_OK;
    list_metrics(h, SIZE_MAX, list);
    return wanted ? assay_fail_at(ASSAY_E_VALUE, h->table->path, 0,
                                  "no statistic \"%.60s\" (--metric); there are: %s", wanted, list)
                  : assay_fail_at(ASSAY_E_FORMAT, h->table->path, 0,
                                  "statistics of a HELM run, of which none is a score; --metric "
                                  "names one");
}

/* SIZE_MAX where no split is told at all. */
static assay_status choose_split(const assay_helm_rows *h, size_t *split)
{
    static const char *const usual[] = { "test", "valid" };
    const char *wanted = h->table->options->filter;
    char list[ASSAY_HEADER_LIST_SIZE] = "";
    ptrdiff_t found = wanted ? assay_names_find(&h->splits, wanted, strlen(wanted)) : -1;

    for (size_t k = 0; !wanted && found < 0 && k < 2; k++)
        found = assay_names_find(&h->splits, usual[k], strlen(usual[k]));
    *split = found >= 0 ? (size_t)found : h->splits.count > 0 ? 0 : SIZE_MAX;
    if (!wanted || found >= 0) return ASSAY_OK;
    for (size_t k = 0; k < h->splits.count; k++)
        assay_header_list_add(list, h->splits.text[k], strlen(h->splits.text[k]));
    return assay_fail_at(ASSAY_E_VALUE, h->table->path, 0,
                         "no split \"%.60s\" (--filter); there are: %s", wanted, list);
}

static assay_status put_scores(assay_helm_rows *h, size_t metric, size_t split)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < h->n; k++) {
        const assay_helm_statistic *s = &h->statistics[k];

        if (s->metric != metric || s->split != split) continue;
        h->rows[s->row].is_scored = 1;
        status = put(h, &h->rows[s->row], s->value, isnan(s->value) ? ASSAY_MISSING : ASSAY_SCORED);
    }
    return status;
}

static assay_status put_unscored(assay_helm_rows *h, size_t split, size_t *n_others)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && k < h->keys.count; k++) {
        if (h->rows[k].split != split && !h->rows[k].is_scored)
            ++*n_others;
        else if (!h->rows[k].is_scored)
            status = put(h, &h->rows[k], NAN, ASSAY_UNSCORED);
    }
    return status;
}

static assay_status put(assay_helm_rows *h, const assay_helm_row *of, double value,
                        assay_score_state state)
{
    const char *id = h->instances.text[of->instance], *trial = h->trials.text[of->trial];
    const assay_helm_instance *known = assay_helm_run_instance(&h->run, id);
    assay_log_cell cell = { .score = value, .state = state, .line = of->line };
    assay_status status = name_template(h, of);

    if (status != ASSAY_OK) return status;
    if (h->run.model.length > 0)
        cell.model = (assay_name){ h->run.model.text, h->run.model.length };
    else if (h->run.name.length > 0)
        cell.model = (assay_name){ h->run.name.text, h->run.name.length };
    cell.task = (assay_name){ h->run.task.text, h->run.task.length };
    cell.item = (assay_name){ id, strlen(id) };
    cell.template_id = (assay_name){ h->scratch.text, h->scratch.length };
    cell.run = (assay_name){ trial, strlen(trial) };
    if (of->sub_split != SIZE_MAX)
        cell.cluster = (assay_name){ h->sub_splits.text[of->sub_split],
                                     strlen(h->sub_splits.text[of->sub_split]) };
    if (known && known->text) cell.text = (assay_name){ known->text, strlen(known->text) };
    if (known && known->content[0])
        cell.content = (assay_name){ known->content, strlen(known->content) };
    return assay_log_put(h->table, &cell);
}

static assay_status name_template(assay_helm_rows *h, const assay_helm_row *of)
{
    const char *perturbation = h->perturbations.text[of->perturbation];
    const assay_log_text *variant = &h->run.variant, *augmentation = &h->run.augmentation;
    assay_status status;

    h->scratch.length = 0;
    status = assay_log_text_add(&h->scratch, variant->text ? variant->text : "", variant->length);
    if (status != ASSAY_OK || !perturbation[0]) return status;
    if (variant->length > 0) status = assay_log_text_add(&h->scratch, ",", 1);
    if (status == ASSAY_OK && augmentation->length > 0 &&
        strcmp(augmentation->text, "canonical") != 0) {
        status = assay_log_text_add(&h->scratch, augmentation->text, augmentation->length);
        if (status == ASSAY_OK) status = assay_log_text_add(&h->scratch, ":", 1);
    }
    if (status != ASSAY_OK) return status;
    return assay_log_text_add(&h->scratch, perturbation, strlen(perturbation));
}

static assay_status add_notes(assay_helm_rows *h, size_t metric, size_t split, size_t n_others)
{
    assay_results *results = h->table->results;
    const char *path = h->table->path;
    char mapping[ASSAY_TABLE_NOTE_SIZE], list[ASSAY_HEADER_LIST_SIZE];
    assay_status status;

    snprintf(mapping, sizeof mapping,
             "HELM run; model = adapter_spec.model, item = task and instance_id, template = "
             "adapter and perturbation, run = train_trial_index, score = %.60s, split = %.60s",
             h->metrics.text[metric], split != SIZE_MAX ? h->splits.text[split] : "none told");
    status = assay_table_note_mapping(h->table, mapping);
    list_metrics(h, metric, list);
    if (status == ASSAY_OK && !h->table->options->metric && list[0])
        status =
            assay_results_add_note(results, "%s: --metric chooses another score: %s", path, list);
    list[0] = '\0';
    for (size_t k = 0; k < h->splits.count; k++)
        if (k != split) assay_header_list_add(list, h->splits.text[k], strlen(h->splits.text[k]));
    if (status == ASSAY_OK && n_others > 0)
        status = assay_results_add_note(results,
                                        "%s: instances of other splits, which --filter chooses, "
                                        "left out: %zu (%s)",
                                        path, n_others, list);
    return status;
}
