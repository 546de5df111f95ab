/* SPDX-License-Identifier: Apache-2.0 */
/* Items that would be one pattern but for their holes. */
#include "assay/outcome_patterns.h"
#include "core/error.h"
#include "core/memory.h"
#include "data/matrix.h"

#include <math.h>
#include <stdlib.h>

static const char too_many[] = "too many items and items with holes to compare them";
static const double most_pairs = 1e8;

/* Items with a pattern of their own, in order, and whether each has a hole. */
struct own {
    size_t *item, n, n_with_holes;
    unsigned char *has_hole;
};

static assay_status list_own(const assay_matrix *matrix, const size_t *labels,
                             const unsigned char *constant, struct own *own);
static int are_one(const assay_matrix *matrix, size_t a, size_t b);

assay_status assay_outcome_patterns_but_holes(const assay_matrix *matrix, const size_t *labels,
                                              const unsigned char *constant, size_t *like,
                                              size_t *n_like, const char **reason)
{
    struct own own = { 0 };
    assay_status status = ASSAY_OK;

    *n_like = 0;
    *reason = NULL;
    for (size_t i = 0; i < matrix->n_items; i++) like[i] = i;
    if (matrix->n_observed == (uint64_t)matrix->n_models * matrix->n_items) return ASSAY_OK;
    if ((status = list_own(matrix, labels, constant, &own)) != ASSAY_OK) goto done;
    if ((double)own.n * (double)own.n_with_holes > most_pairs) {
        *reason = too_many;
        goto done;
    }
    /* Two without a hole that are equal would have one label. */
    for (size_t k = 1; k < own.n; k++) {
        size_t i = own.item[k];

        for (size_t j = 0; j < k && like[i] == i; j++) {
            size_t earlier = own.item[j];

            if (!(own.has_hole[k] || own.has_hole[j]) || like[earlier] != earlier ||
                !are_one(matrix, earlier, i))
                continue;
            like[i] = earlier;
            ++*n_like;
        }
    }
done:
    free(own.item);
    free(own.has_hole);
    return status;
}

/* Labels are numbered by first appearance. */
static assay_status list_own(const assay_matrix *matrix, const size_t *labels,
                             const unsigned char *constant, struct own *own)
{
    size_t n = matrix->n_items, next = 0;

    own->item = assay_alloc(n, sizeof *own->item);
    own->has_hole = assay_alloc_zero(n, 1);
    if (!own->item || !own->has_hole)
        return assay_fail(ASSAY_E_NOMEM, "no memory for the patterns of %zu items", n);
    for (size_t i = 0; i < n; i++) {
        if (labels[i] < next) continue;
        next = labels[i] + 1;
        if (constant[i]) continue;
        for (size_t m = 0; m < matrix->n_models && !own->has_hole[own->n]; m++)
            own->has_hole[own->n] = !assay_plane_bit(matrix->observed, matrix->stride, m, i);
        own->n_with_holes += own->has_hole[own->n];
        own->item[own->n++] = i;
    }
    return ASSAY_OK;
}

static int are_one(const assay_matrix *matrix, size_t a, size_t b)
{
    size_t common = 0, either = 0;
    double first = NAN;
    int varies = 0;

    for (size_t m = 0; m < matrix->n_models; m++) {
        double x = assay_matrix_score(matrix, m, a), y = assay_matrix_score(matrix, m, b);

        either += !isnan(x) || !isnan(y);
        if (isnan(x) || isnan(y)) continue;
        if (x != y) return 0;
        common++;
        if (isnan(first)) first = x;
        varies |= x != first;
    }
    return varies && 10 * common >= 9 * either;
}
