/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include <assay/output.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

assay_status cli_output(const char *path, cli_printer print, const void *answer)
{
    assay_output output;
    assay_status status = assay_output_open(&output, path ? path : "-");

    if (status != ASSAY_OK) return status;
    print(output.to, answer);
    return assay_output_commit(&output);
}

assay_status cli_plot(const char *where, const char *name, cli_printer print, const void *answer)
{
    static const char ending[] = ".svg";
    size_t length = strlen(where), n = length + strlen(name) + 2;
    char *path;
    assay_status status;

    if (length >= sizeof ending && strcmp(where + length - strlen(ending), ending) == 0)
        return cli_output(where, print, answer);
    mkdir(where, 0777); /* if it is there already, good; if it cannot be, writing says why */
    path = malloc(n);
    if (!path) return ASSAY_E_NOMEM;
    snprintf(path, n, "%s/%s", where, name);
    status = cli_output(path, print, answer);
    free(path);
    return status;
}
