/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "score/partitions.h"
#include "score/predict.h"
#include "score_golden.h"
#include "stats/log_beta.h"

enum { N = 9, N_NODES = 2 * N - 1 };

/* All ways to cut the tree, one after the other: each is a list of nodes. The oracle. */
typedef struct oracle {
    const assay_dendrogram *tree;
    const assay_posterior *nodes;
    double count[N + 1], likelihood[N + 1]; /* of the partitions into S, summed */
    double with[N_NODES][N + 1];            /* of those that have a node */
} oracle;

/* open: nodes still to be cut or kept; kept: blocks so far. */
static void enumerate(oracle *o, const size_t *open, size_t n_open, const size_t *kept,
                      size_t n_kept)
{
    size_t next[N], blocks[N];

    if (n_open == 0) {
        double likelihood = 1;
        for (size_t k = 0; k < n_kept; k++)
            likelihood *= exp(assay_log_beta(o->nodes->a[kept[k]], o->nodes->b[kept[k]]));
        o->count[n_kept] += 1;
        o->likelihood[n_kept] += likelihood;
        for (size_t k = 0; k < n_kept; k++) o->with[kept[k]][n_kept] += likelihood;
        return;
    }
    size_t c = open[n_open - 1];
    memcpy(next, open, n_open * sizeof *next);
    memcpy(blocks, kept, n_kept * sizeof *blocks);
    blocks[n_kept] = c;
    enumerate(o, next, n_open - 1, blocks, n_kept + 1);
    if (c < N) return;
    next[n_open - 1] = o->tree->children[2 * (c - N)];
    next[n_open] = o->tree->children[2 * (c - N) + 1];
    enumerate(o, next, n_open + 1, kept, n_kept);
}

static void every_partition_one_by_one_gives_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        double x[N], m[N], log_prior[N], total = 0, coefficients, V, W;
        assay_dendrogram *tree = random_tree(N, seed);
        size_t root = N_NODES - 1, none = 0;
        assay_posterior *p;
        oracle o = { .tree = tree };

        for (size_t i = 0; i < N; i++) {
            m[i] = 3;
            x[i] = (double)((i * 5 + seed) % 4);
            log_prior[i] = log((double)(i + 1) / (N * (N + 1) / 2));
        }
        assert_int_equal(assay_partitions_new(tree, (assay_outcomes){ x, m, NULL },
                                              (assay_score_prior){ log_prior, 1, 1 }, &p),
                         ASSAY_OK);
        o.nodes = p;
        enumerate(&o, &root, 1, &none, 0);
        coefficients = exp(assay_log_coefficients((assay_outcomes){ x, m, NULL }, N));
        for (size_t S = 1; S <= N; S++)
            total += exp(log_prior[S - 1]) * o.likelihood[S] / o.count[S];
        assert_near("ln p(x)", p->log_evidence, log(total * coefficients), 1e-11);
        for (size_t S = 1; S <= N; S++)
            assert_near("pi(S|x)", p->post[S - 1],
                        exp(log_prior[S - 1]) * o.likelihood[S] / o.count[S] / total, 1e-12);
        for (size_t c = 0; c < N_NODES; c++) {
            V = W = 0;
            for (size_t S = 1; S <= N; S++) {
                double part = exp(log_prior[S - 1]) * o.with[c][S] / o.count[S] / total;
                V += part;
                W += part / (double)S;
            }
            assert_near("V", p->present[c], V, 1e-12);
            assert_near("W", p->weight[c], W, 1e-12);
        }
        assay_posterior_free(p);
        assay_dendrogram_free(tree);
    }
}

/* V3's tree has one partition for each S: the same as by cuts. */
static void a_chain_of_three_has_only_its_cuts(void **state)
{
    const double log_prior[] = { -1, -2, -3 };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_outcomes outcomes = { v3_x, v3_m, NULL };
    assay_posterior *a, *b;

    (void)state;
    assert_int_equal(
        assay_partitions_new(tree, outcomes, (assay_score_prior){ log_prior, 1, 1 }, &a), ASSAY_OK);
    assert_int_equal(
        assay_posterior_new(tree, outcomes, (assay_score_prior){ log_prior, 1, 1 }, &b), ASSAY_OK);
    for (size_t s = 0; s < 3; s++)
        assert_near("ln p(x|S)", a->log_likelihood[s], b->log_likelihood[s], 1e-13);
    for (size_t c = 0; c < 5; c++) {
        assert_near("V", a->present[c], b->present[c], 1e-13);
        assert_near("W", a->weight[c], b->weight[c], 1e-13);
    }
    assert_near("E[S]", a->expected_s, b->expected_s, 1e-13);
    assert_near("mean", a->expected_score, b->expected_score, 1e-13);
    assert_near("var A", a->var_within + a->var_between, b->var_within + b->var_between, 1e-13);
    assert_near("rate", assay_prompt_rate(a, 1).mean, assay_prompt_rate(b, 1).mean, 1e-13);
    assert_true(isnan(a->variance_b) && isnan(a->variance_c) && isnan(a->kish));
    assay_posterior_free(a);
    assay_posterior_free(b);
    assay_dendrogram_free(tree);
}

/* A prior that is only one S leaves that S, and the others' -infinities do no harm. */
static void one_possible_s_is_kept(void **state)
{
    const double two[] = { -INFINITY, 0, -INFINITY },
                 nothing[] = { -INFINITY, -INFINITY, -INFINITY };
    assay_dendrogram *tree = tree_of(v3_children, 3);
    assay_outcomes outcomes = { v3_x, v3_m, NULL };
    assay_posterior *p;

    (void)state;
    assert_int_equal(assay_partitions_new(tree, outcomes, (assay_score_prior){ two, 1, 1 }, &p),
                     ASSAY_OK);
    assert_near("E[S]", p->expected_s, 2, 0);
    assert_near("V of both", p->present[3], 1, 1e-14);
    assert_near("V of the root", p->present[4], 0, 0);
    assay_posterior_free(p);
    assert_int_equal(assay_partitions_new(tree, outcomes, (assay_score_prior){ nothing, 1, 1 }, &p),
                     ASSAY_E_DEGENERATE);
    assert_null(p);
    assay_dendrogram_free(tree);
}

static assay_status new_one(void *context)
{
    const double log_prior[] = { 0, 0, 0 };
    assay_posterior *p;
    assay_status status = assay_partitions_new(context, (assay_outcomes){ v3_x, v3_m, NULL },
                                               (assay_score_prior){ log_prior, 1, 1 }, &p);

    assay_posterior_free(p);
    return status;
}

static void failing_allocations_are_reported(void **state)
{
    assay_dendrogram *tree = tree_of(v3_children, 3);

    (void)state;
    assert_true(fail_every_allocation(new_one, tree) > 20);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_partition_one_by_one_gives_the_same),
        cmocka_unit_test(a_chain_of_three_has_only_its_cuts),
        cmocka_unit_test(one_possible_s_is_kept),
        cmocka_unit_test(failing_allocations_are_reported),
    };

    return cmocka_run_group_tests_name("partitions", tests, NULL, NULL);
}
