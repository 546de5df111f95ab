/* SPDX-License-Identifier: Apache-2.0 */
#include "score/validation.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "score/hyper.h"
#include "score/posterior.h"
#include "score/predict.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What training prompts of one label, or all of them, amount to. */
typedef struct sums {
    double x, m;
} sums;

/* Everything a fold reads, and what it writes of each prompt it holds out. */
typedef struct work {
    assay_validation_options options;
    assay_own_prompts own;
    size_t *labels, *fold; /* of the own prompts; labels NULL: not known */
    size_t n_folds, n_labels;
    double *log_prior;
    unsigned char *trains; /* in the fold at hand */
    sums all, *of_label;   /* of its training prompts */
    double *log_terms;     /* room for n */
    double *error[ASSAY_VALIDATION_N_METHODS], *log_density[ASSAY_VALIDATION_N_METHODS];
} work;

static assay_status resolve_options(const assay_validation_options *given,
                                    assay_validation_options *options);
static assay_status start(work *w, const size_t *fold, size_t n_given);
static assay_status take_labels(work *w, const size_t *labels, size_t n_given);
static assay_status take_folds(work *w, const size_t *fold, size_t n_given);
static assay_status allocate(work *w);
static void finish(work *w);
static assay_status hold_out(work *w, size_t k, assay_validation *result);
static void train(work *w, size_t k);
static assay_status predict_by_trees(work *w);
static void predict_by_sums(work *w, size_t i);
static void predict_from_score(work *w, size_t i);
static void by_frequency(work *w, assay_validation_method method, size_t i, sums of);
static void put(work *w, assay_validation_method method, size_t i, double mean, double log_density);
static void summarise(const work *w, assay_validation *result);

static const char *const names[ASSAY_VALIDATION_N_METHODS] = {
    [ASSAY_VALIDATION_BHM_ESC] = "BHM-ESC",
    [ASSAY_VALIDATION_ONE_TOPIC] = "BAYES-S=1",
    [ASSAY_VALIDATION_EACH_ITS_OWN] = "BAYES-S=n",
    [ASSAY_VALIDATION_EACH_FROM_SCORE] = "BAYES-S=n(pbar)",
    [ASSAY_VALIDATION_ORACLE] = "ORACLE",
    [ASSAY_VALIDATION_FREQUENCY] = "FREQ-naive",
    [ASSAY_VALIDATION_FREQUENCY_ORACLE] = "FREQ-oracle",
    [ASSAY_VALIDATION_HYPER] = "BHM-ESC hyper",
};

assay_status assay_validate(const assay_dendrogram *tree, const double *x, const double *m,
                            const size_t *labels, const size_t *fold,
                            const assay_validation_options *options, assay_validation *out)
{
    work w = { 0 };
    assay_validation result = { 0 };
    assay_status status = resolve_options(options, &w.options);

    if (status == ASSAY_OK) status = assay_own_prompts_take(tree, x, m, &w.own);
    if (status == ASSAY_OK) status = take_labels(&w, labels, tree->n);
    if (status == ASSAY_OK) status = start(&w, fold, tree->n);
    for (size_t k = 0; status == ASSAY_OK && k < w.n_folds; k++) status = hold_out(&w, k, &result);
    if (status == ASSAY_OK) {
        result.n = w.own.n;
        result.stratified = labels && !fold;
        summarise(&w, &result);
        *out = result;
    }
    finish(&w);
    return status;
}

const char *assay_validation_name(assay_validation_method method)
{
    return (unsigned)method < ASSAY_VALIDATION_N_METHODS ? names[method] : "";
}

