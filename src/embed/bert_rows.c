/* SPDX-License-Identifier: Apache-2.0 */
/* How a product of matrices treats its rows. OpenBLAS takes several of them at a time, and on some
   processors (those without AVX-512, at this writing) adds up the terms of each in an order that
   depends on its place: there rows 0 to 5 of every 12 differ from rows 6 to 11 in the last bits. A
   text's vector must not depend on what stands before it, so its rows begin where places repeat. */
#include "embed/bert.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 3 * ASSAY_BERT_ROWS };

/* One product of equal rows with some of the weights. */
typedef struct probe {
    size_t n, k; /* outputs and inputs */
    const float *weights;
    float *x, *out, *few; /* MOST_ROWS x k, MOST_ROWS x n, ASSAY_BERT_ROWS x n */
} probe;

static void multiply(const probe *p);
static size_t next_divisor(size_t period);
static int is_periodic(const probe *p, size_t period);
static int is_equal_to_few(const probe *p);

assay_status assay_bert_find_rows(assay_bert *bert)
{
    size_t d = bert->shape.width, f = bert->shape.inner, widest = 3 * d > f ? 3 * d : f;
    const assay_bert_layer *layer = &bert->layers[0];
    probe p = { .x = assay_alloc(MOST_ROWS * widest, sizeof(float)),
                .out = assay_alloc(MOST_ROWS * widest, sizeof(float)),
                .few = assay_alloc(ASSAY_BERT_ROWS * widest, sizeof(float)) };
    const probe shapes[] = { { 3 * d, d, layer->projection, p.x, p.out, p.few },
                             { d, d, layer->out, p.x, p.out, p.few },
                             { f, d, layer->inner, p.x, p.out, p.few },
                             { d, f, layer->outer, p.x, p.out, p.few } };
    assay_status status = ASSAY_OK;

    bert->period = 1;
    bert->most_rows = MOST_ROWS;
    if (!p.x || !p.out || !p.few) status = assay_fail(ASSAY_E_NOMEM, "no memory for a model");
    assay_blas_hold();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes && status == ASSAY_OK; s++) {
        multiply(&shapes[s]);
        while (bert->period < ASSAY_BERT_ROWS && !is_periodic(&shapes[s], bert->period))
            bert->period = next_divisor(bert->period);
        if (!is_periodic(&shapes[s], ASSAY_BERT_ROWS) || !is_equal_to_few(&shapes[s]))
            bert->most_rows = ASSAY_BERT_ROWS;
    }
    assay_blas_release();
    free(p.x);
    free(p.out);
    free(p.few);
    return status;
}

static size_t next_divisor(size_t period)
{
    do period++;
    while (ASSAY_BERT_ROWS % period != 0);
    return period;
}

/* The rows are all alike, of numbers that leave something to round. */
static void multiply(const probe *p)
{
    uint32_t bits = 1;

    for (size_t k = 0; k < p->k; k++) {
        bits = bits * 1664525u + 1013904223u; /* (Knuth 1997, 3.3.4) */
        p->x[k] = (float)(bits >> 8) * 0x1p-23f - 1.0f;
    }
    for (size_t i = 1; i < MOST_ROWS; i++) memcpy(p->x + i * p->k, p->x, p->k * sizeof *p->x);
    assay_linalg_ab_single(MOST_ROWS, p->n, p->k, p->x, p->k, p->weights, p->n, p->out, p->n);
    assay_linalg_ab_single(ASSAY_BERT_ROWS, p->n, p->k, p->x, p->k, p->weights, p->n, p->few, p->n);
}

/* Row i is as row i - period, in the call with many rows and in the one with few. */
static int is_periodic(const probe *p, size_t period)
{
    size_t many = (MOST_ROWS - period) * p->n, few = (ASSAY_BERT_ROWS - period) * p->n;

    return memcmp(p->out, p->out + period * p->n, many * sizeof *p->out) == 0 &&
           memcmp(p->few, p->few + period * p->n, few * sizeof *p->few) == 0;
}

static int is_equal_to_few(const probe *p)
{
    return memcmp(p->out, p->few, ASSAY_BERT_ROWS * p->n * sizeof *p->out) == 0;
}
