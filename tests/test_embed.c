/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "tiny_embed.h"

#include <float.h>

/* ---- the same text has the same bits ---- */

enum { MANY = 1000, ALONE = 60 };

static const tiny_shape shapes[] = { { 2, 32, 4, 48, 24 }, { 2, 36, 3, 50, 300 } };

static void check_alone(const assay_encoder *encoder, const char *const *texts,
                        const assay_embedding *all)
{
    for (size_t i = 0; i < ALONE; i++) {
        assay_embedding *one = embed_ok(encoder, &texts[i], 1, NULL);
        const char *const two[] = { texts[MANY - 1 - i], texts[i] };
        assay_embedding *pair = embed_ok(encoder, two, 2, NULL);

        assert_same_row(one, 0, all, i);
        assert_same_row(pair, 1, all, i);
        assert_same_row(pair, 0, all, MANY - 1 - i);
        assay_embedding_free(one);
        assay_embedding_free(pair);
    }
}

/* Every other order and number of threads gives all rows as they are. */
static void check_orders(const assay_encoder *encoder, const char *const *texts,
                         const assay_embedding *all)
{
    const int threads[] = { 1, 2, 3, 7 };
    static const char *turned[MANY];

    for (size_t t = 0; t < 4; t++) {
        const size_t step = 7 + 10 * t; /* has no factor in common with MANY */
        assay_embed_options options = default_options();
        assay_embedding *again;

        for (size_t i = 0; i < MANY; i++) turned[i * step % MANY] = texts[i];
        options.threads = threads[t];
        again = embed_ok(encoder, turned, MANY, &options);
        for (size_t i = 0; i < MANY; i++) assert_same_row(again, i * step % MANY, all, i);
        assert_int_equal(assay_embedding_n_distinct(again), assay_embedding_n_distinct(all));
        assay_embedding_free(again);
    }
}

static void test_a_text_has_the_same_bits_whatever_is_beside_it(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        assay_encoder *encoder = open_tiny(shapes[s], 21, (tiny_form){ 0 });
        const char **texts = random_texts(s + 1, MANY, s ? 150 : 30);
        assay_embedding *all = embed_ok(encoder, texts, MANY, NULL);

        check_alone(encoder, texts, all);
        check_orders(encoder, texts, all);
        assay_embedding_free(all);
        free_texts(texts, MANY);
        assay_encoder_free(encoder);
    }
}

/* As the model sees them: in any case and with any spaces. */
static void test_equal_inputs_are_computed_once(void **state)
{
    static const char *const texts[] = {
        "the cat", "sat", "The  CAT\n", "", " ", "sat ", "the mat"
    };
    assay_encoder *encoder = open_tiny(tiny_even, 1, (tiny_form){ 0 });
    assay_embedding *e = embed_ok(encoder, texts, 7, NULL);

    (void)state;
    assert_int_equal(assay_embedding_n_distinct(e), 4);
    assert_int_equal(assay_embedding_n_tokens(e), 4 + 3 + 4 + 2 + 2 + 3 + 4);
    assert_int_equal(assay_embedding_n_long(e), 0);
    assert_int_equal(assay_embedding_n_stored(e), 0);
    assert_same_row(e, 0, e, 2);
    assert_same_row(e, 3, e, 4);
    assert_same_row(e, 1, e, 5);
    assert_true(memcmp(row_of(e, 0), row_of(e, 6), 32 * sizeof(float)) != 0);
    assay_embedding_free(e);
    assay_embedding_free(NULL);
    assay_encoder_free(encoder);
}

/* ---- texts that are too long ---- */

enum { WORDS = 50, FIT = 22 }; /* 22 words, [CLS] and [SEP] are the 24 positions */

/* Words first to last - 1 of a text of one space between them. */
static void words_of(const char *text, size_t first, size_t last, char *out)
{
    size_t word = 0;

    for (; *text; text++) {
        word += *text == ' ';
        if (word >= first && word < last) *out++ = *text;
    }
    *out = '\0';
}

static assay_embedding *embed_long(const assay_encoder *encoder, const char *text,
                                   assay_long_texts how)
{
    assay_embed_options options = default_options();
    const char *const texts[] = { text, "the cat" };
    assay_embedding *e;

    options.long_texts = how;
    e = embed_ok(encoder, texts, 2, &options);
    assert_int_equal(assay_embedding_n_tokens(e), WORDS + 2 + 4);
    assert_int_equal(assay_embedding_n_long(e), 1);
    assert_true(assay_embedding_is_long(e, 0) && !assay_embedding_is_long(e, 1));
    return e;
}

static void test_long_texts_are_cut(void **state)
{
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    char text[4 * WORDS], cut[4 * WORDS];
    uint64_t seed = 5;
    float expected[32];
    assay_embedding *e;

    (void)state;
    tiny_text(&seed, WORDS, text, NULL);
    words_of(text, 0, FIT, cut);
    embed_one(encoder, cut, expected);
    e = embed_long(encoder, text, ASSAY_LONG_CUT);
    assert_memory_equal(row_of(e, 0), expected, sizeof expected);
    assay_embedding_free(e);
    assay_encoder_free(encoder);
}

