/* SPDX-License-Identifier: Apache-2.0 */
/* How ED grows with the number of items, or of models, and where it would end. Method:
   docs/signals.md */
#ifndef ASSAY_SATURATION_H
#define ASSAY_SATURATION_H

#include "assay/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is fitted to mean ED at size n; each tends to ed_inf where n grows. Never renumber. */
typedef enum assay_saturation_form {
    ASSAY_SATURATION_HYPERBOLA = 0,   /* ed_inf n / (n + b) */
    ASSAY_SATURATION_EXPONENTIAL = 1, /* ed_inf (1 - exp(-n / b)) */
    ASSAY_SATURATION_POWER = 2,       /* ed_inf - b n^-c */
    ASSAY_SATURATION_N_FORMS = 3
} assay_saturation_form;

/* All NaN, and a reason, a literal sentence, where the points do not tell; else reason is NULL. */
typedef struct assay_saturation_fit {
    double ed_inf, b;
    double c;    /* NaN but for the power */
    double rmse; /* root of the mean squared residual, every point counting the same */
    const char *reason;
} assay_saturation_fit;

/**
 * Least squares of one form.
 *
 * Given b, or c of the power, the rest is linear: the sum of squares is searched along that one
 * parameter, on a logarithmic grid over all that the sizes can tell and then by golden section. No
 * start has to be guessed, and the same points give the same fit.
 *
 * @param size    n different numbers above 0.
 * @param ed      n values, finite.
 * @param weight  n numbers above 0, or NULL: all the same.
 * @return ASSAY_OK, also where the fit runs off to an end (a curve that does not bend): then out
 *         says why. ASSAY_E_SHAPE with fewer than 4 points; ASSAY_E_VALUE for a number that is none
 *         of these, or an unknown form.
 * Cost: O(n), about 500 evaluations.
 */
ASSAY_API assay_status assay_saturation_fit_form(assay_saturation_form form, const double *size,
                                                 const double *ed, const double *weight, size_t n,
                                                 assay_saturation_fit *out);

/* A form's value at a size. */
ASSAY_API double assay_saturation_at(assay_saturation_form form, const assay_saturation_fit *fit,
                                     double size);

/* "hyperbola", "exponential", "power". */
ASSAY_API const char *assay_saturation_form_name(assay_saturation_form form);

/* Start from assay_saturation_options_init(); later versions add fields only at the end. */
typedef struct assay_saturation_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    uint64_t seed;      /* default 1 */
    size_t draws;       /* random subsets of a size, up to 100,000; default 100 */
    int threads;        /* 0, the default, is all of OpenMP's; the result is the same for any */
    assay_progress progress;
} assay_saturation_options;

ASSAY_API void assay_saturation_options_init(assay_saturation_options *options, size_t struct_size);

#define ASSAY_SATURATION_MOST_SIZES 10

typedef struct assay_saturation_curve {
    size_t n;                                 /* sizes: up to 10, 8 .. all, in even ratios */
    double size[ASSAY_SATURATION_MOST_SIZES]; /* the last is all of them, which is one subset */
    double mean[ASSAY_SATURATION_MOST_SIZES]; /* of ED over the subsets; NaN where none has one */
    double sd[ASSAY_SATURATION_MOST_SIZES];   /* over the subsets; NaN for fewer than 2 */
    size_t subsets[ASSAY_SATURATION_MOST_SIZES];        /* that have an ED */
    assay_saturation_fit fit[ASSAY_SATURATION_N_FORMS]; /* to the means, all weighted the same */
} assay_saturation_curve;

typedef struct assay_saturation {
    assay_saturation_curve items, models;
} assay_saturation;

/**
 * Mean ED (items' means out) over random subsets of items, and of models, by size, and the three
 * forms fitted to either curve.
 *
 * Subsets are drawn without replacement; the draw r of a size depends on (seed, size, r) alone.
 *
 * @param matrix   borrowed for the call.
 * @param options  NULL for the defaults.
 * @param out      left alone on failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE with fewer than 2 models; ASSAY_E_VALUE for options;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: about 8 draws times that of ED. Memory O(NT) a thread. Safe to call from any thread.
 * Source: BenchScope, arXiv:2603.29357, names ED_inf without its form: the three are ours.
 */
ASSAY_API assay_status assay_saturation_curves(const assay_matrix *matrix,
                                               const assay_saturation_options *options,
                                               assay_saturation *out);

#ifdef __cplusplus
}
#endif
#endif
