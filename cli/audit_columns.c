/* SPDX-License-Identifier: Apache-2.0 */
/* The first step of the audit, and the groups of the second: which columns say the same. */
#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>

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
    audit_command(work, answer, "admit,resamples", NULL, 0, "--audit --json");
}

/* ---- pairs ---- */

/* Of a redundant pair the later column, unless it is of a file that asks to be admitted: that is
   not among the suite's to drop. */
static size_t list_to_drop(const struct audit_work *work, const struct signals_pairs *found,
                           const char *drop[1])
{
    const struct signals_suite *suite = work->all->suite;
    size_t columns[] = { found->b, found->a };

    for (int i = 0; i < 2; i++) {
        if (suite->admits_file &&
            assay_matrix_item_source(suite->matrix, columns[i]) >= suite->first_of_file)
            continue;
        drop[0] = assay_matrix_item(suite->matrix, columns[i]);
        return 1;
    }
    return 0;
}

static void weigh_pairs(struct audit_work *work, const struct signals_pairs *found,
                        struct audit_answer *answer)
{
    static const char carried[] = "redundant,resamples";
    const char *drop[1];

    if (found->above > 0) {
        answer->weight = AUDIT_CHANGE_THE_SUITE;
        answer->action = found->largest.value < 0.0
                             ? "turn one of such a pair round and merge them, or drop one of it"
                             : "average or merge such a pair, or drop one of it";
        audit_command(work, answer, carried, drop, list_to_drop(work, found, drop), "--pairs");
        return;
    }
    answer->weight = found->undecided ? AUDIT_UNDECIDED : AUDIT_FINE;
    answer->action =
        found->undecided ? "score more models before dropping a column" : "keep all columns";
    audit_command(work, answer, carried, NULL, 0, "--pairs");
}

static void find_pairs(struct audit_work *work)
{
    static const char question[] = "Which columns say the same?";
    const struct signals_suite *suite = work->all->suite;
    struct signals_pairs found = signals_look_at_pairs(work->all);
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
    audit_command(work, answer, "group-threshold,group-linkage", NULL, 0, "--groups");
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
