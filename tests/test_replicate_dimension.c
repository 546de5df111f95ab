/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "replicate_tables.h"

#include <math.h>
#include <string.h>

/* ---- properties ---- */

enum { MODELS = 24, ITEMS = 40, RUNS = 3 };

/* Outcomes of one ability: P = 1 / (1 + exp(-(1.5 theta - b))). */
static void draw_rasch(uint64_t seed, double *x)
{
    assay_random random;
    double theta[MODELS], b[ITEMS];

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 7);
    for (size_t i = 0; i < MODELS; i++) theta[i] = 1.5 * assay_random_normal(&random);
    for (size_t a = 0; a < ITEMS; a++) b[a] = assay_random_normal(&random);
    for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++)
        x[c] = assay_random_uniform(&random) <
               1.0 / (1.0 + exp(b[c / RUNS % ITEMS] - theta[c / RUNS / ITEMS]));
}

static void assert_same_answer(const assay_replicate_dimension *got,
                               const assay_replicate_dimension *expected, double tolerance)
{
    assert_near(got->value, expected->value, tolerance);
    assert_near(got->low, expected->low, tolerance);
    assert_near(got->high, expected->high, tolerance);
    assert_near(got->se_shared, expected->se_shared, tolerance);
}

/* Neither a constant an item nor a unit changes anything but rounding: a constant of 2^20 leaves 32
   of 52 bits to scores of order 1. A power of 2 changes nothing at all. */
static void constants_and_units_change_nothing(void **state)
{
    double x[MODELS * ITEMS * RUNS], y[MODELS * ITEMS * RUNS];
    assay_replicates *replicates;
    assay_replicate_dimension plain, moved;

    (void)state;
    draw_rasch(1, x);
    replicates = from_runs(x, MODELS, ITEMS, RUNS);
    plain = fit(replicates, 0.95);
    assay_replicates_free(replicates);
    assert_true(plain.low >= 1.0 && plain.low <= plain.value && plain.value < plain.high);
    assert_null(plain.reason);
    for (int scale = 0; scale < 2; scale++) {
        for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++)
            y[c] = scale ? ldexp(x[c], 300) : x[c] + 1048576.0 + 0.1 * (double)(c / RUNS % ITEMS);
        replicates = from_runs(y, MODELS, ITEMS, RUNS);
        moved = fit(replicates, 0.95);
        assert_same_answer(&moved, &plain, scale ? 0.0 : 1e-8);
        assay_replicates_free(replicates);
    }
}

/* The order of a cell's runs, and counts instead of runs. */
static void runs_are_counts(void **state)
{
    double x[MODELS * ITEMS * RUNS], y[MODELS * ITEMS * RUNS];
    double successes[MODELS * ITEMS] = { 0 }, trials[MODELS * ITEMS];
    assay_replicates *replicates;
    assay_replicate_dimension plain, other;

    (void)state;
    draw_rasch(2, x);
    for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++) {
        y[c / RUNS * RUNS + (c + c / RUNS) % RUNS] = x[c];
        successes[c / RUNS] += x[c];
        trials[c / RUNS] = RUNS;
    }
    replicates = from_runs(x, MODELS, ITEMS, RUNS);
    plain = fit(replicates, 0.95);
    assay_replicates_free(replicates);
    replicates = from_runs(y, MODELS, ITEMS, RUNS);
    other = fit(replicates, 0.95);
    assert_same_answer(&other, &plain, ROUNDING);
    assay_replicates_free(replicates);
    assert_int_equal(assay_replicates_from_counts(successes, trials, MODELS, ITEMS, &replicates),
                     ASSAY_OK);
    other = fit(replicates, 0.95);
    assert_same_answer(&other, &plain, ROUNDING);
    assert_int_equal(assay_replicates_get(replicates, ASSAY_REPLICATES_MOST), RUNS);
    assay_replicates_free(replicates);
}

/* Templates that move every model alike, and every item of a model alike, leave no more than noise:
   with no noise the answer is that of the scores without them. */
