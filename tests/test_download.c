/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/models.h"

#include "failing_memory.h"
#include "http_stub.h"

#include "net/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WEIGHTS = 300000, PART = 100000 };

/* ---- a hub, and the place that it keeps large files in ---- */

static char weights[WEIGHTS];
static const char config[] = "{\"model_type\": \"bert\"}", vocabulary[] = "[PAD]\n[UNK]\n";

static const struct hub_file {
    const char *path, *bytes;
    size_t length;
    int is_large;
} files[] = {
    { "config.json", config, sizeof config - 1, 0 },
    { "model.safetensors", weights, WEIGHTS, 1 },
    { "1_Pooling/config.json", "{}", 2, 0 },
    { "vocab.txt", vocabulary, sizeof vocabulary - 1, 0 },
    { "modules.json", "", 0, 0 },
    { "pytorch_model.bin", "x", 1, 1 }, /* from here on: not an encoder's */
    { "README.md", "x", 1, 0 },
    { "../../config.json", "x", 1, 0 },
    { "/etc/config.json", "x", 1, 0 },
    { "1_Pooling/../config.json", "x", 1, 0 },
    { "onnx/model.safetensors", "x", 1, 0 },
};
enum { N_FILES = sizeof files / sizeof files[0], N_WANTED = 5 };

static stub hub, large;

static struct behaviour {
    int wrong_digest, wrong_size, cuts, refuses_list, is_elsewhere;
} now;

static void write_digest(const struct hub_file *file, char hex[65])
{
    unsigned char digest[32];
    static unsigned char blob[WEIGHTS + 40];
    const size_t n = file->is_large ? 32 : 20;
    const size_t head = (size_t)sprintf((char *)blob, "blob %zu", file->length) + 1;

    memcpy(blob + head, file->bytes, file->length);
    if (file->is_large)
        SHA256((const unsigned char *)file->bytes, file->length, digest);
    else
        SHA1(blob, head + file->length, digest);
    if (now.wrong_digest) digest[0] ^= 1;
    for (size_t k = 0; k < n; k++) sprintf(hex + 2 * k, "%02x", digest[k]);
}

static void give_list(stub *s)
{
    static char text[1 << 14];
    char hex[65];
    size_t at =
        (size_t)sprintf(text, "[{\"type\":\"directory\",\"path\":\"1_Pooling\",\"size\":0}");

    for (size_t k = 0; k < N_FILES; k++) {
        const size_t size = files[k].length + (size_t)(files[k].is_large ? now.wrong_size : 0);

        write_digest(&files[k], hex);
        at += (size_t)sprintf(text + at, ",{\"type\":\"file\",\"path\":\"%s\",\"size\":%zu,",
                              files[k].path, size);
        if (files[k].is_large)
            at += (size_t)sprintf(text + at,
                                  "\"oid\":\"%040d\",\"lfs\":{\"oid\":\"%s\",\"size\":%zu,"
                                  "\"pointerSize\":1}}",
                                  0, hex, size);
        else
            at += (size_t)sprintf(text + at, "\"oid\":\"%s\"}", hex);
    }
    strcpy(text + at, "]");
    stub_text(s, 200, "", text);
}

/* Half of a large file's rest, and then nothing. */
static void give_cut(stub *s)
{
    char head[64];

    now.cuts--;
    snprintf(head, sizeof head, "HTTP/1.1 200 x\r\nContent-Length: %d\r\n\r\n", WEIGHTS);
    stub_send(s, head, strlen(head));
    stub_send(s, weights, PART);
    stub_drop(s);
}

static void give_large(stub *s, const stub_request *request)
{
    if (now.cuts > 0)
        give_cut(s);
    else
        stub_file(s, request, weights, WEIGHTS);
}

