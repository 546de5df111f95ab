/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/score.h"
#include "stats/log_beta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.15g, not %.15g +- %g", what, got, want, tolerance);
}

static assay_prior parsed(const char *text)
{
    assay_prior prior;

    if (assay_prior_parse(text, &prior) != ASSAY_OK) fail_msg("%s: %s", text, assay_last_error());
    return prior;
}

/* Mean and standard deviation of S; checks that the probabilities sum to 1. */
static void moments(const assay_prior *prior, size_t n, double *mean, double *sd)
{
    double *log_prior = malloc(n * sizeof *log_prior), total = 0, first = 0, second = 0;

    assert_int_equal(assay_prior_log(prior, n, log_prior), ASSAY_OK);
    for (size_t s = 0; s < n; s++) {
        double p = exp(log_prior[s]);
        total += p;
        first += p * (double)(s + 1);
        second += p * (double)(s + 1) * (double)(s + 1);
    }
    assert_near("the sum", total, 1.0, 1e-12);
    *mean = first;
    *sd = sqrt(second - first * first);
    free(log_prior);
}

/* scipy.stats.binom, P(B = s - 1) and P(B >= n - 1): 12 digits and more are its own. */
static void the_papers_prior_has_the_vectors_probabilities(void **state)
{
    static const double two[] = { 0.36603234127323314, 0.633967658726767 };
    static const double three[] = { 0.2214517872388451, 0.33553301096797744, 0.4430152017931775 };
    static const double five[] = { 0.08105851616218017, 0.20469322263176157, 0.25741723452175946,
                                   0.21494772444916332, 0.2418833022351354 };
    static const double ten[] = { 0.006570483042414879, 0.03318425778997126, 0.08363103352118702,
                                  0.1402298137830084,   0.1759954986115478,  0.17635104507333568,
                                  0.14695920422776376,  0.10475879781896405, 0.06520970621810171,
                                  0.0671101599137056 };
    static const double one[] = { 1.0 };
    static const struct {
        size_t n;
        const double *want;
    } cases[] = { { 1, one }, { 2, two }, { 3, three }, { 5, five }, { 10, ten } };
    assay_prior prior = parsed("paper");
    double got[10];

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(assay_prior_log(&prior, cases[k].n, got), ASSAY_OK);
        for (size_t s = 0; s < cases[k].n; s++)
            assert_near("pi(S)", exp(got[s]), cases[k].want[s], 1e-12);
    }
}

/* The page's number, to its digits: the probability itself, 1e-427, is no double. */
static void the_papers_tail_does_not_underflow(void **state)
{
    double *got = malloc(5000 * sizeof *got);
    assay_prior prior = parsed("paper");

    (void)state;
    assert_int_equal(assay_prior_log(&prior, 5000, got), ASSAY_OK);
    assert_near("ln pi(5000)", got[4999], -982.186, 5e-4);
    free(got);
}

