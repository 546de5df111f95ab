/* SPDX-License-Identifier: Apache-2.0 */
#include "read/row.h"

#include "core/error.h"
#include "core/number.h"
#include "data/results.h"
#include "read/score_text.h"

#include <math.h>
#include <string.h>

/* What a row's names are in the table. */
typedef struct place {
    size_t model, item, template_index, run;
} place;

enum { MOST_TRIALS = 100000, SHOWN_MAX = 60 };

static int counts_runs(const assay_row *row);
static assay_status put_counts(assay_table *table, const assay_row *row);
static int is_missing(assay_name text);
static double whole_number(assay_name text, double most);
static assay_status fail_counts(const assay_table *table, const assay_row *row);
static assay_status check_row(const assay_table *table, const assay_row *row, double *score,
                              int *state);
static assay_status check_names(const assay_table *table, const assay_row *row);
static assay_status find_place(assay_table *table, const assay_row *row, place *at);
static assay_status find_item(assay_table *table, const assay_row *row, place *at);
static int is_one_cell(const assay_table *table, const assay_row *row);
static assay_status put_score(assay_table *table, const assay_row *row, place at, double score,
                              int state);
static assay_status describe_item(assay_results *results, const assay_row *row, size_t item);

assay_status assay_row_put(assay_table *table, const assay_row *row)
{
    assay_status status;
    double score;
    int state;
    place at;

    if (counts_runs(row)) return put_counts(table, row);
    if ((status = check_row(table, row, &score, &state)) != ASSAY_OK) return status;
    status = find_place(table, row, &at);
    if (status == ASSAY_OK) status = describe_item(table->results, row, at.item);
    if (status != ASSAY_OK) return assay_table_fail(table, row->line, status, "");
    return put_score(table, row, at, score, state);
}

static int counts_runs(const assay_row *row)
{
    return !row->field[ASSAY_ROLE_SCORE].text && row->field[ASSAY_ROLE_TRIALS].text &&
           row->field[ASSAY_ROLE_SUCCESSES].text;
}

/* So many successes of so many trials; where both are blank the cell has no score. */
static assay_status put_counts(assay_table *table, const assay_row *row)
{
    const assay_name *successes = &row->field[ASSAY_ROLE_SUCCESSES],
                     *trials = &row->field[ASSAY_ROLE_TRIALS];
    assay_status status = check_names(table, row);
    double x = 0.0, n = 0.0;
    place at;

    if (status != ASSAY_OK) return status;
    if (row->field[ASSAY_ROLE_RUN].length > 0 && !table->options->repeats)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, row->line,
                             "a run beside successes and trials: with --repeats the rows of a cell "
                             "count as further runs, without a run column a cell has one row");
    if (!is_missing(*successes) || !is_missing(*trials)) {
        n = whole_number(*trials, MOST_TRIALS);
        x = whole_number(*successes, n);
    }
    if (x < 0.0) return fail_counts(table, row);
    status = find_place(table, row, &at);
    if (status == ASSAY_OK) status = describe_item(table->results, row, at.item);
    if (status == ASSAY_OK)
        status = assay_results_put_counts(
            table->results, (assay_counted_cell){ at.model, at.template_index, at.item }, (size_t)x,
            (size_t)n, table->options->repeats);
    if (status == ASSAY_E_CONFLICT)
        return assay_table_fail_conflict(table, row->line,
                                         row->field[ASSAY_ROLE_MODEL].text != NULL, 0);
    return status == ASSAY_OK ? ASSAY_OK : assay_table_fail(table, row->line, status, "");
}

static int is_missing(assay_name text)
{
    double score;

    return assay_score_text_parse(text.text, text.length, 0, &score) == ASSAY_MISSING;
}

/* A whole number from 0 to most, or -1. */
static double whole_number(assay_name text, double most)
{
    double value;

    if (assay_number_parse(text.text, text.length, &value) != 0) return -1.0;
    return value >= 0.0 && value <= most && floor(value) == value ? value : -1.0;
}

static assay_status fail_counts(const assay_table *table, const assay_row *row)
{
    const assay_name *x = &row->field[ASSAY_ROLE_SUCCESSES], *n = &row->field[ASSAY_ROLE_TRIALS];

    return assay_fail_at(ASSAY_E_FORMAT, table->path, row->line,
                         "\"%.*s\" successes in \"%.*s\" trials, expected two whole numbers, the "
                         "first no larger than the second, and that at most %d",
                         (int)(x->length < SHOWN_MAX ? x->length : SHOWN_MAX), x->text,
                         (int)(n->length < SHOWN_MAX ? n->length : SHOWN_MAX), n->text,
                         MOST_TRIALS);
}

static assay_status check_row(const assay_table *table, const assay_row *row, double *score,
                              int *state)
{
    const assay_name *text = &row->field[ASSAY_ROLE_SCORE];
    assay_status status = check_names(table, row);

    if (status != ASSAY_OK) return status;
    *state = assay_score_text_parse(text->text, text->length, row->decimal_comma, score);
    if (*state < 0)
        return assay_score_text_fail(table->path, row->line, row->score_column.text,
                                     row->score_column.length, text->text, text->length);
    return ASSAY_OK;
}

