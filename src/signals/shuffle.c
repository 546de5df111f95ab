/* SPDX-License-Identifier: Apache-2.0 */
#include "signals/shuffle.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

static void find_turned(assay_shuffle *shuffle);
static void shuffle_bits(assay_shuffle *shuffle, assay_random *random);
static void turn_around(assay_shuffle *shuffle);
static void gram_of_plane(assay_shuffle *shuffle, double *gram);
static void shuffle_doubles(assay_shuffle *shuffle, assay_random *random);

assay_status assay_shuffle_new(const assay_centred *z, assay_shuffle *shuffle)
{
    size_t r = z->n_rows, l = z->n_columns;
    assay_status status;

    *shuffle = (assay_shuffle){ .z = z };
    if (assay_bit_form_fits(z)) {
        if ((status = assay_bit_form_new(z, &shuffle->form)) != ASSAY_OK) return status;
        shuffle->plane = assay_plane_new(r, l, &shuffle->stride);
        shuffle->order = assay_alloc(z->n_models, sizeof *shuffle->order);
        shuffle->counts = assay_alloc_aligned(ASSAY_TILE * ASSAY_TILE, sizeof *shuffle->counts);
        shuffle->turned = assay_alloc_zero(shuffle->stride, sizeof(uint64_t));
        shuffle->all_models = assay_alloc_zero(shuffle->stride, sizeof(uint64_t));
        if (shuffle->plane && shuffle->order && shuffle->counts && shuffle->turned &&
            shuffle->all_models) {
            find_turned(shuffle);
            return ASSAY_OK;
        }
    } else {
        shuffle->cells = assay_alloc_aligned(r * l, sizeof *shuffle->cells);
        shuffle->shuffled = assay_alloc_aligned(r * l, sizeof *shuffle->shuffled);
        shuffle->sequence = assay_alloc(z->n_models, sizeof *shuffle->sequence);
        if (shuffle->cells && shuffle->shuffled && shuffle->sequence) {
            assay_centred_block(z, z->side, (assay_block){ 0, r, 0, l }, (assay_change){ 0 },
                                shuffle->cells);
            return ASSAY_OK;
        }
    }
    return assay_fail(ASSAY_E_NOMEM, "no memory to shuffle %zu x %zu cells", z->n_models,
                      z->n_items);
}

static void set_bit(uint64_t *mask, size_t i)
{
    mask[i / 64] |= (uint64_t)1 << (i % 64);
}

/* The items that more than half of the models solve. */
static void find_turned(assay_shuffle *shuffle)
{
    const assay_centred *z = shuffle->z;
    double n = (double)z->n_models;

    for (size_t t = 0; t < z->n_items; t++) {
        if (2.0 * z->item_count[t] <= n) continue;
        shuffle->shift_of_turned += n * z->item_count[t];
        if (z->side == ASSAY_SIDE_MODELS) set_bit(shuffle->turned, t);
    }
    for (size_t m = 0; m < z->n_models && z->side == ASSAY_SIDE_ITEMS; m++)
        set_bit(shuffle->all_models, m);
}

void assay_shuffle_free(assay_shuffle *shuffle)
{
    free(shuffle->turned);
    free(shuffle->all_models);
    assay_bit_form_free(&shuffle->form);
    free(shuffle->plane);
    free(shuffle->order);
    free(shuffle->counts);
    free(shuffle->cells);
    free(shuffle->shuffled);
    free(shuffle->sequence);
    *shuffle = (assay_shuffle){ 0 };
}

void assay_shuffle_gram(assay_shuffle *shuffle, assay_random *random, double *gram)
{
    const assay_centred *z = shuffle->z;

    if (shuffle->plane) {
        shuffle_bits(shuffle, random);
        gram_of_plane(shuffle, gram);
    } else {
        shuffle_doubles(shuffle, random);
        assay_linalg_aat(z->n_rows, z->n_columns, shuffle->shuffled, gram);
    }
}

