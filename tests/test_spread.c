/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/sampling.h"
#include "assay/spread.h"
#include "core/random.h"
#include "failing_memory.h"
#include "template_fits.h"

#include <stdio.h>

/* Simulations have fixed seeds, and pass within this many standard errors. */
static const double STANDARD_ERRORS = 5.0;

static assay_spread spread_of(const assay_grid *grid)
{
    assay_spread spread;

    assert_int_equal(assay_grid_spread(grid, &spread), ASSAY_OK);
    return spread;
}

/* 1 0 / 1 1 / 0 0: means .5 1 0, their variance .25; grand mean .5. MS_t = 2 x .25 = .5; SS in all
   6 x .25 = 1.5, of templates 1, of items 3 (1/6)^2 x 2 = 1/6, so that MS_e = (1/3) / 2 = 1/6. */
static void by_hand(void **state)
{
    const double y[] = { 1, 0, 1, 1, 0, 0 };
    assay_grid *grid = grid_of(y, 3, 2);
    assay_spread spread = spread_of(grid);

    (void)state;
    assert_int_equal(spread.n_templates, 3);
    assert_near(spread.mean, 0.5, 1e-15);
    assert_near(spread.observed, 0.25, 1e-15);
    assert_near(spread.any_items, (0.5 - 1.0 / 6.0) / 2.0, 1e-15);
    assert_near(spread.these_items, 0.25, 1e-15);
    assay_grid_free(grid);
}

/* A Latin square: every template scores the same, whatever the items say. */
static void is_never_negative(void **state)
{
    const double y[] = { 1, 0, 0, 1 };
    assay_grid *grid = grid_of(y, 2, 2);
    assay_spread spread = spread_of(grid);

    (void)state;
    assert_near(spread.any_signed, -0.5, 1e-15); /* MS_e = 1 */
    assert_true(spread.any_items == 0.0);
    assert_true(spread.observed == 0.0);
    assert_near(spread.these_items, 0.0, 1e-15);
    assay_grid_free(grid);
}

/* By the definitions in the header: all pairs of cells, one by one; T as a matrix. */
static void slow_spread(const double *y, size_t n_templates, size_t n_items, double *any,
                        double *these, int *by_pairs)
{
    double mean = 0, n = 0, sum[3] = { 0 }, count[3] = { 0 }, u = 0, s = 0, q = 0, trace = 0;
    double *r = malloc(n_templates * n_items * sizeof *r), freedom, w;
    double *t = calloc(n_templates * n_templates, sizeof *t);

    for (size_t a = 0; a < n_templates * n_items; a++)
        if (!isnan(y[a])) {
            mean += y[a];
            n++;
        }
    mean /= n;
    for (size_t a = 0; a < n_templates * n_items; a++) {
        if (isnan(y[a])) continue;
        u += (y[a] - mean) * (y[a] - mean) / (n - 1);
        for (size_t b = 0; b < n_templates * n_items; b++) {
            size_t kind = a / n_items == b / n_items ? 0 : a % n_items == b % n_items ? 1 : 2;

            if (a == b || isnan(y[b])) continue;
            sum[kind] += (y[a] - mean) * (y[b] - mean);
            count[kind]++;
        }
    }
    freedom = n;
    for (size_t j = 0; j < n_items; j++) {
        double m = 0, item = 0;

        for (size_t i = 0; i < n_templates; i++)
            if (!isnan(y[i * n_items + j])) {
                m++;
                item += y[i * n_items + j];
            }
        freedom -= m > 0;
        for (size_t i = 0; i < n_templates; i++) {
            if (isnan(y[i * n_items + j])) continue;
            r[i * n_items + j] = y[i * n_items + j] - item / m;
            s += r[i * n_items + j] * r[i * n_items + j];
            t[i * n_templates + i]++;
            for (size_t k = 0; k < n_templates; k++)
                if (!isnan(y[k * n_items + j])) t[i * n_templates + k] -= 1 / m;
        }
    }
    for (size_t i = 0; i < n_templates; i++) {
        double row = 0;

        for (size_t j = 0; j < n_items; j++)
            if (!isnan(y[i * n_items + j])) row += r[i * n_items + j];
        q += row * row;
    }
    for (size_t k = 0; k < n_templates * n_templates; k++) trace += t[k] * t[k];
    w = (s + 4 * u) / (freedom + 4);
    *by_pairs = !(trace > freedom) || w * w / (trace - freedom) > u * u / count[0];
    *any = *by_pairs ? sum[0] / count[0] - sum[2] / count[2] : (q - s) / (trace - freedom);
    *these = s / freedom / (double)n_items + (1.0 - 1.0 / (double)n_items) * *any;
    free(r);
    free(t);
}

