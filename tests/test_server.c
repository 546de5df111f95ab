/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/embed.h"

#include "failing_memory.h"
#include "http_stub.h"

#include "core/error.h"
#include "embed/server_answer.h"
#include "embed/server_inputs.h"
#include "embed/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a store in memory, in the place of the library's: what is asked of it, and when ---- */

enum { STORE_MAX = 64, STORE_D = 3 };

struct assay_store {
    unsigned char keys[STORE_MAX][ASSAY_STORE_KEY];
    float vectors[STORE_MAX][STORE_D];
    size_t n, d, n_flushed, n_open;
    char folder[64], space[64];
};

static struct assay_store store;

assay_status assay_store_open(const char *folder, const char *space, assay_store **out)
{
    *out = NULL;
    if (strcmp(folder, "locked") == 0) return assay_fail(ASSAY_E_WRITE, "the store is locked");
    snprintf(store.folder, sizeof store.folder, "%s", folder);
    snprintf(store.space, sizeof store.space, "%s", space);
    store.n_open++;
    *out = &store;
    return ASSAY_OK;
}

/* What was not flushed is lost. */
void assay_store_close(assay_store *s)
{
    if (!s) return;
    s->n = s->n_flushed;
    s->n_open--;
}

assay_status assay_store_flush(assay_store *s)
{
    s->n_flushed = s->n;
    return ASSAY_OK;
}

size_t assay_store_dimensions(const assay_store *s)
{
    return s->d;
}

int assay_store_find(const assay_store *s, const unsigned char key[ASSAY_STORE_KEY], float *out)
{
    for (size_t k = 0; k < s->n; k++)
        if (memcmp(s->keys[k], key, ASSAY_STORE_KEY) == 0) {
            memcpy(out, s->vectors[k], sizeof s->vectors[k]);
            return 1;
        }
    return 0;
}

assay_status assay_store_put(assay_store *s, const unsigned char key[ASSAY_STORE_KEY],
                             const float *vector, size_t d)
{
    if (s->n == STORE_MAX) return assay_fail(ASSAY_E_NOMEM, "the store is full");
    memcpy(s->keys[s->n], key, ASSAY_STORE_KEY);
    memcpy(s->vectors[s->n++], vector, sizeof s->vectors[0]);
    s->d = d;
    return ASSAY_OK;
}

/* ---- a server whose vectors are (bytes of the input as JSON has it, the first, the last) ---- */

static stub server;

static struct behaviour {
    size_t most;            /* inputs a request; 0: any number */
    int too_many;           /* the code for more */
    const char *words;      /* with it */
    size_t fails_from;      /* the request from which on everything is refused; 0: none */
    int is_base64, is_hung; /* no answer from the second request on */
    size_t n_inputs;        /* that came, in all */
} now;

static size_t take_inputs(const char *body, float inputs[][3])
{
    const char *at = strstr(body, "\"input\":[");
    size_t n = 0;

    for (at += 9; *at == '"'; at += at[1] == ',' ? 2 : 1) {
        const char *start = ++at;

        while (*at != '"') at += *at == '\\' ? 2 : 1;
        inputs[n][0] = (float)(at - start);
        inputs[n][1] = at > start ? (float)(unsigned char)start[0] : 0;
        inputs[n++][2] = at > start ? (float)(unsigned char)at[-1] : 0;
    }
    return n;
}

static void write_base64(char *to, const float vector[3])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[12]; /* no padding: 16 digits */

    memcpy(bytes, vector, sizeof bytes); /* on a machine of that order */
    for (size_t k = 0; k < 12; k += 3) {
        const unsigned v = (unsigned)bytes[k] << 16 | (unsigned)bytes[k + 1] << 8 | bytes[k + 2];
        for (int b = 18; b >= 0; b -= 6) *to++ = digits[v >> b & 63];
    }
    *to = '\0';
}

