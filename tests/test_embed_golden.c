/* SPDX-License-Identifier: Apache-2.0 */
/* all-MiniLM-L6-v2 as it runs here against vectors that sentence-transformers made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/prompts.h"
#include "read/input.h"
#include "read/json.h"
#include "read/npy.h"

#include "real_model.h"
#include "tiny_embed.h"

#define GOLDEN ASSAY_SHARED_FOLDER "/golden/minilm/"

/* 1 under sanitizers, which have a minute: one set fewer. */
#if defined(__SANITIZE_ADDRESS__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

enum { MOST_STRINGS = 100 };

/* Nothing is allocated before a test is skipped. */
static assay_encoder *open_model(void)
{
    char path[REAL_MODEL_PATH];

    if (!real_model(path)) {
        print_message("skipped: no model at %s\n", path);
        skip();
    }
    if (access(GOLDEN "strings.npy", R_OK) != 0) {
        print_message("skipped: no vectors beside the repository\n");
        skip();
    }
    return open_ok(path);
}

/* The least cosine of a row to that of a file with as many rows. */
static double worst_cosine(const assay_embedding *e, const char *path)
{
    const size_t n = assay_embedding_n(e), d = assay_embedding_dimensions(e);
    assay_input_stream *input;
    double *golden, worst = 1.0;
    size_t n_rows, width;

    assert_int_equal(assay_input_open(path, NULL, &input), ASSAY_OK);
    if (assay_npy_read(path, assay_input_read, input, &golden, &n_rows, &width) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    assay_input_close(input);
    assert_int_equal(n_rows, n);
    assert_int_equal(width, d);
    for (size_t i = 0; i < n; i++) {
        double product = 0, a = 0, b = 0;

        for (size_t k = 0; k < d; k++) {
            product += (double)row_of(e, i)[k] * golden[i * d + k];
            a += (double)row_of(e, i)[k] * (double)row_of(e, i)[k];
            b += golden[i * d + k] * golden[i * d + k];
        }
        assert_true(fabs(a - 1.0) < 1e-6); /* rounded to single precision */
        worst = fmin(worst, product / sqrt(a * b));
    }
    free(golden);
    return worst;
}

/* Both sides are in single precision; what tells prompts apart is thousands of times larger. */
static void check_worst(const char *name, const assay_embedding *e, const char *path)
{
    const double worst = worst_cosine(e, path);

    print_message("%s: %zu rows, the worst cosine is 1 - %.2g\n", name, assay_embedding_n(e),
                  1.0 - worst);
    assert_true(worst >= 0.99999);
}

/* ---- strings ---- */

/* A copy without NULs, which BERT passes by and which would end a text here. */
static char *copy_without_nul(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    size_t kept = 0;

    for (size_t k = 0; k < length; k++)
        if (text[k]) copy[kept++] = text[k];
    copy[kept] = '\0';
    return copy;
}

/* Every "text" of strings.json, in order, each in its own memory. */
static size_t read_strings(const char *path, const char *texts[MOST_STRINGS])
{
    assay_input_stream *input;
    assay_json_reader *json;
    assay_json_event event = ASSAY_JSON_ARRAY;
    const char *text;
    size_t n = 0, length;
    double number;

    assert_int_equal(assay_input_open(path, NULL, &input), ASSAY_OK);
    assert_int_equal(assay_json_open(path, assay_input_read, input, &json), ASSAY_OK);
    while (event != ASSAY_JSON_END) {
        assert_int_equal(assay_json_next(json, &event, &text, &length, &number), ASSAY_OK);
        if (event != ASSAY_JSON_KEY || strcmp(text, "text") != 0) continue;
        assert_int_equal(assay_json_next(json, &event, &text, &length, &number), ASSAY_OK);
        assert_true(n < MOST_STRINGS);
        texts[n++] = copy_without_nul(text, length);
    }
    assay_json_close(json);
    assay_input_close(input);
    return n;
}

static void test_strings_are_those_of_sentence_transformers(void **state)
{
    assay_encoder *encoder = open_model();
    const char *texts[MOST_STRINGS];
    const size_t n = read_strings(GOLDEN "strings.json", texts);
    assay_embedding *e = embed_ok(encoder, texts, n, NULL);

    (void)state;
    assert_string_equal(assay_encoder_kind(encoder), "bert");
    assert_int_equal(assay_encoder_dimensions(encoder), 384);
    assert_int_equal(assay_encoder_max_tokens(encoder), 256);
    check_worst("strings", e, GOLDEN "strings.npy");
    assay_embedding_free(e);
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)texts[i]);
    assay_encoder_free(encoder);
}

