/* SPDX-License-Identifier: Apache-2.0 */
/* Does the ED without noise find the truth, and does its interval hold it as often as it says?
   Populations of models and items with known dimension answer in several runs, or under several
   templates: coverage_dimension [DATA-SETS [POPULATION]], 400 of each of them when absent. The
   table is in docs/signals.md. */
#include <assay/replicate_dimension.h>
#include <assay/signals.h>

#include "core/random.h"
#include "signals/disjoint.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* P(model, item, template) = logistic(w . theta - b + tau_t + gamma_mt + delta_it), theta and b
   standard normal; one dimension has w = 1.5, more have standard normal w. tau_t are these
   templates'; gamma and delta are normal with these standard deviations, and part of the noise. Of
   models that are alike w is 0; where nothing is shared, every item has an ability of its own. */
enum kind { SHARED, ALIKE, NOT_SHARED };
enum replicates { RUNS, TEMPLATES, CLUSTERS };
struct population {
    const char *name;
    enum kind kind;
    int n_dimensions;
    enum replicates are;
    double tau, gamma, delta;
    size_t n_sizes, sizes[5][2];
};
static const struct population populations[] = {
    { "one dimension, runs",
      SHARED,
      1,
      RUNS,
      0,
      0,
      0,
      5,
      { { 20, 50 }, { 40, 100 }, { 40, 400 }, { 134, 500 }, { 153, 1140 } } },
    { "four dimensions, runs",
      SHARED,
      4,
      RUNS,
      0,
      0,
      0,
      5,
      { { 20, 50 }, { 40, 100 }, { 40, 400 }, { 134, 500 }, { 153, 1140 } } },
    { "two dimensions, templates that change nothing",
      SHARED,
      2,
      TEMPLATES,
      0,
      0,
      0,
      2,
      { { 40, 100 }, { 60, 400 } } },
    { "two dimensions, templates that shift all (0.5)",
      SHARED,
      2,
      TEMPLATES,
      0.5,
      0,
      0,
      2,
      { { 40, 100 }, { 60, 400 } } },
    { "two dimensions, templates that shift all, models and items (0.5 each)",
      SHARED,
      2,
      TEMPLATES,
      0.5,
      0.5,
      0.5,
      2,
      { { 40, 100 }, { 60, 400 } } },
    { "no signal: models alike, runs",
      ALIKE,
      1,
      RUNS,
      0,
      0,
      0,
      3,
      { { 20, 50 }, { 40, 100 }, { 134, 500 } } },
    { "no signal: an ability an item, runs",
      NOT_SHARED,
      1,
      RUNS,
      0,
      0,
      0,
      3,
      { { 20, 50 }, { 40, 100 }, { 134, 500 } } },
    { "two dimensions, clusters whose items differ in difficulty (1)",
      SHARED,
      2,
      CLUSTERS,
      0,
      0,
      1,
      2,
      { { 40, 100 }, { 60, 400 } } },
};
enum { N_POPULATIONS = sizeof populations / sizeof *populations, MOST_DIMENSIONS = 4 };
static const size_t replicates_of[] = { 2, 4 };
enum { N_REPLICATES = 2 };
static const double level = 0.95;

/* One data set: what was estimated, and what is true of these models and items. */
struct outcome {
    assay_replicate_dimension fit;
    double single, own; /* ED of one run, and of the probabilities themselves */
};

static void must(assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "%s\n", assay_last_error());
    exit(1);
}

/* ---- populations ---- */

