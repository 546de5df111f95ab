/* SPDX-License-Identifier: Apache-2.0 */
#include "read/prompt_row.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "text/characters.h"

#include <stdlib.h>
#include <string.h>

static int is_utf8(assay_name name);
static char *copy_repaired(assay_name text);
static char *join(char *const *turns, size_t n);

void assay_prompt_row_free(assay_prompt_row *row)
{
    for (size_t t = 0; row->turns && row->n > 1 && t < row->n; t++) free(row->turns[t]);
    free(row->turns);
    free(row->text);
    free(row->cluster);
    *row = (assay_prompt_row){ 0 };
}

assay_status assay_prompt_row_check(const char *path, size_t line, assay_name id, size_t n_turns)
{
    if (!id.text || id.length == 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, line, "a prompt without an id, expected one");
    if (!is_utf8(id) || memchr(id.text, '\0', id.length))
        return assay_fail_at(ASSAY_E_FORMAT, path, line,
                             "the id \"%.*s\" is not UTF-8 without NUL characters, expected that",
                             (int)(id.length < 60 ? id.length : 60), id.text);
    if (n_turns == 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, line,
                             "the prompt \"%.*s\" has no text, expected one",
                             (int)(id.length < 60 ? id.length : 60), id.text);
    return ASSAY_OK;
}

static int is_utf8(assay_name name)
{
    uint32_t c;

    for (size_t i = 0, n; i < name.length; i += n)
        if ((n = assay_utf8_decode(name.text + i, name.length - i, &c)) == 0) return 0;
    return 1;
}

int assay_prompt_row_take(assay_prompt_row *row, const assay_name *turns, size_t n,
                          assay_name cluster)
{
    int is_whole;

    row->n = n;
    row->turns = assay_alloc_zero(n, sizeof *row->turns);
    is_whole = row->turns != NULL;
    for (size_t t = 0; is_whole && t < n; t++)
        is_whole = (row->turns[t] = copy_repaired(turns[t])) != NULL;
    if (is_whole) row->text = n == 1 ? row->turns[0] : join(row->turns, n);
    if (cluster.text && cluster.length > 0) {
        row->cluster = copy_repaired(cluster);
        is_whole = is_whole && row->cluster;
    }
    return is_whole && row->text ? 0 : -1;
}

/* A copy in which a byte that is not UTF-8, and a NUL, is U+FFFD; NULL without memory. */
static char *copy_repaired(assay_name text)
{
    size_t n = 0;
    char *copy;

    if (is_utf8(text) && !(text.length > 0 && memchr(text.text, '\0', text.length)))
        return assay_copy_text(text.text, text.length);
    copy = text.length > SIZE_MAX / 4 ? NULL : assay_alloc(3 * text.length + 1, 1);
    for (size_t i = 0, bytes; copy && i < text.length; i += bytes ? bytes : 1) {
        uint32_t c = 0;

        bytes = assay_utf8_decode(text.text + i, text.length - i, &c);
        n += assay_utf8_encode(bytes && c ? c : ASSAY_REPLACEMENT, copy + n);
    }
    if (copy) copy[n] = '\0';
    return copy;
}

/* With a blank line between two. */
static char *join(char *const *turns, size_t n)
{
    size_t length = 2 * (n - 1), at = 0;
    char *text;

    for (size_t t = 0; t < n; t++) length += strlen(turns[t]);
    text = assay_alloc(length + 1, 1);
    for (size_t t = 0; text && t < n; t++) {
        const size_t bytes = strlen(turns[t]);

        if (t > 0) text[at++] = '\n';
        if (t > 0) text[at++] = '\n';
        memcpy(text + at, turns[t], bytes);
        at += bytes;
    }
    if (text) text[length] = '\0';
    return text;
}

int assay_prompt_row_put(assay_prompt_row *row, assay_prompts *prompts)
{
    const size_t n = prompts->ids.count;
    const size_t n_turns = n > 1 ? prompts->first_turn[n - 1] : 0;

    if (assay_grow(&prompts->texts, &prompts->texts_capacity, n, sizeof *prompts->texts) != 0 ||
        assay_grow(&prompts->clusters, &prompts->clusters_capacity, n, sizeof *prompts->clusters) !=
            0 ||
        assay_grow(&prompts->first_turn, &prompts->first_turn_capacity, n + 1,
                   sizeof *prompts->first_turn) != 0 ||
        assay_grow(&prompts->turns, &prompts->turns_capacity, n_turns + row->n,
                   sizeof *prompts->turns) != 0)
        return -1;
    prompts->texts[n - 1] = row->text;
    prompts->clusters[n - 1] = row->cluster;
    memcpy(prompts->turns + n_turns, row->turns, row->n * sizeof *row->turns);
    prompts->first_turn[n - 1] = n_turns;
    prompts->first_turn[n] = n_turns + row->n;
    if (row->n > prompts->most_turns) prompts->most_turns = row->n;
    free(row->turns);
    *row = (assay_prompt_row){ 0 };
    return 0;
}

const char *assay_prompt_row_difference(const assay_prompt_row *row, const assay_prompts *prompts,
                                        size_t prompt)
{
    const char *other = prompts->clusters[prompt];
    char *const *turns = prompts->turns + prompts->first_turn[prompt];

    if (strcmp(prompts->texts[prompt], row->text) != 0) return "text";
    if (assay_prompts_n_turns(prompts, prompt) != row->n) return "number of turns";
    for (size_t t = 0; t < row->n; t++) /* "a", "b\n\nc" and "a\n\nb", "c" read alike */
        if (strcmp(turns[t], row->turns[t]) != 0) return "division into turns";
    if ((row->cluster == NULL) != (other == NULL) || (other && strcmp(row->cluster, other) != 0))
        return "cluster";
    return NULL;
}
