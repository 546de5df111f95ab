/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/read.h"

#include "core/error.h"
#include "core/options.h"
#include "data/identity.h"
#include "data/results.h"
#include "logs/logs.h"
#include "logs/parquet.h"
#include "logs/read.h"
#include "logs/task_name.h"
#include "read/delimited.h"
#include "read/kinds.h"
#include "read/selection.h"
#include "read/table.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static assay_status resolve_options(const assay_read_options *given, assay_read_options *opt);
static const char *find_earlier(const assay_results *results, assay_input_file file);
static assay_input_file file_at(const char *path);
static assay_status read_content(assay_table *table);
static assay_status read_as(assay_table *table, const assay_log_head *head);
static const assay_log_format *find_log(const assay_table *table, const assay_log_head *head);
static assay_status read_log(assay_table *table, const assay_log_format *log,
                             const assay_log_head *head);
static int has_filters(assay_format format);
static assay_status doubt_format(const assay_table *table, const assay_log_format *log,
                                 const assay_log_head *head, assay_coverage before,
                                 assay_status status);
static assay_status fail_task_name(const assay_table *table);
static assay_status read_plain(assay_table *table, const assay_log_head *head);
static assay_status remember(assay_table *table, const char *path, assay_coverage before,
                             assay_input_file file);
static assay_status compare_contents(assay_table *table, const char *path, const char sha256[65],
                                     int has_new);

assay_status assay_read(assay_results *results, const char *path, const assay_read_options *options)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE] = "";
    assay_read_options opt;
    assay_table table = { .results = results, .options = &opt, .mapping = mapping };
    struct stat about;
    assay_status status = resolve_options(options, &opt);

    if (status != ASSAY_OK) return status;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "read: no path");
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return assay_log_read_folder(&table, path);
    return assay_log_read_file(&table, path);
}

