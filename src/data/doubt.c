/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that are read as items and may be none: the commonest silent mistake with leaderboards.
 */
#include "data/matrix.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* What leaderboards call the columns beside their items. */
static int is_named_like_a_property(const char *name)
{
    static const char *const names[] = { "average", "avg",   "mean",   "overall",  "total",
                                         "rank",    "elo",   "params", "params_b", "parameters",
                                         "size",    "date",  "year",   "cost",     "price",
                                         "latency", "exact", "votes",  "score_avg" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0) return 1;
    return 0;
}

static int stays_within_0_and_1(const assay_matrix *matrix, size_t item)
{
    for (size_t m = 0; m < matrix->n_models; m++) {
        double score = matrix->scores[m * matrix->n_items + item];

        if (score < 0.0 || score > 1.0) return 0; /* a missing one is neither */
    }
    return 1;
}

size_t assay_matrix_count_within_0_and_1(const assay_matrix *matrix)
{
    size_t n = 0;

    for (size_t t = 0; matrix->scores && t < matrix->n_items; t++)
        if (stays_within_0_and_1(matrix, t)) n++;
    return n;
}

const char *assay_matrix_doubt(const assay_matrix *matrix, size_t item)
{
    if (is_named_like_a_property(matrix->item_names[item]))
        return "is a name for properties of models";
    if (matrix->scores && 2 * matrix->n_within > matrix->n_items &&
        !stays_within_0_and_1(matrix, item))
        return "leaves 0..1, where most items stay";
    return NULL;
}
