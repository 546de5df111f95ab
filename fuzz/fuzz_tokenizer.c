/* SPDX-License-Identifier: Apache-2.0 */
/* A tokenizer must be opened or refused in the same way however its source cuts the file into pieces,
   and what it makes of a text must be ids that it has. The first byte says which file it is, a NUL
   ends the file, and the rest is the text. */
#include "pieces.h"
#include "tokens/tokenizer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* j: tokenizer.json; v: vocab.txt; anything else: tokenizer_config.json beside a small vocab.txt. */
static assay_status open_file(int kind, input file, assay_wordpiece **out)
{
    static const uint8_t small[] = "[UNK]\n[CLS]\n[SEP]\nthe\n##s\na\n##b\n";
    input vocabulary = { small, sizeof small - 1, sizeof small };
    assay_tokenizer_parts parts;
    assay_status status;

    *out = NULL;
    assay_tokenizer_start(&parts, "fuzz");
    if (kind == 'j') {
        status = assay_tokenizer_read_json(&parts, from_memory, &file);
    } else {
        if (kind == 'v') vocabulary = file;
        status = assay_tokenizer_read_vocabulary(&parts, from_memory, &vocabulary);
        if (kind != 'v' && status == ASSAY_OK)
            status = assay_tokenizer_read_config(&parts, "config", from_memory, &file);
        if (status == ASSAY_OK) status = assay_tokenizer_list_roles(&parts);
    }
    if (status == ASSAY_OK) status = assay_tokenizer_finish(&parts, out);
    assay_tokenizer_free(&parts);
    return status;
}

/* No token comes of nothing, and a character becomes at most three that are no spaces. */
static void encode(const assay_wordpiece *wordpiece, const uint8_t *text, size_t length)
{
    assay_tokens tokens = { 0 };

    check(assay_wordpiece_encode(wordpiece, (const char *)text, length, &tokens) == ASSAY_OK);
    check(tokens.n <= 3 * length);
    for (size_t k = 0; k < tokens.n; k++) check(tokens.ids[k] < assay_wordpiece_n(wordpiece));
    free(tokens.ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end;
    input whole, pieces;
    assay_wordpiece *a, *b;
    char sentence[1024];
    assay_status status;

    if (size == 0) return 0;
    end = memchr(data, '\0', size);
    whole = (input){ data + 1, (size_t)((end ? end : data + size) - data - 1), size };
    if (end == data) return 0;
    pieces = (input){ whole.data, whole.left, 1 + size % 7 };
    status = open_file(data[0], whole, &a);
    strcpy(sentence, status == ASSAY_OK ? "" : assay_last_error());
    check(open_file(data[0], pieces, &b) == status);
    check((status == ASSAY_OK) == (a != NULL) && (status == ASSAY_OK) == (b != NULL));
    if (a) {
        check(assay_wordpiece_n(a) == assay_wordpiece_n(b));
        if (end) encode(a, end + 1, size - (size_t)(end + 1 - data));
        encode(b, data, size);
    } else {
        check(strcmp(sentence, assay_last_error()) == 0);
    }
    assay_wordpiece_close(a);
    assay_wordpiece_close(b);
    return 0;
}
