/* SPDX-License-Identifier: Apache-2.0 */
/* How often the intervals that could head an audit hold what they are about:

   coverage_audit [SEEDS]     default 200

   150 prompts in 30 topics by assay simulate, alike in size or falling as 1/rank; 1 or 25 models; members
   that share words or are paraphrases; TF-IDF. The score is that of a fixed model (the first): the interval
   that leads with labels and without, against its true score on these prompts and on topics like these;
   the number of topics is the joint one; ED is of one run and of three, against that of the expected
   scores. Prints coverage in per cent, its Monte Carlo standard error, and of how many. The table is in docs/audit.md. */
#include <assay/dendrogram.h>
#include <assay/intervals.h>
#include <assay/replicate_dimension.h>
#include <assay/score.h>
#include <assay/signals.h>
#include <assay/simulate.h>
#include <assay/vectors.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROMPTS = 150, TOPICS = 30, MOST_MODELS = 25, RUNS = 3, DIMENSIONS = 2 };
static const double level = 0.95;

/* What is tried; each counts where it is defined. */
enum {
    CLUSTERED_PROMPTS,
    CLUSTERED_LIKE,
    WILSON_PROMPTS,
    WILSON_LIKE,
    TOPICS_JOINT,
    ED_ONE_RUN,
    ED_RUNS,
    N_TRIED
};
static const char *const tried[N_TRIED] = {
    "score, clustered by labels, these prompts",
    "score, clustered by labels, topics like these",
    "score, Wilson, these prompts",
    "score, Wilson, topics like these",
    "topics, joint set",
    "ED of one run, jackknife, of expected scores",
    "ED of three runs, replicates, of expected scores",
};

struct setting {
    double size_exponent;
    size_t n_models;
    assay_members members;
};

struct counts {
    size_t held[N_TRIED], n[N_TRIED];
};

static void must(assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "%s\n", assay_last_error());
    exit(1);
}

static void count(struct counts *counts, int which, double low, double high, double truth)
{
    if (isnan(low) || isnan(high) || isnan(truth)) return;
    counts->n[which]++;
    counts->held[which] += low <= truth && truth <= high;
}

/* E logistic(ability - b) over b of the items' law, by the midpoint rule over nine deviations: for a
   function as smooth as this it is exact to more digits than are printed. */
static double expected(double ability, const assay_simulate_options *options)
{
    enum { N = 400 };
    double sum = 0.0, total = 0.0;

    for (int k = 0; k < N; k++) {
        double z = -4.5 + 9.0 * (k + 0.5) / N, weight = exp(-0.5 * z * z);

        sum +=
            weight / (1.0 + exp(options->difficulty_mean + options->difficulty_sd * z - ability));
        total += weight;
    }
    return sum / total;
}

/* The score of the first model on topics like these: their loadings, every difficulty there may be. */
static double score_like(const assay_simulation *simulation)
{
    const assay_simulate_options *options = assay_simulation_options(simulation);
    double sum = 0.0;

    for (size_t k = 0; k < options->n_clusters; k++) {
        double ability = 0.0;

        for (size_t d = 0; d < options->n_dimensions; d++)
            ability += assay_simulation_ability(simulation, 0, d) *
                       assay_simulation_loading(simulation, k, d);
        sum += expected(ability, options);
    }
    return sum / (double)options->n_clusters;
}

static void try_score(const assay_simulation *simulation, const double *x, struct counts *counts)
{
    size_t labels[PROMPTS];
    double wilson[2], sum = 0.0, these = assay_simulation_score(simulation, 0);
    double like = score_like(simulation);
    assay_clustered clustered;

    for (size_t i = 0; i < PROMPTS; i++) {
        labels[i] = assay_simulation_item_cluster(simulation, i);
        sum += x[i];
    }
    must(assay_clustered_mean(x, labels, PROMPTS, level, &clustered));
    must(assay_interval(ASSAY_INTERVAL_WILSON, sum, PROMPTS, level, wilson));
    count(counts, CLUSTERED_PROMPTS, clustered.bounds[0], clustered.bounds[1], these);
    count(counts, CLUSTERED_LIKE, clustered.bounds[0], clustered.bounds[1], like);
    count(counts, WILSON_PROMPTS, wilson[0], wilson[1], these);
    count(counts, WILSON_LIKE, wilson[0], wilson[1], like);
}

static void try_topics(const assay_simulation *simulation, const double *x, size_t n_models,
                       struct counts *counts)
{
    const char *texts[PROMPTS];
    double *trials = malloc(n_models * PROMPTS * sizeof *trials);
    assay_score_options options;
    assay_dendrogram_options serial;
    assay_vectors *vectors;
    assay_dendrogram *tree;
    assay_score *fit;

