/* SPDX-License-Identifier: Apache-2.0 */
/* A prompt set: the items of a benchmark with their texts. */
#ifndef ASSAY_PROMPTS_H
#define ASSAY_PROMPTS_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque and unchanging; free with assay_prompts_free(). */
typedef struct assay_prompts assay_prompts;

/* Start from assay_prompts_options_init(); later versions add fields only at the end. Names are
   borrowed for the call; NULL means: found by their usual names. */
typedef struct assay_prompts_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    const char *id;     /* usually id, item, item_id, question_id, ... as in results */
    const char *text; /* usually text, prompt, input, question; in JSON also messages, conversation,
                            conversations, turns */
    const char *cluster; /* usually cluster, group, category, ...; a file need not have it */
    assay_progress progress;
} assay_prompts_options;

ASSAY_API void assay_prompts_options_init(assay_prompts_options *options, size_t struct_size);

/**
 * Read a prompt set: JSON rows (one object a line, or an array of them), or CSV with a header.
 *
 * Texts are UTF-8: a byte that is not, and a NUL character, becomes U+FFFD. A row that repeats an
 * earlier one (id, turns and cluster) is counted, and is not a further prompt.
 *
 * In JSON a text may have several turns: an array of texts or of messages, or an object with such an
 * array called turns or messages. A message is an object with a content (also value, text): a text,
 * an object with a text, or an array of these, which then stand on lines of their own. A turn is
 * what the model is given: every message with a text is one, in order, whoever speaks (role or from;
 * a system message too, and the model's own of before), but for the model's own at the end, which are
 * the answer. Null, and content without a text (a picture), is no turn.
 *
 * @param path     a file, or "-" for standard input; gzip and Zstandard are undone.
 * @param options  NULL for the defaults.
 * @param out      the prompts, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT when the file is malformed, empty, or a row has no
 *         id or no text, or a turn that is neither text nor message; ASSAY_E_CONFLICT when two rows
 *         of one id differ; ASSAY_E_VALUE when an option names a column that is not there;
 *         ASSAY_E_CANCELLED; ASSAY_E_NOMEM.
 * Cost: O(bytes).
 */
ASSAY_API assay_status assay_prompts_read(const char *path, const assay_prompts_options *options,
                                          assay_prompts **out);
ASSAY_API void assay_prompts_free(assay_prompts *prompts); /* NULL is fine */

/* The items of a results table as prompts, where its logs held their texts. ASSAY_OK; ASSAY_E_SHAPE naming
   an item without a text; otherwise as above. */
ASSAY_API assay_status assay_prompts_from_results(const assay_results *results,
                                                  assay_prompts **out);

/* labels[i]: prompt i's cluster as a number, by first appearance; a prompt without one is alone in
   its own, numbered after the others. *n_labels is how many there are, 0 when no prompt has a
   cluster. ASSAY_OK or ASSAY_E_NOMEM. O(n). */
ASSAY_API assay_status assay_prompts_labels(const assay_prompts *prompts, size_t *labels,
                                            size_t *n_labels);

/* In the order of the file; strings are owned by the prompts. cluster is NULL where there is none.
   Any of them may hold control characters: assay_printable() makes it safe to print. */
ASSAY_API size_t assay_prompts_n(const assay_prompts *prompts);
ASSAY_API const char *assay_prompts_id(const assay_prompts *prompts, size_t prompt);
ASSAY_API const char *assay_prompts_text(const assay_prompts *prompts, size_t prompt);
ASSAY_API const char *assay_prompts_cluster(const assay_prompts *prompts, size_t prompt);

/* All the texts, as assay_vectors_tfidf() wants them. */
ASSAY_API const char *const *assay_prompts_texts(const assay_prompts *prompts);

/* Their turns, 1 or more each. A text of several is these with a blank line between two; the only one
   of a prompt is its text. */
ASSAY_API size_t assay_prompts_n_turns(const assay_prompts *prompts, size_t prompt);
ASSAY_API const char *assay_prompts_turn(const assay_prompts *prompts, size_t prompt, size_t turn);
ASSAY_API size_t assay_prompts_most_turns(const assay_prompts *prompts); /* that one of them has */

/* The turns of all prompts one after the other, to be made vectors of, and where those of each begin:
   n + 1 numbers, of which the last is how many turns there are (assay_vectors_join_turns()). */
ASSAY_API const char *const *assay_prompts_turns(const assay_prompts *prompts);
ASSAY_API const size_t *assay_prompts_first_turns(const assay_prompts *prompts);

/* The prompt of that id, or -1. */
ASSAY_API ptrdiff_t assay_prompts_find(const assay_prompts *prompts, const char *id);

/* Rows that were there twice; and how many different texts there are, where texts count as one that
   agree after NFC and case folding, with runs of white space as one space and none at the ends. */
ASSAY_API size_t assay_prompts_n_repeated(const assay_prompts *prompts);
ASSAY_API size_t assay_prompts_n_distinct(const assay_prompts *prompts);

#ifdef __cplusplus
}
#endif
#endif
