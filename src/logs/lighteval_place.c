/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lighteval_place.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 96 };

static const char *find_date(const char *name);
static int is_date(const char *text);
static assay_name between_folders(const char *path);
static assay_status read_results(assay_lighteval_place *place, const assay_table *table,
                                 const char *date);

assay_status assay_lighteval_place_find(assay_lighteval_place *place, const assay_table *table)
{
    static const char start[] = "details_";
    const char *slash = strrchr(table->path, '/'), *name = slash ? slash + 1 : table->path;
    const char *task = strstr(name, start), *date;

    *place = (assay_lighteval_place){ .model_is_from = "the file's name" };
    if (!task) return ASSAY_OK;
    task += sizeof start - 1;
    date = find_date(task);
    if (!date || date == task) return ASSAY_OK;
    place->task = (assay_name){ task, (size_t)(date - task) };
    place->model = between_folders(table->path);
    if (!place->model.text) return read_results(place, table, date + 1);
    place->model_is_from = "the folder";
    return ASSAY_OK;
}

void assay_lighteval_place_free(assay_lighteval_place *place)
{
    free(place->own);
    *place = (assay_lighteval_place){ 0 };
}

/* The last "_2026-01-01T", as a task may hold '_'. */
static const char *find_date(const char *name)
{
    const char *found = NULL;

    for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
        if (is_date(at + 1)) found = at;
    return found;
}

static int is_date(const char *text)
{
    static const char form[] = "0000-00-00T";

    for (size_t k = 0; form[k]; k++)
        if (form[k] == '0' ? text[k] < '0' || text[k] > '9' : text[k] != form[k]) return 0;
    return 1;
}

/* The folders behind the last one called "details" and before the date's: "org/model". */
static assay_name between_folders(const char *path)
{
    static const char folder[] = "details/";
    const size_t length = sizeof folder - 1;
    const char *start = NULL, *end = strrchr(path, '/');

    for (const char *at = path; (at = strstr(at, folder)); at += length)
        if (at == path || at[-1] == '/') start = at + length;
    while (end && end > path && end[-1] != '/') end--; /* where the last folder's name begins */
    if (!start || !end || end <= start + 1 || !is_date(end)) return (assay_name){ NULL, 0 };
    return (assay_name){ start, (size_t)(end - 1 - start) };
}

/* results_DATE.json beside the file. */
static assay_status read_results(assay_lighteval_place *place, const assay_table *table,
                                 const char *date)
{
    static const assay_pick picks[] = { { "config_general/model_name", NULL },
                                        { "config_general/model_config/model_name", NULL } };
    static const char *const ends[] = { ".parquet", ".snappy", ".zstd", ".uncompressed" };
    assay_picker picker = { 0 };
    char name[NAME_SIZE + 16], stem[NAME_SIZE];
    char *path = NULL;
    int found = 0;
    assay_status status;

    if (snprintf(stem, sizeof stem, "%s", date) >= NAME_SIZE) return ASSAY_OK;
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        const size_t length = strlen(stem), end = strlen(ends[k]);

        if (length > end && strcmp(stem + length - end, ends[k]) == 0) stem[length - end] = '\0';
    }
    snprintf(name, sizeof name, "results_%s.json", stem);
    path = assay_log_beside(table->path, name);
    if (!path) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a path", table->path);
    status = assay_picker_open(&picker, path, picks, 2, NULL);
    if (status == ASSAY_OK)
        status = assay_log_pick_file(&picker, path, &table->options->progress, &found);
    for (size_t k = 0; status == ASSAY_OK && found && !place->own && k < 2; k++) {
        const assay_name model = assay_value_name(&picker.values[k]);

        if (model.length == 0) continue;
        place->own = assay_copy_text(model.text, model.length);
        if (!place->own)
            status = assay_fail(ASSAY_E_NOMEM, "%s: no memory for a name", table->path);
        place->model = (assay_name){ place->own, model.length };
        place->model_is_from = "the results file";
    }
    assay_picker_close(&picker);
    free(path);
    return status == ASSAY_E_READ || status == ASSAY_E_FORMAT ? ASSAY_OK : status;
}
