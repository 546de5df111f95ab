/* SPDX-License-Identifier: Apache-2.0 */
#include "net/models.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART_MAX = 96, PATH_SIZE = 4096 };

static const struct known {
    const char *name, *owner, *model;
} known[] = {
    { "all-MiniLM-L6-v2", "sentence-transformers", "all-MiniLM-L6-v2" },
    { "minilm", "sentence-transformers", "all-MiniLM-L6-v2" },
    { "all-MiniLM-L12-v2", "sentence-transformers", "all-MiniLM-L12-v2" },
    { "bge-small-en-v1.5", "BAAI", "bge-small-en-v1.5" },
    { "bge-base-en-v1.5", "BAAI", "bge-base-en-v1.5" },
    { "e5-small-v2", "intfloat", "e5-small-v2" },
    { "e5-base-v2", "intfloat", "e5-base-v2" },
    { "gte-small", "thenlper", "gte-small" },
    { "gte-base", "thenlper", "gte-base" },
    { "potion-base-2M", "minishlab", "potion-base-2M" },
    { "potion-base-4M", "minishlab", "potion-base-4M" },
    { "potion-base-8M", "minishlab", "potion-base-8M" },
    { "potion-base-32M", "minishlab", "potion-base-32M" },
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

static assay_status fail_missing(const char *name, const char *cache,
                                 const assay_model_name *parts);
static int is_part(const char *text, size_t length);
static const struct known *find_known(const char *name, size_t owner);

assay_status assay_model_find(const char *name, const char *cache, char **folder)
{
    assay_model_name parts;
    assay_status status;
    char *path;

    *folder = NULL;
    if (assay_model_is_at(name)) {
        *folder = assay_copy_text(name, strlen(name));
        return *folder ? ASSAY_OK : assay_fail(ASSAY_E_NOMEM, "no memory for the name of a folder");
    }
    if ((status = assay_model_name_read(name, &parts)) != ASSAY_OK) return status;
    if (!cache) return fail_missing(name, cache, &parts);
    path = assay_model_path(cache, parts.folder);
    if (!path) return assay_fail(ASSAY_E_NOMEM, "no memory for the name of a folder");
    if (assay_model_is_at(path)) {
        *folder = path;
        return ASSAY_OK;
    }
    free(path);
    return fail_missing(name, cache, &parts);
}

/* sentence-transformers' static models have no config.json. A file that cannot be read counts: opening
   it will say why. */
int assay_model_is_at(const char *folder)
{
    static const char *const files[] = { "config.json", "modules.json" };

    for (size_t k = 0; *folder && k < sizeof files / sizeof *files; k++) {
        char path[PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, files[k]);

        if (length < PATH_SIZE && access(path, F_OK) == 0) return 1;
    }
    return 0;
}

char *assay_model_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    const int is_ended = *folder && folder[strlen(folder) - 1] == '/';
    char *path = assay_alloc(size, 1);

    if (path) snprintf(path, size, "%s%s%s", folder, is_ended ? "" : "/", name);
    return path;
}

static assay_status fail_missing(const char *name, const char *cache, const assay_model_name *parts)
{
    if (!*parts->repo)
        return assay_fail(ASSAY_E_READ,
                          "no model %s%s%s, expected a folder with a config.json, OWNER/NAME, or "
                          "one of %s",
                          name, cache ? " in " : "", cache ? cache : "", assay_model_short_names());
    if (!cache)
        return assay_fail(ASSAY_E_READ, "no model %s: no folder is known that models are kept in",
                          name);
    return assay_fail(ASSAY_E_READ,
                      "no model %s in %s; assay embed --model %s --download brings it", name, cache,
                      name);
}

/* Known models are kept by their own name, others with their owner's: OWNER--NAME. No name has "--"
   in it, so that two never meet. */
assay_status assay_model_name_read(const char *name, assay_model_name *out)
{
    const char *slash = strchr(name, '/'), *model = slash ? slash + 1 : name;
    const size_t owner = slash ? (size_t)(slash - name) : 0, length = strlen(model);
    const struct known *is_known;

    memset(out, 0, sizeof *out);
    if (!is_part(model, length) || (slash && !is_part(name, owner)))
        return assay_fail(ASSAY_E_VALUE,
                          "model %s is neither a folder with a config.json nor a name, expected "
                          "OWNER/NAME or such as %s",
                          *name ? name : "\"\"", known[0].name);
    is_known = find_known(name, owner);
    if (is_known) {
        snprintf(out->repo, sizeof out->repo, "%s/%s", is_known->owner, is_known->model);
        snprintf(out->folder, sizeof out->folder, "%s", is_known->model);
    } else if (slash) {
        snprintf(out->repo, sizeof out->repo, "%s", name);
        snprintf(out->folder, sizeof out->folder, "%.*s--%s", (int)owner, name, model);
    } else {
        snprintf(out->folder, sizeof out->folder, "%s", name);
    }
    return ASSAY_OK;
}

/* As the hub has it: letters, digits, '-', '_' and '.'; no "--" or "..", and neither '-' nor '.' at an
   end. */
static int is_part(const char *text, size_t length)
{
    if (length == 0 || length > PART_MAX || strchr("-.", text[0]) || strchr("-.", text[length - 1]))
        return 0;
    for (size_t k = 0; k < length; k++) {
        const char c = text[k];
        const int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.') return 0;
        if (k > 0 && (c == '-' || c == '.') && text[k - 1] == c) return 0;
    }
    return 1;
}

/* By the short name, or by OWNER/NAME, whose owner is owner bytes long. */
static const struct known *find_known(const char *name, size_t owner)
{
    for (size_t k = 0; k < N_KNOWN; k++) {
        const struct known *at = &known[k];

        if (owner == 0 && strcmp(name, at->name) == 0) return at;
        if (owner > 0 && owner == strlen(at->owner) && strncmp(name, at->owner, owner) == 0 &&
            strcmp(name + owner + 1, at->model) == 0)
            return at;
    }
    return NULL;
}

const char *assay_model_short_names(void)
{
    return "all-MiniLM-L6-v2 (minilm), all-MiniLM-L12-v2, bge-small-en-v1.5, bge-base-en-v1.5, "
           "e5-small-v2, e5-base-v2, gte-small, gte-base, potion-base-2M, potion-base-4M, "
           "potion-base-8M, potion-base-32M";
}
