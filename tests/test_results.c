/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static assay_results *new_results(int force)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(force, &results), ASSAY_OK);
    return results;
}

static void assert_cell(const assay_results *results, size_t record, size_t item,
                        assay_score_state state, double score)
{
    double got = -1.0;

    assert_int_equal(assay_results_cell(results, record, item, &got), state);
    if (state == ASSAY_SCORED)
        assert_true(got == score);
    else
        assert_true(isnan(got));
}

static void assert_coverage(const assay_results *results, const assay_coverage *want)
{
    assay_coverage got = assay_results_coverage(results);

    assert_memory_equal(&got, want, sizeof got);
}

/* ---- adding by hand ---- */

static void an_empty_table_has_nothing(void **state)
{
    const assay_coverage nothing = { 0 };
    assay_results *results = new_results(0);

    (void)state;
    assert_int_equal(assay_results_n_models(results), 0);
    assert_int_equal(assay_results_n_items(results), 0);
    assert_int_equal(assay_results_n_templates(results), 0);
    assert_int_equal(assay_results_n_runs(results), 0);
    assert_int_equal(assay_results_n_records(results), 0);
    assert_int_equal(assay_results_n_covariates(results), 0);
    assert_int_equal(assay_results_n_inputs(results), 0);
    assert_int_equal(assay_results_n_notes(results), 0);
    assert_int_equal(assay_results_damaged(results), 0);
    assert_coverage(results, &nothing);
    assay_results_free(results);
    assay_results_free(NULL);
}

static void observations_form_records_by_model_template_and_run(void **state)
{
    static const assay_observation observations[] = {
        { "m1", "i1", NULL, NULL, 1.0, ASSAY_SCORED },
        { "m1", "i2", NULL, NULL, 0.0, ASSAY_SCORED },
        { "m2", "i1", "t", NULL, 0.25, ASSAY_SCORED },
        { "m1", "i1", "t", "2", 0.0, ASSAY_SCORED },
        { "m1", "i3", "", "", NAN, ASSAY_ERRORED },
        { "m2", "i3", "t", "", 0.5, ASSAY_UNSCORED },
    };
    static const assay_record want[] = { { 0, 0, 0 }, { 1, 1, 0 }, { 0, 1, 1 } };
    const assay_coverage coverage = { .rows = 6, .used = 4, .errored = 1, .unscored = 1 };
    assay_results *results = new_results(0);

    (void)state;
    for (size_t i = 0; i < sizeof observations / sizeof *observations; i++)
        assert_int_equal(assay_results_add(results, &observations[i]), ASSAY_OK);
    assert_int_equal(assay_results_n_records(results), 3);
    for (size_t r = 0; r < 3; r++) {
        assay_record got = assay_results_record(results, r);
        assert_memory_equal(&got, &want[r], sizeof got);
    }
    assert_string_equal(assay_results_model(results, 1), "m2");
    assert_string_equal(assay_results_item(results, 2), "i3");
    assert_string_equal(assay_results_template(results, 0), "");
    assert_string_equal(assay_results_template(results, 1), "t");
    assert_string_equal(assay_results_run(results, 0), "");
    assert_string_equal(assay_results_run(results, 1), "2");
    assert_cell(results, 0, 0, ASSAY_SCORED, 1.0);
    assert_cell(results, 0, 2, ASSAY_ERRORED, 0.0);
    assert_cell(results, 1, 0, ASSAY_SCORED, 0.25);
    assert_cell(results, 1, 1, ASSAY_ABSENT, 0.0);
    assert_cell(results, 1, 2, ASSAY_UNSCORED, 0.0); /* the score beside the state is void */
    assert_cell(results, 2, 0, ASSAY_SCORED, 0.0);
    assert_cell(results, 2, 100000, ASSAY_ABSENT, 0.0);
    assert_coverage(results, &coverage);
    assay_results_free(results);
}

