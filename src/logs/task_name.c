/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/task_name.h"

#include "core/error.h"

#include <string.h>

#define TASK "{task}"
#define TEMPLATE "{template}"

/* A pattern's words before, between and behind its one or two places. */
typedef struct words {
    assay_name before, between, behind;
    int has_task, task_is_first;
} words;

static words words_of(const char *pattern);
static int fit_both(const words *w, assay_name middle, assay_name *first, assay_name *second);
static assay_name own_words(const words *w);

assay_status assay_task_name_check(const char *pattern)
{
    const char *template_at = pattern ? strstr(pattern, TEMPLATE) : NULL;
    const char *task_at = pattern ? strstr(pattern, TASK) : NULL;

    if (!pattern) return ASSAY_OK;
    if (!template_at || strstr(template_at + 1, TEMPLATE))
        return assay_fail(ASSAY_E_VALUE,
                          "read: task-name is \"%.60s\", expected " TEMPLATE " in it once",
                          pattern);
    if (task_at && strstr(task_at + 1, TASK))
        return assay_fail(ASSAY_E_VALUE,
                          "read: task-name is \"%.60s\", expected " TASK " in it at most once",
                          pattern);
    if (task_at && words_of(pattern).between.length == 0)
        return assay_fail(ASSAY_E_VALUE,
                          "read: task-name is \"%.60s\", expected something between " TASK
                          " and " TEMPLATE " to tell them apart",
                          pattern);
    return ASSAY_OK;
}

int assay_task_name_split(const char *pattern, assay_name *task, assay_name *template_id)
{
    const words w = words_of(pattern);
    const size_t ends = w.before.length + w.behind.length;
    assay_name middle, first, second;

    if (task->length <= ends || memcmp(task->text, w.before.text, w.before.length) != 0 ||
        memcmp(task->text + task->length - w.behind.length, w.behind.text, w.behind.length) != 0)
        return 0;
    middle = (assay_name){ task->text + w.before.length, task->length - ends };
    if (!w.has_task) {
        *template_id = middle;
        *task = own_words(&w);
        return 1;
    }
    if (!fit_both(&w, middle, &first, &second)) return 0;
    *task = w.task_is_first ? first : second;
    *template_id = w.task_is_first ? second : first;
    return 1;
}

static words words_of(const char *pattern)
{
    const char *task = strstr(pattern, TASK), *template_at = strstr(pattern, TEMPLATE);
    const int task_is_first = task && task < template_at;
    const char *first = task_is_first ? task : template_at;
    const char *second = task ? (task_is_first ? template_at : task) : first;
    const char *first_end = first + (task_is_first ? strlen(TASK) : strlen(TEMPLATE));
    const char *second_end = second + (task && !task_is_first ? strlen(TASK) : strlen(TEMPLATE));

    return (words){ .before = { pattern, (size_t)(first - pattern) },
                    .between = { first_end, task ? (size_t)(second - first_end) : 0 },
                    .behind = { second_end, strlen(second_end) },
                    .has_task = task != NULL,
                    .task_is_first = task_is_first };
}

/* The task takes as much as it can: the last place where the words between fit, or the first. */
static int fit_both(const words *w, assay_name middle, assay_name *first, assay_name *second)
{
    const size_t gap = w->between.length;
    size_t found = 0;

    for (size_t at = 1; at + gap < middle.length; at++) {
        if (memcmp(middle.text + at, w->between.text, gap) != 0) continue;
        found = at;
        if (!w->task_is_first) break;
    }
    if (found == 0) return 0;
    *first = (assay_name){ middle.text, found };
    *second = (assay_name){ middle.text + found + gap, middle.length - found - gap };
    return 1;
}

/* The longer of the words before and behind, without what joins them to the template. */
static assay_name own_words(const words *w)
{
    static const char joints[] = "_-./: ";
    assay_name own = w->before.length >= w->behind.length ? w->before : w->behind;

    while (own.length > 0 && strchr(joints, own.text[own.length - 1])) own.length--;
    while (own.length > 0 && strchr(joints, own.text[0])) own.text++, own.length--;
    return own;
}
