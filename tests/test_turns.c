/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/turns.h"

#include "assay/hopkins.h"
#include "assay/plot.h"
#include "assay/topics.h"
#include "cluster/dbscan.h"
#include "cluster/distances.h"
#include "cluster/kmeans.h"
#include "failing_memory.h"
#include "text/vectors.h"
#include "text/vectors_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dendrogram_oracle.h"

enum { N_WAYS = 5 };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, expected %.17g", value, expected);
}

static assay_vectors *join(const assay_vectors *turns, const size_t *start, size_t n,
                           assay_turns how)
{
    assay_vectors *joined;

    if (assay_vectors_join_turns(turns, start, n, how, &joined) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return joined;
}

/* ---- by hand ---- */

/* Prompt 0 has the turns (1, 0), (0, 1); prompt 1 (.6, .8) alone; prompt 2 (0, 1), (.6, .8). */
static const double hand[] = { 2, 0, 0, 5, 3, 4, 0, 1, 6, 8 };
static const size_t hand_start[] = { 0, 2, 3, 5 };

static void check_hand(assay_turns how, double d01, double d02, double d12)
{
    assay_vectors *turns = vectors_of(hand, 5, 2);
    assay_vectors *joined = join(turns, hand_start, 3, how);
    double *distance;

    assert_int_equal(assay_vectors_n(joined), 3);
    assert_int_equal(assay_distances_new(joined, 1, (assay_progress){ 0 }, &distance), ASSAY_OK);
    assert_near(distance[1], d01, 1e-15);
    assert_near(distance[2], d02, 1e-15);
    assert_near(distance[assay_distances_row(3, 1) + 2], d12, 1e-15);
    free(distance);
    assay_vectors_free(joined);
    assay_vectors_free(turns);
}

static void test_each_way_by_hand(void **state)
{
    const double half = sqrt(0.5);

    (void)state;
    /* the second turn of 0 and 2 meets nothing in 1; of 0 and 2 the cosines are 0 and .8 */
    check_hand(ASSAY_TURNS_CONCAT, 1 - 0.6 * half, 1 - 0.4, 1 - 0.8 * half);
    /* directions (1, 1), (.6, .8), (.6, 1.8) */
    check_hand(ASSAY_TURNS_MEAN, 1 - 1.4 * half, 1 - 2.4 * half / sqrt(3.6), 1 - 1.8 / sqrt(3.6));
    /* directions (1, 2), (.6, .8), (1.2, 2.6) */
    check_hand(ASSAY_TURNS_WEIGHTED, 1 - 2.2 / sqrt(5), 1 - 6.4 / sqrt(5 * 8.2),
               1 - 2.8 / sqrt(8.2));
    check_hand(ASSAY_TURNS_LAST, 1 - 0.8, 1 - 0.8, 0);
    check_hand(ASSAY_TURNS_MAX, 1, 1, 1);
}

/* A turn that is zero is like one that is not there: 0 from its like, 1 from one that is there. */
static void test_turns_without_a_word_in_the_largest_distance(void **state)
{
    static const double values[] = { 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 1 };
    static const size_t start[] = { 0, 2, 3, 5, 7 }; /* (x, -), (x), (-, -), (-x, y) */
    static const double expected[4][4] = {
        { 0, 0, 1, 2 }, { 0, 0, 1, 2 }, { 1, 1, 0, 1 }, { 2, 2, 1, 0 }
    };
    assay_vectors *dense = vectors_of(values, 7, 2), *sparse = sparse_copy(dense);
    const assay_vectors *turns[] = { dense, sparse };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        assay_vectors *joined = join(turns[k], start, 4, ASSAY_TURNS_MAX);

        assert_int_equal(assay_vectors_n_zero(joined), 1);
        assert_int_equal(assay_vectors_n_distinct(joined), 3);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                assert_near(1 - assay_vectors_dot(joined, i, j), expected[i][j], 0);
        assay_vectors_free(joined);
    }
    assay_vectors_free(dense);
    assay_vectors_free(sparse);
}

/* ---- against the definitions, of random turns ---- */