/* The page's table, half a unit of its last digit. */
static void means_and_deviations_are_the_pages(void **state)
{
    static const struct {
        const char *prior;
        size_t n;
        double mean, sd, tolerance;
    } cases[] = {
        { "paper", 10, 5.948, 2.100, 5e-4 },      { "paper", 36, 19.000, 4.220, 5e-4 },
        { "paper", 100, 51.000, 7.036, 5e-4 },    { "paper", 1000, 501.0, 22.25, 5e-3 },
        { "binom", 10, 5.5, 1.5, 5e-4 },          { "binom:0.5", 36, 18.5, 2.958, 5e-4 },
        { "poisson", 10, 5.813, 2.007, 5e-4 },    { "poisson", 36, 18.998, 4.238, 5e-4 },
        { "poisson:50", 100, 51.0, 7.071, 5e-4 }, { "uniform", 100, 50.5, 28.87, 5e-3 },
        { "uniform", 10, 5.5, 2.872, 5e-4 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_prior prior = parsed(cases[k].prior);
        double mean, sd;
        moments(&prior, cases[k].n, &mean, &sd);
        assert_near("the mean", mean, cases[k].mean, cases[k].tolerance);
        assert_near("the deviation", sd, cases[k].sd, cases[k].tolerance);
    }
}

/* By hand, for n = 3. */
static void small_priors_are_as_by_hand(void **state)
{
    static const double table[] = { 1.0, 0.0, 3.0, 8.0 };
    static const struct {
        assay_prior prior;
        double want[3];
    } cases[] = {
        { { .kind = ASSAY_PRIOR_BINOMIAL, .a = 0.2 }, { 0.64, 0.32, 0.04 } },
        { { .kind = ASSAY_PRIOR_POISSON, .a = 2.0 }, { 0.2, 0.4, 0.4 } },
        { { .kind = ASSAY_PRIOR_BETA_BINOMIAL, .a = 1, .b = 1 }, { 1. / 3, 1. / 3, 1. / 3 } },
        { { .kind = ASSAY_PRIOR_BETA_BINOMIAL, .a = 2, .b = 1 }, { 1. / 6, 2. / 6, 3. / 6 } },
        { { .kind = ASSAY_PRIOR_GEOMETRIC, .a = 0.5 }, { 4. / 7, 2. / 7, 1. / 7 } },
        { { .kind = ASSAY_PRIOR_FIXED, .a = 2 }, { 0, 1, 0 } },
        { { .kind = ASSAY_PRIOR_TABLE, .table = table, .n_table = 4 }, { 0.25, 0, 0.75 } },
        { { .kind = ASSAY_PRIOR_TABLE, .table = table, .n_table = 2 }, { 1, 0, 0 } },
        { { .kind = ASSAY_PRIOR_UNIFORM }, { 1. / 3, 1. / 3, 1. / 3 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double got[3];
        assert_int_equal(assay_prior_log(&cases[k].prior, 3, got), ASSAY_OK);
        for (size_t s = 0; s < 3; s++)
            assert_near(assay_prior_name(cases[k].prior.kind), exp(got[s]), cases[k].want[s],
                        1e-14);
    }
}

static void texts_give_their_kinds_and_numbers(void **state)
{
    static const struct {
        const char *text;
        assay_prior want;
    } cases[] = {
        { "paper", { .kind = ASSAY_PRIOR_PAPER } },
        { "uniform", { .kind = ASSAY_PRIOR_UNIFORM } },
        { "binom", { .kind = ASSAY_PRIOR_BINOMIAL, .a = 0.5 } },
        { "binom:0.25", { .kind = ASSAY_PRIOR_BINOMIAL, .a = 0.25 } },
        { "poisson", { .kind = ASSAY_PRIOR_POISSON } },
        { "poisson:3", { .kind = ASSAY_PRIOR_POISSON, .a = 3 } },
        { "betabinom", { .kind = ASSAY_PRIOR_BETA_BINOMIAL, .a = 1, .b = 1 } },
        { "betabinom:2,0.5", { .kind = ASSAY_PRIOR_BETA_BINOMIAL, .a = 2, .b = 0.5 } },
        { "geom", { .kind = ASSAY_PRIOR_GEOMETRIC, .a = 0.9 } },
        { "geom:0.5", { .kind = ASSAY_PRIOR_GEOMETRIC, .a = 0.5 } },
        { "fixed:7", { .kind = ASSAY_PRIOR_FIXED, .a = 7 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_prior got = parsed(cases[k].text);
        assert_int_equal(got.kind, cases[k].want.kind);
        assert_true(got.a == cases[k].want.a && got.b == cases[k].want.b);
        assert_int_equal(
            strncmp(cases[k].text, assay_prior_name(got.kind), strlen(assay_prior_name(got.kind))),
            0);
    }
    assert_string_equal(assay_prior_name((assay_prior_kind)99), "");
}

static void wrong_texts_are_refused_with_a_sentence(void **state)
{
    static const char *const cases[][2] = {
        { "papers", "prior 'papers' is not known" },
        { "", "prior '' is not known" },
        { "table", "prior 'table' is not known" },
        { "paper:1", "expected paper alone" },
        { "binom:", "expected binom:NUMBER" },
        { "binom:x", "expected binom:NUMBER" },
        { "binom:0.5,2", "expected binom:NUMBER" },
        { "betabinom:1", "expected betabinom:NUMBER,NUMBER" },
        { "betabinom:1,2,3", "expected betabinom:NUMBER,NUMBER" },
        { "fixed", "expected fixed:NUMBER" },
        { "binom:1", "prior binom:1, expected between 0 and 1" },
        { "poisson:-1", "prior poisson:-1, expected above 0" },
        { "betabinom:0,1", "expected both above 0" },
        { "geom:0", "prior geom:0, expected above 0" },
        { "fixed:0", "expected a number of topics" },
        { "fixed:2.5", "expected a number of topics" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_prior prior;
        assert_int_equal(assay_prior_parse(cases[k][0], &prior), ASSAY_E_VALUE);
        if (!strstr(assay_last_error(), cases[k][1]))
            fail_msg("'%s' lacks '%s'", assay_last_error(), cases[k][1]);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static const double bad[] = { 1.0, -1.0 }, none[] = { 0.0, 0.0 };
    assay_prior prior = { .kind = ASSAY_PRIOR_FIXED, .a = 4 };
    double got[3];

    (void)state;
    assert_int_equal(assay_prior_log(&prior, 3, got), ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "'fixed' leaves no number of topics"));
    assert_int_equal(assay_prior_log(&prior, 0, got), ASSAY_E_SHAPE);
    prior = (assay_prior){ .kind = ASSAY_PRIOR_TABLE, .table = bad, .n_table = 2 };
    assert_int_equal(assay_prior_log(&prior, 3, got), ASSAY_E_VALUE);
    assert_non_null(strstr(assay_last_error(), "-1 for 2 topics"));
    prior.table = none;
    assert_int_equal(assay_prior_log(&prior, 3, got), ASSAY_E_DEGENERATE);
    prior.kind = (assay_prior_kind)8;
    assert_int_equal(assay_prior_log(&prior, 3, got), ASSAY_E_VALUE);
}

/* Exact integers, fractions and pi, their logarithms at 50 digits by Python's decimal; that of
   Gamma(1e-5) by SciPy. The tolerance is of 1 + |value|. */
static void logarithms_of_gamma_and_beta_keep_their_digits(void **state)
{
    static const double gammas[][2] = {
        { 0.5, 0.572364942924700087 },  { 1.0, 0.0 },
        { 3.5, 1.2009736023470742248 }, { 171, 706.573062245787347 },
        { 1e-5, 11.512919692895826 },   { 10001, 82108.927836814353455 },
    };
    static const double betas[][3] = {
        { 1, 1, 0.0 },
        { 0.5, 0.5, 1.1447298858494001741 },
        { 2, 3, -2.4849066497880003102 },
        { 12, 0.25, 0.67466086486107067764 },
        { 1e6, 2, -27.631022115928048209 },
    };

    (void)state;
    for (size_t k = 0; k < 6; k++)
        assert_near("ln Gamma", assay_log_gamma(gammas[k][0]), gammas[k][1],
                    4e-15 * (1 + fabs(gammas[k][1])));
    for (size_t k = 0; k < 5; k++) {
        double want = betas[k][2], tolerance = 4e-15 * (1 + fabs(want));
        assert_near("ln B", assay_log_beta(betas[k][0], betas[k][1]), want, tolerance);
        assert_near("ln B", assay_log_beta(betas[k][1], betas[k][0]), want, tolerance);
    }
    assert_near("ln C(5, 2)", assay_log_choose(5, 2), log(10), 4e-15);
    assert_true(assay_log_choose(7, 0) == 0.0 && assay_log_choose(7, 7) == 0.0);
    assert_true(assay_log_sum_exp(NULL, 0) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_prior_has_the_vectors_probabilities),
        cmocka_unit_test(the_papers_tail_does_not_underflow),
        cmocka_unit_test(means_and_deviations_are_the_pages),
        cmocka_unit_test(small_priors_are_as_by_hand),
        cmocka_unit_test(texts_give_their_kinds_and_numbers),
        cmocka_unit_test(wrong_texts_are_refused_with_a_sentence),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(logarithms_of_gamma_and_beta_keep_their_digits),
    };

    return cmocka_run_group_tests_name("prior", tests, NULL, NULL);
}
