/* SPDX-License-Identifier: Apache-2.0 */
/* The results table against a slow one: an array of cells, one observation at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "data/results.h"
#include "failing_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the slow table ---- */

enum { MAX_RECORDS = 12, MAX_ITEMS = 300 };

struct slow {
    struct {
        assay_score_state state;
        double score;
    } cells[MAX_RECORDS][MAX_ITEMS];
    assay_coverage coverage;
    int force;
};

static struct slow *new_slow(int force)
{
    struct slow *slow = malloc(sizeof *slow);

    memset(&slow->coverage, 0, sizeof slow->coverage);
    slow->force = force;
    for (size_t r = 0; r < MAX_RECORDS; r++)
        for (size_t i = 0; i < MAX_ITEMS; i++) slow->cells[r][i].state = ASSAY_ABSENT;
    return slow;
}

static assay_status slow_put(struct slow *slow, size_t record, size_t item, double score,
                             assay_score_state state)
{
    assay_score_state *now = &slow->cells[record][item].state;
    double *held = &slow->cells[record][item].score;

    if (state == ASSAY_SCORED && !isfinite(score)) return ASSAY_E_VALUE;
    if (state == ASSAY_SCORED && *now == ASSAY_SCORED && *held != score && !slow->force)
        return ASSAY_E_CONFLICT;
    slow->coverage.rows++;
    if (state != ASSAY_SCORED && *now == state) {
        slow->coverage.duplicate++;
    } else if (state != ASSAY_SCORED) {
        if (state == ASSAY_MISSING) slow->coverage.missing++;
        if (state == ASSAY_ERRORED) slow->coverage.errored++;
        if (state == ASSAY_UNSCORED) slow->coverage.unscored++;
        if (*now != ASSAY_SCORED) *now = state;
    } else if (*now != ASSAY_SCORED) {
        slow->coverage.used++;
        *now = ASSAY_SCORED;
        *held = score;
    } else if (*held == score) {
        slow->coverage.duplicate++;
    } else {
        slow->coverage.refused++;
    }
    return ASSAY_OK;
}

static void assert_same(const assay_results *results, const struct slow *slow, size_t n_records)
{
    assay_coverage c = assay_results_coverage(results);

    assert_memory_equal(&c, &slow->coverage, sizeof c);
    assert_true(c.rows == c.used + c.missing + c.errored + c.unscored + c.duplicate + c.refused);
    for (size_t r = 0; r < n_records; r++) {
        for (size_t i = 0; i < MAX_ITEMS; i++) {
            double score = -1.0;
            assay_score_state state = assay_results_cell(results, r, i, &score);

            assert_int_equal(state, slow->cells[r][i].state);
            if (state == ASSAY_SCORED)
                assert_true(score == slow->cells[r][i].score);
            else
                assert_true(isnan(score));
        }
    }
}

/* Item names 0 .. n - 1, and n_records records of one model each. */
static assay_results *new_table(int force, size_t n_items, size_t n_records)
{
    assay_results *results = NULL;
    size_t index, template_index, run, record;
    char text[16];

    assert_int_equal(assay_results_new(force, &results), ASSAY_OK);
    assert_int_equal(assay_results_name_template(results, "", 0, &template_index), ASSAY_OK);
    assert_int_equal(assay_results_name_run(results, "", 0, &run), ASSAY_OK);
    for (size_t i = 0; i < n_items; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "i%zu", i);
        assert_int_equal(assay_results_name_item(results, text, length, &index), ASSAY_OK);
    }
    for (size_t r = 0; r < n_records; r++) {
        size_t length = (size_t)snprintf(text, sizeof text, "m%zu", r);

        assert_int_equal(assay_results_name_model(results, text, length, &index), ASSAY_OK);
        assert_int_equal(assay_results_find_record(results, index, template_index, run, &record),
                         ASSAY_OK);
        assert_int_equal(record, r);
    }
    return results;
}

/* ---- one observation at a time ---- */

