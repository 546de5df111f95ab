/* SPDX-License-Identifier: Apache-2.0 */
#include "http_stub.h"

#include <arpa/inet.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void *serve(void *user);
static int wait_for(stub *server, int descriptor);
static void serve_connection(stub *server);
static int read_request(stub *server, stub_request *request);
static void take_header(const char *head, const char *name, char out[STUB_VALUE]);

void stub_start(stub *server, stub_handler handler, void *user)
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t size = sizeof address;

    memset(server, 0, sizeof *server);
    server->handler = handler;
    server->user = user;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server->listener, 16), 0);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
    server->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

void stub_stop(stub *server)
{
    server->is_stopping = 1;
    pthread_join(server->thread, NULL);
    close(server->listener);
}

static void *serve(void *user)
{
    stub *server = user;

    while (wait_for(server, server->listener)) {
        server->peer = accept(server->listener, NULL, NULL);
        if (server->peer < 0) continue;
        server->n_connections++;
        serve_connection(server);
        close(server->peer);
    }
    return NULL;
}

static int wait_for(stub *server, int descriptor)
{
    struct pollfd polled = { descriptor, POLLIN, 0 };

    while (!server->is_stopping)
        if (poll(&polled, 1, 5) > 0) return 1;
    return 0;
}

static void serve_connection(stub *server)
{
    stub_request request;

    server->is_dropped = 0;
    while (!server->is_dropped && read_request(server, &request)) {
        const size_t n = server->n_requests;

        if (n < STUB_REQUESTS) server->requests[n] = request;
        server->n_requests = n + 1;
        server->handler(server, &request);
    }
}

/* Byte by byte up to the empty line: slow, and simple. */
static int read_request(stub *server, stub_request *request)
{
    char length[STUB_VALUE];
    size_t n = 0;

    memset(request, 0, sizeof *request);
    for (;;) {
        if (n == STUB_HEAD - 1 || !wait_for(server, server->peer)) return 0;
        if (recv(server->peer, server->head + n, 1, 0) != 1) return 0;
        server->head[++n] = '\0';
        if (n >= 4 && strcmp(server->head + n - 4, "\r\n\r\n") == 0) break;
    }
    if (sscanf(server->head, "%7s %255s", request->method, request->path) != 2) return 0;
    take_header(server->head, "Authorization", request->authorization);
    take_header(server->head, "Range", request->range);
    take_header(server->head, "Content-Type", request->content_type);
    take_header(server->head, "User-Agent", request->user_agent);
    take_header(server->head, "Content-Length", length);
    request->length = strtoul(length, NULL, 10);
    if (request->length > STUB_BODY) return 0;
    for (n = 0; n < request->length;) {
        const ssize_t got = recv(server->peer, server->body + n, request->length - n, 0);
        if (got <= 0) return 0;
        n += (size_t)got;
    }
    server->body[n] = '\0';
    return 1;
}

static void take_header(const char *head, const char *name, char out[STUB_VALUE])
{
    const size_t length = strlen(name);

    out[0] = '\0';
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':')
            sscanf(line + 2 + length + 1, " %255[^\r]", out);
}

const char *stub_url(stub *server, const char *path)
{
    snprintf(server->url, sizeof server->url, "http://127.0.0.1:%u%s", server->port, path);
    return server->url;
}

void stub_send(stub *server, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length > 0 && !server->is_stopping) {
        const ssize_t sent = send(server->peer, at, length, MSG_NOSIGNAL);
        if (sent <= 0) {
            stub_drop(server);
            return;
        }
        at += sent;
        length -= (size_t)sent;
    }
}

void stub_answer(stub *server, int code, const char *headers, const void *body, size_t length)
{
    char head[1024];
    const int n = snprintf(head, sizeof head, "HTTP/1.1 %d x\r\n%sContent-Length: %zu\r\n\r\n",
                           code, headers, length);

    stub_send(server, head, (size_t)n);
    stub_send(server, body, length);
    server->n_sent += length;
}

void stub_text(stub *server, int code, const char *headers, const char *text)
{
    stub_answer(server, code, headers, text, strlen(text));
}

void stub_drop(stub *server)
{
    server->is_dropped = 1;
}

void stub_sleep(stub *server, double seconds)
{
    const struct timespec step = { 0, 5000000 };

    for (double t = 0; t < seconds && !server->is_stopping; t += 0.005) nanosleep(&step, NULL);
}

void stub_file(stub *server, const stub_request *request, const void *bytes, size_t length)
{
    char headers[128];
    size_t from;

    if (sscanf(request->range, "bytes=%zu-", &from) != 1) {
        stub_answer(server, 200, "", bytes, length);
    } else if (from >= length) {
        stub_text(server, 416, "", "");
    } else {
        snprintf(headers, sizeof headers, "Content-Range: bytes %zu-%zu/%zu\r\n", from, length - 1,
                 length);
        stub_answer(server, 206, headers, (const char *)bytes + from, length - from);
    }
}
