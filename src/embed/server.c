/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"
#include "core/options.h"
#include "embed/embedding.h"
#include "embed/kept.h"
#include "embed/server_answer.h"
#include "embed/server_inputs.h"
#include "net/address.h"
#include "net/http.h"
#include "net/refusal.h"

#include "assay/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KEY_VERSION "assay embeddings 1" /* a changed tag makes a new store */
#define SPACE_VERSION "assay embeddings space 1"

enum { BATCH_MAX = 4096, ATTEMPTS_MAX = 20, SPACE_LENGTH = 32 };
enum { ANSWER_START = 1 << 16, ANSWER_VECTOR = 1 << 20, ANSWER_MAX = 1 << 29 };

typedef unsigned char key[ASSAY_STORE_KEY];

typedef struct job {
    assay_server_options opt;
    assay_address address;
    assay_server_inputs inputs;
    assay_http *http;
    assay_http_reply reply;
    assay_kept kept; /* by distinct input */
    size_t n, d;     /* distinct inputs; d is 0 until a vector is there */
    float *vectors;  /* n x d */
    size_t *missing, n_missing;
} job;

static assay_status resolve_options(const assay_server_options *given, assay_server_options *opt);
static assay_status open_store(job *j);
static assay_status make_keys(job *j);
static assay_status find_stored(job *j);
static assay_status make_vectors(job *j);
static assay_status ask_for_missing(job *j);
static assay_status ask(job *j, const size_t *which, size_t count, int *is_too_much);
static assay_status write_question(const job *j, const size_t *which, size_t count, char **text,
                                   size_t *length);
static size_t longest_answer(size_t count);
static assay_status judge_refusal(const job *j, const size_t *which, size_t count,
                                  int *is_too_much);
static assay_status refuse_text(const job *j, size_t input);
static int is_about_size(const char *words);
static assay_status take_answer(job *j, const size_t *which, size_t count);
static assay_status keep_answer(job *j, const size_t *which, size_t count, const float *rows);
static assay_status make_embedding(const job *j, size_t n_texts, assay_embedding **out);
static void free_job(job *j);
static assay_status fail_memory(size_t n);

assay_status assay_embed_by_server(const char *url, const char *const *texts, size_t n,
                                   const assay_server_options *options, assay_embedding **out)
{
    job j = { 0 };
    assay_status status = resolve_options(options, &j.opt);
    assay_http_options http;

    *out = NULL;
    if (status != ASSAY_OK) return status;
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "server: no texts, expected at least 1");
    http = (assay_http_options){ .key = j.opt.key,
                                 .attempts = j.opt.attempts,
                                 .wait = j.opt.wait,
                                 .timeout = j.opt.timeout,
                                 .stage = "embedding",
                                 .progress = j.opt.progress };
    if ((status = assay_address_read(url, "/embeddings", &j.address)) != ASSAY_OK) goto done;
    if ((status = assay_address_check_key(&j.address, j.opt.key)) != ASSAY_OK) goto done;
    status = assay_server_inputs_take(&j.inputs, texts, n, j.opt.prefix);
    if (status != ASSAY_OK) goto done;
    j.n = j.inputs.distinct.count;
    if ((status = open_store(&j)) != ASSAY_OK) goto done;
    if ((status = find_stored(&j)) != ASSAY_OK) goto done;
    if ((status = assay_http_open(&http, &j.http)) != ASSAY_OK) goto done;
    if ((status = ask_for_missing(&j)) != ASSAY_OK) goto done;
    status = make_embedding(&j, n, out);
done:
    free_job(&j);
    return status;
}

