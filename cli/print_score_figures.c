/* SPDX-License-Identifier: Apache-2.0 */
#include "print_score.h"
#include "session.h"

#include <assay/plot.h>
#include <stdlib.h>

static const double *joint_topics(const struct score_answer *answer)
{
    size_t n;

    return assay_score_topics(answer->fit, SIZE_MAX, &n);
}

assay_status print_score_similarity(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    return assay_plot_similarity(answer->vectors, answer->tree, "How alike the prompts are", to);
}

assay_status print_score_together(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    return assay_plot_together(answer->tree, joint_topics(answer), "Which prompts are one topic",
                               to);
}

assay_status print_score_tree(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    return assay_plot_tree(answer->tree, joint_topics(answer), "From prompts to topics", to);
}

assay_status print_score_map(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    return assay_plot_map(answer->vectors, answer->topics, "Map of the prompts", to);
}

assay_status print_score_densities(FILE *to, const void *data)
{
    const struct score_answer *answer = data;
    size_t n = assay_trials_n_models(answer->trials);
    const char **names = malloc(n * sizeof *names);

    if (!names) return cli_no_memory();
    for (size_t k = 0; k < n; k++) names[k] = score_model_name(answer, k);
    assay_plot_scores(answer->fit, names, "Posterior of the scores", to);
    free(names);
    return ASSAY_OK;
}
