/* SPDX-License-Identifier: Apache-2.0 */
#include "score/fit.h"

#include "core/error.h"
#include "score/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t assay_score_n_models(const assay_score *fit)
{
    return fit->n_models;
}

double assay_score_value(const assay_score *fit, size_t model, assay_score_number number)
{
    return (unsigned)number < ASSAY_SCORE_N_NUMBERS ? fit->models[model].value[number] : NAN;
}

const char *assay_score_reason(const assay_score *fit, size_t model, assay_score_number number)
{
    return (unsigned)number < ASSAY_SCORE_N_NUMBERS ? fit->models[model].reason[number] : NULL;
}

double assay_score_joint(const assay_score *fit, assay_score_joint_number number)
{
    return (unsigned)number < ASSAY_SCORE_JOINT_N_NUMBERS ? fit->joint[number] : NAN;
}

const double *assay_score_topics(const assay_score *fit, size_t model, size_t *n)
{
    *n = model == SIZE_MAX ? fit->joint_n : fit->models[model].n;
    return model == SIZE_MAX ? fit->joint_post : fit->models[model].posterior->post;
}

const double *assay_score_topics_log_prior(const assay_score *fit, size_t model, size_t *n)
{
    *n = model == SIZE_MAX ? fit->joint_n : fit->models[model].n;
    return model == SIZE_MAX ? fit->joint_log_prior : fit->models[model].log_prior;
}

const size_t *assay_score_prompts(const assay_score *fit, size_t model, size_t *n)
{
    *n = fit->models[model].n;
    return fit->models[model].kept;
}

/* Where prompt i of the input is among the model's own, or SIZE_MAX. */
static size_t place(const assay_score *fit, size_t model, size_t i)
{
    const assay_score_model *of = &fit->models[model];
    size_t low = 0, high = of->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->kept[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->n && of->kept[low] == i ? low : SIZE_MAX;
}

double assay_score_prompt_mean(const assay_score *fit, size_t model, size_t i)
{
    size_t at = place(fit, model, i);

    return at == SIZE_MAX ? NAN : assay_prompt_rate(fit->models[model].posterior, at).mean;
}

double assay_score_prompt_sd(const assay_score *fit, size_t model, size_t i)
{
    size_t at = place(fit, model, i);

    return at == SIZE_MAX ? NAN
                          : sqrt(assay_prompt_rate(fit->models[model].posterior, at).variance);
}

double assay_score_prompt_hit(const assay_score *fit, size_t model, size_t i, double k)
{
    size_t at = place(fit, model, i);

    return at == SIZE_MAX ? NAN : assay_hit_at_k(fit->models[model].posterior, at, k);
}

double assay_score_hit(const assay_score *fit, size_t model, double k)
{
    return assay_hit_at_k(fit->models[model].posterior, SIZE_MAX, k);
}

double assay_score_prompt_log_density(const assay_score *fit, size_t model, size_t i, double x,
                                      double m)
{
    size_t at = place(fit, model, i);

    return at == SIZE_MAX ? NAN : assay_prompt_log_density(fit->models[model].posterior, at, x, m);
}

double assay_score_new_topic_log_density(const assay_score *fit, size_t model, double x, double m)
{
    return assay_new_topic_log_density(fit->models[model].posterior, x, m);
}

double assay_score_cdf(const assay_score *fit, size_t model, assay_reading reading, double q)
{
    return (unsigned)reading > 2 ? NAN : assay_mixture_cdf(&fit->models[model].reading[reading], q);
}

double assay_score_density(const assay_score *fit, size_t model, assay_reading reading, double q)
{
    return (unsigned)reading > 2 ? NAN
                                 : assay_mixture_density(&fit->models[model].reading[reading], q);
}

assay_status assay_score_hpd(const assay_score *fit, size_t model, assay_reading reading,
                             double level, double (*bounds)[2], size_t capacity, size_t *n)
{
    assay_hpd set;
    assay_status status;

    *n = 0;
    if (!(level > 0.0 && level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "score: level is %g, expected between 0 and 1", level);
    if ((unsigned)reading > 2)
        return assay_fail(ASSAY_E_VALUE, "score: reading %d is not known", (int)reading);
    status = assay_mixture_hpd(&fit->models[model].reading[reading], level, &set);
    if (status != ASSAY_OK) return status;
    *n = set.n;
    memcpy(bounds, set.bounds, (set.n < capacity ? set.n : capacity) * sizeof *bounds);
    free(set.bounds);
    if (set.n <= capacity) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE, "score: the set of highest density has %zu intervals", set.n);
}

assay_status assay_score_similarity(const assay_score *fit, size_t model, double *similarity)
{
    return assay_posterior_similarity(fit->models[model].posterior, fit->models[model].tree,
                                      similarity);
}
