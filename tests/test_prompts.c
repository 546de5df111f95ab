/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/prompts.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static assay_prompts *prompts_of(const char *text)
{
    assay_prompts *prompts;

    if (assay_prompts_read(write_text("p", text), NULL, &prompts) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return prompts;
}

static void check_prompt(const assay_prompts *prompts, size_t i, const char *id, const char *text,
                         const char *cluster)
{
    assert_string_equal(assay_prompts_id(prompts, i), id);
    assert_string_equal(assay_prompts_text(prompts, i), text);
    if (cluster)
        assert_string_equal(assay_prompts_cluster(prompts, i), cluster);
    else
        assert_null(assay_prompts_cluster(prompts, i));
    assert_int_equal(assay_prompts_find(prompts, id), i);
    assert_ptr_equal(assay_prompts_texts(prompts)[i], assay_prompts_text(prompts, i));
}

static void test_json_rows_and_csv_give_the_same_prompts(void **state)
{
    static const char *const files[] = {
        "{\"id\": \"b\", \"prompt\": \"One, \\\"two\\\"\", \"group\": \"g\"}\n"
        "{\"id\": \"a\", \"prompt\": \"\", \"group\": null, \"other\": {\"id\": [1]}}\n",
        "[{\"group\":\"g\",\"id\":\"b\",\"prompt\":\"One, "
        "\\\"two\\\"\"},{\"prompt\":\"\",\"id\":\"a\"}]",
        "id,prompt,x,group\nb,\"One, \"\"two\"\"\",,g\na,,1,\n",
        "\xef\xbb\xbfItem;Question;Category\r\nb;One, \"two\";g\r\na;;\r\n",
        "task id\ttext\tpassage-id\nb\tOne, \"two\"\tg\na\t\t",
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        assay_prompts *prompts = prompts_of(files[k]);

        assert_int_equal(assay_prompts_n(prompts), 2);
        check_prompt(prompts, 0, "b", "One, \"two\"", "g");
        check_prompt(prompts, 1, "a", "", NULL);
        assert_int_equal(assay_prompts_find(prompts, "c"), -1);
        assert_int_equal(assay_prompts_n_repeated(prompts), 0);
        assay_prompts_free(prompts);
        empty_folder(NULL);
    }
    assay_prompts_free(NULL);
}

static void test_the_more_usual_of_two_texts_serves_and_ids_may_be_numbers(void **state)
{
    assay_prompts *prompts =
        prompts_of("{\"question\":\"q\",\"id\":7,\"prompt\":\"p\",\"group\":true}\n"
                   "{\"prompt\":\"p2\",\"id\":8,\"question\":\"q2\"}");

    (void)state;
    check_prompt(prompts, 0, "7", "p", "true");
    check_prompt(prompts, 1, "8", "p2", NULL);
    assay_prompts_free(prompts);
}

static void test_options_name_the_columns(void **state)
{
    static const char *const files[] = {
        "key,id,body,text,part\nk,i,b,t,p\n",
        "{\"key\":\"k\",\"id\":\"i\",\"body\":\"b\",\"text\":\"t\","
        "\"part\":\"p\"}"
    };
    assay_prompts_options options;
    assay_prompts *prompts;

    (void)state;
    assay_prompts_options_init(&options, sizeof options);
    options.id = "key";
    options.text = "body";
    options.cluster = "part";
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(assay_prompts_read(write_text("p", files[k]), &options, &prompts),
                         ASSAY_OK);
        check_prompt(prompts, 0, "k", "b", "p");
        assay_prompts_free(prompts);
    }
    options.cluster = "topic";
    assert_int_equal(assay_prompts_read(write_text("p", files[0]), &options, &prompts),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "p:1: nothing is called \"topic\", which was to be the "
                                            "cluster; there are: key, id, body, text, part");
    options.struct_size = 1;
    assert_int_equal(assay_prompts_read("p", &options, &prompts), ASSAY_E_VALUE);
}

/* U+00E9 composed and decomposed; sharp s folds to ss; spaces of three kinds. */
static void test_distinct_texts_are_counted_after_folding(void **state)
{
    assay_prompts *prompts =
        prompts_of("id,text\n1,Caf\xc3\xa9  now\n2,\" CAFE\xcc\x81\xc2\xa0now\n\"\n"
                   "3,cafe now\n4,STRASSE\n5,stra\xc3\x9f"
                   "e\n6,\n7,\" \"\n8,a b\n"
                   "9,\"A\n\tB \"\n");

    (void)state;
    assert_int_equal(assay_prompts_n(prompts), 9);
    assert_int_equal(assay_prompts_n_distinct(prompts), 5);
    check_prompt(prompts, 1, "2", " CAFE\xcc\x81\xc2\xa0now\n", NULL); /* kept as it was */
    assay_prompts_free(prompts);
}

static void test_rows_that_repeat_count_once(void **state)
{
    assay_prompts *prompts = prompts_of("id,text,group\na,x,g\nb,x,\na,x,g\n");

    (void)state;
    assert_int_equal(assay_prompts_n(prompts), 2);
    assert_int_equal(assay_prompts_n_repeated(prompts), 1);
    assert_int_equal(assay_prompts_n_distinct(prompts), 1);
    assay_prompts_free(prompts);
}

