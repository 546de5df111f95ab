/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With G = X'Y over items, its diagonal made 0, g_i = the sum of z_ia over items, and O, r, c the
 * sum of G, of its rows and of its columns, the sums over different models are
 *     z z: t^2 - sum g^2,   t = sum g         z x y: t O - sum g (r + c)
 *     x y x y, all different:                  O^2 - sum (r + c)^2 + F + H
 *     the same two models: H = sum G_ij G_ji   one shared: sum r c - H,    F = sum G_ij^2.
 * The same of one item alone is subtracted for each, which leaves the different items.
 */
#include "signals/disjoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "signals/disjoint_sums.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

/* What every item has alone: its own sums, and their moments without each model. */
struct alone {
    assay_moment_pair all;
    assay_moment_pair *without_model; /* summed over items */
    assay_moment_pair *without_both;  /* n_items x n_models: of that item */
    assay_disjoint_sums *own;
};

static assay_status items_alone(const assay_disjoint_table *table, struct alone *alone);
static void free_alone(struct alone *alone);
static void add_all(const assay_disjoint_table *table, const assay_disjoint_whole *whole,
                    const struct alone *alone, assay_disjoint_moments *moments);
static void add_without_item(const assay_disjoint_table *table, const assay_disjoint_whole *whole,
                             const struct alone *alone, size_t item,
                             assay_disjoint_moments *moments);

assay_status assay_disjoint_moments_new(size_t n_models, size_t n_items,
                                        assay_disjoint_moments *moments)
{
    *moments = (assay_disjoint_moments){ .n_models = n_models, .n_items = n_items };
    moments->without_model = assay_alloc_zero(n_models, sizeof *moments->without_model);
    moments->without_item = assay_alloc_zero(n_items, sizeof *moments->without_item);
    moments->without_both = assay_alloc_zero(n_models * n_items, sizeof *moments->without_both);
    if (!moments->without_model || !moments->without_item || !moments->without_both)
        return assay_fail(ASSAY_E_NOMEM, "no memory to leave out %zu models and %zu items",
                          n_models, n_items);
    return ASSAY_OK;
}

void assay_disjoint_moments_free(assay_disjoint_moments *moments)
{
    free(moments->without_model);
    free(moments->without_item);
    free(moments->without_both);
    *moments = (assay_disjoint_moments){ 0 };
}

assay_status assay_disjoint_add(const assay_disjoint_table *table, assay_disjoint_moments *moments)
{
    assay_disjoint_whole whole;
    struct alone alone = { 0 };
    assay_status status = assay_disjoint_whole_new(table, &whole);

    if (status == ASSAY_OK) status = items_alone(table, &alone);
    if (status == ASSAY_OK) {
        add_all(table, &whole, &alone, moments);
        for (size_t a = 0; a < table->n_items && table->n_items > 2; a++) {
            if (a % ASSAY_DISJOINT_BLOCK == 0) assay_disjoint_whole_block(table, &whole, a);
            add_without_item(table, &whole, &alone, a, moments);
        }
    }
    assay_disjoint_whole_free(&whole);
    free_alone(&alone);
    return status;
}

static void add(assay_moment_pair *to, assay_moment_pair more)
{
    to->a += more.a;
    to->b += more.b;
}

/* What the items have together less what they have alone, over pairs of n_items of them. */
static assay_moment_pair between_items(assay_moment_pair together, assay_moment_pair alone,
                                       size_t n_items)
{
    double pairs = (double)n_items * ((double)n_items - 1.0);

    return (assay_moment_pair){ (together.a - alone.a) / pairs, (together.b - alone.b) / pairs };
}

static assay_status items_alone(const assay_disjoint_table *table, struct alone *alone)
{
    size_t n = table->n_models;

    alone->own = assay_alloc(table->n_items, sizeof *alone->own);
    alone->without_model = assay_alloc_zero(n, sizeof *alone->without_model);
    alone->without_both = assay_alloc_zero(n * table->n_items, sizeof *alone->without_both);
    if (!alone->own || !alone->without_model || !alone->without_both)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the sums of %zu items", table->n_items);
    for (size_t a = 0; a < table->n_items; a++) {
        const assay_disjoint_powers powers = assay_disjoint_powers_of(table, a);

        alone->own[a] = assay_disjoint_sums_of_powers(&powers);
        add(&alone->all, assay_disjoint_pair(&alone->own[a], n));
        for (size_t k = 0; k < n && n > 4; k++) {
            const assay_disjoint_powers left = assay_disjoint_powers_without(&powers, table, a, k);
            const assay_disjoint_sums sums = assay_disjoint_sums_of_powers(&left);
            const assay_moment_pair pair = assay_disjoint_pair(&sums, n - 1);

            alone->without_both[a * n + k] = pair;
            add(&alone->without_model[k], pair);
        }
    }
    return ASSAY_OK;
}

static void free_alone(struct alone *alone)
{
    free(alone->own);
    free(alone->without_model);
    free(alone->without_both);
}

static void add_all(const assay_disjoint_table *table, const assay_disjoint_whole *whole,
                    const struct alone *alone, assay_disjoint_moments *moments)
{
    size_t n = table->n_models;

    add(&moments->all,
        between_items(assay_disjoint_pair(&whole->sums, n), alone->all, table->n_items));
    for (size_t k = 0; k < n && n > 4; k++) {
        const assay_disjoint_sums sums = assay_disjoint_sums_without_model(whole, k);

        add(&moments->without_model[k], between_items(assay_disjoint_pair(&sums, n - 1),
                                                      alone->without_model[k], table->n_items));
    }
}

static void add_without_item(const assay_disjoint_table *table, const assay_disjoint_whole *whole,
                             const struct alone *alone, size_t item,
                             assay_disjoint_moments *moments)
{
    size_t n = table->n_models, others = table->n_items - 1;
    const assay_moment_pair own = assay_disjoint_pair(&alone->own[item], n);
    const assay_disjoint_rest rest =
        assay_disjoint_without_item(table, whole, item, &alone->own[item]);

    add(&moments->without_item[item],
        between_items(assay_disjoint_pair(&rest.sums, n),
                      (assay_moment_pair){ alone->all.a - own.a, alone->all.b - own.b }, others));
    for (size_t k = 0; k < n && n > 4; k++) {
        const assay_disjoint_sums sums = assay_disjoint_sums_without_both(&rest, k);
        assay_moment_pair left = alone->without_model[k];

        left.a -= alone->without_both[item * n + k].a;
        left.b -= alone->without_both[item * n + k].b;
        add(&moments->without_both[item * n + k],
            between_items(assay_disjoint_pair(&sums, n - 1), left, others));
    }
}
