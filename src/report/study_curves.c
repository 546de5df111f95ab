/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440, MOST_BUDGETS = 64, MOST_METHODS = 8 };

/* Colours that stay apart for the colour-blind (Okabe and Ito), on light and on dark. */
static const char *const colours[MOST_METHODS] = { "#009e73", "#999999", "#0072b2", "#d55e00",
                                                   "#cc79a7", "#e69f00", "#56b4e9", "#8a7f00" };

static assay_axes find_axes(const assay_study *study);
static void draw_axes(const assay_study *study, const assay_axes *axes, FILE *to);
static void draw_method(const assay_study *study, size_t method, const assay_axes *axes, FILE *to);
static void draw_names(const assay_study *study, const char *const *names, const assay_axes *axes,
                       FILE *to);

void assay_plot_study(const assay_study *study, const char *const *names, const char *title,
                      FILE *to)
{
    assay_axes axes = find_axes(study);
    char text[160];

    assay_svg_begin(to, WIDTH, HEIGHT,
                    "Distance between the estimated and the true distribution of template scores, "
                    "by budget");
    draw_axes(study, &axes, to);
    for (size_t m = 0; m < assay_study_n_methods(study) && m < MOST_METHODS; m++)
        draw_method(study, m, &axes, to);
    draw_names(study, names, &axes, to);
    snprintf(text, sizeof text,
             "Wasserstein distance to the true distribution of scores; mean and sd over %zu seed%s",
             assay_study_n_seeds(study), assay_study_n_seeds(study) == 1 ? "" : "s");
    assay_svg_text(to, 24, 28, "title", title ? title : "Templates", 80);
    assay_svg_text(to, 24, 48, "label", text, sizeof text);
    assay_svg_end(to);
}

/* A budget of all cells has no error, and no logarithm: less than 1e-4 is drawn as that. */
static double log_of(double w1)
{
    return log10(fmax(w1, 1e-4));
}

/* A point of a curve, and where its band begins and ends. */
static assay_study_summary at(const assay_study *study, size_t budget, size_t method, double *low,
                              double *high)
{
    assay_study_summary w1 = assay_study_summarise(study, budget, method, ASSAY_STUDY_W1);
    double sd = isnan(w1.sd_seeds) ? 0.0 : w1.sd_seeds;

    *low = log_of(fmax(w1.mean - sd, 0.25 * w1.mean));
    *high = log_of(w1.mean + sd);
    return w1;
}

static assay_axes find_axes(const assay_study *study)
{
    assay_axes axes = { .left = 76, .right = WIDTH - 130, .top = 64, .bottom = HEIGHT - 56 };
    size_t n;
    const size_t *budgets = assay_study_budgets(study, &n);

    axes.x_from = log10((double)budgets[0]) - 0.05;
    axes.x_to = log10((double)budgets[n - 1]) + 0.05;
    axes.y_from = 1.0;
    axes.y_to = -7.0;
    for (size_t b = 0; b < n; b++) {
        for (size_t m = 0; m < assay_study_n_methods(study); m++) {
            double low, high;

            at(study, b, m, &low, &high);
            axes.y_from = fmin(axes.y_from, low);
            axes.y_to = fmax(axes.y_to, high);
        }
    }
    axes.y_from -= 0.05;
    axes.y_to += 0.05;
    return axes;
}

static void draw_axes(const assay_study *study, const assay_axes *axes, FILE *to)
{
    static const double leading[] = { 1.0, 2.0, 5.0 };
    size_t n;
    const size_t *budgets = assay_study_budgets(study, &n);
    char text[ASSAY_NUMBER_SIZE + 4];

    for (int decade = -4; decade <= 0; decade++) {
        for (int k = 0; k < 3; k++) {
            double value = log10(leading[k]) + decade;

            if (value < axes->y_from || value > axes->y_to) continue;
            fputs("<path class=\"rule\" d=\"M", to);
            assay_svg_point(to, axes->left, assay_axes_y(axes, value));
            putc('H', to);
            assay_svg_number(to, axes->right);
            fputs("\"/>\n", to);
            assay_number_format(leading[k] / pow(10.0, -decade), text);
            assay_svg_text(to, axes->left - 8, assay_axes_y(axes, value) + 4, "label end", text,
                           sizeof text);
        }
    }
    for (size_t b = 0; b < n && b < MOST_BUDGETS; b++) {
        snprintf(text, sizeof text, "%zu", budgets[b]);
        assay_svg_text(to, assay_axes_x(axes, log10((double)budgets[b])), axes->bottom + 20,
                       "label middle", text, sizeof text);
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, HEIGHT - 14, "label middle",
                   "cells that are run", 64);
}

static void draw_band(const assay_study *study, size_t method, const assay_axes *axes, FILE *to)
{
    size_t n;
    const size_t *budgets = assay_study_budgets(study, &n);
    double low, high;

    fprintf(to, "<path fill=\"%s\" fill-opacity=\".15\" d=\"", colours[method]);
    for (size_t b = 0; b < n; b++) {
        at(study, b, method, &low, &high);
        putc(b ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, log10((double)budgets[b])),
                        assay_axes_y(axes, high));
    }
    for (size_t b = n; b-- > 0;) {
        at(study, b, method, &low, &high);
        putc('L', to);
        assay_svg_point(to, assay_axes_x(axes, log10((double)budgets[b])), assay_axes_y(axes, low));
    }
    fputs("Z\"/>\n", to);
}

static void draw_method(const assay_study *study, size_t method, const assay_axes *axes, FILE *to)
{
    size_t n;
    const size_t *budgets = assay_study_budgets(study, &n);
    char text[ASSAY_NUMBER_SIZE];
    double low, high;

    if (assay_study_n_seeds(study) > 1) draw_band(study, method, axes, to);
    fprintf(to, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colours[method]);
    for (size_t b = 0; b < n; b++) {
        putc(b ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, log10((double)budgets[b])),
                        assay_axes_y(axes, log_of(at(study, b, method, &low, &high).mean)));
    }
    fputs("\"/>\n", to);
    for (size_t b = 0; b < n; b++) {
        double mean = at(study, b, method, &low, &high).mean;

        fprintf(to, "<circle fill=\"%s\" cx=\"", colours[method]);
        assay_svg_number(to, assay_axes_x(axes, log10((double)budgets[b])));
        fputs("\" cy=\"", to);
        assay_svg_number(to, assay_axes_y(axes, log_of(mean)));
        assay_number_format(round(1e4 * mean) / 1e4, text);
        fprintf(to, "\" r=\"3.5\"><title>%zu cells: %s</title></circle>\n", budgets[b], text);
    }
}

/* Each name where its curve ends, or further down where another stands there. */
static void draw_names(const assay_study *study, const char *const *names, const assay_axes *axes,
                       FILE *to)
{
    size_t n_budgets, n = assay_study_n_methods(study), order[MOST_METHODS];
    double y[MOST_METHODS], low, high, last = 0.0;

    assay_study_budgets(study, &n_budgets);
    if (n > MOST_METHODS) n = MOST_METHODS;
    for (size_t m = 0; m < n; m++) {
        size_t k = m;

        y[m] = assay_axes_y(axes, log_of(at(study, n_budgets - 1, m, &low, &high).mean)) + 4;
        for (; k > 0 && y[order[k - 1]] > y[m]; k--) order[k] = order[k - 1];
        order[k] = m;
    }
    for (size_t k = 0; k < n; k++) {
        last = fmax(y[order[k]], last + 15);
        assay_svg_text(to, axes->right + 6, last, "label", names[order[k]], 24);
    }
}