static void test_bytes_that_are_no_text_become_replacements(void **state)
{
    assay_prompts *prompts = prompts_of("id,text\na,x\xff\xc3y\n");

    (void)state;
    check_prompt(prompts, 0, "a", "x\xef\xbf\xbd\xef\xbf\xbdy", NULL);
    assay_prompts_free(prompts);
    prompts = prompts_of("{\"id\":\"a\",\"text\":\"x\\u0000y\\u001b\"}");
    check_prompt(prompts, 0, "a", "x\xef\xbf\xbdy\x1b", NULL);
    assay_prompts_free(prompts);
}

static void check_refused(const char *text, assay_status expected, const char *sentence)
{
    assay_prompts *prompts;

    assert_int_equal(assay_prompts_read(write_text("p", text), NULL, &prompts), expected);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(prompts);
    empty_folder(NULL);
}

static void test_each_fault_has_its_sentence(void **state)
{
    assay_prompts *prompts;

    (void)state;
    check_refused(
        "id,text\na,x\nb,y\na,z\n", ASSAY_E_CONFLICT,
        "p:4: the prompt \"a\" was there before with another text, expected each id once");
    check_refused("id,text,group\na,x,\na,x,g\n", ASSAY_E_CONFLICT,
                  "p:3: the prompt \"a\" was there before with another cluster, expected each id "
                  "once");
    check_refused("", ASSAY_E_FORMAT, "p: has no prompts, expected JSON rows or CSV with a header");
    check_refused("id,text\n", ASSAY_E_FORMAT,
                  "p: has no prompts, expected JSON rows or CSV with a header");
    check_refused("[]", ASSAY_E_FORMAT,
                  "p: has no prompts, expected JSON rows or CSV with a header");
    check_refused("name,text\na,x\n", ASSAY_E_FORMAT,
                  "p:1: nothing is known to be the id of a prompt; there are: name, text");
    check_refused("{\"id\":1,\"body\":\"x\"}", ASSAY_E_FORMAT,
                  "p:1: nothing is known to be the text of a prompt; there are: id, body");
    check_refused("id,text\n,x\n", ASSAY_E_FORMAT, "p:2: a prompt without an id, expected one");
    check_refused("{\"id\":1,\"text\":\"x\"}\n{\"id\":2,\"prompt\":\"x\"}", ASSAY_E_FORMAT,
                  "p:2: the prompt \"2\" has no text, expected one");
    check_refused("id,text\na\xff,x\n", ASSAY_E_FORMAT,
                  "p:2: the id \"a\\xff\" is not UTF-8 without NUL characters, expected that");
    check_refused("id,text\na,x,y\n", ASSAY_E_FORMAT, "p:2: 3 fields, expected 2");
    check_refused("id,item,text\na,b,x\n", ASSAY_E_FORMAT,
                  "p:1: \"id\" and \"item\" could both be the id of a prompt, expected one");
    check_refused("{\"item\":1,\"id\":1,\"text\":\"x\"}", ASSAY_E_FORMAT,
                  "p:1: \"item\" and \"id\" could both be the id of a prompt, expected one");
    check_refused("{\"id\":1,\"prompt\":[{\"role\":\"user\"}]}", ASSAY_E_FORMAT,
                  "p:1: the text of a prompt is an array, expected a text");
    check_refused("[1]", ASSAY_E_FORMAT,
                  "p:1: a JSON value that is not an object, expected an object a prompt");
    assert_int_equal(assay_prompts_read("missing", NULL, &prompts), ASSAY_E_READ);
    assert_int_equal(assay_prompts_read("", NULL, &prompts), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "prompts: no path");
}

static assay_status read_some(void *context)
{
    assay_prompts *prompts;
    assay_status status = assay_prompts_read(context, NULL, &prompts);

    assay_prompts_free(prompts);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char csv[] = "p.csv", json[] = "p.json";

    (void)state;
    write_text(csv, "id,text,group\na,\xc3\xa9 x,g\nb,\xff,\na,\xc3\xa9 x,g\n");
    write_text(json,
               "{\"id\":\"a\",\"text\":\"x\",\"group\":\"g\"}\n{\"id\":\"b\",\"text\":\"y\"}");
    assert_true(fail_every_allocation(read_some, csv) > 15);
    assert_true(fail_every_allocation(read_some, json) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_json_rows_and_csv_give_the_same_prompts, empty_folder),
        cmocka_unit_test_teardown(test_the_more_usual_of_two_texts_serves_and_ids_may_be_numbers,
                                  empty_folder),
        cmocka_unit_test_teardown(test_options_name_the_columns, empty_folder),
        cmocka_unit_test_teardown(test_distinct_texts_are_counted_after_folding, empty_folder),
        cmocka_unit_test_teardown(test_rows_that_repeat_count_once, empty_folder),
        cmocka_unit_test_teardown(test_bytes_that_are_no_text_become_replacements, empty_folder),
        cmocka_unit_test_teardown(test_each_fault_has_its_sentence, empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