void assay_server_options_init(assay_server_options *options, size_t struct_size)
{
    const assay_server_options defaults = {
        .struct_size = struct_size, .batch = 64, .attempts = 6, .wait = 1, .timeout = 120
    };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_server_options_check(const assay_server_options *options)
{
    assay_server_options opt;
    return resolve_options(options, &opt);
}

static assay_status resolve_options(const assay_server_options *given, assay_server_options *opt)
{
    assay_status status;

    assay_server_options_init(opt, sizeof *opt);
    if ((status = assay_options_take("server", given, opt, sizeof *opt)) != ASSAY_OK) return status;
    if (!opt->model || !*opt->model)
        return assay_fail(ASSAY_E_VALUE, "server: no model, expected its name on the server");
    if (opt->batch < 1 || opt->batch > BATCH_MAX)
        return assay_fail(ASSAY_E_VALUE, "server: batch is %zu, expected 1 to %d", opt->batch,
                          BATCH_MAX);
    if (opt->attempts < 1 || opt->attempts > ATTEMPTS_MAX)
        return assay_fail(ASSAY_E_VALUE, "server: attempts is %d, expected 1 to %d", opt->attempts,
                          ATTEMPTS_MAX);
    if (!(opt->wait >= 0 && opt->wait <= 3600))
        return assay_fail(ASSAY_E_VALUE, "server: wait is %g, expected 0 to 3600 seconds",
                          opt->wait);
    if (!(opt->timeout > 0 && opt->timeout <= 86400))
        return assay_fail(ASSAY_E_VALUE,
                          "server: timeout is %g, expected more than 0 and at most 86400 seconds",
                          opt->timeout);
    return ASSAY_OK;
}

/* A space is a model of a server: its vectors have one length. */
static assay_status open_store(job *j)
{
    const char *const parts[] = { SPACE_VERSION, j->address.url, j->opt.model, NULL };
    char space[SPACE_LENGTH + 1];
    key digest;
    assay_status status;

    if (!j->opt.store) return ASSAY_OK;
    if ((status = assay_server_digest(parts, digest)) != ASSAY_OK) return status;
    assay_hex(digest, SPACE_LENGTH / 2, space);
    status = assay_kept_open(&j->kept, j->opt.store, space, j->n);
    return status == ASSAY_OK && j->kept.store ? make_keys(j) : status;
}

static assay_status make_keys(job *j)
{
    assay_status status = ASSAY_OK;

    for (size_t i = 0; i < j->n && status == ASSAY_OK; i++) {
        const char *const parts[] = { KEY_VERSION, j->address.url, j->opt.model,
                                      j->inputs.distinct.text[i], NULL };
        status = assay_server_digest(parts, j->kept.keys[i]);
    }
    return status;
}

static assay_status find_stored(job *j)
{
    assay_status status;

    j->missing = assay_alloc(j->n, sizeof *j->missing);
    if (!j->missing) return fail_memory(j->n);
    if (j->kept.store) j->d = assay_store_dimensions(j->kept.store);
    if (j->d > 0 && (status = make_vectors(j)) != ASSAY_OK) return status;
    for (size_t i = 0; i < j->n; i++)
        if (j->d == 0 || !assay_kept_find(&j->kept, i, j->d, j->vectors + i * j->d))
            j->missing[j->n_missing++] = i;
    return ASSAY_OK;
}

static assay_status make_vectors(job *j)
{
    j->vectors = assay_alloc(j->n * j->d, sizeof *j->vectors);
    return j->vectors ? ASSAY_OK : fail_memory(j->n);
}

/* Where the server takes fewer texts at once than it is given, it is given half as many from then
   on. */
static assay_status ask_for_missing(job *j)
{
    size_t batch = j->opt.batch;

    for (size_t at = 0; at < j->n_missing;) {
        const size_t left = j->n_missing - at, count = left < batch ? left : batch;
        int is_too_much = 0;
        assay_status status;

        assay_http_set_done(j->http, (double)at, (double)j->n_missing);
        status = ask(j, j->missing + at, count, &is_too_much);
        if (status != ASSAY_OK) return status;
        if (is_too_much)
            batch = count / 2;
        else
            at += count;
    }
    return ASSAY_OK;
}

static assay_status ask(job *j, const size_t *which, size_t count, int *is_too_much)
{
    char *question = NULL;
    size_t length = 0;
    assay_status status = write_question(j, which, count, &question, &length);

    if (status == ASSAY_OK)
        status = assay_http_post(j->http, j->address.url, question, length, longest_answer(count),
                                 &j->reply);
    free(question);
    if (status != ASSAY_OK) return status;
    if (j->reply.code < 200 || j->reply.code > 299)
        return judge_refusal(j, which, count, is_too_much);
    return take_answer(j, which, count);
}

static assay_status write_question(const job *j, const size_t *which, size_t count, char **text,
                                   size_t *length)
{
    FILE *to = open_memstream(text, length);
    assay_json json;
    int failed;

    if (!to) return fail_memory(count);
    assay_json_start(&json, to, 0);
    assay_json_begin_object(&json);
    assay_json_key(&json, "model");
    assay_json_text(&json, j->opt.model);
    assay_json_key(&json, "input");
    assay_json_begin_array(&json);
    for (size_t k = 0; k < count; k++) assay_json_text(&json, j->inputs.distinct.text[which[k]]);
    assay_json_end_array(&json);
    assay_json_key(&json, "encoding_format");
    assay_json_text(&json, "float");
    assay_json_end_object(&json);
    failed = ferror(to) != 0;
    failed |= fclose(to) != 0;
    return failed ? fail_memory(count) : ASSAY_OK;
}

/* More than any model's vectors as decimal text. */
static size_t longest_answer(size_t count)
{
    const uint64_t most = ANSWER_START + (uint64_t)count * ANSWER_VECTOR;
    return most < ANSWER_MAX ? (size_t)most : ANSWER_MAX;
}

/* Too many texts, or one too long among them: with half as many it will show. */
static assay_status judge_refusal(const job *j, const size_t *which, size_t count, int *is_too_much)
{
    const long code = j->reply.code;
    const int is_about_texts = code == 400 || code == 413 || code == 422;
    char words[ASSAY_WORDS_SIZE];

    if (assay_refusal_words(&j->reply, words) != ASSAY_OK) return ASSAY_E_NOMEM;
    *is_too_much = count > 1 && is_about_texts && (code == 413 || is_about_size(words));
    if (*is_too_much) return ASSAY_OK;
    if (count == 1 && is_about_texts) return refuse_text(j, which[0]);
    return assay_refusal(j->address.host, &j->reply);
}

/* One text was refused alone, as too long perhaps: which, counted from 1. */
static assay_status refuse_text(const job *j, size_t input)
{
    char label[ASSAY_HOST_SIZE + 48];
    size_t i = 0;

    while (j->inputs.of[i] != input) i++;
    snprintf(label, sizeof label, "%s: text %zu", j->address.host, i + 1);
    return assay_refusal(label, &j->reply);
}

/* Too many texts or one too long, as OpenAI, TEI, vLLM, llama.cpp, Mistral, Cohere and Gemini say it. */
static int is_about_size(const char *words)
{
    static const char *const signs[] = { "batch",       "too many",  "too long",       "at most",
                                         "per request", "too large", "context length", "maximum",
                                         "tokens",      "exceed" };

    for (const char *at = words; *at; at++)
        for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++)
            if (strncasecmp(at, signs[k], strlen(signs[k])) == 0) return 1;
    return 0;
}