/* The last input first. */
static void answer_inputs(stub *s, float inputs[][3], size_t n)
{
    static char text[1 << 16];
    size_t at = (size_t)sprintf(text, "{\"object\": \"list\", \"data\": [");

    for (size_t k = n; k-- > 0;) {
        char base64[17];

        write_base64(base64, inputs[k]);
        if (now.is_base64)
            at += (size_t)sprintf(text + at, "{\"embedding\": \"%s\", \"index\": %zu}%s", base64, k,
                                  k ? ", " : "");
        else
            at += (size_t)sprintf(text + at, "{\"index\": %zu, \"embedding\": [%g, %g, %g]}%s", k,
                                  (double)inputs[k][0], (double)inputs[k][1], (double)inputs[k][2],
                                  k ? ", " : "");
    }
    sprintf(text + at, "], \"usage\": {\"prompt_tokens\": 5}}");
    stub_text(s, 200, "", text);
}

static void embed(stub *s, const stub_request *request)
{
    static float inputs[1 << 10][3];
    const size_t n = take_inputs(s->body, inputs);

    (void)request;
    if (now.is_hung && s->n_requests > 1) {
        stub_sleep(s, 30);
        stub_drop(s);
    } else if (now.fails_from && s->n_requests >= now.fails_from) {
        stub_text(s, 400, "", "{\"error\": {\"message\": \"text 3 is unpleasant\"}}");
    } else if (now.most && n > now.most) {
        stub_text(s, now.too_many, "", now.words);
    } else {
        now.n_inputs += n;
        answer_inputs(s, inputs, n);
    }
}

static assay_server_options options;
static assay_embedding *embedding;

