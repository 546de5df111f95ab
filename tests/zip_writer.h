/* SPDX-License-Identifier: Apache-2.0 */
/* Zip archives made by hand, sound or with a fault. Include it after cmocka.h. */
#ifndef TESTS_ZIP_WRITER_H
#define TESTS_ZIP_WRITER_H

#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { ZIP_ROOM = 1 << 21, ZIP_DIRECTORY_ROOM = 1 << 19 };

typedef struct zip_member {
    const char *name, *data;
    size_t name_length, length; /* 0: to the NUL */
    unsigned method;            /* 0, 8 or 93, or another: then stored */
    unsigned flags;
    size_t frames;  /* of method 93; 0: one */
    size_t first;   /* bytes of its first frame; 0: a share */
    int is_64;      /* sizes and place in a ZIP64 field */
    uint32_t wrong; /* xored to the CRC-32 */
    long long off;  /* added to the size that is declared */
    const char *comment;
    size_t comment_length;
    const char *local_name; /* as long as the name; NULL: the same */
} zip_member;

typedef struct zip_writer {
    unsigned char bytes[ZIP_ROOM], directory[ZIP_DIRECTORY_ROOM];
    size_t length, directory_length, n, directory_at;
    int is_64;     /* with a ZIP64 end record */
    uint64_t hole; /* bytes of the file before its directory that are not in bytes */
} zip_writer;

static inline void zip_put(unsigned char *to, size_t *length, uint64_t value, size_t size)
{
    for (size_t k = 0; k < size; k++) to[(*length)++] = (unsigned char)(value >> (8 * k));
}

static inline void zip_copy(unsigned char *to, size_t *length, const void *from, size_t size)
{
    if (size > 0) memcpy(to + *length, from, size);
    *length += size;
}

static inline size_t zip_pack(unsigned char *to, size_t room, const zip_member *m)
{
    size_t at = 0, done = 0, frames = m->frames ? m->frames : 1;

    if (m->method == 8) {
        z_stream z = { .next_in = (unsigned char *)(uintptr_t)m->data,
                       .avail_in = (uInt)m->length,
                       .next_out = to,
                       .avail_out = (uInt)room };

        assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
        assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
        deflateEnd(&z);
        return room - z.avail_out;
    }
    if (m->method != 93) {
        assert_true(m->length <= room);
        zip_copy(to, &at, m->data, m->length);
        return at;
    }
    for (size_t k = 0; k < frames; k++) {
        size_t part = k + 1 == frames ? m->length - done : m->length / frames, got;

        if (k == 0 && m->first) part = m->first;
        got = ZSTD_compress(to + at, room - at, m->data + done, part, 1);
        assert_false(ZSTD_isError(got));
        at += got;
        done += part;
    }
    return at;
}

static inline void zip_add(zip_writer *z, zip_member m)
{
    const size_t at = z->length, name = m.name_length ? m.name_length : strlen(m.name);
    size_t data, packed, size;
    uint32_t crc;

    if (!m.length) m.length = strlen(m.data);
    size = (size_t)((long long)m.length + m.off);
    crc = (uint32_t)crc32(0, (const unsigned char *)m.data, (uInt)m.length) ^ m.wrong;
    data = at + 30 + name;
    packed = zip_pack(z->bytes + data, ZIP_ROOM - data - ZIP_DIRECTORY_ROOM, &m);
    zip_put(z->bytes, &z->length, 0x04034b50, 4);
    zip_put(z->bytes, &z->length, 45, 2);
    zip_put(z->bytes, &z->length, m.flags, 2);
    zip_put(z->bytes, &z->length, m.method, 2);
    zip_put(z->bytes, &z->length, 0, 4);
    zip_put(z->bytes, &z->length, crc, 4);
    zip_put(z->bytes, &z->length, packed, 4);
    zip_put(z->bytes, &z->length, size, 4);
    zip_put(z->bytes, &z->length, name, 2);
    zip_put(z->bytes, &z->length, 0, 2);
    zip_copy(z->bytes, &z->length, m.local_name ? m.local_name : m.name, name);
    z->length += packed;

    zip_put(z->directory, &z->directory_length, 0x02014b50, 4);
    zip_put(z->directory, &z->directory_length, 45 | 45 << 16, 4);
    zip_put(z->directory, &z->directory_length, m.flags, 2);
    zip_put(z->directory, &z->directory_length, m.method, 2);
    zip_put(z->directory, &z->directory_length, 0, 4);
    zip_put(z->directory, &z->directory_length, crc, 4);
    zip_put(z->directory, &z->directory_length, m.is_64 ? UINT32_MAX : packed, 4);
    zip_put(z->directory, &z->directory_length, m.is_64 ? UINT32_MAX : size, 4);
    zip_put(z->directory, &z->directory_length, name, 2);
    zip_put(z->directory, &z->directory_length, m.is_64 ? 34 : 0, 2);
    zip_put(z->directory, &z->directory_length, m.comment_length, 2);
    zip_put(z->directory, &z->directory_length, 0, 8);
    zip_put(z->directory, &z->directory_length, m.is_64 ? UINT32_MAX : at, 4);
    zip_copy(z->directory, &z->directory_length, m.name, name);
    if (m.is_64) { /* another field before it, as Info-ZIP writes them */
        zip_put(z->directory, &z->directory_length, 0x5455 | 2 << 16, 4);
        zip_put(z->directory, &z->directory_length, 0, 2);
        zip_put(z->directory, &z->directory_length, 1 | 24 << 16, 4);
        zip_put(z->directory, &z->directory_length, size, 8);
        zip_put(z->directory, &z->directory_length, packed, 8);
        zip_put(z->directory, &z->directory_length, at, 8);
    }
    zip_copy(z->directory, &z->directory_length, m.comment, m.comment_length);
    z->n++;
}

static inline void zip_end(zip_writer *z, const char *comment, size_t comment_length)
{
    const int wide = z->is_64;
    size_t end;

    z->directory_at = z->length;
    zip_copy(z->bytes, &z->length, z->directory, z->directory_length);
    end = z->length;
    if (wide) {
        zip_put(z->bytes, &z->length, 0x06064b50, 4);
        zip_put(z->bytes, &z->length, 44, 8);
        zip_put(z->bytes, &z->length, 45 | 45 << 16, 4);
        zip_put(z->bytes, &z->length, 0, 8);
        zip_put(z->bytes, &z->length, z->n, 8);
        zip_put(z->bytes, &z->length, z->n, 8);
        zip_put(z->bytes, &z->length, z->directory_length, 8);
        zip_put(z->bytes, &z->length, z->directory_at + z->hole, 8);
        zip_put(z->bytes, &z->length, 0x07064b50, 4);
        zip_put(z->bytes, &z->length, 0, 4);
        zip_put(z->bytes, &z->length, end + z->hole, 8);
        zip_put(z->bytes, &z->length, 1, 4);
    }
    zip_put(z->bytes, &z->length, 0x06054b50, 4);
    zip_put(z->bytes, &z->length, 0, 4);
    zip_put(z->bytes, &z->length, wide ? UINT16_MAX : z->n, 2);
    zip_put(z->bytes, &z->length, wide ? UINT16_MAX : z->n, 2);
    zip_put(z->bytes, &z->length, wide ? UINT32_MAX : z->directory_length, 4);
    zip_put(z->bytes, &z->length, wide ? UINT32_MAX : z->directory_at, 4);
    zip_put(z->bytes, &z->length, comment_length, 2);
    zip_copy(z->bytes, &z->length, comment, comment_length);
}

#endif
