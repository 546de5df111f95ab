/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/chosen_template.h"
#include "assay/sampling.h"
#include "failing_memory.h"
#include "stats/distributions.h"
#include "template_fits.h"

static assay_chosen_template_options with(size_t n_splits, size_t n_draws, uint64_t seed)
{
    assay_chosen_template_options options;

    assay_chosen_template_options_init(&options, sizeof options);
    options.n_splits = n_splits;
    options.n_draws = n_draws;
    options.seed = seed;
    return options;
}

static assay_chosen_template *choose(const assay_grid *grid,
                                     const assay_templates_options *estimator,
                                     const assay_chosen_template_options *options)
{
    assay_chosen_template *chosen;

    assert_int_equal(assay_chosen_template_find(grid, estimator, options, &chosen), ASSAY_OK);
    return chosen;
}

static double corrected(const assay_chosen_template *chosen, assay_correction correction)
{
    return assay_chosen_template_corrected(chosen, correction);
}

/* ---- on paper ---- */

/* Two templates, two items, (1, 0) and (0, 1). Each half is an item: the template that is right
   there is wrong on the other, so that the split gives 0. Of draws half are one item twice, where
   the winner has 1 in place of its .5. Both have .5, so that k = 0, and m = .5. */
static void two_by_two_is_as_on_paper(void **state)
{
    const double y[] = { 1, 0, 0, 1 };
    assay_grid *grid = grid_of(y, 2, 2);
    assay_chosen_template_options options = with(10, 4000, 1);
    assay_chosen_template *chosen = choose(grid, NULL, &options);
    double low, high;
    size_t n;

    (void)state;
    assert_int_equal(assay_chosen_template_index(chosen), 0);
    assert_near(assay_chosen_template_raw(chosen), 0.5, 0.0);
    assert_near(corrected(chosen, ASSAY_CORRECTION_SPLIT), 0.0, 0.0);
    assert_near(corrected(chosen, ASSAY_CORRECTION_SHRUNK), 0.5, 0.0);
    /* .5 less .5 times a share of 4,000 draws: four standard errors */
    assert_near(corrected(chosen, ASSAY_CORRECTION_BOOTSTRAP), 0.25, 4.0 * 0.25 / sqrt(4000.0));
    assay_chosen_template_interval(chosen, &low, &high);
    assert_near(low, 0.0, 0.0); /* the mean of a draw's errors is 0, as is k */
    assert_near(high, 0.5, 0.0);
    assay_chosen_template_inseparable(chosen, &n);
    assert_int_equal(n, 2);
    assay_chosen_template_free(chosen);
    assay_chosen_template_free(NULL);
    assay_grid_free(grid);
}

