/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of the audit: what to admit, and what a short form would keep. */
#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>

static const char counted[] = "counted in this table, not estimated";

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
    audit_command(work, answer, "admit-below,resamples", NULL, 0, "--admit");
    audit_command_word(answer, suite->admit);
}

static void find_short_form(struct audit_work *work)
{
    static const char question[] = "What would a short form keep?";
    const assay_short_form *form = work->all->short_form->form;
    assay_short_form_quality quality;
    struct signals_short_form_advice advice;
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
    answer->value = quality.gain;
    answer->low = quality.gain_low;
    answer->high = quality.gain_high;
    answer->assumption = "new models are like these";
    audit_say(
        answer->answer,
        "%zu of %zu items rank models that they were not chosen by as all do to a Spearman of "
        "%.3f, as many random items to %.3f; gained by choosing %.3f",
        k, assay_matrix_n_items(work->all->matrix), quality.held_out, quality.random, quality.gain);
    audit_say_interval(answer, 3);
    advice = signals_short_form_advise(&quality, &work->read);
    answer->weight = advice.is_worth_it ? AUDIT_ADVICE : AUDIT_FINE;
    answer->action = advice.what;
    snprintf(options, sizeof options, "--select %zu", k);
    audit_command(work, answer, "select-by,select-splits", NULL, 0, options);
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
