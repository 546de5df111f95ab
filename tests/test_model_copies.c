/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/model_copies.h"
#include "assay/signals.h"
#include "data/matrix.h"
#include "failing_memory.h"
#include "matrix_layout.h"
#include "parts_reference.h"

#include <stdlib.h>
#include <string.h>

static assay_model_copies find(const double *scores, size_t n, size_t t, size_t *like,
                               unsigned char *near)
{
    assay_matrix *matrix = matrix_of(scores, n, t);
    assay_model_copies got;

    assert_int_equal(assay_model_copies_find(matrix, like, near, &got), ASSAY_OK);
    assay_matrix_free(matrix);
    return got;
}

/* By hand: rows 0, 2 and 5 are one, holes too; row 3 differs from them by its hole alone and is too
   short to be near; -0 is 0; row 4 is row 1. */
static void exact_copies_by_hand(void **state)
{
    static const double scores[] = {
        1, 0.0,  NAN, .5, /* */
        0, 1,    1,   .5, /* */
        1, -0.0, NAN, .5, /* */
        1, 0.0,  1,   .5, /* */
        0, 1,    1,   .5, /* */
        1, 0.0,  NAN, .5, /* */
    };
    static const size_t want[] = { 0, 1, 0, 3, 1, 0 };
    assay_matrix *matrix = matrix_of(scores, 6, 4);
    assay_model_copies got;
    unsigned char near[6], one_near[24];
    size_t like[6], one[24];

    (void)state;
    assert_int_equal(assay_model_copies_find(matrix, like, near, &got), ASSAY_OK);
    assert_memory_equal(like, want, sizeof want);
    assert_int_equal(got.n_exact, 3);
    assert_int_equal(got.n_by_chance, 3);
    assert_int_equal(got.n_near, 0);
    assert_null(got.no_near);
    assay_matrix_free(matrix);
    assert_int_equal(find(scores, 24, 1, one, one_near).n_exact, 0); /* of one item */
}

enum { MODELS = 8, ITEMS = 200 };

/* Outcomes of eight unlike models: bit m of a hash of the item. */
static void fill(double *scores)
{
    for (size_t m = 0; m < MODELS; m++)
        for (size_t i = 0; i < ITEMS; i++)
            scores[m * ITEMS + i] = (double)(((i + 7) * 2654435761u >> (m + 9)) & 1);
}

static void copy_row(double *scores, size_t from, size_t to)
{
    memcpy(scores + to * ITEMS, scores + from * ITEMS, ITEMS * sizeof *scores);
}

/* Of 200 cells two may differ, not three; a copy of a near-copy is near to the first as well. */
static void near_copies_by_hand(void **state)
{
    static const size_t want[MODELS] = { 0, 1, 2, 0, 0, 1, 6, 7 };
    static const unsigned char want_near[MODELS] = { 0, 0, 0, 1, 1, 1, 0, 0 };
    double scores[MODELS * ITEMS];
    assay_model_copies got;
    unsigned char near[MODELS];
    size_t like[MODELS];

    (void)state;
    fill(scores);
    got = find(scores, MODELS, ITEMS, like, near);
    assert_int_equal(got.n_exact + got.n_near, 0);
    copy_row(scores, 0, 3);
    scores[3 * ITEMS + 10] = 1.0 - scores[3 * ITEMS + 10];
    scores[3 * ITEMS + 99] = 1.0 - scores[3 * ITEMS + 99];
    copy_row(scores, 3, 4);
    copy_row(scores, 1, 5); /* but for holes, 20 of 200 */
    for (size_t i = 0; i < 20; i++) scores[5 * ITEMS + 9 * i] = NAN;
    copy_row(scores, 2, 6); /* three differ */
    for (size_t i = 0; i < 3; i++) scores[6 * ITEMS + i] = 1.0 - scores[6 * ITEMS + i];
    got = find(scores, MODELS, ITEMS, like, near);
    assert_memory_equal(like, want, sizeof want);
    assert_memory_equal(near, want_near, sizeof want_near);
    assert_int_equal(got.n_exact + got.n_by_chance, 0);
    assert_int_equal(got.n_near, 3);
    scores[5 * ITEMS + 1] = NAN; /* 179 of 200 in common: below nine tenths */
    assert_int_equal(find(scores, MODELS, ITEMS, like, near).n_near, 2);
}

/* Two models that solve all but a few items differ little, and are no copies for it; and of a few
   columns of other scores one cell may differ. */
static void chance_is_no_copy(void **state)
{
    static const double columns[] = {
        .11, .52, .93, .24, .35, .61, /* */
        .11, .52, .93, .24, .35, .62, /* */
        .12, .50, .90, .20, .30, .60, /* */
        .12, .50, .90, .20, .31, .61, /* two differ */
        .5,  .5,  .5,  0,   1,   1,   /* */
        .5,  .5,  .5,  0,   1,   0,   /* three values say little */
    };
    static const size_t want[] = { 0, 0, 2, 3, 4, 5 };
    double scores[MODELS * ITEMS];
    unsigned char near[MODELS];
    size_t like[MODELS];

    (void)state;
    for (size_t k = 0; k < (size_t)MODELS * ITEMS; k++) scores[k] = 1.0;
    for (size_t m = 0; m < MODELS; m++) scores[m * ITEMS + m] = 0.0;
    assert_int_equal(find(scores, MODELS, ITEMS, like, near).n_near, 0);
    assert_int_equal(find(columns, 6, 6, like, near).n_near, 1);
    assert_memory_equal(like, want, sizeof want);
}