/* All right against all wrong: nothing about it is chance. */
static void what_is_clear_is_not_corrected(void **state)
{
    const double y[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
    assay_grid *grid = grid_of(y, 2, 5);
    assay_chosen_template *chosen = choose(grid, NULL, NULL);
    double low, high;
    size_t n;
    const size_t *which = assay_chosen_template_inseparable(chosen, &n);

    (void)state;
    assert_int_equal(assay_chosen_template_index(chosen), 1);
    for (int k = 0; k < ASSAY_CORRECTIONS; k++)
        assert_near(corrected(chosen, (assay_correction)k), 1.0, 0.0);
    assay_chosen_template_interval(chosen, &low, &high);
    assert_near(low, 1.0, 0.0);
    assert_near(high, 1.0, 0.0);
    assert_int_equal(n, 1);
    assert_int_equal(which[0], 1);
    assay_chosen_template_free(chosen);
    assay_grid_free(grid);
}

/* ---- every half and every draw, counted out ---- */

enum { I = 3, J = 4 };

/* PE on some columns of y: scores, and whether a template has a cell there. */
static int score_columns(const double y[I * J], const size_t *columns, size_t n, double scores[I],
                         int has[I])
{
    double *part = malloc(I * n * sizeof *part);
    assay_grid *grid;
    int any = 0;

    for (size_t i = 0; i < I; i++) {
        has[i] = 0;
        for (size_t k = 0; k < n; k++) {
            part[i * n + k] = y[i * J + columns[k]];
            has[i] |= !isnan(part[i * n + k]);
        }
        any |= has[i];
    }
    if (any) {
        assay_templates *fit;

        grid = grid_of(part, I, n);
        fit = fit_grid(grid, NULL);
        for (size_t i = 0; i < I; i++) scores[i] = score(fit, i);
        assay_templates_free(fit);
        assay_grid_free(grid);
    }
    free(part);
    return any;
}

static size_t highest(const double scores[I], const int has[I])
{
    size_t best = I;

    for (size_t i = 0; i < I; i++)
        if (has[i] && (best == I || scores[i] > scores[best])) best = i;
    return best;
}

/* The mean over the six halves of four items, the choice being made in each. */
static double slow_split(const double y[I * J])
{
    double sum = 0.0;
    size_t n = 0;

    for (unsigned set = 0; set < 1u << J; set++) {
        size_t in[J], out[J], n_in = 0, n_out = 0, chosen;
        double here[I], there[I];
        int has[I], has_there[I];

        for (size_t j = 0; j < J; j++) {
            if (set >> j & 1)
                in[n_in++] = j;
            else
                out[n_out++] = j;
        }
        if (n_in != J / 2) continue;
        if (!score_columns(y, in, n_in, here, has)) continue;
        if (!score_columns(y, out, n_out, there, has_there)) continue;
        chosen = highest(here, has);
        if (!has_there[chosen]) continue;
        sum += there[chosen];
        n++;
    }
    return sum / (double)n;
}

/* Means over all 4^4 draws: of e_w, and of the squares that v and c are made of. */
struct moments {
    double optimism, noise, common;
};

static struct moments slow_draws(const double y[I * J], const double raw[I])
{
    struct moments m = { 0.0, 0.0, 0.0 };
    double squares[I] = { 0.0 }, counts[I] = { 0.0 }, n_draws = 0.0;

    for (size_t draw = 0; draw < 256; draw++) {
        size_t columns[J] = { draw % 4, draw / 4 % 4, draw / 16 % 4, draw / 64 }, w;
        double scores[I], mean = 0.0, n = 0.0;
        int has[I];

        if (!score_columns(y, columns, J, scores, has)) continue;
        w = highest(scores, has);
        m.optimism += scores[w] - raw[w];
        for (size_t i = 0; i < I; i++) {
            if (!has[i]) continue;
            mean += scores[i] - raw[i];
            n++;
        }
        mean /= n;
        m.common += mean * mean;
        for (size_t i = 0; i < I; i++) {
            if (!has[i]) continue;
            squares[i] += pow(scores[i] - raw[i] - mean, 2.0);
            counts[i]++;
        }
        n_draws++;
    }
    m.optimism /= n_draws;
    m.common /= n_draws;
    for (size_t i = 0; i < I; i++) m.noise += squares[i] / counts[i] / I;
    return m;
}

/* The expected answers counted out; 8,000 splits and draws come within 4 standard errors of them:
   scores are within 0 to 1, so that a mean has at most .5 / sqrt(8,000) = .0056. */
static void halves_and_draws_are_those_of_brute_force(void **state)
{
    const double y[I * J] = { 1, NAN, 1, 0, NAN, 1, 0, 0, 1, 1, NAN, 1 };
    const size_t all[J] = { 0, 1, 2, 3 };
    const double tolerance = 4.0 * 0.0056;
    assay_grid *grid = grid_of(y, I, J);
    assay_chosen_template_options options = with(8000, 8000, 3);
    assay_chosen_template *chosen = choose(grid, NULL, &options);
    double raw[I], mean = 0.0, variance = 0.0, keep, shrunk, beyond, low, high, split;
    struct moments m;
    const size_t *which;
    int has[I];
    size_t best, n;

    (void)state;
    score_columns(y, all, J, raw, has);
    best = highest(raw, has);
    m = slow_draws(y, raw);
    for (size_t i = 0; i < I; i++) mean += raw[i] / I;
    for (size_t i = 0; i < I; i++) variance += pow(raw[i] - mean, 2.0) / (I - 1);
    keep = fmax(0.0, 1.0 - m.noise / variance);
    shrunk = mean + keep * (raw[best] - mean);
    split = slow_split(y);
    print_message("raw %.4f split %.4f shrunk %.4f bootstrap %.4f\n", raw[best], split, shrunk,
                  raw[best] - m.optimism);
    assert_int_equal(assay_chosen_template_index(chosen), best);
    assert_near(assay_chosen_template_raw(chosen), raw[best], 1e-12);
    assert_near(corrected(chosen, ASSAY_CORRECTION_SPLIT), split, tolerance);
    assert_near(corrected(chosen, ASSAY_CORRECTION_BOOTSTRAP), raw[best] - m.optimism, tolerance);
    assert_near(corrected(chosen, ASSAY_CORRECTION_SHRUNK), shrunk, tolerance);
    which = assay_chosen_template_inseparable(chosen, &n);
    assert_int_equal(which[0], best);
    for (size_t k = 1; k < n; k++) assert_true(raw[which[k]] <= raw[which[k - 1]] + 1e-9);
    beyond = assay_normal_quantile(0.975) * sqrt(keep * m.noise + m.common);
    assay_chosen_template_interval(chosen, &low, &high);
    assert_near(low, fmax(0.0, fmin(shrunk, split) - beyond), 2.0 * tolerance);
    assert_near(high, fmin(1.0, fmax(shrunk, split) + beyond), 2.0 * tolerance);
    assay_chosen_template_free(chosen);
    assay_grid_free(grid);
}

/* ---- equal arms ---- */

enum { ARMS = 20, ITEMS = 40, SETS = 200 };

/* All templates have the same chance of .6 or so on each item: the truth of each is .6. */
static assay_grid *equal_arms(uint64_t seed, size_t budget)
{
    double y[ARMS * ITEMS];
    assay_random random;
    assay_plan_options options;
    assay_plan *plan;
    const size_t *templates, *items;
    assay_grid *full = NULL, *grid = NULL;
    size_t n;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
    for (size_t j = 0; j < ITEMS; j++) {
        double p = assay_random_uniform(&random) < 0.5 ? 0.4 : 0.8;

        for (size_t i = 0; i < ARMS; i++) y[i * ITEMS + j] = assay_random_uniform(&random) < p;
    }
    full = grid_of(y, ARMS, ITEMS);
    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    assert_int_equal(assay_plan_new(ARMS, ITEMS, &options, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, budget), ASSAY_OK);
    n = assay_plan_cells(plan, &templates, &items);
    assert_int_equal(assay_grid_take(full, n, templates, items, &grid), ASSAY_OK);
    assay_plan_free(plan);
    assay_grid_free(full);
    return grid;
}

/* The raw maximum is too high; the split's mean error over 200 sets is within three standard errors
   of 0, which for plain means is exact: cells of other items know nothing of the choice. The
   bootstrap is still too high, and the interval holds the truth as often as it says, less three
   errors. */
static void equal_arms_are_not_better_than_they_are(void **state)
{
    static const size_t budgets[] = { 200, ARMS * ITEMS };

    (void)state;
    for (int b = 0; b < 2; b++) {
        double raw = 0.0, split = 0.0, square = 0.0, bootstrap = 0.0, held = 0.0, se;

        for (uint64_t set = 0; set < SETS; set++) {
            assay_templates_options estimator = defaults();
            assay_chosen_template_options options = with(25, 100, set);
            assay_grid *grid = equal_arms(set, budgets[b]);
            assay_chosen_template *chosen;
            double error, low, high;

            estimator.method = ASSAY_TEMPLATES_AVG;
            chosen = choose(grid, &estimator, &options);
            error = corrected(chosen, ASSAY_CORRECTION_SPLIT) - 0.6;
            raw += (assay_chosen_template_raw(chosen) - 0.6) / SETS;
            bootstrap += (corrected(chosen, ASSAY_CORRECTION_BOOTSTRAP) - 0.6) / SETS;
            split += error / SETS;
            square += error * error / SETS;
            assay_chosen_template_interval(chosen, &low, &high);
            held += (low <= 0.6 && 0.6 <= high) / (double)SETS;
            assay_chosen_template_free(chosen);
            assay_grid_free(grid);
        }
        se = sqrt((square - split * split) / SETS);
        print_message("%zu cells: raw %+.4f split %+.4f (se %.4f) bootstrap %+.4f held %.3f\n",
                      budgets[b], raw, split, se, bootstrap, held);
        assert_true(raw > 10.0 * se);
        assert_true(fabs(split) < 3.0 * se);
        assert_true(bootstrap > 3.0 * se && bootstrap < raw);
        assert_true(held > 0.95 - 3.0 * sqrt(0.95 * 0.05 / SETS));
    }
}

/* ---- edges ---- */

static void one_template_is_chosen_from_none(void **state)
{
    const double y[] = { 1, 0, NAN, 1, 1 };
    assay_grid *grid = grid_of(y, 1, 5);
    assay_chosen_template *chosen = choose(grid, NULL, NULL);
    double low, high, raw = assay_chosen_template_raw(chosen);
    size_t n;

    (void)state;
    assert_near(corrected(chosen, ASSAY_CORRECTION_SPLIT), raw, 0.0);
    assert_near(corrected(chosen, ASSAY_CORRECTION_SHRUNK), raw, 0.0);
    assay_chosen_template_interval(chosen, &low, &high);
    assert_true(0.0 <= low && low < raw && raw < high && high <= 1.0);
    assay_chosen_template_inseparable(chosen, &n);
    assert_int_equal(n, 1);
    assay_chosen_template_free(chosen);
    assay_grid_free(grid);
}

/* What was never run is neither chosen nor counted: the released average would give it 1. */
static void a_template_without_a_cell_is_not_the_best(void **state)
{
    const double y[] = { NAN, NAN, NAN, NAN, 1, 0, 0, 1, 0, 1, 0, 0 };
    assay_grid *grid = grid_of(y, 3, 4);
    assay_templates_options estimator = defaults();

    (void)state;
    for (int k = 0; k < 2; k++) {
        assay_chosen_template *chosen;
        const size_t *which;
        size_t n;

        estimator.method = k ? ASSAY_TEMPLATES_PE : ASSAY_TEMPLATES_AVG;
        estimator.faithful = 1;
        chosen = choose(grid, &estimator, NULL);
        assert_int_equal(assay_chosen_template_index(chosen), 1);
        which = assay_chosen_template_inseparable(chosen, &n);
        assert_int_equal(n, 2);
        assert_int_equal(which[0], 1);
        assay_chosen_template_free(chosen);
    }
    assay_grid_free(grid);
}

/* Fewer cells than templates, and a cell each on items of their own: no half knows of the other's
   choice. */
static void a_cell_each_cannot_be_split(void **state)
{
    const double y[] = { 1, NAN, NAN, NAN, NAN, 1, NAN, NAN, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN };
    assay_grid *grid = grid_of(y, 4, 4);
    assay_chosen_template *chosen = choose(grid, NULL, NULL);
    double low, high;

    (void)state;
    assert_true(isnan(corrected(chosen, ASSAY_CORRECTION_SPLIT)));
    assert_true(corrected(chosen, ASSAY_CORRECTION_SHRUNK) <= assay_chosen_template_raw(chosen));
    assay_chosen_template_interval(chosen, &low, &high);
    assert_true(0.0 <= low && low <= high && high <= 1.0);
    assay_chosen_template_free(chosen);
    assay_grid_free(grid);
}

/* That covariates, of templates and of items, reach the fits on halves and draws, where those of
   items must be as many as the items there: the answers are others than without. */
static void covariates_are_taken_along(void **state)
{
    double *y = random_grid(6, 12, 0.7, 5), *z = random_covariates(12, 2, 6);
    double *x = random_covariates(6, 1, 7);
    assay_grid *grid = grid_of(y, 6, 12);
    assay_templates_options estimator = defaults();
    assay_chosen_template *plain = choose(grid, NULL, NULL), *chosen;

    (void)state;
    estimator.z = z;
    estimator.n_z = 2;
    estimator.x = x;
    estimator.n_x = 1;
    chosen = choose(grid, &estimator, NULL);
    assert_true(fabs(corrected(chosen, ASSAY_CORRECTION_SPLIT) -
                     corrected(plain, ASSAY_CORRECTION_SPLIT)) > 1e-6);
    assert_true(corrected(chosen, ASSAY_CORRECTION_SPLIT) > 0.0);
    assay_chosen_template_free(plain);
    assay_chosen_template_free(chosen);
    assay_grid_free(grid);
    free(x);
    free(y);
    free(z);
}

static void threads_do_not_matter(void **state)
{
    double *y = random_grid(10, 30, 0.3, 2);
    assay_grid *grid = grid_of(y, 10, 30);
    assay_chosen_template *chosen[2];
    double low[2], high[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        assay_chosen_template_options options = with(20, 60, 9);

        options.threads = k ? 3 : 1;
        chosen[k] = choose(grid, NULL, &options);
        assay_chosen_template_interval(chosen[k], &low[k], &high[k]);
    }
    for (int k = 0; k < ASSAY_CORRECTIONS; k++)
        assert_near(corrected(chosen[0], (assay_correction)k),
                    corrected(chosen[1], (assay_correction)k), 0.0);
    assert_true(low[0] == low[1] && high[0] == high[1]);
    assay_chosen_template_free(chosen[0]);
    assay_chosen_template_free(chosen[1]);
    assay_grid_free(grid);
    free(y);
}

/* ---- faults ---- */

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)fraction;
    assert_string_equal(stage, "resampling");
    return 1;
}

