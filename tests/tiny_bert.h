/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of small models with random weights: a BERT in the forms that such folders take, and a static
   model. Include it after cmocka.h. */
#ifndef TESTS_TINY_BERT_H
#define TESTS_TINY_BERT_H

#include "tiny_safetensors.h"

enum { TINY_TENSORS = 64 };

typedef struct tiny_shape {
    size_t layers, width, heads, inner, positions;
} tiny_shape;

/* Widths that are and are not whole numbers of vectors of 16 or 8. */
static const tiny_shape tiny_even = { 2, 32, 4, 48, 24 };
static const tiny_shape tiny_odd = { 2, 36, 3, 50, 24 };

typedef struct tiny_tensor {
    char name[96];
    size_t rows, columns; /* columns is 0 for a tensor of one dimension */
    double *numbers;
} tiny_tensor;

/* The weights, as they are written and in double precision. */
typedef struct tiny_bert {
    tiny_shape shape;
    tiny_tensor tensors[TINY_TENSORS];
    size_t n;
    uint64_t seed;
} tiny_bert;

/* How a model is written. What is NULL is not there. */
typedef struct tiny_form {
    const char *type;   /* of the weights; NULL: F32 */
    const char *prefix; /* of their names; NULL: none */
    size_t off_by;      /* bytes beyond a multiple of 8 */
    const char *modules, *pooling, *length;
} tiny_form;

/* modules.json as sentence-transformers writes it, before and since version 6. */
#define TINY_MODULES(normalise)                                                         \
    "[{\"idx\":0,\"name\":\"0\",\"path\":\"\",\"type\":\"sentence_transformers.models." \
    "Transformer\"},"                                                                   \
    "{\"idx\":1,\"name\":\"1\",\"path\":\"1_Pooling\",\"type\":"                        \
    "\"sentence_transformers.models.Pooling\"}" normalise "]"
#define TINY_NORMALISE                                     \
    ",{\"idx\":2,\"name\":\"2\",\"path\":\"2_Normalize\"," \
    "\"type\":\"sentence_transformers.models.Normalize\"}"
#define TINY_MEAN "{\"word_embedding_dimension\":32,\"pooling_mode_mean_tokens\":true}"
#define TINY_CLS_FLAG \
    "{\"pooling_mode_cls_token\":true,\"pooling_mode_mean_tokens\":false,\"include_prompt\":true}"
#define TINY_CLS_NAME "{\"embedding_dimension\":32,\"pooling_mode\":\"cls\"}"

/* ---- random weights ---- */

/* A whole number of -most .. most, by Knuth's linear congruence. */
static inline double tiny_random(uint64_t *seed, int most)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)((int)((*seed >> 33) % (uint64_t)(2 * most + 1)) - most);
}

/* Add a tensor of middle + k / of, k at most 60 in size: with of at least 64 and middle 0 or 1, F16 and
   BF16 have them exactly. */
static inline void tiny_tensor_add(tiny_bert *bert, const char *name, size_t rows, size_t columns,
                                   double middle, double of)
{
    tiny_tensor *tensor = &bert->tensors[bert->n++];
    const size_t n = rows * (columns ? columns : 1);

    assert_true(bert->n <= TINY_TENSORS && strlen(name) < sizeof tensor->name);
    *tensor = (tiny_tensor){ .rows = rows, .columns = columns };
    strcpy(tensor->name, name);
    tensor->numbers = malloc(n * sizeof *tensor->numbers);
    assert_non_null(tensor->numbers);
    for (size_t k = 0; k < n; k++) tensor->numbers[k] = middle + tiny_random(&bert->seed, 60) / of;
}

static inline void tiny_layer(tiny_bert *bert, size_t layer)
{
    const size_t width = bert->shape.width, inner = bert->shape.inner;
    const struct {
        const char *name;
        size_t rows, columns;
        double middle, of;
    } tensors[] = {
        { "attention.self.query.weight", width, width, 0, 128 },
        { "attention.self.query.bias", width, 0, 0, 256 },
        { "attention.self.key.weight", width, width, 0, 128 },
        { "attention.self.key.bias", width, 0, 0, 256 },
        { "attention.self.value.weight", width, width, 0, 256 },
        { "attention.self.value.bias", width, 0, 0, 256 },
        { "attention.output.dense.weight", width, width, 0, 256 },
        { "attention.output.dense.bias", width, 0, 0, 256 },
        { "attention.output.LayerNorm.weight", width, 0, 1, 64 },
        { "attention.output.LayerNorm.bias", width, 0, 0, 128 },
        { "intermediate.dense.weight", inner, width, 0, 128 },
        { "intermediate.dense.bias", inner, 0, 0, 128 },
        { "output.dense.weight", width, inner, 0, 256 },
        { "output.dense.bias", width, 0, 0, 256 },
        { "output.LayerNorm.weight", width, 0, 1, 64 },
        { "output.LayerNorm.bias", width, 0, 0, 128 },
    };

    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++) {
        char name[96];

        snprintf(name, sizeof name, "encoder.layer.%zu.%s", layer, tensors[k].name);
        tiny_tensor_add(bert, name, tensors[k].rows, tensors[k].columns, tensors[k].middle,
                        tensors[k].of);
    }
}

