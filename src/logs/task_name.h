/* SPDX-License-Identifier: Apache-2.0 */
/* A task's name that holds the name of a prompt template, as `assay plan --task-name` writes it. */
#ifndef ASSAY_LOGS_TASK_NAME_H
#define ASSAY_LOGS_TASK_NAME_H

#include "data/names.h"
#include "read/header.h"

/* Whether a pattern can be undone: {template} once, {task} at most once, and something between the
   two; NULL is one. ASSAY_OK or ASSAY_E_VALUE. */
assay_status assay_task_name_check(const char *pattern);

/**
 * Undo a pattern: "{task}_{template}" makes "anatomy_3" the template "3" of the task "anatomy".
 *
 * What may be cut in several places is cut so that the template is shortest. A pattern without
 * {task} names the task by its own words: "anatomy_{template}" is of the task "anatomy".
 *
 * @param pattern      one that assay_task_name_check() lets pass.
 * @param task         of what is split, and then its task; borrowed, of name or pattern.
 * @param template_id  borrowed; as it was where 0 is returned.
 * @return 1; 0 where the name does not fit, and all is as it was.
 */
int assay_task_name_split(const char *pattern, assay_name *task, assay_name *template_id);

#endif
