/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "data/results.h"
#include "failing_memory.h"

#include "reading.h"

#include <math.h>

#define EXPECTED                                                                             \
    " trials, expected two whole numbers, the first no larger than the second, and that at " \
    "most 100000"

static uint64_t sum_of(assay_coverage c)
{
    return c.used + c.missing + c.errored + c.unscored + c.duplicate + c.refused;
}

/* Successes and runs of a model on an item, over all records. */
static void count_cells(const assay_results *results, const char *model, const char *item,
                        double *successes, size_t *runs)
{
    size_t m = find(assay_results_n_models(results), assay_results_model, results, model);
    size_t i = find(assay_results_n_items(results), assay_results_item, results, item);

    *successes = 0.0;
    *runs = 0;
    for (size_t r = 0; r < assay_results_n_records(results); r++) {
        double score;

        if (assay_results_record(results, r).model != m ||
            assay_results_cell(results, r, i, &score) != ASSAY_SCORED)
            continue;
        *successes += score;
        ++*runs;
    }
}

static void assert_counts(const assay_results *results, const char *model, const char *item,
                          double successes, size_t runs)
{
    double x;
    size_t m;

    count_cells(results, model, item, &x, &m);
    assert_true(x == successes);
    assert_int_equal(m, runs);
}

static void counts_become_runs_the_successes_first(void **state)
{
    static const char *const inputs[] = {
        "model,item,successes,trials\nm,a,2,3\nm,b,0,1\nm,c,0,0\n",
        "Model;Item;N Correct;n-runs\nm;a;2;3\nm;b;0;1\nm;c;0;0\n",
        "{\"model\":\"m\",\"item\":\"a\",\"successes\":2,\"trials\":3}\n"
        "{\"model\":\"m\",\"item\":\"b\",\"successes\":0,\"trials\":1}\n"
        "{\"model\":\"m\",\"item\":\"c\",\"successes\":0,\"trials\":0}\n",
    };

    (void)state;
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        assay_results *results = read_text(inputs[k], NULL);
        assay_coverage coverage = assay_results_coverage(results);
        double score;

        assert_true(score_of(results, "m", "", "1", "a") == 1.0);
        assert_true(score_of(results, "m", "", "2", "a") == 1.0);
        assert_true(score_of(results, "m", "", "3", "a") == 0.0);
        assert_true(score_of(results, "m", "", "1", "b") == 0.0);
        assert_true(score_of(results, "m", "", "2", "b") == -1.0);
        assert_int_equal(assay_results_cell(results, 0, 2, &score), ASSAY_MISSING);
        assert_int_equal(assay_results_n_items(results), 3);
        assert_int_equal(coverage.rows, 5);
        assert_int_equal(coverage.used, 4);
        assert_int_equal(coverage.missing, 1);
        assay_results_free(results);
    }
}

static void impossible_counts_are_one_clear_line(void **state)
{
    static const struct {
        const char *successes, *trials;
    } cases[] = { { "4", "3" },      { "1.5", "3" }, { "-1", "3" },    { "1", "3.5" },
                  { "1", "-3" },     { "x", "3" },   { "1", "" },      { "", "3" },
                  { "0", "100001" }, { "1", "nan" }, { "1e9", "1e9" }, { "inf", "inf" } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[200], sentence[300];

        snprintf(text, sizeof text, "item,successes,trials\na,1,2\nb,%s,%s\n", cases[k].successes,
                 cases[k].trials);
        snprintf(sentence, sizeof sentence, "f.csv:3: \"%s\" successes in \"%s\"" EXPECTED,
                 cases[k].successes, cases[k].trials);
        assert_fails(text, NULL, ASSAY_E_FORMAT, sentence);
        snprintf(text, sizeof text, "{\"item\":\"b\",\"successes\":\"%s\",\"trials\":\"%s\"}",
                 cases[k].successes, cases[k].trials);
        snprintf(sentence, sizeof sentence, "f.csv:1: \"%s\" successes in \"%s\"" EXPECTED,
                 cases[k].successes, cases[k].trials);
        assert_fails(text, NULL, ASSAY_E_FORMAT, sentence);
    }
}

static void control_characters_are_not_in_the_sentence(void **state)
{
    (void)state;
    assert_fails("item,successes,trials\na,\x1b[31m,2\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:2: \"\\x1b[31m\" successes in \"2\"" EXPECTED);
}

static void as_many_trials_as_allowed_are_read(void **state)
{
    assay_results *results = read_text("item,successes,trials\na,1,100000\n", NULL);

    (void)state;
    assert_counts(results, "t.csv", "a", 1.0, 100000);
    assert_int_equal(assay_results_n_items(results), 1);
    assay_results_free(results);
}

