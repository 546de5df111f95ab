/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of its own for a model's files, and a tokenizer small enough to cut texts by hand. Include
   it after cmocka.h. */
#ifndef TESTS_TINY_TOKENIZER_H
#define TESTS_TINY_TOKENIZER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TINY_PAD, TINY_UNK, TINY_CLS, TINY_SEP, TINY_MASK, TINY_N = 20, TINY_FILES = 32 };

/* The lines of vocab.txt, TINY_N of them. */
#define TINY_VOCABULARY                                                                     \
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\nsat\non\nmat\n.\nun\n##able\n##a\n" \
    "##b\na\n!\n\xe6\x97\xa5\ni\n"

/* The same as an object of JSON. */
#define TINY_JSON_VOCABULARY                                                                       \
    "{\"[PAD]\":0,\"[UNK]\":1,\"[CLS]\":2,\"[SEP]\":3,\"[MASK]\":4,\"the\":5,\"cat\":6,\"##s\":7," \
    "\"sat\":8,\"on\":9,\"mat\":10,\".\":11,\"un\":12,\"##able\":13,\"##a\":14,\"##b\":15,"        \
    "\"a\":16,\"!\":17,\"\xe6\x97\xa5\":18,\"i\":19}"

/* tokenizer.json, but for the added tokens: a list in []. */
#define TINY_JSON(added)                                                            \
    "{\"added_tokens\":" added ",\n\"normalizer\":{\"type\":\"BertNormalizer\"},\n" \
    "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\n"                          \
    "\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\n"                  \
    "\"vocab\":" TINY_JSON_VOCABULARY "}}\n"

typedef struct tiny_folder {
    char path[32];
    char files[TINY_FILES][96];
    size_t n_files;
} tiny_folder;

static inline void tiny_make(tiny_folder *folder)
{
    *folder = (tiny_folder){ .path = "test_tiny_XXXXXX" };
    assert_non_null(mkdtemp(folder->path));
}

/* The path of a file of the folder, which tiny_remove() removes. */
static inline const char *tiny_path(tiny_folder *folder, const char *name)
{
    char *path = folder->files[folder->n_files++];
    const size_t n = strlen(folder->path);

    assert_true(folder->n_files <= TINY_FILES && n + strlen(name) + 2 <= sizeof folder->files[0]);
    memcpy(path, folder->path, n);
    path[n] = '/';
    strcpy(path + n + 1, name);
    return path;
}

static inline void tiny_write_bytes(tiny_folder *folder, const char *name, const void *bytes,
                                    size_t length)
{
    FILE *to = fopen(tiny_path(folder, name), "wb");

    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
}

static inline void tiny_write(tiny_folder *folder, const char *name, const char *text)
{
    tiny_write_bytes(folder, name, text, strlen(text));
}

/* A folder within. */
static inline void tiny_make_folder(tiny_folder *folder, const char *name)
{
    assert_int_equal(mkdir(tiny_path(folder, name), 0777), 0);
}

/* With all that was written there; what is within a folder came after it, and goes before it. */
static inline void tiny_remove(tiny_folder *folder)
{
    while (folder->n_files > 0) remove(folder->files[--folder->n_files]);
    assert_int_equal(rmdir(folder->path), 0);
}

#endif
