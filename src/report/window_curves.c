/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440 };

/* Colours that stay apart for the colour-blind (Okabe and Ito), on light and on dark. */
static const char *const colours[2] = { "#0072b2", "#d55e00" };
static const char *const names[2] = { "as it is", "unit variance" };

static assay_axes find_axes(const assay_windows *windows);
static void draw_axes(const assay_axes *axes, const char *by, FILE *to);
static void draw_curve(const assay_windows *windows, int scale, const assay_axes *axes, FILE *to);
static void draw_names(const assay_windows *windows, const assay_axes *axes, FILE *to);

void assay_plot_windows(const assay_windows *windows, const char *by, const char *title, FILE *to)
{
    assay_axes axes = find_axes(windows);
    char text[120];

    assay_svg_begin(to, WIDTH, HEIGHT, "ED of windows of models of like skill");
    draw_axes(&axes, by, to);
    for (int scale = 0; scale < 2; scale++) draw_curve(windows, scale, &axes, to);
    if (assay_windows_n(windows) > 0) draw_names(windows, &axes, to);
    snprintf(text, sizeof text, "ED of windows of %zu models, from the weakest to the best",
             assay_windows_size(windows));
    assay_svg_text(to, 24, 28, "title", title ? title : "Skill", 80);
    assay_svg_text(to, 24, 48, "label", text, sizeof text);
    assay_svg_end(to);
}

static assay_axes find_axes(const assay_windows *windows)
{
    assay_axes axes = { .left = 76, .right = WIDTH - 110, .top = 64, .bottom = HEIGHT - 56 };
    size_t n = assay_windows_n(windows);

    axes.y_to = 1.0;
    if (n > 0) {
        axes.x_from = assay_windows_at(windows, 0).score_mean;
        axes.x_to = assay_windows_at(windows, n - 1).score_mean;
    }
    if (!(axes.x_to > axes.x_from)) axes.x_to = axes.x_from + 1.0; /* one window, or equal scores */
    for (size_t k = 0; k < n; k++)
        for (int scale = 0; scale < 2; scale++)
            axes.y_to = fmax(axes.y_to, assay_windows_at(windows, k).ed[scale]); /* not of a NaN */
    axes.y_to *= 1.05;
    return axes;
}

static void draw_axes(const assay_axes *axes, const char *by, FILE *to)
{
    double step = assay_axes_step(axes->y_to - axes->y_from);
    double x_step = assay_axes_step(axes->x_to - axes->x_from);
    char text[ASSAY_NUMBER_SIZE];

    for (int k = 0; k * step <= axes->y_to; k++) {
        assay_svg_rule(to, axes, k * step);
        assay_number_format(assay_axes_mark(step, k), text);
        assay_svg_text(to, axes->left - 8, assay_axes_y(axes, k * step) + 4, "label end", text,
                       sizeof text);
    }
    for (double k = ceil(axes->x_from / x_step); k * x_step <= axes->x_to; k += 1.0) {
        assay_number_format(assay_axes_mark(x_step, k), text);
        assay_svg_text(to, assay_axes_x(axes, k * x_step), axes->bottom + 20, "label middle", text,
                       sizeof text);
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, HEIGHT - 14, "label middle", by, 64);
}

static void draw_dot(const assay_axes *axes, assay_window window, int scale, FILE *to)
{
    char text[ASSAY_NUMBER_SIZE];

    fprintf(to, "<circle fill=\"%s\" cx=\"", colours[scale]);
    assay_svg_number(to, assay_axes_x(axes, window.score_mean));
    fputs("\" cy=\"", to);
    assay_svg_number(to, assay_axes_y(axes, window.ed[scale]));
    assay_number_format(round(100.0 * window.ed[scale]) / 100.0, text);
    fprintf(to, "\" r=\"4\"><title>%s</title></circle>\n", text);
}

static void draw_curve(const assay_windows *windows, int scale, const assay_axes *axes, FILE *to)
{
    assay_windows_summary summary = assay_windows_summarise(windows, (assay_windows_scale)scale);
    size_t n = assay_windows_n(windows);
    int is_open = 0;

    for (size_t k = 0; k < n; k++) {
        assay_window window = assay_windows_at(windows, k);

        if (isnan(window.ed[scale])) continue;
        if (!is_open)
            fprintf(to, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"",
                    colours[scale]);
        putc(is_open ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, window.score_mean),
                        assay_axes_y(axes, window.ed[scale]));
        is_open = 1;
    }
    if (!is_open) return;
    fputs("\"/>\n", to);
    if (!summary.reason) draw_dot(axes, assay_windows_at(windows, summary.at_least), scale, to);
    if (!isnan(assay_windows_at(windows, n - 1).ed[scale]))
        draw_dot(axes, assay_windows_at(windows, n - 1), scale, to);
}

/* Each where its curve ends, the upper one first, and the other 15 below it or more. */
static void draw_names(const assay_windows *windows, const assay_axes *axes, FILE *to)
{
    assay_window last = assay_windows_at(windows, assay_windows_n(windows) - 1);
    int upper = last.ed[1] > last.ed[0];
    double above = 0.0;

    for (int k = 0; k < 2; k++) {
        int scale = k ? !upper : upper;
        double y;

        if (isnan(last.ed[scale])) continue;
        y = fmax(assay_axes_y(axes, last.ed[scale]) + 4, above + 15);
        assay_svg_text(to, axes->right + 8, y, "label", names[scale], 24);
        above = y;
    }
}
