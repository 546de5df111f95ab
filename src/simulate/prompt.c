/* SPDX-License-Identifier: Apache-2.0 */
/* The prompts' texts. A cluster is one request (a topic, a task and a place), and its members are
   different ones of the request's many wordings. */
#include "core/error.h"
#include "core/memory.h"
#include "simulate/simulation.h"
#include "simulate/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEWEST = 2, /* helpers, trials, hours ... of the shared sentences */
    N_COUNTS = 59,
    N_EDITS = ASSAY_N_PEOPLE * ASSAY_N_DAYS * N_COUNTS,
    N_PARAPHRASES =
        ASSAY_N_FRAMES * ASSAY_N_SYNONYMS * ASSAY_N_SYNONYMS * ASSAY_N_SYNONYMS * ASSAY_N_CLOSINGS,
    N_REQUESTS = ASSAY_N_TOPICS * ASSAY_N_TASKS * ASSAY_N_PLACES
};
_Static_assert((int)N_REQUESTS == (int)ASSAY_SIMULATE_MAX_CLUSTERS, "as simulate.h promises");

typedef struct request {
    const assay_topic *topic;
    const assay_task *task;
    const char *const *places;
} request;

/* What the %-letters of a sentence stand for. */
typedef struct wording {
    const char *sentence, *act, *thing, *place, *person, *day, *closing;
    unsigned count;
} wording;

typedef struct text_buffer {
    char *bytes;
    size_t used, capacity;
} text_buffer;

/* What the steps share. */
typedef struct writer {
    assay_simulation *sim;
    size_t *topic_order, *task_shift, *place_shift; /* ASSAY_N_TOPICS each */
    size_t *members;                                /* n_items: cluster by cluster */
    size_t *next;                                   /* n_clusters: where its next member goes */
    size_t *choices;                                /* n_wordings */
    size_t n_wordings;
    text_buffer texts;
} writer;

static assay_status allocate(writer *w);
static void order_requests(writer *w);
static void list_members(writer *w);
static request request_of(const writer *w, size_t cluster);
static assay_status write_cluster(writer *w, size_t cluster, const size_t *members);
static wording share_words(const request *asked, size_t choice);
static wording paraphrase(const request *asked, size_t choice);
static int append_wording(text_buffer *texts, const wording *said);

assay_status assay_simulation_write_prompts(assay_simulation *sim)
{
    assay_status status;
    writer w = { .sim = sim };
    const size_t *members;

    w.n_wordings =
        sim->options.members == ASSAY_MEMBERS_SHARE_WORDS ? N_EDITS : (size_t)N_PARAPHRASES;
    sim->texts_distinct = 1;
    if ((status = allocate(&w)) != ASSAY_OK) goto done;
    order_requests(&w);
    list_members(&w);
    members = w.members;
    for (size_t c = 0; c < sim->options.n_clusters; c++) {
        if ((status = write_cluster(&w, c, members)) != ASSAY_OK) goto done;
        members += sim->cluster_size[c];
    }
    sim->texts = w.texts.bytes;
    w.texts.bytes = NULL;
done:
    free(w.texts.bytes);
    free(w.choices);
    free(w.next);
    free(w.members);
    free(w.topic_order);
    return status;
}

static assay_status allocate(writer *w)
{
    const assay_simulate_options *opt = &w->sim->options;

    w->sim->text_at = assay_alloc(opt->n_items, sizeof *w->sim->text_at);
    w->sim->topic_label = assay_alloc(opt->n_clusters, sizeof *w->sim->topic_label);
    w->sim->task_label = assay_alloc(opt->n_clusters, sizeof *w->sim->task_label);
    w->topic_order = assay_alloc(3 * ASSAY_N_TOPICS, sizeof *w->topic_order);
    w->members = assay_alloc(opt->n_items, sizeof *w->members);
    w->next = assay_alloc(opt->n_clusters, sizeof *w->next);
    w->choices = assay_alloc(w->n_wordings, sizeof *w->choices);
    if (!w->sim->text_at || !w->sim->topic_label || !w->sim->task_label || !w->topic_order ||
        !w->members || !w->next || !w->choices)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu prompts", opt->n_items);
    w->task_shift = w->topic_order + ASSAY_N_TOPICS;
    w->place_shift = w->task_shift + ASSAY_N_TOPICS;
    return ASSAY_OK;
}

static void order_requests(writer *w)
{
    assay_random random;

    assay_random_start(&random, w->sim->options.seed, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t k = 0; k < ASSAY_N_TOPICS; k++) {
        w->topic_order[k] = k;
        w->task_shift[k] = (size_t)assay_random_below(&random, ASSAY_N_TASKS);
        w->place_shift[k] = (size_t)assay_random_below(&random, ASSAY_N_PLACES);
    }
    assay_simulation_shuffle(&random, w->topic_order, ASSAY_N_TOPICS, ASSAY_N_TOPICS);
}

