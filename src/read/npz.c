/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npz.h"

#include "core/error.h"
#include "core/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 1 << 16, NAME_SIZE = 64, LABEL_SIZE = 512, LIST_SIZE = 256 };

/* Names for a sentence: "a, b and more". */
typedef struct names {
    char text[LIST_SIZE];
    size_t length;
    int is_full;
} names;

typedef struct npz {
    const char *path;
    assay_npy_source source;
    void *user;
    struct archive *archive;
    char *input;         /* INPUT_SIZE bytes, lent to the archive */
    assay_status failed; /* the archive, or the source below it */

    char name[NAME_SIZE], label[LABEL_SIZE]; /* of the entry at hand */
    size_t n_tables, n_known; /* arrays of rows and columns of numbers; with a name we know */
    names tables, objects, others;
    double *values;
    size_t n, d;
} npz;

static assay_status open_archive(npz *z);
static la_ssize_t give_input(struct archive *archive, void *user, const void **buffer);
static assay_status visit_entries(npz *z);
static void name_entry(npz *z, struct archive_entry *entry);
static assay_status visit_entry(npz *z, struct archive_entry *entry);
static int is_known(const char *name);
static assay_status take_table(npz *z, struct archive_entry *entry, const assay_npy_header *header,
                               uint64_t length);
static assay_status read_entry(void *user, char *buffer, size_t size, size_t *got);
static assay_status check_choice(const npz *z);
static assay_status fail_archive(npz *z);
static void add_name(names *to, const char *name);

int assay_npz_begins(const char *bytes, size_t length)
{
    return length >= 4 && memcmp(bytes, "PK", 2) == 0 && (bytes[2] == 3 || bytes[2] == 5) &&
           bytes[3] == bytes[2] + 1;
}

assay_status assay_npz_read(const char *path, assay_npy_source source, void *user, double **out,
                            size_t *n, size_t *d)
{
    npz *z = assay_alloc_zero(1, sizeof *z);
    assay_status status;

    *out = NULL;
    if (!z) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for an archive", path);
    z->path = path;
    z->source = source;
    z->user = user;
    status = open_archive(z);
    if (status == ASSAY_OK) status = visit_entries(z);
    if (status == ASSAY_OK) status = check_choice(z);
    if (status == ASSAY_OK) {
        *out = z->values;
        *n = z->n;
        *d = z->d;
        z->values = NULL;
    }
    archive_read_free(z->archive);
    free(z->input);
    free(z->values);
    free(z);
    return status;
}

/* Entry after entry from the start: the list at the archive's end, which repeats them, is not
   needed. */
static assay_status open_archive(npz *z)
{
    z->input = assay_alloc(INPUT_SIZE, 1);
    z->archive = archive_read_new();
    if (!z->input || !z->archive)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for an archive", z->path);
    if (archive_read_support_format_zip_streamable(z->archive) != ARCHIVE_OK ||
        archive_read_open(z->archive, z, NULL, give_input, NULL) != ARCHIVE_OK)
        return fail_archive(z);
    return ASSAY_OK;
}

static la_ssize_t give_input(struct archive *archive, void *user, const void **buffer)
{
    npz *z = user;
    size_t got = 0;

    *buffer = z->input;
    z->failed = z->source(z->user, z->input, INPUT_SIZE, &got);
    if (z->failed == ASSAY_OK) return (la_ssize_t)got;
    archive_set_error(archive, EIO, "the input cannot be read");
    return ARCHIVE_FATAL;
}

static assay_status visit_entries(npz *z)
{
    for (;;) {
        struct archive_entry *entry;
        const int result = archive_read_next_header(z->archive, &entry);
        assay_status status;

        if (result == ARCHIVE_EOF) return ASSAY_OK;
        if (result < ARCHIVE_WARN) return fail_archive(z);
        name_entry(z, entry);
        if ((status = visit_entry(z, entry)) != ASSAY_OK) return status;
    }
}

/* As numpy.load() calls it: without folders and without ".npy". */
static void name_entry(npz *z, struct archive_entry *entry)
{
    const char *path = archive_entry_pathname(entry), *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path ? path : "?";
    size_t length = strlen(name);

    if (length > 4 && strcmp(name + length - 4, ".npy") == 0) length -= 4;
    if (length >= NAME_SIZE) length = NAME_SIZE - 1;
    memcpy(z->name, name, length);
    z->name[length] = '\0';
    snprintf(z->label, sizeof z->label, "%.400s[%s]", z->path, z->name);
}

