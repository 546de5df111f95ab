/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/lm_eval_about.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/place.h"
#include "logs/rows.h"
#include "read/folder.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MAX_BYTES = 1024 };
enum { MODEL_NAME, MODEL_ARGS, CONFIGS };
enum { EFFECTIVE, BETTER, MEASURES };

static assay_status find_new(assay_lm_eval_about *about, const assay_table *table, assay_name date);
static assay_status find_old(assay_lm_eval_about *about, const assay_table *table,
                             const char *name);
static assay_status find_results(const char *path, assay_name date, char **found);
static int is_better(const char *name, const char *best, const char *ending);
static int is_date(assay_name text);
static assay_status read_names(assay_lm_eval_about *about, const assay_table *table, char *path,
                               assay_names *tasks, char **model_args);
static assay_status read_measures(assay_lm_eval_about *about, const assay_table *table);
static assay_status keep_key(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value);
static assay_status keep_better(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status keep_measure(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_name model_of_args(const char *args);
static int has_arguments(const char *name, size_t length);
static size_t old_model_length(const char *stem, size_t length, const char *args,
                               const assay_names *tasks);
static assay_status copy(char **to, const char *text, size_t length);
static assay_status fail_memory(const char *path);
static assay_status name_after_folder(assay_lm_eval_about *about, const char *path);

/* ---- what the reader asks ---- */

assay_status assay_lm_eval_about_find(assay_lm_eval_about *about, const assay_table *table)
{
    const char *name = assay_log_file_name(table->path);
    assay_name task, date;
    assay_status status;

    *about = (assay_lm_eval_about){ .n_effective = NAN };
    if (!assay_lm_eval_name_split(name, &task, &date)) return find_old(about, table, name);
    if ((status = copy(&about->task, task.text, task.length)) != ASSAY_OK) return status;
    return find_new(about, table, date);
}

void assay_lm_eval_about_free(assay_lm_eval_about *about)
{
    free(about->model);
    free(about->task);
    free(about->results);
    free(about->no_error);
    free(about->unread);
    assay_names_free(&about->lower);
    *about = (assay_lm_eval_about){ 0 };
}

/* A file may have been given a word of its own before the name that the tool wrote. */
int assay_lm_eval_name_split(const char *name, assay_name *task, assay_name *date)
{
    static const char start[] = "samples_", inner[] = "_samples_";
    const char *begin = strncmp(name, start, strlen(start)) == 0 ? name : strstr(name, inner);
    size_t stem = assay_folder_stem(name), last;

    if (!begin || strncmp(name + stem, ".jsonl", 6) != 0) return 0;
    begin += begin == name ? strlen(start) : strlen(inner);
    for (last = stem; last > 0 && name[last - 1] != '_';) last--;
    if (name + last <= begin + 1) return 0;
    *date = (assay_name){ name + last, stem - last };
    *task = (assay_name){ begin, (size_t)(name + last - 1 - begin) };
    return is_date(*date);
}

/* ---- names and files ---- */

/* 2026-01-21T03-44-18, with .458309 behind or not. */
static int is_date(assay_name text)
{
    static const char form[] = "dddd-dd-ddTdd-dd-dd";
    const size_t n = sizeof form - 1;

    if (text.length < n) return 0;
    for (size_t k = 0; k < n; k++)
        if (form[k] == 'd' ? text.text[k] < '0' || text.text[k] > '9' : text.text[k] != form[k])
            return 0;
    for (size_t k = n; k < text.length; k++)
        if (k == n ? text.text[k] != '.' : text.text[k] < '0' || text.text[k] > '9') return 0;
    return 1;
}

static assay_status find_new(assay_lm_eval_about *about, const assay_table *table, assay_name date)
{
    char *path = NULL;
    assay_status status = find_results(table->path, date, &path);

    if (status == ASSAY_OK && path) status = read_names(about, table, path, NULL, NULL);
    if (status == ASSAY_OK && about->results) status = read_measures(about, table);
    return status == ASSAY_OK && !about->model ? name_after_folder(about, table->path) : status;
}

/* results_DATE.json, or the first other one in order that ends so; NULL where none is there. */
static assay_status find_results(const char *path, assay_name date, char **found)
{
    char ending[80], *folder = assay_log_beside(path, "."), *best = NULL;
    DIR *stream = folder ? opendir(folder) : NULL;
    const struct dirent *entry;
    assay_status status = folder ? ASSAY_OK : fail_memory(path);

    snprintf(ending, sizeof ending, "_%.*s.json", (int)(date.length < 60 ? date.length : 60),
             date.text);
    while (status == ASSAY_OK && stream && (entry = readdir(stream)) != NULL)
        if (is_better(entry->d_name, best, ending))
            status = copy(&best, entry->d_name, strlen(entry->d_name));
    if (stream) closedir(stream);
    *found = status == ASSAY_OK && best ? assay_log_beside(path, best) : NULL;
    if (status == ASSAY_OK && best && !*found) status = fail_memory(path);
    free(best);
    free(folder);
    return status;
}

static int is_better(const char *name, const char *best, const char *ending)
{
    static const char usual[] = "results_";
    const size_t length = strlen(name), n = strlen(ending), first = sizeof usual - 1;
    int is_usual = strncmp(name, usual, first) == 0, was_usual;

    if (length <= n || strcmp(name + length - n, ending) != 0) return 0;
    if (!best) return 1;
    was_usual = strncmp(best, usual, first) == 0;
    return is_usual != was_usual ? is_usual : strcmp(name, best) < 0;
}

static assay_status find_old(assay_lm_eval_about *about, const assay_table *table, const char *name)
{
    size_t stem = assay_folder_stem(name), length;
    char *path, *args = NULL;
    assay_names tasks = { 0 };
    assay_status status;

    if (stem == strlen(name)) return ASSAY_OK; /* standard input, say */
    path = assay_log_beside(table->path, "results.json");
    if (!path) return fail_memory(table->path);
    status = read_names(about, table, path, &tasks, &args);
    length = old_model_length(name, stem, args, &tasks);
    if (status == ASSAY_OK && length > 0) {
        status = copy(&about->task, name + length + 1, stem - length - 1);
        if (status == ASSAY_OK) status = read_measures(about, table);
    } else if (status == ASSAY_OK) { /* it is no companion of this file */
        free(about->results), free(about->model);
        about->results = about->model = NULL;
    }
    if (status == ASSAY_OK && !about->model && has_arguments(name, stem)) {
        about->model_is_from = "the file's name";
        status = copy(&about->model, name, length > 0 ? length : stem);
    }
    assay_names_free(&tasks);
    free(args);
    return status;
}

/* Arguments are KEY=VALUE, and '=' is written "__". */
static int has_arguments(const char *name, size_t length)
{
    const char *joint = strstr(name, "__");

    return joint && (size_t)(joint - name) < length;
}

/* How much of ARGS_TASK is ARGS: exactly the model's arguments, or what a task of the results file
   leaves, the longest one; 0 where neither fits. */
static size_t old_model_length(const char *stem, size_t length, const char *args,
                               const assay_names *tasks)
{
    size_t at = 0, longest = 0;

    for (const char *p = args; p && *p; p++) {
        const size_t n = *p == '/' || *p == '=' ? 2 : 1;

        if (at + n >= length || memcmp(stem + at, n == 2 ? "__" : p, n) != 0) {
            at = 0;
            break;
        }
        at += n;
    }
    if (at > 0 && stem[at] == '_' && at + 1 < length) return at;
    for (size_t k = 0; k < tasks->count; k++) {
        size_t n = strlen(tasks->text[k]);

        if (n > longest && n + 1 < length && stem[length - n - 1] == '_' &&
            memcmp(stem + length - n, tasks->text[k], n) == 0)
            longest = n;
    }
    return longest > 0 ? length - longest - 1 : 0;
}

/* The new files stand in a folder of the model's. */
static assay_status name_after_folder(assay_lm_eval_about *about, const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
    const char *name = NULL;
    assay_status status = ASSAY_OK;

    if (slash && slash > whole) {
        *slash = '\0';
        name = strrchr(whole, '/') + 1;
    }
    if (name && *name) {
        about->model_is_from = "the folder";
        status = copy(&about->model, name, strlen(name));
    }
    free(whole);
    return status;
}

/* ---- the results file ---- */

/* Its path becomes the struct's, or is freed. */
static assay_status read_names(assay_lm_eval_about *about, const assay_table *table, char *path,
                               assay_names *tasks, char **model_args)
{
    const assay_pick picks[] = { { "model_name", NULL },
                                 { "config/model_args", NULL },
                                 { "configs/*", keep_key } };
    assay_picker picker = { 0 };
    assay_name model = { NULL, 0 };
    int found = 0;
    assay_status status = assay_picker_open(&picker, path, picks, tasks ? 3 : 2, tasks);

    if (status == ASSAY_OK)
        status = assay_log_pick_file(&picker, path, &table->options->progress, &found);
    if (status == ASSAY_E_FORMAT || status == ASSAY_E_READ) {
        found = 0;
        status = copy(&about->unread, assay_last_error(), strlen(assay_last_error()));
    }
    if (status == ASSAY_OK && found) {
        const assay_value *args = &picker.values[MODEL_ARGS], *named = &picker.values[MODEL_NAME];

        if (named->kind == ASSAY_JSON_STRING && named->length > 0)
            model = (assay_name){ named->text, named->length };
        else if (args->kind == ASSAY_JSON_STRING)
            model = model_of_args(args->text);
        if (model_args && args->kind == ASSAY_JSON_STRING)
            status = copy(model_args, args->text, args->length);
        if (status == ASSAY_OK && model.length > 0) {
            about->model_is_from = "the results file";
            status = copy(&about->model, model.text, model.length);
        }
        about->results = path;
        path = NULL;
    }
    assay_picker_close(&picker);
    free(path);
    return status;
}

static assay_status keep_key(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value)
{
    size_t index;

    if (assay_names_add(user, key, strlen(key), &index) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a task's name");
    return assay_json_leave_value(reader, value->kind);
}

/* What the harness itself calls a model by its arguments since 0.4.3, in this order. */
static assay_name model_of_args(const char *args)
{
    static const char *const keys[] = { "peft=",  "delta=", "pretrained=",
                                        "model=", "path=",  "engine=" };

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const char *at = strstr(args, keys[k]);

        if (at) return (assay_name){ at + strlen(keys[k]), strcspn(at + strlen(keys[k]), ",") };
    }
    return (assay_name){ NULL, 0 };
}

static assay_status read_measures(assay_lm_eval_about *about, const assay_table *table)
{
    char paths[3][TASKS_MAX_BYTES];
    const assay_pick picks[] = { { paths[EFFECTIVE], NULL },
                                 { paths[BETTER], keep_better },
                                 { paths[MEASURES], keep_measure } };
    assay_picker picker = { 0 };
    int found = 0;
    assay_status status;

    if (strlen(about->task) > TASKS_MAX_BYTES - 40 || strchr(about->task, '/') ||
        strcmp(about->task, "*") == 0)
        return ASSAY_OK;
    snprintf(paths[EFFECTIVE], TASKS_MAX_BYTES, "n-samples/%s/effective", about->task);
    snprintf(paths[BETTER], TASKS_MAX_BYTES, "higher_is_better/%s/*", about->task);
    snprintf(paths[MEASURES], TASKS_MAX_BYTES, "results/%s/*", about->task);
    status = assay_picker_open(&picker, about->results, picks, 3, about);
    if (status == ASSAY_OK)
        status = assay_log_pick_file(&picker, about->results, &table->options->progress, &found);
    if (status == ASSAY_OK) about->n_effective = picker.values[EFFECTIVE].number;
    if (status == ASSAY_OK && picker.values[EFFECTIVE].kind != ASSAY_JSON_NUMBER)
        about->n_effective = NAN;
    if (status == ASSAY_E_FORMAT) status = ASSAY_OK; /* it was read whole before */
    assay_picker_close(&picker);
    return status;
}

static assay_status keep_better(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    assay_lm_eval_about *about = user;

    if (value->kind != ASSAY_JSON_FALSE) return assay_json_leave_value(reader, value->kind);
    return keep_key(&about->lower, reader, key, value);
}

/* A standard error may be "N/A", [] or null. */
static assay_status keep_measure(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    assay_lm_eval_about *about = user;

    if (strstr(key, "_stderr") && !isfinite(value->number) && !about->no_error) {
        assay_status status = copy(&about->no_error, key, strlen(key));
        if (status != ASSAY_OK) return status;
    }
    return assay_json_leave_value(reader, value->kind);
}

static assay_status copy(char **to, const char *text, size_t length)
{
    free(*to);
    *to = assay_copy_text(text, length);
    return *to ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for a text of %zu bytes", length);
}

static assay_status fail_memory(const char *path)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory to read it", path);
}
