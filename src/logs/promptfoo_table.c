/* SPDX-License-Identifier: Apache-2.0 */
/* promptfoo's CSV: the variables of a test, and then for each prompt and provider a group of columns
   whose names repeat. */
#include "core/error.h"
#include "core/memory.h"
#include "logs/cell.h"
#include "logs/promptfoo_run.h"
#include "read/csv.h"
#include "read/folder.h"
#include "read/score_text.h"
#include "read/text_source.h"

#include <math.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum column_kind { OTHER, VARIABLE, OUTPUT, STATUS, SCORE, NAMED_SCORES } column_kind;

typedef struct column {
    column_kind kind;
    assay_name name;
    size_t group; /* which prompt with which provider */
} column;

/* What a group of columns says of the row at hand. */
typedef struct group {
    size_t template_id, model;
    assay_name output, status, score, named;
} group;

typedef struct promptfoo_table {
    assay_promptfoo_run *run;
    assay_promptfoo_vars vars;
    column *columns;
    size_t n, columns_capacity, n_rows, n_variables;
    group *groups;
    size_t n_groups, groups_capacity;
    char *header; /* the columns' names */
} promptfoo_table;

static assay_status leave_to_companion(const assay_table *table);
static assay_status read_rows(promptfoo_table *t, assay_csv *csv);
static assay_status read_header(promptfoo_table *t, assay_csv_record *record);
static assay_status copy_names(promptfoo_table *t, assay_csv_record *record);
static assay_status find_groups(promptfoo_table *t);
static size_t group_start(const promptfoo_table *t, size_t status);
static assay_status name_group(promptfoo_table *t, assay_name header);
static assay_status take_row(promptfoo_table *t, assay_csv_record *record);
static assay_status take_field(promptfoo_table *t, const column *of, const assay_csv_text *field);
static assay_status put_group(promptfoo_table *t, size_t k, size_t vars, size_t line);
static assay_status judge(promptfoo_table *t, const group *of, assay_promptfoo_result *result);
static assay_status read_named(promptfoo_table *t, const group *of);
static int has_column(const assay_log_head *head, const char *wanted, const char *after);
static int next_column(const char **at, const char *end, assay_name *name);

/* "[PROVIDER] PROMPT" in front, where there are no variables, begins as JSON does. */
static int may_be_table(const assay_log_head *head)
{
    return head->kind == ASSAY_HEAD_OTHER ||
           (head->kind == ASSAY_HEAD_ARRAY && head->keys.count == 0);
}

int assay_promptfoo_is_table(const assay_log_head *head)
{
    return may_be_table(head) && has_column(head, "Score", "Status") &&
           has_column(head, "Grader Reason", NULL);
}

int assay_promptfoo_is_old_table(const assay_log_head *head)
{
    return may_be_table(head) && has_column(head, "Comment", "Grader Reason") &&
           !has_column(head, "Score", "Status");
}

/* Whether the first record has the column, right after another one where that is asked. Recognising a
   log takes no memory, which could fail. */
static int has_column(const assay_log_head *head, const char *wanted, const char *after)
{
    const char *at = head->bytes, *end = at + head->length;
    int follows = !after, more = 1;

    while (more) {
        assay_name name;

        more = next_column(&at, end, &name);
        if (follows && assay_name_is(name, wanted)) return 1;
        follows = !after || assay_name_is(name, after);
    }
    return 0;
}

/* The field that begins at a place, as it stands between its quotes; 0 when it is the record's last. */
static int next_column(const char **at, const char *end, assay_name *name)
{
    const char *p = *at;
    int quoted = p < end && *p == '"', open = quoted;

    p += quoted;
    name->text = p;
    for (; p < end && (open || (*p != ',' && *p != '\n' && *p != '\r')); p++)
        if (*p == '"' && quoted) open = !open;
    name->length = (size_t)(p - name->text);
    if (quoted && name->length > 0 && p[-1] == '"') name->length--;
    *at = p < end ? p + 1 : p;
    return p < end && *p == ',';
}

assay_status assay_promptfoo_table_read(assay_promptfoo_run *run)
{
    promptfoo_table t = { .run = run };
    assay_csv *csv = NULL;
    assay_status status = leave_to_companion(run->table);

    run->form = "table";
    if (status == ASSAY_OK)
        status =
            assay_csv_open(run->table->path, ",;\t", assay_input_read, run->table->input, &csv);
    if (status == ASSAY_OK) status = read_rows(&t, csv);
    assay_csv_close(csv);
    free(t.columns);
    free(t.groups);
    free(t.header);
    free(t.vars.of);
    free(t.vars.text.text);
    return status;
}

/* A run is often written as JSON and as a table at once, whose scores are rounded. */
static assay_status leave_to_companion(const assay_table *table)
{
    static const char *const endings[] = { ".json", ".jsonl" };
    size_t stem = assay_folder_stem(table->path);
    assay_status status = ASSAY_OK;

    for (size_t k = 0; status == ASSAY_OK && table->in_folder && k < 2; k++) {
        struct stat about;
        char *path = assay_alloc(stem + 8, 1);

        if (!path) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a path", table->path);
        memcpy(path, table->path, stem);
        snprintf(path + stem, 8, "%s", endings[k]);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
            status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                                   "the table of a promptfoo run that \"%s\" beside it holds whole",
                                   path);
        free(path);
    }
    return status;
}