static void is_as_it_is_defined(void **state)
{
    size_t n_by_pairs = 0, n = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++, n++) {
        double *y = random_grid(7, 9, 0.03 * (double)seed, seed), any, these;
        assay_grid *grid = grid_of(y, 7, 9);
        assay_spread spread;
        int by_pairs;

        slow_spread(y, 7, 9, &any, &these, &by_pairs);
        if (assay_grid_n_cells(grid) > 8) {
            n_by_pairs += (size_t)by_pairs;
            spread = spread_of(grid);
            assert_near(spread.any_signed, any, 1e-13);
            assert_near(spread.these_signed, these, 1e-13);
        }
        assay_grid_free(grid);
        free(y);
    }
    assert_true(n_by_pairs > 0 && n_by_pairs < n / 2); /* both were seen */
}

/* Where all cells were run: analysis of variance, and the plain variance of the scores. */
static void a_full_grid_is_classical(void **state)
{
    enum { I = 12, J = 30 };
    double *y = random_grid(I, J, 2.0, 3), row[I] = { 0 }, column[J] = { 0 }, mean = 0;
    double ms_t = 0, ms_e = 0;
    assay_grid *grid = grid_of(y, I, J);
    assay_spread spread = spread_of(grid);

    (void)state;
    for (size_t i = 0; i < I; i++)
        for (size_t j = 0; j < J; j++) {
            row[i] += y[i * J + j] / J;
            column[j] += y[i * J + j] / I;
            mean += y[i * J + j] / (I * J);
        }
    for (size_t i = 0; i < I; i++) {
        ms_t += J * (row[i] - mean) * (row[i] - mean) / (I - 1);
        for (size_t j = 0; j < J; j++) {
            double e = y[i * J + j] - row[i] - column[j] + mean;
            ms_e += e * e / ((I - 1) * (J - 1));
        }
    }
    assert_near(spread.any_signed, (ms_t - ms_e) / J, 1e-14);
    assert_near(spread.these_signed, ms_t / J, 1e-14);
    assert_near(spread.observed, ms_t / J, 1e-14);
    assay_grid_free(grid);
    free(y);
}

/* Names in the first column and row, then 0 or 1; NULL where it is not at hand. */
static double *read_real_grid(size_t *n_templates, size_t *n_items)
{
    FILE *from =
        fopen(ASSAY_SHARED_FOLDER "/data/templates/mmlu_hs_psychology_llama3_8b_100x545.csv", "r");
    double *y = from ? malloc(100 * 545 * sizeof *y) : NULL;
    size_t n = 0;

    *n_templates = 100;
    *n_items = 545;
    if (!from) return NULL;
    for (int c; (c = getc(from)) != '\n';) assert_int_not_equal(c, EOF);
    for (int c, before = 0; (c = getc(from)) != EOF; before = c) {
        if (before != ',' || (c != '0' && c != '1')) continue;
        assert_true(n < 100 * 545);
        y[n++] = c - '0';
    }
    assert_int_equal(n, 100 * 545);
    fclose(from);
    return y;
}

/* What a plan of some cells sees of y, n_templates x n_items. */
static assay_grid *planned(const double *y, size_t n_templates, size_t n_items, size_t budget,
                           uint64_t seed)
{
    assay_grid *full = grid_of(y, n_templates, n_items), *part;
    assay_plan_options options;
    assay_plan *plan;
    const size_t *i, *j;
    size_t n;

    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    assert_int_equal(assay_plan_new(n_templates, n_items, &options, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, budget), ASSAY_OK);
    n = assay_plan_cells(plan, &i, &j);
    assert_int_equal(assay_grid_take(full, n, i, j, &part), ASSAY_OK);
    assay_plan_free(plan);
    assay_grid_free(full);
    return part;
}

/* y = mu + t + b + e with known variances, a tenth or less of the cells run: the mean of many
   estimates is the truth, which the variance of observed means is several times above. */
