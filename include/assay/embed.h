/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as vectors: by a sentence encoder that runs here, or by a server. */
#ifndef ASSAY_EMBED_H
#define ASSAY_EMBED_H

#include "assay/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n vectors of d numbers as their model gives them, and how they came about. Opaque and unchanging;
   free with assay_embedding_free(). */
typedef struct assay_embedding assay_embedding;

ASSAY_API void assay_embedding_free(assay_embedding *embedding); /* NULL is fine */

ASSAY_API size_t assay_embedding_n(const assay_embedding *embedding);
ASSAY_API size_t assay_embedding_dimensions(const assay_embedding *embedding);

/* n x d, row-major, in the order of the texts; owned by the embedding. assay_write_npy() writes them. */
ASSAY_API const float *assay_embedding_rows(const assay_embedding *embedding);

/* Texts that are longer than the model takes, and whether text i is one; for a server, which does not
   say, 0. */
ASSAY_API size_t assay_embedding_n_long(const assay_embedding *embedding);
ASSAY_API int assay_embedding_is_long(const assay_embedding *embedding, size_t i);

/* Texts of which the model knows less than half: most of their tokens are [UNK], as for a script that it
   was not trained on. 0 for a server, which does not say. */
ASSAY_API size_t assay_embedding_n_unknown(const assay_embedding *embedding);

/* Tokens of all texts, before they are cut to the longest (0 for a server; model2vec cuts by characters
   first, which is not counted); different inputs among the texts, as the model sees
   them; and how many of those were found in the store. */
ASSAY_API size_t assay_embedding_n_tokens(const assay_embedding *embedding);
ASSAY_API size_t assay_embedding_n_distinct(const assay_embedding *embedding);
ASSAY_API size_t assay_embedding_n_stored(const assay_embedding *embedding);

/* Why vectors could not be looked up or kept in the store, one sentence that is safe to print; NULL when
   all went well, or no store was asked for. The rows are right in either case. */
ASSAY_API const char *assay_embedding_store_fault(const assay_embedding *embedding);

/* The rows as dense vectors of unit length, owned by the caller; NULL on failure. ASSAY_OK;
   ASSAY_E_VALUE for a number that is not finite; ASSAY_E_NOMEM. O(n d). */
ASSAY_API assay_status assay_vectors_from_embedding(const assay_embedding *embedding,
                                                    assay_vectors **out);

/* ---- an encoder that runs here ---- */

/* A model and its tokenizer. Opaque and unchanging, so that threads may share it; free with
   assay_encoder_free(). */
typedef struct assay_encoder assay_encoder;

/**
 * Open a folder as Hugging Face's hub has it.
 *
 * BERT models (config.json with model_type "bert" and absolute positions: MiniLM, BGE, E5, GTE) need
 * model.safetensors and tokenizer.json or vocab.txt; modules.json, pooling, maximum length and
 * normalising are taken from where sentence-transformers keeps them (without them: the mean of all
 * tokens, not normalised, of as many as there are positions). Static models need model.safetensors
 * with a table of tokens, and tokenizer.json; those of model2vec are read as it reads them (unknown
 * tokens say nothing), others as sentence-transformers does. The table of tokens is
 * mapped, not copied, where it is of 32-bit numbers.
 *
 * @param folder  borrowed for the call.
 * @param out     the encoder, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_READ when a file is missing; ASSAY_E_FORMAT when one is malformed, cut
 *         short, or of a kind that assay does not run (the sentence names it); ASSAY_E_NOMEM.
 * Cost: the weights are read once, for their digest.
 */
ASSAY_API assay_status assay_encoder_open(const char *folder, assay_encoder **out);
ASSAY_API void assay_encoder_free(assay_encoder *encoder); /* NULL is fine */

/* "bert", "model2vec" or "static" (sentence-transformers' own); numbers a vector; tokens of the longest
   text, [CLS] and [SEP] included, 0 where there is no limit; the SHA-256 of everything that decides
   a vector, in hexadecimal. Owned by the encoder. */
ASSAY_API const char *assay_encoder_kind(const assay_encoder *encoder);
ASSAY_API size_t assay_encoder_dimensions(const assay_encoder *encoder);
ASSAY_API size_t assay_encoder_max_tokens(const assay_encoder *encoder);
ASSAY_API const char *assay_encoder_sha256(const assay_encoder *encoder);

