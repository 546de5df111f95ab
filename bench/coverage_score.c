/* SPDX-License-Identifier: Apache-2.0 */
/* Bias and coverage of every interval that `assay score` prints, where the truth is known.

   coverage_score [SEEDS]     default 200

   The hyperprior, a hundred times as costly as the rest, is tried with the seeds 1 .. SEEDS, and
   everything else with 1 .. 10 SEEDS.

   Prompts and their topics are those of assay_simulate(), the rates of the topics are drawn from a
   Beta, and each prompt is run m times. Prints, for each setting, Beta, interval and m: coverage in
   per cent with its Monte Carlo standard error, the bias of the point estimate, and the mean width;
   how many topics were found; and at the end the least coverage over the Betas. These prompts have
   no tied merges, so that the interval averaged over orders of ties is not among them. The answer:
   docs/score-numbers.md */
#include "core/random.h"
#include "stats/distributions.h"

#include <assay/dendrogram.h>
#include <assay/intervals.h>
#include <assay/score.h>
#include <assay/simulate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_PROMPTS = 150, N_TOPICS = 30, MOST_RUNS = 25 };
enum { N_SETTINGS = 4, N_BETAS = 2, N_RUNS = 5, CHEAP_FACTOR = 10 };

static const double level = 0.95;
static const int runs_of[N_RUNS] = { 1, 2, 5, 10, 25 };
static const double beta_of[N_BETAS][2] = { { 0.6, 1.4 }, { 0.5, 4.5 } };
static const struct {
    const char *name;
    double size_exponent;
    assay_members members;
} settings[N_SETTINGS] = {
    { "balanced, share words", 0.0, ASSAY_MEMBERS_SHARE_WORDS },
    { "balanced, paraphrases", 0.0, ASSAY_MEMBERS_PARAPHRASES },
    { "unbalanced, share words", 1.0, ASSAY_MEMBERS_SHARE_WORDS },
    { "unbalanced, paraphrases", 1.0, ASSAY_MEMBERS_PARAPHRASES },
};

/* What an interval may be held against: the mean rate of these topics, of all topics that could
   have been drawn, and of these prompts. */
enum estimand { THESE_TOPICS, TOPICS_LIKE, THESE_PROMPTS, N_ESTIMANDS };
static const char *const estimand_names[] = { "these topics", "topics like", "these prompts" };

enum { TOPICS_ONLY = 1 << THESE_TOPICS, LIKE_ONLY = 1 << TOPICS_LIKE, EACH = 7 };
enum { N_KINDS = 11, FIRST_OF_RAW = 7 };

/* The upper bound of each is the number after its lower one. A spread is held against the rates
   of single topics, not against their mean. */
static const struct {
    const char *name;
    unsigned estimands;
    int is_spread;
    assay_score_number mean, low;
} kinds[N_KINDS] = {
    { "published these", TOPICS_ONLY, 0, ASSAY_SCORE_CORRECTED, ASSAY_SCORE_THESE_LOW },
    { "published like", LIKE_ONLY, 0, ASSAY_SCORE_CORRECTED, ASSAY_SCORE_LIKE_LOW },
    { "published spread", LIKE_ONLY, 1, ASSAY_SCORE_CORRECTED, ASSAY_SCORE_SPREAD_LOW },
    { "hyper these", TOPICS_ONLY, 0, ASSAY_SCORE_HYPER_CORRECTED, ASSAY_SCORE_HYPER_THESE_LOW },
    { "hyper like", LIKE_ONLY, 0, ASSAY_SCORE_HYPER_CORRECTED, ASSAY_SCORE_HYPER_LIKE_LOW },
    { "hyper spread", LIKE_ONLY, 1, ASSAY_SCORE_HYPER_CORRECTED, ASSAY_SCORE_HYPER_SPREAD_LOW },
    { "partitions spread", LIKE_ONLY, 1, ASSAY_SCORE_PARTITIONS_CORRECTED,
      ASSAY_SCORE_PARTITIONS_SPREAD_LOW },
    { .name = "clustered t, given", .estimands = EACH },
    { .name = "clustered t, inferred", .estimands = EACH },
    { .name = "Wilson on prompts", .estimands = EACH },
    { .name = "Wald on trials", .estimands = EACH },
};

/* An interval against its estimands; NaN where there was none to print. */
struct outcome {
    int was_tried;
    double covers[N_ESTIMANDS], error[N_ESTIMANDS], width;
};