static double any_score(assay_random *random, int binary)
{
    static const double others[] = { 0.5, -3.0, 1e300, 0.1 };

    if (binary || assay_random_below(random, 2)) return (double)assay_random_below(random, 2);
    if (assay_random_below(random, 50) == 0) return NAN;
    return others[assay_random_below(random, 4)];
}

static void random_observations_agree_with_the_slow_table(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (int trial = 0; trial < 200; trial++) {
        int force = trial % 2, binary = trial % 3 == 0;
        size_t n_items = 1 + (size_t)assay_random_below(&random, MAX_ITEMS);
        assay_results *results = new_table(force, n_items, MAX_RECORDS);
        struct slow *slow = new_slow(force);

        for (int k = 0; k < 600; k++) {
            size_t record = (size_t)assay_random_below(&random, MAX_RECORDS);
            size_t item = (size_t)assay_random_below(&random, n_items);
            uint64_t kind = assay_random_below(&random, trial % 5 ? 8 : 2);
            assay_score_state said = kind < 4 ? (assay_score_state)kind : ASSAY_SCORED;
            double score = any_score(&random, binary);

            assert_int_equal(assay_results_put(results, record, item, score, said),
                             slow_put(slow, record, item, score, said));
        }
        assert_same(results, slow, MAX_RECORDS);
        free(slow);
        assay_results_free(results);
    }
}

/* ---- a row at a time ---- */

static void random_codes(assay_random *random, unsigned char *codes, double *scores, size_t n)
{
    /* mostly rows of bits, so that whole words of 64 go the fast way; then others join in */
    uint64_t n_kinds = assay_random_below(random, 3), others = assay_random_below(random, 4);

    for (size_t i = 0; i < n; i++) {
        static const unsigned char plain[] = { ASSAY_CODE_ZERO, ASSAY_CODE_ONE, ASSAY_CODE_MISSING,
                                               ASSAY_CODE_ABSENT };

        codes[i] = plain[assay_random_below(random, 2 + n_kinds)];
        scores[i] = 77.0; /* only those with the code OTHER may be looked at */
        if (others == 0 && assay_random_below(random, 30) == 0) {
            codes[i] = ASSAY_CODE_OTHER;
            scores[i] = (double)assay_random_below(random, 5) / 4.0;
        }
    }
}

/* The slow table's answer, and the first item that fails. */
static assay_status slow_put_row(struct slow *slow, size_t record, const unsigned char *codes,
                                 const double *scores, size_t n_items, size_t *item)
{
    for (size_t i = 0; i < n_items; i++) {
        double score = codes[i] == ASSAY_CODE_OTHER ? scores[i] : codes[i];
        assay_score_state said = codes[i] == ASSAY_CODE_MISSING ? ASSAY_MISSING : ASSAY_SCORED;
        assay_status status;

        if (codes[i] == ASSAY_CODE_ABSENT) continue;
        status = slow_put(slow, record, i, score, said);
        if (status != ASSAY_OK) {
            *item = i;
            return status;
        }
    }
    return ASSAY_OK;
}

static void rows_of_codes_equal_cell_by_cell_at_every_length(void **state)
{
    unsigned char codes[MAX_ITEMS];
    double scores[MAX_ITEMS];
    assay_random random;

    (void)state;
    assay_random_start(&random, 2, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t n = 1; n <= 200; n++) {
        int force = (int)(n % 2);
        assay_results *results = new_table(force, MAX_ITEMS, MAX_RECORDS);
        struct slow *slow = new_slow(force);

        for (size_t k = 0; k < 3 * MAX_RECORDS; k++) {
            size_t record = k % MAX_RECORDS, length = k < MAX_RECORDS ? n : 1 + (n + 37 * k) % 200;
            size_t item = SIZE_MAX, want_item = SIZE_MAX;
            assay_status status, want;

            random_codes(&random, codes, scores, length);
            status = assay_results_put_row(results, record, codes, scores, length, &item);
            want = slow_put_row(slow, record, codes, scores, length, &want_item);
            assert_int_equal(status, want);
            if (want != ASSAY_OK) assert_int_equal(item, want_item);
            if (k % 5 == 0) { /* a state that rows cannot say, so that a record holds reasons */
                assay_results_put(results, record, n - 1, 0.0, ASSAY_ERRORED);
                slow_put(slow, record, n - 1, 0.0, ASSAY_ERRORED);
            }
        }
        assert_same(results, slow, MAX_RECORDS);
        free(slow);
        assay_results_free(results);
    }
}

