/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/embed.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "core/threads.h"
#include "embed/blocks.h"
#include "embed/embedding.h"
#include "embed/kept.h"
#include "embed/sequences.h"

#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1024 };

/* Tokens that are run before their vectors are kept: on two processors MiniLM takes half a minute. */
static const size_t tokens_a_chunk = 1 << 18;

/* The vectors of one call while they are made. */
typedef struct embedding_work {
    const assay_encoder *encoder;
    const assay_embed_options *options;
    assay_inputs inputs;
    float *vectors;                   /* of the sequences; those of an input are brought together */
    unsigned char *is_known;          /* by input: its vector is there */
    const assay_sequence **missing;   /* of a chunk: the sequences still to be run */
    unsigned char *is_done;           /* of the missing */
    size_t n_stored, n_tokens, n_run; /* tokens to be run in all, and in the chunks before */
    assay_kept kept;
} embedding_work;

/* Inputs that are run together. */
typedef struct chunk {
    size_t first, last, n_tokens;
    const embedding_work *work;
} chunk;

static assay_status resolve_options(const assay_embed_options *given, assay_embed_options *options);
static assay_status make_room(embedding_work *work);
static assay_status look_up(embedding_work *work);
static assay_status run_all(embedding_work *work);
static chunk next_chunk(const embedding_work *work, size_t first);
static assay_status run_chunk(embedding_work *work, const chunk *at);
static int step_in_chunk(void *user, const char *stage, double fraction);
static assay_status finish_inputs(embedding_work *work, const chunk *at);
static void join_windows(embedding_work *work, size_t input);
static assay_status normalise(embedding_work *work, size_t input);
static assay_status spread(const embedding_work *work, assay_embedding **out);
static void free_work(embedding_work *work);

void assay_embed_options_init(assay_embed_options *options, size_t struct_size)
{
    const assay_embed_options defaults = { .struct_size = struct_size };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_embed_options_check(const assay_embed_options *options)
{
    assay_embed_options resolved;

    return resolve_options(options, &resolved);
}

static assay_status resolve_options(const assay_embed_options *given, assay_embed_options *options)
{
    assay_status status;

    assay_embed_options_init(options, sizeof *options);
    status = assay_options_take("embed", given, options, sizeof *options);
    if (status != ASSAY_OK) return status;
    if (options->long_texts < ASSAY_LONG_CUT || options->long_texts > ASSAY_LONG_HEAD_TAIL)
        return assay_fail(ASSAY_E_VALUE, "embed: long_texts is %d, expected 0 to %d",
                          (int)options->long_texts, (int)ASSAY_LONG_HEAD_TAIL);
    if (options->threads < 0 || options->threads > MOST_THREADS)
        return assay_fail(ASSAY_E_VALUE, "embed: threads is %d, expected 0 to %d", options->threads,
                          (int)MOST_THREADS);
    options->threads = assay_threads(options->threads);
    return ASSAY_OK;
}

assay_status assay_embed(const assay_encoder *encoder, const char *const *texts, size_t n,
                         const assay_embed_options *given, assay_embedding **out)
{
    assay_embed_options options;
    embedding_work work = { .encoder = encoder, .options = &options };
    assay_status status;

    *out = NULL;
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "embed: no texts, expected at least 1");
    if ((status = resolve_options(given, &options)) != ASSAY_OK) return status;
    status = assay_inputs_new(encoder, texts, n, &options, &work.inputs);
    if (status == ASSAY_OK) status = make_room(&work);
    if (status == ASSAY_OK) status = look_up(&work);
    if (status == ASSAY_OK) status = run_all(&work);
    if (status == ASSAY_OK) status = spread(&work, out);
    free_work(&work);
    return status;
}

static assay_status make_room(embedding_work *work)
{
    assay_inputs *inputs = &work->inputs;
    size_t d = work->encoder->d;

    work->vectors = assay_alloc(inputs->n_sequences, d * sizeof *work->vectors);
    work->is_known = assay_alloc_zero(inputs->n, 1);
    work->missing = assay_alloc(inputs->n_sequences, sizeof *work->missing);
    work->is_done = assay_alloc_zero(inputs->n_sequences, 1);
    if (!work->vectors || !work->is_known || !work->missing || !work->is_done)
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors", inputs->n_sequences);
    for (size_t s = 0; s < inputs->n_sequences; s++)
        inputs->sequences[s].vector = work->vectors + s * d;
    return ASSAY_OK;
}

