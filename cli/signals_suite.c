/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_suite.h"

#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Up to so many columns it is always found, in about a second at the most. */
enum { MOST_UNASKED = 60 };

static const char one_column[] = "there is one column";
static const char not_asked[] = "more than 60 columns: --pairs or --groups estimates it";

const char *const signals_linkage_names[SIGNALS_N_LINKAGES] = { "average", "complete", "single" };

double signals_threshold(int i)
{
    return (50 + 5 * i) / 100.0;
}

void signals_suite_options(struct signals_suite *suite, struct cli_option options[SIGNALS_N_SUITE])
{
    assay_redundancy_options defaults;
    const struct cli_option all[SIGNALS_N_SUITE] = {
        { "pairs", 0, CLI_FLAG, &suite->pairs, NULL,
          "correlations of all pairs of columns, up to 1,000 columns" },
        { "redundant", 0, CLI_REAL, &suite->redundant, "R",
          "a pair is redundant when its |Spearman| correlation is above R" },
        { "given", 0, CLI_TEXT, &suite->given, "COLUMN",
          "partial correlations given this covariate of the models, or log(COLUMN)" },
        { "groups", 0, CLI_FLAG, &suite->groups, NULL,
          "groups of columns at other thresholds and linkages too" },
        { "group-threshold", 0, CLI_REAL, &suite->group_threshold, "R",
          "columns of a group correlate at least so (Pearson)" },
        { "group-linkage", 0, CLI_CHOICE, &suite->linkage, "average|complete|single",
          "how groups are merged" },
        { "admit", 0, CLI_TEXT, &suite->admit, "COLUMN[,COLUMN]|FILE",
          "whether these columns, or those of this file, add something to the others" },
        { "admit-below", 0, CLI_REAL, &suite->admit_below, "R",
          "admitted when the largest |Spearman| with the others is below R" },
        { "resamples", 0, CLI_INTEGER, &suite->resamples, "N",
          "of the models, behind intervals of correlations; 0 none, -1 by the size" },
    };

    assay_redundancy_options_init(&defaults, sizeof defaults);
    *suite = (struct signals_suite){ .redundant = 0.9,
                                     .admit_below = 0.7,
                                     .group_threshold = 0.7,
                                     .resamples = defaults.resamples };
    memcpy(options, all, sizeof all);
}

/* ---- the covariate ---- */

/* "log(NAME)" is NAME, by its logarithm. */
static assay_status name_covariate(struct signals_suite *suite)
{
    size_t length = strlen(suite->given);

    suite->as_log =
        length > 5 && strncmp(suite->given, "log(", 4) == 0 && suite->given[length - 1] == ')';
    suite->given_name =
        suite->as_log ? strndup(suite->given + 4, length - 5) : strdup(suite->given);
    return suite->given_name ? ASSAY_OK : cli_no_memory();
}

/* Whether one of the names between commas is this. */
static int lists(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0) return 1;
    return 0;
}

static assay_status drop_covariate(struct signals_suite *suite, struct cli_reading *reading)
{
    const char *drop = reading->read.drop;
    size_t size;

    if (lists(drop, suite->given_name)) return ASSAY_OK;
    size = strlen(suite->given_name) + (drop ? strlen(drop) : 0) + 2;
    if (!(suite->drop = malloc(size))) return cli_no_memory();
    snprintf(suite->drop, size, "%s%s%s", drop ? drop : "", drop && *drop ? "," : "",
             suite->given_name);
    /* That it is not there is said of --given, not of --drop. */
    suite->dropped = drop;
    reading->read.drop = suite->drop;
    reading->read.drop_met = &suite->drop_met;
    return ASSAY_OK;
}

assay_status signals_suite_check_dropped(const struct signals_suite *suite)
{
    return suite->drop ? assay_read_drop_check(suite->dropped, suite->drop_met) : ASSAY_OK;
}

const char *signals_suite_unused(const struct signals_suite *suite, int is_json)
{
    if (suite->in_table || (is_json && suite->fit)) return NULL;
    if (cli_was_said(&suite->redundant)) return "redundant";
    if (cli_was_said(&suite->resamples)) return "resamples";
    if (cli_was_said(&suite->group_threshold)) return "group-threshold";
    return cli_was_said(&suite->linkage) ? "group-linkage" : NULL;
}

assay_status signals_suite_check(struct signals_suite *suite, struct cli_reading *reading)
{
    const struct {
        const char *option;
        double value, least;
    } limits[] = { { "redundant", suite->redundant, 0.0 },
                   { "group-threshold", suite->group_threshold, -1.0 },
                   { "admit-below", suite->admit_below, 0.0 } };
    assay_redundancy_options options;
    assay_status status;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!(limits[i].value >= limits[i].least && limits[i].value <= 1.0))
            return cli_fail(ASSAY_E_VALUE, "--%s is %g, expected %g to 1", limits[i].option,
                            limits[i].value, limits[i].least);
    if (!suite->admit && cli_was_said(&suite->admit_below))
        return cli_fail(ASSAY_E_VALUE, "--admit-below is for --admit");
    assay_redundancy_options_init(&options, sizeof options);
    options.resamples = suite->resamples;
    if ((status = assay_redundancy_options_check(&options)) != ASSAY_OK || !suite->given)
        return status;
    status = name_covariate(suite);
    return status == ASSAY_OK ? drop_covariate(suite, reading) : status;
}

