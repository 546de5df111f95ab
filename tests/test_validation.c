/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/random.h"
#include "failing_memory.h"
#include "read/json.h"
#include "score/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
}

static assay_validation_options defaults(void)
{
    assay_validation_options options;

    assay_validation_options_init(&options, sizeof options);
    return options;
}

static assay_dendrogram *tree_of(const size_t *children, size_t n)
{
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_new(n, &tree), ASSAY_OK);
    memcpy(tree->children, children, 2 * (n - 1) * sizeof *children);
    for (size_t t = 0; t + 1 < n; t++) tree->height[t] = (double)t;
    return tree;
}

/* ---- the published prompts "repeat", with simulated outcomes: 36 prompts of 4 topics ---- */

enum { N = 36 };
static const size_t merges[2 * (N - 1)] = {
    27, 28, 36, 29, 30, 31, 38, 32, 33, 34, 40, 35, 2,  5,  11, 14, 20, 23, 42, 8,  43, 17, 44, 26,
    1,  4,  10, 13, 19, 22, 48, 45, 49, 46, 50, 47, 51, 7,  52, 16, 53, 25, 0,  3,  9,  12, 18, 21,
    6,  41, 57, 54, 58, 55, 59, 56, 37, 39, 60, 15, 63, 24, 65, 64, 61, 67, 68, 62, 69, 66
};
static const double successes[N] = { 10, 18, 13, 14, 17, 18, 11, 17, 16, 25, 25, 25,
                                     25, 25, 24, 25, 25, 25, 22, 24, 23, 24, 23, 24,
                                     24, 25, 23, 1,  0,  1,  4,  3,  2,  2,  3,  1 };
static const size_t topics[N] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                  2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
static const size_t folds[N] = { 2, 3, 2, 4, 0, 1, 3, 1, 0, 3, 2, 4, 1, 4, 1, 2, 0, 0,
                                 4, 0, 2, 1, 1, 0, 4, 3, 3, 0, 4, 2, 4, 3, 2, 0, 3, 1 };

static void runs_of(double *m, size_t n)
{
    for (size_t i = 0; i < n; i++) m[i] = 25.0;
}

/* Every number as an independent program (NumPy, SciPy) has it. Tolerance: what was asked for; the
   two agree in all but the last digits. */
static void every_method_agrees_with_an_independent_program(void **state)
{
    static const assay_validation_score expected[ASSAY_VALIDATION_N_METHODS] = {
        [ASSAY_VALIDATION_BHM_ESC] = { 2.5461182797837125, -64.88809774584868, 5.89856439373067 },
        [ASSAY_VALIDATION_ONE_TOPIC] = { 8.285251239553546, -360.2808170777681, 39.52179045422299 },
        [ASSAY_VALIDATION_EACH_ITS_OWN] = { 9.333333333333334, -117.29147536877343, 0.0 },
        [ASSAY_VALIDATION_EACH_FROM_SCORE] = { 8.343555515011452, -101.49114212323407,
                                               5.2767178212000605 },
        [ASSAY_VALIDATION_ORACLE] = { 1.3218707463966737, -55.826654530821294, 5.740602761731219 },
        [ASSAY_VALIDATION_FREQUENCY] = { 8.283182813355227, -369.0235269905604,
                                         40.923638892885215 },
        [ASSAY_VALIDATION_FREQUENCY_ORACLE] = { 1.2827380952380951, -77.22781926806496,
                                                23.73470341715997 },
        [ASSAY_VALIDATION_HYPER] = { 2.0155890511726904, -62.414134424434984, 6.109278386177025 },
    };
    assay_dendrogram *tree = tree_of(merges, N);
    assay_validation result;
    double m[N];

    (void)state;
    runs_of(m, N);
    assert_int_equal(assay_validate(tree, successes, m, topics, folds, NULL, &result), ASSAY_OK);
    for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++) {
        assert_near(result.method[k].mae, expected[k].mae, 1e-6);
        assert_near(result.method[k].elpd, expected[k].elpd, 1e-6);
        assert_near(result.method[k].elpd_se, expected[k].elpd_se, 1e-6);
    }
    assert_int_equal(result.n, N);
    assert_int_equal(result.n_folds, 5);
    assert_int_equal(result.stratified, 0); /* these folds were given */
    assay_dendrogram_free(tree);
}