static float *vector_of(const embedding_work *work, size_t input)
{
    return work->inputs.sequences[work->inputs.inputs[input].first].vector;
}

/* ---- the store ---- */

/* The key of an input is the digest of its ids, four bytes each; the space is the encoder's. */
static assay_status digest_ids(const assay_seen *input, unsigned char key[ASSAY_STORE_KEY])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL);

    for (size_t k = 0; k < input->n && good; k++) {
        unsigned char bytes[4];

        for (int b = 0; b < 4; b++) bytes[b] = (unsigned char)(input->ids[k] >> 8 * b);
        good = EVP_DigestUpdate(context, bytes, sizeof bytes);
    }
    if (good) good = EVP_DigestFinal_ex(context, key, NULL);
    EVP_MD_CTX_free(context);
    return good ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for a digest");
}

/* An input without tokens, as static models have, is work as well. */
static size_t tokens_of(const assay_inputs *inputs, size_t input)
{
    const assay_seen *seen = &inputs->inputs[input];
    size_t n = 1;

    for (size_t w = 0; w < seen->n_sequences; w++) n += inputs->sequences[seen->first + w].n;
    return n;
}

static assay_status look_up(embedding_work *work)
{
    assay_inputs *inputs = &work->inputs;
    assay_kept *kept = &work->kept;
    assay_status status =
        assay_kept_open(kept, work->options->store, work->encoder->sha256, inputs->n);

    for (size_t k = 0; k < inputs->n && status == ASSAY_OK; k++) {
        if (kept->store) status = digest_ids(&inputs->inputs[k], kept->keys[k]);
        if (status == ASSAY_OK)
            work->is_known[k] =
                (unsigned char)assay_kept_find(kept, k, work->encoder->d, vector_of(work, k));
        work->n_stored += work->is_known[k];
        if (!work->is_known[k]) work->n_tokens += tokens_of(inputs, k);
    }
    return status;
}

/* ---- the vectors ---- */

/* A chunk at a time, so that hours of work do not hang on the last minute. */
static assay_status run_all(embedding_work *work)
{
    assay_status status = ASSAY_OK;
    size_t first = 0;

    while (first < work->inputs.n && status == ASSAY_OK) {
        const chunk at = next_chunk(work, first);

        if (at.n_tokens > 0) status = run_chunk(work, &at);
        work->n_run += at.n_tokens;
        first = at.last;
    }
    return status;
}

static chunk next_chunk(const embedding_work *work, size_t first)
{
    chunk at = { .first = first, .last = first, .work = work };

    while (at.last < work->inputs.n && at.n_tokens < tokens_a_chunk) {
        if (!work->is_known[at.last]) at.n_tokens += tokens_of(&work->inputs, at.last);
        at.last++;
    }
    return at;
}

/* What was done before somebody cancelled is kept as well. */
static assay_status run_chunk(embedding_work *work, const chunk *at)
{
    const assay_inputs *inputs = &work->inputs;
    const assay_embed_options *options = work->options;
    assay_progress progress = { options->progress.step ? step_in_chunk : NULL,
                                (void *)(uintptr_t)at };
    size_t n = 0;
    assay_status status, finished;

    for (size_t k = at->first; k < at->last; k++)
        for (size_t w = 0; w < inputs->inputs[k].n_sequences && !work->is_known[k]; w++)
            work->missing[n++] = &inputs->sequences[inputs->inputs[k].first + w];
    memset(work->is_done, 0, n);
    status = assay_run_sequences(work->encoder, work->missing, n, options->threads, progress,
                                 work->is_done);
    if (status != ASSAY_OK && status != ASSAY_E_CANCELLED) return status;
    if (!assay_mapped_is_as_it_was(&work->encoder->file))
        return assay_fail(ASSAY_E_READ, "embed: the model's weights were written to meanwhile");
    finished = finish_inputs(work, at);
    if (finished == ASSAY_OK) finished = assay_kept_flush(&work->kept);
    if (finished != ASSAY_OK) return finished;
    if (status == ASSAY_OK) return ASSAY_OK;
    return assay_fail(status, "cancelled in vectors%s%s",
                      work->kept.fault[0] ? "; they are not kept: " : "", work->kept.fault);
}

