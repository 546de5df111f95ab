/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/write.h"

#include "assay/json_writer.h"
#include "core/error.h"
#include "core/number.h"
#include "read/columns.h"

#include <string.h>

/* Which columns a table needs beside model, item and score. */
struct columns {
    int has_template, has_run, has_state, has_cluster, has_text;
    char delimiter;
    assay_progress progress;
};

static struct columns find_columns(const assay_results *results);
static assay_status check_items(const assay_results *results, const struct columns *columns);
static assay_status write_wide(const assay_results *results, const struct columns *columns,
                               FILE *to);
static assay_status write_long(const assay_results *results, const struct columns *columns,
                               FILE *to);
static assay_status write_jsonl(const assay_results *results, const struct columns *columns,
                                FILE *to);

assay_status assay_write(const assay_results *results, assay_layout layout, char delimiter,
                         assay_progress progress, FILE *to)
{
    struct columns columns;

    if (delimiter != ',' && delimiter != '\t')
        return assay_fail(ASSAY_E_VALUE, "write: delimiter is '%c', expected a comma or a tab",
                          delimiter);
    if (layout < ASSAY_LAYOUT_WIDE || layout > ASSAY_LAYOUT_JSONL)
        return assay_fail(ASSAY_E_VALUE, "write: there is no layout %d", (int)layout);
    columns = find_columns(results);
    columns.delimiter = delimiter;
    columns.progress = progress;
    if (layout == ASSAY_LAYOUT_WIDE) {
        assay_status status = check_items(results, &columns);
        return status == ASSAY_OK ? write_wide(results, &columns, to) : status;
    }
    if (layout == ASSAY_LAYOUT_LONG) return write_long(results, &columns, to);
    return write_jsonl(results, &columns, to);
}

/* A role that only ever had the unnamed value needs no column. */
static struct columns find_columns(const assay_results *results)
{
    assay_coverage coverage = assay_results_coverage(results);
    struct columns columns = { .has_state = coverage.errored > 0 || coverage.unscored > 0 };

    for (size_t i = 0; i < assay_results_n_templates(results); i++)
        if (*assay_results_template(results, i)) columns.has_template = 1;
    for (size_t i = 0; i < assay_results_n_runs(results); i++)
        if (*assay_results_run(results, i)) columns.has_run = 1;
    for (size_t i = 0; i < assay_results_n_items(results); i++) {
        if (assay_results_item_cluster(results, i)) columns.has_cluster = 1;
        if (assay_results_item_text(results, i)) columns.has_text = 1;
    }
    return columns;
}

/* ---- a wide table whose header reads back as something else ---- */

static int is_like(const char *name, assay_role role)
{
    return assay_role_rank(role, (assay_name){ name, strlen(name) }) >= 0;
}

static assay_status fail_item(const char *name, const char *why)
{
    return assay_fail(ASSAY_E_VALUE,
                      "write: as a column of a wide table, item \"%.80s\" %s; use the long layout",
                      name, why);
}

/* What assay_columns_find() would make of the header: two columns of one name, further keys right
   after the keys, or a long table. */
static assay_status check_items(const assay_results *results, const struct columns *columns)
{
    const char *item = NULL, *score = NULL;

    for (size_t i = 0; i < assay_results_n_items(results); i++) {
        const char *name = assay_results_item(results, i);

        if (strcmp(name, "model") == 0 ||
            (columns->has_template && strcmp(name, "template") == 0) ||
            (columns->has_run && strcmp(name, "run") == 0))
            return fail_item(name, "would have the name of a key");
        if (i == 0 && (is_like(name, ASSAY_ROLE_TEMPLATE) || is_like(name, ASSAY_ROLE_RUN)))
            return fail_item(name, "would be read as a key of the row");
        if (is_like(name, ASSAY_ROLE_ITEM)) item = name;
        if (is_like(name, ASSAY_ROLE_SCORE)) score = name;
    }
    if (item && score)
        return assay_fail(ASSAY_E_VALUE,
                          "write: items \"%.80s\" and \"%.80s\" would make a wide table look like "
                          "a long one; use the long layout",
                          item, score);
    return ASSAY_OK;
}

typedef void (*write_record)(const assay_results *results, const struct columns *columns,
                             size_t record, FILE *to);

static assay_status write_records(const assay_results *results, const struct columns *columns,
                                  write_record write, FILE *to)
{
    const assay_progress *progress = &columns->progress;
    size_t n = assay_results_n_records(results);

    for (size_t r = 0; r < n; r++) {
        if (progress->step && progress->step(progress->user, "writing", (double)r / (double)n) != 0)
            return assay_fail(ASSAY_E_CANCELLED, "cancelled in writing");
        write(results, columns, r, to);
    }
    return ASSAY_OK;
}

/* ---- CSV ---- */

