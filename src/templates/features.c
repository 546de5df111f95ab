/* SPDX-License-Identifier: Apache-2.0 */
/* Features as covariates: as they are, or with factors as columns of 0 and 1, rotated. */
#include "read/features.h"
#include "assay/covariates.h"
#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PUBLISHED_DIMENSIONS = 25, FEW_LEVELS = 10 };

static assay_status check_kinds(const assay_features *features, assay_features_rule rule);
static assay_status check_factor(const assay_features *features, size_t column);
static assay_status widen(const assay_features *features, assay_features_rule rule, double **out,
                          size_t *n_columns);
static void keep_first(double *x, size_t n, size_t *d, size_t most);

assay_status assay_features_covariates(const assay_features *features, assay_features_rule rule,
                                       size_t most, double **out, size_t *n_columns)
{
    double *wide = NULL;
    size_t d = 0;
    assay_status status;

    *out = NULL;
    *n_columns = 0;
    if ((unsigned)rule > ASSAY_FEATURES_LEVELS)
        return assay_fail(ASSAY_E_VALUE, "features by rule %d, expected 0 to 3", (int)rule);
    if (rule == ASSAY_FEATURES_AUTO) {
        rule = features->is_array || features->is_counts ? ASSAY_FEATURES_ROTATED
                                                         : ASSAY_FEATURES_AS_IS;
        if (features->is_array && most == 0) most = PUBLISHED_DIMENSIONS;
        for (size_t c = 0; c < features->d && rule == ASSAY_FEATURES_AS_IS; c++)
            if (assay_features_is_text(features, c)) rule = ASSAY_FEATURES_ROTATED;
        if (most > 0) rule = ASSAY_FEATURES_ROTATED;
    }
    if ((status = check_kinds(features, rule)) != ASSAY_OK) return status;
    if ((status = widen(features, rule, &wide, &d)) != ASSAY_OK) return status;
    if (rule == ASSAY_FEATURES_AS_IS) {
        *out = wide;
        *n_columns = d;
        return ASSAY_OK;
    }
    status = assay_covariates_rotate(wide, features->n, d, out, n_columns);
    free(wide);
    if (status == ASSAY_OK && most > 0) keep_first(*out, features->n, n_columns, most);
    return status;
}

/* ---- levels ---- */

typedef struct numbered {
    double value;
    size_t index;
} numbered;

static int compare_values(const void *a, const void *b)
{
    const numbered *x = a, *y = b;

    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The level of each row, and how many there are. Equal numbers are one level, however they are written: the
   first row that has it. ASSAY_OK; ASSAY_E_NOMEM. */
static assay_status find_levels(const assay_features *features, size_t column, size_t *codes,
                                size_t *n_levels)
{
    const assay_feature_column *of = features->columns ? &features->columns[column] : NULL;
    int is_text = of && of->kind != ASSAY_FEATURE_NUMBERS;
    size_t n = features->n;
    numbered *sorted = assay_alloc(n, sizeof *sorted);

    if (!sorted) return assay_fail(ASSAY_E_NOMEM, "no memory for the levels of %zu rows", n);
    for (size_t i = 0; i < n; i++)
        sorted[i] =
            (numbered){ is_text ? (double)of->codes[i] : features->x[i * features->d + column], i };
    qsort(sorted, n, sizeof *sorted, compare_values);
    *n_levels = 0;
    for (size_t k = 0, first = 0; k < n; k++) {
        if (k == 0 || sorted[k].value != sorted[k - 1].value) {
            first = sorted[k].index;
            ++*n_levels;
        }
        codes[sorted[k].index] = first;
    }
    free(sorted);
    return ASSAY_OK;
}

/* ---- what is refused ---- */

static assay_status check_kinds(const assay_features *features, assay_features_rule rule)
{
    assay_status status = ASSAY_OK;

    for (size_t c = 0; c < features->d && features->columns && status == ASSAY_OK; c++) {
        const assay_feature_column *column = &features->columns[c];
        const char *name = column->name ? column->name : "";

        if (column->kind == ASSAY_FEATURE_NUMBERS) {
            if (rule == ASSAY_FEATURES_LEVELS) status = check_factor(features, c);
            continue;
        }
        if (rule == ASSAY_FEATURES_AS_IS ||
            (column->kind == ASSAY_FEATURE_MIXED && rule != ASSAY_FEATURES_LEVELS))
            status = assay_fail_at(
                ASSAY_E_FORMAT, features->path, column->line,
                "\"%.60s\" is no number, expected one in column \"%.60s\"%s", column->odd, name,
                column->kind == ASSAY_FEATURE_MIXED ? " as elsewhere" : ", or levels");
        else
            status = check_factor(features, c);
    }
    return status;
}

/* A level of its own for nearly every row describes nothing that rows share. */
static assay_status check_factor(const assay_features *features, size_t column)
{
    const assay_feature_column *of = &features->columns[column];
    size_t *codes = assay_alloc(features->n, sizeof *codes), n_levels = 0;
    assay_status status = codes
                              ? find_levels(features, column, codes, &n_levels)
                              : assay_fail(ASSAY_E_NOMEM, "no memory for %zu levels", features->n);

    free(codes);
    if (status != ASSAY_OK) return status;
    if (n_levels <= FEW_LEVELS || 2 * n_levels <= features->n) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_DEGENERATE, features->path, 0,
                         "column \"%.60s\" has %zu levels for %zu %ss, which is no factor: choose "
                         "columns without it",
                         of->name ? of->name : "", n_levels, features->n, features->what);
}

