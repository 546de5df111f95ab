/* SPDX-License-Identifier: Apache-2.0 */
#include "data/record.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int bit(const uint64_t *plane, size_t i)
{
    return (int)(plane[i / 64] >> (i % 64) & 1);
}

static void set_bit(uint64_t *plane, size_t i, int value)
{
    uint64_t mask = (uint64_t)1 << (i % 64);

    plane[i / 64] = value ? plane[i / 64] | mask : plane[i / 64] & ~mask;
}

void assay_cells_free(assay_cells *cells)
{
    free(cells->scored);
    free(cells->one);
    free(cells->scores);
    free(cells->reason);
    *cells = (assay_cells){ 0 };
}

/* A larger copy of an array whose new part is cleared; the old one is freed only when all is well.
 */
static int enlarge(void *array, size_t old_count, size_t new_count, size_t size)
{
    void *old, *p = assay_alloc_zero(new_count, size);

    if (!p) return -1;
    memcpy(&old, array, sizeof old);
    if (old_count) memcpy(p, old, old_count * size);
    free(old);
    memcpy(array, &p, sizeof p);
    return 0;
}

int assay_cells_reserve(assay_cells *cells, size_t n_items)
{
    size_t old = cells->n_words, words = (n_items + 63) / 64;

    if (words <= old) return 0;
    if (old) words = words > 2 * old ? words : 2 * old;
    /* Should a later one fail, the earlier ones are larger than n_words says, which does no harm.
     */
    if (enlarge(&cells->scored, old, words, sizeof *cells->scored) != 0 ||
        enlarge(&cells->one, old, words, sizeof *cells->one) != 0)
        return -1;
    if (cells->scores && enlarge(&cells->scores, 64 * old, 64 * words, sizeof(double)) != 0)
        return -1;
    if (cells->reason && enlarge(&cells->reason, 64 * old, 64 * words, 1) != 0) return -1;
    cells->n_words = words;
    return 0;
}

assay_score_state assay_cells_get(const assay_cells *cells, size_t item, double *score)
{
    *score = NAN;
    if (item / 64 >= cells->n_words) return ASSAY_ABSENT;
    if (bit(cells->scored, item)) {
        *score = cells->scores ? cells->scores[item] : bit(cells->one, item);
        return ASSAY_SCORED;
    }
    if (!bit(cells->one, item)) return ASSAY_ABSENT;
    return cells->reason ? (assay_score_state)cells->reason[item] : ASSAY_MISSING;
}

/* From bits to doubles, when the first score comes that is neither 0 nor 1. */
static int widen(assay_cells *cells)
{
    double *scores = assay_alloc_zero(64 * cells->n_words, sizeof *scores);

    if (!scores) return -1;
    for (size_t i = 0; i < 64 * cells->n_words; i++)
        if (bit(cells->scored, i)) scores[i] = bit(cells->one, i);
    cells->scores = scores;
    return 0;
}

static int note_reason(assay_cells *cells, size_t item, assay_score_state state)
{
    if (!cells->reason) {
        if (state == ASSAY_MISSING) return 0;
        cells->reason = assay_alloc(64 * cells->n_words, 1);
        if (!cells->reason) return -1;
        memset(cells->reason, ASSAY_MISSING, 64 * cells->n_words);
    }
    cells->reason[item] = (unsigned char)state;
    return 0;
}

assay_put assay_cells_put(assay_cells *cells, size_t item, double score, assay_score_state state)
{
    double held;
    assay_score_state now = assay_cells_get(cells, item, &held);

    if (state != ASSAY_SCORED) {
        if (now == ASSAY_SCORED) return ASSAY_PUT_NEW; /* a score is not lost to a missing one */
        if (now == state) return ASSAY_PUT_SAME;
        if (note_reason(cells, item, state) != 0) return ASSAY_PUT_NO_MEMORY;
        set_bit(cells->one, item, 1);
        return ASSAY_PUT_NEW;
    }
    if (now == ASSAY_SCORED) return held == score ? ASSAY_PUT_SAME : ASSAY_PUT_CONFLICT;
    if (score != 0.0 && score != 1.0 && !cells->scores && widen(cells) != 0)
        return ASSAY_PUT_NO_MEMORY;
    set_bit(cells->scored, item, 1);
    set_bit(cells->one, item, score == 1.0);
    if (cells->scores) cells->scores[item] = score;
    return ASSAY_PUT_NEW;
}

void assay_cells_put_word(assay_cells *cells, size_t word, uint64_t scored, uint64_t one)
{
    cells->scored[word] |= scored;
    cells->one[word] |= one;
}
