/* SPDX-License-Identifier: Apache-2.0 */
/* The second step of the audit: how many signals there are, with the noise and without. */
#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>

static double value(const struct audit_work *work, assay_signals_number number)
{
    return assay_signals_value(work->all->fit, number);
}

/* What is undecided, and what to do about it. */
static void say_conflict(const struct audit_work *work, struct audit_answer *answer)
{
    const assay_signals_evidence *evidence = &work->read.evidence;
    const struct signals_suite *suite = work->all->suite;
    size_t n = assay_matrix_n_models(work->all->matrix),
           t = assay_matrix_n_items(work->all->matrix);
    char *text = answer->answer;

    answer->action = "score more models, and each cell more than once";
    if (!isnan(evidence->parallel))
        audit_say(text, "undecided: %.0f component%s above chance, but ", evidence->parallel,
                  evidence->parallel == 1.0 ? "" : "s");
    switch (work->read.conflict) {
    case ASSAY_SIGNALS_AGREE: break;
    case ASSAY_SIGNALS_NOT_COUNTED:
        audit_say(text, "undecided: components above chance were not counted");
        answer->action = "count them, by shuffling";
        break;
    case ASSAY_SIGNALS_NO_INTERVAL: audit_say(text, "ED has no interval"); break;
    case ASSAY_SIGNALS_BESIDE_SCALES:
        audit_say(text, "a column of another scale, or the mean of others, may decide that");
        answer->action = "settle the columns in doubt, and audit again";
        break;
    case ASSAY_SIGNALS_BESIDE_ED:
        audit_say(text, evidence->parallel < 1.0 ? "ED is below that of shuffled scores"
                                                 : "ED may be as high as that of shuffled scores");
        break;
    case ASSAY_SIGNALS_BESIDE_RUNS: audit_say(text, "replicates of the cells show none"); break;
    case ASSAY_SIGNALS_BESIDE_PAIRS:
        audit_say(text, "%zu pair%s of columns surely say the same", evidence->n_redundant,
                  evidence->n_redundant == 1 ? "" : "s");
        break;
    case ASSAY_SIGNALS_BESIDE_GROUPS:
        audit_say(text, "%zu group%s of columns%s at r of at least %g", evidence->n_groups,
                  evidence->n_groups == 1 ? "" : "s",
                  evidence->n_groups == suite->n_groups ? "" : " that vary",
                  suite->group_threshold);
        answer->action = evidence->n_groups > 1
                             ? "report a score for each group beside the mean, not the mean alone"
                             : "see what the components separate before one mean is reported";
        break;
    case ASSAY_SIGNALS_BESIDE_SHAPE:
        audit_say(text, "%zu %s leave a second little room to show", t < n ? t : n,
                  t < n ? "items" : "models");
        answer->action = "audit the items behind the columns, or more models, before one mean is "
                         "reported";
        break;
    }
}

static void say_reading(const struct audit_work *work, struct audit_answer *answer)
{
    answer->weight = AUDIT_REPORT;
    switch (work->read.reading) {
    case ASSAY_SIGNALS_READ_BY_SHAPE:
        audit_say(answer->answer, "one signal by definition");
        answer->action = "audit a table of more items and models";
        break;
    case ASSAY_SIGNALS_READ_NOISE:
        audit_say(answer->answer, "not told from noise: 0 components above chance");
        answer->weight = AUDIT_NO_SIGNAL;
        answer->action = "do not rank models by this alone: run each cell again, or add items";
        break;
    case ASSAY_SIGNALS_READ_ONE:
        audit_say(answer->answer, "one ability explains what is above chance, 1 component");
        answer->action = "report one score";
        break;
    case ASSAY_SIGNALS_READ_SEVERAL:
        audit_say(answer->answer, "%.0f signals above chance", work->read.evidence.parallel);
        answer->action = "see what the components separate before one mean is reported";
        break;
    case ASSAY_SIGNALS_READ_UNDECIDED: say_conflict(work, answer);
    }
}