/* Abilities, loadings and difficulties, of which P before the templates is made. */
static void draw_logits(const struct population *population, assay_random *random, size_t n_models,
                        size_t n_items, double *logit)
{
    int d = population->n_dimensions;
    double *theta = malloc(n_models * MOST_DIMENSIONS * sizeof *theta), w[MOST_DIMENSIONS];

    for (size_t k = 0; k < n_models * (size_t)d; k++) theta[k] = assay_random_normal(random);
    for (size_t a = 0; a < n_items; a++) {
        double b = assay_random_normal(random);

        for (int k = 0; k < d; k++) w[k] = d == 1 ? 1.5 : assay_random_normal(random);
        for (size_t i = 0; i < n_models; i++) {
            double sum = -b;

            for (int k = 0; k < d && population->kind == SHARED; k++)
                sum += w[k] * theta[i * (size_t)d + (size_t)k];
            if (population->kind == NOT_SHARED) sum += w[0] * assay_random_normal(random);
            logit[i * n_items + a] = sum;
        }
    }
    free(theta);
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* Of templates' own shifts: the middles of a normal distribution's quarters, or halves. */
static double shift_of(const struct population *population, size_t t, size_t n)
{
    static const double two[] = { -1.0, 1.0 }, four[] = { -1.34, -0.45, 0.45, 1.34 };

    return population->tau * (n == 2 ? two[t] : four[t]);
}

/* P of a template, averaged over gamma and delta, which are normal together: 64 slices of their
   density. */
static double mean_probability(const struct population *population, double logit)
{
    enum { SLICES = 64 };
    double sd = sqrt(population->gamma * population->gamma + population->delta * population->delta);
    double sum = 0.0, all = 0.0;

    if (sd == 0.0) return logistic(logit);
    for (int k = 0; k < SLICES; k++) {
        double z = -4.0 + 8.0 * (k + 0.5) / SLICES, density = exp(-0.5 * z * z);

        sum += density * logistic(logit + sd * z);
        all += density;
    }
    return sum / all;
}

/* ED of ever more models and items: A / B of probabilities without noise, averaged over draws. */
static double true_dimension(const struct population *population, size_t n, double *se)
{
    enum { DRAWS = 10, SIZE = 700, CELLS = SIZE * SIZE };
    double a[DRAWS] = { 0 }, b[DRAWS] = { 0 }, all_a = 0.0, all_b = 0.0, squares = 0.0;

    if (population->tau == 0.0) n = 1;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < DRAWS; k++) {
        double *p = calloc(n * CELLS, sizeof *p), *z = malloc(CELLS * sizeof *z);
        assay_random random;

        assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN,
                           UINT64_C(0x900000000) + (uint64_t)k);
        draw_logits(population, &random, SIZE, SIZE, z);
        for (size_t t = 0; t < n; t++)
            for (size_t c = 0; c < CELLS; c++) {
                double shift = n > 1 ? shift_of(population, t, n) : 0.0;

                p[t * CELLS + c % SIZE * SIZE + c / SIZE] =
                    mean_probability(population, z[c] + shift) - 0.5;
            }
        for (size_t s = 0; s < n; s++)
            for (size_t t = s; t < n; t++) {
                const double *x = p + s * CELLS, *y = p + t * CELLS;
                assay_disjoint_moments moments;

                if (s == t && n > 1) continue;
                for (size_t c = 0; c < CELLS; c++) z[c] = x[c] * y[c];
                must(assay_disjoint_moments_new(SIZE, SIZE, &moments));
                assay_blas_hold();
                must(assay_disjoint_add(&(assay_disjoint_table){ SIZE, SIZE, x, y, z }, &moments));
                assay_blas_release();
                a[k] += moments.all.a;
                b[k] += moments.all.b;
                assay_disjoint_moments_free(&moments);
            }
        free(p);
        free(z);
    }
    for (int k = 0; k < DRAWS; k++) {
        all_a += a[k];
        all_b += b[k];
    }
    for (int k = 0; k < DRAWS; k++)
        squares += (a[k] / b[k] - all_a / all_b) * (a[k] / b[k] - all_a / all_b);
    *se = sqrt(squares / DRAWS / (DRAWS - 1));
    return all_a / all_b;
}

/* ---- a data set ---- */

