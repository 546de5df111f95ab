/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens/wordpiece.h"

#include "failing_memory.h"
#include "read/input.h"
#include "read/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "real_model.h"
#include "tiny_tokenizer.h"

static assay_wordpiece *open_ok(const char *folder)
{
    assay_wordpiece *wordpiece;

    if (assay_wordpiece_open(folder, &wordpiece) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return wordpiece;
}

/* The tokenizer of a folder with this one file. */
static assay_wordpiece *open_text(const char *name, const char *text)
{
    assay_wordpiece *wordpiece;
    tiny_folder folder;

    tiny_make(&folder);
    tiny_write(&folder, name, text);
    wordpiece = open_ok(folder.path);
    tiny_remove(&folder);
    return wordpiece;
}

/* The ids of a text, each behind a space. */
static void check(const assay_wordpiece *wordpiece, const char *text, const char *expected)
{
    assay_tokens tokens = { 0 };
    char ids[1024] = "";
    size_t used = 0;

    assert_int_equal(assay_wordpiece_encode(wordpiece, text, strlen(text), &tokens), ASSAY_OK);
    for (size_t k = 0; k < tokens.n; k++)
        used += (size_t)snprintf(ids + used, sizeof ids - used, " %u", tokens.ids[k]);
    assert_string_equal(ids, expected);
    free(tokens.ids);
}

static void test_texts_by_hand(void **state)
{
    assay_wordpiece *w = open_text("vocab.txt", TINY_VOCABULARY);

    (void)state;
    check(w, "", "");
    check(w, " \t\n", "");
    check(w, "The cats sat.", " 5 6 7 8 11");
    check(w, "c\xc3\xa1ts!THE", " 6 7 17 5");
    check(w, "unable unab", " 12 13 12 14 15"); /* the longest piece that fits */
    check(w, "unable\xe6\x97\xa5un", " 12 13 18 12");
    check(w, "unax sat", " 1 8"); /* the word as a whole */
    check(w, "dog", " 1");
    check(w,
          "c\xff"
          "at",
          " 6"); /* U+FFFD is removed */
    assert_int_equal(assay_wordpiece_n(w), TINY_N);
    assay_wordpiece_close(w);
    assay_wordpiece_close(NULL);
}

static void test_ids_are_appended(void **state)
{
    assay_wordpiece *w = open_text("vocab.txt", TINY_VOCABULARY);
    assay_tokens tokens = { 0 };

    (void)state;
    assert_int_equal(assay_wordpiece_encode(w, "the", 3, &tokens), ASSAY_OK);
    assert_int_equal(assay_wordpiece_encode(w, "unax", 4, &tokens), ASSAY_OK);
    assert_int_equal(assay_wordpiece_encode(w, "a\0b", 3, &tokens), ASSAY_OK);
    assert_int_equal(tokens.n, 4);
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(tokens.ids[k], ((const uint32_t[]){ 5, TINY_UNK, 16, 15 })[k]);
    free(tokens.ids);
    assay_wordpiece_close(w);
}

static void test_a_word_of_more_than_100_characters_is_unknown(void **state)
{
    assay_wordpiece *w = open_text("vocab.txt", TINY_VOCABULARY);
    char word[102], expected[512] = " 16";

    (void)state;
    memset(word, 'a', 101);
    word[101] = '\0';
    check(w, word, " 1");
    word[100] = '\0';
    for (size_t k = 1; k < 100; k++) strcat(expected, " 14");
    check(w, word, expected);
    assay_wordpiece_close(w);
}

static void test_special_tokens_are_named(void **state)
{
    assay_wordpiece *w = open_text("vocab.txt", TINY_VOCABULARY);
    assay_special_tokens special = assay_wordpiece_special(w);

    (void)state;
    assert_true(special.unknown == TINY_UNK && special.start == TINY_CLS);
    assert_true(special.end == TINY_SEP && special.padding == TINY_PAD);
    check(w, "the[SEP]cat [MASK]", " 5 3 6 4");
    check(w, "[sep]", " 1 1 1");
    assay_wordpiece_close(w);
    w = open_text("vocab.txt", "[UNK]\r\nthe\r\n\r\ncat"); /* an empty line is only counted */
    special = assay_wordpiece_special(w);
    assert_true(special.unknown == 0 && special.start == -1 && special.padding == -1);
    check(w, "the cat", " 1 3");
    assert_int_equal(assay_wordpiece_n(w), 4);
    assay_wordpiece_close(w);
}

static void test_the_config_says_how_a_vocabulary_is_meant(void **state)
{
    tiny_folder folder;
    assay_wordpiece *w;

    (void)state;
    tiny_make(&folder);
    tiny_write(&folder, "vocab.txt", "<u>\n<s>\nThe\n\xe6\x97\xa5\xe6\x97\xa5\ncaf\xc3\xa9\n");
    tiny_write(&folder, "tokenizer_config.json",
               "{\"do_lower_case\": false, \"tokenize_chinese_chars\": false,\n"
               "\"strip_accents\": null, \"tokenizer_class\": \"BertTokenizerFast\",\n"
               "\"unk_token\": {\"content\": \"<u>\", \"lstrip\": false}, \"cls_token\": \"<s>\",\n"
               "\"sep_token\": null, \"added_tokens_decoder\":\n"
               "{\"0\": {\"content\": \"<u>\", \"normalized\": false}, \"7\": {\"content\": "
               "\"<new>\"}}}");
    w = open_ok(folder.path);
    check(w, "The the caf\xc3\xa9 \xe6\x97\xa5\xe6\x97\xa5<s>The<new>", " 2 0 4 3 1 2 7");
    assert_int_equal(assay_wordpiece_special(w).start, 1);
    assert_int_equal(assay_wordpiece_n(w), 8);
    assay_wordpiece_close(w);
    tiny_remove(&folder);
}

/* Every expectation is that of tokenizers 0.23.3 with the same file. */
static void test_added_tokens_take_what_they_say(void **state)
{
    assay_wordpiece *w = open_text(
        "tokenizer.json",
        TINY_JSON("[{\"id\":3,\"content\":\"[SEP]\",\"special\":true,\"normalized\":false},"
                  "{\"id\":20,\"content\":\"<L>\",\"lstrip\":true,\"normalized\":false},"
                  "{\"id\":21,\"content\":\"<R>\",\"rstrip\":true,\"normalized\":false},"
                  "{\"id\":9,\"content\":\"on\",\"single_word\":true,"
                  "\"normalized\":false},"
                  "{\"id\":22,\"content\":\"\xc3\x89 At\",\"normalized\":true},"
                  "{\"id\":23,\"content\":\"<R><L>\",\"normalized\":false},"
                  "{\"id\":25,\"content\":\"\",\"normalized\":false}]"));

    (void)state;
    check(w, "cat[SEP]cat", " 6 3 6");
    check(w, "cat <L> cat <R> cat", " 6 20 6 21 6");
    check(w, "<R> <L>", " 21 20");
    check(w, "<R><L>", " 23"); /* the longest */
    check(w, "the on cat xon onx on", " 5 9 6 1 1 9");
    check(w, "the e aT cat", " 5 22 6"); /* even on both sides */
    check(w, "<r>", " 1 1 1");
    assay_wordpiece_close(w);
}

static void test_rules_are_those_of_the_file(void **state)
{
    static const char format[] =
        "{\"normalizer\":%s,\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"model\":{\"type\":"
        "\"WordPiece\",\"vocab\":{\"?\":9,\"A\":0,\"a\":1,\"\xc3\x89\":2,\"\xc3\xa9\":3,\"E\":4,"
        "\"e\":5,\"-\xe6\x97\xa5\":6,\"\xe6\x97\xa5\":7},\"continuing_subword_prefix\":\"-\","
        "\"max_input_chars_per_word\":3,\"unk_token\":\"?\"}}";
    static const struct {
        const char *rules, *expected;
    } cases[] = {
        { "null", " 0 6 2 9 9" },
        { "{\"type\":\"BertNormalizer\"}", " 1 7 5 9 1" },
        { "{\"type\":\"BertNormalizer\",\"lowercase\":false}", " 0 7 2 9 0" },
        { "{\"type\":\"BertNormalizer\",\"lowercase\":false,\"strip_accents\":true}",
          " 0 7 4 9 0" },
        { "{\"type\":\"BertNormalizer\",\"strip_accents\":false}", " 1 7 3 9 1" },
        { "{\"type\":\"BertNormalizer\",\"handle_chinese_chars\":false}", " 1 6 5 9 1" },
        { "{\"type\":\"BertNormalizer\",\"clean_text\":false}", " 1 7 5 9 9" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1024];
        assay_wordpiece *w;

        snprintf(text, sizeof text, format, cases[k].rules);
        w = open_text("tokenizer.json", text);
        check(w, "A\xe6\x97\xa5 \xc3\x89 aaaa A\x01", cases[k].expected);
        assay_wordpiece_close(w);
    }
}

static void test_tokenizer_json_comes_first(void **state)
{
    tiny_folder folder;
    assay_wordpiece *w;

    (void)state;
    tiny_make(&folder);
    tiny_write(&folder, "vocab.txt", "[UNK]\nthe\n");
    tiny_write(&folder, "tokenizer.json", TINY_JSON("[]"));
    w = open_ok(folder.path);
    check(w, "the", " 5");
    assay_wordpiece_close(w);
    tiny_remove(&folder);
}

/* ---- the real tokenizer ---- */

/* 1 when there are the real tokenizer and the golden strings; else it says what is missing. */
static int golden_model(char path[REAL_MODEL_PATH])
{
    if (real_model(path) && access(ASSAY_SHARED_FOLDER "/golden/minilm", R_OK) == 0) return 1;
    print_message("skipped: no model at %s, or no golden strings beside the repository\n", path);
    return 0;
}

/* The next string of the golden file with its ids; 0 at the end. */
static int next_golden(assay_json_reader *reader, char *text, size_t *length, uint32_t *ids,
                       size_t *n)
{
    const char *value;
    size_t bytes;
    double number;
    assay_json_event event;
    int is_ids = 0;

    *n = 0;
    do {
        assert_int_equal(assay_json_next(reader, &event, &value, &bytes, &number), ASSAY_OK);
        if (event == ASSAY_JSON_KEY) is_ids = strcmp(value, "ids") == 0;
        if (event == ASSAY_JSON_STRING) memcpy(text, value, *length = bytes);
        if (event == ASSAY_JSON_NUMBER && is_ids) ids[(*n)++] = (uint32_t)number;
    } while (event != ASSAY_JSON_OBJECT_END && event != ASSAY_JSON_END);
    return event == ASSAY_JSON_OBJECT_END;
}

/* The ids were cut to 256, [CLS] and [SEP] included. */
static size_t check_golden(const assay_wordpiece *wordpiece)
{
    static char text[1 << 16];
    static uint32_t ids[1 << 12];
    assay_input_stream *input;
    assay_json_reader *reader;
    assay_tokens tokens = { 0 };
    size_t length = 0, n = 0, n_strings = 0;

    assert_int_equal(
        assay_input_open(ASSAY_SHARED_FOLDER "/golden/minilm/strings.json", NULL, &input),
        ASSAY_OK);
    assert_int_equal(assay_json_open("strings.json", assay_input_read, input, &reader), ASSAY_OK);
    for (; next_golden(reader, text, &length, ids, &n); n_strings++) {
        tokens.n = 0;
        assert_int_equal(assay_wordpiece_encode(wordpiece, text, length, &tokens), ASSAY_OK);
        if (tokens.n > 254) tokens.n = 254;
        assert_int_equal(tokens.n + 2, n);
        assert_int_equal(ids[0], assay_wordpiece_special(wordpiece).start);
        assert_int_equal(ids[n - 1], assay_wordpiece_special(wordpiece).end);
        if (tokens.n > 0) assert_memory_equal(tokens.ids, ids + 1, tokens.n * sizeof *ids);
    }
    free(tokens.ids);
    assay_json_close(reader);
    assay_input_close(input);
    return n_strings;
}

static void test_golden_strings_by_tokenizer_json(void **state)
{
    char folder[REAL_MODEL_PATH];
    assay_wordpiece *w;

    (void)state;
    if (!golden_model(folder)) skip();
    w = open_ok(folder);
    assert_int_equal(assay_wordpiece_n(w), 30522);
    assert_int_equal(check_golden(w), 48);
    assay_wordpiece_close(w);
}

static void link_file(tiny_folder *folder, const char *model, const char *name)
{
    char *target = realpath(model, NULL), path[1024];

    assert_non_null(target);
    snprintf(path, sizeof path, "%s/%s", target, name);
    free(target);
    assert_int_equal(symlink(path, tiny_path(folder, name)), 0);
}

static void test_golden_strings_by_vocab_txt(void **state)
{
    char model[REAL_MODEL_PATH];
    tiny_folder folder;
    assay_wordpiece *w;

    (void)state;
    if (!golden_model(model)) skip();
    tiny_make(&folder);
    link_file(&folder, model, "vocab.txt");
    link_file(&folder, model, "tokenizer_config.json");
    w = open_ok(folder.path);
    assert_int_equal(assay_wordpiece_n(w), 30522);
    assert_int_equal(check_golden(w), 48);
    assay_wordpiece_close(w);
    tiny_remove(&folder);
}

/* ---- memory ---- */

static assay_status open_and_encode(void *context)
{
    static const char text[] = "unable <even>[SEP] \xf0\x9d\x85\xad\xf0\x9d\x85\xa5 cats sat on";
    assay_tokens tokens = { 0 };
    assay_wordpiece *w;
    assay_status status = assay_wordpiece_open(context, &w);

    assert_true((status == ASSAY_OK) == (w != NULL));
    if (status == ASSAY_OK) status = assay_wordpiece_encode(w, text, sizeof text - 1, &tokens);
    free(tokens.ids);
    assay_wordpiece_close(w);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    tiny_folder folder;

    (void)state;
    tiny_make(&folder);
    tiny_write(&folder, "vocab.txt", TINY_VOCABULARY);
    tiny_write(&folder, "tokenizer_config.json",
               "{\"unk_token\":\"[UNK]\",\"cls_token\":{\"content\":\"[CLS]\"},\"tokenizer_class\":"
               "\"BertTokenizer\",\"added_tokens_decoder\":{\"30\":{\"content\":\"<even>\"}}}");
    assert_true(fail_every_allocation(open_and_encode, folder.path) > 20);
    tiny_write(&folder, "tokenizer.json",
               TINY_JSON("[{\"id\":3,\"content\":\"[SEP]\",\"normalized\":false},"
                         "{\"id\":30,\"content\":\"<even>\"}]"));
    assert_true(fail_every_allocation(open_and_encode, folder.path) > 20);
    tiny_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_by_hand),
        cmocka_unit_test(test_ids_are_appended),
        cmocka_unit_test(test_a_word_of_more_than_100_characters_is_unknown),
        cmocka_unit_test(test_special_tokens_are_named),
        cmocka_unit_test(test_the_config_says_how_a_vocabulary_is_meant),
        cmocka_unit_test(test_added_tokens_take_what_they_say),
        cmocka_unit_test(test_rules_are_those_of_the_file),
        cmocka_unit_test(test_tokenizer_json_comes_first),
        cmocka_unit_test(test_golden_strings_by_tokenizer_json),
        cmocka_unit_test(test_golden_strings_by_vocab_txt),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
