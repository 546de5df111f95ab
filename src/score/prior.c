/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/score.h"

#include "core/error.h"
#include "core/number.h"
#include "stats/log_beta.h"

#include <math.h>
#include <string.h>

/* One row a kind: its name, how many numbers follow it, and what they are when left out. */
static const struct kind {
    const char *name;
    int n_numbers;
    double defaults[2];
    int needs_numbers;
} kinds[] = {
    [ASSAY_PRIOR_PAPER] = { "paper", 0, { 0.0, 0.0 }, 0 },
    [ASSAY_PRIOR_UNIFORM] = { "uniform", 0, { 0.0, 0.0 }, 0 },
    [ASSAY_PRIOR_BINOMIAL] = { "binom", 1, { 0.5, 0.0 }, 0 },
    [ASSAY_PRIOR_POISSON] = { "poisson", 1, { 0.0, 0.0 }, 0 },
    [ASSAY_PRIOR_BETA_BINOMIAL] = { "betabinom", 2, { 1.0, 1.0 }, 0 },
    [ASSAY_PRIOR_GEOMETRIC] = { "geom", 1, { 0.9, 0.0 }, 0 },
    [ASSAY_PRIOR_FIXED] = { "fixed", 1, { 0.0, 0.0 }, 1 },
    [ASSAY_PRIOR_TABLE] = { "table", 0, { 0.0, 0.0 }, 0 },
};

static assay_status check(const assay_prior *prior);
static double log_weight(const assay_prior *prior, size_t n, size_t s);
static double log_binomial(double count, double q, double k);
static double paper_tail(size_t n);
static assay_status parse_numbers(const char *text, const char *numbers, const struct kind *kind,
                                  assay_prior *prior);

assay_status assay_prior_log(const assay_prior *prior, size_t n, double *log_prior)
{
    assay_status status = check(prior);
    double total;

    if (status != ASSAY_OK) return status;
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "a prior on the topics of no prompts");
    for (size_t s = 1; s <= n; s++) log_prior[s - 1] = log_weight(prior, n, s);
    total = assay_log_sum_exp(log_prior, n);
    if (!(total > -INFINITY))
        return assay_fail(ASSAY_E_DEGENERATE,
                          "the prior '%s' leaves no number of topics possible with %zu prompts",
                          kinds[prior->kind].name, n);
    for (size_t s = 0; s < n; s++) log_prior[s] -= total;
    return ASSAY_OK;
}

const char *assay_prior_name(assay_prior_kind kind)
{
    return (unsigned)kind < sizeof kinds / sizeof *kinds ? kinds[kind].name : "";
}

assay_status assay_prior_parse(const char *text, assay_prior *out)
{
    size_t length = strcspn(text, ":");
    assay_prior prior = { 0 };
    assay_status status;

    for (unsigned k = 0; k < ASSAY_PRIOR_TABLE; k++) {
        if (strlen(kinds[k].name) != length || memcmp(kinds[k].name, text, length) != 0) continue;
        prior.kind = (assay_prior_kind)k;
        prior.a = kinds[k].defaults[0];
        prior.b = kinds[k].defaults[1];
        if (text[length] || kinds[k].needs_numbers) {
            status = parse_numbers(text, text + length, &kinds[k], &prior);
            if (status != ASSAY_OK) return status;
        }
        if ((status = check(&prior)) != ASSAY_OK) return status;
        *out = prior;
        return ASSAY_OK;
    }
    return assay_fail(ASSAY_E_VALUE,
                      "prior '%s' is not known, expected paper, uniform, binom, poisson, "
                      "betabinom, geom or fixed",
                      text);
}

/* ":1,2", as many numbers as the kind has. */
static assay_status parse_numbers(const char *text, const char *numbers, const struct kind *kind,
                                  assay_prior *prior)
{
    double *const to[2] = { &prior->a, &prior->b };
    const char *at = numbers;

    for (int i = 0; i < kind->n_numbers && *at; i++) {
        size_t length = strcspn(at + 1, ",");
        if (assay_number_parse(at + 1, length, to[i]) != 0) break;
        at += 1 + length;
        if (i + 1 == kind->n_numbers && !*at) return ASSAY_OK;
    }
    return assay_fail(ASSAY_E_VALUE, "prior '%s': expected %s%s", text, kind->name,
                      kind->n_numbers == 0   ? " alone"
                      : kind->n_numbers == 1 ? ":NUMBER"
                                             : ":NUMBER,NUMBER");
}