/* A model's intervals, and the number of topics E[S]: as published, and with the hyperprior. */
struct answer {
    struct outcome of[N_KINDS];
    double topics[2];
};
struct block {
    struct answer at[N_BETAS][N_RUNS];
};

/* The prompts' true topics, and the tree over them. */
struct prompts {
    size_t topic[N_PROMPTS];
    assay_dendrogram *tree;
};

/* Rates of the topics and the runs of every prompt, of which a smaller m takes the first. */
struct world {
    const double *beta;
    double rate[N_TOPICS], truth[N_ESTIMANDS];
    unsigned char run[N_PROMPTS][MOST_RUNS];
};

static void fill_block(uint64_t seed, int setting, int hyper, struct block *block);
static void make_prompts(uint64_t seed, int setting, struct prompts *prompts);
static void draw_world(uint64_t seed, int beta, const struct prompts *prompts, struct world *world);
static void analyse(const struct prompts *prompts, const struct world *world, int n_runs, int hyper,
                    struct answer *answer);
static void print_setting(const struct block *blocks, size_t n_seeds, int setting);
static void print_least(const struct block *blocks, size_t n_seeds);

int main(int argc, char **argv)
{
    size_t n_hyper = argc > 1 ? strtoul(argv[1], NULL, 10) : 200, n_seeds = CHEAP_FACTOR * n_hyper;
    struct block *blocks = calloc(n_seeds * N_SETTINGS, sizeof *blocks);

    if (n_hyper == 0 || !blocks) {
        fputs("usage: coverage_score [SEEDS]\n", stderr);
        return 2;
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < n_seeds * N_SETTINGS; k++) {
        size_t seed = k / N_SETTINGS + 1;

        fill_block(seed, (int)(k % N_SETTINGS), seed <= n_hyper, &blocks[k]);
    }
    printf("%zu seeds, the hyperprior %zu; %d prompts, %d topics; %g %% intervals\n", n_seeds,
           n_hyper, (int)N_PROMPTS, (int)N_TOPICS, 100.0 * level);
    for (int setting = 0; setting < N_SETTINGS; setting++) print_setting(blocks, n_seeds, setting);
    print_least(blocks, n_seeds);
    free(blocks);
    return 0;
}

static void must(assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "%s\n", assay_last_error());
    exit(1);
}

static void fill_block(uint64_t seed, int setting, int hyper, struct block *block)
{
    struct prompts prompts;
    struct world world;

    make_prompts(seed, setting, &prompts);
    for (int beta = 0; beta < N_BETAS; beta++) {
        draw_world(seed, beta, &prompts, &world);
        for (int k = 0; k < N_RUNS; k++)
            analyse(&prompts, &world, runs_of[k], hyper, &block->at[beta][k]);
    }
    assay_dendrogram_free(prompts.tree);
}

/* ---- what is simulated ---- */

static void make_prompts(uint64_t seed, int setting, struct prompts *prompts)
{
    const char *texts[N_PROMPTS];
    assay_simulate_options options;
    assay_simulation *simulation;
    assay_vectors *vectors;
    assay_dendrogram_options tree_options;

    assay_simulate_options_init(&options, sizeof options);
    options.seed = seed;
    options.n_items = N_PROMPTS;
    options.n_clusters = N_TOPICS;
    options.n_models = 1;
    options.n_dimensions = 1;
    options.size_exponent = settings[setting].size_exponent;
    options.members = settings[setting].members;
    must(assay_simulate(&options, &simulation));
    for (size_t i = 0; i < N_PROMPTS; i++) {
        texts[i] = assay_simulation_item_text(simulation, i);
        prompts->topic[i] = assay_simulation_item_cluster(simulation, i);
    }
    must(assay_vectors_tfidf(texts, N_PROMPTS, NULL, &vectors));
    assay_dendrogram_options_init(&tree_options, sizeof tree_options);
    tree_options.threads = 1;
    must(assay_dendrogram_fit(vectors, &tree_options, &prompts->tree));
    assay_vectors_free(vectors);
    assay_simulation_free(simulation);
}

/* The stream is beyond those that assay_simulate() has for its models, and the same in all
   settings, so that these differ by their prompts alone. */