static int begin(void **state)
{
    (void)state;
    memset(&store, 0, sizeof store);
    memset(&now, 0, sizeof now);
    assay_server_options_init(&options, sizeof options);
    options.model = "m";
    options.wait = 0.01;
    options.attempts = 3;
    stub_start(&server, embed, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    assay_embedding_free(embedding);
    embedding = NULL;
    stub_stop(&server);
    return 0;
}

static assay_status ask(const char *const *texts, size_t n)
{
    assay_embedding_free(embedding);
    return assay_embed_by_server(stub_url(&server, "/v1"), texts, n, &options, &embedding);
}

static void ask_ok(const char *const *texts, size_t n)
{
    if (ask(texts, n) != ASSAY_OK) fail_msg("%s", assay_last_error());
}

static void assert_fails(const char *const *texts, size_t n, assay_status status, const char *what)
{
    char whole[1024];

    assert_int_equal(ask(texts, n), status);
    snprintf(whole, sizeof whole, "127.0.0.1:%u: %s", server.port, what);
    assert_string_equal(assay_last_error(), whole);
    assert_null(embedding);
    assert_int_equal(store.n_open, 0);
}

static void assert_row(size_t i, double length, double first, double last)
{
    const float *row = assay_embedding_rows(embedding) + 3 * i;

    assert_true(row[0] == (float)length && row[1] == (float)first && row[2] == (float)last);
}

static const char *const ten[] = { "a", "bb", "ccc", "dd", "e", "ffff", "gx", "bb", "hz", "a" };

static void assert_ten(void)
{
    assert_int_equal(assay_embedding_n(embedding), 10);
    assert_int_equal(assay_embedding_dimensions(embedding), 3);
    assert_int_equal(assay_embedding_n_distinct(embedding), 8);
    for (size_t i = 0; i < 10; i++)
        assert_row(i, (double)strlen(ten[i]), ten[i][0], ten[i][strlen(ten[i]) - 1]);
}

/* ---- what is sent, and what comes back ---- */

static void test_each_text_has_its_vector_and_is_sent_once(void **state)
{
    (void)state;
    options.batch = 3;
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(now.n_inputs, 8);
    assert_int_equal(server.n_requests, 3);
    assert_int_equal(server.n_connections, 1);
    assert_string_equal(server.requests[0].path, "/v1/embeddings");
    assert_string_equal(server.requests[0].authorization, "");
    assert_string_equal(
        server.body, "{\"model\":\"m\",\"input\":[\"gx\",\"hz\"],\"encoding_format\":\"float\"}");
    assert_int_equal(assay_embedding_n_stored(embedding), 0);
    assert_int_equal(assay_embedding_n_long(embedding), 0);
    assert_int_equal(assay_embedding_n_tokens(embedding), 0);
    assert_false(assay_embedding_is_long(embedding, 0));
}

static void test_prefix_empty_and_broken_texts(void **state)
{
    static const char *const texts[] = { "", "x\xff", " ", "y\"" };

    (void)state;
    ask_ok(texts, 4);
    assert_string_equal(server.body,
                        "{\"model\":\"m\",\"input\":[\" "
                        "\",\"x\xef\xbf\xbd\",\"y\\\"\"],\"encoding_format\":\"float\"}");
    assert_int_equal(assay_embedding_n_distinct(embedding), 3);
    assert_row(0, 1, ' ', ' ');
    assert_row(2, 1, ' ', ' ');
    options.prefix = "query: ";
    options.key = "secret"; /* this machine may see it */
    ask_ok(texts, 1);
    assert_string_equal(server.body,
                        "{\"model\":\"m\",\"input\":[\"query: \"],\"encoding_format\":\"float\"}");
    assert_string_equal(server.requests[1].authorization, "Bearer secret");
}

static void test_base64_is_read_though_not_asked_for(void **state)
{
    (void)state;
    now.is_base64 = 1;
    ask_ok(ten, 10);
    assert_ten();
}

static void test_a_batch_that_is_too_large_is_halved(void **state)
{
    static const struct kind {
        int code;
        const char *words;
    } kinds[] = {
        { 413, "" },
        { 422, "{\"error\": \"batch size 8 > maximum allowed batch size 3\"}" },
        { 400, "{\"message\": \"Too many inputs in request\"}" },
        { 400, "{\"error\": {\"message\": \"'input': array too long. Expected 3\"}}" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        now = (struct behaviour){ .most = 3, .too_many = kinds[k].code, .words = kinds[k].words };
        server.n_requests = 0;
        ask_ok(ten, 10);
        assert_ten();
        assert_int_equal(now.n_inputs, 8);
        assert_int_equal(server.n_requests, 2 + 4); /* 8, 4; then 2 at a time */
    }
}

static void test_other_refusals_are_not_about_the_batch(void **state)
{
    (void)state;
    options.batch = 4;
    now.fails_from = 2;
    assert_fails(ten, 10, ASSAY_E_READ, "refused with 400: text 3 is unpleasant");
    assert_int_equal(server.n_requests, 2);
}

/* Of the texts, not of the different ones. */
static void test_a_text_that_is_too_much_alone_is_named(void **state)
{
    static const char *const texts[] = { "b", "b", "b", "a", "c" };

    (void)state;
    options.batch = 2;
    now = (struct behaviour){ .most = 1, .too_many = 413, .words = "512 tokens", .fails_from = 3 };
    assert_fails(texts, 5, ASSAY_E_READ, "text 4: refused with 400: text 3 is unpleasant");
    assert_int_equal(server.n_requests, 3); /* b and a; b; a */
}

/* ---- the store ---- */

static void test_what_is_stored_is_not_sent(void **state)
{
    (void)state;
    options.store = "folder";
    ask_ok(ten, 4);
    assert_int_equal(store.n_flushed, 4);
    assert_string_equal(store.folder, "folder");
    assert_int_equal(strlen(store.space), 32);
    assert_int_equal(strspn(store.space, "0123456789abcdef"), 32);
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(assay_embedding_n_stored(embedding), 4);
    assert_int_equal(now.n_inputs, 8);
    assert_int_equal(server.n_requests, 2);
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(assay_embedding_n_stored(embedding), 8);
    assert_int_equal(server.n_requests, 2);
    assert_int_equal(store.n_open, 0);
}

/* A key is that of the text with its prefix, and of the model; a space is that of the server and the
   model. */
static void test_other_prefixes_models_and_servers_are_other_vectors(void **state)
{
    char space[64];

    (void)state;
    options.store = "folder";
    ask_ok(ten, 1);
    strcpy(space, store.space);
    options.prefix = "p";
    ask_ok(ten, 1);
    assert_int_equal(server.n_requests, 2);
    assert_string_equal(store.space, space);
    options.prefix = NULL;
    options.model = "m2";
    ask_ok(ten, 1);
    assert_int_equal(server.n_requests, 3);
    assert_string_not_equal(store.space, space);
    options.model = "m";
    assay_embedding_free(embedding);
    assert_int_equal(
        assay_embed_by_server(stub_url(&server, "/v1/embeddings/"), ten, 1, &options, &embedding),
        ASSAY_OK);
    assert_int_equal(server.n_requests, 3); /* the same place */
    assert_string_equal(store.space, space);
    assay_embedding_free(embedding);
    assert_int_equal(assay_embed_by_server(stub_url(&server, "/v2"), ten, 1, &options, &embedding),
                     ASSAY_OK);
    assert_int_equal(server.n_requests, 4);
    assert_string_not_equal(store.space, space);
}

static void test_what_came_before_a_failure_is_kept(void **state)
{
    (void)state;
    options.store = "folder";
    options.batch = 3;
    now.fails_from = 3;
    assert_fails(ten, 10, ASSAY_E_READ, "refused with 400: text 3 is unpleasant");
    assert_int_equal(store.n, 6);
    now.fails_from = 0;
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(assay_embedding_n_stored(embedding), 6);
}

static int stop_later(void *user, const char *stage, double fraction)
{
    int *left = user;

    assert_string_equal(stage, "embedding");
    assert_true(fraction >= 0 && fraction <= 1);
    return fraction > 0 && (*left)-- == 0;
}

static void test_what_came_before_a_cancellation_is_kept(void **state)
{
    int left = 3;

    (void)state;
    options.store = "folder";
    options.batch = 3;
    options.progress = (assay_progress){ stop_later, &left };
    now.is_hung = 1;
    assert_int_equal(ask(ten, 10), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "cancelled in embedding");
    assert_null(embedding);
    assert_int_equal(store.n, 3);
}

static void test_a_store_that_cannot_be_used_is_an_error(void **state)
{
    (void)state;
    options.store = "locked";
    assert_int_equal(ask(ten, 10), ASSAY_E_WRITE);
    assert_string_equal(assay_last_error(), "the store is locked");
    assert_int_equal(server.n_requests, 0);
    options.store = "folder";
    store.d = 2; /* of vectors that this model had once */
    assert_fails(ten, 10, ASSAY_E_FORMAT, "vector 7 has 3 numbers, expected 2 as before");
}

/* ---- answers that are not what was asked for ---- */

static void test_every_fault_of_an_answer_is_told(void **state)
{
#define GOOD "{\"index\":0,\"embedding\":[1,2]}"
    static const char *const known[][2] = {
        { "", "h: the answer is not an object, expected one with data" },
        { "[]", "h: the answer is not an object, expected one with data" },
        { "<html>", "h: the answer:1:1: '<', expected a value" },
        { "{}", "h: an answer without data, expected 2 vectors" },
        { "{\"error\":{\"message\":\"no credit\"}}",
          "h: an answer without data, expected 2 vectors: no credit" },
        { "{\"data\":null,\"error\":\"x\"}", "h: an answer without data, expected 2 vectors: x" },
        { "{\"data\":{}}", "h: data is not an array, expected one of vectors" },
        { "{\"data\":[1]}", "h: data has something else than objects with an embedding" },
        { "{\"data\":[]}", "h: 0 vectors came, expected 2" },
        { "{\"data\":[" GOOD "]}", "h: 1 vectors came, expected 2" },
        { "{\"data\":[" GOOD "," GOOD "]}", "h: vector 0 came twice" },
        { "{\"data\":[" GOOD ",{\"index\":1,\"embedding\":[1]}]}",
          "h: vector 1 has 1 numbers, expected 2 as before" },
        { "{\"data\":[{\"index\":1}]}", "h: vector 1 has no numbers" },
        { "{\"data\":[{\"index\":1,\"embedding\":[]}]}", "h: vector 1 has no numbers" },
        { "{\"data\":[{\"embedding\":[1]}]}",
          "h: a vector without an index, expected one of 0 to 1" },
        { "{\"data\":[{\"index\":2,\"embedding\":[1]}]}",
          "h: a vector of index 2, expected one of 0 to 1" },
        { "{\"data\":[{\"index\":-1,\"embedding\":[1]}]}",
          "h: a vector of index -1, expected one of 0 to 1" },
        { "{\"data\":[{\"index\":0.5,\"embedding\":[1]}]}",
          "h: a vector of index 0.5, expected one of 0 to 1" },
        { "{\"data\":[{\"index\":NaN,\"embedding\":[1]}]}",
          "h: a vector of index nan, expected one of 0 to 1" },
        { "{\"data\":[{\"index\":\"0\",\"embedding\":[1]}]}", "h: an index is not a number" },
        { "{\"data\":[{\"index\":0,\"embedding\":{}}]}",
          "h: an embedding is not an array of numbers" },
        { "{\"data\":[{\"index\":0,\"embedding\":[[1]]}]}",
          "h: an embedding has something else than numbers" },
        { "{\"data\":[{\"index\":0,\"embedding\":[null]}]}",
          "h: an embedding has something else than numbers" },
        { "{\"data\":[{\"index\":0,\"embedding\":[NaN]}]}",
          "h: an embedding has a number that is not finite" },
        { "{\"data\":[{\"index\":0,\"embedding\":[1e39]}]}",
          "h: an embedding has a number that is not finite" },
        { "{\"data\":[{\"index\":0,\"embedding\":\"AACAfw==\"}]}",
          "h: an embedding has a number that is not finite" },
        { "{\"data\":[{\"index\":0,\"embedding\":\"AACAf\"}]}",
          "h: an embedding is a text of 5 bytes, expected numbers or base64" },
        { "{\"data\":[{\"index\":0,\"embedding\":\"AACA\"}]}",
          "h: an embedding is a text of 4 bytes, expected numbers or base64" },
        { "{\"data\":[{\"index\":0,\"embedding\":\"AA?Afw==\"}]}",
          "h: an embedding is a text that is not base64" },
        { "{\"data\":[{\"index\":0,\"embedding\":\"    AACAfwAAAAAA\"}]}",
          "h: an embedding is a text that is not base64" },
        { "{\"data\":[" GOOD ",{\"index\":1,\"embedding\":[1,2]}]} {}",
          "h: the answer goes on after its end" },
        { "{\"data\":[" GOOD ",", "h: the answer:1:40: the input ends here, expected a value" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        float *rows;
        size_t d = 0;

        assert_int_equal(
            assay_server_answer_read("h", known[k][0], strlen(known[k][0]), 2, &d, &rows),
            ASSAY_E_FORMAT);
        assert_string_equal(assay_last_error(), known[k][1]);
        assert_null(rows);
        assert_int_equal(d, 0);
    }
}

static void test_vectors_have_a_greatest_length(void **state)
{
    const size_t most = ASSAY_SERVER_MAX_DIMENSIONS;
    char *text = malloc(2 * most + 100);
    float *rows;
    size_t d = 0, at;

    (void)state;
    for (size_t extra = 0; extra < 2; extra++) {
        at = (size_t)sprintf(text, "{\"data\":[{\"index\":0,\"embedding\":[1");
        for (size_t k = 1; k < most + extra; k++) at += (size_t)sprintf(text + at, ",1");
        at += (size_t)sprintf(text + at, "]}]}");
        assert_int_equal(assay_server_answer_read("h", text, at, 1, &d, &rows),
                         extra ? ASSAY_E_FORMAT : ASSAY_OK);
        free(rows);
    }
    assert_string_equal(assay_last_error(), "h: an embedding has more than 65536 numbers");
    assert_int_equal(d, most);
    free(text);
}

static void say_nonsense(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 200, "", "{\"data\": [{\"index\": 0, \"embedding\": [1, 2, 3]}]}");
}

static void test_an_answer_for_other_texts_is_refused_once(void **state)
{
    (void)state;
    stub_stop(&server);
    stub_start(&server, say_nonsense, NULL);
    assert_fails(ten, 2, ASSAY_E_FORMAT, "1 vectors came, expected 2");
    assert_int_equal(server.n_requests, 1);
}

/* ---- what cannot be asked ---- */

static void test_options_are_checked(void **state)
{
    static const char *const sentences[] = {
        "server: no model, expected its name on the server",
        "server: no model, expected its name on the server",
        "server: batch is 0, expected 1 to 4096",
        "server: batch is 4097, expected 1 to 4096",
        "server: attempts is 0, expected 1 to 20",
        "server: attempts is 21, expected 1 to 20",
        "server: wait is -1, expected 0 to 3600 seconds",
        "server: wait is nan, expected 0 to 3600 seconds",
        "server: timeout is 0, expected more than 0 and at most 86400 seconds",
        "server: timeout is inf, expected more than 0 and at most 86400 seconds",
    };

    (void)state;
    for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++) {
        assay_server_options wrong = options;

        if (k < 2) wrong.model = k ? "" : NULL;
        if (k == 2 || k == 3) wrong.batch = k == 2 ? 0 : 4097;
        if (k == 4 || k == 5) wrong.attempts = k == 4 ? 0 : 21;
        if (k == 6 || k == 7) wrong.wait = k == 6 ? -1 : strtod("nan", NULL);
        if (k == 8 || k == 9) wrong.timeout = k == 8 ? 0 : strtod("inf", NULL);
        assert_int_equal(assay_server_options_check(&wrong), ASSAY_E_VALUE);
        assert_string_equal(assay_last_error(), sentences[k]);
    }
    assert_int_equal(assay_server_options_check(&options), ASSAY_OK);
    assert_int_equal(assay_server_options_check(NULL), ASSAY_E_VALUE);
}

static void test_nothing_is_sent_that_should_not_be(void **state)
{
    (void)state;
    assert_int_equal(ask(ten, 0), ASSAY_E_SHAPE);
    options.key = "secret";
    assert_int_equal(assay_embed_by_server("http://h.invalid/v1", ten, 10, &options, &embedding),
                     ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "h.invalid: a key over http can be read by others, expected https or this "
                        "machine");
    assert_int_equal(assay_embed_by_server("ftp://h.invalid/v1", ten, 10, &options, &embedding),
                     ASSAY_E_VALUE);
    assert_null(embedding);
    assert_int_equal(server.n_requests, 0);
}

static void deny(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 401, "", "{\"error\": {\"message\": \"Incorrect API key provided\"}}");
}

