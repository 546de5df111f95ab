/* SPDX-License-Identifier: Apache-2.0 */
/* Features from the inside, and how rows find the ids they are of. */
#ifndef ASSAY_READ_FEATURES_H
#define ASSAY_READ_FEATURES_H

#include "assay/features.h"
#include "data/names.h"
#include "read/input.h"

/* What a column of a table holds. */
typedef enum assay_feature_kind {
    ASSAY_FEATURE_NUMBERS,
    ASSAY_FEATURE_TEXT,
    ASSAY_FEATURE_MIXED /* some of its fields are numbers, and some are not */
} assay_feature_kind;

typedef struct assay_feature_column {
    char *name; /* NULL without a header */
    assay_feature_kind kind;
    size_t line;       /* of a mixed one: where the first field is that is no number */
    char *odd;         /* and that field */
    size_t *codes;     /* n: the field of each row as a number of equal fields; NULL for an array */
    assay_names texts; /* by code */
} assay_feature_column;

struct assay_features {
    char *path, *what;
    size_t n, d;
    int is_array, is_counts;       /* vectors, or the counts of texts: no table of chosen columns */
    double *x;                     /* n x d; 0 where a field is no number */
    assay_feature_column *columns; /* d; NULL for an array */
};

/* Ids with their places, sorted; and whether each place has its row. */
typedef struct assay_id_places {
    const char *path, *what;
    struct assay_id_place *sorted;
    const char *const *ids;
    unsigned char *filled; /* by place */
    size_t n, n_named;     /* ids, and those that have a name */
} assay_id_places;

/* ASSAY_OK; ASSAY_E_NOMEM, and freeing is fine then too. */
assay_status assay_id_places_new(const char *const *ids, size_t n, const char *what,
                                 assay_id_places *out);
void assay_id_places_free(assay_id_places *places);

/* The place of an id, or -1. O(log n). */
ptrdiff_t assay_id_places_find(const assay_id_places *places, const char *text, size_t length);

/* Give a place its row. ASSAY_OK; ASSAY_E_CONFLICT where it has one. */
assay_status assay_id_places_fill(assay_id_places *places, size_t place, size_t line);

/* That every place has its row. first is the first id that came, NULL where none did. ASSAY_OK;
   ASSAY_E_SHAPE. */
assay_status assay_id_places_check(const assay_id_places *places, const char *first);

/* ASSAY_E_SHAPE: rows without ids, and another number of them. */
assay_status assay_id_places_fail_count(const assay_id_places *places, size_t n_rows);

/* The array that an input is: x and d of features, whose n is there already. As
   assay_features_read(). */
assay_status assay_features_read_array(assay_features *to, assay_id_places *places,
                                       assay_input_stream *input);

/* The numbers of a table whose columns have their codes by id, and what each column holds. codes
   (n_rows x d) and lines are those of the rows as they came. ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_features_find_kinds(assay_features *to, size_t n_rows, const size_t *codes,
                                       const size_t *lines);

/* Features without anything but their names, for assay_features_free(). ASSAY_OK; ASSAY_E_NOMEM. */
assay_status assay_features_new(const char *path, const char *what, size_t n, assay_features **out);

/* Options laid over the defaults. ASSAY_OK; ASSAY_E_VALUE. */
assay_status assay_features_options_resolve(const assay_features_options *given,
                                            assay_features_options *options);

#endif