static void a_row_of_bits_needs_no_scores_and_a_score_that_is_not_finite_is_named(void **state)
{
    unsigned char codes[130];
    double scores[130] = { 0.0 };
    assay_results *results = new_table(0, 130, 2);
    size_t item = SIZE_MAX;

    (void)state;
    memset(codes, ASSAY_CODE_ONE, sizeof codes);
    assert_int_equal(assay_results_put_row(results, 0, codes, NULL, 130, &item), ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).used, 130);
    assert_int_equal(assay_results_put_row(results, 0, codes, NULL, 0, &item), ASSAY_OK);
    codes[100] = ASSAY_CODE_OTHER;
    scores[100] = INFINITY;
    assert_int_equal(assay_results_put_row(results, 1, codes, scores, 130, &item), ASSAY_E_VALUE);
    assert_int_equal(item, 100);
    assert_string_equal(assay_last_error(),
                        "item \"i100\" has score inf, expected a finite number");
    codes[100] = ASSAY_CODE_ZERO;
    assert_int_equal(assay_results_put_row(results, 0, codes, NULL, 130, &item), ASSAY_E_CONFLICT);
    assert_int_equal(item, 100);
    assert_string_equal(assay_last_error(),
                        "model \"m0\", item \"i100\" has score 0, and 1 before");
    assay_results_free(results);
}

/* ---- every allocation failing ---- */

/* After a failed addition the table is as it was; with memory again the same addition succeeds. */
static assay_status add_many(assay_results *results)
{
    for (size_t k = 0; k < 90; k++) {
        char model[24], item[24], run[24];
        assay_observation said = {
            model, item, "t", run, k % 7 ? 1.0 : 0.5, k % 11 == 10 ? ASSAY_ERRORED : ASSAY_SCORED
        };
        size_t before[] = { assay_results_n_models(results), assay_results_n_items(results),
                            assay_results_n_templates(results), assay_results_n_runs(results),
                            assay_results_n_records(results) };
        size_t after[5];

        snprintf(model, sizeof model, "m%zu", k);
        snprintf(item, sizeof item, "i%zu", k * k % 83 * 3);
        snprintf(run, sizeof run, "%zu", k % 5);
        if (assay_results_add(results, &said) == ASSAY_OK) continue;
        after[0] = assay_results_n_models(results);
        after[1] = assay_results_n_items(results);
        after[2] = assay_results_n_templates(results);
        after[3] = assay_results_n_runs(results);
        after[4] = assay_results_n_records(results);
        assert_memory_equal(after, before, sizeof before);
        assert_int_equal(assay_results_coverage(results).rows, k);
        assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
        assert_string_equal(assay_results_model(results, k), model);
        assert_int_equal(assay_results_n_records(results), k + 1);
        return ASSAY_E_NOMEM;
    }
    return ASSAY_OK;
}

static assay_status carry(assay_results *results)
{
    static const char sha256[65] =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde";
    size_t covariate;
    assay_status status = assay_results_set_item_text(results, 40, "text", 4);

    if (status == ASSAY_OK) status = assay_results_set_item_cluster(results, 3, "c", 1);
    if (status == ASSAY_OK) status = assay_results_name_covariate(results, "v", 1, &covariate);
    if (status == ASSAY_OK) status = assay_results_set_covariate(results, covariate, 2, "x", 1);
    if (status == ASSAY_OK)
        status = assay_results_add_input(results, "path", sha256, 3, (assay_input_file){ 0 });
    if (status == ASSAY_OK) status = assay_results_add_note(results, "a %s", "note");
    return status;
}

