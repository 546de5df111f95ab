/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay score` as a whole: what it begins with, its steps, its end. */
#include "score_answer.h"

#include <stdlib.h>

void score_request_init(struct score_request *request)
{
    *request = (struct score_request){ .prior = "paper", .tie_orders = -1 };
}

assay_status score_find(struct score_answer *answer)
{
    assay_status status = score_prepare(answer);

    if (status == ASSAY_OK) status = score_fit(answer);
    if (status == ASSAY_OK) status = score_raw(answer);
    return status;
}

void score_free(struct score_answer *answer)
{
    for (size_t k = 0; k < answer->n_orders; k++) assay_dendrogram_free(answer->orders[k]);
    free(answer->orders);
    assay_score_free(answer->fit);
    assay_dendrogram_free(answer->tree);
    assay_vectors_free(answer->vectors);
    assay_trials_free(answer->trials);
    assay_prompts_free(answer->prompts);
    free(answer->labels);
    free(answer->topics);
    free(answer->missing);
    free(answer->raw);
    free(answer->order);
    free(answer->validated);
    free(answer->choices);
    score_average_free(&answer->average);
}
