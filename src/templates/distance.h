/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles and distances of scores that stand in order, n >= 1 of them. */
#ifndef ASSAY_TEMPLATES_DISTANCE_H
#define ASSAY_TEMPLATES_DISTANCE_H

#include "assay/templates.h"

/* assay_scores_quantile() and assay_scores_w1() of sorted scores. */
double assay_sorted_quantile(const double *s, size_t n, double p, assay_quantile_rule rule);
double assay_sorted_w1(const double *x, const double *y, size_t n);

/* ASSAY_OK; ASSAY_E_VALUE for a p outside [0, 1] or an unknown rule. */
assay_status assay_check_quantile(double p, assay_quantile_rule rule);

#endif