void assay_read_options_init(assay_read_options *options, size_t struct_size)
{
    const assay_read_options defaults = { .struct_size = struct_size };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* Defaults first, then as much of the caller's struct as it knew about when compiled. */
static assay_status resolve_options(const assay_read_options *given, assay_read_options *opt)
{
    assay_status status;

    assay_read_options_init(opt, sizeof *opt);
    status = assay_options_take("read", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    if ((int)opt->format < ASSAY_FORMAT_AUTO || (int)opt->format >= ASSAY_N_FORMATS)
        return assay_fail(ASSAY_E_VALUE, "read: format is %d, expected 0 to %d", (int)opt->format,
                          ASSAY_N_FORMATS - 1);
    if ((int)opt->rows < ASSAY_ROWS_AUTO || (int)opt->rows > ASSAY_ROWS_ITEMS)
        return assay_fail(ASSAY_E_VALUE, "read: rows is %d, expected 0 to 2", (int)opt->rows);
    if ((int)opt->join < ASSAY_JOIN_CONTENT || (int)opt->join > ASSAY_JOIN_ID)
        return assay_fail(ASSAY_E_VALUE, "read: join is %d, expected 0 or 1", (int)opt->join);
    status = assay_task_name_check(opt->task_name);
    return status == ASSAY_OK ? assay_roles_check(opt) : status;
}

assay_status assay_log_read_file(assay_table *table, const char *path)
{
    const assay_coverage before = assay_results_coverage(table->results);
    assay_input_file file = file_at(path);
    const char *earlier = find_earlier(table->results, file);
    assay_status status = assay_input_open(path, &table->options->progress, &table->input);

    if (status != ASSAY_OK) return status;
    table->path = assay_input_name(table->input);
    table->model_path = earlier ? earlier : table->path;
    table->reported = 0;
    table->model_is_path = 0;
    table->model = 0;
    table->format = ASSAY_FORMAT_AUTO;
    table->title = "JSON rows";
    table->sha256_of = NULL;
    assay_identity_begin(table->results);
    status = read_content(table);
    if (status == ASSAY_OK) status = assay_identity_end(table->results, table->path);
    if (status == ASSAY_OK) status = remember(table, path, before, file);
    assay_input_close(table->input);
    table->input = NULL;
    return status;
}

/* Another path to a file that was read is no other model: the path by which it was read, unless that
   leads elsewhere by now; or NULL. */
static const char *find_earlier(const assay_results *results, assay_input_file file)
{
    ptrdiff_t k = assay_results_find_input(results, file);
    const char *path = k < 0 ? NULL : assay_results_input(results, (size_t)k).path;
    assay_input_file now = path ? file_at(path) : file;

    return now.device == file.device && now.number == file.number ? path : NULL;
}

/* What the path leads to; zeros for standard input, and where nothing is. */
static assay_input_file file_at(const char *path)
{
    struct stat about;

    if (strcmp(path, "-") == 0 || stat(path, &about) != 0) return (assay_input_file){ 0 };
    return (assay_input_file){ .device = (uint64_t)about.st_dev, .number = (uint64_t)about.st_ino };
}

static assay_status read_content(assay_table *table)
{
    assay_log_head head = { 0 };
    const char *bytes;
    size_t length;
    assay_status status = assay_input_peek(table->input, &bytes, &length);

    if (status != ASSAY_OK) return status;
    if (length == 0) return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "the file is empty");
    status = assay_log_head_read(&head, table->path, bytes, length);
    if (status == ASSAY_OK) status = read_as(table, &head);
    assay_log_head_free(&head);
    return status;
}

static assay_status read_as(assay_table *table, const assay_log_head *head)
{
    const assay_log_format *log;

    if (assay_parquet_is_asked(table, head)) return assay_parquet_read(table, head);
    log = find_log(table, head);
    return log ? read_log(table, log, head) : read_plain(table, head);
}

/* Where an option names the score's key, or any column of a delimited table, its rows are rows like any
   other. */
static const assay_log_format *find_log(const assay_table *table, const assay_log_head *head)
{
    const assay_read_options *options = table->options;
    const int is_binary = head->kind == ASSAY_HEAD_ZIP || head->kind == ASSAY_HEAD_NPY;

    if (options->format == ASSAY_FORMAT_AUTO && options->score && !is_binary) return NULL;
    if (options->format == ASSAY_FORMAT_AUTO && head->kind == ASSAY_HEAD_OTHER)
        for (int r = 0; r < ASSAY_N_ROLES; r++)
            if (assay_role_given((assay_role)r, options)) return NULL;
    return assay_log_find(options->format, head);
}

static assay_status read_log(assay_table *table, const assay_log_format *log,
                             const assay_log_head *head)
{
    const assay_read_options *given = table->options;
    const assay_coverage before = assay_results_coverage(table->results);
    assay_status status;

    if (!log->read) return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "%s", log->refusal);
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (assay_role_given((assay_role)r, given))
            return assay_fail_at(
                ASSAY_E_VALUE, table->path, 0,
                "is %s, of which %s can name no column; --metric chooses its score", log->title,
                assay_role_option((assay_role)r));
    if (log->format != ASSAY_FORMAT_NPY && assay_selection_is_asked(given))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "is %s: --columns and --drop choose among the items of a wide table",
                             log->title);
    if (given->filter && !has_filters(log->format))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "no filter \"%.60s\" (--filter): such a log has none", given->filter);
    if (given->task_name && log->format != ASSAY_FORMAT_LM_EVAL) return fail_task_name(table);
    if (log->format != ASSAY_FORMAT_NPY) assay_results_mark_rows(table->results);
    table->format = (int)log->format;
    table->title = log->title;
    status = log->read(table, head);
    return given->format == ASSAY_FORMAT_AUTO || log->is_one(head)
               ? status
               : doubt_format(table, log, head, before, status);
}

/* A format that was said, of a content that is not known for it: the said one is wrong where not one
   score came of it, and may be where the reading failed. (Rows that all repeat earlier ones are a
   file given twice.) */
static assay_status doubt_format(const assay_table *table, const assay_log_format *log,
                                 const assay_log_head *head, assay_coverage before,
                                 assay_status status)
{
    const assay_coverage now = assay_results_coverage(table->results);
    const assay_log_format *known = assay_log_find(ASSAY_FORMAT_AUTO, head);
    const uint64_t rows = now.rows - before.rows;
    char failure[ASSAY_TABLE_NOTE_SIZE];

    if (status == ASSAY_OK) {
        if (rows > 0 && now.duplicate - before.duplicate == rows) return ASSAY_OK;
        if (now.used > before.used)
            return known ? assay_results_add_note(table->results,
                                                  "%s: --format took it for %s, but its content is "
                                                  "%s",
                                                  table->path, log->title, known->title)
                         : ASSAY_OK;
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "not one score was found");
    }
    if (status != ASSAY_E_FORMAT && status != ASSAY_E_VALUE) return status;
    snprintf(failure, sizeof failure, "%s", assay_last_error());
    if (!known) return assay_fail(status, "%s; read as %s, as --format says", failure, log->title);
    return assay_fail(status, "%s; --format took it for %s, but its content is %s", failure,
                      log->title, known->title);
}

