/* SPDX-License-Identifier: Apache-2.0 */
/* How well a short form ranks models, by splits of the models. */
#ifndef ASSAY_SIGNALS_SHORT_FORM_H
#define ASSAY_SIGNALS_SHORT_FORM_H

#include "signals/greedy.h"

struct assay_short_form {
    size_t n;
    size_t *items;
    double *ed;
    assay_short_form_quality quality;
};

/* The Spearman correlation, over the models of z, of the sum of some items with that of all; 0
   where one of the sums is constant, and ranks nobody. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_short_form_agreement(const assay_deviations *z, const size_t *items,
                                        size_t n_items, double *spearman);

/* Fill in the quality of a form whose items are chosen; the options are resolved. ASSAY_OK;
   ASSAY_E_CANCELLED; ASSAY_E_NOMEM. */
assay_status assay_short_form_measure(const assay_matrix *matrix, const assay_deviations *z,
                                      const assay_short_form_options *options,
                                      assay_short_form *form);

/* Choose by the method of the options; ed as for assay_greedy_ed(). */
assay_status assay_short_form_pick(const assay_deviations *z,
                                   const assay_short_form_options *options, size_t n_items,
                                   size_t *items, double *ed);

#endif
