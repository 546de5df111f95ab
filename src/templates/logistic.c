/* SPDX-License-Identifier: Apache-2.0 */
#include "templates/logistic.h"

#include "core/error.h"
#include "core/memory.h"
#include "stats/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The point and what is known there, and the step from it. */
struct work {
    const assay_logistic *problem;
    double *numbers; /* all that follows is within it */
    double *kept, *levels, objective;
    double *residual, *weight; /* of the cells: C (p - y) and C p (1 - p) */
    double *eta;               /* of the rows: x'a */
    double *gradient_kept, *gradient_levels;
    double *row_weight, *row_gradient; /* sums over the cells of a row */
    double *diagonal;                  /* D, of the levels */
    double *schur, *step_kept, *step_levels, *step_eta;
    double *tried_kept, *tried_levels;
    double *scaled; /* rows of a matrix on their way into the Schur complement */
};

static assay_status make_room(const assay_logistic *problem, struct work *work);
static void evaluate(struct work *work, const double *kept, const double *levels);
static void find_gradient(struct work *work);
static void form_schur(struct work *work);
static assay_status find_step(struct work *work);
static double decrement(const struct work *work);
static int take_step(struct work *work, double slope);

assay_status assay_logistic_solve(const assay_logistic *problem, int max_iterations,
                                  double tolerance, assay_logistic_fit *fit)
{
    struct work work = { 0 };
    assay_status status = make_room(problem, &work);

    fit->iterations = fit->converged = 0;
    if (status != ASSAY_OK) goto done;
    evaluate(&work, work.kept, work.levels);
    while (fit->iterations < max_iterations && !fit->converged) {
        double slope;

        find_gradient(&work);
        form_schur(&work);
        if ((status = find_step(&work)) != ASSAY_OK) goto done;
        slope = decrement(&work);
        fit->converged = slope <= tolerance * tolerance;
        fit->iterations++;
        if (!take_step(&work, slope)) break;
    }
    memcpy(fit->kept, work.kept, problem->n_kept * sizeof(double));
    memcpy(fit->levels, work.levels, problem->n_levels * sizeof(double));
    fit->objective = work.objective;
done:
    free(work.numbers);
    return status;
}

static double *part(double **from, size_t n)
{
    double *begin = *from;

    *from += (n + 7) / 8 * 8;
    return begin;
}

/* One array for all: its parts begin at multiples of 64 bytes. */
static assay_status make_room(const assay_logistic *problem, struct work *work)
{
    size_t kept = problem->n_kept, levels = problem->n_levels, rows = problem->n_rows;
    size_t n_scaled = problem->design ? (rows > levels ? rows : levels) * kept : 0;
    size_t all = kept * kept + 4 * (kept + 8) + 5 * (levels + 8) + 4 * (rows + 8) +
                 2 * (problem->n + 8) + n_scaled + 16;
    double *next = NULL;

    work->problem = problem;
    if (kept <= INT32_MAX / 16 && n_scaled <= SIZE_MAX / 64)
        work->numbers = next = assay_alloc_aligned(all, sizeof *next);
    if (!next)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a regression of %zu cells on %zu effects",
                          problem->n, kept + levels);
    work->kept = part(&next, kept);
    work->levels = part(&next, levels);
    work->residual = part(&next, problem->n);
    work->weight = part(&next, problem->n);
    work->eta = part(&next, rows);
    work->gradient_kept = part(&next, kept);
    work->gradient_levels = part(&next, levels);
    work->row_weight = part(&next, rows);
    work->row_gradient = part(&next, rows);
    work->diagonal = part(&next, levels);
    work->schur = part(&next, kept * kept);
    work->step_kept = part(&next, kept);
    work->step_levels = part(&next, levels);
    work->step_eta = part(&next, rows);
    work->tried_kept = part(&next, kept);
    work->tried_levels = part(&next, levels);
    work->scaled = part(&next, n_scaled);
    return ASSAY_OK;
}

/* eta = X a, or a itself; 0 for rows that are nothing. */
static void predict_rows(const assay_logistic *problem, const double *kept, double *eta)
{
    if (!problem->design) {
        memcpy(eta, kept, problem->n_kept * sizeof *eta);
        memset(eta + problem->n_kept, 0, (problem->n_rows - problem->n_kept) * sizeof *eta);
        return;
    }
    for (size_t r = 0; r < problem->n_rows; r++) {
        const double *x = problem->design + r * problem->n_kept;
        double sum = 0.0;

        for (size_t k = 0; k < problem->n_kept; k++) sum += x[k] * kept[k];
        eta[r] = sum;
    }
}

