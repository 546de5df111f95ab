/* SPDX-License-Identifier: Apache-2.0 */
/* Static models: what a vector is, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "embed/config.h"
#include "failing_memory.h"

#include "tiny_embed.h"

#define TWO_VEC "{\"model_type\":\"model2vec\"}"
#define OF_LENGTH(n) "{\"model_type\":\"model2vec\",\"max_length\":" n "}"
#define MODULES(more) \
    "[{\"path\":\"\",\"type\":\"sentence_transformers.models.StaticEmbedding\"}" more "]"

/* What a folder has; NULL and 0 stand for the plainest: token t has the vector (t, t^2). */
typedef struct table {
    const char *config, *modules; /* NULL: not there */
    const char *name, *type;      /* of the vectors */
    size_t rows;                  /* 0: TINY_N */
    const double *weights;        /* n_weights, or NULL */
    size_t n_weights;
    const double *mapping; /* TINY_N, or NULL */
    const char *mapping_type;
} table;

static void write_table(tiny_folder *folder, table t)
{
    static tiny_tensors file;
    const size_t rows = t.rows ? t.rows : TINY_N;
    double vectors[2 * 30];

    assert_true(rows <= 30);
    for (size_t k = 0; k < rows; k++) {
        vectors[2 * k] = (double)k;
        vectors[2 * k + 1] = (double)(k * k);
    }
    tiny_make(folder);
    if (t.config) tiny_write(folder, "config.json", t.config);
    if (t.modules) tiny_write(folder, "modules.json", t.modules);
    tiny_write(folder, "tokenizer.json", TINY_JSON("[]"));
    file.n_header = file.n_data = 0;
    tiny_add(&file, t.name ? t.name : "embeddings", t.type ? t.type : "F32", rows, 2, vectors);
    if (t.weights) tiny_add(&file, "weights", "F64", t.n_weights, 0, t.weights);
    if (t.mapping)
        tiny_add(&file, "mapping", t.mapping_type ? t.mapping_type : "I64", TINY_N, 0, t.mapping);
    tiny_write_tensors(folder, &file, 0);
}

static assay_encoder *open_table(table t)
{
    tiny_folder folder;
    assay_encoder *encoder;

    write_table(&folder, t);
    encoder = open_ok(folder.path);
    tiny_remove(&folder);
    return encoder;
}

static void check(const assay_encoder *encoder, const char *text, double x, double y)
{
    float vector[2];

    embed_one(encoder, text, vector);
    if ((double)vector[0] != x || (double)vector[1] != y)
        fail_msg("\"%s\" is (%g, %g)", text, (double)vector[0], (double)vector[1]);
}

/* ---- what a vector is ---- */

static void test_a_vector_is_the_mean_of_its_tokens(void **state)
{
    assay_encoder *encoder = open_table((table){ .config = TWO_VEC });

    (void)state;
    assert_string_equal(assay_encoder_kind(encoder), "model2vec");
    assert_int_equal(assay_encoder_dimensions(encoder), 2);
    assert_int_equal(assay_encoder_max_tokens(encoder), 512);
    check(encoder, "the", 5, 25);
    check(encoder, "the CAT", 5.5, 30.5);
    check(encoder, "cats on .", (6 + 7 + 9 + 11) / 4.0, (36 + 49 + 81 + 121) / 4.0);
    check(encoder, "", 0, 0);
    assay_encoder_free(encoder);
}

/* To model2vec unknown tokens say nothing; to sentence-transformers they are tokens. */
static void test_unknown_tokens(void **state)
{
    assay_encoder *two_vec = open_table((table){ .config = TWO_VEC });
    assay_encoder *plain = open_table((table){ .modules = MODULES("") });

    (void)state;
    check(two_vec, "dog the dog", 5, 25);
    check(two_vec, "dog", 0, 0);
    assert_string_equal(assay_encoder_kind(plain), "static");
    assert_int_equal(assay_encoder_max_tokens(plain), 0);
    check(plain, "dog the", 3, 13);
    check(plain, "dog", 1, 1);
    assert_string_not_equal(assay_encoder_sha256(two_vec), assay_encoder_sha256(plain));
    assay_encoder_free(two_vec);
    assay_encoder_free(plain);
}

/* Up to [MASK] a quarter, "the" a half, and 2 beyond. */
static const double weights[TINY_N] = { .25, .25, .25, .25, .25, .5, 2, 2, 2, 2,
                                        2,   2,   2,   2,   2,   2,  2, 2, 2, 2 };
static const double mapping[TINY_N] = {
    0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1
};

static void test_weights_and_shared_rows(void **state)
{
    const table forms[] = {
        { .config = TWO_VEC, .weights = weights, .n_weights = TINY_N },
        { .config = TWO_VEC, .rows = 3, .mapping = mapping },
        { .config = TWO_VEC,
          .rows = 3,
          .mapping = mapping,
          .weights = weights,
          .n_weights = TINY_N },
    };
    /* "the" is (5, 25) of weight 1/2, or row 2, (2, 4); "sat" is (8, 64) of weight 2, or row 2. */
    const double expected[][2] = { { 18.5 / 2, 140.5 / 2 }, { 2, 4 }, { 2.5, 5 } };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_encoder *encoder = open_table(forms[k]);

        check(encoder, "the sat", (expected[k][0]), expected[k][1]);
        assay_encoder_free(encoder);
    }
}

