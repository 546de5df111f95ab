/* SPDX-License-Identifier: Apache-2.0 */
/* BERT's weights by their names in Hugging Face's files. */
#include "embed/bert.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 160, TENSORS_A_LAYER = 10, JOINED_A_LAYER = 2, TENSORS_BEFORE = 5 };

typedef struct loading {
    const assay_safetensors *tensors;
    const char *prefix; /* of every name */
    assay_bert *bert;
} loading;

/* A weight of a layer: its name, where it goes, and its shape in units of the widths. */
enum { WIDTH, INNER, ONE };
static const struct {
    const char *name;
    size_t place;
    int rows, columns;
} layer_weights[TENSORS_A_LAYER] = {
    { "attention.output.dense.weight", offsetof(assay_bert_layer, out), WIDTH, WIDTH },
    { "attention.output.dense.bias", offsetof(assay_bert_layer, out_bias), WIDTH, ONE },
    { "attention.output.LayerNorm.weight", offsetof(assay_bert_layer, out_gain), WIDTH, ONE },
    { "attention.output.LayerNorm.bias", offsetof(assay_bert_layer, out_shift), WIDTH, ONE },
    { "intermediate.dense.weight", offsetof(assay_bert_layer, inner), INNER, WIDTH },
    { "intermediate.dense.bias", offsetof(assay_bert_layer, inner_bias), INNER, ONE },
    { "output.dense.weight", offsetof(assay_bert_layer, outer), WIDTH, INNER },
    { "output.dense.bias", offsetof(assay_bert_layer, outer_bias), WIDTH, ONE },
    { "output.LayerNorm.weight", offsetof(assay_bert_layer, gain), WIDTH, ONE },
    { "output.LayerNorm.bias", offsetof(assay_bert_layer, shift), WIDTH, ONE },
};

/* A matrix in the making, n_inputs x n_outputs, of which so many columns are filled. */
typedef struct turned {
    float *values;
    size_t n_inputs, n_outputs, filled;
} turned;

static assay_status find_prefix(loading *l);
static assay_status load_embeddings(const loading *l);
static assay_status load_layer(const loading *l, size_t layer);
static assay_status take(const loading *l, const char *name, size_t rows, size_t columns,
                         const float **values);
static assay_status take_turned(const loading *l, const char *name, size_t n_outputs,
                                size_t n_inputs, const float **values);
static assay_status make_room(const loading *l, turned *to);
static assay_status turn(const loading *l, const char *name, size_t n_outputs, turned *to);
static assay_status find(const loading *l, const char *name, size_t rows, size_t columns,
                         const float **values, float **made);
static assay_status find_shaped(const loading *l, const char *name, size_t rows, size_t columns,
                                const assay_tensor **tensor);

assay_status assay_bert_load(const assay_safetensors *tensors, const assay_model_config *config,
                             assay_bert *bert)
{
    loading l = { .tensors = tensors, .bert = bert };
    size_t n_layers = config->bert.n_layers;
    assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS];
    assay_status status;

    assay_bert_kernels_choices(choices);
    *bert =
        (assay_bert){ .shape = config->bert, .pooling = config->pooling, .kernels = choices[0] };
    bert->layers = assay_alloc_zero(n_layers, sizeof *bert->layers);
    bert->made = assay_alloc(TENSORS_BEFORE + n_layers * (TENSORS_A_LAYER + JOINED_A_LAYER),
                             sizeof *bert->made);
    if (!bert->layers || !bert->made) return assay_fail(ASSAY_E_NOMEM, "no memory for a model");
    status = find_prefix(&l);
    if (status == ASSAY_OK) status = load_embeddings(&l);
    for (size_t layer = 0; layer < n_layers && status == ASSAY_OK; layer++)
        status = load_layer(&l, layer);
    return status == ASSAY_OK ? assay_bert_find_rows(bert) : status;
}

void assay_bert_free(assay_bert *bert)
{
    for (size_t k = 0; k < bert->n_made; k++) free(bert->made[k]);
    free(bert->made);
    free(bert->layers);
    *bert = (assay_bert){ 0 };
}

/* A model that was saved with something on top of it has its name before those of its tensors. */
static assay_status find_prefix(loading *l)
{
    static const char *const prefixes[] = { "", "bert.", "model." };
    char name[NAME_SIZE];

    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        l->prefix = prefixes[k];
        snprintf(name, sizeof name, "%sembeddings.word_embeddings.weight", l->prefix);
        if (assay_safetensors_find(l->tensors, name)) return ASSAY_OK;
    }
    return assay_fail_at(
        ASSAY_E_FORMAT, l->tensors->path, 0,
        "has no tensor \"embeddings.word_embeddings.weight\", expected the weights of "
        "a BERT");
}

static assay_status load_embeddings(const loading *l)
{
    assay_bert *bert = l->bert;
    const assay_bert_shape *shape = &bert->shape;
    const struct {
        const char *name;
        size_t rows, columns;
        const float **values;
    } weights[TENSORS_BEFORE] = {
        { "word_embeddings.weight", shape->n_vocabulary, shape->width, &bert->words },
        { "position_embeddings.weight", shape->n_positions, shape->width, &bert->positions },
        { "token_type_embeddings.weight", shape->n_types, shape->width, &bert->types },
        { "LayerNorm.weight", shape->width, 1, &bert->gain },
        { "LayerNorm.bias", shape->width, 1, &bert->shift },
    };
    assay_status status = ASSAY_OK;

    for (size_t k = 0; k < TENSORS_BEFORE && status == ASSAY_OK; k++) {
        char name[NAME_SIZE];

        snprintf(name, sizeof name, "%sembeddings.%s", l->prefix, weights[k].name);
        status = take(l, name, weights[k].rows, weights[k].columns, weights[k].values);
    }
    return status;
}

