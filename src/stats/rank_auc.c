/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/attribute_auc.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EXACT = 200 };

struct ranked {
    double score;
    int is_one;
};

/* What the ranks come to. */
struct rank_sum {
    double u;    /* pairs in which the one has the higher score; a tie is half */
    double ties; /* sum of t^3 - t over groups of t equal scores */
    size_t n_one, n_zero;
};

static assay_status exact_p(const struct rank_sum *sum, double *p);
static double normal_p(const struct rank_sum *sum);

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return (x->score > y->score) - (x->score < y->score);
}

static struct rank_sum sum_ranks(struct ranked *of, size_t n)
{
    struct rank_sum sum = { 0 };

    qsort(of, n, sizeof *of, by_score);
    for (size_t i = 0, end; i < n; i = end) {
        double tied = 0.0, ones = 0.0;

        for (end = i; end < n && of[end].score == of[i].score; end++) ones += of[end].is_one;
        tied = (double)(end - i);
        sum.u += ones * ((double)sum.n_zero + 0.5 * (tied - ones));
        sum.ties += tied * tied * tied - tied;
        sum.n_one += (size_t)ones;
        sum.n_zero += (size_t)(tied - ones);
    }
    return sum;
}

assay_status assay_rank_auc(const double *score, const int *kind, size_t n, double *auc, double *p,
                            int *is_exact)
{
    struct ranked *of = assay_alloc(n, sizeof *of);
    struct rank_sum sum;
    size_t have = 0;
    double value = NAN;
    assay_status status = ASSAY_OK;
    int exact;

    if (!of) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ranks", n);
    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        if (kind[i] != 0 && kind[i] != 1) continue;
        if (!isfinite(score[i]))
            status = assay_fail(ASSAY_E_VALUE, "rank AUC: score %zu is %g", i, score[i]);
        of[have++] = (struct ranked){ score[i], kind[i] };
    }
    if (status == ASSAY_OK) {
        sum = sum_ranks(of, have);
        if (sum.n_one == 0 || sum.n_zero == 0)
            status = assay_fail(ASSAY_E_DEGENERATE,
                                "rank AUC needs both kinds, got %zu of one and %zu of the other",
                                sum.n_one, sum.n_zero);
    }
    free(of);
    if (status != ASSAY_OK) return status;
    exact = sum.ties == 0.0 && have <= MOST_EXACT;
    if (!exact)
        value = normal_p(&sum);
    else if ((status = exact_p(&sum, &value)) != ASSAY_OK)
        return status;
    *auc = sum.u / ((double)sum.n_one * (double)sum.n_zero);
    *p = value;
    *is_exact = exact;
    return ASSAY_OK;
}

/* The number of ways to have U = u among a ones and b zeros obeys
       w(u; a, b) = w(u - b; a - 1, b) + w(u; a, b - 1):
   the highest is a one, above all b zeros, or a zero. In shares of all ways these are weighed by
   a / (a + b) and b / (a + b). A row a of the table is kept for each b in turn. */
static assay_status exact_p(const struct rank_sum *sum, double *p)
{
    size_t most = sum->n_one * sum->n_zero, u_low;
    double *share = assay_alloc_zero((sum->n_one + 1) * (most + 1), sizeof *share), tail = 0.0;

    if (!share) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ranks", sum->n_one);
    for (size_t a = 0; a <= sum->n_one; a++) share[a * (most + 1)] = 1.0; /* without zeros U = 0 */
    for (size_t b = 1; b <= sum->n_zero; b++) {
        for (size_t a = 1; a <= sum->n_one; a++) {
            double *now = share + a * (most + 1), *fewer = now - (most + 1);
            double of_one = (double)a / (double)(a + b);

            for (size_t u = 0; u <= a * b; u++)
                now[u] = (1.0 - of_one) * now[u] + (u >= b ? of_one * fewer[u - b] : 0.0);
        }
    }
    u_low = (size_t)fmin(sum->u, (double)most - sum->u);
    for (size_t u = 0; u <= u_low; u++) tail += share[sum->n_one * (most + 1) + u];
    free(share);
    *p = fmin(2.0 * tail, 1.0);
    return ASSAY_OK;
}

static double normal_p(const struct rank_sum *sum)
{
    double a = (double)sum->n_one, b = (double)sum->n_zero, n = a + b;
    double variance = a * b / 12.0 * (n + 1.0 - sum->ties / (n * (n - 1.0)));
    double away = fabs(sum->u - 0.5 * a * b) - 0.5;

    if (!(variance > 0.0)) return 1.0; /* all scores are equal */
    return fmin(erfc(away / sqrt(2.0 * variance)), 1.0);
}
