/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/trials.h"
#include "core/random.h"
#include "failing_memory.h"
#include "read/prompts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(assay_results *results, const char *model, const char *item,
                const char *template_id, const char *run, double score)
{
    const assay_observation said = { model, item, template_id, run, score, ASSAY_SCORED };

    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
}

static assay_results *new_results(void)
{
    assay_results *results;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    return results;
}

/* Prompts of these ids, ended by NULL. */
static assay_prompts *prompts_of(const char *const *ids)
{
    assay_prompts *prompts = calloc(1, sizeof *prompts);

    for (; *ids; ids++) {
        assay_name parts[ASSAY_N_PROMPT_PARTS] = { { *ids, strlen(*ids) } };

        parts[ASSAY_PROMPT_TEXT] = (assay_name){ *ids, strlen(*ids) };
        assert_int_equal(assay_prompts_add(prompts, "p", 0, parts), ASSAY_OK);
    }
    assert_int_equal(assay_prompts_finish(prompts), ASSAY_OK);
    return prompts;
}

static assay_trials *count(const assay_results *results, const assay_prompts *prompts)
{
    assay_trials *trials;

    if (assay_trials_count(results, prompts, &trials) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return trials;
}

static void assert_fails(const assay_results *results, const assay_prompts *prompts,
                         assay_status status, const char *sentence)
{
    assay_trials *trials = (assay_trials *)&status; /* to be made NULL */

    assert_int_equal(assay_trials_count(results, prompts, &trials), status);
    assert_null(trials);
    assert_string_equal(assay_last_error(), sentence);
}

/* By hand: two runs and two templates of a cell are three trials of one prompt. */
static void runs_and_templates_are_trials_of_one_prompt(void **state)
{
    assay_results *results = new_results();
    assay_trials *trials;

    (void)state;
    add(results, "m", "a", NULL, "1", 1.0);
    add(results, "m", "a", NULL, "2", 0.0);
    add(results, "m", "a", "other", NULL, 1.0);
    add(results, "m", "b", NULL, "1", 0.0);
    add(results, "n", "b", NULL, "1", 1.0);
    trials = count(results, NULL);
    assert_int_equal(assay_trials_n_models(trials), 2);
    assert_int_equal(assay_trials_n_prompts(trials), 2);
    assert_memory_equal(assay_trials_successes(trials), ((double[]){ 2, 0, 0, 1 }),
                        4 * sizeof(double));
    assert_memory_equal(assay_trials_trials(trials), ((double[]){ 3, 1, 0, 1 }),
                        4 * sizeof(double));
    assert_false(assay_trials_are_fractional(trials));
    assert_int_equal(assay_trials_n_unknown_items(trials), 0);
    assert_int_equal(assay_trials_n_unscored_prompts(trials), 0);
    assay_trials_free(trials);
    assay_trials_free(NULL);
    assay_results_free(results);
}

static void prompts_decide_the_order_and_what_counts(void **state)
{
    assay_results *results = new_results();
    assay_prompts *prompts = prompts_of((const char *const[]){ "c", "b", "x", NULL });
    assay_trials *trials;

    (void)state;
    add(results, "only a", "a", NULL, NULL, 1.0);
    add(results, "m", "a", NULL, NULL, 7.0); /* out of range, and of no prompt */
    add(results, "m", "b", NULL, NULL, 1.0);
    add(results, "m", "c", NULL, NULL, 0.0);
    trials = count(results, prompts);
    assert_int_equal(assay_trials_n_models(trials), 1);
    assert_int_equal(assay_trials_model(trials, 0), 1);
    assert_int_equal(assay_trials_n_prompts(trials), 3);
    assert_memory_equal(assay_trials_successes(trials), ((double[]){ 0, 1, 0 }),
                        3 * sizeof(double));
    assert_memory_equal(assay_trials_trials(trials), ((double[]){ 1, 1, 0 }), 3 * sizeof(double));
    assert_int_equal(assay_trials_n_unknown_items(trials), 1);
    assert_int_equal(assay_trials_n_unscored_prompts(trials), 1);
    assay_trials_free(trials);
    assay_prompts_free(prompts);
    assay_results_free(results);
}

static void what_has_no_score_is_no_trial(void **state)
{
    static const assay_score_state states[] = { ASSAY_MISSING, ASSAY_ERRORED, ASSAY_UNSCORED };
    assay_results *results = new_results();
    assay_trials *trials;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        char run[2] = { (char)('1' + k), '\0' };
        const assay_observation said = { "m", "a", NULL, run, 0.0, states[k] };

        assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    }
    assert_fails(results, NULL, ASSAY_E_SHAPE, "no item has a score");
    add(results, "m", "b", NULL, NULL, 1.0);
    trials = count(results, NULL);
    assert_memory_equal(assay_trials_trials(trials), ((double[]){ 0, 1 }), 2 * sizeof(double));
    assert_int_equal(assay_trials_n_unscored_prompts(trials), 1);
    assay_trials_free(trials);
    assay_results_free(results);
}

