/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_PAIRS = 10, NAME_SIZE = 64 };

static const assay_linkage linkages[] = { ASSAY_LINKAGE_AVERAGE, ASSAY_LINKAGE_COMPLETE,
                                          ASSAY_LINKAGE_SINGLE };
static const char *const linkage_names[] = { "average", "complete", "single" };
enum { N_LINKAGES = 3, N_THRESHOLDS = 10 };

static double threshold_of(int i)
{
    return (50 + 5 * i) / 100.0;
}

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

/* The largest first; what has no correlation last, in the order of the columns. */
static int by_rho(const void *left, const void *right)
{
    const struct listed *x = left, *y = right;

    if (isnan(x->rho) != isnan(y->rho)) return isnan(x->rho) ? 1 : -1;
    if (x->rho != y->rho && !isnan(x->rho)) return x->rho > y->rho ? -1 : 1;
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
            *n_redundant += rho > suite->redundant ? 1 : 0;
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

/* The value, and its interval as wide as "-0.123 to -0.045". */
static void print_correlation(FILE *to, const assay_correlation *r)
{
    print_number(to, r->value);
    if (isnan(r->low))
        fprintf(to, "  %16s", "");
    else
        fprintf(to, "  %6.3f to %6.3f", r->low, r->high);
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

static void print_pair(FILE *to, const struct signals_suite *suite, const struct listed *listed,
                       int width)
{
    assay_pair pair = assay_redundancy_pair(suite->fit, listed->a, listed->b);
    char both[BOTH_SIZE];

    fprintf(to, "  %-*s", width, both_names(suite, listed, both));
    print_correlation(to, &pair.spearman);
    print_number(to, assay_composite_ceiling(pair.spearman.value));
    print_number(to, pair.pearson.value);
    print_number(to, assay_composite_ceiling(pair.pearson.value));
    if (suite->given) print_correlation(to, &pair.partial_spearman);
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
    size_t n, n_redundant, n_shown;
    int width = 16;
    struct listed *list = list_pairs(suite, &n, &n_redundant);

    fprintf(
        to,
        "pairs of columns that are redundant, with a Spearman correlation above %g: %zu of %zu\n",
        suite->redundant, n_redundant, n);
    if (suite->given)
        fprintf(to, "  partial: given %s, of the models that have it; %zu have none\n",
                suite->given, suite->n_without_given);
    n_shown = suite->pairs || suite->given ? n
              : n_redundant < SHOWN_PAIRS  ? n_redundant
                                           : SHOWN_PAIRS;
    for (size_t i = 0; list && i < n_shown; i++) {
        char both[BOTH_SIZE];
        int length = (int)strlen(both_names(suite, &list[i], both));

        if (length > width) width = length;
    }
    if (list && n_shown > 0) print_pair_heads(to, suite, width);
    for (size_t i = 0; list && i < n_shown; i++) print_pair(to, suite, &list[i], width);
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

/* How many groups there are at a threshold and linkage; 0 without memory. */
static size_t count_groups(const struct signals_suite *suite, assay_linkage linkage,
                           double threshold)
{
    size_t n = 0, *labels = malloc(assay_redundancy_n_columns(suite->fit) * sizeof *labels);

    if (!labels || assay_redundancy_groups(suite->fit, linkage, threshold, labels, &n) != ASSAY_OK)
        n = 0;
    free(labels);
    return n;
}

static void print_scan(FILE *to, const struct signals_suite *suite)
{
    fputs("  groups at r of at least", to);
    for (int i = 0; i < N_THRESHOLDS; i++) fprintf(to, " %5.2f", threshold_of(i));
    putc('\n', to);
    for (int l = 0; l < N_LINKAGES; l++) {
        fprintf(to, "  %-23s", linkage_names[l]);
        for (int i = 0; i < N_THRESHOLDS; i++)
            fprintf(to, " %5zu", count_groups(suite, linkages[l], threshold_of(i)));
        putc('\n', to);
    }
}

static void print_groups(FILE *to, const struct signals_suite *suite)
{
    size_t t = assay_redundancy_n_columns(suite->fit), n_alone = 0;
    size_t *members = malloc(2 * t * sizeof *members), *alone = members ? members + t : NULL;

    fprintf(to, "groups of columns, by 1 - Pearson, %s linkage, r at least %g: %zu of %zu\n",
            linkage_names[suite->linkage], suite->group_threshold, suite->n_groups, t);
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

static void print_admissions(FILE *to, const struct signals_suite *suite)
{
    fprintf(to, "admission: |Spearman| with every other column below %g\n", suite->admit_below);
    for (size_t i = 0; i < suite->n_admissions; i++) {
        const struct signals_admission *one = &suite->admissions[i];
        assay_correlation rho = one->answer.spearman;
        char name[NAME_SIZE], nearest[NAME_SIZE];

        fprintf(to, "  %-34s", safe_name(suite->matrix, one->column, name));
        if (one->answer.reason) {
            fprintf(to, " not admitted (%s)\n", one->answer.reason);
            continue;
        }
        fprintf(to, " %-12s nearest %s", one->answer.admitted ? "admitted" : "not admitted",
                safe_name(suite->matrix, one->answer.nearest, nearest));
        print_correlation(to, &rho);
        if (fmin(fabs(rho.low), fabs(rho.high)) < suite->admit_below &&
            fmax(fabs(rho.low), fabs(rho.high)) >= suite->admit_below)
            fputs("   not certain: its interval has the limit within", to);
        putc('\n', to);
    }
    putc('\n', to);
}

void print_signals_suite(FILE *to, const struct signals_suite *suite)
{
    if (!suite->fit || !suite->in_table) return;
    if (suite->admit) print_admissions(to, suite);
    print_pairs(to, suite);
    print_groups(to, suite);
}

/* ---- JSON ---- */

static void json_key_text(assay_json *json, const char *key, const char *text)
{
    assay_json_key(json, key);
    assay_json_text(json, text);
}

static void json_key_count(assay_json *json, const char *key, size_t n)
{
    assay_json_key(json, key);
    assay_json_count(json, n);
}

static void json_key_number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

/* "<name>": value, "<name>_interval": [low, high], and why one of them is null. */
static void json_correlation(assay_json *json, const char *name, const assay_correlation *r)
{
    char key[64];

    json_key_number(json, name, r->value);
    snprintf(key, sizeof key, "%s_interval", name);
    assay_json_key(json, key);
    if (isnan(r->low)) {
        assay_json_null(json);
    } else {
        assay_json_begin_array_in_line(json);
        assay_json_number(json, r->low);
        assay_json_number(json, r->high);
        assay_json_end_array(json);
    }
    if (!r->reason) return;
    snprintf(key, sizeof key, isnan(r->value) ? "%s_reason" : "%s_interval_reason", name);
    json_key_text(json, key, r->reason);
}

static void json_pair(assay_json *json, const struct signals_suite *suite, size_t a, size_t b)
{
    assay_pair pair = assay_redundancy_pair(suite->fit, a, b);

    assay_json_begin_object(json);
    json_key_text(json, "a", assay_matrix_item(suite->matrix, a));
    json_key_text(json, "b", assay_matrix_item(suite->matrix, b));
    json_key_count(json, "n", pair.n);
    json_correlation(json, "pearson", &pair.pearson);
    json_correlation(json, "spearman", &pair.spearman);
    if (suite->given) {
        json_key_count(json, "partial_n", pair.n_given);
        json_correlation(json, "partial_pearson", &pair.partial_pearson);
        json_correlation(json, "partial_spearman", &pair.partial_spearman);
    }
    json_key_number(json, "ceiling", assay_composite_ceiling(pair.pearson.value));
    json_key_number(json, "ceiling_spearman", assay_composite_ceiling(pair.spearman.value));
    assay_json_key(json, "redundant");
    assay_json_bool(json, pair.spearman.value > suite->redundant);
    assay_json_end_object(json);
}

static void json_pairs(assay_json *json, const struct signals_suite *suite)
{
    enum { MOST_COLUMNS = 200 };
    size_t t = assay_redundancy_n_columns(suite->fit), n_left_out = 0;

    assay_json_key(json, "pairs");
    assay_json_begin_array(json);
    for (size_t a = 0; a < t; a++) {
        for (size_t b = a + 1; b < t; b++) {
            if (t > MOST_COLUMNS &&
                !(assay_redundancy_pair(suite->fit, a, b).spearman.value > suite->redundant))
                n_left_out++;
            else
                json_pair(json, suite, a, b);
        }
    }
    assay_json_end_array(json);
    json_key_count(json, "pairs_left_out", n_left_out);
    if (t > MOST_COLUMNS)
        json_key_text(json, "pairs_left_out_reason", "more than 200 columns: redundant pairs only");
    json_key_number(json, "redundant_above", suite->redundant);
    json_key_count(json, "resamples", assay_redundancy_resamples(suite->fit));
}

static void json_groups(assay_json *json, const struct signals_suite *suite)
{
    assay_json_key(json, "groups");
    assay_json_begin_array(json);
    for (size_t g = 0; g < suite->n_groups; g++) {
        assay_json_begin_array_in_line(json);
        for (size_t c = 0; c < assay_redundancy_n_columns(suite->fit); c++)
            if (suite->labels[c] == g) assay_json_text(json, assay_matrix_item(suite->matrix, c));
        assay_json_end_array(json);
    }
    assay_json_end_array(json);
    json_key_number(json, "group_threshold", suite->group_threshold);
    json_key_text(json, "group_linkage", linkage_names[suite->linkage]);
    assay_json_key(json, "groups_scan");
    assay_json_begin_array(json);
    for (int i = 0; i < N_THRESHOLDS; i++) {
        assay_json_begin_object(json);
        json_key_number(json, "threshold", threshold_of(i));
        for (int l = 0; l < N_LINKAGES; l++)
            json_key_count(json, linkage_names[l],
                           count_groups(suite, linkages[l], threshold_of(i)));
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

static void json_admissions(assay_json *json, const struct signals_suite *suite)
{
    assay_json_key(json, "admission");
    assay_json_begin_array(json);
    for (size_t i = 0; i < suite->n_admissions; i++) {
        const struct signals_admission *one = &suite->admissions[i];
        const char *nearest = assay_matrix_item(suite->matrix, one->answer.nearest);

        assay_json_begin_object(json);
        json_key_text(json, "column", assay_matrix_item(suite->matrix, one->column));
        assay_json_key(json, "admitted");
        assay_json_bool(json, one->answer.admitted);
        if (one->answer.reason) json_key_text(json, "admitted_reason", one->answer.reason);
        json_key_text(json, "nearest", one->answer.reason ? NULL : nearest);
        json_correlation(json, "spearman", &one->answer.spearman);
        json_key_number(json, "below", suite->admit_below);
        json_key_count(json, "others", one->answer.n_others);
        json_key_count(json, "others_without_correlation", one->answer.n_unknown);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

void json_signals_suite(assay_json *json, const struct signals_suite *suite)
{
    if (!suite->fit) {
        assay_json_key(json, "pairs");
        assay_json_null(json);
        json_key_text(json, "pairs_reason", suite->reason);
        assay_json_key(json, "groups");
        assay_json_null(json);
        json_key_text(json, "groups_reason", suite->reason);
        return;
    }
    if (suite->given) {
        assay_json_key(json, "given");
        assay_json_begin_object(json);
        json_key_text(json, "covariate", suite->given_name);
        assay_json_key(json, "log");
        assay_json_bool(json, suite->as_log);
        json_key_count(json, "models_without", suite->n_without_given);
        assay_json_end_object(json);
    }
    json_pairs(json, suite);
    json_groups(json, suite);
    if (suite->admit) json_admissions(json, suite);
}
