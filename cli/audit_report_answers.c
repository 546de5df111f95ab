/* SPDX-License-Identifier: Apache-2.0 */
/* The headlines of `assay audit`. Which interval may stand beside which was measured:
   bench/coverage_audit.c, docs/audit.md. */
#include "audit_report.h"

#include <assay/intervals.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64 };

static assay_status answer_score(struct report *report);
static assay_status answer_prompts(struct report *report);
static assay_status answer_signals(struct report *report);
static assay_status answer_templates(struct report *report);
static void find_gaps(struct report *report);

assay_status report_find_answers(struct report *report)
{
    assay_status status;

    for (int k = 0; k < REPORT_N_NUMBERS; k++)
        report->numbers[k] = (struct report_number){ NAN, NAN, NAN, "" };
    status = answer_score(report);
    if (status == ASSAY_OK) status = answer_prompts(report);
    if (status == ASSAY_OK) status = answer_templates(report);
    if (status == ASSAY_OK) status = answer_signals(report);
    if (status == ASSAY_OK) find_gaps(report);
    return status;
}

static struct report_answer *add(struct report *report, const char *id, const char *question)
{
    struct report_answer *answer = &report->answers[report->n_answers++];

    *answer = (struct report_answer){ .id = id,
                                      .value = NAN,
                                      .low = NAN,
                                      .high = NAN,
                                      .n = NAN,
                                      .level = report->request->analysis.level,
                                      .unit = "" };
    snprintf(answer->question, sizeof answer->question, "%s", question);
    return answer;
}

static assay_status give_command(struct report *report, struct report_answer *answer,
                                 const char *command, int with_prompts, const char *options)
{
    answer->command = report_command_of(report->request, command, with_prompts, options);
    return answer->command ? ASSAY_OK : cli_no_memory();
}

#define SAY(answer, ...) report_say((answer)->answer, sizeof(answer)->answer, __VA_ARGS__)
#define SAY_NO_INTERVAL(answer, ...) \
    report_say((answer)->no_interval, sizeof(answer)->no_interval, __VA_ARGS__)

static const char *shown(char safe[NAME], const char *name)
{
    assay_printable(safe, NAME, name, strlen(name));
    return *safe ? safe : "the model";
}

static const char *plural(double n)
{
    return n == 1.0 ? "" : "s";
}

/* ---- the score ---- */

/* Of the models with at least half as many prompts as any: a model that has few is best by luck. */
static int find_best(const struct report *report, struct report_best *best)
{
    const struct score_answer *score = &report->score;
    const assay_trials *trials = report->has_score ? score->trials : report->trials;
    size_t n_models, n_prompts;
    double most = 0.0;

    *best = (struct report_best){ .mean = -INFINITY };
    if (!trials) return 0;
    n_models = assay_trials_n_models(trials);
    n_prompts = assay_trials_n_prompts(trials);
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < n_models; k++) {
            const double *x = assay_trials_successes(trials) + k * n_prompts;
            const double *m = assay_trials_trials(trials) + k * n_prompts;
            double sum = 0.0, n = 0.0;

            for (size_t i = 0; i < n_prompts; i++) {
                if (m[i] <= 0.0) continue;
                sum += x[i] / m[i];
                n++;
            }
            if (pass == 0) most = fmax(most, n);
            if (pass == 0 || n < most / 2.0 || !(sum / n > best->mean)) continue;
            best->mean = sum / n;
            best->n = n;
            best->k = k;
            best->model = assay_trials_model(trials, k);
        }
    return 1;
}

/* Without texts prompts have no labels, and the interval that leads is Wilson's. */
static void find_interval(const struct report *report, struct report_best *best)
{
    double bounds[2] = { NAN, NAN };

    if (report->has_score) {
        const struct score_raw *raw = &report->score.raw[best->k];

        best->low = score_lead_interval(raw)[0];
        best->high = score_lead_interval(raw)[1];
        best->about = score_lead_about(raw);
        best->method = raw->lead == SCORE_LEAD_PROMPTS
                           ? "mean over prompts, Wilson's interval"
                           : "mean over prompts, clustered by the given topics (CR1, t)";
        return;
    }
    if (assay_interval(ASSAY_INTERVAL_WILSON, fmin(best->mean * best->n, best->n), best->n,
                       report->request->analysis.level, bounds) != ASSAY_OK)
        bounds[0] = bounds[1] = NAN;
    best->low = bounds[0];
    best->high = bounds[1];
    best->about = "these prompts";
    best->method = "mean over prompts, Wilson's interval";
}

/* Its score where a topic counts once: learnt where there is one, which is nearer with few runs. */
static void say_corrected(const struct report *report, const struct report_best *best,
                          struct report_answer *answer)
{
    double learnt = score_value(&report->score, best->k, ASSAY_SCORE_HYPER_CORRECTED);
    double published = score_value(&report->score, best->k, ASSAY_SCORE_CORRECTED);

