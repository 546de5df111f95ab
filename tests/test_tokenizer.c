/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a tokenizer may not be, and how that is told. */
#include "tokens/tokenizer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tiny_tokenizer.h"

/* The sentence is told without the folder in front. */
static void check_folder(const tiny_folder *folder, assay_status expected, const char *sentence)
{
    assay_wordpiece *wordpiece;
    const size_t n = strlen(folder->path);

    assert_int_equal(assay_wordpiece_open(folder->path, &wordpiece), expected);
    assert_null(wordpiece);
    assert_memory_equal(assay_last_error(), folder->path, n);
    assert_string_equal(assay_last_error() + n, sentence);
}

static void check_bytes(const char *name, const char *bytes, size_t length, const char *sentence)
{
    tiny_folder folder;

    tiny_make(&folder);
    tiny_write_bytes(&folder, name, bytes, length);
    check_folder(&folder, ASSAY_E_FORMAT, sentence);
    tiny_remove(&folder);
}

static void check_json(const char *text, const char *sentence)
{
    check_bytes("tokenizer.json", text, strlen(text), sentence);
}

static void check_vocabulary(const char *text, const char *sentence)
{
    check_bytes("vocab.txt", text, strlen(text), sentence);
}

static void check_config(const char *text, const char *sentence)
{
    tiny_folder folder;

    tiny_make(&folder);
    tiny_write(&folder, "vocab.txt", TINY_VOCABULARY);
    tiny_write(&folder, "tokenizer_config.json", text);
    check_folder(&folder, ASSAY_E_FORMAT, sentence);
    tiny_remove(&folder);
}

static void test_folders_without_a_tokenizer_say_what_they_have(void **state)
{
    tiny_folder folder;

    (void)state;
    tiny_make(&folder);
    check_folder(&folder, ASSAY_E_READ, ": no tokenizer, expected tokenizer.json or vocab.txt");
    tiny_write(&folder, "merges.txt", "");
    check_folder(&folder, ASSAY_E_FORMAT,
                 ": a BPE tokenizer (merges.txt), expected WordPiece: tokenizer.json or vocab.txt");
    tiny_write(&folder, "sentencepiece.bpe.model", "");
    check_folder(&folder, ASSAY_E_FORMAT,
                 ": a SentencePiece tokenizer (sentencepiece.bpe.model), expected WordPiece: "
                 "tokenizer.json or vocab.txt");
    tiny_remove(&folder);
}

static void test_other_tokenizers_are_refused_by_name(void **state)
{
    (void)state;
    check_json("{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{}]},\n\"model\":\n"
               "{\"type\":\"Unigram\",\"vocab\":[[\"<s>\",0.0]]}}",
               "/tokenizer.json:3: a Unigram tokenizer, expected WordPiece");
    check_json("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[]}}",
               "/tokenizer.json:1: a BPE tokenizer, expected WordPiece");
    check_json("{\"model\":{\"vocab\":{\"[UNK]\":0}}}",
               "/tokenizer.json:1: a nameless tokenizer, expected WordPiece");
    check_json("{}", "/tokenizer.json:1: a nameless tokenizer, expected WordPiece");
    check_json("{\n\"normalizer\":{\"type\":\"Lowercase\"},\"model\":{\"type\":\"WordPiece\"}}",
               "/tokenizer.json:2: the normalizer Lowercase, expected BertNormalizer");
    check_json("{\"model\":{\"type\":\"WordPiece\"},\n\"pre_tokenizer\":{\"type\":\"ByteLevel\"}}",
               "/tokenizer.json:2: the pre-tokenizer ByteLevel, expected BertPreTokenizer");
    check_json("{\"model\":{\"type\":\"WordPiece\"}}",
               "/tokenizer.json: no pre-tokenizer, expected BertPreTokenizer");
    check_config("{\"tokenizer_class\":\n\"BertJapaneseTokenizer\"}",
                 "/tokenizer_config.json:2: the tokenizer BertJapaneseTokenizer, expected "
                 "BertTokenizer");
}

/* A tokenizer of this model. */
#define MODEL(rest)                                                                                \
    "{\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\n\"model\":{\"type\":\"WordPiece\"," rest \
    "}}"
#define VOCABULARY(pieces) MODEL("\"vocab\":{\"[UNK]\":0,\n" pieces "}")

