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

/* A row whose text part is this, with the id a. */
static const char *row_of(const char *key, const char *value)
{
    static char row[4096];

    assert_true((size_t)snprintf(row, sizeof row, "{\"id\":\"a\",\"%s\":%s}\n", key, value) <
                sizeof row);
    return row;
}

/* The turns are those of expected, which "|" parts. */
static void check_turns(const char *key, const char *value, const char *expected)
{
    assay_prompts *prompts = prompts_of(row_of(key, value));
    const size_t *first = assay_prompts_first_turns(prompts);
    const size_t n = assay_prompts_n_turns(prompts, 0);
    char turns[256] = "", text[256] = "";

    assert_int_equal(first[0], 0);
    assert_int_equal(first[1], n);
    assert_int_equal(assay_prompts_most_turns(prompts), n);
    for (size_t t = 0; t < n; t++) {
        strcat(strcat(turns, t ? "|" : ""), assay_prompts_turn(prompts, 0, t));
        strcat(strcat(text, t ? "\n\n" : ""), assay_prompts_turn(prompts, 0, t));
        assert_ptr_equal(assay_prompts_turns(prompts)[t], assay_prompts_turn(prompts, 0, t));
    }
    assert_string_equal(turns, expected);
    check_prompt(prompts, 0, "a", text, NULL);
    if (n == 1) assert_ptr_equal(assay_prompts_turn(prompts, 0, 0), assay_prompts_text(prompts, 0));
    assay_prompts_free(prompts);
    empty_folder(NULL);
}

static void test_turns_come_in_many_forms(void **state)
{
    (void)state;
    check_turns("prompt", "\"x\"", "x");
    check_turns("prompt", "[\"x\"]", "x");
    check_turns("turns", "[\"x\", \"y\", \"\"]", "x|y|");
    check_turns("messages", "[{\"role\":\"user\",\"content\":\"x\"}]", "x");
    check_turns("messages",
                "[{\"role\":\"system\",\"content\":\"s\"},{\"content\":\"x\",\"role\":\"user\"},"
                "{\"role\":\"assistant\",\"content\":\"y\"},{\"role\":\"user\",\"content\":\"z\"}]",
                "s|x|y|z");
    check_turns(
        "input",
        "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":"
        "\"image_url\",\"image_url\":{\"url\":\"u\"}},\"y\"]},{\"content\":{\"text\":\"z\"}}]",
        "x\ny|z");
    check_turns("conversations",
                "[{\"from\":\"human\",\"value\":\"x\"},{\"from\":\"gpt\",\"value\":\"y\"},"
                "{\"from\":\"human\",\"value\":\"z\"},{\"from\":\"gpt\",\"value\":\"answer\"}]",
                "x|y|z");
    check_turns("prompt",
                "{\"notes\":{},\"turns\":[{\"role\":\"user\",\"content\":{\"text\":\"x\",\"lang\":"
                "\"en\",\"data_path\":null}},{\"role\":\"user\",\"content\":{\"text\":\"y\"}}]}",
                "x|y");
    check_turns("conversation", "{\"messages\":[\"x\",{\"text\":\"y\"}]}", "x|y");
    check_turns("prompt", "{\"role\":\"user\",\"content\":\"x\"}", "x");
    check_turns("prompt", "{\"turns\":\"x\"}", "x");
    check_turns("prompt", "{\"text\":7}", "7");
}

static void test_the_answer_and_what_has_no_text_are_no_turns(void **state)
{
    (void)state;
    check_turns("messages",
                "[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"Assistant\",\"content\":\"y\"},"
                "{\"role\":\"assistant\",\"content\":\"y2\"}]",
                "x");
    check_turns(
        "messages",
        "[null,{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"assistant\",\"content\":null,"
        "\"tool_calls\":[{}]},{\"role\":\"tool\",\"content\":\"t\"},{},{\"content\":[]}]",
        "x|t");
    /* the more usual key serves wherever it comes, and a role may come last */
    check_turns(
        "messages",
        "[{\"text\":[true],\"value\":\"v\",\"content\":\"c\"},{\"content\":\"d\",\"value\":[1,"
        "[2]]},{\"text\":\"e\",\"content\":null},{\"value\":\"no\",\"from\":\"gpt\"}]",
        "c|d|e");
    check_turns("prompt",
                "{\"content\":true,\"turns\":[\"x\"],\"turns\":[\"y\"],\"messages\":null}", "y");
    check_turns("messages", "[{\"role\":[\"gpt\"],\"content\":\"x\"},{\"from\":{},\"value\":1e5}]",
                "x|1e5");
    check_turns("turns", "[\"x\\u0000\",\"\\ud800\"]", "x\xef\xbf\xbd|\xef\xbf\xbd");
}

static void test_the_usual_names_of_a_text_go_before_those_of_a_conversation(void **state)
{
    assay_prompts *prompts =
        prompts_of("{\"turns\":[[3]],\"messages\":[{}],\"question\":\"q\",\"id\":1}\n"
                   "{\"turns\":2,\"id\":2,\"question\":[\"x\",\"y\"],\"messages\":[7]}");

    (void)state;
    check_prompt(prompts, 0, "1", "q", NULL);
    check_prompt(prompts, 1, "2", "x\n\ny", NULL);
    assert_int_equal(assay_prompts_most_turns(prompts), 2);
    assert_int_equal(assay_prompts_n_turns(prompts, 0), 1);
    assert_int_equal(assay_prompts_first_turns(prompts)[2], 3);
    assert_string_equal(assay_prompts_turns(prompts)[2], "y");
    assay_prompts_free(prompts);
    check_turns("turns", "3", "3"); /* nothing else: a number is a text, as anywhere */
}

