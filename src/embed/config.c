/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/config.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

/* No BERT is larger; what is asked for by hostile files stays within memory. */
enum { MOST_SIZE = 1 << 20, MOST_LAYERS = 200, MOST_TOKENS = 1 << 20 };
/* What model2vec takes of a text unless told otherwise. */
static const double static_tokens = 512;

/* A folder of a model while it is understood. */
typedef struct folder {
    const char *path;
    assay_model_config *config;
    char modules_path[ASSAY_MODEL_PATH];
    char type[ASSAY_SETTING_TEXT], module[ASSAY_SETTING_TEXT]; /* of the module at hand */
    char pooling[ASSAY_SETTING_TEXT];                          /* the folder of its settings */
    int has_pooling;
    double static_length; /* max_length of a model2vec; NaN for none */
} folder;

static assay_status read_modules(folder *f);
static assay_status take_module(void *user);
static assay_status read_kind(folder *f);
static assay_status read_bert(const char *path, assay_bert_shape *bert);
static assay_status read_pooling(const folder *f);
static assay_status read_length(const folder *f);
static assay_status read_bert_length(const folder *f);

assay_status assay_model_config_read(const char *path, assay_model_config *config)
{
    folder f = { .path = path, .config = config, .static_length = static_tokens };
    assay_status status;

    *config = (assay_model_config){ .pooling = ASSAY_POOLING_MEAN };
    status = read_modules(&f);
    if (status == ASSAY_OK) status = read_kind(&f);
    if (status == ASSAY_OK && f.has_pooling) status = read_pooling(&f);
    if (status == ASSAY_OK) status = read_length(&f);
    return status;
}

/* ---- the steps after one another: modules.json ---- */

static assay_status read_modules(folder *f)
{
    const assay_setting settings[] = {
        { "type", ASSAY_SETTING_IS_TEXT, f->type },
        { "path", ASSAY_SETTING_IS_TEXT, f->module },
    };
    assay_status status = assay_model_file(f->path, "", "modules.json", f->modules_path);

    if (status != ASSAY_OK || !assay_model_has_file(f->modules_path)) return status;
    return assay_settings_read_each(f->modules_path, settings, 2, take_module, f);
}

static int is_within(const char *path)
{
    return path[0] != '/' && strstr(path, "..") == NULL;
}

/* The type is a Python class, such as sentence_transformers.models.Pooling: its last name counts. */
static assay_status take_module(void *user)
{
    folder *f = user;
    const char *dot = strrchr(f->type, '.'), *name = dot ? dot + 1 : f->type;
    assay_model_config *config = f->config;
    assay_status status = ASSAY_OK;

    if (!is_within(f->module))
        return assay_fail_at(ASSAY_E_FORMAT, f->modules_path, 0,
                             "a module is at \"%s\", expected a folder within the model's",
                             f->module);
    if (strcmp(name, "Transformer") == 0 || strcmp(name, "StaticEmbedding") == 0) {
        memcpy(config->weights, f->module, sizeof config->weights);
        config->kind = name[0] == 'S' ? ASSAY_MODEL_STATIC : ASSAY_MODEL_BERT;
    } else if (strcmp(name, "Pooling") == 0) {
        memcpy(f->pooling, f->module, sizeof f->pooling);
        f->has_pooling = 1;
    } else if (strcmp(name, "Normalize") == 0) {
        config->normalise = 1;
    } else {
        status =
            assay_fail_at(ASSAY_E_FORMAT, f->modules_path, 0,
                          "a module of type \"%s\", expected Transformer, StaticEmbedding, Pooling "
                          "or Normalize",
                          f->type);
    }
    memset(f->type, 0, sizeof f->type);
    memset(f->module, 0, sizeof f->module);
    return status;
}

/* ---- config.json ---- */

