/* SPDX-License-Identifier: Apache-2.0 */
/* Wide tables whose rows are models. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/score_text.h"
#include "read/selection.h"
#include "read/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32 }; /* cells that are looked at together */

/* UNNAMED: of those at the end, which hold nothing. */
typedef enum column_kind { KEY, ITEM, COVARIATE, UNNAMED } column_kind;

typedef struct wide {
    assay_table *table;
    const assay_header *header;
    const assay_columns *columns;
    size_t n, n_items, first_item; /* columns; items of the whole results table */
    size_t n_covariates;
    column_kind *kind;    /* by column: what it is, */
    size_t *target;       /*   which item or covariate of the table, */
    size_t *stretch;      /*   how many item columns stand together from here on, */
    unsigned char *cells; /*   the row's code, */
    double *values;       /*   its score where the code does not say it, */
    assay_name *texts;    /*   and its text where it is no item. */
    unsigned char *codes; /* the row's codes and scores again, by item; */
    double *scores;       /*   those of a table whose items are in_order are cells and values, */
    int in_order;         /*   from first_item on */
    int lacks_score_column;
} wide;

static assay_status set_up(wide *w);
static assay_status sort_columns(wide *w);
static assay_status name_column(wide *w, size_t c, int is_item);
static void find_stretches(wide *w);
static assay_status note_columns(const wide *w);
static assay_status take_row(void *state, assay_csv_record *record);
static assay_status take_cells(wide *w, assay_csv_record *record, int *others);
static size_t take_bits(assay_csv_record *record, size_t limit, unsigned char *cells);
static assay_status take_cell(wide *w, size_t c, const assay_csv_text *field,
                              const assay_csv_record *record, int *others);
static assay_status fail_score(const wide *w, size_t c, const assay_csv_text *field, size_t line);
static assay_status find_record(const wide *w, size_t line, size_t *model, size_t *record);
static void line_up(wide *w, int others);
static assay_status put_row(const wide *w, size_t record, int others);
static assay_status put_covariates(const wide *w, size_t model);

assay_status assay_wide_read_models(assay_table *table, assay_csv *csv, const assay_header *header,
                                    const assay_columns *columns)
{
    wide w = { .table = table, .header = header, .columns = columns, .n = header->n };
    assay_status status = set_up(&w);

    if (status == ASSAY_OK) status = note_columns(&w);
    if (status == ASSAY_OK) status = assay_table_take_records(table, csv, take_row, &w);
    free(w.kind);
    free(w.target);
    free(w.stretch);
    free(w.cells);
    free(w.values);
    free(w.texts);
    free(w.codes);
    free(w.scores);
    return status;
}

static assay_status set_up(wide *w)
{
    assay_status status;

    w->kind = assay_alloc_zero(w->n, sizeof *w->kind);
    w->target = assay_alloc_zero(w->n, sizeof *w->target);
    w->stretch = assay_alloc_zero(w->n, sizeof *w->stretch);
    w->cells = assay_alloc_zero(w->n, 1);
    w->values = assay_alloc_zero(w->n, sizeof *w->values);
    w->texts = assay_alloc_zero(w->n, sizeof *w->texts);
    if (!w->kind || !w->target || !w->stretch || !w->cells || !w->values || !w->texts)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu columns", w->table->path, w->n);
    if ((status = sort_columns(w)) != ASSAY_OK) return status;
    find_stretches(w);
    w->n_items = assay_results_n_items(w->table->results);
    w->in_order = w->n_items > 0 && w->stretch[w->first_item] == w->n_items;
    for (size_t k = 0; w->in_order && k < w->n_items; k++)
        w->in_order = w->target[w->first_item + k] == k;
    w->codes = assay_alloc(w->n_items, 1);
    w->scores = assay_alloc_zero(w->n_items, sizeof *w->scores);
    if (!w->codes || !w->scores)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for %zu items", w->table->path, w->n_items);
    memset(w->codes, ASSAY_CODE_ABSENT, w->n_items);
    return ASSAY_OK;
}

/* Which columns are items, and which of the table's. */
static assay_status sort_columns(wide *w)
{
    const ptrdiff_t *of = w->columns->of;
    size_t n_items = 0, n_named = assay_header_n_named(w->header);
    unsigned char *is_item = w->cells; /* which hold no row yet */
    assay_status status;

    for (size_t c = 0; c < w->n; c++) {
        int is_key = (ptrdiff_t)c == of[ASSAY_ROLE_MODEL] ||
                     (ptrdiff_t)c == of[ASSAY_ROLE_TEMPLATE] ||
                     (ptrdiff_t)c == of[ASSAY_ROLE_RUN] || (ptrdiff_t)c == of[ASSAY_ROLE_TASK];

        w->kind[c] = is_key ? KEY : c < n_named ? COVARIATE : UNNAMED;
        is_item[c] = w->kind[c] == COVARIATE;
        if (is_item[c] && assay_role_rank(ASSAY_ROLE_ITEM, w->header->names[c]) >= 0)
            w->lacks_score_column = 1;
    }
    status = assay_selection_of_columns(w->table->options, w->table->path, w->header, is_item);
    for (size_t c = 0; status == ASSAY_OK && c < w->n; c++) {
        if (w->kind[c] != COVARIATE) continue;
        if (is_item[c] && n_items++ == 0) w->first_item = c;
        status = name_column(w, c, is_item[c]);
    }
    if (status == ASSAY_OK && n_items == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, w->table->path, 1,
                               "no column is an item; expected the model, then a column an item");
    return status;
}

