/* SPDX-License-Identifier: Apache-2.0 */
/* The topics of `assay score` as CSV: each prompt with its topic, and one to keep in each. */
#include "print_score.h"
#include "session.h"

#include <assay/topics.h>
#include <stdlib.h>

/* What stands for each topic. */
struct topic_list {
    const struct score_answer *answer;
    size_t *keep, *size, *first, *next; /* prompts first[topic], next[prompt], ... SIZE_MAX */
    double *successes, *runs;           /* n_topics x n_models */
};

static assay_status collect(struct topic_list *list);
static void link_prompts(struct topic_list *list);
static void sum_outcomes(struct topic_list *list);
static void write_header(FILE *to, const struct score_answer *answer);
static void write_prompt(FILE *to, const struct topic_list *list, size_t topic, size_t i);

assay_status print_score_topics(FILE *to, const void *data)
{
    struct topic_list list = { .answer = data };
    assay_status status = collect(&list);

    if (status == ASSAY_OK) {
        write_header(to, list.answer);
        for (size_t topic = 0; topic < list.answer->n_topics; topic++)
            for (size_t i = list.first[topic]; i != SIZE_MAX; i = list.next[i])
                write_prompt(to, &list, topic, i);
    }
    free(list.keep);
    free(list.size);
    free(list.first);
    free(list.next);
    free(list.successes);
    free(list.runs);
    return status;
}

static assay_status collect(struct topic_list *list)
{
    const struct score_answer *answer = list->answer;
    size_t n_topics = answer->n_topics, n_models = assay_trials_n_models(answer->trials);

    list->keep = malloc(n_topics * sizeof *list->keep);
    list->size = calloc(n_topics, sizeof *list->size);
    list->first = malloc(n_topics * sizeof *list->first);
    list->next = malloc(assay_prompts_n(answer->prompts) * sizeof *list->next);
    list->successes = calloc(n_topics, n_models * sizeof *list->successes);
    list->runs = calloc(n_topics, n_models * sizeof *list->runs);
    if (!list->keep || !list->size || !list->first || !list->next || !list->successes ||
        !list->runs)
        return cli_no_memory();
    link_prompts(list);
    sum_outcomes(list);
    return assay_topics_representatives(answer->vectors, answer->topics, n_topics, list->keep);
}

/* From the last prompt to the first, so that each list runs upwards. */
static void link_prompts(struct topic_list *list)
{
    const size_t *topics = list->answer->topics;

    for (size_t k = 0; k < list->answer->n_topics; k++) list->first[k] = SIZE_MAX;
    for (size_t i = assay_prompts_n(list->answer->prompts); i-- > 0;) {
        list->next[i] = list->first[topics[i]];
        list->first[topics[i]] = i;
        list->size[topics[i]]++;
    }
}

static void sum_outcomes(struct topic_list *list)
{
    const struct score_answer *answer = list->answer;
    size_t n_models = assay_trials_n_models(answer->trials);

    for (size_t k = 0; k < n_models; k++) {
        const double *x = score_successes(answer, k), *m = score_runs(answer, k);

        for (size_t i = 0; i < assay_prompts_n(answer->prompts); i++) {
            list->successes[answer->topics[i] * n_models + k] += x[i];
            list->runs[answer->topics[i] * n_models + k] += m[i];
        }
    }
}

void print_score_field(FILE *to, const char *words)
{
    putc('"', to);
    for (; *words; words++) {
        if (*words == '"') putc('"', to);
        putc(*words, to);
    }
    putc('"', to);
}

static void write_header(FILE *to, const struct score_answer *answer)
{
    fputs("topic,size,keep,item,prompt", to);
    for (size_t k = 0; k < assay_trials_n_models(answer->trials); k++) {
        putc(',', to);
        print_score_field(to, score_model_name(answer, k));
    }
    putc('\n', to);
}

static void write_prompt(FILE *to, const struct topic_list *list, size_t topic, size_t i)
{
    const struct score_answer *answer = list->answer;
    size_t n_models = assay_trials_n_models(answer->trials);

    fprintf(to, "%zu,%zu,%d,", topic + 1, list->size[topic], list->keep[topic] == i);
    print_score_field(to, assay_prompts_id(answer->prompts, i));
    putc(',', to);
    print_score_field(to, assay_prompts_text(answer->prompts, i));
    for (size_t k = 0; k < n_models; k++) {
        double runs = list->runs[topic * n_models + k];

        putc(',', to);
        if (runs > 0.0) fprintf(to, "%.4f", list->successes[topic * n_models + k] / runs);
    }
    putc('\n', to);
}
