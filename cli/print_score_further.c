/* SPDX-License-Identifier: Apache-2.0 */
/* Below the table of `assay score`: the further answers that were asked for. */
#include "embedder.h"
#include "print_score.h"

#include <math.h>
#include <string.h>

/* ---- extensions of the model ---- */

static void print_kappa(FILE *to, const struct score_answer *answer, int width)
{
    fputs("\nwith prompts of one topic that differ; the larger kappa, the more alike they are\n",
          to);
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %6s  %9s  %12s\n", "mean", "topics", "kappa", "log evidence");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        print_score_number(to, 6, 4, score_value(answer, k, ASSAY_SCORE_KAPPA_CORRECTED));
        print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_KAPPA_TOPICS));
        print_score_number(to, 9, 2, score_value(answer, k, ASSAY_SCORE_KAPPA));
        print_score_number(to, 12, 2, score_value(answer, k, ASSAY_SCORE_KAPPA_LOG_EVIDENCE));
        putc('\n', to);
    }
}

static void print_partitions(FILE *to, const struct score_answer *answer, int width)
{
    fputs("\nover all partitions that agree with the tree\n", to);
    print_score_name(to, "model", width);
    fprintf(to, "  %6s  %14s  %6s  %12s\n", "mean", "spread", "topics", "log evidence");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        print_score_number(to, 6, 4, score_value(answer, k, ASSAY_SCORE_PARTITIONS_CORRECTED));
        print_score_interval(to, score_value(answer, k, ASSAY_SCORE_PARTITIONS_SPREAD_LOW),
                             score_value(answer, k, ASSAY_SCORE_PARTITIONS_SPREAD_HIGH));
        print_score_number(to, 6, 1, score_value(answer, k, ASSAY_SCORE_PARTITIONS_TOPICS));
        print_score_number(to, 12, 2, score_value(answer, k, ASSAY_SCORE_PARTITIONS_LOG_EVIDENCE));
        putc('\n', to);
    }
}

static void print_hit(FILE *to, const struct score_answer *answer, int width)
{
    double runs = answer->request->hit;

    fprintf(to, "\nprobability of at least one success in %g run%s, on a topic drawn at random\n",
            runs, runs == 1.0 ? "" : "s");
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), width);
        print_score_number(to, 6, 4, assay_score_hit(answer->fit, k, runs));
        putc('\n', to);
    }
}

void print_score_extensions(FILE *to, const struct score_answer *answer)
{
    int width = score_name_width(answer);

    if (answer->request->kappa) print_kappa(to, answer, width);
    if (answer->request->partitions) print_partitions(to, answer, width);
    if (answer->request->hit > 0.0) print_hit(to, answer, width);
}

/* ---- other choices ---- */

static void print_choice(FILE *to, size_t choice, const assay_sensitivity *row)
{
    fprintf(to, "  %-8s%-12s", score_choice_kind(choice), score_choice_name(choice));
    print_score_number(to, 7, 1, row->topics);
    print_score_number(to, 5, 0, row->topics_low);
    print_score_number(to, 4, 0, row->topics_high);
    print_score_number(to, 6, 4, row->score);
    print_score_number(to, 12, 2, row->log_evidence);
    putc('\n', to);
}

void print_score_choices(FILE *to, const struct score_answer *answer)
{
    if (!answer->choices) return;
    fputs("\nwhat other choices would say (log evidence: higher is better)\n", to);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), 22);
        fprintf(to, "  %7s  %11s  %6s  %12s\n", "topics", "95 % set", "score", "log evidence");
        for (size_t c = 0; c < score_n_choices(answer); c++)
            print_choice(to, c, &answer->choices[k * score_n_choices(answer) + c]);
    }
}

/* ---- the average by evidence ---- */

enum { TAIL = 30 }; /* bytes of an embedding's name that are shown */

static void print_trees(FILE *to, const struct score_answer *answer, size_t k)
{
    const struct score_average *average = &answer->average;

    for (size_t t = 0; t < average->n_trees; t++) {
        const assay_sensitivity *row = &average->rows[k * average->n_trees + t];
        char shown[CLI_URL_SIZE];
        const char *embed = cli_url_shown(average->embedding[average->tree[t].embedding], shown);
        size_t length = strlen(embed);

        if (length > TAIL) embed += length - TAIL; /* of paths the end differs */
        fputs("  ", to);
        print_score_name(to, embed, TAIL);
        fprintf(to, " %-9s", score_linkage_name(average->tree[t].linkage));
        print_score_number(to, 6, 1, row->topics);
        print_score_number(to, 6, 4, row->score);
        print_score_number(to, 12, 2, row->log_evidence);
        print_score_number(to, 6, 3, score_tree_weight(answer, k, t));
        putc('\n', to);
    }
}

