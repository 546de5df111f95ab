/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/plot.h"
#include "core/number.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 440, MOST_DOTS = 20, MOST_COMPONENTS = 200 };

/* What is drawn: the logarithms of the shares, and of their null's quantile. */
struct scree {
    const double *spectrum, *q95;
    double total;
    size_t n; /* components drawn */
};

static struct scree find_scree(const assay_signals *fit);
static assay_axes find_axes(const struct scree *scree);
static void draw_axes(const assay_axes *axes, FILE *to);
static void draw_band(const struct scree *scree, const assay_axes *axes, FILE *to);
static void draw_line(const struct scree *scree, const assay_axes *axes, FILE *to);
static void draw_words(const assay_signals *fit, const struct scree *scree, const char *title,
                       FILE *to);

void assay_plot_scree(const assay_signals *fit, const char *title, FILE *to)
{
    struct scree scree = find_scree(fit);
    assay_axes axes = find_axes(&scree);

    assay_svg_begin(
        to, WIDTH, HEIGHT,
        "Scree: share of the variance by component, with the band of shuffled matrices");
    draw_axes(&axes, to);
    if (scree.q95) draw_band(&scree, &axes, to);
    draw_line(&scree, &axes, to);
    draw_words(fit, &scree, title, to);
    assay_svg_end(to);
}

/* Components after the last that is not numerically zero say nothing, and have no logarithm. */
static struct scree find_scree(const assay_signals *fit)
{
    struct scree scree = { 0 };
    size_t n, n_null;
    const double *spectrum = assay_signals_spectrum(fit, &n);
    const double *q95 = assay_signals_null_q95(fit, &n_null);

    scree.spectrum = spectrum;
    scree.q95 = n_null ? q95 : NULL;
    for (size_t i = 0; i < n; i++) scree.total += spectrum[i];
    while (scree.n < n && scree.n < MOST_COMPONENTS && spectrum[scree.n] > 1e-9 * spectrum[0])
        scree.n++;
    return scree;
}

static double log_share(const struct scree *scree, double eigenvalue)
{
    return log10(fmax(eigenvalue, 1e-9 * scree->spectrum[0]) / scree->total);
}

static assay_axes find_axes(const struct scree *scree)
{
    assay_axes axes = { .left = 76, .right = WIDTH - 24, .top = 64, .bottom = HEIGHT - 56 };
    double low = log_share(scree, scree->spectrum[scree->n - 1]);

    if (scree->q95) low = fmin(low, log_share(scree, scree->q95[scree->n - 1]));
    axes.x_from = 0.5;
    axes.x_to = (double)scree->n + 0.5;
    axes.y_to = 0.0;
    axes.y_from = fmin(fmax(floor(low), -5.0), -1.0);
    return axes;
}

/* A round step that gives at most eight marks. */
static size_t step_of(size_t n)
{
    static const size_t leading[] = { 1, 2, 5 };

    for (size_t scale = 1;; scale *= 10)
        for (size_t i = 0; i < 3; i++)
            if (n <= 8 * scale * leading[i]) return scale * leading[i];
}

static void draw_axes(const assay_axes *axes, FILE *to)
{
    size_t n = (size_t)axes->x_to, step = step_of(n);
    char text[ASSAY_NUMBER_SIZE + 4];

    for (double decade = axes->y_from; decade <= axes->y_to; decade += 1.0) {
        double y = assay_axes_y(axes, decade);

        fputs("<path class=\"rule\" d=\"M", to);
        assay_svg_point(to, axes->left, y);
        putc('H', to);
        assay_svg_number(to, axes->right);
        fputs("\"/>\n", to);
        assay_number_format(100.0 * pow(10.0, decade), text);
        strcat(text, " %");
        assay_svg_text(to, axes->left - 8, y + 4, "label end", text, sizeof text);
    }
    for (size_t i = 1; i <= n; i = i == 1 && step > 1 ? step : i + step) {
        snprintf(text, sizeof text, "%zu", i);
        assay_svg_text(to, assay_axes_x(axes, (double)i), axes->bottom + 20, "label middle", text,
                       sizeof text);
    }
    assay_svg_text(to, (axes->left + axes->right) / 2, HEIGHT - 14, "label middle", "component",
                   64);
}

static double clipped_y(const struct scree *scree, const assay_axes *axes, double eigenvalue)
{
    return assay_axes_y(axes, fmax(log_share(scree, eigenvalue), axes->y_from));
}

static void draw_band(const struct scree *scree, const assay_axes *axes, FILE *to)
{
    fputs("<path class=\"band\" d=\"M", to);
    assay_svg_point(to, assay_axes_x(axes, 1.0), axes->bottom);
    for (size_t i = 0; i < scree->n; i++) {
        putc('L', to);
        assay_svg_point(to, assay_axes_x(axes, (double)(i + 1)),
                        clipped_y(scree, axes, scree->q95[i]));
    }
    putc('L', to);
    assay_svg_point(to, assay_axes_x(axes, (double)scree->n), axes->bottom);
    fputs("Z\"/>\n", to);
}

static void draw_line(const struct scree *scree, const assay_axes *axes, FILE *to)
{
    fputs("<path class=\"line\" d=\"", to);
    for (size_t i = 0; i < scree->n; i++) {
        putc(i ? 'L' : 'M', to);
        assay_svg_point(to, assay_axes_x(axes, (double)(i + 1)),
                        clipped_y(scree, axes, scree->spectrum[i]));
    }
    fputs("\"/>\n", to);
    for (size_t i = 0; i < scree->n && i < MOST_DOTS; i++) {
        fputs("<circle class=\"dot\" cx=\"", to);
        assay_svg_number(to, assay_axes_x(axes, (double)(i + 1)));
        fputs("\" cy=\"", to);
        assay_svg_number(to, clipped_y(scree, axes, scree->spectrum[i]));
        fprintf(to, "\" r=\"3.5\"><title>component %zu: ", i + 1);
        assay_svg_number(to, 100.0 * scree->spectrum[i] / scree->total);
        fputs(" % of the variance</title></circle>\n", to);
    }
}

static void draw_words(const assay_signals *fit, const struct scree *scree, const char *title,
                       FILE *to)
{
    double above = assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    double ed = assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK);
    char text[200];
    long tenths = lround(10.0 * ed);
    int used = snprintf(text, sizeof text, "share of the variance by component; ED %ld.%ld",
                        tenths / 10, tenths % 10);

    if (scree->q95 && !isnan(above))
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %.0f above the band that shuffled matrices reach (95 %%)", above);
    assay_svg_text(to, 24, 28, "title", title ? title : "Scree", 80);
    assay_svg_text(to, 24, 48, "label", text, sizeof text);
}