/* Up to most turns a prompt (exactly so many for equal), of which some are zero. */
typedef struct set {
    size_t n, d, start[81];
    assay_vectors *dense, *sparse;
} set;

static set random_set(assay_random *random, size_t n, size_t most, int equal)
{
    set s = { .n = n, .d = 2 + (size_t)assay_random_below(random, 6) };
    double *x;

    for (size_t i = 0; i < n; i++)
        s.start[i + 1] = s.start[i] + (equal ? most : 1 + (size_t)assay_random_below(random, most));
    x = calloc(s.start[n] * s.d, sizeof *x);
    for (size_t k = 0; k < s.start[n] * s.d; k++)
        if (assay_random_below(random, 3) > 0) x[k] = assay_random_normal(random);
    for (size_t t = 0; t < s.start[n]; t++)
        if (assay_random_below(random, 8) == 0) memset(x + t * s.d, 0, s.d * sizeof *x);
    s.dense = vectors_of(x, s.start[n], s.d);
    s.sparse = sparse_copy(s.dense);
    free(x);
    return s;
}

static void set_free(set *s)
{
    assay_vectors_free(s->dense);
    assay_vectors_free(s->sparse);
}

static double largest_distance(const set *s, size_t i, size_t j)
{
    double largest = 0;

    for (size_t t = 0; s->start[i] + t < s->start[i + 1] || s->start[j] + t < s->start[j + 1];
         t++) {
        const size_t a = s->start[i] + t, b = s->start[j] + t;
        const int a_is_there = a < s->start[i + 1] && !assay_vectors_is_zero(s->dense, a);
        const int b_is_there = b < s->start[j + 1] && !assay_vectors_is_zero(s->dense, b);
        double d = a_is_there != b_is_there;

        if (a_is_there && b_is_there) d = 1 - assay_vectors_dot(s->dense, a, b);
        largest = fmax(largest, d);
    }
    return largest < 1e-12 ? 0 : largest;
}

static void test_concatenation_is_the_mean_of_the_cosines_of_as_many_turns(void **state)
{
    enum { N = 12 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t most = 1; most < 7; most++) {
        double x[N * 6 * 5];
        size_t start[N + 1];
        assay_vectors *turns, *joined;

        for (size_t k = 0; k < N * most * 5; k++) x[k] = assay_random_normal(&random);
        for (size_t i = 0; i <= N; i++) start[i] = i * most;
        turns = vectors_of(x, N * most, 5);
        joined = join(turns, start, N, ASSAY_TURNS_CONCAT);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                double sum = 0;

                for (size_t t = 0; t < most; t++)
                    sum += assay_vectors_dot(turns, i * most + t, j * most + t);
                assert_near(assay_vectors_dot(joined, i, j), sum / (double)most, 1e-15);
            }
        assay_vectors_free(joined);
        assay_vectors_free(turns);
    }
}

static void test_sparse_and_dense_agree_to_the_bit(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int round = 0; round < 20 * N_WAYS; round++) {
        set s = random_set(&random, 30, 4, 0);
        assay_vectors *dense = join(s.dense, s.start, s.n, (assay_turns)(round % N_WAYS));
        assay_vectors *sparse = join(s.sparse, s.start, s.n, (assay_turns)(round % N_WAYS));
        double *of_dense, *of_sparse;

        assert_int_equal(dense->d, sparse->d);
        assert_int_equal(dense->n_zero, sparse->n_zero);
        assert_int_equal(dense->n_distinct, sparse->n_distinct);
        for (size_t i = 0; i < s.n; i++)
            for (size_t e = sparse->start[i]; e < sparse->start[i + 1]; e++) {
                assert_true(sparse->value[e] != 0 && sparse->column[e] < sparse->d);
                assert_true(e == sparse->start[i] || sparse->column[e] > sparse->column[e - 1]);
                assert_true(dense->dense[i * dense->d + sparse->column[e]] == sparse->value[e]);
            }
        assert_int_equal(assay_distances_new(dense, 2, (assay_progress){ 0 }, &of_dense), ASSAY_OK);
        assert_int_equal(assay_distances_new(sparse, 1, (assay_progress){ 0 }, &of_sparse),
                         ASSAY_OK);
        assert_memory_equal(of_dense + 1, of_sparse + 1, s.n * (s.n - 1) / 2 * sizeof *of_dense);
        free(of_dense);
        free(of_sparse);
        assay_vectors_free(dense);
        assay_vectors_free(sparse);
        set_free(&s);
    }
}