static void fractions_count_as_fractions_of_a_success(void **state)
{
    assay_results *results = new_results();
    assay_trials *trials;

    (void)state;
    add(results, "m", "a", NULL, "1", 0.25);
    add(results, "m", "a", NULL, "2", 0.5);
    trials = count(results, NULL);
    assert_true(assay_trials_are_fractional(trials));
    assert_true(assay_trials_successes(trials)[0] == 0.75);
    assay_trials_free(trials);
    assay_results_free(results);
}

static void scores_out_of_range_are_refused_with_the_range_seen(void **state)
{
    assay_results *results = new_results();

    (void)state;
    add(results, "m", "a", NULL, NULL, 0.5);
    add(results, "m", "b", NULL, NULL, 10.0);
    add(results, "m", "c\x1b", NULL, NULL, -2.5);
    assert_fails(results, NULL, ASSAY_E_VALUE,
                 "scores run from -2.5 to 10 (item \"c\\x1b\"): a success rate needs 0 to 1");
    assay_results_free(results);
}

static void ids_that_do_not_meet_are_shown(void **state)
{
    assay_results *results = new_results();
    assay_prompts *prompts = prompts_of((const char *const[]){ "p1", NULL });

    (void)state;
    assert_fails(results, prompts, ASSAY_E_SHAPE, "no prompt has a score");
    add(results, "m", "1", NULL, NULL, 1.0);
    assert_fails(results, prompts, ASSAY_E_SHAPE,
                 "no item of the results is a prompt: the items are called like \"1\", the prompts "
                 "like \"p1\"");
    assay_prompts_free(prompts);
    assay_results_free(results);
}

/* Random observations against sums kept beside them. */
static void random_tables_are_counted_right(void **state)
{
    enum { N_MODELS = 4, N_ITEMS = 30, N_RUNS = 5 };
    double x[N_MODELS * N_ITEMS] = { 0 }, m[N_MODELS * N_ITEMS] = { 0 };
    assay_results *results = new_results();
    assay_trials *trials;
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t k = 0; k < N_MODELS; k++) /* so that items and models are numbered in order */
        for (size_t i = 0; i < N_ITEMS; i++)
            for (size_t r = 0; r < N_RUNS; r++) {
                char model[8], item[8], run[8];
                double score = (double)assay_random_below(&random, 2);

                if ((i > 0 || r > 0) && k > 0 && assay_random_below(&random, 3) == 0) continue;
                snprintf(model, sizeof model, "m%zu", k);
                snprintf(item, sizeof item, "i%zu", i);
                snprintf(run, sizeof run, "%zu", r);
                add(results, model, item, NULL, run, score);
                x[k * N_ITEMS + i] += score;
                m[k * N_ITEMS + i] += 1.0;
            }
    trials = count(results, NULL);
    assert_int_equal(assay_trials_n_models(trials), N_MODELS);
    assert_memory_equal(assay_trials_successes(trials), x, sizeof x);
    assert_memory_equal(assay_trials_trials(trials), m, sizeof m);
    assay_trials_free(trials);
    assay_results_free(results);
}

static assay_status count_once(void *context)
{
    assay_trials *trials;
    assay_status status = assay_trials_count(context, NULL, &trials);

    assay_trials_free(trials);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    assay_results *results = new_results();

    (void)state;
    add(results, "m", "a", NULL, NULL, 1.0);
    assert_int_equal(fail_every_allocation(count_once, results), 5);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_templates_are_trials_of_one_prompt),
        cmocka_unit_test(prompts_decide_the_order_and_what_counts),
        cmocka_unit_test(what_has_no_score_is_no_trial),
        cmocka_unit_test(fractions_count_as_fractions_of_a_success),
        cmocka_unit_test(scores_out_of_range_are_refused_with_the_range_seen),
        cmocka_unit_test(ids_that_do_not_meet_are_shown),
        cmocka_unit_test(random_tables_are_counted_right),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
