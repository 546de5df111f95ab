/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of LiveCodeBench's site: {"performances": [{model, sample_id, question_id, "Pass@1",
   ...}], ...}, or the same rows as CSV. */
#include "logs/livecodebench.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "data/results.h"
#include "logs/cell.h"
#include "logs/metrics.h"
#include "logs/rows.h"
#include "read/score_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MODEL, SAMPLE, QUESTION, OTHERS, N_PICKS };

typedef struct site {
    assay_table *table;
    assay_picker picker, row;
    assay_names metrics;
    double score; /* of the row at hand, in percent; NaN: it has none */
    double most;
    size_t taken;
} site;

static assay_status take_rows(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value);
static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static int is_metric(assay_name name);
static assay_status learn_metric(site *s, assay_name name, int *is_taken);
static assay_status put_json_row(void *user);
static assay_status put_row(site *s, assay_name model, assay_name sample, assay_name question,
                            size_t line);
static assay_status read_csv(site *s, assay_csv *csv);
static assay_status take_record(void *user, assay_csv_record *record);
static assay_status finish(site *s);

int assay_livecodebench_is_site(const assay_log_head *head)
{
    static const char *const keys[] = { "performances/model", "performances/question_id" };

    return head->kind == ASSAY_HEAD_OBJECT && assay_log_head_has(head, keys, 2);
}

/* Whether the first line has these columns, unquoted, and one that is_metric() knows. */
int assay_livecodebench_is_csv(const assay_log_head *head)
{
    static const char *const wanted[] = { "model", "sample_id", "question_id" };
    const char *field = head->bytes, *end = head->bytes + head->length;
    unsigned found = 0;

    if (head->kind != ASSAY_HEAD_OTHER) return 0;
    while (field < end) {
        const char *stop = field;
        assay_name name;

        while (stop < end && *stop != ',' && *stop != '\n' && *stop != '\r') stop++;
        name = (assay_name){ field, (size_t)(stop - field) };
        for (unsigned k = 0; k < 3; k++) found |= (unsigned)assay_name_is(name, wanted[k]) << k;
        found |= (unsigned)is_metric(name) << 3;
        if (stop == end || *stop != ',') break;
        field = stop + 1;
    }
    return found == 15;
}

assay_status assay_livecodebench_read_site(assay_table *table, const assay_log_head *head)
{
    static const assay_pick picks[] = { { "performances", take_rows } }, row[N_PICKS] = {
        { "model", NULL }, { "sample_id", NULL }, { "question_id", NULL }, { "*", take_other }
    };
    site s = { .table = table, .score = NAN };
    assay_status status = assay_picker_open(&s.picker, table->path, picks, 1, &s);

    (void)head;
    if (status == ASSAY_OK) status = assay_picker_open(&s.row, table->path, row, N_PICKS, &s);
    if (status == ASSAY_OK) status = assay_log_document(table, &s.picker);
    if (status == ASSAY_OK) status = finish(&s);
    assay_picker_close(&s.picker);
    assay_picker_close(&s.row);
    assay_names_free(&s.metrics);
    return status;
}

static assay_status take_rows(void *user, assay_json_reader *reader, const char *key,
                              const assay_value *value)
{
    site *s = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    return value->kind == ASSAY_JSON_ARRAY ? assay_picker_array(&s->row, reader, put_json_row)
                                           : ASSAY_OK;
}

static assay_status take_other(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    site *s = user;
    assay_name name = { key, strlen(key) };
    int is_taken = 0;
    assay_status status;

    if (assay_json_is_container(value->kind)) return assay_json_leave(reader);
    if (!is_metric(name)) return ASSAY_OK;
    status = learn_metric(s, name, &is_taken);
    if (is_taken) s->score = value->kind == ASSAY_JSON_NUMBER ? value->number : NAN;
    return status;
}

/* Pass@1, Pass@1-COT, pass@1, pass1_cot. */
static int is_metric(assay_name name)
{
    return name.length >= 5 && strncasecmp(name.text, "pass", 4) == 0 &&
           (name.text[4] == '@' || (name.text[4] >= '0' && name.text[4] <= '9'));
}

