/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay inspect` asks and has found out. */
#ifndef ASSAY_CLI_INSPECT_ANSWER_H
#define ASSAY_CLI_INSPECT_ANSWER_H

#include "options.h"

#include <assay/inspect.h>
#include <assay/results.h>
#include <stdio.h>

/* One argument, or all of them together. */
struct inspect_part {
    const char *path;       /* NULL: all together */
    assay_results *results; /* NULL: it cannot be read, and problems[0] says why */
    assay_inspection found;
    char **problems;
    size_t n_problems;
};

struct inspect_answer {
    struct inspect_part *parts;
    size_t n;
    struct inspect_part together; /* with two readable parts or more; else of zeros */
};

/* The parts that together are all inputs: the ones put together, or the only one there is. */
const struct inspect_part *inspect_whole(const struct inspect_answer *answer);

/* What a question is called: "score", "signals, the noise removed". */
const char *inspect_question_name(assay_question question);

assay_status print_inspect_table(FILE *to, const void *answer);
assay_status print_inspect_json(FILE *to, const void *answer);

#endif
