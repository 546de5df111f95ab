/* SPDX-License-Identifier: Apache-2.0 */
/* The first and the last step of the audit: which columns say the same, and what to admit. */
#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>
#include <string.h>

static const char counted[] = "counted in this table, not estimated";

/* ---- items ---- */

static void find_patterns(struct audit_work *work)
{
    const assay_outcome_patterns *patterns = &work->audit->patterns;
    struct audit_answer *answer =
        audit_add(work, AUDIT_REDUNDANCY, "How many different outcomes do the items give?");
    size_t n = assay_matrix_n_items(work->all->matrix), n_like = work->audit->n_like;
    size_t n_idle = patterns->n_constant + patterns->n_repeats + n_like;

    answer->value = (double)patterns->n_distinct;
    answer->no_interval = counted;
    answer->assumption = "these models: others may tell such items apart";
    audit_say(answer->answer,
              "%zu item%s: %zu with outcomes of %s own, %zu the same as an earlier one, ", n,
              n == 1 ? "" : "s", patterns->n_own - n_like, n == 1 ? "its" : "their",
              patterns->n_repeats);
    if (n_like) audit_say(answer->answer, "%zu the same but for holes, ", n_like);
    audit_say(answer->answer, "%zu constant; %zu different outcome pattern%s in all",
              patterns->n_constant, patterns->n_distinct, patterns->n_distinct == 1 ? "" : "s");
    if (work->audit->no_like)
        audit_say(answer->answer, " (holes not looked at: %s)", work->audit->no_like);
    if (n_idle == 0) {
        answer->weight = AUDIT_FINE;
        answer->action = "keep all items";
    } else {
        answer->weight =
            (double)n_idle > ASSAY_LIMIT_IDLE * (double)n ? AUDIT_CHANGE_THE_SUITE : AUDIT_ADVICE;
        answer->action = "look at the constant items and the repeats: replace them, or leave them "
                         "out where runs are dear";
    }
    audit_command(work, answer->command, NULL, "--audit --json");
}

/* ---- pairs ---- */

struct found_pairs {
    size_t n, above, undecided, unknown;
    size_t a, b; /* of the largest by size */
    assay_correlation largest;
};

static struct found_pairs look_at_pairs(const struct signals_suite *suite)
{
    struct found_pairs found = { .largest = { NAN, NAN, NAN, NULL } };
    size_t t = assay_redundancy_n_columns(suite->fit);

    for (size_t a = 0; a < t; a++) {
        for (size_t b = a + 1; b < t; b++) {
            assay_correlation rho = assay_redundancy_pair(suite->fit, a, b).spearman;
            assay_finding side = assay_read_strength(&rho, suite->redundant);

            found.n++;
            found.above += side == ASSAY_FINDING_ABOVE;
            found.undecided += side == ASSAY_FINDING_UNDECIDED;
            found.unknown += side == ASSAY_FINDING_UNKNOWN;
            if (side == ASSAY_FINDING_UNKNOWN || fabs(rho.value) <= fabs(found.largest.value))
                continue;
            found.a = a;
            found.b = b;
            found.largest = rho;
        }
    }
    return found;
}

static void weigh_pairs(struct audit_work *work, const struct found_pairs *found,
                        struct audit_answer *answer)
{
    const char *last = assay_matrix_item(work->all->matrix, found->b);

    if (found->above > 0) {
        answer->weight = AUDIT_CHANGE_THE_SUITE;
        answer->action = found->largest.value < 0.0
                             ? "turn one of such a pair round and merge them, or drop one of it"
                             : "average or merge such a pair, or drop one of it";
        audit_command(work, answer->command, last, "--pairs");
        return;
    }
    answer->weight = found->undecided ? AUDIT_UNDECIDED : AUDIT_FINE;
    answer->action =
        found->undecided ? "score more models before dropping a column" : "keep all columns";
    audit_command(work, answer->command, NULL, "--pairs");
}

