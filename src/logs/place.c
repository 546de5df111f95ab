/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/place.h"

#include <string.h>

const char *assay_log_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

assay_name assay_log_stem(const char *path)
{
    static const char *const ends[] = { ".gz", ".zst", ".json", ".jsonl", ".jsonlines", ".csv" };
    const char *name = assay_log_file_name(path);
    assay_name stem = { name, strlen(name) };

    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        assay_name shorter = assay_log_without_end(stem, ends[k]);
        if (shorter.text) stem = shorter;
    }
    return stem;
}

assay_name assay_log_folder(const char *path, size_t up)
{
    const assay_name none = { NULL, 0 };
    const char *end = strrchr(path, '/');
    assay_name name = none;

    for (size_t k = 0; end && k <= up; k++) {
        const char *start = end;

        while (start > path && start[-1] != '/') start--;
        name = (assay_name){ start, (size_t)(end - start) };
        if (name.length == 0 || assay_name_is(name, ".") || assay_name_is(name, "..")) return none;
        end = start > path ? start - 1 : NULL;
        if (!end && k < up) return none;
    }
    return name;
}

assay_name assay_log_without_end(assay_name name, const char *end)
{
    size_t length = strlen(end);

    if (name.length <= length || memcmp(name.text + name.length - length, end, length) != 0)
        return (assay_name){ NULL, 0 };
    return (assay_name){ name.text, name.length - length };
}
