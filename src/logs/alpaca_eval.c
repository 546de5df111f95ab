/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/alpaca_eval.h"

#include "core/error.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/rows.h"
#include "logs/text.h"

#include <math.h>
#include <string.h>

enum { INSTRUCTION, REFERENCE, MODEL, DATASET, ANNOTATOR, PREFERENCE, N_PICKS };

typedef struct annotations {
    assay_table *table;
    assay_picker picker;
    assay_names annotators, references;
    size_t taken, ties_by_0, odd;
} annotations;

static assay_status put_row(void *user);
static int learn_names(annotations *a, assay_name annotator, size_t *index);
static assay_score_state score_of(annotations *a, const assay_value *preference, double *score);
static assay_status finish(annotations *a);

int assay_alpaca_eval_is_one(const assay_log_head *head)
{
    static const char *const keys[] = { "instruction", "generator_1", "generator_2", "preference" };

    return assay_log_head_has(head, keys, 4);
}

assay_status assay_alpaca_eval_read(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[N_PICKS] = { { "instruction", NULL }, { "generator_1", NULL },
                                               { "generator_2", NULL }, { "dataset", NULL },
                                               { "annotator", NULL },   { "preference", NULL } };
    annotations a = { .table = table };
    assay_status status = assay_picker_open(&a.picker, table->path, picks, N_PICKS, &a);

    (void)head;
    if (status == ASSAY_OK) status = assay_log_rows(table, &a.picker, put_row);
    if (status == ASSAY_OK) status = finish(&a);
    assay_picker_close(&a.picker);
    assay_names_free(&a.annotators);
    assay_names_free(&a.references);
    return status;
}

static assay_status put_row(void *user)
{
    annotations *a = user;
    const assay_value *v = a->picker.values;
    assay_name annotator = assay_value_name(&v[ANNOTATOR]);
    char id[ASSAY_LOG_HASH_SIZE];
    assay_log_cell cell = { .line = a->picker.line };
    size_t index;

    if (v[INSTRUCTION].kind != ASSAY_JSON_STRING)
        return assay_fail_at(ASSAY_E_FORMAT, a->table->path, a->picker.line,
                             "an annotation without an \"instruction\"");
    if (learn_names(a, annotator, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its annotators", a->table->path);
    if (a->table->options->metric
            ? strcmp(a->annotators.text[index], a->table->options->metric) != 0
            : index > 0)
        return ASSAY_OK;
    a->taken++;
    assay_log_hash(v[INSTRUCTION].text, v[INSTRUCTION].length, id);
    cell.model = assay_value_name(&v[MODEL]);
    cell.task = assay_value_name(&v[DATASET]);
    cell.item = (assay_name){ id, ASSAY_LOG_HASH_SHORT };
    cell.text = assay_value_name(&v[INSTRUCTION]);
    cell.state = score_of(a, &v[PREFERENCE], &cell.score);
    return assay_log_put(a->table, &cell);
}

static int learn_names(annotations *a, assay_name annotator, size_t *index)
{
    assay_name reference = assay_value_name(&a->picker.values[REFERENCE]);
    size_t ignored;

    if (!annotator.text) annotator = (assay_name){ "unnamed", 7 };
    if (assay_names_add(&a->annotators, annotator.text, annotator.length, index) != 0) return -1;
    return reference.text
               ? assay_names_add(&a->references, reference.text, reference.length, &ignored)
               : 0;
}

static assay_score_state score_of(annotations *a, const assay_value *preference, double *score)
{
    double p = preference->kind == ASSAY_JSON_NUMBER ? preference->number : NAN;

    a->ties_by_0 += p == 0.0;
    *score = p == 0.0 ? 0.5 : p >= 1.0 && p <= 2.0 ? p - 1.0 : NAN;
    if (!isnan(*score)) return ASSAY_SCORED;
    a->odd += preference->kind != ASSAY_JSON_NULL && preference->kind != ASSAY_JSON_END;
    return ASSAY_UNSCORED;
}

static assay_status finish(annotations *a)
{
    assay_table *table = a->table;
    assay_status status;

    if (a->taken == 0) return assay_log_fail_metric(table, &a->annotators);
    status = assay_table_note_mapping(
        table,
        "AlpacaEval annotations; model = generator_2, item = instruction, cluster = dataset, "
        "score = preference - 1 (a tie, 0 or 1.5, is 0.5)");
    if (status == ASSAY_OK)
        status = assay_log_note_metrics(table, &a->annotators, a->annotators.text[0]);
    if (status == ASSAY_OK && a->references.count > 1)
        status = assay_results_add_note(
            table->results, "%s: compared with %zu references (generator_1), \"%.60s\" the first",
            table->path, a->references.count, a->references.text[0]);
    if (status == ASSAY_OK && a->ties_by_0 > 0)
        status = assay_results_add_note(table->results, "%s: preferences of 0, which are ties: %zu",
                                        table->path, a->ties_by_0);
    if (status == ASSAY_OK && a->odd > 0)
        status = assay_results_add_note(table->results,
                                        "%s: preferences beyond 1 to 2, left unscored: %zu",
                                        table->path, a->odd);
    return status;
}