static assay_status no_covariate(const struct signals_suite *suite, const assay_results *results)
{
    char names[400] = "";
    size_t n = assay_results_n_covariates(results), used = 0;

    for (size_t c = 0; c < n && used < sizeof names; c++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", c ? ", " : "",
                                 assay_results_covariate(results, c));
    return cli_fail(ASSAY_E_VALUE, "--given %s: no column of the models is called so; %s%s",
                    suite->given_name, n ? "there are: " : "the input has none beside its items",
                    names);
}

static assay_status read_covariate(struct signals_suite *suite, const assay_results *results,
                                   double **covariate)
{
    size_t c = 0, n = assay_results_n_covariates(results);

    while (c < n && strcmp(assay_results_covariate(results, c), suite->given_name) != 0) c++;
    if (c == n) return no_covariate(suite, results);
    *covariate = malloc((assay_matrix_n_models(suite->matrix) + 1) * sizeof **covariate);
    if (!*covariate) return cli_no_memory();
    return assay_redundancy_covariate(results, suite->matrix, c, suite->as_log, *covariate,
                                      &suite->n_without_given);
}

/* ---- admission ---- */

static void print_matched(const struct signals_suite *suite)
{
    char path[300];

    fprintf(stderr,
            "assay: --admit %s: %zu of its %zu models %s among the suite's %zu; only %s used\n",
            assay_printable(path, sizeof path, suite->admit, strlen(suite->admit)),
            suite->n_matched, suite->n_models_of_file, suite->n_matched == 1 ? "is" : "are",
            suite->n_models, suite->n_matched == 1 ? "it is" : "these are");
}

/* Only the suite's models count: others would be rows without a score of the suite. */
static assay_status join_file(struct signals_suite *suite, const assay_results *offered, int quiet,
                              assay_results *results)
{
    size_t note = assay_results_n_notes(results);
    assay_status status;

    suite->n_models = assay_results_n_models(results);
    suite->n_models_of_file = assay_results_n_models(offered);
    status = assay_results_join(results, offered, &suite->n_matched);
    if (status == ASSAY_E_SHAPE || status == ASSAY_E_CONFLICT)
        return cli_fail(status, "--admit %s: %s", suite->admit, assay_last_error());
    if (status != ASSAY_OK || quiet) return status;
    for (; note < assay_results_n_notes(results); note++)
        fprintf(stderr, "assay: %s\n", assay_results_note(results, note));
    print_matched(suite);
    return ASSAY_OK;
}

assay_status signals_suite_read(struct signals_suite *suite, const struct cli_common *common,
                                const struct cli_reading *reading, assay_results *results)
{
    assay_read_options options = reading->read;
    assay_results *offered = NULL;
    assay_status status;

    suite->admits_file = suite->admit && access(suite->admit, R_OK) == 0;
    suite->first_of_file = assay_results_n_items(results);
    if (!suite->admits_file) return ASSAY_OK;
    options.drop = options.columns = NULL; /* they are about the suite's columns */
    status = assay_results_new(common->force, &offered);
    if (status == ASSAY_OK) status = assay_read(offered, suite->admit, &options);
    if (status == ASSAY_OK) {
        cli_progress_done();
        status = join_file(suite, offered, common->quiet, results);
    }
    assay_results_free(offered);
    if (status != ASSAY_OK || assay_results_n_items(results) > suite->first_of_file) return status;
    return cli_fail(ASSAY_E_SHAPE, "--admit: %s has no column that is not in the suite already",
                    suite->admit);
}

/* The columns that came with the file. */
static assay_status list_of_file(struct signals_suite *suite)
{
    for (size_t i = 0; i < assay_matrix_n_items(suite->matrix); i++)
        if (assay_matrix_item_source(suite->matrix, i) >= suite->first_of_file)
            suite->admissions[suite->n_admissions++].column = i;
    if (suite->n_admissions > 0) return ASSAY_OK;
    return cli_fail(ASSAY_E_SHAPE, "--admit: %s has no score", suite->admit);
}

static size_t find_column(const assay_matrix *matrix, const char *name, size_t length)
{
    size_t i = 0, n = assay_matrix_n_items(matrix);

    while (i < n && (strlen(assay_matrix_item(matrix, i)) != length ||
                     strncmp(assay_matrix_item(matrix, i), name, length) != 0))
        i++;
    return i;
}

static assay_status no_candidate(const struct signals_suite *suite, const char *name, size_t length)
{
    char names[400] = "";
    size_t n = assay_matrix_n_items(suite->matrix), used = 0;

    for (size_t i = 0; i < n && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 assay_matrix_item(suite->matrix, i));
    return cli_fail(
        ASSAY_E_VALUE, "--admit: no column, and no file, is called \"%.*s\"; there are: %s%s",
        (int)(length < 80 ? length : 80), name, names, used < sizeof names ? "" : "...");
}