static void find_signals(struct audit_work *work)
{
    const struct signals_replicate *part = work->all->replicate;
    const assay_signals_evidence *evidence = &work->read.evidence;
    struct audit_answer *answer =
        audit_add(work, AUDIT_SIGNALS, "How many signals are there above noise?");

    answer->value = value(work, ASSAY_SIGNALS_ED_TASK);
    answer->low = evidence->low;
    answer->high = evidence->high;
    answer->no_interval = signals_interval(work->all).reason;
    answer->assumption = evidence->small_shape
                             ? "models are independent draws; with so few rows or columns ED is "
                               "not to be compared with other tables'"
                             : "models are independent draws; components need not be abilities";
    say_reading(work, answer);
    audit_say(answer->answer, "; ED %.2f", answer->value);
    audit_say_interval(answer, 2);
    audit_say(answer->answer, "%s; %.2f if shuffled, %.2f for pure noise",
              part->table ? "" : ", on single runs an upper bound", evidence->shuffled,
              value(work, ASSAY_SIGNALS_MARCHENKO_PASTUR));
    audit_command(work, answer, "interval,permutations,replicates,clusters", NULL, 0,
                  isnan(evidence->parallel) ? "--permutations 1000 --plot scree.svg"
                                            : "--plot scree.svg");
    if (isnan(evidence->parallel))
        audit_gap(work, AUDIT_SIGNALS, "How many components are above chance?",
                  "--permutations 1000", NULL);
}

static const char *assumption_of(const assay_replicates *table)
{
    switch (assay_replicates_source(table)) {
    case ASSAY_REPLICATES_RUNS: return "the runs of a cell are independent";
    case ASSAY_REPLICATES_TEMPLATES: return "what templates do not have in common is noise";
    case ASSAY_REPLICATES_CLUSTERS: return "the items of a cluster ask for one thing";
    }
    return NULL;
}

static void say_noise_removed(const struct audit_work *work, struct audit_answer *answer)
{
    const struct signals_replicate *part = work->all->replicate;

    if (part->fit.no_signal) {
        answer->value = (double)assay_replicates_get(part->table, ASSAY_REPLICATES_LEAST);
        audit_say(answer->answer, "no signal beyond the noise that %.0f replicates a cell show",
                  answer->value);
        answer->weight = AUDIT_NO_SIGNAL;
        answer->action = "do not rank models by this alone: run each cell again, or add items";
        return;
    }
    answer->value = part->fit.value;
    answer->low = part->fit.low;
    answer->high = part->fit.high;
    audit_say(answer->answer, "ED %.2f", answer->value);
    audit_say_interval(answer, 2);
    audit_say(answer->answer, " with the noise of the outcomes removed, %.2f with it",
              value(work, ASSAY_SIGNALS_ED_TASK));
    answer->weight = AUDIT_REPORT;
    answer->action = "quote this ED, not that of the scores as they are";
}

static void find_noise_removed(struct audit_work *work)
{
    static const char question[] = "How many signals are left without the noise of the outcomes?";
    const struct signals_replicate *part = work->all->replicate;
    struct audit_answer *answer;

    if (!part->table) {
        audit_gap(work, AUDIT_SIGNALS, question, "runs or templates of each cell, or --clusters",
                  NULL);
        return;
    }
    if (isnan(part->fit.value) && !part->fit.no_signal) {
        audit_gap(work, AUDIT_SIGNALS, question, "other replicates of the cells", part->fit.reason);
        return;
    }
    answer = audit_add(work, AUDIT_SIGNALS, question);
    answer->no_interval = part->fit.reason;
    answer->assumption = assumption_of(part->table);
    say_noise_removed(work, answer);
    audit_command(work, answer, "replicates,clusters", NULL, 0, "");
}

void audit_signals(struct audit_work *work)
{
    find_signals(work);
    find_noise_removed(work);
}
