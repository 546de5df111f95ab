/* SPDX-License-Identifier: Apache-2.0 */
/* The prior of own effects, of any shape: a mixture of narrow normal parts. */
#ifndef ASSAY_TEMPLATES_MARGINAL_PARTS_H
#define ASSAY_TEMPLATES_MARGINAL_PARTS_H

#include <stddef.h>

/* Points at which a template's law is held, and parts. */
enum { ASSAY_LAW_POINTS = 40, ASSAY_PRIOR_PARTS = 40 };

/* The parts: means own_sd c_m and variances (own_sd h)^2, and weights that make them a normal
   law. */
#define ASSAY_PART_WIDTH (8.0 / (ASSAY_PRIOR_PARTS - 1))
double assay_part_centre(size_t m);
void assay_part_start(double *weights);

/* density[t PRIOR_PARTS + m] of the points low + t step, up to a factor common to all of them:
   normal about mean + own_sd c_m, with variance + (own_sd h)^2. */
void assay_part_densities(double low, double step, double mean, double variance, double own_sd,
                          double *density);

#endif
