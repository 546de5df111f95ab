/* SPDX-License-Identifier: Apache-2.0 */
/* An HTTP server on this machine that answers as a test wants: one thread, one connection at a
   time, no allocations (which the tests make fail). */
#ifndef TESTS_HTTP_STUB_H
#define TESTS_HTTP_STUB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { STUB_HEAD = 4096, STUB_BODY = 1 << 20, STUB_REQUESTS = 64, STUB_VALUE = 256 };

typedef struct stub_request {
    char method[8], path[STUB_VALUE];
    char authorization[STUB_VALUE], range[STUB_VALUE]; /* "" where there is none */
    char content_type[STUB_VALUE], user_agent[STUB_VALUE];
    size_t length;
} stub_request;

typedef struct stub stub;
typedef void (*stub_handler)(stub *server, const stub_request *request);

struct stub {
    int listener, peer;
    unsigned port;
    pthread_t thread;
    atomic_int is_stopping, is_dropped;
    stub_handler handler;
    void *user;
    atomic_size_t n_requests, n_connections, n_sent; /* bytes of bodies */
    stub_request requests[STUB_REQUESTS];            /* the first of them */
    char head[STUB_HEAD], body[STUB_BODY + 1];       /* of the latest */
    char url[STUB_VALUE];
};

void stub_start(stub *server, stub_handler handler, void *user);
void stub_stop(stub *server);

/* http://127.0.0.1:PORT and path; until the next call. */
const char *stub_url(stub *server, const char *path);

/* From within a handler. Headers are whole lines, "" for none; the length of the body is said. */
void stub_answer(stub *server, int code, const char *headers, const void *body, size_t length);
void stub_text(stub *server, int code, const char *headers, const char *text);
void stub_send(stub *server, const void *bytes, size_t length); /* as they are */
void stub_drop(stub *server);                                   /* the connection, after this */
void stub_sleep(stub *server, double seconds);                  /* or until the server is stopped */

/* Give bytes as a file, whole or from where a Range asks. */
void stub_file(stub *server, const stub_request *request, const void *bytes, size_t length);

#endif
