/* SPDX-License-Identifier: Apache-2.0 */
/* How often the intervals of ED hold what they are about, where it is known.

   coverage_signals [DATA-SETS]     default 200

   Each data set has 120 items of its own with one true answer: the mean ED of 80 models drawn from
   a population of two abilities, by 300 draws of the models. Another 80 are drawn, and each
   interval (95 %) held against that. Prints coverage with its Monte Carlo standard error, how often
   the interval lies below or above the truth, whether it holds ED itself, and its mean width. The
   answer: docs/signals.md */
#include "core/random.h"
#include "signals/parts.h"
#include "stats/linalg.h"
#include "stats/quantile.h"

#include <assay/signals.h>
#include <assay/subsets.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_SLOPES = 3 };
enum { N_MODELS = 80, N_ITEMS = 120, TRUTH_DRAWS = 300, DRAWS = 1000, N_KINDS = 4 };

static const double level = 0.95;

/* How sharply the abilities decide an outcome: less leaves more to chance, and a higher ED. */
static const double slopes[N_SLOPES] = { 1.0, 1.7, 3.0 };
static const char *const kinds[N_KINDS] = {
    "bootstrap over models, percentile",
    "half samples, percentile",
    "half samples, centred",
    "delete-one jackknife",
};

struct items {
    double slope[N_ITEMS][2], difficulty[N_ITEMS];
};

/* Of one data set. */
struct outcome {
    double truth, ed;
    double low[N_KINDS], high[N_KINDS];
};

static void run(uint64_t seed, double slope, struct outcome *out);
static void print(const struct outcome *outcomes, size_t n, double slope);

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    struct outcome *outcomes = calloc(n ? n : 1, sizeof *outcomes);

    if (n == 0 || !outcomes) {
        fputs("usage: coverage_signals [DATA-SETS]\n", stderr);
        return 2;
    }
    assay_blas_hold();
    for (int of = 0; of < N_SLOPES; of++) {
        for (size_t k = 0; k < n; k++) outcomes[k] = (struct outcome){ 0 };
#pragma omp parallel for schedule(dynamic)
        for (size_t k = 0; k < n; k++) run(k + 1, slopes[of], &outcomes[k]);
        print(outcomes, n, slopes[of]);
    }
    assay_blas_release();
    free(outcomes);
    return 0;
}

static void must(assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "%s\n", assay_last_error());
    exit(1);
}

/* ---- what is simulated ---- */

/* Each item asks for a mixture of the two abilities, from the one alone to the other alone. */
static void draw_items(assay_random *random, double slope, struct items *items)
{
    for (size_t t = 0; t < N_ITEMS; t++) {
        double angle = assay_random_uniform(random) * 1.5707963267948966;

        items->slope[t][0] = slope * cos(angle);
        items->slope[t][1] = slope * sin(angle);
        items->difficulty[t] = assay_random_normal(random);
    }
}

static assay_matrix *draw_models(assay_random *random, const struct items *items)
{
    double *scores = malloc(sizeof *scores * N_MODELS * N_ITEMS);
    assay_matrix *matrix;

    if (!scores) exit(4);
    for (size_t m = 0; m < N_MODELS; m++) {
        double first = assay_random_normal(random), second = assay_random_normal(random);

        for (size_t t = 0; t < N_ITEMS; t++) {
            double logit =
                items->slope[t][0] * first + items->slope[t][1] * second - items->difficulty[t];

            scores[m * N_ITEMS + t] = assay_random_uniform(random) < 1.0 / (1.0 + exp(-logit));
        }
    }
    must(assay_matrix_from_scores(scores, N_MODELS, N_ITEMS, &matrix));
    free(scores);
    return matrix;
}

static double ed_of(const assay_matrix *matrix)
{
    assay_dimensions ed;

    must(assay_effective_dimensions(matrix, 1, &ed));
    return ed.task;
}

/* ---- intervals ---- */

