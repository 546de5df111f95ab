/* SPDX-License-Identifier: Apache-2.0 */
/* The posterior of each model's score: one ridge a model. */
#include "assay/plot.h"
#include "report/svg.h"

#include <math.h>

enum {
    WIDTH = 760,
    TOP = 72,
    RIDGE = 56,
    MOST_MODELS = 20,
    N_POINTS = 240,
    LEFT = 200,
    RIGHT = 724
};

static double highest(const assay_score *fit, size_t model)
{
    double most = 0.0;

    for (size_t k = 1; k < N_POINTS; k++)
        most =
            fmax(most, assay_score_density(fit, model, ASSAY_READING_LIKE, (double)k / N_POINTS));
    return most;
}

static void draw_ridge(const assay_score *fit, size_t model, assay_axes axes, FILE *to)
{
    axes.y_to = highest(fit, model) * 1.1;
    if (!(axes.y_to > 0.0)) return;
    fputs("<path class=\"band\" d=\"M", to);
    assay_svg_point(to, axes.left, axes.bottom);
    for (size_t k = 1; k < N_POINTS; k++) {
        double q = (double)k / N_POINTS;

        putc('L', to);
        assay_svg_point(
            to, assay_axes_x(&axes, q),
            assay_axes_y(&axes, assay_score_density(fit, model, ASSAY_READING_LIKE, q)));
    }
    putc('L', to);
    assay_svg_point(to, axes.right, axes.bottom);
    fputs("Z\"/>\n", to);
}

/* The score on these topics as a thick line, its mean as a dot, the raw mean as a ring. */
static void draw_marks(const assay_score *fit, size_t model, const assay_axes *axes, FILE *to)
{
    double y = axes->bottom - 5.0;

    fputs("<path class=\"line\" d=\"M", to);
    assay_svg_point(to, assay_axes_x(axes, assay_score_value(fit, model, ASSAY_SCORE_THESE_LOW)),
                    y);
    putc('H', to);
    assay_svg_number(to, assay_axes_x(axes, assay_score_value(fit, model, ASSAY_SCORE_THESE_HIGH)));
    fputs("\"/>\n<circle class=\"dot\" r=\"4\" cx=\"", to);
    assay_svg_number(to, assay_axes_x(axes, assay_score_value(fit, model, ASSAY_SCORE_CORRECTED)));
    fputs("\" cy=\"", to);
    assay_svg_number(to, y);
    fputs("\"/>\n<circle class=\"branch\" r=\"4\" cx=\"", to);
    assay_svg_number(to, assay_axes_x(axes, assay_score_value(fit, model, ASSAY_SCORE_RAW)));
    fputs("\" cy=\"", to);
    assay_svg_number(to, y);
    fputs("\"/>\n", to);
}

void assay_plot_scores(const assay_score *fit, const char *const *names, const char *title,
                       FILE *to)
{
    size_t n = assay_score_n_models(fit);
    int shown = (int)(n < MOST_MODELS ? n : MOST_MODELS), height = TOP + shown * RIDGE + 48;

    assay_svg_begin(to, WIDTH, height, "Posterior density of each model's score");
    assay_svg_text(to, 24, 28, "title", title ? title : "", 80);
    assay_svg_text(
        to, 24, 50, "label",
        "shaded: topics like these; line and dot: these topics and the mean; ring: raw mean", 120);
    if (n > MOST_MODELS)
        assay_svg_text(to, LEFT - 12, TOP + shown * RIDGE + 20, "label end", "the first 20 models",
                       26);
    for (int k = 0; k < shown; k++) {
        assay_axes axes = { .left = LEFT, .right = RIGHT, .x_from = 0.0, .x_to = 1.0 };

        axes.top = TOP + k * RIDGE;
        axes.bottom = axes.top + RIDGE - 6;
        draw_ridge(fit, (size_t)k, axes, to);
        draw_marks(fit, (size_t)k, &axes, to);
        assay_svg_text(to, LEFT - 12, axes.bottom - 4, "label end", names[k], 26);
    }
    for (int tenth = 0; tenth <= 10; tenth += 2) {
        char text[8] = { (char)('0' + tenth / 10), '.', (char)('0' + tenth % 10), '\0' };

        assay_svg_text(to, LEFT + (RIGHT - LEFT) * tenth / 10.0, TOP + shown * RIDGE + 20,
                       "label middle", text, 8);
    }
    assay_svg_end(to);
}
