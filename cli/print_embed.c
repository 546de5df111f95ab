/* SPDX-License-Identifier: Apache-2.0 */
#include "embed_answer.h"
#include "session.h"

#include <assay/json_writer.h>
#include <assay/turns.h>
#include <assay/write.h>
#include <math.h>
#include <string.h>

assay_status print_embed_npy(FILE *to, const void *data)
{
    const struct embed_answer *answer = data;

    assay_write_npy(answer->rows, assay_prompts_n(answer->prompts), answer->d, to);
    return ASSAY_OK;
}

/* ---- ids ---- */

static void print_field(FILE *to, const char *text)
{
    if (text[strcspn(text, "\",\r\n")] == '\0') {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"') putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

assay_status print_embed_ids(FILE *to, const void *data)
{
    const struct embed_answer *answer = data;
    const size_t *first = assay_prompts_first_turns(answer->prompts);

    fputs("id,longer_than_the_model_takes\n", to);
    for (size_t i = 0; i < assay_prompts_n(answer->prompts); i++) {
        print_field(to, assay_prompts_id(answer->prompts, i));
        fprintf(to, ",%d\n", cli_is_long(answer->made.embedding, first, i));
    }
    return ASSAY_OK;
}

/* ---- for people ---- */

static size_t n_long(const struct embed_answer *answer)
{
    return cli_n_long(answer->made.embedding, assay_prompts_first_turns(answer->prompts),
                      assay_prompts_n(answer->prompts));
}

static void print_long(FILE *to, const struct embed_answer *answer)
{
    static const char *const done[] = {
        [ASSAY_LONG_CUT] = "cut: what comes after is not seen (--long windows sees all)",
        [ASSAY_LONG_WINDOWS] = "read in windows, whose vectors are averaged",
        [ASSAY_LONG_HEAD_TAIL] = "read at head and tail: the middle is not seen",
    };
    size_t n = n_long(answer), unknown = assay_embedding_n_unknown(answer->made.embedding);

    if (unknown)
        fprintf(
            to,
            "%zu text%s mostly of what the model does not know (another script, say): such texts "
            "look alike to it\n",
            unknown, unknown == 1 ? " is" : "s are");
    if (n == 0) return;
    fprintf(to, "%zu prompt%s longer than the %zu tokens that the model takes, and %s\n", n,
            n == 1 ? " is" : "s are", answer->made.max_tokens,
            done[answer->request->embedder.long_texts]);
}

static void print_name(FILE *to, const char *before, const char *name)
{
    char safe[400];

    fprintf(to, "%s%s\n", before, assay_printable(safe, sizeof safe, name, strlen(name)));
}

assay_status print_embed(FILE *to, const void *data)
{
    const struct embed_answer *answer = data;
    const struct embed_request *request = answer->request;
    const assay_embedding *embedding = answer->made.embedding;
    size_t n = assay_prompts_n(answer->prompts), distinct = assay_embedding_n_distinct(embedding);
    char url[CLI_URL_SIZE];

    fprintf(to, "%zu prompt%s, %zu different input%s to the model, %zu of them embedded before\n",
            n, n == 1 ? "" : "s", distinct, distinct == 1 ? "" : "s",
            assay_embedding_n_stored(embedding));
    print_long(to, answer);
    print_name(to, "model:   ", request->embedder.model);
    if (request->embedder.server)
        print_name(to, "server:  ", cli_url_shown(request->embedder.server, url));
    if (*answer->made.sha256)
        fprintf(to, "sha256:  %s (%s, with its tokenizer and settings)\n", answer->made.sha256,
                answer->made.kind);
    fprintf(to, "vectors: %zu x %zu", n, answer->d);
    print_name(to, " in ", request->output);
    if (answer->ids) print_name(to, "ids:     ", answer->ids);
    return ASSAY_OK;
}

/* ---- for programs ---- */

static void text_or_null(assay_json *json, const char *key, const char *text, const char *reason)
{
    if (!text || !*text) {
        cli_json_estimate(json, key, NAN, reason);
        return;
    }
    assay_json_key(json, key);
    assay_json_text(json, text);
}

static void count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_model(assay_json *json, const struct embed_answer *answer)
{
    const struct cli_embedder *embedder = &answer->request->embedder;
    char url[CLI_URL_SIZE];

    text_or_null(json, "model", embedder->model, "");
    text_or_null(json, "kind", answer->made.kind, "");
    text_or_null(json, "server", embedder->server ? cli_url_shown(embedder->server, url) : NULL,
                 "the model ran here");
    text_or_null(json, "sha256", answer->made.sha256, "a server does not tell");
    count(json, "dimensions", answer->d);
    cli_json_estimate(json, "max_tokens",
                      answer->made.max_tokens ? (double)answer->made.max_tokens : NAN,
                      "no limit, or not known");
}

static void json_prompts(assay_json *json, const struct embed_answer *answer)
{
    const assay_embedding *embedding = answer->made.embedding;

    count(json, "prompts", assay_prompts_n(answer->prompts));
    count(json, "most_turns", assay_prompts_most_turns(answer->prompts));
    count(json, "distinct_inputs", assay_embedding_n_distinct(embedding));
    count(json, "stored", assay_embedding_n_stored(embedding));
    cli_json_estimate(json, "truncated",
                      answer->request->embedder.server ? NAN : (double)n_long(answer),
                      "a server does not tell");
    cli_json_estimate(
        json, "unknown",
        answer->request->embedder.server ? NAN : (double)assay_embedding_n_unknown(embedding),
        "a server does not tell");
    cli_json_estimate(
        json, "tokens",
        answer->request->embedder.server ? NAN : (double)assay_embedding_n_tokens(embedding),
        "a server does not tell");
}

assay_status print_embed_json(FILE *to, const void *data)
{
    const struct embed_answer *answer = data;
    static const char *const turns[] = { [ASSAY_TURNS_CONCAT] = "concat",
                                         [ASSAY_TURNS_MEAN] = "mean",
                                         [ASSAY_TURNS_WEIGHTED] = "weighted",
                                         [ASSAY_TURNS_LAST] = "last" };
    const struct embed_request *request = answer->request;
    assay_json json;

    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    text_or_null(&json, "schema", "assay.embed/1", "");
    text_or_null(&json, "assay_version", assay_version(), "");
    text_or_null(&json, "command", "embed", "");
    json_model(&json, answer);
    json_prompts(&json, answer);
    text_or_null(&json, "long",
                 request->embedder.server ? NULL : cli_long_name(request->embedder.long_texts),
                 "the server's own affair");
    text_or_null(&json, "prefix", request->embedder.prefix, "none");
    text_or_null(&json, "turns",
                 assay_prompts_most_turns(answer->prompts) > 1 ? turns[request->turns] : NULL,
                 "every prompt has one turn");
    text_or_null(&json, "output", request->output, "");
    text_or_null(&json, "ids", answer->ids, "not asked for");
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}
