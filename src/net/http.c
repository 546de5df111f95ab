/* SPDX-License-Identifier: Apache-2.0 */
#include "net/http.h"

#include "core/error.h"
#include "core/memory.h"
#include "net/address.h"
#include "net/http_body.h"
#include "net/refusal.h"

#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP 0.05 /* seconds between two questions whether to go on waiting */
enum {
    CONNECT_SECONDS = 30,
    SILENT_SECONDS = 60, /* without a byte, where there is no timeout */
    LONGEST_BACK_OFF = 60,
    ATTEMPTS_AT_NOBODY = 3,
    LONGEST_ASKED = 3600, /* a server that asks for a longer wait is told of instead */
    MAX_REDIRECTIONS = 5
};

struct assay_http {
    assay_http_options options;
    CURL *curl;
    double done, total; /* of the work, before the request at hand */
    double more;        /* what it added */
};

/* One request, over all its attempts. */
typedef struct request {
    assay_http *http;
    assay_address address;
    const char *json; /* what is posted; NULL for GET */
    size_t length;
    assay_http_body body;
    struct curl_slist *headers;
    char why[CURL_ERROR_SIZE]; /* the latest attempt failed, in libcurl's words */
    double asked;              /* seconds that the server asks for */
    int is_nobody;             /* nobody answers: a wrong name or port, as likely as not */
} request;

static assay_status perform(request *x, const char *url);
static assay_status ask_until_answered(request *x);
static assay_status try_once(request *x, int *is_again);
static int set_up(request *x);
static int set_up_limits(const request *x);
static int set_up_protocols(const request *x);
static int set_up_post(request *x);
static int make_headers(request *x);
static int set_up_range(const request *x);
static CURLcode perform_quietly(CURL *curl);
static assay_status judge(request *x, CURLcode code, int *is_again);
static int is_passing(CURLcode code);
static assay_status give_up(const request *x, int attempts);
static double pause_before(const request *x, int attempt);
static int on_progress(void *user, curl_off_t to_come, curl_off_t came, curl_off_t to_send,
                       curl_off_t sent);
static assay_status ask_progress(const assay_http *http);

/* curl_easy_init() makes libcurl's own global state on first use, which it guards by a lock where it
   was built with threads in mind; it belongs to the process and is small. */
assay_status assay_http_open(const assay_http_options *options, assay_http **out)
{
    assay_http *http = assay_alloc_zero(1, sizeof *http);

    *out = NULL;
    if (http) http->curl = curl_easy_init();
    if (!http || !http->curl) {
        free(http);
        return assay_fail(ASSAY_E_NOMEM, "no memory for connections");
    }
    http->options = *options;
    *out = http;
    return ASSAY_OK;
}

void assay_http_close(assay_http *http)
{
    if (!http) return;
    curl_easy_cleanup(http->curl);
    free(http);
}

void assay_http_set_done(assay_http *http, double done, double total)
{
    http->done = done;
    http->total = total;
    http->more = 0;
}

assay_status assay_http_get(assay_http *http, const char *url, size_t limit,
                            assay_http_reply *reply)
{
    request x = { .http = http, .body = { .reply = reply, .limit = limit, .file = -1 } };
    return perform(&x, url);
}

assay_status assay_http_post(assay_http *http, const char *url, const char *json, size_t length,
                             size_t limit, assay_http_reply *reply)
{
    request x = { .http = http,
                  .json = json,
                  .length = length,
                  .body = { .reply = reply, .limit = limit, .file = -1 } };
    return perform(&x, url);
}

assay_status assay_http_get_file(assay_http *http, const char *url, const char *path,
                                 uint64_t limit, assay_http_reply *reply)
{
    request x = { .http = http, .body = { .reply = reply, .limit = limit, .file = -1 } };
    assay_status status = assay_http_body_open(&x.body, path), closed;

    if (status == ASSAY_OK) status = perform(&x, url);
    closed = assay_http_body_close(&x.body);
    return status != ASSAY_OK ? status : closed;
}

static assay_status perform(request *x, const char *url)
{
    assay_status status = assay_address_read(url, "", &x->address);

    x->body.host = x->address.host;
    x->body.curl = x->http->curl;
    if (status == ASSAY_OK) status = assay_address_check_key(&x->address, x->http->options.key);
    if (status == ASSAY_OK) status = ask_until_answered(x);
    curl_slist_free_all(x->headers);
    assay_address_free(&x->address);
    return status;
}

