/* SPDX-License-Identifier: Apache-2.0 */
#include "read/columns.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static assay_status read_header(assay_header *header, const char *text)
{
    char copy[512];
    size_t length = strlen(text);
    assay_csv_record record = { copy, copy + length, 1, ',' };

    memcpy(copy, text, length + 1);
    *header = (assay_header){ 0 };
    return assay_header_read(header, "f.csv", &record);
}

static assay_status find(const char *text, const assay_read_options *options,
                         assay_columns *columns)
{
    assay_header header;
    assay_status status = read_header(&header, text);

    if (status == ASSAY_OK) status = assay_columns_find("f.csv", &header, options, columns);
    assay_header_free(&header);
    return status;
}

static assay_read_options defaults(void)
{
    assay_read_options options;
    assay_read_options_init(&options, sizeof options);
    return options;
}

static void test_every_usual_name_finds_its_role_in_any_case(void **state)
{
    static const char *const names[ASSAY_N_ROLES] = {
        [ASSAY_ROLE_ITEM] =
            "item|item_id|question_id|doc_id|sample_id|instance_id|task_id|problem_id|input_id|id|"
            "Item ID|problem-id",
        [ASSAY_ROLE_MODEL] =
            "model|model_id|model_name|system|subject|subject_id|provider|agent|llm|"
            "Model Name|model-id|LLM",
        [ASSAY_ROLE_SCORE] =
            "score|correct|is_correct|acc|accuracy|exact_match|resolved|reward|value|passed|"
            "Exact Match|is-correct",
        [ASSAY_ROLE_RUN] = "run|run_idx|epoch|trial|seed|repeat|sample",
        [ASSAY_ROLE_TEMPLATE] = "template|prompt_id|prompt_template|promptId|PROMPTID|variant",
        [ASSAY_ROLE_CLUSTER] = "cluster|cluster_id|group|passage_id|category|Subtask",
        [ASSAY_ROLE_TEXT] = "text|prompt|input|QUESTION",
        [ASSAY_ROLE_SUCCESSES] = "successes|n_successes|n-correct|Correct Count",
        [ASSAY_ROLE_TRIALS] = "trials|n_trials|N Runs|attempts",
        [ASSAY_ROLE_TASK] = "task|Task Name",
    };

    (void)state;
    for (int role = 0; role < ASSAY_N_ROLES; role++) {
        const char *name = names[role];

        while (*name) {
            size_t length = strcspn(name, "|");

            for (int other = 0; other < ASSAY_N_ROLES; other++) {
                int rank = assay_role_rank((assay_role)other, (assay_name){ name, length });
                assert_true(other == role ? rank >= 0 : rank == -1);
            }
            name += length + (name[length] == '|');
        }
    }
    assert_int_equal(assay_role_rank(ASSAY_ROLE_ITEM, (assay_name){ "items", 5 }), -1);
    assert_int_equal(assay_role_rank(ASSAY_ROLE_ITEM, (assay_name){ "", 0 }), -1);
    assert_int_equal(assay_role_rank(ASSAY_ROLE_ITEM, (assay_name){ "item.id", 7 }), -1);
}

static void test_item_and_score_make_a_long_table(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    assert_int_equal(find("Epoch, item_id ,model,x,ACC,category", &options, &columns), ASSAY_OK);
    assert_true(columns.is_long);
    assert_int_equal(columns.of[ASSAY_ROLE_RUN], 0);
    assert_int_equal(columns.of[ASSAY_ROLE_ITEM], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_MODEL], 2);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], 4);
    assert_int_equal(columns.of[ASSAY_ROLE_CLUSTER], 5);
    assert_int_equal(columns.of[ASSAY_ROLE_TEXT], ASSAY_NO_COLUMN);
}

/* Successes and trials stand in place of a score, unless an option names one. */
static void test_item_and_counts_make_a_long_table(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    assert_int_equal(find("item,successes,trials", &options, &columns), ASSAY_OK);
    assert_true(columns.is_long);
    assert_int_equal(columns.of[ASSAY_ROLE_SUCCESSES], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_TRIALS], 2);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], ASSAY_NO_COLUMN);
    assert_int_equal(find("item,score,successes,trials", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], ASSAY_NO_COLUMN);
    assert_int_equal(columns.of[ASSAY_ROLE_TRIALS], 3);
    assert_int_equal(find("item,score,trials", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_TRIALS], ASSAY_NO_COLUMN);
    options.score = "score";
    assert_int_equal(find("item,score,successes,trials", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_SUCCESSES], ASSAY_NO_COLUMN);
}

