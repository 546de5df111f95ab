/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/blocks.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/threads.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

/* Sequences of a static model that a thread takes at a time. */
enum { STATIC_PIECE = 1024 };

/* Sequences sorted into the order of the blocks. */
typedef struct blocks {
    const assay_encoder *encoder;
    const assay_sequence *const *given;
    const assay_sequence **sequences;
    size_t *place; /* of each in given */
    size_t n, n_rows, longest;
    size_t *start; /* n_blocks + 1 */
    size_t n_blocks;
    assay_bert_bench *benches; /* by thread */
    int n_benches;
    unsigned char *is_done;
} blocks;

static assay_status run_static(void *user, size_t piece, int thread);
static assay_status run_blocks(blocks *b, int threads, assay_progress progress);
static assay_status pack(blocks *b);
static assay_status run_block(void *user, size_t block, int thread);

assay_status assay_run_sequences(const assay_encoder *encoder,
                                 const assay_sequence *const *sequences, size_t n, int threads,
                                 assay_progress progress, unsigned char *is_done)
{
    blocks b = { .encoder = encoder, .given = sequences, .n = n, .is_done = is_done };
    assay_status status;

    if (n == 0) return ASSAY_OK;
    if (assay_encoder_is_static(encoder))
        return assay_do_pieces((n + STATIC_PIECE - 1) / STATIC_PIECE, threads, "vectors", progress,
                               run_static, &b);
    status = pack(&b);
    if (status == ASSAY_OK) status = run_blocks(&b, threads, progress);
    free(b.sequences);
    free(b.place);
    free(b.start);
    return status;
}

static assay_status run_static(void *user, size_t piece, int thread)
{
    blocks *b = user;
    size_t first = piece * STATIC_PIECE, last = first + STATIC_PIECE;

    (void)thread;
    for (size_t s = first; s < last && s < b->n; s++) {
        assay_static_table_run(&b->encoder->table, b->given[s]->ids, b->given[s]->n,
                               b->given[s]->vector);
        b->is_done[s] = 1;
    }
    return ASSAY_OK;
}

static assay_status run_blocks(blocks *b, int threads, assay_progress progress)
{
    assay_status status = ASSAY_OK;

    b->n_benches = (size_t)threads < b->n_blocks ? threads : (int)b->n_blocks;
    b->benches = assay_alloc_zero((size_t)b->n_benches, sizeof *b->benches);
    if (!b->benches) return assay_fail(ASSAY_E_NOMEM, "no memory for %d threads", threads);
    for (int t = 0; t < b->n_benches && status == ASSAY_OK; t++)
        status = assay_bert_bench_new(&b->encoder->bert, b->n_rows, b->longest, &b->benches[t]);
    if (status == ASSAY_OK) {
        assay_blas_hold();
        status = assay_do_pieces(b->n_blocks, b->n_benches, "vectors", progress, run_block, b);
        assay_blas_release();
    }
    for (int t = 0; t < b->n_benches; t++) assay_bert_bench_free(&b->benches[t]);
    free(b->benches);
    return status;
}

static assay_status run_block(void *user, size_t block, int thread)
{
    blocks *b = user;
    size_t first = b->start[block], n = b->start[block + 1] - first;

    assay_bert_run(&b->encoder->bert, b->sequences + first, n, &b->benches[thread]);
    for (size_t s = first; s < first + n; s++) b->is_done[b->place[s]] = 1;
    return ASSAY_OK;
}

/* ---- packing ---- */

/* Sequences by length: those of length l are by_length[end[l - 1] .. end[l] - 1], and are taken from the
   end, so that end moves down to where those of length l begin. */
typedef struct lengths {
    size_t *by_length, *begin, *end;
} lengths;

static assay_status sort_by_length(const blocks *b, lengths *l)
{
    l->by_length = assay_alloc(b->n, sizeof *l->by_length);
    l->begin = assay_alloc_zero(b->longest + 2, sizeof *l->begin);
    l->end = assay_alloc_zero(b->longest + 2, sizeof *l->end);
    if (!l->by_length || !l->begin || !l->end)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu texts", b->n);
    for (size_t s = 0; s < b->n; s++) l->begin[b->given[s]->n + 1]++;
    for (size_t k = 1; k < b->longest + 2; k++) l->begin[k] += l->begin[k - 1];
    memcpy(l->end, l->begin, (b->longest + 2) * sizeof *l->end);
    for (size_t s = 0; s < b->n; s++) l->by_length[l->end[b->given[s]->n]++] = s;
    return ASSAY_OK;
}

/* The longest sequence of at most this many tokens that is left, taken out; SIZE_MAX for none. */
static size_t take_longest(lengths *l, size_t most)
{
    for (size_t k = most; k > 0; k--)
        if (l->end[k] > l->begin[k]) return l->by_length[--l->end[k]];
    return SIZE_MAX;
}

/* Each block takes the longest sequence that is left, then whatever is the longest that still fits. */
static void fill_blocks(blocks *b, lengths *l)
{
    size_t n = 0;

    while (n < b->n) {
        size_t room = b->n_rows, s;

        b->start[b->n_blocks++] = n;
        while ((s = take_longest(l, room < b->longest ? room : b->longest)) != SIZE_MAX) {
            size_t taken = assay_bert_rows_taken(&b->encoder->bert, b->given[s]->n);

            b->sequences[n] = b->given[s];
            b->place[n++] = s;
            room -= taken; /* both are multiples of the period */
        }
    }
    b->start[b->n_blocks] = n;
}

static assay_status pack(blocks *b)
{
    lengths l = { 0 };
    assay_status status;

    for (size_t s = 0; s < b->n; s++)
        if (b->given[s]->n > b->longest) b->longest = b->given[s]->n;
    b->n_rows = assay_bert_block_rows(b->longest);
    b->sequences = assay_alloc(b->n, sizeof *b->sequences);
    b->place = assay_alloc(b->n, sizeof *b->place);
    b->start = assay_alloc(b->n + 1, sizeof *b->start);
    if (!b->sequences || !b->place || !b->start)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu texts", b->n);
    else
        status = sort_by_length(b, &l);
    if (status == ASSAY_OK) fill_blocks(b, &l);
    free(l.by_length);
    free(l.begin);
    free(l.end);
    return status;
}
