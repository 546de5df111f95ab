/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/sampling.h"
#include "failing_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static assay_plan *plan_of(size_t n_templates, size_t n_items, size_t budget,
                           const assay_plan_options *options)
{
    assay_plan *plan;

    assert_int_equal(assay_plan_new(n_templates, n_items, options, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, budget), ASSAY_OK);
    return plan;
}

static assay_plan_options with_seed(uint64_t seed)
{
    assay_plan_options options;

    assay_plan_options_init(&options, sizeof options);
    options.seed = seed;
    return options;
}

/* No cell twice, none outside; and the counts are those of the cells. */
static void check_cells(const assay_plan *plan, size_t n_templates, size_t n_items)
{
    const size_t *templates, *items;
    size_t n = assay_plan_cells(plan, &templates, &items);
    size_t *rows = calloc(n_templates, sizeof *rows), *columns = calloc(n_items, sizeof *columns);
    unsigned char *has = calloc(n_templates * n_items, 1);

    for (size_t k = 0; k < n; k++) {
        assert_true(templates[k] < n_templates && items[k] < n_items);
        assert_int_equal(has[templates[k] * n_items + items[k]]++, 0);
        rows[templates[k]]++;
        columns[items[k]]++;
    }
    for (size_t i = 0; i < n_templates; i++)
        assert_int_equal(rows[i], assay_plan_n_of_template(plan, i));
    for (size_t j = 0; j < n_items; j++)
        assert_int_equal(columns[j], assay_plan_n_of_item(plan, j));
    free(rows);
    free(columns);
    free(has);
}

/* Template and item counts differ by 1 at most, at every budget (items: while the last template of a
   round still lacks one of the least run, which holds well below a full grid). */
static void plans_are_balanced_both_ways(void **state)
{
    static const size_t sizes[][3] = {
        { 100, 545, 200 }, { 100, 545, 1600 }, { 7, 5, 3 },       { 7, 5, 20 },
        { 1, 9, 4 },       { 9, 1, 4 },        { 70, 130, 4000 },
    };

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n_t = sizes[s][0], n_i = sizes[s][1], b = sizes[s][2], low = b, high = 0;
        assay_plan *plan = plan_of(n_t, n_i, b, NULL);
        const size_t *templates, *items;

        assert_int_equal(assay_plan_cells(plan, &templates, &items), b);
        check_cells(plan, n_t, n_i);
        for (size_t i = 0; i < n_t; i++) {
            size_t n = assay_plan_n_of_template(plan, i);
            assert_true(n == b / n_t || n == b / n_t + (b % n_t != 0));
        }
        for (size_t j = 0; j < n_i; j++) {
            size_t n = assay_plan_n_of_item(plan, j);
            low = n < low ? n : low;
            high = n > high ? n : high;
        }
        assert_true(high - low <= (2 * b < n_t * n_i ? 1u : 2u));
        assay_plan_free(plan);
    }
    assay_plan_free(NULL);
}

/* Each cell after the first given ones, replayed: its template has the fewest cells of all, and its
   item the fewest of those that the template lacked. */
static void check_rule(const assay_plan *plan, size_t given, size_t n_templates, size_t n_items)
{
    const size_t *templates, *items;
    size_t n = assay_plan_cells(plan, &templates, &items);
    size_t *rows = calloc(n_templates, sizeof *rows), *columns = calloc(n_items, sizeof *columns);
    unsigned char *has = calloc(n_templates * n_items, 1);

    for (size_t k = 0; k < n; k++) {
        const unsigned char *row = has + templates[k] * n_items;

        for (size_t i = 0; i < n_templates && k >= given; i++)
            assert_true(rows[templates[k]] <= rows[i]);
        for (size_t j = 0; j < n_items && k >= given; j++)
            assert_true(row[j] || columns[items[k]] <= columns[j]);
        has[templates[k] * n_items + items[k]] = 1;
        rows[templates[k]]++;
        columns[items[k]]++;
    }
    free(rows);
    free(columns);
    free(has);
}