/* What becomes of texts that are longer than the model takes. Part of the ABI: never renumber. */
typedef enum assay_long_texts {
    ASSAY_LONG_CUT = 0,      /* the first tokens, as the model's authors do */
    ASSAY_LONG_WINDOWS = 1,  /* windows of about equal length, averaged by their tokens */
    ASSAY_LONG_HEAD_TAIL = 2 /* the first half of the tokens that fit, and the last */
} assay_long_texts;

/* Start from assay_embed_options_init(); later versions add fields only at the end. */
typedef struct assay_embed_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    assay_long_texts long_texts;
    const char *prefix; /* put before every text ("query: " for E5); NULL for none. Borrowed */
    const char *store;  /* folder where vectors are kept between calls; NULL for none. Borrowed */
    int threads;        /* 0: every processor */
    assay_progress progress;
} assay_embed_options;

ASSAY_API void assay_embed_options_init(assay_embed_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_embed_options_check(const assay_embed_options *options);

/**
 * The vectors of texts by an encoder.
 *
 * Equal token ids give the same vector to the bit, whatever else is embedded and for any number of
 * threads, and are computed once. (Other processors may differ in the last bits.)
 *
 * @param texts    n of them, ended by NUL; a byte that is not UTF-8 counts as U+FFFD. Borrowed.
 * @param options  NULL for the defaults.
 * @param out      owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE without texts; ASSAY_E_VALUE for options; ASSAY_E_DEGENERATE when
 *         the weights give a vector that is not finite; ASSAY_E_READ when the file of weights was
 *         written to meanwhile (one that is cut short ends the process, as for any mapped file);
 *         ASSAY_E_CANCELLED (what was done is in the store); ASSAY_E_NOMEM. A store that fails is no
 *         failure: assay_embedding_store_fault().
 * Cost: for BERT, with L layers of width d and inner width f, 4 L d (2 d + f) additions and
 * multiplications a token, and attention's 4 L d tokens of its text.
 */
ASSAY_API assay_status assay_embed(const assay_encoder *encoder, const char *const *texts, size_t n,
                                   const assay_embed_options *options, assay_embedding **out);

/* ---- a server ---- */

/* Start from assay_server_options_init(); later versions add fields only at the end. Strings are
   borrowed for the call. */
typedef struct assay_server_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    const char *model;  /* as the server calls it; required */
    const char *key;    /* sent as a bearer token, over https or to this machine only; NULL: none */
    const char *prefix; /* put before every text; NULL for none */
    const char *store;  /* folder where vectors are kept between calls; NULL for none */
    size_t batch;       /* texts a request, 1 to 4096; default 64 */
    int attempts;       /* for one request, 1 to 20; default 6 */
    double wait;        /* seconds before the second attempt, doubled each time up to a minute;
                           0 to 3600, default 1 */
    double timeout;     /* seconds an attempt may take, at most 86400; default 120 */
    assay_progress progress;
} assay_server_options;

ASSAY_API void assay_server_options_init(assay_server_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_server_options_check(const assay_server_options *options);

/**
 * The vectors of texts by a server that speaks OpenAI's embeddings protocol: POST URL/embeddings.
 *
 * Different texts are sent once; a text that is empty, prefix and all, is sent as a single space,
 * since many servers refuse an empty one. A server that is busy or fails (408, 429, 5xx, no answer)
 * is asked again later, as late as it asks for (Retry-After, up to an hour) or the options say, and
 * three times at most where nobody answers; one
 * that takes fewer texts at once is given half as many from then on. Redirections are not
 * followed. Proxies are used as libcurl's conventions have it (https_proxy), but not to this
 * machine. Vectors are stored as each answer comes, by the digest of the URL, the model and the
 * text with its prefix.
 *
 * @param url      such as http://localhost:8080/v1, with or without /embeddings at its end.
 * @param texts    n of them, ended by NUL; a byte that is not UTF-8 is sent as U+FFFD. Borrowed.
 * @param options  must name a model.
 * @param out      owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE without texts; ASSAY_E_VALUE for options, a URL that is neither
 *         http nor https, or a key that would go over the open network; ASSAY_E_READ when the server
 *         cannot be reached or refuses; ASSAY_E_FORMAT when its answer is not what was asked for;
 *         ASSAY_E_CANCELLED (what came is in the store); ASSAY_E_NOMEM. A store that fails is no
 *         failure: assay_embedding_store_fault().
 */
ASSAY_API assay_status assay_embed_by_server(const char *url, const char *const *texts, size_t n,
                                             const assay_server_options *options,
                                             assay_embedding **out);

#ifdef __cplusplus
}
#endif
#endif
