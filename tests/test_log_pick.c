/* SPDX-License-Identifier: Apache-2.0 */
/* Values picked from objects, and the ways logs hold objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "logs/rows.h"
#include "read/text_source.h"

#include "reading.h"

#include <math.h>

/* What the callbacks were given, as text. */
typedef struct seen {
    char text[400];
    assay_picker *picker;
} seen;

static void add(seen *to, const char *text)
{
    size_t n = strlen(to->text);

    snprintf(to->text + n, sizeof to->text - n, "%s;", text);
}

static assay_status take(void *user, assay_json_reader *reader, const char *key,
                         const assay_value *value)
{
    char text[100];

    snprintf(text, sizeof text, "%s=%d:%s", key, (int)value->kind, value->text);
    add(user, text);
    return value->kind == ASSAY_JSON_OBJECT || value->kind == ASSAY_JSON_ARRAY
               ? assay_json_leave(reader)
               : ASSAY_OK;
}

static assay_status pick_first(assay_picker *picker, const char *text)
{
    assay_text_source source = { text, strlen(text) };
    assay_json_reader *reader = NULL;
    assay_json_event event;
    const char *bytes;
    size_t length;
    double number;
    assay_status status = assay_json_open("f", assay_text_source_read, &source, &reader);

    if (status == ASSAY_OK) status = assay_json_next(reader, &event, &bytes, &length, &number);
    if (status == ASSAY_OK) status = assay_picker_object(picker, reader);
    assay_json_close(reader);
    return status;
}

static void kept_values_are_as_they_stand(void **state)
{
    static const assay_pick picks[] = { { "a", NULL },    { "b/c", NULL }, { "d", NULL },
                                        { "gone", NULL }, { "n", NULL },   { "b", NULL },
                                        { "t/u", NULL } };
    assay_picker p;

    (void)state;
    assert_int_equal(assay_picker_open(&p, "f", picks, 7, NULL), ASSAY_OK);
    assert_int_equal(pick_first(&p,
                                "{\"x\":{\"a\":9},\"a\":\"A\\u0000B\",\"b\":{\"c\":1e3,\"a\":0},"
                                "\"d\":[1,{\"a\":2}],\"n\":null,\"t\":5}"),
                     ASSAY_OK);
    assert_int_equal(p.values[0].kind, ASSAY_JSON_STRING);
    assert_int_equal(p.values[0].length, 3);
    assert_int_equal(p.values[1].kind, ASSAY_JSON_NUMBER);
    assert_string_equal(p.values[1].text, "1e3");
    assert_true(p.values[1].number == 1000.0);
    assert_int_equal(p.values[2].kind, ASSAY_JSON_ARRAY);
    assert_int_equal(p.values[3].kind, ASSAY_JSON_END);
    assert_int_equal(p.values[4].kind, ASSAY_JSON_NULL);
    assert_int_equal(p.values[5].kind, ASSAY_JSON_OBJECT);
    assert_int_equal(p.values[6].kind, ASSAY_JSON_END);         /* "t" is no object */
    assert_int_equal(pick_first(&p, "{\"a\":true}"), ASSAY_OK); /* the next object forgets */
    assert_true(p.values[0].number == 1.0);
    assert_string_equal(assay_value_name(&p.values[0]).text, "true");
    assert_int_equal(p.values[1].kind, ASSAY_JSON_END);
    assay_picker_close(&p);
}

static void callbacks_get_any_key(void **state)
{
    static const assay_pick picks[] = { { "s/*", take }, { "s/named", NULL }, { "v/*/w", take } };
    seen got = { "", NULL };
    assay_picker p;

    (void)state;
    assert_int_equal(assay_picker_open(&p, "f", picks, 3, &got), ASSAY_OK);
    assert_int_equal(pick_first(&p, "{\"s\":{\"one\":1,\"named\":2,\"two\":[3],\"o\":{}},"
                                    "\"v\":{\"k\":{\"w\":\"x\",\"z\":0},\"l\":4}}"),
                     ASSAY_OK);
    assert_string_equal(got.text, "one=7:1;two=3:;o=1:;w=6:x;");
    assert_true(p.values[1].number == 2.0);
    assay_picker_close(&p);
}

static void a_key_that_stands_twice_is_an_error(void **state)
{
    static const assay_pick picks[] = { { "a", NULL } };
    assay_picker p;

    (void)state;
    assert_int_equal(assay_picker_open(&p, "f", picks, 1, NULL), ASSAY_OK);
    assert_int_equal(pick_first(&p, "{\"b\":1,\"b\":2,\n\"a\":1,\"a\":1}"), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "f:2: the key \"a\" stands twice in one object, expected once");
    assay_picker_close(&p);
}

