/* SPDX-License-Identifier: Apache-2.0 */
/* `assay plan templates --best`: the next round of a search for the best template. */
#ifndef ASSAY_CLI_PLAN_BEST_H
#define ASSAY_CLI_PLAN_BEST_H

#include "plan_answer.h"

#include <assay/json_writer.h>

/* The round that follows from the scores in the file have (NULL: none yet), in answer->round.
   by_gse: templates are dropped by the covariate-only score. ASSAY_OK; what reading and the search
   say. */
assay_status plan_best(struct plan_answer *answer, const char *have, int by_gse);

/* What was planned, on standard error. */
void print_plan_best(const struct plan_answer *answer);

/* The key "search" of the JSON object. */
void json_plan_best(assay_json *json, const struct plan_answer *answer);

#endif
