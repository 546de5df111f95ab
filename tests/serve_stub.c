/* SPDX-License-Identifier: Apache-2.0 */
/* A server of vectors and a hub of models for tests of the command line: serve_stub FOLDER. It runs until
   its standard input ends.

   FOLDER/hub/OWNER/NAME/  models that it has
   FOLDER/port             it writes: where it listens, once it does
   FOLDER/log              it writes: a line a request
   FOLDER/busy             while this is there, the next request for vectors is answered 429; it is removed
   FOLDER/cut              the next answer with weights ends in their middle; it is removed
   FOLDER/stall            and so does every one, which then waits for this to be removed */
#include "http_stub.h"

#include "net/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { DIMENSIONS = 8, FILE_MOST = 1 << 20 };

static FILE *request_log;

static void be_server(stub *s, const stub_request *request);
static void give_vectors(stub *s, const stub_request *request);
static const char *next_text(const char *at, const char **text, size_t *length);
static void give_list(stub *s, const char *model);
static void give_file(stub *s, const stub_request *request);
static int is_there(const char *name);

int main(int argc, char **argv)
{
    static stub s;
    FILE *port;

    if (argc != 2 || chdir(argv[1]) != 0) {
        fputs("usage: serve_stub FOLDER\n", stderr);
        return 2;
    }
    request_log = fopen("log", "w");
    port = fopen("port.new", "w");
    if (!request_log || !port) return 1;
    stub_start(&s, be_server, NULL);
    fprintf(port, "%u\n", s.port);
    if (fclose(port) != 0 || rename("port.new", "port") != 0) return 1;
    while (getchar() != EOF) continue;
    stub_stop(&s);
    return fclose(request_log) != 0;
}

static void be_server(stub *s, const stub_request *request)
{
    static const char list[] = "/api/models/", end[] = "/tree/main?recursive=true";
    const size_t length = strlen(request->path), n = sizeof end - 1;
    char model[STUB_VALUE];

    fprintf(request_log, "%s %s key=[%s] range=[%s]\n", request->method, request->path,
            request->authorization, request->range);
    fflush(request_log);
    if (strcspn(request->path, "?") == strlen("/v1/embeddings") &&
        strncmp(request->path, "/v1/embeddings", strlen("/v1/embeddings")) == 0) {
        give_vectors(s, request);
    } else if (strncmp(request->path, list, sizeof list - 1) == 0 && length > n &&
               strcmp(request->path + length - n, end) == 0) {
        snprintf(model, sizeof model, "%.*s", (int)(length - n - sizeof list + 1),
                 request->path + sizeof list - 1);
        give_list(s, model);
    } else if (strstr(request->path, "/resolve/main/") && !strstr(request->path, "..")) {
        give_file(s, request);
    } else { /* with what a terminal would obey */
        stub_text(s, 404, "", "{\"error\":{\"message\":\"nothing \\u001b[31m here\\r\\nat all\"}}");
    }
}

static int is_there(const char *name)
{
    return access(name, F_OK) == 0;
}

/* ---- vectors ---- */

/* By what the text is (as JSON has it), so that a text has one vector in whatever company: FNV-1a, and
   Knuth's linear congruence from there. */
static void give_vectors(stub *s, const stub_request *request)
{
    static char answer[FILE_MOST];
    const char *at = strstr(s->body, "\"input\":["), *text;
    size_t length, n = 0, end = (size_t)sprintf(answer, "{\"data\":[");

    (void)request;
    if (is_there("busy")) {
        remove("busy");
        stub_text(s, 429, "", "{\"error\":\"busy\"}");
        return;
    }
    for (at = at ? strchr(at, '[') : NULL; (at = next_text(at, &text, &length)); n++) {
        uint64_t hash = 14695981039346656037u;

        for (size_t k = 0; k < length; k++) hash = (hash ^ (unsigned char)text[k]) * 1099511628211u;
        end += (size_t)sprintf(answer + end, "%s{\"index\":%zu,\"embedding\":[", n ? "," : "", n);
        for (size_t k = 0; k < DIMENSIONS; k++) {
            hash = hash * 6364136223846793005u + 1442695040888963407u;
            end += (size_t)sprintf(answer + end, "%s%.6f", k ? "," : "",
                                   (double)(hash >> 40) / (1 << 24) - 0.5);
        }
        end += (size_t)sprintf(answer + end, "]}");
        assert_true(end < sizeof answer / 2);
    }
    strcpy(answer + end, "]}");
    fprintf(request_log, "texts=%zu\n", n);
    fflush(request_log);
    stub_text(s, 200, "", answer);
}

