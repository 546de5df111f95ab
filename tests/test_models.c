/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/models.h"

#include "failing_memory.h"

#include "net/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char cache[] = "/tmp/assay-models-XXXXXX";

static char *in_cache(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", cache, name);
    return path;
}

static int make_cache(void **state)
{
    static const char *const folders[] = { "all-MiniLM-L6-v2", "me--mine", "own", "empty" };

    (void)state;
    if (!mkdtemp(cache)) return -1;
    for (size_t k = 0; k < 4; k++) {
        char path[512];
        FILE *to;

        if (mkdir(in_cache(folders[k]), 0777) != 0) return -1;
        snprintf(path, sizeof path, "%s/config.json", in_cache(folders[k]));
        if (k < 3 && (!(to = fopen(path, "w")) || fclose(to) != 0)) return -1;
    }
    return 0;
}

static int remove_cache(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        static const char *const files[] = { "all-MiniLM-L6-v2/config.json", "me--mine/config.json",
                                             "own/config.json" };
        unlink(in_cache(files[k]));
    }
    rmdir(in_cache("all-MiniLM-L6-v2"));
    rmdir(in_cache("me--mine"));
    rmdir(in_cache("own"));
    rmdir(in_cache("empty"));
    return rmdir(cache);
}

static void assert_found(const char *name, const char *where, const char *want)
{
    char *folder;

    if (assay_model_find(name, where, &folder) != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_string_equal(folder, want);
    free(folder);
}

static void assert_not_found(const char *name, const char *where, assay_status status,
                             const char *sentence)
{
    char *folder;

    assert_int_equal(assay_model_find(name, where, &folder), status);
    assert_null(folder);
    assert_string_equal(assay_last_error(), sentence);
}

static void test_a_model_is_found_by_each_of_its_names(void **state)
{
    (void)state;
    assert_found("all-MiniLM-L6-v2", cache, in_cache("all-MiniLM-L6-v2"));
    assert_found("minilm", cache, in_cache("all-MiniLM-L6-v2"));
    assert_found("sentence-transformers/all-MiniLM-L6-v2", cache, in_cache("all-MiniLM-L6-v2"));
    assert_found("me/mine", cache, in_cache("me--mine"));
    assert_found("own", cache, in_cache("own"));
}

static void test_a_folder_is_itself(void **state)
{
    char path[300];

    (void)state;
    assert_found(in_cache("own"), NULL, in_cache("own"));
    snprintf(path, sizeof path, "%s/", in_cache("own"));
    assert_found(path, "/none", path);
    snprintf(path, sizeof path, "%s/../own", in_cache("empty"));
    assert_found(path, NULL, path);
}

static void test_what_is_missing_can_be_brought(void **state)
{
    char sentence[512];

    (void)state;
    assert_not_found("minilm", "/none", ASSAY_E_READ,
                     "no model minilm in /none; assay embed --model minilm --download brings it");
    assert_not_found(
        "a/b.c_d-e", "/none", ASSAY_E_READ,
        "no model a/b.c_d-e in /none; assay embed --model a/b.c_d-e --download brings it");
    assert_not_found("you/all-MiniLM-L6-v2", "/none", ASSAY_E_READ,
                     "no model you/all-MiniLM-L6-v2 in /none; assay embed --model "
                     "you/all-MiniLM-L6-v2 --download brings it");
    assert_not_found("minilm", NULL, ASSAY_E_READ,
                     "no model minilm: no folder is known that models are kept in");
    snprintf(sentence, sizeof sentence,
             "no model empty in %s, expected a folder with a config.json, OWNER/NAME, or one of %s",
             cache, assay_model_short_names());
    assert_not_found("empty", cache, ASSAY_E_READ, sentence);
    snprintf(sentence, sizeof sentence,
             "no model x, expected a folder with a config.json, OWNER/NAME, or one of %s",
             assay_model_short_names());
    assert_not_found("x", NULL, ASSAY_E_READ, sentence);
}

static void test_what_cannot_be_a_name_is_refused(void **state)
{
    static const char *const bad[] = { "..",    ".",    "a/..",     "../a", "a/b/c", "/a",
                                       "a/",    ".a",   "a/.b",     "a..b", "-a",    "a-",
                                       "a.",    "a--b", "a b",      "a\nb", "a\\b",  "~/a",
                                       "a/b:c", "a%b",  "\xc3\xa9", "a//b", "a/-b",  "a/b--c" };
    char name[256], *folder, *sentence = NULL;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(assay_model_find(bad[k], cache, &folder), ASSAY_E_VALUE);
        assert_null(folder);
        sentence = strstr(assay_last_error(), " is neither a folder with a config.json nor a name, "
                                              "expected OWNER/NAME or such as all-MiniLM-L6-v2");
        assert_non_null(sentence);
    }
    assert_not_found("", cache, ASSAY_E_VALUE,
                     "model \"\" is neither a folder with a config.json nor a name, expected "
                     "OWNER/NAME or such as all-MiniLM-L6-v2");
    memset(name, 'a', sizeof name);
    for (size_t length = 96; length < 98; length++) { /* OWNER/NAME, each of that length */
        name[length] = '/';
        name[2 * length + 1] = '\0';
        assert_int_equal(assay_model_find(name, cache, &folder),
                         length == 96 ? ASSAY_E_READ : ASSAY_E_VALUE);
        name[length] = 'a';
        name[2 * length + 1] = 'a';
    }
}

/* Every short name is known, and none has another's folder unless it is the same model. */
static void test_short_names_are_those_of_the_table(void **state)
{
    static const char *const all[][2] = {
        { "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2" },
        { "minilm", "sentence-transformers/all-MiniLM-L6-v2" },
        { "all-MiniLM-L12-v2", "sentence-transformers/all-MiniLM-L12-v2" },
        { "bge-small-en-v1.5", "BAAI/bge-small-en-v1.5" },
        { "bge-base-en-v1.5", "BAAI/bge-base-en-v1.5" },
        { "e5-small-v2", "intfloat/e5-small-v2" },
        { "e5-base-v2", "intfloat/e5-base-v2" },
        { "gte-small", "thenlper/gte-small" },
        { "gte-base", "thenlper/gte-base" },
        { "potion-base-2M", "minishlab/potion-base-2M" },
        { "potion-base-4M", "minishlab/potion-base-4M" },
        { "potion-base-8M", "minishlab/potion-base-8M" },
        { "potion-base-32M", "minishlab/potion-base-32M" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        assay_model_name by_name, by_repo;

        assert_int_equal(assay_model_name_read(all[k][0], &by_name), ASSAY_OK);
        assert_string_equal(by_name.repo, all[k][1]);
        assert_string_equal(by_name.folder, strchr(all[k][1], '/') + 1);
        assert_int_equal(assay_model_name_read(all[k][1], &by_repo), ASSAY_OK);
        assert_memory_equal(&by_name, &by_repo, sizeof by_name);
        assert_non_null(strstr(assay_model_short_names(), all[k][0]));
    }
}

static assay_status find(void *context)
{
    char *folder;
    const assay_status status = assay_model_find(context, cache, &folder);

    free(folder);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_every_allocation(find, "minilm"), 1);
    assert_int_equal(fail_every_allocation(find, in_cache("own")), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_model_is_found_by_each_of_its_names),
        cmocka_unit_test(test_a_folder_is_itself),
        cmocka_unit_test(test_what_is_missing_can_be_brought),
        cmocka_unit_test(test_what_cannot_be_a_name_is_refused),
        cmocka_unit_test(test_short_names_are_those_of_the_table),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