static assay_status take_answer(job *j, const size_t *which, size_t count)
{
    float *rows;
    assay_status status = assay_server_answer_read(j->address.host, j->reply.body, j->reply.length,
                                                   count, &j->d, &rows);

    if (status == ASSAY_OK && !j->vectors) status = make_vectors(j);
    for (size_t k = 0; status == ASSAY_OK && k < count; k++)
        memcpy(j->vectors + which[k] * j->d, rows + k * j->d, j->d * sizeof *rows);
    if (status == ASSAY_OK) status = keep_answer(j, which, count, rows);
    free(rows);
    return status;
}

/* After each answer, so that what was paid for is not lost to a later failure. */
static assay_status keep_answer(job *j, const size_t *which, size_t count, const float *rows)
{
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < count && status == ASSAY_OK; k++)
        status = assay_kept_put(&j->kept, which[k], rows + k * j->d, j->d);
    return status == ASSAY_OK ? assay_kept_flush(&j->kept) : status;
}

static assay_status make_embedding(const job *j, size_t n_texts, assay_embedding **out)
{
    assay_embedding *embedding = assay_alloc_zero(1, sizeof *embedding);

    if (embedding) embedding->rows = assay_alloc(n_texts * j->d, sizeof *embedding->rows);
    if (!embedding || !embedding->rows) {
        assay_embedding_free(embedding);
        return fail_memory(n_texts);
    }
    memcpy(embedding->store_fault, j->kept.fault, sizeof embedding->store_fault);
    embedding->n = n_texts;
    embedding->d = j->d;
    embedding->n_distinct = j->n;
    embedding->n_stored = j->n - j->n_missing;
    for (size_t i = 0; i < n_texts; i++)
        memcpy(embedding->rows + i * j->d, j->vectors + j->inputs.of[i] * j->d,
               j->d * sizeof *embedding->rows);
    *out = embedding;
    return ASSAY_OK;
}

static void free_job(job *j)
{
    assay_address_free(&j->address);
    assay_server_inputs_free(&j->inputs);
    assay_http_close(j->http);
    assay_http_free_reply(&j->reply);
    assay_kept_close(&j->kept);
    free(j->vectors);
    free(j->missing);
}

static assay_status fail_memory(size_t n)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the vectors of %zu texts", n);
}
