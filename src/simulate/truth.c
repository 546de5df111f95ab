/* SPDX-License-Identifier: Apache-2.0 */
/* What an analysis of the benchmark should find: means of P, and its dimension. */
#include "core/error.h"
#include "core/memory.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>

static assay_status allocate(assay_simulation *sim);
static void average_templates(assay_simulation *sim, double *mean_p);
static void average_items(assay_simulation *sim, const double *mean_p);
static assay_status measure_dimension(assay_simulation *sim, const double *mean_p);
static void centre_items(const double *mean_p, size_t n_models, size_t n_items, double *x);
static double participation_ratio(const double *x, size_t n_rows, size_t length);

assay_status assay_simulation_find_truth(assay_simulation *sim)
{
    size_t n_cells = sim->options.n_models * sim->options.n_items;
    assay_status status;
    double *mean_p = NULL;

    if ((status = allocate(sim)) != ASSAY_OK) goto done;
    mean_p = assay_alloc_zero(n_cells, sizeof *mean_p);
    if (!mean_p) {
        status = assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu probabilities", n_cells);
        goto done;
    }
    average_templates(sim, mean_p);
    average_items(sim, mean_p);
    status = measure_dimension(sim, mean_p);
done:
    free(mean_p);
    return status;
}

static assay_status allocate(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;

    sim->score = assay_alloc_zero(opt->n_models, sizeof *sim->score);
    sim->score_of_clusters = assay_alloc_zero(opt->n_models, sizeof *sim->score_of_clusters);
    sim->cluster_score =
        assay_alloc_zero(opt->n_models * opt->n_clusters, sizeof *sim->cluster_score);
    sim->template_score =
        assay_alloc_zero(opt->n_models * opt->n_templates, sizeof *sim->template_score);
    if (!sim->score || !sim->score_of_clusters || !sim->cluster_score || !sim->template_score)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for the truth of %zu models",
                          opt->n_models);
    return ASSAY_OK;
}

double assay_simulation_probability(const assay_simulation *sim, size_t model, size_t item,
                                    size_t template_index)
{
    const assay_simulate_options *opt = &sim->options;
    double logit = sim->skill[model * opt->n_clusters + sim->item_cluster[item]] -
                   sim->difficulty[item] + sim->template_effect[template_index] +
                   sim->interaction[model * opt->n_templates + template_index];

    return 1.0 / (1.0 + exp(-logit));
}

static void average_templates(assay_simulation *sim, double *mean_p)
{
    size_t n_items = sim->options.n_items, n_templates = sim->options.n_templates;

    for (size_t m = 0; m < sim->options.n_models; m++) {
        for (size_t t = 0; t < n_templates; t++) {
            double sum = 0.0;
            for (size_t i = 0; i < n_items; i++) {
                double p = assay_simulation_probability(sim, m, i, t);
                mean_p[m * n_items + i] += p / (double)n_templates;
                sum += p;
            }
            sim->template_score[m * n_templates + t] = sum / (double)n_items;
        }
    }
}

static void average_items(assay_simulation *sim, const double *mean_p)
{
    size_t n_items = sim->options.n_items, n_clusters = sim->options.n_clusters;

    for (size_t m = 0; m < sim->options.n_models; m++) {
        double *cluster_score = sim->cluster_score + m * n_clusters;
        for (size_t i = 0; i < n_items; i++) {
            cluster_score[sim->item_cluster[i]] += mean_p[m * n_items + i];
            sim->score[m] += mean_p[m * n_items + i] / (double)n_items;
        }
        for (size_t c = 0; c < n_clusters; c++) {
            cluster_score[c] /= (double)sim->cluster_size[c];
            sim->score_of_clusters[m] += cluster_score[c] / (double)n_clusters;
        }
    }
}

/* With G the Gram matrix of the centred scores, (sum l)^2 / sum l^2 = (tr G)^2 / |G|_F^2: no
   eigenvalue is needed, and models and items give the same, so the shorter side is taken. */
static assay_status measure_dimension(assay_simulation *sim, const double *mean_p)
{
    size_t n_models = sim->options.n_models, n_items = sim->options.n_items;
    double *x = assay_alloc(n_models * n_items, sizeof *x);

    if (!x)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu probabilities",
                          n_models * n_items);
    centre_items(mean_p, n_models, n_items, x);
    sim->dimension = n_models <= n_items ? participation_ratio(x, n_models, n_items)
                                         : participation_ratio(x, n_items, n_models);
    free(x);
    return ASSAY_OK;
}

/* Subtract each item's mean; x has the shorter of models and items as its rows. */
static void centre_items(const double *mean_p, size_t n_models, size_t n_items, double *x)
{
    size_t model_step = n_models <= n_items ? n_items : 1;
    size_t item_step = n_models <= n_items ? 1 : n_models;

    for (size_t i = 0; i < n_items; i++) {
        double mean = 0.0;
        for (size_t m = 0; m < n_models; m++) mean += mean_p[m * n_items + i] / (double)n_models;
        for (size_t m = 0; m < n_models; m++)
            x[m * model_step + i * item_step] = mean_p[m * n_items + i] - mean;
    }
}

/* Not BLAS, whose roundings depend on the processor and on the size of the call. Four sums in a
   fixed order keep the processor busy. */
static double dot(const double *x, const double *y, size_t length)
{
    double sums[4] = { 0.0 };
    size_t k = 0;

    for (; k + 4 <= length; k += 4)
        for (size_t lane = 0; lane < 4; lane++) sums[lane] += x[k + lane] * y[k + lane];
    for (; k < length; k++) sums[0] += x[k] * y[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double participation_ratio(const double *x, size_t n_rows, size_t length)
{
    /* What is left of equal models is the rounding of their mean, some 1e-16 a cell. */
    double nothing = 1e-28 * (double)n_rows * (double)length, trace = 0.0, square = 0.0;

    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j <= i; j++) {
            double product = dot(x + i * length, x + j * length, length);
            square += i == j ? product * product : 2.0 * product * product;
            if (i == j) trace += product;
        }
    }
    return trace > nothing ? trace * trace / square : NAN;
}
