/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/benchmarks.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct assay_benchmarks {
    assay_folder folder;
    char *alone; /* the path, where it is no folder */
};

assay_status assay_benchmarks_list(const char *path, assay_benchmarks **out)
{
    assay_benchmarks *list;
    assay_status status = ASSAY_OK;
    struct stat about;

    *out = NULL;
    if (!path || !*path) return assay_fail(ASSAY_E_VALUE, "benchmarks: no path");
    list = assay_alloc_zero(1, sizeof *list);
    if (!list) return assay_fail(ASSAY_E_NOMEM, "no memory for a list of benchmarks");
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        status = assay_folder_list_here(&list->folder, path);
    else if (!(list->alone = assay_copy_text(path, strlen(path))))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a list of benchmarks");
    if (status == ASSAY_OK)
        *out = list;
    else
        assay_benchmarks_free(list);
    return status;
}

void assay_benchmarks_free(assay_benchmarks *list)
{
    if (!list) return;
    assay_folder_free(&list->folder);
    free(list->alone);
    free(list);
}

size_t assay_benchmarks_n(const assay_benchmarks *list)
{
    return list->alone ? 1 : list->folder.n;
}

const char *assay_benchmarks_path(const assay_benchmarks *list, size_t benchmark)
{
    return list->alone ? list->alone : list->folder.files[benchmark].path;
}

int assay_benchmarks_is_folder(const assay_benchmarks *list)
{
    return !list->alone;
}

char *assay_benchmark_name(const char *path, size_t folders, char *out, size_t size)
{
    size_t end = strlen(path), start;

    if (strcmp(path, "-") == 0) {
        snprintf(out, size, "standard input");
        return out;
    }
    while (end > 1 && path[end - 1] == '/') end--;
    for (start = end; start > 0; start--)
        if (path[start - 1] == '/' && start < end && path[start] != '/' && folders-- == 0) break;
    snprintf(out, size, "%.*s", (int)(end - start), path + start);
    if (!path[end]) out[assay_folder_stem(out)] = '\0'; /* no slash behind it: it may be a file */
    return out;
}