static double plain_dimension(const double *scores, size_t n_models, size_t n_items)
{
    assay_dimensions dimensions;
    assay_matrix *matrix;

    must(assay_matrix_from_scores(scores, n_models, n_items, &matrix));
    if (assay_effective_dimensions(matrix, 1, &dimensions) != ASSAY_OK) dimensions.task = NAN;
    assay_matrix_free(matrix);
    return dimensions.task;
}

/* Outcomes by replicate: of runs all have one probability, of templates each its own. */
static void draw_outcomes(const struct population *population, assay_random *random,
                          const double *logit, size_t n_models, size_t n_items, size_t n, double *x)
{
    double *gamma = calloc(n_models, sizeof *gamma), *delta = calloc(n_items, sizeof *delta);

    for (size_t t = 0; t < n; t++) {
        double tau = population->are == TEMPLATES ? shift_of(population, t, n) : 0.0;

        for (size_t i = 0; i < n_models; i++)
            gamma[i] = population->gamma * assay_random_normal(random);
        for (size_t a = 0; a < n_items; a++)
            delta[a] = population->delta * assay_random_normal(random);
        for (size_t i = 0; i < n_models; i++)
            for (size_t a = 0; a < n_items; a++)
                *x++ = assay_random_uniform(random) <
                       logistic(logit[i * n_items + a] + tau + gamma[i] + delta[a]);
    }
    free(gamma);
    free(delta);
}

/* x is a table after the other. Runs stand together in a cell, and the items of a cluster in a
   model. */
static assay_replicates *replicates_of_kind(enum replicates are, const double *x, size_t n_models,
                                            size_t n_items, size_t n)
{
    size_t n_cells = n_models * n_items;
    double *by_cell = malloc(n * n_cells * sizeof *by_cell);
    size_t *labels = malloc(n * n_items * sizeof *labels);
    assay_replicates *replicates = NULL;

    for (size_t k = 0; k < n * n_cells; k++) by_cell[k % n_cells * n + k / n_cells] = x[k];
    for (size_t k = 0; k < n * n_items; k++) labels[k] = k / n;
    if (are == RUNS) must(assay_replicates_from_runs(by_cell, n_models, n_items, n, &replicates));
    if (are == TEMPLATES)
        must(assay_replicates_from_templates(x, n, n_models, n_items, &replicates));
    if (are == CLUSTERS)
        must(assay_replicates_from_clusters(by_cell, n_models, n * n_items, labels, &replicates));
    free(by_cell);
    free(labels);
    return replicates;
}

static void analyse(int which, const size_t size[2], size_t n, uint64_t seed,
                    struct outcome *outcome)
{
    const struct population *population = &populations[which];
    size_t n_models = size[0], n_items = size[1], n_cells = n_models * n_items;
    double *logit = malloc(n_cells * sizeof *logit), *x = malloc(n * n_cells * sizeof *x);
    assay_replicates *replicates;
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN,
                       UINT64_C(0xA00000000) + (uint64_t)which);
    draw_logits(population, &random, n_models, n_items, logit);
    draw_outcomes(population, &random, logit, n_models, n_items, n, x);
    outcome->single = plain_dimension(x, n_models, n_items);
    replicates = replicates_of_kind(population->are, x, n_models, n_items, n);
    must(assay_replicate_dimension_fit(replicates, level, 1, &outcome->fit));
    for (size_t k = 0; k < n_cells; k++) logit[k] = mean_probability(population, logit[k]);
    outcome->own = plain_dimension(logit, n_models, n_items);
    assay_replicates_free(replicates);
    free(logit);
    free(x);
}

/* ---- printing ---- */

struct tally {
    double given, value, values, logs, log_squares; /* where there is an interval */
    double below, above, own_covered, width, models, items, shared;
    double single, own; /* over all */
};

static struct tally tally_of(const struct outcome *outcomes, size_t n_sets, double truth)
{
    struct tally t = { 0 };