/* ---- columns ---- */

/* One column as it is, or a column of 0 and 1 for each of its levels; for free(). */
static assay_status widen_column(const assay_features *features, size_t column, int as_levels,
                                 double **out, size_t *n_columns)
{
    size_t n = features->n;
    size_t *codes = NULL;
    assay_status status;

    if (!as_levels) {
        *out = assay_alloc(n, sizeof **out);
        *n_columns = 1;
        for (size_t i = 0; *out && i < n; i++) (*out)[i] = features->x[i * features->d + column];
        return *out ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for %zu features", n);
    }
    codes = assay_alloc(n, sizeof *codes);
    if (!codes) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu features", n);
    status = find_levels(features, column, codes, &(size_t){ 0 });
    if (status == ASSAY_OK) status = assay_covariates_one_hot(codes, n, 1, out, n_columns);
    free(codes);
    return status;
}

/* All of them side by side. */
static assay_status widen(const assay_features *features, assay_features_rule rule, double **out,
                          size_t *n_columns)
{
    size_t n = features->n, d = features->d, at = 0;
    double **parts = assay_alloc_zero(d, sizeof *parts);
    size_t *widths = assay_alloc_zero(d, sizeof *widths), all = 0;
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!parts || !widths) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu features", d);
        goto done;
    }
    for (size_t c = 0; c < d && status == ASSAY_OK; c++) {
        int as_levels = rule == ASSAY_FEATURES_LEVELS || assay_features_is_text(features, c);

        status = widen_column(features, c, as_levels, &parts[c], &widths[c]);
        all += widths[c];
    }
    if (status != ASSAY_OK) goto done;
    if (all <= SIZE_MAX / sizeof **out / n) *out = assay_alloc(n * all, sizeof **out);
    if (!*out) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu covariates", n, all);
        goto done;
    }
    for (size_t c = 0; c < d; at += widths[c++])
        for (size_t i = 0; i < n; i++)
            memcpy(*out + i * all + at, parts[c] + i * widths[c], widths[c] * sizeof **out);
    *n_columns = all;
done:
    for (size_t c = 0; parts && c < d; c++) free(parts[c]);
    free(parts);
    free(widths);
    return status;
}

static void keep_first(double *x, size_t n, size_t *d, size_t most)
{
    if (*d <= most) return;
    for (size_t i = 0; i < n; i++) memmove(x + i * most, x + i * *d, most * sizeof *x);
    *d = most;
}

/* ---- getters ---- */

void assay_features_free(assay_features *features)
{
    if (!features) return;
    for (size_t c = 0; features->columns && c < features->d; c++) {
        free(features->columns[c].name);
        free(features->columns[c].odd);
        free(features->columns[c].codes);
        assay_names_free(&features->columns[c].texts);
    }
    free(features->columns);
    free(features->x);
    free(features->path);
    free(features->what);
    free(features);
}

size_t assay_features_n(const assay_features *features)
{
    return features->d;
}

int assay_features_is_text(const assay_features *features, size_t column)
{
    return features->columns && features->columns[column].kind != ASSAY_FEATURE_NUMBERS;
}

const char *assay_features_name(const assay_features *features, size_t column)
{
    return features->columns ? features->columns[column].name : NULL;
}
