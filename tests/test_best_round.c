/* SPDX-License-Identifier: Apache-2.0 */
/* A search that is run by hand, round by round, against the search that runs its cells itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/best_template.h"
#include "failing_memory.h"
#include "template_fits.h"

enum { MOST = 600, MOST_ROUNDS = 8 };

/* What a search asked for, round by round; and how it was answered. */
struct record {
    const double *y;
    size_t n_items, templates[MOST], items[MOST], end[MOST_ROUNDS], n_rounds;
};

static assay_status answer(void *user, size_t n, const size_t *templates, const size_t *items,
                           double *scores)
{
    struct record *record = user;
    size_t from = record->n_rounds ? record->end[record->n_rounds - 1] : 0;

    for (size_t k = 0; k < n; k++) {
        record->templates[from + k] = templates[k];
        record->items[from + k] = items[k];
        scores[k] = record->y[templates[k] * record->n_items + items[k]];
    }
    record->end[record->n_rounds++] = from + n;
    return ASSAY_OK;
}

static assay_best_round *next(size_t n_templates, size_t n_items, size_t budget, const double *have,
                              const assay_best_template_options *options)
{
    assay_grid *grid = have ? grid_of(have, n_templates, n_items) : NULL;
    assay_best_round *round;

    assert_int_equal(assay_best_template_next(n_templates, n_items, budget, grid, options, &round),
                     ASSAY_OK);
    assay_grid_free(grid);
    return round;
}

/* Run the round that is asked for: the first share of its cells. Returns how many cells it had. */
static size_t run_round(const assay_best_round *round, const double *y, size_t n_items,
                        double share, double *have)
{
    const size_t *templates, *items;
    size_t n = assay_best_round_cells(round, &templates, &items);

    for (size_t k = 0; k < n && (double)k < ceil(share * (double)n); k++) {
        size_t at = templates[k] * n_items + items[k];

        have[at] = y[at];
    }
    return n;
}

static void compare_with_search(size_t n_templates, size_t n_items, size_t budget, int by_logreg,
                                uint64_t seed)
{
    double *y = random_grid(n_templates, n_items, 2.0, seed);
    double *have = malloc(n_templates * n_items * sizeof *have);
    struct record record = { .y = y, .n_items = n_items };
    assay_best_template_options options;
    assay_best_template *search;
    const assay_best_template *found = NULL;
    assay_best_round *round = NULL;
    size_t r = 0;

    assay_best_template_options_init(&options, sizeof options);
    options.seed = seed;
    if (by_logreg) options.score = ASSAY_TEMPLATES_LOGREG;
    assert_int_equal(assay_best_template_search(n_templates, n_items, budget, answer, &record,
                                                &options, &search),
                     ASSAY_OK);
    for (size_t k = 0; k < n_templates * n_items; k++) have[k] = NAN;
    for (; r < 20; r++) {
        const size_t *templates, *items;
        size_t n, from = r ? record.end[r - 1] : 0;

        round = next(n_templates, n_items, budget, r ? have : NULL, &options);
        n = assay_best_round_cells(round, &templates, &items);
        found = assay_best_round_search(round);
        if (found) break;
        assert_int_equal(assay_best_round_index(round), r);
        assert_true(r < record.n_rounds);
        assert_int_equal(n, record.end[r] - from);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(templates[k], record.templates[from + k]);
            assert_int_equal(items[k], record.items[from + k]);
        }
        run_round(round, y, n_items, 1.0, have);
        assay_best_round_free(round);
    }
    assert_int_equal(r, record.n_rounds);
    assert_non_null(found);
    assert_int_equal(assay_best_round_n_unused(round), 0);
    assert_int_equal(assay_best_template_index(found), assay_best_template_index(search));
    if (!isnan(assay_best_template_observed_mean(search)))
        assert_near(assay_best_template_observed_mean(found),
                    assay_best_template_observed_mean(search), 0.0);
    for (size_t i = 0; i < n_templates; i++)
        assert_int_equal(assay_best_template_dropped_in(found, i),
                         assay_best_template_dropped_in(search, i));
    assay_best_round_free(round);
    assay_best_template_free(search);
    free(have);
    free(y);
}

