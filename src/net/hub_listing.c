/* SPDX-License-Identifier: Apache-2.0 */
#include "net/hub_listing.h"

#include "core/error.h"
#include "read/text_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE_MAX_SAID 1e15 /* bytes; below 2^53, so that a double has it exactly */
enum { LABEL_SIZE = 320, OTHER_SIZE = 64 };

typedef struct listing_reader {
    const char *repo;
    assay_json_reader *reader;
    assay_hub_listing *listing;
    char other[OTHER_SIZE]; /* weights of another format, "" for none */

    /* the entry at hand */
    assay_hub_file file;
    int is_file, is_wanted, has_digest, is_large;
    double size;

    /* the event at hand */
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
} listing_reader;

static assay_status read_entries(listing_reader *r);
static assay_status next(listing_reader *r);
static assay_status read_entry(listing_reader *r);
static assay_status read_member(listing_reader *r);
static assay_status read_large(listing_reader *r);
static assay_status take_text(listing_reader *r, const char *key);
static void take_path(listing_reader *r);
static int is_wanted(const char *path, size_t length);
static int is_step(const char *path, size_t length, const char **name);
static void take_digest(listing_reader *r, assay_digest_kind kind);
static assay_status add_file(listing_reader *r);
static assay_status check_whole(const listing_reader *r);
static assay_status fail_shape(const listing_reader *r);

assay_status assay_hub_listing_read(const char *repo, const char *text, size_t length,
                                    assay_hub_listing *listing)
{
    listing_reader r = { .repo = repo, .listing = listing };
    assay_text_source source = { text, length };
    char label[LABEL_SIZE];
    assay_status status;

    listing->n = 0;
    listing->size = 0;
    snprintf(label, sizeof label, "%.200s: the list of files", repo);
    status = assay_json_open(label, assay_text_source_read, &source, &r.reader);
    if (status == ASSAY_OK) status = read_entries(&r);
    if (status == ASSAY_OK) status = check_whole(&r);
    assay_json_close(r.reader);
    return status;
}

static assay_status read_entries(listing_reader *r)
{
    assay_status status = next(r);

    if (status != ASSAY_OK) return status;
    if (r->event != ASSAY_JSON_ARRAY) return fail_shape(r);
    while ((status = next(r)) == ASSAY_OK && r->event == ASSAY_JSON_OBJECT)
        if ((status = read_entry(r)) != ASSAY_OK) return status;
    if (status == ASSAY_OK && r->event != ASSAY_JSON_ARRAY_END) return fail_shape(r);
    return status;
}

static assay_status next(listing_reader *r)
{
    return assay_json_next(r->reader, &r->event, &r->text, &r->length, &r->number);
}

static assay_status read_entry(listing_reader *r)
{
    assay_status status;

    memset(&r->file, 0, sizeof r->file);
    r->is_file = r->is_wanted = r->has_digest = r->is_large = 0;
    r->size = -1;
    while ((status = next(r)) == ASSAY_OK && r->event == ASSAY_JSON_KEY)
        if ((status = read_member(r)) != ASSAY_OK) return status;
    if (status != ASSAY_OK) return status;
    return r->is_file && r->is_wanted ? add_file(r) : ASSAY_OK;
}

/* A large file's "oid" is that of a pointer to it, and its "lfs" has the digest of its bytes. */
static assay_status read_member(listing_reader *r)
{
    assay_status status;

    if (strcmp(r->text, "lfs") == 0) return read_large(r);
    if (strcmp(r->text, "type") == 0) {
        status = take_text(r, "type");
        if (status == ASSAY_OK) r->is_file = strcmp(r->text, "file") == 0;
        return status;
    }
    if (strcmp(r->text, "path") == 0) {
        status = take_text(r, "path");
        if (status == ASSAY_OK) take_path(r);
        return status;
    }
    if (strcmp(r->text, "oid") == 0) {
        status = take_text(r, "oid");
        if (status == ASSAY_OK && !r->is_large) take_digest(r, ASSAY_DIGEST_GIT_BLOB);
        return status;
    }
    if (strcmp(r->text, "size") != 0) return assay_json_skip(r->reader);
    if ((status = next(r)) != ASSAY_OK) return status;
    if (r->event != ASSAY_JSON_NUMBER) return fail_shape(r);
    if (!r->is_large) r->size = r->number;
    return ASSAY_OK;
}

static assay_status read_large(listing_reader *r)
{
    assay_status status = next(r);

    if (status != ASSAY_OK || r->event == ASSAY_JSON_NULL) return status;
    if (r->event != ASSAY_JSON_OBJECT) return fail_shape(r);
    r->is_large = 1;
    r->has_digest = 0;
    while ((status = next(r)) == ASSAY_OK && r->event == ASSAY_JSON_KEY) {
        if (strcmp(r->text, "oid") == 0) {
            status = take_text(r, "oid");
            if (status == ASSAY_OK) take_digest(r, ASSAY_DIGEST_SHA256);
        } else if (strcmp(r->text, "size") == 0) {
            if ((status = next(r)) == ASSAY_OK && r->event != ASSAY_JSON_NUMBER)
                status = fail_shape(r);
            r->size = r->number;
        } else {
            status = assay_json_skip(r->reader);
        }
        if (status != ASSAY_OK) return status;
    }
    return status;
}

