/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http.h"

#include "failing_memory.h"
#include "http_stub.h"

#include "net/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 1000 };

static stub server, other;
static assay_http *http;
static assay_http_reply reply;

static const assay_http_options quick = {
    .attempts = 3, .wait = 0.01, .timeout = 5, .stage = "test"
};

static void begin(stub_handler handler, const assay_http_options *options)
{
    stub_start(&server, handler, NULL);
    assert_int_equal(assay_http_open(options, &http), ASSAY_OK);
}

static void end(void)
{
    assay_http_close(http);
    assay_http_free_reply(&reply);
    stub_stop(&server);
}

/* "127.0.0.1:PORT: " and what follows. */
static void assert_sentence(const char *what)
{
    char whole[1024];

    snprintf(whole, sizeof whole, "127.0.0.1:%u: %s", server.port, what);
    assert_string_equal(assay_last_error(), whole);
}

static void assert_reply(long code, const char *text)
{
    assert_int_equal(reply.code, code);
    assert_int_equal(reply.length, strlen(text));
    assert_string_equal(reply.body, text);
}

static assay_status get(const char *path)
{
    return assay_http_get(http, stub_url(&server, path), LIMIT, &reply);
}

static void get_ok(const char *path)
{
    if (get(path) != ASSAY_OK) fail_msg("%s", assay_last_error());
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- answers ---- */

static void say_hello(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 200, "", "hello");
}

static void test_an_answer_comes_whole_and_its_connection_is_used_again(void **state)
{
    (void)state;
    begin(say_hello, &quick);
    get_ok("/a?b=c");
    assert_reply(200, "hello");
    get_ok("/d");
    assert_reply(200, "hello");
    assert_int_equal(server.n_connections, 1);
    assert_string_equal(server.requests[0].method, "GET");
    assert_string_equal(server.requests[0].path, "/a?b=c");
    assert_string_equal(server.requests[0].authorization, "");
    assert_memory_equal(server.requests[0].user_agent, "assay/", 6);
    end();
}

static void test_a_post_has_its_text_its_type_and_the_key(void **state)
{
    assay_http_options options = quick;

    (void)state;
    options.key = "secret";
    begin(say_hello, &options);
    assert_int_equal(assay_http_post(http, stub_url(&server, "/p"), "{\"a\":1}", 7, LIMIT, &reply),
                     ASSAY_OK);
    assert_reply(200, "hello");
    assert_string_equal(server.requests[0].method, "POST");
    assert_string_equal(server.requests[0].content_type, "application/json");
    assert_string_equal(server.requests[0].authorization, "Bearer secret");
    assert_string_equal(server.body, "{\"a\":1}");
    assert_null(strstr(server.head, "Expect"));
    end();
}

