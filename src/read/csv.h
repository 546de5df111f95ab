/* SPDX-License-Identifier: Apache-2.0 */
/* The one reader of delimited text: RFC 4180 records, as a stream. */
#ifndef ASSAY_READ_CSV_H
#define ASSAY_READ_CSV_H

#include "assay/base.h"

/* Where the bytes come from: fill buffer with up to size bytes and set *got; 0 is the end. */
typedef assay_status (*assay_csv_source)(void *user, char *buffer, size_t size, size_t *got);

typedef struct assay_csv assay_csv; /* opaque */

/* What is left of a record: assay_csv_field() takes its fields one by one. */
typedef struct assay_csv_record {
    char *next, *end; /* the bytes not yet taken, without the line end; next is NULL when none is */
    size_t line;      /* on which it begins, from 1 */
    char delimiter;
} assay_csv_record;

typedef struct assay_csv_text {
    char *text; /* not ended by NUL */
    size_t length;
    int quoted;
} assay_csv_text;

enum { ASSAY_CSV_RECORD_MAX = 1 << 30 }; /* bytes */

/**
 * Read records from a source.
 *
 * A byte order mark is skipped. Lines end in LF or CRLF, also mixed; the last needs no end. Blank
 * lines are not records, and neither is a first line "sep=;" (or another of the delimiters), with
 * which Excel names the delimiter. A field that begins with a quote ends with one, may hold
 * delimiters and line ends, and says "" for a quote; in any other field a quote is a character like
 * others.
 *
 * @param path        how messages call the input. Borrowed.
 * @param delimiters  what may separate fields, such as ",;\t". The one that the first record holds
 *                    most often outside quotes does; of equals the first named. Borrowed.
 * @param out         the reader, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_NOMEM.
 */
assay_status assay_csv_open(const char *path, const char *delimiters, assay_csv_source source,
                            void *user, assay_csv **out);
void assay_csv_close(assay_csv *csv); /* NULL is fine */

/* Before the first record: let "line" be the number of the record, the header's 0, for rows that
   were no lines before. */
void assay_csv_number_records(assay_csv *csv);

/**
 * The next record. It is borrowed and valid until the next call.
 *
 * @param more  0 when there is none left.
 * @return ASSAY_OK; ASSAY_E_FORMAT with "PATH:LINE: ..." for a quote that is not closed, text after
 *         a closing quote, a NUL byte, UTF-16, lines that end in CR alone, a record above
 *         ASSAY_CSV_RECORD_MAX; what the source returns; ASSAY_E_NOMEM. After a failure every
 *         further call fails.
 * Memory: a buffer that holds the longest record, at least 256 KiB. Cost: O(bytes).
 */
assay_status assay_csv_next(assay_csv *csv, assay_csv_record *record, int *more);

/* The field at the front of a record that is quoted, unquoted in place. */
void assay_csv_take_quoted(assay_csv_record *record, assay_csv_text *field);

/* Whether a comma may stand for the decimal point: where it does not separate fields. */
static inline int assay_csv_has_decimal_comma(const assay_csv_record *record)
{
    return record->delimiter != ',';
}

/* Take the next field; 0 when there is none. Each can be taken once. */
static inline int assay_csv_field(assay_csv_record *record, assay_csv_text *field)
{
    char *p = record->next;

    if (!p) return 0;
    if (p < record->end && *p == '"') {
        assay_csv_take_quoted(record, field);
        return 1;
    }
    field->text = p;
    field->quoted = 0;
    while (p < record->end && *p != record->delimiter) p++;
    field->length = (size_t)(p - field->text);
    record->next = p < record->end ? p + 1 : NULL;
    return 1;
}

#endif
