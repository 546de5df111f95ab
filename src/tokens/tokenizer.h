/* SPDX-License-Identifier: Apache-2.0 */
/* A tokenizer from the inside, and as its files describe it. */
#ifndef ASSAY_TOKENS_TOKENIZER_H
#define ASSAY_TOKENS_TOKENIZER_H

#include "read/json_fields.h"
#include "tokens/added_tokens.h"
#include "tokens/bert_text.h"
#include "tokens/pieces.h"
#include "tokens/wordpiece.h"

struct assay_wordpiece {
    assay_pieces whole;           /* every piece: what a word may be or begin with */
    assay_pieces within;          /* those that go on with a word, without their prefix */
    assay_added_tokens raw, even; /* looked for in the text as it is, and in its even form */
    assay_bert_rules rules;
    size_t max_characters; /* of a word */
    size_t n_ids;
    assay_special_tokens special;
};

enum { ASSAY_N_IDS_MAX = 1 << 24, ASSAY_WORD_MAX = 1000, ASSAY_PREFIX_MAX = 16 };

/* The tokens with a meaning of their own, as BERT was trained with. */
enum { ASSAY_UNKNOWN, ASSAY_START, ASSAY_END, ASSAY_PADDING, ASSAY_MASK, ASSAY_N_ROLES };

/* An added token as a file lists it. */
typedef struct assay_listed_token {
    const char *path; /* where it is listed; borrowed */
    size_t line;
    char *text;
    int has_id;  /* how.id is what the file says */
    int is_even; /* looked for in the even form of a text, and even itself */
    assay_added_token how;
} assay_listed_token;

/* What the files say, until the last of them is read. */
typedef struct assay_tokenizer_parts {
    const char *path; /* of the file with the vocabulary */
    assay_pieces vocabulary;
    unsigned char *is_used; /* by id */
    size_t n_ids, is_used_capacity;
    assay_bert_rules rules;
    int strip; /* accents: 1, 0, or -1 for the same as lower */
    size_t max_characters;
    char *prefix;               /* of pieces within words; NULL: "##" */
    char *names[ASSAY_N_ROLES]; /* NULL: "[UNK]" and so on */
    assay_listed_token *listed;
    size_t n_listed, listed_capacity;
} assay_tokenizer_parts;

/* Start with the defaults; path is borrowed. Free it whatever happened. */
void assay_tokenizer_start(assay_tokenizer_parts *parts, const char *path);
void assay_tokenizer_free(assay_tokenizer_parts *parts);

/* Add a piece to the vocabulary; id is below ASSAY_N_IDS_MAX. ASSAY_OK; ASSAY_E_FORMAT for a piece that
   is empty, too long or not UTF-8, or that is there already, as for its id; ASSAY_E_NOMEM. */
assay_status assay_tokenizer_piece(assay_tokenizer_parts *parts, size_t line, const char *text,
                                   size_t length, uint32_t id);

/* List an added token. token->text becomes the list's or is freed; without text it is passed by.
   ASSAY_OK; ASSAY_E_FORMAT when it is too long, or one too many; ASSAY_E_NOMEM. */
assay_status assay_tokenizer_list(assay_tokenizer_parts *parts, const assay_listed_token *token);

/* The name of a role, which list_roles() makes an added token where the vocabulary has it. */
const char *assay_tokenizer_name(const assay_tokenizer_parts *parts, size_t role);
assay_status assay_tokenizer_list_roles(assay_tokenizer_parts *parts);

/* Read one file into the parts. A source and its user are as for assay_json_open(). ASSAY_OK; what the
   source returns; ASSAY_E_FORMAT; ASSAY_E_NOMEM. */
assay_status assay_tokenizer_read_json(assay_tokenizer_parts *parts, assay_json_source source,
                                       void *user);
assay_status assay_tokenizer_read_vocabulary(assay_tokenizer_parts *parts, assay_json_source source,
                                             void *user);

/* The file beside a vocabulary; path is borrowed until the parts are freed. */
assay_status assay_tokenizer_read_config(assay_tokenizer_parts *parts, const char *path,
                                         assay_json_source source, void *user);

/* A property of an assay_listed_token that starts as even (an assay_take_field). */
assay_status assay_tokenizer_take_property(void *token, const assay_json_fields *in,
                                           const char *key);

/* Make the tokenizer, owned by the caller; NULL on failure. ASSAY_OK; ASSAY_E_FORMAT when the parts do
   not agree; ASSAY_E_NOMEM. */
assay_status assay_tokenizer_finish(assay_tokenizer_parts *parts, assay_wordpiece **out);

#endif
