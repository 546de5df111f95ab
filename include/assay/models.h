/* SPDX-License-Identifier: Apache-2.0 */
/* Where sentence encoders are found, and how they get there. */
#ifndef ASSAY_MODELS_H
#define ASSAY_MODELS_H

#include "assay/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The folder of a model.
 *
 * In the cache, a model with a short name is kept in CACHE/NAME by the hub's name for it, whichever
 * of its names it is called by, and any other in CACHE/OWNER--NAME. A folder CACHE/NAME that
 * somebody made is found by its name. The short names are all-MiniLM-L6-v2 (or minilm) and
 * all-MiniLM-L12-v2 of sentence-transformers, bge-small-en-v1.5 and bge-base-en-v1.5 of BAAI,
 * e5-small-v2 and e5-base-v2 of intfloat, gte-small and gte-base of thenlper, and potion-base-2M,
 * -4M, -8M and -32M of minishlab.
 *
 * @param name    a folder with a config.json; or the name of a model in the cache, as
 *                all-MiniLM-L6-v2 (short for sentence-transformers/all-MiniLM-L6-v2), minilm (the
 *                same) or OWNER/NAME.
 * @param cache   the folder that models are kept in; it need not exist. NULL for none. Borrowed.
 * @param folder  allocated, to be freed by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_READ when it is not there, with a sentence that says how to get it;
 *         ASSAY_E_VALUE for a name that cannot be one; ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_model_find(const char *name, const char *cache, char **folder);

/* Start from assay_download_options_init(); later versions add fields only at the end. Strings are
   borrowed for the call. */
typedef struct assay_download_options {
    size_t struct_size;   /* sizeof this struct as the caller was compiled */
    const char *hub;      /* default https://huggingface.co */
    const char *revision; /* a branch, a tag or a commit; default main */
    const char *key;      /* a bearer token for the hub alone, over https or to this machine only;
                             NULL: none */
    int attempts;         /* for one request, 1 to 20; default 6 */
    double wait;          /* seconds before the second attempt, doubled each time up to a minute;
                             0 to 3600, default 1 */
    assay_progress progress;
} assay_download_options;

ASSAY_API void assay_download_options_init(assay_download_options *options, size_t struct_size);

/**
 * Bring a model from the hub into the cache: the files that assay_encoder_open() reads, each checked
 * against the digest that the hub states for it.
 *
 * A download that was cut short goes on where it stopped: what came is in CACHE/.partial-FOLDER. The
 * model's folder appears whole or not at all; a model that is there already is left as it is, and
 * nothing is asked for. A download of the same model by another process is waited for. Redirections
 * are followed, from https to https only, and without the key where they lead elsewhere.
 *
 * @param name     all-MiniLM-L6-v2, minilm or OWNER/NAME.
 * @param cache    as above; made if it is not there.
 * @param options  NULL for the defaults.
 * @param folder   allocated, to be freed by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_VALUE for a name or an option; ASSAY_E_READ when the hub cannot be reached or
 *         has no such model; ASSAY_E_FORMAT when a file is not what the hub says it is, or a model
 *         has no safetensors; ASSAY_E_WRITE; ASSAY_E_CANCELLED (the next call goes on); ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_model_download(const char *name, const char *cache,
                                            const assay_download_options *options, char **folder);

#ifdef __cplusplus
}
#endif
#endif