static void test_the_largest_distance_is_that_of_the_definition(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int round = 0; round < 50; round++) {
        set s = random_set(&random, 40, 5, round % 2);
        assay_vectors *joined =
            join(round % 4 < 2 ? s.dense : s.sparse, s.start, s.n, ASSAY_TURNS_MAX);
        double *distance;

        assert_int_equal(assay_distances_new(joined, 2, (assay_progress){ 0 }, &distance),
                         ASSAY_OK);
        for (size_t i = 0; i < s.n; i++)
            for (size_t j = i + 1; j < s.n; j++)
                assert_near(distance[assay_distances_row(s.n, i) + j], largest_distance(&s, i, j),
                            0);
        free(distance);
        assay_vectors_free(joined);
        set_free(&s);
    }
}

/* The textbook's loop over the matrix of largest distances, which knows of no vectors. */
static oracle_tree brute_force(const set *s, assay_linkage linkage)
{
    size_t n = s->n;
    oracle_tree tree = { n, malloc(2 * n * sizeof(size_t)), malloc(n * sizeof(double)) };
    double *m = malloc(n * n * sizeof *m), size[80];
    size_t node[80];

    for (size_t i = 0; i < n; i++) {
        node[i] = i;
        size[i] = 1;
        for (size_t j = 0; j < n; j++) m[i * n + j] = largest_distance(s, i, j);
    }
    for (size_t t = 0; t + 1 < n; t++) {
        size_t a = n, b = n;

        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; size[i] > 0 && j < n; j++)
                if (size[j] > 0 && (a == n || m[i * n + j] < m[a * n + b] - 1e-12)) a = i, b = j;
        tree.height[t] = m[a * n + b];
        tree.children[2 * t] = node[a];
        tree.children[2 * t + 1] = node[b];
        for (size_t k = 0; k < n; k++)
            if (size[k] > 0 && k != a && k != b)
                m[a * n + k] = m[k * n + a] =
                    oracle_update(linkage, size[a], size[b], m[a * n + k], m[b * n + k]);
        size[a] += size[b];
        size[b] = 0;
        node[a] = n + t;
    }
    free(m);
    return tree;
}

static void test_dendrograms_of_largest_distances_are_those_of_brute_force(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 4, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int round = 0; round < 30; round++) {
        set s = random_set(&random, 5 + (size_t)assay_random_below(&random, 70), 3, round % 2);
        assay_vectors *joined =
            join(round % 4 < 2 ? s.dense : s.sparse, s.start, s.n, ASSAY_TURNS_MAX);
        assay_dendrogram_options options;

        assay_dendrogram_options_init(&options, sizeof options);
        for (int linkage = 0; linkage < 3; linkage++) {
            oracle_tree expected = brute_force(&s, (assay_linkage)linkage);
            assay_dendrogram *tree;

            options.linkage = (assay_linkage)linkage;
            assert_int_equal(assay_dendrogram_fit(joined, &options, &tree), ASSAY_OK);
            assert_same_tree(tree, &expected);
            assay_dendrogram_free(tree);
            oracle_free(&expected);
        }
        assay_vectors_free(joined);
        set_free(&s);
    }
}

