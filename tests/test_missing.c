/* SPDX-License-Identifier: Apache-2.0 */
/* Rows without a score: how many, what bounds they leave, and what becomes of them. Expected numbers
   are by hand. */
#include "failing_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/intervals.h"
#include "assay/missing.h"

#include <stdio.h>

static const double ROUNDING = 1e-15; /* sums of a few numbers below 1 */

static void add(assay_results *results, const char *model, int item, const char *run, double score,
                assay_score_state state)
{
    char name[16];
    assay_observation seen = { .model = model, .run = run, .score = score, .state = state };

    snprintf(name, sizeof name, "q%d", item);
    seen.item = name;
    assert_int_equal(assay_results_add(results, &seen), ASSAY_OK);
}

static assay_results *empty(void)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    return results;
}

static void t36_errored_samples_leave_bounds_and_both_denominators(void **state)
{
    assay_results *results = empty();
    assay_missing m;
    size_t n_shared;
    uint64_t n = 0;

    (void)state;
    for (int i = 0; i < 10; i++)
        add(results, "m", i, NULL, 1.0, i < 5 ? ASSAY_SCORED : ASSAY_ERRORED);
    assert_int_equal(assay_missing_count(results, NULL, &m, &n_shared), ASSAY_OK);
    assert_int_equal(m.prompts, 5);
    assert_int_equal(m.all_prompts, 10);
    assert_int_equal(m.runs, 5);
    assert_int_equal(m.all_runs, 10);
    assert_true(m.low == 0.5 && m.high == 1.0);
    assert_int_equal(assay_missing_as_wrong(results, &n), ASSAY_OK);
    assert_int_equal(n, 5);
    assert_int_equal(assay_results_coverage(results).errored, 5); /* as they were read */
    assert_int_equal(assay_missing_count(results, NULL, &m, &n_shared), ASSAY_OK);
    assert_int_equal(m.prompts, 10);
    assert_true(m.low == 0.5 && m.high == 0.5);
    assay_results_free(results);
}

static void t37_unscored_is_no_number(void **state)
{
    assay_results *results = empty();
    assay_missing m;
    size_t n_shared;

    (void)state;
    add(results, "m", 0, NULL, 0.8, ASSAY_SCORED);
    add(results, "m", 1, NULL, NAN, ASSAY_UNSCORED);
    add(results, "m", 2, NULL, NAN, ASSAY_UNSCORED);
    assert_int_equal(assay_missing_count(results, NULL, &m, &n_shared), ASSAY_OK);
    assert_int_equal(m.prompts, 1);
    assert_int_equal(m.all_prompts, 3);
    assert_true(m.shared_mean == 0.8);
    assert_true(fabs(m.low - 0.8 / 3) < ROUNDING && fabs(m.high - 2.8 / 3) < ROUNDING);
    assay_results_free(results);
}

static void t55_models_are_compared_on_what_they_share(void **state)
{
    assay_results *results = empty();
    assay_missing m[3];
    size_t n_shared;

    (void)state;
    for (int i = 0; i < 8; i++) add(results, "whole", i, NULL, i % 2, ASSAY_SCORED);
    for (int i = 5; i < 9; i++) add(results, "part", i, NULL, i != 6, ASSAY_SCORED);
    add(results, "broken", 1, NULL, NAN, ASSAY_ERRORED); /* takes nothing from the others */
    assert_int_equal(assay_missing_count(results, NULL, m, &n_shared), ASSAY_OK);
    assert_int_equal(n_shared, 3);
    assert_true(fabs(m[0].shared_mean - 2.0 / 3) < ROUNDING); /* 5, 6, 7: 1, 0, 1 */
    assert_true(fabs(m[1].shared_mean - 2.0 / 3) < ROUNDING);
    assert_int_equal(m[1].prompts, 4);
    assert_true(m[0].low == 0.5 && m[0].high == 0.5); /* what was not run is not wrong */
    assert_int_equal(m[2].prompts, 0);
    assert_true(isnan(m[2].shared_mean) && m[2].low == 0.0 && m[2].high == 1.0);
    assay_results_free(results);
}

static void runs_of_a_prompt_are_its_rate(void **state)
{
    assay_results *results = empty();
    assay_missing m;
    size_t n_shared;

    (void)state;
    add(results, "m", 0, "1", 1.0, ASSAY_SCORED);
    add(results, "m", 0, "2", 0.0, ASSAY_MISSING);
    add(results, "m", 0, "3", 0.0, ASSAY_SCORED);
    add(results, "m", 0, "4", 0.0, ASSAY_ERRORED);
    add(results, "m", 1, "1", 0.0, ASSAY_SCORED);
    assert_int_equal(assay_missing_count(results, NULL, &m, &n_shared), ASSAY_OK);
    assert_int_equal(m.prompts, 2);
    assert_int_equal(m.runs, 3);
    assert_int_equal(m.all_runs, 5);
    assert_true(m.low == 0.125 && m.high == 0.375 && m.shared_mean == 0.25);
    assay_results_free(results);
}

static void where_0_is_not_wrong_nothing_is_counted_so(void **state)
{
    assay_results *results = empty();

    (void)state;
    add(results, "m", 0, NULL, 7.0, ASSAY_SCORED);
    add(results, "m", 1, NULL, NAN, ASSAY_MISSING);
    assert_int_equal(assay_missing_as_wrong(results, NULL), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "item \"q0\" has score 7: only where scores run from 0 to "
                        "1 can rows without one count as 0");
    assay_results_free(results);
}

static void t35_one_cluster_has_no_interval(void **state)
{
    const double scores[] = { 0.0, 1.0, 1.0, 0.0 };
    const size_t clusters[] = { 0, 0, 0, 0 };
    assay_clustered result;

    (void)state;
    assert_int_equal(assay_clustered_mean(scores, clusters, 4, 0.95, &result), ASSAY_OK);
    assert_int_equal(result.n_clusters, 1);
    assert_true(isnan(result.bounds[0]) && isnan(result.bounds[1]));
}

static assay_status count_all(void *context)
{
    assay_results *results = context;
    assay_missing m[2];
    size_t n_shared;

    return assay_missing_count(results, NULL, m, &n_shared);
}

static void every_allocation_may_fail(void **state)
{
    assay_results *results = empty();

    (void)state;
    add(results, "a", 0, NULL, 1.0, ASSAY_SCORED);
    add(results, "b", 1, NULL, 0.5, ASSAY_SCORED);
    assert_int_equal(fail_every_allocation(count_all, results), 7);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(t36_errored_samples_leave_bounds_and_both_denominators),
        cmocka_unit_test(t37_unscored_is_no_number),
        cmocka_unit_test(t55_models_are_compared_on_what_they_share),
        cmocka_unit_test(runs_of_a_prompt_are_its_rate),
        cmocka_unit_test(where_0_is_not_wrong_nothing_is_counted_so),
        cmocka_unit_test(t35_one_cluster_has_no_interval),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
