/* SPDX-License-Identifier: Apache-2.0 */
/* Any input as assay_read() meets it, tools' logs before all: it must be read or refused in one
   line that is safe to print, and what was read must add up. */
#include "assay/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

/* A name that leads to the bytes: the same file each time, which has no name of its own. */
static const char *as_file(const uint8_t *data, size_t size)
{
    static FILE *file;
    static char path[40];

    if (!file) {
        file = tmpfile();
        check(file != NULL);
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    }
    check(ftruncate(fileno(file), 0) == 0);
    check(pwrite(fileno(file), data, size, 0) == (ssize_t)size);
    return path;
}

static void check_line(const char *text)
{
    for (; *text; text++) check((unsigned char)*text >= ' ' && *text != 127);
}

static void check_results(const assay_results *results)
{
    const assay_coverage c = assay_results_coverage(results);
    uint64_t used = 0;

    check(c.rows == c.used + c.missing + c.errored + c.unscored + c.duplicate + c.refused);
    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < assay_results_n_items(results); i++) {
            double score = 0.0;
            const int is_scored = assay_results_cell(results, r, i, &score) == ASSAY_SCORED;

            check(is_scored == isfinite(score));
            used += (uint64_t)is_scored;
        }
    check(used == c.used);
    for (size_t k = 0; k < assay_results_n_notes(results); k++)
        check_line(assay_results_note(results, k));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_results *results = NULL;

    check(assay_results_new(0, &results) == ASSAY_OK);
    if (assay_read(results, as_file(data, size), NULL) == ASSAY_OK)
        check_results(results);
    else
        check_line(assay_last_error());
    assay_results_free(results);
    return 0;
}
