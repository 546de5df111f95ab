/* SPDX-License-Identifier: Apache-2.0 */
/* A text's vector has the same bits whatever is embedded beside it, by the kernels of BLAS for this processor
   and by those for others that run here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "embed/encoder.h"

#include "tiny_embed.h"

#include <strings.h>
#include <sys/wait.h>

enum { MANY = 1000, ALONE = 30 };

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
        const char **texts = random_texts(s + 1, MANY, s ? 80 : 30);
        assay_embedding *all = embed_ok(encoder, texts, MANY, NULL);

        check_alone(encoder, texts, all);
        check_orders(encoder, texts, all);
        assay_embedding_free(all);
        free_texts(texts, MANY);
        assay_encoder_free(encoder);
    }
}

/* Sequences begin at multiples of a divisor of the rows that products have. */
static void test_rows_that_sequences_take(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        assay_encoder *encoder = open_tiny(shapes[s], 21, (tiny_form){ 0 });
        const assay_bert *bert = &encoder->bert;

        assert_true(bert->period >= 1 && ASSAY_BERT_ROWS % bert->period == 0);
        assert_true(bert->most_rows >= ASSAY_BERT_ROWS && bert->most_rows % ASSAY_BERT_ROWS == 0);
        for (size_t n = 1; n < 600; n++) {
            const size_t taken = assay_bert_rows_taken(bert, n);

            assert_true(taken >= n && taken < n + bert->period && taken % bert->period == 0);
            assert_true(assay_bert_block_rows(n) >= taken);
            assert_int_equal(assay_bert_block_rows(n) % ASSAY_BERT_ROWS, 0);
        }
        assay_encoder_free(encoder);
    }
}

static const struct CMUnitTest alone[] = {
    cmocka_unit_test(test_a_text_has_the_same_bits_whatever_is_beside_it),
    cmocka_unit_test(test_rows_that_sequences_take),
};

/* ---- other processors ---- */

char *openblas_get_corename(void);

/* What a child says when the OpenBLAS at hand has no kernels to choose from. */
enum { NO_CHOICE = 77 };

/* OpenBLAS takes its kernels from this variable when a program starts. */
static int run_as(const char *core)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        setenv("OPENBLAS_CORETYPE", core, 1);
        execl("/proc/self/exe", "test_embed_bits", core, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status)) return -1;
    if (WEXITSTATUS(status) == NO_CHOICE) {
        print_message("not seen on %s: this OpenBLAS has no kernels for it\n", core);
        return 0;
    }
    return WEXITSTATUS(status);
}

/* On Haswell and Zen a row's place among twelve changes its last bits; elsewhere it has not been seen to. */
static void test_kernels_for_other_processors(void **state)
{
    (void)state;
#if defined(__x86_64__)
    assert_int_equal(run_as("Nehalem"), 0);
    if (__builtin_cpu_supports("avx")) assert_int_equal(run_as("Sandybridge"), 0);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        assert_int_equal(run_as("Haswell"), 0);
        assert_int_equal(run_as("Zen"), 0);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        assert_int_equal(run_as("SkylakeX"), 0);
#else
    assert_int_equal(run_as(""), 0);
#endif
}

/* With an argument, the tests for one processor. */
int main(int argc, char **argv)
{
    const struct CMUnitTest others[] = { cmocka_unit_test(test_kernels_for_other_processors) };
    int failed;

    if (argc > 1 && *argv[1] && strcasecmp(openblas_get_corename(), argv[1]) != 0) return NO_CHOICE;
    failed = cmocka_run_group_tests(alone, NULL, NULL);
    return argc > 1 ? failed : failed + cmocka_run_group_tests(others, NULL, NULL);
}
