/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever bytes stand for a file of a model, what is taken from it lies within it and can be run. The
   first byte says which file the rest is: s for model.safetensors, the others as in files[]. */
#include "embed/bert.h"
#include "embed/config.h"
#include "embed/static_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds) __builtin_trap();
}

/* ---- safetensors ---- */

/* The sum of all numbers, so that each is read. */
static void read_numbers(const assay_safetensors *tensors, const assay_tensor *tensor)
{
    const float *values = NULL;
    float *made;
    int64_t *integers;
    volatile double sum = 0;

    if (assay_tensor_floats(tensors, tensor, &values, &made) == ASSAY_OK)
        for (size_t k = 0; k < tensor->count; k++) sum = sum + (double)values[k];
    free(made);
    if (assay_tensor_integers(tensors, tensor, &integers) == ASSAY_OK)
        for (size_t k = 0; k < tensor->count; k++) sum = sum + (double)integers[k];
    free(integers);
}

static void run_table(const assay_safetensors *tensors)
{
    assay_static_table table;

    if (assay_static_table_load(tensors, &table) == ASSAY_OK) {
        float *vector = malloc(table.d * sizeof *vector);

        check(vector != NULL);
        for (size_t t = 0; t < table.n_tokens && t < 50; t++) {
            const uint32_t ids[] = { (uint32_t)t, (uint32_t)(table.n_tokens - 1 - t) };

            assay_static_table_run(&table, ids, 2, vector);
        }
        free(vector);
    }
    assay_static_table_free(&table);
}

/* The smallest of BERTs. */
static void run_bert(const assay_safetensors *tensors)
{
    const assay_model_config config = { .bert = { 1, 2, 1, 2, 4, 4, 1, 1e-12f }, .max_tokens = 4 };
    const uint32_t ids[] = { 3, 0, 2, 1 };
    float vector[2];
    const assay_sequence sequence = { ids, 4, vector }, *sequences[] = { &sequence };
    assay_bert bert;
    assay_bert_bench bench;

    if (assay_bert_load(tensors, &config, &bert) == ASSAY_OK) {
        check(assay_bert_bench_new(&bert, ASSAY_BERT_ROWS, 4, &bench) == ASSAY_OK);
        assay_bert_run(&bert, sequences, 1, &bench);
        assay_bert_bench_free(&bench);
    }
    assay_bert_free(&bert);
}

/* The bytes are at an address of their own, so that numbers lie at any multiple of 1. */
static void fuzz_safetensors(const uint8_t *data, size_t size)
{
    assay_safetensors tensors;

    if (assay_safetensors_parse("fuzz", data, size, &tensors) == ASSAY_OK) {
        for (size_t t = 0; t < tensors.n; t++) {
            const assay_tensor *tensor = &tensors.tensors[t];

            check(assay_safetensors_find(&tensors, tensor->name) == tensor);
            check(tensor->bytes >= data && tensor->count <= size);
            check(tensor->bytes + tensor->count <= data + size);
            read_numbers(&tensors, tensor);
        }
        run_table(&tensors);
        run_bert(&tensors);
    }
    assay_safetensors_free(&tensors);
}

/* ---- settings ---- */

#define BERT                                                                \
    "{\"model_type\":\"bert\",\"num_hidden_layers\":2,\"hidden_size\":32,"  \
    "\"num_attention_heads\":4,\"intermediate_size\":48,\"vocab_size\":20," \
    "\"max_position_embeddings\":24}"
#define MODULES "[{\"type\":\"Transformer\",\"path\":\"\"},{\"type\":\"Pooling\",\"path\":\"p\"}]"

/* A sound folder, of which one file is replaced. */
enum { N_FILES = 5 };
static const struct {
    char kind;
    const char *name, *sound;
} files[N_FILES] = { { 'c', "config.json", BERT },
                     { 'm', "modules.json", MODULES },
                     { 'p', "p/config.json", "{\"pooling_mode\":\"mean\"}" },
                     { 'l', "sentence_bert_config.json", "{\"max_seq_length\":20}" },
                     { 't', "tokenizer_config.json", "{\"model_max_length\":20}" } };
static char folder[] = "/tmp/assay-fuzz-model-XXXXXX";

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[100];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    to = fopen(path, "wb");
    check(to && fwrite(bytes, 1, size, to) == size && fclose(to) == 0);
}

static void remove_folder(void)
{
    char path[100];

    for (size_t k = 0; k < N_FILES; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k].name);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/p", folder);
    rmdir(path);
    rmdir(folder);
}

static void make_folder(void)
{
    char path[100];

    check(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/p", folder);
    check(mkdir(path, 0777) == 0);
    for (size_t k = 0; k < N_FILES; k++)
        write_file(files[k].name, files[k].sound, strlen(files[k].sound));
    atexit(remove_folder);
}

static void check_config(const assay_model_config *c)
{
    const assay_bert_shape *bert = &c->bert;

    check(c->weights[0] != '/' && !strstr(c->weights, ".."));
    check(c->normalise == 0 || c->normalise == 1);
    if (c->kind != ASSAY_MODEL_BERT) return;
    check(c->max_tokens >= 3 && c->max_tokens <= bert->n_positions);
    check(bert->n_heads >= 1 && bert->width >= 1 && bert->width % bert->n_heads == 0);
    check(bert->n_layers >= 1 && bert->inner >= 1 && bert->n_vocabulary >= 1 && bert->n_types >= 1);
    check(bert->epsilon >= 0);
}

static void fuzz_settings(size_t k, const uint8_t *data, size_t size)
{
    static int is_made;
    assay_model_config config;

    if (!is_made) make_folder();
    is_made = 1;
    write_file(files[k].name, data, size);
    if (assay_model_config_read(folder, &config) == ASSAY_OK) check_config(&config);
    write_file(files[k].name, files[k].sound, strlen(files[k].sound));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    if (data[0] == 's') fuzz_safetensors(data + 1, size - 1);
    for (size_t k = 0; k < N_FILES; k++)
        if (files[k].kind == data[0]) fuzz_settings(k, data + 1, size - 1);
    return 0;
}
