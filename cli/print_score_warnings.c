/* SPDX-License-Identifier: Apache-2.0 */
/* What makes the answer of `assay score` weaker than it looks. */
#include "print_score.h"

#include <math.h>
#include <string.h>

static void warn(size_t n, const char *one, const char *more)
{
    if (n > 0) fprintf(stderr, "assay: %zu %s\n", n, n == 1 ? one : more);
}

/* Models whose every item is no prompt, or has no score. */
static void warn_of_models(const struct score_answer *answer)
{
    size_t kept = 0, n_kept = assay_trials_n_models(answer->trials);
    char safe[80];

    for (size_t m = 0; m < assay_results_n_models(answer->results); m++) {
        const char *name = assay_results_model(answer->results, m);

        if (kept < n_kept && assay_trials_model(answer->trials, kept) == m)
            kept++;
        else
            fprintf(stderr, "assay: model \"%s\" has no score on any prompt and is left out\n",
                    assay_printable(safe, sizeof safe, name, strlen(name)));
    }
}

static void warn_of_prior(const struct score_answer *answer)
{
    double least = INFINITY;

    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++)
        least = fmin(least, score_value(answer, k, ASSAY_SCORE_RUNS_PER_TOPIC));
    if (least >= 20.0) return;
    fprintf(stderr,
            "assay: %.1f runs a topic are few: the number of topics and the published score are "
            "mostly the prior's (see --sensitivity)%s\n",
            least,
            answer->request->hyper == SCORE_HYPER_OFF
                ? ""
                : "; the score with the topics' distribution learnt stands beside it");
}

static void warn_of_ties(const struct score_answer *answer)
{
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];
        double spread = score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_MOST) -
                        score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_LEAST);
        double width = score_value(answer, k, ASSAY_SCORE_THESE_HIGH) -
                       score_value(answer, k, ASSAY_SCORE_THESE_LOW);
        char safe[80];
        const char *name = score_model_name(answer, k);

        if (!(spread > 0.1 * width)) continue;
        fprintf(stderr,
                "assay: model \"%s\": equal distances leave the tree open, and their order moves "
                "the score by %.4f, over a tenth of its interval; see \"ties\"\n",
                assay_printable(safe, sizeof safe, name, strlen(name)), spread);
    }
}

void print_score_warnings(const struct score_answer *answer)
{
    warn_of_models(answer);
    warn(assay_prompts_n_repeated(answer->prompts), "prompt was there twice and is counted once",
         "prompts were there twice and are counted once");
    warn(assay_trials_n_unknown_items(answer->trials),
         "item of the results is no prompt and is left out",
         "items of the results are no prompts and are left out");
    if (score_has_other_prompts(answer))
        fputs(
            "assay: models were scored on different prompts; the table has them on those that all "
            "have\n",
            stderr);
    warn(assay_trials_n_unscored_prompts(answer->trials), "prompt has no score by any model",
         "prompts have no score by any model");
    warn(assay_vectors_n_zero(answer->vectors),
         "prompt has a zero vector: nothing in it to compare it by",
         "prompts have a zero vector: nothing in them to compare them by");
    if (answer->average.fit)
        warn(answer->average.n_embeddings * SCORE_N_LINKAGES - answer->average.n_trees,
             "tree of --average is left out: too many prompts for its linkage",
             "trees of --average are left out: too many prompts for their linkage");
    if (assay_trials_are_fractional(answer->trials))
        fputs("assay: some scores are neither 0 nor 1 and count as fractions of a success\n",
              stderr);
    if (answer->request->plot && score_is_by_turn(answer))
        fputs("assay: no map.svg: the largest of the turns' distances has no coordinates\n",
              stderr);
    warn_of_prior(answer);
    warn_of_ties(answer);
}
