/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks side by side: a row each, its ED beside that of noise. */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>

enum {
    WIDTH = 760,
    TOP = 80,
    ROW = 24,
    GAP = 30, /* before those that are small, with their heading */
    FOOT = 52,
    LEFT = 236,
    RIGHT = 690,
    NAME_MOST = 30
};

static assay_axes find_axes(const assay_plot_benchmark *rows, size_t n);
static void draw_scale(const assay_axes *axes, FILE *to);
static void draw_row(const assay_plot_benchmark *row, double y, const assay_axes *axes, FILE *to);

/* Above which row the small ones begin; n where there is none. */
static size_t first_small(const assay_plot_benchmark *rows, size_t n)
{
    size_t k = 0;

    while (k < n && !rows[k].is_small) k++;
    return k;
}

void assay_plot_atlas(const assay_plot_benchmark *rows, size_t n, const char *title, FILE *to)
{
    assay_axes axes = find_axes(rows, n);
    size_t small = first_small(rows, n);
    double y = axes.top + ROW / 2.0;

    assay_svg_begin(to, WIDTH, (int)axes.bottom + FOOT,
                    "Effective dimensionality of benchmarks beside that of pure noise");
    draw_scale(&axes, to);
    for (size_t k = 0; k < n; k++, y += ROW) {
        if (k == small) {
            assay_svg_text(to, axes.left - 14, y + 10, "label end",
                           "too small to be compared:", NAME_MOST);
            y += GAP;
        }
        draw_row(&rows[k], y, &axes, to);
    }
    assay_svg_text(to, 24, 28, "title", title ? title : "Atlas", 80);
    assay_svg_text(to, 24, 50, "label",
                   "effective dimensionality: dot and line, the estimate and its interval; ring, "
                   "pure noise of that shape",
                   120);
    assay_svg_end(to);
}

static double larger(double most, double x)
{
    return isfinite(x) && x > most ? x : most;
}

/* ED is never below 1, where the scale begins. */
static assay_axes find_axes(const assay_plot_benchmark *rows, size_t n)
{
    assay_axes axes = { .left = LEFT, .right = RIGHT, .top = TOP, .x_from = -0.02 };
    double most = 10.0;

    for (size_t k = 0; k < n; k++)
        most = larger(larger(larger(most, rows[k].ed), rows[k].high), rows[k].noise);
    axes.x_to = log10(most) + 0.02;
    axes.bottom = TOP + ROW * (double)n + (first_small(rows, n) < n ? GAP : 0);
    return axes;
}

/* Lines at 1, 2, 5 and ten times as much. */
static void draw_scale(const assay_axes *axes, FILE *to)
{
    static const double steps[] = { 1.0, 2.0, 5.0 };

    for (int power = 0; power <= axes->x_to; power++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            double value = steps[k] * pow(10.0, power), x = assay_axes_x(axes, log10(value));
            char text[ASSAY_NUMBER_SIZE];

            if (log10(value) > axes->x_to) break;
            fputs("<path class=\"rule\" d=\"M", to);
            assay_svg_point(to, x, axes->top - 6);
            putc('V', to);
            assay_svg_number(to, axes->bottom + 4);
            fputs("\"/>\n", to);
            assay_number_format(value, text);
            assay_svg_text(to, x, axes->bottom + 20, "label middle", text, sizeof text);
        }
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, axes->bottom + 40, "label middle", "ED", 8);
}

static double at(const assay_axes *axes, double value)
{
    return assay_axes_x(axes, log10(fmax(value, 1.0)));
}

static void circle(const char *style, double radius, double x, double y, FILE *to)
{
    fprintf(to, "<circle class=\"%s\" r=\"", style);
    assay_svg_number(to, radius);
    fputs("\" cx=\"", to);
    assay_svg_number(to, x);
    fputs("\" cy=\"", to);
    assay_svg_number(to, y);
    fputs("\"/>\n", to);
}

static void draw_row(const assay_plot_benchmark *row, double y, const assay_axes *axes, FILE *to)
{
    char text[ASSAY_NUMBER_SIZE];
    long hundredths;

    assay_svg_text(to, axes->left - 14, y + 4, "label end", row->name, NAME_MOST);
    if (isfinite(row->noise)) circle("branch", 4.5, at(axes, row->noise), y, to);
    if (!isfinite(row->ed)) return;
    if (isfinite(row->low) && isfinite(row->high)) {
        fputs("<path class=\"line\" d=\"M", to);
        assay_svg_point(to, at(axes, row->low), y);
        putc('H', to);
        assay_svg_number(to, at(axes, row->high));
        fputs("\"/>\n", to);
    }
    circle("dot", 4.0, at(axes, row->ed), y, to);
    hundredths = lround(100.0 * row->ed);
    snprintf(text, sizeof text, "%ld.%02ld", hundredths / 100, hundredths % 100);
    assay_svg_text(to, WIDTH - 14, y + 4, "label end", text, sizeof text);
}
