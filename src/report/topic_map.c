/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts in two dimensions: the first two principal components of their vectors (which is classical
   multidimensional scaling of the distances between them). */
#include "assay/plot.h"
#include "core/error.h"
#include "core/memory.h"
#include "report/svg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_STEPS = 200, WIDTH = 640, HEIGHT = 560, MOST_COLOURS = 8 };

/* Colours of the largest topics (Okabe and Ito, and two more); all others are grey. */
static const char *const colours[MOST_COLOURS] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                   "#56b4e9", "#d55e00", "#8c6d1f", "#5b3e96" };

/* out (n) = X v less its mean, and back (d) = X' out: one step of the power method on the covariance. */
static void multiply(const assay_vectors *x, const double *v, double *out)
{
    double mean = 0.0;

    for (size_t i = 0; i < x->n; i++) {
        out[i] = 0.0;
        if (x->dense)
            for (size_t k = 0; k < x->d; k++) out[i] += x->dense[i * x->d + k] * v[k];
        else
            for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                out[i] += x->value[e] * v[x->column[e]];
        mean += out[i] / (double)x->n;
    }
    for (size_t i = 0; i < x->n; i++) out[i] -= mean;
}

static void multiply_back(const assay_vectors *x, const double *u, double *out)
{
    memset(out, 0, x->d * sizeof *out);
    for (size_t i = 0; i < x->n; i++) {
        if (x->dense)
            for (size_t k = 0; k < x->d; k++) out[k] += x->dense[i * x->d + k] * u[i];
        else
            for (size_t e = x->start[i]; e < x->start[i + 1]; e++)
                out[x->column[e]] += x->value[e] * u[i];
    }
}

static double normalise(double *v, size_t n)
{
    double length = 0.0;

    for (size_t i = 0; i < n; i++) length += v[i] * v[i];
    length = sqrt(length);
    for (size_t i = 0; i < n && length > 0.0; i++) v[i] /= length;
    return length;
}

static void take_out(double *v, const double *direction, size_t n)
{
    double product = 0.0;

    for (size_t i = 0; i < n; i++) product += v[i] * direction[i];
    for (size_t i = 0; i < n; i++) v[i] -= product * direction[i];
}

/* Where the power method starts: fixed, and with a part along every direction. */
static void start_vector(double *v, size_t n, size_t which)
{
    for (size_t k = 0; k < n; k++) v[k] = cos((double)((k + 1) * (which + 1)));
    normalise(v, n);
}

/* Two components one after the other; place[i] and place[n + i] are prompt i's coordinates. A figure
   needs no more digits than the power method gives. */
static void find_places(const assay_vectors *x, double *axes, double *place)
{
    double *work = axes + 2 * x->d;

    for (size_t c = 0; c < 2; c++) {
        double *axis = axes + c * x->d, *along = place + c * x->n;

        start_vector(axis, x->d, c);
        for (size_t step = 0; step < N_STEPS; step++) {
            if (c == 1) take_out(axis, axes, x->d);
            multiply(x, axis, along);
            multiply_back(x, along, work);
            if (c == 1) take_out(work, axes, x->d);
            if (normalise(work, x->d) == 0.0) break; /* all prompts stand at one place */
            memcpy(axis, work, x->d * sizeof *axis);
        }
        multiply(x, axis, along);
    }
}

/* rank[k]: the place of topic k among the topics by size, the largest 0. */
static void rank_topics(const size_t *labels, size_t n, size_t *size, size_t *rank)
{
    memset(size, 0, n * sizeof *size);
    for (size_t i = 0; i < n; i++) size[labels[i]]++;
    for (size_t k = 0; k < n; k++) {
        rank[k] = 0;
        for (size_t j = 0; size[k] && j < n && rank[k] <= MOST_COLOURS; j++)
            if (size[j] > size[k] || (size[j] == size[k] && j < k)) rank[k]++;
    }
}

static assay_axes axes_of(const double *place, size_t n)
{
    assay_axes axes = { .left = 24, .right = WIDTH - 24, .top = 64, .bottom = HEIGHT - 24 };
    double largest = 1e-9;

    for (size_t i = 0; i < 2 * n; i++) largest = fmax(largest, fabs(place[i]));
    axes.x_from = axes.y_from = -1.05 * largest;
    axes.x_to = axes.y_to = 1.05 * largest;
    return axes;
}

assay_status assay_plot_map(const assay_vectors *vectors, const size_t *labels, const char *title,
                            FILE *to)
{
    size_t n = vectors->n;
    double *axis = assay_alloc(3 * vectors->d, sizeof *axis),
           *place = assay_alloc(2 * n, sizeof *place);
    size_t *size = assay_alloc(n, sizeof *size), *rank = assay_alloc(n, sizeof *rank);
    assay_status status = ASSAY_OK;

    if (assay_vectors_by_turn(vectors)) {
        status =
            assay_fail(ASSAY_E_VALUE, "map: the largest of the turns' distances is no geometry of "
                                      "vectors, expected another way to join turns");
    } else if (!axis || !place || !size || !rank) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a map of %zu prompts", n);
    } else {
        assay_axes axes;

        find_places(vectors, axis, place);
        rank_topics(labels, n, size, rank);
        axes = axes_of(place, n);
        assay_svg_begin(to, WIDTH, HEIGHT,
                        "Map of the prompts by their first two principal components");
        assay_svg_text(to, 24, 28, "title", title ? title : "", 64);
        assay_svg_text(to, 24, 50, "label",
                       "prompts by their first two components; the largest topics in colour", 100);
        for (size_t i = 0; i < n; i++) {
            size_t k = rank[labels[i]];

            fputs("<circle cx=\"", to);
            assay_svg_number(to, assay_axes_x(&axes, place[i]));
            fputs("\" cy=\"", to);
            assay_svg_number(to, assay_axes_y(&axes, place[n + i]));
            fprintf(to, "\" r=\"4\" fill=\"%s\" fill-opacity=\".75\"/>\n",
                    k < MOST_COLOURS && size[labels[i]] > 1 ? colours[k] : "#8c959f");
        }
        assay_svg_end(to);
    }
    free(axis);
    free(place);
    free(size);
    free(rank);
    return status;
}