static void effects_of_templates_fall_out(void **state)
{
    double x[3 * MODELS * ITEMS], y[3 * MODELS * ITEMS], z[MODELS * ITEMS];
    assay_replicates *replicates;
    assay_replicate_dimension plain, moved;

    (void)state;
    draw(9, 1, z, MODELS * ITEMS);
    for (size_t c = 0; c < 3 * MODELS * ITEMS; c++) {
        size_t t = c / (MODELS * ITEMS), i = c / ITEMS % MODELS, a = c % ITEMS;

        /* One dimension, and a little of everything else, which differs between templates. */
        x[c] =
            (double)i * (1.0 + 0.1 * (double)(a % 7)) + 0.01 * z[(c + 17 * t) % (MODELS * ITEMS)];
        y[c] = x[c] + 5.0 * (double)t + 3.0 * sin((double)(a * (t + 2)));
    }
    assert_int_equal(assay_replicates_from_templates(x, 3, MODELS, ITEMS, &replicates), ASSAY_OK);
    plain = fit(replicates, 0.95);
    assay_replicates_free(replicates);
    assert_int_equal(assay_replicates_from_templates(y, 3, MODELS, ITEMS, &replicates), ASSAY_OK);
    moved = fit(replicates, 0.95);
    assay_replicates_free(replicates);
    assert_same_answer(&moved, &plain, 1e-10);
    assert_near(plain.value, 1.0, 0.01);
}

static void threads_change_nothing(void **state)
{
    double x[4 * MODELS * ITEMS];
    assay_replicates *replicates;
    assay_replicate_dimension one, many;

    (void)state;
    draw(11, 1, x, 4 * MODELS * ITEMS);
    for (size_t c = 0; c < 4 * MODELS * ITEMS; c++) x[c] += (double)(c / ITEMS % MODELS);
    assert_int_equal(assay_replicates_from_templates(x, 4, MODELS, ITEMS, &replicates), ASSAY_OK);
    assert_int_equal(assay_replicate_dimension_fit(replicates, 0.95, 1, &one), ASSAY_OK);
    assert_int_equal(assay_replicate_dimension_fit(replicates, 0.95, 5, &many), ASSAY_OK);
    assert_null(one.reason);
    assert_memory_equal(&one, &many, offsetof(assay_replicate_dimension, no_signal));
    assert_int_equal(one.no_signal, many.no_signal);
    assay_replicates_free(replicates);
}

/* Twenty populations of one dimension: the mean is within 5 of its standard errors of 1.084, which
   bench/coverage_dimension.c finds for ever more models and items. A single run says about 8. */
static void one_dimension_is_found(void **state)
{
    double mean = 0.0, squares = 0.0;
    enum { SEEDS = 20 };

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        double x[MODELS * ITEMS * RUNS];
        assay_replicates *replicates;
        double value;

        draw_rasch(seed, x);
        replicates = from_runs(x, MODELS, ITEMS, RUNS);
        value = fit(replicates, 0.95).value;
        assay_replicates_free(replicates);
        mean += value / SEEDS;
        squares += value * value / SEEDS;
    }
    assert_near(mean, 1.084, 5.0 * sqrt((squares - mean * mean) / (SEEDS - 1)) / 1.084);
    assert_true(mean < 1.3);
}

/* ---- where there is no answer ---- */

static void assert_none(assay_replicates *replicates, const char *reason)
{
    assay_replicate_dimension got = fit(replicates, 0.95);

    assert_true(isnan(got.value) && isnan(got.low) && isnan(got.high) && isnan(got.se_models));
    assert_non_null(strstr(got.reason, reason));
    assert_int_equal(got.no_signal, strstr(got.reason, "no signal") != NULL);
    assay_replicates_free(replicates);
}

static void there_is_no_answer_without_signal(void **state)
{
    double x[MODELS * ITEMS * RUNS];

    (void)state;
    draw(6, 1, x, MODELS * ITEMS * RUNS); /* models that are all alike */
    assert_none(from_runs(x, MODELS, ITEMS, RUNS), "no signal");
    /* Models that differ, on every item another way. */
    for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++) x[c] = 0.1 * x[c] + x[c / RUNS * RUNS];
    assert_none(from_runs(x, MODELS, ITEMS, RUNS), "nothing in common");
}

