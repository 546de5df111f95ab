/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of `assay score` that show prompts: similarities and topics, in the order of the tree. */
#include "assay/plot.h"
#include "core/error.h"
#include "core/memory.h"
#include "report/heatmap.h"
#include "report/leaf_order.h"
#include "report/svg.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 560, LEFT = 24, TOP = 64, MOST_ROWS = 512 };

static void begin_square(FILE *to, const char *title, const char *subtitle)
{
    assay_svg_begin(to, SIDE + 2 * LEFT, SIDE + TOP + LEFT, subtitle);
    assay_svg_text(to, LEFT, 28, "title", title ? title : "", 64);
    assay_svg_text(to, LEFT, 50, "label", subtitle, 120);
}

/* ---- cosine similarity ---- */

struct similarity {
    const assay_vectors *vectors;
    const assay_leaf_order *order;
    size_t n_shown;
};

/* Of more prompts than there are pixels, an even choice is shown. */
static double similarity_at(const void *user, size_t row, size_t column)
{
    const struct similarity *s = user;
    size_t n = s->order->n;
    size_t i = s->order->leaf[row * n / s->n_shown], j = s->order->leaf[column * n / s->n_shown];

    return i == j ? 1.0 : assay_vectors_dot(s->vectors, i, j);
}

assay_status assay_plot_similarity(const assay_vectors *vectors, const assay_dendrogram *tree,
                                   const char *title, FILE *to)
{
    assay_leaf_order order;
    assay_status status = assay_leaf_order_new(tree, &order);
    struct similarity similarity = { vectors, &order, order.n < MOST_ROWS ? order.n : MOST_ROWS };

    if (status == ASSAY_OK) {
        begin_square(to, title, "cosine similarity of the prompts, in the order of the tree");
        status =
            assay_svg_heatmap(to, LEFT, TOP, SIDE, similarity.n_shown, similarity_at, &similarity);
        assay_svg_end(to);
    }
    assay_leaf_order_free(&order);
    return status;
}

/* ---- posterior similarity ---- */

struct together {
    const assay_leaf_order *order;
    const double *at_most; /* P(S <= s), at [s] */
};

/* Two prompts share a topic in every cut that has made their merge t: S <= n - 1 - t. */
static double together_at(const void *user, size_t row, size_t column)
{
    const struct together *t = user;

    if (row == column) return 1.0;
    return t->at_most[t->order->n - 1 - assay_leaf_order_merge(t->order, row, column)];
}

assay_status assay_plot_together(const assay_dendrogram *tree, const double *post,
                                 const char *title, FILE *to)
{
    size_t n = assay_dendrogram_n(tree);
    double *at_most = assay_alloc_zero(n + 1, sizeof *at_most);
    assay_leaf_order order = { 0 };
    struct together together = { &order, at_most };
    assay_status status = ASSAY_OK;

    if (!at_most)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a figure of %zu prompts", n);
    else
        status = assay_leaf_order_new(tree, &order);
    if (status == ASSAY_OK) {
        for (size_t s = 1; s <= n; s++) at_most[s] = at_most[s - 1] + post[s - 1];
        begin_square(to, title, "probability that two prompts are of one topic (white 0, blue 1)");
        status = assay_svg_heatmap(to, LEFT, TOP, SIDE, n, together_at, &together);
        assay_svg_end(to);
    }
    assay_leaf_order_free(&order);
    free(at_most);
    return status;
}

/* ---- the tree ---- */

struct drawing {
    const assay_dendrogram *tree;
    assay_axes axes; /* x: places of leaves; y: heights */
    double *x, *y;   /* of each node */
};

static void draw_branch(const struct drawing *d, const size_t children[2], size_t node, FILE *to)
{
    double height = assay_axes_y(&d->axes, d->y[node]);

    fputs("<path class=\"branch\" d=\"M", to);
    assay_svg_point(to, assay_axes_x(&d->axes, d->x[children[0]]),
                    assay_axes_y(&d->axes, d->y[children[0]]));
    putc('V', to);
    assay_svg_number(to, height);
    putc('H', to);
    assay_svg_number(to, assay_axes_x(&d->axes, d->x[children[1]]));
    putc('V', to);
    assay_svg_number(to, assay_axes_y(&d->axes, d->y[children[1]]));
    fputs("\"/>\n", to);
}