static void bootstrap(const assay_matrix *matrix, assay_random *random, double *low, double *high)
{
    double ed[DRAWS];
    size_t models[N_MODELS];
    assay_parts parts;

    must(assay_parts_new(matrix, &parts));
    for (size_t k = 0; k < DRAWS; k++) {
        for (size_t m = 0; m < N_MODELS; m++) models[m] = assay_random_below(random, N_MODELS);
        must(assay_part_ed(
            &parts, (assay_part){ .models = models, .n_models = N_MODELS, .models_repeat = 1 },
            &ed[k]));
    }
    assay_parts_free(&parts);
    *low = assay_quantile(ed, DRAWS, 0.5 - 0.5 * level);
    *high = assay_quantile(ed, DRAWS, 0.5 + 0.5 * level);
}

static void run(uint64_t seed, double slope, struct outcome *out)
{
    struct items items;
    assay_random random;
    assay_matrix *matrix;
    assay_signals_options options;
    assay_subsets_options of_halves;
    assay_half_sample half;
    assay_signals *fit;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    draw_items(&random, slope, &items);
    for (size_t k = 0; k < TRUTH_DRAWS; k++) {
        matrix = draw_models(&random, &items);
        out->truth += ed_of(matrix) / TRUTH_DRAWS;
        assay_matrix_free(matrix);
    }
    matrix = draw_models(&random, &items);
    out->ed = ed_of(matrix);
    bootstrap(matrix, &random, &out->low[0], &out->high[0]);
    assay_subsets_options_init(&of_halves, sizeof of_halves);
    of_halves.seed = seed;
    of_halves.draws = DRAWS;
    of_halves.threads = 1;
    must(assay_half_sample_interval(matrix, level, &of_halves, &half));
    out->low[2] = half.low;
    out->high[2] = half.high;
    out->low[1] = half.low - out->ed + half.mean; /* as it was before it was centred */
    out->high[1] = half.high - out->ed + half.mean;
    assay_signals_options_init(&options, sizeof options);
    options.level = level;
    options.permutations = 0;
    options.threads = 1;
    must(assay_signals_fit(matrix, &options, &fit));
    out->low[3] = assay_signals_value(fit, ASSAY_SIGNALS_ED_LOW);
    out->high[3] = assay_signals_value(fit, ASSAY_SIGNALS_ED_HIGH);
    assay_signals_free(fit);
    assay_matrix_free(matrix);
}

/* ---- printing ---- */

static void print(const struct outcome *outcomes, size_t n, double slope)
{
    double truth = 0.0, bias = 0.0;

    for (size_t k = 0; k < n; k++) {
        truth += outcomes[k].truth / (double)n;
        bias += (outcomes[k].ed - outcomes[k].truth) / (double)n;
    }
    printf("%zu data sets of %d models x %d items, %g %% intervals; slope %g: true ED %.2f, bias "
           "%+.3f\n",
           n, (int)N_MODELS, (int)N_ITEMS, 100.0 * level, slope, truth, bias);
    printf("%-36s %8s %6s %6s %6s %8s %6s\n", "", "covers", "+-", "below", "above", "holds ED",
           "width");
    for (int kind = 0; kind < N_KINDS; kind++) {
        double covers = 0.0, below = 0.0, above = 0.0, holds = 0.0, width = 0.0;

        for (size_t k = 0; k < n; k++) {
            const struct outcome *o = &outcomes[k];

            below += o->high[kind] < o->truth;
            above += o->low[kind] > o->truth;
            holds += o->low[kind] <= o->ed && o->ed <= o->high[kind];
            width += o->high[kind] - o->low[kind];
        }
        below /= (double)n;
        above /= (double)n;
        covers = 1.0 - below - above;
        printf("%-36s %8.3f %6.3f %6.3f %6.3f %8.3f %6.2f\n", kinds[kind], covers,
               sqrt(covers * (1.0 - covers) / (double)n), below, above, holds / (double)n,
               width / (double)n);
    }
}
