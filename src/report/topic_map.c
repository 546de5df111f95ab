/* SPDX-License-Identifier: Apache-2.0 */
/* The map of the prompts as a figure of its own. */
#include "assay/plot.h"
#include "assay/prompt_map.h"
#include "core/error.h"
#include "core/memory.h"
#include "report/svg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 560, MOST_COLOURS = 8 };

/* Colours of the largest topics (Okabe and Ito, and two more); all others are grey. */
static const char *const colours[MOST_COLOURS] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                   "#56b4e9", "#d55e00", "#8c6d1f", "#5b3e96" };

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
    double *place = assay_alloc(2 * n, sizeof *place), share;
    size_t *size = assay_alloc(n, sizeof *size), *rank = assay_alloc(n, sizeof *rank);
    assay_status status = ASSAY_OK;

    if (!place || !size || !rank)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a map of %zu prompts", n);
    else
        status = assay_prompt_map_find(vectors, place, place + n, &share);
    if (status == ASSAY_OK) {
        assay_axes axes;

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
    free(place);
    free(size);
    free(rank);
    return status;
}
