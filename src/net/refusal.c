/* SPDX-License-Identifier: Apache-2.0 */
#include "net/refusal.h"

#include "core/error.h"
#include "read/text_source.h"

#include <string.h>

static assay_status find_message(assay_json_reader *reader, char words[ASSAY_WORDS_SIZE]);
static int is_place(const char *key);
static const char *meaning(long code);

assay_status assay_refusal(const char *host, const assay_http_reply *reply)
{
    char words[ASSAY_WORDS_SIZE];
    const char *known = meaning(reply->code);

    if (assay_refusal_words(reply, words) != ASSAY_OK) return ASSAY_E_NOMEM;
    return assay_fail(ASSAY_E_READ, "%s: refused with %ld%s%s%s", host, reply->code, known,
                      *words ? ": " : "", words);
}

static const char *meaning(long code)
{
    switch (code) {
    case 300:
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: return " (it is elsewhere, and that is not followed)";
    case 401: return " (a key is missing or wrong, or there is no such model)";
    case 403: return " (this key, or no key, may not do that)";
    case 404: return " (no such thing is there)";
    case 413: return " (that was too much at once)";
    default: return "";
    }
}

/* What is not JSON is a page for a browser, or words. */
assay_status assay_refusal_words(const assay_http_reply *reply, char words[ASSAY_WORDS_SIZE])
{
    assay_text_source source = { reply->body, reply->length };
    assay_json_reader *reader;
    assay_status status;

    *words = '\0';
    if (reply->length == 0) return ASSAY_OK;
    status = assay_json_open("the answer", assay_text_source_read, &source, &reader);
    if (status != ASSAY_OK) return status;
    status = find_message(reader, words);
    assay_json_close(reader);
    if (status == ASSAY_E_NOMEM) return status;
    if (!*words && *reply->body != '<' && *reply->body != '{')
        assay_printable(words, ASSAY_WORDS_SIZE, reply->body, reply->length);
    return ASSAY_OK;
}

/* The first text at a key where messages stand; {"error":{"message":".."}} is looked into. */
static assay_status find_message(assay_json_reader *reader, char words[ASSAY_WORDS_SIZE])
{
    int is_next = 0;

    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        const assay_status status = assay_json_next(reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        if (event == ASSAY_JSON_KEY) {
            is_next = is_place(text);
        } else if (event == ASSAY_JSON_STRING && is_next) {
            assay_printable(words, ASSAY_WORDS_SIZE, text, length);
            return ASSAY_OK;
        } else {
            is_next = 0;
        }
    }
}

static int is_place(const char *key)
{
    static const char *const places[] = { "message", "msg", "error", "detail", "errors" };

    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++)
        if (strcmp(key, places[k]) == 0) return 1;
    return 0;
}
