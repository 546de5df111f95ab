/* SPDX-License-Identifier: Apache-2.0 */
/* A plan of cells and how it is to be printed. */
#ifndef ASSAY_CLI_PLAN_ANSWER_H
#define ASSAY_CLI_PLAN_ANSWER_H

#include <assay/best_template.h>
#include <assay/cells.h>
#include <assay/results.h>
#include <assay/sampling.h>
#include <stdio.h>

enum { PLAN_CSV, PLAN_LM_EVAL }; /* in the order of the option's choices */

/* A file that was read. */
struct plan_input {
    const char *path;
    assay_read_file file;
    const char *sha256_of; /* NULL: of the file */
};
enum { PLAN_MOST_INPUTS = 4 };

struct plan_answer {
    struct plan_input inputs[PLAN_MOST_INPUTS];
    size_t n_inputs;
    assay_coverage coverage; /* of the cells that were run */
    assay_ids *templates, *items;
    const assay_plan *plan;
    assay_best_round *round; /* with --best, in place of the plan */
    size_t n_have;           /* the plan's first cells, which were run before */
    size_t budget;
    uint64_t seed;
    int json, layout;
    const char *task, *task_name; /* of lm-eval: the task, and the pattern of a template's */
};

/* Print it in its layout; answer is a plan_answer. */
assay_status print_plan(FILE *to, const void *answer);

#endif
