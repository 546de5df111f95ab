/* SPDX-License-Identifier: Apache-2.0 */
/* The second step of the audit: how many signals there are, with the noise and without. */
#include "audit_answers.h"

#include <assay/readings.h>
#include <math.h>

static double value(const struct audit_work *work, assay_signals_number number)
{
    return assay_signals_value(work->all->fit, number);
}

static void say_reading(struct audit_answer *answer, assay_signals_reading reading, double parallel)
{
    answer->weight = AUDIT_REPORT;
    switch (reading) {
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
        audit_say(answer->answer, "%.0f signals above chance", parallel);
        answer->action = "see what the components separate before one mean is reported";
        break;
    case ASSAY_SIGNALS_READ_UNDECIDED:
        audit_say(answer->answer, "undecided, ");
        if (isnan(parallel))
            audit_say(answer->answer, "components above chance not counted");
        else
            audit_say(answer->answer, "%.0f component%s above chance", parallel,
                      parallel == 1.0 ? "" : "s");
        answer->action = "score more models, and each cell more than once";
    }
}

static void find_signals(struct audit_work *work)
{
    const assay_matrix *matrix = work->all->matrix;
    const struct signals_replicate *part = work->all->replicate;
    size_t n = assay_matrix_n_models(matrix), t = assay_matrix_n_items(matrix);
    struct signals_interval interval = signals_interval(work->all);
    assay_signals_evidence evidence = { t < n - 1 ? t : n - 1,
                                        interval.low,
                                        interval.high,
                                        value(work, ASSAY_SIGNALS_PERMUTATION_ED_AT_MEAN),
                                        value(work, ASSAY_SIGNALS_PARALLEL_ANALYSIS),
                                        part->table && part->fit.no_signal };
    struct audit_answer *answer =
        audit_add(work, AUDIT_SIGNALS, "How many signals are there above noise?");

    answer->value = value(work, ASSAY_SIGNALS_ED_TASK);
    answer->low = interval.low;
    answer->high = interval.high;
    answer->no_interval = interval.reason;
    answer->assumption = work->all->subsets->small_shape
                             ? "models are independent draws; with so few rows or columns ED is "
                               "not to be compared with other tables'"
                             : "models are independent draws; components need not be abilities";
    say_reading(answer, assay_read_signals(&evidence), evidence.parallel);
    audit_say(answer->answer, "; ED %.2f", answer->value);
    audit_say_interval(answer, 2);
    audit_say(answer->answer, "%s; %.2f if shuffled, %.2f for pure noise",
              part->table ? "" : ", on single runs an upper bound", evidence.shuffled,
              value(work, ASSAY_SIGNALS_MARCHENKO_PASTUR));
    audit_command(work, answer->command, NULL, "--plot scree.svg");
    if (isnan(evidence.parallel))
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
    audit_command(work, answer->command, NULL, "");
}

void audit_signals(struct audit_work *work)
{
    find_signals(work);
    find_noise_removed(work);
}