/* Of an odd number of tokens that fit, the head has one more. */
static void test_head_and_tail_of_long_texts(void **state)
{
    static const struct {
        const char *length;
        size_t head, tail;
    } known[] = { { NULL, 11, 11 },
                  { "{\"max_seq_length\":9}", 4, 3 },
                  { "{\"max_seq_length\":3}", 1, 0 } };
    uint64_t seed = 6;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ .length = known[k].length });
        char text[4 * WORDS], both[4 * WORDS], tail[4 * WORDS];
        float expected[32];
        assay_embed_options options = default_options();
        const char *const given[] = { text };
        assay_embedding *e;

        tiny_text(&seed, WORDS, text, NULL);
        words_of(text, 0, known[k].head, both);
        words_of(text, WORDS - known[k].tail, WORDS, tail);
        strcat(both, tail);
        embed_one(encoder, both, expected);
        options.long_texts = ASSAY_LONG_HEAD_TAIL;
        e = embed_ok(encoder, given, 1, &options);
        assert_memory_equal(row_of(e, 0), expected, sizeof expected);
        assert_int_equal(assay_embedding_n_long(e), 1);
        assay_embedding_free(e);
        assay_encoder_free(encoder);
    }
}

/* The mean of a text's windows by their tokens, [CLS] and [SEP] included. */
static void mean_of_windows(const assay_encoder *encoder, const char *text, double *mean)
{
    const size_t n_windows = (WORDS + FIT - 1) / FIT;
    size_t n_tokens = 0;

    memset(mean, 0, 32 * sizeof *mean);
    for (size_t w = 0; w < n_windows; w++) {
        const size_t first = WORDS * w / n_windows, last = WORDS * (w + 1) / n_windows;
        char window[4 * WORDS];
        float vector[32];

        assert_in_range(last - first, WORDS / n_windows, WORDS / n_windows + 1);
        words_of(text, first, last, window);
        embed_one(encoder, window, vector);
        for (size_t k = 0; k < 32; k++) mean[k] += (double)(last - first + 2) * (double)vector[k];
        n_tokens += last - first + 2;
    }
    for (size_t k = 0; k < 32; k++) mean[k] /= (double)n_tokens;
}

/* Each number is rounded once to single precision, and once more where it is normalised. */
static void test_windows_of_long_texts_are_averaged(void **state)
{
    assay_encoder *plain = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    assay_encoder *unit = open_tiny(
        tiny_even, 2, (tiny_form){ .modules = TINY_MODULES(TINY_NORMALISE), .pooling = TINY_MEAN });
    char text[4 * WORDS];
    double mean[32], squares = 0;
    uint64_t seed = 8;
    assay_embedding *e, *u;

    (void)state;
    tiny_text(&seed, WORDS, text, NULL);
    mean_of_windows(plain, text, mean);
    for (size_t k = 0; k < 32; k++) squares += mean[k] * mean[k];
    e = embed_long(plain, text, ASSAY_LONG_WINDOWS);
    u = embed_long(unit, text, ASSAY_LONG_WINDOWS);
    for (size_t k = 0; k < 32; k++) {
        assert_true(fabs((double)row_of(e, 0)[k] - mean[k]) <= fabs(mean[k]) * FLT_EPSILON);
        assert_true(fabs((double)row_of(u, 0)[k] - mean[k] / sqrt(squares)) <= 2 * FLT_EPSILON);
    }
    assay_embedding_free(e);
    assay_embedding_free(u);
    assay_encoder_free(plain);
    assay_encoder_free(unit);
}

static void test_texts_that_fit_are_the_same_in_every_way(void **state)
{
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    const char **texts = random_texts(3, 50, FIT);
    assay_embed_options options = default_options();
    assay_embedding *cut = embed_ok(encoder, texts, 50, &options);

    (void)state;
    for (int how = ASSAY_LONG_WINDOWS; how <= ASSAY_LONG_HEAD_TAIL; how++) {
        assay_embedding *e;

        options.long_texts = (assay_long_texts)how;
        e = embed_ok(encoder, texts, 50, &options);
        assert_same_rows(e, cut);
        assert_int_equal(assay_embedding_n_long(e), 0);
        assay_embedding_free(e);
    }
    assay_embedding_free(cut);
    free_texts(texts, 50);
    assay_encoder_free(encoder);
}

/* ---- prefixes, options, faults ---- */