/* ---- bits ---- */

/* Bring a random sample of k of the n entries to the front (Fisher and Yates, begun). Whatever
   order they come in, every subset is as likely. */
static void draw_front(assay_random *random, uint32_t *order, size_t n, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        size_t j = i + assay_random_below_32(random, (uint32_t)(n - i));
        uint32_t swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
}

/* An item that k models solve is given to k others. Where k is over a half those that do not solve it are
   drawn, and the bits of its column turned around at the end. */
static void shuffle_bits(assay_shuffle *shuffle, assay_random *random)
{
    const assay_centred *z = shuffle->z;
    size_t n = z->n_models, by_model = z->side == ASSAY_SIDE_MODELS;
    uint32_t *order = shuffle->order;

    memset(shuffle->plane, 0, z->n_rows * shuffle->stride * sizeof *shuffle->plane);
    for (size_t m = 0; m < n; m++) {
        order[m] = (uint32_t)m;
        if (by_model) shuffle->form.shift[m] = shuffle->shift_of_turned;
    }
    for (size_t t = 0; t < z->n_items; t++) {
        double k = z->item_count[t];
        int turned = 2.0 * k > (double)n;
        size_t drawn = (size_t)(turned ? (double)n - k : k);
        double shift = (turned ? -1.0 : 1.0) * (double)n * k;

        draw_front(random, order, n, drawn);
        for (size_t i = 0; i < drawn; i++) {
            size_t row = by_model ? order[i] : t, column = by_model ? t : order[i];

            shuffle->plane[row * shuffle->stride + column / 64] |= (uint64_t)1 << (column % 64);
            if (by_model) shuffle->form.shift[row] += shift;
        }
    }
    turn_around(shuffle);
}

/* A mask of the items to turn around, for every row of models; whole rows where items are rows. */
static void turn_around(assay_shuffle *shuffle)
{
    const assay_centred *z = shuffle->z;
    size_t words = shuffle->stride;

    for (size_t row = 0; row < z->n_rows; row++) {
        const uint64_t *mask = z->side == ASSAY_SIDE_MODELS ? shuffle->turned : shuffle->all_models;

        if (z->side == ASSAY_SIDE_ITEMS && 2.0 * z->item_count[row] <= (double)z->n_models)
            continue;
        for (size_t w = 0; w < words; w++) shuffle->plane[row * words + w] ^= mask[w];
    }
}

static void gram_of_plane(assay_shuffle *shuffle, double *gram)
{
    assay_bit_rows rows = { shuffle->plane, shuffle->stride };

    for (size_t a = 0; a < shuffle->form.n_rows; a += ASSAY_TILE)
        for (size_t b = 0; b <= a; b += ASSAY_TILE)
            assay_bit_gram_tile(&shuffle->form, rows, a, b, shuffle->counts, gram);
}

/* ---- doubles ---- */

static void shuffle_sequence(assay_random *random, double *values, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = assay_random_below_32(random, (uint32_t)i);
        double swapped = values[i - 1];

        values[i - 1] = values[j];
        values[j] = swapped;
    }
}

/* An item is a column where the models are rows, and a row otherwise. */
static void shuffle_doubles(assay_shuffle *shuffle, assay_random *random)
{
    const assay_centred *z = shuffle->z;
    size_t n = z->n_models, by_model = z->side == ASSAY_SIDE_MODELS;
    size_t item_step = by_model ? 1 : n, model_step = by_model ? z->n_items : 1;

    for (size_t t = 0; t < z->n_items; t++) {
        const double *from = shuffle->cells + t * item_step;
        double *to = shuffle->shuffled + t * item_step;

        for (size_t m = 0; m < n; m++) shuffle->sequence[m] = from[m * model_step];
        shuffle_sequence(random, shuffle->sequence, n);
        for (size_t m = 0; m < n; m++) to[m * model_step] = shuffle->sequence[m];
    }
}
