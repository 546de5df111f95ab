/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay score` says of each prompt and model, as CSV. */
#include "print_score.h"

static void print_prompt(FILE *to, const struct score_answer *answer, size_t k, size_t i)
{
    double hit = answer->request->hit;

    print_score_field(to, score_model_name(answer, k));
    putc(',', to);
    print_score_field(to, assay_prompts_id(answer->prompts, i));
    fprintf(to, ",%.17g,%.17g,%.17g,%.17g", score_successes(answer, k)[i], score_runs(answer, k)[i],
            assay_score_prompt_mean(answer->fit, k, i), assay_score_prompt_sd(answer->fit, k, i));
    if (hit > 0.0) fprintf(to, ",%.17g", assay_score_prompt_hit(answer->fit, k, i, hit));
    putc('\n', to);
}

assay_status print_score_prompts(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    fputs("model,item,successes,trials,mean,sd", to);
    if (answer->request->hit > 0.0) fprintf(to, ",hit_%.17g", answer->request->hit);
    putc('\n', to);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t n, k = answer->order[j];
        const size_t *own = assay_score_prompts(answer->fit, k, &n);

        for (size_t i = 0; i < n; i++) print_prompt(to, answer, k, own[i]);
    }
    return ASSAY_OK;
}
