/* SPDX-License-Identifier: Apache-2.0 */
/* How often the 95 % percentile bootstrap intervals of a correlation hold the true one: 1,000 data
   sets of normal scores on two columns each, of models that are independent, or that come in threes
   whose scores differ little. Prints models, rho, whether in threes, and the shares for Pearson and
   for Spearman. */
#include "core/random.h"

#include <assay/redundancy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DATA_SETS = 1000, VERSIONS = 3 };

static void draw_two(assay_random *random, double rho, double out[2])
{
    double a = assay_random_normal(random), b = assay_random_normal(random);

    out[0] = a;
    out[1] = rho * a + sqrt(1.0 - rho * rho) * b;
}

/* The models of one system share nine tenths of the variance of each column. */
static void draw(uint64_t set, size_t n, double rho, int in_threes, double *x)
{
    assay_random random;
    double system[2] = { 0.0, 0.0 };

    assay_random_start(&random, 20260331, 0, set);
    for (size_t m = 0; m < n; m++) {
        double own[2];

        if (m % VERSIONS == 0) draw_two(&random, rho, system);
        draw_two(&random, rho, own);
        for (size_t c = 0; c < 2; c++)
            x[2 * m + c] = in_threes ? sqrt(.9) * system[c] + sqrt(.1) * own[c] : own[c];
    }
}

static void measure(size_t n, double rho, int in_threes)
{
    double *x = malloc(2 * n * sizeof *x), of_ranks = 6.0 / acos(-1.0) * asin(rho / 2.0);
    size_t held[2] = { 0, 0 };

    for (uint64_t set = 0; x && set < DATA_SETS; set++) {
        assay_matrix *matrix = NULL;
        assay_redundancy *fit = NULL;
        assay_pair pair;

        draw(set, n, rho, in_threes, x);
        if (assay_matrix_from_scores(x, n, 2, &matrix) != ASSAY_OK ||
            assay_redundancy_fit(matrix, NULL, &fit) != ASSAY_OK)
            exit(1);
        pair = assay_redundancy_pair(fit, 0, 1);
        held[0] += pair.pearson.low <= rho && rho <= pair.pearson.high;
        held[1] += pair.spearman.low <= of_ranks && of_ranks <= pair.spearman.high;
        assay_redundancy_free(fit);
        assay_matrix_free(matrix);
    }
    printf("%5zu %5.2f %9s %6.3f %6.3f\n", n, rho, in_threes ? "threes" : "single",
           (double)held[0] / DATA_SETS, (double)held[1] / DATA_SETS);
    fflush(stdout);
    free(x);
}

int main(void)
{
    const size_t n[] = { 15, 30, 120 };
    const double rho[] = { 0.0, .5, .9 };

    puts("models  rho            Pearson Spearman");
    for (int in_threes = 0; in_threes < 2; in_threes++)
        for (size_t i = 0; i < 3; i++)
            for (size_t r = 0; r < 3; r++) measure(n[i], rho[r], in_threes);
    return 0;
}
