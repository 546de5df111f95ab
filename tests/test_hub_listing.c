/* SPDX-License-Identifier: Apache-2.0 */
#include "net/hub_listing.h"

#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define OID "ce013625030ba8dba906f756967f9e9ca394464a"
#define SHA "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
#define CONFIG "{\"type\":\"file\",\"path\":\"config.json\",\"size\":6,\"oid\":\"" OID "\"}"
#define MODEL(path)                                                                \
    "{\"lfs\":{\"oid\":\"" SHA "\",\"size\":6},\"type\":\"file\",\"path\":\"" path \
    "\",\"size\":134,\"oid\":\"" OID "\",\"xetHash\":\"x\"}"

static void test_a_list_is_read_whatever_its_order(void **state)
{
    static const char text[] = "[" CONFIG "," MODEL("model.safetensors") "," MODEL(
        "2_Dense/model.safetensors") ",{\"path\":\"vocab.txt\",\"type\":\"directory\"}]";
    assay_hub_listing list;

    (void)state;
    assert_int_equal(assay_hub_listing_read("a/b", text, sizeof text - 1, &list), ASSAY_OK);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.size, 18);
    assert_string_equal(list.files[0].path, "config.json");
    assert_int_equal(list.files[0].kind, ASSAY_DIGEST_GIT_BLOB);
    assert_string_equal(list.files[0].digest, OID);
    assert_int_equal(list.files[1].kind, ASSAY_DIGEST_SHA256);
    assert_string_equal(list.files[1].digest, SHA);
    assert_int_equal(list.files[1].size, 6);
    assert_true(assay_hub_listing_has(&list, "2_Dense"));
    assert_true(assay_hub_listing_has(&list, "2_Dense/model.safetensors"));
    assert_false(assay_hub_listing_has(&list, "2_Den"));
    assert_false(assay_hub_listing_has(&list, "vocab.txt"));
}

static void test_every_fault_of_a_list_is_told(void **state)
{
    static const char *const known[][2] = {
        { "{\"error\":\"x\"}",
          "a/b: the list of files is not an array of objects with type, path and size" },
        { "[1]", "a/b: the list of files is not an array of objects with type, path and size" },
        { "[", "a/b: the list of files:1:2: the input ends here, expected a value" },
        { "[{\"path\":1}]", "a/b: the list of files has path other than text" },
        { "[{\"lfs\":1}]",
          "a/b: the list of files is not an array of objects with type, path and size" },
        { "[{\"size\":\"1\"}]",
          "a/b: the list of files is not an array of objects with type, path and size" },
        { "[{\"type\":\"file\",\"path\":\"config.json\",\"size\":1}]",
          "a/b: the list of files states no size and digest for config.json, expected both" },
        { "[{\"type\":\"file\",\"path\":\"config.json\",\"size\":1,\"oid\":\"ABC\"}]",
          "a/b: the list of files states no size and digest for config.json, expected both" },
        { "[{\"type\":\"file\",\"path\":\"config.json\",\"oid\":\"" OID "\"}]",
          "a/b: the list of files states no size and digest for config.json, expected both" },
        { "[{\"type\":\"file\",\"path\":\"config.json\",\"size\":-1,\"oid\":\"" OID "\"}]",
          "a/b: the list of files states no size and digest for config.json, expected both" },
        { "[{\"type\":\"file\",\"path\":\"config.json\",\"size\":1e99,\"oid\":\"" OID "\"}]",
          "a/b: the list of files states no size and digest for config.json, expected both" },
        { "[" CONFIG "," CONFIG "]", "a/b: the list of files has config.json twice" },
        { "[" CONFIG "]", "a/b: no model.safetensors, expected the weights in that form" },
        { "[" CONFIG ",{\"type\":\"file\",\"path\":\"pytorch_model.bin\",\"size\":1}]",
          "a/b: no model.safetensors (it has pytorch_model.bin), expected the weights in that "
          "form" },
        { "[" MODEL("model.safetensors") "]", "a/b: no config.json, expected that of an encoder" },
    };
    static assay_hub_listing list;

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        assert_int_equal(assay_hub_listing_read("a/b", known[k][0], strlen(known[k][0]), &list),
                         ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), known[k][1]);
    }
}

static void test_only_known_paths_are_taken(void **state)
{
    static const char *const others[] = {
        "../config.json",
        "/config.json",
        "./config.json",
        "a/config.json",
        "1_/config.json",
        "1_a/b/config.json",
        "1_a/vocab.txt",
        "1_../config.json",
        "x1_a/config.json",
        "1_a\\u0000/config.json",
        "1_a//config.json",
        "config.json/",
        "config.json\\u0000x",
        "Config.json",
        "1_a",
        "",
    };
    static assay_hub_listing list;
    char text[1024];

    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        snprintf(text, sizeof text, "[%s,%s,{\"type\":\"file\",\"path\":\"%s\",\"size\":1}]",
                 CONFIG, MODEL("model.safetensors"), others[k]);
        assert_int_equal(assay_hub_listing_read("a/b", text, strlen(text), &list), ASSAY_OK);
        assert_int_equal(list.n, 2);
    }
}

static assay_status read_list(void *context)
{
    static const char text[] = "[" CONFIG "," MODEL("model.safetensors") "]";

    return assay_hub_listing_read("a/b", text, sizeof text - 1, context);
}

static void test_every_allocation_may_fail(void **state)
{
    static assay_hub_listing list;

    (void)state;
    assert_true(fail_every_allocation(read_list, &list) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_is_read_whatever_its_order),
        cmocka_unit_test(test_every_fault_of_a_list_is_told),
        cmocka_unit_test(test_only_known_paths_are_taken),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
