/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logs/place.h"
#include "logs/text.h"

#include <stdio.h>
#include <string.h>

static const char *shown(assay_name name)
{
    static char text[100];

    if (!name.text) return "none";
    snprintf(text, sizeof text, "%.*s", (int)name.length, name.text);
    return text;
}

static void a_stem_is_the_name_without_its_endings(void **state)
{
    (void)state;
    assert_string_equal(shown(assay_log_stem("a/b.c/gpt-4.1.run.json")), "gpt-4.1.run");
    assert_string_equal(shown(assay_log_stem("x.jsonl.gz")), "x");
    assert_string_equal(shown(assay_log_stem("x.jsonlines")), "x");
    assert_string_equal(shown(assay_log_stem(".json")), ".json");
    assert_string_equal(shown(assay_log_stem("a/")), "");
}

static void folders_are_counted_from_the_file(void **state)
{
    (void)state;
    assert_string_equal(shown(assay_log_folder("a/b/c.json", 0)), "b");
    assert_string_equal(shown(assay_log_folder("a/b/c.json", 1)), "a");
    assert_string_equal(shown(assay_log_folder("a/b/c.json", 2)), "none");
    assert_string_equal(shown(assay_log_folder("/a/c.json", 0)), "a");
    assert_string_equal(shown(assay_log_folder("/a/c.json", 1)), "none");
    assert_string_equal(shown(assay_log_folder("/c.json", 0)), "none");
    assert_string_equal(shown(assay_log_folder("c.json", 0)), "none");
    assert_string_equal(shown(assay_log_folder("./c.json", 0)), "none");
    assert_string_equal(shown(assay_log_folder("../c.json", 0)), "none");
    assert_string_equal(shown(assay_log_folder("a//c.json", 0)), "none");
}

static void an_ending_alone_is_no_name(void **state)
{
    (void)state;
    assert_string_equal(shown(assay_log_without_end((assay_name){ "a_score", 7 }, "_score")), "a");
    assert_string_equal(shown(assay_log_without_end((assay_name){ "_score", 6 }, "_score")),
                        "none");
    assert_string_equal(shown(assay_log_without_end((assay_name){ "score", 5 }, "_score")), "none");
}

/* sha256sum of "hello" */
static void an_id_is_the_texts_digest(void **state)
{
    char id[ASSAY_LOG_HASH_SIZE];

    (void)state;
    assay_log_hash("hello", 5, id);
    assert_string_equal(id, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stem_is_the_name_without_its_endings),
        cmocka_unit_test(folders_are_counted_from_the_file),
        cmocka_unit_test(an_ending_alone_is_no_name),
        cmocka_unit_test(an_id_is_the_texts_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
