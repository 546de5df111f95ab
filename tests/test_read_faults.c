/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a table, and the sentence that says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static void test_each_fault_has_its_sentence(void **state)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        { "", "the file is empty" },
        { "\n\n", "the file is empty" },
        { "model,a\n", "a header and no rows below it" },
        { "item,a\n", "a header and no rows below it" },
        { "item,score\n", "a header and no rows below it" },
        { "[]", "has no rows, expected JSON objects" },
        { "model,a,b\nx,1\n", ":2: 2 fields, expected 3" },
        { "model,a\nx,1,0\n", ":2: 3 fields, expected 2" },
        { "item,m\nq\n", ":2: 1 field, expected 2" },
        { "item,score\nq,1,\n", ":2: 3 fields, expected 2" },
        { "model\nx\n", ":1: no column is an item; expected the model, then a column an item" },
        { "item\nx\n", ":1: no column is a model; expected the item, then a column a model" },
        { "model,a\n ,1\n", ":2: the model is blank, expected a name" },
        { "item,score\n\"\",1\n", ":2: the item is blank, expected a name" },
        { "item,score,model\nq,1,\n", ":2: the model is blank, expected a name" },
        { "item,score\n\xe9,1\n", ":2: the item \"\\xe9\" is not UTF-8, expected UTF-8" },
        { "model,a,,b\nx,1,1,1\n", ":1: column 3 has no name, expected an item's" },
        { "model,a,\nx,1,\ny,1,0\n", ":3: column 3 has no name, expected nothing in it" },
        { "item,m,,\nq,1,,\nr,1,, 1\n", ":3: column 4 has no name, expected nothing in it" },
        { "model,a,\nx,1\n", ":2: 2 fields, expected 3" },
        { "model,,\nx,,\n", ":1: no column is an item; expected the model, then a column an item" },
        { "item,,\nx,,\n", ":1: no column is a model; expected the item, then a column a model" },
        { "item,,b\nx,1,1\n", ":1: column 2 has no name, expected a model's" },
        { "model,a,a\nx,1,1\n", ":1: columns 2 and 3 are both called \"a\"" },
        { "item,score,x,x\nx,1,1\n", ":1: columns 3 and 4 are both called \"x\"" },
        { "item,a\n\"q\n", ":2: a quote opens here and is not closed" },
        { "7", ":1: the first column is called \"7\", which does not say what the rows are: "
               "choose with --rows models or --rows items; or for a table of one observation a "
               "row, with --item and --score" },
        { "{\"id\":1,\"x\":2}", ":1: no key is known to hold the score: choose with --score; there "
                                "are: id, x" },
        { "{\"id\":1,\"item\":2,\"acc\":1}",
          ":1: columns id and item could both be the item: choose with --item" },
        { "{\"id\":1,\"acc\":1,\"model\":\"a\\u0000b\"}",
          ":1: the model has a NUL character after \"a\", expected text" },
        { "{\"id\":\"ab\\u0000\",\"acc\":1}",
          ":1: the item has a NUL character after \"ab\", expected text" },
        { "{\"id\":1,\"acc\":1,\"run\":\"\\u0000\"}",
          ":1: the run has a NUL character after \"\", expected text" },
        { "{\"id\":1,\"acc\":1,\"variant\":\"v\\u0000\"}",
          ":1: the template has a NUL character after \"v\", expected text" },
        { "{\"id\":1,\"acc\":1}\n{\"id\":1,\"acc\":1,\"group\":\"g\\u0000h\"}",
          ":2: the cluster has a NUL character after \"g\", expected text" },
        { "{\"id\":1,\"acc\":1}\n{\"acc\":1}", ":2: a row without \"id\", expected its item" },
        { "{\"id\":1,\"acc\":{}}",
          ":1: \"acc\" holds an object, expected the score itself (--score acc.KEY names what is "
          "within an object)" },
        { "{\"id\":1,\"acc\":1} 5", ":1: a JSON value that is not an object, expected an object a "
                                    "row" },
        { "[[{\"id\":1,\"acc\":1}]]", ":1: a JSON value that is not an object, expected an object "
                                      "a row" },
        { "PK\3\4....", "a zip archive, which is not read; unpack it first" },
        { "\x93NUMPY", "not a NumPy array, expected one" },
        { "\xff\xfe{", "UTF-16; expected UTF-8" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char sentence[512];

        snprintf(sentence, sizeof sentence, "f.csv%s%s", cases[k].sentence[0] == ':' ? "" : ": ",
                 cases[k].sentence);
        assert_fails(cases[k].text, NULL, ASSAY_E_FORMAT, sentence);
    }
}

