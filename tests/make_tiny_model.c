/* SPDX-License-Identifier: Apache-2.0 */
/* A BERT with random weights, in a folder as sentence-transformers has it: make_tiny_model FOLDER SEED.
   Its vocabulary is that of tests/tiny_tokenizer.h, and a text has at most 16 tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tiny_bert.h"

#define TOKEN(id, text)                                        \
    "{\"id\":" id ",\"content\":\"" text                       \
    "\",\"special\":true,\"normalized\":false,\"single_word\"" \
    ":false,\"lstrip\":false,\"rstrip\":false}"
#define SPECIAL                                                                        \
    "[" TOKEN("0", "[PAD]") "," TOKEN("1", "[UNK]") "," TOKEN("2", "[CLS]") "," TOKEN( \
        "3", "[SEP]") "," TOKEN("4", "[MASK]") "]"

int main(int argc, char **argv)
{
    static tiny_bert bert;
    tiny_folder folder = { .path = "." };

    if (argc != 3) {
        fputs("usage: make_tiny_model FOLDER SEED\n", stderr);
        return 2;
    }
    if (mkdir(argv[1], 0777) != 0 || chdir(argv[1]) != 0) {
        perror(argv[1]);
        return 1;
    }
    tiny_bert_new(&bert, tiny_even, strtoull(argv[2], NULL, 10));
    tiny_write_config(&folder, bert.shape, "");
    tiny_write_weights(&folder, &bert, (tiny_form){ .type = "F32" });
    tiny_write(&folder, "tokenizer.json", TINY_JSON(SPECIAL));
    tiny_write(&folder, "modules.json", TINY_MODULES(TINY_NORMALISE));
    tiny_write(&folder, "sentence_bert_config.json",
               "{\"max_seq_length\":16,\"do_lower_case\":false}");
    tiny_make_folder(&folder, "1_Pooling");
    tiny_write(&folder, "1_Pooling/config.json", TINY_MEAN);
    tiny_bert_free(&bert);
    return 0;
}
