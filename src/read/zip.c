/* SPDX-License-Identifier: Apache-2.0 */
#include "read/zip.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"
#include "read/zip_bytes.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

/* APPNOTE.TXT 6.3.10 of PKWARE: sections 4.3.12 (an entry), 4.3.14 and 4.3.15 (ZIP64), 4.3.16
   (end). */
enum {
    END_SIZE = 22,
    COMMENT_MAX = 65535,
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    ENTRY_SIZE = 46,
    PIECE_SIZE = 64 * 1024,
    VARIABLE_MAX = 3 * 65535, /* an entry's name, extra fields and comment */
    ZIP64_FIELD = 1
};

#define SIGNATURE_END 0x06054b50u
#define SIGNATURE_LOCATOR 0x07064b50u
#define SIGNATURE_END64 0x06064b50u
#define SIGNATURE_ENTRY 0x02014b50u

/* What the archive's end says of the directory. */
typedef struct end_record {
    uint64_t n, size, at;
    int is_64; /* n is exact; else it counts modulo 65,536 */
} end_record;

/* The directory as it passes: window[begin, end) is at hand, next is the file's byte behind it. */
typedef struct walk {
    assay_zip *zip;
    assay_zip_wants wants;
    EVP_MD_CTX *digest;
    unsigned char *window;
    size_t begin, end, capacity;
    uint64_t next, stop;
    uint64_t packed; /* bytes of the wanted members */
} walk;

static assay_status find_end(assay_zip *zip, end_record *end);
static assay_status look_at(const assay_zip *zip, const unsigned char *record, uint64_t at,
                            end_record *end, int *is_it);
static assay_status look_at_64(const assay_zip *zip, uint64_t at, end_record *end, int *is_it);
static assay_status read_exactly(const assay_zip *zip, uint64_t at, unsigned char *bytes,
                                 size_t size, int *is_there);
static assay_status read_directory(assay_zip *zip, const end_record *end, assay_zip_wants wants);
static assay_status walk_entries(walk *w, const end_record *end);
static assay_status need(walk *w, size_t size);
static assay_status take_entry(walk *w, const unsigned char *entry);
static assay_status keep_member(walk *w, const unsigned char *entry, assay_zip_member *member);
static int widen(assay_zip_member *member, const unsigned char *extra, size_t length);
static assay_status fail(const assay_zip *zip, const char *why);

assay_status assay_zip_open(assay_zip *zip, assay_input_stream *input, assay_zip_wants wants)
{
    end_record end = { 0 };
    assay_status status;

    *zip = (assay_zip){ .input = input };
    if (!assay_input_is_seekable(input))
        return assay_fail_at(ASSAY_E_FORMAT, assay_input_name(input), 0,
                             "a zip archive, whose directory stands at its end: give the file "
                             "itself, neither on standard input nor compressed once more");
    status = find_end(zip, &end);
    return status == ASSAY_OK ? read_directory(zip, &end, wants) : status;
}

void assay_zip_close(assay_zip *zip)
{
    for (size_t k = 0; k < zip->n; k++) free(zip->members[k].name);
    free(zip->members);
    *zip = (assay_zip){ 0 };
}

assay_status assay_zip_find(const assay_zip *zip, const char *name, const assay_zip_member **member)
{
    *member = NULL;
    for (size_t k = 0; k < zip->n; k++) {
        const assay_zip_member *other = &zip->members[k];

        if (strcmp(other->name, name) != 0) continue;
        if (*member && ((*member)->crc != other->crc || (*member)->size != other->size))
            return assay_fail_at(ASSAY_E_FORMAT, assay_input_name(zip->input), 0,
                                 "a zip archive with two members \"%s\" that differ, expected one",
                                 name);
        if (!*member) *member = other;
    }
    return ASSAY_OK;
}

/* The last record that fits what stands before it: a comment behind the end may hold anything. */
static assay_status find_end(assay_zip *zip, end_record *end)
{
    const uint64_t size = assay_input_size(zip->input);
    const size_t length =
        size < END_SIZE + COMMENT_MAX ? (size_t)size : (size_t)END_SIZE + COMMENT_MAX;
    unsigned char *tail = assay_alloc(length, 1);
    int is_there, is_it = 0;
    assay_status status;

    if (!tail) return assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive");
    status = read_exactly(zip, size - length, tail, length, &is_there);
    for (size_t k = length < END_SIZE ? 0 : length - END_SIZE + 1;
         status == ASSAY_OK && is_there && !is_it && k > 0; k--)
        if (assay_zip_u32(tail + k - 1) == SIGNATURE_END)
            status = look_at(zip, tail + k - 1, size - length + k - 1, end, &is_it);
    free(tail);
    if (status == ASSAY_OK && !is_it)
        status = fail(zip, "it has no directory at its end: it is cut short, or damaged there");
    return status;
}

