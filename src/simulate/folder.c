/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/folder.h"

#include "assay/output.h"
#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

assay_status assay_folder_make(const char *folder)
{
    struct stat found;

    if (mkdir(folder, 0777) == 0) return ASSAY_OK;
    if (errno != EEXIST)
        return assay_fail_at(ASSAY_E_WRITE, folder, 0, "the folder cannot be made: %s",
                             strerror(errno));
    if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode))
        return assay_fail_at(ASSAY_E_WRITE, folder, 0, "is not a folder");
    return ASSAY_OK;
}

assay_status assay_folder_write(const char *folder, const char *name, assay_file_writer write,
                                const void *what)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = assay_alloc(size, 1);
    assay_output output;
    assay_status status;

    if (!path) return assay_fail(ASSAY_E_NOMEM, "simulate: no memory to write %s", name);
    snprintf(path, size, "%s/%s", folder, name);
    status = assay_output_open(&output, path);
    if (status == ASSAY_OK) {
        write(what, output.to);
        status = assay_output_commit(&output);
    }
    free(path);
    return status;
}
