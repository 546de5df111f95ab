/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/bfcl_ids.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct answers {
    assay_picker picker;
    assay_names *ids;
} answers;

static assay_status find_answers(const char *path, char **found);
static char *answers_path(const char *path, assay_name category, const char *prefix);
static assay_status take_answer(void *user);
static size_t split_number(const char *id, size_t *number);

assay_status assay_bfcl_ids_from_answers(assay_table *table, assay_names *ids, char **source)
{
    static const assay_pick picks[] = { { "id", NULL }, { "idx", NULL } };
    assay_table beside = *table;
    answers a = { .ids = ids };
    assay_status status;

    status = find_answers(table->path, source);
    if (status != ASSAY_OK || !*source) return status;
    beside.path = *source;
    beside.input = NULL;
    status = assay_input_open(*source, &table->options->progress, &beside.input);
    if (status == ASSAY_OK) status = assay_picker_open(&a.picker, *source, picks, 2, &a);
    if (status == ASSAY_OK) status = assay_log_rows(&beside, &a.picker, take_answer);
    assay_picker_close(&a.picker);
    assay_input_close(beside.input);
    return status;
}

assay_status assay_bfcl_ids_from_numbers(const assay_names *failing, size_t total, assay_names *ids)
{
    size_t prefix = 0, number;
    char *id;

    for (size_t k = 0; k < failing->count; k++) {
        size_t length = split_number(failing->text[k], &number);

        if (k == 0) prefix = length;
        if (length != prefix || number >= total ||
            memcmp(failing->text[k], failing->text[0], prefix) != 0)
            return ASSAY_OK;
    }
    if (failing->count == 0) return ASSAY_OK;
    if (!(id = assay_alloc(prefix + 24, 1))) return assay_fail(ASSAY_E_NOMEM, "no memory for ids");
    memcpy(id, failing->text[0], prefix);
    for (size_t k = 0; k < total; k++) {
        size_t ignored, length = prefix + (size_t)snprintf(id + prefix, 24, "%zu", k);

        if (assay_names_add(ids, id, length, &ignored) == 0) continue;
        free(id);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ids", total);
    }
    free(id);
    return ASSAY_OK;
}

ptrdiff_t assay_bfcl_score_folder(const char *path)
{
    for (const char *slash = strrchr(path, '/'); slash;) {
        const char *start = slash;

        while (start > path && start[-1] != '/') start--;
        if (strncmp(start, "score", 5) == 0) return start - path;
        slash = start > path ? start - 1 : NULL;
    }
    return -1;
}

/* score/MODEL/.../X_score.json has its answers in result/MODEL/.../X_result.json; those of 2024
   have another prefix. NULL where neither is there. */
static assay_status find_answers(const char *path, char **found)
{
    static const char *const prefixes[] = { "", "gorilla_openfunctions_v1_test_", "BFCL_v2_",
                                            "BFCL_v3_" };
    assay_name category = assay_log_without_end(assay_log_stem(path), "_score");

    *found = NULL;
    if (!category.text) return ASSAY_OK;
    for (size_t k = 0; k < sizeof prefixes / sizeof prefixes[0]; k++) {
        struct stat about;
        char *candidate = answers_path(path, category, prefixes[k]);

        if (!candidate) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a path", path);
        if (stat(candidate, &about) == 0 && S_ISREG(about.st_mode)) {
            *found = candidate;
            return ASSAY_OK;
        }
        free(candidate);
    }
    return ASSAY_OK;
}

static char *answers_path(const char *path, assay_name category, const char *prefix)
{
    ptrdiff_t folder = assay_bfcl_score_folder(path);
    size_t before = folder < 0 ? 0 : (size_t)folder, after = folder < 0 ? 0 : before + 5;
    size_t size = strlen(path) + strlen(prefix) + 32;
    char *joined = assay_alloc(size, 1);

    if (joined)
        snprintf(joined, size, "%.*s%s%.*s%s%.*s_result.json", (int)before, path,
                 folder < 0 ? "" : "result", (int)((size_t)(category.text - path) - after),
                 path + after, prefix, (int)category.length, category.text);
    return joined;
}

static assay_status take_answer(void *user)
{
    answers *a = user;
    assay_name id = assay_value_name(&a->picker.values[0]);
    size_t ignored;

    if (!id.text) id = assay_value_name(&a->picker.values[1]);
    if (!id.text)
        return assay_fail_at(ASSAY_E_FORMAT, a->picker.path, a->picker.line,
                             "an answer without \"id\" or \"idx\"");
    return assay_names_add(a->ids, id.text, id.length, &ignored) == 0
               ? ASSAY_OK
               : assay_fail(ASSAY_E_NOMEM, "%s: no memory for its ids", a->picker.path);
}

/* How long an id is before the number it ends in; SIZE_MAX as the number where there is none, or
   one that is written in another way than 0, 1, 2, ... */
static size_t split_number(const char *id, size_t *number)
{
    size_t length = strlen(id), at = length;

    *number = SIZE_MAX;
    while (at > 0 && id[at - 1] >= '0' && id[at - 1] <= '9') at--;
    if (at == length || length - at > 9 || (id[at] == '0' && length - at > 1)) return at;
    if (at > 0 && id[at - 1] != '_') return at; /* live_simple_3-3-0 */
    *number = strtoul(id + at, NULL, 10);
    return at;
}
