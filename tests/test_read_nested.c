/* SPDX-License-Identifier: Apache-2.0 */
/* T70: rows that tools export, with scores within objects, lists and cells of JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

/* Two rows of one item each, under several shapes; the scores asked for are 1 and 0. */
static void t70_scores_are_reached_in_every_shape(void **state)
{
    static const struct {
        const char *score, *text;
    } shapes[] = {
        /* Braintrust: an object; keys with dots and spaces */
        { "scores.exact_match",
          "{\"id\":\"a\",\"scores\":{\"exact_match\":1}}{\"id\":\"b\",\"scores\":{\"exact_match\":"
          "0}}" },
        { "scores.exact.match v1",
          "{\"id\":\"a\",\"scores\":{\"exact.match v1\":1}}{\"id\":\"b\",\"scores\":{"
          "\"exact.match v1\":0}}" },
        { "scores.exact_match",
          "{\"id\":\"a\",\"scores.exact_match\":1}{\"id\":\"b\",\"scores.exact_match\":0}" },
        /* an object that holds name and score */
        { "scores.exact_match",
          "{\"id\":\"a\",\"scores\":{\"exact_match\":{\"name\":\"x\",\"score\":1}}}"
          "{\"id\":\"b\",\"scores\":{\"exact_match\":{\"value\":0,\"metadata\":{\"score\":5}}}}" },
        /* Langfuse, LangSmith: a list of objects */
        { "scores.exact match",
          "{\"id\":\"a\",\"scores\":[{\"name\":\"f1\",\"value\":0.5},{\"name\":\"exact match\","
          "\"value\":1}]}{\"id\":\"b\",\"scores\":[{\"name\":\"exact match\",\"value\":0}]}" },
        { "evaluation_results.results.correct",
          "{\"id\":\"a\",\"evaluation_results\":{\"results\":[{\"key\":\"correct\",\"score\":true},"
          "{\"key\":\"tone\",\"score\":0.3}]}}{\"id\":\"b\",\"evaluation_results\":{\"results\":[{"
          "\"score\":false,\"comment\":[1],\"key\":\"correct\"}]}}" },
        { "feedback_stats.correct.avg",
          "{\"id\":\"a\",\"feedback_stats\":{\"correct\":{\"n\":1,\"avg\":1.0}}}"
          "{\"id\":\"b\",\"feedback_stats\":{\"correct\":{\"n\":1,\"avg\":0.0}}}" },
        { "scores.1.value", "{\"id\":\"a\",\"scores\":[{\"value\":7},{\"value\":1}]}"
                            "{\"id\":\"b\",\"scores\":[{\"value\":7},{\"value\":0}]}" },
        { "s.1", "{\"id\":\"a\",\"s\":[7,1]}{\"id\":\"b\",\"s\":[7,0]}" },
        /* Phoenix: a flat name with dots, in CSV */
        { "eval.Correctness.score", "id,eval.Correctness.score\na,1\nb,0\n" },
        /* CSV with a JSON cell, with dots in either name */
        { "scores.exact_match",
          "id,scores\na,\"{\"\"exact_match\"\": 1}\"\nb,\"{\"\"exact_match\"\": 0, \"\"k\"\": 2}\""
          "\n" },
        { "my.scores.exact.match", "id,my.scores\na,\"{\"\"exact.match\"\": "
                                   "1}\"\nb,\"{\"\"exact.match\"\": \"\"0\"\"}\"\n" },
        { "scores.f", "id;scores\na;\"[{\"\"name\"\":\"\"f\"\",\"\"score\"\":1}]\"\nb;\"[{"
                      "\"\"name\"\":\"\"f\"\""
                      ",\"\"score\"\":0}]\"\n" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        assay_read_options options = defaults();
        assay_results *results;

        options.score = shapes[k].score;
        options.item = "id";
        results = read_text(shapes[k].text, &options);
        assert_true(score_of(results, "t.csv", "", "", "a") == 1.0);
        assert_true(score_of(results, "t.csv", "", "", "b") == 0.0);
        assert_int_equal(assay_results_coverage(results).used, 2);
        assay_results_free(results);
    }
}

static void t70_every_role_may_be_nested(void **state)
{
    static const char *const texts[] = {
        "{\"m\":{\"id\":\"a\",\"who\":{\"name\":\"M\"}},\"s\":{\"x\":1}}",
        "m,s,t\n\"{\"\"id\"\":\"\"a\"\",\"\"who\"\":{\"\"name\"\":\"\"M\"\"}}\",\"{\"\"x\"\":1}\","
        "t\n"
    };
    assay_read_options options = defaults();

    (void)state;
    options.item = "m.id";
    options.model = "m.who.name";
    options.score = "s.x";
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_text(texts[k], &options);

        assert_true(score_of(results, "M", "", "", "a") == 1.0);
        assert_true(has_note(results, "model = \"m.who.name\", item = \"m.id\", score = \"s.x\""));
        assay_results_free(results);
    }
}

