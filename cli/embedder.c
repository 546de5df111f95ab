/* SPDX-License-Identifier: Apache-2.0 */
#include "embedder.h"

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_status encode(const struct cli_embedder *embedder, const char *store,
                           const char *const *texts, size_t n, struct cli_embedded *out);
static assay_status ask(const struct cli_embedder *embedder, const char *store,
                        const char *const *texts, size_t n, struct cli_embedded *out);
static void tell_of_store(const assay_embedding *embedding);

/* ---- the user's folders and keys ---- */

static const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static char *join(const char *folder, const char *middle, const char *part)
{
    size_t size = strlen(folder) + strlen(middle) + strlen(part) + 2;
    char *path = malloc(size);

    if (path) snprintf(path, size, "%s%s/%s", folder, middle, part);
    return path;
}

const char *cli_long_name(int long_texts)
{
    static const char *const names[] = { [ASSAY_LONG_CUT] = "cut",
                                         [ASSAY_LONG_WINDOWS] = "windows",
                                         [ASSAY_LONG_HEAD_TAIL] = "head-tail" };

    return names[long_texts];
}

static const char *last_at(const char *from, const char *to)
{
    const char *last = NULL;

    for (; from < to; from++)
        if (*from == '@') last = from;
    return last;
}

const char *cli_url_shown(const char *url, char out[CLI_URL_SIZE])
{
    const char *host = strstr(url, "://"), *end, *at, *mark = strchr(url, '#');
    size_t path;

    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) {
        snprintf(out, CLI_URL_SIZE, "%s", url);
        return out;
    }
    host += 3;
    end = host + strcspn(host, "/?#");
    at = last_at(host, end);
    if (at) at++;
    path = strcspn(end, "?#");
    snprintf(out, CLI_URL_SIZE, "%.*s%.*s%.*s%s", (int)(host - url), url,
             (int)(end - (at ? at : host)), at ? at : host, (int)path, end, mark ? mark : "");
    return out;
}

/* A relative $XDG_CACHE_HOME is to be ignored, as its specification has it. */
assay_status cli_cache_folder(const char *given, const char *part, char **path)
{
    const char *xdg = setting("XDG_CACHE_HOME"), *home = setting("HOME");

    *path = NULL;
    if (given)
        *path = join(given, "", part);
    else if (xdg && xdg[0] == '/')
        *path = join(xdg, "/assay", part);
    else if (home)
        *path = join(home, "/.cache/assay", part);
    else
        return ASSAY_OK;
    return *path ? ASSAY_OK : cli_no_memory();
}

assay_status cli_find_model(const char *model, const char *cache, char **folder)
{
    char *models;
    assay_status status = cli_cache_folder(cache, "models", &models);

    *folder = NULL;
    if (status == ASSAY_OK) status = assay_model_find(model, models, folder);
    free(models);
    return status;
}

assay_status cli_download(const struct cli_embedder *embedder, char **folder)
{
    assay_download_options options;
    char *models;
    assay_status status = cli_cache_folder(embedder->cache, "models", &models);

    *folder = NULL;
    if (status == ASSAY_OK && !models)
        status = cli_fail(ASSAY_E_VALUE, "neither XDG_CACHE_HOME nor HOME says where models are "
                                         "kept, expected --cache FOLDER");
    if (status == ASSAY_OK) {
        assay_download_options_init(&options, sizeof options);
        if (setting("HF_ENDPOINT")) options.hub = setting("HF_ENDPOINT");
        options.key = setting("HF_TOKEN");
        options.progress = cli_progress(embedder->quiet);
        status = assay_model_download(embedder->model, models, &options, folder);
    }
    free(models);
    return status;
}

/* A key for one server is not for another: OpenAI's goes to nobody else. */
static const char *key_for(const char *server)
{
    const char *key = setting("ASSAY_API_KEY");

    if (!key && strncmp(server, "https://api.openai.com/", 23) == 0)
        key = setting("OPENAI_API_KEY");
    return key;
}

/* ---- vectors ---- */

assay_status cli_embed(const struct cli_embedder *embedder, const char *const *texts, size_t n,
                       struct cli_embedded *out)
{
    char *store = NULL;
    assay_status status = ASSAY_OK;

    *out = (struct cli_embedded){ .embedding = NULL };
    if (!embedder->no_store) status = cli_cache_folder(embedder->cache, "vectors", &store);
    if (status == ASSAY_OK)
        status = embedder->server ? ask(embedder, store, texts, n, out)
                                  : encode(embedder, store, texts, n, out);
    if (status == ASSAY_OK && !embedder->quiet) tell_of_store(out->embedding);
    free(store);
    return status;
}

static void tell_of_store(const assay_embedding *embedding)
{
    const char *fault = assay_embedding_store_fault(embedding);

    cli_progress_done();
    if (fault) fprintf(stderr, "assay: vectors are not kept for the next time: %s\n", fault);
}

static assay_status encode(const struct cli_embedder *embedder, const char *store,
                           const char *const *texts, size_t n, struct cli_embedded *out)
{
    assay_embed_options options;
    assay_encoder *encoder = NULL;
    char *folder;
    assay_status status = cli_find_model(embedder->model, embedder->cache, &folder);

    assay_embed_options_init(&options, sizeof options);
    options.long_texts = (assay_long_texts)embedder->long_texts;
    options.prefix = embedder->prefix;
    options.store = store;
    options.threads = embedder->threads;
    options.progress = cli_progress_of(embedder->quiet, n, "texts");
    if (status == ASSAY_OK) status = assay_encoder_open(folder, &encoder);
    if (status == ASSAY_OK) status = assay_embed(encoder, texts, n, &options, &out->embedding);
    if (status == ASSAY_OK) {
        snprintf(out->kind, sizeof out->kind, "%s", assay_encoder_kind(encoder));
        snprintf(out->sha256, sizeof out->sha256, "%s", assay_encoder_sha256(encoder));
        out->max_tokens = assay_encoder_max_tokens(encoder);
    }
    assay_encoder_free(encoder);
    free(folder);
    return status;
}

static assay_status ask(const struct cli_embedder *embedder, const char *store,
                        const char *const *texts, size_t n, struct cli_embedded *out)
{
    assay_server_options options;

    assay_server_options_init(&options, sizeof options);
    options.model = embedder->model;
    options.key = key_for(embedder->server);
    options.prefix = embedder->prefix;
    options.store = store;
    options.progress = cli_progress_of(embedder->quiet, n, "texts");
    snprintf(out->kind, sizeof out->kind, "server");
    return assay_embed_by_server(embedder->server, texts, n, &options, &out->embedding);
}

int cli_is_long(const assay_embedding *embedding, const size_t *first, size_t i)
{
    for (size_t t = first[i]; t < first[i + 1]; t++)
        if (assay_embedding_is_long(embedding, t)) return 1;
    return 0;
}

size_t cli_n_long(const assay_embedding *embedding, const size_t *first, size_t n)
{
    size_t n_long = 0;

    for (size_t i = 0; i < n; i++) n_long += (size_t)cli_is_long(embedding, first, i);
    return n_long;
}