static assay_status look_at(const assay_zip *zip, const unsigned char *record, uint64_t at,
                            end_record *end, int *is_it)
{
    const unsigned disk = assay_zip_u16(record + 4), first = assay_zip_u16(record + 6);
    const unsigned here = assay_zip_u16(record + 8);

    *end = (end_record){ assay_zip_u16(record + 10), assay_zip_u32(record + 12),
                         assay_zip_u32(record + 16), 0 };
    *is_it = 0;
    if (end->size == UINT32_MAX || end->at == UINT32_MAX || end->n == UINT16_MAX) {
        assay_status status = look_at_64(zip, at, end, is_it);

        if (status != ASSAY_OK || *is_it) return status;
        if (end->size == UINT32_MAX || end->at == UINT32_MAX) return ASSAY_OK;
    }
    *is_it =
        disk == 0 && first == 0 && here == end->n && end->at <= at && end->size <= at - end->at;
    return ASSAY_OK;
}

static assay_status look_at_64(const assay_zip *zip, uint64_t at, end_record *end, int *is_it)
{
    unsigned char locator[LOCATOR_SIZE], record[END64_SIZE];
    end_record wide = { .is_64 = 1 };
    uint64_t place;
    int is_there;
    assay_status status;

    if (at < LOCATOR_SIZE) return ASSAY_OK;
    status = read_exactly(zip, at - LOCATOR_SIZE, locator, sizeof locator, &is_there);
    if (status != ASSAY_OK || !is_there || assay_zip_u32(locator) != SIGNATURE_LOCATOR)
        return status;
    place = assay_zip_u64(locator + 8);
    if (place > at) return ASSAY_OK;
    status = read_exactly(zip, place, record, sizeof record, &is_there);
    if (status != ASSAY_OK || !is_there || assay_zip_u32(record) != SIGNATURE_END64) return status;
    wide.n = assay_zip_u64(record + 32);
    wide.size = assay_zip_u64(record + 40);
    wide.at = assay_zip_u64(record + 48);
    *is_it = assay_zip_u32(record + 16) == 0 && assay_zip_u32(record + 20) == 0 &&
             assay_zip_u64(record + 24) == wide.n && wide.at <= place &&
             wide.size <= place - wide.at;
    if (*is_it) *end = wide;
    return ASSAY_OK;
}

static assay_status read_exactly(const assay_zip *zip, uint64_t at, unsigned char *bytes,
                                 size_t size, int *is_there)
{
    size_t got = 0;
    assay_status status = assay_input_read_at(zip->input, at, bytes, size, &got);

    *is_there = status == ASSAY_OK && got == size;
    return status;
}

static assay_status read_directory(assay_zip *zip, const end_record *end, assay_zip_wants wants)
{
    walk w = { .zip = zip, .wants = wants, .next = end->at, .stop = end->at + end->size };
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    assay_status status = ASSAY_OK;

    zip->directory = end->at;
    w.digest = EVP_MD_CTX_new();
    w.capacity = PIECE_SIZE + ENTRY_SIZE + VARIABLE_MAX;
    w.window = assay_alloc(w.capacity, 1);
    if (!w.window || !w.digest || !EVP_DigestInit_ex(w.digest, EVP_sha256(), NULL))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive's directory");
    if (status == ASSAY_OK) status = walk_entries(&w, end);
    if (status == ASSAY_OK && !EVP_DigestFinal_ex(w.digest, digest, &length))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive's SHA-256");
    if (status == ASSAY_OK) assay_hex(digest, length, zip->sha256);
    EVP_MD_CTX_free(w.digest);
    free(w.window);
    return status;
}