static void draw_tree(struct drawing *d, const assay_leaf_order *order, FILE *to)
{
    size_t n = order->n;

    for (size_t k = 0; k < n; k++) {
        d->x[order->leaf[k]] = (double)k;
        d->y[order->leaf[k]] = 0.0;
    }
    for (size_t t = 0; t + 1 < n; t++) {
        size_t children[2];

        assay_dendrogram_merge(d->tree, t, children, &d->y[n + t]);
        d->x[n + t] = 0.5 * (d->x[children[0]] + d->x[children[1]]);
        draw_branch(d, children, n + t, to);
    }
}

/* Beside the tree, at the height where a cut has S clusters, how probable S is. */
static void draw_cut_probabilities(const struct drawing *d, const double *post, FILE *to)
{
    size_t n = assay_dendrogram_n(d->tree), children[2];
    double left = d->axes.right + 16, width = 120, most = 0.0, below = 0.0, above;

    for (size_t s = 0; s < n; s++) most = fmax(most, post[s]);
    for (size_t s = n; s >= 1;
         s--) { /* the cut into s lies between the merges n - s - 1 and n - s */
        above = d->axes.y_to;
        if (s > 1) assay_dendrogram_merge(d->tree, n - s, children, &above);
        if (post[s - 1] > 1e-3 * most) {
            double top = assay_axes_y(&d->axes, above), bottom = assay_axes_y(&d->axes, below);

            fputs("<rect class=\"dot\" x=\"", to);
            assay_svg_number(to, left);
            fputs("\" y=\"", to);
            assay_svg_number(to, fmin(top, bottom - 1.0));
            fputs("\" width=\"", to);
            assay_svg_number(to, width * post[s - 1] / most);
            fputs("\" height=\"", to);
            assay_svg_number(to, fmax(bottom - top, 1.0));
            fprintf(to, "\"><title>%zu topics: probability ", s);
            assay_svg_number(to, 100.0 * post[s - 1]);
            fputs(" %</title></rect>\n", to);
        }
        below = above;
    }
    assay_svg_text(to, left, d->axes.bottom + 20, "label", "probability of the cut", 64);
}

assay_status assay_plot_tree(const assay_dendrogram *tree, const double *post, const char *title,
                             FILE *to)
{
    size_t n = assay_dendrogram_n(tree), children[2];
    double highest = 1.0;
    assay_leaf_order order = { 0 };
    struct drawing d = { .tree = tree };
    assay_status status = ASSAY_OK;

    d.x = assay_alloc(2 * n, sizeof *d.x);
    d.y = assay_alloc(2 * n, sizeof *d.y);
    if (!d.x || !d.y)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a figure of %zu prompts", n);
    else
        status = assay_leaf_order_new(tree, &order);
    if (status == ASSAY_OK) {
        if (n > 1) assay_dendrogram_merge(tree, n - 2, children, &highest);
        d.axes = (assay_axes){ .left = 64,
                               .right = 700,
                               .top = TOP,
                               .bottom = 420,
                               .x_from = -0.5,
                               .x_to = (double)n - 0.5,
                               .y_to = fmax(highest, 1e-6) * 1.02 };
        assay_svg_begin(to, 860, 460, "Dendrogram of the prompts with the probability of each cut");
        assay_svg_text(to, LEFT, 28, "title", title ? title : "", 64);
        assay_svg_text(
            to, LEFT, 50, "label",
            "how prompts join into topics (cosine distance), and how probable each cut is", 120);
        draw_tree(&d, &order, to);
        draw_cut_probabilities(&d, post, to);
        assay_svg_text(to, 64, 440, "label", "prompts", 16);
        assay_svg_end(to);
    }
    assay_leaf_order_free(&order);
    free(d.x);
    free(d.y);
    return status;
}