/* So many dense vectors take the way over sums of vectors, which would be wrong here. */
static void test_many_vectors_take_the_way_over_all_pairs(void **state)
{
    enum { N = 2100 };
    size_t *start = malloc((N + 1) * sizeof *start);
    assay_random random;
    assay_vectors *turns, *dense, *sparse_turns, *sparse;
    assay_dendrogram *trees[2];

    (void)state;
    assay_random_start(&random, 5, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    turns = random_vectors(&random, 2 * N, 3, 0);
    sparse_turns = sparse_copy(turns);
    for (size_t i = 0; i <= N; i++) start[i] = 2 * i;
    dense = join(turns, start, N, ASSAY_TURNS_MAX);
    sparse = join(sparse_turns, start, N, ASSAY_TURNS_MAX);
    assert_int_equal(assay_dendrogram_fit(dense, NULL, &trees[0]), ASSAY_OK);
    assert_int_equal(assay_dendrogram_fit(sparse, NULL, &trees[1]), ASSAY_OK);
    for (size_t t = 0; t + 1 < N; t++) {
        size_t a[2], b[2];
        double height[2];

        assay_dendrogram_merge(trees[0], t, a, &height[0]);
        assay_dendrogram_merge(trees[1], t, b, &height[1]);
        assert_memory_equal(a, b, sizeof a);
        assert_true(height[0] == height[1]);
    }
    for (size_t k = 0; k < 2; k++) assay_dendrogram_free(trees[k]);
    assay_vectors_free(dense);
    assay_vectors_free(sparse);
    assay_vectors_free(turns);
    assay_vectors_free(sparse_turns);
    free(start);
}

static void test_prompts_of_one_turn_stay_as_they_are(void **state)
{
    static const char *const texts[] = { "one two two", "two three four", "", "five six", "one" };
    static const size_t start[] = { 0, 1, 2, 3, 4, 5 };
    assay_vectors *sparse;

    (void)state;
    assert_int_equal(assay_vectors_tfidf(texts, 5, NULL, &sparse), ASSAY_OK);
    for (int how = 0; how < N_WAYS; how++) {
        const size_t n_entries = sparse->start[5];
        assay_vectors *joined = join(sparse, start, 5, (assay_turns)how);

        assert_memory_equal(joined->start, sparse->start, sizeof start);
        assert_memory_equal(joined->column, sparse->column, n_entries * sizeof(uint32_t));
        assert_memory_equal(joined->value, sparse->value, n_entries * sizeof(double));
        assert_int_equal(joined->n_zero, sparse->n_zero);
        assert_int_equal(joined->n_distinct, sparse->n_distinct);
        assert_false(assay_vectors_by_turn(joined));
        for (size_t c = 0; c <= sparse->d; c++)
            if (assay_vectors_term(sparse, c))
                assert_string_equal(assay_vectors_term(joined, c), assay_vectors_term(sparse, c));
        assert_null(assay_vectors_term(joined, sparse->d));
        assay_vectors_free(joined);
    }
    assay_vectors_free(sparse);
}

static void test_columns_of_each_turn_have_the_terms(void **state)
{
    static const char *const texts[] = { "one two", "two three", "one" };
    static const size_t start[] = { 0, 2, 3 };
    assay_vectors *turns, *joined;

    (void)state;
    assert_int_equal(assay_vectors_tfidf(texts, 3, NULL, &turns), ASSAY_OK);
    for (int how = 0; how < N_WAYS; how++) {
        const size_t d = turns->d * (how == ASSAY_TURNS_CONCAT || how == ASSAY_TURNS_MAX ? 2 : 1);

        joined = join(turns, start, 2, (assay_turns)how);
        assert_int_equal(assay_vectors_dimensions(joined), d);
        for (size_t c = 0; c < d; c++)
            assert_string_equal(assay_vectors_term(joined, c), assay_vectors_term(turns, c % 3));
        assert_null(assay_vectors_term(joined, d));
        assay_vectors_free(joined);
    }
    assay_vectors_free(turns);
}

/* ---- who follows the largest distance, and who refuses it ---- */

static void test_representatives_and_dbscan_follow_the_largest_distance(void **state)
{
    enum { N = 30, K = 4 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 6, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int round = 0; round < 20; round++) {
        set s = random_set(&random, N, 3, round % 2);
        assay_vectors *joined = join(round % 2 ? s.dense : s.sparse, s.start, N, ASSAY_TURNS_MAX);
        assay_vectors *taken;
        size_t labels[N], representative[K], rows[N / 2];
        const double radius[] = { 0.9 };
        const assay_dbscan_options options = {
            .radius = radius, .n_radii = 1, .min_samples = 1, .threads = 1
        };

        for (size_t i = 0; i < N; i++) labels[i] = i % K;
        assert_int_equal(assay_topics_representatives(joined, labels, K, representative), ASSAY_OK);
        for (size_t k = 0; k < K; k++) {
            size_t best = N;
            double most = -INFINITY;

            for (size_t i = k; i < N; i += K) {
                double like = 0;

                for (size_t j = k; j < N; j += K) like += 1 - largest_distance(&s, i, j);
                if (like > most + 1e-12) most = like, best = i;
            }
            assert_int_equal(representative[k], best);
        }
        assert_int_equal(assay_dbscan(joined, &options, labels, NULL), ASSAY_OK);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++)
                if (largest_distance(&s, i, j) <= 0.9) assert_int_equal(labels[i], labels[j]);
        for (size_t i = 0; i < N / 2; i++) rows[i] = N - 1 - 2 * i;
        assert_int_equal(assay_vectors_take(joined, rows, N / 2, &taken), ASSAY_OK);
        for (size_t i = 0; i < N / 2; i++)
            for (size_t j = 0; j < N / 2; j++)
                assert_true(assay_vectors_dot(taken, i, j) ==
                            assay_vectors_dot(joined, rows[i], rows[j]));
        assay_vectors_free(taken);
        assay_vectors_free(joined);
        set_free(&s);
    }
}