/* Queries, keys and values side by side. */
static assay_status join(const loading *l, size_t layer, const char *kind, size_t n_inputs,
                         const float **joined)
{
    static const char *const parts[] = { "query", "key", "value" };
    size_t width = l->bert->shape.width;
    turned to = { .n_inputs = n_inputs, .n_outputs = 3 * width };
    assay_status status = make_room(l, &to);

    *joined = to.values;
    for (size_t k = 0; k < 3 && status == ASSAY_OK; k++) {
        char name[NAME_SIZE];

        snprintf(name, sizeof name, "%sencoder.layer.%zu.attention.self.%s.%s", l->prefix, layer,
                 parts[k], kind);
        status = turn(l, name, width, &to);
    }
    return status;
}

static assay_status load_layer(const loading *l, size_t layer)
{
    const size_t size[] = {
        [WIDTH] = l->bert->shape.width, [INNER] = l->bert->shape.inner, [ONE] = 1
    };
    assay_bert_layer *weights = &l->bert->layers[layer];
    char *at = (char *)weights;
    assay_status status = join(l, layer, "weight", size[WIDTH], &weights->projection);

    if (status == ASSAY_OK) status = join(l, layer, "bias", 1, &weights->projection_bias);
    for (size_t k = 0; k < TENSORS_A_LAYER && status == ASSAY_OK; k++) {
        char name[NAME_SIZE];

        snprintf(name, sizeof name, "%sencoder.layer.%zu.%s", l->prefix, layer,
                 layer_weights[k].name);
        status = (layer_weights[k].columns == ONE ? take : take_turned)(
            l, name, size[layer_weights[k].rows], size[layer_weights[k].columns],
            (const float **)(void *)(at + layer_weights[k].place));
    }
    return status;
}

/* A matrix with a row for each output, as one with a row for each input. */
static assay_status take_turned(const loading *l, const char *name, size_t n_outputs,
                                size_t n_inputs, const float **values)
{
    turned to = { .n_inputs = n_inputs, .n_outputs = n_outputs };
    const assay_tensor *tensor;
    assay_status status = find_shaped(l, name, n_outputs, n_inputs, &tensor);

    if (status == ASSAY_OK) status = make_room(l, &to);
    *values = to.values;
    return status == ASSAY_OK ? turn(l, name, n_outputs, &to) : status;
}

static assay_status make_room(const loading *l, turned *to)
{
    to->values = assay_alloc(to->n_inputs * to->n_outputs, sizeof *to->values);
    if (!to->values) return assay_fail(ASSAY_E_NOMEM, "no memory for a model");
    l->bert->made[l->bert->n_made++] = to->values;
    return ASSAY_OK;
}

/* Fill the next columns; sixteen rows of the tensor at a time, so that lines of the cache are filled. */
static assay_status turn(const loading *l, const char *name, size_t n_outputs, turned *to)
{
    enum { ROWS = 16 };
    size_t n_inputs = to->n_inputs;
    const float *from;
    float *converted = NULL;
    assay_status status = find(l, name, n_outputs, n_inputs, &from, &converted);

    for (size_t first = 0; first < n_outputs && status == ASSAY_OK; first += ROWS)
        for (size_t c = 0; c < n_inputs; c++)
            for (size_t r = first; r < first + ROWS && r < n_outputs; r++)
                to->values[c * to->n_outputs + to->filled + r] = from[r * n_inputs + c];
    to->filled += n_outputs;
    free(converted);
    return status;
}

/* A tensor that is kept. */
static assay_status take(const loading *l, const char *name, size_t rows, size_t columns,
                         const float **values)
{
    float *made = NULL;
    assay_status status = find(l, name, rows, columns, values, &made);

    if (made) l->bert->made[l->bert->n_made++] = made;
    return status;
}

/* A tensor's numbers where they stand, or converted into *made, which the caller owns. */
static assay_status find(const loading *l, const char *name, size_t rows, size_t columns,
                         const float **values, float **made)
{
    const assay_tensor *tensor;
    assay_status status = find_shaped(l, name, rows, columns, &tensor);

    return status == ASSAY_OK ? assay_tensor_floats(l->tensors, tensor, values, made) : status;
}

static assay_status find_shaped(const loading *l, const char *name, size_t rows, size_t columns,
                                const assay_tensor **tensor)
{
    size_t n_dimensions = columns == 1 ? 1 : 2;
    const assay_tensor *found = *tensor = assay_safetensors_find(l->tensors, name);

    if (!found)
        return assay_fail_at(ASSAY_E_FORMAT, l->tensors->path, 0,
                             "has no tensor \"%s\", expected the weights of a BERT", name);
    if (found->n_dimensions != n_dimensions || found->shape[0] != rows ||
        (n_dimensions == 2 && found->shape[1] != columns))
        return assay_fail_at(
            ASSAY_E_FORMAT, l->tensors->path, 0,
            "tensor \"%s\" has another shape than config.json says, expected %zu x %zu", name, rows,
            columns);
    return ASSAY_OK;
}