static void be_hub(stub *s, const stub_request *request)
{
    static const char list[] = "/api/models/me/mine/tree/main?recursive=true";
    static const char resolve[] = "/me/mine/resolve/main/";
    char headers[128];

    if (strcmp(request->path, list) == 0 && now.refuses_list) {
        stub_text(s, now.refuses_list, "", "{\"error\": \"Repository not found\"}");
    } else if (strcmp(request->path, list) == 0) {
        give_list(s);
    } else if (strncmp(request->path, resolve, sizeof resolve - 1) == 0) {
        for (size_t k = 0; k < N_WANTED; k++) {
            if (strcmp(request->path + sizeof resolve - 1, files[k].path) != 0) continue;
            if (!files[k].is_large) {
                stub_file(s, request, files[k].bytes, files[k].length);
            } else if (now.is_elsewhere) {
                snprintf(headers, sizeof headers, "Location: http://127.0.0.1:%u/x\r\n",
                         large.port);
                stub_text(s, 302, headers, "");
            } else {
                give_large(s, request);
            }
            return;
        }
        stub_text(s, 404, "", "");
    } else {
        stub_text(s, 404, "", "");
    }
}

/* ---- a cache ---- */

static char place[] = "/tmp/assay-download-XXXXXX";
static char cache[64], hub_url[64];
static assay_download_options options;

static int remove_one(const char *path, const struct stat *there, int kind, struct FTW *walk)
{
    (void)there, (void)kind, (void)walk;
    return remove(path);
}

