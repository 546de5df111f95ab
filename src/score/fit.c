/* SPDX-License-Identifier: Apache-2.0 */
#include "score/fit.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_status resolve_options(const assay_score_options *given, assay_score_options *options);
static assay_status check_outcomes(const double *x, const double *m, size_t n_models, size_t n);
static assay_status check_trees(const assay_score_options *options, size_t n);
static assay_status join(const assay_dendrogram *tree, const double *x, const double *m,
                         const assay_score_options *options, assay_score *fit);
static void joint_moments(assay_score *fit);

assay_status assay_score_fit(const assay_dendrogram *tree, size_t n_models, const double *x,
                             const double *m, const assay_score_options *options, assay_score **out)
{
    assay_score_options opt;
    assay_score *fit = NULL;
    assay_status status;

    *out = NULL;
    if ((status = resolve_options(options, &opt)) != ASSAY_OK) goto done;
    if ((status = check_outcomes(x, m, n_models, tree->n)) != ASSAY_OK) goto done;
    if ((status = check_trees(&opt, tree->n)) != ASSAY_OK) goto done;
    fit = assay_alloc_zero(1, sizeof *fit);
    if (fit) fit->models = assay_alloc_zero(n_models, sizeof *fit->models);
    if (!fit || !fit->models) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the scores of %zu models", n_models);
        goto done;
    }
    fit->n = tree->n;
    fit->n_models = n_models;
    for (size_t k = 0; k < n_models; k++) {
        double done = (double)k / (double)n_models;
        if (opt.progress.step && opt.progress.step(opt.progress.user, "score", done) != 0) {
            status = assay_fail(ASSAY_E_CANCELLED, "cancelled in score");
            goto done;
        }
        status =
            assay_score_model_fit(tree, x + k * tree->n, m + k * tree->n, &opt, &fit->models[k]);
        if (status != ASSAY_OK) goto done;
    }
    if ((status = join(tree, x, m, &opt, fit)) != ASSAY_OK) goto done;
    *out = fit;
    fit = NULL;
done:
    assay_score_free(fit);
    return status;
}

void assay_score_free(assay_score *fit)
{
    if (!fit) return;
    for (size_t k = 0; k < fit->n_models; k++) assay_score_model_free(&fit->models[k]);
    free(fit->models);
    free(fit->joint_post);
    free(fit->joint_log_prior);
    free(fit);
}

