/* SPDX-License-Identifier: Apache-2.0 */
/* Real logs, which are read where they lie beside the checkout. Include it after reading.h. */
#ifndef TESTS_SAMPLES_H
#define TESTS_SAMPLES_H

#include <sys/stat.h>

/* Whether a sample is there; its path goes into path. Tests skip() where it is not. */
static inline int find_sample(const char *name, char path[512])
{
    struct stat about;

    snprintf(path, 512, "%s/samples/%s", ASSAY_SHARED_FOLDER, name);
    if (stat(path, &about) == 0) return 1;
    print_message("no samples beside this checkout\n");
    return 0;
}

#endif