static assay_status ask_until_answered(request *x)
{
    for (int attempt = 1;; attempt++) {
        int is_again = 0;
        assay_status status = try_once(x, &is_again);

        if (status != ASSAY_OK || !is_again) return status;
        if (attempt >= x->http->options.attempts || x->asked > LONGEST_ASKED ||
            (x->is_nobody && attempt >= ATTEMPTS_AT_NOBODY))
            return give_up(x, attempt);
        status = assay_http_pause(x->http, pause_before(x, attempt));
        if (status != ASSAY_OK) return status;
    }
}

static assay_status try_once(request *x, int *is_again)
{
    const assay_status status = ask_progress(x->http);

    if (status != ASSAY_OK) return status;
    assay_http_body_start(&x->body);
    x->asked = 0;
    x->is_nobody = 0;
    x->why[0] = '\0';
    curl_easy_reset(x->http->curl); /* connections stay */
    if (!set_up(x)) return assay_fail(ASSAY_E_NOMEM, "no memory for a request");
    return judge(x, perform_quietly(x->http->curl), is_again);
}

/* Without signals, since the process and its handlers are not ours. */
static int set_up(request *x)
{
    CURL *curl = x->http->curl;
    const char *key = x->http->options.key;
    int ok = 1;

    ok &= curl_easy_setopt(curl, CURLOPT_URL, x->address.url) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, x->why) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_USERAGENT, "assay/" ASSAY_VERSION) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, assay_http_body_write) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_WRITEDATA, &x->body) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_XFERINFODATA, x) == CURLE_OK;
    if (x->address.is_local) ok &= curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK;
    if (key) {
        ok &= curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) == CURLE_OK;
        ok &= curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, key) == CURLE_OK;
    }
    ok &= set_up_limits(x) && set_up_protocols(x);
    return ok && (x->json ? set_up_post(x) : set_up_range(x));
}

static int set_up_limits(const request *x)
{
    CURL *curl = x->http->curl;
    const double timeout = x->http->options.timeout;
    int ok = 1;

    ok &= curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS) == CURLE_OK;
    if (timeout > 0) {
        const long milliseconds = (long)(timeout * 1000);
        ok &= curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds > 0 ? milliseconds : 1L) ==
              CURLE_OK;
        return ok;
    }
    ok &= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SILENT_SECONDS) == CURLE_OK;
    return ok;
}

/* A redirection may not leave https, and only GET follows one. The token goes to the first host alone
   because CURLOPT_UNRESTRICTED_AUTH is off. */
static int set_up_protocols(const request *x)
{
    CURL *curl = x->http->curl;
    int ok = 1;

#if LIBCURL_VERSION_NUM >= 0x075500
    const char *next = x->address.is_secure ? "https" : "http,https";
    ok &= curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, next) == CURLE_OK;
#else /* the same as it was said before 7.85 */
    const long both = CURLPROTO_HTTP | CURLPROTO_HTTPS;
    const long next = x->address.is_secure ? CURLPROTO_HTTPS : both;
    ok &= curl_easy_setopt(curl, CURLOPT_PROTOCOLS, both) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, next) == CURLE_OK;
#endif
    ok &= curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_UNRESTRICTED_AUTH, 0L) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)MAX_REDIRECTIONS) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, x->json ? 0L : 1L) == CURLE_OK;
    return ok;
}

static int set_up_post(request *x)
{
    CURL *curl = x->http->curl;
    int ok = x->headers || make_headers(x);

    ok &= curl_easy_setopt(curl, CURLOPT_HTTPHEADER, x->headers) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->length) == CURLE_OK;
    ok &= curl_easy_setopt(curl, CURLOPT_POSTFIELDS, x->json) == CURLE_OK; /* not copied */
    return ok;
}

/* "Expect:" keeps libcurl from asking first whether a long body is welcome, which costs a second
   where a server does not answer that. */
static int make_headers(request *x)
{
    static const char *const lines[] = { "Content-Type: application/json",
                                         "Accept: application/json", "Expect:" };

    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        struct curl_slist *longer = curl_slist_append(x->headers, lines[k]);
        if (!longer) return 0;
        x->headers = longer;
    }
    return 1;
}

/* By the header alone: libcurl's own resuming fails where a server does not know ranges. */
static int set_up_range(const request *x)
{
    char range[32];

    if (x->body.from == 0) return 1;
    snprintf(range, sizeof range, "%llu-", (unsigned long long)x->body.from);
    return curl_easy_setopt(x->http->curl, CURLOPT_RANGE, range) == CURLE_OK;
}

/* A server that hangs up while it is written to must not end the process: older libcurls with OpenSSL
   let SIGPIPE through. It is held back from this thread alone, and one of ours taken away. */