static void names_are_copies(void **state)
{
    char model[] = "m", item[] = "i";
    const assay_observation observation = { model, item, NULL, NULL, 1.0, ASSAY_SCORED };
    assay_results *results = new_results(0);

    (void)state;
    assert_int_equal(assay_results_add(results, &observation), ASSAY_OK);
    *model = *item = 'x';
    assert_string_equal(assay_results_model(results, 0), "m");
    assert_string_equal(assay_results_item(results, 0), "i");
    assay_results_free(results);
}

/* Everything that a refused addition must leave as it was. */
static void assert_refused(assay_results *results, const assay_observation *observation,
                           assay_status status, const char *sentence)
{
    size_t before[] = { assay_results_n_models(results), assay_results_n_items(results),
                        assay_results_n_templates(results), assay_results_n_runs(results),
                        assay_results_n_records(results) };
    assay_coverage coverage = assay_results_coverage(results);
    size_t after[5];

    assert_int_equal(assay_results_add(results, observation), status);
    if (sentence) assert_string_equal(assay_last_error(), sentence);
    after[0] = assay_results_n_models(results);
    after[1] = assay_results_n_items(results);
    after[2] = assay_results_n_templates(results);
    after[3] = assay_results_n_runs(results);
    after[4] = assay_results_n_records(results);
    assert_memory_equal(after, before, sizeof before);
    assert_coverage(results, &coverage);
}

static void a_refused_observation_leaves_the_table_as_it_was(void **state)
{
    static const char *const nameless = "an observation needs a model and an item";
    const assay_observation good = { "m", "i", NULL, NULL, 1.0, ASSAY_SCORED };
    assay_results *results = new_results(0);

    (void)state;
    for (int filled = 0; filled < 2; filled++) {
        assay_observation bad = { NULL, "new", "new", "new", 1.0, ASSAY_SCORED };

        assert_refused(results, &bad, ASSAY_E_VALUE, nameless);
        bad.model = "";
        assert_refused(results, &bad, ASSAY_E_VALUE, nameless);
        bad.model = "new";
        bad.item = "";
        assert_refused(results, &bad, ASSAY_E_VALUE, nameless);
        bad.item = NULL;
        assert_refused(results, &bad, ASSAY_E_VALUE, nameless);
        bad.item = "new";
        bad.score = NAN;
        assert_refused(results, &bad, ASSAY_E_VALUE,
                       "item \"new\" has score nan, expected a finite number");
        bad.score = -INFINITY;
        assert_refused(results, &bad, ASSAY_E_VALUE,
                       "item \"new\" has score -inf, expected a finite number");
        bad.state = ASSAY_ABSENT;
        assert_refused(results, &bad, ASSAY_E_VALUE, "an observation cannot be in state 4");
        bad.state = (assay_score_state)77;
        assert_refused(results, &bad, ASSAY_E_VALUE, "an observation cannot be in state 77");
        if (!filled) assert_int_equal(assay_results_add(results, &good), ASSAY_OK);
    }
    assert_cell(results, 0, 0, ASSAY_SCORED, 1.0);
    assay_results_free(results);
}

/* ---- a cell said twice ---- */

static void a_cell_said_twice_is_counted_once_and_a_contradiction_is_an_error(void **state)
{
    const assay_coverage coverage = { .rows = 3, .used = 2, .duplicate = 1 };
    assay_observation said = { "m", "i", NULL, NULL, 0.1, ASSAY_SCORED };
    assay_results *results = new_results(0);

    (void)state;
    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    said.score = 0.1 + 0x1p-56; /* the next double: the sentence must show the difference */
    assert_refused(results, &said, ASSAY_E_CONFLICT,
                   "model \"m\", item \"i\" has score 0.10000000000000002, and 0.1 before");
    assert_cell(results, 0, 0, ASSAY_SCORED, 0.1);
    said.item = "j";
    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    assert_coverage(results, &coverage);
    assay_results_free(results);
}

static void a_contradiction_names_its_template(void **state)
{
    assay_observation said = { "m", "i", "terse", NULL, 1.0, ASSAY_SCORED };
    assay_results *results = new_results(0);

    (void)state;
    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    said.score = 0.0;
    assert_refused(results, &said, ASSAY_E_CONFLICT,
                   "model \"m\", item \"i\", template \"terse\" has score 0, and 1 before");
    assay_results_free(results);
}

