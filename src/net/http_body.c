/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http_body.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REFUSAL_LIMIT = 1 << 16, FIRST_SIZE = 1 << 14 };

static int is_good(const assay_http_body *body);
static assay_status begin(assay_http_body *body);
static assay_status keep(assay_http_body *body, const char *bytes, size_t n);
static assay_status append(assay_http_body *body, const char *bytes, size_t n);
static assay_status cannot_write(const assay_http_body *body);

assay_status assay_http_body_open(assay_http_body *body, const char *path)
{
    off_t end;

    body->path = path;
    body->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (body->file < 0) return cannot_write(body);
    end = lseek(body->file, 0, SEEK_END);
    if (end < 0) return cannot_write(body);
    body->at = (uint64_t)end;
    return ASSAY_OK;
}

assay_status assay_http_body_close(assay_http_body *body)
{
    int failed;

    if (!body->path || body->file < 0) return ASSAY_OK;
    failed = fsync(body->file) != 0 && errno != EINVAL; /* EINVAL: a place that has no disk */
    failed |= close(body->file) != 0;
    return failed ? cannot_write(body) : ASSAY_OK;
}

void assay_http_body_start(assay_http_body *body)
{
    body->reply->length = 0;
    body->reply->code = 0;
    body->code = 0;
    body->is_full = 0;
    body->from = body->at;
}

/* Anything but the number of bytes that came ends the transfer. */
size_t assay_http_body_write(char *bytes, size_t size, size_t count, void *user)
{
    assay_http_body *body = user;
    const size_t n = size * count;

    if (body->code == 0) body->failed = begin(body);
    if (body->failed == ASSAY_OK)
        body->failed = body->path && is_good(body) ? append(body, bytes, n) : keep(body, bytes, n);
    return body->failed == ASSAY_OK && !body->is_full ? n : 0;
}

static int is_good(const assay_http_body *body)
{
    return body->code >= 200 && body->code < 300;
}

/* A server that does not know ranges sends everything, as 200. */
static assay_status begin(assay_http_body *body)
{
    curl_easy_getinfo(body->curl, CURLINFO_RESPONSE_CODE, &body->code);
    if (!body->path || !is_good(body)) return ASSAY_OK;
    if (body->code == 206 && body->from == 0)
        return assay_fail(ASSAY_E_FORMAT, "%s: a part of the file, expected the whole", body->host);
    if (body->code == 206 || body->at == 0) return ASSAY_OK;
    body->at = 0;
    if (ftruncate(body->file, 0) != 0 || lseek(body->file, 0, SEEK_SET) != 0)
        return cannot_write(body);
    return ASSAY_OK;
}

/* Of a refusal, what does not fit is passed by: its first words are enough. */
static assay_status keep(assay_http_body *body, const char *bytes, size_t n)
{
    assay_http_reply *reply = body->reply;
    const uint64_t limit = is_good(body) ? body->limit : REFUSAL_LIMIT;

    if (n > limit - reply->length && is_good(body))
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: an answer of more than %llu bytes, which is the most that was "
                          "expected",
                          body->host, (unsigned long long)limit);
    if (n > limit - reply->length) {
        n = (size_t)limit - reply->length;
        body->is_full = 1;
    }
    if (reply->capacity == 0 && assay_grow(&reply->body, &reply->capacity, FIRST_SIZE, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for an answer of %s", body->host);
    if (assay_grow(&reply->body, &reply->capacity, reply->length + n + 1, 1) != 0)
        return assay_fail(ASSAY_E_NOMEM, "no memory for an answer of %s", body->host);
    memcpy(reply->body + reply->length, bytes, n);
    reply->length += n;
    reply->body[reply->length] = '\0';
    return ASSAY_OK;
}

static assay_status append(assay_http_body *body, const char *bytes, size_t n)
{
    if (body->at > body->limit || n > body->limit - body->at)
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: a file of more than the %llu bytes that were expected", body->host,
                          (unsigned long long)body->limit);
    while (n > 0) {
        const ssize_t written = write(body->file, bytes, n);

        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return cannot_write(body);
        bytes += written;
        n -= (size_t)written;
        body->at += (uint64_t)written;
    }
    return ASSAY_OK;
}

static assay_status cannot_write(const assay_http_body *body)
{
    return assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", body->path, strerror(errno));
}

void assay_http_free_reply(assay_http_reply *reply)
{
    free(reply->body);
    *reply = (assay_http_reply){ 0 };
}