    if (!isnan(learnt))
        SAY(answer, " Once a topic counts once it is %.1f %% (BHM-ESC with the topics' law learnt",
            100.0 * learnt);
    SAY(answer,
        isnan(learnt) ? " Once a topic counts once it is %.1f %% (BHM-ESC)."
                      : "; %.1f %% as published).",
        100.0 * published);
}

static assay_status answer_score(struct report *report)
{
    size_t n_models = assay_matrix_n_models(report->matrix);
    struct report_best best;
    struct report_answer *answer;
    char safe[NAME];

    if (!find_best(report, &best)) return ASSAY_OK;
    find_interval(report, &best);
    answer = add(report, "score",
                 n_models > 1 ? "What does the best model score?" : "What does the model score?");
    SAY(answer, "%s scores %.1f %%", shown(safe, assay_results_model(report->results, best.model)),
        100.0 * best.mean);
    if (n_models > 1) SAY(answer, ", the most of %zu models", n_models);
    SAY(answer, ".");
    if (report->has_score) say_corrected(report, &best, answer);
    answer->value = best.mean;
    answer->low = best.low;
    answer->high = best.high;
    answer->unit = "share";
    answer->n = best.n;
    snprintf(answer->n_of, sizeof answer->n_of, "prompts");
    if (report->has_score && strcmp(best.about, "these prompts") != 0)
        report_say(answer->n_of, sizeof answer->n_of, " in %zu topics",
                   report->score.raw[best.k].n_clusters);
    answer->method = best.method;
    answer->estimand = best.about;
    answer->assumption =
        strcmp(best.about, "these prompts") == 0
            ? "answers to different prompts are independent; of several models the best was chosen "
              "before it was seen, else its score is flattered"
            : "prompts of one topic may move together, topics do not; of several models the best "
              "was chosen before it was seen, else its score is flattered";
    if (report->has_score) {
        struct report_number *size = &report->numbers[REPORT_EFFECTIVE];

        size->value = score_value(&report->score, best.k, ASSAY_SCORE_RESPONSE_SIZE);
        snprintf(
            size->sentence, sizeof size->sentence,
            "independent prompts that the mean of %s is worth, by how alike prompts of a topic "
            "are answered: how much an interval widens",
            safe);
    }
    return give_command(report, answer, "score", 1, "");
}

/* ---- independent prompts ---- */

static assay_status answer_prompts(struct report *report)
{
    const struct score_answer *score = &report->score;
    struct report_number *distinct = &report->numbers[REPORT_DISTINCT];
    struct report_answer *answer;
    double n, topics, low, high, runs = 0.0;
    size_t n_models, n_texts;

    if (!report->has_score) return ASSAY_OK;
    n_models = assay_trials_n_models(score->trials);
    n = (double)assay_prompts_n(score->prompts);
    n_texts = assay_prompts_n_distinct(score->prompts);
    topics = assay_score_joint(score->fit, ASSAY_SCORE_JOINT_TOPICS);
    low = assay_score_joint(score->fit, ASSAY_SCORE_JOINT_TOPICS_LOW);
    high = assay_score_joint(score->fit, ASSAY_SCORE_JOINT_TOPICS_HIGH);
    for (size_t k = 0; k < n_models; k++) runs += score_value(score, k, ASSAY_SCORE_RUNS);
    answer = add(report, "prompts", "How many independent prompts are there?");
    SAY(answer, "The %.0f prompts (%zu different texts) are about %.1f topics to %s, %.1f each.", n,
        n_texts, topics, n_models > 1 ? "all models together" : "the model", n / topics);
    answer->value = topics;
    SAY_NO_INTERVAL(
        answer,
        "no interval: the 95 %% set of the method, %.0f to %.0f, held the true number in "
        "0 to 57 of 100 simulated benchmarks",
        low, high);
    answer->n = n;
    snprintf(answer->n_of, sizeof answer->n_of, "prompts, %zu model%s", n_models,
             plural((double)n_models));
    answer->method = "BHM-ESC, the number of topics jointly over models";
    answer->estimand = "these prompts";
    answer->assumption = runs / topics < 20.0
                             ? "prompts that are alike by their vectors are answered alike; with "
                               "fewer than 20 runs a topic the number is mostly the prior's"
                             : "prompts that are alike by their vectors are answered alike";
    distinct->value = (double)n_texts;
    snprintf(distinct->sentence, sizeof distinct->sentence,
             "different texts among the %.0f prompts: what one would count by reading", n);
    return give_command(report, answer, "score", 1, "--sensitivity");
}

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
        SAY(answer, "No signal is told from the noise that the %s show. ",
            signals_replicate_source(part));
    if (!isnan(above))
        SAY(answer, "%.0f component%s above chance. ", above, above == 1.0 ? " stands" : "s stand");
    SAY(answer, "The effective dimensionality of the scores as they are is %.1f, an upper bound.",
        ed);
    answer->value = isnan(above) ? ed : above;
    if (part->table)
        SAY_NO_INTERVAL(answer, "no interval without the noise: %s",
                        part->fit.reason ? part->fit.reason : "too few replicates");
    else if (isnan(interval.low))
        SAY_NO_INTERVAL(answer, "no interval: cells were run once, and the noise of an answer "
                                "counts as signal");
    else
        SAY_NO_INTERVAL(answer,
                        "no interval: cells were run once, and "
                        "that of the effective dimensionality, %.1f to %.1f, held the one without "
                        "noise in 0 of 100 simulated benchmarks",
                        interval.low, interval.high);
    answer->method = isnan(above) ? "effective dimensionality" : "parallel analysis";
}

