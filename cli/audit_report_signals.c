/* SPDX-License-Identifier: Apache-2.0 */
/* The headlines about signals and wordings. */
#include "audit_report_say.h"

#include <assay/templates.h>
#include <math.h>

/* ---- signals ---- */

static double signals_number(const struct report *report, assay_signals_number number)
{
    return assay_signals_value(report->signals.fit, number);
}

/* Of single runs: the noise of each answer counts as signal, so that ED has no interval here. */
static void say_upper_bound(const struct report *report, struct report_answer *answer)
{
    double above = signals_number(report, ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    double ed = signals_number(report, ASSAY_SIGNALS_ED_TASK);
    struct signals_interval interval = signals_interval(&report->signals.answer);
    const struct signals_replicate *part = &report->signals_request.replicate;

    if (part->table && part->fit.no_signal)
        report_say(answer->answer, REPORT_TEXT,
                   "No signal is told from the noise that the %s show. ",
                   signals_replicate_source(part));
    if (!isnan(above))
        report_say(answer->answer, REPORT_TEXT, "%.0f component%s above chance. ", above,
                   above == 1.0 ? " stands" : "s stand");
    report_say(answer->answer, REPORT_TEXT,
               "The effective dimensionality of the scores as they are is %.1f, an upper bound.",
               ed);
    answer->value = isnan(above) ? ed : above;
    if (part->table)
        report_say(answer->no_interval, REPORT_TEXT, "no interval without the noise: %s",
                   part->fit.reason ? part->fit.reason : "too few replicates");
    else if (isnan(interval.low))
        report_say(answer->no_interval, REPORT_TEXT,
                   "no interval: cells were run once, and the noise of an answer "
                   "counts as signal");
    else
        report_say(answer->no_interval, REPORT_TEXT,
                   "no interval: cells were run once, and "
                   "that of the effective dimensionality, %.1f to %.1f, held the one without "
                   "noise in 0 of 100 simulated benchmarks",
                   interval.low, interval.high);
    answer->method = isnan(above) ? "effective dimensionality" : "parallel analysis";
}

static void say_without_noise(const struct report *report, struct report_answer *answer)
{
    const struct signals_replicate *part = &report->signals_request.replicate;

    report_say(answer->answer, REPORT_TEXT,
               "%.1f effective dimensions once the noise of the %s is taken out, %.1f with it.",
               part->fit.value, signals_replicate_source(part),
               signals_number(report, ASSAY_SIGNALS_ED_TASK));
    answer->value = part->fit.value;
    answer->low = part->fit.low;
    answer->high = part->fit.high;
    if (isnan(answer->low) && part->fit.reason)
        report_say(answer->no_interval, REPORT_TEXT, "%s", part->fit.reason);
    answer->method = "effective dimensionality from replicates, jackknife over models";
}

int report_is_one_by_shape(const struct report *report)
{
    return assay_matrix_n_models(report->matrix) <= 2 || assay_matrix_n_items(report->matrix) <= 1;
}

assay_status report_answer_signals(struct report *report)
{
    const struct signals_replicate *part = &report->signals_request.replicate;
    struct report_number *dimension = &report->numbers[REPORT_DIMENSION];
    struct report_answer *answer;

    if (!report->has_signals || report_is_one_by_shape(report)) return ASSAY_OK;
    answer = report_add(report, "signals", "How many signals does it give?");
    *dimension = (struct report_number){ .low = NAN, .high = NAN };
    if (part->table && !isnan(part->fit.value)) {
        say_without_noise(report, answer);
        *dimension = (struct report_number){ answer->value, answer->low, answer->high,
                                             "directions in which models differ, the noise of "
                                             "answers removed" };
    } else {
        say_upper_bound(report, answer);
        dimension->value = signals_number(report, ASSAY_SIGNALS_ED_TASK);
        snprintf(
            dimension->sentence, sizeof dimension->sentence,
            "directions in which models differ, the luck of single answers among them: an upper "
            "bound");
    }
    answer->n = (double)assay_matrix_n_models(report->matrix);
    snprintf(answer->n_of, sizeof answer->n_of, "models on %zu items",
             assay_matrix_n_items(report->matrix));
    answer->estimand = "models like these";
    answer->assumption = "models are independent draws; versions of one system are not";
    return report_give_command(report, answer, "signals", 0, "--audit");
}

/* ---- templates ---- */

static double quantile(const struct report *report, const struct templates_estimate *of, double p)
{
    for (size_t l = 0; l < report->templates.n_levels; l++)
        if (fabs(report->templates.levels[l] - p) < 1e-9) return of->quantiles[l];
    return NAN;
}

/* The estimate that stands first. */
static const struct templates_estimate *leading(const struct report *report, size_t k)
{
    for (size_t m = 0; m < report->templates.n_methods; m++)
        if (report->templates.each[k].estimates[m].fit)
            return &report->templates.each[k].estimates[m];
    return NULL;
}

/* From the intervals of both ends, each with half the room for error: conservative. */
static void find_range_interval(const struct report *report, const struct templates_estimate *of,
                                struct report_answer *answer)
{
    assay_quantile_rule rule = (assay_quantile_rule)report->templates_request.convention;
    double low[2], high[2];

    if (assay_templates_quantile_interval(of->fit, 0.05, rule, low) != ASSAY_OK ||
        assay_templates_quantile_interval(of->fit, 0.95, rule, high) != ASSAY_OK) {
        report_say(answer->no_interval, REPORT_TEXT, "no interval: %s", cli_reason());
        return;
    }
    answer->low = fmax(0.0, high[0] - low[1]);
    answer->high = fmax(0.0, high[1] - low[0]);
    answer->level = 2.0 * report->request->analysis.level - 1.0;
}

assay_status report_answer_templates(struct report *report)
{
    const struct templates_answer *templates = &report->templates;
    const struct templates_estimate *of = NULL;
    size_t best = 0, n_templates, n_items;
    struct report_answer *answer;
    const assay_grid *grid;
    char safe[REPORT_NAME];

    if (!report->has_templates) return ASSAY_OK;
    for (size_t k = 0; k < templates->n_grids; k++) {
        const struct templates_estimate *one = leading(report, k);

        if (!one || assay_grid_n_templates(templates->each[k].grid) < 2) continue;
        if (of && !(one->mean > of->mean)) continue;
        of = one;
        best = k;
    }
    if (!of) return ASSAY_OK;
    grid = templates->each[best].grid;
    n_templates = assay_grid_n_templates(grid);
    n_items = assay_grid_n_items(grid);
    answer =
        report_add(report, "templates", "How far does the score move when the prompt is reworded?");
    report_say(
        answer->answer, REPORT_TEXT,
        "Over %zu wordings the score of %s goes from %.1f %% (5th percentile) to %.1f %% (95th); "
        "the middle half lies between %.1f %% and %.1f %%.",
        n_templates, report_shown(safe, assay_grids_model(templates->grids, best)),
        100.0 * quantile(report, of, 0.05), 100.0 * quantile(report, of, 0.95),
        100.0 * quantile(report, of, 0.25), 100.0 * quantile(report, of, 0.75));
    answer->value = quantile(report, of, 0.95) - quantile(report, of, 0.05);
    answer->unit = "share";
    if (templates->each[best].is_full)
        report_say(answer->no_interval, REPORT_TEXT,
                   "no interval: every wording was run on every item, so that these "
                   "scores are known");
    else
        find_range_interval(report, of, answer);
    answer->n = (double)assay_grid_n_cells(grid);
    snprintf(answer->n_of, sizeof answer->n_of, "of %zu cells", n_templates * n_items);
    answer->method = templates->each[best].is_full
                         ? "averages; the 95th less the 5th percentile"
                         : "assay's estimator; the 95th less the 5th percentile, its interval from "
                           "those of both";
    answer->estimand = "these templates";
    answer->assumption = "which cells were run has nothing to do with their scores";
    return report_give_command(report, answer, "templates", 0, "");
}