static void test_a_prefix_stands_before_every_text(void **state)
{
    static const char *const texts[] = { "cat sat", "", "s on" };
    static const char *const whole[] = { "the cat sat", "the ", "the s on" };
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    assay_embed_options options = default_options();
    assay_embedding *e, *expected = embed_ok(encoder, whole, 3, NULL);

    (void)state;
    options.prefix = "the ";
    e = embed_ok(encoder, texts, 3, &options);
    assert_same_rows(e, expected);
    assay_embedding_free(e);
    options.prefix = "";
    e = embed_ok(encoder, whole, 3, &options);
    assert_same_rows(e, expected);
    assay_embedding_free(e);
    assay_embedding_free(expected);
    assay_encoder_free(encoder);
}

static void check_options(const assay_encoder *encoder, assay_embed_options options,
                          const char *sentence)
{
    const char *const text = "the";
    assay_embedding *e = (assay_embedding *)(uintptr_t)1;

    assert_int_equal(assay_embed_options_check(&options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
    assert_int_equal(assay_embed(encoder, &text, 1, &options, &e), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(e);
}

static void test_options_out_of_range_are_named(void **state)
{
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    assay_embed_options o = default_options();

    (void)state;
    assert_int_equal(assay_embed_options_check(NULL), ASSAY_OK);
    assert_int_equal(assay_embed_options_check(&o), ASSAY_OK);
    o.long_texts = (assay_long_texts)3;
    check_options(encoder, o, "embed: long_texts is 3, expected 0 to 2");
    o = default_options();
    o.threads = -1;
    check_options(encoder, o, "embed: threads is -1, expected 0 to 1024");
    o.threads = 1025;
    check_options(encoder, o, "embed: threads is 1025, expected 0 to 1024");
    o = default_options();
    o.struct_size = 3;
    check_options(encoder, o, "embed: struct_size 3 is not understood");
    assay_encoder_free(encoder);
}

static void test_no_texts_are_refused(void **state)
{
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });
    assay_embedding *e = (assay_embedding *)(uintptr_t)1;

    (void)state;
    assert_int_equal(assay_embed(encoder, NULL, 0, NULL, &e), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "embed: no texts, expected at least 1");
    assert_null(e);
    assay_encoder_free(encoder);
}

/* Whichever weight it is that is no number: none of them is lost on the way. */
static void test_weights_that_are_no_numbers_are_seen(void **state)
{
    const char *const text = "the cat";
    tiny_bert bert;

    (void)state;
    tiny_bert_new(&bert, tiny_odd, 2);
    for (size_t t = 0; t < bert.n; t++) {
        tiny_tensor *tensor = &bert.tensors[t];
        const size_t n = tensor->rows * (tensor->columns ? tensor->columns : 1);
        double *kept = malloc(n * sizeof *kept);
        tiny_folder folder;
        assay_encoder *encoder;
        assay_embedding *e = (assay_embedding *)(uintptr_t)1;

        memcpy(kept, tensor->numbers, n * sizeof *kept);
        for (size_t k = 0; k < n; k++) tensor->numbers[k] = NAN;
        tiny_write_bert(&folder, &bert, (tiny_form){ 0 });
        encoder = open_ok(folder.path);
        if (assay_embed(encoder, &text, 1, NULL, &e) != ASSAY_E_DEGENERATE)
            fail_msg("%s is not seen to be no numbers", tensor->name);
        assert_string_equal(assay_last_error(),
                            "embed: a vector is not finite, expected weights that are numbers");
        assert_null(e);
        assay_encoder_free(encoder);
        tiny_remove(&folder);
        memcpy(tensor->numbers, kept, n * sizeof *kept);
        free(kept);
    }
    tiny_bert_free(&bert);
}

#define EIGHT "a mat a mat a mat a mat "
#define LONG EIGHT EIGHT EIGHT EIGHT

static assay_status embed_and_free(void *context)
{
    static const char *const texts[] = { "the cat", LONG, "the cat", "un!" };
    assay_embed_options options = default_options();
    assay_embedding *e;
    assay_status status;

    options.threads = 1;
    options.prefix = "i ";
    options.long_texts = ASSAY_LONG_WINDOWS;
    status = assay_embed(context, texts, 4, &options, &e);
    assay_embedding_free(e);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    assay_encoder *encoder = open_tiny(tiny_even, 2, (tiny_form){ 0 });

    (void)state;
    assert_true(fail_every_allocation(embed_and_free, encoder) > 30);
    assay_encoder_free(encoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_has_the_same_bits_whatever_is_beside_it),
        cmocka_unit_test(test_equal_inputs_are_computed_once),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_head_and_tail_of_long_texts),
        cmocka_unit_test(test_windows_of_long_texts_are_averaged),
        cmocka_unit_test(test_texts_that_fit_are_the_same_in_every_way),
        cmocka_unit_test(test_a_prefix_stands_before_every_text),
        cmocka_unit_test(test_options_out_of_range_are_named),
        cmocka_unit_test(test_no_texts_are_refused),
        cmocka_unit_test(test_weights_that_are_no_numbers_are_seen),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
