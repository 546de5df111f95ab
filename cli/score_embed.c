/* SPDX-License-Identifier: Apache-2.0 */
#include "score_embed.h"

#include "embedder.h"
#include "score_answer.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static assay_status by_tfidf(const char *embed, const assay_prompts *prompts, assay_vectors **out);
static assay_status by_embedder(const char *embed, const assay_prompts *prompts,
                                const struct score_embedding *how, assay_vectors **out,
                                struct score_embedded *embedded);
static assay_status check_encoder(const char *embed);
static void split(char *embed, struct cli_embedder *embedder);

const char *score_embed_default(void)
{
    static const char name[] = "minilm";
    char *folder;
    int is_there = cli_find_model(name, NULL, &folder) == ASSAY_OK;

    free(folder);
    return is_there ? name : "tfidf";
}

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A file that is there, or is not but is called like one. */
static int is_file(const char *embed)
{
    static const char *const endings[] = { ".npy",  ".npz",   ".csv", ".tsv",
                                           ".json", ".jsonl", ".gz",  ".zst" };
    size_t length = strlen(embed);
    struct stat about;

    if (strcmp(embed, "-") == 0) return 1;
    if (stat(embed, &about) == 0) return !S_ISDIR(about.st_mode);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t n = strlen(endings[k]);

        if (length >= n && strcmp(embed + length - n, endings[k]) == 0) return 1;
    }
    return 0;
}

enum score_embed_kind score_embed_kind(const char *embed)
{
    if (score_is_tfidf(embed)) return SCORE_EMBED_TFIDF;
    if (begins(embed, "http://") || begins(embed, "https://")) return SCORE_EMBED_SERVER;
    return is_file(embed) ? SCORE_EMBED_FILE : SCORE_EMBED_ENCODER;
}

assay_status score_embed_check(const char *embed)
{
    enum score_embed_kind kind = score_embed_kind(embed);
    const char *mark = strchr(embed, '#');
    char shown[CLI_URL_SIZE];
    assay_tfidf_options options;

    if (kind == SCORE_EMBED_TFIDF) return score_tfidf_options(embed, &options);
    if (kind == SCORE_EMBED_SERVER && (!mark || !mark[1]))
        return cli_fail(ASSAY_E_VALUE,
                        "score: an embedding is %s, expected URL#MODEL, with the server's name of "
                        "the model",
                        cli_url_shown(embed, shown));
    return kind == SCORE_EMBED_ENCODER ? check_encoder(embed) : ASSAY_OK;
}

/* That it is there: it would be a pity to tell only after everything was read. */
static assay_status check_encoder(const char *embed)
{
    struct cli_embedder embedder = { .model = NULL };
    char *name = malloc(strlen(embed) + 1), *folder;
    assay_status status;

    if (!name) return cli_no_memory();
    split(strcpy(name, embed), &embedder);
    status = cli_find_model(embedder.model, NULL, &folder);
    if (status == ASSAY_E_VALUE)
        cli_fail(status,
                 "score: an embedding is %s, expected tfidf, a file of vectors, a folder or a name "
                 "of a model (perhaps with :windows or :head-tail behind it), or URL#MODEL",
                 *embed ? embed : "\"\"");
    free(folder);
    free(name);
    return status;
}

assay_status score_embed(const char *embed, const assay_prompts *prompts,
                         const struct score_embedding *how, assay_vectors **out,
                         struct score_embedded *embedded)
{
    assay_vectors *turns = NULL;
    enum score_embed_kind kind = score_embed_kind(embed);
    assay_status status;

    *embedded = (struct score_embedded){ .kind = "" };
    if (kind == SCORE_EMBED_FILE) return assay_vectors_read(embed, prompts, out);
    if (kind == SCORE_EMBED_TFIDF)
        status = by_tfidf(embed, prompts, &turns);
    else
        status = by_embedder(embed, prompts, how, &turns, embedded);
    return status == ASSAY_OK ? score_join_turns(turns, prompts, how->turns, out) : status;
}

static assay_status by_tfidf(const char *embed, const assay_prompts *prompts, assay_vectors **out)
{
    assay_tfidf_options options;
    assay_status status = score_tfidf_options(embed, &options);

    if (status != ASSAY_OK) return status;
    return assay_vectors_tfidf(assay_prompts_turns(prompts), score_n_turns(prompts), &options, out);
}

static assay_status by_embedder(const char *embed, const assay_prompts *prompts,
                                const struct score_embedding *how, assay_vectors **out,
                                struct score_embedded *embedded)
{
    struct cli_embedder embedder = { .threads = how->threads, .quiet = how->quiet };
    struct cli_embedded made = { .embedding = NULL };
    char *name = malloc(strlen(embed) + 1);
    assay_status status;

    if (!name) return cli_no_memory();
    split(strcpy(name, embed), &embedder);
    status = cli_embed(&embedder, assay_prompts_turns(prompts), score_n_turns(prompts), &made);
    if (status == ASSAY_OK) status = assay_vectors_from_embedding(made.embedding, out);
    if (status == ASSAY_OK) {
        memcpy(embedded->kind, made.kind, sizeof embedded->kind);
        memcpy(embedded->sha256, made.sha256, sizeof embedded->sha256);
        embedded->max_tokens = made.max_tokens;
        embedded->long_texts = embedder.long_texts;
        embedded->n_unknown = assay_embedding_n_unknown(made.embedding);
        embedded->n_truncated = cli_n_long(made.embedding, assay_prompts_first_turns(prompts),
                                           assay_prompts_n(prompts));
    }
    assay_embedding_free(made.embedding);
    free(name);
    return status;
}

/* URL#MODEL; or NAME, NAME:windows, NAME:head-tail. */
static void split(char *embed, struct cli_embedder *embedder)
{
    char *mark = strchr(embed, '#'), *colon = strrchr(embed, ':');

    embedder->model = embed;
    if (score_embed_kind(embed) == SCORE_EMBED_SERVER && mark) {
        *mark = '\0';
        embedder->server = embed;
        embedder->model = mark + 1;
        return;
    }
    for (int way = ASSAY_LONG_CUT; colon && way <= ASSAY_LONG_HEAD_TAIL; way++) {
        if (strcmp(colon + 1, cli_long_name(way)) != 0) continue;
        *colon = '\0';
        embedder->long_texts = way;
        return;
    }
}
