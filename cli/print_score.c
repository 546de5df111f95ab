/* SPDX-License-Identifier: Apache-2.0 */
#include "print_score.h"

#include "embedder.h"

#include "session.h"

#include <math.h>
#include <string.h>

enum { NAME_MOST = 40, NAME_SIZE = 4 * NAME_MOST + 1 };

static double joint(const struct score_answer *answer, assay_score_joint_number number)
{
    return assay_score_joint(answer->fit, number);
}

const struct score_readings score_published = {
    .mean = ASSAY_SCORE_CORRECTED,
    .spread = { ASSAY_SCORE_SPREAD_LOW, ASSAY_SCORE_SPREAD_HIGH },
    .these = { ASSAY_SCORE_THESE_LOW, ASSAY_SCORE_THESE_HIGH },
    .like = { ASSAY_SCORE_LIKE_LOW, ASSAY_SCORE_LIKE_HIGH },
    .spread_sd = ASSAY_SCORE_SPREAD_SD,
    .these_sd = ASSAY_SCORE_THESE_SD,
    .like_sd = ASSAY_SCORE_LIKE_SD,
};

const struct score_readings score_learnt = {
    .mean = ASSAY_SCORE_HYPER_CORRECTED,
    .spread = { ASSAY_SCORE_HYPER_SPREAD_LOW, ASSAY_SCORE_HYPER_SPREAD_HIGH },
    .these = { ASSAY_SCORE_HYPER_THESE_LOW, ASSAY_SCORE_HYPER_THESE_HIGH },
    .like = { ASSAY_SCORE_HYPER_LIKE_LOW, ASSAY_SCORE_HYPER_LIKE_HIGH },
    .spread_sd = ASSAY_SCORE_HYPER_SPREAD_SD,
    .these_sd = ASSAY_SCORE_HYPER_THESE_SD,
    .like_sd = ASSAY_SCORE_HYPER_LIKE_SD,
};

/* ---- names and numbers ---- */

/* Characters of a text that is safe to print, as a terminal counts most of them. */
static int n_characters(const char *text)
{
    int n = 0;

    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* The name safe to print, in at most NAME_MOST characters. */
static const char *shown(const char *name, char safe[NAME_SIZE])
{
    size_t size = NAME_SIZE;

    do {
        assay_printable(safe, size, name, strlen(name));
        size -= 4;
    } while (n_characters(safe) > NAME_MOST);
    return safe;
}

int score_name_width(const struct score_answer *answer)
{
    int width = 5;
    char safe[NAME_SIZE];

    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++) {
        int n = n_characters(shown(score_model_name(answer, k), safe));
        if (n > width) width = n;
    }
    return width;
}

void print_score_name(FILE *to, const char *name, int width)
{
    char safe[NAME_SIZE];
    int n = n_characters(shown(name, safe));

    fprintf(to, "%s%*s", safe, width > n ? width - n : 0, "");
}

void print_score_interval(FILE *to, double low, double high)
{
    if (isnan(low) || isnan(high))
        fputs("               -", to);
    else
        fprintf(to, "   %.4f %.4f", low, high);
}

void print_score_number(FILE *to, int width, int decimals, double x)
{
    if (isnan(x))
        fprintf(to, "  %*s", width, "-");
    else
        fprintf(to, "  %*.*f", width, decimals, x);
}

/* ---- the table ---- */

