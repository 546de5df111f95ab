/* SPDX-License-Identifier: Apache-2.0 */
/* What was read into the table, and what readers noticed in many files alike. */
#include "core/memory.h"
#include "data/results_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 96 };

static int keep_keys(assay_results *results, const char sha256[65], assay_input_file file);
static int keep_key(assay_results *results, const char *key);
static ptrdiff_t find_key(const assay_results *results, const char *key);
static const char *file_key(assay_input_file file, char key[KEY_SIZE]);
static const char *content_key(const char sha256[65], size_t model, char key[KEY_SIZE]);

assay_status assay_results_add_input(assay_results *results, const char *path,
                                     const char sha256[65], uint64_t rows, assay_input_file file)
{
    assay_input *input;
    char *path_copy = assay_copy_text(path, strlen(path)),
         *sha256_copy = assay_copy_text(sha256, 64);

    if (!path_copy || !sha256_copy ||
        assay_grow(&results->inputs, &results->inputs_capacity, results->n_inputs + 1,
                   sizeof *results->inputs) != 0 ||
        assay_grow(&results->input_files, &results->input_files_capacity, results->n_inputs + 1,
                   sizeof *results->input_files) != 0 ||
        keep_keys(results, sha256, file) != 0) {
        free(path_copy);
        free(sha256_copy);
        return assay_results_no_memory(results);
    }
    input = &results->inputs[results->n_inputs++];
    input->path = path_copy;
    input->sha256 = sha256_copy;
    input->rows = rows;
    input->sha256_of = file.sha256_of;
    results->input_files[results->n_inputs - 1] = file;
    return ASSAY_OK;
}

/* Keys of an input that could not be kept after all lead beyond the inputs, and are none. */
static int keep_keys(assay_results *results, const char sha256[65], assay_input_file file)
{
    char key[KEY_SIZE];

    if (file.number != 0 && keep_key(results, file_key(file, key)) != 0) return -1;
    if (keep_key(results, content_key(sha256, SIZE_MAX, key)) != 0) return -1;
    return keep_key(results, content_key(sha256, file.model, key));
}

/* The first input of a key stays. */
static int keep_key(assay_results *results, const char *key)
{
    size_t known = results->input_keys.count, index;

    if (assay_grow(&results->inputs_of_keys, &results->inputs_of_keys_capacity, known + 1,
                   sizeof *results->inputs_of_keys) != 0 ||
        assay_names_add(&results->input_keys, key, strlen(key), &index) != 0)
        return -1;
    if (index == known) results->inputs_of_keys[index] = results->n_inputs;
    return 0;
}

static ptrdiff_t find_key(const assay_results *results, const char *key)
{
    ptrdiff_t index = assay_names_find(&results->input_keys, key, strlen(key));

    if (index < 0 || results->inputs_of_keys[index] >= results->n_inputs) return -1;
    return (ptrdiff_t)results->inputs_of_keys[index];
}

static const char *file_key(assay_input_file file, char key[KEY_SIZE])
{
    snprintf(key, KEY_SIZE, "%" PRIx64 ":%" PRIx64, file.device, file.number);
    return key;
}

/* SIZE_MAX: of any model. */
static const char *content_key(const char sha256[65], size_t model, char key[KEY_SIZE])
{
    if (model == SIZE_MAX)
        snprintf(key, KEY_SIZE, "%.64s", sha256);
    else
        snprintf(key, KEY_SIZE, "%.64s of %zu", sha256, model);
    return key;
}

ptrdiff_t assay_results_find_input(const assay_results *results, assay_input_file file)
{
    char key[KEY_SIZE];

    return file.number == 0 ? -1 : find_key(results, file_key(file, key));
}

ptrdiff_t assay_results_find_content(const assay_results *results, const char sha256[65])
{
    char key[KEY_SIZE];

    return find_key(results, content_key(sha256, SIZE_MAX, key));
}

ptrdiff_t assay_results_find_content_of(const assay_results *results, const char sha256[65],
                                        size_t model)
{
    char key[KEY_SIZE];

    return find_key(results, content_key(sha256, model, key));
}

const char *assay_results_input_format(const assay_results *results, size_t input)
{
    return results->input_files[input].format;
}