/* out += X' rows. */
static void add_to_kept(const assay_logistic *problem, const double *rows, double *out)
{
    if (!problem->design) {
        for (size_t k = 0; k < problem->n_kept; k++) out[k] += rows[k];
        return;
    }
    for (size_t r = 0; r < problem->n_rows; r++) {
        const double *x = problem->design + r * problem->n_kept;

        for (size_t k = 0; k < problem->n_kept; k++) out[k] += x[k] * rows[r];
    }
}

static double squares(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sum;
}

/* The objective, and each cell's residual and weight. With e = exp(-|f|), p is 1 / (1 + e) or
   e / (1 + e); factors 1 + e are in 1..2, so that many share a logarithm. */
static void evaluate(struct work *work, const double *kept, const double *levels)
{
    const assay_logistic *problem = work->problem;
    double loss = 0.0, product = 1.0;

    predict_rows(problem, kept, work->eta);
    for (size_t k = 0; k < problem->n; k++) {
        size_t level = problem->level[k];
        double f = work->eta[problem->row[k]] + (level < problem->n_levels ? levels[level] : 0.0);
        double e = exp(-fabs(f)), q = 1.0 / (1.0 + e), p = f >= 0.0 ? q : e * q;
        double y = problem->y[k];

        work->residual[k] = problem->c * (p - y);
        work->weight[k] = problem->c * e * q * q;
        loss += fmax(f, 0.0) - y * f;
        product *= 1.0 + e;
        if (k % 512 == 511) loss += log(product), product = 1.0;
    }
    loss += log(product);
    work->objective = problem->c * loss + 0.5 * squares(kept, problem->n_kept) +
                      0.5 * squares(levels, problem->n_levels);
}

/* The gradient in both blocks, the sums over rows, and D. */
static void find_gradient(struct work *work)
{
    const assay_logistic *problem = work->problem;

    memset(work->row_weight, 0, problem->n_rows * sizeof(double));
    memset(work->row_gradient, 0, problem->n_rows * sizeof(double));
    memcpy(work->gradient_kept, work->kept, problem->n_kept * sizeof(double));
    memcpy(work->gradient_levels, work->levels, problem->n_levels * sizeof(double));
    for (size_t l = 0; l < problem->n_levels; l++) work->diagonal[l] = 1.0;
    for (size_t k = 0; k < problem->n; k++) {
        size_t row = problem->row[k], level = problem->level[k];

        work->row_weight[row] += work->weight[k];
        work->row_gradient[row] += work->residual[k];
        if (level >= problem->n_levels) continue;
        work->diagonal[level] += work->weight[k];
        work->gradient_levels[level] += work->residual[k];
    }
    add_to_kept(problem, work->row_gradient, work->gradient_kept);
}

/* The cells of one level: from *begin up to what is returned; none beyond the levels. */
static size_t end_of_level(const assay_logistic *problem, size_t begin)
{
    size_t end = begin;

    while (end < problem->n && problem->level[end] == problem->level[begin]) end++;
    return end;
}

/* S = A - B D^-1 B' where both designs are one-hot, its lower triangle: pairs of cells of a level. */
static void form_one_hot(struct work *work)
{
    const assay_logistic *problem = work->problem;
    size_t d = problem->n_kept;

    memset(work->schur, 0, d * d * sizeof(double));
    for (size_t r = 0; r < d; r++) work->schur[r * d + r] = work->row_weight[r] + 1.0;
    for (size_t begin = 0, end; begin < problem->n; begin = end) {
        size_t level = problem->level[begin];

        end = end_of_level(problem, begin);
        if (level >= problem->n_levels) break;
        for (size_t a = begin; a < end && problem->row[a] < d; a++) {
            double *to = work->schur + problem->row[a] * d;
            double scale = work->weight[a] / work->diagonal[level];

            for (size_t b = begin; b <= a; b++) to[problem->row[b]] -= scale * work->weight[b];
        }
    }
}

