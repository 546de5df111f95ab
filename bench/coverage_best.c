/* SPDX-License-Identifier: Apache-2.0 */
/* The score of the template that looks best, raw and corrected, on sets whose truth is known.

   coverage_best [SETS]     default 400; Monte Carlo errors are printed

   40 templates with scores N(0.6, sd^2) on 5,000 items (assay_simulate_templates(), a = .5), of
   which 100 are the benchmark. Cells: balanced plans, the whole grid, and what a search by halving
   ran. All scores by PE. The truth is the chosen template's score on the 5,000 items. Prints the
   mean error of the raw score and of each correction and their root mean squares, in points; how
   often the interval of 95 % holds the truth, its mean length, and how often the truly best
   template is among those not separable from the best, and how many these are. The answer:
   docs/templates.md */
#include "core/random.h"

#include <assay/best_template.h>
#include <assay/chosen_template.h>
#include <assay/sampling.h>
#include <assay/simulate_templates.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_TEMPLATES = 40, N_ALL = 5000, N_ITEMS = 100, N_SDS = 3, N_DESIGNS = 9 };
enum { N_ERRORS = 1 + ASSAY_CORRECTIONS };

static const double sds[N_SDS] = { 0.0, 0.02, 0.08 };

/* Which cells are run. */
static const struct design {
    const char *name;
    size_t budget;
    int halving;
} designs[N_DESIGNS] = {
    { "balanced", 100, 0 }, { "balanced", 200, 0 },  { "balanced", 400, 0 },
    { "balanced", 800, 0 }, { "balanced", 1600, 0 }, { "all", N_TEMPLATES *N_ITEMS, 0 },
    { "halving", 400, 1 },  { "halving", 800, 1 },   { "halving", 1600, 1 },
};

/* What one set gives. */
struct outcome {
    double error[N_ERRORS]; /* raw, then by correction */
    double held, length, best_is_in, n_inseparable;
};

/* Truth and benchmark. */
struct set {
    size_t correct[N_TEMPLATES], best;
    assay_grid *full;
};

static void die(void)
{
    fprintf(stderr, "coverage_best: %s\n", assay_last_error());
    exit(1);
}

static struct set make_set(double sd, uint64_t seed)
{
    struct set set = { .best = 0 };
    assay_simulate_templates_options options;
    assay_template_simulation *all;
    double *y = malloc(N_TEMPLATES * N_ITEMS * sizeof *y);
    size_t *items = malloc(N_ALL * sizeof *items);
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t i = 0; i < N_TEMPLATES; i++) {
        double score = fmin(0.99, fmax(0.01, 0.6 + sd * assay_random_normal(&random)));

        set.correct[i] = (size_t)(score * N_ALL);
        if (set.correct[i] > set.correct[set.best]) set.best = i;
    }
    assay_simulate_templates_options_init(&options, sizeof options);
    options.seed = seed;
    options.concentration = 0.5;
    if (assay_simulate_templates(set.correct, N_TEMPLATES, N_ALL, &options, &all) != ASSAY_OK)
        die();
    for (size_t j = 0; j < N_ALL; j++) items[j] = j;
    for (size_t j = 0; j < N_ITEMS; j++) {
        size_t other = j + assay_random_below(&random, N_ALL - j), item = items[other];

        items[other] = items[j];
        items[j] = item;
        for (size_t i = 0; i < N_TEMPLATES; i++)
            y[i * N_ITEMS + j] = assay_grid_score(assay_template_simulation_grid(all), i, item);
    }
    if (assay_grid_from_scores(y, N_TEMPLATES, N_ITEMS, &set.full) != ASSAY_OK) die();
    assay_template_simulation_free(all);
    free(items);
    free(y);
    return set;
}

static assay_grid *run_balanced(const struct set *set, size_t budget, uint64_t seed)
{
    assay_plan_options options;
    const size_t *templates, *items;
    assay_plan *plan;
    assay_grid *grid;
    size_t n;

    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    if (assay_plan_new(N_TEMPLATES, N_ITEMS, &options, &plan) != ASSAY_OK) die();
    if (assay_plan_extend(plan, budget) != ASSAY_OK) die();
    n = assay_plan_cells(plan, &templates, &items);
    if (assay_grid_take(set->full, n, templates, items, &grid) != ASSAY_OK) die();
    assay_plan_free(plan);
    return grid;
}

