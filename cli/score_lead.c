/* SPDX-License-Identifier: Apache-2.0 */
/* Which interval of a model stands first: the one that was measured to cover what it is about in
   every setting (docs/score-numbers.md). */
#include "score_answer.h"

#include <math.h>

enum { LEAST_TOPICS = 20 }; /* n^2 / sum n_k^2 of the given topics, for topics like them */

const char *score_lead_about(const struct score_raw *raw)
{
    static const char *const about[] = { "these prompts", "these topics", "topics like these" };

    return about[raw->lead];
}

const double *score_lead_interval(const struct score_raw *raw)
{
    return raw->lead == SCORE_LEAD_PROMPTS ? raw->wilson : raw->clustered;
}

const char *score_lead_method(const struct score_raw *raw)
{
    return raw->lead == SCORE_LEAD_PROMPTS ? "wilson" : "clustered";
}

/* Found topics never lead: where paraphrases are far apart they cover too little. */
void score_lead_choose(struct score_raw *raw)
{
    double topics = (double)raw->n_clusters;

    if (!raw->given || isnan(raw->clustered[0]))
        raw->lead = SCORE_LEAD_PROMPTS;
    else if (raw->equal_clusters >= LEAST_TOPICS && raw->equal_clusters >= topics / 2.0)
        raw->lead = SCORE_LEAD_LIKE;
    else
        raw->lead = SCORE_LEAD_THESE;
}
