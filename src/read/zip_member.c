/* SPDX-License-Identifier: Apache-2.0 */
#include "read/zip.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/zip_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    LOCAL_SIZE = 30,
    BUFFER_SIZE = 64 * 1024,
    LABEL_SIZE = 512,
    STORED = 0,
    DEFLATED = 8,
    ZSTANDARD = 93,
    ENCRYPTED = 1, /* the flags' first bit */
    RATIO_MAX = 1100
};

#define SIGNATURE_LOCAL 0x04034b50u
#define FREE_BYTES (UINT64_C(64) << 20)

/* Deflate cannot pack better than 1,032 to 1. Zstandard can, but no log does beyond FREE_BYTES. */
struct assay_zip_stream {
    const assay_zip *zip;
    assay_zip_member member;
    char label[LABEL_SIZE];
    unsigned char *buffer; /* packed bytes at hand: buffer[begin, end) */
    size_t begin, end;
    uint64_t next, left; /* where the packed bytes behind them stand, and how many */
    uint64_t unpacked;
    uint32_t crc;
    int is_done;    /* the packed data said that they end */
    int is_checked; /* size and CRC-32 */
    assay_status failed;
    z_stream inflater;
    int has_inflater;
    ZSTD_DStream *zstandard;
};

static assay_status check_member(const assay_zip_stream *s);
static assay_status find_data(assay_zip_stream *s);
static assay_status start_unpacking(assay_zip_stream *s);
static assay_status unpack(assay_zip_stream *s, char *buffer, size_t size, size_t *got);
static assay_status fill(assay_zip_stream *s);
static assay_status copy_stored(assay_zip_stream *s, char *buffer, size_t size, size_t *got);
static assay_status inflate_some(assay_zip_stream *s, char *buffer, size_t size, size_t *got);
static assay_status decompress_some(assay_zip_stream *s, char *buffer, size_t size, size_t *got);
static assay_status count(assay_zip_stream *s, const char *buffer, size_t got);
static assay_status check_end(assay_zip_stream *s);
static uint64_t most_bytes(uint64_t packed);
static assay_status fail(const assay_zip_stream *s, const char *why);
static assay_status fail_memory(const assay_zip_stream *s);

assay_status assay_zip_enter(const assay_zip *zip, const assay_zip_member *member,
                             assay_zip_stream **out)
{
    assay_zip_stream *s = assay_alloc_zero(1, sizeof *s);
    assay_status status;

    *out = NULL;
    if (!s) return assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive");
    s->zip = zip;
    s->member = *member;
    snprintf(s->label, sizeof s->label, "%.400s[%.80s]", assay_input_name(zip->input),
             member->name);
    s->buffer = assay_alloc(BUFFER_SIZE, 1);
    status = s->buffer ? check_member(s) : fail_memory(s);
    if (status == ASSAY_OK) status = find_data(s);
    if (status == ASSAY_OK) status = start_unpacking(s);
    if (status == ASSAY_OK) {
        *out = s;
        s = NULL;
    }
    assay_zip_leave(s);
    return status;
}

static assay_status check_member(const assay_zip_stream *s)
{
    const assay_zip_member *m = &s->member;

    if (m->flags & ENCRYPTED) return fail(s, "it is encrypted");
    if (m->method != STORED && m->method != DEFLATED && m->method != ZSTANDARD)
        return assay_fail_at(ASSAY_E_FORMAT, s->label, 0,
                             "is packed by method %u, expected 0 (stored), 8 (deflate) or 93 "
                             "(Zstandard)",
                             m->method);
    if (m->method == STORED && m->packed != m->size)
        return fail(s, "it is stored, but in another number of bytes than it has");
    if (m->size > most_bytes(m->packed))
        return fail(s, "it declares more than 1,100 times its packed size, as no log does");
    return ASSAY_OK;
}

/* The header before the data is believed where it names the same member. */
static assay_status find_data(assay_zip_stream *s)
{
    const assay_zip_member *m = &s->member;
    const size_t length = strlen(m->name), need = LOCAL_SIZE + length;
    uint64_t before = need;
    size_t got;
    assay_status status = assay_input_read_at(s->zip->input, m->at, s->buffer,
                                              need < BUFFER_SIZE ? need : BUFFER_SIZE, &got);

    if (status != ASSAY_OK) return status;
    if (got < need || assay_zip_u32(s->buffer) != SIGNATURE_LOCAL ||
        assay_zip_u16(s->buffer + 26) != length ||
        memcmp(s->buffer + LOCAL_SIZE, m->name, length) != 0)
        return fail(s, "what stands at its place is not it");
    before += assay_zip_u16(s->buffer + 28);
    if (before > s->zip->directory - m->at || m->packed > s->zip->directory - m->at - before)
        return fail(s, "it reaches into the archive's directory");
    s->next = m->at + before;
    s->left = m->packed;
    return ASSAY_OK;
}

static assay_status start_unpacking(assay_zip_stream *s)
{
    if (s->member.method == DEFLATED) {
        if (inflateInit2(&s->inflater, -15) != Z_OK) return fail_memory(s); /* -15: no wrapper */
        s->has_inflater = 1;
    }
    if (s->member.method == ZSTANDARD && !(s->zstandard = ZSTD_createDStream()))
        return fail_memory(s);
    return ASSAY_OK;
}