/* ---- by hand ---- */

/* Two prompts of one run each, one a fold, both successes, S = 1 for certain: p ~ Beta(2, 1) after
   one, so E[p] = 2/3 and P(1) = 2/3; held-out S = n knows nothing: 1/2. */
static void two_prompts_by_hand(void **state)
{
    static const size_t pair[] = { 0, 1 }, own_fold[] = { 0, 1 }, labels[] = { 0, 0 };
    const double one[] = { 1.0, 1.0 };
    assay_dendrogram *tree = tree_of(pair, 2);
    assay_validation_options options = defaults();
    assay_validation result;

    (void)state;
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 1.0 };
    assert_int_equal(assay_validate(tree, one, one, labels, own_fold, &options, &result), ASSAY_OK);
    assert_near(result.method[ASSAY_VALIDATION_BHM_ESC].mae, 1.0 / 3.0, 1e-15);
    assert_near(result.method[ASSAY_VALIDATION_BHM_ESC].elpd, 2.0 * log(2.0 / 3.0), 1e-14);
    assert_near(result.method[ASSAY_VALIDATION_BHM_ESC].elpd_se, 0.0, 1e-14);
    assert_near(result.method[ASSAY_VALIDATION_ONE_TOPIC].elpd, 2.0 * log(2.0 / 3.0), 1e-14);
    assert_near(result.method[ASSAY_VALIDATION_EACH_ITS_OWN].mae, 0.5, 1e-15);
    assert_near(result.method[ASSAY_VALIDATION_EACH_ITS_OWN].elpd, 2.0 * log(0.5), 1e-14);
    assert_near(result.method[ASSAY_VALIDATION_FREQUENCY].mae, 0.0, 1e-15);
    assert_near(result.method[ASSAY_VALIDATION_FREQUENCY].elpd, 2.0 * log(1.0 - 1e-12), 1e-16);
    assay_dendrogram_free(tree);
}

static void without_labels_there_is_no_oracle(void **state)
{
    assay_dendrogram *tree = tree_of(merges, N);
    assay_validation_options options = defaults();
    assay_validation with, without;
    double m[N];

    (void)state;
    runs_of(m, N);
    options.hyper = 0;
    assert_int_equal(assay_validate(tree, successes, m, topics, folds, &options, &with), ASSAY_OK);
    assert_int_equal(assay_validate(tree, successes, m, NULL, folds, &options, &without), ASSAY_OK);
    assert_true(isnan(without.method[ASSAY_VALIDATION_ORACLE].mae));
    assert_true(isnan(without.method[ASSAY_VALIDATION_FREQUENCY_ORACLE].elpd));
    assert_true(isnan(without.method[ASSAY_VALIDATION_HYPER].elpd_se));
    for (int k = 0; k < ASSAY_VALIDATION_ORACLE; k++)
        assert_memory_equal(&with.method[k], &without.method[k], sizeof with.method[k]);
    assert_int_equal(assay_validate(tree, successes, m, NULL, NULL, &options, &without), ASSAY_OK);
    assert_int_equal(without.stratified, 0);
    assert_int_equal(assay_validate(tree, successes, m, topics, NULL, &options, &with), ASSAY_OK);
    assert_int_equal(with.stratified, 1);
    assert_int_equal(with.n_folds, 5);
    assay_dendrogram_free(tree);
}

/* Where every prompt of a label is held out together, frequencies fall back on all others. */
static void a_label_without_training_prompts_has_the_prior(void **state)
{
    static const size_t pair[] = { 0, 1 }, own_fold[] = { 0, 1 }, labels[] = { 0, 1 };
    const double x[] = { 3.0, 1.0 }, m[] = { 4.0, 4.0 };
    assay_dendrogram *tree = tree_of(pair, 2);
    assay_validation result;

    (void)state;
    assert_int_equal(assay_validate(tree, x, m, labels, own_fold, NULL, &result), ASSAY_OK);
    assert_near(result.method[ASSAY_VALIDATION_ORACLE].mae, 1.0, 1e-15);
    assert_near(result.method[ASSAY_VALIDATION_ORACLE].elpd, 2.0 * log(0.2), 1e-14);
    assert_near(result.method[ASSAY_VALIDATION_FREQUENCY_ORACLE].mae, 2.0, 1e-15);
    assay_dendrogram_free(tree);
}

