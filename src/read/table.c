/* SPDX-License-Identifier: Apache-2.0 */
#include "read/table.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "data/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BYTES = 4 * 1024 * 1024, SENTENCE_SIZE = 1024, SHOWN_MAX = 60 };

static int is_utf8(assay_name name);

assay_status assay_table_step(assay_table *table)
{
    const assay_progress *progress = &table->options->progress;
    uint64_t taken = assay_input_taken(table->input);

    if (taken - table->reported < STEP_BYTES) return ASSAY_OK;
    table->reported = taken;
    if (progress->step &&
        progress->step(progress->user, "reading", assay_input_fraction(table->input)) != 0)
        return assay_fail_at(ASSAY_E_CANCELLED, table->path, 0, "reading was cancelled");
    return ASSAY_OK;
}

assay_status assay_table_take_records(assay_table *table, assay_csv *csv, assay_take_record take,
                                      void *state)
{
    for (size_t n = 0;; n++) {
        assay_csv_record record;
        int more;
        assay_status status = assay_csv_next(csv, &record, &more);

        if (status == ASSAY_OK && !more && n == 0)
            return assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "a header and no rows below it");
        if (status != ASSAY_OK || !more) return status;
        if ((status = take(state, &record)) != ASSAY_OK) return status;
        if ((status = assay_table_step(table)) != ASSAY_OK) return status;
    }
}

assay_status assay_table_fail(const assay_table *table, size_t line, assay_status status,
                              const char *more)
{
    char sentence[SENTENCE_SIZE];

    snprintf(sentence, sizeof sentence, "%s", assay_last_error());
    return assay_fail_at(status, table->path, line, "%s%s", sentence, more);
}

assay_status assay_table_fail_conflict(const assay_table *table, size_t line, int has_model,
                                       int has_run)
{
    const char *more = "; with --force the first stays";

    if (!has_model)
        more = "; no column is known to hold the model: choose with --model";
    else if (!has_run && !table->options->repeats)
        more = "; with --repeats such rows count as further runs, with --force the first stays";
    return assay_table_fail(table, line, ASSAY_E_CONFLICT, more);
}

assay_status assay_table_fail_ragged(const assay_table *table, size_t line, size_t fields,
                                     size_t expected)
{
    return assay_fail_at(ASSAY_E_FORMAT, table->path, line, "%zu field%s, expected %zu", fields,
                         fields == 1 ? "" : "s", expected);
}

assay_status assay_table_fail_unnamed(const assay_table *table, size_t line, size_t column)
{
    return assay_fail_at(ASSAY_E_FORMAT, table->path, line,
                         "column %zu has no name, expected nothing in it", column + 1);
}

assay_status assay_table_check_name(const assay_table *table, size_t line, const char *what,
                                    assay_name name)
{
    if (name.length == 0)
        return assay_fail_at(ASSAY_E_FORMAT, table->path, line, "the %s is blank, expected a name",
                             what);
    if (!is_utf8(name))
        return assay_fail_at(ASSAY_E_FORMAT, table->path, line,
                             "the %s \"%.*s\" is not UTF-8, expected UTF-8", what,
                             (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX), name.text);
    if (memchr(name.text, '\0', name.length)) /* a table's names end at the first one */
        return assay_fail_at(ASSAY_E_FORMAT, table->path, line,
                             "the %s has a NUL character after \"%.60s\", expected text", what,
                             name.text);
    return ASSAY_OK;
}

static int is_utf8(assay_name name)
{
    size_t i = 0;

    while (i < name.length) {
        uint32_t code_point;
        size_t n = 1;

        if ((unsigned char)name.text[i] >= 0x80)
            n = assay_utf8_decode(name.text + i, name.length - i, &code_point);
        if (n == 0) return 0;
        i += n;
    }
    return 1;
}

static assay_status name_with_task(assay_table *table, size_t line, assay_name model,
                                   assay_name task, size_t *index)
{
    static const char separator[] = ASSAY_TASK_SEPARATOR, covariate[] = ASSAY_TASK_COVARIATE;
    const size_t gap = sizeof separator - 1, length = model.length + gap + task.length;
    char *text = assay_alloc(length, 1);
    const char *known;
    size_t column;
    assay_status status;

    if (!text) return assay_fail(ASSAY_E_NOMEM, "no memory for a name of %zu bytes", length);
    memcpy(text, model.text, model.length);
    memcpy(text + model.length, separator, gap);
    memcpy(text + model.length + gap, task.text, task.length);
    status = assay_results_name_model(table->results, text, length, index);
    free(text);
    if (status == ASSAY_OK)
        status =
            assay_results_name_covariate(table->results, covariate, sizeof covariate - 1, &column);
    if (status == ASSAY_OK)
        status =
            assay_results_set_covariate(table->results, column, *index, task.text, task.length);
    if (status != ASSAY_OK) return status;
    known = assay_results_covariate_value(table->results, column, *index);
    return known && assay_name_is(task, known)
               ? ASSAY_OK
               : assay_fail_at(ASSAY_E_FORMAT, table->path, line,
                               "\"%.60s\" is model and task in two ways, expected names without "
                               "\"%s\"",
                               assay_results_model(table->results, *index), separator);
}

assay_status assay_table_name_model(assay_table *table, size_t line, assay_name model,
                                    assay_name task, size_t *index)
{
    assay_status status;

    if (!model.text) {
        const char *name = table->model_path ? table->model_path : table->path;

        table->model_is_path = 1;
        model = (assay_name){ name, strlen(name) };
    }
    status = task.length > 0
                 ? name_with_task(table, line, model, task, index)
                 : assay_results_name_model(table->results, model.text, model.length, index);
    if (status == ASSAY_OK && table->model == 0) table->model = *index + 1;
    return status;
}

void assay_table_describe(char out[ASSAY_TABLE_NOTE_SIZE], const char *kind,
                          const assay_name of[ASSAY_N_ROLES], const char *others,
                          const char *ignored)
{
    size_t used = (size_t)snprintf(out, ASSAY_TABLE_NOTE_SIZE, "%s", kind);
    const char *separator = "; ";

    if (!of[ASSAY_ROLE_MODEL].text && (of[ASSAY_ROLE_SCORE].text || of[ASSAY_ROLE_TRIALS].text))
        used += (size_t)snprintf(out + used, ASSAY_TABLE_NOTE_SIZE - used,
                                 "; all of one model, called as the file is");
    for (int r = 0; r < ASSAY_N_ROLES; r++) {
        if (!of[r].text) continue;
        used += (size_t)snprintf(out + used, ASSAY_TABLE_NOTE_SIZE - used, "%s%s = \"%.*s\"",
                                 separator, assay_role_name((assay_role)r),
                                 (int)(of[r].length < SHOWN_MAX ? of[r].length : SHOWN_MAX),
                                 of[r].text);
        separator = ", ";
    }
    if (ignored[0])
        snprintf(out + used, ASSAY_TABLE_NOTE_SIZE - used, "; other %s ignored: %s", others,
                 ignored);
}

assay_status assay_table_note_mapping(assay_table *table, const char *mapping)
{
    if (strcmp(table->mapping, mapping) == 0) return ASSAY_OK;
    snprintf(table->mapping, ASSAY_TABLE_NOTE_SIZE, "%s", mapping);
    return assay_results_add_note(table->results, "%s: %s", table->path, mapping);
}