    for (size_t k = 0; k < n_sets; k++) {
        const struct outcome *o = &outcomes[k];
        const assay_replicate_dimension *fit = &o->fit;

        t.single += o->single / (double)n_sets;
        t.own += o->own / (double)n_sets;
        if (isnan(fit->low)) continue;
        t.given++;
        t.value += fit->value;
        t.values += fit->value * fit->value;
        t.logs += log(fit->value);
        t.log_squares += log(fit->value) * log(fit->value);
        t.models += fit->se_models * fit->se_models;
        t.items += fit->se_items * fit->se_items;
        t.shared += fit->se_shared * fit->se_shared;
        t.below += fit->high < truth;
        t.above += fit->low > truth;
        t.own_covered += fit->low <= o->own && o->own <= fit->high;
        t.width += fit->high - fit->low;
    }
    return t;
}

static void print_row(const struct tally *t, size_t n_sets, const size_t size[2], size_t n,
                      double truth, int has_truth)
{
    double m = t->given, mean = t->value / m, log_mean = t->logs / m;
    double covered = m - t->below - t->above;

    printf("%4zu x %-5zu %zu | %6.2f | %5.1f", size[0], size[1], n, t->single,
           100 * m / (double)n_sets);
    if (has_truth)
        printf(" | %6.3f | %6.3f | %6.3f %.3f | %5.1f +- %.1f (%4.1f, %4.1f) | %5.1f | %.3f | %.3f "
               "%.3f %.3f %.3f %.3f",
               truth, t->own, mean, sqrt(t->values / m - mean * mean), 100 * covered / m,
               100 * sqrt(covered / m * (1 - covered / m) / m), 100 * t->below / m,
               100 * t->above / m, 100 * t->own_covered / m, t->width / m,
               sqrt(t->log_squares / m - log_mean * log_mean), sqrt(t->models / m),
               sqrt(t->items / m), sqrt(t->shared / m),
               sqrt((t->models + t->items - t->shared) / m));
    putchar('\n');
    fflush(stdout);
}

static void print_population(int which, size_t n_sets, struct outcome *outcomes)
{
    const struct population *population = &populations[which];
    int has_truth = population->kind == SHARED;
    double truth[N_REPLICATES] = { 0 }, se[N_REPLICATES] = { 0 };

    printf("\n%s", population->name);
    for (int r = 0; r < N_REPLICATES && has_truth; r++) {
        truth[r] = true_dimension(population, replicates_of[r], &se[r]);
        printf("%s%.3f +- %.3f", r ? ", " : ": truth ", truth[r], se[r]);
    }
    printf("\nmodels x items, replicates | one run | interval given %%%s\n",
           has_truth
               ? " | truth | of these P | ED, its sd | truth held % (interval below, above) | "
                 "these P held | width | log ED: sd; SE models, items, shared, all"
               : "");
    for (size_t size = 0; size < population->n_sizes; size++)
        for (int r = 0; r < N_REPLICATES; r++) {
            struct tally tally;

#pragma omp parallel for schedule(dynamic)
            for (size_t k = 0; k < n_sets; k++)
                analyse(which, population->sizes[size], replicates_of[r], k + 1, &outcomes[k]);
            tally = tally_of(outcomes, n_sets, truth[r]);
            print_row(&tally, n_sets, population->sizes[size], replicates_of[r], truth[r],
                      has_truth);
        }
}

int main(int argc, char **argv)
{
    size_t n_sets = argc > 1 ? strtoul(argv[1], NULL, 10) : 400;
    int only = argc > 2 ? atoi(argv[2]) : -1;
    struct outcome *outcomes = calloc(n_sets, sizeof *outcomes);

    if (n_sets == 0 || !outcomes) {
        fputs("usage: coverage_dimension [DATA-SETS [POPULATION]]\n", stderr);
        return 2;
    }
    printf("%zu data sets a row, %g %% intervals\n", n_sets, 100.0 * level);
    for (int which = 0; which < N_POPULATIONS; which++)
        if (only < 0 || only == which) print_population(which, n_sets, outcomes);
    free(outcomes);
    return 0;
}