void assay_score_options_init(assay_score_options *options, size_t struct_size)
{
    const assay_score_options defaults = {
        .struct_size = struct_size,
        .level = 0.95,
        .a = 1.0,
        .b = 1.0,
        .hyper = -1,
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_score_options_check(const assay_score_options *options)
{
    assay_score_options resolved;

    return resolve_options(options, &resolved);
}

static assay_status resolve_options(const assay_score_options *given, assay_score_options *options)
{
    double log_prior;
    assay_status status;

    assay_score_options_init(options, sizeof *options);
    status = assay_options_take("score", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (!(options->level > 0.0 && options->level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "score: level is %g, expected between 0 and 1",
                          options->level);
    if (!(options->a > 0.0 && options->b > 0.0 && options->a + options->b <= 1e9))
        return assay_fail(ASSAY_E_VALUE, "score: Beta(%g, %g), expected both above 0", options->a,
                          options->b);
    if (options->hyper < -1 || options->hyper > 1)
        return assay_fail(ASSAY_E_VALUE, "score: hyper is %d, expected -1, 0 or 1", options->hyper);
    /* A prior may be sound and yet leave nothing possible for one prompt. */
    status = assay_prior_log(&options->prior, 1, &log_prior);
    return status == ASSAY_E_DEGENERATE ? ASSAY_OK : status;
}

static int is_missing(double x, double m)
{
    return isnan(x) || isnan(m) || m == 0.0;
}

static assay_status check_outcomes(const double *x, const double *m, size_t n_models, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    size_t bad = SIZE_MAX;

    if (n_models == 0) return assay_fail(ASSAY_E_SHAPE, "score: there is no model");
    for (size_t k = 0; k < n_models * n; k++) {
        if (is_missing(x[k], m[k])) continue;
        if (!(m[k] > 0.0 && m[k] <= 1e12))
            return assay_fail(ASSAY_E_VALUE, "score: %g runs of prompt %zu, model %zu", m[k], k % n,
                              k / n);
        least = fmin(least, x[k] / m[k]);
        most = fmax(most, x[k] / m[k]);
        if (!(x[k] >= 0.0 && x[k] <= m[k]) && bad == SIZE_MAX) bad = k;
    }
    if (bad == SIZE_MAX) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE,
                      "score: model %zu has %g of %g on prompt %zu; expected scores from 0 to 1, "
                      "they range from %g to %g",
                      bad / n, x[bad], m[bad], bad % n, least, most);
}

static assay_status check_trees(const assay_score_options *options, size_t n)
{
    for (size_t k = 0; k < options->n_trees; k++)
        if (options->trees[k]->n != n)
            return assay_fail(ASSAY_E_SHAPE, "score: tree %zu is over %zu prompts, expected %zu", k,
                              options->trees[k]->n, n);
    return ASSAY_OK;
}

/* The tree of the prompts that any model has: a prompt that none has is no evidence of a topic. */
static assay_status prune_to_any(const assay_dendrogram *tree, assay_score *fit, size_t **kept,
                                 assay_dendrogram **out)
{
    unsigned char *any = assay_alloc_zero(fit->n, 1);
    assay_status status = ASSAY_OK;

    *kept = assay_alloc(fit->n, sizeof **kept);
    if (!any || !*kept) status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu prompts", fit->n);
    for (size_t i = 0; i < fit->n && status == ASSAY_OK; i++) {
        for (size_t k = 0; k < fit->n_models; k++) any[i] |= fit->models[k].has[i];
        fit->joint_n += any[i];
    }
    if (status == ASSAY_OK) status = assay_dendrogram_prune(tree, any, *kept, out);
    free(any);
    return status;
}

/* Add a model's ln p(x|S) on the tree of those prompts; where it lacks one it adds no data. */
static assay_status add_model(const assay_dendrogram *tree, const size_t *kept, const double *x,
                              const double *m, const assay_score_options *options,
                              const assay_score_model *model, double *room, double *sum)
{
    size_t n = tree->n;
    double *own_x = room, *own_m = room + n, *curve = room + 2 * n;
    unsigned char *has = assay_alloc(n, 1);
    assay_status status;

    if (!has) return assay_fail(ASSAY_E_NOMEM, "no memory for the topics of %zu prompts", n);
    for (size_t j = 0; j < n; j++) {
        own_x[j] = x[kept[j]];
        own_m[j] = m[kept[j]];
        has[j] = model->has[kept[j]];
    }
    status = assay_likelihood_curve(tree, (assay_outcomes){ own_x, own_m, has }, options->a,
                                    options->b, curve);
    for (size_t s = 0; s < n && status == ASSAY_OK; s++) sum[s] += curve[s];
    free(has);
    return status;
}

/* pi(S|all) over the prompts that any model has. */
static assay_status join(const assay_dendrogram *whole, const double *x, const double *m,
                         const assay_score_options *options, assay_score *fit)
{
    assay_dendrogram *tree = NULL;
    size_t *kept = NULL, n;
    double *sum, *room = NULL;
    assay_status status = prune_to_any(whole, fit, &kept, &tree);

    if (status != ASSAY_OK) goto done;
    n = fit->joint_n;
    room = assay_alloc(n, 3 * sizeof *room);
    fit->joint_log_prior = assay_alloc(n, sizeof *sum);
    fit->joint_post = sum = assay_alloc_zero(n, sizeof *sum);
    if (!room || !sum || !fit->joint_log_prior) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the topics of %zu prompts", n);
        goto done;
    }
    status = assay_prior_log(&options->prior, n, fit->joint_log_prior);
    for (size_t k = 0; k < fit->n_models && status == ASSAY_OK; k++)
        status = add_model(tree, kept, x + k * fit->n, m + k * fit->n, options, &fit->models[k],
                           room, sum);
    if (status != ASSAY_OK) goto done;
    fit->joint[ASSAY_SCORE_JOINT_LOG_EVIDENCE] =
        assay_normalise_curve(sum, fit->joint_log_prior, n, fit->joint_post);
    joint_moments(fit);
done:
    assay_dendrogram_free(tree);
    free(kept);
    free(room);
    return status;
}

static void joint_moments(assay_score *fit)
{
    double below = 0.0, *joint = fit->joint, largest = -1.0;

    joint[ASSAY_SCORE_JOINT_LEAST] = INFINITY;
    for (size_t s = 0; s < fit->joint_n; s++) {
        double p = fit->joint_post[s], S = (double)(s + 1);

        if (p > largest) joint[ASSAY_SCORE_JOINT_TOPICS_MAP] = S;
        largest = fmax(largest, p);
        joint[ASSAY_SCORE_JOINT_TOPICS] += p * S;
        if (below < 0.025 && below + p >= 0.025) joint[ASSAY_SCORE_JOINT_TOPICS_LOW] = S;
        if (below < 0.975 && below + p >= 0.975) joint[ASSAY_SCORE_JOINT_TOPICS_HIGH] = S;
        below += p;
    }
    for (size_t k = 0; k < fit->n_models; k++) {
        double own = fit->models[k].value[ASSAY_SCORE_TOPICS];
        joint[ASSAY_SCORE_JOINT_LEAST] = fmin(joint[ASSAY_SCORE_JOINT_LEAST], own);
        joint[ASSAY_SCORE_JOINT_MOST] = fmax(joint[ASSAY_SCORE_JOINT_MOST], own);
    }
}