static void find_pairs(struct audit_work *work)
{
    static const char question[] = "Which columns say the same?";
    const struct signals_suite *suite = work->all->suite;
    struct found_pairs found = look_at_pairs(suite);
    struct audit_answer *answer;
    char a[AUDIT_NAME], b[AUDIT_NAME];

    if (isnan(found.largest.value)) {
        audit_gap(work, AUDIT_REDUNDANCY, question, "two columns with a correlation", NULL);
        return;
    }
    answer = audit_add(work, AUDIT_REDUNDANCY, question);
    answer->value = found.largest.value;
    answer->low = found.largest.low;
    answer->high = found.largest.high;
    answer->no_interval = found.largest.reason;
    answer->assumption = "models are independent draws, of one range of ability";
    audit_say(answer->answer,
              "%zu of %zu pairs of columns surely above a |Spearman| of %g, %zu undecided; the "
              "closest, %s "
              "x %s, at %.3f",
              found.above, found.n, suite->redundant, found.undecided,
              audit_name(a, assay_matrix_item(suite->matrix, found.a)),
              audit_name(b, assay_matrix_item(suite->matrix, found.b)), found.largest.value);
    audit_say_interval(answer, 3);
    if (found.largest.value < 0.0) audit_say(answer->answer, ", opposite");
    if (found.unknown) audit_say(answer->answer, "; %zu pairs without one", found.unknown);
    weigh_pairs(work, &found, answer);
}

/* The threshold of the scan that is nearest to the one asked for. */
static int nearest_threshold(double r)
{
    int nearest = 0;

    for (int i = 1; i < SIGNALS_N_THRESHOLDS; i++)
        if (fabs(signals_threshold(i) - r) < fabs(signals_threshold(nearest) - r)) nearest = i;
    return nearest;
}

static void find_groups(struct audit_work *work)
{
    const struct signals_suite *suite = work->all->suite;
    struct audit_answer *answer =
        audit_add(work, AUDIT_SIGNALS, "How many groups of columns are there?");
    int middle = nearest_threshold(suite->group_threshold);
    size_t least = suite->n_groups, most = suite->n_groups;
    size_t n = assay_redundancy_n_columns(suite->fit);

    for (int i = middle - 1; i <= middle + 1; i++) {
        for (int l = 0; l < SIGNALS_N_LINKAGES; l++) {
            if (i < 0 || i >= SIGNALS_N_THRESHOLDS) continue;
            if (suite->scan[i][l] < least) least = suite->scan[i][l];
            if (suite->scan[i][l] > most) most = suite->scan[i][l];
        }
    }
    answer->value = (double)suite->n_groups;
    answer->no_interval = "a range over thresholds and linkages stands in the answer";
    answer->assumption = "columns that agree at this r ask for one thing";
    audit_say(
        answer->answer,
        "%zu group%s of %zu columns at r of at least %g, %zu to %zu by other linkages and .05 "
        "around it",
        suite->n_groups, suite->n_groups == 1 ? "" : "s", n, suite->group_threshold, least, most);
    answer->weight = suite->n_groups < n ? AUDIT_ADVICE : AUDIT_FINE;
    answer->action = suite->n_groups < n ? "average within groups before averaging over them"
                                         : "keep the columns apart";
    audit_command(work, answer->command, NULL, "--groups");
}

void audit_redundancy(struct audit_work *work)
{
    const struct signals_suite *suite = work->all->suite;

    find_patterns(work);
    if (suite->in_table) {
        find_pairs(work);
        find_groups(work);
    } else if (!assay_matrix_is_binary(work->all->matrix) &&
               assay_matrix_n_items(suite->matrix) > 1)
        audit_gap(work, AUDIT_REDUNDANCY, "Which columns say the same?",
                  "--pairs, of 1,000 columns at most (--columns)", NULL);
}

/* ---- admission ---- */

