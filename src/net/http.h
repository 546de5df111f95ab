/* SPDX-License-Identifier: Apache-2.0 */
/* The one seam to libcurl: requests to one server, asked again while it is busy. */
#ifndef ASSAY_NET_HTTP_H
#define ASSAY_NET_HTTP_H

#include "assay/base.h"

/* How requests are made. Strings are borrowed for as long as the connection lives. */
typedef struct assay_http_options {
    const char *key; /* a bearer token, or NULL */
    int attempts;    /* for one request, at least 1 */
    double wait;     /* seconds before the second attempt, doubled each time */
    double timeout;  /* seconds an attempt may take; 0: as long as bytes come */
    const char *stage;
    assay_progress progress; /* asked while bytes come, and while there is nothing to do but wait */
} assay_http_options;

/* An answer that will not change by asking again. */
typedef struct assay_http_reply {
    long code;
    char *body; /* length bytes and a NUL; of a file, only what came with a refusal */
    size_t length, capacity;
} assay_http_reply;

typedef struct assay_http
    assay_http; /* connections that are used again; for one thread at a time */

/* ASSAY_OK or ASSAY_E_NOMEM; *out is NULL on failure. */
assay_status assay_http_open(const assay_http_options *options, assay_http **out);
void assay_http_close(assay_http *http); /* NULL is fine */

/* How much of the work is done before the next request, as progress shall show it: done of total, to
   which the bytes of a file are added as they come. */
void assay_http_set_done(assay_http *http, double done, double total);

/*
 * Each of these asks until an answer comes that is not "busy" (408, 429, 5xx), and gives any such
 * answer: whether its code is good is for the caller to say. TLS certificates are verified. GET
 * follows redirections, from https to https only, and sends the token to the first host alone;
 * POST follows none. Proxies are libcurl's business (https_proxy), but for this machine there is
 * none.
 *
 * @param limit  bytes that a good answer may have.
 * @param reply  zeros, or that of an earlier request; to be freed with assay_http_free_reply()
 *               whatever happened.
 * @return ASSAY_OK; ASSAY_E_READ when no answer came or the server stayed busy; ASSAY_E_FORMAT when the
 *         answer is too long; ASSAY_E_WRITE for the file; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. Sentences
 *         begin with the host, and never hold the token.
 */
assay_status assay_http_get(assay_http *http, const char *url, size_t limit,
                            assay_http_reply *reply);
assay_status assay_http_post(assay_http *http, const char *url, const char *json, size_t length,
                             size_t limit, assay_http_reply *reply);

/* The same to a file, from where it ends: only the rest is asked for, and where the server sends
   everything the file begins anew. What came before a failure stays. */
assay_status assay_http_get_file(assay_http *http, const char *url, const char *path,
                                 uint64_t limit, assay_http_reply *reply);

void assay_http_free_reply(assay_http_reply *reply);

/* Let step seconds pass in small steps that ask progress. ASSAY_OK or ASSAY_E_CANCELLED. */
assay_status assay_http_pause(const assay_http *http, double seconds);

#endif
