/* SPDX-License-Identifier: Apache-2.0 */
/* The reading side of the results table: getters only. */
#include "data/results_table.h"

size_t assay_results_n_models(const assay_results *results)
{
    return results->models.count;
}

size_t assay_results_n_items(const assay_results *results)
{
    return results->items.count;
}

size_t assay_results_n_templates(const assay_results *results)
{
    return results->templates.count;
}

size_t assay_results_n_runs(const assay_results *results)
{
    return results->runs.count;
}

size_t assay_results_n_records(const assay_results *results)
{
    return results->n_records;
}

const char *assay_results_model(const assay_results *results, size_t model)
{
    return results->models.text[model];
}

const char *assay_results_item(const assay_results *results, size_t item)
{
    return results->items.text[item];
}

const char *assay_results_template(const assay_results *results, size_t template_index)
{
    return results->templates.text[template_index];
}

const char *assay_results_run(const assay_results *results, size_t run)
{
    return results->runs.text[run];
}

const char *assay_results_item_text(const assay_results *results, size_t item)
{
    return assay_attribute_get(&results->item_text, item);
}

const char *assay_results_item_cluster(const assay_results *results, size_t item)
{
    return assay_attribute_get(&results->item_cluster, item);
}

size_t assay_results_n_covariates(const assay_results *results)
{
    return results->covariates.count;
}

const char *assay_results_covariate(const assay_results *results, size_t covariate)
{
    return results->covariates.text[covariate];
}

const char *assay_results_covariate_value(const assay_results *results, size_t covariate,
                                          size_t model)
{
    return assay_attribute_get(&results->covariate_values[covariate], model);
}

assay_record assay_results_record(const assay_results *results, size_t record)
{
    return results->records[record];
}

assay_score_state assay_results_cell(const assay_results *results, size_t record, size_t item,
                                     double *score)
{
    return assay_cells_get(&results->cells[record], item, score);
}

assay_coverage assay_results_coverage(const assay_results *results)
{
    return results->coverage;
}

size_t assay_results_n_inputs(const assay_results *results)
{
    return results->n_inputs;
}

assay_input assay_results_input(const assay_results *results, size_t input)
{
    return results->inputs[input];
}

size_t assay_results_n_notes(const assay_results *results)
{
    return results->n_notes;
}

const char *assay_results_note(const assay_results *results, size_t note)
{
    return results->notes[note];
}

int assay_results_damaged(const assay_results *results)
{
    return results->damaged;
}

int assay_results_is_wide(const assay_results *results)
{
    return !results->has_rows;
}

size_t assay_results_n_tasks(const assay_results *results)
{
    return results->tasks.count;
}

const char *assay_results_task(const assay_results *results, size_t task)
{
    return results->tasks.text[task];
}
