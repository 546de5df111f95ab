/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as SVG: self-contained, readable in light and dark, no scripts. */
#ifndef ASSAY_PLOT_H
#define ASSAY_PLOT_H

#include "assay/signals.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The scree of a fit: each component's share of the variance, on a logarithmic scale, with the null
 * band (up to the 95 % quantile of shuffled matrices) where there is one.
 *
 * @param title  stands above the figure; hostile text is escaped. NULL for none.
 * @param to     a stream that stays the caller's; failed writes are seen by ferror(to).
 */
ASSAY_API void assay_plot_scree(const assay_signals *fit, const char *title, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
