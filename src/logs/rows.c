/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/rows.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"

#include <string.h>
#include <sys/stat.h>

static assay_status read_values(assay_table *table, assay_json_reader *reader, assay_picker *picker,
                                assay_object_done done, size_t *n);
static assay_status take_value(assay_table *table, assay_json_reader *reader, assay_picker *picker,
                               assay_object_done done, assay_json_event event);
static assay_status keep_what_came(assay_table *table, const assay_json_reader *reader, size_t n,
                                   assay_status status);
static assay_status next(assay_json_reader *reader, assay_json_event *event);

assay_status assay_log_rows(assay_table *table, assay_picker *picker, assay_object_done done)
{
    assay_json_reader *reader = NULL;
    size_t n = 0;
    assay_status status = assay_json_open(table->path, assay_input_read, table->input, &reader);

    if (status == ASSAY_OK) status = read_values(table, reader, picker, done, &n);
    if (status == ASSAY_E_FORMAT) status = keep_what_came(table, reader, n, status);
    if (status == ASSAY_OK && n == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "holds no object, expected rows");
    assay_json_close(reader);
    return status;
}

static assay_status read_values(assay_table *table, assay_json_reader *reader, assay_picker *picker,
                                assay_object_done done, size_t *n)
{
    for (;;) {
        assay_json_event event;
        size_t depth = assay_json_depth(reader);
        assay_status status = next(reader, &event);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        if (event == ASSAY_JSON_ARRAY_END || (event == ASSAY_JSON_ARRAY && depth == 0)) continue;
        status = take_value(table, reader, picker, done, event);
        if (status == ASSAY_OK) status = assay_table_step(table);
        if (status != ASSAY_OK) return status;
        ++*n;
    }
}

static assay_status take_value(assay_table *table, assay_json_reader *reader, assay_picker *picker,
                               assay_object_done done, assay_json_event event)
{
    assay_status status;

    if (event != ASSAY_JSON_OBJECT)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, assay_json_line(reader),
                             "a value that is no object, expected a row");
    status = assay_picker_object(picker, reader);
    return status == ASSAY_OK ? done(picker->user) : status;
}

static assay_status keep_what_came(assay_table *table, const assay_json_reader *reader, size_t n,
                                   assay_status status)
{
    int is_cut = assay_json_is_cut(reader) || assay_input_is_cut(table->input);

    if (!is_cut || n == 0) return status;
    assay_results_mark_damaged(table->results);
    return assay_results_add_note(table->results,
                                  "%s:%zu: cut short; the %zu rows before were read", table->path,
                                  assay_json_line(reader), n);
}

assay_status assay_log_document(assay_table *table, assay_picker *picker)
{
    assay_json_reader *reader = NULL;
    assay_json_event event = ASSAY_JSON_END;
    assay_status status = assay_json_open(table->path, assay_input_read, table->input, &reader);

    if (status == ASSAY_OK) status = next(reader, &event);
    if (status == ASSAY_OK && event != ASSAY_JSON_OBJECT)
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "holds no object, expected one");
    if (status == ASSAY_OK) status = assay_picker_object(picker, reader);
    if (status == ASSAY_OK) status = assay_log_note_rest(table, reader);
    assay_json_close(reader);
    return status;
}

assay_status assay_log_note_rest(assay_table *table, assay_json_reader *reader)
{
    assay_json_event event;
    assay_status status = next(reader, &event);

    if (status == ASSAY_OK && event == ASSAY_JSON_END) return ASSAY_OK;
    if (status != ASSAY_OK && status != ASSAY_E_FORMAT) return status;
    assay_results_mark_damaged(table->results);
    return assay_results_add_note(table->results,
                                  "%s:%zu: something stands behind the log's one object, and was "
                                  "not read",
                                  table->path, assay_json_line(reader));
}

char *assay_log_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(name);
    char *joined = assay_alloc(folder + length + 1, 1);

    if (!joined) return NULL;
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, length + 1);
    return joined;
}

assay_status assay_log_pick_file(assay_picker *picker, const char *path,
                                 const assay_progress *progress, int *found)
{
    assay_input_stream *input = NULL;
    assay_json_reader *reader = NULL;
    assay_json_event event = ASSAY_JSON_END;
    struct stat about;
    assay_status status;

    *found = 0;
    for (size_t k = 0; k < picker->n; k++) picker->values[k].kind = ASSAY_JSON_END;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return ASSAY_OK;
    if ((status = assay_input_open(path, progress, &input)) != ASSAY_OK) return status;
    status = assay_json_open(path, assay_input_read, input, &reader);
    if (status == ASSAY_OK) status = next(reader, &event);
    if (status == ASSAY_OK && event == ASSAY_JSON_OBJECT) {
        status = assay_picker_object(picker, reader);
        *found = status == ASSAY_OK;
    }
    for (size_t k = 0; k < picker->n && !*found; k++) picker->values[k].kind = ASSAY_JSON_END;
    assay_json_close(reader);
    assay_input_close(input);
    return status;
}

assay_status assay_log_pass_by(assay_table *table, assay_status status)
{
    if (status != ASSAY_E_FORMAT && status != ASSAY_E_READ) return status;
    return assay_results_add_note(table->results, "passed by: %s", assay_last_error());
}

assay_status assay_log_pick_rows(assay_picker *picker, const char *path,
                                 const assay_progress *progress, assay_object_done done, int *found)
{
    assay_input_stream *input = NULL;
    assay_json_reader *reader = NULL;
    struct stat about;
    assay_status status;

    *found = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    if (!*found) return ASSAY_OK;
    if ((status = assay_input_open(path, progress, &input)) != ASSAY_OK) return status;
    status = assay_json_open(path, assay_input_read, input, &reader);
    while (status == ASSAY_OK) {
        assay_json_event event;
        size_t depth = assay_json_depth(reader);

        status = next(reader, &event);
        if (status != ASSAY_OK || event == ASSAY_JSON_END) break;
        if (event == ASSAY_JSON_ARRAY && depth > 0) status = assay_json_leave(reader);
        if (event != ASSAY_JSON_OBJECT) continue;
        status = assay_picker_object(picker, reader);
        if (status == ASSAY_OK) status = done(picker->user);
    }
    assay_json_close(reader);
    assay_input_close(input);
    return status;
}

static assay_status next(assay_json_reader *reader, assay_json_event *event)
{
    const char *text;
    size_t length;
    double number;

    return assay_json_next(reader, event, &text, &length, &number);
}