/* The columns named in one list; a name that is the whole list may have commas. */
static assay_status list_candidates(struct signals_suite *suite)
{
    size_t n = assay_matrix_n_items(suite->matrix);
    const char *at = suite->admit;

    suite->admissions = calloc(n, sizeof *suite->admissions);
    if (!suite->admissions) return cli_no_memory();
    if (suite->admits_file) return list_of_file(suite);
    while (at) {
        size_t length = strcspn(at, ","), column;

        if (at == suite->admit && find_column(suite->matrix, at, strlen(at)) < n)
            length = strlen(at);
        column = find_column(suite->matrix, at, length);
        if (column == n) return no_candidate(suite, at, length);
        for (size_t i = 0; i < suite->n_admissions; i++)
            if (suite->admissions[i].column == column)
                return cli_fail(ASSAY_E_VALUE, "--admit names \"%.*s\" twice",
                                (int)(length < 80 ? length : 80), at);
        suite->admissions[suite->n_admissions++].column = column;
        at = at[length] ? at + length + 1 : NULL;
    }
    return ASSAY_OK;
}

/* Each is compared with the columns that do not ask. */
static assay_status admit(struct signals_suite *suite)
{
    size_t n = assay_matrix_n_items(suite->matrix);
    unsigned char *is_other = malloc(n);
    assay_status status = is_other ? ASSAY_OK : cli_no_memory();

    if (is_other) memset(is_other, 1, n);
    for (size_t i = 0; is_other && i < suite->n_admissions; i++)
        is_other[suite->admissions[i].column] = 0;
    for (size_t i = 0; status == ASSAY_OK && i < suite->n_admissions; i++)
        status = assay_redundancy_admit(suite->fit, suite->admissions[i].column, is_other,
                                        suite->admit_below, &suite->admissions[i].answer);
    free(is_other);
    return status;
}

assay_finding signals_admission_finding(const struct signals_suite *suite,
                                        const struct signals_admission *one)
{
    return one->answer.reason ? ASSAY_FINDING_UNKNOWN
                              : assay_read_strength(&one->answer.spearman, suite->admit_below);
}

/* ---- all of it ---- */

/* The groups that were asked for, and how many there are elsewhere. */
static assay_status find_groups(struct signals_suite *suite)
{
    size_t n = assay_matrix_n_items(suite->matrix), *labels = malloc(n * sizeof *labels);
    assay_status status;

    suite->labels = malloc(n * sizeof *suite->labels);
    if (!labels || !suite->labels) {
        free(labels);
        return cli_no_memory();
    }
    status = assay_redundancy_groups(suite->fit, (assay_linkage)suite->linkage,
                                     suite->group_threshold, suite->labels, &suite->n_groups);
    for (int i = 0; i < SIGNALS_N_THRESHOLDS; i++)
        for (int l = 0; l < SIGNALS_N_LINKAGES && status == ASSAY_OK; l++)
            status = assay_redundancy_groups(suite->fit, (assay_linkage)l, signals_threshold(i),
                                             labels, &suite->scan[i][l]);
    free(labels);
    return status;
}

static assay_status find_all(struct signals_suite *suite, const assay_results *results,
                             assay_redundancy_options options)
{
    double *covariate = NULL;
    assay_status status = ASSAY_OK;

    options.resamples = suite->resamples;
    if (suite->given) status = read_covariate(suite, results, &covariate);
    if (status == ASSAY_OK && suite->admit) status = list_candidates(suite);
    options.given = covariate;
    if (status == ASSAY_OK) status = assay_redundancy_fit(suite->matrix, &options, &suite->fit);
    free(covariate);
    if (status != ASSAY_OK) return status;
    status = find_groups(suite);
    return status == ASSAY_OK && suite->admit ? admit(suite) : status;
}

int signals_is_redundant(const struct signals_suite *suite, double rho)
{
    return fabs(rho) > suite->redundant;
}

int signals_is_suite(const assay_matrix *matrix)
{
    return assay_matrix_n_items(matrix) <= MOST_UNASKED && !assay_matrix_is_binary(matrix);
}

assay_status signals_suite_find(struct signals_suite *suite, const assay_results *results,
                                const assay_matrix *matrix, const assay_redundancy_options *options)
{
    size_t n = assay_matrix_n_items(matrix);
    int asked = suite->pairs || suite->groups || suite->given || suite->admit;

    suite->matrix = matrix;
    suite->level = options->level;
    /* Pairs of 0/1 items interest few; scores of tasks are why people ask. */
    suite->in_table = asked || signals_is_suite(matrix);
    if (!asked && n > MOST_UNASKED)
        suite->reason = not_asked;
    else if (n == 1 && !suite->given && !suite->admit)
        suite->reason = one_column;
    else
        return find_all(suite, results, *options);
    suite->in_table = 0;
    return ASSAY_OK;
}

void signals_suite_free(struct signals_suite *suite)
{
    assay_redundancy_free(suite->fit);
    free(suite->drop);
    free(suite->given_name);
    free(suite->labels);
    free(suite->admissions);
}