static assay_status take_text(listing_reader *r, const char *key)
{
    const assay_status status = next(r);

    if (status != ASSAY_OK || r->event == ASSAY_JSON_STRING) return status;
    return assay_fail(ASSAY_E_FORMAT, "%s: the list of files has %s other than text", r->repo, key);
}

static void take_path(listing_reader *r)
{
    static const char *const others[] = { "pytorch_model.bin", "tf_model.h5", "model.onnx" };

    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (!*r->other && strcmp(r->text, others[k]) == 0)
            snprintf(r->other, sizeof r->other, " (it has %s)", others[k]);
    r->is_wanted = is_wanted(r->text, r->length);
    if (r->is_wanted) memcpy(r->file.path, r->text, r->length + 1);
}

/* A hub's paths become paths of ours: only these, letter by letter. */
static int is_wanted(const char *path, size_t length)
{
    static const char *const names[] = {
        "config.json",  "model.safetensors",         "tokenizer.json",
        "vocab.txt",    "tokenizer_config.json",     "special_tokens_map.json",
        "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json"
    };
    const char *name;

    if (length >= ASSAY_HUB_PATH || strlen(path) != length) return 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(path, names[k]) == 0) return 1;
    return is_step(path, length, &name) &&
           (strcmp(name, "config.json") == 0 || strcmp(name, "model.safetensors") == 0 ||
            strcmp(name, "tokenizer.json") == 0);
}

/* "1_Pooling/NAME": a digit, '_', letters and digits. */
static int is_step(const char *path, size_t length, const char **name)
{
    size_t k = 2;

    if (length < 4 || path[0] < '0' || path[0] > '9' || path[1] != '_') return 0;
    while ((path[k] >= 'a' && path[k] <= 'z') || (path[k] >= 'A' && path[k] <= 'Z') ||
           (path[k] >= '0' && path[k] <= '9') || path[k] == '_')
        k++;
    *name = path + k + 1;
    return k > 2 && path[k] == '/';
}

static void take_digest(listing_reader *r, assay_digest_kind kind)
{
    static const char prefix[] = "sha256:";
    const size_t skipped = strncmp(r->text, prefix, 7) == 0 ? 7 : 0,
                 wanted = assay_digest_length(kind);
    const char *hex = r->text + skipped;

    r->has_digest = strlen(hex) == wanted && strspn(hex, "0123456789abcdef") == wanted;
    if (!r->has_digest) return;
    memcpy(r->file.digest, hex, wanted + 1);
    r->file.kind = kind;
}

static assay_status add_file(listing_reader *r)
{
    assay_hub_listing *listing = r->listing;

    if (!r->has_digest || !(r->size >= 0 && r->size <= SIZE_MAX_SAID) || r->size != floor(r->size))
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: the list of files states no size and digest for %s, expected both",
                          r->repo, r->file.path);
    if (assay_hub_listing_has(listing, r->file.path))
        return assay_fail(ASSAY_E_FORMAT, "%s: the list of files has %s twice", r->repo,
                          r->file.path);
    if (listing->n == ASSAY_HUB_FILES)
        return assay_fail(ASSAY_E_FORMAT, "%s: the list of files has more than %d of an encoder",
                          r->repo, ASSAY_HUB_FILES);
    r->file.size = (uint64_t)r->size;
    listing->size += r->file.size;
    listing->files[listing->n++] = r->file;
    return ASSAY_OK;
}

/* Weights may be in the folder of a module: static models have them there, and no config.json. */
static int has_weights(const assay_hub_listing *listing)
{
    static const char name[] = "model.safetensors";
    const size_t n = sizeof name - 1;

    for (size_t k = 0; k < listing->n; k++) {
        const char *path = listing->files[k].path;
        const size_t length = strlen(path);

        if (length >= n && strcmp(path + length - n, name) == 0) return 1;
    }
    return 0;
}

static assay_status check_whole(const listing_reader *r)
{
    if (!has_weights(r->listing))
        return assay_fail(ASSAY_E_FORMAT,
                          "%s: no model.safetensors%s, expected the weights in that form", r->repo,
                          r->other);
    if (!assay_hub_listing_has(r->listing, "config.json") &&
        !assay_hub_listing_has(r->listing, "modules.json"))
        return assay_fail(ASSAY_E_FORMAT, "%s: no config.json, expected that of an encoder",
                          r->repo);
    return ASSAY_OK;
}

int assay_hub_listing_has(const assay_hub_listing *listing, const char *path)
{
    const size_t length = strlen(path);

    for (size_t k = 0; k < listing->n; k++) {
        const char *file = listing->files[k].path;
        if (strncmp(file, path, length) == 0 && (!file[length] || file[length] == '/')) return 1;
    }
    return 0;
}

static assay_status fail_shape(const listing_reader *r)
{
    return assay_fail(ASSAY_E_FORMAT,
                      "%s: the list of files is not an array of objects with type, path and size",
                      r->repo);
}
