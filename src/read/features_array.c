/* SPDX-License-Identifier: Apache-2.0 */
/* Features from NumPy arrays, with ids beside them or without. */
#include "assay/cells.h"
#include "core/error.h"
#include "core/memory.h"
#include "read/features.h"
#include "read/npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ids of NAME.ids.csv beside NAME.npy; NULL where there is no such file. */
static assay_status read_ids_beside(const char *path, size_t n_rows, assay_ids **out)
{
    static const char ending[] = ".npy", beside[] = ".ids.csv";
    size_t length = strlen(path), n = sizeof ending - 1;
    char *name;
    FILE *there;
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (length <= n || strcmp(path + length - n, ending) != 0) return ASSAY_OK;
    name = assay_alloc(length - n + sizeof beside, 1);
    if (!name) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its ids", path);
    memcpy(name, path, length - n);
    memcpy(name + length - n, beside, sizeof beside);
    there = fopen(name, "rb");
    if (there) {
        fclose(there);
        status = assay_ids_read(ASSAY_AXIS_TEMPLATES, name, out);
        if (status == ASSAY_OK && assay_ids_n(*out) != n_rows)
            status = assay_fail_at(ASSAY_E_SHAPE, name, 0, "%zu ids, expected %zu, a row each",
                                   assay_ids_n(*out), n_rows);
    }
    free(name);
    return status;
}

/* The row of each id, in place of rows as they came. */
static assay_status arrange(assay_features *to, assay_id_places *places, const assay_ids *ids,
                            size_t n_rows)
{
    size_t d = to->d;
    double *x = places->n <= SIZE_MAX / sizeof *x / (d ? d : 1)
                    ? assay_alloc_zero(places->n * d, sizeof *x)
                    : NULL;
    assay_status status = ASSAY_OK;

    if (!x) return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its rows", places->path);
    for (size_t k = 0; k < n_rows && status == ASSAY_OK; k++) {
        const char *id = assay_ids_text(ids, k);
        ptrdiff_t place = assay_id_places_find(places, id, strlen(id));

        if (place < 0) continue;
        status = assay_id_places_fill(places, (size_t)place, k + 2);
        memcpy(x + (size_t)place * d, to->x + k * d, d * sizeof *x);
    }
    free(to->x);
    to->x = x;
    if (status != ASSAY_OK) return status;
    return assay_id_places_check(places, assay_ids_text(ids, 0));
}

assay_status assay_features_read_array(assay_features *to, assay_id_places *places,
                                       assay_input_stream *input)
{
    assay_ids *ids = NULL;
    size_t n_rows = 0;
    assay_status status =
        assay_npy_read(places->path, assay_input_read, input, &to->x, &n_rows, &to->d);

    to->is_array = 1;
    for (size_t k = 0; status == ASSAY_OK && k < n_rows * to->d; k++)
        if (!isfinite(to->x[k]))
            status =
                assay_fail_at(ASSAY_E_FORMAT, places->path, 0,
                              "row %zu holds %g, expected finite numbers", k / to->d + 1, to->x[k]);
    if (status == ASSAY_OK) status = read_ids_beside(places->path, n_rows, &ids);
    if (status == ASSAY_OK && !ids && n_rows != places->n)
        status = assay_id_places_fail_count(places, n_rows);
    if (status == ASSAY_OK && ids) status = arrange(to, places, ids, n_rows);
    assay_ids_free(ids);
    return status;
}
