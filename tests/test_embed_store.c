/* SPDX-License-Identifier: Apache-2.0 */
/* What assay_embed() keeps, tells and writes beside the vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/write.h"
#include "failing_memory.h"
#include "text/vectors.h"

#include "embed/encoder.h"
#include "tiny_embed.h"

enum { N = 300 };

/* A folder for a store, an encoder, texts and their vectors without a store. */
typedef struct setting {
    tiny_folder folder;
    char file[96];
    assay_encoder *encoder;
    const char **texts;
    assay_embedding *expected;
    assay_embed_options options;
} setting;

static setting *begin(uint64_t seed)
{
    static setting s;
    char name[80];

    tiny_make(&s.folder);
    s.encoder = open_tiny(tiny_odd, seed, (tiny_form){ 0 });
    snprintf(name, sizeof name, "%s.vectors", assay_encoder_sha256(s.encoder));
    strcpy(s.file, tiny_path(&s.folder, name));
    s.texts = random_texts(seed, N, 30);
    s.expected = embed_ok(s.encoder, s.texts, N, NULL);
    s.options = default_options();
    s.options.store = s.folder.path;
    s.options.threads = 1;
    return &s;
}

static void end(setting *s)
{
    assay_embedding_free(s->expected);
    free_texts(s->texts, N);
    assay_encoder_free(s->encoder);
    tiny_remove(&s->folder);
}

/* ---- the store ---- */

/* All rows, and so many of the different inputs from the store. */
static void check_stored(const setting *s, size_t n, size_t n_stored)
{
    assay_embedding *e = embed_ok(s->encoder, s->texts, n, &s->options);

    for (size_t i = 0; i < n; i++) assert_same_row(e, i, s->expected, i);
    assert_int_equal(assay_embedding_n_stored(e), n_stored);
    assay_embedding_free(e);
}

static void test_what_was_stored_is_found_to_the_bit(void **state)
{
    setting *s = begin(31);
    assay_embedding *some;
    size_t n_some;

    (void)state;
    check_stored(s, 100, 0);
    some = embed_ok(s->encoder, s->texts, 100, NULL);
    n_some = assay_embedding_n_distinct(some);
    check_stored(s, 100, n_some);
    check_stored(s, N, n_some);
    check_stored(s, N, assay_embedding_n_distinct(s->expected));
    s->options.threads = 3;
    check_stored(s, N, assay_embedding_n_distinct(s->expected));
    assay_embedding_free(some);
    end(s);
}

/* Windows, heads and tails are inputs of their own. */
static void test_other_ways_with_long_texts_are_not_mixed_up(void **state)
{
    setting *s = begin(32);

    (void)state;
    check_stored(s, N, 0);
    for (int how = ASSAY_LONG_WINDOWS; how <= ASSAY_LONG_HEAD_TAIL; how++)
        for (int twice = 0; twice < 2; twice++) {
            assay_embed_options plain = default_options();
            assay_embedding *stored, *expected;

            plain.long_texts = s->options.long_texts = (assay_long_texts)how;
            expected = embed_ok(s->encoder, s->texts, N, &plain);
            stored = embed_ok(s->encoder, s->texts, N, &s->options);
            assert_same_rows(stored, expected);
            if (twice)
                assert_int_equal(assay_embedding_n_stored(stored),
                                 assay_embedding_n_distinct(expected));
            assay_embedding_free(expected);
            assay_embedding_free(stored);
        }
    end(s);
}

static void test_a_store_that_is_something_else(void **state)
{
    setting *s = begin(33);
    assay_embedding *e;
    FILE *to = fopen(s->file, "wb");

    (void)state;
    assert_non_null(to);
    fputs("the quick brown fox jumps over the lazy dog", to);
    fclose(to);
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_OK);
    assert_non_null(strstr(assay_embedding_store_fault(e), s->file));
    assert_int_equal(assay_embedding_n_stored(e), 0);
    assay_embedding_free(e);
    s->options.store = s->file; /* no folder */
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_OK);
    assert_non_null(strstr(assay_embedding_store_fault(e), "the folder cannot be made"));
    assay_embedding_free(e);
    s->options.store = NULL;
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_OK);
    assert_null(assay_embedding_store_fault(e));
    assay_embedding_free(e);
    end(s);
}

static assay_status embed_and_forget(void *context)
{
    setting *s = context;
    assay_embedding *e;
    const assay_status status = assay_embed(s->encoder, s->texts, 20, &s->options, &e);

    assay_embedding_free(e);
    remove(s->file);
    return status;
}

static void test_every_allocation_may_fail_with_a_store(void **state)
{
    setting *s = begin(34);

    (void)state;
    assert_true(fail_every_allocation(embed_and_forget, s) > 30);
    end(s);
}