static void the_noise_is_removed(void **state)
{
    enum { I = 40, J = 60, REPEATS = 400 };
    const double sd_t = 0.03, sd_b = 0.08, sd_e = 0.08;
    double *y = malloc(I * J * sizeof *y), ease[J], sum = 0, squares = 0, observed = 0;
    double these = 0, these_squares = 0, se;

    (void)state;
    for (uint64_t seed = 1; seed <= REPEATS; seed++) {
        assay_random random;
        assay_spread spread;
        assay_grid *grid;
        double gap;

        assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 0);
        for (size_t j = 0; j < J; j++) ease[j] = sd_b * assay_random_normal(&random);
        for (size_t i = 0; i < I; i++) {
            double t = sd_t * assay_random_normal(&random);

            for (size_t j = 0; j < J; j++) {
                double value = 0.5 + t + ease[j] + sd_e * assay_random_normal(&random);
                y[i * J + j] = fmax(0.0, fmin(1.0, value)); /* five sd away: never */
            }
        }
        grid = planned(y, I, J, 240, seed);
        spread = spread_of(grid);
        sum += spread.any_signed;
        squares += spread.any_signed * spread.any_signed;
        observed += spread.observed / REPEATS;
        assay_grid_free(grid);

        /* Against what these very cells would have given. */
        grid = grid_of(y, I, J);
        gap = spread.these_signed - spread_of(grid).observed;
        these += gap;
        these_squares += gap * gap;
        assay_grid_free(grid);
    }
    se = sqrt((squares / REPEATS - sum / REPEATS * sum / REPEATS) / REPEATS);
    assert_near(sum / REPEATS, sd_t * sd_t, STANDARD_ERRORS * se);
    assert_true(se < 0.1 * sd_t * sd_t);
    assert_true(observed > 2.0 * sd_t * sd_t);
    se = sqrt((these_squares / REPEATS - these / REPEATS * these / REPEATS) / REPEATS);
    assert_near(these / REPEATS, 0.0, STANDARD_ERRORS * se);
    free(y);
}

/* A published grid, 100 templates x 545 items: a plan of 1,600 cells finds the variances that the
   whole grid has, whose observed means vary many times as much. */
static void a_real_grid_is_as_its_plans_say(void **state)
{
    enum { SEEDS = 60 };
    double *y, sum[2] = { 0 }, squares[2] = { 0 }, observed = 0, want[2];
    size_t n_templates, n_items;
    assay_grid *full;

    (void)state;
    y = read_real_grid(&n_templates, &n_items);
    if (!y) skip();
    full = grid_of(y, n_templates, n_items);
    want[0] = spread_of(full).any_signed;
    want[1] = spread_of(full).observed;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assay_grid *part = planned(y, n_templates, n_items, 1600, seed);
        assay_spread spread = spread_of(part);
        const double got[] = { spread.any_signed, spread.these_signed };

        observed += spread.observed / SEEDS;
        for (size_t k = 0; k < 2; k++) {
            sum[k] += got[k] / SEEDS;
            squares[k] += got[k] * got[k] / SEEDS;
        }
        assay_grid_free(part);
    }
    for (size_t k = 0; k < 2; k++) {
        double sd = sqrt(squares[k] - sum[k] * sum[k]);

        assert_near(sum[k], want[k], STANDARD_ERRORS * sd / sqrt(SEEDS));
        assert_true(sd < 0.1 * observed); /* a tenth of what the noise adds */
    }
    assert_true(observed > 10.0 * want[1]);
    assay_grid_free(full);
    free(y);
}

/* What cannot be told is NaN, or refused where nothing can. */
static void too_few_cells(void **state)
{
    const double row[] = { 1, 0, 1 }, apart[] = { 1, 0, NAN, NAN, NAN, NAN, 1, 1 };
    const double single[] = { 1, NAN, NAN, 0 };
    const double column[] = { 1, 0, 1 };
    assay_grid *grid = grid_of(row, 1, 3);
    assay_spread spread;

    (void)state;
    assert_int_equal(assay_grid_spread(grid, &spread), ASSAY_E_DEGENERATE);
    assert_string_equal(assay_last_error(), "spread: one template has cells, expected two or more");
    assay_grid_free(grid);
    grid = grid_of(single, 2, 2);
    assert_int_equal(assay_grid_spread(grid, &spread), ASSAY_E_DEGENERATE);
    assay_grid_free(grid);
    grid = grid_of(apart, 2, 4);
    spread = spread_of(grid);
    assert_true(isnan(spread.these_items) && isnan(spread.these_signed));
    /* Deviations 1/4 -3/4 and 1/4 1/4: within templates -3/16 and 1/16, across them 1/16 and -3/16,
       twice each. */
    assert_near(spread.any_signed, -1.0 / 16.0 - (-2.0 / 16.0 * 2.0) / 4.0, 1e-15);
    assay_grid_free(grid);
    grid = grid_of(column, 3, 1);
    spread = spread_of(grid);
    assert_near(spread.these_items, 1.0 / 3.0, 1e-15);
    assert_true(isnan(spread.any_items));
    assay_grid_free(grid);
}

