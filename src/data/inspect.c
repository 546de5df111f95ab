/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/inspect.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is counted by item or by model. */
typedef struct counting {
    const assay_results *results;
    assay_inspection *out;
    size_t *next;           /* by record: the next of the same model, SIZE_MAX for none */
    size_t *first;          /* by model: its first record */
    size_t *n_models_of;    /* by item: models with a score */
    size_t *user;           /* by template: 1 + the latest model that has a score under it */
    double *first_score;    /* by item */
    unsigned char *scored;  /* by item, of the model at hand */
    unsigned char *differs; /* by item: whether another score than the first was met */
} counting;

static assay_status start(counting *c, const assay_results *results, assay_inspection *out);
static void list_records(counting *c);
static void count_model(counting *c, size_t model);
static void count_record(counting *c, size_t record);
static void count_score(counting *c, size_t item, double score);
static int is_repeated(const counting *c, size_t record, size_t item);
static void count_items(counting *c);
static assay_status count_texts(counting *c);

assay_status assay_inspect(const assay_results *results, assay_inspection *out)
{
    counting c;
    assay_status status = start(&c, results, out);

    if (status == ASSAY_OK) {
        list_records(&c);
        for (size_t m = 0; m < out->models; m++) count_model(&c, m);
        count_items(&c);
        status = count_texts(&c);
    }
    free(c.next);
    free(c.first);
    free(c.n_models_of);
    free(c.user);
    free(c.first_score);
    free(c.scored);
    free(c.differs);
    return status;
}

static assay_status start(counting *c, const assay_results *results, assay_inspection *out)
{
    *out = (assay_inspection){ .models = results->models.count,
                               .tasks = results->tasks.count,
                               .items = results->items.count,
                               .templates = results->templates.count,
                               .runs = results->runs.count,
                               .low = NAN,
                               .high = NAN,
                               .binary = 1 };
    *c = (counting){ .results = results,
                     .out = out,
                     .next = assay_alloc(results->n_records, sizeof *c->next),
                     .first = assay_alloc(out->models, sizeof *c->first),
                     .n_models_of = assay_alloc_zero(out->items, sizeof *c->n_models_of),
                     .user = assay_alloc_zero(out->templates, sizeof *c->user),
                     .first_score = assay_alloc(out->items, sizeof *c->first_score),
                     .scored = assay_alloc(out->items, 1),
                     .differs = assay_alloc_zero(out->items, 1) };
    if (!c->next || !c->first || !c->n_models_of || !c->user || !c->first_score || !c->scored ||
        !c->differs)
        return assay_results_no_memory(results);
    for (size_t i = 0; i < out->items; i++) c->first_score[i] = NAN;
    return ASSAY_OK;
}

static void list_records(counting *c)
{
    for (size_t m = 0; m < c->out->models; m++) c->first[m] = SIZE_MAX;
    for (size_t r = c->results->n_records; r-- > 0;) {
        size_t model = c->results->records[r].model;

        c->next[r] = c->first[model];
        c->first[model] = r;
    }
}

static void count_model(counting *c, size_t model)
{
    size_t n = 0, n_templates = 0;

    memset(c->scored, 0, c->out->items);
    for (size_t r = c->first[model]; r != SIZE_MAX; r = c->next[r]) {
        size_t *user = &c->user[c->results->records[r].template_index];
        uint64_t before = c->out->scores;

        count_record(c, r);
        if (c->out->scores == before || *user == model + 1) continue;
        *user = model + 1;
        n_templates++;
    }
    if (n_templates > c->out->most_templates_of_a_model)
        c->out->most_templates_of_a_model = n_templates;
    for (size_t i = 0; i < c->out->items; i++) {
        n += c->scored[i];
        c->n_models_of[i] += c->scored[i];
    }
    if (n == 0) return;
    if (c->out->models_scored++ == 0 || n < c->out->fewest_items) c->out->fewest_items = n;
    if (n > c->out->most_items) c->out->most_items = n;
}

static void count_record(counting *c, size_t record)
{
    const assay_cells *cells = &c->results->cells[record];
    size_t room = 64 * cells->n_words, n = c->out->items < room ? c->out->items : room;

    for (size_t i = 0; i < n; i++) {
        double score;

        if (assay_cells_get(cells, i, &score) != ASSAY_SCORED) continue;
        if (c->scored[i] && is_repeated(c, record, i)) c->out->repeated_cells++;
        c->scored[i] = 1;
        count_score(c, i, score);
    }
}

