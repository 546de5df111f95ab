/* SPDX-License-Identifier: Apache-2.0 */
/* The template that looks best from some of its runs, and what it scores once it is no longer counted in
   its favour that it was chosen for looking best (the winner's curse). */
#ifndef ASSAY_CHOSEN_TEMPLATE_H
#define ASSAY_CHOSEN_TEMPLATE_H

#include "assay/templates.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_chosen_template assay_chosen_template;

typedef struct assay_chosen_template_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    size_t n_splits;    /* of the items into halves; default 50 */
    size_t n_draws;     /* of the bootstrap; default 400 */
    double level;       /* of the interval and of the set of templates; default .95 */
    uint64_t seed;      /* default 1 */
    int threads;        /* 0, the default: all; the result does not depend on it */
    assay_progress progress;
} assay_chosen_template_options;

ASSAY_API void assay_chosen_template_options_init(assay_chosen_template_options *options, size_t struct_size);

/* How a score is corrected. */
typedef enum assay_chosen_template_method {
    ASSAY_CORRECTED_SPLIT = 0,
    ASSAY_CORRECTED_SPLIT_FIT = 1,
    ASSAY_CORRECTED_BOOTSTRAP = 2,
    ASSAY_CORRECTED_SHRUNK = 3,
    ASSAY_CORRECTED_EB = 4
} assay_chosen_template_method;

ASSAY_API assay_status assay_chosen_template_find(const assay_grid *grid,
                                            const assay_templates_options *estimator,
                                            const assay_chosen_template_options *options,
                                            assay_chosen_template **out);
ASSAY_API void assay_chosen_template_free(assay_chosen_template *selection); /* NULL is fine */

ASSAY_API size_t assay_chosen_template_index(const assay_chosen_template *selection);
ASSAY_API double assay_chosen_template_raw(const assay_chosen_template *selection);

typedef struct assay_corrected_score {
    double score, low, high;
} assay_corrected_score;
ASSAY_API assay_corrected_score assay_chosen_template_corrected(const assay_chosen_template *selection,
                                                          assay_chosen_template_method method);

ASSAY_API const size_t *assay_chosen_template_contenders(const assay_chosen_template *selection, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
