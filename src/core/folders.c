/* SPDX-License-Identifier: Apache-2.0 */
#include "core/folders.h"

#include "core/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_last(const char *path);

int assay_make_folders(const char *path)
{
    char *part = assay_copy_text(path, strlen(path));
    int status, reason;

    if (!part) {
        errno = ENOMEM;
        return -1;
    }
    for (char *at = *part ? part + 1 : part; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(part, 0777);
        *at = '/';
    }
    status = make_last(part);
    reason = errno;
    free(part);
    errno = reason;
    return status;
}

static int make_last(const char *path)
{
    struct stat there;

    if (mkdir(path, 0777) == 0) return 0;
    if (errno == EEXIST && stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) return 0;
        errno = ENOTDIR;
    }
    /* A file system that cannot be written says so before it says that the folder is there. */
    return errno == EROFS && stat(path, &there) == 0 && S_ISDIR(there.st_mode) ? 0 : -1;
}