static void test_vocabularies_of_json_that_are_malformed(void **state)
{
    (void)state;
    check_json(MODEL("\"vocab\":[]"),
               "/tokenizer.json:2: \"vocab\" is something else, expected an object of pieces");
    check_json(MODEL("\"vocab\":{}"), "/tokenizer.json: no vocabulary, expected one");
    check_json(MODEL("\"vocab\":{\"a\":0}"),
               "/tokenizer.json: the vocabulary has no \"[UNK]\", expected that for unknown words");
    check_json(VOCABULARY("\"a\":1.0"), "/tokenizer.json:3: \"a\" is 1.0, expected a whole number "
                                        "from 0 to 16777215");
    check_json(VOCABULARY("\"a\":-1"), "/tokenizer.json:3: \"a\" is -1, expected a whole number "
                                       "from 0 to 16777215");
    check_json(VOCABULARY("\"a\":16777216"), "/tokenizer.json:3: \"a\" is 16777216, expected a "
                                             "whole number from 0 to 16777215");
    check_json(VOCABULARY("\"a\":[[1]]"), "/tokenizer.json:3: \"a\" is no whole number, expected "
                                          "one from 0 to 16777215");
    check_json(VOCABULARY("\"a\":null"), "/tokenizer.json:3: \"a\" is no whole number, expected "
                                         "one from 0 to 16777215");
    check_json(VOCABULARY("\"a\":1,\n\"a\":2"),
               "/tokenizer.json:4: the piece \"a\" again, expected each once");
    check_json(VOCABULARY("\"a\":0"), "/tokenizer.json:3: the id 0 of \"a\" is that of another "
                                      "piece, expected its own");
    check_json(VOCABULARY("\"\":1"), "/tokenizer.json:3: a piece of 0 bytes, expected 1 to 1024");
}

static void test_models_of_json_that_are_malformed(void **state)
{
    (void)state;
    check_json("", "/tokenizer.json:1: \"tokenizer\" is something else, expected an object");
    check_json("[]", "/tokenizer.json:1: \"tokenizer\" is something else, expected an object");
    check_json("{\"model\":3}",
               "/tokenizer.json:1: \"model\" is something else, expected an object");
    check_json(MODEL("\"unk_token\":3"),
               "/tokenizer.json:2: \"unk_token\" is something else, expected text");
    check_json(MODEL("\"max_input_chars_per_word\":1001"),
               "/tokenizer.json:2: \"max_input_chars_per_word\" is 1001, expected a whole number "
               "from 0 to 1000");
    check_json(MODEL("\"continuing_subword_prefix\":\"12345678901234567\""),
               "/tokenizer.json:2: a continuing prefix of 17 bytes, expected at most 16");
    check_json("{\"normalizer\":{\"lowercase\":\"yes\"}}",
               "/tokenizer.json:1: \"lowercase\" is something else, expected true or false");
    check_json(VOCABULARY("\"a\":1") "\n{}",
               "/tokenizer.json:4: the file goes on behind its object, expected its end");
    check_json("{\"model\":{\"type\":\"WordPiece\",",
               "/tokenizer.json:1:30: the input ends here, expected a key");
}

static void test_added_tokens_that_are_malformed(void **state)
{
    (void)state;
    check_json("{\"added_tokens\":{}}",
               "/tokenizer.json:1: \"added_tokens\" is something else, expected an array");
    check_json("{\"added_tokens\":[3]}", "/tokenizer.json:1: \"added_tokens\" is something else, "
                                         "expected an array of objects");
    check_json(TINY_JSON("[\n{\"id\":5,\"content\":\"[SEP]\"}]"),
               "/tokenizer.json:2: the id 5 of the added token \"[SEP]\" is 3 elsewhere, expected "
               "one");
    check_json(TINY_JSON("[{\"id\":5,\"content\":\"[NEW]\"}]"),
               "/tokenizer.json:1: the id 5 of the added token \"[NEW]\" is that of another, "
               "expected its own");
    check_json(TINY_JSON("[{\"id\":50,\"content\":\"[NEW]\"},\n{\"id\":50,\"content\":\"[2]\"}]"),
               "/tokenizer.json:2: the id 50 of the added token \"[2]\" is that of another, "
               "expected its own");
    check_json(TINY_JSON("[{\"id\":4294967296,\"content\":\"[NEW]\"}]"),
               "/tokenizer.json:1: \"id\" is 4294967296, expected a whole number from 0 to "
               "16777215");
    check_config("{\"added_tokens_decoder\":{\n\"-1\":{}}}",
                 "/tokenizer_config.json:2: the id \"-1\", expected a whole number below 16777216");
    check_config("{\"added_tokens_decoder\":{\"99999999999\":{}}}",
                 "/tokenizer_config.json:1: the id \"99999999999\", expected a whole number below "
                 "16777216");
    check_config("{\"unk_token\":[]}",
                 "/tokenizer_config.json:1: \"unk_token\" is something else, expected text");
    check_config("{\"unk_token\":\"<unk>\"}", "/vocab.txt: the vocabulary has no \"<unk>\", "
                                              "expected that for unknown words");
}

static void test_vocabularies_of_lines_that_are_malformed(void **state)
{
    (void)state;
    check_vocabulary("", "/vocab.txt: no vocabulary, expected one");
    check_vocabulary("\n\n", "/vocab.txt: no vocabulary, expected one");
    check_vocabulary("the\n[UNK]\nthe\n",
                     "/vocab.txt:3: the piece \"the\" again, expected each once");
    check_vocabulary("[UNK]\n\xff\xfe\n",
                     "/vocab.txt:2: the piece \"\\xff\\xfe\" is not UTF-8, expected that");
    check_vocabulary(
        "the\n", "/vocab.txt: the vocabulary has no \"[UNK]\", expected that for unknown words");
}