static void every_cell_follows_the_rule(void **state)
{
    const size_t i[] = { 0, 0, 0, 0, 0, 1, 1, 2 }, j[] = { 0, 1, 2, 3, 4, 0, 1, 0 };
    size_t strata[9] = { 0, 0, 0, 0, 1, 1, 1, 2, 2 };

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        assay_plan_options options = with_seed(seed);
        assay_plan *plan;

        if (seed % 2) options.strata = strata;
        assert_int_equal(assay_plan_new(7, 9, &options, &plan), ASSAY_OK);
        if (seed % 4 < 2) assert_int_equal(assay_plan_add(plan, 8, i, j), ASSAY_OK);
        assert_int_equal(assay_plan_extend(plan, 63), ASSAY_OK);
        check_rule(plan, seed % 4 < 2 ? 8 : 0, 7, 9);
        check_cells(plan, 7, 9);
        assay_plan_free(plan);
    }
}

static void a_full_grid_ends_a_plan(void **state)
{
    assay_plan *plan = plan_of(6, 70, 1000, NULL);
    const size_t *templates, *items;

    (void)state;
    assert_int_equal(assay_plan_cells(plan, &templates, &items), 420);
    check_cells(plan, 6, 70);
    assert_int_equal(assay_plan_extend(plan, SIZE_MAX), ASSAY_OK);
    assert_int_equal(assay_plan_cells(plan, &templates, &items), 420);
    assay_plan_free(plan);
}

static void same_cells(const assay_plan *a, const assay_plan *b, size_t n)
{
    const size_t *i, *j, *k, *l;

    assert_true(assay_plan_cells(a, &i, &j) >= n && assay_plan_cells(b, &k, &l) >= n);
    assert_memory_equal(i, k, n * sizeof *i);
    assert_memory_equal(j, l, n * sizeof *j);
}

/* In one go, in steps, and from cells that were written and read back in another order. */
static void plans_are_nested(void **state)
{
    assay_plan *whole = plan_of(40, 100, 1200, NULL), *steps = plan_of(40, 100, 1, NULL), *read;
    const size_t *templates, *items;
    size_t i[300], j[300];

    (void)state;
    for (size_t b = 2; b <= 1200; b += 37) assert_int_equal(assay_plan_extend(steps, b), ASSAY_OK);
    assert_int_equal(assay_plan_extend(steps, 1200), ASSAY_OK);
    same_cells(whole, steps, 1200);
    assay_plan_cells(whole, &templates, &items);
    for (size_t k = 0; k < 300; k++) {
        i[k] = templates[299 - k];
        j[k] = items[299 - k];
    }
    assert_int_equal(assay_plan_new(40, 100, NULL, &read), ASSAY_OK);
    assert_int_equal(assay_plan_add(read, 300, i, j), ASSAY_OK);
    assert_int_equal(assay_plan_add(read, 300, i, j), ASSAY_OK); /* passed over */
    assert_int_equal(assay_plan_extend(read, 1200), ASSAY_OK);
    assay_plan_cells(read, &templates, &items);
    const size_t *wanted_templates, *wanted_items;
    assay_plan_cells(whole, &wanted_templates, &wanted_items);
    assert_memory_equal(templates + 300, wanted_templates + 300, 900 * sizeof *templates);
    assert_memory_equal(items + 300, wanted_items + 300, 900 * sizeof *items);
    assay_plan_free(whole);
    assay_plan_free(steps);
    assay_plan_free(read);
}

static void seeds_make_the_plan(void **state)
{
    assay_plan_options one = with_seed(7), two = with_seed(8);
    assay_plan *a = plan_of(20, 30, 100, &one), *b = plan_of(20, 30, 100, &one),
               *c = plan_of(20, 30, 100, &two);
    const size_t *i, *j, *k, *l;

    (void)state;
    same_cells(a, b, 100);
    assay_plan_cells(a, &i, &j);
    assay_plan_cells(c, &k, &l);
    assert_true(memcmp(j, l, 100 * sizeof *j) != 0);
    assay_plan_free(a);
    assay_plan_free(b);
    assay_plan_free(c);
}