static void rounds_are_those_of_the_search(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        for (int by = 0; by < 2; by++) {
            compare_with_search(11, 30, 150, by, seed);
            compare_with_search(16, 20, 320, by, seed); /* as many as there are */
            compare_with_search(13, 8, 9, by, seed);    /* fewer than templates */
            compare_with_search(5, 9, 2, by, seed);     /* fewer than rounds */
            compare_with_search(1, 6, 4, by, seed);
        }
    }
}

/* A round that was run in part asks for the rest; what the search would not run is not used. */
static void what_is_lacking_is_asked_for(void **state)
{
    double *y = random_grid(8, 20, 2.0, 4), *have = malloc(160 * sizeof *have);
    assay_best_round *round = next(8, 20, 60, NULL, NULL);
    size_t n, rest;
    const size_t *templates, *items;

    (void)state;
    for (size_t k = 0; k < 160; k++) have[k] = NAN;
    assert_int_equal(assay_best_round_n_rounds(round), 3);
    assert_int_equal(assay_best_round_n_left(round), 8);
    n = run_round(round, y, 20, 0.3, have);
    assert_int_equal(n, 20);
    assay_best_round_free(round);
    round = next(8, 20, 60, have, NULL);
    rest = run_round(round, y, 20, 1.0, have);
    assert_int_equal(rest, 14);
    assert_int_equal(assay_best_round_index(round), 0);
    assay_best_round_free(round);
    round = next(8, 20, 60, have, NULL);
    assert_int_equal(assay_best_round_index(round), 1);
    assert_int_equal(assay_best_round_n_left(round), 4);
    assert_int_equal(assay_best_round_n_unused(round), 0);
    n = assay_best_round_cells(round, &templates, &items);
    have[templates[0] * 20 + items[0]] = y[templates[0] * 20 + items[0]]; /* its first */
    assay_best_round_free(round);
    for (size_t k = 0, more = 3; k < 160 && more > 0; k++) { /* and three of who knows where */
        if (!isnan(have[k])) continue;
        have[k] = y[k];
        more--;
    }
    round = next(8, 20, 60, have, NULL);
    rest = assay_best_round_cells(round, &templates, &items);
    assert_int_equal(assay_best_round_index(round), 1);
    assert_int_equal(assay_best_round_n_unused(round) + (n - rest), 4);
    assay_best_round_free(round);
    assay_best_round_free(NULL);
    free(have);
    free(y);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

static void faults_are_named(void **state)
{
    const double y[] = { 1, 0, 0, 1 };
    assay_grid *grid = grid_of(y, 2, 2);
    assay_best_template_options options;
    assay_best_round *round;

    (void)state;
    assert_int_equal(assay_best_template_next(2, 3, 4, grid, NULL, &round), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(),
                        "best template: cells of 2 templates x 2 items, expected 2 x 3");
    assert_null(round);
    assert_int_equal(assay_best_template_next(2, 2, 0, grid, NULL, &round), ASSAY_E_SHAPE);
    assert_int_equal(assay_best_template_next(0, 2, 3, NULL, NULL, &round), ASSAY_E_SHAPE);
    assay_best_template_options_init(&options, sizeof options);
    options.progress.step = stop;
    assert_int_equal(assay_best_template_next(2, 2, 4, grid, &options, &round), ASSAY_E_CANCELLED);
    options.score = ASSAY_TEMPLATES_AVG;
    assert_int_equal(assay_best_template_next(2, 2, 4, grid, &options, &round), ASSAY_E_VALUE);
    assay_grid_free(grid);
}

static assay_status ask_and_free(void *context)
{
    assay_best_round *round;
    assay_status status = assay_best_template_next(6, 10, 30, context, NULL, &round);

    assay_best_round_free(round);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double *y = random_grid(6, 10, 2.0, 8), have[60];
    assay_best_round *round = next(6, 10, 30, NULL, NULL);
    assay_grid *grid;

    (void)state;
    for (size_t k = 0; k < 60; k++) have[k] = NAN;
    run_round(round, y, 10, 1.0, have);
    assay_best_round_free(round);
    grid = grid_of(have, 6, 10);
    assert_true(fail_every_allocation(ask_and_free, grid) > 20);
    assay_grid_free(grid);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_those_of_the_search),
        cmocka_unit_test(what_is_lacking_is_asked_for),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