static assay_status name_column(wide *w, size_t c, int is_item)
{
    assay_results *results = w->table->results;
    assay_name name = w->header->names[c];
    assay_status status;

    if (name.length == 0)
        return assay_fail_at(ASSAY_E_FORMAT, w->table->path, 1,
                             "column %zu has no name, expected an item's", c + 1);
    status = assay_table_check_name(w->table, 1, "name of a column", name);
    if (status != ASSAY_OK) return status;
    w->kind[c] = is_item ? ITEM : COVARIATE;
    w->n_covariates += !is_item;
    return is_item ? assay_results_name_item(results, name.text, name.length, &w->target[c])
                   : assay_results_name_covariate(results, name.text, name.length, &w->target[c]);
}

static void find_stretches(wide *w)
{
    size_t length = 0;
    for (size_t c = w->n; c-- > 0;) {
        length = w->kind[c] == ITEM ? length + 1 : 0;
        w->stretch[c] = length;
    }
}

static assay_status note_columns(const wide *w)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE], covariates[ASSAY_HEADER_LIST_SIZE] = "";
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };
    char kind[128];
    size_t n_items = 0, used;

    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (w->columns->of[r] >= 0) of[r] = w->header->names[w->columns->of[r]];
    for (size_t c = 0; c < w->n; c++) {
        n_items += w->kind[c] == ITEM;
        if (w->kind[c] == COVARIATE)
            assay_header_list_add(covariates, w->header->names[c].text, w->header->names[c].length);
    }
    snprintf(kind, sizeof kind, "wide table, a row a %s, %zu item%s",
             w->columns->of[ASSAY_ROLE_MODEL] >= 0 ? "model" : "template", n_items,
             n_items == 1 ? "" : "s");
    assay_table_describe(mapping, kind, of, "columns", "");
    used = strlen(mapping);
    if (covariates[0])
        snprintf(mapping + used, sizeof mapping - used, "; kept as covariates: %s", covariates);
    return assay_table_note_mapping(w->table, mapping);
}

static assay_status take_row(void *state, assay_csv_record *record)
{
    wide *w = state;
    size_t line = record->line, model, index;
    int others;
    assay_status status;

    if ((status = take_cells(w, record, &others)) != ASSAY_OK) return status;
    line_up(w, others);
    if ((status = find_record(w, line, &model, &index)) != ASSAY_OK) return status;
    status = put_row(w, index, others);
    if (status == ASSAY_E_CONFLICT)
        return assay_table_fail_conflict(w->table, line, w->columns->of[ASSAY_ROLE_MODEL] >= 0,
                                         w->columns->of[ASSAY_ROLE_RUN] >= 0);
    if (status == ASSAY_OK) status = put_covariates(w, model);
    return status == ASSAY_OK ? ASSAY_OK : assay_table_fail(w->table, line, status, "");
}

/* All fields of a row into cells, values and texts; others: some cell has its score in values. */
static assay_status take_cells(wide *w, assay_csv_record *record, int *others)
{
    size_t c = 0, slow = 0; /* cells to take one by one, after a block that was not all bits */
    assay_csv_text field;

    *others = 0;
    while (record->next) {
        if (slow > 0) {
            slow--;
        } else if (c < w->n && w->stretch[c] >= BLOCK) {
            c += take_bits(record, w->stretch[c], w->cells + c);
            slow = BLOCK;
        }
        if (!assay_csv_field(record, &field)) break;
        if (c < w->n) {
            assay_status status = take_cell(w, c, &field, record, others);
            if (status != ASSAY_OK) return status;
        }
        c++;
    }
    return c == w->n ? ASSAY_OK : assay_table_fail_ragged(w->table, record->line, c, w->n);
}

/* The cells "0," and "1," at the front of a record, as many blocks as hold nothing else. The inner
   loop has no branch, so that it runs on vectors. Returns how many cells were taken. */
static size_t take_bits(assay_csv_record *record, size_t limit, unsigned char *cells)
{
    const unsigned char *p = (const unsigned char *)record->next;
    const unsigned char *end = (const unsigned char *)record->end;
    const unsigned char delimiter = (unsigned char)record->delimiter;
    size_t taken = 0;

    while (limit - taken >= BLOCK && end - p >= 2 * BLOCK) {
        unsigned char wrong = 0;

        for (size_t k = 0; k < BLOCK; k++) {
            wrong |= (unsigned char)(((p[2 * k] ^ '0') & 0xfe) | (p[2 * k + 1] ^ delimiter));
            cells[taken + k] = p[2 * k] & 1;
        }
        if (wrong) break;
        taken += BLOCK;
        p += 2 * BLOCK;
    }
    record->next += p - (const unsigned char *)record->next;
    return taken;
}

