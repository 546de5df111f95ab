/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/threads.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST = 1000 };

/* What the pieces did, and what the progress saw. */
typedef struct record {
    atomic_int done[MOST], n_done, most_thread;
    size_t fail_at;   /* a piece that fails; MOST for none */
    int n_steps;      /* of the progress */
    int cancel_after; /* steps; -1 for never */
    double fraction;  /* the last */
    int is_elsewhere; /* asked on a thread that did not call */
    int is_wrong;     /* a fraction beyond [0, 1], or smaller than the one before */
    const char *stage;
    pthread_t caller;
} record;

static void start(record *r)
{
    memset(r, 0, sizeof *r);
    r->fail_at = MOST;
    r->cancel_after = -1;
    r->caller = pthread_self();
}

static assay_status work(void *user, size_t k, int thread)
{
    record *r = user;

    atomic_fetch_add(&r->done[k], 1);
    atomic_fetch_add(&r->n_done, 1);
    if (thread > atomic_load(&r->most_thread)) atomic_store(&r->most_thread, thread);
    if (k == r->fail_at) return assay_fail(ASSAY_E_SHAPE, "piece %zu is\tbad", k);
    return ASSAY_OK;
}

static int step(void *user, const char *stage, double fraction)
{
    record *r = user;

    r->is_elsewhere |= !pthread_equal(pthread_self(), r->caller);
    r->is_wrong |= !(fraction >= r->fraction && fraction <= 1.0);
    r->fraction = fraction;
    r->stage = stage;
    return r->n_steps++ == r->cancel_after;
}

static assay_status run(record *r, size_t n, int threads)
{
    return assay_do_pieces(n, threads, "pieces", (assay_progress){ step, r }, work, r);
}

static void test_every_piece_is_done_once(void **state)
{
    const int threads[] = { 1, 2, 3, 7, 64 };
    const size_t sizes[] = { 1, 2, 5, 997 };

    (void)state;
    for (size_t t = 0; t < 5; t++)
        for (size_t s = 0; s < 4; s++) {
            record r;

            start(&r);
            assert_int_equal(run(&r, sizes[s], threads[t]), ASSAY_OK);
            for (size_t k = 0; k < MOST; k++)
                assert_int_equal(atomic_load(&r.done[k]), k < sizes[s]);
            assert_true(atomic_load(&r.most_thread) < threads[t]);
            assert_true(!r.is_elsewhere && !r.is_wrong && r.n_steps >= 1);
            assert_string_equal(r.stage, "pieces");
        }
}

static void test_one_thread_tells_after_every_piece(void **state)
{
    record r;

    (void)state;
    start(&r);
    assert_int_equal(run(&r, 10, 1), ASSAY_OK);
    assert_int_equal(r.n_steps, 11);
    assert_true(r.fraction == 1.0);
}

static void test_nothing_to_do_is_done(void **state)
{
    record r;

    (void)state;
    start(&r);
    assert_int_equal(run(&r, 0, 3), ASSAY_OK);
    assert_int_equal(r.n_steps, 1);
    assert_true(r.fraction == 1.0);
    assert_int_equal(assay_do_pieces(5, 2, "pieces", (assay_progress){ 0 }, work, &r), ASSAY_OK);
    assert_int_equal(atomic_load(&r.n_done), 5);
}

static void test_a_failure_carries_its_sentence_over(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 7; threads++) {
        record r;

        start(&r);
        r.fail_at = 100;
        assay_fail(ASSAY_E_VALUE, "something else");
        assert_int_equal(run(&r, MOST, threads), ASSAY_E_SHAPE);
        assert_string_equal(assay_last_error(), "piece 100 is\\x09bad");
        if (threads == 1) assert_int_equal(atomic_load(&r.n_done), 101);
    }
}

static void test_the_first_of_many_failures_is_told(void **state)
{
    record r;

    (void)state;
    start(&r);
    r.fail_at = 0;
    assert_int_equal(run(&r, 1, 4), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "piece 0 is\\x09bad");
}

static void test_cancelled_before_anything(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        record r;

        start(&r);
        r.cancel_after = 0;
        assert_int_equal(run(&r, MOST, threads), ASSAY_E_CANCELLED);
        assert_string_equal(assay_last_error(), "cancelled in pieces");
        assert_int_equal(atomic_load(&r.n_done), 0);
    }
}

/* With several threads the caller's may come to few pieces, so only one thread's count is known. */
static void test_cancelled_midway(void **state)
{
    record r;

    (void)state;
    start(&r);
    r.cancel_after = 6;
    assert_int_equal(run(&r, MOST, 1), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "cancelled in pieces");
    assert_int_equal(atomic_load(&r.n_done), 6);
    assert_int_equal(r.n_steps, 7);
}

static void test_a_number_of_threads(void **state)
{
    (void)state;
    assert_int_equal(assay_threads(5), 5);
    assert_true(assay_threads(0) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_is_done_once),
        cmocka_unit_test(test_one_thread_tells_after_every_piece),
        cmocka_unit_test(test_nothing_to_do_is_done),
        cmocka_unit_test(test_a_failure_carries_its_sentence_over),
        cmocka_unit_test(test_the_first_of_many_failures_is_told),
        cmocka_unit_test(test_cancelled_before_anything),
        cmocka_unit_test(test_cancelled_midway),
        cmocka_unit_test(test_a_number_of_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