void assay_validation_options_init(assay_validation_options *options, size_t struct_size)
{
    const assay_validation_options defaults = {
        .struct_size = struct_size,
        .seed = 1,
        .n_folds = 5,
        .a = 1.0,
        .b = 1.0,
        .hyper = 1,
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_validation_options_check(const assay_validation_options *options)
{
    assay_validation_options resolved;

    return resolve_options(options, &resolved);
}

/* Defaults first, then as much of the caller's struct as it knew about when compiled. */
static assay_status resolve_options(const assay_validation_options *given,
                                    assay_validation_options *options)
{
    assay_status status;

    assay_validation_options_init(options, sizeof *options);
    status = assay_options_take("validation", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->n_folds < 2)
        return assay_fail(ASSAY_E_VALUE, "validation: n_folds is %zu, expected 2 or more",
                          options->n_folds);
    if (options->hyper != 0 && options->hyper != 1)
        return assay_fail(ASSAY_E_VALUE, "validation: hyper is %d, expected 0 or 1",
                          options->hyper);
    return assay_check_beta(options->a, options->b);
}

static assay_status start(work *w, const size_t *fold, size_t n_given)
{
    assay_status status = allocate(w);

    if (status == ASSAY_OK) status = assay_prior_log(&w->options.prior, w->own.n, w->log_prior);
    if (status != ASSAY_OK) return status;
    for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++)
        for (size_t i = 0; i < w->own.n; i++) w->error[k][i] = w->log_density[k][i] = NAN;
    if (fold) return take_folds(w, fold, n_given);
    w->n_folds = w->options.n_folds;
    return assay_validation_folds(w->labels, w->own.n, w->n_folds, w->options.seed, w->fold);
}

/* Numbered anew, by first appearance among the model's own prompts. */
static assay_status take_labels(work *w, const size_t *labels, size_t n_given)
{
    size_t *renamed = NULL;
    assay_status status = ASSAY_OK;

    if (!labels) return ASSAY_OK;
    renamed = assay_alloc(n_given, sizeof *renamed);
    w->labels = assay_alloc(w->own.n, sizeof *w->labels);
    if (!renamed || !w->labels)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the labels of %zu prompts", n_given);
    for (size_t i = 0; status == ASSAY_OK && i < n_given; i++) {
        renamed[i] = SIZE_MAX;
        if (labels[i] >= n_given)
            status = assay_fail(ASSAY_E_VALUE,
                                "validation: prompt %zu has label %zu, expected below %zu", i,
                                labels[i], n_given);
    }
    for (size_t j = 0; status == ASSAY_OK && j < w->own.n; j++) {
        size_t label = labels[w->own.kept[j]];

        if (renamed[label] == SIZE_MAX) renamed[label] = w->n_labels++;
        w->labels[j] = renamed[label];
    }
    free(renamed);
    return status;
}

static assay_status take_folds(work *w, const size_t *fold, size_t n_given)
{
    for (size_t j = 0; j < w->own.n; j++) {
        w->fold[j] = fold[w->own.kept[j]];
        if (w->fold[j] >= n_given)
            return assay_fail(ASSAY_E_VALUE,
                              "validation: prompt %zu is in fold %zu, expected below %zu",
                              w->own.kept[j], w->fold[j], n_given);
        if (w->fold[j] >= w->n_folds) w->n_folds = w->fold[j] + 1;
    }
    return ASSAY_OK;
}

static assay_status allocate(work *w)
{
    size_t n = w->own.n;
    int missing = 0;

    w->fold = assay_alloc(n, sizeof *w->fold);
    w->log_prior = assay_alloc(n, sizeof *w->log_prior);
    w->trains = assay_alloc(n, 1);
    w->of_label = assay_alloc(n, sizeof *w->of_label);
    w->log_terms = assay_alloc(n, sizeof *w->log_terms);
    for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++) {
        w->error[k] = assay_alloc(n, sizeof(double));
        w->log_density[k] = assay_alloc(n, sizeof(double));
        missing |= !w->error[k] || !w->log_density[k];
    }
    if (!missing && w->fold && w->log_prior && w->trains && w->of_label && w->log_terms)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_NOMEM, "no memory for the validation of %zu prompts", n);
}

static void finish(work *w)
{
    assay_own_prompts_free(&w->own);
    free(w->labels);
    free(w->fold);
    free(w->log_prior);
    free(w->trains);
    free(w->of_label);
    free(w->log_terms);
    for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++) {
        free(w->error[k]);
        free(w->log_density[k]);
    }
}

/* Fold k is predicted from all others. */
static assay_status hold_out(work *w, size_t k, assay_validation *result)
{
    const assay_progress *progress = &w->options.progress;
    size_t n_held = 0;
    assay_status status;

    for (size_t i = 0; i < w->own.n; i++) n_held += w->fold[i] == k;
    if (n_held == 0) return ASSAY_OK;
    if (n_held == w->own.n)
        return assay_fail(ASSAY_E_SHAPE,
                          "validation: all prompts are in one fold, expected 2 folds or more");
    if (progress->step &&
        progress->step(progress->user, "cross-validation", (double)k / (double)w->n_folds) != 0)
        return assay_fail(ASSAY_E_CANCELLED, "validation was cancelled");
    train(w, k);
    if ((status = predict_by_trees(w)) != ASSAY_OK) return status;
    for (size_t i = 0; i < w->own.n; i++) {
        if (w->trains[i]) continue;
        predict_by_sums(w, i);
        predict_from_score(w, i);
    }
    result->n_folds++;
    return ASSAY_OK;
}

static void train(work *w, size_t k)
{
    w->all = (sums){ 0.0, 0.0 };
    for (size_t c = 0; c < w->n_labels; c++) w->of_label[c] = (sums){ 0.0, 0.0 };
    for (size_t i = 0; i < w->own.n; i++) {
        sums *label = w->labels ? &w->of_label[w->labels[i]] : NULL;

        w->trains[i] = w->fold[i] != k;
        if (!w->trains[i]) continue;
        w->all.x += w->own.x[i];
        w->all.m += w->own.m[i];
        if (!label) continue;
        label->x += w->own.x[i];
        label->m += w->own.m[i];
    }
}