static assay_status check_names(const assay_table *table, const assay_row *row)
{
    static const struct {
        assay_role role;
        int may_be_blank; /* the template or run that has no name, an item without a cluster */
    } checked[] = { { ASSAY_ROLE_MODEL, 0 }, { ASSAY_ROLE_ITEM, 0 }, { ASSAY_ROLE_TEMPLATE, 1 },
                    { ASSAY_ROLE_RUN, 1 },   { ASSAY_ROLE_TASK, 1 }, { ASSAY_ROLE_CLUSTER, 1 } };

    for (size_t k = 0; k < sizeof checked / sizeof checked[0]; k++) {
        assay_name name = row->field[checked[k].role];
        const char *what = assay_role_name(checked[k].role);
        assay_status status;

        if (checked[k].role == ASSAY_ROLE_MODEL && !name.text) {
            name = (assay_name){ table->path, strlen(table->path) };
            what = "path, by which the model is called,";
        }
        if (!name.text || (checked[k].may_be_blank && name.length == 0)) continue;
        status = assay_table_check_name(table, row->line, what, name);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static assay_status find_place(assay_table *table, const assay_row *row, place *at)
{
    assay_results *results = table->results;
    const assay_name *template_id = &row->field[ASSAY_ROLE_TEMPLATE],
                     *run = &row->field[ASSAY_ROLE_RUN];
    assay_status status = assay_table_name_model(table, row->line, row->field[ASSAY_ROLE_MODEL],
                                                 row->field[ASSAY_ROLE_TASK], &at->model);

    if (status == ASSAY_OK)
        status = assay_results_name_template(results, template_id->text ? template_id->text : "",
                                             template_id->length, &at->template_index);
    if (status == ASSAY_OK)
        status = assay_results_name_run(results, run->text ? run->text : "", run->length, &at->run);
    return status == ASSAY_OK ? find_item(table, row, at) : status;
}

/* Joined by its text where there is one: a prompt that a template made is another in each. Without any
   the id decides. */
static assay_status find_item(assay_table *table, const assay_row *row, place *at)
{
    const assay_name *item = &row->field[ASSAY_ROLE_ITEM], *text = &row->field[ASSAY_ROLE_TEXT];
    int says_content = text->text && !row->field[ASSAY_ROLE_TEMPLATE].text &&
                       table->options->join == ASSAY_JOIN_CONTENT;
    assay_claim claim = { .id = item->text,
                          .id_length = item->length,
                          .content = says_content ? text->text : NULL,
                          .content_length = text->length,
                          .kind = ASSAY_CONTENT_OF_TEXT,
                          .id_kind = row->id_kind,
                          .record = ASSAY_NO_RECORD };
    assay_status status = ASSAY_OK;

    if (!says_content && row->id_kind == ASSAY_ID_UNKNOWN)
        return assay_results_name_item(table->results, item->text, item->length, &at->item);
    if (says_content && is_one_cell(table, row)) {
        size_t record;

        status = assay_results_find_record(table->results, at->model, at->template_index, at->run,
                                           &record);
        claim.record = (ptrdiff_t)record;
    }
    return status == ASSAY_OK ? assay_identity_find(table->results, &claim, &at->item) : status;
}

/* Whether the row is one run of its cell, whose record is known before. */
static int is_one_cell(const assay_table *table, const assay_row *row)
{
    return !counts_runs(row) &&
           (!table->options->repeats || row->field[ASSAY_ROLE_RUN].text != NULL);
}

static assay_status put_score(assay_table *table, const assay_row *row, place at, double score,
                              int state)
{
    int has_run = row->field[ASSAY_ROLE_RUN].text != NULL;
    int repeats = table->options->repeats && !has_run;
    size_t record;
    assay_status status = repeats ? assay_results_next_run(table->results, at.model,
                                                           at.template_index, at.item, &record)
                                  : assay_results_find_record(table->results, at.model,
                                                              at.template_index, at.run, &record);

    if (status == ASSAY_OK)
        status =
            assay_results_put(table->results, record, at.item, score, (assay_score_state)state);
    if (status == ASSAY_OK) return ASSAY_OK;
    if (status == ASSAY_E_CONFLICT)
        return assay_table_fail_conflict(table, row->line,
                                         row->field[ASSAY_ROLE_MODEL].text != NULL, has_run);
    return assay_table_fail(table, row->line, status, "");
}

/* The first row that says something about an item is believed. */
static assay_status describe_item(assay_results *results, const assay_row *row, size_t item)
{
    const assay_name *cluster = &row->field[ASSAY_ROLE_CLUSTER],
                     *text = &row->field[ASSAY_ROLE_TEXT];
    assay_status status = ASSAY_OK;

    if (cluster->length > 0 && !assay_results_item_cluster(results, item))
        status = assay_results_set_item_cluster(results, item, cluster->text, cluster->length);
    if (status == ASSAY_OK && text->length > 0 && !assay_results_item_text(results, item))
        status = assay_results_set_item_text(results, item, text->text, text->length);
    return status;
}
