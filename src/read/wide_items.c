/* SPDX-License-Identifier: Apache-2.0 */
/* Wide tables whose rows are items. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/score_text.h"
#include "read/selection.h"
#include "read/table.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct transposed {
    assay_table *table;
    const assay_header *header;
    size_t key;               /* the column that names the items */
    size_t n_named;           /* columns before those at the end that have no name */
    size_t template_index;    /* of the template and run that have no name */
    size_t *models, *records; /* by column */
    assay_csv_text *fields;   /* the row's, by column */
    assay_selection selection;
} transposed;

static assay_status set_up(transposed *t);
static assay_status find_models(transposed *t);
static assay_status note_columns(const transposed *t);
static assay_status take_row(void *state, assay_csv_record *record);
static assay_status check_unnamed(const transposed *t, size_t line, size_t c);
static assay_status put_cell(const transposed *t, const assay_csv_record *record, size_t c,
                             size_t item);

assay_status assay_wide_read_items(assay_table *table, assay_csv *csv, const assay_header *header,
                                   const assay_columns *columns)
{
    transposed t = { .table = table,
                     .header = header,
                     .key = (size_t)columns->of[ASSAY_ROLE_ITEM],
                     .n_named = assay_header_n_named(header) };
    assay_status status = set_up(&t);

    if (status == ASSAY_OK) status = note_columns(&t);
    if (status == ASSAY_OK) status = assay_table_take_records(table, csv, take_row, &t);
    if (status == ASSAY_OK) status = assay_selection_check(&t.selection, table->path);
    assay_selection_free(&t.selection);
    free(t.models);
    free(t.records);
    free(t.fields);
    return status;
}

static assay_status set_up(transposed *t)
{
    size_t n = t->header->n;
    assay_status status = assay_selection_open(&t->selection, t->table->options);

    if (status != ASSAY_OK) return status;
    t->models = assay_alloc_zero(n, sizeof *t->models);
    t->records = assay_alloc_zero(n, sizeof *t->records);
    t->fields = assay_alloc_zero(n, sizeof *t->fields);
    if (!t->models || !t->records || !t->fields)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", t->table->path, n);
    if (t->n_named < 2)
        return assay_fail_at(ASSAY_E_FORMAT, t->table->path, 1,
                             "no column is a model; expected the item, then a column a model");
    return find_models(t);
}

static assay_status find_models(transposed *t)
{
    assay_results *results = t->table->results;
    size_t run;
    assay_status status = assay_results_name_template(results, "", 0, &t->template_index);

    if (status == ASSAY_OK) status = assay_results_name_run(results, "", 0, &run);
    for (size_t c = 0; status == ASSAY_OK && c < t->n_named; c++) {
        assay_name name = t->header->names[c];

        if (c == t->key) continue;
        if (name.length == 0)
            return assay_fail_at(ASSAY_E_FORMAT, t->table->path, 1,
                                 "column %zu has no name, expected a model's", c + 1);
        status = assay_table_check_name(t->table, 1, "name of a column", name);
        if (status != ASSAY_OK) return status;
        status = assay_results_name_model(results, name.text, name.length, &t->models[c]);
        if (status == ASSAY_OK && !t->table->options->repeats)
            status = assay_results_find_record(results, t->models[c], t->template_index, run,
                                               &t->records[c]);
    }
    return status;
}

static assay_status note_columns(const transposed *t)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], kind[128];
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };
    size_t n_models = t->n_named - (t->key < t->n_named);

    of[ASSAY_ROLE_ITEM] = t->header->names[t->key];
    snprintf(kind, sizeof kind, "wide table, a row an item, %zu model%s", n_models,
             n_models == 1 ? "" : "s");
    assay_table_describe(mapping, kind, of, "columns", "");
    return assay_table_note_mapping(t->table, mapping);
}

static assay_status take_row(void *state, assay_csv_record *record)
{
    transposed *t = state;
    assay_csv_text field;
    size_t fields = 0, item;
    assay_name name;
    assay_status status;

    for (; assay_csv_field(record, &field); fields++)
        if (fields < t->header->n) t->fields[fields] = field;
    if (fields != t->header->n)
        return assay_table_fail_ragged(t->table, record->line, fields, t->header->n);
    name = assay_name_of(&t->fields[t->key]);
    status = assay_table_check_name(t->table, record->line, "item", name);
    if (status != ASSAY_OK || !assay_selection_takes(&t->selection, name)) return status;
    status = assay_results_name_item(t->table->results, name.text, name.length, &item);
    if (status != ASSAY_OK) return assay_table_fail(t->table, record->line, status, "");
    for (size_t c = 0; c < fields && status == ASSAY_OK; c++)
        if (c != t->key)
            status =
                c < t->n_named ? put_cell(t, record, c, item) : check_unnamed(t, record->line, c);
    return status;
}

static assay_status check_unnamed(const transposed *t, size_t line, size_t c)
{
    if (assay_name_of(&t->fields[c]).length == 0) return ASSAY_OK;
    return assay_table_fail_unnamed(t->table, line, c);
}

static assay_status put_cell(const transposed *t, const assay_csv_record *record, size_t c,
                             size_t item)
{
    const assay_csv_text *field = &t->fields[c];
    assay_name column = t->header->names[c];
    size_t index = t->records[c];
    assay_status status = ASSAY_OK;
    double score;
    int state = assay_score_text_parse(field->text, field->length,
                                       assay_csv_has_decimal_comma(record), &score);

    if (state < 0)
        return assay_score_text_fail(t->table->path, record->line, column.text, column.length,
                                     field->text, field->length);
    if (t->table->options->repeats)
        status = assay_results_next_run(t->table->results, t->models[c], t->template_index, item,
                                        &index);
    if (status == ASSAY_OK)
        status = assay_results_put(t->table->results, index, item, score, (assay_score_state)state);
    if (status == ASSAY_OK) return ASSAY_OK;
    if (status == ASSAY_E_CONFLICT) return assay_table_fail_conflict(t->table, record->line, 1, 0);
    return assay_table_fail(t->table, record->line, status, "");
}
