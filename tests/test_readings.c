/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/readings.h"

#include <math.h>

/* On both sides of the limit, and on it. */
static void an_interval_is_above_below_or_undecided(void **state)
{
    (void)state;
    assert_int_equal(assay_read_interval(.95, .901, .97, .9), ASSAY_FINDING_ABOVE);
    assert_int_equal(assay_read_interval(.95, .900, .97, .9), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(assay_read_interval(.95, .899, .97, .9), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(assay_read_interval(.85, .80, .901, .9), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(assay_read_interval(.85, .80, .900, .9), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(assay_read_interval(.85, .80, .899, .9), ASSAY_FINDING_BELOW);
    assert_int_equal(assay_read_interval(.99, NAN, NAN, .9), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(assay_read_interval(NAN, NAN, NAN, .9), ASSAY_FINDING_UNKNOWN);
}

static assay_finding strength(double value, double low, double high)
{
    const assay_correlation r = { value, low, high, NULL };

    return assay_read_strength(&r, 0.7);
}

static void the_sign_of_a_correlation_does_not_count(void **state)
{
    (void)state;
    assert_int_equal(strength(.8, .71, .9), ASSAY_FINDING_ABOVE);
    assert_int_equal(strength(-.8, -.9, -.71), ASSAY_FINDING_ABOVE);
    assert_int_equal(strength(-.8, -.9, -.69), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(strength(.2, -.69, .5), ASSAY_FINDING_BELOW);
    assert_int_equal(strength(.2, -.71, .5), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(strength(.2, -.5, .71), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(strength(.2, NAN, NAN), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(strength(NAN, NAN, NAN), ASSAY_FINDING_UNKNOWN);
}

static assay_finding change(double early, double late, double p)
{
    const assay_change change = { early, late, late / early - 1.0, p, NULL };

    return assay_read_change(&change, ASSAY_LIMIT_P);
}

static void a_change_needs_its_p(void **state)
{
    (void)state;
    assert_int_equal(change(4, 3, .049), ASSAY_FINDING_BELOW);
    assert_int_equal(change(3, 4, .049), ASSAY_FINDING_ABOVE);
    assert_int_equal(change(4, 3, .05), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(change(4, 3, NAN), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(change(4, 4, .001), ASSAY_FINDING_UNDECIDED);
    assert_int_equal(change(NAN, NAN, NAN), ASSAY_FINDING_UNKNOWN);
}

static void two_readings_have_to_agree(void **state)
{
    enum { UNKNOWN, BELOW, ABOVE, UNDECIDED };
    static const int want[4][4] = { { UNKNOWN, BELOW, ABOVE, UNDECIDED },
                                    { BELOW, BELOW, UNDECIDED, UNDECIDED },
                                    { ABOVE, UNDECIDED, ABOVE, UNDECIDED },
                                    { UNDECIDED, UNDECIDED, UNDECIDED, UNDECIDED } };

    (void)state;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            assert_int_equal(assay_read_both((assay_finding)a, (assay_finding)b), want[a][b]);
}

static assay_signals_reading signals(double low, double high, double parallel, int no_signal)
{
    const assay_signals_evidence evidence = { .at_most = 20,
                                              .low = low,
                                              .high = high,
                                              .shuffled = 10.0,
                                              .parallel = parallel,
                                              .no_signal = no_signal };

    return assay_read_signals(&evidence, NULL);
}

/* Shuffled scores have an ED of 10: above and below it, by what parallel analysis counts. */
static void signals_need_two_witnesses(void **state)
{
    (void)state;
    assert_int_equal(signals(2, 9.99, 1, 0), ASSAY_SIGNALS_READ_ONE);
    assert_int_equal(signals(2, 9.99, 2, 0), ASSAY_SIGNALS_READ_SEVERAL);
    assert_int_equal(signals(2, 9.99, 0, 0), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(signals(2, 10.0, 1, 0), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(signals(2, 10.0, 3, 0), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(signals(2, 10.0, 0, 0), ASSAY_SIGNALS_READ_NOISE);
    assert_int_equal(signals(11, 12, 0, 0), ASSAY_SIGNALS_READ_NOISE);
    /* Replicates that show none leave noise as it is, and everything else undecided. */
    assert_int_equal(signals(2, 9.99, 2, 1), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(signals(11, 12, 0, 1), ASSAY_SIGNALS_READ_NOISE);
    /* No shuffles, no interval. */
    assert_int_equal(signals(2, 9.99, NAN, 0), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(signals(NAN, NAN, 1, 0), ASSAY_SIGNALS_READ_UNDECIDED);
}

static void one_dimension_is_one_by_definition(void **state)
{
    assay_signals_evidence evidence = { 1, NAN, NAN, NAN, NAN, 0, 0, 0, 0, 0, 0 };

    (void)state;
    assert_int_equal(assay_read_signals(&evidence, NULL), ASSAY_SIGNALS_READ_BY_SHAPE);
    evidence.at_most = 2;
    assert_int_equal(assay_read_signals(&evidence, NULL), ASSAY_SIGNALS_READ_UNDECIDED);
}

/* Of a suite with one component that ED agrees with; what else is known of it. */
static assay_signals_conflict conflict_of(double parallel, int small_shape, size_t n_groups,
                                          size_t n_pairs, size_t n_redundant)
{
    const assay_signals_evidence evidence = { .at_most = 5,
                                              .low = 1.1,
                                              .high = parallel < 1.0 ? 5.0 : 1.9,
                                              .shuffled = 4.0,
                                              .parallel = parallel,
                                              .small_shape = small_shape,
                                              .n_groups = n_groups,
                                              .n_pairs = n_pairs,
                                              .n_redundant = n_redundant };
    assay_signals_conflict conflict;
    assay_signals_reading reading = assay_read_signals(&evidence, &conflict);

    assert_int_equal(reading == ASSAY_SIGNALS_READ_UNDECIDED, conflict != ASSAY_SIGNALS_AGREE);
    return conflict;
}

/* By the rule's sentences, one after the other. */
static void one_ability_needs_one_group_and_room_for_a_second(void **state)
{
    (void)state;
    /* 10 columns: one component and one group; one component and three groups. */
    assert_int_equal(conflict_of(1, 0, 1, 45, 3), ASSAY_SIGNALS_AGREE);
    assert_int_equal(conflict_of(1, 0, 3, 45, 3), ASSAY_SIGNALS_BESIDE_GROUPS);
    /* Several components: several groups, or one. */
    assert_int_equal(conflict_of(2, 0, 3, 45, 3), ASSAY_SIGNALS_AGREE);
    assert_int_equal(conflict_of(2, 0, 1, 45, 3), ASSAY_SIGNALS_BESIDE_GROUPS);
    assert_int_equal(conflict_of(2, 0, 3, 45, 45), ASSAY_SIGNALS_BESIDE_GROUPS);
    /* 6 columns, as the Open LLM Leaderboard has: 3 groups; 1 group; all pairs say the same. */
    assert_int_equal(conflict_of(1, 1, 3, 15, 1), ASSAY_SIGNALS_BESIDE_GROUPS);
    assert_int_equal(conflict_of(1, 1, 1, 15, 14), ASSAY_SIGNALS_BESIDE_SHAPE);
    assert_int_equal(conflict_of(1, 1, 1, 15, 15), ASSAY_SIGNALS_AGREE);
    assert_int_equal(conflict_of(1, 1, 2, 15, 15), ASSAY_SIGNALS_AGREE);
    /* 5 models of 200 items, which nobody grouped: one has no room, two found theirs. */
    assert_int_equal(conflict_of(1, 1, 0, 0, 0), ASSAY_SIGNALS_BESIDE_SHAPE);
    assert_int_equal(conflict_of(2, 1, 0, 0, 0), ASSAY_SIGNALS_AGREE);
    /* Noise has no redundant pairs. */
    assert_int_equal(conflict_of(0, 0, 10, 45, 0), ASSAY_SIGNALS_AGREE);
    assert_int_equal(conflict_of(0, 0, 9, 45, 1), ASSAY_SIGNALS_BESIDE_PAIRS);
}

static void what_is_undecided_has_its_reason(void **state)
{
    assay_signals_evidence evidence = {
        .at_most = 20, .low = 2.0, .high = 3.0, .shuffled = 10.0, .parallel = 1.0
    };
    assay_signals_conflict conflict;

    (void)state;
    assert_int_equal(assay_read_signals(&evidence, &conflict), ASSAY_SIGNALS_READ_ONE);
    assert_int_equal(conflict, ASSAY_SIGNALS_AGREE);
    evidence.no_signal = 1;
    assert_int_equal(assay_read_signals(&evidence, &conflict), ASSAY_SIGNALS_READ_UNDECIDED);
    assert_int_equal(conflict, ASSAY_SIGNALS_BESIDE_RUNS);
    evidence.high = 11.0;
    assay_read_signals(&evidence, &conflict);
    assert_int_equal(conflict, ASSAY_SIGNALS_BESIDE_ED);
    evidence.scales_differ = 1;
    assay_read_signals(&evidence, &conflict);
    assert_int_equal(conflict, ASSAY_SIGNALS_BESIDE_SCALES);
    evidence.high = NAN;
    assay_read_signals(&evidence, &conflict);
    assert_int_equal(conflict, ASSAY_SIGNALS_NO_INTERVAL);
    evidence.parallel = NAN;
    assay_read_signals(&evidence, &conflict);
    assert_int_equal(conflict, ASSAY_SIGNALS_NOT_COUNTED);
    evidence.at_most = 1;
    assert_int_equal(assay_read_signals(&evidence, &conflict), ASSAY_SIGNALS_READ_BY_SHAPE);
    assert_int_equal(conflict, ASSAY_SIGNALS_AGREE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_is_above_below_or_undecided),
        cmocka_unit_test(the_sign_of_a_correlation_does_not_count),
        cmocka_unit_test(a_change_needs_its_p),
        cmocka_unit_test(two_readings_have_to_agree),
        cmocka_unit_test(signals_need_two_witnesses),
        cmocka_unit_test(one_dimension_is_one_by_definition),
        cmocka_unit_test(one_ability_needs_one_group_and_room_for_a_second),
        cmocka_unit_test(what_is_undecided_has_its_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
