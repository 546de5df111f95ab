/* SPDX-License-Identifier: Apache-2.0 */
/* Small models in use: opened, texts embedded, vectors compared. Include it after cmocka.h. */
#ifndef TESTS_TINY_EMBED_H
#define TESTS_TINY_EMBED_H

#include "assay/embed.h"
#include "tiny_bert.h"

static inline assay_encoder *open_ok(const char *folder)
{
    assay_encoder *encoder;

    if (assay_encoder_open(folder, &encoder) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return encoder;
}

/* An encoder of random weights; its folder is gone again, since what was opened needs it no more. */
static inline assay_encoder *open_tiny(tiny_shape shape, uint64_t seed, tiny_form form)
{
    assay_encoder *encoder;
    tiny_folder folder;
    tiny_bert bert;

    tiny_bert_new(&bert, shape, seed);
    tiny_write_bert(&folder, &bert, form);
    encoder = open_ok(folder.path);
    tiny_remove(&folder);
    tiny_bert_free(&bert);
    return encoder;
}

static inline assay_embed_options default_options(void)
{
    assay_embed_options options;

    assay_embed_options_init(&options, sizeof options);
    return options;
}

static inline assay_embedding *embed_ok(const assay_encoder *encoder, const char *const *texts,
                                        size_t n, const assay_embed_options *options)
{
    assay_embedding *embedding;

    if (assay_embed(encoder, texts, n, options, &embedding) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    assert_int_equal(assay_embedding_n(embedding), n);
    assert_int_equal(assay_embedding_dimensions(embedding), assay_encoder_dimensions(encoder));
    return embedding;
}

static inline const float *row_of(const assay_embedding *embedding, size_t i)
{
    return assay_embedding_rows(embedding) + i * assay_embedding_dimensions(embedding);
}

/* Row i of one and row j of the other, to the bit. */
static inline void assert_same_row(const assay_embedding *a, size_t i, const assay_embedding *b,
                                   size_t j)
{
    const size_t d = assay_embedding_dimensions(a);

    if (memcmp(row_of(a, i), row_of(b, j), d * sizeof(float)) != 0)
        fail_msg("row %zu differs from row %zu", i, j);
}

/* All rows, to the bit. */
static inline void assert_same_rows(const assay_embedding *a, const assay_embedding *b)
{
    for (size_t i = 0; i < assay_embedding_n(a); i++) assert_same_row(a, i, b, i);
}

/* The vector of one text alone, as the encoder gives it by default. */
static inline void embed_one(const assay_encoder *encoder, const char *text, float *vector)
{
    assay_embedding *embedding = embed_ok(encoder, &text, 1, NULL);

    memcpy(vector, row_of(embedding, 0), assay_embedding_dimensions(embedding) * sizeof *vector);
    assay_embedding_free(embedding);
}

/* n random texts of 0 to most words, each in its own memory; freed by free_texts(). */
static inline const char **random_texts(uint64_t seed, size_t n, size_t most)
{
    const char **texts = malloc(n * sizeof *texts);

    for (size_t i = 0; i < n; i++) {
        const size_t words = (size_t)(tiny_random(&seed, 10000) + 10000) % (most + 1);
        char *text = malloc(4 * words + 1);

        tiny_text(&seed, words, text, NULL);
        texts[i] = text;
    }
    return texts;
}

static inline void free_texts(const char **texts, size_t n)
{
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)texts[i]);
    free(texts);
}

#endif
