/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of an answer go: to memory, or behind what a file has already. */
#ifndef ASSAY_NET_HTTP_BODY_H
#define ASSAY_NET_HTTP_BODY_H

#include "net/http.h"

#include <curl/curl.h>

typedef struct assay_http_body {
    const char *host; /* for sentences */
    CURL *curl;
    assay_http_reply *reply;
    uint64_t limit;
    const char *path; /* NULL: the reply's memory */
    int file;
    uint64_t from, at;   /* the file's length before this attempt, and now */
    long code;           /* of the answer whose bytes come; 0 before the first of them */
    int is_full;         /* more than enough of a refusal came */
    assay_status failed; /* what could not be done, with its sentence */
} assay_http_body;

/* Begin an attempt: nothing came yet. */
void assay_http_body_start(assay_http_body *body);

/* libcurl's write callback; user is an assay_http_body. */
size_t assay_http_body_write(char *bytes, size_t size, size_t count, void *user);

/* Open the file at path to go on at its end. ASSAY_OK or ASSAY_E_WRITE. */
assay_status assay_http_body_open(assay_http_body *body, const char *path);

/* Close it: what was written is on the disk. ASSAY_OK or ASSAY_E_WRITE. */
assay_status assay_http_body_close(assay_http_body *body);

#endif