static CURLcode perform_quietly(CURL *curl)
{
    sigset_t pipe, before, waiting;
    int was_waiting, number;
    CURLcode code;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&waiting);
    was_waiting = sigismember(&waiting, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    code = curl_easy_perform(curl);
    sigpending(&waiting);
    if (!was_waiting && sigismember(&waiting, SIGPIPE)) sigwait(&pipe, &number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static assay_status judge(request *x, CURLcode code, int *is_again)
{
    assay_http_reply *reply = x->body.reply;
    curl_off_t asked = 0;

    if (x->body.failed != ASSAY_OK) return x->body.failed;
    if (code == CURLE_OUT_OF_MEMORY) return assay_fail(ASSAY_E_NOMEM, "no memory for a request");
    if (code == CURLE_OK || x->body.is_full) {
        curl_easy_getinfo(x->http->curl, CURLINFO_RESPONSE_CODE, &reply->code);
        curl_easy_getinfo(x->http->curl, CURLINFO_RETRY_AFTER, &asked);
        x->asked = (double)asked;
        *is_again = reply->code == 408 || reply->code == 429 || reply->code >= 500;
        return ASSAY_OK;
    }
    reply->code = 0;
    *is_again = is_passing(code);
    x->is_nobody = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
                   code == CURLE_OPERATION_TIMEDOUT;
    if (!x->why[0]) snprintf(x->why, sizeof x->why, "%s", curl_easy_strerror(code));
    return *is_again ? ASSAY_OK : give_up(x, 1);
}

/* Faults that may be gone a moment later. */
static int is_passing(CURLcode code)
{
    static const CURLcode passing[] = {
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,      CURLE_OPERATION_TIMEDOUT,
        CURLE_GOT_NOTHING,          CURLE_SEND_ERROR,           CURLE_RECV_ERROR,
        CURLE_PARTIAL_FILE,         CURLE_SSL_CONNECT_ERROR,    CURLE_HTTP2,
        CURLE_HTTP2_STREAM,         CURLE_COULDNT_RESOLVE_PROXY
    };

    for (size_t k = 0; k < sizeof passing / sizeof passing[0]; k++)
        if (code == passing[k]) return 1;
    return 0;
}

static assay_status give_up(const request *x, int attempts)
{
    const assay_http_reply *reply = x->body.reply;
    char words[ASSAY_WORDS_SIZE], count[48] = "", asked[64] = "";

    if (attempts > 1) snprintf(count, sizeof count, " %d times", attempts);
    if (x->asked > LONGEST_ASKED)
        snprintf(asked, sizeof asked, ", and asks to come back in %.0f seconds", x->asked);
    if (reply->code == 0)
        return assay_fail(ASSAY_E_READ, "%s: no answer came%s%s: %s", x->address.host,
                          attempts > 1 ? ", tried" : "", count, x->why);
    if (assay_refusal_words(reply, words) != ASSAY_OK) return ASSAY_E_NOMEM;
    return assay_fail(ASSAY_E_READ, "%s: answered %ld%s%s%s%s", x->address.host, reply->code, count,
                      asked, *words ? ": " : "", words);
}

/* Doubled each time, and never sooner than the server asks for. */
static double pause_before(const request *x, int attempt)
{
    double seconds = x->http->options.wait;

    for (int k = 1; k < attempt && seconds < LONGEST_BACK_OFF; k++) seconds *= 2;
    if (seconds > LONGEST_BACK_OFF && attempt > 1) seconds = LONGEST_BACK_OFF;
    return seconds > x->asked ? seconds : x->asked;
}

assay_status assay_http_pause(const assay_http *http, double seconds)
{
    for (double left = seconds; left > 0; left -= STEP) {
        const double step = left < STEP ? left : STEP;
        const struct timespec interval = { 0, (long)(step * 1e9) };
        const assay_status status = ask_progress(http);

        if (status != ASSAY_OK) return status;
        nanosleep(&interval, NULL);
    }
    return ASSAY_OK;
}

static int on_progress(void *user, curl_off_t to_come, curl_off_t came, curl_off_t to_send,
                       curl_off_t sent)
{
    request *x = user;

    (void)to_come, (void)came, (void)to_send, (void)sent;
    x->http->more = (double)x->body.at;
    if (x->body.failed == ASSAY_OK) x->body.failed = ask_progress(x->http);
    return x->body.failed != ASSAY_OK;
}

static assay_status ask_progress(const assay_http *http)
{
    const assay_progress *progress = &http->options.progress;
    double fraction = http->total > 0 ? (http->done + http->more) / http->total : 0;

    if (fraction > 1) fraction = 1;
    if (!progress->step || progress->step(progress->user, http->options.stage, fraction) == 0)
        return ASSAY_OK;
    return assay_fail(ASSAY_E_CANCELLED, "cancelled in %s", http->options.stage);
}