static assay_status take_cell(wide *w, size_t c, const assay_csv_text *field,
                              const assay_csv_record *record, int *others)
{
    double score;
    int state;

    if (w->kind[c] != ITEM) {
        w->texts[c] = assay_name_of(field);
        return w->kind[c] != UNNAMED || w->texts[c].length == 0
                   ? ASSAY_OK
                   : assay_table_fail_unnamed(w->table, record->line, c);
    }
    if (field->length == 1 && (field->text[0] == '0' || field->text[0] == '1')) {
        w->cells[c] = field->text[0] == '1' ? ASSAY_CODE_ONE : ASSAY_CODE_ZERO;
        return ASSAY_OK;
    }
    state = assay_score_text_parse(field->text, field->length, assay_csv_has_decimal_comma(record),
                                   &score);
    if (state == ASSAY_MISSING) {
        w->cells[c] = ASSAY_CODE_MISSING;
    } else if (state == ASSAY_SCORED) {
        w->cells[c] = score == 0.0   ? ASSAY_CODE_ZERO
                      : score == 1.0 ? ASSAY_CODE_ONE
                                     : ASSAY_CODE_OTHER;
        w->values[c] = score;
        *others |= w->cells[c] == ASSAY_CODE_OTHER;
    } else {
        return fail_score(w, c, field, record->line);
    }
    return ASSAY_OK;
}

/* A column of text is most often no item at all. */
static assay_status fail_score(const wide *w, size_t c, const assay_csv_text *field, size_t line)
{
    assay_name column = w->header->names[c];
    assay_status status = assay_score_text_fail(w->table->path, line, column.text, column.length,
                                                field->text, field->length);
    const char *long_hint = w->lacks_score_column ? "name the score column with --score"
                                                  : "name its columns with --item and --score";

    return assay_fail(status,
                      "%.700s; if the column describes models, --drop it; for a table of one "
                      "observation a row, %s",
                      assay_last_error(), long_hint);
}

/* From the order of columns to that of the table's items. */
static void line_up(wide *w, int others)
{
    for (size_t c = 0; !w->in_order && c < w->n; c++) {
        if (w->kind[c] != ITEM) continue;
        w->codes[w->target[c]] = w->cells[c];
        if (others) w->scores[w->target[c]] = w->values[c];
    }
}

static const unsigned char *codes_of(const wide *w)
{
    return w->in_order ? w->cells + w->first_item : w->codes;
}

static assay_status find_record(const wide *w, size_t line, size_t *model, size_t *record)
{
    const ptrdiff_t *of = w->columns->of;
    const assay_name none = { "", 0 };
    const assay_name no_column = { NULL, 0 };
    const assay_name name = of[ASSAY_ROLE_MODEL] >= 0 ? w->texts[of[ASSAY_ROLE_MODEL]] : no_column;
    const assay_name task = of[ASSAY_ROLE_TASK] >= 0 ? w->texts[of[ASSAY_ROLE_TASK]] : no_column;
    const assay_name template_id =
        of[ASSAY_ROLE_TEMPLATE] >= 0 ? w->texts[of[ASSAY_ROLE_TEMPLATE]] : none;
    const assay_name run = of[ASSAY_ROLE_RUN] >= 0 ? w->texts[of[ASSAY_ROLE_RUN]] : none;
    assay_results *results = w->table->results;
    size_t template_index, run_index;
    assay_status status = ASSAY_OK;

    if (name.text) status = assay_table_check_name(w->table, line, "model", name);
    if (status == ASSAY_OK && task.length > 0)
        status = assay_table_check_name(w->table, line, "task", task);
    if (status == ASSAY_OK) status = assay_table_name_model(w->table, line, name, task, model);
    if (status == ASSAY_OK)
        status = assay_results_name_template(results, template_id.text, template_id.length,
                                             &template_index);
    if (status == ASSAY_OK)
        status = assay_results_name_run(results, run.text, run.length, &run_index);
    if (status != ASSAY_OK) return status;
    if (w->table->options->repeats && of[ASSAY_ROLE_RUN] < 0)
        return assay_results_next_row_run(results, *model, template_index, codes_of(w), w->n_items,
                                          record);
    return assay_results_find_record(results, *model, template_index, run_index, record);
}

static assay_status put_row(const wide *w, size_t record, int others)
{
    const double *scores = w->in_order ? w->values + w->first_item : w->scores;
    size_t item;

    return assay_results_put_row(w->table->results, record, codes_of(w), others ? scores : NULL,
                                 w->n_items, &item);
}

static assay_status put_covariates(const wide *w, size_t model)
{
    for (size_t c = 0; w->n_covariates > 0 && c < w->n; c++) {
        assay_status status;

        if (w->kind[c] != COVARIATE || w->texts[c].length == 0) continue;
        status = assay_results_set_covariate(w->table->results, w->target[c], model,
                                             w->texts[c].text, w->texts[c].length);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}
