/* SPDX-License-Identifier: Apache-2.0 */
/* What the answer of `assay score` says of prompts of several turns. */
#include "print_score.h"
#include "session.h"

#include <math.h>

static size_t n_of_several(const struct score_answer *answer)
{
    size_t n = 0;

    for (size_t i = 0; i < assay_prompts_n(answer->prompts); i++)
        n += assay_prompts_n_turns(answer->prompts, i) > 1;
    return n;
}

void print_score_turns(FILE *to, const struct score_answer *answer)
{
    size_t n = n_of_several(answer);
    const char *joined = score_turns_joined(answer);

    if (n == 0) return;
    fprintf(to, "%zu prompt%s several turns, up to %zu, ", n, n == 1 ? " has" : "s have",
            assay_prompts_most_turns(answer->prompts));
    if (joined)
        fprintf(to, "joined by --turns %s\n", joined);
    else
        fputs("and one given vector each\n", to);
}

void print_score_turns_json(assay_json *json, const struct score_answer *answer)
{
    const char *joined = score_turns_joined(answer);
    size_t n = n_of_several(answer);

    if (n == 0) {
        cli_json_estimate(json, "turns", NAN, "every prompt has one turn");
        return;
    }
    assay_json_key(json, "turns");
    assay_json_begin_object(json);
    assay_json_key(json, "most");
    assay_json_count(json, assay_prompts_most_turns(answer->prompts));
    assay_json_key(json, "prompts");
    assay_json_count(json, n);
    if (joined) {
        assay_json_key(json, "joined");
        assay_json_text(json, joined);
    } else {
        cli_json_estimate(json, "joined", NAN, "the vectors were given, one a prompt");
    }
    assay_json_end_object(json);
}
