/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/opencompass_place.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/head.h"
#include "logs/opencompass.h"
#include "logs/place.h"
#include "logs/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int lies_in(const char *path, const char *folder);
static size_t base_length(assay_name stem);
static assay_status find_other_part(const char *path, assay_name stem, size_t base, int *is_there);
static int has_any(const assay_log_head *head, const char *const *paths, size_t n);
static int has_questions(const assay_log_head *head);

int assay_opencompass_is_details(const assay_log_head *head)
{
    static const char *const marks[] = { "details/*/references", "details/*/origin_prediction",
                                         "details/*/refr",       "details/*/is_correct",
                                         "details/*/correct",    "details/*/cascade_correct",
                                         "details/*/predictions" };
    static const char *const said[] = { "details/pred", "details/predictions",
                                        "details/prediction" },
                             *const judged[] = { "details/answer", "details/refr",
                                                 "details/references", "details/correct",
                                                 "details/is_correct" };
    size_t n = assay_log_head_at(head, "details/type") == ASSAY_JSON_STRING;

    if (head->kind != ASSAY_HEAD_OBJECT) return 0;
    if (assay_log_head_at(head, "details") == ASSAY_JSON_ARRAY)
        return assay_log_head_at(head, "details/example_abbr") != ASSAY_JSON_END ||
               (has_any(head, said, 3) && has_any(head, judged, 5));
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        n += assay_log_head_at(head, marks[k]) != ASSAY_JSON_END;
    return n >= 2;
}

int assay_opencompass_is_judgments(const assay_log_head *head)
{
    return has_questions(head) && lies_in(head->path, "results");
}

int assay_opencompass_is_predictions(const assay_log_head *head)
{
    return has_questions(head);
}

static int has_questions(const assay_log_head *head)
{
    static const char *const keys[] = { "*/origin_prompt", "*/prediction" };

    return head->kind == ASSAY_HEAD_OBJECT && assay_log_head_has(head, keys, 2);
}

/* Numbers and nothing else, under results/MODEL/ or as only OpenCompass calls them. */
int assay_opencompass_is_mean(const assay_log_head *head)
{
    int is_named = 0, has_accuracy = 0;

    if (head->kind != ASSAY_HEAD_OBJECT) return 0;
    for (size_t k = 0; k < head->keys.count; k++) {
        const char *key = head->keys.text[k];

        if (head->events[k] != ASSAY_JSON_NUMBER) return 0;
        is_named |= strstr(key, " runs average)") || strncmp(key, "G-Pass@", 7) == 0;
        has_accuracy |= strcmp(key, "accuracy") == 0 || strcmp(key, "score") == 0;
    }
    return is_named || (has_accuracy && lies_in(head->path, "results") &&
                        assay_log_head_at(head, "id") == ASSAY_JSON_END &&
                        assay_log_head_at(head, "item") == ASSAY_JSON_END);
}

assay_status assay_opencompass_find_place(const char *path, assay_opencompass_place *place)
{
    assay_name stem = assay_log_stem(path);
    size_t base = base_length(stem);
    assay_status status = ASSAY_OK;
    int is_part = 0;

    *place = (assay_opencompass_place){ .model = { NULL, 0 } };
    if (!lies_in(path, "results")) return ASSAY_OK;
    place->model = assay_log_folder(path, 0);
    place->task = stem;
    if (base > 0) status = find_other_part(path, stem, base, &is_part);
    if (status != ASSAY_OK || !is_part) return status;
    place->task.length = base;
    place->part = (assay_name){ stem.text + base + 1, stem.length - base - 1 };
    return ASSAY_OK;
}

static int lies_in(const char *path, const char *folder)
{
    assay_name around = assay_log_folder(path, 1);

    return around.text && assay_name_is(around, folder);
}

/* How long a name is before "_NUMBER"; 0: it ends in none. */
static size_t base_length(assay_name stem)
{
    size_t at = stem.length;

    while (at > 0 && stem.text[at - 1] >= '0' && stem.text[at - 1] <= '9') at--;
    return at < stem.length && at > 1 && stem.text[at - 1] == '_' ? at - 1 : 0;
}

/* Parts count from 0: beside the first lies the second, beside others the first. */
static assay_status find_other_part(const char *path, assay_name stem, size_t base, int *is_there)
{
    int is_first = stem.length - base == 2 && stem.text[base + 1] == '0';
    size_t size = base + sizeof "_0.json";
    char *name = assay_alloc(size, 1), *other = NULL;
    struct stat about;

    if (name) {
        snprintf(name, size, "%.*s_%d.json", (int)base, stem.text, is_first);
        other = assay_log_beside(path, name);
    }
    *is_there = other && stat(other, &about) == 0 && S_ISREG(about.st_mode);
    free(name);
    if (!other) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for a path", path);
    free(other);
    return ASSAY_OK;
}

static int has_any(const assay_log_head *head, const char *const *paths, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (assay_log_head_at(head, paths[k]) != ASSAY_JSON_END) return 1;
    return 0;
}
