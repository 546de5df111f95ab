/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "bert_oracle.h"
#include "tiny_embed.h"

/* ---- what an opened one says ---- */

static void test_what_an_encoder_says_of_itself(void **state)
{
    assay_encoder *encoder =
        open_tiny(tiny_odd, 1, (tiny_form){ .length = "{\"max_seq_length\":12}" });

    (void)state;
    assert_string_equal(assay_encoder_kind(encoder), "bert");
    assert_int_equal(assay_encoder_dimensions(encoder), 36);
    assert_int_equal(assay_encoder_max_tokens(encoder), 12);
    assert_int_equal(strlen(assay_encoder_sha256(encoder)), 64);
    assert_int_equal(strspn(assay_encoder_sha256(encoder), "0123456789abcdef"), 64);
    assay_encoder_free(encoder);
    assay_encoder_free(NULL);
}

/* ---- against double precision ---- */

typedef struct known_form {
    tiny_form form;
    int is_cls, normalise;
} known_form;

static const known_form forms[] = {
    { { 0 }, 0, 0 },
    { { .modules = TINY_MODULES(TINY_NORMALISE), .pooling = TINY_MEAN }, 0, 1 },
    { { .modules = TINY_MODULES(""), .pooling = TINY_CLS_FLAG }, 1, 0 },
    { { .modules = TINY_MODULES(TINY_NORMALISE), .pooling = TINY_CLS_NAME }, 1, 1 },
    { { .type = "F16" }, 0, 0 },
    { { .type = "BF16", .prefix = "bert." }, 0, 0 },
    { { .type = "F64", .prefix = "model." }, 0, 0 },
    { { .off_by = 3 }, 0, 0 },
};

/* Texts of 0 words up to all that fit, in one call. */
static void compare_with_oracle(tiny_shape shape, const known_form *known)
{
    enum { TEXTS = 23, BYTES = 4 * TEXTS };
    char texts[TEXTS][BYTES];
    uint32_t ids[TEXTS][TEXTS];
    const char *given[TEXTS];
    uint64_t seed = 7;
    tiny_bert bert;
    tiny_folder folder;
    assay_encoder *encoder;
    assay_embedding *embedding;

    tiny_bert_new(&bert, shape, 11);
    tiny_write_bert(&folder, &bert, known->form);
    encoder = open_ok(folder.path);
    for (size_t n = 0; n < TEXTS; n++) {
        tiny_text(&seed, n, texts[n], ids[n]);
        given[n] = texts[n];
    }
    embedding = embed_ok(encoder, given, TEXTS, NULL);
    assert_int_equal(assay_embedding_n_long(embedding), 0);
    for (size_t n = 0; n < TEXTS; n++) {
        double expected[ORACLE_WIDTH];

        oracle_embed(&bert, ids[n], n, known->is_cls, known->normalise, expected);
        assert_like_oracle(row_of(embedding, n), expected, shape.width);
    }
    assay_embedding_free(embedding);
    assay_encoder_free(encoder);
    tiny_remove(&folder);
    tiny_bert_free(&bert);
}

static void test_vectors_are_those_of_double_precision(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        compare_with_oracle(tiny_even, &forms[k]);
        compare_with_oracle(tiny_odd, &forms[k]);
    }
}

/* More tokens than a block of queries, of rows, and of BLAS's. */
static void test_long_texts_too_are_those_of_double_precision(void **state)
{
    static const tiny_shape shape = { 2, 36, 3, 50, 300 };
    static const size_t sizes[] = { 61, 62, 63, 126, 127, 254, 255, 298 };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char text[1200];
        uint32_t ids[298];
        uint64_t seed = k + 1;
        double expected[ORACLE_WIDTH];
        float vector[36];
        tiny_bert bert;
        assay_encoder *encoder = open_tiny(shape, 13, (tiny_form){ 0 });

        tiny_bert_new(&bert, shape, 13);
        tiny_text(&seed, sizes[k], text, ids);
        embed_one(encoder, text, vector);
        oracle_embed(&bert, ids, sizes[k], 0, 0, expected);
        assert_like_oracle(vector, expected, 36);
        tiny_bert_free(&bert);
        assay_encoder_free(encoder);
    }
}

