/* SPDX-License-Identifier: Apache-2.0 */
#include "read/folder.h"

#include "core/error.h"
#include "core/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Folders still to be looked into. */
typedef struct todo {
    char **paths;
    size_t n, capacity;
} todo;

static assay_status list_one(assay_folder *folder, todo *folders, const char *path);
static assay_status fail_to_read(const char *path);
static assay_status sort_entry(assay_folder *folder, todo *folders, const char *path,
                               const char *name);
static assay_status sort_files(assay_folder *folder, const char *path);
static int is_readable(const char *name);
static assay_status keep_path(char ***paths, size_t *n, size_t *capacity, char *path);
static int compare_paths(const void *a, const void *b);

assay_status assay_folder_list(assay_folder *folder, const char *path)
{
    todo folders = { NULL, 0, 0 };
    assay_status status = list_one(folder, &folders, path);

    while (status == ASSAY_OK && folders.n > 0) {
        char *next = folders.paths[--folders.n];
        status = list_one(folder, &folders, next);
        free(next);
    }
    while (folders.n > 0) free(folders.paths[--folders.n]);
    free(folders.paths);
    return status == ASSAY_OK ? sort_files(folder, path) : status;
}

assay_status assay_folder_list_here(assay_folder *folder, const char *path)
{
    todo folders = { NULL, 0, 0 };
    assay_status status = list_one(folder, &folders, path);

    for (size_t k = 0; k < folders.n; k++) {
        if (status == ASSAY_OK)
            status = keep_path(&folder->files, &folder->n, &folder->capacity, folders.paths[k]);
        else
            free(folders.paths[k]);
    }
    free(folders.paths);
    return status == ASSAY_OK ? sort_files(folder, path) : status;
}

static assay_status sort_files(assay_folder *folder, const char *path)
{
    if (folder->n == 0)
        return assay_fail_at(ASSAY_E_READ, path, 0,
                             "no readable files, expected .csv, .tsv, .jsonl or .ndjson");
    qsort(folder->files, folder->n, sizeof *folder->files, compare_paths);
    return ASSAY_OK;
}

static int compare_paths(const void *a, const void *b)
{
    char *const *p = a, *const *q = b;
    return strcmp(*p, *q);
}

static assay_status list_one(assay_folder *folder, todo *folders, const char *path)
{
    DIR *stream = opendir(path);
    assay_status status = ASSAY_OK;

    if (!stream) return fail_to_read(path);
    while (status == ASSAY_OK) {
        const struct dirent *entry;

        errno = 0;
        entry = readdir(stream);
        if (!entry && errno != 0) status = fail_to_read(path);
        if (!entry) break;
        if (entry->d_name[0] != '.') status = sort_entry(folder, folders, path, entry->d_name);
    }
    closedir(stream);
    return status;
}

static assay_status fail_to_read(const char *path)
{
    return assay_fail_at(errno == ENOMEM ? ASSAY_E_NOMEM : ASSAY_E_READ, path, 0,
                         "cannot be read: %s", strerror(errno));
}

static assay_status sort_entry(assay_folder *folder, todo *folders, const char *path,
                               const char *name)
{
    size_t length = strlen(path), name_length = strlen(name);
    int has_slash = length > 0 && path[length - 1] == '/';
    char *joined = assay_alloc(length + name_length + 2, 1);
    struct stat itself, target;

    if (!joined) return assay_fail(ASSAY_E_NOMEM, "no memory to list %s", path);
    memcpy(joined, path, length);
    if (!has_slash) joined[length++] = '/';
    memcpy(joined + length, name, name_length + 1);
    if (lstat(joined, &itself) == 0 && S_ISDIR(itself.st_mode))
        return keep_path(&folders->paths, &folders->n, &folders->capacity, joined);
    if (stat(joined, &target) == 0 && S_ISREG(target.st_mode)) {
        if (is_readable(name))
            return keep_path(&folder->files, &folder->n, &folder->capacity, joined);
        folder->n_left++;
    }
    free(joined);
    return ASSAY_OK;
}

static int ends_in(const char *name, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length > n && strncasecmp(name + length - n, ending, n) == 0;
}

static int is_readable(const char *name)
{
    return assay_folder_stem(name) < strlen(name);
}

size_t assay_folder_stem(const char *name)
{
    static const char *const endings[] = { ".csv", ".tsv", ".jsonl", ".ndjson", ".json" };
    size_t whole = strlen(name), length = whole;

    if (ends_in(name, length, ".gz"))
        length -= 3;
    else if (ends_in(name, length, ".zst"))
        length -= 4;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++)
        if (ends_in(name, length, endings[k])) return length - strlen(endings[k]);
    return whole;
}

/* The path becomes the list's, or is freed. */
static assay_status keep_path(char ***paths, size_t *n, size_t *capacity, char *path)
{
    if (assay_grow(paths, capacity, *n + 1, sizeof **paths) != 0) {
        free(path);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a list of %zu files", *n + 1);
    }
    (*paths)[(*n)++] = path;
    return ASSAY_OK;
}

void assay_folder_free(assay_folder *folder)
{
    for (size_t k = 0; k < folder->n; k++) free(folder->files[k]);
    free(folder->files);
    *folder = (assay_folder){ 0 };
}
