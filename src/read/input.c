/* SPDX-License-Identifier: Apache-2.0 */
#include "read/input.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"
#include "read/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { CHUNK_SIZE = 256 * 1024, HEAD_SIZE = 64 * 1024, GZIP_WINDOW = 15 + 16 };

enum packing { PLAIN, GZIP, ZSTANDARD };

struct assay_input_stream {
    char *name;
    const assay_progress *progress; /* or NULL */
    int descriptor, is_stdin, is_regular;
    uint64_t size, taken; /* of the file; 0 when unknown */
    assay_digest *digest;
    unsigned char *chunk; /* bytes on disk not yet decoded: chunk[begin, end) */
    size_t begin, end;
    int disk_ended;
    enum packing packing;
    int between; /* a gzip member or Zstandard frame has ended and no other begun */
    z_stream gzip;
    int gzip_open;
    ZSTD_DStream *zstandard;
    char head[HEAD_SIZE]; /* decoded bytes that were peeked at and not yet read */
    size_t head_begin, head_end;
    assay_status failed; /* the first failure, and why: it is repeated */
    const char *why;
    int cut;
};

static assay_status open_descriptor(assay_input_stream *in, const char *path);
static assay_status fill_chunk(assay_input_stream *in);
static assay_status start_unpacking(assay_input_stream *in);
static assay_status read_disk(assay_input_stream *in, void *buffer, size_t size, size_t *got);
static assay_status wait_on(const assay_input_stream *in);
static assay_status decode(assay_input_stream *in, char *buffer, size_t size, size_t *got);
static assay_status read_plain(assay_input_stream *in, char *buffer, size_t size, size_t *got);
static assay_status read_gzip(assay_input_stream *in, char *buffer, size_t size, size_t *got);
static int next_member(assay_input_stream *in);
static assay_status read_zstandard(assay_input_stream *in, char *buffer, size_t size, size_t *got);
static assay_status fail_zstandard(assay_input_stream *in, size_t code);
static assay_status keep_failure(assay_input_stream *in, assay_status status, const char *why);
static assay_status fail_cut(assay_input_stream *in);

assay_status assay_input_open(const char *path, const assay_progress *progress,
                              assay_input_stream **out)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    assay_status status;
    assay_input_stream *in;

    *out = NULL;
    in = assay_alloc_zero(1, sizeof *in);
    if (!in) return assay_fail(ASSAY_E_NOMEM, "no memory to open %s", path);
    in->progress = progress;
    in->descriptor = -1;
    in->name = assay_copy_text(name, strlen(name));
    in->chunk = assay_alloc(CHUNK_SIZE, 1);
    if (!in->name || !in->chunk || assay_digest_open(&in->digest) != ASSAY_OK) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to open %s", path);
        goto done;
    }
    if ((status = open_descriptor(in, path)) != ASSAY_OK) goto done;
    if ((status = fill_chunk(in)) != ASSAY_OK) goto done;
    if ((status = start_unpacking(in)) != ASSAY_OK) goto done;
    *out = in;
    in = NULL;
done:
    assay_input_close(in);
    return status;
}