static void with_force_the_first_value_stays_and_the_second_is_counted_refused(void **state)
{
    const assay_coverage coverage = { .rows = 4, .used = 1, .duplicate = 1, .refused = 2 };
    static const double scores[] = { 1.0, 0.0, 0.5, 1.0 };
    assay_results *results = new_results(1);

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assay_observation said = { "m", "i", NULL, NULL, scores[i], ASSAY_SCORED };
        assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    }
    assert_cell(results, 0, 0, ASSAY_SCORED, 1.0);
    assert_coverage(results, &coverage);
    assay_results_free(results);
}

static void a_score_fills_a_cell_without_one_and_is_not_lost_to_a_missing_one(void **state)
{
    const assay_coverage coverage = { .rows = 4, .used = 1, .missing = 1, .errored = 2 };
    static const assay_score_state states[] = { ASSAY_ERRORED, ASSAY_SCORED, ASSAY_MISSING,
                                                ASSAY_ERRORED };
    assay_results *results = new_results(0);

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assay_observation said = { "m", "i", NULL, NULL, 0.75, states[i] };
        assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
        if (i == 0) assert_cell(results, 0, 0, ASSAY_ERRORED, 0.0);
        if (i > 0) assert_cell(results, 0, 0, ASSAY_SCORED, 0.75);
    }
    assert_coverage(results, &coverage);
    assay_results_free(results);
}

/* ---- repeats ---- */

static void the_next_run_is_the_lowest_whose_cell_is_absent(void **state)
{
    assay_results *results = new_results(0);
    size_t model, template_index, items[2], record;

    (void)state;
    assert_int_equal(assay_results_name_model(results, "mx", 1, &model), ASSAY_OK);
    assert_int_equal(assay_results_name_template(results, "", 0, &template_index), ASSAY_OK);
    assert_int_equal(assay_results_name_item(results, "a", 1, &items[0]), ASSAY_OK);
    assert_int_equal(assay_results_name_item(results, "b", 1, &items[1]), ASSAY_OK);
    for (size_t k = 0; k < 12; k++) {
        size_t item = items[k % 3 == 2]; /* a, a, b, a, a, b, ... */

        assert_int_equal(assay_results_next_run(results, model, template_index, item, &record),
                         ASSAY_OK);
        assert_int_equal(record, item == items[0] ? k - k / 3 : k / 3);
        /* a cell that is missing is not absent */
        assert_int_equal(
            assay_results_put(results, record, item, 1.0, k == 1 ? ASSAY_MISSING : ASSAY_SCORED),
            ASSAY_OK);
    }
    assert_string_equal(assay_results_model(results, 0), "m");
    assert_int_equal(assay_results_n_runs(results), 8);
    assert_string_equal(assay_results_run(results, 0), "1");
    assert_string_equal(assay_results_run(results, 7), "8");
    assay_results_free(results);
}

/* ---- what items, models and the table carry ---- */

