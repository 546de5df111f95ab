/* SPDX-License-Identifier: Apache-2.0 */
/* The headlines about scores and prompts. */
#include "audit_report_say.h"

#include <math.h>
#include <string.h>

/* The model that the first answer is about. */
struct report_best {
    size_t k;        /* of the means, and of the score where there is one */
    size_t n_rivals; /* models that could have been it, itself among them */
    double low, high;
    const char *about, *method;
};

/* ---- the score ---- */

/* Of the models with at least half as many prompts as any: a model that has few is best by luck. */
static void find_best(const struct report *report, struct report_best *best)
{
    const struct report_mean *means = report->means;
    double most = 0.0;

    *best = (struct report_best){ 0 };
    for (size_t k = 0; k < report->n_means; k++) most = fmax(most, means[k].n);
    for (size_t k = 0; k < report->n_means; k++) {
        if (means[k].n < most / 2.0) continue;
        if (best->n_rivals++ == 0 || means[k].mean > means[best->k].mean) best->k = k;
    }
}

/* Without texts prompts have no labels, and the interval that leads is Wilson's. */
static void find_interval(const struct report *report, struct report_best *best)
{
    best->about = "these prompts";
    best->method = "mean over prompts, Wilson's interval";
    best->low = report->means[best->k].low;
    best->high = report->means[best->k].high;
    if (report->has_score) {
        const struct score_raw *raw = &report->score.raw[best->k];

        best->low = score_lead_interval(raw)[0];
        best->high = score_lead_interval(raw)[1];
        best->about = score_lead_about(raw);
        if (raw->lead != SCORE_LEAD_PROMPTS)
            best->method = "mean over prompts, clustered by the given topics (CR1, t)";
    }
}

/* Who scores it, and among whom. */
static void say_best(const struct report *report, const struct report_best *best,
                     struct report_answer *answer, const char *name)
{
    size_t n_others = report->n_means - best->n_rivals;

    report_say(answer->answer, REPORT_TEXT, "%s scores %.1f %%", name,
               100.0 * report->means[best->k].mean);
    if (best->n_rivals > 1)
        report_say(answer->answer, REPORT_TEXT, ", the most of %zu models", best->n_rivals);
    if (n_others > 0)
        report_say(answer->answer, REPORT_TEXT,
                   "; %zu other model%s less than half as many prompts and %s not compared",
                   n_others, n_others == 1 ? " has" : "s have", n_others == 1 ? "is" : "are");
    report_say(answer->answer, REPORT_TEXT, ".");
}

/* Its score where a topic counts once: learnt where there is one, which is nearer with few runs. */
static void say_corrected(const struct report *report, const struct report_best *best,
                          struct report_answer *answer)
{
    double learnt = score_value(&report->score, best->k, ASSAY_SCORE_HYPER_CORRECTED);
    double published = score_value(&report->score, best->k, ASSAY_SCORE_CORRECTED);

    report_say(answer->answer, REPORT_TEXT, " With each topic counted once it is %.1f %% (BHM-ESC",
               100.0 * (isnan(learnt) ? published : learnt));
    if (isnan(learnt))
        report_say(answer->answer, REPORT_TEXT,
                   " as published, which pulls towards 50 %% where runs are few).");
    else
        report_say(answer->answer, REPORT_TEXT,
                   "; how far topics differ is learnt from the answers. As published, which pulls "
                   "towards 50 %% where runs are few, it is %.1f %%).",
                   100.0 * published);
}

static const char *assumption_of(const struct report *report, const struct report_best *best)
{
    int by_topic = strcmp(best->about, "these prompts") != 0;

    if (report->n_means == 1)
        return by_topic ? "prompts of one topic may move together, topics do not"
                        : "answers to different prompts are independent";
    return by_topic ? "prompts of one topic may move together, topics do not; of several models "
                      "the best was chosen before it was seen, else its score is flattered"
                    : "answers to different prompts are independent; of several models the best "
                      "was chosen before it was seen, else its score is flattered";
}

assay_status report_answer_score(struct report *report)
{
    struct report_best best;
    struct report_answer *answer;
    char safe[REPORT_NAME];

    if (report->n_means == 0) return ASSAY_OK;
    find_best(report, &best);
    find_interval(report, &best);
    answer = report_add(report, "score",
                        report->n_means > 1 ? "What does the best model score?"
                                            : "What does the model score?");
    report_shown(safe, assay_results_model(report->results, report->means[best.k].model));
    say_best(report, &best, answer, safe);
    if (report->has_score) say_corrected(report, &best, answer);
    answer->value = report->means[best.k].mean;
    answer->low = best.low;
    answer->high = best.high;
    answer->unit = "share";
    answer->n = report->means[best.k].n;
    snprintf(answer->n_of, sizeof answer->n_of, "prompts");
    if (report->has_score && strcmp(best.about, "these prompts") != 0)
        report_say(answer->n_of, sizeof answer->n_of, " in %zu topics",
                   report->score.raw[best.k].n_clusters);
    answer->method = best.method;
    answer->estimand = best.about;
    answer->assumption = assumption_of(report, &best);
    if (report->has_score) {
        struct report_number *size = &report->numbers[REPORT_EFFECTIVE];

        size->value = score_value(&report->score, best.k, ASSAY_SCORE_RESPONSE_SIZE);
        snprintf(
            size->sentence, sizeof size->sentence,
            "independent prompts that the mean of %s is worth, by how alike prompts of a topic "
            "are answered: how much an interval widens",
            safe);
    }
    /* `assay score` needs texts; without them the means of all models are this command's. */
    return report->has_score ? report_give_command(report, answer, "score", 1, "")
                             : report_give_command(report, answer, "audit", 1, "--json");
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
    report_say(
        answer->answer, REPORT_TEXT,
        "The %.0f prompts (%zu different texts) are about %.1f topics to %s, %.1f prompts a topic.",
        n, n_texts, topics, n_models > 1 ? "all models together" : "the model", n / topics);
    answer->value = topics;
    report_say(answer->no_interval, REPORT_TEXT,
               "no interval: the %.4g %% set of the method, %.0f to %.0f, is not to be relied on; "
               "at 95 %% it held the true number in 0 to 57 of 100 simulated benchmarks",
               100.0 * report->request->analysis.level, low, high);
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