static assay_status learn_metric(site *s, assay_name name, int *is_taken)
{
    const char *wanted = s->table->options->metric;
    size_t index;

    if (assay_names_add(&s->metrics, name.text, name.length, &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its metrics", s->table->path);
    *is_taken = wanted ? strcmp(s->metrics.text[index], wanted) == 0 : index == 0;
    s->taken += (size_t)*is_taken;
    return ASSAY_OK;
}

static assay_status put_json_row(void *user)
{
    site *s = user;
    const assay_value *v = s->row.values;
    assay_status status = put_row(s, assay_value_name(&v[MODEL]), assay_value_name(&v[SAMPLE]),
                                  assay_value_name(&v[QUESTION]), s->row.line);

    return status == ASSAY_OK ? assay_table_step(s->table) : status;
}

static assay_status put_row(site *s, assay_name model, assay_name sample, assay_name question,
                            size_t line)
{
    assay_log_cell cell = { .model = model, .line = line };
    double score = s->score;

    s->score = NAN;
    cell.item = sample.length > 0 ? sample : question;
    if (sample.length > 0) cell.cluster = question;
    cell.state = isnan(score) ? ASSAY_MISSING : ASSAY_SCORED;
    cell.score = score / 100.0;
    if (score > s->most) s->most = score;
    return assay_log_put(s->table, &cell);
}

/* ---- CSV ---- */

typedef struct csv_rows {
    site *s;
    ptrdiff_t of[3]; /* the columns of model, sample_id and question_id */
    ptrdiff_t score;
    size_t n;
} csv_rows;

assay_status assay_livecodebench_read_csv(assay_table *table, const assay_log_head *head)
{
    site s = { .table = table, .score = NAN };
    assay_csv *csv = NULL;
    assay_status status = assay_csv_open(table->path, ",", assay_input_read, table->input, &csv);

    (void)head;
    if (status == ASSAY_OK) status = read_csv(&s, csv);
    if (status == ASSAY_OK) status = finish(&s);
    assay_csv_close(csv);
    assay_names_free(&s.metrics);
    return status;
}

static assay_status read_csv(site *s, assay_csv *csv)
{
    static const char *const names[] = { "model", "sample_id", "question_id" };
    csv_rows rows = { .s = s, .score = ASSAY_NO_COLUMN };
    assay_header header = { 0 };
    assay_csv_record record;
    int more, is_taken;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && more) status = assay_header_read(&header, s->table->path, &record);
    for (size_t k = 0; status == ASSAY_OK && k < header.n; k++) {
        is_taken = 0;
        if (is_metric(header.names[k])) status = learn_metric(s, header.names[k], &is_taken);
        if (is_taken) rows.score = (ptrdiff_t)k;
    }
    for (size_t k = 0; status == ASSAY_OK && k < 3; k++)
        rows.of[k] = assay_header_find(&header, names[k], strlen(names[k]));
    rows.n = header.n;
    if (status == ASSAY_OK && rows.score == ASSAY_NO_COLUMN)
        status = assay_log_fail_metric(s->table, &s->metrics);
    if (status == ASSAY_OK) status = assay_table_take_records(s->table, csv, take_record, &rows);
    assay_header_free(&header);
    return status;
}

static assay_status take_record(void *user, assay_csv_record *record)
{
    csv_rows *rows = user;
    assay_table *table = rows->s->table;
    assay_name of[3] = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
    assay_csv_text field;
    size_t column = 0, line = record->line;

    for (; assay_csv_field(record, &field); column++) {
        for (size_t k = 0; k < 3; k++)
            if (rows->of[k] == (ptrdiff_t)column) of[k] = assay_name_of(&field);
        if (rows->score == (ptrdiff_t)column &&
            assay_score_text_parse(field.text, field.length, 0, &rows->s->score) < 0)
            return assay_score_text_fail(table->path, line, "Pass@1", 6, field.text, field.length);
    }
    if (column != rows->n) return assay_table_fail_ragged(table, line, column, rows->n);
    return put_row(rows->s, of[0], of[1], of[2], line);
}

/* ---- both ---- */

static assay_status finish(site *s)
{
    assay_table *table = s->table;
    assay_status status;

    if (s->metrics.count == 0)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "no row has a Pass@1");
    if (s->taken == 0) return assay_log_fail_metric(table, &s->metrics);
    if (s->most > 0.0 && s->most <= 1.0)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "no score is above 1, where LiveCodeBench's site has percentages; if "
                             "these are shares, give --score and --item");
    status = assay_table_note_mapping(
        table, "LiveCodeBench's site; item = sample_id, cluster = question_id (item, without a "
               "sample_id), score = percent / 100");
    return status == ASSAY_OK ? assay_log_note_metrics(table, &s->metrics, s->metrics.text[0])
                              : status;
}