static void print_prompts(FILE *to, const struct score_answer *answer)
{
    size_t n = assay_prompts_n(answer->prompts), n_scored;
    size_t texts = assay_prompts_n_distinct(answer->prompts);
    size_t vectors = assay_vectors_n_distinct(answer->vectors);
    char shown[CLI_URL_SIZE], safe[120];
    const char *embed = cli_url_shown(answer->request->embed, shown);

    fprintf(to, "%zu prompt%s: %zu distinct text%s, %zu distinct vector%s (%s)\n", n,
            n == 1 ? "" : "s", texts, texts == 1 ? "" : "s", vectors, vectors == 1 ? "" : "s",
            assay_printable(safe, sizeof safe, embed, strlen(embed)));
    print_score_embedding(to, answer);
    print_score_turns(to, answer);
    fprintf(to, "independent topics: %.1f (95 %% set %.0f to %.0f)",
            joint(answer, ASSAY_SCORE_JOINT_TOPICS), joint(answer, ASSAY_SCORE_JOINT_TOPICS_LOW),
            joint(answer, ASSAY_SCORE_JOINT_TOPICS_HIGH));
    if (assay_trials_n_models(answer->trials) > 1)
        fprintf(to, " by all models together; by the models one by one %.1f to %.1f",
                joint(answer, ASSAY_SCORE_JOINT_LEAST), joint(answer, ASSAY_SCORE_JOINT_MOST));
    assay_score_topics(answer->fit, SIZE_MAX, &n_scored);
    fprintf(to, "\nso a topic is asked %.2f times on average\n\n",
            (double)n_scored / joint(answer, ASSAY_SCORE_JOINT_TOPICS));
}

static int has_hyper(const struct score_answer *answer)
{
    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++)
        if (!isnan(score_value(answer, k, ASSAY_SCORE_HYPER_CORRECTED))) return 1;
    return 0;
}

/* The raw score with the interval that was measured to hold, and the corrected one beside it. */
static void print_model(FILE *to, const struct score_answer *answer, size_t k, int width)
{
    const struct score_raw *raw = &answer->raw[k];
    const double *interval = score_lead_interval(raw);

    print_score_name(to, score_model_name(answer, k), width);
    fprintf(to, "  %7.0f  %9.0f", raw->n, raw->runs);
    print_score_number(to, 6, 4, raw->mean);
    print_score_interval(to, interval[0], interval[1]);
    fprintf(to, "  %-17s", score_lead_about(raw));
    print_score_number(to, 9, 4, score_value(answer, k, ASSAY_SCORE_CORRECTED));
    if (has_hyper(answer))
        print_score_number(to, 6, 4, score_value(answer, k, ASSAY_SCORE_HYPER_CORRECTED));
    print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_TOPICS));
    putc('\n', to);
}

static void explain_lead(FILE *to, const struct score_answer *answer)
{
    int is_like = 1, is_clustered = 0, is_wilson = 0;

    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++) {
        is_like &= answer->raw[k].lead == SCORE_LEAD_LIKE;
        is_clustered |= answer->raw[k].lead != SCORE_LEAD_PROMPTS;
        is_wilson |= answer->raw[k].lead == SCORE_LEAD_PROMPTS;
    }
    fprintf(to, "%g %% intervals of the raw score: %s%s%s.\n",
            100.0 * answer->request->analysis.level,
            is_clustered ? "with prompts in the given clusters" : "",
            is_clustered && is_wilson ? ", and for these prompts " : "",
            is_wilson ? "Wilson's with n = prompts" : "");
    if (is_like) return;
    fputs("Topics like these have no interval ", to);
    fputs(answer->labels
              ? "that holds where the given clusters are few, unequal or score all alike.\n"
              : "that holds without given clusters of prompts.\n",
          to);
}

static void print_models(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    print_score_name(to, "model", width);
    fprintf(to, "  %7s  %9s  %6s  %14s  %-17s  %9s", "prompts", "runs", "raw", "interval",
            "which is about", "corrected");
    if (has_hyper(answer)) fprintf(to, "  %6s", "learnt");
    fprintf(to, "  %6s\n", "topics");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++)
        print_model(to, answer, answer->order[j], width);
    explain_lead(to, answer);
}

static void print_bounds(FILE *to, const struct score_answer *answer, size_t k,
                         const assay_score_number bounds[2])
{
    print_score_interval(to, score_value(answer, k, bounds[0]), score_value(answer, k, bounds[1]));
}