static void say_in_chunks(stub *s, const stub_request *request)
{
    static const char chunks[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                 "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
    (void)request;
    stub_send(s, chunks, sizeof chunks - 1);
}

static void test_chunks_are_put_together(void **state)
{
    (void)state;
    begin(say_in_chunks, &quick);
    get_ok("/");
    assert_reply(200, "hello");
    end();
}

static void say_too_much(stub *s, const stub_request *request)
{
    static char much[1 << 18];

    memset(much, 'x', sizeof much);
    stub_answer(s, strcmp(request->path, "/bad") == 0 ? 404 : 200, "", much, sizeof much);
}

static void test_an_answer_is_not_longer_than_its_limit(void **state)
{
    (void)state;
    begin(say_too_much, &quick);
    assert_int_equal(get("/"), ASSAY_E_FORMAT);
    assert_sentence("an answer of more than 1000 bytes, which is the most that was expected");
    assert_int_equal(server.n_requests, 1);
    get_ok("/bad");
    assert_int_equal(reply.code, 404);
    assert_int_equal(reply.length, 1 << 16); /* enough of a refusal */
    end();
}

/* ---- asked again ---- */

static void fail_twice(stub *s, const stub_request *request)
{
    static const char cut[] = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc";

    if (s->n_requests == 1) {
        stub_text(s, 500, "", "oops");
    } else if (s->n_requests == 2) {
        stub_send(s, cut, sizeof cut - 1);
        stub_drop(s);
    } else {
        say_hello(s, request);
    }
}

static void test_what_fails_is_asked_again(void **state)
{
    (void)state;
    begin(fail_twice, &quick);
    get_ok("/");
    assert_reply(200, "hello");
    assert_int_equal(server.n_requests, 3);
    end();
}

static void be_busy(stub *s, const stub_request *request)
{
    stub_text(s, atoi(request->path + 1), "Retry-After: 0\r\n",
              "{\"error\": {\"message\": \"slow\\u001b down\"}}");
}

static void test_a_server_that_stays_busy_is_given_up(void **state)
{
    static const int codes[] = { 408, 429, 500, 502, 503, 504 };

    (void)state;
    for (size_t k = 0; k < 6; k++) {
        char path[8], what[64];

        snprintf(path, sizeof path, "/%d", codes[k]);
        snprintf(what, sizeof what, "answered %d 3 times: slow\\x1b down", codes[k]);
        begin(be_busy, &quick);
        assert_int_equal(get(path), ASSAY_E_READ);
        assert_int_equal(server.n_requests, 3);
        assert_sentence(what);
        end();
    }
}

static void refuse(stub *s, const stub_request *request)
{
    stub_text(s, atoi(request->path + 1), "", "{\"error\": \"no\"}");
}

static void test_a_refusal_is_not_asked_again_and_has_its_sentence(void **state)
{
    static const struct refusal {
        long code;
        const char *sentence;
    } all[] = {
        { 400, "h: refused with 400: no" },
        { 401, "h: refused with 401 (a key is missing or wrong, or there is no such model): no" },
        { 403, "h: refused with 403 (this key, or no key, may not do that): no" },
        { 404, "h: refused with 404 (no such thing is there): no" },
        { 413, "h: refused with 413 (that was too much at once): no" },
        { 301, "h: refused with 301 (it is elsewhere, and that is not followed): no" },
        { 422, "h: refused with 422: no" },
    };

    (void)state;
    begin(refuse, &quick);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        char path[8];

        snprintf(path, sizeof path, "/%ld", all[k].code);
        get_ok(path);
        assert_int_equal(server.n_requests, k + 1);
        assert_int_equal(reply.code, all[k].code);
        assert_int_equal(assay_refusal("h", &reply), ASSAY_E_READ);
        assert_string_equal(assay_last_error(), all[k].sentence);
    }
    end();
}

static void ask_for_a_second(stub *s, const stub_request *request)
{
    char headers[128];
    const time_t later = time(NULL) + 2; /* at least a second from now */
    struct tm parts;

    gmtime_r(&later, &parts);
    strftime(headers, sizeof headers, "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
    if (s->n_requests == 1)
        stub_text(s, 429, strcmp(request->path, "/date") == 0 ? headers : "Retry-After: 1\r\n", "");
    else
        say_hello(s, request);
}

static void test_a_server_is_left_alone_as_long_as_it_asks(void **state)
{
    static const char *const paths[] = { "/seconds", "/date" };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double start;

        begin(ask_for_a_second, &quick);
        start = seconds();
        get_ok(paths[k]);
        assert_true(seconds() - start >= 0.99);
        assert_int_equal(server.n_requests, 2);
        end();
    }
}

static void ask_for_hours(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 429, "Retry-After: 7200\r\n", "quota");
}

static void test_nobody_waits_for_hours(void **state)
{
    (void)state;
    begin(ask_for_hours, &quick);
    assert_int_equal(get("/"), ASSAY_E_READ);
    assert_int_equal(server.n_requests, 1);
    assert_sentence("answered 429, and asks to come back in 7200 seconds: quota");
    end();
}

static void test_where_nobody_listens_no_answer_comes(void **state)
{
    (void)state;
    begin(say_hello, &quick);
    stub_stop(&server); /* its port is free now */
    assert_int_equal(get("/"), ASSAY_E_READ);
    assert_non_null(strstr(assay_last_error(), ": no answer came, tried 3 times: "));
    stub_start(&server, say_hello, NULL);
    end();
}

static void be_slow(stub *s, const stub_request *request)
{
    (void)request;
    stub_sleep(s, 20);
    stub_drop(s);
}

static void test_a_slow_server_is_not_waited_for_too_long(void **state)
{
    assay_http_options options = quick;

    (void)state;
    options.timeout = 0.2;
    options.attempts = 1;
    begin(be_slow, &options);
    assert_int_equal(get("/"), ASSAY_E_READ);
    assert_non_null(strstr(assay_last_error(), ": no answer came: Operation timed out"));
    end();
}

