/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/embed.h"

#include "failing_memory.h"
#include "http_stub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a server whose vectors are (bytes of the input as JSON has it, the first, the last) ---- */

static stub server;

static struct behaviour {
    size_t most;            /* inputs a request; 0: any number */
    int too_many;           /* the code for more */
    const char *words;      /* with it */
    size_t fails_from;      /* the request from which on everything is refused; 0: none */
    int is_base64, is_hung; /* no answer from the second request on */
    int is_short;           /* vectors of two numbers */
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
        if (now.is_short)
            at += (size_t)sprintf(text + at, "{\"index\": %zu, \"embedding\": [1, 2]}%s", k,
                                  k ? ", " : "");
        else if (now.is_base64)
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

static char store[] = "/tmp/assay-server-XXXXXX/store";
static assay_server_options options;
static assay_embedding *embedding;

/* The store's files: how many there are, and the name of one. */
static size_t list_store(char name[256])
{
    DIR *stream = opendir(store);
    const struct dirent *entry;
    size_t n = 0;

    name[0] = '\0';
    while (stream && (entry = readdir(stream)))
        if (entry->d_name[0] != '.') {
            snprintf(name, 256, "%s", entry->d_name);
            n++;
        }
    if (stream) closedir(stream);
    return n;
}

static void remove_store(void)
{
    char name[256], path[512];

    while (list_store(name) > 0) {
        snprintf(path, sizeof path, "%s/%s", store, name);
        assert_int_equal(unlink(path), 0);
    }
    rmdir(store);
}

static int begin(void **state)
{
    (void)state;
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
    remove_store();
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
    char name[256];

    (void)state;
    options.store = store;
    ask_ok(ten, 4);
    assert_int_equal(list_store(name), 1);
    assert_int_equal(strspn(name, "0123456789abcdef"), 32);
    assert_string_equal(name + 32, ".vectors");
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(assay_embedding_n_stored(embedding), 4);
    assert_int_equal(now.n_inputs, 8);
    assert_int_equal(server.n_requests, 2);
    ask_ok(ten, 10);
    assert_ten();
    assert_int_equal(assay_embedding_n_stored(embedding), 8);
    assert_int_equal(server.n_requests, 2);
}

static void assert_files_and_requests(size_t n_files, size_t n_requests)
{
    char name[256];

    assert_int_equal(list_store(name), n_files);
    assert_int_equal(server.n_requests, n_requests);
}

static void ask_at(const char *path)
{
    assay_embedding_free(embedding);
    assert_int_equal(assay_embed_by_server(stub_url(&server, path), ten, 1, &options, &embedding),
                     ASSAY_OK);
}

/* A vector is that of a text with its prefix; a file of the store is a model's of a server. */
static void test_other_prefixes_models_and_servers_are_other_vectors(void **state)
{
    (void)state;
    options.store = store;
    ask_at("/v1");
    assert_files_and_requests(1, 1);
    options.prefix = "p";
    ask_at("/v1");
    assert_files_and_requests(1, 2);
    options.prefix = NULL;
    ask_at("/v1/embeddings/"); /* the same place */
    assert_files_and_requests(1, 2);
    options.model = "m2";
    ask_at("/v1");
    assert_files_and_requests(2, 3);
    ask_at("/v2");
    assert_files_and_requests(3, 4);
}

static void test_what_came_before_a_failure_is_kept(void **state)
{
    (void)state;
    options.store = store;
    options.batch = 3;
    now.fails_from = 3;
    assert_fails(ten, 10, ASSAY_E_READ, "refused with 400: text 3 is unpleasant");
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
    options.store = store;
    options.batch = 3;
    options.progress = (assay_progress){ stop_later, &left };
    now.is_hung = 1;
    assert_int_equal(ask(ten, 10), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "cancelled in embedding");
    assert_null(embedding);
    now.is_hung = 0;
    options.progress = (assay_progress){ NULL, NULL };
    ask_ok(ten, 10);
    assert_int_equal(assay_embedding_n_stored(embedding), 3);
}

static void test_a_model_whose_vectors_have_changed_is_refused(void **state)
{
    (void)state;
    options.store = store;
    ask_ok(ten, 1);
    now.is_short = 1;
    assert_fails(ten, 2, ASSAY_E_FORMAT, "vector 0 has 2 numbers, expected 3 as before");
    ask_ok(ten, 1);
    assert_int_equal(assay_embedding_n_stored(embedding), 1);
}

static void test_a_store_that_cannot_be_used_is_told_beside_the_vectors(void **state)
{
    FILE *file = fopen(store, "w");

    (void)state;
    assert_non_null(file);
    fclose(file);
    options.store = store;
    assert_int_equal(ask(ten, 10), ASSAY_OK);
    assert_int_equal(assay_embedding_n_stored(embedding), 0);
    assert_memory_equal(assay_embedding_store_fault(embedding), store, strlen(store));
    unlink(store);
}

/* ---- answers that are not what was asked for ---- */

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
    remove_store();
    status = ask(ten, 10);
    assert_true((status == ASSAY_OK) == (embedding != NULL));
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    options.batch = 5;
    assert_true(fail_every_allocation(embed_ten, NULL) >= 10);
    options.store = store;
    assert_true(fail_every_allocation(embed_ten, NULL) >= 11);
}

static int make_place(void **state)
{
    char *slash = strrchr(store, '/');
    int failed;

    (void)state;
    *slash = '\0';
    failed = !mkdtemp(store);
    *slash = '/';
    return failed;
}

static int remove_place(void **state)
{
    (void)state;
    *strrchr(store, '/') = '\0';
    return rmdir(store);
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
        WITH_A_SERVER(test_a_model_whose_vectors_have_changed_is_refused),
        WITH_A_SERVER(test_a_store_that_cannot_be_used_is_told_beside_the_vectors),
        WITH_A_SERVER(test_an_answer_for_other_texts_is_refused_once),
        WITH_A_SERVER(test_options_are_checked),
        WITH_A_SERVER(test_nothing_is_sent_that_should_not_be),
        WITH_A_SERVER(test_a_sentence_never_has_the_key),
        WITH_A_SERVER(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
