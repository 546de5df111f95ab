/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that every figure shares: the frame with its style sheet, text, and axes. */
#ifndef ASSAY_REPORT_SVG_H
#define ASSAY_REPORT_SVG_H

#include <stdio.h>

/* The plotting area within a figure, in its units, and what the axes span. */
typedef struct assay_axes {
    double left, right, top, bottom; /* top < bottom: y grows downwards */
    double x_from, x_to, y_from, y_to;
} assay_axes;

/* Open a figure, with its style for light and dark; description is for screen readers. */
void assay_svg_begin(FILE *to, int width, int height, const char *description);
void assay_svg_end(FILE *to);

/* A number with one decimal, whatever the locale; and two of them, as a path or an attribute wants. */
void assay_svg_number(FILE *to, double value);
void assay_svg_point(FILE *to, double x, double y);

/* One line of text; hostile bytes are escaped, and a text over most characters is cut. */
void assay_svg_text(FILE *to, double x, double y, const char *css_class, const char *text,
                    size_t most);

double assay_axes_x(const assay_axes *axes, double x);
double assay_axes_y(const assay_axes *axes, double y);

/* A round step, 1, 2 or 5 times a power of 10, of which a span has four to ten; span above 0. */
double assay_axes_step(double span);

/* The k-th multiple of such a step, with no more digits than it needs. */
double assay_axes_mark(double step, double k);

/* A rule across the plotting area. */
void assay_svg_rule(FILE *to, const assay_axes *axes, double y);

#endif
