/* SPDX-License-Identifier: Apache-2.0 */
/* What was read into the table, and what readers noticed in many files alike. */
#include "core/memory.h"
#include "data/results_table.h"

#include <stdlib.h>
#include <string.h>

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
                   sizeof *results->input_files) != 0) {
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

ptrdiff_t assay_results_find_input(const assay_results *results, assay_input_file file)
{
    for (size_t k = 0; file.number != 0 && k < results->n_inputs; k++)
        if (results->input_files[k].device == file.device &&
            results->input_files[k].number == file.number)
            return (ptrdiff_t)k;
    return -1;
}

const char *assay_results_input_format(const assay_results *results, size_t input)
{
    return results->input_files[input].format;
}
