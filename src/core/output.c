/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/output.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUFFIX_SIZE = 40 };

static void release(assay_output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (assay_output){ 0 };
}

static assay_status cannot_write(const char *path)
{
    return assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", path, strerror(errno));
}

/* A device or a pipe is written to as it is: renaming over it would put a file in its place. */
static assay_status open_in_place(assay_output *output, const char *path)
{
    output->to = fopen(path, "w");
    return output->to ? ASSAY_OK : cannot_write(path);
}

/* Create a new file beside path. Not by mkstemp(), whose files are private: an output has the
   permissions of any new file. */
static int create_temporary(assay_output *output, size_t size)
{
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        int descriptor;

        snprintf(output->temporary, size, "%s.tmp%ld.%u", output->path, (long)getpid(), attempt);
        descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

assay_status assay_output_open(assay_output *output, const char *path)
{
    struct stat there;
    int known = stat(path, &there) == 0, descriptor;
    char *target = known ? realpath(path, NULL) : NULL; /* a link stays, its target is replaced */
    size_t size;
    assay_status status = ASSAY_OK;

    *output = (assay_output){ 0 };
    if (known ? !S_ISREG(there.st_mode) : !*path) { /* "" fails now rather than on commit */
        status = open_in_place(output, path);
        goto done;
    }
    size = strlen(target ? target : path) + SUFFIX_SIZE;
    output->path = assay_copy_text(target ? target : path, size - SUFFIX_SIZE);
    output->temporary = assay_alloc(size, 1);
    if (!output->path || !output->temporary) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory to open %s", path);
        goto done;
    }
    descriptor = create_temporary(output, size);
    if (descriptor >= 0 && known) fchmod(descriptor, there.st_mode & 07777); /* as it was */
    if (descriptor >= 0) output->to = fdopen(descriptor, "w");
    if (output->to) goto done;
    status = cannot_write(path);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(output->temporary);
    }
done:
    free(target);
    if (status != ASSAY_OK) release(output);
    return status;
}

assay_status assay_output_commit(assay_output *output)
{
    const char *name = output->path ? output->path : "the output";
    assay_status status = ASSAY_OK;
    int failed = fflush(output->to) != 0 || ferror(output->to);

    failed |= fclose(output->to) != 0;
    if (output->path && !failed) failed = rename(output->temporary, output->path) != 0;
    if (failed) {
        status = cannot_write(name);
        if (output->path) unlink(output->temporary);
    }
    release(output);
    return status;
}

void assay_output_abandon(assay_output *output)
{
    fclose(output->to);
    if (output->path) unlink(output->temporary);
    release(output);
}