void assay_zip_leave(assay_zip_stream *s)
{
    if (!s) return;
    if (s->has_inflater) inflateEnd(&s->inflater);
    ZSTD_freeDStream(s->zstandard);
    free(s->buffer);
    free(s);
}

const char *assay_zip_label(const assay_zip_stream *stream)
{
    return stream->label;
}

assay_status assay_zip_read(void *stream, char *buffer, size_t size, size_t *got)
{
    assay_zip_stream *s = stream;

    *got = 0;
    if (s->failed != ASSAY_OK) return assay_fail_at(s->failed, s->label, 0, "cannot be read");
    if (s->is_checked || size == 0) return ASSAY_OK;
    s->failed = unpack(s, buffer, size, got);
    if (s->failed == ASSAY_OK) s->failed = *got > 0 ? count(s, buffer, *got) : check_end(s);
    if (s->failed != ASSAY_OK) *got = 0;
    return s->failed;
}

static assay_status unpack(assay_zip_stream *s, char *buffer, size_t size, size_t *got)
{
    if (size > BUFFER_SIZE) size = BUFFER_SIZE;
    while (*got == 0) {
        assay_status status = fill(s);

        if (status != ASSAY_OK) return status;
        if (s->begin == s->end && (s->is_done || s->member.method == STORED)) return ASSAY_OK;
        switch (s->member.method) {
        case DEFLATED: status = inflate_some(s, buffer, size, got); break;
        case ZSTANDARD: status = decompress_some(s, buffer, size, got); break;
        default: status = copy_stored(s, buffer, size, got); break;
        }
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static assay_status fill(assay_zip_stream *s)
{
    size_t room = s->left < BUFFER_SIZE ? (size_t)s->left : BUFFER_SIZE, got;
    assay_status status;

    if (s->begin < s->end || room == 0) return ASSAY_OK;
    status = assay_input_read_at(s->zip->input, s->next, s->buffer, room, &got);
    if (status != ASSAY_OK) return status;
    if (got < room) return fail(s, "the archive became shorter while it was read");
    s->begin = 0;
    s->end = got;
    s->next += got;
    s->left -= got;
    return ASSAY_OK;
}

static assay_status copy_stored(assay_zip_stream *s, char *buffer, size_t size, size_t *got)
{
    const size_t held = s->end - s->begin;

    *got = held < size ? held : size;
    memcpy(buffer, s->buffer + s->begin, *got);
    s->begin += *got;
    return ASSAY_OK;
}

static assay_status inflate_some(assay_zip_stream *s, char *buffer, size_t size, size_t *got)
{
    z_stream *z = &s->inflater;
    int code;

    if (s->is_done) return fail(s, "other bytes stand behind its packed data");
    z->next_in = s->buffer + s->begin;
    z->avail_in = (uInt)(s->end - s->begin);
    z->next_out = (unsigned char *)buffer;
    z->avail_out = (uInt)size;
    code = inflate(z, Z_NO_FLUSH);
    s->begin = s->end - z->avail_in;
    *got = size - z->avail_out;
    if (code == Z_STREAM_END) s->is_done = 1;
    if (code == Z_MEM_ERROR) return fail_memory(s);
    if (code == Z_BUF_ERROR && *got == 0 && s->begin == s->end && s->left == 0)
        return fail(s, "its packed data end too early");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return fail(s, "its packed data are corrupt");
    return ASSAY_OK;
}

/* A frame may end anywhere and another follow. */
static assay_status decompress_some(assay_zip_stream *s, char *buffer, size_t size, size_t *got)
{
    ZSTD_outBuffer to = { buffer, size, 0 };
    ZSTD_inBuffer from = { s->buffer, s->end, s->begin };
    const size_t code = ZSTD_decompressStream(s->zstandard, &to, &from);

    if (ZSTD_isError(code)) {
        if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) return fail_memory(s);
        return fail(s, "its packed data are corrupt");
    }
    s->is_done = code == 0;
    if (to.pos == 0 && from.pos == s->begin && s->left == 0 && !s->is_done)
        return fail(s, "its packed data end too early");
    s->begin = from.pos;
    *got = to.pos;
    return ASSAY_OK;
}

static assay_status count(assay_zip_stream *s, const char *buffer, size_t got)
{
    const uint64_t taken = s->member.packed - s->left - (s->end - s->begin);

    s->unpacked += got;
    if (s->unpacked > s->member.size) return fail(s, "it unpacks to more bytes than it declares");
    if (s->unpacked > most_bytes(taken))
        return fail(s, "it unpacks to more than 1,100 times its packed size, as no log does");
    s->crc = (uint32_t)crc32(s->crc, (const unsigned char *)buffer, (uInt)got);
    return ASSAY_OK;
}

static assay_status check_end(assay_zip_stream *s)
{
    s->is_checked = 1;
    if (s->unpacked != s->member.size) return fail(s, "it unpacks to fewer bytes than it declares");
    if (s->crc != s->member.crc) return fail(s, "it is damaged: its CRC-32 is another");
    return ASSAY_OK;
}

static uint64_t most_bytes(uint64_t packed)
{
    return packed < UINT64_MAX / RATIO_MAX / 2 ? FREE_BYTES + RATIO_MAX * packed : UINT64_MAX;
}

static assay_status fail(const assay_zip_stream *s, const char *why)
{
    return assay_fail_at(ASSAY_E_FORMAT, s->label, 0, "cannot be read: %s", why);
}

static assay_status fail_memory(const assay_zip_stream *s)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory to unpack it", s->label);
}