static void test_names_and_types_of_the_table(void **state)
{
    static const char *const types[] = { "F16", "BF16", "F64" };
    assay_encoder *encoder =
        open_table((table){ .modules = MODULES(""), .name = "embedding.weight" });

    (void)state;
    check(encoder, "the cat", 5.5, 30.5);
    assay_encoder_free(encoder);
    for (size_t k = 0; k < 3; k++) {
        encoder = open_table((table){ .config = TWO_VEC, .type = types[k] });
        check(encoder, "the cat", 5.5, 30.5);
        assay_encoder_free(encoder);
    }
}

/* (3, 4) / 5 would be exact; (5, 25) / sqrt(650) is rounded once. */
static void test_normalised_vectors(void **state)
{
    const table forms[] = { { .config = "{\"model_type\":\"model2vec\",\"normalize\":true}" },
                            { .modules = MODULES(TINY_NORMALISE) } };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        assay_encoder *encoder = open_table(forms[k]);

        check(encoder, "the", (double)(float)(5 / sqrt(650)), (double)(float)(25 / sqrt(650)));
        check(encoder, "", 0, 0);
        assay_encoder_free(encoder);
    }
}

/* ---- how long a text may be ---- */

/* The pieces have a median of 3 characters, so that so many a token are looked at. */
static void test_model2vec_cuts_characters_then_tokens(void **state)
{
    assay_encoder *one = open_table((table){ .config = OF_LENGTH("1") });
    assay_encoder *two = open_table((table){ .config = OF_LENGTH("2") });

    (void)state;
    check(one, "the cat", 5, 25);
    check(one, "\xe6\x97\xa5\xe6\x97\xa5", 18, 324);
    check(one, "   the", 0, 0);
    check(two, "the cat", 5, 25);          /* "the ca": unknown, and dropped */
    check(two, "a!a!a!", 16.5, 545 / 2.0); /* a, ! of six */
    check(two, "d a !", 16, 256);          /* what is unknown is cut like any other */
    check(two, "d d a", 0, 0);
    check(two, "the on", 7, 53);
    assay_encoder_free(one);
    assay_encoder_free(two);
}

static void test_long_texts_are_counted(void **state)
{
    static const char *const texts[] = { "the", "the cat", "a!a", "\xe6\x97\xa5" };
    static const int is_long[] = { 0, 1, 1, 0 };
    assay_encoder *encoder = open_table((table){ .config = OF_LENGTH("1") });
    assay_embedding *e = embed_ok(encoder, texts, 4, NULL);

    (void)state;
    for (size_t i = 0; i < 4; i++) assert_int_equal(assay_embedding_is_long(e, i), is_long[i]);
    assert_int_equal(assay_embedding_n_long(e), 2);
    assay_embedding_free(e);
    assay_encoder_free(encoder);
}

/* Windows of equal length have the mean of all tokens; heads and tails are of the whole text. */
static void test_other_ways_see_the_end_of_a_text(void **state)
{
    static const char *const texts[] = { "the cat sat on" };
    assay_encoder *encoder = open_table((table){ .config = OF_LENGTH("2") });
    assay_embed_options options = default_options();
    assay_embedding *e;

    (void)state;
    options.long_texts = ASSAY_LONG_WINDOWS;
    e = embed_ok(encoder, texts, 1, &options);
    assert_true(row_of(e, 0)[0] == (5 + 6 + 8 + 9) / 4.0f && assay_embedding_is_long(e, 0));
    assay_embedding_free(e);
    options.long_texts = ASSAY_LONG_HEAD_TAIL;
    e = embed_ok(encoder, texts, 1, &options);
    assert_true(row_of(e, 0)[0] == 7.0f && assay_embedding_is_long(e, 0));
    assay_embedding_free(e);
    assay_encoder_free(encoder);
}

static void test_sentence_transformers_cut_nothing(void **state)
{
    enum { WORDS = 3000 };
    static char text[2 * WORDS + 8];
    assay_encoder *encoder = open_table((table){ .modules = MODULES("") });

    (void)state;
    for (size_t k = 0; k < WORDS; k++) memcpy(text + 2 * k, "i ", 3);
    check(encoder, text, 19, 361);
    memcpy(text + 2 * WORDS - 2, "the", 4);
    check(encoder, text, (double)((float)(19 * (WORDS - 1) + 5) / WORDS),
          (double)((float)(361 * (WORDS - 1) + 25) / WORDS));
    assay_encoder_free(encoder);
}

static void test_threads_do_not_matter(void **state)
{
    enum { MANY = 5000 };
    assay_encoder *encoder = open_table((table){ .config = TWO_VEC });
    const char **texts = random_texts(1, MANY, 40);
    assay_embed_options options = default_options();
    assay_embedding *one, *three;

    (void)state;
    options.threads = 1;
    one = embed_ok(encoder, texts, MANY, &options);
    options.threads = 3;
    three = embed_ok(encoder, texts, MANY, &options);
    assert_same_rows(one, three);
    assay_embedding_free(one);
    assay_embedding_free(three);
    free_texts(texts, MANY);
    assay_encoder_free(encoder);
}