/* ---- prompts ---- */

/* So many texts are alike, and so many are longer than 256 tokens; SIZE_MAX: not known. */
typedef struct known_set {
    const char *name;
    size_t n, n_distinct, n_long;
} known_set;

static assay_prompts *read_set(const char *name)
{
    char path[REAL_MODEL_PATH];
    assay_prompts *prompts;

    snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/data/prompts/%s.jsonl", name);
    if (assay_prompts_read(path, NULL, &prompts) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return prompts;
}

static void check_set(const assay_encoder *encoder, const known_set *set)
{
    assay_prompts *prompts = read_set(set->name);
    assay_embedding *e =
        embed_ok(encoder, assay_prompts_texts(prompts), assay_prompts_n(prompts), NULL);
    char path[REAL_MODEL_PATH];

    snprintf(path, sizeof path, GOLDEN "%s.npy", set->name);
    check_worst(set->name, e, path);
    assert_int_equal(assay_embedding_n(e), set->n);
    if (set->n_distinct != SIZE_MAX)
        assert_int_equal(assay_embedding_n_distinct(e), set->n_distinct);
    if (set->n_long != SIZE_MAX) assert_int_equal(assay_embedding_n_long(e), set->n_long);
    assay_embedding_free(e);
    assay_prompts_free(prompts);
}

/* Of world history, 131 prompts are cut, and of those that begin alike one is left: the method's page. */
static void test_prompts_are_those_of_sentence_transformers(void **state)
{
    static const known_set sets[] = {
        { "garak_ansiraw", 58, 55, SIZE_MAX },
        { "garak_enfr", 270, SIZE_MAX, SIZE_MAX },
        { "garak_js_v0.13.1", 91, SIZE_MAX, SIZE_MAX },
        { "garak_js_v0.16.0", 240, SIZE_MAX, SIZE_MAX },
        { "garak_repeat", 36, 36, SIZE_MAX },
        { "harmbench_copyright", 100, 100, SIZE_MAX },
        { "mmlu_high_school_world_history", 237, 161, 131 },
        { "mmlu_us_foreign_policy", 100, SIZE_MAX, SIZE_MAX },
        { "gsm8k_test", 1319, 1319, SIZE_MAX },
    };
    assay_encoder *encoder = open_model();

    (void)state;
    /* The last, of a thousand prompts, takes longer than all others. */
    for (size_t k = 0; k < sizeof sets / sizeof *sets - SLOW; k++) check_set(encoder, &sets[k]);
    assay_encoder_free(encoder);
}

static void test_bits_do_not_depend_on_what_is_beside(void **state)
{
    enum { ALONE = 20, STEP = 5 };
    assay_encoder *encoder = open_model();
    assay_prompts *prompts = read_set("harmbench_copyright");
    const char *const *texts = assay_prompts_texts(prompts);
    assay_embedding *all = embed_ok(encoder, texts, assay_prompts_n(prompts), NULL);

    (void)state;
    for (size_t k = 0; k < ALONE; k++) {
        assay_embedding *one = embed_ok(encoder, &texts[STEP * k], 1, NULL);

        assert_same_row(one, 0, all, STEP * k);
        assay_embedding_free(one);
    }
    assay_embedding_free(all);
    assay_prompts_free(prompts);
    assay_encoder_free(encoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_those_of_sentence_transformers),
        cmocka_unit_test(test_prompts_are_those_of_sentence_transformers),
        cmocka_unit_test(test_bits_do_not_depend_on_what_is_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
