/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay embed` was asked, and has made. */
#ifndef ASSAY_CLI_EMBED_ANSWER_H
#define ASSAY_CLI_EMBED_ANSWER_H

#include "embedder.h"

#include <assay/prompts.h>
#include <stdio.h>

struct embed_request {
    struct cli_embedder embedder;
    const char *output, *ids, *id, *text;
    int turns; /* in the order of assay_turns, without the last */
    int download, json, quiet;
    int64_t threads;
};

struct embed_answer {
    const struct embed_request *request;
    assay_prompts *prompts;
    struct cli_embedded made; /* a row a turn */
    float *joined;            /* a row a prompt, where some have several turns; else NULL */
    const float *rows;        /* a row a prompt */
    size_t d;
    char *ids; /* the file of ids, or NULL */
};

/* Each a cli_printer of an embed_answer. */
assay_status print_embed_npy(FILE *to, const void *answer);
assay_status print_embed_ids(FILE *to, const void *answer);
assay_status print_embed(FILE *to, const void *answer);
assay_status print_embed_json(FILE *to, const void *answer);

#endif