static assay_status read_rows(promptfoo_table *t, assay_csv *csv)
{
    assay_csv_record record;
    int more = 0;
    assay_status status = assay_csv_next(csv, &record, &more);

    if (status == ASSAY_OK && more) status = read_header(t, &record);
    while (status == ASSAY_OK && more) {
        status = assay_csv_next(csv, &record, &more);
        if (status == ASSAY_OK && more) status = take_row(t, &record);
        if (status == ASSAY_OK) status = assay_table_step(t->run->table);
    }
    return status;
}

static assay_status read_header(promptfoo_table *t, assay_csv_record *record)
{
    assay_status status = copy_names(t, record);

    if (status == ASSAY_OK) status = find_groups(t);
    if (status != ASSAY_OK) return status;
    if (t->n_groups == 0)
        return assay_fail_at(ASSAY_E_FORMAT, t->run->table->path, 1,
                             "no columns \"Status\" and \"Score\", expected those of promptfoo");
    if (t->n_variables > 0) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, t->run->table->path, 1,
                         "a promptfoo table without variables, by which alone it tells its tests "
                         "apart; give the run's JSON (promptfoo export eval, or -o FILE.json)");
}

static assay_status copy_names(promptfoo_table *t, assay_csv_record *record)
{
    size_t room = (size_t)(record->end - record->next) + 1, used = 0;
    assay_csv_text field;

    if (!(t->header = assay_alloc(room, 1)))
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its columns", t->run->table->path);
    while (assay_csv_field(record, &field)) {
        if (assay_grow(&t->columns, &t->columns_capacity, t->n + 1, sizeof *t->columns) != 0)
            return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its columns", t->run->table->path);
        memcpy(t->header + used, field.text, field.length);
        t->columns[t->n++] = (column){ .name = { t->header + used, field.length } };
        used += field.length;
    }
    return ASSAY_OK;
}

static int is_called(const promptfoo_table *t, size_t c, const char *name)
{
    return c < t->n && assay_name_is(t->columns[c].name, name);
}

/* A group begins with the answer, under the names of provider and prompt. */
static assay_status find_groups(promptfoo_table *t)
{
    size_t first = t->n;

    for (size_t c = 1; c + 1 < t->n; c++) {
        size_t start;
        assay_status status;

        if (!is_called(t, c, "Status") || !is_called(t, c + 1, "Score")) continue;
        start = group_start(t, c);
        if (t->n_groups == 0) first = start;
        if ((status = name_group(t, t->columns[start].name)) != ASSAY_OK) return status;
        t->columns[start].kind = OUTPUT;
        t->columns[c].kind = STATUS;
        t->columns[c + 1].kind = SCORE;
        if (is_called(t, c + 2, "Named Scores")) t->columns[c + 2].kind = NAMED_SCORES;
        for (size_t k = start; k <= c + 2 && k < t->n; k++) t->columns[k].group = t->n_groups - 1;
    }
    for (size_t c = is_called(t, 0, "Description") ? 1 : 0; c < first && t->n_groups > 0; c++) {
        if (!assay_promptfoo_var_counts(t->columns[c].name)) continue;
        t->columns[c].kind = VARIABLE;
        t->n_variables++;
    }
    return ASSAY_OK;
}

static size_t group_start(const promptfoo_table *t, size_t status)
{
    return status > 1 && is_called(t, status - 1, "Reasoning") ? status - 2 : status - 1;
}