/* A static model has it from model2vec alone; newer ones do not say their type. */
static assay_status read_kind(folder *f)
{
    assay_model_config *config = f->config;
    char path[ASSAY_MODEL_PATH], kind[ASSAY_SETTING_TEXT] = "", number[ASSAY_SETTING_TEXT] = "";
    int normalise = 0;
    const assay_setting settings[] = {
        { "model_type", ASSAY_SETTING_IS_TEXT, kind },
        { "embedding_dtype", ASSAY_SETTING_IS_TEXT, number },
        { "normalize", ASSAY_SETTING_IS_FLAG, &normalise },
        { "max_length", ASSAY_SETTING_IS_NUMBER, &f->static_length },
    };
    assay_status status = assay_model_file(f->path, config->weights, "config.json", path);

    if (status != ASSAY_OK) return status;
    if (config->kind == ASSAY_MODEL_STATIC && !assay_model_has_file(path)) return ASSAY_OK;
    status = assay_settings_read(path, settings, sizeof settings / sizeof *settings);
    if (status != ASSAY_OK) return status;
    if (strcmp(kind, "bert") == 0 && config->kind == ASSAY_MODEL_BERT)
        return read_bert(path, &config->bert);
    if (strcmp(kind, "model2vec") != 0 && (*kind || (config->kind == ASSAY_MODEL_BERT && !*number)))
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "a model of type \"%s\", expected bert or model2vec", kind);
    config->kind = ASSAY_MODEL_2VEC;
    config->normalise = normalise;
    return ASSAY_OK;
}

static int size_of(double value, double most, size_t *size)
{
    if (!(value >= 1 && value <= most) || value != floor(value)) return 0;
    *size = (size_t)value;
    return 1;
}

static assay_status check_bert(const char *path, const char *activation, const char *positions)
{
    if (strcmp(activation, "gelu") != 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0, "hidden_act is \"%s\", expected gelu",
                             activation);
    if (strcmp(positions, "absolute") != 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "position_embedding_type is \"%s\", expected absolute", positions);
    return ASSAY_OK;
}

static assay_status read_bert(const char *path, assay_bert_shape *bert)
{
    char activation[ASSAY_SETTING_TEXT] = "gelu", positions[ASSAY_SETTING_TEXT] = "absolute";
    double layers = 0, width = 0, heads = 0, inner = 0, vocabulary = 0, places = 0;
    double kinds = 2, epsilon = 1e-12;
    const assay_setting settings[] = {
        { "num_hidden_layers", ASSAY_SETTING_IS_NUMBER, &layers },
        { "hidden_size", ASSAY_SETTING_IS_NUMBER, &width },
        { "num_attention_heads", ASSAY_SETTING_IS_NUMBER, &heads },
        { "intermediate_size", ASSAY_SETTING_IS_NUMBER, &inner },
        { "vocab_size", ASSAY_SETTING_IS_NUMBER, &vocabulary },
        { "max_position_embeddings", ASSAY_SETTING_IS_NUMBER, &places },
        { "type_vocab_size", ASSAY_SETTING_IS_NUMBER, &kinds },
        { "layer_norm_eps", ASSAY_SETTING_IS_NUMBER, &epsilon },
        { "hidden_act", ASSAY_SETTING_IS_TEXT, activation },
        { "position_embedding_type", ASSAY_SETTING_IS_TEXT, positions },
    };
    assay_status status = assay_settings_read(path, settings, sizeof settings / sizeof *settings);

    if (status == ASSAY_OK) status = check_bert(path, activation, positions);
    if (status != ASSAY_OK) return status;
    if (!size_of(layers, MOST_LAYERS, &bert->n_layers) ||
        !size_of(width, MOST_SIZE, &bert->width) || !size_of(heads, width, &bert->n_heads) ||
        !size_of(inner, MOST_SIZE, &bert->inner) ||
        !size_of(vocabulary, 1e8, &bert->n_vocabulary) ||
        !size_of(places, MOST_TOKENS, &bert->n_positions) || !size_of(kinds, 1e4, &bert->n_types) ||
        bert->width % bert->n_heads != 0 || bert->n_positions < 3 || !(epsilon >= 0 && epsilon < 1))
        return assay_fail_at(
            ASSAY_E_FORMAT, path, 0,
            "the sizes are not those of a BERT: %g layers of width %g, %g heads, inner "
            "width %g, %g tokens, %g positions",
            layers, width, heads, inner, vocabulary, places);
    bert->epsilon = (float)epsilon;
    return ASSAY_OK;
}

