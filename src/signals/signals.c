/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/signals.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "signals/centred.h"
#include "signals/dimension.h"
#include "signals/gram.h"
#include "signals/jackknife.h"
#include "signals/null.h"
#include "stats/distributions.h"
#include "stats/linalg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct assay_signals {
    double value[ASSAY_SIGNALS_N_NUMBERS];
    const char *reason[ASSAY_SIGNALS_N_NUMBERS];
    double *spectrum, *null_q95;
    size_t n_spectrum, n_null;
};

static const char too_few_models[] = "needs 4 models or more";
static const char no_variation[] =
    "leaving out one model or another makes no difference, or leaves none";
static const char undefined[] = "the scores differ too little for their size";
static const char nothing_left[] = "nothing varies once these means are taken out";
static const char no_permutations[] = "no permutations were asked for";
static const char too_large[] = "the matrix is too large for 100 permutations by default; "
                                "ask for a number of them";

/* What every step reads: the options in force, Z, its Gram matrix and the moments of that. */
struct work {
    assay_signals_options options;
    int threads;
    assay_centred z;
    double *gram, *row_squares;
    assay_moments moments;
};

static assay_status resolve_options(const assay_signals_options *given,
                                    assay_signals_options *options);
static assay_status start(const assay_matrix *matrix, const assay_signals_options *options,
                          struct work *work);
static void finish(struct work *work);
static assay_status make_gram(struct work *work);
static assay_status dimensions(struct work *work, assay_signals *fit);
static assay_status interval(struct work *work, assay_signals *fit);
static assay_status standardised(struct work *work, assay_signals *fit);
static assay_status spectrum(struct work *work, assay_signals *fit);
static assay_status nulls(struct work *work, assay_signals *fit);
static void in_score_units(const struct work *work, assay_signals *fit);
static assay_status report(const struct work *work, const char *stage, double fraction);

assay_status assay_signals_fit(const assay_matrix *matrix, const assay_signals_options *options,
                               assay_signals **out)
{
    struct work work = { 0 };
    assay_signals *fit = NULL;
    assay_status status;

    *out = NULL;
    if ((status = start(matrix, options, &work)) != ASSAY_OK) goto done;
    fit = assay_alloc_zero(1, sizeof *fit);
    if (!fit) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the signals of a matrix");
        goto done;
    }
    if ((status = make_gram(&work)) != ASSAY_OK) goto done;
    if ((status = dimensions(&work, fit)) != ASSAY_OK) goto done;
    if ((status = interval(&work, fit)) != ASSAY_OK) goto done;
    if ((status = spectrum(&work, fit)) != ASSAY_OK) goto done;
    if ((status = standardised(&work, fit)) != ASSAY_OK) goto done;
    if ((status = nulls(&work, fit)) != ASSAY_OK) goto done;
    in_score_units(&work, fit);
    *out = fit;
    fit = NULL;
done:
    finish(&work);
    assay_signals_free(fit);
    return status;
}

assay_status assay_effective_dimensions(const assay_matrix *matrix, int threads,
                                        assay_dimensions *out)
{
    struct work work = { 0 };
    assay_signals_options options;
    assay_three_moments moments;
    assay_status status;

    assay_signals_options_init(&options, sizeof options);
    options.threads = threads;
    if ((status = start(matrix, &options, &work)) != ASSAY_OK) goto done;
    if ((status = make_gram(&work)) != ASSAY_OK) goto done;
    status = assay_centring_moments(&work.z, work.gram, work.moments, work.threads, &moments);
    if (status != ASSAY_OK) goto done;
    out->task = assay_participation_ratio(moments.task);
    out->model = assay_participation_ratio(moments.model);
    out->both = assay_participation_ratio(moments.both);
done:
    finish(&work);
    return status;
}

assay_status assay_signals_options_check(const assay_signals_options *options)
{
    assay_signals_options resolved;

    return resolve_options(options, &resolved);
}

