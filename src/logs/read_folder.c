/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "logs/read.h"
#include "read/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_status read_files(assay_table *table, const assay_folder *folder, size_t *n_read);
static assay_status read_or_leave(assay_table *table, const char *path, size_t *n_read);
static assay_status note_what_was_left(assay_table *table, const char *path,
                                       const assay_folder *folder, size_t n_read);
static void list_left(const assay_left_files *left, char *list, size_t size);

assay_status assay_log_read_folder(assay_table *table, const char *path)
{
    assay_folder folder = { 0 };
    size_t n_read = 0;
    assay_status status = assay_folder_list(&folder, path);

    table->in_folder = 1;
    if (status == ASSAY_OK) status = read_files(table, &folder, &n_read);
    if (status == ASSAY_OK && n_read == 0)
        status = assay_fail_at(ASSAY_E_READ, path, 0, "none of its files holds results: %s",
                               table->obstacle[0] ? table->obstacle : assay_last_error());
    if (status == ASSAY_OK) status = note_what_was_left(table, path, &folder, n_read);
    assay_folder_free(&folder);
    return status;
}

/* In the order of their names; what notes say of many of them alike they say once. */
static assay_status read_files(assay_table *table, const assay_folder *folder, size_t *n_read)
{
    size_t *starts = assay_alloc(folder->n + 1, sizeof *starts);
    const char **paths = assay_alloc(folder->n, sizeof *paths);
    assay_status status = ASSAY_OK;

    if (!starts || !paths)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for a list of %zu files", folder->n);
    for (size_t k = 0; k < folder->n && status == ASSAY_OK; k++) {
        starts[k] = assay_results_n_notes(table->results);
        paths[k] = folder->files[k].path;
        status = read_or_leave(table, folder->files[k].path, n_read);
    }
    if (status == ASSAY_OK) {
        starts[folder->n] = assay_results_n_notes(table->results);
        status = assay_results_gather_notes(table->results, starts, paths, folder->n);
    }
    free(starts);
    free(paths);
    return status;
}

/* A folder may hold other tables (prompts, say): what gives no observation at all is left out, and
   said so. A fault after the first observation is a fault. */
static assay_status read_or_leave(assay_table *table, const char *path, size_t *n_read)
{
    const assay_results_mark before = assay_results_here(table->results);
    uint64_t rows = assay_results_coverage(table->results).rows;
    char mapping[ASSAY_TABLE_NOTE_SIZE], why[512];
    assay_status status;

    memcpy(mapping, table->mapping, sizeof mapping);
    status = assay_log_read_file(table, path);
    if (status == ASSAY_OK) ++*n_read;
    if (status != ASSAY_E_FORMAT || assay_results_coverage(table->results).rows > rows)
        return status;
    assay_results_go_back(table->results, before); /* its columns may have been taken for items */
    memcpy(table->mapping, mapping, sizeof mapping);
    snprintf(why, sizeof why, "%s", assay_last_error());
    return assay_results_add_note(table->results, "left out: %s", why);
}

static assay_status note_what_was_left(assay_table *table, const char *path,
                                       const assay_folder *folder, size_t n_read)
{
    size_t n_left = folder->n - n_read;
    assay_status status = ASSAY_OK;

    for (int why = 0; why < ASSAY_N_LEFT && status == ASSAY_OK; why++) {
        const assay_left_files *left = &folder->left[why];
        char list[600];

        n_left += left->n;
        if (left->n == 0) continue;
        list_left(left, list, sizeof list);
        status = assay_results_add_note(table->results, "left out, %s: %s",
                                        assay_left_reason((assay_left)why), list);
    }
    if (status != ASSAY_OK) return status;
    return assay_results_add_note(table->results, "%s: %zu file%s read, %zu left out", path, n_read,
                                  n_read == 1 ? "" : "s", n_left);
}

static void list_left(const assay_left_files *left, char *list, size_t size)
{
    size_t shown = left->n < ASSAY_LEFT_SHOWN ? left->n : ASSAY_LEFT_SHOWN, length = 0;

    for (size_t k = 0; k < shown && length < size; k++)
        length += (size_t)snprintf(list + length, size - length, "%s%.150s", k ? ", " : "",
                                   left->first[k]);
    if (left->n > shown && length < size)
        snprintf(list + length, size - length, " and %zu more", left->n - shown);
}