/* S = I + X' diag(weights) X - B D^-1 B', from rows scaled by square roots. */
static void form_dense(struct work *work)
{
    const assay_logistic *problem = work->problem;
    size_t d = problem->n_kept;

    memset(work->schur, 0, d * d * sizeof(double));
    for (size_t k = 0; k < d; k++) work->schur[k * d + k] = 1.0;
    for (size_t r = 0; r < problem->n_rows; r++) {
        double root = sqrt(work->row_weight[r]);

        for (size_t k = 0; k < d; k++) work->scaled[r * d + k] = root * problem->design[r * d + k];
    }
    assay_linalg_add_ata(d, problem->n_rows, 1.0, work->scaled, 1.0, work->schur);
    if (problem->n_levels == 0) return;
    memset(work->scaled, 0, problem->n_levels * d * sizeof(double));
    for (size_t c = 0; c < problem->n && problem->level[c] < problem->n_levels; c++) {
        const double *x = problem->design + problem->row[c] * d;
        double *to = work->scaled + problem->level[c] * d;
        double scale = work->weight[c] / sqrt(work->diagonal[problem->level[c]]);

        for (size_t k = 0; k < d; k++) to[k] += scale * x[k];
    }
    assay_linalg_add_ata(d, problem->n_levels, -1.0, work->scaled, 1.0, work->schur);
}

static void form_schur(struct work *work)
{
    if (work->problem->design)
        form_dense(work);
    else
        form_one_hot(work);
}

/* S da = g_a - B D^-1 g_b, then db = (g_b - B'da) / D. */
static assay_status find_step(struct work *work)
{
    const assay_logistic *problem = work->problem;
    double *rows = work->row_gradient; /* is in the gradient already */
    assay_status status = ASSAY_OK;

    memset(rows, 0, problem->n_rows * sizeof *rows);
    for (size_t k = 0; k < problem->n && problem->level[k] < problem->n_levels; k++) {
        size_t l = problem->level[k];

        rows[problem->row[k]] -= work->weight[k] * work->gradient_levels[l] / work->diagonal[l];
    }
    memcpy(work->step_kept, work->gradient_kept, problem->n_kept * sizeof(double));
    add_to_kept(problem, rows, work->step_kept);
    if (problem->n_kept > 0)
        status = assay_linalg_solve_definite(problem->n_kept, work->schur, work->step_kept);
    predict_rows(problem, work->step_kept, work->step_eta);
    memcpy(work->step_levels, work->gradient_levels, problem->n_levels * sizeof(double));
    for (size_t k = 0; k < problem->n && problem->level[k] < problem->n_levels; k++)
        work->step_levels[problem->level[k]] -= work->weight[k] * work->step_eta[problem->row[k]];
    for (size_t l = 0; l < problem->n_levels; l++) work->step_levels[l] /= work->diagonal[l];
    return status;
}

/* g'H^-1 g: the square of the step's length in the metric of the Hessian. */
static double decrement(const struct work *work)
{
    double sum = 0.0;

    for (size_t k = 0; k < work->problem->n_kept; k++)
        sum += work->gradient_kept[k] * work->step_kept[k];
    for (size_t l = 0; l < work->problem->n_levels; l++)
        sum += work->gradient_levels[l] * work->step_levels[l];
    return sum;
}

/* Halve the step until the objective falls as it should, but for its rounding. Returns 0, leaving
   the point alone, where no step does. */
static int take_step(struct work *work, double slope)
{
    size_t n_kept = work->problem->n_kept, n_levels = work->problem->n_levels;
    double before = work->objective, rounding = 1e-13 * fabs(before);

    for (double t = 1.0; t > 1e-9; t *= 0.5) {
        for (size_t k = 0; k < n_kept; k++)
            work->tried_kept[k] = work->kept[k] - t * work->step_kept[k];
        for (size_t l = 0; l < n_levels; l++)
            work->tried_levels[l] = work->levels[l] - t * work->step_levels[l];
        evaluate(work, work->tried_kept, work->tried_levels);
        if (!(work->objective <= before - 1e-4 * t * slope + rounding)) continue;
        memcpy(work->kept, work->tried_kept, n_kept * sizeof(double));
        memcpy(work->levels, work->tried_levels, n_levels * sizeof(double));
        return 1;
    }
    work->objective = before;
    return 0;
}