static void test_what_is_not_a_score_names_its_column(void **state)
{
    static const char
        expected[] = ", expected a score (a number, a percentage, true/false, pass/fail, "
                     "correct/incorrect, yes/no, or empty for missing)",
        wide[] = "; if the column describes models, --drop it; for a table of one observation a "
                 "row, name its columns with --item and --score",
        lacks_score[] = "; if the column describes models, --drop it; for a table of one "
                        "observation a row, name the score column with --score";
    static const struct {
        const char *text, *what, *more;
    } cases[] = {
        { "model,a,b\nx,1,0\ny,1,abc\n", "f.csv:3: column \"b\" has \"abc\"", wide },
        { "model,a\nx,\"0,5\"\n", "f.csv:2: column \"a\" has \"0,5\"", wide },
        { "model,sample_id,grade\nx,s,1\n", "f.csv:2: column \"sample_id\" has \"s\"",
          lacks_score },
        { "item,a,b\nx,1,inf\n", "f.csv:2: column \"b\" has \"inf\"", "" },
        { "acc,id\n\"\n?\",2\n", "f.csv:2: column \"acc\" has \"\\x0a?\"", "" },
        { "\n{\"id\":1,\n\"acc\":Infinity}", "f.csv:2: column \"acc\" has \"Infinity\"", "" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char sentence[512];

        snprintf(sentence, sizeof sentence, "%s%s%s", cases[k].what, expected, cases[k].more);
        assert_fails(cases[k].text, NULL, ASSAY_E_FORMAT, sentence);
    }
}

static void test_a_conflict_says_what_may_be_done_about_it(void **state)
{
    static const char force[] = " before; with --force the first stays",
                      repeats[] = " before; with --repeats such rows count as further runs, with "
                                  "--force the first stays",
                      model[] = " before; no column is known to hold the model: choose with "
                                "--model";

    (void)state;
    assert_conflicts("model,a,b\nx,1,0\nx,1,1\n", "f.csv:3: ", repeats);
    assert_conflicts("item,m\na,1\na,0\n", "f.csv:3: ", repeats);
    assert_conflicts("item,model,score\na,m,1\na,m,0\n", "f.csv:3: ", repeats);
    assert_conflicts("item,model,run,score\na,m,1,1\na,m,1,0\n", "f.csv:3: ", force);
    assert_conflicts("model,run,b\nx,1,1\nx,1,0\n", "f.csv:3: ", force);
    assert_conflicts("item,run,score\na,1,1\na,1,0\n", "f.csv:3: ", model);
    assert_conflicts("item,score\na,1\na,0\n", "f.csv:3: ", model);
}

static void test_options_are_checked(void **state)
{
    assay_read_options options = defaults();
    assay_results *results = NULL;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    options.struct_size = sizeof options + 1;
    assert_int_equal(assay_read(results, "x", &options), ASSAY_E_VALUE);
    options.struct_size = 0;
    assert_int_equal(assay_read(results, "x", &options), ASSAY_E_VALUE);
    options = defaults();
    options.rows = (assay_rows)3;
    assert_int_equal(assay_read(results, "x", &options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "read: rows is 3, expected 0 to 2");
    options = defaults();
    options.format = ASSAY_N_FORMATS;
    assert_int_equal(assay_read(results, "x", &options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "read: format is 25, expected 0 to 24");
    options = defaults();
    options.item = options.model = "id";
    assert_int_equal(assay_read(results, "x", &options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "--model and --item both name \"id\", expected a column each");
    assert_int_equal(assay_read(results, "", NULL), ASSAY_E_VALUE);
    assert_int_equal(assay_read(results, "no/such", NULL), ASSAY_E_READ);
    assay_results_free(results);
    options = defaults();
    options.drop = "a";
    assert_fails("item,score\na,1\n", &options, ASSAY_E_VALUE,
                 "f.csv: is a long table: --columns and --drop choose among the "
                 "items of a wide one");
}

static void test_the_format_option_overrides_the_content(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.format = ASSAY_FORMAT_CSV;
    options.rows = ASSAY_ROWS_MODELS;
    results = read_text("[m],a\tb\nx,1\n", &options);
    assert_string_equal(assay_results_item(results, 0), "a\tb");
    assay_results_free(results);
    options.format = ASSAY_FORMAT_TSV;
    results = read_text("m,m,m\ta,b\nx,y\t1\n", &options);
    assert_string_equal(assay_results_item(results, 0), "a,b");
    assay_results_free(results);
    options.format = ASSAY_FORMAT_JSONL;
    assert_fails("id,score\n", &options, ASSAY_E_FORMAT, "f.csv:1:1: 'i', expected a value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_each_fault_has_its_sentence, empty_folder),
        cmocka_unit_test_teardown(test_what_is_not_a_score_names_its_column, empty_folder),
        cmocka_unit_test_teardown(test_a_conflict_says_what_may_be_done_about_it, empty_folder),
        cmocka_unit_test_teardown(test_options_are_checked, empty_folder),
        cmocka_unit_test_teardown(test_the_format_option_overrides_the_content, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