static void draw_world(uint64_t seed, int beta, const struct prompts *prompts, struct world *world)
{
    double a = beta_of[beta][0], b = beta_of[beta][1];
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME,
                       UINT64_C(0x100000000) + (uint64_t)beta);
    *world = (struct world){ .beta = beta_of[beta], .truth[TOPICS_LIKE] = a / (a + b) };
    for (size_t k = 0; k < N_TOPICS; k++) {
        world->rate[k] = assay_beta_quantile(assay_random_uniform(&random), a, b);
        world->truth[THESE_TOPICS] += world->rate[k] / N_TOPICS;
    }
    for (size_t i = 0; i < N_PROMPTS; i++) {
        double rate = world->rate[prompts->topic[i]];

        world->truth[THESE_PROMPTS] += rate / N_PROMPTS;
        for (size_t r = 0; r < MOST_RUNS; r++)
            world->run[i][r] = assay_random_uniform(&random) < rate;
    }
}

/* ---- intervals held against the truth ---- */

static struct outcome judge(const struct world *world, int is_spread, double mean, double low,
                            double high)
{
    struct outcome outcome = { .was_tried = 1, .width = high - low };

    for (int e = 0; e < N_ESTIMANDS; e++) {
        outcome.covers[e] = low <= world->truth[e] && world->truth[e] <= high;
        outcome.error[e] = mean - world->truth[e];
        if (isnan(low)) outcome.covers[e] = outcome.error[e] = NAN;
    }
    if (is_spread && !isnan(low))
        outcome.covers[TOPICS_LIKE] = assay_beta_cdf(high, world->beta[0], world->beta[1]) -
                                      assay_beta_cdf(low, world->beta[0], world->beta[1]);
    return outcome;
}

static struct outcome judge_clustered(const struct world *world, const double *rate,
                                      const size_t *labels)
{
    assay_clustered clustered;

    must(assay_clustered_mean(rate, labels, N_PROMPTS, level, &clustered));
    if (isnan(clustered.bounds[0])) return judge(world, 0, NAN, NAN, NAN); /* one cluster */
    return judge(world, 0, clustered.mean, fmax(clustered.bounds[0], 0.0),
                 fmin(clustered.bounds[1], 1.0));
}

static struct outcome judge_proportion(const struct world *world, assay_interval_kind kind,
                                       double mean, double n)
{
    double bounds[2];

    must(assay_interval(kind, mean * n, n, level, bounds));
    return judge(world, 0, mean, bounds[0], bounds[1]);
}

static assay_score *fit_score(const struct prompts *prompts, const double *x, const double *m,
                              int hyper)
{
    assay_score_options options;
    assay_score *fit;

    assay_score_options_init(&options, sizeof options);
    options.level = level;
    options.hyper = hyper;
    options.partitions = 1;
    must(assay_score_fit(prompts->tree, 1, x, m, &options, &fit));
    return fit;
}

static void analyse(const struct prompts *prompts, const struct world *world, int n_runs, int hyper,
                    struct answer *answer)
{
    double x[N_PROMPTS] = { 0 }, m[N_PROMPTS], rate[N_PROMPTS], mean = 0.0;
    size_t topics[N_PROMPTS];
    struct outcome *raw = answer->of + FIRST_OF_RAW;
    assay_score *fit;

    for (size_t i = 0; i < N_PROMPTS; i++) {
        for (int r = 0; r < n_runs; r++) x[i] += world->run[i][r];
        m[i] = n_runs;
        rate[i] = x[i] / m[i];
        mean += rate[i] / N_PROMPTS;
    }
    fit = fit_score(prompts, x, m, hyper);
    for (int k = 0; k < FIRST_OF_RAW; k++) {
        if (kinds[k].mean == ASSAY_SCORE_HYPER_CORRECTED && !hyper) continue;
        answer->of[k] = judge(world, kinds[k].is_spread, assay_score_value(fit, 0, kinds[k].mean),
                              assay_score_value(fit, 0, kinds[k].low),
                              assay_score_value(fit, 0, (assay_score_number)(kinds[k].low + 1)));
    }
    answer->topics[0] = assay_score_value(fit, 0, ASSAY_SCORE_TOPICS);
    answer->topics[1] = assay_score_value(fit, 0, ASSAY_SCORE_HYPER_TOPICS);
    must(assay_dendrogram_labels(
        prompts->tree, (size_t)assay_score_joint(fit, ASSAY_SCORE_JOINT_TOPICS_MAP), topics));
    raw[0] = judge_clustered(world, rate, prompts->topic);
    raw[1] = judge_clustered(world, rate, topics);
    raw[2] = judge_proportion(world, ASSAY_INTERVAL_WILSON, mean, N_PROMPTS);
    raw[3] = judge_proportion(world, ASSAY_INTERVAL_WALD, mean, (double)N_PROMPTS * n_runs);
    assay_score_free(fit);
}

