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
    assay_folder_file *folders;
    size_t n, capacity;
} todo;

static assay_status list_one(assay_folder *folder, todo *folders, const char *path, int is_below);
static assay_status fail_to_read(const char *path);
static assay_status sort_entry(assay_folder *folder, todo *folders, const char *path,
                               const char *name);
static assay_status sort_path(assay_folder *folder, todo *folders, char *path, const char *name);
static assay_status sort_files(assay_folder *folder, const char *path);
static void leave_same(assay_folder *folder);
static int is_readable(const char *name);
static assay_status keep(assay_folder_file **files, size_t *n, size_t *capacity, char *path,
                         const struct stat *about, int is_link);
static void leave(assay_folder *folder, assay_left why, char *path);
static int compare_paths(const void *a, const void *b);
static int compare_ids(const void *a, const void *b);

assay_status assay_folder_list(assay_folder *folder, const char *path)
{
    todo folders = { NULL, 0, 0 };
    assay_status status = list_one(folder, &folders, path, 0);

    while (status == ASSAY_OK && folders.n > 0) {
        char *next = folders.folders[--folders.n].path;
        status = list_one(folder, &folders, next, 1);
        free(next);
    }
    while (folders.n > 0) free(folders.folders[--folders.n].path);
    free(folders.folders);
    if (status == ASSAY_OK) leave_same(folder);
    return status == ASSAY_OK ? sort_files(folder, path) : status;
}

assay_status assay_folder_list_here(assay_folder *folder, const char *path)
{
    todo folders = { NULL, 0, 0 };
    assay_status status = list_one(folder, &folders, path, 0);
    const struct stat unknown = { 0 };

    for (size_t k = 0; k < folders.n; k++) {
        if (status == ASSAY_OK)
            status = keep(&folder->files, &folder->n, &folder->capacity, folders.folders[k].path,
                          &unknown, 0);
        else
            free(folders.folders[k].path);
    }
    free(folders.folders);
    return status == ASSAY_OK ? sort_files(folder, path) : status;
}

static assay_status sort_files(assay_folder *folder, const char *path)
{
    if (folder->n == 0)
        return assay_fail_at(
            ASSAY_E_READ, path, 0,
            "no readable files, expected .csv, .tsv, .json, .jsonl, .ndjson, .eval, "
            ".npy, .npz or .parquet");
    qsort(folder->files, folder->n, sizeof *folder->files, compare_paths);
    return ASSAY_OK;
}

static int compare_paths(const void *a, const void *b)
{
    const assay_folder_file *p = a, *q = b;

    return strcmp(p->path, q->path);
}

/* Of one file's names the one that is no link comes first, then the first in order. */
static int compare_ids(const void *a, const void *b)
{
    const assay_folder_file *p = a, *q = b;

    if (p->id.device != q->id.device) return p->id.device < q->id.device ? -1 : 1;
    if (p->id.number != q->id.number) return p->id.number < q->id.number ? -1 : 1;
    return p->is_link != q->is_link ? p->is_link - q->is_link : strcmp(p->path, q->path);
}

static void leave_same(assay_folder *folder)
{
    size_t kept = 0;

    if (folder->n > 1) qsort(folder->files, folder->n, sizeof *folder->files, compare_ids);
    for (size_t k = 0; k < folder->n; k++) {
        assay_folder_file *file = &folder->files[k];

        if (kept > 0 && folder->files[kept - 1].id.device == file->id.device &&
            folder->files[kept - 1].id.number == file->id.number)
            leave(folder, ASSAY_LEFT_SAME, file->path);
        else
            folder->files[kept++] = *file;
    }
    folder->n = kept;
}

