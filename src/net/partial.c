/* SPDX-License-Identifier: Apache-2.0 */
#include "net/partial.h"

#include "core/error.h"
#include "core/folders.h"
#include "core/memory.h"
#include "net/models.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAUSE 0.1 /* seconds between two looks at a lock */

static assay_status open_folder(assay_partial *partial);
static assay_status wait_for_lock(const assay_partial *partial, const assay_http *http);
static int is_same(const assay_partial *partial);
static void let_go(assay_partial *partial);
static assay_status clear(const char *folder, const char *prefix, const assay_hub_listing *keep);
static assay_status clear_entry(const char *folder, const char *prefix, const char *name,
                                const assay_hub_listing *keep);
static assay_status clear_path(const char *path, const char *relative,
                               const assay_hub_listing *keep);
static assay_status fail_memory(void);
static assay_status cannot_write(const char *path);

assay_status assay_partial_name(assay_partial *partial, const char *cache, const char *folder)
{
    char hidden[ASSAY_MODEL_NAME + 16];

    snprintf(hidden, sizeof hidden, ".partial-%s", folder);
    partial->path = assay_model_path(cache, hidden);
    partial->target = assay_model_path(cache, folder);
    return partial->path && partial->target ? ASSAY_OK : fail_memory();
}

/* The folder that was waited for is elsewhere once its owner has put it in place: look again. */
assay_status assay_partial_hold(assay_partial *partial, const char *cache, const assay_http *http,
                                int *is_there)
{
    assay_status status = ASSAY_OK;

    *is_there = 0;
    if (assay_make_folders(cache) != 0)
        return errno == ENOMEM ? fail_memory() : cannot_write(cache);
    while (status == ASSAY_OK) {
        if ((status = open_folder(partial)) != ASSAY_OK) break;
        if ((status = wait_for_lock(partial, http)) != ASSAY_OK) break;
        if (is_same(partial)) return ASSAY_OK;
        let_go(partial);
        *is_there = assay_model_is_at(partial->target);
        if (*is_there) return ASSAY_OK;
    }
    let_go(partial);
    return status;
}

static assay_status open_folder(assay_partial *partial)
{
    do {
        if (mkdir(partial->path, 0777) != 0 && errno != EEXIST) return cannot_write(partial->path);
        partial->lock = open(partial->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    } while (partial->lock < 0 && errno == ENOENT); /* put in place between the two */
    return partial->lock >= 0 ? ASSAY_OK : cannot_write(partial->path);
}

/* A file system without locks has none to wait for. */
static assay_status wait_for_lock(const assay_partial *partial, const assay_http *http)
{
    while (flock(partial->lock, LOCK_EX | LOCK_NB) != 0) {
        assay_status status;

        if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return ASSAY_OK;
        if (errno != EWOULDBLOCK && errno != EINTR) return cannot_write(partial->path);
        if ((status = assay_http_pause(http, PAUSE)) != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static int is_same(const assay_partial *partial)
{
    struct stat held, there;

    return fstat(partial->lock, &held) == 0 && stat(partial->path, &there) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

static void let_go(assay_partial *partial)
{
    if (partial->lock >= 0) close(partial->lock);
    partial->lock = -1;
}

assay_status assay_partial_tidy(const assay_partial *partial, const assay_hub_listing *listing)
{
    return clear(partial->path, "", listing);
}

/* Remove what is below a folder but for what is kept (NULL: nothing is). prefix is the folder's path
   as the list has it. */
static assay_status clear(const char *folder, const char *prefix, const assay_hub_listing *keep)
{
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    assay_status status = ASSAY_OK;

    if (!stream) return errno == ENOMEM ? fail_memory() : cannot_write(folder);
    while (status == ASSAY_OK && (entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = clear_entry(folder, prefix, entry->d_name, keep);
    closedir(stream);
    return status;
}

static assay_status clear_entry(const char *folder, const char *prefix, const char *name,
                                const assay_hub_listing *keep)
{
    char *path = assay_model_path(folder, name);
    char *relative = *prefix ? assay_model_path(prefix, name) : assay_copy_text(name, strlen(name));
    const assay_status status = path && relative ? clear_path(path, relative, keep) : fail_memory();

    free(path);
    free(relative);
    return status;
}

/* A link is never kept: what is written through it would land elsewhere. */
static assay_status clear_path(const char *path, const char *relative,
                               const assay_hub_listing *keep)
{
    const int is_kept = keep && assay_hub_listing_has(keep, relative);
    struct stat there;
    assay_status status;

    if (lstat(path, &there) != 0) return cannot_write(path);
    if (S_ISDIR(there.st_mode)) {
        if ((status = clear(path, relative, keep)) != ASSAY_OK) return status;
        return is_kept || rmdir(path) == 0 ? ASSAY_OK : cannot_write(path);
    }
    if (is_kept && S_ISREG(there.st_mode)) return ASSAY_OK;
    return unlink(path) == 0 ? ASSAY_OK : cannot_write(path);
}

assay_status assay_partial_put(const assay_partial *partial)
{
    assay_status status;

    if (rename(partial->path, partial->target) == 0) return ASSAY_OK;
    if (!assay_model_is_at(partial->target)) return cannot_write(partial->target);
    if ((status = clear(partial->path, "", NULL)) != ASSAY_OK) return status;
    return rmdir(partial->path) == 0 ? ASSAY_OK : cannot_write(partial->path);
}

void assay_partial_close(assay_partial *partial)
{
    let_go(partial);
    free(partial->path);
    free(partial->target);
    partial->path = partial->target = NULL;
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the name of a folder");
}

static assay_status cannot_write(const char *path)
{
    return assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", path, strerror(errno));
}