/* Prompts that the model did not run change nothing: the tree is pruned to the others. */
static void missing_prompts_are_as_if_they_had_never_been(void **state)
{
    static const size_t four[] = { 0, 1, 2, 3, 4, 5 }, three[] = { 0, 1, 3, 2 };
    const double x[] = { 2.0, 3.0, NAN, 0.0 }, m[] = { 4.0, 4.0, 4.0, 5.0 };
    const double own_x[] = { 2.0, 3.0, 0.0 }, own_m[] = { 4.0, 4.0, 5.0 };
    const size_t labels[] = { 3, 3, 0, 2 }, own_labels[] = { 0, 0, 1 };
    const size_t fold[] = { 0, 1, 3, 2 }, own_fold[] = { 0, 1, 2 };
    assay_dendrogram *whole = tree_of(four, 4), *pruned = tree_of(three, 3);
    assay_validation a, b;

    (void)state;
    assert_int_equal(assay_validate(whole, x, m, labels, fold, NULL, &a), ASSAY_OK);
    assert_int_equal(assay_validate(pruned, own_x, own_m, own_labels, own_fold, NULL, &b),
                     ASSAY_OK);
    assert_memory_equal(a.method, b.method, sizeof a.method);
    assert_int_equal(a.n, 3);
    assert_int_equal(a.n_folds, 3);
    assay_dendrogram_free(whole);
    assay_dendrogram_free(pruned);
}

/* ---- folds ---- */

static void labels_and_folds_are_dealt_evenly(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 3, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (uint64_t round = 0; round < 50; round++) {
        size_t n = 1 + (size_t)assay_random_below(&random, 60);
        size_t k = 2 + (size_t)assay_random_below(&random, 6), labels[60], fold[60], again[60];

        for (size_t i = 0; i < n; i++)
            labels[i] = n - 1 - (size_t)assay_random_below(&random, n < 5 ? n : 5);
        assert_int_equal(assay_validation_folds(labels, n, k, round, fold), ASSAY_OK);
        assert_int_equal(assay_validation_folds(labels, n, k, round, again), ASSAY_OK);
        assert_memory_equal(fold, again, n * sizeof *fold);
        for (size_t label = 0; label <= n; label++) { /* n stands for all together */
            size_t counts[8] = { 0 }, total = 0;

            for (size_t i = 0; i < n; i++) {
                if (label < n && labels[i] != label) continue;
                assert_true(fold[i] < k);
                counts[fold[i]]++;
                total++;
            }
            for (size_t f = 0; f < k; f++)
                assert_true(counts[f] == total / k || counts[f] == total / k + 1);
        }
    }
}

static void another_seed_deals_other_folds(void **state)
{
    size_t a[N], b[N], plain[N], together[N] = { 0 };

    (void)state;
    assert_int_equal(assay_validation_folds(topics, N, 5, 1, a), ASSAY_OK);
    assert_int_equal(assay_validation_folds(topics, N, 5, 2, b), ASSAY_OK);
    assert_memory_not_equal(a, b, sizeof a);
    assert_int_equal(assay_validation_folds(NULL, N, 5, 1, plain), ASSAY_OK);
    assert_int_equal(assay_validation_folds(together, N, 5, 1, b), ASSAY_OK);
    assert_memory_equal(plain, b, sizeof plain);
}

/* ---- sensitivity ---- */

