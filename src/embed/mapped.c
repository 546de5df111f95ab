/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/mapped.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_status map_descriptor(int descriptor, const char *path, assay_mapped *mapped);

assay_status assay_map(const char *path, assay_mapped *mapped)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    assay_status status;

    *mapped = (assay_mapped){ 0 };
    if (descriptor < 0) return assay_fail_at(ASSAY_E_READ, path, 0, "%s", strerror(errno));
    status = map_descriptor(descriptor, path, mapped);
    if (!mapped->bytes) close(descriptor);
    return status;
}

static assay_status map_descriptor(int descriptor, const char *path, assay_mapped *mapped)
{
    struct stat about;
    void *bytes;

    if (fstat(descriptor, &about) != 0)
        return assay_fail_at(ASSAY_E_READ, path, 0, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return assay_fail_at(ASSAY_E_READ, path, 0, "is not a file, expected one");
    if (about.st_size == 0) return ASSAY_OK;
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED)
        return assay_fail_at(ASSAY_E_READ, path, 0, "cannot be mapped: %s", strerror(errno));
    *mapped = (assay_mapped){ bytes, (size_t)about.st_size, descriptor, about.st_mtim };
    return ASSAY_OK;
}

void assay_unmap(assay_mapped *mapped)
{
    if (mapped->bytes) {
        munmap((void *)(uintptr_t)mapped->bytes, mapped->size);
        close(mapped->descriptor);
    }
    *mapped = (assay_mapped){ 0 };
}

int assay_mapped_is_as_it_was(const assay_mapped *mapped)
{
    struct stat about;

    return !mapped->bytes ||
           (fstat(mapped->descriptor, &about) == 0 && (size_t)about.st_size == mapped->size &&
            about.st_mtim.tv_sec == mapped->modified.tv_sec &&
            about.st_mtim.tv_nsec == mapped->modified.tv_nsec);
}
