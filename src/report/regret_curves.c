/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440, MOST_BUDGETS = 64, MOST_METHODS = 7 };

/* Colours that stay apart for the colour-blind (Okabe and Ito), on light and on dark. */
static const char *const colours[MOST_METHODS] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                   "#56b4e9", "#e69f00", "#8a7f00" };

static assay_axes find_axes(const assay_best_study *study);
static void draw_axes(const assay_best_study *study, const assay_axes *axes, FILE *to);
static void draw_random(const assay_best_study *study, const assay_axes *axes, FILE *to);
static void draw_method(const assay_best_study *study, size_t method, const assay_axes *axes,
                        FILE *to);
static void draw_names(const assay_best_study *study, const char *const *names,
                       const assay_axes *axes, FILE *to);

void assay_plot_regret(const assay_best_study *study, const char *const *names, const char *title,
                       FILE *to)
{
    assay_axes axes = find_axes(study);
    size_t n_seeds = assay_best_study_n_seeds(study);
    char text[160];

    assay_svg_begin(to, WIDTH, HEIGHT,
                    "How much worse than the best the template found is, by budget");
    draw_axes(study, &axes, to);
    draw_random(study, &axes, to);
    for (size_t m = 0; m < assay_best_study_n_methods(study) && m < MOST_METHODS; m++)
        draw_method(study, m, &axes, to);
    draw_names(study, names, &axes, to);
    snprintf(text, sizeof text,
             "Regret: the highest true score less that of the template found; mean over %zu seed%s",
             n_seeds, n_seeds == 1 ? "" : "s");
    assay_svg_text(to, 24, 28, "title", title ? title : "Templates", 80);
    assay_svg_text(to, 24, 48, "label", text, sizeof text);
    assay_svg_end(to);
}

static double mean_of(const assay_best_study *study, size_t budget, size_t method)
{
    return assay_best_study_regret(study, budget, method).mean;
}

static assay_axes find_axes(const assay_best_study *study)
{
    assay_axes axes = { .left = 76, .right = WIDTH - 190, .top = 64, .bottom = HEIGHT - 56 };
    size_t n;
    const size_t *budgets = assay_best_study_budgets(study, &n);
    double most = assay_best_study_random(study).mean;

    axes.x_from = log10((double)budgets[0]) - 0.05;
    axes.x_to = log10((double)budgets[n - 1]) + 0.05;
    for (size_t b = 0; b < n; b++)
        for (size_t m = 0; m < assay_best_study_n_methods(study); m++)
            most = fmax(most, mean_of(study, b, m));
    axes.y_to = most > 0.0 ? 1.05 * most : 1.0;
    return axes;
}

/* A step of 1, 2 or 5 times a power of ten, of which there are five to twelve up to the most. */
static double step_of(double most)
{
    double power = pow(10.0, floor(log10(most / 5.0))), share = most / 5.0 / power;

    return power * (share < 2.0 ? 1.0 : share < 5.0 ? 2.0 : 5.0);
}

static void rule(const assay_axes *axes, double y, const char *style, FILE *to)
{
    fprintf(to, "<path class=\"rule\"%s d=\"M", style);
    assay_svg_point(to, axes->left, assay_axes_y(axes, y));
    putc('H', to);
    assay_svg_number(to, axes->right);
    fputs("\"/>\n", to);
}

static void draw_axes(const assay_best_study *study, const assay_axes *axes, FILE *to)
{
    size_t n;
    const size_t *budgets = assay_best_study_budgets(study, &n);
    double step = step_of(axes->y_to);
    char text[ASSAY_NUMBER_SIZE + 4];

    for (int k = 0; k * step <= axes->y_to; k++) {
        rule(axes, k * step, "", to);
        assay_number_format(round(k * step * 1e9) / 1e9, text);
        assay_svg_text(to, axes->left - 8, assay_axes_y(axes, k * step) + 4, "label end", text,
                       sizeof text);
    }
    for (size_t b = 0; b < n && b < MOST_BUDGETS; b++) {
        snprintf(text, sizeof text, "%zu", budgets[b]);
        assay_svg_text(to, assay_axes_x(axes, log10((double)budgets[b])), axes->bottom + 20,
                       "label middle", text, sizeof text);
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, HEIGHT - 14, "label middle",
                   "cells that are run", 64);
}

/* What a template picked at random costs, whatever the budget. */
static void draw_random(const assay_best_study *study, const assay_axes *axes, FILE *to)
{
    double y = assay_best_study_random(study).mean, at = assay_axes_y(axes, y);

    rule(axes, y, " style=\"stroke:#888;stroke-width:2;stroke-dasharray:6 4\"", to);
    assay_svg_text(to, axes->left + 6, at + 30 < axes->bottom ? at + 15 : at - 6, "label",
                   "at random", 24);
}

static void draw_method(const assay_best_study *study, size_t method, const assay_axes *axes,
                        FILE *to)
{
    size_t n;
    const size_t *budgets = assay_best_study_budgets(study, &n);
    char text[ASSAY_NUMBER_SIZE];

    fprintf(to, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colours[method]);
    for (size_t b = 0; b < n; b++) {
        putc(b ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, log10((double)budgets[b])),
                        assay_axes_y(axes, mean_of(study, b, method)));
    }
    fputs("\"/>\n", to);
    for (size_t b = 0; b < n; b++) {
        double mean = mean_of(study, b, method);

        fprintf(to, "<circle fill=\"%s\" cx=\"", colours[method]);
        assay_svg_number(to, assay_axes_x(axes, log10((double)budgets[b])));
        fputs("\" cy=\"", to);
        assay_svg_number(to, assay_axes_y(axes, mean));
        assay_number_format(round(1e4 * mean) / 1e4, text);
        fprintf(to, "\" r=\"3.5\"><title>%zu cells: %s</title></circle>\n", budgets[b], text);
    }
}

/* Each name where its curve ends, or further down where another stands there, with its colour.
   Those that would leave the figure begin higher. */
static void draw_names(const assay_best_study *study, const char *const *names,
                       const assay_axes *axes, FILE *to)
{
    size_t n_budgets, n = assay_best_study_n_methods(study), order[MOST_METHODS];
    double y[MOST_METHODS], last = 0.0;

    assay_best_study_budgets(study, &n_budgets);
    if (n > MOST_METHODS) n = MOST_METHODS;
    for (size_t m = 0; m < n; m++) {
        size_t k = m;

        y[m] = assay_axes_y(axes, mean_of(study, n_budgets - 1, m)) + 4;
        for (; k > 0 && y[order[k - 1]] > y[m]; k--) order[k] = order[k - 1];
        order[k] = m;
    }
    for (size_t k = 0; k < n; k++) {
        double lowest = axes->bottom + 4 - 15.0 * (double)(n - 1 - k);

        last = fmin(fmax(y[order[k]], last + 15), lowest);
        fprintf(to, "<circle fill=\"%s\" r=\"3.5\" cx=\"", colours[order[k]]);
        assay_svg_number(to, axes->right + 12);
        fputs("\" cy=\"", to);
        assay_svg_number(to, last - 4);
        fputs("\"/>\n", to);
        assay_svg_text(to, axes->right + 20, last, "label", names[order[k]], 32);
    }
}
