/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of the clustered t interval with given labels, for topics like these: by how many topics
   there are and how unequal they are.

   coverage_clustered [DRAWS]     default 5000

   Five prompts a topic on average, shared out as rank^-x; m = 1 and 25 runs; rates of topics from
   Beta(0.6, 1.4) and Beta(0.5, 4.5). Prints topics, x, Kish's number of equal topics
   n^2 / sum n_k^2, and the least coverage of the four in per cent. The answer:
   docs/score-numbers.md */
#include "core/random.h"
#include "stats/distributions.h"

#include <assay/intervals.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TOPICS = 120, PROMPTS_A_TOPIC = 5, MOST_PROMPTS = MOST_TOPICS * PROMPTS_A_TOPIC };
enum { N_COUNTS = 6, N_EXPONENTS = 5, N_ROWS = N_COUNTS * N_EXPONENTS };

static const size_t topics_of[N_COUNTS] = { 10, 15, 20, 30, 60, MOST_TOPICS };
static const double exponents[N_EXPONENTS] = { 0.0, 0.25, 0.5, 0.75, 1.0 };
static const double beta_of[2][2] = { { 0.6, 1.4 }, { 0.5, 4.5 } };
static const int runs_of[2] = { 1, 25 };

static double share_out(size_t n_topics, double exponent, size_t *labels);
static double coverage(size_t n_topics, const size_t *labels, const double beta[2], int n_runs,
                       size_t n_draws);

int main(int argc, char **argv)
{
    size_t n_draws = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000;
    double least[N_ROWS], kish[N_ROWS];

    if (n_draws == 0) return 2;
#pragma omp parallel for schedule(dynamic)
    for (size_t row = 0; row < N_ROWS; row++) {
        size_t n_topics = topics_of[row / N_EXPONENTS], labels[MOST_PROMPTS];

        kish[row] = share_out(n_topics, exponents[row % N_EXPONENTS], labels);
        least[row] = 1.0;
        for (int k = 0; k < 4; k++)
            least[row] = fmin(least[row],
                              coverage(n_topics, labels, beta_of[k / 2], runs_of[k % 2], n_draws));
    }
    printf(
        "%zu draws: Monte Carlo SE %.1f at 90 %%\ntopics  exponent  equal topics  of all  least\n",
        n_draws, 100.0 * sqrt(0.09 / (double)n_draws));
    for (size_t row = 0; row < N_ROWS; row++) {
        size_t n_topics = topics_of[row / N_EXPONENTS];

        printf("%6zu  %8.2f  %12.1f  %6.2f  %5.1f\n", n_topics, exponents[row % N_EXPONENTS],
               kish[row], kish[row] / (double)n_topics, 100.0 * least[row]);
    }
    return 0;
}

/* Each topic has a prompt, and the others go to the topic that is furthest below its share. */
static double share_out(size_t n_topics, double exponent, size_t *labels)
{
    size_t n = PROMPTS_A_TOPIC * n_topics, size[MOST_TOPICS];
    double total = 0.0, squares = 0.0;

    for (size_t k = 0; k < n_topics; k++) {
        size[k] = 1;
        labels[k] = k;
        total += pow((double)k + 1.0, -exponent);
    }
    for (size_t i = n_topics; i < n; i++) {
        double most = -INFINITY;

        for (size_t k = 0; k < n_topics; k++) {
            double share = pow((double)k + 1.0, -exponent) / total * (double)(n - n_topics);
            double lacks = share - (double)(size[k] - 1);

            if (lacks <= most) continue;
            most = lacks;
            labels[i] = k;
        }
        size[labels[i]]++;
    }
    for (size_t k = 0; k < n_topics; k++) squares += (double)(size[k] * size[k]);
    return (double)(n * n) / squares;
}

static double coverage(size_t n_topics, const size_t *labels, const double beta[2], int n_runs,
                       size_t n_draws)
{
    size_t n = PROMPTS_A_TOPIC * n_topics, n_covered = 0;
    double truth = beta[0] / (beta[0] + beta[1]), rate[MOST_TOPICS], score[MOST_PROMPTS];
    assay_random random;

    assay_random_start(&random, (uint64_t)n_runs, ASSAY_PURPOSE_SIMULATE_OUTCOME, n_topics);
    for (size_t draw = 0; draw < n_draws; draw++) {
        assay_clustered mean;

        for (size_t k = 0; k < n_topics; k++)
            rate[k] = assay_beta_quantile(assay_random_uniform(&random), beta[0], beta[1]);
        for (size_t i = 0; i < n; i++) {
            int n_successes = 0;

            for (int r = 0; r < n_runs; r++)
                n_successes += assay_random_uniform(&random) < rate[labels[i]];
            score[i] = (double)n_successes / n_runs;
        }
        if (assay_clustered_mean(score, labels, n, 0.95, &mean) != ASSAY_OK) exit(1);
        n_covered += mean.bounds[0] <= truth && truth <= mean.bounds[1];
    }
    return (double)n_covered / (double)n_draws;
}