static void blank_counts_are_a_missing_score(void **state)
{
    static const char *const inputs[] = {
        "item,successes,trials\na,NA,\n",
        "{\"item\":\"a\",\"successes\":null,\"trials\":null}",
    };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_text(inputs[k], NULL);
        assay_coverage coverage = assay_results_coverage(results);

        assert_int_equal(coverage.rows, 1);
        assert_int_equal(coverage.missing, 1);
        assay_results_free(results);
    }
}

/* Counts serve, unless an option names the score; the other one is then ignored, and said so. */
static void counts_serve_before_a_score_and_after_one_that_is_named(void **state)
{
    static const char *const inputs[] = {
        "item,score,successes,trials\na,0.25,1,4\n",
        "{\"item\":\"a\",\"score\":0.25,\"successes\":1,\"trials\":4}",
    };
    assay_read_options options = defaults();

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_text(inputs[k], NULL);

        assert_counts(results, "t.csv", "a", 1.0, 4);
        assert_true(has_note(results, "successes = \"successes\", trials = \"trials\""));
        assert_false(has_note(results, "score = "));
        assay_results_free(results);
        options.score = "score";
        results = read_text(inputs[k], &options);
        assert_counts(results, "t.csv", "a", 0.25, 1);
        assert_true(has_note(results, "score = \"score\""));
        assert_false(has_note(results, "trials = "));
        assay_results_free(results);
    }
}

/* Either one alone says nothing of a rate. */
static void half_of_the_counts_is_no_score(void **state)
{
    assay_results *results = read_text("item,score,trials\na,1,4\n", NULL);

    (void)state;
    assert_counts(results, "t.csv", "a", 1.0, 1);
    assay_results_free(results);
    assert_fails(
        "{\"item\":\"a\",\"trials\":4}", NULL, ASSAY_E_FORMAT,
        "f.csv:1: no key is known to hold the score: choose with --score; there are: item, "
        "trials");
}

/* The first row decides: keys that come later do not turn scores into counts. */
static void later_rows_do_not_turn_scores_into_counts(void **state)
{
    assay_results *results = read_text("{\"item\":\"a\",\"score\":1}\n"
                                       "{\"item\":\"b\",\"score\":1,\"successes\":3,\"trials\":4}\n"
                                       "{\"item\":\"c\",\"score\":1}\n",
                                       NULL);

    (void)state;
    assert_int_equal(assay_results_coverage(results).used, 3);
    assert_counts(results, "t.csv", "b", 1.0, 1);
    assay_results_free(results);
}

static void a_list_of_attempts_is_no_count(void **state)
{
    assay_results *results =
        read_text("{\"item\":\"a\",\"score\":1,\"attempts\":[{\"x\":1}],\"successes\":{}}", NULL);

    (void)state;
    assert_counts(results, "t.csv", "a", 1.0, 1);
    assay_results_free(results);
}

static void the_same_counts_again_are_duplicates(void **state)
{
    assay_results *results = read_text("item,successes,trials\na,1,3\na,1,3\na,,\n", NULL);
    assay_coverage coverage = assay_results_coverage(results);

    (void)state;
    assert_counts(results, "t.csv", "a", 1.0, 3);
    assert_int_equal(coverage.rows, 7);
    assert_int_equal(coverage.used, 3);
    assert_int_equal(coverage.duplicate, 3);
    assert_int_equal(coverage.missing, 1);
    assert_int_equal(assay_results_n_records(results), 3);
    assay_results_free(results);
}

/* Also when one row's runs begin like the other's, which no single run contradicts. */
static void other_counts_of_a_cell_are_a_conflict(void **state)
{
    static const char *const second[] = { "2,3", "1,2", "1,4", "1,1" };

    (void)state;
    for (size_t k = 0; k < sizeof second / sizeof second[0]; k++) {
        char text[100], sentence[300];
        const char *path;
        assay_results *results;
        assay_coverage coverage;

        snprintf(text, sizeof text, "model,item,successes,trials\nm,a,1,3\nm,a,%s\n", second[k]);
        snprintf(sentence, sizeof sentence,
                 "f.csv:3: model \"m\", item \"a\" has %c successes in %c runs, and 1 in 3 before; "
                 "with --repeats such rows count as further runs, with --force the first stays",
                 second[k][0], second[k][2]);
        assert_fails(text, NULL, ASSAY_E_CONFLICT, sentence);
        path = write_text("t.csv", text);
        assert_int_equal(assay_results_new(1, &results), ASSAY_OK);
        assert_int_equal(assay_read(results, path, NULL), ASSAY_OK);
        coverage = assay_results_coverage(results);
        assert_counts(results, "m", "a", 1.0, 3);
        assert_int_equal(coverage.refused, second[k][2] - '0');
        assert_int_equal(coverage.rows, sum_of(coverage));
        assay_results_free(results);
        unlink(written[--n_written]);
    }
}