/* A folder below the one that was given may be closed to us; what was begun must be read to its end. */
static assay_status list_one(assay_folder *folder, todo *folders, const char *path, int is_below)
{
    DIR *stream = opendir(path);
    assay_status status = ASSAY_OK;

    if (!stream && is_below && errno != ENOMEM) {
        char *copy = assay_copy_text(path, strlen(path));

        if (!copy) return assay_fail(ASSAY_E_NOMEM, "no memory to list %s", path);
        leave(folder, ASSAY_LEFT_UNREADABLE, copy);
        return ASSAY_OK;
    }
    if (!stream) return fail_to_read(path);
    while (status == ASSAY_OK) {
        const struct dirent *entry;

        errno = 0;
        entry = readdir(stream);
        if (!entry && errno != 0) status = fail_to_read(path);
        if (!entry) break;
        if (entry->d_name[0] != '.' || is_readable(entry->d_name))
            status = sort_entry(folder, folders, path, entry->d_name);
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

    if (!joined) return assay_fail(ASSAY_E_NOMEM, "no memory to list %s", path);
    memcpy(joined, path, length);
    if (!has_slash) joined[length++] = '/';
    memcpy(joined + length, name, name_length + 1);
    return sort_path(folder, folders, joined, name);
}

/* The path becomes the folder's. */
static assay_status sort_path(assay_folder *folder, todo *folders, char *path, const char *name)
{
    struct stat itself, target;
    int is_link;

    if (lstat(path, &itself) != 0 || stat(path, &target) != 0) {
        leave(folder, ASSAY_LEFT_UNREADABLE, path);
        return ASSAY_OK;
    }
    is_link = S_ISLNK(itself.st_mode);
    if (name[0] == '.') {
        leave(folder, ASSAY_LEFT_HIDDEN, path);
        return ASSAY_OK;
    }
    if (S_ISDIR(target.st_mode) && !is_link)
        return keep(&folders->folders, &folders->n, &folders->capacity, path, &target, 0);
    if (S_ISREG(target.st_mode) && is_readable(name))
        return keep(&folder->files, &folder->n, &folder->capacity, path, &target, is_link);
    leave(folder, S_ISDIR(target.st_mode) ? ASSAY_LEFT_LINK : ASSAY_LEFT_KIND, path);
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
    static const char *const endings[] = { ".csv",    ".tsv",  ".json", ".jsonl", ".jsonlines",
                                           ".ndjson", ".eval", ".npy",  ".npz",   ".parquet" };
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
static assay_status keep(assay_folder_file **files, size_t *n, size_t *capacity, char *path,
                         const struct stat *about, int is_link)
{
    if (assay_grow(files, capacity, *n + 1, sizeof **files) != 0) {
        free(path);
        return assay_fail(ASSAY_E_NOMEM, "no memory for a list of %zu files", *n + 1);
    }
    (*files)[(*n)++] = (assay_folder_file){
        .path = path,
        .id = { .device = (uint64_t)about->st_dev, .number = (uint64_t)about->st_ino },
        .is_link = is_link,
    };
    return ASSAY_OK;
}

/* The path is kept while it is one of the first, or freed. */
static void leave(assay_folder *folder, assay_left why, char *path)
{
    assay_left_files *left = &folder->left[why];

    left->n++;
    for (size_t k = 0; k < ASSAY_LEFT_SHOWN; k++) {
        char *later = left->first[k];

        if (later && strcmp(later, path) <= 0) continue;
        left->first[k] = path;
        path = later;
        if (!path) return;
    }
    free(path);
}

const char *assay_left_reason(assay_left why)
{
    static const char *const reasons[ASSAY_N_LEFT] = {
        [ASSAY_LEFT_KIND] = "no log by its name",
        [ASSAY_LEFT_HIDDEN] = "hidden",
        [ASSAY_LEFT_LINK] = "a symbolic link to a folder",
        [ASSAY_LEFT_UNREADABLE] = "cannot be read",
        [ASSAY_LEFT_SAME] = "the same file under another name",
    };
    return reasons[why];
}

void assay_folder_free(assay_folder *folder)
{
    for (size_t k = 0; k < folder->n; k++) free(folder->files[k].path);
    for (int why = 0; why < ASSAY_N_LEFT; why++)
        for (size_t k = 0; k < ASSAY_LEFT_SHOWN; k++) free(folder->left[why].first[k]);
    free(folder->files);
    *folder = (assay_folder){ 0 };
}