static inline void tiny_bert_new(tiny_bert *bert, tiny_shape shape, uint64_t seed)
{
    *bert = (tiny_bert){ .shape = shape, .seed = seed };
    tiny_tensor_add(bert, "embeddings.word_embeddings.weight", TINY_N, shape.width, 0, 64);
    tiny_tensor_add(bert, "embeddings.position_embeddings.weight", shape.positions, shape.width, 0,
                    256);
    tiny_tensor_add(bert, "embeddings.token_type_embeddings.weight", 2, shape.width, 0, 128);
    tiny_tensor_add(bert, "embeddings.LayerNorm.weight", shape.width, 0, 1, 64);
    tiny_tensor_add(bert, "embeddings.LayerNorm.bias", shape.width, 0, 0, 128);
    for (size_t layer = 0; layer < shape.layers; layer++) tiny_layer(bert, layer);
}

static inline void tiny_bert_free(tiny_bert *bert)
{
    while (bert->n > 0) free(bert->tensors[--bert->n].numbers);
}

/* The numbers of a tensor, by its name without a prefix. */
static inline double *tiny_numbers(const tiny_bert *bert, const char *name)
{
    for (size_t t = 0; t < bert->n; t++)
        if (strcmp(bert->tensors[t].name, name) == 0) return bert->tensors[t].numbers;
    fail_msg("no tensor %s", name);
    return NULL;
}

/* ---- folders ---- */

/* config.json, with more members in the end: ",\"key\":value". */
static inline void tiny_write_config(tiny_folder *folder, tiny_shape shape, const char *more)
{
    char text[1024];

    snprintf(text, sizeof text,
             "{\"architectures\":[\"BertModel\"],\"model_type\":\"bert\",\"hidden_act\":\"gelu\","
             "\"num_hidden_layers\":%zu,\"hidden_size\":%zu,\"num_attention_heads\":%zu,"
             "\"intermediate_size\":%zu,\"vocab_size\":%d,\"max_position_embeddings\":%zu,"
             "\"type_vocab_size\":2,\"layer_norm_eps\":1e-12%s}\n",
             shape.layers, shape.width, shape.heads, shape.inner, TINY_N, shape.positions, more);
    tiny_write(folder, "config.json", text);
}

static inline void tiny_write_weights(tiny_folder *folder, const tiny_bert *bert, tiny_form form)
{
    static tiny_tensors file;

    file.n_header = file.n_data = 0;
    for (size_t t = 0; t < bert->n; t++) {
        const tiny_tensor *tensor = &bert->tensors[t];
        char name[128];

        snprintf(name, sizeof name, "%s%s", form.prefix ? form.prefix : "", tensor->name);
        tiny_add(&file, name, form.type ? form.type : "F32", tensor->rows, tensor->columns,
                 tensor->numbers);
    }
    tiny_write_tensors(folder, &file, form.off_by);
}

/* A whole folder; tiny_remove() takes it away. */
static inline void tiny_write_bert(tiny_folder *folder, const tiny_bert *bert, tiny_form form)
{
    tiny_make(folder);
    tiny_write_config(folder, bert->shape, "");
    tiny_write(folder, "vocab.txt", TINY_VOCABULARY);
    tiny_write_weights(folder, bert, form);
    if (form.modules) tiny_write(folder, "modules.json", form.modules);
    if (form.length) tiny_write(folder, "sentence_bert_config.json", form.length);
    if (form.pooling) {
        tiny_make_folder(folder, "1_Pooling");
        tiny_write(folder, "1_Pooling/config.json", form.pooling);
    }
}

/* ---- texts that are known by their ids ---- */

enum { TINY_WORDS = 10 };
static const struct {
    const char *text;
    uint32_t id;
} tiny_words[TINY_WORDS] = {
    { "the", 5 }, { "cat", 6 }, { "sat", 8 }, { "on", 9 }, { "mat", 10 },
    { ".", 11 },  { "un", 12 }, { "a", 16 },  { "!", 17 }, { "i", 19 },
};

/* A text of n random words, of at most 4 bytes each with their space, and their ids. */
static inline void tiny_text(uint64_t *seed, size_t n, char *text, uint32_t *ids)
{
    *text = '\0';
    for (size_t k = 0; k < n; k++) {
        const size_t word = (size_t)(tiny_random(seed, 1000) + 1000) % TINY_WORDS;

        if (k) strcat(text, " ");
        strcat(text, tiny_words[word].text);
        if (ids) ids[k] = tiny_words[word].id;
    }
}

#endif