static void with_repeats_rows_of_counts_are_further_runs(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.repeats = 1;
    results = read_text("model,item,successes,trials\nm,a,1,3\nm,b,1,1\nm,a,2,2\n", &options);
    assert_counts(results, "m", "a", 3.0, 5);
    assert_counts(results, "m", "b", 1.0, 1);
    assert_int_equal(assay_results_coverage(results).used, 6);
    assay_results_free(results);
    results = read_text("model,item,seed,successes,trials\nm,a,1,1,3\nm,a,2,1,3\n", &options);
    assert_counts(results, "m", "a", 2.0, 6);
    assay_results_free(results);
}

static void a_run_beside_counts_is_undecidable(void **state)
{
    (void)state;
    assert_fails("model,item,seed,successes,trials\nm,a,1,1,3\n", NULL, ASSAY_E_FORMAT,
                 "f.csv:2: a run beside successes and trials: with --repeats the rows of a cell "
                 "count as further runs, without a run column a cell has one row");
}

static void templates_keep_their_own_counts(void **state)
{
    assay_results *results =
        read_text("model,item,template,successes,trials\nm,a,x,1,2\nm,a,y,2,2\n", NULL);

    (void)state;
    assert_counts(results, "m", "a", 3.0, 4);
    assert_int_equal(assay_results_n_templates(results), 2);
    assay_results_free(results);
}

/* Random tables against sums kept beside them: nothing is lost, and no run becomes an item. */
static void random_counts_are_read_back(void **state)
{
    enum { N_MODELS = 3, N_ITEMS = 20 };
    assay_random random;
    size_t x[N_MODELS][N_ITEMS], n[N_MODELS][N_ITEMS], total = 0, n_none = 0;
    char text[4000], *at = text + sprintf(text, "model,item,successes,trials\n");
    assay_results *results;
    assay_coverage coverage;

    (void)state;
    assay_random_start(&random, 7, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t m = 0; m < N_MODELS; m++)
        for (size_t i = 0; i < N_ITEMS; i++) {
            n[m][i] = assay_random_below(&random, 12);
            x[m][i] = assay_random_below(&random, n[m][i] + 1);
            total += n[m][i];
            n_none += n[m][i] == 0;
            at += sprintf(at, "m%zu,i%zu,%zu,%zu\n", m, i, x[m][i], n[m][i]);
        }
    results = read_text(text, NULL);
    for (size_t m = 0; m < N_MODELS; m++)
        for (size_t i = 0; i < N_ITEMS; i++) {
            char model[8], item[8];

            snprintf(model, sizeof model, "m%zu", m);
            snprintf(item, sizeof item, "i%zu", i);
            assert_counts(results, model, item, (double)x[m][i], n[m][i]);
        }
    coverage = assay_results_coverage(results);
    assert_int_equal(assay_results_n_items(results), N_ITEMS);
    assert_int_equal(coverage.used, total);
    assert_int_equal(coverage.missing, n_none);
    assert_int_equal(coverage.rows, sum_of(coverage));
    assay_results_free(results);
}

static assay_status read_counts(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, context, NULL);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char csv[64], jsonl[64];

    (void)state;
    strcpy(csv, write_text("c.csv", "item,successes,trials\na,1,70\nb,2,2\na,1,70\n"));
    strcpy(jsonl, write_text("j.jsonl", "{\"item\":\"a\",\"successes\":1,\"trials\":70}"));
    assert_true(fail_every_allocation(read_counts, csv) > 5);
    assert_true(fail_every_allocation(read_counts, jsonl) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(counts_become_runs_the_successes_first, empty_folder),
        cmocka_unit_test_teardown(impossible_counts_are_one_clear_line, empty_folder),
        cmocka_unit_test_teardown(control_characters_are_not_in_the_sentence, empty_folder),
        cmocka_unit_test_teardown(as_many_trials_as_allowed_are_read, empty_folder),
        cmocka_unit_test_teardown(blank_counts_are_a_missing_score, empty_folder),
        cmocka_unit_test_teardown(counts_serve_before_a_score_and_after_one_that_is_named,
                                  empty_folder),
        cmocka_unit_test_teardown(half_of_the_counts_is_no_score, empty_folder),
        cmocka_unit_test_teardown(later_rows_do_not_turn_scores_into_counts, empty_folder),
        cmocka_unit_test_teardown(a_list_of_attempts_is_no_count, empty_folder),
        cmocka_unit_test_teardown(the_same_counts_again_are_duplicates, empty_folder),
        cmocka_unit_test_teardown(other_counts_of_a_cell_are_a_conflict, empty_folder),
        cmocka_unit_test_teardown(with_repeats_rows_of_counts_are_further_runs, empty_folder),
        cmocka_unit_test_teardown(a_run_beside_counts_is_undecidable, empty_folder),
        cmocka_unit_test_teardown(templates_keep_their_own_counts, empty_folder),
        cmocka_unit_test_teardown(random_counts_are_read_back, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
