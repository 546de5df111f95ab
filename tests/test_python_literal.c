/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/python_literal.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void reprs_are_json(void **state)
{
    static const struct {
        const char *python, *json;
    } cases[] = {
        { "{'acc': 1}", "{\"acc\":1}" },
        { " { 'a' : -0.5 , 'b' : 1e-05, } ", "{\"a\":-0.5,\"b\":1e-05}" },
        { "{'a': True, 'b': False, 'c': None}", "{\"a\":true,\"b\":false,\"c\":null}" },
        { "{'a': nan, 'b': inf, 'c': -inf}", "{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity}" },
        { "{'a': np.float64(0.25), 'b': numpy.int64(3)}", "{\"a\":0.25,\"b\":3}" },
        { "(1, 'x')", "[1,\"x\"]" },
        { "(1,)", "[1]" },
        { "[]", "[]" },
        { "{}", "{}" },
        { "[[1.], {'a': ()}]", "[[1.0],{\"a\":[]}]" },
        { "'it\\'s \"x\"'", "\"it's \\u0022x\\u0022\"" },
        { "\"it's\"", "\"it's\"" },
        { "'\\x41\\u4e2d\\U0001f600\\n\\\\'", "\"\\u0041\xe4\xb8\xad\xf0\x9f\x98\x80\\n\\\\\"" },
        { "{\"acc\": 1.0, \"em\": null}", "{\"acc\":1.0,\"em\":null}" },
        { "[-Infinity, +1, .5, -.5e+3, 2E-07]", "[-Infinity,1,0.5,-0.5e+3,2e-07]" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_log_text json = { 0 };

        assert_int_equal(assay_python_literal(cases[k].python, strlen(cases[k].python), &json),
                         ASSAY_OK);
        assert_string_equal(json.text, cases[k].json);
        free(json.text);
    }
}

static void anything_else_is_refused(void **state)
{
    static const char *const cases[] = {
        "",          "{",      "{'a'",      "{'a': }",       "{'a': 1",  "{a: 1}",
        "{1: 2}",    "'a",     "'\\",       "'\\x4'",        "'\\q'",    "1 2",
        "import os", "exec()", "f(1, 2)",   "f(1",           "{'a': 1]", "__import__('os').x",
        "[1, 2",     "[1,,2]", "{'a': 1;}", "'\\U00110000'", "lambda",   "{'a': b'x'}",
    };
    char deep[200];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assay_log_text json = { 0 };

        if (assay_python_literal(cases[k], strlen(cases[k]), &json) != ASSAY_E_FORMAT)
            fail_msg("\"%s\" was understood", cases[k]);
        free(json.text);
    }
    for (size_t depth = 60; depth < 70; depth++) {
        assay_log_text json = { 0 };

        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        assert_int_equal(assay_python_literal(deep, 2 * depth, &json),
                         depth <= 64 ? ASSAY_OK : ASSAY_E_FORMAT);
        free(json.text);
    }
}

static assay_status parse(void *context)
{
    const char *text = context;
    assay_log_text json = { 0 };
    assay_status status = assay_python_literal(text, strlen(text), &json);

    free(json.text);
    return status;
}

static void memory_may_run_out(void **state)
{
    char text[] = "{'a': -inf, 'b': [1, 'a longer text than one that fits at once, \\u4e2d']}";

    (void)state;
    assert_true(fail_every_allocation(parse, text) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reprs_are_json),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
