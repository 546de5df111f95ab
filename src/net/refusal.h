/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says when it will not. */
#ifndef ASSAY_NET_REFUSAL_H
#define ASSAY_NET_REFUSAL_H

#include "net/http.h"

enum { ASSAY_WORDS_SIZE = 204 };

/* The server's own message, from JSON such as {"error":{"message":".."}}, {"error":".."},
   {"detail":".."}, or the answer as it is if that is text; printable, at most 200 bytes, "" for
   none. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_refusal_words(const assay_http_reply *reply, char words[ASSAY_WORDS_SIZE]);

/* The sentence for an answer that is not good: returns ASSAY_E_READ (ASSAY_E_NOMEM). */
assay_status assay_refusal(const char *host, const assay_http_reply *reply);

#endif