/* ---- progress ---- */

typedef struct watcher {
    int n_tokens, n_vectors, n_other, cancel_tokens, cancel_vectors;
    double last;
    int is_wrong;
} watcher;

static int watch(void *user, const char *stage, double fraction)
{
    watcher *w = user;

    if (strcmp(stage, "tokens") == 0 && w->n_vectors == 0)
        w->n_tokens++;
    else if (strcmp(stage, "vectors") == 0)
        w->n_vectors++;
    else
        w->n_other++;
    if (fraction < (w->n_vectors == 1 ? 0.0 : w->last) || fraction > 1.0) w->is_wrong = 1;
    w->last = fraction;
    return (w->cancel_tokens && w->n_tokens == w->cancel_tokens) ||
           (w->cancel_vectors && w->n_vectors == w->cancel_vectors);
}

static void test_progress_is_told_in_two_stages(void **state)
{
    setting *s = begin(35);
    watcher w = { 0 };

    (void)state;
    s->options.progress = (assay_progress){ watch, &w };
    check_stored(s, N, 0);
    assert_true(w.n_tokens == 1 + (N + 63) / 64 && w.n_vectors > 5);
    assert_true(w.n_other == 0 && !w.is_wrong && w.last == 1.0);
    end(s);
}

static void cancelled(setting *s, watcher w, const char *stage)
{
    assay_embedding *e = (assay_embedding *)(uintptr_t)1;
    char sentence[64];

    snprintf(sentence, sizeof sentence, "cancelled in %s", stage);
    s->options.progress = (assay_progress){ watch, &w };
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(e);
}

static size_t n_kept(const setting *s)
{
    assay_embedding *e = embed_ok(s->encoder, s->texts, N, &s->options);
    const size_t n = assay_embedding_n_stored(e);

    assert_same_rows(e, s->expected);
    assay_embedding_free(e);
    remove(s->file);
    return n;
}

/* Cancel at this call of a stage, and see how many are kept. */
static size_t n_kept_of(setting *s, watcher w, const char *stage)
{
    cancelled(s, w, stage);
    s->options.progress = (assay_progress){ 0 };
    return n_kept(s);
}

/* Whatever has its vector by then is kept, and is the same. */
static void test_what_was_done_before_cancelling_is_kept(void **state)
{
    setting *s = begin(36);
    const size_t n = assay_embedding_n_distinct(s->expected);
    size_t kept, more;

    (void)state;
    assert_int_equal(n_kept_of(s, (watcher){ .cancel_tokens = 2 }, "tokens"), 0);
    for (int threads = 1; threads <= 3; threads++) {
        s->options.threads = threads;
        assert_int_equal(n_kept_of(s, (watcher){ .cancel_tokens = 1 }, "tokens"), 0);
        assert_int_equal(n_kept_of(s, (watcher){ .cancel_vectors = 1 }, "vectors"), 0);
    }
    s->options.threads = 1;
    kept = n_kept_of(s, (watcher){ .cancel_vectors = 3 }, "vectors");
    more = n_kept_of(s, (watcher){ .cancel_vectors = 5 }, "vectors");
    assert_true(0 < kept && kept < more && more < n);
    end(s);
}

/* As the digest under which vectors are kept would no longer be that of the weights. */
static void test_weights_that_were_written_to_are_refused(void **state)
{
    setting *s = begin(42);
    assay_embedding *e;

    (void)state;
    s->encoder->file.modified.tv_nsec ^= 1;
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), "embed: the model's weights were written to meanwhile");
    assert_null(e);
    assert_int_not_equal(access(s->file, F_OK), 0);
    s->encoder->file.modified.tv_nsec ^= 1;
    check_stored(s, N, 0);
    end(s);
}

/* Cancels when there are vectors, and puts a folder where the store's file would be. */
static int cancel_and_spoil(void *user, const char *stage, double fraction)
{
    if (strcmp(stage, "vectors") != 0 || fraction == 0.0) return 0;
    return mkdir(user, 0777) == 0;
}

/* Who cancels counts on what was done being in the store. */
static void test_a_store_that_fails_is_told_even_after_cancelling(void **state)
{
    setting *s = begin(41);
    assay_embedding *e;

    (void)state;
    s->options.progress = (assay_progress){ cancel_and_spoil, s->file };
    assert_int_equal(assay_embed(s->encoder, s->texts, N, &s->options, &e), ASSAY_E_CANCELLED);
    assert_non_null(strstr(assay_last_error(), "cancelled in vectors; they are not kept: "));
    assert_non_null(strstr(assay_last_error(), s->file));
    assert_null(e);
    end(s);
}

