/* SPDX-License-Identifier: Apache-2.0 */
/* The regression of a method of templates on a grid, and its coefficients as effects. */
#ifndef ASSAY_TEMPLATES_DESIGN_H
#define ASSAY_TEMPLATES_DESIGN_H

#include "assay/templates.h"
#include "templates/logistic.h"

/* Which of the coefficients are eliminated: the larger of the two one-hot sides. */
typedef enum assay_eliminated {
    ASSAY_ELIMINATE_NONE,
    ASSAY_ELIMINATE_TEMPLATES,
    ASSAY_ELIMINATE_ITEMS
} assay_eliminated;

typedef struct assay_design {
    assay_logistic problem;
    assay_eliminated eliminated;
    size_t n_template_effects,
        n_item_effects; /* coefficients; a constant follows where there is one */
    int has_constant;
    uint32_t *row, *level; /* of the problem, as are y and design */
    unsigned char *y;
    double *made; /* NULL where the problem's design is a covariate matrix of the caller */
} assay_design;

/* Options are resolved, and the method is not AVG. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_design_new(const assay_grid *grid, const assay_templates_options *options,
                              assay_design *design);
void assay_design_free(assay_design *design);

/* The n-th of what NumPy's RandomState(0).choice(n) gives: the label that the released code flips. */
size_t assay_numpy_choice_of_0(size_t n);

#endif