/* Of which logs --filter chooses among the rows; an option that did nothing would be taken for one
   that did. HELM's are its splits. */
static int has_filters(assay_format format)
{
    return format == ASSAY_FORMAT_LM_EVAL || format == ASSAY_FORMAT_HELM;
}

static assay_status fail_task_name(const assay_table *table)
{
    return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                         "is no log of lm-evaluation-harness, of whose tasks --task-name makes "
                         "templates; --template names a column");
}

static assay_status read_plain(assay_table *table, const assay_log_head *head)
{
    assay_status status = assay_kinds_refuse_other(table->path, head->bytes, head->length);

    if (status != ASSAY_OK) return status;
    if (table->options->task_name) return fail_task_name(table);
    if (table->options->metric)
        return assay_fail_at(
            ASSAY_E_FORMAT, table->path, 0,
            "is no tool's log, of whose scores --metric names one; --score names a "
            "column");
    if (table->options->filter)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                             "is no tool's log, of whose rows --filter names some");
    if (table->options->format > ASSAY_FORMAT_JSONL)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "is text, and no %s as --format says",
                             assay_format_name(table->options->format));
    switch (table->options->format) {
    case ASSAY_FORMAT_CSV: return assay_delimited_read(table, ",;");
    case ASSAY_FORMAT_TSV: return assay_delimited_read(table, "\t");
    case ASSAY_FORMAT_JSONL: return assay_json_rows_read(table);
    default: break;
    }
    return head->kind == ASSAY_HEAD_OBJECT || head->kind == ASSAY_HEAD_ARRAY
               ? assay_json_rows_read(table)
               : assay_delimited_read(table, ",\t;");
}

/* Note the input, and whether one with the same bytes was read before: its observations were then all
   known and counted once, unless the path makes them another model's or run's; but as further runs
   they would have counted again. */
static assay_status remember(assay_table *table, const char *path, assay_coverage before,
                             assay_input_file file)
{
    assay_results *results = table->results;
    const assay_coverage after = assay_results_coverage(results);
    char sha256[65];
    assay_status status = ASSAY_OK;

    if (table->sha256_of)
        memcpy(sha256, table->sha256, sizeof sha256);
    else
        status = assay_input_sha256(table->input, sha256);
    if (status == ASSAY_OK)
        status = compare_contents(table, path, sha256, after.used > before.used);
    if (status != ASSAY_OK) return status;
    file.format = table->title;
    file.sha256_of = table->sha256_of;
    file.model = table->model;
    return assay_results_add_input(results, path, sha256, after.rows - before.rows, file);
}

/* A place may name the model or the run, as RUN/MODEL/INSTANCE/report.json does: then two reports that
   say the same are two observations. */
static assay_status compare_contents(assay_table *table, const char *path, const char sha256[65],
                                     int has_new)
{
    assay_results *results = table->results;
    ptrdiff_t any = assay_results_find_content(results, sha256),
              same = assay_results_find_content_of(results, sha256, table->model);
    const char *earlier;

    if (any < 0) return ASSAY_OK;
    earlier = assay_results_input(results, (size_t)(same < 0 ? any : same)).path;
    if (table->model_is_path && strcmp(earlier, path) != 0 &&
        strcmp(earlier, table->model_path) != 0)
        return assay_results_add_note(results,
                                      "%s: the same content as %s; counted as another model, "
                                      "because no column names it",
                                      table->path, earlier);
    if (table->options->repeats && same >= 0)
        return assay_fail_at(ASSAY_E_CONFLICT, table->path, 0,
                             "has the same content as %s: with --repeats its rows would count as "
                             "further runs; give it once",
                             earlier);
    return has_new ? assay_results_add_note(results,
                                            "%s: the same content as %s; its place makes it "
                                            "another model's or run's",
                                            table->path, earlier)
                   : assay_results_add_note(results, "%s: the same content as %s; counted once",
                                            table->path, earlier);
}
