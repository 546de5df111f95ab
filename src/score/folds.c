/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/validation.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>

static void gather(const size_t *labels, size_t n, const size_t *count, size_t *first,
                   size_t *members);
static void deal(assay_random *random, size_t *members, size_t n, size_t *offset, size_t n_folds,
                 size_t *fold);

assay_status assay_validation_folds(const size_t *labels, size_t n, size_t n_folds, uint64_t seed,
                                    size_t *fold)
{
    size_t *count = NULL, *first = NULL, *members = NULL, offset = 0;
    assay_random random;
    assay_status status = ASSAY_OK;

    if (n_folds < 1) return assay_fail(ASSAY_E_VALUE, "validation: 0 folds, expected 1 or more");
    for (size_t i = 0; labels && i < n; i++)
        if (labels[i] >= n)
            return assay_fail(ASSAY_E_VALUE,
                              "validation: prompt %zu has label %zu, expected below %zu", i,
                              labels[i], n);
    count = assay_alloc_zero(n, sizeof *count);
    first = assay_alloc_zero(n, sizeof *first);
    members = assay_alloc(n, sizeof *members);
    if (!count || !first || !members) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the folds of %zu prompts", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++) count[labels ? labels[i] : 0]++;
    gather(labels, n, count, first, members);
    assay_random_start(&random, seed, ASSAY_PURPOSE_FOLDS, 0);
    for (size_t i = 0; i < n; i++) { /* a label has its turn where it first appears */
        size_t label = labels ? labels[i] : 0;

        deal(&random, members + first[label], count[label], &offset, n_folds, fold);
        count[label] = 0;
    }
done:
    free(count);
    free(first);
    free(members);
    return status;
}

/* The members of each label, in their order, beginning at first[label]. */
static void gather(const size_t *labels, size_t n, const size_t *count, size_t *first,
                   size_t *members)
{
    for (size_t k = 1; k < n; k++) first[k] = first[k - 1] + count[k - 1];
    for (size_t i = 0; i < n; i++) members[first[labels ? labels[i] : 0]++] = i;
    for (size_t k = 0; k < n; k++) first[k] -= count[k];
}

static void deal(assay_random *random, size_t *members, size_t n, size_t *offset, size_t n_folds,
                 size_t *fold)
{
    for (size_t k = n; k > 1; k--) { /* Fisher and Yates */
        size_t other = (size_t)assay_random_below(random, k), swapped = members[k - 1];

        members[k - 1] = members[other];
        members[other] = swapped;
    }
    for (size_t k = 0; k < n; k++) fold[members[k]] = (*offset + k) % n_folds;
    *offset += n;
}