/* ---- cancelling ---- */

static int stop_after(void *user, const char *stage, double fraction)
{
    int *left = user;

    assert_string_equal(stage, "test");
    assert_true(fraction >= 0 && fraction <= 1);
    return (*left)-- == 0;
}

/* How many requests came until a call was cancelled at its n-th question. */
static size_t cancel_at(stub_handler handler, double wait, int n)
{
    assay_http_options options = { .attempts = 3, .wait = wait, .timeout = 30, .stage = "test" };
    size_t came;

    options.progress = (assay_progress){ stop_after, &n };
    begin(handler, &options);
    assert_int_equal(get("/503"), ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "cancelled in test");
    came = server.n_requests;
    end();
    return came;
}

static void test_every_wait_can_be_cancelled(void **state)
{
    const double start = seconds();

    (void)state;
    assert_int_equal(cancel_at(be_busy, 1000, 0), 0);
    assert_int_equal(cancel_at(be_busy, 1000, 20), 1); /* before the second attempt */
    assert_true(cancel_at(be_slow, 1, 4) <= 1);        /* while an answer is due */
    assert_true(seconds() - start < 20);
}

/* ---- redirections ---- */

static void redirect(stub *s, const stub_request *request)
{
    char headers[256];

    if (strcmp(request->path, "/there") == 0) {
        say_hello(s, request);
        return;
    }
    if (strcmp(request->path, "/away") == 0)
        snprintf(headers, sizeof headers, "Location: http://localhost:%u/there\r\n", other.port);
    else if (strcmp(request->path, "/port") == 0)
        snprintf(headers, sizeof headers, "Location: http://127.0.0.1:%u/there\r\n", other.port);
    else if (strcmp(request->path, "/file") == 0)
        snprintf(headers, sizeof headers, "Location: file:///etc/passwd\r\n");
    else
        snprintf(headers, sizeof headers, "Location: %s\r\n",
                 strcmp(request->path, "/here") == 0 ? "/there" : "/for/ever");
    stub_text(s, 302, headers, "");
}

/* For the next connection, which may be under another name of this machine. */
static void say_hello_once(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 200, "Connection: close\r\n", "hello");
    stub_drop(s);
}

static void test_the_key_stays_with_its_host(void **state)
{
    assay_http_options options = quick;

    (void)state;
    options.key = "secret";
    stub_start(&other, say_hello_once, NULL);
    begin(redirect, &options);
    get_ok("/here");
    assert_reply(200, "hello");
    assert_string_equal(server.requests[1].authorization, "Bearer secret");
    get_ok("/away");
    assert_reply(200, "hello");
    assert_int_equal(other.n_requests, 1);
    assert_string_equal(other.requests[0].path, "/there");
    assert_string_equal(other.requests[0].authorization, "");
    get_ok("/port");
    assert_int_equal(other.n_requests, 2);
    assert_string_equal(other.requests[1].authorization, "");
    end();
    stub_stop(&other);
}

static void test_redirections_end_and_stay_within_http(void **state)
{
    (void)state;
    begin(redirect, &quick);
    assert_int_equal(get("/round"), ASSAY_E_READ);
    assert_sentence("no answer came: Maximum (5) redirects followed");
    assert_int_equal(get("/file"), ASSAY_E_READ);
    assert_sentence("no answer came: Protocol \"file\" not supported or disabled in libcurl");
    end();
}

static void test_what_is_posted_goes_nowhere_else(void **state)
{
    (void)state;
    stub_start(&other, say_hello, NULL);
    begin(redirect, &quick);
    assert_int_equal(assay_http_post(http, stub_url(&server, "/away"), "{}", 2, LIMIT, &reply),
                     ASSAY_OK);
    assert_int_equal(reply.code, 302);
    assert_int_equal(other.n_requests, 0);
    end();
    stub_stop(&other);
}

/* ---- files ---- */

static char file_path[] = "/tmp/assay-http-XXXXXX";
static char content[5000];

static void write_part(size_t length)
{
    FILE *to = fopen(file_path, "wb");

    assert_non_null(to);
    fwrite(content, 1, length, to);
    fclose(to);
}