/* Quoted where it must be (RFC 4180), and where a reader would strip or misread the bare text. */
static void write_field(FILE *to, const char *text)
{
    size_t length = strlen(text);
    int quoted = strpbrk(text, "\",;\t\r\n") != NULL ||
                 (length && (text[0] == ' ' || text[length - 1] == ' '));

    if (!quoted) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"') putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void write_score(FILE *to, double score, assay_score_state state)
{
    char text[ASSAY_NUMBER_SIZE];

    if (state != ASSAY_SCORED) return; /* empty */
    assay_number_format(score, text);
    fputs(text, to);
}

static void write_key_header(const struct columns *columns, FILE *to)
{
    fputs("model", to);
    if (columns->has_template) fprintf(to, "%ctemplate", columns->delimiter);
    if (columns->has_run) fprintf(to, "%crun", columns->delimiter);
}

static void write_key(const assay_results *results, const struct columns *columns, size_t record,
                      FILE *to)
{
    assay_record key = assay_results_record(results, record);

    write_field(to, assay_results_model(results, key.model));
    if (columns->has_template) {
        putc(columns->delimiter, to);
        write_field(to, assay_results_template(results, key.template_index));
    }
    if (columns->has_run) {
        putc(columns->delimiter, to);
        write_field(to, assay_results_run(results, key.run));
    }
}

static void write_wide_record(const assay_results *results, const struct columns *columns,
                              size_t record, FILE *to)
{
    write_key(results, columns, record, to);
    for (size_t i = 0; i < assay_results_n_items(results); i++) {
        double score;
        assay_score_state state = assay_results_cell(results, record, i, &score);

        putc(columns->delimiter, to);
        write_score(to, score, state);
    }
    putc('\n', to);
}

static assay_status write_wide(const assay_results *results, const struct columns *columns,
                               FILE *to)
{
    size_t n_items = assay_results_n_items(results);

    write_key_header(columns, to);
    for (size_t i = 0; i < n_items; i++) {
        putc(columns->delimiter, to);
        write_field(to, assay_results_item(results, i));
    }
    putc('\n', to);
    return write_records(results, columns, write_wide_record, to);
}

static const char *state_name(assay_score_state state)
{
    static const char *const names[] = { "ok", "missing", "error", "unscored", "absent" };

    return names[state];
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void write_long_row(const assay_results *results, const struct columns *columns,
                           size_t record, size_t item, FILE *to)
{
    double score;
    assay_score_state state = assay_results_cell(results, record, item, &score);

    if (state == ASSAY_ABSENT) return;
    write_key(results, columns, record, to);
    putc(columns->delimiter, to);
    write_field(to, assay_results_item(results, item));
    putc(columns->delimiter, to);
    write_score(to, score, state);
    if (columns->has_state) fprintf(to, "%c%s", columns->delimiter, state_name(state));
    if (columns->has_cluster) {
        putc(columns->delimiter, to);
        write_field(to, or_empty(assay_results_item_cluster(results, item)));
    }
    if (columns->has_text) {
        putc(columns->delimiter, to);
        write_field(to, or_empty(assay_results_item_text(results, item)));
    }
    putc('\n', to);
}

static void write_long_record(const assay_results *results, const struct columns *columns,
                              size_t record, FILE *to)
{
    for (size_t i = 0; i < assay_results_n_items(results); i++)
        write_long_row(results, columns, record, i, to);
}

static assay_status write_long(const assay_results *results, const struct columns *columns,
                               FILE *to)
{
    char delimiter = columns->delimiter;

    write_key_header(columns, to);
    fprintf(to, "%citem%cscore", delimiter, delimiter);
    if (columns->has_state) fprintf(to, "%cstate", delimiter);
    if (columns->has_cluster) fprintf(to, "%ccluster", delimiter);
    if (columns->has_text) fprintf(to, "%ctext", delimiter);
    putc('\n', to);
    return write_records(results, columns, write_long_record, to);
}

/* ---- JSON lines ---- */

static void member(assay_json *json, const char *key, const char *text)
{
    assay_json_key(json, key);
    assay_json_text(json, text);
}

static void write_json_row(const assay_results *results, const struct columns *columns,
                           size_t record, size_t item, FILE *to)
{
    assay_record key = assay_results_record(results, record);
    assay_json json;
    double score;
    assay_score_state state = assay_results_cell(results, record, item, &score);

    if (state == ASSAY_ABSENT) return;
    assay_json_start(&json, to, 0);
    assay_json_begin_object(&json);
    member(&json, "model", assay_results_model(results, key.model));
    if (columns->has_template)
        member(&json, "template", assay_results_template(results, key.template_index));
    if (columns->has_run) member(&json, "run", assay_results_run(results, key.run));
    member(&json, "item", assay_results_item(results, item));
    assay_json_key(&json, "score");
    assay_json_number(&json, score); /* NaN, without a score, is null */
    if (columns->has_state) member(&json, "state", state_name(state));
    if (columns->has_cluster) member(&json, "cluster", assay_results_item_cluster(results, item));
    if (columns->has_text) member(&json, "text", assay_results_item_text(results, item));
    assay_json_end_object(&json);
    putc('\n', to);
}

static void write_json_record(const assay_results *results, const struct columns *columns,
                              size_t record, FILE *to)
{
    for (size_t i = 0; i < assay_results_n_items(results); i++)
        write_json_row(results, columns, record, i, to);
}

static assay_status write_jsonl(const assay_results *results, const struct columns *columns,
                                FILE *to)
{
    return write_records(results, columns, write_json_record, to);
}