/* ---- pooling's config.json ---- */

/* One flag a way of pooling, or since sentence-transformers 5 one name. */
static assay_status read_pooling(const folder *f)
{
    char path[ASSAY_MODEL_PATH], mode[ASSAY_SETTING_TEXT] = "";
    int cls = 0, mean = 0, other[5] = { 0 }, with_prompt = 1;
    const assay_setting settings[] = {
        { "pooling_mode_cls_token", ASSAY_SETTING_IS_FLAG, &cls },
        { "pooling_mode_mean_tokens", ASSAY_SETTING_IS_FLAG, &mean },
        { "pooling_mode_max_tokens", ASSAY_SETTING_IS_FLAG, &other[0] },
        { "pooling_mode_mean_sqrt_len_tokens", ASSAY_SETTING_IS_FLAG, &other[1] },
        { "pooling_mode_weightedmean_tokens", ASSAY_SETTING_IS_FLAG, &other[2] },
        { "pooling_mode_lasttoken", ASSAY_SETTING_IS_FLAG, &other[3] },
        { "pooling_mode", ASSAY_SETTING_IS_TEXT, mode },
        { "include_prompt", ASSAY_SETTING_IS_FLAG, &with_prompt },
    };
    assay_status status = assay_model_file(f->path, f->pooling, "config.json", path);

    if (status == ASSAY_OK)
        status = assay_settings_read(path, settings, sizeof settings / sizeof *settings);
    if (status != ASSAY_OK) return status;
    if (*mode) {
        cls = strcmp(mode, "cls") == 0;
        mean = strcmp(mode, "mean") == 0;
    }
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) other[4] |= other[k];
    if (cls + mean != 1 || other[4] || !with_prompt)
        return assay_fail_at(
            ASSAY_E_FORMAT, path, 0,
            "a way of pooling that is not run here, expected the mean of all tokens or "
            "[CLS] alone");
    f->config->pooling = cls ? ASSAY_POOLING_CLS : ASSAY_POOLING_MEAN;
    return ASSAY_OK;
}

/* ---- how long a text may be ---- */

static assay_status read_length(const folder *f)
{
    assay_model_config *config = f->config;

    if (config->kind == ASSAY_MODEL_BERT) return read_bert_length(f);
    if (config->kind == ASSAY_MODEL_2VEC && f->static_length >= 1)
        config->max_tokens = (size_t)fmin(f->static_length, MOST_TOKENS);
    return ASSAY_OK;
}

/* sentence-transformers takes its own setting, else the tokenizer's or the positions there are,
   whichever is fewer. */
static assay_status read_bert_length(const folder *f)
{
    assay_model_config *config = f->config;
    char own[ASSAY_MODEL_PATH], tokenizer[ASSAY_MODEL_PATH];
    double most = (double)config->bert.n_positions, from_own = 0, from_tokenizer = 0;
    const assay_setting settings[] = {
        { "max_seq_length", ASSAY_SETTING_IS_NUMBER, &from_own },
        { "model_max_length", ASSAY_SETTING_IS_NUMBER, &from_tokenizer },
    };
    assay_status status =
        assay_model_file(f->path, config->weights, "sentence_bert_config.json", own);

    if (status == ASSAY_OK)
        status = assay_model_file(f->path, config->weights, "tokenizer_config.json", tokenizer);
    if (status == ASSAY_OK && assay_model_has_file(own))
        status = assay_settings_read(own, &settings[0], 1);
    if (status == ASSAY_OK && assay_model_has_file(tokenizer))
        status = assay_settings_read(tokenizer, &settings[1], 1);
    if (status != ASSAY_OK) return status;
    if (from_own >= 1)
        most = fmin(most, from_own);
    else if (from_tokenizer >= 1)
        most = fmin(most, from_tokenizer);
    if (most < 3)
        return assay_fail_at(ASSAY_E_FORMAT, own, 0,
                             "max_seq_length leaves no room for a token beside [CLS] and [SEP]");
    config->max_tokens = (size_t)most;
    return ASSAY_OK;
}