static assay_status visit_entry(npz *z, struct archive_entry *entry)
{
    assay_npy_header header;
    uint64_t length;
    assay_status status;
    int is_wanted;

    if (archive_entry_filetype(entry) != AE_IFREG) return ASSAY_OK;
    status = assay_npy_read_header(z->label, read_entry, z, &header, &length);
    if (z->failed != ASSAY_OK || (status != ASSAY_OK && status != ASSAY_E_FORMAT)) return status;
    if (status != ASSAY_OK || header.n_dimensions != 2) {
        add_name(header.kind == 'O' ? &z->objects : &z->others, z->name);
        return ASSAY_OK;
    }
    is_wanted = z->n_tables == 0 || (z->n_known == 0 && is_known(z->name));
    z->n_tables++;
    z->n_known += (size_t)is_known(z->name);
    add_name(&z->tables, z->name);
    return is_wanted ? take_table(z, entry, &header, length) : ASSAY_OK;
}

static int is_known(const char *name)
{
    static const char *const known[] = { "vectors", "embeddings", "X", "arr_0" };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(name, known[k]) == 0) return 1;
    return 0;
}

/* In the place of one that was taken before. Where an archive was written to a pipe, an entry's
   size comes after it and cannot be compared. */
static assay_status take_table(npz *z, struct archive_entry *entry, const assay_npy_header *header,
                               uint64_t length)
{
    const uint64_t declared = (uint64_t)archive_entry_size(entry);

    if (archive_entry_size_is_set(entry) && declared != length)
        return assay_fail_at(ASSAY_E_FORMAT, z->label, 0,
                             "an entry of %llu bytes, expected the %llu of %zu x %zu numbers",
                             (unsigned long long)declared, (unsigned long long)length, header->n,
                             header->d);
    free(z->values);
    z->values = NULL;
    z->n = header->n;
    z->d = header->d;
    return assay_npy_read_values(z->label, read_entry, z, header, &z->values);
}

static assay_status read_entry(void *user, char *buffer, size_t size, size_t *got)
{
    npz *z = user;
    const la_ssize_t read = archive_read_data(z->archive, buffer, size);

    *got = read < 0 ? 0 : (size_t)read;
    return read < 0 ? fail_archive(z) : ASSAY_OK;
}

static assay_status check_choice(const npz *z)
{
    if (z->n_tables == 1 || z->n_known == 1) return ASSAY_OK;
    if (z->n_tables > 1)
        return assay_fail_at(
            ASSAY_E_FORMAT, z->path, 0,
            "has %zu arrays of rows and columns (%s), expected one, or one of them "
            "called vectors, embeddings, X or arr_0",
            z->n_tables, z->tables.text);
    return assay_fail_at(ASSAY_E_FORMAT, z->path, 0,
                         "an archive without an array of rows and columns of numbers, expected "
                         "one%s%s%s%s",
                         z->others.length ? "; it has " : "", z->others.text,
                         z->objects.length ? "; Python objects are never unpickled: " : "",
                         z->objects.text);
}

/* What the source said stands; otherwise the library's own reason. */
static assay_status fail_archive(npz *z)
{
    const char *why = archive_error_string(z->archive);

    if (z->failed != ASSAY_OK) return z->failed;
    if (archive_errno(z->archive) == ENOMEM)
        z->failed = assay_fail(ASSAY_E_NOMEM, "%s: no memory for an archive", z->path);
    else
        z->failed =
            assay_fail_at(ASSAY_E_FORMAT, z->path, 0, "a zip archive that cannot be read: %s",
                          why ? why : "it is cut short");
    return z->failed;
}

static void add_name(names *to, const char *name)
{
    static const char more[] = " and more";
    const size_t length = strlen(name), room = sizeof to->text - sizeof more;

    if (to->is_full) return;
    if (to->length + 2 + length > room) {
        memcpy(to->text + to->length, more, sizeof more);
        to->is_full = 1;
        return;
    }
    if (to->length > 0) {
        memcpy(to->text + to->length, ", ", 2);
        to->length += 2;
    }
    memcpy(to->text + to->length, name, length + 1);
    to->length += length;
}
