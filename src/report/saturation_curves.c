/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440, FIT_STEPS = 60 };

/* Colours that stay apart for the colour-blind (Okabe and Ito), on light and on dark. */
static const char *const colours[2] = { "#0072b2", "#d55e00" };
static const char *const names[2] = { "items", "models" };

static assay_axes find_axes(const assay_saturation *saturation);
static void draw_axes(const assay_axes *axes, FILE *to);
static void draw_curve(const assay_saturation_curve *curve, int which, const assay_axes *axes,
                       FILE *to);
static void draw_fit(const assay_saturation_curve *curve, int which, const assay_axes *axes,
                     FILE *to);

void assay_plot_saturation(const assay_saturation *saturation, const char *title, FILE *to)
{
    assay_axes axes = find_axes(saturation);

    assay_svg_begin(to, WIDTH, HEIGHT,
                    "ED of random subsets by their size, of items and of models");
    draw_axes(&axes, to);
    for (int k = 0; k < 2; k++) {
        const assay_saturation_curve *curve = k ? &saturation->models : &saturation->items;

        draw_curve(curve, k, &axes, to);
        draw_fit(curve, k, &axes, to);
    }
    assay_svg_text(to, 24, 28, "title", title ? title : "Saturation", 80);
    assay_svg_text(to, 24, 48, "label",
                   "ED of random subsets, mean and sd; the thin line is the hyperbola", 100);
    assay_svg_end(to);
}

/* Points without an ED are not drawn. */
static double sd_of(const assay_saturation_curve *curve, size_t k)
{
    return isnan(curve->sd[k]) ? 0.0 : curve->sd[k];
}

static assay_axes find_axes(const assay_saturation *saturation)
{
    assay_axes axes = { .left = 76, .right = WIDTH - 90, .top = 64, .bottom = HEIGHT - 56 };

    axes.x_from = 9.0;
    axes.x_to = 1.0;
    axes.y_to = 1.0;
    for (int c = 0; c < 2; c++) {
        const assay_saturation_curve *curve = c ? &saturation->models : &saturation->items;

        for (size_t k = 0; k < curve->n; k++) {
            axes.x_from = fmin(axes.x_from, log10(curve->size[k]));
            axes.x_to = fmax(axes.x_to, log10(curve->size[k]));
            if (!isnan(curve->mean[k]))
                axes.y_to = fmax(axes.y_to, curve->mean[k] + sd_of(curve, k));
        }
    }
    axes.x_from -= 0.05;
    axes.x_to += 0.05;
    axes.y_to *= 1.05;
    return axes;
}

static void draw_axes(const assay_axes *axes, FILE *to)
{
    static const double leading[] = { 1.0, 2.0, 5.0 };
    double step = assay_axes_step(axes->y_to - axes->y_from);
    char text[ASSAY_NUMBER_SIZE];

    for (int k = 0; k * step <= axes->y_to; k++) {
        assay_svg_rule(to, axes, k * step);
        assay_number_format(assay_axes_mark(step, k), text);
        assay_svg_text(to, axes->left - 8, assay_axes_y(axes, k * step) + 4, "label end", text,
                       sizeof text);
    }
    for (int decade = 0; decade < 10; decade++) {
        for (int k = 0; k < 3; k++) {
            double x = log10(leading[k]) + decade;

            if (x < axes->x_from || x > axes->x_to) continue;
            assay_number_format(leading[k] * pow(10.0, decade), text); /* exact: a whole number */
            assay_svg_text(to, assay_axes_x(axes, x), axes->bottom + 20, "label middle", text,
                           sizeof text);
        }
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, HEIGHT - 14, "label middle",
                   "how many are drawn", 64);
}

static void draw_band(const assay_saturation_curve *curve, int which, const assay_axes *axes,
                      FILE *to)
{
    size_t n = 0;

    fprintf(to, "<path fill=\"%s\" fill-opacity=\".15\" d=\"", colours[which]);
    for (size_t k = 0; k < curve->n; k++) {
        if (isnan(curve->mean[k])) continue;
        putc(n++ ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, log10(curve->size[k])),
                        assay_axes_y(axes, curve->mean[k] + sd_of(curve, k)));
    }
    for (size_t k = curve->n; k-- > 0;) {
        if (isnan(curve->mean[k])) continue;
        putc('L', to);
        assay_svg_point(to, assay_axes_x(axes, log10(curve->size[k])),
                        assay_axes_y(axes, fmax(curve->mean[k] - sd_of(curve, k), 0.0)));
    }
    fputs(n ? "Z\"/>\n" : "M0 0\"/>\n", to);
}

static void draw_curve(const assay_saturation_curve *curve, int which, const assay_axes *axes,
                       FILE *to)
{
    char text[ASSAY_NUMBER_SIZE];
    double x = 0.0, y = 0.0;

    draw_band(curve, which, axes, to);
    for (size_t k = 0; k < curve->n; k++) {
        if (isnan(curve->mean[k])) continue;
        x = assay_axes_x(axes, log10(curve->size[k]));
        y = assay_axes_y(axes, curve->mean[k]);
        fprintf(to, "<circle fill=\"%s\" cx=\"", colours[which]);
        assay_svg_number(to, x);
        fputs("\" cy=\"", to);
        assay_svg_number(to, y);
        assay_number_format(round(100.0 * curve->mean[k]) / 100.0, text);
        fprintf(to, "\" r=\"3.5\"><title>%.0f %s: %s</title></circle>\n", curve->size[k],
                names[which], text);
    }
    if (y > 0.0) assay_svg_text(to, x + 10, y + 4 + (which ? -8 : 8), "label", names[which], 24);
}

static void draw_fit(const assay_saturation_curve *curve, int which, const assay_axes *axes,
                     FILE *to)
{
    const assay_saturation_fit *fit = &curve->fit[ASSAY_SATURATION_HYPERBOLA];
    double from, until;

    if (fit->reason) return;
    from = log10(curve->size[0]);
    until = log10(curve->size[curve->n - 1]);
    fprintf(to, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1\" d=\"", colours[which]);
    for (int k = 0; k <= FIT_STEPS; k++) {
        double x = from + (until - from) * k / FIT_STEPS;

        putc(k ? 'L' : 'M', to);
        assay_svg_point(
            to, assay_axes_x(axes, x),
            assay_axes_y(axes, assay_saturation_at(ASSAY_SATURATION_HYPERBOLA, fit, pow(10.0, x))));
    }
    fputs("\"/>\n", to);
}