/* The next of an array of texts, as it stands between its quotes, from what is before it: [ or ,. Where
   that text ends, or NULL when there is none. */
static const char *next_text(const char *at, const char **text, size_t *length)
{
    if (!at || (*at != '[' && *at != ',') || at[1] != '"') return NULL;
    *text = at + 2;
    for (at += 2; *at && *at != '"'; at++)
        if (*at == '\\') at++;
    *length = (size_t)(at - *text);
    return *at ? at + 1 : NULL;
}

/* ---- models ---- */

static void give_list(stub *s, const char *model)
{
    static const char *const names[] = { "config.json",    "model.safetensors",
                                         "modules.json",   "sentence_bert_config.json",
                                         "tokenizer.json", "1_Pooling/config.json" };
    char text[4096] = "[{\"type\":\"directory\",\"path\":\"1_Pooling\",\"size\":0}";
    size_t end = strlen(text), n = 0;

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const int is_large = strcmp(names[k], "model.safetensors") == 0;
        char path[600], digest[ASSAY_DIGEST_HEX];
        FILE *file;
        long size;

        snprintf(path, sizeof path, "hub/%s/%s", model, names[k]);
        if (!(file = fopen(path, "rb"))) continue;
        n++;
        fseek(file, 0, SEEK_END);
        size = ftell(file);
        fclose(file);
        assert_int_equal(assay_digest_file(path,
                                           is_large ? ASSAY_DIGEST_SHA256 : ASSAY_DIGEST_GIT_BLOB,
                                           &(assay_progress){ 0 }, "", 0, digest),
                         ASSAY_OK);
        end += (size_t)snprintf(text + end, sizeof text - end,
                                is_large ? ",{\"type\":\"file\",\"path\":\"%s\",\"size\":%ld,"
                                           "\"lfs\":{\"oid\":\"%s\",\"size\":%ld}}"
                                         : ",{\"type\":\"file\",\"path\":\"%s\",\"size\":%ld,"
                                           "\"oid\":\"%s\"}",
                                names[k], size, digest, size);
    }
    if (n == 0) {
        stub_text(s, 404, "", "{\"error\":\"Repository not found\"}");
        return;
    }
    strcpy(text + end, "]");
    stub_text(s, 200, "", text);
}

/* All headers, and the first half of what they promise. */
static void give_half(stub *s, const char *bytes, size_t length)
{
    char head[100];

    snprintf(head, sizeof head, "HTTP/1.1 200 x\r\nContent-Length: %zu\r\n\r\n", length);
    stub_send(s, head, strlen(head));
    stub_send(s, bytes, length / 2);
    while (is_there("stall") && !s->is_stopping) stub_sleep(s, 0.01);
    stub_drop(s);
}

/* /OWNER/NAME/resolve/main/FILE */
static void give_file(stub *s, const stub_request *request)
{
    static const char between[] = "/resolve/main/";
    static char bytes[FILE_MOST];
    const char *rest = strstr(request->path, between) + sizeof between - 1;
    const int is_large = strcmp(rest, "model.safetensors") == 0;
    char path[2 * STUB_VALUE + 8];
    size_t length;
    FILE *file;

    snprintf(path, sizeof path, "hub%.*s/%s", (int)(strstr(request->path, between) - request->path),
             request->path, rest);
    if (!(file = fopen(path, "rb"))) {
        stub_text(s, 404, "", "{\"error\":\"Entry not found\"}");
        return;
    }
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (is_large && (is_there("cut") || is_there("stall"))) {
        remove("cut");
        give_half(s, bytes, length);
    } else {
        stub_file(s, request, bytes, length);
    }
}
