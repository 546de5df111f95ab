/* SPDX-License-Identifier: Apache-2.0 */
/* An id for an item that has a text and nothing else to be called by. */
#ifndef ASSAY_LOGS_TEXT_ID_H
#define ASSAY_LOGS_TEXT_ID_H

#include <stddef.h>

enum { ASSAY_TEXT_ID_LENGTH = 16 };

/* The first hexadecimal digits of the text's SHA-256, ended by NUL. */
void assay_log_text_id(const char *text, size_t length, char id[ASSAY_TEXT_ID_LENGTH + 1]);

#endif
