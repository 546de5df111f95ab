/* SPDX-License-Identifier: Apache-2.0 */
/* The vectors of prompts of several turns. */
#include "score_answer.h"

static const char *const ways[] = {
    [ASSAY_TURNS_CONCAT] = "concat",     [ASSAY_TURNS_MEAN] = "mean",
    [ASSAY_TURNS_WEIGHTED] = "weighted", [ASSAY_TURNS_LAST] = "last",
    [ASSAY_TURNS_MAX] = "max",
};

assay_status score_join_turns(assay_vectors *turns, const assay_prompts *prompts, int how,
                              assay_vectors **out)
{
    assay_status status;

    *out = turns;
    if (assay_prompts_most_turns(prompts) == 1) return ASSAY_OK;
    status = assay_vectors_join_turns(turns, assay_prompts_first_turns(prompts),
                                      assay_prompts_n(prompts), (assay_turns)how, out);
    assay_vectors_free(turns);
    return status;
}

size_t score_n_turns(const assay_prompts *prompts)
{
    return assay_prompts_first_turns(prompts)[assay_prompts_n(prompts)];
}

const char *score_turns_joined(const struct score_answer *answer)
{
    if (assay_prompts_most_turns(answer->prompts) == 1) return NULL;
    if (score_embed_kind(answer->request->embed) == SCORE_EMBED_FILE) return NULL;
    return ways[answer->request->turns];
}

int score_is_by_turn(const struct score_answer *answer)
{
    return answer->request->turns == ASSAY_TURNS_MAX && score_turns_joined(answer) != NULL;
}