static void count_score(counting *c, size_t item, double score)
{
    c->out->scores++;
    c->out->low = fmin(c->out->low, score); /* which leave NaN aside */
    c->out->high = fmax(c->out->high, score);
    if (score != 0.0 && score != 1.0) c->out->binary = 0;
    if (isnan(c->first_score[item])) c->first_score[item] = score;
    if (score != c->first_score[item]) c->differs[item] = 1;
}

/* Whether exactly one of the records of its model and template before this has the item scored. */
static int is_repeated(const counting *c, size_t record, size_t item)
{
    const assay_record *key = &c->results->records[record];
    size_t n = 0;

    for (size_t r = c->first[key->model]; r != record; r = c->next[r]) {
        double score;

        if (c->results->records[r].template_index == key->template_index &&
            assay_results_cell(c->results, r, item, &score) == ASSAY_SCORED)
            n++;
        if (n > 1) return 0;
    }
    return n == 1;
}

static void count_items(counting *c)
{
    for (size_t i = 0; i < c->out->items; i++) {
        c->out->items_scored += c->n_models_of[i] > 0;
        c->out->items_that_differ += c->differs[i];
        c->out->items_of_all += c->n_models_of[i] > 0 && c->n_models_of[i] == c->out->models_scored;
    }
}

static assay_status count_texts(counting *c)
{
    assay_names texts = { 0 }, clusters = { 0 };
    int failed = 0;

    for (size_t i = 0; i < c->out->items && !failed; i++) {
        const char *text = assay_results_item_text(c->results, i);
        const char *cluster = assay_results_item_cluster(c->results, i);
        size_t index;

        if (text) {
            c->out->items_with_text++;
            failed = assay_names_add(&texts, text, strlen(text), &index) != 0;
        }
        if (cluster && !failed)
            failed = assay_names_add(&clusters, cluster, strlen(cluster), &index) != 0;
    }
    c->out->distinct_texts = texts.count;
    c->out->clusters = clusters.count;
    assay_names_free(&texts);
    assay_names_free(&clusters);
    return failed ? assay_results_no_memory(c->results) : ASSAY_OK;
}

static const char *lacks_signals(const assay_inspection *inspection)
{
    if (inspection->models_scored < 2) return "needs 2 models or more";
    return inspection->items_that_differ == 0 ? "needs an item on which models differ" : NULL;
}

/* Clusters are no replicates by themselves: a log's are its tasks or subjects. */
static const char *lacks_replicates(const assay_inspection *inspection)
{
    const int has_clusters = inspection->clusters > 1 && inspection->clusters < inspection->items;

    if (inspection->models_scored < 4) return "needs 4 models or more";
    if (inspection->items_that_differ == 0) return "needs an item on which models differ";
    if (inspection->repeated_cells > 0 || inspection->most_templates_of_a_model > 1) return NULL;
    return has_clusters ? "needs runs or templates; --replicates clusters, where the items of a "
                          "cluster ask for one thing"
                        : "needs runs, templates, or clusters of items";
}

const char *assay_inspection_lacks(const assay_inspection *inspection, assay_question question)
{
    if (inspection->scores == 0) return "needs scores";
    switch (question) {
    case ASSAY_ASK_SCORE:
        if (inspection->low < 0.0 || inspection->high > 1.0) return "needs scores from 0 to 1";
        return inspection->items_with_text < inspection->items
                   ? "needs the items' texts: give them with --prompts"
                   : NULL;
    case ASSAY_ASK_TEMPLATES:
        return inspection->most_templates_of_a_model < 2 ? "needs 2 prompt templates or more"
                                                         : NULL;
    case ASSAY_ASK_SIGNALS: return lacks_signals(inspection);
    case ASSAY_ASK_NOISE: return lacks_replicates(inspection);
    default: return "is no such question";
    }
}

const char *assay_question_command(assay_question question)
{
    static const char *const commands[ASSAY_N_QUESTIONS] = {
        [ASSAY_ASK_SCORE] = "score",
        [ASSAY_ASK_TEMPLATES] = "templates",
        [ASSAY_ASK_SIGNALS] = "signals",
        [ASSAY_ASK_NOISE] = "signals",
    };

    return (int)question >= 0 && (int)question < ASSAY_N_QUESTIONS ? commands[question] : NULL;
}