static assay_status walk_entries(walk *w, const end_record *end)
{
    uint64_t n = 0;

    for (;; n++) {
        const unsigned char *entry;
        size_t size = ENTRY_SIZE;
        assay_status status = need(w, size);

        if (status != ASSAY_OK) return status;
        if (w->begin == w->end) break;
        entry = w->window + w->begin;
        if (w->end - w->begin < size || assay_zip_u32(entry) != SIGNATURE_ENTRY)
            return fail(w->zip, "its directory is damaged");
        size += (size_t)assay_zip_u16(entry + 28) + assay_zip_u16(entry + 30) +
                assay_zip_u16(entry + 32);
        if ((status = need(w, size)) != ASSAY_OK) return status;
        if (w->end - w->begin < size) return fail(w->zip, "its directory is damaged");
        if ((status = take_entry(w, w->window + w->begin)) != ASSAY_OK) return status;
        w->begin += size;
    }
    w->zip->n_listed = n;
    if (end->is_64 ? n != end->n : n % 65536 != end->n)
        return fail(w->zip, "its directory lists another number of members than it has");
    if (w->packed > assay_input_size(w->zip->input)) return fail(w->zip, "its members overlap");
    return ASSAY_OK;
}

/* Have that many bytes of the directory in the window, or as many as are left of it. */
static assay_status need(walk *w, size_t size)
{
    size_t room, got = 0;
    assay_status status;

    if (w->end - w->begin >= size || w->next == w->stop) return ASSAY_OK;
    memmove(w->window, w->window + w->begin, w->end - w->begin);
    w->end -= w->begin;
    w->begin = 0;
    room = w->capacity - w->end;
    if (room > w->stop - w->next) room = (size_t)(w->stop - w->next);
    status = assay_input_read_at(w->zip->input, w->next, w->window + w->end, room, &got);
    if (status != ASSAY_OK) return status;
    if (got < room) return fail(w->zip, "it became shorter while it was read");
    if (!EVP_DigestUpdate(w->digest, w->window + w->end, got))
        return assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive's SHA-256");
    w->end += got;
    w->next += got;
    return ASSAY_OK;
}

static assay_status take_entry(walk *w, const unsigned char *entry)
{
    const char *name = (const char *)entry + ENTRY_SIZE;
    const size_t length = assay_zip_u16(entry + 28);
    assay_zip_member member = { .flags = assay_zip_u16(entry + 8),
                                .method = assay_zip_u16(entry + 10),
                                .crc = assay_zip_u32(entry + 16),
                                .packed = assay_zip_u32(entry + 20),
                                .size = assay_zip_u32(entry + 24),
                                .at = assay_zip_u32(entry + 42) };

    if (length == 0 || memchr(name, '\0', length) || !w->wants(name, length)) return ASSAY_OK;
    if (!widen(&member, entry + ENTRY_SIZE + length, assay_zip_u16(entry + 30)))
        return fail(w->zip, "its directory is damaged");
    if (member.at > w->zip->directory || member.packed > w->zip->directory - member.at)
        return fail(w->zip, "its directory names a member beyond itself");
    w->packed += member.packed < UINT64_MAX - w->packed ? member.packed : UINT64_MAX - w->packed;
    return keep_member(w, entry, &member);
}

static assay_status keep_member(walk *w, const unsigned char *entry, assay_zip_member *member)
{
    assay_zip *zip = w->zip;

    member->name = assay_copy_text((const char *)entry + ENTRY_SIZE, assay_zip_u16(entry + 28));
    if (!member->name ||
        assay_grow(&zip->members, &zip->capacity, zip->n + 1, sizeof *zip->members) != 0) {
        free(member->name);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a zip archive's directory");
    }
    zip->members[zip->n++] = *member;
    return ASSAY_OK;
}

/* The fields that do not fit 32 bits stand in an extra field, in this order, only those that do
   not. Returns 0 when it is not there or too short. */
static int widen(assay_zip_member *member, const unsigned char *extra, size_t length)
{
    uint64_t *const wide[] = { &member->size, &member->packed, &member->at };
    size_t n_wide = 0, at = 0, size = 0;

    for (size_t k = 0; k < 3; k++) n_wide += *wide[k] == UINT32_MAX;
    if (n_wide == 0) return 1;
    for (;; at += 4 + size) {
        if (length - at < 4) return 0;
        size = assay_zip_u16(extra + at + 2);
        if (length - at - 4 < size) return 0;
        if (assay_zip_u16(extra + at) == ZIP64_FIELD) break;
    }
    if (size < 8 * n_wide) return 0;
    at += 4;
    for (size_t k = 0; k < 3; k++) {
        if (*wide[k] != UINT32_MAX) continue;
        *wide[k] = assay_zip_u64(extra + at);
        at += 8;
    }
    return 1;
}

static assay_status fail(const assay_zip *zip, const char *why)
{
    return assay_fail_at(ASSAY_E_FORMAT, assay_input_name(zip->input), 0,
                         "a zip archive that cannot be read: %s", why);
}
