/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/store_file.h"

#include "core/error.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, CHECK = 8, AT_VERSION = 8, AT_D = 12, AT_CHECK = 16 };

static const char magic[] = "ASSAYVEC";

/* ---- numbers as bytes ---- */

static void put_bits(unsigned char *to, uint64_t bits, int n_bytes)
{
    for (int b = 0; b < n_bytes; b++) to[b] = (unsigned char)(bits >> 8 * b);
}

static uint32_t take_32(const unsigned char *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint64_t take_64(const unsigned char *from)
{
    return take_32(from) | (uint64_t)take_32(from + 4) << 32;
}

/* Four bytes a step (size is a multiple of 4). Each step maps the state one to one, so that damage
   within one word always shows; elsewhere it is missed once in 2^64. */
static uint64_t check_of(const unsigned char *bytes, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i += 4) {
        h = (h ^ take_32(bytes + i)) * 0xd6e8feb86659fd93u;
        h ^= h >> 32;
    }
    return h;
}

/* ---- records ---- */

static size_t checked_size(size_t d)
{
    return ASSAY_STORE_KEY + 4 * d;
}

size_t assay_store_record_size(size_t d)
{
    return checked_size(d) + CHECK;
}

uint64_t assay_store_offset(size_t d, uint64_t i)
{
    return ASSAY_STORE_HEADER + i * assay_store_record_size(d);
}

void assay_store_make_record(unsigned char *record, const unsigned char key[ASSAY_STORE_KEY],
                             const float *vector, size_t d)
{
    memcpy(record, key, ASSAY_STORE_KEY);
    for (size_t k = 0; k < d; k++) {
        uint32_t bits;

        memcpy(&bits, &vector[k], sizeof bits);
        put_bits(record + ASSAY_STORE_KEY + 4 * k, bits, 4);
    }
    put_bits(record + checked_size(d), check_of(record, checked_size(d)), CHECK);
}

void assay_store_take_vector(const unsigned char *record, size_t d, float *out)
{
    for (size_t k = 0; k < d; k++) {
        uint32_t bits = take_32(record + ASSAY_STORE_KEY + 4 * k);

        memcpy(&out[k], &bits, sizeof bits);
    }
}

int assay_store_is_intact(const unsigned char *record, size_t d)
{
    return take_64(record + checked_size(d)) == check_of(record, checked_size(d));
}

/* ---- the header ---- */

static assay_status look_at_header(const unsigned char *header, size_t size, const char *path,
                                   size_t *d)
{
    size_t n_magic = sizeof magic - 1;
    uint32_t version = take_32(header + AT_VERSION);

    *d = 0;
    if (memcmp(header, magic, size < n_magic ? size : n_magic) != 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0, "is not a file of stored vectors");
    if (size < ASSAY_STORE_HEADER) return ASSAY_OK;
    if (version != VERSION)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "is of version %lu of stored vectors, and this assay reads %d",
                             (unsigned long)version, VERSION);
    *d = take_32(header + AT_D);
    if (take_64(header + AT_CHECK) != check_of(header, AT_CHECK) || *d == 0 ||
        *d > ASSAY_STORE_MOST)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "its header is damaged; remove the file, and it is made again");
    return ASSAY_OK;
}

assay_status assay_store_read_header(int file, const char *path, uint64_t *size, size_t *d)
{
    unsigned char header[ASSAY_STORE_HEADER] = { 0 };
    struct stat there;
    long long got;

    if (fstat(file, &there) != 0)
        return assay_fail_at(ASSAY_E_READ, path, 0, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(there.st_mode))
        return assay_fail_at(ASSAY_E_FORMAT, path, 0, "is not a file of stored vectors");
    got = assay_store_read_at(file, header, sizeof header, 0);
    if (got < 0) return assay_fail_at(ASSAY_E_READ, path, 0, "cannot be read: %s", strerror(errno));
    *size = there.st_size > got ? (uint64_t)there.st_size : (uint64_t)got; /* it may have grown */
    return look_at_header(header, (size_t)got, path, d);
}

int assay_store_write_header(int file, size_t d)
{
    unsigned char header[ASSAY_STORE_HEADER];

    memcpy(header, magic, sizeof magic - 1);
    put_bits(header + AT_VERSION, VERSION, 4);
    put_bits(header + AT_D, d, 4);
    put_bits(header + AT_CHECK, check_of(header, AT_CHECK), CHECK);
    return assay_store_write_at(file, header, sizeof header, 0);
}

/* ---- bytes ---- */

long long assay_store_read_at(int file, unsigned char *out, size_t size, uint64_t offset)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = pread(file, out + done, size - done, (off_t)(offset + done));

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (long long)done;
}

int assay_store_write_at(int file, const unsigned char *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = pwrite(file, bytes + done, size - done, (off_t)(offset + done));

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        done += (size_t)n;
    }
    return 0;
}
