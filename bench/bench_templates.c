/* SPDX-License-Identifier: Apache-2.0 */
/* How long one estimate of all templates takes: a plan, the fit of PE-Rasch and the scores, on one
   thread. Arguments: templates, items, budget, and a file for the plan and the outcomes, for the peer
   (a line a template: 0 and 1, and . where it was not run). Prints milliseconds, best of 50: of all
   three together, of the plan, of the fit with the scores; then the mean of the scores, and the Newton
   steps. */
#include "bench.h"

#include "core/random.h"

#include <assay/sampling.h>
#include <assay/templates.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 50 };

/* A Rasch population like MMLU's: templates differ little, items much. */
static double *draw(size_t n_templates, size_t n_items)
{
    double *scores = malloc(n_templates * n_items * sizeof *scores);
    double *easiness = malloc(n_items * sizeof *easiness);
    assay_random random;

    if (!scores || !easiness) exit(1);
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_DESIGN, 0);
    for (size_t j = 0; j < n_items; j++) easiness[j] = 2.0 + 3.0 * assay_random_normal(&random);
    for (size_t i = 0; i < n_templates; i++) {
        double theta = 0.2 * assay_random_normal(&random);

        for (size_t j = 0; j < n_items; j++)
            scores[i * n_items + j] =
                assay_random_uniform(&random) < 1.0 / (1.0 + exp(-theta - easiness[j]));
    }
    free(easiness);
    return scores;
}

static void write_case(const char *path, const assay_grid *grid)
{
    FILE *to = fopen(path, "w");

    if (!to) return;
    for (size_t i = 0; i < assay_grid_n_templates(grid); i++) {
        for (size_t j = 0; j < assay_grid_n_items(grid); j++) {
            double score = assay_grid_score(grid, i, j);

            fputc(isnan(score) ? '.' : score > 0.5 ? '1' : '0', to);
        }
        fputc('\n', to);
    }
    fclose(to);
}

/* What a plan would have seen. */
static assay_grid *seen(const assay_plan *plan, const double *scores, size_t n_templates,
                        size_t n_items, double *room)
{
    const size_t *templates, *items;
    size_t n = assay_plan_cells(plan, &templates, &items);
    assay_grid *grid;

    for (size_t k = 0; k < n; k++) room[k] = scores[templates[k] * n_items + items[k]];
    if (assay_grid_new(n_templates, n_items, n, templates, items, room, &grid) != ASSAY_OK) exit(1);
    return grid;
}

int main(int argc, char **argv)
{
    size_t n_templates = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    size_t n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 545;
    size_t budget = argc > 3 ? strtoul(argv[3], NULL, 10) : 1600;
    double *scores = draw(n_templates, n_items), *room = malloc((budget + 1) * sizeof *room);
    double all = INFINITY, planning = INFINITY, fitting = INFINITY, mean = NAN;
    int steps = 0;

    if (!room) return 1;
    for (int k = 0; k < REPEATS; k++) {
        double began = bench_now(), planned, ended;
        assay_templates *fit;
        assay_plan *plan;
        assay_grid *grid;

        if (assay_plan_new(n_templates, n_items, NULL, &plan) != ASSAY_OK ||
            assay_plan_extend(plan, budget) != ASSAY_OK)
            return 1;
        planned = bench_now();
        grid = seen(plan, scores, n_templates, n_items, room);
        if (assay_templates_fit(grid, NULL, &fit) != ASSAY_OK) return 1;
        ended = bench_now();
        all = fmin(all, ended - began);
        planning = fmin(planning, planned - began);
        fitting = fmin(fitting, ended - planned);
        mean = assay_templates_mean(fit);
        steps = assay_templates_iterations(fit);
        if (argc > 4 && k == 0) write_case(argv[4], grid);
        assay_templates_free(fit);
        assay_grid_free(grid);
        assay_plan_free(plan);
    }
    printf("%.4f %.4f %.4f %.9f %d\n", 1e3 * all, 1e3 * planning, 1e3 * fitting, mean, steps);
    free(scores);
    free(room);
    return 0;
}