static assay_status check(const assay_prior *prior)
{
    double a = prior->a, b = prior->b;

    if ((unsigned)prior->kind >= sizeof kinds / sizeof *kinds)
        return assay_fail(ASSAY_E_VALUE, "prior %d is not known", (int)prior->kind);
    if (prior->kind == ASSAY_PRIOR_BINOMIAL && !(a > 0.0 && a < 1.0))
        return assay_fail(ASSAY_E_VALUE, "prior binom:%g, expected between 0 and 1", a);
    if (prior->kind == ASSAY_PRIOR_POISSON && !(a >= 0.0 && isfinite(a)))
        return assay_fail(ASSAY_E_VALUE, "prior poisson:%g, expected above 0", a);
    if (prior->kind == ASSAY_PRIOR_BETA_BINOMIAL && !(a > 0.0 && b > 0.0 && isfinite(a + b)))
        return assay_fail(ASSAY_E_VALUE, "prior betabinom:%g,%g, expected both above 0", a, b);
    if (prior->kind == ASSAY_PRIOR_GEOMETRIC && !(a > 0.0 && isfinite(a)))
        return assay_fail(ASSAY_E_VALUE, "prior geom:%g, expected above 0", a);
    if (prior->kind == ASSAY_PRIOR_FIXED && !(a >= 1.0 && a < 0x1p53 && a == floor(a)))
        return assay_fail(ASSAY_E_VALUE, "prior fixed:%g, expected a number of topics", a);
    if (prior->kind != ASSAY_PRIOR_TABLE) return ASSAY_OK;
    for (size_t s = 0; s < prior->n_table; s++)
        if (!(prior->table[s] >= 0.0 && isfinite(prior->table[s])))
            return assay_fail(ASSAY_E_VALUE, "prior table: %g for %zu topics, expected 0 or more",
                              prior->table[s], s + 1);
    return ASSAY_OK;
}

/* ln pi(s) up to a constant. */
static double log_weight(const assay_prior *prior, size_t n, size_t s)
{
    double a = prior->a, b = prior->b, before = (double)s - 1.0, after = (double)(n - s);

    switch (prior->kind) {
    case ASSAY_PRIOR_PAPER:
        return s < n ? log_binomial(50.0 * (double)n, 0.01, before) : paper_tail(n);
    case ASSAY_PRIOR_BINOMIAL: return log_binomial((double)n - 1.0, a, before);
    case ASSAY_PRIOR_POISSON:
        return before * log(a > 0.0 ? a : 0.5 * (double)n) - assay_log_gamma((double)s);
    case ASSAY_PRIOR_BETA_BINOMIAL:
        return assay_log_choose((double)n - 1.0, before) + assay_log_beta(before + a, after + b);
    case ASSAY_PRIOR_GEOMETRIC: return (double)s * log(a);
    case ASSAY_PRIOR_FIXED: return (double)s == a ? 0.0 : -INFINITY;
    case ASSAY_PRIOR_TABLE: return s <= prior->n_table ? log(prior->table[s - 1]) : -INFINITY;
    default: return 0.0;
    }
}

static double log_binomial(double count, double q, double k)
{
    return assay_log_choose(count, k) + k * log(q) + (count - k) * log1p(-q);
}

/* ln P(B >= n - 1) of B ~ Binomial(50 n, 0.01), added up in logarithms: the probability itself
   underflows for large n. Beyond the mean the terms fall, until they no longer matter. */
static double paper_tail(size_t n)
{
    double count = 50.0 * (double)n, first = log_binomial(count, 0.01, (double)n - 1.0), sum = 0.0;

    for (double k = (double)n - 1.0; k <= count; k += 1.0) {
        double term = exp(log_binomial(count, 0.01, k) - first);
        sum += term;
        if (k > 0.01 * count && term < 1e-18 * sum) break;
    }
    return first + log(sum);
}
