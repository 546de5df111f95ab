/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/topics.h"
#include "core/memory.h"
#include "core/random.h"
#include "failing_memory.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_vectors *dense(const double *values, size_t n, size_t d)
{
    double *copy = assay_alloc_aligned(n * d, sizeof *copy);
    assay_vectors *vectors;

    assert_non_null(copy);
    memcpy(copy, values, n * d * sizeof *copy);
    assert_int_equal(assay_vectors_from_dense(copy, n, d, &vectors), ASSAY_OK);
    return vectors;
}

/* By hand: of (1, 0), (1, 1), (0, 1) the second is nearest to the others; of two alike, the first. */
static void the_most_central_prompt_stands_for_its_topic(void **state)
{
    static const double values[] = { 1, 0, 0, 1, 1, 1, 1, 0, 2, 0, 0, 0, 0, 0, 0, 1 };
    static const size_t labels[] = { 0, 0, 0, 2, 2, 3, 4, 4 };
    assay_vectors *vectors = dense(values, 8, 2);
    size_t found[5];

    (void)state;
    assert_int_equal(assay_topics_representatives(vectors, labels, 5, found), ASSAY_OK);
    assert_int_equal(found[0], 2);
    assert_true(found[1] == SIZE_MAX); /* a topic without prompts */
    assert_int_equal(found[2], 3);
    assert_int_equal(found[3], 5); /* a zero vector alone */
    assert_int_equal(found[4], 7); /* and beside another */
    assay_vectors_free(vectors);
}

/* The prompt with the largest mean cosine to those of its topic, found pair by pair. */
static size_t by_pairs(const assay_vectors *vectors, const size_t *labels, size_t topic,
                       double *most)
{
    size_t best = SIZE_MAX;

    *most = -INFINITY;
    for (size_t i = 0; i < assay_vectors_n(vectors); i++) {
        double sum = 0.0;

        if (labels[i] != topic) continue;
        for (size_t j = 0; j < assay_vectors_n(vectors); j++)
            if (labels[j] == topic) sum += assay_vectors_dot(vectors, i, j);
        if (sum > *most + 1e-9) { /* far above rounding, far below chance differences */
            *most = sum;
            best = i;
        }
    }
    return best;
}

static void assert_as_by_pairs(const assay_vectors *vectors, size_t n_topics, assay_random *random)
{
    size_t labels[80], found[80];
    double most;

    for (size_t i = 0; i < assay_vectors_n(vectors); i++)
        labels[i] = assay_random_below(random, n_topics);
    assert_int_equal(assay_topics_representatives(vectors, labels, n_topics, found), ASSAY_OK);
    for (size_t k = 0; k < n_topics; k++)
        assert_int_equal(found[k], by_pairs(vectors, labels, k, &most));
}

static void random_topics_have_the_prompt_that_pairs_give(void **state)
{
    enum { N = 80, D = 5 };
    static const char *const words[] = { "red", "green", "blue", "sky", "sea" };
    double values[N * D];
    char texts[N][64];
    const char *all[N];
    assay_vectors *sparse, *full;
    assay_random random;

    (void)state;
    assay_random_start(&random, 5, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t i = 0; i < N; i++) {
        texts[i][0] = '\0';
        for (size_t k = 0; k < D; k++) {
            values[i * D + k] = assay_random_normal(&random);
            if (assay_random_below(&random, 2)) strcat(strcat(texts[i], words[k]), " ");
        }
        all[i] = texts[i];
    }
    full = dense(values, N, D);
    assert_int_equal(assay_vectors_tfidf(all, N, NULL, &sparse), ASSAY_OK);
    for (size_t n_topics = 1; n_topics <= N; n_topics += 13) {
        assert_as_by_pairs(full, n_topics, &random);
        assert_as_by_pairs(sparse, n_topics, &random);
    }
    assay_vectors_free(full);
    assay_vectors_free(sparse);
}

static void a_label_out_of_range_is_refused(void **state)
{
    static const double values[] = { 1, 0 };
    static const size_t labels[] = { 0, 2 };
    assay_vectors *vectors = dense(values, 2, 1);
    size_t found[2];

    (void)state;
    assert_int_equal(assay_topics_representatives(vectors, labels, 2, found), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "topics: labels[1] is 2, expected below 2");
    assay_vectors_free(vectors);
}

static assay_status represent(void *context)
{
    static const size_t labels[] = { 0, 1 };
    size_t found[2];

    return assay_topics_representatives(context, labels, 2, found);
}

static void every_allocation_may_fail(void **state)
{
    static const double values[] = { 1, 0 };
    assay_vectors *vectors = dense(values, 2, 1);

    (void)state;
    assert_int_equal(fail_every_allocation(represent, vectors), 3);
    assay_vectors_free(vectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_central_prompt_stands_for_its_topic),
        cmocka_unit_test(random_topics_have_the_prompt_that_pairs_give),
        cmocka_unit_test(a_label_out_of_range_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
