/* SPDX-License-Identifier: Apache-2.0 */
#include "atlas_answer.h"

#include "session.h"

#include <assay/benchmarks.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double atlas_value(const struct atlas_row *row, assay_signals_number number)
{
    return assay_signals_value(row->fit, number);
}

int atlas_is_small(const struct atlas_row *row)
{
    return row->models <= ATLAS_SMALL_SIDE || row->items <= ATLAS_SMALL_SIDE;
}

size_t atlas_n_comparable(const struct atlas_answer *answer)
{
    size_t n = 0;

    while (n < answer->n && !atlas_is_small(&answer->rows[n])) n++;
    return n;
}

assay_coverage atlas_coverage(const struct atlas_answer *answer)
{
    assay_coverage all = { 0 };

    for (size_t k = 0; k < answer->n; k++) {
        assay_coverage one = answer->rows[k].coverage;

        all.rows += one.rows;
        all.used += one.used;
        all.missing += one.missing;
        all.errored += one.errored;
        all.unscored += one.unscored;
        all.duplicate += one.duplicate;
        all.refused += one.refused;
    }
    return all;
}

uint64_t atlas_n_missing(const struct atlas_row *row)
{
    return (uint64_t)row->models * row->items - row->observed;
}

/* ---- their names and order ---- */

/* Tell which rows have a name that another one has too; returns how many. */
static size_t mark_shared(const struct atlas_answer *answer, char *is_shared)
{
    size_t n = 0;

    memset(is_shared, 0, answer->n);
    for (size_t a = 0; a < answer->n; a++)
        for (size_t b = 0; b < a; b++)
            if (strcmp(answer->rows[a].name, answer->rows[b].name) == 0)
                is_shared[a] = is_shared[b] = 1;
    for (size_t k = 0; k < answer->n; k++) n += (size_t)is_shared[k];
    return n;
}

/* Benchmarks that are called the same are called with the folder above them, all of them, or with
   more folders; what that does not tell apart (two endings, say) is called by its path. */
assay_status atlas_tell_apart(struct atlas_answer *answer)
{
    enum { MOST_FOLDERS = 3 };
    char *is_shared = calloc(answer->n + 1, 1);
    assay_status status = is_shared ? ASSAY_OK : cli_no_memory();

    for (size_t folders = 1; status == ASSAY_OK && folders <= MOST_FOLDERS + 1; folders++) {
        if (mark_shared(answer, is_shared) == 0) break;
        for (size_t k = 0; k < answer->n; k++) {
            struct atlas_row *row = &answer->rows[k];
            size_t size = strlen(row->path) + sizeof "standard input";
            char *name;

            if (!is_shared[k]) continue;
            if (!(name = malloc(size))) {
                status = cli_no_memory();
                break;
            }
            if (folders <= MOST_FOLDERS)
                assay_benchmark_name(row->path, folders, name, size);
            else
                snprintf(name, size, "%s", row->path);
            free(row->name);
            row->name = name;
        }
    }
    free(is_shared);
    return status;
}

/* What a row is ordered by; the larger comes first, NaN last. */
static double key_of(const struct atlas_row *row, int sort)
{
    switch (sort) {
    case ATLAS_BY_ED: return atlas_value(row, ASSAY_SIGNALS_ED_TASK);
    case ATLAS_BY_ED_OVER_NULL: return atlas_value(row, ASSAY_SIGNALS_ED_OVER_NULL);
    case ATLAS_BY_MODELS: return (double)row->models;
    case ATLAS_BY_ITEMS: return (double)row->items;
    default: return 0.0; /* the name decides */
    }
}

static int comes_after(const struct atlas_row *a, const struct atlas_row *b, int sort)
{
    double x = key_of(a, sort), y = key_of(b, sort);

    if (atlas_is_small(a) != atlas_is_small(b)) return atlas_is_small(a);
    if (isnan(x) != isnan(y)) return isnan(x);
    if (x < y || x > y) return x < y;
    return strcmp(a->name, b->name) > 0;
}

void atlas_sort(struct atlas_answer *answer)
{
    for (size_t k = 1; k < answer->n; k++) {
        struct atlas_row row = answer->rows[k];
        size_t to = k;

        for (; to > 0 && comes_after(&answer->rows[to - 1], &row, answer->sort); to--)
            answer->rows[to] = answer->rows[to - 1];
        answer->rows[to] = row;
    }
}

void atlas_note_same_content(const struct atlas_answer *answer)
{
    for (size_t b = 0; b < answer->n; b++) {
        for (size_t a = 0; a < b; a++) {
            const struct atlas_row *one = &answer->rows[a], *other = &answer->rows[b];
            char safe[2][512];

            if (one->n_inputs != 1 || other->n_inputs != 1 ||
                strcmp(one->inputs->sha256, other->inputs->sha256) != 0)
                continue;
            fprintf(stderr, "assay: %s: the same content as %s; both have a row\n",
                    assay_printable(safe[0], sizeof *safe, other->path, strlen(other->path)),
                    assay_printable(safe[1], sizeof *safe, one->path, strlen(one->path)));
            break;
        }
    }
}