static void assert_file(size_t length)
{
    static char found[sizeof content + 1];
    FILE *from = fopen(file_path, "rb");

    assert_non_null(from);
    assert_int_equal(fread(found, 1, sizeof found, from), length);
    fclose(from);
    assert_memory_equal(found, content, length);
}

static assay_status get_file(const char *path)
{
    return assay_http_get_file(http, stub_url(&server, path), file_path, sizeof content, &reply);
}

static void give_file(stub *s, const stub_request *request)
{
    stub_request whole = *request;

    if (strcmp(request->path, "/no-range") == 0) whole.range[0] = '\0';
    if (strcmp(request->path, "/none") == 0)
        stub_text(s, 404, "", "none");
    else
        stub_file(s, &whole, content, sizeof content);
}

static void test_a_file_goes_on_where_it_stopped(void **state)
{
    (void)state;
    begin(give_file, &quick);
    unlink(file_path);
    assert_int_equal(get_file("/"), ASSAY_OK);
    assert_file(sizeof content);
    assert_string_equal(server.requests[0].range, "");
    assert_int_equal(server.n_sent, 5000);
    write_part(3000);
    assert_int_equal(get_file("/"), ASSAY_OK);
    assert_int_equal(reply.code, 206);
    assert_string_equal(server.requests[1].range, "bytes=3000-");
    assert_int_equal(server.n_sent, 7000);
    assert_file(sizeof content);
    end();
}

static void test_a_server_without_ranges_gives_the_whole_file(void **state)
{
    (void)state;
    begin(give_file, &quick);
    write_part(3000);
    assert_int_equal(get_file("/no-range"), ASSAY_OK);
    assert_int_equal(reply.code, 200);
    assert_file(sizeof content);
    end();
}

static void test_a_refusal_does_not_touch_the_file(void **state)
{
    (void)state;
    begin(give_file, &quick);
    write_part(3000);
    assert_int_equal(get_file("/none"), ASSAY_OK);
    assert_reply(404, "none");
    assert_file(3000);
    write_part(5000);
    assert_int_equal(get_file("/"), ASSAY_OK);
    assert_int_equal(reply.code, 416);
    assert_file(5000);
    end();
}

static void cut_file(stub *s, const stub_request *request)
{
    char head[64];

    if (s->n_requests > 2) {
        stub_file(s, request, content, sizeof content);
        return;
    }
    if (s->n_requests == 2) {
        stub_text(s, 503, "", "busy");
        return;
    }
    snprintf(head, sizeof head, "HTTP/1.1 200 x\r\nContent-Length: %zu\r\n\r\n", sizeof content);
    stub_send(s, head, strlen(head));
    stub_send(s, content, 1234);
    stub_drop(s);
}

static void test_a_connection_that_breaks_goes_on_with_the_rest(void **state)
{
    (void)state;
    begin(cut_file, &quick);
    unlink(file_path);
    assert_int_equal(get_file("/"), ASSAY_OK);
    assert_int_equal(server.n_requests, 3);
    assert_string_equal(server.requests[2].range, "bytes=1234-");
    assert_int_equal(server.n_sent, 4 + 5000 - 1234);
    assert_file(sizeof content);
    end();
}

static void give_more(stub *s, const stub_request *request)
{
    static char much[1 << 16];

    (void)request;
    stub_answer(s, 200, "", much, sizeof much);
}

static void say_part(stub *s, const stub_request *request)
{
    (void)request;
    stub_text(s, 206, "Content-Range: bytes 0-4/9\r\n", "hello");
}

static void test_a_file_that_is_not_as_asked_is_refused(void **state)
{
    (void)state;
    begin(give_more, &quick);
    unlink(file_path);
    assert_int_equal(get_file("/"), ASSAY_E_FORMAT);
    assert_sentence("a file of more than the 5000 bytes that were expected");
    end();
    unlink(file_path);
    begin(say_part, &quick);
    assert_int_equal(get_file("/"), ASSAY_E_FORMAT);
    assert_sentence("a part of the file, expected the whole");
    end();
}

static void test_a_file_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    begin(say_hello, &quick);
    assert_int_equal(
        assay_http_get_file(http, stub_url(&server, "/"), "/tmp/none/of/it", LIMIT, &reply),
        ASSAY_E_WRITE);
    assert_string_equal(assay_last_error(),
                        "/tmp/none/of/it: cannot be written: No such file or directory");
    assert_int_equal(server.n_requests, 0);
    end();
}

