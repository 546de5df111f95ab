/* SPDX-License-Identifier: Apache-2.0 */
/* What the lists of near clusters promise, whatever is merged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/distances.h"
#include "cluster/sums.h"
#include "dendrogram_oracle.h"

enum { N = 70 };

static uint32_t owner_of(const assay_sums *s, uint32_t slot)
{
    while (s->owner[slot] != slot) slot = s->owner[slot];
    return slot;
}

static int is_listed(const assay_sums *s, size_t i, size_t k)
{
    for (size_t p = 0; p < s->n_near[i]; p++)
        if (owner_of(s, s->near[i * ASSAY_NEAR + p].slot) == k) return 1;
    return 0;
}

/* No unlisted cluster is nearer than the cut, none at all nearer than the bound, and a nearest that is
   current is the first of the nearest. 1e-14: what adding vectors in another order may change. */
static void assert_promises(const assay_sums *s)
{
    for (size_t i = 0; i < N; i++) {
        double least = INFINITY;
        size_t first = N;

        if (s->state[i] == ASSAY_NEAR_GONE) continue;
        for (size_t k = 0; k < N; k++) {
            double d;

            if (k == i || s->state[k] == ASSAY_NEAR_GONE) continue;
            d = assay_sums_distance(s, i, k);
            if (!is_listed(s, i, k)) assert_true(d >= s->cut[i] - 1e-14);
            assert_true(d >= s->bound[i] - 1e-14);
            if (d < least - ASSAY_SAME_DISTANCE) first = k;
            if (d < least) least = d;
        }
        if (first < N && assay_sums_is_current(s, i)) assert_int_equal(s->nearest[i], first);
    }
}

static void pick_pair(const assay_sums *s, assay_random *random, size_t *i, size_t *j)
{
    do {
        *i = (size_t)assay_random_below(random, N);
        *j = (size_t)assay_random_below(random, N);
    } while (*i >= *j || s->state[*i] == ASSAY_NEAR_GONE || s->state[*j] == ASSAY_NEAR_GONE);
}

/* Clusters are merged at random, and now and then some lists renewed or made anew. */
static void lists_keep_what_they_promise(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 51, ASSAY_PURPOSE_TIE_ORDER, 0);
    for (size_t trial = 0; trial < 30; trial++) {
        assay_vectors *x = random_vectors(&random, N, 2 + trial % 5, trial % 3 == 2 ? 5 : 0);
        size_t order[N], i, j;
        uint32_t first[N];
        assay_sums s;

        for (size_t slot = 0; slot < N; slot++) {
            order[slot] = slot;
            first[slot] = (uint32_t)slot;
        }
        assert_int_equal(assay_sums_new(x, order, first, &s), ASSAY_OK);
        assert_int_equal(assay_sums_scan(&s, first, N, 2), ASSAY_OK);
        assert_promises(&s);
        while (s.n_alive > 1) {
            pick_pair(&s, &random, &i, &j);
            assay_sums_unite(&s, i, j);
            for (size_t k = 0; k < N; k++)
                if (s.state[k] == ASSAY_NEAR_KNOWN && assay_random_below(&random, 4) == 0)
                    assay_sums_renew(&s, k);
            assert_promises(&s);
            if (s.n_alive > 1 && assay_random_below(&random, 8) == 0) {
                uint32_t row = (uint32_t)i;

                assert_int_equal(assay_sums_scan(&s, &row, 1, 1), ASSAY_OK);
                assert_true(assay_sums_is_current(&s, i));
                assert_promises(&s);
            }
        }
        assay_sums_free(&s);
        assay_vectors_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_keep_what_they_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