/* Model 0 wins by .5 .25 0 -.25 over model 1 in 4 items each. */
static void winner_by_hand(void **state)
{
    const double a[] = { 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0 };
    const double b[] = { 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0 };
    assay_grid *grids[2] = { grid_of(b, 4, 4), grid_of(a, 4, 4) };
    assay_winner_margin margins[2];
    size_t winner;
    double p_observed, p;

    (void)state;
    assert_int_equal(
        assay_winner_change((const assay_grid *const *)grids, 2, &winner, &p_observed, &p, margins),
        ASSAY_OK);
    assert_int_equal(winner, 1);
    assert_true(margins[1].mean == 0.0 && margins[1].p == 0.0);
    assert_near(margins[0].mean, 0.125, 1e-15);
    assert_near(margins[0].observed, 0.3125 / 3.0, 1e-15);
    assert_near(margins[0].p_observed, 0.375, 1e-15); /* one below 0, and half of a tie */
    assert_near(p_observed, 0.375, 1e-15);
    /* The tie is at mean - .125, and so above 0 once it is drawn in. */
    assert_true(margins[0].spread > 0.0 && margins[0].spread < margins[0].observed);
    assert_near(margins[0].p, 0.25, 1e-15);
    assert_near(p, 0.25, 1e-15);
    assert_near(margins[0].p_normal, 0.5 * erfc(0.125 / sqrt(2.0 * margins[0].spread)), 1e-15);
    assay_grid_free(grids[0]);
    assay_grid_free(grids[1]);
}

/* Margins of N(.03, .03^2) seen through noise about as large: P(margin < 0) = Phi(-1) = .1587. */
static void noise_does_not_change_the_winner(void **state)
{
    enum { I = 100, J = 50, REPEATS = 60 };
    const double want = 0.158655253931457;
    double *y[2] = { malloc(I * J * sizeof **y), malloc(I * J * sizeof **y) };
    double mean_observed = 0, sum = 0, squares = 0, mean_normal = 0, se;

    (void)state;
    for (uint64_t seed = 1; seed <= REPEATS; seed++) {
        assay_winner_margin margins[2];
        assay_grid *grids[2];
        assay_random random;
        size_t winner;
        double p_observed, p;

        assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_OUTCOME, 1);
        for (size_t i = 0; i < I; i++) {
            double t = 0.03 + 0.03 * assay_random_normal(&random);

            for (size_t j = 0; j < J; j++) {
                y[0][i * J + j] = 0.5 + 0.05 * assay_random_normal(&random);
                y[1][i * J + j] = 0.5 + t + 0.05 * assay_random_normal(&random);
            }
        }
        for (size_t k = 0; k < 2; k++) grids[k] = planned(y[k], I, J, 500, seed);
        assert_int_equal(assay_winner_change((const assay_grid *const *)grids, 2, &winner,
                                             &p_observed, &p, margins),
                         ASSAY_OK);
        assert_int_equal(winner, 1);
        assert_near(p, margins[0].p, 1e-15); /* one rival: his share is the whole */
        mean_observed += p_observed / REPEATS;
        mean_normal += margins[0].p_normal / REPEATS;
        sum += p;
        squares += p * p;
        for (size_t k = 0; k < 2; k++) assay_grid_free(grids[k]);
    }
    se = sqrt((squares / REPEATS - sum / REPEATS * sum / REPEATS) / REPEATS);
    assert_near(sum / REPEATS, want, STANDARD_ERRORS * se);
    assert_near(mean_normal, want, STANDARD_ERRORS * se);
    assert_true(mean_observed > want + STANDARD_ERRORS * se);
    free(y[0]);
    free(y[1]);
}