/* The tree is over all prompts; those held out are in it without outcomes. */
static assay_status predict_by_trees(work *w)
{
    const assay_outcomes outcomes = { w->own.x, w->own.m, w->trains };
    const assay_score_prior prior = { w->log_prior, w->options.a, w->options.b };
    assay_posterior *posterior = NULL;
    assay_hyper hyper = { 0 };
    assay_status status = assay_posterior_new(w->own.tree, outcomes, prior, &posterior);

    if (status == ASSAY_OK && w->options.hyper)
        status = assay_hyper_new(w->own.tree, outcomes, w->log_prior, &hyper);
    for (size_t i = 0; status == ASSAY_OK && i < w->own.n; i++) {
        double x = w->own.x[i], m = w->own.m[i];

        if (w->trains[i]) continue;
        put(w, ASSAY_VALIDATION_BHM_ESC, i, assay_prompt_rate(posterior, i).mean,
            assay_prompt_log_density(posterior, i, x, m));
        if (w->options.hyper)
            put(w, ASSAY_VALIDATION_HYPER, i, assay_average_prompt_rate(hyper.average, i).mean,
                assay_average_prompt_log_density(hyper.average, i, x, m));
    }
    assay_hyper_free(&hyper);
    assay_posterior_free(posterior);
    return status;
}

static void predict_by_sums(work *w, size_t i)
{
    double a = w->options.a, b = w->options.b, x = w->own.x[i], m = w->own.m[i];
    double all_a = a + w->all.x, all_b = b + (w->all.m - w->all.x);

    put(w, ASSAY_VALIDATION_ONE_TOPIC, i, all_a / (all_a + all_b),
        assay_log_beta_binomial(x, m, all_a, all_b));
    put(w, ASSAY_VALIDATION_EACH_ITS_OWN, i, a / (a + b), assay_log_beta_binomial(x, m, a, b));
    by_frequency(w, ASSAY_VALIDATION_FREQUENCY, i, w->all);
    if (w->labels) {
        sums own = w->of_label[w->labels[i]];
        double own_a = a + own.x, own_b = b + (own.m - own.x);

        put(w, ASSAY_VALIDATION_ORACLE, i, own_a / (own_a + own_b),
            assay_log_beta_binomial(x, m, own_a, own_b));
        by_frequency(w, ASSAY_VALIDATION_FREQUENCY_ORACLE, i, own.m > 0.0 ? own : w->all);
    }
}

/* The score as reading A has it when each prompt is a topic: an equal mixture of their rates. */
static void predict_from_score(work *w, size_t i)
{
    double a = w->options.a, b = w->options.b, mean = 0.0;
    size_t n = 0;

    for (size_t j = 0; j < w->own.n; j++) {
        double own_a = a + w->own.x[j], own_b = b + (w->own.m[j] - w->own.x[j]);

        if (!w->trains[j]) continue;
        mean += own_a / (own_a + own_b);
        w->log_terms[n++] = assay_log_beta_binomial(w->own.x[i], w->own.m[i], own_a, own_b);
    }
    put(w, ASSAY_VALIDATION_EACH_FROM_SCORE, i, mean / (double)n,
        assay_log_sum_exp(w->log_terms, n) - log((double)n));
}

static void by_frequency(work *w, assay_validation_method method, size_t i, sums of)
{
    const double least = 1e-12; /* a plain 0 or 1 would make one surprise infinitely bad */
    double x = w->own.x[i], m = w->own.m[i], rate = of.x / of.m;
    double p = fmin(fmax(rate, least), 1.0 - least);

    put(w, method, i, rate, assay_log_choose(m, x) + x * log(p) + (m - x) * log1p(-p));
}

static void put(work *w, assay_validation_method method, size_t i, double mean, double log_density)
{
    w->error[method][i] = fabs(w->own.x[i] - w->own.m[i] * mean);
    w->log_density[method][i] = log_density;
}

static void summarise(const work *w, assay_validation *result)
{
    double n = (double)w->own.n;

    for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++) {
        assay_validation_score *score = &result->method[k];
        double squares = 0.0;

        for (size_t i = 0; i < w->own.n; i++) {
            score->mae += w->error[k][i] / n;
            score->elpd += w->log_density[k][i];
        }
        for (size_t i = 0; i < w->own.n; i++) {
            double away = w->log_density[k][i] - score->elpd / n;
            squares += away * away;
        }
        score->elpd_se = sqrt(n * squares / (n - 1.0));
    }
}