/* As the same independent program has them. Tolerances as above; 1e-9 where it says so. */
static void priors_are_shown_side_by_side(void **state)
{
    assay_dendrogram *tree = tree_of(merges, N);
    const assay_prior *priors;
    assay_sensitivity rows[5];
    double m[N];
    size_t n;

    (void)state;
    runs_of(m, N);
    priors = assay_sensitivity_priors(&n);
    assert_int_equal(n, 5);
    assert_int_equal(assay_sensitivity_to_priors(tree, successes, m, NULL, priors, n, rows),
                     ASSAY_OK);
    assert_near(rows[0].topics, 12.373314082836298, 1e-9);
    assert_near(rows[0].overcount, N / 12.373314082836298, 1e-9);
    assert_near(rows[0].topics_low, 12.0, 0.0);
    assert_near(rows[0].topics_high, 15.0, 0.0);
    assert_near(rows[0].score, 0.6361312925960568, 1e-9);
    assert_near(rows[0].spread_sd, sqrt(0.1308826933576721), 1e-9);
    assert_near(rows[0].these_sd, sqrt(0.000316826711376339), 1e-9);
    assert_near(rows[0].like_sd, sqrt(0.01015953865098046), 1e-9);
    assert_near(rows[0].log_evidence, -80.05860270268496, 1e-9);
    assert_near(rows[1].topics, 11.067785494831972, 1e-9);
    assert_near(rows[1].score, 0.6332495236081538, 1e-9);
    assert_near(rows[1].log_evidence, -79.77994729911083, 1e-9);
    assert_true(rows[4].topics < rows[1].topics); /* geom asks for few */
    assay_dendrogram_free(tree);
}

static void trees_are_shown_side_by_side(void **state)
{
    static const size_t near[] = { 0, 1, 2, 3, 4, 5 }, far[] = { 0, 2, 1, 3, 4, 5 };
    const double x[] = { 9.0, 10.0, 1.0, 0.0 }, m[] = { 10.0, 10.0, 10.0, 10.0 };
    const double beta[] = { 1.0, 1.0 };
    const assay_prior uniform = { .kind = ASSAY_PRIOR_UNIFORM };
    assay_dendrogram *trees[] = { tree_of(near, 4), tree_of(far, 4) };
    const assay_dendrogram *borrowed[] = { trees[0], trees[1] };
    assay_sensitivity rows[2], alone;

    (void)state;
    assert_int_equal(assay_sensitivity_to_trees(borrowed, 2, x, m, beta, &uniform, rows), ASSAY_OK);
    assert_true(rows[0].log_evidence > rows[1].log_evidence + 2.0); /* it joins what is alike */
    assert_true(rows[0].topics < rows[1].topics);
    assert_int_equal(assay_sensitivity_to_priors(trees[1], x, m, NULL, &uniform, 1, &alone),
                     ASSAY_OK);
    assert_memory_equal(&alone, &rows[1], sizeof alone);
    assay_dendrogram_free(trees[0]);
    assay_dendrogram_free(trees[1]);
}

/* ---- the golden sets: five prompt sets, two embeddings ---- */

enum { MAX = 300 };
typedef struct golden {
    size_t n, children[2 * MAX], truth[MAX], fold[MAX];
    double m, x[MAX], expected[ASSAY_VALIDATION_N_METHODS][2];
} golden;

static assay_status from_file(void *file, char *buffer, size_t size, size_t *got)
{
    *got = fread(buffer, 1, size, file);
    return ASSAY_OK;
}