static struct outcome choose(const struct set *set, const assay_grid *grid, uint64_t seed)
{
    assay_chosen_template_options options;
    assay_chosen_template *chosen;
    struct outcome outcome = { .best_is_in = 0.0 };
    const size_t *inseparable;
    double truth, low, high;
    size_t n;

    assay_chosen_template_options_init(&options, sizeof options);
    options.seed = seed;
    options.threads = 1;
    if (assay_chosen_template_find(grid, NULL, &options, &chosen) != ASSAY_OK) die();
    truth = (double)set->correct[assay_chosen_template_index(chosen)] / N_ALL;
    outcome.error[0] = assay_chosen_template_raw(chosen) - truth;
    for (int k = 0; k < ASSAY_CORRECTIONS; k++)
        outcome.error[1 + k] = assay_chosen_template_corrected(chosen, (assay_correction)k) - truth;
    assay_chosen_template_interval(chosen, &low, &high);
    outcome.held = low <= truth && truth <= high;
    outcome.length = high - low;
    inseparable = assay_chosen_template_inseparable(chosen, &n);
    outcome.n_inseparable = (double)n;
    for (size_t k = 0; k < n; k++) outcome.best_is_in += inseparable[k] == set->best;
    assay_chosen_template_free(chosen);
    return outcome;
}

static struct outcome run(double sd, const struct design *design, uint64_t seed)
{
    struct set set = make_set(sd, seed);
    assay_best_template_options options;
    struct outcome outcome;

    if (design->halving) {
        assay_best_template *search;

        assay_best_template_options_init(&options, sizeof options);
        options.seed = seed;
        if (assay_best_template_study(set.full, design->budget, &options, &search) != ASSAY_OK)
            die();
        outcome = choose(&set, assay_best_template_grid(search), seed);
        assay_best_template_free(search);
    } else {
        assay_grid *grid = run_balanced(&set, design->budget, seed);

        outcome = choose(&set, grid, seed);
        assay_grid_free(grid);
    }
    assay_grid_free(set.full);
    return outcome;
}

static void print_row(double sd, const struct design *design, const struct outcome *outcomes,
                      size_t n)
{
    double mean[N_ERRORS] = { 0.0 }, square[N_ERRORS] = { 0.0 };
    struct outcome sum = { .held = 0.0 };

    for (size_t s = 0; s < n; s++) {
        for (int k = 0; k < N_ERRORS; k++) {
            mean[k] += outcomes[s].error[k] / (double)n;
            square[k] += outcomes[s].error[k] * outcomes[s].error[k] / (double)n;
        }
        sum.held += outcomes[s].held;
        sum.length += outcomes[s].length;
        sum.best_is_in += outcomes[s].best_is_in;
        sum.n_inseparable += outcomes[s].n_inseparable;
    }
    printf("%.2f  %-8s %5zu |", sd, design->name, design->budget);
    for (int k = 0; k < N_ERRORS; k++) printf(" %6.2f", 100.0 * mean[k]);
    printf("  +- %.2f |", 100.0 * sqrt(fmax(0.0, square[1] - mean[1] * mean[1]) / (double)n));
    for (int k = 0; k < N_ERRORS; k++) printf(" %5.2f", 100.0 * sqrt(square[k]));
    printf(" | %5.1f %5.1f | %5.1f %5.1f\n", 100.0 * sum.held / (double)n,
           100.0 * sum.length / (double)n, 100.0 * sum.best_is_in / (double)n,
           sum.n_inseparable / (double)n);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t n_sets = argc > 1 ? strtoul(argv[1], NULL, 10) : 400;
    struct outcome *outcomes = malloc((n_sets ? n_sets : 1) * sizeof *outcomes);

    if (n_sets == 0 || !outcomes) return 2;
    printf("%zu sets; errors in points: raw, split, shrunk, bootstrap (+- of split)\n"
           "sd    cells           | mean error                      | root mean square | "
           "held length | best in, of\n",
           n_sets);
    for (int s = 0; s < N_SDS; s++) {
        for (int d = 0; d < N_DESIGNS; d++) {
#pragma omp parallel for schedule(dynamic)
            for (size_t k = 0; k < n_sets; k++) outcomes[k] = run(sds[s], &designs[d], 1 + k);
            print_row(sds[s], &designs[d], outcomes, n_sets);
        }
    }
    free(outcomes);
    return 0;
}
