/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "net/address.h"
#include "net/http.h"
#include "net/hub_listing.h"
#include "net/models.h"
#include "net/partial.h"
#include "net/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAGE "download"
enum { ATTEMPTS_MAX = 20, REVISION_MAX = 100, LISTING_MAX = 1 << 24 };

typedef struct download {
    assay_download_options opt;
    assay_model_name name;
    assay_address hub;
    char revision[3 * REVISION_MAX + 1]; /* as it stands in a URL */
    assay_http *http;
    assay_http_reply reply;
    assay_partial partial;
    assay_hub_listing listing;
    uint64_t done; /* bytes of the files before the one at hand */
} download;

static assay_status resolve_options(const assay_download_options *given,
                                    assay_download_options *opt);
static assay_status check_names(download *d, const char *name);
static assay_status escape_revision(const char *revision, char *out);
static assay_status open_hub(download *d);
static assay_status bring(download *d, const char *cache);
static assay_status read_listing(download *d);
static char *url_of(const download *d, const char *before, const char *between, const char *end);
static assay_status refuse(const download *d);
static assay_status fetch_all(download *d);
static assay_status fetch(download *d, const assay_hub_file *file);
static assay_status fetch_to(download *d, const assay_hub_file *file, const char *path);
static assay_status make_step(const download *d, const assay_hub_file *file);
static assay_status part_of(const char *path, uint64_t most, uint64_t *length);
static assay_status ask_for(download *d, const assay_hub_file *file, const char *path,
                            int *is_beyond);
static assay_status check_file(download *d, const assay_hub_file *file, const char *path,
                               int *is_good);
static assay_status fail_memory(void);

assay_status assay_model_download(const char *name, const char *cache,
                                  const assay_download_options *options, char **folder)
{
    download *d = assay_alloc_zero(1, sizeof *d);
    assay_status status;

    *folder = NULL;
    if (!d) return fail_memory();
    d->partial.lock = -1;
    if ((status = resolve_options(options, &d->opt)) != ASSAY_OK) goto done;
    if ((status = check_names(d, name)) != ASSAY_OK) goto done;
    if ((status = open_hub(d)) != ASSAY_OK) goto done;
    status = assay_partial_name(&d->partial, cache, d->name.folder);
    if (status != ASSAY_OK) goto done;
    if (!assay_model_is_at(d->partial.target)) status = bring(d, cache);
    if (status != ASSAY_OK) goto done;
    *folder = d->partial.target;
    d->partial.target = NULL;
done:
    assay_partial_close(&d->partial);
    assay_http_close(d->http);
    assay_http_free_reply(&d->reply);
    assay_address_free(&d->hub);
    free(d);
    return status;
}