/* "[PROVIDER] PROMPT", of which promptId is the hash. */
static assay_status name_group(promptfoo_table *t, assay_name header)
{
    assay_name provider = { "", 0 }, label = header;
    assay_log_text text = { 0 };
    char hex[ASSAY_LOG_HASH_SIZE];
    group *of;
    assay_status status;

    if (assay_grow(&t->groups, &t->groups_capacity, t->n_groups + 1, sizeof *t->groups) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its columns", t->run->table->path);
    of = &t->groups[t->n_groups++];
    *of = (group){ 0 };
    for (size_t k = 1; header.length > 0 && header.text[0] == '[' && k + 1 < header.length; k++) {
        if (header.text[k] != ']' || header.text[k + 1] != ' ') continue;
        provider = (assay_name){ header.text + 1, k - 1 };
        label = (assay_name){ header.text + k + 2, header.length - k - 2 };
        break;
    }
    status = assay_log_text_add(&text, label.text, label.length);
    if (status == ASSAY_OK) {
        assay_log_text_hash(&text, hex);
        status = assay_promptfoo_run_name(&t->run->templates, hex, ASSAY_LOG_HASH_SIZE - 1,
                                          &of->template_id);
    }
    free(text.text);
    if (status != ASSAY_OK) return status;
    return assay_promptfoo_run_name(&t->run->models, provider.text, provider.length, &of->model);
}

static assay_status take_row(promptfoo_table *t, assay_csv_record *record)
{
    assay_csv_text field;
    size_t c = 0, vars;
    assay_status status = ASSAY_OK;

    t->vars.n = t->vars.text.length = 0;
    for (size_t k = 0; k < t->n_groups; k++) {
        const assay_name none = { NULL, 0 };

        t->groups[k].output = t->groups[k].status = t->groups[k].score = t->groups[k].named = none;
    }
    for (; status == ASSAY_OK && assay_csv_field(record, &field); c++)
        if (c < t->n) status = take_field(t, &t->columns[c], &field);
    if (status == ASSAY_OK && c != t->n)
        status = assay_table_fail_ragged(t->run->table, record->line, c, t->n);
    if (status == ASSAY_OK) status = assay_promptfoo_run_vars(t->run, &t->vars, &vars);
    for (size_t k = 0; status == ASSAY_OK && k < t->n_groups; k++)
        status = put_group(t, k, vars, record->line);
    t->n_rows++;
    return status;
}

static assay_status take_field(promptfoo_table *t, const column *of, const assay_csv_text *field)
{
    const assay_name text = { field->text, field->length };
    size_t start = t->vars.text.length;
    assay_status status;

    switch (of->kind) {
    case OUTPUT: t->groups[of->group].output = text; return ASSAY_OK;
    case STATUS: t->groups[of->group].status = text; return ASSAY_OK;
    case SCORE: t->groups[of->group].score = text; return ASSAY_OK;
    case NAMED_SCORES: t->groups[of->group].named = text; return ASSAY_OK;
    case VARIABLE: break;
    default: return ASSAY_OK;
    }
    status = assay_log_text_add(&t->vars.text, of->name.text, of->name.length);
    if (status == ASSAY_OK) status = assay_log_text_add(&t->vars.text, text.text, text.length);
    return status == ASSAY_OK ? assay_promptfoo_vars_end(&t->vars, start, of->name.length) : status;
}

/* A provider that did not run a test has blanks. */
static assay_status put_group(promptfoo_table *t, size_t k, size_t vars, size_t line)
{
    const group *of = &t->groups[k];
    assay_promptfoo_result result = { .vars = vars,
                                      .asserts = SIZE_MAX,
                                      .template_id = of->template_id,
                                      .model = of->model,
                                      .column = k,
                                      .test = t->n_rows,
                                      .line = line };
    unsigned char digest[SHA256_DIGEST_LENGTH];
    assay_status status;

    if (of->status.length == 0 && of->score.length == 0) return ASSAY_OK;
    if (of->output.length > 0) {
        SHA256((const unsigned char *)of->output.text, of->output.length, digest);
        memcpy(&result.output, digest, sizeof result.output);
        result.output |= 1;
    }
    status = judge(t, of, &result);
    return status == ASSAY_OK ? assay_promptfoo_run_add(t->run, result) : status;
}

static assay_status judge(promptfoo_table *t, const group *of, assay_promptfoo_result *result)
{
    const char *metric = t->run->metric;
    int is_error = assay_name_is(of->status, "ERROR"), state;
    assay_status status = read_named(t, of);

    if (status != ASSAY_OK) return status;
    result->score = NAN;
    result->state = is_error ? ASSAY_ERRORED : ASSAY_UNSCORED;
    if (metric && strcmp(metric, "success") == 0) {
        t->run->n_with_metric++;
        if (is_error) return ASSAY_OK;
        result->score = assay_name_is(of->status, "PASS");
        result->state = ASSAY_SCORED;
        return ASSAY_OK;
    }
    if (metric) {
        t->run->n_with_metric += (size_t)t->run->has_named;
        if (is_error || !t->run->has_named) return ASSAY_OK;
        result->score = t->run->named;
        result->state = ASSAY_SCORED;
        return ASSAY_OK;
    }
    if (is_error) return ASSAY_OK;
    state = assay_score_text_parse(of->score.text, of->score.length, 0, &result->score);
    if (state < 0)
        return assay_score_text_fail(t->run->table->path, result->line, "Score", 5, of->score.text,
                                     of->score.length);
    if (state == ASSAY_SCORED) result->state = ASSAY_SCORED;
    return ASSAY_OK;
}

/* The cell holds a JSON object. */
static assay_status read_named(promptfoo_table *t, const group *of)
{
    static const assay_pick any[] = { { "*", assay_promptfoo_run_take_named } };
    assay_text_source source = { of->named.text, of->named.length };
    assay_json_reader *reader = NULL;
    assay_json_event event;
    assay_picker picker = { 0 };
    const char *text;
    size_t length;
    double number;
    assay_status status;

    t->run->has_named = 0;
    if (of->named.length == 0) return ASSAY_OK;
    status = assay_picker_open(&picker, t->run->table->path, any, 1, t->run);
    if (status == ASSAY_OK)
        status = assay_json_open(t->run->table->path, assay_text_source_read, &source, &reader);
    if (status == ASSAY_OK) status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && event == ASSAY_JSON_OBJECT)
        status = assay_picker_object(&picker, reader);
    assay_json_close(reader);
    assay_picker_close(&picker);
    return status;
}
