/* SPDX-License-Identifier: Apache-2.0 */
/* Before the first step of the audit: whether the columns are items on one scale. The rule is
   assay_matrix_doubts(). */
#include "audit_answers.h"

#include <math.h>

enum { SHOWN = 4, MOST_DROPPED = 32 };

/* What is to be done about all of them: the gravest says it. */
static const char *action_of(const struct audit_work *work, unsigned doubts, size_t n)
{
    if (!audit_can_drop(work))
        return "leave out what is no item, and bring the others to one scale";
    if (!(doubts & ~(unsigned)(ASSAY_DOUBT_NAME | ASSAY_DOUBT_MEAN | ASSAY_DOUBT_SUM)))
        return n == 1 ? "drop it, unless it is an item" : "drop them, unless they are items";
    return "drop what is no item, and bring the others to one scale; until then the standardised "
           "ED is the one to quote";
}

static void say_effect(const struct audit_work *work, size_t n, struct audit_answer *answer)
{
    double ed = assay_signals_value(work->all->fit, ASSAY_SIGNALS_ED_TASK);
    double standardised = assay_signals_value(work->all->fit, ASSAY_SIGNALS_ED_STANDARDISED);

    if (!isnan(answer->value))
        audit_say(answer->answer,
                  "; %.1f %% of the variance is %s, and with it ED and the order by the mean",
                  100.0 * answer->value, n == 1 ? "its" : "theirs");
    audit_say(answer->answer, "; ED %.2f, standardised %.2f", ed, standardised);
}

/* Whether something that varies is left without the columns in doubt. */
static int leaves_something(const struct audit_work *work)
{
    for (size_t i = 0; i < assay_matrix_n_items(work->all->matrix); i++)
        if (!assay_matrix_doubts(work->all->matrix, i) && !work->audit->constant[i]) return 1;
    return 0;
}

void audit_scales(struct audit_work *work)
{
    const assay_matrix *matrix = work->all->matrix;
    const char *doubtful[MOST_DROPPED];
    struct audit_answer *answer;
    unsigned doubts = 0;
    size_t n = 0, n_drop = 0;

    for (size_t i = 0; i < assay_matrix_n_items(matrix); i++) {
        if (!assay_matrix_doubts(matrix, i)) continue;
        doubts |= assay_matrix_doubts(matrix, i);
        if (n < MOST_DROPPED) doubtful[n] = assay_matrix_item(matrix, i);
        n++;
    }
    if (n == 0) return;
    answer = audit_add(work, AUDIT_REDUNDANCY, "Are all columns items, on one scale?");
    answer->value = assay_matrix_doubtful_share(matrix);
    answer->no_interval = "counted in this table, not estimated";
    answer->assumption = "a rule of names, ranges and sums: it may be wrong of a column";
    audit_say(answer->answer, "%zu column%s in doubt: ", n, n == 1 ? "" : "s");
    for (size_t i = 0, shown = 0; i < assay_matrix_n_items(matrix) && shown < SHOWN; i++) {
        char name[AUDIT_NAME];

        if (!assay_matrix_doubts(matrix, i)) continue;
        audit_say(answer->answer, "%s\"%s\" %s", shown++ ? ", " : "",
                  audit_name(name, assay_matrix_item(matrix, i)), assay_matrix_doubt(matrix, i));
    }
    if (n > SHOWN) audit_say(answer->answer, ", and %zu more", n - SHOWN);
    say_effect(work, n, answer);
    answer->weight =
        doubts & ~(unsigned)ASSAY_DOUBT_NAME ? AUDIT_SCALES_IN_DOUBT : AUDIT_CHANGE_THE_SUITE;
    answer->action = action_of(work, doubts, n);
    if (leaves_something(work)) n_drop = n < MOST_DROPPED ? n : MOST_DROPPED;
    audit_command(work, answer, "redundant,resamples", doubtful, n_drop, "--audit");
}
