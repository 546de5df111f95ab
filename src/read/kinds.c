/* SPDX-License-Identifier: Apache-2.0 */
#include "read/kinds.h"

#include "core/error.h"

#include <string.h>

assay_status assay_kinds_refuse_other(const char *path, const char *bytes, size_t length)
{
    static const struct kind {
        const char *magic;
        size_t length;
        const char *what;
    } kinds[] = {
        { "PAR1", 4,
          "a Parquet file, expected a table of text; DuckDB writes it as one: copy (from "
          "'x.parquet') to 'x.csv'" },
        { "PK\3\4", 4, "a zip archive, which is not read; unpack it first" },
        { "PK\5\6", 4, "an empty zip archive" },
        { "\x93NUMPY", 6, "a NumPy array, expected a table of text" },
        { "\xff\xfe", 2, "UTF-16; expected UTF-8" },
        { "\xfe\xff", 2, "UTF-16; expected UTF-8" },
        { "BZh", 3,
          "bzip2 data, which is not read; unpack it first, or pack it with gzip or zstd" },
        { "\xfd"
          "7zXZ",
          5, "xz data, which is not read; unpack it first, or pack it with gzip or zstd" },
        { "SQLite format 3", 15, "an SQLite database, which is not read; export a table as CSV" },
        { "\x89HDF", 4, "an HDF5 file, which is not read; write it as CSV first" },
        { "%PDF", 4, "a PDF document, expected CSV, TSV or JSON rows" },
    };

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (length >= kinds[k].length && memcmp(bytes, kinds[k].magic, kinds[k].length) == 0)
            return assay_fail_at(ASSAY_E_FORMAT, path, 0, "%s", kinds[k].what);
    return ASSAY_OK;
}

int assay_kinds_is_json(const char *bytes, size_t length)
{
    size_t i = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < length && strchr(" \t\r\n", bytes[i]) && bytes[i] != '\0') i++;
    return i < length && (bytes[i] == '{' || bytes[i] == '[');
}