static void items_and_models_keep_the_first_text_they_are_given(void **state)
{
    assay_results *results = new_results(0);
    size_t index;

    (void)state;
    for (size_t i = 0; i < 40; i++) {
        char name[] = { (char)('A' + i) };
        assert_int_equal(assay_results_name_item(results, name, 1, &index), ASSAY_OK);
        assert_int_equal(assay_results_name_model(results, name, 1, &index), ASSAY_OK);
    }
    assert_int_equal(assay_results_set_item_text(results, 30, "text!", 4), ASSAY_OK);
    assert_int_equal(assay_results_set_item_text(results, 30, "other", 5), ASSAY_OK);
    assert_int_equal(assay_results_set_item_cluster(results, 2, "c", 1), ASSAY_OK);
    assert_string_equal(assay_results_item_text(results, 30), "text");
    assert_null(assay_results_item_text(results, 2));
    assert_null(assay_results_item_text(results, 39));
    assert_string_equal(assay_results_item_cluster(results, 2), "c");
    assert_null(assay_results_item_cluster(results, 30));
    for (size_t k = 0; k < 40; k++) {
        char name[] = { (char)('A' + k % 20) };

        assert_int_equal(assay_results_name_covariate(results, name, 1, &index), ASSAY_OK);
        assert_int_equal(index, k % 20);
        assert_int_equal(assay_results_set_covariate(results, index, k, name, 1), ASSAY_OK);
    }
    assert_int_equal(assay_results_n_covariates(results), 20);
    assert_string_equal(assay_results_covariate(results, 3), "D");
    assert_string_equal(assay_results_covariate_value(results, 3, 3), "D");
    assert_string_equal(assay_results_covariate_value(results, 3, 23), "D");
    assert_null(assay_results_covariate_value(results, 3, 4));
    assay_results_free(results);
}

static void inputs_are_remembered_in_order(void **state)
{
    char sha256[65], path[] = "a.csv";
    assay_results *results = new_results(0);

    (void)state;
    memset(sha256, 'f', 64);
    sha256[64] = '\0';
    for (uint64_t i = 0; i < 20; i++) {
        path[0] = (char)('a' + i);
        assert_int_equal(
            assay_results_add_input(results, path, sha256, 100 * i, (assay_input_file){ 0 }),
            ASSAY_OK);
    }
    assert_int_equal(assay_results_n_inputs(results), 20);
    assert_string_equal(assay_results_input(results, 3).path, "d.csv");
    assert_string_equal(assay_results_input(results, 3).sha256, sha256);
    assert_int_equal(assay_results_input(results, 19).rows, 1900);
    assay_results_free(results);
}

static void notes_are_safe_to_print_and_show_that_they_are_cut(void **state)
{
    assay_results *results = new_results(0);
    char text[3000];
    const char *note;

    (void)state;
    assert_int_equal(assay_results_add_note(results, "%d columns of \"%s\"", 3, "a\x1b[2J\xc2\x9b"),
                     ASSAY_OK);
    assert_string_equal(assay_results_note(results, 0), "3 columns of \"a\\x1b[2J\\xc2\\x9b\"");
    for (size_t length = 1000; length < 1100; length++) {
        memset(text, 'n', length);
        text[length] = '\0';
        assert_int_equal(assay_results_add_note(results, "%s", text), ASSAY_OK);
        note = assay_results_note(results, assay_results_n_notes(results) - 1);
        if (strcmp(note, text) != 0) assert_string_equal(note + strlen(note) - 3, "...");
    }
    assert_int_equal(assay_results_n_notes(results), 101);
    assay_results_free(results);
}

static void damage_is_remembered(void **state)
{
    assay_results *results = new_results(0);

    (void)state;
    assay_results_mark_damaged(results);
    assert_int_equal(assay_results_damaged(results), 1);
    assay_results_free(results);
}

static void a_missing_cell_said_missing_again_is_a_duplicate(void **state)
{
    const assay_coverage coverage = { .rows = 6, .missing = 2, .errored = 1, .duplicate = 3 };
    static const unsigned char codes[] = { ASSAY_CODE_ABSENT, ASSAY_CODE_MISSING };
    static const assay_score_state states[] = { ASSAY_MISSING, ASSAY_MISSING, ASSAY_ERRORED,
                                                ASSAY_ERRORED };
    assay_results *results = new_results(0);
    size_t index, template_index, run, record, item;

    (void)state;
    assert_int_equal(assay_results_name_model(results, "m", 1, &index), ASSAY_OK);
    assert_int_equal(assay_results_name_template(results, "", 0, &template_index), ASSAY_OK);
    assert_int_equal(assay_results_name_run(results, "", 0, &run), ASSAY_OK);
    assert_int_equal(assay_results_name_item(results, "i", 1, &item), ASSAY_OK);
    assert_int_equal(assay_results_name_item(results, "j", 1, &item), ASSAY_OK);
    assert_int_equal(assay_results_find_record(results, 0, 0, 0, &record), ASSAY_OK);
    for (size_t k = 0; k < 4; k++) /* another reason is news */
        assert_int_equal(assay_results_put(results, record, 0, 0.0, states[k]), ASSAY_OK);
    assert_cell(results, record, 0, ASSAY_ERRORED, 0.0);
    assert_int_equal(assay_results_put(results, record, 1, 0.0, ASSAY_MISSING), ASSAY_OK);
    assert_int_equal(assay_results_put_row(results, record, codes, NULL, 2, &item), ASSAY_OK);
    assert_coverage(results, &coverage);
    assay_results_free(results);
}