static void test_rows_repeat_when_their_turns_do(void **state)
{
    assay_prompts *prompts =
        prompts_of("{\"id\":1,\"turns\":[\"x\",\"y\"]}{\"id\":2,\"turns\":\"x\"}"
                   "{\"id\":2,\"turns\":[\"x\"]}"
                   "{\"id\":1,\"turns\":[{\"content\":\"x\"},\"y\"]}");

    (void)state;
    assert_int_equal(assay_prompts_n(prompts), 2);
    assert_int_equal(assay_prompts_n_repeated(prompts), 2);
    assay_prompts_free(prompts);
}

/* As deep as JSON may be, and as many turns. */
static void test_hostile_turns_are_read_or_refused(void **state)
{
    enum { DEEP = 990, MANY = 10000 };
    char *text = malloc(32 + 8 * MANY), *at = text;
    assay_prompts *prompts;

    (void)state;
    at += sprintf(at, "{\"id\":\"a\",\"prompt\":");
    for (int k = 0; k < DEEP; k++) *at++ = '[';
    for (int k = 0; k < DEEP; k++) *at++ = ']';
    strcpy(at, "}");
    assert_int_equal(assay_prompts_read(write_text("p", text), NULL, &prompts), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "p:1: turn 1 of a prompt is an array, expected a text or a message");
    at = text + sprintf(text, "{\"id\":\"a\",\"prompt\":[");
    for (int k = 0; k < MANY; k++) at += sprintf(at, "%s\"%d\"", k ? "," : "", k % 1000);
    strcpy(at, "]}");
    prompts = prompts_of(text);
    assert_int_equal(assay_prompts_n_turns(prompts, 0), MANY);
    assert_string_equal(assay_prompts_turn(prompts, 0, MANY - 1), "999");
    assert_int_equal(strlen(assay_prompts_text(prompts, 0)), MANY / 1000 * 2890 + 2 * (MANY - 1));
    assay_prompts_free(prompts);
    free(text);
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
                  "p:1: the prompt \"1\" has no text, expected one");
    check_refused("{\"id\":[1],\"prompt\":\"x\"}", ASSAY_E_FORMAT,
                  "p:1: the id of a prompt is an array, expected a text");
    check_refused(row_of("prompt", "[]"), ASSAY_E_FORMAT,
                  "p:1: the prompt \"a\" has no text, expected one");
    check_refused(row_of("messages", "[{\"role\":\"assistant\",\"content\":\"x\"}]"),
                  ASSAY_E_FORMAT, "p:1: the prompt \"a\" has no text, expected one");
    check_refused(row_of("messages", "{\"turns\":[null],\"notes\":1}"), ASSAY_E_FORMAT,
                  "p:1: the prompt \"a\" has no text, expected one");
    check_refused(row_of("prompt", "[\"x\", 3, [4]]"), ASSAY_E_FORMAT,
                  "p:1: turn 2 of a prompt is a number, expected a text or a message");
    check_refused(row_of("prompt", "[\"x\", {\"content\":[\"y\",[\"z\"]]}]"), ASSAY_E_FORMAT,
                  "p:1: turn 2 of a prompt is an array, expected a text or a message");
    check_refused(row_of("prompt", "[{\"content\":{\"text\":{\"text\":\"z\"}}}]"), ASSAY_E_FORMAT,
                  "p:1: turn 1 of a prompt is an object, expected a text or a message");
    check_refused(row_of("prompt", "[{\"content\":false}]"), ASSAY_E_FORMAT,
                  "p:1: turn 1 of a prompt is true or false, expected a text or a message");
    check_refused("id,messages\na,x\n", ASSAY_E_FORMAT,
                  "p:1: nothing is known to be the text of a prompt; there are: id, messages");
    check_refused("{\"id\":1,\"turns\":[\"x\",\"y\"]}{\"id\":1,\"turns\":\"x\\n\\ny\"}",
                  ASSAY_E_CONFLICT,
                  "p:1: the prompt \"1\" was there before with another number of turns, expected "
                  "each id once");
    check_refused("{\"id\":1,\"turns\":[\"x\",\"y\\n\\nz\"]}{\"id\":1,\"turns\":[\"x\\n\\ny\","
                  "\"z\"]}",
                  ASSAY_E_CONFLICT,
                  "p:1: the prompt \"1\" was there before with another division into turns, "
                  "expected each id once");
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
    char csv[] = "p.csv", json[] = "p.json", turns[] = "t.json";

    (void)state;
    write_text(csv, "id,text,group\na,\xc3\xa9 x,g\nb,\xff,\na,\xc3\xa9 x,g\n");
    write_text(json,
               "{\"id\":\"a\",\"text\":\"x\",\"group\":\"g\"}\n{\"id\":\"b\",\"text\":\"y\"}");
    write_text(turns,
               "{\"id\":\"a\",\"turns\":[\"x\",{\"content\":[\"y\",\"z\"]}]}\n"
               "{\"id\":\"b\",\"turns\":[\"x\"]}\n{\"id\":\"a\",\"turns\":[\"x\",\"y\\nz\"]}");
    assert_true(fail_every_allocation(read_some, turns) > 25);
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
        cmocka_unit_test_teardown(test_turns_come_in_many_forms, empty_folder),
        cmocka_unit_test_teardown(test_the_answer_and_what_has_no_text_are_no_turns, empty_folder),
        cmocka_unit_test_teardown(test_the_usual_names_of_a_text_go_before_those_of_a_conversation,
                                  empty_folder),
        cmocka_unit_test_teardown(test_rows_repeat_when_their_turns_do, empty_folder),
        cmocka_unit_test_teardown(test_hostile_turns_are_read_or_refused, empty_folder),
        cmocka_unit_test_teardown(test_each_fault_has_its_sentence, empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
