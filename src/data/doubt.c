/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that are read as items and may be none, or stand on another scale: the commonest silent
   mistake with leaderboards. What is told without the scores is told of 0/1 matrices too. */
#include "core/memory.h"
#include "data/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A column holds most of the variance when it has more than half of it, and its sd is more than so
   many times the median of the others: what lies below is items that differ. Of ten public
   matrices, none of which mixes scales, the largest has .13 of it and 2.3 times the median. */
#define MANY_TIMES 5.0

/* Scores of -1 for what is worse than a baseline, or 1.02 for better than all, are of the scale of
   0..1 still. */
#define FAR 2.0

/* Decimals beyond these are none that somebody wrote. */
enum { MOST_DECIMALS = 6, LEAST_ROWS = 3 };

/* What the doubts of a column follow from. */
struct column_facts {
    double variance, largest; /* largest |score| */
    double half_unit;         /* half a unit of the last decimal; 0 where they do not end */
    int within, varies;       /* all scores that are there are within 0..1; not all the same */
};

static double score(const assay_matrix *matrix, size_t model, size_t item)
{
    return matrix->scores[model * matrix->n_items + item];
}

/* ---- by the name ---- */

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

/* ---- by the scale ---- */

static int stays_within_0_and_1(const assay_matrix *matrix, size_t item)
{
    for (size_t m = 0; m < matrix->n_models; m++) {
        double x = score(matrix, m, item);

        if (x < 0.0 || x > 1.0) return 0; /* a missing one is neither */
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

/* Half a unit of the last decimal that the scores are written with. */
static double find_half_unit(const assay_matrix *matrix, size_t item)
{
    double scale = 1.0;
    int decimals = 0;

    for (size_t m = 0; m < matrix->n_models && decimals <= MOST_DECIMALS; m++) {
        double x = score(matrix, m, item);

        while (!isnan(x) && decimals <= MOST_DECIMALS &&
               fabs(x * scale - nearbyint(x * scale)) > 1e-6) {
            decimals++;
            scale *= 10.0;
        }
    }
    return decimals <= MOST_DECIMALS ? 0.5 / scale : 0.0;
}

static struct column_facts find_facts(const assay_matrix *matrix, size_t item)
{
    struct column_facts facts = { .within = stays_within_0_and_1(matrix, item) };
    double mean = 0.0, squares = 0.0, first = NAN;
    size_t n = 0;

    for (size_t m = 0; m < matrix->n_models; m++) {
        double x = score(matrix, m, item);

        if (isnan(x)) continue;
        if (isnan(first)) first = x;
        facts.varies |= x != first;
        facts.largest = fmax(facts.largest, fabs(x));
        mean += (x - mean) / (double)++n;
    }
    for (size_t m = 0; m < matrix->n_models; m++) {
        double off = score(matrix, m, item) - mean;

        if (!isnan(off)) squares += off * off;
    }
    /* A missing cell stands at its item's mean: it varies by nothing. */
    facts.variance = facts.varies ? squares / (double)matrix->n_models : 0.0;
    facts.half_unit = find_half_unit(matrix, item);
    return facts;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Mark the column that holds most of the variance; sorted has room for n_items numbers. */
static void doubt_variance(assay_matrix *matrix, const struct column_facts *facts, double *sorted)
{
    double sum = 0.0, most, median;
    size_t n = 0;

    for (size_t t = 0; t < matrix->n_items; t++) {
        if (!facts[t].varies) continue;
        sum += facts[t].variance;
        sorted[n++] = facts[t].variance;
    }
    if (n < 2) return;
    qsort(sorted, n, sizeof *sorted, by_size);
    most = sorted[n - 1];
    median = sorted[(n - 1) / 2]; /* of the others; of an even number the upper one */
    if (most <= sum / 2.0 || most <= MANY_TIMES * MANY_TIMES * median) return;
    for (size_t t = 0; t < matrix->n_items; t++)
        if (facts[t].variance == most) matrix->doubts[t] |= ASSAY_DOUBT_VARIANCE;
}

/* Of columns that vary: a constant one moves nothing, whatever its scale. */
static void doubt_range(assay_matrix *matrix, const struct column_facts *facts)
{
    size_t n_varying = 0, n_far = 0;

    for (size_t t = 0; t < matrix->n_items; t++) {
        n_varying += facts[t].varies != 0;
        n_far += facts[t].varies && facts[t].largest > FAR;
    }
    for (size_t t = 0; t < matrix->n_items; t++) {
        if (!facts[t].varies) continue;
        if (2 * n_far < n_varying && facts[t].largest > FAR)
            matrix->doubts[t] |= ASSAY_DOUBT_LEAVES_RANGE;
        if (2 * n_far > n_varying && facts[t].within)
            matrix->doubts[t] |= ASSAY_DOUBT_STAYS_IN_RANGE;
    }
}

/* ---- by the other columns ---- */

/* The columns of which another may be the mean: those that are in no doubt. */
struct others {
    size_t n;
    double half_units; /* their sum */
    double *sum;       /* of each model; NaN where one is missing */
};

static int is_same(const assay_matrix *matrix, size_t a, size_t b)
{
    for (size_t m = 0; m < matrix->n_models; m++) {
        double x = score(matrix, m, a), y = score(matrix, m, b);

        if (x != y && !(isnan(x) && isnan(y))) return 0;
    }
    return 1;
}

/* Of columns that repeat each other, one is trivially the mean of the rest. */
static int repeats_another(const assay_matrix *matrix, size_t item)
{
    for (size_t t = 0; t < matrix->n_items; t++)
        if (t != item && is_same(matrix, t, item)) return 1;
    return 0;
}

/* Whether a column is the others' sum times share, up to the rounding of all of them. */
static int is_share_of(const assay_matrix *matrix, const struct column_facts *facts, size_t item,
                       const struct others *others, int is_one, double share)
{
    double of_others = others->half_units - (is_one ? facts->half_unit : 0.0);
    double slack = facts->half_unit + share * of_others + 1e-9 * facts->largest;
    size_t n = 0;

    /* Where rounding is as coarse as the column itself, many columns would be. */
    if (slack > 0.1 * sqrt(facts->variance)) return 0;
    for (size_t m = 0; m < matrix->n_models; m++) {
        double x = score(matrix, m, item), rest = others->sum[m] - (is_one ? x : 0.0);

        if (isnan(x) || isnan(rest)) continue;
        if (fabs(x - share * rest) > slack) return 0;
        n++;
    }
    return n >= LEAST_ROWS;
}

static void doubt_mean(assay_matrix *matrix, const struct column_facts *facts,
                       struct others *others)
{
    for (size_t t = 0; t < matrix->n_items; t++) {
        if (matrix->doubts[t] || !facts[t].varies) continue;
        others->n++;
        others->half_units += facts[t].half_unit;
        for (size_t m = 0; m < matrix->n_models; m++) others->sum[m] += score(matrix, m, t);
    }
    for (size_t t = 0; t < matrix->n_items; t++) {
        int is_one = !matrix->doubts[t] && facts[t].varies;
        size_t n = others->n - (is_one ? 1 : 0);

        if (n < 2 || !facts[t].varies) continue;
        if (repeats_another(matrix, t)) continue;
        if (is_share_of(matrix, &facts[t], t, others, is_one, 1.0 / (double)n))
            matrix->doubts[t] |= ASSAY_DOUBT_MEAN;
        if (is_share_of(matrix, &facts[t], t, others, is_one, 1.0))
            matrix->doubts[t] |= ASSAY_DOUBT_SUM;
    }
}

/* ---- all of them ---- */

/* Of the variance that ED is made of, what columns in doubt hold. */
static void find_share(assay_matrix *matrix, const struct column_facts *facts)
{
    double sum = 0.0, doubtful = 0.0;

    for (size_t t = 0; t < matrix->n_items; t++) {
        sum += facts[t].variance;
        if (matrix->doubts[t]) doubtful += facts[t].variance;
    }
    matrix->doubtful_share = sum > 0.0 ? doubtful / sum : 0.0;
}

int assay_matrix_find_doubts(assay_matrix *matrix)
{
    size_t n = matrix->n_items;
    struct column_facts *facts = NULL;
    struct others others = { 0 };
    double *sorted = NULL;
    int failed = 0;

    matrix->doubts = assay_alloc_zero(n, sizeof *matrix->doubts);
    if (!matrix->doubts) return -1;
    for (size_t t = 0; t < n; t++)
        if (is_named_like_a_property(matrix->item_names[t])) matrix->doubts[t] = ASSAY_DOUBT_NAME;
    if (!matrix->scores) return 0;
    facts = assay_alloc(n, sizeof *facts);
    sorted = assay_alloc(n, sizeof *sorted);
    others.sum = assay_alloc_zero(matrix->n_models, sizeof *others.sum);
    failed = !facts || !sorted || !others.sum;
    if (!failed) {
        for (size_t t = 0; t < n; t++) facts[t] = find_facts(matrix, t);
        doubt_range(matrix, facts);
        doubt_variance(matrix, facts, sorted);
        doubt_mean(matrix, facts, &others);
        find_share(matrix, facts);
    }
    free(facts);
    free(sorted);
    free(others.sum);
    return failed ? -1 : 0;
}

unsigned assay_matrix_doubts(const assay_matrix *matrix, size_t item)
{
    return matrix->doubts[item];
}

double assay_matrix_doubtful_share(const assay_matrix *matrix)
{
    return matrix->scores ? matrix->doubtful_share : NAN;
}

const char *assay_matrix_doubt(const assay_matrix *matrix, size_t item)
{
    unsigned doubts = matrix->doubts[item];

    if (doubts & ASSAY_DOUBT_MEAN) return "is the mean of the others";
    if (doubts & ASSAY_DOUBT_SUM) return "is the sum of the others";
    if (doubts & ASSAY_DOUBT_NAME) return "is a name for properties of models";
    if (doubts & ASSAY_DOUBT_LEAVES_RANGE) return "goes far beyond 0..1, where most items stay";
    if (doubts & ASSAY_DOUBT_STAYS_IN_RANGE)
        return "stays within 0..1, where most items go far beyond";
    if (doubts & ASSAY_DOUBT_VARIANCE) return "holds most of the variance of all items";
    return NULL;
}