/* The numbers are the same in every type, and so is what is computed from them. */
static void test_types_and_places_of_weights_do_not_matter(void **state)
{
    const char *const text = "the cat sat on a mat!";
    assay_encoder *plain = open_tiny(tiny_odd, 3, (tiny_form){ 0 });
    float expected[36], vector[36];

    (void)state;
    embed_one(plain, text, expected);
    for (size_t k = 4; k < sizeof forms / sizeof *forms; k++) {
        assay_encoder *encoder = open_tiny(tiny_odd, 3, forms[k].form);

        embed_one(encoder, text, vector);
        assert_memory_equal(vector, expected, sizeof vector);
        assay_encoder_free(encoder);
    }
    assay_encoder_free(plain);
}

/* ---- the digest ---- */

static void digest_of(const tiny_folder *folder, char digest[65])
{
    assay_encoder *encoder = open_ok(folder->path);

    strcpy(digest, assay_encoder_sha256(encoder));
    assay_encoder_free(encoder);
}

/* What is written changes the digest, or leaves it. */
static void changes(tiny_folder *folder, const char *name, const char *text, int expected)
{
    char before[65], after[65];

    digest_of(folder, before);
    tiny_write(folder, name, text);
    digest_of(folder, after);
    if ((strcmp(before, after) != 0) != expected)
        fail_msg("the digest %s for %s: %s", expected ? "stays" : "changes", name, text);
}

static void test_the_digest_is_of_what_decides_a_vector(void **state)
{
    char before[65], after[65];
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_even, 5);
    tiny_write_bert(&folder, &bert,
                    (tiny_form){ .modules = TINY_MODULES(""), .pooling = TINY_MEAN });
    changes(&folder, "README.md", "a model", 0);
    changes(&folder, "modules.json", TINY_MODULES(TINY_NORMALISE), 1);
    changes(&folder, "1_Pooling/config.json", "{\"pooling_mode\":\"mean\"}", 0);
    changes(&folder, "1_Pooling/config.json", TINY_CLS_FLAG, 1);
    changes(&folder, "1_Pooling/config.json", TINY_CLS_NAME, 0);
    changes(&folder, "sentence_bert_config.json", "{\"max_seq_length\":24}", 0);
    changes(&folder, "sentence_bert_config.json", "{\"max_seq_length\":12}", 1);
    changes(&folder, "tokenizer_config.json", "{\"do_lower_case\":false}", 1);
    changes(&folder, "tokenizer_config.json", "{\"do_lower_case\":true}", 1);
    changes(&folder, "vocab.txt", TINY_VOCABULARY "\n", 1);
    changes(&folder, "tokenizer.json", TINY_JSON("[]"), 1);
    changes(&folder, "tokenizer.json", TINY_JSON("[]") "\n", 1);
    digest_of(&folder, before);
    tiny_write_config(&folder, tiny_even, ",\"transformers_version\":\"4.50\"");
    digest_of(&folder, after);
    assert_string_equal(before, after);
    tiny_write_config(&folder, tiny_even, ",\"num_attention_heads\":2");
    digest_of(&folder, after);
    assert_string_not_equal(before, after);
    tiny_write_config(&folder, tiny_even, ",\"layer_norm_eps\":1e-11");
    digest_of(&folder, after);
    assert_string_not_equal(before, after);
    tiny_write_config(&folder, tiny_even, "");
    tiny_numbers(&bert, "embeddings.LayerNorm.bias")[0] += 1.0 / 128;
    tiny_write_weights(&folder, &bert, (tiny_form){ 0 });
    digest_of(&folder, after);
    assert_string_not_equal(before, after);
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

/* ---- what is refused ---- */

/* The sentence is FOLDER, this, and nothing else. */
static void refused(tiny_folder *folder, assay_status expected, const char *sentence)
{
    assay_encoder *encoder = (assay_encoder *)(uintptr_t)1;
    char whole[512];

    snprintf(whole, sizeof whole, "%s%s", folder->path, sentence);
    assert_int_equal(assay_encoder_open(folder->path, &encoder), expected);
    assert_null(encoder);
    assert_string_equal(assay_last_error(), whole);
}

