/* SPDX-License-Identifier: Apache-2.0 */
#include "net/address.h"

#include "core/error.h"
#include "core/memory.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static assay_status take_apart(CURLU *parts, const char *url, const char *end,
                               assay_address *address);
static assay_status refuse_user(CURLU *parts);
static assay_status take_scheme(CURLU *parts, assay_address *address);
static assay_status take_host(CURLU *parts, assay_address *address);
static int is_loopback(const char *host);
static assay_status add_end(CURLU *parts, const char *end);
static assay_status fail_memory(void);

assay_status assay_address_read(const char *url, const char *end, assay_address *address)
{
    CURLU *parts = curl_url();
    assay_status status;

    memset(address, 0, sizeof *address);
    status = parts ? take_apart(parts, url, end, address) : fail_memory();
    curl_url_cleanup(parts);
    return status;
}

/* By libcurl's own reading of URLs, so that what is checked here is what it will connect to. The
   sentences do not repeat the URL: it may hold a password. */
static assay_status take_apart(CURLU *parts, const char *url, const char *end,
                               assay_address *address)
{
    const CURLUcode code = curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
    assay_status status;
    char *whole;

    if (code == CURLUE_OUT_OF_MEMORY) return fail_memory();
    if (code != CURLUE_OK)
        return assay_fail(ASSAY_E_VALUE,
                          "url is not one, expected such as http://localhost:8080/v1");
    if ((status = refuse_user(parts)) != ASSAY_OK) return status;
    if ((status = take_scheme(parts, address)) != ASSAY_OK) return status;
    if ((status = take_host(parts, address)) != ASSAY_OK) return status;
    if ((status = add_end(parts, end)) != ASSAY_OK) return status;
    if (curl_url_get(parts, CURLUPART_URL, &whole, 0) != CURLUE_OK) return fail_memory();
    address->url = assay_copy_text(whole, strlen(whole));
    curl_free(whole);
    return address->url ? ASSAY_OK : fail_memory();
}

static assay_status refuse_user(CURLU *parts)
{
    char *user = NULL, *password = NULL;
    int has_any;

    curl_url_get(parts, CURLUPART_USER, &user, 0);
    curl_url_get(parts, CURLUPART_PASSWORD, &password, 0);
    has_any = user || password;
    curl_free(user);
    curl_free(password);
    if (!has_any) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE,
                      "url has a user or a password in it, expected a key beside it");
}

static assay_status take_scheme(CURLU *parts, assay_address *address)
{
    assay_status status = ASSAY_OK;
    char *scheme;

    if (curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) return fail_memory();
    address->is_secure = strcmp(scheme, "https") == 0;
    if (!address->is_secure && strcmp(scheme, "http") != 0)
        status = assay_fail(ASSAY_E_VALUE, "url is of %.40s, expected http or https", scheme);
    curl_free(scheme);
    return status;
}

static assay_status take_host(CURLU *parts, assay_address *address)
{
    char *host = NULL, *port = NULL;

    if (curl_url_get(parts, CURLUPART_HOST, &host, 0) != CURLUE_OK) return fail_memory();
    curl_url_get(parts, CURLUPART_PORT, &port, 0); /* NULL where none is given */
    address->is_local = is_loopback(host);
    snprintf(address->host, sizeof address->host, "%.256s%s%.6s", host, port ? ":" : "",
             port ? port : "");
    curl_free(host);
    curl_free(port);
    return ASSAY_OK;
}

/* By the number, not by how the name begins: 127.example.org is not this machine. */
static int is_loopback(const char *host)
{
    struct in_addr address;

    if (strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0) return 1;
    return inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

/* Behind the path and before a query, such as Azure's version. */
static assay_status add_end(CURLU *parts, const char *end)
{
    const size_t length = strlen(end);
    char *path = NULL, *longer = NULL;
    assay_status status = ASSAY_OK;
    size_t kept;

    if (curl_url_get(parts, CURLUPART_PATH, &path, 0) != CURLUE_OK) return fail_memory();
    kept = strlen(path);
    while (kept > 0 && path[kept - 1] == '/') kept--;
    if (kept >= length && memcmp(path + kept - length, end, length) == 0) kept -= length;
    longer = assay_alloc(kept + length + 1, 1);
    if (longer) {
        memcpy(longer, path, kept);
        memcpy(longer + kept, end, length + 1);
    }
    if (!longer || curl_url_set(parts, CURLUPART_PATH, longer, 0) != CURLUE_OK ||
        curl_url_set(parts, CURLUPART_FRAGMENT, NULL, 0) != CURLUE_OK)
        status = fail_memory();
    curl_free(path);
    free(longer);
    return status;
}

void assay_address_free(assay_address *address)
{
    free(address->url);
    address->url = NULL;
}

assay_status assay_address_check_key(const assay_address *address, const char *key)
{
    if (!key) return ASSAY_OK;
    if (!*key) return assay_fail(ASSAY_E_VALUE, "key is empty, expected a token");
    for (const unsigned char *c = (const unsigned char *)key; *c; c++)
        if (*c <= ' ' || *c >= 0x7f)
            return assay_fail(ASSAY_E_VALUE,
                              "key has a space, a line end or such in it, expected a token");
    if (address->is_secure || address->is_local) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE,
                      "%s: a key over http can be read by others, expected https or this machine",
                      address->host);
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a URL");
}