static void test_a_sentence_never_has_the_key(void **state)
{
    (void)state;
    stub_stop(&server);
    stub_start(&server, deny, NULL);
    options.key = "secret";
    assert_fails(ten, 10, ASSAY_E_READ,
                 "refused with 401 (a key is missing or wrong, or there is no such model): "
                 "Incorrect API key provided");
    assert_null(strstr(assay_last_error(), "secret"));
    assert_int_equal(server.n_requests, 1);
}

/* ---- memory ---- */

static assay_status embed_ten(void *context)
{
    assay_status status;

    (void)context;
    memset(&store, 0, sizeof store);
    status = ask(ten, 10);
    assert_true((status == ASSAY_OK) == (embedding != NULL));
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    options.batch = 5;
    assert_true(fail_every_allocation(embed_ten, NULL) >= 10);
    options.store = "folder";
    assert_true(fail_every_allocation(embed_ten, NULL) >= 11);
}

#define WITH_A_SERVER(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_A_SERVER(test_each_text_has_its_vector_and_is_sent_once),
        WITH_A_SERVER(test_prefix_empty_and_broken_texts),
        WITH_A_SERVER(test_base64_is_read_though_not_asked_for),
        WITH_A_SERVER(test_a_batch_that_is_too_large_is_halved),
        WITH_A_SERVER(test_other_refusals_are_not_about_the_batch),
        WITH_A_SERVER(test_a_text_that_is_too_much_alone_is_named),
        WITH_A_SERVER(test_what_is_stored_is_not_sent),
        WITH_A_SERVER(test_other_prefixes_models_and_servers_are_other_vectors),
        WITH_A_SERVER(test_what_came_before_a_failure_is_kept),
        WITH_A_SERVER(test_what_came_before_a_cancellation_is_kept),
        WITH_A_SERVER(test_a_store_that_cannot_be_used_is_an_error),
        cmocka_unit_test(test_every_fault_of_an_answer_is_told),
        cmocka_unit_test(test_vectors_have_a_greatest_length),
        WITH_A_SERVER(test_an_answer_for_other_texts_is_refused_once),
        WITH_A_SERVER(test_options_are_checked),
        WITH_A_SERVER(test_nothing_is_sent_that_should_not_be),
        WITH_A_SERVER(test_a_sentence_never_has_the_key),
        WITH_A_SERVER(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
