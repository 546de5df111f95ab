/* SPDX-License-Identifier: Apache-2.0 */
/* What readers of logs put together before they hash it: a text that grows, with JSON values in it as
   one compact line, whatever spaces stood between them in the log. */
#ifndef ASSAY_LOGS_TEXT_H
#define ASSAY_LOGS_TEXT_H

#include "logs/pick.h"

typedef struct assay_log_text {
    char *text; /* ended by NUL once something was added */
    size_t length, capacity;
} assay_log_text; /* all zero is empty; free text */

enum { ASSAY_LOG_HASH_SIZE = 65, ASSAY_LOG_HASH_SHORT = 16 };

/* Append bytes. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_log_text_add(assay_log_text *to, const char *bytes, size_t n);

/* Append a part with its length before it, so that no two lists of parts make one text. The same. */
assay_status assay_log_text_add_part(assay_log_text *to, const char *bytes, size_t n);

/**
 * Append a value whose first event was picked, read to its end, as compact JSON: no spaces, keys in
 * their order, text with the fewest escapes, numbers as they are written.
 *
 * @param bare  1: a value that is a text is appended as it is, without quotes.
 * @return ASSAY_OK; ASSAY_E_NOMEM; what assay_json_next() returns.
 */
assay_status assay_log_text_add_value(assay_log_text *to, assay_json_reader *reader,
                                      const assay_value *value, int bare);

/* The SHA-256 of bytes (NULL where there are none), and of what was put together. Its first
   ASSAY_LOG_HASH_SHORT digits tell items apart that have nothing else to be called by. */
void assay_log_hash(const char *bytes, size_t length, char hex[ASSAY_LOG_HASH_SIZE]);
void assay_log_text_hash(const assay_log_text *text, char hex[ASSAY_LOG_HASH_SIZE]);

#endif
