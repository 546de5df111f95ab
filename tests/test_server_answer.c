/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/server_answer.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD "{\"index\":0,\"embedding\":[1,2]}"

static const char *const faults[][2] = {
    { "", "h: the answer is not an object, expected one with data" },
    { "[]", "h: the answer is not an object, expected one with data" },
    { "<html>", "h: the answer:1:1: '<', expected a value" },
    { "{}", "h: an answer without data, expected 2 vectors" },
    { "{\"error\":{\"message\":\"no credit\"}}",
      "h: an answer without data, expected 2 vectors: no credit" },
    { "{\"data\":null,\"error\":\"x\"}", "h: an answer without data, expected 2 vectors: x" },
    { "{\"data\":{}}", "h: data is not an array, expected one of vectors" },
    { "{\"data\":[1]}", "h: data has something else than objects with an embedding" },
    { "{\"data\":[]}", "h: 0 vectors came, expected 2" },
    { "{\"data\":[" GOOD "]}", "h: 1 vectors came, expected 2" },
    { "{\"data\":[" GOOD "," GOOD "]}", "h: vector 0 came twice" },
    { "{\"data\":[" GOOD ",{\"index\":1,\"embedding\":[1]}]}",
      "h: vector 1 has 1 numbers, expected 2 as before" },
    { "{\"data\":[{\"index\":1}]}", "h: vector 1 has no numbers" },
    { "{\"data\":[{\"index\":1,\"embedding\":[]}]}", "h: vector 1 has no numbers" },
    { "{\"data\":[{\"embedding\":[1]}]}", "h: a vector without an index, expected one of 0 to 1" },
    { "{\"data\":[{\"index\":2,\"embedding\":[1]}]}",
      "h: a vector of index 2, expected one of 0 to 1" },
    { "{\"data\":[{\"index\":-1,\"embedding\":[1]}]}",
      "h: a vector of index -1, expected one of 0 to 1" },
    { "{\"data\":[{\"index\":0.5,\"embedding\":[1]}]}",
      "h: a vector of index 0.5, expected one of 0 to 1" },
    { "{\"data\":[{\"index\":NaN,\"embedding\":[1]}]}",
      "h: a vector of index nan, expected one of 0 to 1" },
    { "{\"data\":[{\"index\":\"0\",\"embedding\":[1]}]}", "h: an index is not a number" },
    { "{\"data\":[{\"index\":0,\"embedding\":{}}]}", "h: an embedding is not an array of numbers" },
    { "{\"data\":[{\"index\":0,\"embedding\":[[1]]}]}",
      "h: an embedding has something else than numbers" },
    { "{\"data\":[{\"index\":0,\"embedding\":[null]}]}",
      "h: an embedding has something else than numbers" },
    { "{\"data\":[{\"index\":0,\"embedding\":[NaN]}]}",
      "h: an embedding has a number that is not finite" },
    { "{\"data\":[{\"index\":0,\"embedding\":[1e39]}]}",
      "h: an embedding has a number that is not finite" },
    { "{\"data\":[{\"index\":0,\"embedding\":\"AACAfw==\"}]}",
      "h: an embedding has a number that is not finite" },
    { "{\"data\":[{\"index\":0,\"embedding\":\"AACAf\"}]}",
      "h: an embedding is a text of 5 bytes, expected numbers or base64" },
    { "{\"data\":[{\"index\":0,\"embedding\":\"AACA\"}]}",
      "h: an embedding is a text of 4 bytes, expected numbers or base64" },
    { "{\"data\":[{\"index\":0,\"embedding\":\"AA?Afw==\"}]}",
      "h: an embedding is a text that is not base64" },
    { "{\"data\":[{\"index\":0,\"embedding\":\"    AACAfwAAAAAA\"}]}",
      "h: an embedding is a text that is not base64" },
    { "{\"data\":[" GOOD ",{\"index\":1,\"embedding\":[1,2]}]} {}",
      "h: the answer goes on after its end" },
    { "{\"data\":[" GOOD ",", "h: the answer:1:40: the input ends here, expected a value" },
};

static void test_every_fault_of_an_answer_is_told(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        float *rows;
        size_t d = 0;

        assert_int_equal(
            assay_server_answer_read("h", faults[k][0], strlen(faults[k][0]), 2, &d, &rows),
            ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), faults[k][1]);
        assert_null(rows);
        assert_int_equal(d, 0);
    }
}

static void test_vectors_have_a_greatest_length(void **state)
{
    const size_t most = ASSAY_SERVER_MAX_DIMENSIONS;
    char *text = malloc(2 * most + 100);
    float *rows;
    size_t d = 0, at;

    (void)state;
    for (size_t extra = 0; extra < 2; extra++) {
        at = (size_t)sprintf(text, "{\"data\":[{\"index\":0,\"embedding\":[1");
        for (size_t k = 1; k < most + extra; k++) at += (size_t)sprintf(text + at, ",1");
        at += (size_t)sprintf(text + at, "]}]}");
        assert_int_equal(assay_server_answer_read("h", text, at, 1, &d, &rows),
                         extra ? ASSAY_E_FORMAT : ASSAY_OK);
        free(rows);
    }
    assert_string_equal(assay_last_error(), "h: an embedding has more than 65536 numbers");
    assert_int_equal(d, most);
    free(text);
}

static const char *const same[] = {
    "{\"data\":[{\"index\":0,\"embedding\":[1,2,3]},{\"index\":1,\"embedding\":[-4,0.5,6e0]}]}",
    "{\"x\":[{}],\"data\":[{\"embedding\":[-4,0.5,6],\"index\":1.0,\"x\":{\"index\":7}},"
    "{\"index\":0,\"embedding\":[1,2,3]}],\"usage\":null}",
    "{\"data\":[{\"index\":0,\"embedding\":\"AACAPwAAAEAAAEBA\"},"
    "{\"index\":1,\"embedding\":\"AACAwAAAAD8AAMBA\"}]}",
};

static void test_vectors_are_read_in_any_order_and_form(void **state)
{
    static const float wanted[] = { 1, 2, 3, -4, 0.5f, 6 };

    (void)state;
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        float *rows;
        size_t d = 0;

        assert_int_equal(assay_server_answer_read("h", same[k], strlen(same[k]), 2, &d, &rows),
                         ASSAY_OK);
        assert_int_equal(d, 3);
        assert_memory_equal(rows, wanted, sizeof wanted);
        free(rows);
    }
}

static assay_status read_one(void *context)
{
    float *rows;
    size_t d = 0;
    const assay_status status =
        assay_server_answer_read("h", context, strlen(context), 2, &d, &rows);

    free(rows);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char text[512];

    (void)state;
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        strcpy(text, same[k]);
        assert_true(fail_every_allocation(read_one, text) >= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_fault_of_an_answer_is_told),
        cmocka_unit_test(test_vectors_have_a_greatest_length),
        cmocka_unit_test(test_vectors_are_read_in_any_order_and_form),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