void assay_download_options_init(assay_download_options *options, size_t struct_size)
{
    const assay_download_options defaults = { .struct_size = struct_size,
                                              .hub = "https://huggingface.co",
                                              .revision = "main",
                                              .attempts = 6,
                                              .wait = 1 };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

static assay_status resolve_options(const assay_download_options *given,
                                    assay_download_options *opt)
{
    assay_status status;

    assay_download_options_init(opt, sizeof *opt);
    status = assay_options_take("download", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    if (!opt->hub || !opt->revision)
        return assay_fail(ASSAY_E_VALUE, "download: no %s, expected one",
                          opt->hub ? "revision" : "hub");
    if (opt->attempts < 1 || opt->attempts > ATTEMPTS_MAX)
        return assay_fail(ASSAY_E_VALUE, "download: attempts is %d, expected 1 to %d",
                          opt->attempts, ATTEMPTS_MAX);
    if (!(opt->wait >= 0 && opt->wait <= 3600))
        return assay_fail(ASSAY_E_VALUE, "download: wait is %g, expected 0 to 3600 seconds",
                          opt->wait);
    return ASSAY_OK;
}

static assay_status check_names(download *d, const char *name)
{
    const assay_status status = assay_model_name_read(name, &d->name);

    if (status != ASSAY_OK) return status;
    if (!*d->name.repo)
        return assay_fail(ASSAY_E_VALUE,
                          "no model is called %s for short, expected OWNER/NAME or "
                          "one of %s",
                          name, assay_model_short_names());
    return escape_revision(d->opt.revision, d->revision);
}

/* A branch, a tag or a commit. A slash in it is not one of the URL's. */
static assay_status escape_revision(const char *revision, char *out)
{
    const size_t length = strlen(revision);
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_./";

    if (length == 0 || length > REVISION_MAX || strspn(revision, allowed) != length ||
        strstr(revision, ".."))
        return assay_fail(ASSAY_E_VALUE,
                          "download: revision is \"%.100s\", expected a branch, a tag or a commit",
                          revision);
    for (; *revision; revision++) {
        if (*revision == '/') {
            memcpy(out, "%2F", 3);
            out += 3;
        } else {
            *out++ = *revision;
        }
    }
    *out = '\0';
    return ASSAY_OK;
}

static assay_status open_hub(download *d)
{
    const assay_http_options http = { .key = d->opt.key,
                                      .attempts = d->opt.attempts,
                                      .wait = d->opt.wait,
                                      .stage = STAGE,
                                      .progress = d->opt.progress };
    assay_status status = assay_address_read(d->opt.hub, "", &d->hub);

    if (status != ASSAY_OK) return status;
    if (strchr(d->hub.url, '?'))
        return assay_fail(ASSAY_E_VALUE, "%s: the hub's url has a query, expected none",
                          d->hub.host);
    for (char *end = d->hub.url + strlen(d->hub.url); end[-1] == '/';) *--end = '\0';
    status = assay_address_check_key(&d->hub, d->opt.key);
    return status == ASSAY_OK ? assay_http_open(&http, &d->http) : status;
}

/* The list comes first, so that a name that the hub does not know leaves nothing behind. */
static assay_status bring(download *d, const char *cache)
{
    assay_status status = read_listing(d);
    int is_there = 0;

    if (status != ASSAY_OK) return status;
    status = assay_partial_hold(&d->partial, cache, d->http, &is_there);
    if (status != ASSAY_OK || is_there) return status;
    if (assay_model_is_at(d->partial.target)) return assay_partial_put(&d->partial);
    if ((status = assay_partial_tidy(&d->partial, &d->listing)) != ASSAY_OK) return status;
    if ((status = fetch_all(d)) != ASSAY_OK) return status;
    return assay_partial_put(&d->partial);
}

static assay_status read_listing(download *d)
{
    char *url = url_of(d, "/api/models/", "/tree/", "?recursive=true");
    assay_status status =
        url ? assay_http_get(d->http, url, LISTING_MAX, &d->reply) : fail_memory();

    free(url);
    if (status != ASSAY_OK) return status;
    if (d->reply.code != 200) return refuse(d);
    return assay_hub_listing_read(d->name.repo, d->reply.body, d->reply.length, &d->listing);
}

/* HUB BEFORE repo BETWEEN revision END; none of the parts needs escaping. */
static char *url_of(const download *d, const char *before, const char *between, const char *end)
{
    const char *const parts[] = { d->hub.url, before, d->name.repo, between, d->revision, end };
    enum { N_PARTS = sizeof parts / sizeof parts[0] };
    size_t size = 1, at = 0;
    char *url;

    for (size_t k = 0; k < N_PARTS; k++) size += strlen(parts[k]);
    url = assay_alloc(size, 1);
    for (size_t k = 0; url && k < N_PARTS; k++)
        at += (size_t)snprintf(url + at, size - at, "%s", parts[k]);
    return url;
}

static assay_status refuse(const download *d)
{
    char label[ASSAY_HOST_SIZE + ASSAY_MODEL_NAME + 2];

    snprintf(label, sizeof label, "%s: %s", d->hub.host, d->name.repo);
    return assay_refusal(label, &d->reply);
}

static assay_status fetch_all(download *d)
{
    for (size_t k = 0; k < d->listing.n; k++) {
        const assay_status status = fetch(d, &d->listing.files[k]);

        if (status != ASSAY_OK) return status;
        d->done += d->listing.files[k].size;
    }
    return ASSAY_OK;
}

static assay_status fetch(download *d, const assay_hub_file *file)
{
    char *path = assay_model_path(d->partial.path, file->path);
    assay_status status = path ? make_step(d, file) : fail_memory();

    if (status == ASSAY_OK) status = fetch_to(d, file, path);
    free(path);
    return status;
}

/* The folder of 1_Pooling/config.json. */
static assay_status make_step(const download *d, const assay_hub_file *file)
{
    const char *slash = strchr(file->path, '/');
    char step[ASSAY_HUB_PATH], *path;
    assay_status status = ASSAY_OK;

    if (!slash) return ASSAY_OK;
    snprintf(step, sizeof step, "%.*s", (int)(slash - file->path), file->path);
    path = assay_model_path(d->partial.path, step);
    if (!path) return fail_memory();
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        status = assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", path, strerror(errno));
    free(path);
    return status;
}

/* What an earlier download left may be of an earlier version: where the whole is not what the hub
   says, it is fetched once more from the start. */
static assay_status fetch_to(download *d, const assay_hub_file *file, const char *path)
{
    for (;;) {
        uint64_t before;
        int is_beyond = 0, is_good = 0;
        assay_status status = part_of(path, file->size, &before);

        assay_http_set_done(d->http, (double)d->done, (double)d->listing.size);
        if (status == ASSAY_OK && (before < file->size || before == 0))
            status = ask_for(d, file, path, &is_beyond);
        if (status == ASSAY_OK && !is_beyond) status = check_file(d, file, path, &is_good);
        if (status != ASSAY_OK || is_good) return status;
        unlink(path);
        if (before == 0)
            return assay_fail(
                ASSAY_E_FORMAT,
                "%s: %s: %s does not have the size and the digest that the hub states "
                "for it, and was removed",
                d->hub.host, d->name.repo, file->path);
    }
}

/* How much of a file is there; more than there can be is removed. */
static assay_status part_of(const char *path, uint64_t most, uint64_t *length)
{
    struct stat there;

    *length = 0;
    if (lstat(path, &there) != 0) return ASSAY_OK;
    if ((uint64_t)there.st_size <= most) {
        *length = (uint64_t)there.st_size;
        return ASSAY_OK;
    }
    if (unlink(path) == 0) return ASSAY_OK;
    return assay_fail(ASSAY_E_WRITE, "%s: cannot be written: %s", path, strerror(errno));
}

/* *is_beyond: the server has no more bytes than are here, although it should. */
static assay_status ask_for(download *d, const assay_hub_file *file, const char *path,
                            int *is_beyond)
{
    char end[ASSAY_HUB_PATH + 1], *url;
    assay_status status;

    snprintf(end, sizeof end, "/%s", file->path);
    url = url_of(d, "/", "/resolve/", end);
    status = url ? assay_http_get_file(d->http, url, path, file->size, &d->reply) : fail_memory();
    free(url);
    if (status != ASSAY_OK) return status;
    *is_beyond = d->reply.code == 416;
    return *is_beyond || d->reply.code / 100 == 2 ? ASSAY_OK : refuse(d);
}

static assay_status check_file(download *d, const assay_hub_file *file, const char *path,
                               int *is_good)
{
    const double fraction =
        d->listing.size ? (double)(d->done + file->size) / (double)d->listing.size : 0;
    char hex[ASSAY_DIGEST_HEX];
    uint64_t length;
    assay_status status = part_of(path, file->size, &length);

    if (status != ASSAY_OK || length < file->size) return status;
    status = assay_digest_file(path, file->kind, &d->opt.progress, STAGE, fraction, hex);
    if (status == ASSAY_OK) *is_good = strcmp(hex, file->digest) == 0;
    return status;
}

static assay_status fail_memory(void)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for a download");
}
