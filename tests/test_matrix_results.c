/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "failing_memory.h"
#include "matrix_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(assay_results *results, const char *model, const char *item, const char *run,
                double score)
{
    const assay_observation said = { model,
                                     item,
                                     NULL,
                                     run,
                                     isnan(score) ? 0.0 : score,
                                     isnan(score) ? ASSAY_MISSING : ASSAY_SCORED };

    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
}

static assay_matrix *matrix_of(const assay_results *results)
{
    assay_matrix *matrix = NULL;

    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    return matrix;
}

static assay_results *new_results(void)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    return results;
}

/* ---- from a results table ---- */

static void a_cell_is_the_mean_over_templates_and_runs(void **state)
{
    assay_results *results = new_results();
    const assay_observation templated = { "a", "i", "t", "1", 0.0, ASSAY_SCORED };
    assay_matrix *matrix;

    (void)state;
    add(results, "a", "i", "1", 1.0);
    add(results, "a", "i", "2", 1.0);
    add(results, "a", "i", "3", NAN); /* a run without a score is not a zero */
    assert_int_equal(assay_results_add(results, &templated), ASSAY_OK);
    add(results, "a", "j", "1", 0.25);
    add(results, "b", "j", "2", 4.0);
    matrix = matrix_of(results);
    assert_int_equal(assay_matrix_n_models(matrix), 2);
    assert_int_equal(assay_matrix_n_items(matrix), 2);
    assert_int_equal(assay_matrix_is_binary(matrix), 0);
    assert_true(assay_matrix_score(matrix, 0, 0) == 2.0 / 3.0);
    assert_true(assay_matrix_score(matrix, 0, 1) == 0.25);
    assert_true(isnan(assay_matrix_score(matrix, 1, 0)));
    assert_true(assay_matrix_score(matrix, 1, 1) == 4.0);
    assert_int_equal(assay_matrix_n_observed(matrix), 3);
    assert_layout(matrix);
    assay_results_free(results);
    assert_string_equal(assay_matrix_model(matrix, 1), "b"); /* copies: the table is gone */
    assert_string_equal(assay_matrix_item(matrix, 1), "j");
    assay_matrix_free(matrix);
    assay_matrix_free(NULL);
}

static void models_and_items_without_a_score_are_left_out_and_counted(void **state)
{
    assay_results *results = new_results();
    assay_matrix *matrix;

    (void)state;
    add(results, "none", "i", NULL, NAN);
    add(results, "a", "empty", NULL, NAN);
    add(results, "a", "i", NULL, 1.0);
    add(results, "nothing", "empty", NULL, NAN);
    add(results, "b", "j", NULL, 0.0);
    matrix = matrix_of(results);
    assert_int_equal(assay_matrix_n_models(matrix), 2);
    assert_int_equal(assay_matrix_n_items(matrix), 2);
    assert_int_equal(assay_matrix_n_models_left_out(matrix), 2);
    assert_int_equal(assay_matrix_n_items_left_out(matrix), 1);
    assert_string_equal(assay_matrix_model(matrix, 0), "a");
    assert_string_equal(assay_matrix_model(matrix, 1), "b");
    assert_string_equal(assay_matrix_item(matrix, 0), "i");
    assert_string_equal(assay_matrix_item(matrix, 1), "j");
    assert_int_equal(assay_matrix_is_binary(matrix), 1);
    assert_true(assay_matrix_score(matrix, 0, 0) == 1.0);
    assert_true(isnan(assay_matrix_score(matrix, 0, 1)));
    assert_true(assay_matrix_score(matrix, 1, 1) == 0.0);
    assert_layout(matrix);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

static void runs_that_agree_on_bits_stay_bits_and_others_do_not(void **state)
{
    assay_results *results = new_results();
    assay_matrix *matrix;

    (void)state;
    for (int k = 0; k < 3; k++) {
        char run[] = { (char)('1' + k), 0 };

        add(results, "a", "i", run, 1.0);
        add(results, "a", "j", run, 0.0);
    }
    matrix = matrix_of(results);
    assert_int_equal(assay_matrix_is_binary(matrix), 1);
    assay_matrix_free(matrix);
    add(results, "a", "j", "4", 1.0);
    matrix = matrix_of(results);
    assert_int_equal(assay_matrix_is_binary(matrix), 0);
    assert_true(assay_matrix_score(matrix, 0, 1) == 0.25);
    assay_matrix_free(matrix);
    assay_results_free(results);
}

static void a_table_without_scores_is_an_error(void **state)
{
    assay_results *results = new_results();
    assay_matrix *matrix = (assay_matrix *)1;

    (void)state;
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_E_SHAPE);
    assert_null(matrix);
    add(results, "a", "i", NULL, NAN);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "no cell has a score");
    assay_results_free(results);
}

/* The mean of each cell from its observations, without records or planes. */
struct slow {
    double sum[40][150], n[40][150];
};

static int has_score(const struct slow *slow, size_t model, size_t item)
{
    return slow->n[model][item] > 0.0;
}

