/* SPDX-License-Identifier: Apache-2.0 */
/* Texts as vectors, by an encoder or a server, with the user's folders and keys: for `assay embed` and for
   `assay score --embed`. */
#ifndef ASSAY_CLI_EMBEDDER_H
#define ASSAY_CLI_EMBEDDER_H

#include <assay/embed.h>
#include <assay/models.h>

#define CLI_DEFAULT_MODEL "all-MiniLM-L6-v2"

struct cli_embedder {
    const char *model;  /* a folder or a name; with a server, its name for it */
    const char *server; /* a URL, or NULL */
    const char *prefix; /* before every text, or NULL */
    const char *cache;  /* the folder of models and vectors; NULL: the user's */
    int long_texts;     /* as assay_long_texts; not for a server */
    int no_store;       /* vectors are neither looked up nor kept */
    int threads, quiet;
};

/* What an embedder made, and what made it. */
struct cli_embedded {
    assay_embedding *embedding; /* a row a text */
    char kind[16];              /* "bert", "model2vec", "static" or "server" */
    char sha256[65];            /* of the model; "" for a server */
    size_t max_tokens;          /* 0: no limit, or not known */
};

/* A URL as it may be shown: without user, password and query, which may hold keys; other text as it is.
   What does not fit is cut. Returns out. */
enum { CLI_URL_SIZE = 400 };
const char *cli_url_shown(const char *url, char out[CLI_URL_SIZE]);

/* How an assay_long_texts is called: "cut", "windows" or "head-tail". */
const char *cli_long_name(int long_texts);

/* Where PART ("models" or "vectors") of the cache is: within given, or else within $XDG_CACHE_HOME/assay or
   ~/.cache/assay. Allocated; *path is NULL when there is no such place. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status cli_cache_folder(const char *given, const char *part, char **path);

/* Where a model is: a folder, or in the cache. Allocated; NULL on failure. As assay_model_find(). */
assay_status cli_find_model(const char *model, const char *cache, char **folder);

/* Bring a model from the hub ($HF_ENDPOINT, with $HF_TOKEN if that is set); where it now is is allocated. */
assay_status cli_download(const struct cli_embedder *embedder, char **folder);

/* ASSAY_OK, or a status whose sentence cli_failed() tells. The embedding is the caller's to free. */
assay_status cli_embed(const struct cli_embedder *embedder, const char *const *texts, size_t n,
                       struct cli_embedded *out);

/* How many of n prompts, whose turns are the texts from first[i] to first[i + 1] - 1, have a text
   that is longer than the model takes; and whether prompt i has. */
size_t cli_n_long(const assay_embedding *embedding, const size_t *first, size_t n);
int cli_is_long(const assay_embedding *embedding, const size_t *first, size_t i);

#endif