/* Frozen: a plan that somebody has run must come out again. */
static void a_seed_keeps_its_plan(void **state)
{
    static const size_t want_templates[] = { 1, 0, 2, 2, 1, 0 };
    static const size_t want_items[] = { 2, 0, 3, 1, 0, 2 };
    assay_plan *plan = plan_of(3, 4, 6, NULL);
    const size_t *i, *j;

    (void)state;
    assay_plan_cells(plan, &i, &j);
    assert_memory_equal(i, want_templates, sizeof want_templates);
    assert_memory_equal(j, want_items, sizeof want_items);
    assay_plan_free(plan);
}

/* The first cell is uniform over the grid: 6,000 seeds on 3 x 4, chi-square with 11 degrees of
   freedom, whose 99.99 % quantile is 36. */
static void the_first_cell_is_uniform(void **state)
{
    double count[12] = { 0.0 }, chi = 0.0;

    (void)state;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        assay_plan_options options = with_seed(seed);
        assay_plan *plan = plan_of(3, 4, 1, &options);
        const size_t *i, *j;

        assay_plan_cells(plan, &i, &j);
        count[4 * i[0] + j[0]] += 1.0;
        assay_plan_free(plan);
    }
    for (int k = 0; k < 12; k++) chi += (count[k] - 500.0) * (count[k] - 500.0) / 500.0;
    if (chi > 36.0) fail_msg("chi-square %g", chi);
}

static void only_arms_get_cells(void **state)
{
    const size_t arms[] = { 4, 1, 6 }, fewer[] = { 6 };
    assay_plan_options options = with_seed(1);
    assay_plan *plan;

    (void)state;
    options.arms = arms;
    options.n_arms = 3;
    plan = plan_of(8, 10, 12, &options);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(assay_plan_n_of_template(plan, i), i == 1 || i == 4 || i == 6 ? 4 : 0);
    assert_int_equal(assay_plan_set_arms(plan, fewer, 1), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, 16), ASSAY_OK);
    assert_int_equal(assay_plan_n_of_template(plan, 6), 8);
    assert_int_equal(assay_plan_extend(plan, 100), ASSAY_OK);
    assert_int_equal(assay_plan_n_of_template(plan, 6), 10);
    assert_int_equal(assay_plan_n_of_template(plan, 1), 4);
    check_cells(plan, 8, 10);
    assay_plan_free(plan);
}