static void test_folders_that_lack_something(void **state)
{
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_make(&folder);
    refused(&folder, ASSAY_E_READ, "/config.json: cannot be read: No such file or directory");
    tiny_write_config(&folder, tiny_even, "");
    refused(&folder, ASSAY_E_READ, ": has no model.safetensors, expected weights in that format");
    tiny_bert_new(&bert, tiny_even, 5);
    tiny_write_weights(&folder, &bert, (tiny_form){ 0 });
    refused(&folder, ASSAY_E_READ, ": no tokenizer, expected tokenizer.json or vocab.txt");
    tiny_write(&folder, "vocab.txt", "[UNK]\n[CLS]\nthe\n");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: the tokenizer has no [CLS] or no [SEP], expected both");
    tiny_write(&folder, "vocab.txt", TINY_VOCABULARY "dog\n");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: has vectors of 20 tokens, expected 21 as the tokenizer has");
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

static void test_weights_that_are_not_those_of_the_config(void **state)
{
    static const tiny_shape deeper = { 3, 32, 4, 48, 24 }, wider = { 2, 32, 4, 50, 24 };
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_even, 5);
    tiny_write_bert(&folder, &bert, (tiny_form){ .prefix = "roberta." });
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: has no tensor \"embeddings.word_embeddings.weight\", expected "
            "the weights of a BERT");
    tiny_write_weights(&folder, &bert, (tiny_form){ .prefix = "bert." });
    tiny_write_config(&folder, deeper, "");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: has no tensor "
            "\"bert.encoder.layer.2.attention.self.query.weight\", expected the weights of a BERT");
    tiny_write_config(&folder, wider, "");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: tensor \"bert.encoder.layer.0.intermediate.dense.weight\" has "
            "another shape than config.json says, expected 50 x 32");
    tiny_write_config(&folder, tiny_even, ",\"vocab_size\":19");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: tensor \"bert.embeddings.word_embeddings.weight\" has another "
            "shape than config.json says, expected 19 x 32");
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

static void test_weights_that_are_whole_numbers(void **state)
{
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_even, 5);
    tiny_write_bert(&folder, &bert, (tiny_form){ .type = "I64" });
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: tensor \"embeddings.word_embeddings.weight\" does not hold real "
            "numbers, expected F32, F16, BF16 or F64");
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

static void test_weights_that_are_cut_short(void **state)
{
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_even, 5);
    tiny_write_bert(&folder, &bert, (tiny_form){ 0 });
    tiny_write(&folder, "model.safetensors", "");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: has 0 bytes, expected safetensors with their header");
    tiny_write(&folder, "model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
    refused(&folder, ASSAY_E_FORMAT,
            "/model.safetensors: the header claims 2336927755350992246 bytes of a file of 43, "
            "expected safetensors that are not cut short");
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

static assay_status open_and_free(void *context)
{
    assay_encoder *encoder;
    const assay_status status = assay_encoder_open(context, &encoder);

    assay_encoder_free(encoder);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    tiny_folder folder;
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_odd, 5);
    tiny_write_bert(&folder, &bert,
                    (tiny_form){ .type = "F16",
                                 .modules = TINY_MODULES(TINY_NORMALISE),
                                 .pooling = TINY_CLS_NAME });
    assert_true(fail_every_allocation(open_and_free, folder.path) > 50);
    tiny_bert_free(&bert);
    tiny_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_an_encoder_says_of_itself),
        cmocka_unit_test(test_vectors_are_those_of_double_precision),
        cmocka_unit_test(test_long_texts_too_are_those_of_double_precision),
        cmocka_unit_test(test_types_and_places_of_weights_do_not_matter),
        cmocka_unit_test(test_the_digest_is_of_what_decides_a_vector),
        cmocka_unit_test(test_folders_that_lack_something),
        cmocka_unit_test(test_weights_that_are_not_those_of_the_config),
        cmocka_unit_test(test_weights_that_are_whole_numbers),
        cmocka_unit_test(test_weights_that_are_cut_short),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
