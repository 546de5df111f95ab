/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's files as NumPy writes them: .npy bytes, and .npz archives of them. Include it after
   reading.h. */
#ifndef TESTS_NPY_WRITER_H
#define TESTS_NPY_WRITER_H

#include <archive.h>
#include <archive_entry.h>

/* An array of version 1. Returns its size. */
static inline size_t make_npy(char *out, size_t size, const char *descr, int is_fortran,
                              const char *shape, const void *data, size_t n_bytes)
{
    static const char magic[8] = "\x93NUMPY\1";
    const int length =
        snprintf(out + 10, size - 10, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
                 descr, is_fortran ? "True" : "False", shape);

    assert_true(length > 0 && 10 + (size_t)length + n_bytes <= size);
    memcpy(out, magic, sizeof magic);
    out[8] = (char)(length & 0xff);
    out[9] = (char)(length >> 8);
    memcpy(out + 10 + length, data, n_bytes);
    return 10 + (size_t)length + n_bytes;
}

static inline const char *write_npy(const char *path, const char *descr, int is_fortran,
                                    const char *shape, const void *data, size_t n_bytes)
{
    char bytes[4096];

    return write_bytes(path, bytes,
                       make_npy(bytes, sizeof bytes, descr, is_fortran, shape, data, n_bytes));
}

typedef struct npz_writer {
    struct archive *archive;
    char bytes[1 << 16];
    size_t used;
} npz_writer;

static inline void begin_npz(npz_writer *z)
{
    z->archive = archive_write_new();
    assert_int_equal(archive_write_set_format_zip(z->archive), ARCHIVE_OK);
    assert_int_equal(archive_write_set_options(z->archive, "zip:compression=deflate"), ARCHIVE_OK);
    assert_int_equal(archive_write_set_bytes_per_block(z->archive, 0), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(z->archive, z->bytes, sizeof z->bytes, &z->used),
                     ARCHIVE_OK);
}

static inline void put_npz(npz_writer *z, const char *name, const char *descr, const char *shape,
                           const void *data, size_t n_bytes)
{
    char bytes[4096], path[64];
    const size_t length = make_npy(bytes, sizeof bytes, descr, 0, shape, data, n_bytes);
    struct archive_entry *entry = archive_entry_new();

    snprintf(path, sizeof path, "%s.npy", name);
    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)length);
    assert_int_equal(archive_write_header(z->archive, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(z->archive, bytes, length), length);
    archive_entry_free(entry);
}

static inline const char *end_npz(npz_writer *z, const char *path)
{
    assert_int_equal(archive_write_close(z->archive), ARCHIVE_OK);
    archive_write_free(z->archive);
    return write_bytes(path, z->bytes, z->used);
}

#endif
