/* SPDX-License-Identifier: Apache-2.0 */
/* The one real matrix of PromptEval, its covariates, and the masks of the stored results. */
#ifndef TESTS_PROMPTEVAL_GOLDEN_H
#define TESTS_PROMPTEVAL_GOLDEN_H

#include "assay/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { GOLDEN_I = 100, GOLDEN_J = 545, GOLDEN_D = 21, GOLDEN_CELLS = 1600 };

/* A file of the shared folder, .gz or not; the test is skipped where there is none. */
static inline gzFile open_golden(const char *name)
{
    char path[512];
    gzFile file;

    snprintf(path, sizeof path, "%s/%s", ASSAY_SHARED_FOLDER, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    file = gzopen(path, "rb");
    assert_non_null(file);
    return file;
}

/* n_rows x n_columns numbers, after a header and n_names columns of names, if any. */
static inline double *read_table(const char *name, size_t n_rows, size_t n_columns, int header,
                                 int n_names)
{
    gzFile file = open_golden(name);
    double *x = malloc(n_rows * n_columns * sizeof *x);
    static char line[1 << 16];

    if (header) assert_non_null(gzgets(file, line, sizeof line));
    for (size_t i = 0; i < n_rows; i++) {
        char *at = gzgets(file, line, sizeof line);

        assert_non_null(at);
        for (int k = 0; k < n_names; k++) at = strchr(at, ',') + 1;
        for (size_t j = 0; j < n_columns; j++) {
            x[i * n_columns + j] = strtod(at, &at);
            at++;
        }
    }
    gzclose(file);
    return x;
}

static inline double *golden_matrix(void)
{
    return read_table("data/templates/mmlu_hs_psychology_llama3_8b_100x545.csv", GOLDEN_I, GOLDEN_J,
                      1, 1);
}

static inline double *golden_covariates(void)
{
    return read_table("data/templates/mmlu_templates_X_disc.csv", GOLDEN_I, GOLDEN_D, 0, 0);
}

/* The cells of a budget: templates and items have room for GOLDEN_CELLS. */
static inline void golden_mask(unsigned budget, size_t *templates, size_t *items)
{
    gzFile file = open_golden("golden/prompteval/hs_psych_masks.csv.gz");
    char line[256];
    size_t n = 0;

    while (gzgets(file, line, sizeof line)) {
        unsigned seed, of, i, j;

        if (sscanf(line, "%u,%u,%u,%u", &seed, &of, &i, &j) != 4 || of != budget) continue;
        templates[n] = i;
        items[n++] = j;
    }
    assert_int_equal(n, budget);
    gzclose(file);
}

/* The stored scores of one method and budget. */
static inline void golden_scores(unsigned budget, const char *method, double scores[GOLDEN_I])
{
    gzFile file = open_golden("golden/prompteval/hs_psych_S_hat.csv.gz");
    char line[256], name[64];
    size_t n = 0;

    while (gzgets(file, line, sizeof line)) {
        unsigned seed, of, i;
        double s;

        if (sscanf(line, "%u,%u,%63[^,],%u,%lf", &seed, &of, name, &i, &s) != 5) continue;
        if (of != budget || strcmp(name, method) != 0) continue;
        scores[i] = s;
        n++;
    }
    assert_int_equal(n, GOLDEN_I);
    gzclose(file);
}

#endif