static void faults_are_named(void **state)
{
    const double column[] = { 1, NAN, 0, NAN }, y[] = { 1, 0, 0, 1 };
    assay_grid *one_item = grid_of(column, 2, 2), *grid = grid_of(y, 2, 2);
    assay_chosen_template_options options = with(1, 1, 1);
    assay_templates_options estimator = defaults();
    assay_chosen_template *chosen;

    (void)state;
    assert_int_equal(assay_chosen_template_find(one_item, NULL, NULL, &chosen), ASSAY_E_DEGENERATE);
    assert_null(chosen);
    assert_non_null(strstr(assay_last_error(), "all cells are of one item"));
    options.n_splits = 0;
    assert_int_equal(assay_chosen_template_find(grid, NULL, &options, &chosen), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "0 splits and 1 draws, expected 1 to 1000000 of each");
    options = with(1, 1, 1);
    options.level = 1.0;
    assert_int_equal(assay_chosen_template_find(grid, NULL, &options, &chosen), ASSAY_E_VALUE);
    options = with(1, 1, 1);
    options.threads = -1;
    assert_int_equal(assay_chosen_template_find(grid, NULL, &options, &chosen), ASSAY_E_VALUE);
    options = with(1, 1, 1);
    options.progress.step = stop;
    assert_int_equal(assay_chosen_template_find(grid, NULL, &options, &chosen), ASSAY_E_CANCELLED);
    options.struct_size = 3;
    assert_int_equal(assay_chosen_template_find(grid, NULL, &options, &chosen), ASSAY_E_VALUE);
    estimator.c = -1.0;
    assert_int_equal(assay_chosen_template_find(one_item, &estimator, NULL, &chosen),
                     ASSAY_E_DEGENERATE);
    estimator.struct_size = 0;
    assert_int_equal(assay_chosen_template_find(grid, &estimator, NULL, &chosen), ASSAY_E_VALUE);
    assay_grid_free(one_item);
    assay_grid_free(grid);
}

static assay_status choose_and_free(void *context)
{
    assay_chosen_template_options options = with(2, 3, 1);
    assay_chosen_template *chosen;
    assay_status status;

    options.threads = 1;
    status = assay_chosen_template_find(context, NULL, &options, &chosen);
    assay_chosen_template_free(chosen);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double *y = random_grid(4, 6, 0.8, 3);
    assay_grid *grid = grid_of(y, 4, 6);

    (void)state;
    assert_true(fail_every_allocation(choose_and_free, grid) > 40);
    assay_grid_free(grid);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_by_two_is_as_on_paper),
        cmocka_unit_test(what_is_clear_is_not_corrected),
        cmocka_unit_test(halves_and_draws_are_those_of_brute_force),
        cmocka_unit_test(equal_arms_are_not_better_than_they_are),
        cmocka_unit_test(one_template_is_chosen_from_none),
        cmocka_unit_test(a_template_without_a_cell_is_not_the_best),
        cmocka_unit_test(a_cell_each_cannot_be_split),
        cmocka_unit_test(covariates_are_taken_along),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
