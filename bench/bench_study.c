/* SPDX-License-Identifier: Apache-2.0 */
/* How long a study takes on grids behind published scores: reading, drawing the grids, and then the study
   by each method alone and by all, seeds 1 .. 5, budgets 200 to 1600. Arguments: the file of scores, how
   many items (0: by its column J), threads, and how many of its tables (0: all). Prints seconds and, for
   each study, the mean W1 at each budget. */
#include "bench.h"

#include <assay/published.h>
#include <assay/study.h>
#include <stdio.h>
#include <stdlib.h>

/* What is timed, ours without draws: with 200 of them it is timed on a tenth of the grids, at the end. */
static const struct {
    const char *name;
    assay_templates_method method;
} methods[] = {
    { "avg", ASSAY_TEMPLATES_AVG },
    { "pe-rasch", ASSAY_TEMPLATES_PE },
    { "assay", ASSAY_TEMPLATES_MARGINAL },
};
enum { N_METHODS = sizeof methods / sizeof *methods, SEEDS = 5 };

static void check(assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "bench_study: %s\n", assay_last_error());
    exit(1);
}

/* The study by methods first .. first + n - 1 on the first n_grids grids. */
static void run(const assay_grids *grids, size_t n_grids, const char *name, size_t first, size_t n,
                size_t n_draws, int threads)
{
    size_t n_budgets = 0;
    const assay_grid **each = malloc(n_grids * sizeof *each);
    assay_templates_options *by = malloc(n_grids * n * sizeof *by);
    assay_study_options options;
    assay_study *study;
    double began = bench_now();

    if (!each || !by) exit(1);
    for (size_t k = 0; k < n_grids; k++) {
        each[k] = assay_grids_grid(grids, k);
        for (size_t m = 0; m < n; m++) {
            assay_templates_options_init(&by[k * n + m], sizeof *by);
            by[k * n + m].method = methods[first + m].method;
            by[k * n + m].n_draws = n_draws;
        }
    }
    assay_study_options_init(&options, sizeof options);
    options.n_seeds = SEEDS;
    options.threads = threads;
    check(assay_study_run(each, n_grids, by, n, &options, &study));
    printf("%-10s %8.2f", name, bench_now() - began);
    assay_study_budgets(study, &n_budgets);
    for (size_t m = 0; m < n; m++)
        for (size_t b = 0; b < n_budgets; b++)
            printf(" %.4f", assay_study_summarise(study, b, m, ASSAY_STUDY_W1).mean);
    putchar('\n');
    assay_study_free(study);
    free(each);
    free(by);
}

int main(int argc, char **argv)
{
    int threads = argc > 3 ? atoi(argv[3]) : 2;
    size_t n_tables = argc > 4 ? strtoul(argv[4], NULL, 10) : 0, n_cells = 0;
    double began = bench_now(), read;
    assay_published_options options;
    assay_published *published;
    assay_grids *grids;

    if (argc < 2) return 1;
    assay_published_options_init(&options, sizeof options);
    options.n_items = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    check(assay_published_read(argv[1], &options, &published));
    if (n_tables) check(assay_published_sample(published, n_tables, 1));
    read = bench_now();
    check(assay_grids_simulate(published, NULL, threads, (assay_progress){ NULL, NULL }, &grids));
    for (size_t k = 0; k < assay_grids_n(grids); k++)
        n_cells += assay_grid_n_cells(assay_grids_grid(grids, k));
    printf("%zu grids, %zu cells\n%-10s %8.2f\n%-10s %8.2f\n", assay_grids_n(grids), n_cells,
           "read", read - began, "draw", bench_now() - read);
    for (size_t m = 0; m < N_METHODS; m++)
        run(grids, assay_grids_n(grids), methods[m].name, m, 1, 0, threads);
    run(grids, assay_grids_n(grids), "all", 0, N_METHODS, 0, threads);
    printf("%-10s %8.2f\n", "total", bench_now() - began);
    run(grids, (assay_grids_n(grids) + 9) / 10, "intervals", N_METHODS - 1, 1, 200, threads);
    assay_grids_free(grids);
    assay_published_free(published);
    return 0;
}
