/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_PAIRS = 10, MANY_PAIRS = 100, NAME_SIZE = 64 };

static char *safe_name(const assay_matrix *matrix, size_t column, char out[NAME_SIZE])
{
    const char *name = assay_matrix_item(matrix, column);

    return assay_printable(out, NAME_SIZE, name, strlen(name));
}

void print_signals_names(FILE *to, const assay_matrix *matrix, const size_t *columns, size_t n)
{
    enum { WIDTH = 100 };
    size_t at = WIDTH + 1;

    for (size_t i = 0; i < n; i++) {
        char safe[NAME_SIZE];
        size_t length = strlen(safe_name(matrix, columns[i], safe));

        if (at + length + 2 > WIDTH) {
            fputs(i ? "\n  " : "  ", to);
            at = 2;
        } else {
            putc(' ', to);
            at++;
        }
        at += (size_t)fprintf(to, "%s%s", safe, i + 1 < n ? "," : "");
    }
    putc('\n', to);
}

/* ---- pairs ---- */

struct listed {
    size_t a, b;
    double rho;
};

/* The largest by size first; what has no correlation last, in the order of the columns. */
static int by_rho(const void *left, const void *right)
{
    const struct listed *x = left, *y = right;

    if (isnan(x->rho) != isnan(y->rho)) return isnan(x->rho) ? 1 : -1;
    if (fabs(x->rho) != fabs(y->rho) && !isnan(x->rho)) return fabs(x->rho) > fabs(y->rho) ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* All pairs in that order, for free(), and how many are redundant; NULL without memory. */
static struct listed *list_pairs(const struct signals_suite *suite, size_t *n, size_t *n_redundant)
{
    size_t t = assay_redundancy_n_columns(suite->fit);
    struct listed *list = calloc(t * (t - 1) / 2 + 1, sizeof *list);

    *n = *n_redundant = 0;
    for (size_t a = 0; list && a < t; a++) {
        for (size_t b = a + 1; b < t; b++) {
            double rho = assay_redundancy_pair(suite->fit, a, b).spearman.value;

            list[(*n)++] = (struct listed){ a, b, rho };
            *n_redundant += signals_is_redundant(suite, rho) ? 1 : 0;
        }
    }
    if (list) qsort(list, *n, sizeof *list, by_rho);
    return list;
}

static void print_number(FILE *to, double value)
{
    if (isnan(value))
        fprintf(to, " %9s", "-");
    else
        fprintf(to, " %9.3f", value);
}

/* The value and its interval; padded where more follows on the line. */
static void print_correlation(FILE *to, const assay_correlation *r, int more)
{
    char interval[32] = "";

    if (!isnan(r->low)) snprintf(interval, sizeof interval, "  %.3f to %.3f", r->low, r->high);
    print_number(to, r->value);
    if (more || interval[0]) fprintf(to, "%-*s", more ? 18 : 0, interval);
}

/* "A x B". */
enum { BOTH_SIZE = 2 * NAME_SIZE + 4 };
static char *both_names(const struct signals_suite *suite, const struct listed *listed,
                        char out[BOTH_SIZE])
{
    char a[NAME_SIZE], b[NAME_SIZE];

    snprintf(out, BOTH_SIZE, "%s x %s", safe_name(suite->matrix, listed->a, a),
             safe_name(suite->matrix, listed->b, b));
    return out;
}

/* One column counts what the other does, the other way round. */
static int is_opposite(const struct signals_suite *suite, double rho)
{
    return rho < 0.0 && signals_is_redundant(suite, rho);
}

static void print_pair(FILE *to, const struct signals_suite *suite, const struct listed *listed,
                       int width)
{
    assay_pair pair = assay_redundancy_pair(suite->fit, listed->a, listed->b);
    char both[BOTH_SIZE];

    fprintf(to, "  %-*s", width, both_names(suite, listed, both));
    print_correlation(to, &pair.spearman, 1);
    print_number(to, assay_composite_ceiling(pair.spearman.value));
    print_number(to, pair.pearson.value);
    print_number(to, assay_composite_ceiling(pair.pearson.value));
    if (suite->given) print_correlation(to, &pair.partial_spearman, 0);
    if (is_opposite(suite, listed->rho)) fputs("   opposite", to);
    putc('\n', to);
}

static void print_pair_heads(FILE *to, const struct signals_suite *suite, int width)
{
    char interval[32];

    snprintf(interval, sizeof interval, "%g %% interval", 100.0 * suite->level);
    fprintf(to, "  %-*s %9s  %-16s %9s %9s %9s%s\n", width, "", "Spearman", interval, "ceiling",
            "Pearson", "ceiling", suite->given ? "   partial (Spearman)" : "");
}

static void print_pairs(FILE *to, const struct signals_suite *suite)
{
    size_t n, n_redundant, n_shown, n_opposite = 0;
    int width = 16;
    struct listed *list = list_pairs(suite, &n, &n_redundant);

    fprintf(
        to,
        "pairs of columns that are redundant, with a |Spearman| correlation above %g: %zu of %zu\n",
        suite->redundant, n_redundant, n);
    if (suite->given)
        fprintf(to, "  partial: given %s; models without it, left out of these: %zu\n",
                suite->given, suite->n_without_given);
    n_shown = suite->pairs || (suite->given && n <= MANY_PAIRS) ? n
              : n_redundant < SHOWN_PAIRS                       ? n_redundant
                                                                : SHOWN_PAIRS;
    for (size_t i = 0; list && i < n_shown; i++) {
        char both[BOTH_SIZE];
        int length = (int)strlen(both_names(suite, &list[i], both));

        if (length > width) width = length;
    }
    if (list && n_shown > 0) print_pair_heads(to, suite, width);
    for (size_t i = 0; list && i < n_shown; i++) print_pair(to, suite, &list[i], width);
    for (size_t i = 0; list && i < n_shown; i++)
        n_opposite += is_opposite(suite, list[i].rho) ? 1 : 0;
    if (n_opposite)
        fputs(
            "  opposite: one is the other turned round, as an error rate is; turn one before they\n"
            "  are averaged\n",
            to);
    if (n_shown < n_redundant) fprintf(to, "  and %zu more: --pairs\n", n_redundant - n_shown);
    if (assay_redundancy_no_resamples(suite->fit) && n_shown > 0)
        fprintf(to, "  no intervals: %s\n", assay_redundancy_no_resamples(suite->fit));
    putc('\n', to);
    free(list);
}

/* ---- groups ---- */

/* The columns of one group, in order. */
static size_t members_of(const struct signals_suite *suite, size_t group, size_t *members)
{
    size_t n = 0;

    for (size_t c = 0; c < assay_redundancy_n_columns(suite->fit); c++)
        if (suite->labels[c] == group) members[n++] = c;
    return n;
}

static void print_scan(FILE *to, const struct signals_suite *suite)
{
    fputs("  groups at r of at least", to);
    for (int i = 0; i < SIGNALS_N_THRESHOLDS; i++) fprintf(to, " %5.2f", signals_threshold(i));
    putc('\n', to);
    for (int l = 0; l < SIGNALS_N_LINKAGES; l++) {
        fprintf(to, "  %-23s", signals_linkage_names[l]);
        for (int i = 0; i < SIGNALS_N_THRESHOLDS; i++) fprintf(to, " %5zu", suite->scan[i][l]);
        putc('\n', to);
    }
}

static void print_groups(FILE *to, const struct signals_suite *suite)
{
    size_t t = assay_redundancy_n_columns(suite->fit), n_alone = 0;
    size_t *members = malloc(2 * t * sizeof *members), *alone = members ? members + t : NULL;

    fprintf(to, "groups of columns, by 1 - Pearson, %s linkage, r at least %g: %zu of %zu\n",
            signals_linkage_names[suite->linkage], suite->group_threshold, suite->n_groups, t);
    for (size_t g = 0; members && g < suite->n_groups; g++) {
        size_t n = members_of(suite, g, members);

        if (n > 1) print_signals_names(to, suite->matrix, members, n);
        if (n == 1) alone[n_alone++] = members[0];
    }
    if (n_alone > 0) {
        fputs("  alone:\n", to);
        print_signals_names(to, suite->matrix, alone, n_alone);
    }
    if (suite->groups) print_scan(to, suite);
    putc('\n', to);
    free(members);
}

/* ---- admission ---- */

/* Of the longest names. */
struct admission_widths {
    int column, nearest;
};

static struct admission_widths measure_admissions(const struct signals_suite *suite)
{
    struct admission_widths width = { 0, 0 };
    char name[NAME_SIZE];

    for (size_t i = 0; i < suite->n_admissions; i++) {
        const struct signals_admission *one = &suite->admissions[i];
        int column = (int)strlen(safe_name(suite->matrix, one->column, name)), nearest = 0;

        if (!one->answer.reason)
            nearest = (int)strlen(safe_name(suite->matrix, one->answer.nearest, name));
        if (column > width.column) width.column = column;
        if (nearest > width.nearest) width.nearest = nearest;
    }
    return width;
}

/* A flat answer only where the interval gives one; else what the value alone says, and why it is
   not enough. */
static void print_admission(FILE *to, const struct signals_suite *suite,
                            const struct signals_admission *one, struct admission_widths width)
{
    const assay_admission *answer = &one->answer;
    assay_finding finding = signals_admission_finding(suite, one);
    char name[NAME_SIZE], nearest[NAME_SIZE];

    fprintf(to, "  %-*s  ", width.column, safe_name(suite->matrix, one->column, name));
    if (answer->reason) {
        fprintf(to, "undecided (%s)\n", answer->reason);
        return;
    }
    fprintf(to, "%-12s  nearest %-*s",
            finding == ASSAY_FINDING_BELOW   ? "admitted"
            : finding == ASSAY_FINDING_ABOVE ? "not admitted"
                                             : "undecided",
            width.nearest, safe_name(suite->matrix, answer->nearest, nearest));
    print_correlation(to, &answer->spearman, 1);
    fprintf(to, "   %zu models", answer->n_models);
    if (finding == ASSAY_FINDING_UNDECIDED)
        fprintf(to, "\n    by its value alone %sadmitted, but %s%s", answer->admitted ? "" : "not ",
                isnan(answer->spearman.low) ? "there is no interval: "
                                            : "the interval has the limit within",
                isnan(answer->spearman.low) ? answer->spearman.reason : "");
    putc('\n', to);
}

static void print_admissions(FILE *to, const struct signals_suite *suite)
{
    const struct admission_widths width = measure_admissions(suite);

    fprintf(to, "admission: |Spearman| with every other column below %g\n", suite->admit_below);
    if (suite->admits_file)
        fprintf(to, "  models of the file that are in the suite: %zu of %zu; of the suite's: %zu\n",
                suite->n_matched, suite->n_models_of_file, suite->n_models);
    for (size_t i = 0; i < suite->n_admissions; i++)
        print_admission(to, suite, &suite->admissions[i], width);
    putc('\n', to);
}

void print_signals_suite(FILE *to, const struct signals_suite *suite)
{
    if (!suite->fit || !suite->in_table) return;
    if (suite->admit) print_admissions(to, suite);
    print_pairs(to, suite);
    print_groups(to, suite);
}