static assay_status open_descriptor(assay_input_stream *in, const char *path)
{
    struct stat about;

    in->is_stdin = strcmp(path, "-") == 0;
    in->descriptor = in->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (in->descriptor < 0 || fstat(in->descriptor, &about) != 0)
        return assay_fail_at(ASSAY_E_READ, in->name, 0, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return assay_fail_at(ASSAY_E_READ, in->name, 0, "is a folder, expected a file");
    in->is_regular = S_ISREG(about.st_mode);
    if (in->is_regular && about.st_size > 0) in->size = (uint64_t)about.st_size;
    posix_fadvise(in->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); /* only advice: may fail */
    return ASSAY_OK;
}

/* As many bytes as the chunk holds, so that a pipe's first short read still shows the magic. */
static assay_status fill_chunk(assay_input_stream *in)
{
    in->begin = in->end = 0;
    while (in->end < CHUNK_SIZE && !in->disk_ended) {
        size_t got;
        assay_status status = read_disk(in, in->chunk + in->end, CHUNK_SIZE - in->end, &got);
        if (status != ASSAY_OK) return status;
        in->end += got;
    }
    return ASSAY_OK;
}

static assay_status read_disk(assay_input_stream *in, void *buffer, size_t size, size_t *got)
{
    const int may_go_ahead = in->is_regular && !in->is_stdin; /* whose place others may share */
    ssize_t n;

    *got = 0;
    if (size > CHUNK_SIZE) size = CHUNK_SIZE; /* so that the digest finds it in the cache */
    while ((n = assay_digest_read(in->digest, in->descriptor, may_go_ahead, buffer, size)) < 0 &&
           errno == EINTR) {
        assay_status status = wait_on(in);
        if (status != ASSAY_OK) return status;
    }
    if (n < 0 && errno == ENOMEM)
        return assay_fail_at(ASSAY_E_NOMEM, in->name, 0, "no memory to take its SHA-256");
    if (n < 0)
        return assay_fail_at(ASSAY_E_READ, in->name, 0, "cannot be read: %s", strerror(errno));
    if (n == 0) {
        in->disk_ended = 1;
        return ASSAY_OK;
    }
    in->taken += (uint64_t)n;
    *got = (size_t)n;
    return ASSAY_OK;
}

/* A signal came while there was nothing to read: it may be the wish to stop. */
static assay_status wait_on(const assay_input_stream *in)
{
    const assay_progress *progress = in->progress;

    if (progress && progress->step &&
        progress->step(progress->user, "reading", assay_input_fraction(in)) != 0)
        return assay_fail_at(ASSAY_E_CANCELLED, in->name, 0, "reading was cancelled");
    return ASSAY_OK;
}

static assay_status start_unpacking(assay_input_stream *in)
{
    static const unsigned char gzip[] = { 0x1f, 0x8b }, zstandard[] = { 0x28, 0xb5, 0x2f, 0xfd },
                               skippable[] = { 0x2a, 0x4d, 0x18 };
    const unsigned char *bytes = in->chunk;

    if (in->end >= sizeof gzip && memcmp(bytes, gzip, sizeof gzip) == 0) {
        in->packing = GZIP;
        if (inflateInit2(&in->gzip, GZIP_WINDOW) != Z_OK)
            return assay_fail(ASSAY_E_NOMEM, "no memory to unpack %s", in->name);
        in->gzip_open = 1;
    } else if (in->end >= sizeof zstandard &&
               (memcmp(bytes, zstandard, sizeof zstandard) == 0 ||
                ((bytes[0] & 0xf0) == 0x50 &&
                 memcmp(bytes + 1, skippable, sizeof skippable) == 0))) {
        in->packing = ZSTANDARD;
        in->zstandard = ZSTD_createDStream();
        if (!in->zstandard) return assay_fail(ASSAY_E_NOMEM, "no memory to unpack %s", in->name);
    }
    return ASSAY_OK;
}

void assay_input_close(assay_input_stream *in)
{
    if (!in) return;
    if (in->gzip_open) inflateEnd(&in->gzip);
    ZSTD_freeDStream(in->zstandard);
    assay_digest_close(in->digest);
    if (in->descriptor >= 0 && !in->is_stdin) close(in->descriptor);
    free(in->chunk);
    free(in->name);
    free(in);
}

assay_status assay_input_read(void *stream, char *buffer, size_t size, size_t *got)
{
    assay_input_stream *in = stream;
    size_t peeked = in->head_end - in->head_begin;

    *got = 0;
    if (peeked == 0) return decode(in, buffer, size, got);
    *got = peeked < size ? peeked : size;
    memcpy(buffer, in->head + in->head_begin, *got);
    in->head_begin += *got;
    return ASSAY_OK;
}

assay_status assay_input_peek(assay_input_stream *in, const char **bytes, size_t *length)
{
    assay_status status = ASSAY_OK;
    size_t got = 1;

    while (in->head_end < HEAD_SIZE && got > 0 && status == ASSAY_OK) {
        status = decode(in, in->head + in->head_end, HEAD_SIZE - in->head_end, &got);
        in->head_end += got;
    }
    *bytes = in->head;
    *length = in->head_end;
    return in->head_end > 0 ? ASSAY_OK : status;
}

/* Whatever came out before a fault is handed out first; the fault is kept for the next call. */
static assay_status decode(assay_input_stream *in, char *buffer, size_t size, size_t *got)
{
    assay_status status;

    *got = 0;
    if (in->failed != ASSAY_OK) return assay_fail_at(in->failed, in->name, 0, "%s", in->why);
    if (size > CHUNK_SIZE) size = CHUNK_SIZE;
    switch (in->packing) {
    case GZIP: status = read_gzip(in, buffer, size, got); break;
    case ZSTANDARD: status = read_zstandard(in, buffer, size, got); break;
    default: status = read_plain(in, buffer, size, got); break;
    }
    if (status != ASSAY_OK && in->failed == ASSAY_OK) { /* of the disk: the sentence says more */
        in->failed = status;
        in->why = status == ASSAY_E_CANCELLED ? "reading was cancelled" : "cannot be read";
    }
    return *got > 0 ? ASSAY_OK : status;
}

static assay_status read_plain(assay_input_stream *in, char *buffer, size_t size, size_t *got)
{
    size_t held = in->end - in->begin;

    if (held == 0) return in->disk_ended ? ASSAY_OK : read_disk(in, buffer, size, got);
    *got = held < size ? held : size;
    memcpy(buffer, in->chunk + in->begin, *got);
    in->begin += *got;
    return ASSAY_OK;
}

static assay_status read_gzip(assay_input_stream *in, char *buffer, size_t size, size_t *got)
{
    z_stream *gzip = &in->gzip;

    while (*got == 0) {
        int code;

        if (in->begin == in->end && !in->disk_ended) {
            assay_status status = fill_chunk(in);
            if (status != ASSAY_OK) return status;
        }
        if (in->between && !next_member(in)) {
            if (in->begin == in->end && !in->disk_ended) continue; /* padding filled the chunk */
            if (in->begin == in->end) return ASSAY_OK;
            return keep_failure(in, ASSAY_E_FORMAT, "corrupt: other bytes after the gzip data");
        }
        gzip->next_in = in->chunk + in->begin;
        gzip->avail_in = (uInt)(in->end - in->begin);
        gzip->next_out = (unsigned char *)buffer;
        gzip->avail_out = (uInt)size;
        code = inflate(gzip, Z_NO_FLUSH);
        in->begin = in->end - gzip->avail_in;
        *got = size - gzip->avail_out;
        if (code == Z_STREAM_END) in->between = 1;
        if (code == Z_MEM_ERROR) return keep_failure(in, ASSAY_E_NOMEM, "no memory to unpack it");
        if (code == Z_DATA_ERROR || code == Z_NEED_DICT || code == Z_STREAM_ERROR)
            return keep_failure(in, ASSAY_E_FORMAT, "corrupt gzip data");
        if (code == Z_BUF_ERROR && in->begin == in->end && in->disk_ended) return fail_cut(in);
    }
    return ASSAY_OK;
}

/* Past the zeros that pad a gzip file (tapes do that) to the next member, if there is one. */
static int next_member(assay_input_stream *in)
{
    while (in->begin < in->end && in->chunk[in->begin] == 0) in->begin++;
    if (in->begin == in->end || in->chunk[in->begin] != 0x1f) return 0;
    inflateReset(&in->gzip);
    in->between = 0;
    return 1;
}

static assay_status read_zstandard(assay_input_stream *in, char *buffer, size_t size, size_t *got)
{
    ZSTD_outBuffer to = { buffer, size, 0 };

    while (to.pos == 0) {
        ZSTD_inBuffer from = { in->chunk, in->end, in->begin };
        size_t code;

        if (in->begin == in->end && !in->disk_ended) {
            assay_status status = fill_chunk(in);
            if (status != ASSAY_OK) return status;
            from = (ZSTD_inBuffer){ in->chunk, in->end, 0 };
        }
        if (from.pos == from.size && in->between) return ASSAY_OK;
        code = ZSTD_decompressStream(in->zstandard, &to, &from);
        if (ZSTD_isError(code)) return fail_zstandard(in, code);
        in->between = code == 0;
        if (from.pos == from.size && in->disk_ended && to.pos == 0 && !in->between)
            return fail_cut(in);
        in->begin = from.pos;
        *got = to.pos;
    }
    return ASSAY_OK;
}

static assay_status fail_zstandard(assay_input_stream *in, size_t code)
{
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return keep_failure(in, ASSAY_E_NOMEM, "no memory to unpack it");
    return keep_failure(in, ASSAY_E_FORMAT, ZSTD_getErrorName(code));
}

static assay_status keep_failure(assay_input_stream *in, assay_status status, const char *why)
{
    in->failed = status;
    in->why = why;
    return assay_fail_at(status, in->name, 0, "%s", why);
}

static assay_status fail_cut(assay_input_stream *in)
{
    in->cut = 1;
    return keep_failure(in, ASSAY_E_FORMAT, "cut short: the compressed data end too early");
}

int assay_input_is_seekable(const assay_input_stream *in)
{
    return in->size > 0 && !in->is_stdin && in->packing == PLAIN;
}

uint64_t assay_input_size(const assay_input_stream *in)
{
    return in->size;
}

assay_status assay_input_read_at(assay_input_stream *in, uint64_t at, void *buffer, size_t size,
                                 size_t *got)
{
    *got = 0;
    while (*got < size) {
        ssize_t n = pread(in->descriptor, (char *)buffer + *got, size - *got, (off_t)(at + *got));

        if (n < 0 && errno != EINTR)
            return assay_fail_at(ASSAY_E_READ, in->name, 0, "cannot be read: %s", strerror(errno));
        if (n < 0) {
            assay_status status = wait_on(in);
            if (status != ASSAY_OK) return status;
            continue;
        }
        if (n == 0) break;
        *got += (size_t)n;
        in->taken += (uint64_t)n;
    }
    return ASSAY_OK;
}

assay_status assay_input_sha256(assay_input_stream *in, char hex[65])
{
    unsigned char digest[ASSAY_DIGEST_SIZE];

    while (!in->disk_ended) {
        size_t got;
        assay_status status = read_disk(in, in->chunk, CHUNK_SIZE, &got);
        if (status != ASSAY_OK) return status;
    }
    if (assay_digest_finish(in->digest, digest) != ASSAY_OK)
        return assay_fail_at(ASSAY_E_NOMEM, in->name, 0, "its SHA-256 cannot be taken");
    assay_hex(digest, sizeof digest, hex);
    return ASSAY_OK;
}

const char *assay_input_name(const assay_input_stream *in)
{
    return in->name;
}

uint64_t assay_input_taken(const assay_input_stream *in)
{
    return in->taken;
}

double assay_input_fraction(const assay_input_stream *in)
{
    if (in->size == 0) return 0.0;
    return in->taken < in->size ? (double)in->taken / (double)in->size : 1.0;
}

int assay_input_is_cut(const assay_input_stream *in)
{
    return in->cut;
}