/* Of a text's windows all must be there: one that was cancelled between them is not kept. */
static void test_texts_half_done_are_not_kept(void **state)
{
    setting *s = begin(37);
    assay_embed_options plain = default_options();
    assay_embedding *expected, *e;
    const char **texts = random_texts(38, N, 200);

    (void)state;
    plain.long_texts = s->options.long_texts = ASSAY_LONG_WINDOWS;
    expected = embed_ok(s->encoder, texts, N, &plain);
    for (int at = 2; at < 60; at += 6) {
        watcher w = { .cancel_vectors = at };

        s->options.progress = (assay_progress){ watch, &w };
        assert_int_equal(assay_embed(s->encoder, texts, N, &s->options, &e), ASSAY_E_CANCELLED);
        s->options.progress = (assay_progress){ 0 };
        e = embed_ok(s->encoder, texts, N, &s->options);
        assert_same_rows(e, expected);
        assay_embedding_free(e);
        remove(s->file);
    }
    assay_embedding_free(expected);
    free_texts(texts, N);
    end(s);
}

/* ---- what is written ---- */

static void write_npy(const setting *s, const char *path)
{
    FILE *to = fopen(path, "wb");

    assert_non_null(to);
    assay_write_npy(assay_embedding_rows(s->expected), N, 36, to);
    assert_false(ferror(to));
    assert_int_equal(fclose(to), 0);
}

/* As NumPy's page on the format has it: magic, version 1.0, two bytes of length, a Python literal. */
static void test_an_array_is_written_to_the_byte(void **state)
{
    static const char literal[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (300, 36), }";
    setting *s = begin(39);
    static unsigned char bytes[128 + 4 * N * 36 + 1];
    FILE *from;

    (void)state;
    write_npy(s, tiny_path(&s->folder, "v.npy"));
    from = fopen(s->folder.files[s->folder.n_files - 1], "rb");
    assert_non_null(from);
    assert_int_equal(fread(bytes, 1, sizeof bytes, from), sizeof bytes - 1);
    fclose(from);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_memory_equal(bytes + 10, literal, strlen(literal));
    for (size_t k = 10 + strlen(literal); k < 127; k++) assert_int_equal(bytes[k], ' ');
    assert_int_equal(bytes[127], '\n');
    for (size_t k = 0; k < N * 36; k++) {
        const uint32_t bits = tiny_f32((double)assay_embedding_rows(s->expected)[k]);

        for (size_t b = 0; b < 4; b++)
            assert_int_equal(bytes[128 + 4 * k + b], bits >> 8 * b & 255u);
    }
    end(s);
}

/* N prompts of any text. */
static assay_prompts *some_prompts(tiny_folder *folder)
{
    const char *path = tiny_path(folder, "prompts.jsonl");
    FILE *to = fopen(path, "wb");
    assay_prompts *prompts;

    assert_non_null(to);
    for (int i = 0; i < N; i++) fprintf(to, "{\"id\":\"%d\",\"prompt\":\"text %d\"}\n", i, i);
    fclose(to);
    if (assay_prompts_read(path, NULL, &prompts) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return prompts;
}

static void test_an_array_is_read_back_to_the_bit(void **state)
{
    setting *s = begin(40);
    assay_prompts *prompts = some_prompts(&s->folder);
    assay_vectors *read, *made;
    const char *path = tiny_path(&s->folder, "v.npy");

    (void)state;
    write_npy(s, path);
    if (assay_vectors_read(path, prompts, &read) != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_int_equal(assay_vectors_from_embedding(s->expected, &made), ASSAY_OK);
    assert_int_equal(assay_vectors_n(read), N);
    assert_int_equal(assay_vectors_dimensions(read), 36);
    assert_memory_equal(read->dense, made->dense, N * 36 * sizeof *made->dense);
    assert_true(fabs(assay_vectors_dot(made, 0, 0) - 1) < 1e-14);
    assay_vectors_free(read);
    assay_vectors_free(made);
    assay_prompts_free(prompts);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_stored_is_found_to_the_bit),
        cmocka_unit_test(test_other_ways_with_long_texts_are_not_mixed_up),
        cmocka_unit_test(test_a_store_that_is_something_else),
        cmocka_unit_test(test_every_allocation_may_fail_with_a_store),
        cmocka_unit_test(test_progress_is_told_in_two_stages),
        cmocka_unit_test(test_weights_that_were_written_to_are_refused),
        cmocka_unit_test(test_what_was_done_before_cancelling_is_kept),
        cmocka_unit_test(test_a_store_that_fails_is_told_even_after_cancelling),
        cmocka_unit_test(test_texts_half_done_are_not_kept),
        cmocka_unit_test(test_an_array_is_written_to_the_byte),
        cmocka_unit_test(test_an_array_is_read_back_to_the_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