/* Compare with the slow table, leaving out as the matrix does. */
static void assert_agrees(const assay_matrix *matrix, const struct slow *slow, size_t n, size_t t)
{
    size_t row = 0, column = 0;

    for (size_t m = 0; m < n; m++) {
        char name[24];
        int any = 0;

        for (size_t i = 0; i < t; i++) any |= has_score(slow, m, i);
        if (!any) continue;
        snprintf(name, sizeof name, "m%zu", m);
        assert_string_equal(assay_matrix_model(matrix, row), name);
        column = 0;
        for (size_t i = 0; i < t; i++) {
            double score;

            any = 0;
            for (size_t k = 0; k < n; k++) any |= has_score(slow, k, i);
            if (!any) continue;
            score = assay_matrix_score(matrix, row, column++);
            if (!has_score(slow, m, i))
                assert_true(isnan(score));
            else /* scores are multiples of 1/4: their sum is exact, the division rounds once */
                assert_true(score == slow->sum[m][i] / slow->n[m][i]);
        }
        row++;
    }
    assert_int_equal(assay_matrix_n_models(matrix), row);
    assert_int_equal(assay_matrix_n_items(matrix), column);
    assert_int_equal(assay_matrix_n_models_left_out(matrix), n - row);
    assert_int_equal(assay_matrix_n_items_left_out(matrix), t - column);
}

static void random_tables_agree_with_the_slow_mean(void **state)
{
    static struct slow slow;
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (int trial = 0; trial < 120; trial++) {
        size_t n = 1 + (size_t)assay_random_below(&random, 40);
        size_t t = 1 + (size_t)assay_random_below(&random, 150), n_runs = trial % 3 ? 1 : 3;
        uint64_t n_scores = trial % 2 ? 2 : 9, thin = trial % 4 ? 10 : 1;
        assay_results *results = new_results();
        assay_matrix *matrix;
        char model[24], item[24], run[24];

        memset(&slow, 0, sizeof slow);
        for (size_t i = 0; i < t; i++) { /* names first, so that they are in order */
            snprintf(item, sizeof item, "i%zu", i);
            for (size_t m = 0; m < n && (i == 0 || m == 0); m++) {
                snprintf(model, sizeof model, "m%zu", m);
                add(results, model, item, "no score", NAN);
            }
        }
        for (size_t k = 0; k < n * t * n_runs; k++) {
            size_t m = k / n_runs / t, i = k / n_runs % t;
            double score = (double)assay_random_below(&random, n_scores);

            if (n_scores == 9) score /= 4.0;
            if (k > 0 && assay_random_below(&random, 11) >= thin) continue;
            snprintf(model, sizeof model, "m%zu", m);
            snprintf(item, sizeof item, "i%zu", i);
            snprintf(run, sizeof run, "%zu", k % n_runs);
            add(results, model, item, run, score);
            slow.sum[m][i] += score;
            slow.n[m][i] += 1.0;
        }
        matrix = matrix_of(results);
        assert_agrees(matrix, &slow, n, t);
        assert_layout(matrix);
        assay_matrix_free(matrix);
        assay_results_free(results);
    }
}

/* One record a model and every item kept: the planes of the records can be taken whole. */
static void one_row_a_model_gives_its_bits_at_every_width(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t t = 1; t < 1200; t += 1 + t / 7) {
        assay_results *results = new_results();
        double *scores = malloc(3 * t * sizeof *scores);
        assay_matrix *matrix;

        for (size_t k = 0; k < 3 * t; k++) {
            char model[] = { (char)('a' + k / t), 0 }, item[24];

            scores[k] = (double)assay_random_below(&random, 2);
            if (k > t && k % t && assay_random_below(&random, 4) == 0) scores[k] = NAN;
            snprintf(item, sizeof item, "i%zu", k % t);
            add(results, model, item, NULL, scores[k]);
        }
        matrix = matrix_of(results);
        assert_int_equal(assay_matrix_n_models(matrix), 3);
        assert_int_equal(assay_matrix_n_items(matrix), t);
        assert_int_equal(assay_matrix_is_binary(matrix), 1);
        for (size_t k = 0; k < 3 * t; k++) {
            double got = assay_matrix_score(matrix, k / t, k % t);
            assert_true(got == scores[k] || (isnan(got) && isnan(scores[k])));
        }
        assert_layout(matrix);
        assay_matrix_free(matrix);
        assay_results_free(results);
        free(scores);
    }
}

/* ---- every allocation failing ---- */

static assay_status from_results(void *context)
{
    assay_matrix *matrix = NULL;
    assay_status status = assay_matrix_from_results(context, &matrix);

    assert_int_equal(status == ASSAY_OK, matrix != NULL);
    assay_matrix_free(matrix);
    return status;
}

static void memory_that_runs_out_gives_no_matrix(void **state)
{
    assay_results *results = new_results();

    (void)state;
    add(results, "a", "i", "1", 1.0);
    add(results, "a", "j", "2", 0.0);
    assert_true(fail_every_allocation(from_results, results) > 5);
    add(results, "b", "i", NULL, 0.5);
    assert_true(fail_every_allocation(from_results, results) > 5);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_is_the_mean_over_templates_and_runs),
        cmocka_unit_test(models_and_items_without_a_score_are_left_out_and_counted),
        cmocka_unit_test(runs_that_agree_on_bits_stay_bits_and_others_do_not),
        cmocka_unit_test(a_table_without_scores_is_an_error),
        cmocka_unit_test(random_tables_agree_with_the_slow_mean),
        cmocka_unit_test(one_row_a_model_gives_its_bits_at_every_width),
        cmocka_unit_test(memory_that_runs_out_gives_no_matrix),
    };

    return cmocka_run_group_tests_name("matrix results", tests, NULL, NULL);
}