void assay_signals_options_init(assay_signals_options *options, size_t struct_size)
{
    const assay_signals_options defaults = {
        .struct_size = struct_size,
        .seed = 1,
        .level = 0.95,
        .permutations = -1,
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

/* Defaults first, then as much of the caller's struct as it knew about when compiled. */
static assay_status resolve_options(const assay_signals_options *given,
                                    assay_signals_options *options)
{
    assay_status status;

    assay_signals_options_init(options, sizeof *options);
    status = assay_options_take("signals", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (!(options->level > 0.0 && options->level < 1.0))
        return assay_fail(ASSAY_E_VALUE, "signals: level is %g, expected between 0 and 1",
                          options->level);
    if (options->permutations < -1 || options->permutations > 10000000)
        return assay_fail(ASSAY_E_VALUE, "signals: permutations is %lld, expected -1 to 10000000",
                          (long long)options->permutations);
    if (options->most_permutations < 0 || options->most_permutations > 10000000)
        return assay_fail(ASSAY_E_VALUE,
                          "signals: most_permutations is %lld, expected 0 to 10000000",
                          (long long)options->most_permutations);
    if (options->threads < 0 || options->threads > 1024)
        return assay_fail(ASSAY_E_VALUE, "signals: threads is %d, expected 0 to 1024",
                          options->threads);
    return ASSAY_OK;
}

static assay_status start(const assay_matrix *matrix, const assay_signals_options *options,
                          struct work *work)
{
    assay_status status = resolve_options(options, &work->options);

    /* Threads are counted first: an OpenBLAS that is made with OpenMP shares its setting. */
    if (status == ASSAY_OK) work->threads = assay_threads(work->options.threads);
    assay_blas_hold();
    if (status != ASSAY_OK) return status;
    if (matrix->n_models < 2)
        return assay_fail(ASSAY_E_SHAPE,
                          "signals needs 2 models or more to see differences between them, got %zu",
                          matrix->n_models);
    if ((status = report(work, "dimension", 0.0)) != ASSAY_OK) return status;
    if ((status = assay_centred_new(matrix, &work->z)) != ASSAY_OK) return status;
    if (work->z.n_constant == work->z.n_items)
        return assay_fail(
            ASSAY_E_DEGENERATE,
            "all %zu items have one score for every model: there is no signal to count",
            work->z.n_items);
    return ASSAY_OK;
}

static void finish(struct work *work)
{
    assay_blas_release();
    assay_centred_free(&work->z);
    free(work->gram);
    free(work->row_squares);
}

static assay_status report(const struct work *work, const char *stage, double fraction)
{
    const assay_progress *progress = &work->options.progress;

    if (progress->step && progress->step(progress->user, stage, fraction) != 0)
        return assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", stage);
    return ASSAY_OK;
}

static assay_status make_gram(struct work *work)
{
    size_t n = work->z.n_rows;
    assay_status status;

    if (n <= SIZE_MAX / n) work->gram = assay_alloc_aligned(n * n, sizeof(double));
    work->row_squares = assay_alloc_aligned(n, sizeof(double));
    if (!work->gram || !work->row_squares)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a Gram matrix of %zu rows", n);
    status = assay_gram(&work->z, (assay_change){ 0 }, work->threads, work->gram);
    if (status != ASSAY_OK) return status;
    work->moments = assay_gram_moments(work->gram, n, work->threads, work->row_squares);
    return report(work, "dimension", 1.0);
}

/* ---- steps, in the order of the fit ---- */

static void set(assay_signals *fit, assay_signals_number number, double value, const char *reason)
{
    fit->value[number] = value;
    fit->reason[number] = isnan(value) ? reason : NULL;
}

static assay_status dimensions(struct work *work, assay_signals *fit)
{
    assay_three_moments moments;
    assay_status status =
        assay_centring_moments(&work->z, work->gram, work->moments, work->threads, &moments);

    if (status != ASSAY_OK) return status;
    set(fit, ASSAY_SIGNALS_ED_TASK, assay_participation_ratio(moments.task), nothing_left);
    set(fit, ASSAY_SIGNALS_ED_MODEL, assay_participation_ratio(moments.model), nothing_left);
    set(fit, ASSAY_SIGNALS_ED_DOUBLE, assay_participation_ratio(moments.both), nothing_left);
    set(fit, ASSAY_SIGNALS_CONSTANT_ITEMS, (double)work->z.n_constant, NULL);
    return ASSAY_OK;
}

/* Delete-one jackknife on log ED, Student's t. Three models leave two, whose ED is always 1; and
   where every model leaves the same, the variance says nothing. ED itself is never below 1. */
static assay_status interval(struct work *work, assay_signals *fit)
{
    size_t n = work->z.n_models;
    size_t most = n - 1 < work->z.n_items ? n - 1 : work->z.n_items;
    double ed = fit->value[ASSAY_SIGNALS_ED_TASK], reach, se;
    double *ratio = assay_alloc(n, sizeof *ratio);
    const char *reason = n < 4 ? too_few_models : no_variation;
    assay_status status;

    if (!ratio) return assay_fail(ASSAY_E_NOMEM, "no memory for a jackknife of %zu models", n);
    status = assay_leave_one_out(&work->z, work->gram, work->moments, work->row_squares,
                                 work->threads, ratio);
    se = status == ASSAY_OK ? assay_jackknife_log_se(ratio, n) : NAN;
    free(ratio);
    if (status != ASSAY_OK) return status;
    reach = -se * assay_student_quantile(0.5 - 0.5 * work->options.level, (double)(n - 1));
    if (n < 4 || !(se > 1e-12)) reach = NAN; /* the rounding of logarithms */
    set(fit, ASSAY_SIGNALS_ED_LOW, isnan(reach) ? NAN : fmax(ed * exp(-reach), 1.0), reason);
    set(fit, ASSAY_SIGNALS_ED_HIGH, isnan(reach) ? NAN : fmin(ed * exp(reach), (double)most),
        reason);
    return ASSAY_OK;
}

/* The Gram matrix is not needed after this: LAPACK works in its place. */
static assay_status spectrum(struct work *work, assay_signals *fit)
{
    size_t n = work->z.n_rows, kaiser = 0;
    assay_eigen_space space;
    assay_status status = report(work, "spectrum", 0.0);

    if (status != ASSAY_OK) return status;
    fit->spectrum = assay_alloc_aligned(n, sizeof(double));
    if (!fit->spectrum) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu eigenvalues", n);
    if ((status = assay_eigen_space_new(n, &space)) != ASSAY_OK) return status;
    status = assay_eigenvalues(work->gram, &space, fit->spectrum);
    assay_eigen_space_free(&space);
    if (status == ASSAY_OK) status = report(work, "spectrum", 1.0);
    if (status != ASSAY_OK) return status;
    fit->n_spectrum = n;
    for (size_t i = 0; i < n; i++) {
        if (fit->spectrum[i] < 0.0) fit->spectrum[i] = 0.0; /* rounding; a Gram matrix has none */
        if (fit->spectrum[i] > work->moments.trace / (double)n) kaiser++;
    }
    set(fit, ASSAY_SIGNALS_PC1_SHARE, fit->spectrum[0] / work->moments.trace, undefined);
    set(fit, ASSAY_SIGNALS_KAISER, (double)kaiser, NULL);
    return ASSAY_OK;
}

/* Every non-constant item scaled to variance 1: 1 / s_t, with s_t^2 = d_t / N. */
static assay_status standardised(struct work *work, assay_signals *fit)
{
    const assay_centred *z = &work->z;
    double *scale = assay_alloc_aligned(z->n_items, sizeof *scale);
    assay_moments moments;
    assay_status status = ASSAY_E_NOMEM;

    if (!scale)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the scales of %zu items", z->n_items);
    for (size_t t = 0; t < z->n_items; t++)
        if (z->item_squares[t] > 0.0) scale[t] = sqrt((double)z->n_models / z->item_squares[t]);
    memset(work->gram, 0, z->n_rows * z->n_rows * sizeof(double));
    status = assay_gram(z, (assay_change){ .item_scale = scale }, work->threads, work->gram);
    free(scale);
    if (status != ASSAY_OK) return status;
    moments = assay_gram_moments(work->gram, z->n_rows, work->threads, work->row_squares);
    set(fit, ASSAY_SIGNALS_ED_STANDARDISED, assay_participation_ratio(moments), nothing_left);
    return ASSAY_OK;
}

/* How many leading eigenvalues exceed their null's quantile; numerically zero ones never count. */
static size_t parallel_analysis(const struct work *work, const assay_signals *fit)
{
    double zero = fit->spectrum[0] * DBL_EPSILON *
                  (double)(work->z.n_rows > work->z.n_columns ? work->z.n_rows : work->z.n_columns);
    size_t n = 0;

    while (n < fit->n_spectrum && fit->spectrum[n] > zero && fit->spectrum[n] > fit->null_q95[n])
        n++;
    return n;
}

static size_t by_size(const assay_signals_options *options, const assay_centred *z)
{
    size_t n = assay_permutations_affordable(z), most = (size_t)options->most_permutations;

    return most && most < n ? most : n;
}

static assay_status nulls(struct work *work, assay_signals *fit)
{
    const assay_centred *z = &work->z;
    int64_t asked = work->options.permutations;
    size_t n = asked < 0 ? by_size(&work->options, z) : (size_t)asked;
    const char *reason = asked == 0 ? no_permutations : n == 0 ? too_large : "needs 2 permutations";
    double noise = assay_marchenko_pastur(z->n_models, z->n_items);
    double at_mean = assay_permutation_ed_at_mean(z);
    assay_permutation_null null;
    assay_status status = assay_permutation_null_new(z, n, work->options.seed, work->threads,
                                                     work->options.progress, &null);

    if (status != ASSAY_OK) {
        free(null.q95);
        return status;
    }
    fit->null_q95 = null.q95;
    fit->n_null = n ? z->n_rows : 0;
    set(fit, ASSAY_SIGNALS_MARCHENKO_PASTUR, noise, NULL);
    set(fit, ASSAY_SIGNALS_ED_OVER_NULL, fit->value[ASSAY_SIGNALS_ED_TASK] / noise, undefined);
    set(fit, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN, at_mean, undefined);
    set(fit, ASSAY_SIGNALS_ED_OVER_PERMUTATION, fit->value[ASSAY_SIGNALS_ED_TASK] / at_mean,
        undefined);
    set(fit, ASSAY_SIGNALS_PERMUTATIONS, (double)n, NULL);
    set(fit, ASSAY_SIGNALS_PERMUTATION_MEAN, null.mean_ed, reason);
    set(fit, ASSAY_SIGNALS_PERMUTATION_MEAN_SE, null.mean_ed_se, reason);
    set(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS, n ? (double)parallel_analysis(work, fit) : NAN,
        reason);
    return ASSAY_OK;
}

/* Z was divided by a power of 2; eigenvalues are squares of scores. */
static void in_score_units(const struct work *work, assay_signals *fit)
{
    double square = work->z.unit * work->z.unit;

    for (size_t i = 0; i < fit->n_spectrum; i++) fit->spectrum[i] *= square;
    for (size_t i = 0; i < fit->n_null; i++) fit->null_q95[i] *= square;
}

/* ---- getters ---- */

double assay_signals_value(const assay_signals *fit, assay_signals_number number)
{
    return (unsigned)number < ASSAY_SIGNALS_N_NUMBERS ? fit->value[number] : NAN;
}

const char *assay_signals_reason(const assay_signals *fit, assay_signals_number number)
{
    if ((unsigned)number >= ASSAY_SIGNALS_N_NUMBERS) return "there is no such number";
    return fit->reason[number];
}

const double *assay_signals_spectrum(const assay_signals *fit, size_t *n)
{
    *n = fit->n_spectrum;
    return fit->spectrum;
}

const double *assay_signals_null_q95(const assay_signals *fit, size_t *n)
{
    *n = fit->n_null;
    return fit->null_q95;
}

void assay_signals_free(assay_signals *fit)
{
    if (!fit) return;
    free(fit->spectrum);
    free(fit->null_q95);
    free(fit);
}
