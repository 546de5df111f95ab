/* SPDX-License-Identifier: Apache-2.0 */
/* The word banks that prompts are made of. Phrases of one array mean the same. */
#ifndef ASSAY_SIMULATE_WORDS_H
#define ASSAY_SIMULATE_WORDS_H

enum {
    ASSAY_N_TOPICS = 40,
    ASSAY_N_TASKS = 8,
    ASSAY_N_PLACES = 12,
    ASSAY_N_SYNONYMS = 4,
    ASSAY_N_FRAMES = 6,
    ASSAY_N_CLOSINGS = 10,
    ASSAY_N_PEOPLE = 20,
    ASSAY_N_DAYS = 7
};

/* "ACT THING" is what a prompt is about: any act goes with any thing of its topic. */
typedef struct assay_topic {
    const char *label;
    const char *acts[ASSAY_N_SYNONYMS], *things[ASSAY_N_SYNONYMS];
} assay_topic;

/* What a prompt asks for. In its sentences %A, %T and %P stand for an act, a thing and a place, and
   in the shared one %N, %K and %D for a person, a count and a day: the small edits. */
typedef struct assay_task {
    const char *label;
    const char *shared;
    const char *frames[ASSAY_N_FRAMES];
} assay_task;

extern const assay_topic assay_topics[ASSAY_N_TOPICS];
extern const assay_task assay_tasks[ASSAY_N_TASKS];
extern const char *const assay_places[ASSAY_N_PLACES][ASSAY_N_SYNONYMS];
extern const char *const assay_closings[ASSAY_N_CLOSINGS];
extern const char *const assay_people[ASSAY_N_PEOPLE];
extern const char *const assay_days[ASSAY_N_DAYS];

#endif
