/* SPDX-License-Identifier: Apache-2.0 */
#include "read/npz.h"

#include "core/error.h"
#include "read/npz_entries.h"

#include <stdlib.h>
#include <string.h>

typedef struct npz {
    const char *path;
    size_t n_tables, n_known; /* arrays of rows and columns of numbers; with a name we know */
    assay_npz_list tables, objects, others;
    double *values;
    size_t n, d;
} npz;

static assay_status visit_entry(void *user, const assay_npz_entry *entry);
static int is_table(const assay_npz_entry *entry);
static int is_known(const char *name);
static assay_status take_table(npz *z, const assay_npz_entry *entry);
static assay_status check_choice(const npz *z);

int assay_npz_begins(const char *bytes, size_t length)
{
    return length >= 4 && memcmp(bytes, "PK", 2) == 0 && (bytes[2] == 3 || bytes[2] == 5) &&
           bytes[3] == bytes[2] + 1;
}

assay_status assay_npz_read(const char *path, assay_npy_source source, void *user, double **out,
                            size_t *n, size_t *d)
{
    npz z = { .path = path };
    assay_status status;

    *out = NULL;
    status = assay_npz_visit(path, source, user, visit_entry, &z);
    if (status == ASSAY_OK) status = check_choice(&z);
    if (status != ASSAY_OK) {
        free(z.values);
        return status;
    }
    *out = z.values;
    *n = z.n;
    *d = z.d;
    return ASSAY_OK;
}

static assay_status visit_entry(void *user, const assay_npz_entry *entry)
{
    npz *z = user;
    int is_wanted;

    if (!is_table(entry)) {
        assay_npz_list_add(entry->header.kind == 'O' ? &z->objects : &z->others, entry->name);
        return ASSAY_OK;
    }
    is_wanted = z->n_tables == 0 || (z->n_known == 0 && is_known(entry->name));
    z->n_tables++;
    z->n_known += (size_t)is_known(entry->name);
    assay_npz_list_add(&z->tables, entry->name);
    return is_wanted ? take_table(z, entry) : ASSAY_OK;
}

/* Rows and columns of numbers. */
static int is_table(const assay_npz_entry *entry)
{
    return entry->is_array && entry->header.n_dimensions == 2 && entry->header.kind != 'U' &&
           entry->header.kind != 'S';
}

static int is_known(const char *name)
{
    static const char *const known[] = { "vectors", "embeddings", "X", "arr_0" };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(name, known[k]) == 0) return 1;
    return 0;
}

/* In the place of one that was taken before. */
static assay_status take_table(npz *z, const assay_npz_entry *entry)
{
    assay_status status = assay_npz_check_size(entry);

    if (status != ASSAY_OK) return status;
    free(z->values);
    z->values = NULL;
    z->n = entry->header.n;
    z->d = entry->header.d;
    return assay_npy_read_values(entry->label, entry->source, entry->source_user, &entry->header,
                                 &z->values);
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