static void list_members(writer *w)
{
    size_t start = 0;

    for (size_t c = 0; c < w->sim->options.n_clusters; c++) {
        w->next[c] = start;
        start += w->sim->cluster_size[c];
    }
    for (size_t i = 0; i < w->sim->options.n_items; i++)
        w->members[w->next[w->sim->item_cluster[i]]++] = i;
}

/* Topics are used up before a second request about one is made, then tasks, then places; over all
   N_REQUESTS clusters every combination comes up once. */
static request request_of(const writer *w, size_t cluster)
{
    size_t k = cluster % ASSAY_N_TOPICS, round = cluster / ASSAY_N_TOPICS;
    size_t task = (w->task_shift[k] + round) % ASSAY_N_TASKS;
    size_t place = (w->place_shift[k] + round / ASSAY_N_TASKS) % ASSAY_N_PLACES;

    return (request){ &assay_topics[w->topic_order[k]], &assay_tasks[task], assay_places[place] };
}

static assay_status write_cluster(writer *w, size_t cluster, const size_t *members)
{
    assay_simulation *sim = w->sim;
    size_t size = sim->cluster_size[cluster];
    size_t n_chosen = size < w->n_wordings ? size : w->n_wordings;
    request asked = request_of(w, cluster);
    assay_random random;

    sim->topic_label[cluster] = asked.topic->label;
    sim->task_label[cluster] = asked.task->label;
    if (size > w->n_wordings) sim->texts_distinct = 0;
    assay_random_start(&random, sim->options.seed, ASSAY_PURPOSE_SIMULATE_TEXT, 1 + cluster);
    for (size_t k = 0; k < w->n_wordings; k++) w->choices[k] = k;
    assay_simulation_shuffle(&random, w->choices, w->n_wordings, n_chosen);

    for (size_t k = 0; k < size; k++) {
        size_t choice = w->choices[k % w->n_wordings];
        wording said = sim->options.members == ASSAY_MEMBERS_SHARE_WORDS
                           ? share_words(&asked, choice)
                           : paraphrase(&asked, choice);
        sim->text_at[members[k]] = w->texts.used;
        if (append_wording(&w->texts, &said) != 0)
            return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for %zu prompts",
                              sim->options.n_items);
    }
    return ASSAY_OK;
}

/* The digit of a mixed-radix number that comes next, lowest first. */
static size_t next_digit(size_t *number, size_t radix)
{
    size_t digit = *number % radix;

    *number /= radix;
    return digit;
}

static wording share_words(const request *asked, size_t choice)
{
    wording said = {
        .sentence = asked->task->shared,
        .act = asked->topic->acts[0],
        .thing = asked->topic->things[0],
        .place = asked->places[0],
        .closing = "",
    };

    said.person = assay_people[next_digit(&choice, ASSAY_N_PEOPLE)];
    said.day = assay_days[next_digit(&choice, ASSAY_N_DAYS)];
    said.count = FEWEST + (unsigned)choice;
    return said;
}

static wording paraphrase(const request *asked, size_t choice)
{
    wording said = { .person = "", .day = "" };

    said.sentence = asked->task->frames[next_digit(&choice, ASSAY_N_FRAMES)];
    said.act = asked->topic->acts[next_digit(&choice, ASSAY_N_SYNONYMS)];
    said.thing = asked->topic->things[next_digit(&choice, ASSAY_N_SYNONYMS)];
    said.place = asked->places[next_digit(&choice, ASSAY_N_SYNONYMS)];
    said.closing = assay_closings[choice];
    return said;
}

static int append(text_buffer *texts, const char *bytes, size_t length)
{
    if (assay_grow(&texts->bytes, &texts->capacity, texts->used + length, 1) != 0) return -1;
    memcpy(texts->bytes + texts->used, bytes, length);
    texts->used += length;
    return 0;
}

/* What stands for a letter after a percent sign; count is where its digits may be written. */
static const char *meaning_of(const wording *said, char letter, char *count, size_t size)
{
    switch (letter) {
    case 'A': return said->act;
    case 'T': return said->thing;
    case 'P': return said->place;
    case 'N': return said->person;
    case 'D': return said->day;
    default: snprintf(count, size, "%u", said->count); return count;
    }
}

static int append_wording(text_buffer *texts, const wording *said)
{
    char count[16];
    const char *at = said->sentence;

    for (const char *slot; (slot = strchr(at, '%')) != NULL; at = slot + 2) {
        const char *meant = meaning_of(said, slot[1], count, sizeof count);
        if (append(texts, at, (size_t)(slot - at)) != 0) return -1;
        if (append(texts, meant, strlen(meant)) != 0) return -1;
    }
    if (append(texts, at, strlen(at)) != 0) return -1;
    return append(texts, said->closing, strlen(said->closing) + 1);
}