static void going_back_forgets_all_that_came_since(void **state)
{
    const assay_observation said = { "m", "i", NULL, "1", 1.0, ASSAY_SCORED };
    assay_results *results = new_results(0);
    assay_results_mark mark;
    size_t index, record, covariate;

    (void)state;
    assert_int_equal(assay_results_add(results, &said), ASSAY_OK);
    assert_int_equal(assay_results_add_note(results, "stays"), ASSAY_OK);
    mark = assay_results_here(results);
    for (int again = 0; again < 2; again++) {
        for (size_t k = 0; k < 100; k++) { /* so that every table of slots grows meanwhile */
            char name[16];
            size_t length = (size_t)snprintf(name, sizeof name, "x%zu", k);

            assert_int_equal(assay_results_name_item(results, name, length, &index), ASSAY_OK);
            assert_int_equal(index, 1 + k);
            assert_int_equal(assay_results_name_template(results, name, length, &index), ASSAY_OK);
            assert_int_equal(assay_results_name_model(results, name, length, &index), ASSAY_OK);
            assert_int_equal(assay_results_name_covariate(results, name, length, &covariate),
                             ASSAY_OK);
            assert_int_equal(assay_results_set_covariate(results, covariate, index, "v", 1),
                             ASSAY_OK);
            assert_int_equal(assay_results_next_run(results, index, 0, 0, &record), ASSAY_OK);
            assert_int_equal(record, 1 + k);
            assert_int_equal(assay_results_add_note(results, "goes"), ASSAY_OK);
        }
        assay_results_go_back(results, mark);
        assert_int_equal(assay_results_n_items(results), 1);
        assert_int_equal(assay_results_n_models(results), 1);
        assert_int_equal(assay_results_n_templates(results), 1);
        assert_int_equal(assay_results_n_covariates(results), 0);
        assert_int_equal(assay_results_n_records(results), 1);
        assert_int_equal(assay_results_n_notes(results), 1);
    }
    assert_cell(results, 0, 0, ASSAY_SCORED, 1.0);
    assert_int_equal(assay_results_find_record(results, 0, 0, 0, &record), ASSAY_OK);
    assert_int_equal(record, 0);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_has_nothing),
        cmocka_unit_test(observations_form_records_by_model_template_and_run),
        cmocka_unit_test(names_are_copies),
        cmocka_unit_test(a_refused_observation_leaves_the_table_as_it_was),
        cmocka_unit_test(a_contradiction_names_its_template),
        cmocka_unit_test(a_cell_said_twice_is_counted_once_and_a_contradiction_is_an_error),
        cmocka_unit_test(with_force_the_first_value_stays_and_the_second_is_counted_refused),
        cmocka_unit_test(a_score_fills_a_cell_without_one_and_is_not_lost_to_a_missing_one),
        cmocka_unit_test(the_next_run_is_the_lowest_whose_cell_is_absent),
        cmocka_unit_test(items_and_models_keep_the_first_text_they_are_given),
        cmocka_unit_test(inputs_are_remembered_in_order),
        cmocka_unit_test(notes_are_safe_to_print_and_show_that_they_are_cut),
        cmocka_unit_test(damage_is_remembered),
        cmocka_unit_test(a_missing_cell_said_missing_again_is_a_duplicate),
        cmocka_unit_test(going_back_forgets_all_that_came_since),
    };

    return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