static void test_what_needs_coordinates_refuses_the_largest_distance(void **state)
{
    assay_vectors *turns = vectors_of(hand, 5, 2);
    assay_vectors *joined = join(turns, hand_start, 3, ASSAY_TURNS_MAX), many = *joined, *out;
    const assay_kmeans_options options = { .restarts = 1, .threads = 1 };
    size_t labels[3] = { 0 };
    assay_hopkins measured;
    assay_dendrogram *tree;

    (void)state;
    assert_int_equal(assay_kmeans(joined, 2, &options, labels, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "k-means: the largest of the turns' distances has no "
                                            "centres, expected another way to join turns");
    assert_int_equal(assay_hopkins_measure(joined, NULL, &measured), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "hopkins: the largest of the turns' distances is no "
                                            "geometry of vectors, expected another way to join "
                                            "turns");
    assert_int_equal(assay_plot_map(joined, labels, NULL, stderr), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "map: the largest of the turns' distances is no "
                                            "geometry of vectors, expected another way to join "
                                            "turns");
    many.n = 30000;
    assert_int_equal(assay_dendrogram_fit(&many, NULL, &tree), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(),
                        "average linkage of 30000 turn-by-turn vectors needs the distances of all "
                        "pairs, 3.4 GiB; the most are 23170 vectors, and average linkage of dense "
                        "vectors has no limit");
    assert_int_equal(assay_vectors_join_turns(joined, hand_start, 1, ASSAY_TURNS_MEAN, &out),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "turns: these are joined already, expected one a turn");
    assay_vectors_free(joined);
    assay_vectors_free(turns);
}

static void check_refused(const assay_vectors *turns, const size_t *start, size_t n, int how,
                          assay_status expected, const char *sentence)
{
    assay_vectors *out;

    assert_int_equal(assay_vectors_join_turns(turns, start, n, (assay_turns)how, &out), expected);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(out);
}

static void test_each_fault_has_its_sentence(void **state)
{
    static const size_t none[] = { 0, 2, 2, 5 }, back[] = { 0, 3, 2, 5 }, late[] = { 1, 2, 5 };
    static const size_t beyond[] = { 0, 2, 6 }, short_of[] = { 0, 2, 4 };
    assay_vectors *turns = vectors_of(hand, 5, 2);
    assay_vectors wide = { .n = 5, .d = 1u << 31 };

    (void)state;
    check_refused(turns, hand_start, 3, 5, ASSAY_E_VALUE, "turns: how is 5, expected 0 to 4");
    check_refused(turns, hand_start, 3, -1, ASSAY_E_VALUE, "turns: how is -1, expected 0 to 4");
    check_refused(turns, hand_start, 0, 0, ASSAY_E_SHAPE, "turns: 0 prompts, expected 1 or more");
    check_refused(turns, none, 3, 0, ASSAY_E_SHAPE,
                  "turns: prompt 1 has no turn, expected one or more");
    check_refused(turns, back, 3, 4, ASSAY_E_SHAPE,
                  "turns: prompt 1 has no turn, expected one or more");
    check_refused(turns, late, 2, 1, ASSAY_E_SHAPE,
                  "turns: those of the prompts are 1 to 5, expected 0 to 5");
    check_refused(turns, beyond, 2, 0, ASSAY_E_SHAPE,
                  "turns: those of the prompts are 0 to 6, expected 0 to 5");
    check_refused(turns, short_of, 2, 0, ASSAY_E_SHAPE,
                  "turns: those of the prompts are 0 to 4, expected 0 to 5");
    check_refused(&wide, hand_start, 3, 0, ASSAY_E_SHAPE,
                  "turns: 2 turns of 2147483648 dimensions side by side, expected fewer than 2^32");
    assay_vectors_free(turns);
}

/* ---- memory ---- */

struct call {
    const assay_vectors *turns;
    assay_turns how;
};

static assay_status join_some(void *context)
{
    const struct call *call = context;
    assay_vectors *joined = NULL;
    assay_status status = assay_vectors_join_turns(call->turns, hand_start, 3, call->how, &joined);

    assay_vectors_free(joined);
    return status;
}

static assay_status measure_some(void *context)
{
    double *distance = NULL;
    assay_status status = assay_distances_new(context, 1, (assay_progress){ 0 }, &distance);

    free(distance);
    return status;
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void test_distances_by_turn_may_fail_and_be_cancelled(void **state)
{
    assay_vectors *dense = vectors_of(hand, 5, 2), *sparse = sparse_copy(dense);
    assay_vectors *joined[] = { join(dense, hand_start, 3, ASSAY_TURNS_MAX),
                                join(sparse, hand_start, 3, ASSAY_TURNS_MAX) };
    const assay_progress progress = { .step = stop };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double *distance;

        assert_true(fail_every_allocation(measure_some, joined[k]) > 10);
        assert_int_equal(assay_distances_new(joined[k], 1, progress, &distance), ASSAY_E_CANCELLED);
        assert_null(distance);
        assay_vectors_free(joined[k]);
    }
    assay_vectors_free(dense);
    assay_vectors_free(sparse);
}

static void test_every_allocation_may_fail(void **state)
{
    static const char *const texts[] = { "one two", "two", "one three", "two", "three" };
    assay_vectors *dense = vectors_of(hand, 5, 2), *sparse;

    (void)state;
    assert_int_equal(assay_vectors_tfidf(texts, 5, NULL, &sparse), ASSAY_OK);
    for (int how = 0; how < N_WAYS; how++) {
        struct call of_dense = { dense, (assay_turns)how },
                    of_sparse = { sparse, (assay_turns)how };

        assert_int_equal(fail_every_allocation(join_some, &of_dense), 4);
        assert_int_equal(fail_every_allocation(join_some, &of_sparse), 12); /* 4 for the terms */
    }
    assay_vectors_free(dense);
    assay_vectors_free(sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_way_by_hand),
        cmocka_unit_test(test_turns_without_a_word_in_the_largest_distance),
        cmocka_unit_test(test_concatenation_is_the_mean_of_the_cosines_of_as_many_turns),
        cmocka_unit_test(test_sparse_and_dense_agree_to_the_bit),
        cmocka_unit_test(test_the_largest_distance_is_that_of_the_definition),
        cmocka_unit_test(test_dendrograms_of_largest_distances_are_those_of_brute_force),
        cmocka_unit_test(test_many_vectors_take_the_way_over_all_pairs),
        cmocka_unit_test(test_prompts_of_one_turn_stay_as_they_are),
        cmocka_unit_test(test_columns_of_each_turn_have_the_terms),
        cmocka_unit_test(test_representatives_and_dbscan_follow_the_largest_distance),
        cmocka_unit_test(test_what_needs_coordinates_refuses_the_largest_distance),
        cmocka_unit_test(test_each_fault_has_its_sentence),
        cmocka_unit_test(test_distances_by_turn_may_fail_and_be_cancelled),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