/* Two rivals that win under templates of their own: the shares add up. */
static void rivals_add_up(void **state)
{
    const double a[] = { 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0 };
    const double b[] = { 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
    const double c[] = { 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0 };
    assay_grid *grids[3] = { grid_of(a, 3, 4), grid_of(b, 3, 4), grid_of(c, 3, 4) };
    size_t winner;
    double p_observed, p;

    (void)state;
    assert_int_equal(
        assay_winner_change((const assay_grid *const *)grids, 3, &winner, &p_observed, &p, NULL),
        ASSAY_OK);
    assert_int_equal(winner, 0);
    assert_near(p_observed, 2.0 / 3.0, 1e-15);
    for (size_t k = 0; k < 3; k++) assay_grid_free(grids[k]);
}

/* Models that are the same share the first place everywhere: a half. */
static void equals_share(void **state)
{
    const double a[] = { 1, 0, 1, 1, 0, 0 };
    assay_grid *grid = grid_of(a, 3, 2);
    const assay_grid *grids[] = { grid, grid };
    assay_winner_margin margins[2];
    size_t winner;
    double p_observed, p;

    (void)state;
    assert_int_equal(assay_winner_change(grids, 2, &winner, &p_observed, &p, margins), ASSAY_OK);
    assert_int_equal(winner, 0);
    assert_true(p_observed == 0.5 && p == 0.5 && margins[1].p_normal == 0.5);
    assay_grid_free(grid);
}

static void expect_fault(const assay_grid *a, const assay_grid *b, size_t n, assay_status want,
                         const char *sentence)
{
    const assay_grid *grids[] = { a, b };
    size_t winner;
    double p_observed, p;

    assert_int_equal(assay_winner_change(grids, n, &winner, &p_observed, &p, NULL), want);
    assert_string_equal(assay_last_error(), sentence);
}

static void grids_that_differ(void **state)
{
    const double a[] = { 1, 0, 1, 1 }, hole[] = { 1, 0, NAN, 1 }, single[] = { 1, NAN, NAN, 0 };
    assay_grid *full = grid_of(a, 2, 2), *part = grid_of(hole, 2, 2), *flat = grid_of(a, 1, 4);
    assay_grid *thin = grid_of(single, 2, 2);

    (void)state;
    expect_fault(full, NULL, 1, ASSAY_E_SHAPE, "winner: 1 model, expected two or more");
    expect_fault(full, part, 2, ASSAY_E_SHAPE,
                 "winner: model 1 has other cells of template 1 than model 0, expected the same");
    expect_fault(full, flat, 2, ASSAY_E_SHAPE,
                 "winner: model 1 has 1 templates x 4 items, expected 2 x 2 as model 0");
    expect_fault(flat, flat, 2, ASSAY_E_DEGENERATE,
                 "winner: one template has cells, expected two or more");
    expect_fault(thin, thin, 2, ASSAY_E_DEGENERATE,
                 "winner: no template has two cells, so that noise cannot be told from a "
                 "difference");
    assay_grid_free(full);
    assay_grid_free(part);
    assay_grid_free(flat);
    assay_grid_free(thin);
}

static assay_status spread_and_compare(void *context)
{
    const assay_grid *const grids[] = { context, context };
    assay_spread spread;
    size_t winner;
    double p_observed, p;
    assay_status status = assay_grid_spread(context, &spread);

    if (status != ASSAY_OK) return status;
    return assay_winner_change(grids, 2, &winner, &p_observed, &p, NULL);
}

static void every_allocation_may_fail(void **state)
{
    double *y = random_grid(4, 6, 0.8, 1);
    assay_grid *grid = grid_of(y, 4, 6);

    (void)state;
    assert_true(fail_every_allocation(spread_and_compare, grid) >= 8);
    assay_grid_free(grid);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(is_never_negative),
        cmocka_unit_test(is_as_it_is_defined),
        cmocka_unit_test(a_full_grid_is_classical),
        cmocka_unit_test(the_noise_is_removed),
        cmocka_unit_test(a_real_grid_is_as_its_plans_say),
        cmocka_unit_test(too_few_cells),
        cmocka_unit_test(winner_by_hand),
        cmocka_unit_test(noise_does_not_change_the_winner),
        cmocka_unit_test(rivals_add_up),
        cmocka_unit_test(equals_share),
        cmocka_unit_test(grids_that_differ),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
