/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a table's columns, and lists of such names. */
#ifndef ASSAY_READ_HEADER_H
#define ASSAY_READ_HEADER_H

#include "read/csv.h"

/* A name within a longer text: not ended by NUL. A NULL text says that there is none. */
typedef struct assay_name {
    const char *text;
    size_t length;
} assay_name;

typedef struct assay_header {
    assay_name *names; /* n of them, by column */
    size_t n;
    size_t *sorted; /* the columns in the order of their names */
    char *text;     /* holds them */
} assay_header;

enum { ASSAY_NO_COLUMN = -1 };
enum { ASSAY_HEADER_LIST_SIZE = 400 };

/* Copy the names out of a table's first record, as assay_name_of() takes them. ASSAY_OK;
   ASSAY_E_FORMAT when two columns have one name (blank ones may repeat); ASSAY_E_NOMEM. A header
   starts as zeros; free it whatever happened. */
assay_status assay_header_read(assay_header *header, const char *path, assay_csv_record *record);
void assay_header_free(assay_header *header);

/* The same for a list of names that stands in an option, comma-separated, with CSV's quotes; for
   NULL or "" there are no names. ASSAY_E_VALUE when it is malformed or names one twice. */
assay_status assay_header_from_list(assay_header *header, const char *option, const char *list);

/* The column of that name, or ASSAY_NO_COLUMN. O(log n). */
ptrdiff_t assay_header_find(const assay_header *header, const char *text, size_t length);

/* "a, b, c, ..." as far as it fits. Returns out. */
char *assay_header_list(const assay_header *header, char out[ASSAY_HEADER_LIST_SIZE]);

/* Append a name to such a list, whose first call finds it empty. */
void assay_header_list_add(char out[ASSAY_HEADER_LIST_SIZE], const char *text, size_t length);

/* How many columns there are before those at the end that have no name: a spreadsheet writes them
   where a row ends in delimiters. */
size_t assay_header_n_named(const assay_header *header);

/* The name that a field holds: without the spaces around it, which only quotes keep. */
assay_name assay_name_of(const assay_csv_text *field);

/* Whether a name is this text; whether two names are the same but for the case of ASCII letters,
   and a space or a dash for an underscore. */
int assay_name_is(assay_name name, const char *text);
int assay_name_is_nearly(assay_name name, assay_name other);

#endif