/* Given cells are unbalanced: what comes next evens them out. */
static void given_cells_are_evened_out(void **state)
{
    const size_t i[] = { 0, 0, 0, 0 }, j[] = { 0, 1, 2, 3 };
    assay_plan *plan;

    (void)state;
    assert_int_equal(assay_plan_new(3, 6, NULL, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_add(plan, 4, i, j), ASSAY_OK);
    assert_int_equal(assay_plan_extend(plan, 6), ASSAY_OK);
    assert_int_equal(assay_plan_n_of_item(plan, 4) + assay_plan_n_of_item(plan, 5), 2);
    assert_int_equal(assay_plan_extend(plan, 12), ASSAY_OK);
    for (size_t k = 0; k < 3; k++) assert_int_equal(assay_plan_n_of_template(plan, k), 4);
    for (size_t k = 0; k < 6; k++) assert_int_equal(assay_plan_n_of_item(plan, k), 2);
    assay_plan_free(plan);
}

/* Strata of 10, 30 and 60 items, 10 cells a template: the ideal is 1, 3 and 6. The sum of absolute
   distances from it must be far below that of a plan which does not know them. */
static double distance_from_shares(const assay_plan *plan, const size_t *strata)
{
    const size_t *templates, *items;
    size_t n = assay_plan_cells(plan, &templates, &items);
    double count[50][3] = { { 0.0 } }, sum = 0.0;

    for (size_t k = 0; k < n; k++) count[templates[k]][strata[items[k]] / 1000] += 1.0;
    for (size_t i = 0; i < 50; i++)
        sum += fabs(count[i][0] - 1.0) + fabs(count[i][1] - 3.0) + fabs(count[i][2] - 6.0);
    return sum / 50.0;
}

static void strata_are_spread_within_templates(void **state)
{
    size_t strata[100];
    assay_plan_options options = with_seed(3);
    assay_plan *plain = plan_of(50, 100, 500, &options), *plan;
    double without, with;

    (void)state;
    for (size_t j = 0; j < 100; j++) strata[j] = j < 10 ? 0 : j < 40 ? 1000 : 2000;
    without = distance_from_shares(plain, strata);
    options.strata = strata;
    plan = plan_of(50, 100, 500, &options);
    with = distance_from_shares(plan, strata);
    print_message("mean distance from the shares %.2f with strata, %.2f without\n", with, without);
    assert_true(with < 0.5 * without);
    for (size_t j = 0; j < 100; j++) assert_int_equal(assay_plan_n_of_item(plan, j), 5);
    check_cells(plan, 50, 100);
    assay_plan_free(plain);
    assay_plan_free(plan);
}

static void random_items_need_no_balance(void **state)
{
    assay_plan_options options = with_seed(5);
    size_t most = 0, none = 0;
    assay_plan *plan;

    (void)state;
    options.random_items = 1;
    plan = plan_of(50, 100, 200, &options);
    check_cells(plan, 50, 100);
    for (size_t i = 0; i < 50; i++) assert_int_equal(assay_plan_n_of_template(plan, i), 4);
    for (size_t j = 0; j < 100; j++) {
        size_t n = assay_plan_n_of_item(plan, j);
        most = n > most ? n : most;
        none += n == 0;
    }
    assert_true(most > 3 && none > 3); /* Poisson(2): 13 of 100 have none */
    assay_plan_free(plan);
}

static void faults_are_named(void **state)
{
    const size_t outside[] = { 0, 9 }, twice[] = { 1, 1 };
    assay_plan_options options = with_seed(1);
    assay_plan *plan;

    (void)state;
    assert_int_equal(assay_plan_new(0, 4, NULL, &plan), ASSAY_E_SHAPE);
    assert_null(plan);
    assert_string_equal(assay_last_error(),
                        "a plan of 0 templates x 4 items, expected 1 to 2147483647 of each");
    assert_int_equal(assay_plan_new(4, SIZE_MAX, NULL, &plan), ASSAY_E_SHAPE);
    options.arms = outside;
    options.n_arms = 2;
    assert_int_equal(assay_plan_new(4, 4, &options, &plan), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "template 9 is not among the 4 of the plan");
    options.arms = twice;
    assert_int_equal(assay_plan_new(4, 4, &options, &plan), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "template 1 is named twice");
    options.n_arms = 0;
    assert_int_equal(assay_plan_new(4, 4, &options, &plan), ASSAY_E_SHAPE);
    options.struct_size = 1;
    assert_int_equal(assay_plan_new(4, 4, &options, &plan), ASSAY_E_VALUE);
    plan = plan_of(4, 4, 5, NULL);
    assert_int_equal(assay_plan_add(plan, 2, twice, outside), ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "cell (1, 9) is outside the plan of 4 templates"));
    assert_int_equal(assay_plan_cells(plan, &options.arms, &options.strata), 5);
    assay_plan_free(plan);
}

static assay_status make_and_grow(void *context)
{
    const size_t strata[] = { 1, 1, 0, 0, 5 }, arms[] = { 0, 2 }, items[] = { 3, 4 };
    assay_plan_options options = with_seed(1);
    assay_plan *plan = NULL;
    assay_status status;

    (void)context;
    options.strata = strata;
    options.arms = arms;
    options.n_arms = 2;
    status = assay_plan_new(3, 5, &options, &plan);
    if (status == ASSAY_OK) status = assay_plan_add(plan, 2, arms, items);
    if (status == ASSAY_OK) status = assay_plan_set_arms(plan, arms, 1);
    if (status == ASSAY_OK) status = assay_plan_extend(plan, 500);
    assay_plan_free(plan);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(make_and_grow, NULL) > 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_balanced_both_ways),
        cmocka_unit_test(every_cell_follows_the_rule),
        cmocka_unit_test(a_full_grid_ends_a_plan),
        cmocka_unit_test(plans_are_nested),
        cmocka_unit_test(seeds_make_the_plan),
        cmocka_unit_test(a_seed_keeps_its_plan),
        cmocka_unit_test(the_first_cell_is_uniform),
        cmocka_unit_test(only_arms_get_cells),
        cmocka_unit_test(given_cells_are_evened_out),
        cmocka_unit_test(strata_are_spread_within_templates),
        cmocka_unit_test(random_items_need_no_balance),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
