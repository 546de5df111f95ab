/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/encoder.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_status open_folder(const char *folder, assay_encoder *encoder);
static assay_status load_weights(const char *path, assay_encoder *encoder);
static assay_status check_tokens(const char *path, const assay_encoder *encoder);
static assay_status digest(const char *folder, assay_encoder *encoder);
static int digest_config(EVP_MD_CTX *context, const assay_encoder *encoder);
static assay_status digest_file(EVP_MD_CTX *context, const char *folder, const char *name);

assay_status assay_encoder_open(const char *folder, assay_encoder **out)
{
    assay_encoder *encoder = assay_alloc_zero(1, sizeof *encoder);
    char path[ASSAY_MODEL_PATH];
    assay_status status;

    *out = NULL;
    if (!encoder) return assay_fail(ASSAY_E_NOMEM, "no memory for a model");
    status = assay_model_config_read(folder, &encoder->config);
    if (status == ASSAY_OK) status = assay_model_file(folder, encoder->config.weights, "", path);
    if (status == ASSAY_OK) status = open_folder(path, encoder);
    if (status == ASSAY_OK) status = digest(path, encoder);
    if (status == ASSAY_OK) *out = encoder;
    if (status != ASSAY_OK) assay_encoder_free(encoder);
    return status;
}

void assay_encoder_free(assay_encoder *encoder)
{
    if (!encoder) return;
    assay_bert_free(&encoder->bert);
    assay_static_table_free(&encoder->table);
    assay_safetensors_free(&encoder->tensors);
    assay_unmap(&encoder->file);
    assay_wordpiece_close(encoder->wordpiece);
    free(encoder);
}

/* The folder of tokenizer and weights. */
static assay_status open_folder(const char *folder, assay_encoder *encoder)
{
    char path[ASSAY_MODEL_PATH];
    assay_status status = assay_model_file(folder, "", "model.safetensors", path);

    if (status == ASSAY_OK && !assay_model_has_file(path))
        status = assay_fail_at(ASSAY_E_READ, folder, 0,
                               "has no model.safetensors, expected weights in that format");
    if (status == ASSAY_OK) status = assay_wordpiece_open(folder, &encoder->wordpiece);
    /* model2vec cuts a text to what that many tokens of the usual length would take, before it looks
       for tokens. */
    if (status == ASSAY_OK && encoder->config.kind == ASSAY_MODEL_2VEC)
        encoder->max_characters =
            encoder->config.max_tokens * assay_wordpiece_median_length(encoder->wordpiece);
    if (status == ASSAY_OK) status = assay_map(path, &encoder->file);
    if (status == ASSAY_OK) status = load_weights(path, encoder);
    if (status == ASSAY_OK) status = check_tokens(path, encoder);
    return status;
}

/* The names of tensors' files are borrowed by messages, which are only written while loading. */
static assay_status load_weights(const char *path, assay_encoder *encoder)
{
    assay_safetensors *tensors = &encoder->tensors;
    assay_status status =
        assay_safetensors_parse(path, encoder->file.bytes, encoder->file.size, tensors);

    if (status != ASSAY_OK) return status;
    if (assay_encoder_is_static(encoder)) {
        status = assay_static_table_load(tensors, &encoder->table);
        encoder->d = encoder->table.d;
    } else {
        status = assay_bert_load(tensors, &encoder->config, &encoder->bert);
        encoder->d = encoder->bert.shape.width;
    }
    return status;
}

/* Every id that the tokenizer can give has a row, and [CLS] and [SEP] are there. */
static assay_status check_tokens(const char *path, const assay_encoder *encoder)
{
    const assay_special_tokens special = assay_wordpiece_special(encoder->wordpiece);
    size_t n = assay_wordpiece_n(encoder->wordpiece);
    size_t n_rows = assay_encoder_is_static(encoder) ? encoder->table.n_tokens
                                                     : encoder->bert.shape.n_vocabulary;

    if (n > n_rows)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "has vectors of %zu tokens, expected %zu as the tokenizer has", n_rows,
                             n);
    if (!assay_encoder_is_static(encoder) && (special.start < 0 || special.end < 0))
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "the tokenizer has no [CLS] or no [SEP], expected both");
    return ASSAY_OK;
}

/* ---- the digest ---- */

/* Settings as they were understood, the tokenizer's files and the weights: equal digests mean equal
   vectors. */
static assay_status digest(const char *folder, assay_encoder *encoder)
{
    static const char *const files[] = { "tokenizer.json", "vocab.txt", "tokenizer_config.json",
                                         "special_tokens_map.json" };
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char bytes[EVP_MAX_MD_SIZE];
    assay_status status = ASSAY_OK;

    if (!context || !EVP_DigestInit_ex(context, EVP_sha256(), NULL) ||
        !digest_config(context, encoder))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a digest");
    for (size_t k = 0; k < sizeof files / sizeof *files && status == ASSAY_OK; k++)
        status = digest_file(context, folder, files[k]);
    if (status == ASSAY_OK &&
        (!EVP_DigestUpdate(context, encoder->file.bytes, encoder->file.size) ||
         !EVP_DigestFinal_ex(context, bytes, NULL)))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a digest");
    if (status == ASSAY_OK) assay_hex(bytes, (ASSAY_SHA256_HEX - 1) / 2, encoder->sha256);
    EVP_MD_CTX_free(context);
    return status;
}

static int digest_config(EVP_MD_CTX *context, const assay_encoder *encoder)
{
    const assay_model_config *config = &encoder->config;
    const assay_bert_shape *bert = &config->bert;
    char text[300];
    int n = snprintf(text, sizeof text, "assay encoder 1\n%d %d %d %zu\n%zu %zu %zu %zu %zu %.9g\n",
                     (int)config->kind, (int)config->pooling, config->normalise, config->max_tokens,
                     bert->n_layers, bert->width, bert->n_heads, bert->inner, bert->n_positions,
                     (double)bert->epsilon);

    return EVP_DigestUpdate(context, text, (size_t)n);
}

/* A file's name, size and bytes; nothing for one that is not there. */
static assay_status digest_file(EVP_MD_CTX *context, const char *folder, const char *name)
{
    char path[ASSAY_MODEL_PATH], head[100];
    assay_mapped file = { 0 };
    assay_status status = assay_model_file(folder, "", name, path);
    int n;

    if (status != ASSAY_OK || !assay_model_has_file(path)) return status;
    if ((status = assay_map(path, &file)) != ASSAY_OK) return status;
    n = snprintf(head, sizeof head, "%s %zu\n", name, file.size);
    if (!EVP_DigestUpdate(context, head, (size_t)n) ||
        (file.size && !EVP_DigestUpdate(context, file.bytes, file.size)))
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a digest");
    assay_unmap(&file);
    return status;
}

/* ---- what callers ask ---- */

const char *assay_encoder_kind(const assay_encoder *encoder)
{
    static const char *const names[] = { [ASSAY_MODEL_BERT] = "bert",
                                         [ASSAY_MODEL_2VEC] = "model2vec",
                                         [ASSAY_MODEL_STATIC] = "static" };

    return names[encoder->config.kind];
}

size_t assay_encoder_dimensions(const assay_encoder *encoder)
{
    return encoder->d;
}

size_t assay_encoder_max_tokens(const assay_encoder *encoder)
{
    return encoder->config.max_tokens;
}

const char *assay_encoder_sha256(const assay_encoder *encoder)
{
    return encoder->sha256;
}