/* ---- printing ---- */

struct tally {
    double n_tried, n, covers, covers_se, bias, width;
};

static struct tally tally_of(const struct block *blocks, size_t n_seeds, int setting, int beta,
                             int run, int kind, int estimand)
{
    struct tally t = { 0 };
    double squares = 0.0;

    for (size_t s = 0; s < n_seeds; s++) {
        const struct outcome *o = &blocks[s * N_SETTINGS + (size_t)setting].at[beta][run].of[kind];

        t.n_tried += o->was_tried;
        if (!o->was_tried || isnan(o->covers[estimand])) continue;
        t.n++;
        t.covers += o->covers[estimand];
        squares += o->covers[estimand] * o->covers[estimand];
        t.bias += o->error[estimand];
        t.width += o->width;
    }
    t.covers /= t.n;
    t.bias /= t.n;
    t.width /= t.n;
    t.covers_se = sqrt(fmax(squares / t.n - t.covers * t.covers, 0.0) / fmax(t.n - 1.0, 1.0));
    return t;
}

static void print_row(const struct block *blocks, size_t n_seeds, int setting, int beta, int kind,
                      int estimand)
{
    double least_given = 1.0;

    printf("%-22s %-13s", kinds[kind].name,
           kinds[kind].is_spread ? "a topic's" : estimand_names[estimand]);
    for (int run = 0; run < N_RUNS; run++) {
        struct tally t = tally_of(blocks, n_seeds, setting, beta, run, kind, estimand);

        printf(" | %5.1f %3.1f %+.3f %.3f", 100.0 * t.covers, 100.0 * t.covers_se, t.bias, t.width);
        least_given = fmin(least_given, t.n / t.n_tried);
    }
    if (least_given < 1.0) printf(" | given in %.1f %% or more", 100.0 * least_given);
    putchar('\n');
}

/* Over the worlds in which the hyperprior was tried, too. */
static void print_topics(const struct block *blocks, size_t n_hyper, int setting, int beta)
{
    for (int k = 0; k < 2; k++) {
        printf("%-36s", k ? "topics found, hyper" : "topics found, published");
        for (int run = 0; run < N_RUNS; run++) {
            double sum = 0.0;

            for (size_t s = 0; s < n_hyper; s++)
                sum += blocks[s * N_SETTINGS + (size_t)setting].at[beta][run].topics[k];
            printf(" | %-21.1f", sum / (double)n_hyper);
        }
        putchar('\n');
    }
}

static void print_setting(const struct block *blocks, size_t n_seeds, int setting)
{
    for (int beta = 0; beta < N_BETAS; beta++) {
        printf("\n%s; rates from Beta(%g, %g)\n%-22s %-13s", settings[setting].name,
               beta_of[beta][0], beta_of[beta][1], "coverage % +-, bias, width", "against");
        for (int run = 0; run < N_RUNS; run++) printf(" | m = %-17d", runs_of[run]);
        putchar('\n');
        for (int kind = 0; kind < N_KINDS; kind++)
            for (int e = 0; e < N_ESTIMANDS; e++)
                if (kinds[kind].estimands >> e & 1)
                    print_row(blocks, n_seeds, setting, beta, kind, e);
        print_topics(blocks, n_seeds / CHEAP_FACTOR, setting, beta);
    }
}

static void print_least(const struct block *blocks, size_t n_seeds)
{
    printf("\nleast coverage in %% over the Betas, at m = 1, 2, 5, 10, 25\n%-36s", "");
    for (int setting = 0; setting < N_SETTINGS; setting++)
        printf(" | %-29s", settings[setting].name);
    putchar('\n');
    for (int kind = 0; kind < N_KINDS; kind++) {
        for (int e = 0; e < N_ESTIMANDS; e++) {
            if (!(kinds[kind].estimands >> e & 1)) continue;
            printf("%-22s %-13s", kinds[kind].name,
                   kinds[kind].is_spread ? "a topic's" : estimand_names[e]);
            for (int k = 0; k < N_SETTINGS * N_RUNS; k++) {
                double least = 1.0;

                for (int beta = 0; beta < N_BETAS; beta++)
                    least = fmin(
                        least,
                        tally_of(blocks, n_seeds, k / N_RUNS, beta, k % N_RUNS, kind, e).covers);
                printf("%s%6.1f", k % N_RUNS ? "" : " |", 100.0 * least);
            }
            putchar('\n');
        }
    }
}