/* A slow reference, on few items so that rows meet, and with planted copies. */
static int slow_alike(const double *scores, size_t t, size_t a, size_t b)
{
    for (size_t i = 0; i < t; i++) {
        double x = scores[a * t + i], y = scores[b * t + i];

        if (!(x == y || (isnan(x) && isnan(y)))) return 0;
    }
    return 1;
}

static void exact_copies_are_those_of_all_pairs(void **state)
{
    enum { N = 70, T = 5 };

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double *scores = random_scores(N, T, (enum score_kind)(seed % N_SCORE_KINDS), seed);
        unsigned char near[N];
        size_t like[N];

        memcpy(scores + 60 * T, scores + 9 * T, T * sizeof *scores);
        find(scores, N, T, like, near);
        for (size_t m = 0; m < N; m++) {
            size_t first = 0;

            while (first < m && !slow_alike(scores, T, first, m)) first++;
            if (!near[m] && !near[first]) assert_int_equal(like[m], first);
            assert_int_equal(like[like[m]], like[m]);
        }
        free(scores);
    }
}

/* ---- some models of a matrix ---- */

static void taken_models_are_those_of_an_array(void **state)
{
    static const size_t models[] = { 6, 0, 3, 7, 1 };

    (void)state;
    for (int kind = 0; kind < N_SCORE_KINDS; kind++) {
        double *scores = random_scores(MODELS, ITEMS, (enum score_kind)kind, 3), part[5 * ITEMS];
        assay_matrix *all = matrix_of(scores, MODELS, ITEMS), *taken, *want;
        assay_signals *fits[2];

        for (size_t k = 0; k < 5; k++)
            memcpy(part + k * ITEMS, scores + models[k] * ITEMS, ITEMS * sizeof *part);
        want = matrix_of(part, 5, ITEMS);
        assert_int_equal(assay_matrix_take_models(all, models, 5, &taken), ASSAY_OK);
        assert_layout(taken);
        assert_true(assay_matrix_n_observed(taken) == assay_matrix_n_observed(want));
        assert_int_equal(assay_matrix_n_models_left_out(taken), 3);
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(assay_matrix_model_source(taken, k), models[k]);
        assert_int_equal(assay_signals_fit(taken, NULL, &fits[0]), ASSAY_OK);
        assert_int_equal(assay_signals_fit(want, NULL, &fits[1]), ASSAY_OK);
        for (int i = 0; i < ASSAY_SIGNALS_N_NUMBERS; i++) {
            double a = assay_signals_value(fits[0], (assay_signals_number)i);
            double b = assay_signals_value(fits[1], (assay_signals_number)i);

            assert_true(a == b || (isnan(a) && isnan(b)));
        }
        for (size_t k = 0; k < 2; k++) assay_signals_free(fits[k]);
        assay_matrix_free(all);
        assay_matrix_free(taken);
        assay_matrix_free(want);
        free(scores);
    }
}

static void an_item_without_a_score_is_refused(void **state)
{
    static const double scores[] = { 1, NAN, 0, 1, 1, NAN };
    static const size_t models[] = { 0, 2 };
    assay_matrix *matrix = matrix_of(scores, 3, 2), *taken;

    (void)state;
    assert_int_equal(assay_matrix_take_models(matrix, models, 2, &taken), ASSAY_E_SHAPE);
    assert_non_null(strstr(assay_last_error(), "has no score of these 2 models"));
    assert_null(taken);
    assay_matrix_free(matrix);
}

static assay_status find_and_take(void *context)
{
    static const size_t models[] = { 0, 2 };
    assay_matrix *taken = NULL;
    assay_model_copies got;
    unsigned char near[4];
    size_t like[4];
    assay_status status = assay_model_copies_find(context, like, near, &got);

    if (status == ASSAY_OK) status = assay_matrix_take_models(context, models, 2, &taken);
    assay_matrix_free(taken);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int kind = 0; kind <= REALS; kind += REALS) {
        double *scores = random_scores(4, 6, (enum score_kind)kind, 1);
        assay_matrix *matrix = matrix_of(scores, 4, 6);

        assert_true(fail_every_allocation(find_and_take, matrix) > 10);
        assay_matrix_free(matrix);
        free(scores);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_copies_by_hand),
        cmocka_unit_test(near_copies_by_hand),
        cmocka_unit_test(chance_is_no_copy),
        cmocka_unit_test(exact_copies_are_those_of_all_pairs),
        cmocka_unit_test(taken_models_are_those_of_an_array),
        cmocka_unit_test(an_item_without_a_score_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