static assay_status fill_a_table(void *context)
{
    unsigned char codes[200] = { [0] = ASSAY_CODE_MISSING, [100] = ASSAY_CODE_OTHER };
    double scores[200] = { [100] = 0.25 };
    assay_results *results = NULL;
    size_t record, item;
    assay_status status = assay_results_new(0, &results);

    (void)context;
    if (status != ASSAY_OK) {
        assert_null(results);
        return status;
    }
    status = add_many(results);
    if (status == ASSAY_OK) status = assay_results_next_run(results, 0, 0, 0, &record);
    if (status == ASSAY_OK) status = assay_results_next_row_run(results, 1, 0, codes, 200, &record);
    if (status == ASSAY_OK) status = assay_results_find_record(results, 0, 0, 3, &record);
    if (status == ASSAY_OK)
        status = assay_results_put_row(results, record, codes, scores, 200, &item);
    if (status == ASSAY_OK) status = carry(results);
    assay_results_free(results);
    return status;
}

static void memory_that_runs_out_is_reported_and_nothing_is_half_done(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(fill_a_table, NULL) > 300);
    assert_true(strncmp(assay_last_error(), "no memory for ", 14) == 0);
}

/* ---- free runs ---- */

/* The lowest k whose run holds no cell of the row: looked for from 1 on, every time. */
static size_t lowest_free_run(const assay_results *results, const unsigned char *codes, size_t n)
{
    for (size_t k = 1;; k++) {
        int is_free = 1;

        for (size_t r = 0; r < assay_results_n_records(results); r++) {
            size_t run = assay_results_record(results, r).run;
            double score;

            if (strtoul(assay_results_run(results, run), NULL, 10) != k) continue;
            for (size_t i = 0; i < n; i++)
                if (codes[i] != ASSAY_CODE_ABSENT &&
                    assay_results_cell(results, r, i, &score) != ASSAY_ABSENT)
                    is_free = 0;
        }
        if (is_free) return k;
    }
}

static void free_runs_are_the_lowest_whatever_came_before(void **state)
{
    enum { N = 4 };
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (int trial = 0; trial < 60; trial++) {
        assay_results *results = new_table(0, N, 1);

        for (int step = 0; step < 60; step++) {
            unsigned char codes[N];
            size_t first = (size_t)assay_random_below(&random, N), record, item, want, got;
            uint64_t kind = assay_random_below(&random, 3);

            memset(codes, ASSAY_CODE_ABSENT, N);
            codes[first] = ASSAY_CODE_ONE;
            for (size_t i = 0; kind == 1 && i < N; i++)
                if (assay_random_below(&random, 2)) codes[i] = ASSAY_CODE_ZERO;
            want = lowest_free_run(results, codes, N);
            if (kind == 2) { /* a run that the input named, maybe far from the others */
                char name[24];
                size_t run, length = (size_t)snprintf(name, sizeof name, "%d",
                                                      1 + (int)assay_random_below(&random, 40));

                assert_int_equal(assay_results_name_run(results, name, length, &run), ASSAY_OK);
                assert_int_equal(assay_results_find_record(results, 0, 0, run, &record), ASSAY_OK);
                assert_int_equal(assay_results_put(results, record, first, 0.0, ASSAY_MISSING),
                                 ASSAY_OK);
                continue;
            }
            if (kind == 0)
                assert_int_equal(assay_results_next_run(results, 0, 0, first, &record), ASSAY_OK);
            else
                assert_int_equal(assay_results_next_row_run(results, 0, 0, codes, N, &record),
                                 ASSAY_OK);
            got = assay_results_record(results, record).run;
            assert_int_equal(strtoul(assay_results_run(results, got), NULL, 10), want);
            assert_int_equal(assay_results_put_row(results, record, codes, NULL, N, &item),
                             ASSAY_OK);
        }
        assay_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_observations_agree_with_the_slow_table),
        cmocka_unit_test(rows_of_codes_equal_cell_by_cell_at_every_length),
        cmocka_unit_test(a_row_of_bits_needs_no_scores_and_a_score_that_is_not_finite_is_named),
        cmocka_unit_test(memory_that_runs_out_is_reported_and_nothing_is_half_done),
        cmocka_unit_test(free_runs_are_the_lowest_whatever_came_before),
    };

    return cmocka_run_group_tests_name("results model", tests, NULL, NULL);
}
