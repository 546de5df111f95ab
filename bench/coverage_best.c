/* SPDX-License-Identifier: Apache-2.0 */
#include "core/random.h"

#include <assay/sampling.h>
#include <assay/chosen_template.h>
#include <assay/best_template.h>
#include <assay/simulate_templates.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { J_ALL = 5000, J = 100, I = 40, N_METHODS = 5 };

int main(int argc, char **argv)
{
    size_t n_sets = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
    static const double sds[] = { 0.0, 0.02, 0.08 };
    static const size_t budgets[] = { 100, 200, 400, 800, 1600, I * J };
    int method = argc > 2 ? atoi(argv[2]) : 1;
    printf("sd budget | raw | split splitfit boot shrunk eb : bias (x100), se | rmse | coverage .95 | best in set, set size\n");
    for (int s = 0; s < 3; s++) for (int b = 0; b < 6; b++) {
        double bias[8] = {0}, sq[8] = {0}, cov[8] = {0}, in = 0, size = 0, own = 0;
        for (size_t set = 0; set < n_sets; set++) {
            size_t counts[I], best = 0, items[J_ALL];
            assay_random random;
            assay_simulate_templates_options so;
            assay_template_simulation *sim;
            assay_random_start(&random, 77 + set, ASSAY_PURPOSE_SIMULATE_DESIGN, (uint64_t)s);
            for (size_t i = 0; i < I; i++) {
                double m = 0.6 + sds[s] * assay_random_normal(&random);
                counts[i] = (size_t)(J_ALL * fmin(0.99, fmax(0.01, m)));
                if (counts[i] > counts[best]) best = i;
            }
            assay_simulate_templates_options_init(&so, sizeof so);
            so.seed = 1000 + set;
            so.concentration = 0.5;
            if (assay_simulate_templates(counts, I, J_ALL, &so, &sim)) return 1;
            for (size_t j = 0; j < J_ALL; j++) items[j] = j;
            for (size_t j = 0; j < J; j++) {
                size_t o = j + assay_random_below(&random, J_ALL - j), t = items[j];
                items[j] = items[o]; items[o] = t;
            }
            assay_plan_options po; assay_plan *plan; const size_t *pi, *pj;
            assay_plan_options_init(&po, sizeof po);
            po.seed = set;
            if (assay_plan_new(I, J, &po, &plan)) return 1;
            assay_plan_extend(plan, budgets[b]);
            size_t n = assay_plan_cells(plan, &pi, &pj);
            double *y = malloc(n * sizeof *y);
            for (size_t k = 0; k < n; k++) y[k] = assay_grid_score(assay_template_simulation_grid(sim), pi[k], items[pj[k]]);
            assay_grid *grid;
            if (assay_grid_new(I, J, n, pi, pj, y, &grid)) return 1;
            assay_chosen_template_options opt; assay_chosen_template *sel;
            assay_templates_options est;
            assay_templates_options_init(&est, sizeof est);
            est.method = (assay_templates_method)method;
            assay_chosen_template_options_init(&opt, sizeof opt);
            opt.seed = set;
            opt.n_draws = 200; opt.n_splits = 25;
            if (assay_chosen_template_find(grid, &est, &opt, &sel)) { puts(assay_last_error()); return 1; }
            double truth = (double)counts[assay_chosen_template_index(sel)] / J_ALL;
            double e = assay_chosen_template_raw(sel) - truth;
            bias[5] += e; sq[5] += e * e;
            for (int m = 0; m < N_METHODS; m++) {
                assay_corrected_score c = assay_chosen_template_corrected(sel, (assay_chosen_template_method)m);
                e = c.score - truth;
                bias[m] += e; sq[m] += e * e; cov[m] += c.low <= truth && truth <= c.high;
            }
            const size_t *set_of = assay_chosen_template_contenders(sel, &n);
            size += (double)n;
            for (size_t k = 0; k < n; k++) in += set_of[k] == best;
            (void)own;
            free(y); assay_chosen_template_free(sel); assay_grid_free(grid); assay_plan_free(plan);
            assay_template_simulation_free(sim);
        }
        double N = (double)n_sets;
        printf("%.2f %5zu | %6.2f |", sds[s], budgets[b], 100 * bias[5] / N);
        for (int m = 0; m < N_METHODS; m++) printf(" %6.2f", 100 * bias[m] / N);
        printf(" se %.2f | %5.2f |", 100 * sqrt((sq[0] / N - bias[0] / N * bias[0] / N) / N), 100 * sqrt(sq[5] / N));
        for (int m = 0; m < N_METHODS; m++) printf(" %5.2f", 100 * sqrt(sq[m] / N));
        printf(" |");
        for (int m = 0; m < N_METHODS; m++) printf(" %4.0f", 100 * cov[m] / N);
        printf(" | %3.0f %4.1f\n", 100 * in / N, size / N);
        fflush(stdout);
    }
}