/* Refused as soon as they are seen to be too long, or passed over. */
static void test_tokens_of_a_megabyte_are_refused(void **state)
{
    enum { SIZE = 1 << 20 };
    static const char before[] = VOCABULARY("\"");
    const size_t n = strlen(before) - 3; /* without }}} */
    char *text = malloc(SIZE + 64 + sizeof before);

    (void)state;
    assert_non_null(text);
    memset(text, 'a', SIZE);
    memcpy(text, "[UNK]\n", 6);
    check_bytes("vocab.txt", text, SIZE,
                "/vocab.txt:2: a piece of 1048570 bytes, expected 1 to 1024");
    memcpy(text, before, n);
    memset(text + n, 'a', SIZE);
    strcpy(text + n + SIZE, "\":1}}}");
    check_bytes("tokenizer.json", text, n + SIZE + 6,
                "/tokenizer.json:3: a piece of 1048576 bytes, expected 1 to 1024");
    memcpy(text, "{\"added_tokens\":[{\"content\":\"", 29);
    memset(text + 29, 'a', SIZE);
    strcpy(text + 29 + SIZE, "\"}]}");
    check_bytes("tokenizer.json", text, 29 + SIZE + 4,
                "/tokenizer.json:1: an added token of 1048576 bytes, expected at most 256");
    free(text);
}

/* Hands out a beginning, and then numbered lines for ever. */
typedef struct endless {
    const char *first, *format;
    unsigned line;
} endless;

static assay_status give_line(void *user, char *buffer, size_t size, size_t *got)
{
    endless *from = user;

    assert_true(size >= 2048);
    if (from->line == 0)
        *got = (size_t)snprintf(buffer, size, "%s", from->first);
    else
        *got = (size_t)snprintf(buffer, size, from->format, from->line);
    from->line++;
    return ASSAY_OK;
}

/* As from a few kilobytes of gzip. */
static void test_files_without_end_are_refused(void **state)
{
    endless lines = { "[UNK]\n", "%01024u\n", 0 };
    endless tokens = { "{\"added_tokens\":[{}\n", ",{\"content\":\"%u\"}\n", 0 };
    assay_tokenizer_parts parts;

    (void)state;
    assay_tokenizer_start(&parts, "vocab.txt");
    assert_int_equal(assay_tokenizer_read_vocabulary(&parts, give_line, &lines), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "vocab.txt:65537: more than 67108864 bytes of pieces, expected fewer");
    assay_tokenizer_free(&parts);
    lines = (endless){ "\n", "\n", 0 };
    assay_tokenizer_start(&parts, "vocab.txt");
    assert_int_equal(assay_tokenizer_read_vocabulary(&parts, give_line, &lines), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "vocab.txt:16777217: more than 16777216 lines, expected fewer");
    assay_tokenizer_free(&parts);
    assay_tokenizer_start(&parts, "t.json");
    assert_int_equal(assay_tokenizer_read_json(&parts, give_line, &tokens), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(),
                        "t.json:262146: more than 262144 added tokens, expected fewer");
    assay_tokenizer_free(&parts);
}

static void test_deep_nesting_is_refused(void **state)
{
    char text[2048] = "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a\":";

    (void)state;
    memset(text + strlen(text), '[', 1990);
    check_json(text,
               "/tokenizer.json:1: \"a\" is no whole number, expected one from 0 to 16777215");
}

static void test_the_largest_pieces_are_taken(void **state)
{
    char text[ASSAY_PIECE_MAX + 16] = "[UNK]\n";
    tiny_folder folder;
    assay_wordpiece *w;

    (void)state;
    memset(text + 6, 'a', ASSAY_PIECE_MAX);
    strcpy(text + 6 + ASSAY_PIECE_MAX, "\r\n");
    tiny_make(&folder);
    tiny_write(&folder, "vocab.txt", text);
    assert_int_equal(assay_wordpiece_open(folder.path, &w), ASSAY_OK);
    assert_int_equal(assay_wordpiece_n(w), 2);
    assay_wordpiece_close(w);
    tiny_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders_without_a_tokenizer_say_what_they_have),
        cmocka_unit_test(test_other_tokenizers_are_refused_by_name),
        cmocka_unit_test(test_vocabularies_of_json_that_are_malformed),
        cmocka_unit_test(test_models_of_json_that_are_malformed),
        cmocka_unit_test(test_added_tokens_that_are_malformed),
        cmocka_unit_test(test_vocabularies_of_lines_that_are_malformed),
        cmocka_unit_test(test_tokens_of_a_megabyte_are_refused),
        cmocka_unit_test(test_files_without_end_are_refused),
        cmocka_unit_test(test_deep_nesting_is_refused),
        cmocka_unit_test(test_the_largest_pieces_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