static void empty_cache(void)
{
    nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int begin(void **state)
{
    (void)state;
    memset(&now, 0, sizeof now);
    stub_start(&hub, be_hub, NULL);
    stub_start(&large, give_large, NULL);
    snprintf(hub_url, sizeof hub_url, "http://127.0.0.1:%u", hub.port);
    assay_download_options_init(&options, sizeof options);
    options.hub = hub_url;
    options.wait = 0.01;
    options.attempts = 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    stub_stop(&hub);
    stub_stop(&large);
    empty_cache();
    return 0;
}

static int make_place(void **state)
{
    (void)state;
    for (size_t k = 0; k < WEIGHTS; k++) weights[k] = (char)(k * k % 251);
    if (!mkdtemp(place)) return -1;
    snprintf(cache, sizeof cache, "%s/in/here", place);
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    return nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *in_cache(const char *name)
{
    static char path[2][256];
    static int which;

    which = !which;
    snprintf(path[which], sizeof path[which], "%s/%s", cache, name);
    return path[which];
}

static int is_there(const char *name)
{
    return access(in_cache(name), F_OK) == 0;
}

static void write_file(const char *name, const char *bytes, size_t length)
{
    FILE *to = fopen(in_cache(name), "wb");

    assert_non_null(to);
    fwrite(bytes, 1, length, to);
    fclose(to);
}

/* A part of an earlier download. */
static void make_partial(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/in", place);
    mkdir(path, 0777);
    mkdir(cache, 0777);
    assert_int_equal(mkdir(in_cache(".partial-me--mine"), 0777), 0);
}

static void assert_file(const char *folder, const struct hub_file *file)
{
    static char found[WEIGHTS + 1];
    char name[128];
    FILE *from;

    snprintf(name, sizeof name, "%s/%s", folder, file->path);
    from = fopen(in_cache(name), "rb");
    assert_non_null(from);
    assert_int_equal(fread(found, 1, sizeof found, from), file->length);
    fclose(from);
    assert_memory_equal(found, file->bytes, file->length);
}

static int count_one(const char *path, const struct stat *there, int kind, struct FTW *walk);
static size_t n_entries;

/* The model is there as the hub has it, and nothing else is. */
static void assert_whole(void)
{
    for (size_t k = 0; k < N_WANTED; k++) assert_file("me--mine", &files[k]);
    assert_false(is_there(".partial-me--mine"));
    n_entries = 0;
    nftw(cache, count_one, 8, FTW_PHYS);
    assert_int_equal(n_entries, 3 + N_WANTED); /* the cache, the model, 1_Pooling */
}

static int count_one(const char *path, const struct stat *there, int kind, struct FTW *walk)
{
    (void)path, (void)there, (void)kind, (void)walk;
    n_entries++;
    return 0;
}

static assay_status bring(const char *name)
{
    char *folder;
    const assay_status status = assay_model_download(name, cache, &options, &folder);

    assert_true((status == ASSAY_OK) == (folder != NULL));
    if (folder) assert_string_equal(folder, in_cache("me--mine"));
    free(folder);
    return status;
}

static void bring_ok(void)
{
    if (bring("me/mine") != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_whole();
}

static void assert_fails(assay_status status, const char *what)
{
    char whole[1024];

    assert_int_equal(bring("me/mine"), status);
    snprintf(whole, sizeof whole, "127.0.0.1:%u: %s", hub.port, what);
    assert_string_equal(assay_last_error(), whole);
    assert_false(is_there("me--mine"));
}

static const stub_request *last_request(const stub *s)
{
    return &s->requests[s->n_requests - 1];
}

/* ---- bringing ---- */

static void test_a_model_is_brought_once(void **state)
{
    char *folder;

    (void)state;
    bring_ok();
    assert_int_equal(hub.n_requests, 1 + N_WANTED);
    assert_int_equal(hub.n_connections, 1);
    bring_ok();
    assert_int_equal(hub.n_requests, 1 + N_WANTED);
    assert_int_equal(assay_model_find("me/mine", cache, &folder), ASSAY_OK);
    assert_string_equal(folder, in_cache("me--mine"));
    free(folder);
}

static void test_the_key_is_for_the_hub_alone(void **state)
{
    (void)state;
    now.is_elsewhere = 1;
    options.key = "secret";
    bring_ok();
    for (size_t k = 0; k < hub.n_requests; k++)
        assert_string_equal(hub.requests[k].authorization, "Bearer secret");
    assert_int_equal(large.n_requests, 1);
    assert_string_equal(large.requests[0].authorization, "");
}

static void test_other_revisions_and_hubs_are_asked_for(void **state)
{
    char url[80];

    (void)state;
    snprintf(url, sizeof url, "%s/mirror/", hub_url);
    options.hub = url;
    options.revision = "refs/pr/1";
    assert_fails(ASSAY_E_READ, "me/mine: refused with 404 (no such thing is there)");
    assert_string_equal(hub.requests[0].path,
                        "/mirror/api/models/me/mine/tree/refs%2fpr%2f1?recursive=true");
}

/* ---- going on ---- */

static void test_a_download_goes_on_where_it_stopped(void **state)
{
    char sentence[128];

    (void)state;
    now.cuts = 1;
    assert_int_equal(bring("me/mine"), ASSAY_E_READ);
    snprintf(sentence, sizeof sentence, "127.0.0.1:%u: no answer came: transfer closed with %d ",
             hub.port, WEIGHTS - PART);
    assert_non_null(strstr(assay_last_error(), sentence));
    assert_false(is_there("me--mine"));
    assert_true(is_there(".partial-me--mine/model.safetensors"));
    hub.n_requests = hub.n_sent = 0;
    bring_ok();
    assert_string_equal(hub.requests[1].path, "/me/mine/resolve/main/model.safetensors");
    assert_string_equal(hub.requests[1].range, "bytes=100000-");
    assert_true(hub.n_sent < WEIGHTS - PART + 4000); /* the list and the small files */
}

static void test_a_connection_that_breaks_is_made_again(void **state)
{
    (void)state;
    now.cuts = 2;
    options.attempts = 3;
    bring_ok();
    assert_int_equal(hub.n_requests, 1 + N_WANTED + 2);
}

/* The place that large files are in gets the range too. */
static void test_a_range_follows_a_redirection(void **state)
{
    (void)state;
    make_partial();
    write_file(".partial-me--mine/model.safetensors", weights, PART);
    now.is_elsewhere = 1;
    bring_ok();
    assert_int_equal(large.n_sent, WEIGHTS - PART);
    assert_string_equal(last_request(&large)->range, "bytes=100000-");
}

static void test_a_part_of_something_else_begins_anew(void **state)
{
    static char other[WEIGHTS + 1];
    static const size_t lengths[] = { 1, PART, WEIGHTS, WEIGHTS + 1 };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        make_partial();
        write_file(".partial-me--mine/model.safetensors", other, lengths[k]);
        bring_ok();
        empty_cache();
    }
}

static void test_what_is_left_of_something_else_is_not_kept(void **state)
{
    (void)state;
    make_partial();
    write_file("victim", "x", 1);
    write_file(".partial-me--mine/tokenizer.json", "old", 3);
    mkdir(in_cache(".partial-me--mine/2_Dense"), 0777);
    mkdir(in_cache(".partial-me--mine/1_Pooling"), 0777);
    write_file(".partial-me--mine/2_Dense/config.json", "old", 3);
    write_file(".partial-me--mine/1_Pooling/other", "old", 3);
    assert_int_equal(symlink(in_cache("victim"), in_cache(".partial-me--mine/vocab.txt")), 0);
    assert_int_equal(bring("me/mine"), ASSAY_OK);
    unlink(in_cache("victim"));
    assert_whole();
}

/* ---- what is refused ---- */

static void test_a_wrong_digest_is_told_and_the_file_removed(void **state)
{
    (void)state;
    now.wrong_digest = 1;
    assert_fails(ASSAY_E_FORMAT, "me/mine: config.json does not have the size and the digest that "
                                 "the hub states for it, and was removed");
    assert_false(is_there(".partial-me--mine/config.json"));
    assert_int_equal(hub.n_requests, 2);
    now.wrong_digest = 0;
    bring_ok();
}

static void test_a_wrong_size_is_told(void **state)
{
    (void)state;
    now.wrong_size = 1;
    assert_fails(ASSAY_E_FORMAT, "me/mine: model.safetensors does not have the size and the digest "
                                 "that the hub states for it, and was removed");
    assert_false(is_there(".partial-me--mine/model.safetensors"));
    now.wrong_size = -1;
    assert_fails(ASSAY_E_FORMAT, "a file of more than the 299999 bytes that were expected");
}

static void test_a_model_that_the_hub_does_not_give_leaves_nothing(void **state)
{
    static const struct refusal {
        int code;
        const char *sentence;
    } all[] = {
        { 404, "me/mine: refused with 404 (no such thing is there): Repository not found" },
        { 401, "me/mine: refused with 401 (a key is missing or wrong, or there is no such model): "
               "Repository not found" },
        { 403, "me/mine: refused with 403 (this key, or no key, may not do that): Repository not "
               "found" },
        { 204, "me/mine: refused with 204" },
        { 500, "answered 500: Repository not found" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        now.refuses_list = all[k].code;
        assert_fails(ASSAY_E_READ, all[k].sentence);
    }
    assert_int_equal(access(cache, F_OK), -1);
}

static void test_names_and_options_are_checked(void **state)
{
    static const struct wrong {
        const char *name, *hub, *revision;
        int attempts;
        double wait;
        const char *sentence;
    } all[] = {
        { "../x", "http://h", "main", 1, 1, "model ../x is neither a folder" },
        { "x", "http://h", "main", 1, 1, "no model is called x for short, expected OWNER/NAME or" },
        { "a/b", "http://h", "", 1, 1, "download: revision is \"\", expected a branch" },
        { "a/b", "http://h", "a/../b", 1, 1, "download: revision is \"a/../b\", expected" },
        { "a/b", "http://h", "a?b", 1, 1, "download: revision is \"a?b\", expected a branch" },
        { "a/b", "http://h", NULL, 1, 1, "download: no revision, expected one" },
        { "a/b", NULL, "main", 1, 1, "download: no hub, expected one" },
        { "a/b", "file:///x", "main", 1, 1, "url is of file, expected http or https" },
        { "a/b", "http://h?x", "main", 1, 1, "h: the hub's url has a query, expected none" },
        { "a/b", "http://h", "main", 0, 1, "download: attempts is 0, expected 1 to 20" },
        { "a/b", "http://h", "main", 21, 1, "download: attempts is 21, expected 1 to 20" },
        { "a/b", "http://h", "main", 1, -1, "download: wait is -1, expected 0 to 3600 seconds" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        options.hub = all[k].hub;
        options.revision = all[k].revision;
        options.attempts = all[k].attempts;
        options.wait = all[k].wait;
        assert_int_equal(bring(all[k].name), ASSAY_E_VALUE);
        assert_memory_equal(assay_last_error(), all[k].sentence, strlen(all[k].sentence));
    }
    assay_download_options_init(&options, sizeof options);
    options.hub = "http://h.invalid";
    options.key = "secret";
    assert_int_equal(bring("a/b"), ASSAY_E_VALUE);
    assert_int_equal(access(cache, F_OK), -1);
}

static void test_a_cache_that_is_a_file_is_an_error(void **state)
{
    char sentence[256];

    (void)state;
    snprintf(cache, sizeof cache, "%s/file", place);
    fclose(fopen(cache, "w"));
    snprintf(sentence, sizeof sentence, "%s: cannot be written: Not a directory", cache);
    assert_int_equal(bring("me/mine"), ASSAY_E_WRITE);
    assert_string_equal(assay_last_error(), sentence);
    unlink(cache);
    snprintf(cache, sizeof cache, "%s/in/here", place);
}

/* ---- cancelling, and others who are at it ---- */

static int stop_after(void *user, const char *stage, double fraction)
{
    int *left = user;

    assert_string_equal(stage, "download");
    assert_true(fraction >= 0 && fraction <= 1);
    return (*left)-- == 0;
}

static void test_each_cancelled_download_can_go_on(void **state)
{
    (void)state;
    for (int n = 0;; n = 2 * n + 1) {
        int left = n;
        assay_status status;

        options.progress = (assay_progress){ stop_after, &left };
        status = bring("me/mine");
        if (status == ASSAY_OK) break;
        assert_int_equal(status, ASSAY_E_CANCELLED);
        assert_string_equal(assay_last_error(), "cancelled in download");
        assert_false(is_there("me--mine"));
        assert_true(n < 100000);
    }
    assert_whole();
}

static int lock = -1;

static void hold_partial(void)
{
    make_partial();
    lock = open(in_cache(".partial-me--mine"), O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_EX), 0);
}

static void test_a_download_waits_for_another(void **state)
{
    int left = 30;

    (void)state;
    hold_partial();
    options.progress = (assay_progress){ stop_after, &left };
    assert_int_equal(bring("me/mine"), ASSAY_E_CANCELLED);
    assert_int_equal(hub.n_requests, 1); /* for the list */
    close(lock);
    options.progress = (assay_progress){ NULL, NULL };
    bring_ok();
}

/* Once the list is there, the other download, which holds the folder, is done. */
static int finish_other(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage, (void)fraction;
    if (hub.n_requests == 0 || lock < 0) return 0;
    if (hub.n_sent == 0) return 0;
    write_file(".partial-me--mine/config.json", "theirs", 6);
    assert_int_equal(rename(in_cache(".partial-me--mine"), in_cache("me--mine")), 0);
    close(lock);
    lock = -1;
    return 0;
}

static void test_a_model_that_another_brings_is_taken(void **state)
{
    (void)state;
    hold_partial();
    options.progress = (assay_progress){ finish_other, NULL };
    assert_int_equal(bring("me/mine"), ASSAY_OK);
    assert_int_equal(lock, -1);
    assert_int_equal(hub.n_requests, 1);
    assert_false(is_there(".partial-me--mine"));
}

/* Somebody copies the model into the cache by hand. */
static int put_model(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage;
    if (fraction < 0.5 || is_there("me--mine")) return 0;
    mkdir(in_cache("me--mine"), 0777);
    write_file("me--mine/config.json", "theirs", 6);
    return 0;
}

static void test_a_model_that_appears_meanwhile_is_kept(void **state)
{
    static const struct hub_file theirs = { "config.json", "theirs", 6, 0 };

    (void)state;
    options.progress = (assay_progress){ put_model, NULL };
    assert_int_equal(bring("me/mine"), ASSAY_OK);
    assert_file("me--mine", &theirs);
    assert_false(is_there(".partial-me--mine"));
}

static int block_place(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage;
    if (fraction < 0.5 || is_there("me--mine")) return 0;
    mkdir(in_cache("me--mine"), 0777);
    write_file("me--mine/notes", "no model", 8);
    return 0;
}

static void test_a_folder_that_is_in_the_way_stays(void **state)
{
    (void)state;
    options.progress = (assay_progress){ block_place, NULL };
    assert_int_equal(bring("me/mine"), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "/me--mine: cannot be written: "));
    assert_true(is_there("me--mine/notes"));
    assert_true(is_there(".partial-me--mine/config.json"));
}

/* ---- digests ---- */

#define OID "ce013625030ba8dba906f756967f9e9ca394464a"
#define SHA "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

/* As sha256sum and git hash-object have them. */
static void test_digests_are_those_of_others(void **state)
{
    static const assay_progress none;
    char hex[ASSAY_DIGEST_HEX];

    (void)state;
    make_partial();
    write_file("hello", "hello\n", 6);
    assert_int_equal(assay_digest_file(in_cache("hello"), ASSAY_DIGEST_SHA256, &none, "x", 0, hex),
                     ASSAY_OK);
    assert_string_equal(hex, SHA);
    assert_int_equal(
        assay_digest_file(in_cache("hello"), ASSAY_DIGEST_GIT_BLOB, &none, "x", 0, hex), ASSAY_OK);
    assert_string_equal(hex, OID);
    assert_int_equal(assay_digest_file(in_cache("none"), ASSAY_DIGEST_SHA256, &none, "x", 0, hex),
                     ASSAY_E_READ);
    empty_cache();
}

/* ---- memory ---- */

static assay_status bring_anew(void *context)
{
    (void)context;
    empty_cache();
    return bring("me/mine");
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(bring_anew, NULL) >= 30);
    assert_whole();
}

#define WITH_A_HUB(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_A_HUB(test_a_model_is_brought_once),
        WITH_A_HUB(test_the_key_is_for_the_hub_alone),
        WITH_A_HUB(test_other_revisions_and_hubs_are_asked_for),
        WITH_A_HUB(test_a_download_goes_on_where_it_stopped),
        WITH_A_HUB(test_a_connection_that_breaks_is_made_again),
        WITH_A_HUB(test_a_range_follows_a_redirection),
        WITH_A_HUB(test_a_part_of_something_else_begins_anew),
        WITH_A_HUB(test_what_is_left_of_something_else_is_not_kept),
        WITH_A_HUB(test_a_wrong_digest_is_told_and_the_file_removed),
        WITH_A_HUB(test_a_wrong_size_is_told),
        WITH_A_HUB(test_a_model_that_the_hub_does_not_give_leaves_nothing),
        WITH_A_HUB(test_names_and_options_are_checked),
        WITH_A_HUB(test_a_cache_that_is_a_file_is_an_error),
        WITH_A_HUB(test_each_cancelled_download_can_go_on),
        WITH_A_HUB(test_a_download_waits_for_another),
        WITH_A_HUB(test_a_model_that_another_brings_is_taken),
        WITH_A_HUB(test_a_model_that_appears_meanwhile_is_kept),
        WITH_A_HUB(test_a_folder_that_is_in_the_way_stays),
        cmocka_unit_test(test_digests_are_those_of_others),
        WITH_A_HUB(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