/* ---- what a folder says ---- */

static void is_static(const char *text, const char *modules, assay_model_kind kind, int normalise,
                      size_t max_tokens)
{
    assay_model_config c;
    tiny_folder folder;

    write_table(&folder, (table){ .config = text, .modules = modules });
    assert_int_equal(assay_model_config_read(folder.path, &c), ASSAY_OK);
    tiny_remove(&folder);
    assert_true(c.kind == kind && c.normalise == normalise && c.max_tokens == max_tokens);
}

/* model2vec takes 512 tokens unless its own setting says otherwise, and normalises by its own alone. */
static void test_settings_of_static_models(void **state)
{
    (void)state;
    is_static(TWO_VEC, NULL, ASSAY_MODEL_2VEC, 0, 512);
    is_static("{\"model_type\":\"model2vec\",\"normalize\":true}", NULL, ASSAY_MODEL_2VEC, 1, 512);
    is_static(OF_LENGTH("7"), NULL, ASSAY_MODEL_2VEC, 0, 7);
    is_static("{\"embedding_dtype\":\"float32\",\"max_length\":null}", NULL, ASSAY_MODEL_2VEC, 0,
              0);
    is_static("{\"model_type\":\"model2vec\",\"normalize\":false}", MODULES(TINY_NORMALISE),
              ASSAY_MODEL_2VEC, 0, 512);
    is_static(NULL, MODULES(""), ASSAY_MODEL_STATIC, 0, 0);
    is_static(NULL, MODULES(TINY_NORMALISE), ASSAY_MODEL_STATIC, 1, 0);
}

/* ---- what is refused ---- */

static void refused(table t, const char *sentence)
{
    tiny_folder folder;
    assay_encoder *encoder;
    char whole[300];

    write_table(&folder, t);
    snprintf(whole, sizeof whole, "%s/model.safetensors: %s", folder.path, sentence);
    assert_int_equal(assay_encoder_open(folder.path, &encoder), ASSAY_E_FORMAT);
    assert_null(encoder);
    assert_string_equal(assay_last_error(), whole);
    tiny_remove(&folder);
}

static void test_tables_that_do_not_fit(void **state)
{
    double wrong[TINY_N] = { 0 };

    (void)state;
    refused((table){ .config = TWO_VEC, .name = "vectors" },
            "has no tensor \"embeddings\" or \"embedding.weight\" of two dimensions, expected "
            "those of a static model");
    refused((table){ .config = TWO_VEC, .type = "I64" },
            "tensor \"embeddings\" does not hold real numbers, expected F32, F16, BF16 or F64");
    refused((table){ .config = TWO_VEC, .rows = 19 },
            "has vectors of 19 tokens, expected 20 as the tokenizer has");
    refused((table){ .config = TWO_VEC, .weights = weights, .n_weights = 19 },
            "has 19 weights, expected 20, one a token");
    refused((table){ .config = TWO_VEC, .mapping = wrong, .mapping_type = "F32" },
            "tensor \"mapping\" does not hold whole numbers, expected I64 or I32");
    wrong[4] = 3;
    refused((table){ .config = TWO_VEC, .mapping = wrong, .rows = 3 },
            "token 4 is mapped to row 3, expected one of 3");
    wrong[4] = -1;
    refused((table){ .config = TWO_VEC, .mapping = wrong, .rows = 3 },
            "token 4 is mapped to row -1, expected one of 3");
}

static assay_status open_and_embed(void *context)
{
    static const char *const texts[] = { "the cat", "dog", "the cat sat on the mat" };
    assay_embed_options options = default_options();
    assay_encoder *encoder;
    assay_embedding *e = NULL;
    assay_status status = assay_encoder_open(context, &encoder);

    options.threads = 1;
    if (status == ASSAY_OK) status = assay_embed(encoder, texts, 3, &options, &e);
    assay_embedding_free(e);
    assay_encoder_free(encoder);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    tiny_folder folder;

    (void)state;
    write_table(&folder, (table){ .config = OF_LENGTH("3"),
                                  .type = "F16",
                                  .mapping = mapping,
                                  .weights = weights,
                                  .n_weights = TINY_N });
    assert_true(fail_every_allocation(open_and_embed, folder.path) > 50);
    tiny_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_vector_is_the_mean_of_its_tokens),
        cmocka_unit_test(test_unknown_tokens),
        cmocka_unit_test(test_weights_and_shared_rows),
        cmocka_unit_test(test_names_and_types_of_the_table),
        cmocka_unit_test(test_normalised_vectors),
        cmocka_unit_test(test_model2vec_cuts_characters_then_tokens),
        cmocka_unit_test(test_long_texts_are_counted),
        cmocka_unit_test(test_other_ways_see_the_end_of_a_text),
        cmocka_unit_test(test_sentence_transformers_cut_nothing),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_settings_of_static_models),
        cmocka_unit_test(test_tables_that_do_not_fit),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