static void print_reading(FILE *to, const struct score_answer *answer, size_t k,
                          const struct score_readings *at, int width)
{
    print_score_name(to, score_model_name(answer, k), width);
    print_score_number(to, 6, 4, score_value(answer, k, at->mean));
    print_bounds(to, answer, k, at->these);
    print_bounds(to, answer, k, at->like);
    print_bounds(to, answer, k, at->spread);
}

static void print_readings(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    fputs("\nthe corrected score in its three readings (BHM-ESC as published)\n", to);
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %14s  %14s  %14s  %16s\n", "mean", "these topics", "like these", "spread",
            "raw, clustered");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_reading(to, answer, k, &score_published, width);
        fputs("  ", to);
        print_score_interval(to, answer->raw[k].clustered[0], answer->raw[k].clustered[1]);
        putc('\n', to);
    }
    fprintf(to,
            "These topics: how sure the score on these topics is; like these: the score on new "
            "topics of\ntheir kind; both cover less than they say when runs are few or the tree is "
            "wrong. Spread:\nover topics, which is no error bar. Clustered: of the raw score, with "
            "prompts in %s.\n",
            answer->labels ? "the given clusters" : "the topics found");
}

static void print_hyper(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    if (!has_hyper(answer)) return;
    fputs("\nwith the topics' distribution learnt (beyond the paper: no pull towards 0.5)\n", to);
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %14s  %14s  %14s  %6s\n", "mean", "these topics", "like these", "spread",
            "topics");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_reading(to, answer, k, &score_learnt, width);
        print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_HYPER_TOPICS));
        putc('\n', to);
    }
}

static void print_sizes(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    fputs("\nhow many independent prompts they are worth, in three senses\n", to);
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %19s  %18s\n", "topics", "for the raw mean", "from the responses");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_TOPICS));
        print_score_number(to, 19, 1, score_value(answer, k, ASSAY_SCORE_KISH));
        print_score_number(to, 18, 1, score_value(answer, k, ASSAY_SCORE_RESPONSE_SIZE));
        putc('\n', to);
    }
}

static void print_ties(FILE *to, const struct score_answer *answer)
{
    size_t n = assay_prompts_n(answer->prompts), tied = assay_dendrogram_n_tied(answer->tree);
    int width = score_name_width(answer);

    if (!tied && !answer->n_orders) return;
    fprintf(to, "\nties: %zu of %zu merge%s %s as near as the one before", tied, n - 1,
            n == 2 ? "" : "s", tied == 1 ? "is" : "are");
    if (!answer->n_orders) {
        putc('\n', to);
        return;
    }
    fprintf(to, "; over %zu order%s of them, by evidence\n", answer->n_orders,
            answer->n_orders == 1 ? "" : "s");
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %14s  %6s  %14s\n", "mean", "least and most", "topics", "least and most");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        print_score_number(to, 6, 4, score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED));
        print_score_interval(to, score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_LEAST),
                             score_value(answer, k, ASSAY_SCORE_TREES_CORRECTED_MOST));
        print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_TREES_TOPICS));
        print_score_number(to, 7, 1, score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_LEAST));
        fprintf(to, "%7.1f\n", score_value(answer, k, ASSAY_SCORE_TREES_TOPICS_MOST));
    }
}

assay_status print_score_table(FILE *to, const void *data)
{
    const struct score_answer *answer = data;

    cli_print_coverage(to, answer->results);
    print_prompts(to, answer);
    print_models(to, answer);
    print_score_missing(to, answer);
    print_readings(to, answer);
    print_hyper(to, answer);
    print_sizes(to, answer);
    print_ties(to, answer);
    print_score_extensions(to, answer);
    print_score_densest(to, answer);
    print_score_choices(to, answer);
    print_score_average(to, answer);
    print_score_validation(to, answer);
    print_score_hopkins(to, answer);
    return ASSAY_OK;
}
