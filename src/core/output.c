/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/output.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIX_SIZE = 40 };

static void release(assay_output *output)
{
    free(output->path);
    free(output->temporary);
    *output = (assay_output){ 0 };
}

assay_status assay_output_open(assay_output *output, const char *path)
{
    size_t length = strlen(path);
    int descriptor = -1;

    *output = (assay_output){ 0 };
    if (strcmp(path, "-") == 0) {
        output->to = stdout;
        return ASSAY_OK;
    }
    output->path = assay_copy_text(path, length);
    output->temporary = assay_alloc(length + SUFFIX_SIZE, 1);
    if (!output->path || !output->temporary) {
        release(output);
        return assay_fail(ASSAY_E_NOMEM, "no memory to open %s", path);
    }
    /* Not mkstemp(): its files are private, and an output has the permissions of any new file. */
    for (unsigned attempt = 0; attempt < 1000 && descriptor < 0; attempt++) {
        snprintf(output->temporary, length + SUFFIX_SIZE, "%s.tmp%ld.%u", path, (long)getpid(),
                 attempt);
        descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor < 0) {
        assay_status status =
            assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", path, strerror(errno));
        release(output);
        return status;
    }
    output->to = fdopen(descriptor, "w");
    if (!output->to) {
        close(descriptor);
        unlink(output->temporary);
        release(output);
        return assay_fail(ASSAY_E_NOMEM, "no memory to open %s", path);
    }
    return ASSAY_OK;
}

assay_status assay_output_commit(assay_output *output)
{
    const char *name = output->path ? output->path : "standard output";
    assay_status status = ASSAY_OK;
    int failed = fflush(output->to) != 0 || ferror(output->to);

    if (output->path) {
        failed |= fclose(output->to) != 0;
        if (!failed) failed = rename(output->temporary, output->path) != 0;
    }
    if (failed) {
        status = assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", name, strerror(errno));
        if (output->path) unlink(output->temporary);
    }
    release(output);
    return status;
}

void assay_output_abandon(assay_output *output)
{
    if (output->path) {
        fclose(output->to);
        unlink(output->temporary);
    }
    release(output);
}