static assay_json_event next(assay_json_reader *reader, const char **text, double *number)
{
    assay_json_event event;
    size_t length;

    if (assay_json_next(reader, &event, text, &length, number) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return event;
}

/* All numbers of the array, or arrays within arrays, that comes next. */
static size_t read_numbers(assay_json_reader *reader, double *to, size_t room)
{
    size_t depth = assay_json_depth(reader), n = 0;
    const char *text;
    double number;

    do {
        assay_json_event event = next(reader, &text, &number);

        if (event != ASSAY_JSON_NUMBER) continue;
        assert_true(n < room);
        to[n++] = number;
    } while (assay_json_depth(reader) > depth);
    return n;
}

static void read_scores(assay_json_reader *reader, golden *set)
{
    const char *text;
    double number;

    assert_int_equal(next(reader, &text, &number), ASSAY_JSON_OBJECT);
    while (next(reader, &text, &number) == ASSAY_JSON_KEY) {
        int found = 0;

        for (int k = 0; k < ASSAY_VALIDATION_N_METHODS; k++) {
            if (strcmp(text, assay_validation_name((assay_validation_method)k)) != 0) continue;
            found = 1;
            assert_int_equal(read_numbers(reader, set->expected[k], 2), 2);
            break;
        }
        assert_true(found);
    }
}

static void read_set(assay_json_reader *reader, golden *set)
{
    const char *text;
    double number, values[2 * MAX];

    assert_int_equal(next(reader, &text, &number), ASSAY_JSON_OBJECT);
    while (next(reader, &text, &number) == ASSAY_JSON_KEY) {
        size_t *to = strcmp(text, "children") == 0 ? set->children
                     : strcmp(text, "truth") == 0  ? set->truth
                     : strcmp(text, "fold") == 0   ? set->fold
                                                   : NULL;

        if (to) {
            size_t n = read_numbers(reader, values, 2 * MAX);
            for (size_t k = 0; k < n; k++) to[k] = (size_t)values[k];
        } else if (strcmp(text, "x") == 0) {
            set->n = read_numbers(reader, set->x, MAX);
        } else if (strcmp(text, "m") == 0) {
            next(reader, &text, &set->m);
        } else if (strcmp(text, "cv") == 0) {
            read_scores(reader, set);
        } else {
            assert_int_equal(assay_json_skip(reader), ASSAY_OK);
        }
    }
}

/* Tolerance: what was asked for. */
static void golden_sets_agree(void **state)
{
    char path[512];
    assay_json_reader *reader;
    assay_validation_options options = defaults();
    const char *text;
    double number;
    size_t n_sets = 0;
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s/golden/minilm/bhm_esc.json", ASSAY_SHARED_FOLDER);
    file = fopen(path, "rb");
    if (!file) {
        print_message("no golden vectors beside this checkout\n");
        skip();
    }
    options.hyper = 0;
    assert_int_equal(assay_json_open(path, from_file, file, &reader), ASSAY_OK);
    assert_int_equal(next(reader, &text, &number), ASSAY_JSON_OBJECT);
    while (next(reader, &text, &number) == ASSAY_JSON_KEY) {
        static golden set;
        assay_dendrogram *tree;
        assay_validation result;
        double m[MAX];

        read_set(reader, &set);
        tree = tree_of(set.children, set.n);
        for (size_t i = 0; i < set.n; i++) m[i] = set.m;
        assert_int_equal(assay_validate(tree, set.x, m, set.truth, set.fold, &options, &result),
                         ASSAY_OK);
        for (int k = 0; k < ASSAY_VALIDATION_HYPER; k++) {
            assert_near(result.method[k].mae, set.expected[k][0], 1e-6);
            assert_near(result.method[k].elpd, set.expected[k][1], 1e-6);
        }
        assay_dendrogram_free(tree);
        n_sets++;
    }
    assert_int_equal(n_sets, 10);
    assay_json_close(reader);
    fclose(file);
}

/* ---- failures ---- */

static void assert_refused(const assay_validation_options *options, const char *sentence)
{
    assert_int_equal(assay_validation_options_check(options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    assert_string_equal(stage, "cross-validation");
    return fraction > 0.3;
}

static void what_is_out_of_range_is_named(void **state)
{
    static const size_t pair[] = { 0, 1 }, same[] = { 1, 1 }, high[] = { 0, 2 };
    const double x[] = { 3.0, 1.0 }, m[] = { 4.0, 4.0 }, none[] = { 0.0, 0.0 };
    const double beta[] = { 0.0, 1.0 };
    const assay_prior paper = { .kind = ASSAY_PRIOR_PAPER };
    assay_dendrogram *tree = tree_of(pair, 2), *other = tree_of(merges, N);
    const assay_dendrogram *trees[] = { tree, other };
    assay_validation_options options = defaults();
    assay_validation result;
    assay_sensitivity rows[2];
    size_t fold[2];

    (void)state;
    options.n_folds = 1;
    assert_refused(&options, "validation: n_folds is 1, expected 2 or more");
    options = defaults();
    options.hyper = 2;
    assert_refused(&options, "validation: hyper is 2, expected 0 or 1");
    options = defaults();
    options.b = -1.0;
    assert_refused(&options, "validation: Beta(1, -1), expected numbers above 0");
    assert_int_equal(assay_validate(tree, m, x, NULL, NULL, NULL, &result), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "validation: prompt 0 has 4 successes of 3 runs, "
                                            "expected 0 <= successes <= runs");
    assert_int_equal(assay_validate(tree, x, none, NULL, NULL, NULL, &result), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "validation: the model has no prompt");
    assert_int_equal(assay_validate(tree, x, m, high, NULL, NULL, &result), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "validation: prompt 1 has label 2, expected below 2");
    assert_int_equal(assay_validate(tree, x, m, NULL, high, NULL, &result), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "validation: prompt 1 is in fold 2, expected below 2");
    assert_int_equal(assay_validate(tree, x, m, NULL, same, NULL, &result), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "validation: all prompts are in one fold, expected 2 "
                                            "folds or more");
    assert_int_equal(assay_validation_folds(NULL, 2, 0, 1, fold), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "validation: 0 folds, expected 1 or more");
    assert_int_equal(assay_validation_folds(high, 2, 2, 1, fold), ASSAY_E_VALUE);
    options = defaults();
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 3.0 };
    assert_int_equal(assay_validate(tree, x, m, NULL, NULL, &options, &result), ASSAY_E_DEGENERATE);
    assert_int_equal(assay_sensitivity_to_priors(tree, x, m, beta, &paper, 1, rows), ASSAY_E_VALUE);
    assert_int_equal(assay_sensitivity_to_trees(trees, 2, x, m, NULL, &paper, rows), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "validation: a tree over 36 prompts beside one over 2");
    assert_string_equal(assay_validation_name((assay_validation_method)8), "");
    assay_dendrogram_free(tree);
    assay_dendrogram_free(other);
}

static void progress_may_stop_it(void **state)
{
    assay_dendrogram *tree = tree_of(merges, N);
    assay_validation_options options = defaults();
    assay_validation result;
    double m[N];

    (void)state;
    runs_of(m, N);
    options.progress.step = stop;
    assert_int_equal(assay_validate(tree, successes, m, topics, NULL, &options, &result),
                     ASSAY_E_CANCELLED);
    assert_string_equal(assay_last_error(), "validation was cancelled");
    assay_dendrogram_free(tree);
}

static assay_status validate_some(void *context)
{
    static const size_t labels[] = { 0, 0, 1 };
    const double x[] = { 3.0, 1.0, 2.0 }, m[] = { 4.0, 4.0, 4.0 };
    assay_validation_options options = defaults();
    assay_validation result;
    assay_sensitivity row;
    const assay_prior paper = { .kind = ASSAY_PRIOR_PAPER };
    const assay_dendrogram *tree = context;
    assay_status status;

    options.n_folds = 2;
    options.hyper = 0;
    status = assay_validate(tree, x, m, labels, NULL, &options, &result);
    if (status == ASSAY_OK) status = assay_sensitivity_to_priors(tree, x, m, NULL, &paper, 1, &row);
    if (status == ASSAY_OK) status = assay_sensitivity_to_trees(&tree, 1, x, m, NULL, &paper, &row);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    static const size_t three[] = { 0, 1, 3, 2 };
    assay_dendrogram *tree = tree_of(three, 3);

    (void)state;
    assert_true(fail_every_allocation(validate_some, tree) > 40);
    assay_dendrogram_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_agrees_with_an_independent_program),
        cmocka_unit_test(two_prompts_by_hand),
        cmocka_unit_test(without_labels_there_is_no_oracle),
        cmocka_unit_test(a_label_without_training_prompts_has_the_prior),
        cmocka_unit_test(missing_prompts_are_as_if_they_had_never_been),
        cmocka_unit_test(labels_and_folds_are_dealt_evenly),
        cmocka_unit_test(another_seed_deals_other_folds),
        cmocka_unit_test(priors_are_shown_side_by_side),
        cmocka_unit_test(trees_are_shown_side_by_side),
        cmocka_unit_test(golden_sets_agree),
        cmocka_unit_test(what_is_out_of_range_is_named),
        cmocka_unit_test(progress_may_stop_it),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
