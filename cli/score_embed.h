/* SPDX-License-Identifier: Apache-2.0 */
/* What `--embed` of `assay score` names, and the vectors of the prompts by it. */
#ifndef ASSAY_CLI_SCORE_EMBED_H
#define ASSAY_CLI_SCORE_EMBED_H

#include <assay/prompts.h>
#include <assay/vectors.h>

enum score_embed_kind {
    SCORE_EMBED_TFIDF,
    SCORE_EMBED_FILE,    /* of vectors */
    SCORE_EMBED_ENCODER, /* a folder or a name, perhaps with how to take long texts: minilm:windows */
    SCORE_EMBED_SERVER   /* URL#MODEL */
};

/* What vectors were made by: for an encoder or a server, else kind is "". */
struct score_embedded {
    char kind[16], sha256[65];
    size_t max_tokens, n_truncated; /* of an encoder: prompts that are longer than it takes */
    size_t n_unknown;               /* texts that it mostly does not know */
    int long_texts;                 /* as assay_long_texts: what became of them */
};

/* How vectors are made, beside the name. */
struct score_embedding {
    int turns; /* as assay_turns */
    int threads, quiet;
};

/* What there is when --embed is not given: MiniLM if its weights are at hand, else TF-IDF. */
const char *score_embed_default(void);

enum score_embed_kind score_embed_kind(const char *embed);

/* ASSAY_OK; ASSAY_E_VALUE for a name that cannot be meant; ASSAY_E_READ for a model that is not here. */
assay_status score_embed_check(const char *embed);

/* The vectors, owned by the caller. ASSAY_OK, or a status whose sentence cli_failed() tells. */
assay_status score_embed(const char *embed, const assay_prompts *prompts,
                         const struct score_embedding *how, assay_vectors **out,
                         struct score_embedded *embedded);

/* TF-IDF: whether it is meant, and its options. */
int score_is_tfidf(const char *embed);
assay_status score_tfidf_options(const char *embed, assay_tfidf_options *options);

#endif