static void say_without_noise(const struct report *report, struct report_answer *answer)
{
    const struct signals_replicate *part = &report->signals_request.replicate;

    SAY(answer, "%.1f effective dimensions once the noise of the %s is taken out, %.1f with it.",
        part->fit.value, signals_replicate_source(part),
        signals_number(report, ASSAY_SIGNALS_ED_TASK));
    answer->value = part->fit.value;
    answer->low = part->fit.low;
    answer->high = part->fit.high;
    if (isnan(answer->low) && part->fit.reason) SAY_NO_INTERVAL(answer, "%s", part->fit.reason);
    answer->method = "effective dimensionality from replicates, jackknife over models";
}

static assay_status answer_signals(struct report *report)
{
    const struct signals_replicate *part = &report->signals_request.replicate;
    struct report_number *dimension = &report->numbers[REPORT_DIMENSION];
    struct report_answer *answer;

    if (!report->has_signals) return ASSAY_OK;
    answer = add(report, "signals", "How many signals does it give?");
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
    return give_command(report, answer, "signals", 0, "--audit");
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
        SAY_NO_INTERVAL(answer, "no interval: %s", cli_reason());
        return;
    }
    answer->low = fmax(0.0, high[0] - low[1]);
    answer->high = fmax(0.0, high[1] - low[0]);
    answer->level = 2.0 * report->request->analysis.level - 1.0;
}

static assay_status answer_templates(struct report *report)
{
    const struct templates_answer *templates = &report->templates;
    const struct templates_estimate *of = NULL;
    size_t best = 0, n_templates, n_items;
    struct report_answer *answer;
    const assay_grid *grid;
    char safe[NAME];

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
    answer = add(report, "templates", "How far does the score move when the prompt is reworded?");
    SAY(answer,
        "Over %zu wordings the score of %s goes from %.1f %% (5th percentile) to %.1f %% (95th); "
        "the middle half lies between %.1f %% and %.1f %%.",
        n_templates, shown(safe, assay_grids_model(templates->grids, best)),
        100.0 * quantile(report, of, 0.05), 100.0 * quantile(report, of, 0.95),
        100.0 * quantile(report, of, 0.25), 100.0 * quantile(report, of, 0.75));
    answer->value = quantile(report, of, 0.95) - quantile(report, of, 0.05);
    answer->unit = "share";
    if (templates->each[best].is_full)
        SAY_NO_INTERVAL(answer, "no interval: every wording was run on every item, so that these "
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
    return give_command(report, answer, "templates", 0, "");
}

/* ---- what is not answered ---- */

static void add_gap(struct report *report, const char *question, const char *needs,
                    const char *reason)
{
    struct report_gap *gap = &report->gaps[report->n_gaps];

    if (report->n_gaps == REPORT_MOST_GAPS) return;
    report->n_gaps++;
    snprintf(gap->question, sizeof gap->question, "%s", question);
    snprintf(gap->needs, sizeof gap->needs, *reason ? "%s (%s)" : "%s", needs, reason);
}

static void find_gaps(struct report *report)
{
    const struct signals_audit *audit = &report->signals_request.audit;

    if (!report->has_score)
        add_gap(report, "How many independent prompts are there?",
                "the texts of the prompts, with scores from 0 to 1 (--prompts FILE)",
                report->no_score);
    if (!report->has_score && !report->trials)
        add_gap(report, "What do the models score?", "scores from 0 to 1", "");
    if (!report->has_templates)
        add_gap(report, "How far does the score move when the prompt is reworded?",
                "answers under two wordings of each prompt or more (a column template)",
                report->no_templates);
    if (!report->has_signals)
        add_gap(report, "How many signals does it give?", "two models or more on the same items",
                report->no_signals);
    for (size_t k = 0; report->has_signals && k < audit->n_gaps; k++)
        if (audit->gaps[k].step == AUDIT_SIGNALS)
            add_gap(report, audit->gaps[k].question, audit->gaps[k].needs, "");
    if (report->has_signals)
        add_gap(report, "What changed between the first and the last models?",
                "the dates of the models (assay signals --dates)", "");
}