/* As null and a blank are: not run, not wrong. */
static void t70_what_is_not_there_is_missing(void **state)
{
    static const char *const texts[] = {
        "{\"id\":\"a\",\"s\":{\"x\":1}}{\"id\":\"b\",\"s\":{}}{\"id\":\"c\",\"s\":[]}"
        "{\"id\":\"d\"}{\"id\":\"e\",\"s\":{\"x\":null}}{\"id\":\"f\",\"s\":[{\"name\":\"x\"}]}",
        "id,s\na,\"{\"\"x\"\":1}\"\nb,{}\nc,[]\nd,\ne,\"{\"\"x\"\":null}\"\nf,3\n"
    };
    assay_read_options options = defaults();

    (void)state;
    options.score = "s.x";
    for (size_t k = 0; k < 2; k++) {
        assay_results *results = read_text(texts[k], &options);

        assert_int_equal(assay_results_coverage(results).used, 1);
        assert_int_equal(assay_results_coverage(results).missing, 5);
        assay_results_free(results);
    }
}

static void t70_faults_are_told_with_their_place(void **state)
{
    assay_read_options options = defaults();

    (void)state;
    options.score = "s.x";
    assert_fails("id,s\na,\"{\"\"y\"\":1}\"\n", &options, ASSAY_E_VALUE,
                 "f.csv: no column and no key \"s.x\" (--score); there are: id, s");
    assert_fails("id,s\na,\"{\"\"x\"\":1}\"\nb,{'x': 1}\n", &options, ASSAY_E_FORMAT,
                 "f.csv:3: column \"s\" has \"{'x': 1}\", expected JSON");
    assert_fails("id,s\na,\"{\"\"x\"\":1\"\n", &options, ASSAY_E_FORMAT,
                 "f.csv:2: the JSON in column \"s\" ends too early");
    assert_fails("id,s\na,\"{\"\"x\"\":1,\"\"x\"\":0}\"\n", &options, ASSAY_E_FORMAT,
                 "f.csv:2: the key \"s.x\" stands twice in one object, expected once");
    assert_fails("id,s\na,\"{\"\"x\"\":\"\"good\"\"}\"\n", &options, ASSAY_E_FORMAT,
                 "f.csv:2: column \"s\" has \"good\", expected a score (a number, a percentage, "
                 "true/false, pass/fail, correct/incorrect, yes/no, or empty for missing)");
    assert_fails("{\"id\":\"a\",\"s\":[{\"name\":\"x\",\"score\":1},{\"name\":\"x\",\"score\":0}]}",
                 &options, ASSAY_E_FORMAT,
                 "f.csv:1: the key \"s.x\" stands twice in one object, expected once");
    assert_fails(
        "{\"id\":\"a\",\"s\":{\"x\":{\"reason\":\"r\"}}}", &options, ASSAY_E_FORMAT,
        "f.csv:1: \"s.x\" holds an object, expected the score itself (--score s.x.KEY names "
        "what is within an object)");
    options.rows = ASSAY_ROWS_MODELS;
    assert_fails("model,s\nm,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: no column \"s.x\" (--score); there are: model, s");
}

/* verifiers: several rollouts of an example. */
static void rollouts_of_verifiers_are_repeats(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.repeats = 1;
    results = read_text("{\"example_id\":0,\"prompt\":[{\"role\":\"user\",\"content\":\"?\"}],"
                        "\"reward\":1.0,\"task\":\"t\"}\n"
                        "{\"example_id\":0,\"prompt\":[],\"reward\":0.5,\"task\":\"t\"}\n"
                        "{\"example_id\":1,\"prompt\":[],\"reward\":0.0,\"task\":\"t\"}\n",
                        &options);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "t.csv", "", "2", "0") == 0.5);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t70_scores_are_reached_in_every_shape, empty_folder),
        cmocka_unit_test_teardown(t70_every_role_may_be_nested, empty_folder),
        cmocka_unit_test_teardown(t70_what_is_not_there_is_missing, empty_folder),
        cmocka_unit_test_teardown(t70_faults_are_told_with_their_place, empty_folder),
        cmocka_unit_test_teardown(rollouts_of_verifiers_are_repeats, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