static void weigh_admission(const struct signals_admission *one, double limit,
                            struct audit_answer *answer)
{
    switch (assay_read_strength(&one->answer.spearman, limit)) {
    case ASSAY_FINDING_BELOW:
        answer->weight = AUDIT_REPORT;
        audit_say(answer->answer, "admitted");
        answer->action = "admit it";
        return;
    case ASSAY_FINDING_ABOVE:
        answer->weight = AUDIT_CHANGE_THE_SUITE;
        audit_say(answer->answer, "refused");
        answer->action = "do not add it, or in place of its nearest";
        return;
    default:
        answer->weight = AUDIT_REPORT;
        audit_say(answer->answer, "undecided, by its value alone %s",
                  one->answer.admitted ? "admitted" : "refused");
        answer->action = "score more models before it is added";
    }
}

static void find_admission(struct audit_work *work, const struct signals_admission *one)
{
    const struct signals_suite *suite = work->all->suite;
    struct audit_answer *answer = audit_add(work, AUDIT_ADMISSION, "");
    char name[AUDIT_NAME], nearest[AUDIT_NAME];

    audit_name(name, assay_matrix_item(suite->matrix, one->column));
    snprintf(answer->question, sizeof answer->question, "Does %s add something?", name);
    answer->assumption = "models are independent draws, of one range of ability";
    audit_say(answer->answer, "%s: ", name);
    if (one->answer.reason) {
        audit_say(answer->answer, "undecided, compared with %zu columns (%s)", one->answer.n_others,
                  one->answer.reason);
        answer->value = (double)one->answer.n_others;
        answer->no_interval = counted;
        answer->weight = AUDIT_UNDECIDED;
        answer->action = "score it on the models of the suite";
    } else {
        weigh_admission(one, suite->admit_below, answer);
        answer->value = one->answer.spearman.value;
        answer->low = one->answer.spearman.low;
        answer->high = one->answer.spearman.high;
        answer->no_interval = one->answer.spearman.reason;
        audit_say(answer->answer, "; nearest %s, Spearman %.3f",
                  audit_name(nearest, assay_matrix_item(suite->matrix, one->answer.nearest)),
                  answer->value);
        audit_say_interval(answer, 3);
        audit_say(answer->answer, ", limit %g", suite->admit_below);
    }
    audit_command(work, answer->command, NULL, "--admit");
    audit_word(answer->command, suite->admit);
}

static void find_short_form(struct audit_work *work)
{
    static const char question[] = "What would a short form keep?";
    const assay_short_form *form = work->all->short_form->form;
    assay_short_form_quality quality;
    struct audit_answer *answer;
    char options[40];
    size_t k;

    if (!form) form = work->audit->form;
    if (!form) {
        audit_gap(work, AUDIT_ADMISSION, question, "2 items or more that vary, or --select K",
                  NULL);
        return;
    }
    quality = assay_short_form_get_quality(form);
    if (quality.reason) {
        audit_gap(work, AUDIT_ADMISSION, question, "models to try it on", quality.reason);
        return;
    }
    assay_short_form_items(form, &k);
    answer = audit_add(work, AUDIT_ADMISSION, question);
    answer->value = quality.held_out;
    answer->no_interval = "the sd over halves of the models stands in the answer";
    answer->assumption = "new models are like these";
    audit_say(
        answer->answer,
        "%zu of %zu items rank models that they were not chosen by as all do to a Spearman of "
        "%.3f, sd %.3f of %zu halves; as many random items %.3f",
        k, assay_matrix_n_items(work->all->matrix), quality.held_out, quality.held_out_sd,
        2 * quality.n_splits, quality.random);
    answer->weight = AUDIT_ADVICE;
    answer->action = quality.held_out > quality.random
                         ? "screen new models by these items, report by all"
                         : "screen new models by random items: choosing was not worth it";
    snprintf(options, sizeof options, "--select %zu", k);
    audit_command(work, answer->command, NULL, options);
}

void audit_admission(struct audit_work *work)
{
    const struct signals_suite *suite = work->all->suite;

    for (size_t i = 0; i < suite->n_admissions; i++) find_admission(work, &suite->admissions[i]);
    if (!suite->admit)
        audit_gap(work, AUDIT_ADMISSION, "Does a new column add something?",
                  "--admit COLUMN, or a file of new columns", NULL);
    find_short_form(work);
}
