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

enum { COUNTS = 3, MOST_ROWS = COUNTS * ASSAY_BERT_ROWS };

/* Products of equal rows with numbers that leave something to round, for each count of rows there is. */
typedef struct probe {
    size_t n, k;                      /* outputs and inputs */
    float *x, *weights, *out[COUNTS]; /* MOST_ROWS x k, k x n; (c + 1) ASSAY_BERT_ROWS x n */
} probe;

static void fill(float *numbers, size_t n);
static void multiply(const probe *p);
static size_t next_divisor(size_t period);
static int is_periodic(const probe *p, size_t period);
static int counts_agree(const probe *p);

assay_status assay_bert_find_rows(assay_bert *bert)
{
    size_t d = bert->shape.width, f = bert->shape.inner, widest = 3 * d > f ? 3 * d : f;
    const size_t shapes[][2] = { { 3 * d, d }, { d, d }, { f, d }, { d, f } };
    probe p = { .x = assay_alloc(MOST_ROWS * widest, sizeof(float)),
                .weights = assay_alloc(d * widest, sizeof(float)) };
    assay_status status = ASSAY_OK;

    for (size_t c = 0; c < COUNTS; c++) {
        p.out[c] = assay_alloc((c + 1) * ASSAY_BERT_ROWS * widest, sizeof(float));
        if (!p.out[c] || !p.x || !p.weights)
            status = assay_fail(ASSAY_E_NOMEM, "no memory for a model");
    }
    bert->period = 1;
    bert->most_rows = MOST_ROWS;
    assay_blas_hold();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes && status == ASSAY_OK; s++) {
        p.n = shapes[s][0];
        p.k = shapes[s][1];
        multiply(&p);
        while (bert->period < ASSAY_BERT_ROWS && !is_periodic(&p, bert->period))
            bert->period = next_divisor(bert->period);
        if (!is_periodic(&p, ASSAY_BERT_ROWS) || !counts_agree(&p))
            bert->most_rows = ASSAY_BERT_ROWS;
    }
    assay_blas_release();
    for (size_t c = 0; c < COUNTS; c++) free(p.out[c]);
    free(p.x);
    free(p.weights);
    return status;
}

static size_t next_divisor(size_t period)
{
    do period++;
    while (ASSAY_BERT_ROWS % period != 0);
    return period;
}

/* Between -1 and 1, always the same (Knuth 1997, 3.3.4). */
static void fill(float *numbers, size_t n)
{
    uint32_t bits = (uint32_t)n;

    for (size_t k = 0; k < n; k++) {
        bits = bits * 1664525u + 1013904223u;
        numbers[k] = (float)(bits >> 8) * 0x1p-23f - 1.0f;
    }
}

static void multiply(const probe *p)
{
    fill(p->x, p->k);
    fill(p->weights, p->k * p->n);
    for (size_t i = 1; i < MOST_ROWS; i++) memcpy(p->x + i * p->k, p->x, p->k * sizeof *p->x);
    for (size_t c = 0; c < COUNTS; c++)
        assay_linalg_ab_single((c + 1) * ASSAY_BERT_ROWS, p->n, p->k, p->x, p->k, p->weights, p->n,
                               p->out[c], p->n);
}

/* Row i is as row i - period, whatever the count. */
static int is_periodic(const probe *p, size_t period)
{
    for (size_t c = 0; c < COUNTS; c++) {
        size_t n = ((c + 1) * ASSAY_BERT_ROWS - period) * p->n;

        if (memcmp(p->out[c], p->out[c] + period * p->n, n * sizeof(float)) != 0) return 0;
    }
    return 1;
}

static int counts_agree(const probe *p)
{
    for (size_t c = 1; c < COUNTS; c++)
        if (memcmp(p->out[0], p->out[c], ASSAY_BERT_ROWS * p->n * sizeof(float)) != 0) return 0;
    return 1;
}
