/* SPDX-License-Identifier: Apache-2.0 */
/* The headlines about scores and prompts. */
#include "audit_report_say.h"

#include <assay/intervals.h>
#include <math.h>
#include <string.h>

/* The model that the first answer is about. */
struct report_best {
    size_t model; /* of the results */
    size_t k;     /* of the score */
    double mean, n, low, high;
    const char *about, *method;
};

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
        report_say(answer->answer, REPORT_TEXT,
                   " Once a topic counts once it is %.1f %% (BHM-ESC with the topics' law learnt",
                   100.0 * learnt);
    report_say(answer->answer, REPORT_TEXT,
               isnan(learnt) ? " Once a topic counts once it is %.1f %% (BHM-ESC)."
                             : "; %.1f %% as published).",
               100.0 * published);
}

assay_status report_answer_score(struct report *report)
{
    size_t n_models = assay_matrix_n_models(report->matrix);
    struct report_best best;
    struct report_answer *answer;
    char safe[REPORT_NAME];

    if (!find_best(report, &best)) return ASSAY_OK;
    find_interval(report, &best);
    answer =
        report_add(report, "score",
                   n_models > 1 ? "What does the best model score?" : "What does the model score?");
    report_say(answer->answer, REPORT_TEXT, "%s scores %.1f %%",
               report_shown(safe, assay_results_model(report->results, best.model)),
               100.0 * best.mean);
    if (n_models > 1) report_say(answer->answer, REPORT_TEXT, ", the most of %zu models", n_models);
    report_say(answer->answer, REPORT_TEXT, ".");
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
    return report_give_command(report, answer, "score", 1, "");
}

/* ---- independent prompts ---- */

assay_status report_answer_prompts(struct report *report)
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
    answer = report_add(report, "prompts", "How many independent prompts are there?");
    report_say(answer->answer, REPORT_TEXT,
               "The %.0f prompts (%zu different texts) are about %.1f topics to %s, %.1f each.", n,
               n_texts, topics, n_models > 1 ? "all models together" : "the model", n / topics);
    answer->value = topics;
    report_say(answer->no_interval, REPORT_TEXT,
               "no interval: the 95 %% set of the method, %.0f to %.0f, held the true number in "
               "0 to 57 of 100 simulated benchmarks",
               low, high);
    answer->n = n;
    snprintf(answer->n_of, sizeof answer->n_of, "prompts, %zu model%s", n_models,
             n_models == 1 ? "" : "s");
    answer->method = "BHM-ESC, the number of topics jointly over models";
    answer->estimand = "these prompts";
    answer->assumption = runs / topics < 20.0
                             ? "prompts that are alike by their vectors are answered alike; with "
                               "fewer than 20 runs a topic the number is mostly the prior's"
                             : "prompts that are alike by their vectors are answered alike";
    distinct->value = (double)n_texts;
    snprintf(distinct->sentence, sizeof distinct->sentence,
             "different texts among the %.0f prompts: what one would count by reading", n);
    return report_give_command(report, answer, "score", 1, "--sensitivity");
}
