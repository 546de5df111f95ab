/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npz_entries.h"

#include "core/error.h"
#include "core/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 1 << 16, NAME_SIZE = 64, LABEL_SIZE = 512 };

typedef struct npz {
    const char *path;
    assay_npy_source source;
    void *user;
    assay_npz_take take;
    void *take_user;
    struct archive *archive;
    char *input;         /* INPUT_SIZE bytes, lent to the archive */
    assay_status failed; /* the archive, or the source below it */

    char name[NAME_SIZE], label[LABEL_SIZE]; /* of the entry at hand */
} npz;

static assay_status open_archive(npz *z);
static la_ssize_t give_input(struct archive *archive, void *user, const void **buffer);
static assay_status visit_entries(npz *z);
static void name_entry(npz *z, struct archive_entry *entry);
static assay_status visit_entry(npz *z, struct archive_entry *entry);
static assay_status read_entry(void *user, char *buffer, size_t size, size_t *got);
static assay_status fail_archive(npz *z);

assay_status assay_npz_visit(const char *path, assay_npy_source source, void *user,
                             assay_npz_take take, void *take_user)
{
    npz *z = assay_alloc_zero(1, sizeof *z);
    assay_status status;

    if (!z) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for an archive", path);
    z->path = path;
    z->source = source;
    z->user = user;
    z->take = take;
    z->take_user = take_user;
    status = open_archive(z);
    if (status == ASSAY_OK) status = visit_entries(z);
    archive_read_free(z->archive);
    free(z->input);
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
    assay_npz_entry e = { .name = z->name,
                          .label = z->label,
                          .declared = (uint64_t)archive_entry_size(entry),
                          .has_size = archive_entry_size_is_set(entry),
                          .source = read_entry,
                          .source_user = z };
    assay_status status;

    if (archive_entry_filetype(entry) != AE_IFREG) return ASSAY_OK;
    status = assay_npy_read_any_header(z->label, read_entry, z, &e.header, &e.length);
    if (z->failed != ASSAY_OK || (status != ASSAY_OK && status != ASSAY_E_FORMAT)) return status;
    e.is_array = status == ASSAY_OK;
    return z->take(z->take_user, &e);
}

assay_status assay_npz_check_size(const assay_npz_entry *entry)
{
    if (!entry->has_size || entry->declared == entry->length) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_FORMAT, entry->label, 0,
                         "an entry of %llu bytes, expected the %llu of %zu x %zu numbers",
                         (unsigned long long)entry->declared, (unsigned long long)entry->length,
                         entry->header.n, entry->header.d);
}

static assay_status read_entry(void *user, char *buffer, size_t size, size_t *got)
{
    npz *z = user;
    const la_ssize_t read = archive_read_data(z->archive, buffer, size);

    *got = read < 0 ? 0 : (size_t)read;
    return read < 0 ? fail_archive(z) : ASSAY_OK;
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

void assay_npz_list_add(assay_npz_list *to, const char *name)
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