static void test_two_candidates_are_the_callers_to_decide(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    assert_int_equal(find("item_id,question_id,score", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f.csv:1: columns item_id and question_id could both "
                                            "be the item: choose with --item");
    options.item = "question_id";
    assert_int_equal(find("item_id,question_id,score", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_ITEM], 1);
    assert_int_equal(find("item_id,question_id,score,acc", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "f.csv:1: columns score and acc could both be the score: choose with "
                        "--score");
    options.score = "note";
    options.model = "score";
    assert_int_equal(find("question_id,score,note", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_SCORE], 2);
    assert_int_equal(columns.of[ASSAY_ROLE_MODEL], 1);
}

static void test_a_column_given_to_a_role_is_no_candidate_for_another(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    options.item = "prompt_id"; /* two templates are left, not one */
    assert_int_equal(find("prompt_id,prompt_template,variant,score", &options, &columns),
                     ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f.csv:1: columns prompt_template and variant could "
                                            "both be the template: choose with --template");
    assert_int_equal(find("prompt_id,variant,score", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_TEMPLATE], 1);
    options = defaults();
    options.model = "trial"; /* trial and seed are both usual names of a run */
    options.template_column = "seed";
    assert_int_equal(find("trial,seed,id,score", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_MODEL], 0);
    assert_int_equal(columns.of[ASSAY_ROLE_TEMPLATE], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_RUN], ASSAY_NO_COLUMN);
    options = defaults();
    options.model = "id"; /* so that nothing holds the items: not long */
    assert_int_equal(find("id,score,q1", &options, &columns), ASSAY_OK);
    assert_false(columns.is_long);
}

static void test_two_options_cannot_name_one_column(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    assert_int_equal(assay_roles_check(&options), ASSAY_OK);
    options.item = "a";
    options.run = "A";
    assert_int_equal(assay_roles_check(&options), ASSAY_OK);
    options.template_column = "A";
    assert_int_equal(assay_roles_check(&options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "--template and --run both name \"A\", expected a column each");
}

static void test_a_text_or_cluster_is_the_most_usual_one(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    assert_int_equal(find("id,acc,category,question,prompt,cluster", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_TEXT], 4);
    assert_int_equal(columns.of[ASSAY_ROLE_CLUSTER], 5);
}

static void test_an_option_that_names_no_column_lists_what_there_is(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    options.score = "grade";
    assert_int_equal(find("id,model,x y", &options, &columns), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "f.csv: no column \"grade\" (--score); there are: id, model, x y");
}

static void test_the_first_name_says_what_the_rows_of_a_wide_table_are(void **state)
{
    static const struct {
        const char *header;
        assay_rows rows;
    } cases[] = {
        { "model,q1,q2", ASSAY_ROWS_MODELS },    { "Model name,q1", ASSAY_ROWS_MODELS },
        { "system,q1,q2", ASSAY_ROWS_MODELS },   { "item,gpt,llama", ASSAY_ROWS_ITEMS },
        { "Item number,gpt", ASSAY_ROWS_ITEMS }, { "question_id,gpt,llama", ASSAY_ROWS_ITEMS },
    };
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(find(cases[k].header, &options, &columns), ASSAY_OK);
        assert_false(columns.is_long);
        assert_int_equal(columns.rows, cases[k].rows);
    }
    assert_int_equal(find("name,q1,q2", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "f.csv:1: the first column is called \"name\", which does not say what the "
                        "rows are: choose with --rows models or --rows items; or for a table of "
                        "one observation a row, with --item and --score");
    options.rows = ASSAY_ROWS_ITEMS;
    assert_int_equal(find("name,q1,q2", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_ITEM], 0);
    assert_int_equal(find("item,score,model", &options, &columns), ASSAY_OK);
    assert_false(columns.is_long); /* rows are only asked for where a table is wide */
}

static void test_template_and_run_lead_a_wide_row(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    assert_int_equal(find("model,run,template,q1,seed", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_RUN], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_TEMPLATE], 2);
    assert_int_equal(find("model,q1,seed", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_RUN], ASSAY_NO_COLUMN); /* it does not lead: an item */
    assert_int_equal(find("model,run,template,variant,q1", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f.csv:1: columns template and variant could both be "
                                            "the template: choose with --template");
    options.template_column = "seed"; /* and so it is no run */
    assert_int_equal(find("model,seed,trial,q1", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_TEMPLATE], 1);
    assert_int_equal(columns.of[ASSAY_ROLE_RUN], 2);
    options.template_column = "template"; /* and so variant is an item */
    assert_int_equal(find("model,template,variant,q1", &options, &columns), ASSAY_OK);
    assert_int_equal(columns.of[ASSAY_ROLE_TEMPLATE], 1);
    options.template_column = NULL;
    options.run = "model";
    assert_int_equal(find("model,q1", &options, &columns), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "f.csv:1: an option names the first column \"model\", "
                                            "which holds the models: choose another with --model");
    options.run = "q1";
    options.rows = ASSAY_ROWS_ITEMS;
    assert_int_equal(find("item,q1", &options, &columns), ASSAY_E_VALUE);
}

static void test_half_a_long_table_asks_for_the_other_half(void **state)
{
    assay_read_options options = defaults();
    assay_columns columns;

    (void)state;
    options.score = "grade";
    assert_int_equal(find("model,q,grade", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f.csv:1: no column is known to hold the items: choose "
                                            "with --item; there are: model, q, grade");
    options.score = NULL;
    options.item = "q";
    options.model = "model";
    assert_int_equal(find("model,q,grade", &options, &columns), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "f.csv:1: no column is known to hold the scores: choose with --score; "
                        "there are: model, q, grade");
}

static void test_columns_of_one_name_are_refused_with_their_places(void **state)
{
    assay_header header;

    (void)state;
    assert_int_equal(read_header(&header, "model,b,a,b ,c"), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "f.csv:1: columns 2 and 4 are both called \"b\"");
    assay_header_free(&header);
    assert_int_equal(read_header(&header, "a,,b,"), ASSAY_OK); /* nameless ones are no twins */
    assay_header_free(&header);
    assert_int_equal(read_header(&header, "b,\" b\",\"b \""), ASSAY_OK); /* quotes keep spaces */
    assert_true(assay_name_is(header.names[1], " b"));
    assay_header_free(&header);
}

static void test_columns_without_a_name_at_the_end_are_told_from_others(void **state)
{
    static const struct {
        const char *text;
        size_t n_named;
    } cases[] = { { "a,b", 2 }, { "a,b,", 2 }, { "a,, ,", 1 },
                  { ",,a", 3 }, { ",", 0 },    { "a,\" \"", 2 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_header header;

        assert_int_equal(read_header(&header, cases[k].text), ASSAY_OK);
        assert_int_equal(assay_header_n_named(&header), cases[k].n_named);
        assay_header_free(&header);
    }
}

static void test_every_name_is_found_where_it_stands(void **state)
{
    assay_header header;

    (void)state;
    assert_int_equal(read_header(&header, "b,ab,a,\"c,d\",abc,"), ASSAY_OK);
    assert_int_equal(header.n, 6);
    for (size_t c = 0; c < header.n; c++)
        assert_int_equal(assay_header_find(&header, header.names[c].text, header.names[c].length),
                         c);
    assert_int_equal(assay_header_find(&header, "c,d", 3), 3);
    assert_int_equal(assay_header_find(&header, "A", 1), ASSAY_NO_COLUMN);
    assay_header_free(&header);
}

static void test_a_list_of_names_may_quote_them(void **state)
{
    assay_header header = { 0 };

    (void)state;
    assert_int_equal(assay_header_from_list(&header, "--drop", "a, \tb ,\"x,y\""), ASSAY_OK);
    assert_int_equal(header.n, 3);
    assert_true(assay_name_is(header.names[1], "b"));
    assert_true(assay_name_is(header.names[2], "x,y"));
    assay_header_free(&header);
    assert_int_equal(assay_header_from_list(&header, "--drop", NULL), ASSAY_OK);
    assert_int_equal(header.n, 0);
    assert_int_equal(assay_header_from_list(&header, "--drop", "a,\"b"), ASSAY_E_VALUE);
    assay_header_free(&header);
    assert_int_equal(assay_header_from_list(&header, "--drop", "a,a"), ASSAY_E_VALUE);
    assay_header_free(&header);
}

static void test_a_long_list_is_cut_once(void **state)
{
    char out[ASSAY_HEADER_LIST_SIZE] = "";

    (void)state;
    for (int k = 0; k < 300; k++) assay_header_list_add(out, "column", 6);
    assert_true(strlen(out) < sizeof out);
    assert_memory_equal(out, "column, column, ", 16);
    assert_string_equal(out + strlen(out) - 11, "column, ...");
    assert_ptr_equal(strstr(out, "..."), out + strlen(out) - 3);
}

static assay_status find_all(void *context)
{
    assay_read_options options = defaults();
    assay_columns columns;

    return find(context, &options, &columns);
}

static void test_every_allocation_may_fail(void **state)
{
    char text[] = "model,item,score";

    (void)state;
    assert_true(fail_every_allocation(find_all, text) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_usual_name_finds_its_role_in_any_case),
        cmocka_unit_test(test_item_and_score_make_a_long_table),
        cmocka_unit_test(test_item_and_counts_make_a_long_table),
        cmocka_unit_test(test_two_candidates_are_the_callers_to_decide),
        cmocka_unit_test(test_a_column_given_to_a_role_is_no_candidate_for_another),
        cmocka_unit_test(test_two_options_cannot_name_one_column),
        cmocka_unit_test(test_a_text_or_cluster_is_the_most_usual_one),
        cmocka_unit_test(test_an_option_that_names_no_column_lists_what_there_is),
        cmocka_unit_test(test_the_first_name_says_what_the_rows_of_a_wide_table_are),
        cmocka_unit_test(test_template_and_run_lead_a_wide_row),
        cmocka_unit_test(test_half_a_long_table_asks_for_the_other_half),
        cmocka_unit_test(test_columns_of_one_name_are_refused_with_their_places),
        cmocka_unit_test(test_columns_without_a_name_at_the_end_are_told_from_others),
        cmocka_unit_test(test_every_name_is_found_where_it_stands),
        cmocka_unit_test(test_a_list_of_names_may_quote_them),
        cmocka_unit_test(test_a_long_list_is_cut_once),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
