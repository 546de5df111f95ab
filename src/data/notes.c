/* SPDX-License-Identifier: Apache-2.0 */
/* Notes of many files that say the same become one. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_SIZE = 1024, PATH_SIZE = 1024, LIST_SIZE = 400, SHOWN = 2 };

static const char left_out[] = "left out: ";

/* Notes of one kind: the first, how many further ones, and of which files. */
typedef struct group {
    size_t first, n_others;
    size_t others[SHOWN]; /* files */
} group;

typedef struct gathering {
    assay_results *results;
    const char *const *paths;
    assay_names kinds;
    group *groups; /* by kind */
    size_t capacity;
} gathering;

static int sort_note(gathering *g, size_t note, size_t file);
static void kind_of(const char *note, const char *path, char kind[NOTE_SIZE]);
static int rewrite(gathering *g, size_t first);
static void tell_others(const gathering *g, const group *of, char text[NOTE_SIZE + LIST_SIZE]);

assay_status assay_results_gather_notes(assay_results *results, const size_t *starts,
                                        const char *const *paths, size_t n)
{
    gathering g = { .results = results, .paths = paths };
    int failed = 0;

    for (size_t k = 0; k < n && !failed; k++)
        for (size_t i = starts[k]; i < starts[k + 1] && !failed; i++) failed = sort_note(&g, i, k);
    if (!failed && n > 0) failed = rewrite(&g, starts[0]);
    assay_names_free(&g.kinds);
    free(g.groups);
    return failed ? assay_results_no_memory(results) : ASSAY_OK;
}

static int sort_note(gathering *g, size_t note, size_t file)
{
    char kind[NOTE_SIZE];
    size_t index, known = g->kinds.count;
    group *of;

    kind_of(g->results->notes[note], g->paths[file], kind);
    if (assay_names_add(&g->kinds, kind, strlen(kind), &index) != 0 ||
        assay_grow(&g->groups, &g->capacity, g->kinds.count, sizeof *g->groups) != 0)
        return -1;
    of = &g->groups[index];
    if (index == known) {
        *of = (group){ .first = note };
        return 0;
    }
    if (of->n_others < SHOWN) of->others[of->n_others] = file;
    of->n_others++;
    return 0;
}

/* The note without its file, numbers and, where a file was left out, what it quotes. */
static void kind_of(const char *note, const char *path, char kind[NOTE_SIZE])
{
    char safe[PATH_SIZE];
    int is_left = strncmp(note, left_out, sizeof left_out - 1) == 0, quoted = 0;
    const char *rest = note + (is_left ? sizeof left_out - 1 : 0);
    size_t length, n = 0;

    assay_printable(safe, sizeof safe, path, strlen(path));
    length = strlen(safe);
    kind[n++] = is_left ? 'l' : 'r';
    for (rest += strncmp(rest, safe, length) == 0 ? length : 0; *rest && n + 1 < NOTE_SIZE;
         rest++) {
        if (*rest == '"') quoted = !quoted;
        if (isdigit((unsigned char)*rest) || (*rest == ':' && isdigit((unsigned char)rest[1])) ||
            (is_left && quoted))
            continue;
        kind[n++] = *rest;
    }
    kind[n] = '\0';
}

/* Write the notes of groups anew, and drop those that they stand for. Nothing changes before all of
   it is there. */
static int rewrite(gathering *g, size_t first)
{
    assay_results *results = g->results;
    char **notes = assay_alloc_zero(g->kinds.count + 1, sizeof *notes);
    int failed = !notes;

    for (size_t k = 0; k < g->kinds.count && !failed; k++) {
        char text[NOTE_SIZE + LIST_SIZE];

        tell_others(g, &g->groups[k], text);
        notes[k] = assay_copy_text(text, strlen(text));
        failed = !notes[k];
    }
    if (failed) {
        for (size_t k = 0; notes && k < g->kinds.count; k++) free(notes[k]);
        free(notes);
        return -1;
    }
    while (results->n_notes > first) free(results->notes[--results->n_notes]);
    for (size_t k = 0; k < g->kinds.count; k++) results->notes[results->n_notes++] = notes[k];
    free(notes);
    return 0;
}

static void tell_others(const gathering *g, const group *of, char text[NOTE_SIZE + LIST_SIZE])
{
    size_t length = (size_t)snprintf(text, NOTE_SIZE, "%s", g->results->notes[of->first]);
    size_t shown = of->n_others < SHOWN ? of->n_others : SHOWN, end;
    char safe[LIST_SIZE / 4];

    if (of->n_others == 0) return;
    if (length >= NOTE_SIZE) length = NOTE_SIZE - 1;
    end = length + LIST_SIZE;
    length += (size_t)snprintf(text + length, end - length, "; likewise ");
    for (size_t k = 0; k < shown; k++) {
        const char *path = g->paths[of->others[k]];

        length += (size_t)snprintf(text + length, end - length, "%s%s", k ? ", " : "",
                                   assay_printable(safe, sizeof safe, path, strlen(path)));
    }
    if (of->n_others > shown)
        snprintf(text + length, end - length, " and %zu more", of->n_others - shown);
}