/* ---- rows ---- */

static assay_status row_done(void *user)
{
    seen *to = user;

    add(to, assay_value_name(&to->picker->values[0]).text);
    return ASSAY_OK;
}

static assay_status rows_of(const char *text, seen *got, assay_results *results)
{
    static const assay_pick picks[] = { { "a", NULL } };
    const char *path = write_text("r.jsonl", text);
    assay_read_options options = defaults();
    char mapping[ASSAY_TABLE_NOTE_SIZE] = "";
    assay_table table = { .results = results, .options = &options, .mapping = mapping };
    assay_picker p;
    assay_status status = assay_input_open(path, NULL, &table.input);

    table.path = path;
    if (status == ASSAY_OK) status = assay_picker_open(&p, path, picks, 1, got);
    got->picker = &p;
    if (status == ASSAY_OK) status = assay_log_rows(&table, &p, row_done);
    assay_picker_close(&p);
    assay_input_close(table.input);
    unlink(written[--n_written]);
    return status;
}

static void rows_come_in_every_layout(void **state)
{
    static const char *const layouts[] = { "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}{\"a\":2}",
                                           "[{\"a\":1},{\"a\":2}]", "[{\"a\":1}]\n[{\"a\":2}]",
                                           "\xef\xbb\xbf{\"a\":1}\r\n\r\n{\"a\":2}" };

    (void)state;
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++) {
        seen got = { "", NULL };
        assay_results *results;

        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        assert_int_equal(rows_of(layouts[k], &got, results), ASSAY_OK);
        assert_string_equal(got.text, "1;2;");
        assay_results_free(results);
    }
}

static void a_cut_tail_keeps_the_rows_before(void **state)
{
    seen got = { "", NULL };
    assay_results *results;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(rows_of("{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"b\"", &got, results), ASSAY_OK);
    assert_string_equal(got.text, "1;2;");
    assert_true(assay_results_damaged(results));
    assert_true(has_note(results, "r.jsonl:3: cut short; the 2 rows before were read"));
    assert_int_equal(rows_of("{\"a\":1", &got, results), ASSAY_E_FORMAT);
    assert_int_equal(rows_of("{\"a\":1}\n{\"a\" 2}\n", &got, results), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "r.jsonl:2:6: '2', expected ':'");
    assert_int_equal(rows_of("[]", &got, results), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "r.jsonl: holds no object, expected rows");
    assert_int_equal(rows_of("{\"a\":1}\n7", &got, results), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "r.jsonl:2: a value that is no object, expected a row");
    assay_results_free(results);
}

static void a_file_beside_may_be_missing(void **state)
{
    static const assay_pick picks[] = { { "a", NULL } };
    const char *path = write_text("beside.json", "{\"a\":7}");
    char *beside = assay_log_beside("x/y/z.json", "w.json"), *here = assay_log_beside("z", "w");
    assay_picker p;
    int found;

    (void)state;
    assert_string_equal(beside, "x/y/w.json");
    assert_string_equal(here, "w");
    free(beside);
    free(here);
    assert_int_equal(assay_picker_open(&p, path, picks, 1, NULL), ASSAY_OK);
    assert_int_equal(assay_log_pick_file(&p, path, NULL, &found), ASSAY_OK);
    assert_true(found);
    assert_true(p.values[0].number == 7.0);
    assert_int_equal(assay_log_pick_file(&p, "nowhere.json", NULL, &found), ASSAY_OK);
    assert_false(found);
    assert_int_equal(p.values[0].kind, ASSAY_JSON_END);
    assay_picker_close(&p);
}

static assay_status pick_and_free(void *context)
{
    static const assay_pick picks[] = { { "a", NULL }, { "s/*", take } };
    seen got = { "", NULL };
    assay_picker p;
    assay_status status = assay_picker_open(&p, "f", picks, 2, &got);

    (void)context;
    if (status == ASSAY_OK) status = pick_first(&p, "{\"a\":\"text\",\"s\":{\"t\":1}}");
    assay_picker_close(&p);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(pick_and_free, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_values_are_as_they_stand),
        cmocka_unit_test(callbacks_get_any_key),
        cmocka_unit_test(a_key_that_stands_twice_is_an_error),
        cmocka_unit_test_teardown(rows_come_in_every_layout, empty_folder),
        cmocka_unit_test_teardown(a_cut_tail_keeps_the_rows_before, empty_folder),
        cmocka_unit_test_teardown(a_file_beside_may_be_missing, empty_folder),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
