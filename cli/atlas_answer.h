/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay signals --atlas` found: a row a benchmark, and what gave none. */
#ifndef ASSAY_CLI_ATLAS_ANSWER_H
#define ASSAY_CLI_ATLAS_ANSWER_H

#include "options.h"

#include <assay/results.h>
#include <assay/signals.h>

/* ED with the noise removed, NaN where it was not. */
struct atlas_replicate {
    double value, low, high;
    const char *source; /* NULL where there are no replicates; literal */
    size_t runs;        /* the fewest of a cell */
    char *reason;       /* why there is no value or no interval; NULL where there is */
};

/* A benchmark. It owns all it points at. */
struct atlas_row {
    char *path, *name; /* no two of an atlas have the same name */
    size_t models, items;
    uint64_t observed;
    assay_signals *fit;
    struct atlas_replicate replicate;
    assay_input *inputs; /* the files it was read from; n_inputs of them */
    size_t n_inputs;
    assay_coverage coverage;
    int is_damaged;
};

/* A path that gave no benchmark, and the sentence that says why. */
struct atlas_failure {
    char *path, *reason;
};

struct atlas_failures {
    struct atlas_failure *each;
    size_t n;
};

struct atlas_answer {
    const struct cli_analysis *analysis;
    struct atlas_row *rows; /* n of them; those of a small shape last */
    size_t n;
    struct atlas_failures refused;  /* given, and not to be used */
    struct atlas_failures left_out; /* of a folder, and something else than results */
    int sort;                       /* a choice of atlas_sorts */
};

enum { ATLAS_BY_ED, ATLAS_BY_ED_OVER_NULL, ATLAS_BY_MODELS, ATLAS_BY_ITEMS, ATLAS_BY_NAME };
#define ATLAS_SORTS "ed|ed-over-null|models|items|name"

double atlas_value(const struct atlas_row *row, assay_signals_number number);

/* 1 where ED has no room: the smaller side of the matrix is at most 6. */
enum { ATLAS_SMALL_SIDE = 6 };
int atlas_is_small(const struct atlas_row *row);

/* Cells without a score. */
uint64_t atlas_n_missing(const struct atlas_row *row);

/* How many rows come before the small ones, once they are in order. */
size_t atlas_n_comparable(const struct atlas_answer *answer);

/* Of all rows together. */
assay_coverage atlas_coverage(const struct atlas_answer *answer);

/* Give each row a name of its own; put the rows in order; say on standard error which have the same
   content. */
assay_status atlas_tell_apart(struct atlas_answer *answer);
void atlas_sort(struct atlas_answer *answer);
void atlas_note_same_content(const struct atlas_answer *answer);

#endif