    if (!trials) exit(1);
    for (size_t i = 0; i < PROMPTS; i++) texts[i] = assay_simulation_item_text(simulation, i);
    for (size_t k = 0; k < n_models * PROMPTS; k++) trials[k] = 1.0;
    assay_dendrogram_options_init(&serial, sizeof serial);
    serial.threads = 1;
    assay_score_options_init(&options, sizeof options);
    options.hyper = 0;
    must(assay_vectors_tfidf(texts, PROMPTS, NULL, &vectors));
    must(assay_dendrogram_fit(vectors, &serial, &tree));
    must(assay_score_fit(tree, n_models, x, trials, &options, &fit));
    count(counts, TOPICS_JOINT, assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_LOW),
          assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_HIGH), TOPICS);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
    free(trials);
}

static void try_dimension(const assay_simulation *simulation, const double *x, size_t n_models,
                          struct counts *counts)
{
    double *runs, truth = assay_simulation_dimension(simulation);
    assay_signals_options options;
    assay_matrix *matrix;
    assay_signals *fit;
    assay_replicates *replicates;
    assay_replicate_dimension dimension;

    if (n_models < 2) return;
    assay_signals_options_init(&options, sizeof options);
    options.permutations = 0;
    options.threads = 1;
    must(assay_matrix_from_scores(x, n_models, PROMPTS, &matrix));
    must(assay_signals_fit(matrix, &options, &fit));
    count(counts, ED_ONE_RUN, assay_signals_value(fit, ASSAY_SIGNALS_ED_LOW),
          assay_signals_value(fit, ASSAY_SIGNALS_ED_HIGH), truth);
    assay_signals_free(fit);
    assay_matrix_free(matrix);

    if (!(runs = calloc(2 * n_models * PROMPTS, sizeof *runs))) exit(1);
    for (size_t m = 0; m < n_models; m++)
        for (size_t i = 0; i < PROMPTS; i++) {
            runs[(n_models + m) * PROMPTS + i] = RUNS;
            for (size_t r = 0; r < RUNS; r++)
                runs[m * PROMPTS + i] += assay_simulation_outcome(simulation, m, i, 0, r);
        }
    must(assay_replicates_from_counts(runs, runs + n_models * PROMPTS, n_models, PROMPTS,
                                      &replicates));
    must(assay_replicate_dimension_fit(replicates, level, 1, &dimension));
    count(counts, ED_RUNS, dimension.low, dimension.high, truth);
    assay_replicates_free(replicates);
    free(runs);
}

static void try_seed(const struct setting *setting, uint64_t seed, struct counts *counts)
{
    double x[MOST_MODELS * PROMPTS];
    assay_simulate_options options;
    assay_simulation *simulation;

    assay_simulate_options_init(&options, sizeof options);
    options.seed = seed;
    options.n_items = PROMPTS;
    options.n_clusters = TOPICS;
    options.n_models = setting->n_models;
    options.n_dimensions = DIMENSIONS;
    options.n_runs = RUNS;
    options.members = setting->members;
    options.size_exponent = setting->size_exponent;
    options.missing_rate = 0.0;
    must(assay_simulate(&options, &simulation));
    for (size_t m = 0; m < setting->n_models; m++)
        for (size_t i = 0; i < PROMPTS; i++)
            x[m * PROMPTS + i] = assay_simulation_outcome(simulation, m, i, 0, 0);
    try_score(simulation, x, counts);
    try_topics(simulation, x, setting->n_models, counts);
    try_dimension(simulation, x, setting->n_models, counts);
    assay_simulation_free(simulation);
}

static void print(const struct setting *setting, const struct counts *counts)
{
    printf("%s topics, %zu model%s, %s\n", setting->size_exponent > 0.0 ? "unbalanced" : "balanced",
           setting->n_models, setting->n_models == 1 ? "" : "s",
           setting->members == ASSAY_MEMBERS_PARAPHRASES ? "paraphrases" : "share words");
    for (int k = 0; k < N_TRIED; k++) {
        double n = (double)counts->n[k], p = (double)counts->held[k] / n;

        if (counts->n[k])
            printf("  %-50s %5.1f +- %.1f   of %zu\n", tried[k], 100.0 * p,
                   100.0 * sqrt(p * (1.0 - p) / n), counts->n[k]);
    }
}

int main(int argc, char **argv)
{
    size_t n_seeds = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;

    if (n_seeds == 0) return 2;
    for (int s = 0; s < 8; s++) {
        struct setting setting = { s / 4, s / 2 % 2 ? MOST_MODELS : 1,
                                   s % 2 ? ASSAY_MEMBERS_PARAPHRASES : ASSAY_MEMBERS_SHARE_WORDS };
        struct counts all = { 0 };

#pragma omp parallel for schedule(dynamic)
        for (size_t seed = 1; seed <= n_seeds; seed++) {
            struct counts own = { 0 };

            try_seed(&setting, seed, &own);
#pragma omp critical
            for (int k = 0; k < N_TRIED; k++) {
                all.held[k] += own.held[k];
                all.n[k] += own.n[k];
            }
        }
        print(&setting, &all);
        fflush(stdout);
    }
    return 0;
}