void print_score_average(FILE *to, const struct score_answer *answer)
{
    const assay_score *fit = answer->average.fit;

    if (!fit) return;
    fputs("\naveraged over embeddings and linkages, by evidence\n", to);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        size_t k = answer->order[j];

        print_score_name(to, score_model_name(answer, k), 42);
        fprintf(to, "  %6s  %6s  %12s  %6s\n", "topics", "score", "log evidence", "weight");
        print_trees(to, answer, k);
        fprintf(to, "  %-40s", "average");
        print_score_number(to, 6, 1, assay_score_value(fit, k, ASSAY_SCORE_TREES_TOPICS));
        print_score_number(to, 6, 4, assay_score_value(fit, k, ASSAY_SCORE_TREES_CORRECTED));
        print_score_number(to, 12, 2, assay_score_value(fit, k, ASSAY_SCORE_TREES_LOG_EVIDENCE));
        fputs("\n  these topics", to);
        print_score_interval(to, assay_score_value(fit, k, ASSAY_SCORE_TREES_THESE_LOW),
                             assay_score_value(fit, k, ASSAY_SCORE_TREES_THESE_HIGH));
        fputs("   topics like these", to);
        print_score_interval(to, assay_score_value(fit, k, ASSAY_SCORE_TREES_LIKE_LOW),
                             assay_score_value(fit, k, ASSAY_SCORE_TREES_LIKE_HIGH));
        putc('\n', to);
    }
}

/* ---- sets of highest density ---- */

static void print_set(FILE *to, const struct score_answer *answer, size_t k, assay_reading reading)
{
    double set[SCORE_MOST_PIECES][2];
    size_t n;

    if (assay_score_hpd(answer->fit, k, reading, answer->request->analysis.level, set,
                        SCORE_MOST_PIECES, &n) != ASSAY_OK)
        fputs("  -", to);
    else
        for (size_t i = 0; i < n; i++) fprintf(to, "  %.4f to %.4f", set[i][0], set[i][1]);
    putc('\n', to);
}

void print_score_densest(FILE *to, const struct score_answer *answer)
{
    static const char *const readings[] = { "spread over topics", "these topics",
                                            "topics like these" };

    if (!answer->request->hpd) return;
    fprintf(to, "\nsets of highest density that hold %g %%, of the score as published\n",
            100.0 * answer->request->analysis.level);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        print_score_name(to, score_model_name(answer, answer->order[j]), 0);
        putc('\n', to);
        for (int reading = 0; reading < 3; reading++) {
            fprintf(to, "  %-18s", readings[reading]);
            print_set(to, answer, answer->order[j], (assay_reading)reading);
        }
    }
}

/* ---- validation ---- */

void print_score_validation(FILE *to, const struct score_answer *answer)
{
    if (!answer->validated) return;
    fputs("\ncross-validation: mean error in successes (lower is better), log density of what was "
          "held out\n(higher is better)\n",
          to);
    for (size_t j = 0; j < assay_trials_n_models(answer->trials); j++) {
        const assay_validation *v = &answer->validated[answer->order[j]];

        print_score_name(to, score_model_name(answer, answer->order[j]), 0);
        if (v->n == 0) {
            fputs(": fewer than 2 folds have prompts of this model\n", to);
            continue;
        }
        fprintf(to, ": %zu prompts, %zu folds, %s\n", v->n, v->n_folds,
                answer->request->folds ? "as given"
                : v->stratified        ? "stratified by the given clusters"
                                       : "not stratified: no clusters are given");
        fprintf(to, "  %-16s  %8s  %11s  %8s\n", "", "error", "log density", "SE");
        for (int method = 0; method < ASSAY_VALIDATION_N_METHODS; method++) {
            assay_validation_score s = v->method[method];

            if (isnan(s.mae)) continue;
            fprintf(to, "  %-16s", assay_validation_name((assay_validation_method)method));
            print_score_number(to, 8, 3, s.mae);
            print_score_number(to, 11, 2, s.elpd);
            print_score_number(to, 8, 2, s.elpd_se);
            putc('\n', to);
        }
    }
}

/* ---- Hopkins ---- */

void print_score_hopkins(FILE *to, const struct score_answer *answer)
{
    static const char *const nulls[] = { "columns permuted", "Gaussian of the same shape" };
    const assay_hopkins *h = &answer->measured;

    if (!answer->request->hopkins) return;
    if (answer->not_measured[0]) {
        fprintf(to, "\ndo the prompts cluster? not measured: %s\n", answer->not_measured);
        return;
    }
    fprintf(to,
            "\ndo the prompts cluster? Hopkins statistic %.3f (Monte Carlo SE %.4f); without "
            "clusters, over %zu data sets, it would be\n",
            h->mean, h->se, h->data_sets);
    fprintf(to, "  %-26s  %6s  %6s  %6s  %6s\n", "", "mean", "sd", "z", "p");
    for (size_t k = 0; k < ASSAY_HOPKINS_N_NULLS; k++) {
        fprintf(to, "  %-26s", nulls[k]);
        print_score_number(to, 6, 3, h->against[k].mean);
        print_score_number(to, 6, 3, h->against[k].sd);
        print_score_number(to, 6, 2, h->against[k].z);
        print_score_number(to, 6, 3, h->against[k].p);
        putc('\n', to);
    }
}