static int step_in_chunk(void *user, const char *stage, double fraction)
{
    const chunk *at = user;
    const embedding_work *work = at->work;
    const assay_progress *progress = &work->options->progress;
    double done = (double)work->n_run + fraction * (double)at->n_tokens;

    return progress->step(progress->user, stage, done / (double)work->n_tokens);
}

/* Those whose sequences have all been run. */
static assay_status finish_inputs(embedding_work *work, const chunk *at)
{
    const assay_inputs *inputs = &work->inputs;
    assay_status status = ASSAY_OK;
    size_t next = 0;

    for (size_t k = at->first; k < at->last && status == ASSAY_OK; k++) {
        int is_whole = 1;

        if (work->is_known[k]) continue;
        for (size_t w = 0; w < inputs->inputs[k].n_sequences; w++)
            is_whole &= work->is_done[next++];
        if (!is_whole) continue;
        join_windows(work, k);
        status = normalise(work, k);
        if (status == ASSAY_OK)
            status = assay_kept_put(&work->kept, k, vector_of(work, k), work->encoder->d);
        work->is_known[k] = status == ASSAY_OK;
    }
    return status;
}

/* The mean of an input's windows, each with the weight of its tokens. */
static void join_windows(embedding_work *work, size_t k)
{
    const assay_seen *input = &work->inputs.inputs[k];
    const assay_sequence *windows = &work->inputs.sequences[input->first];
    size_t n_tokens = 0;

    if (input->n_sequences == 1) return;
    for (size_t w = 0; w < input->n_sequences; w++) n_tokens += windows[w].n;
    for (size_t i = 0; i < work->encoder->d; i++) {
        double sum = 0.0;

        for (size_t w = 0; w < input->n_sequences; w++)
            sum += (double)windows[w].n * (double)windows[w].vector[i];
        windows[0].vector[i] = (float)(sum / (double)n_tokens);
    }
}

/* To length 1 if the model says so; 0 stays 0. */
static assay_status normalise(embedding_work *work, size_t k)
{
    float *vector = vector_of(work, k);
    size_t d = work->encoder->d;
    double squares = 0.0, length;

    for (size_t i = 0; i < d; i++) squares += (double)vector[i] * (double)vector[i];
    if (!isfinite(squares))
        return assay_fail(ASSAY_E_DEGENERATE,
                          "embed: a vector is not finite, expected weights that are numbers");
    length = sqrt(squares);
    if (!work->encoder->config.normalise || length < 1e-12) return ASSAY_OK;
    for (size_t i = 0; i < d; i++) vector[i] = (float)((double)vector[i] / length);
    return ASSAY_OK;
}

/* Each text gets its input's vector. */
static assay_status spread(const embedding_work *work, assay_embedding **out)
{
    const assay_inputs *inputs = &work->inputs;
    size_t n = inputs->n_texts, d = work->encoder->d;
    assay_embedding *embedding = assay_alloc_zero(1, sizeof *embedding);

    if (!embedding) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors", n);
    *embedding = (assay_embedding){ .n = n,
                                    .d = d,
                                    .n_long = inputs->n_long,
                                    .n_unknown = inputs->n_unknown,
                                    .n_tokens = inputs->n_tokens,
                                    .n_distinct = inputs->n,
                                    .n_stored = work->n_stored };
    memcpy(embedding->store_fault, work->kept.fault, sizeof embedding->store_fault);
    embedding->rows = assay_alloc(n, d * sizeof *embedding->rows);
    embedding->is_long = assay_alloc(n, 1);
    if (!embedding->rows || !embedding->is_long) {
        assay_embedding_free(embedding);
        return assay_fail(ASSAY_E_NOMEM, "no memory for %zu vectors", n);
    }
    memcpy(embedding->is_long, inputs->is_long, n);
    for (size_t i = 0; i < n; i++)
        memcpy(embedding->rows + i * d, vector_of(work, inputs->of[i]),
               d * sizeof *embedding->rows);
    *out = embedding;
    return ASSAY_OK;
}

static void free_work(embedding_work *work)
{
    assay_kept_close(&work->kept);
    assay_inputs_free(&work->inputs);
    free(work->vectors);
    free(work->is_known);
    free(work->missing);
    free(work->is_done);
}