static void copies_are_refused(void **state)
{
    double x[MODELS * ITEMS * RUNS];

    (void)state;
    draw_rasch(1, x);
    for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++) x[c] = x[c / RUNS * RUNS];
    assert_none(from_runs(x, MODELS, ITEMS, RUNS), "copies");
    x[1] = 1.0 - x[0];
    {
        assay_replicates *replicates = from_runs(x, MODELS, ITEMS, RUNS);

        assert_int_equal(assay_replicates_get(replicates, ASSAY_REPLICATES_MODELS_ALIKE),
                         (size_t)MODELS - 1);
        assert_true(!isnan(fit(replicates, 0.95).value));
        assay_replicates_free(replicates);
    }
}

static void few_have_no_answer_or_no_interval(void **state)
{
    double x[4 * 4 * 2];
    assay_replicates *replicates;
    assay_replicate_dimension got;

    (void)state;
    draw(3, 1, x, 32); /* and a common factor */
    for (size_t c = 0; c < 32; c++) x[c] += 5.0 * (double)(c / 8);
    assert_none(from_runs(x, 3, 4, 2), "needs 4 models");
    assert_none(from_runs(x, 16, 1, 2), "needs 4 models");
    assert_none(from_runs(x, 8, 4, 1), "needs 4 models");
    replicates = from_runs(x, 4, 4, 2);
    got = fit(replicates, 0.95);
    assert_true(!isnan(got.value));
    assert_true(isnan(got.low) && isnan(got.high));
    assert_non_null(strstr(got.reason, "5 models"));
    assay_replicates_free(replicates);
}

static void options_are_checked(void **state)
{
    double x[MODELS * ITEMS * RUNS];
    assay_replicate_dimension got;
    assay_replicates *replicates;

    (void)state;
    draw_rasch(1, x);
    replicates = from_runs(x, MODELS, ITEMS, RUNS);
    assert_int_equal(assay_replicate_dimension_fit(replicates, 1.0, 1, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_replicate_dimension_fit(replicates, 0.0, 1, &got), ASSAY_E_VALUE);
    assert_int_equal(assay_replicate_dimension_fit(replicates, 0.9, -1, &got), ASSAY_E_VALUE);
    assay_replicates_free(replicates);
}

/* Each kind from an array to the answer. */
static assay_status fit_all_kinds(void *context)
{
    const double *x = context;
    size_t labels[8] = { 0, 0, 1, 1, 2, 2, 3, 4 };
    assay_replicates *replicates[3] = { NULL };
    assay_replicate_dimension got;
    assay_status status = assay_replicates_from_runs(x, 6, 4, 2, &replicates[0]);

    if (status == ASSAY_OK) status = assay_replicates_from_templates(x, 2, 6, 4, &replicates[1]);
    if (status == ASSAY_OK)
        status = assay_replicates_from_clusters(x, 6, 8, labels, &replicates[2]);
    for (size_t k = 0; k < 3 && status == ASSAY_OK; k++)
        status = assay_replicate_dimension_fit(replicates[k], 0.95, 1, &got);
    for (size_t k = 0; k < 3; k++) assay_replicates_free(replicates[k]);
    return status;
}

static void memory_may_fail(void **state)
{
    double x[6 * 4 * 2];

    (void)state;
    draw(1, 1, x, sizeof x / sizeof *x);
    assert_true(fail_every_allocation(fit_all_kinds, x) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_and_units_change_nothing),
        cmocka_unit_test(runs_are_counts),
        cmocka_unit_test(effects_of_templates_fall_out),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(one_dimension_is_found),
        cmocka_unit_test(there_is_no_answer_without_signal),
        cmocka_unit_test(copies_are_refused),
        cmocka_unit_test(few_have_no_answer_or_no_interval),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