/* ---- keys and words ---- */

static void test_a_key_is_not_sent_over_the_open_network(void **state)
{
    assay_http_options options = quick;

    (void)state;
    options.key = "secret";
    begin(say_hello, &options);
    assert_int_equal(assay_http_get(http, "http://h.invalid/", LIMIT, &reply), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(),
                        "h.invalid: a key over http can be read by others, expected https or this "
                        "machine");
    end();
}

static void test_the_servers_own_words_are_found(void **state)
{
    static const char *const known[][2] = {
        { "{\"error\": {\"type\": \"x\", \"message\": \"a\"}}", "a" },
        { "{\"error\": \"b\", \"error_type\": \"x\"}", "b" },
        { "{\"detail\": \"c\"}", "c" },
        { "{\"detail\": [{\"loc\": [\"body\"], \"msg\": \"d\"}]}", "d" },
        { "{\"object\": \"error\", \"message\": \"e\"}", "e" },
        { "plain words\n", "plain words\\x0a" },
        { "<html>", "" },
        { "{\"x\": 1}", "" },
        { "{\"error\": ", "" },
        { "", "" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char words[ASSAY_WORDS_SIZE], body[128];
        const assay_http_reply said = { .body = body, .length = strlen(known[k][0]) };

        strcpy(body, known[k][0]);
        assert_int_equal(assay_refusal_words(&said, words), ASSAY_OK);
        assert_string_equal(words, known[k][1]);
    }
}

/* ---- memory ---- */

static assay_status get_refusal(void *context)
{
    assay_http *own = NULL;
    assay_http_reply came = { 0 };
    assay_status status = assay_http_open(&quick, &own);

    (void)context;
    if (status == ASSAY_OK) status = assay_http_get(own, stub_url(&server, "/400"), LIMIT, &came);
    if (status == ASSAY_OK && assay_refusal("h", &came) == ASSAY_E_NOMEM) status = ASSAY_E_NOMEM;
    assay_http_free_reply(&came);
    assay_http_close(own);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    stub_start(&server, refuse, NULL);
    assert_true(fail_every_allocation(get_refusal, NULL) >= 5);
    stub_stop(&server);
}

static int make_file(void **state)
{
    const int descriptor = mkstemp(file_path);

    (void)state;
    for (size_t k = 0; k < sizeof content; k++) content[k] = (char)(k * 7 % 251);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(file_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_comes_whole_and_its_connection_is_used_again),
        cmocka_unit_test(test_a_post_has_its_text_its_type_and_the_key),
        cmocka_unit_test(test_chunks_are_put_together),
        cmocka_unit_test(test_an_answer_is_not_longer_than_its_limit),
        cmocka_unit_test(test_what_fails_is_asked_again),
        cmocka_unit_test(test_a_server_that_stays_busy_is_given_up),
        cmocka_unit_test(test_a_refusal_is_not_asked_again_and_has_its_sentence),
        cmocka_unit_test(test_a_server_is_left_alone_as_long_as_it_asks),
        cmocka_unit_test(test_nobody_waits_for_hours),
        cmocka_unit_test(test_where_nobody_listens_no_answer_comes),
        cmocka_unit_test(test_a_slow_server_is_not_waited_for_too_long),
        cmocka_unit_test(test_every_wait_can_be_cancelled),
        cmocka_unit_test(test_the_key_stays_with_its_host),
        cmocka_unit_test(test_redirections_end_and_stay_within_http),
        cmocka_unit_test(test_what_is_posted_goes_nowhere_else),
        cmocka_unit_test(test_a_file_goes_on_where_it_stopped),
        cmocka_unit_test(test_a_server_without_ranges_gives_the_whole_file),
        cmocka_unit_test(test_a_refusal_does_not_touch_the_file),
        cmocka_unit_test(test_a_connection_that_breaks_goes_on_with_the_rest),
        cmocka_unit_test(test_a_file_that_is_not_as_asked_is_refused),
        cmocka_unit_test(test_a_file_that_cannot_be_written_is_named),
        cmocka_unit_test(test_a_key_is_not_sent_over_the_open_network),
        cmocka_unit_test(test_the_servers_own_words_are_found),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
