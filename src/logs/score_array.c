/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/score_array.h"

#include "core/error.h"
#include "logs/metrics.h"
#include "logs/score_matrix.h"
#include "read/npz.h"
#include "read/npz_entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_SIZE = 30, NO_RANK = 1000, LABEL_SIZE = 512 };

/* What an archive shows on its way past. */
typedef struct archive {
    const assay_table *table;
    assay_score_matrix matrix;
    char label[LABEL_SIZE];
    size_t n_matrices, n_chosen;
    int model_rank, item_rank, cluster_rank; /* of the names that were taken */
    assay_npz_list matrices, objects, others;
} archive;

static assay_status read_one(assay_table *table);
static assay_status read_archive(assay_table *table);
static assay_status visit(void *user, const assay_npz_entry *entry);
static assay_status pass_objects(archive *a, const assay_npz_entry *entry);
static assay_status take_matrix(archive *a, const assay_npz_entry *entry);
static int is_wanted(const archive *a, const char *name);
static assay_status take_names(archive *a, const assay_npz_entry *entry);
static assay_side_names *side_of(archive *a, const char *name);
static int rank_of(const char *name, assay_role role);
static assay_status check_choice(const archive *a);

int assay_score_array_is_one(const assay_log_head *head)
{
    const unsigned char *bytes = (const unsigned char *)head->bytes;
    size_t name;

    if (head->kind == ASSAY_HEAD_NPY) return 1;
    if (head->kind != ASSAY_HEAD_ZIP || head->length < LOCAL_SIZE) return 0;
    name = (size_t)bytes[26] | (size_t)bytes[27] << 8;
    return name > 4 && LOCAL_SIZE + name <= head->length &&
           memcmp(bytes + LOCAL_SIZE + name - 4, ".npy", 4) == 0;
}

assay_status assay_score_array_read(assay_table *table, const assay_log_head *head)
{
    return assay_npz_begins(head->bytes, head->length) ? read_archive(table) : read_one(table);
}

static assay_status read_one(assay_table *table)
{
    assay_score_matrix matrix = { .label = table->path };
    assay_npy_header header;
    uint64_t length;
    assay_status status =
        assay_npy_read_header(table->path, assay_input_read, table->input, &header, &length);

    if (status == ASSAY_OK && table->options->metric)
        status = assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                               "one array of scores: --metric chooses in an .npz");
    if (status == ASSAY_OK && header.n_dimensions != 2)
        status = assay_fail_at(ASSAY_E_FORMAT, table->path, 0,
                               "an array of one dimension, expected models by items (of one model: "
                               "scores[None, :])");
    if (status == ASSAY_OK)
        status = assay_npy_read_values(table->path, assay_input_read, table->input, &header,
                                       &matrix.values);
    if (status == ASSAY_OK) {
        matrix.n = header.n;
        matrix.d = header.d;
        matrix.kind = header.kind;
        status = assay_score_matrix_put(table, &matrix);
    }
    free(matrix.values);
    return status;
}

static assay_status read_archive(assay_table *table)
{
    archive a = {
        .table = table, .model_rank = NO_RANK, .item_rank = NO_RANK, .cluster_rank = NO_RANK
    };
    assay_status status;

    status = assay_npz_visit(table->path, assay_input_read, table->input, visit, &a);
    if (status == ASSAY_OK) status = check_choice(&a);
    if (status == ASSAY_OK) {
        a.matrix.label = a.label;
        status = assay_score_matrix_put(table, &a.matrix);
    }
    free(a.matrix.values);
    assay_npy_texts_free(&a.matrix.models.texts);
    assay_npy_texts_free(&a.matrix.items.texts);
    assay_npy_texts_free(&a.matrix.clusters.texts);
    return status;
}

static assay_status visit(void *user, const assay_npz_entry *entry)
{
    archive *a = user;
    const assay_npy_header *header = &entry->header;
    const int is_text = header->kind == 'U' || header->kind == 'S';

    if (!entry->is_array && header->kind == 'O')
        return pass_objects(a, entry);
    else if (!entry->is_array)
        assay_npz_list_add(&a->others, entry->name);
    else if (header->n_dimensions == 2 && !is_text)
        return take_matrix(a, entry);
    else if (header->n_dimensions == 1 && (is_text || header->kind == 'i' || header->kind == 'u'))
        return take_names(a, entry);
    return ASSAY_OK;
}

static assay_status pass_objects(archive *a, const assay_npz_entry *entry)
{
    assay_side_names *side = side_of(a, entry->name);

    assay_npz_list_add(&a->objects, entry->name);
    if (!side) return ASSAY_OK;
    assay_npy_texts_free(&side->texts);
    snprintf(side->key, sizeof side->key, "%s", entry->name);
    side->are_objects = 1;
    return ASSAY_OK;
}

static assay_status take_matrix(archive *a, const assay_npz_entry *entry)
{
    const assay_npy_header *header = &entry->header;
    assay_status status;

    a->n_matrices++;
    assay_npz_list_add(&a->matrices, entry->name);
    if (!is_wanted(a, entry->name)) return ASSAY_OK;
    a->n_chosen++;
    status = assay_npz_check_size(entry);
    if (status != ASSAY_OK) return status;
    free(a->matrix.values);
    a->matrix.values = NULL;
    a->matrix.n = header->n;
    a->matrix.d = header->d;
    a->matrix.kind = header->kind;
    snprintf(a->label, sizeof a->label, "%s", entry->label);
    return assay_npy_read_values(entry->label, entry->source, entry->source_user, header,
                                 &a->matrix.values);
}

/* The one that --metric names; without it the first, which has to be the only one. */
static int is_wanted(const archive *a, const char *name)
{
    const char *metric = a->table->options->metric;

    return metric ? strcmp(metric, name) == 0 : a->n_matrices == 1;
}

static assay_status take_names(archive *a, const assay_npz_entry *entry)
{
    assay_side_names *side = side_of(a, entry->name);
    assay_status status;

    if (!side) return ASSAY_OK;
    assay_npy_texts_free(&side->texts);
    snprintf(side->key, sizeof side->key, "%s", entry->name);
    side->are_objects = 0;
    status = assay_npz_check_size(entry);
    return status == ASSAY_OK
               ? assay_npy_read_texts(entry->label, entry->source, entry->source_user,
                                      &entry->header, &side->texts)
               : status;
}

/* Whose names they are, unless better ones were there; NULL: no one's. */
static assay_side_names *side_of(archive *a, const char *name)
{
    const struct side {
        assay_role role;
        int *rank;
        assay_side_names *names;
    } sides[] = { { ASSAY_ROLE_MODEL, &a->model_rank, &a->matrix.models },
                  { ASSAY_ROLE_ITEM, &a->item_rank, &a->matrix.items },
                  { ASSAY_ROLE_CLUSTER, &a->cluster_rank, &a->matrix.clusters } };

    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++) {
        const int rank = rank_of(name, sides[k].role);

        if (rank < 0) continue;
        if (rank >= *sides[k].rank) return NULL;
        *sides[k].rank = rank;
        return sides[k].names;
    }
    return NULL;
}

/* As columns are found by their usual names, in the plural too; a table's rows of questions or tasks
   are items as well. */
static int rank_of(const char *name, assay_role role)
{
    static const char *const further[] = { "questions", "instances", "prompts", "problems",
                                           "samples",   "examples",  "tasks" };
    const size_t length = strlen(name);
    int rank = assay_role_rank(role, (assay_name){ name, length });

    if (rank < 0 && length > 1 && (name[length - 1] == 's' || name[length - 1] == 'S'))
        rank = assay_role_rank(role, (assay_name){ name, length - 1 });
    for (int k = 0; rank < 0 && role == ASSAY_ROLE_ITEM && k < 7; k++)
        if (assay_name_is_nearly((assay_name){ name, length },
                                 (assay_name){ further[k], strlen(further[k]) }))
            rank = NO_RANK / 2 + k;
    return rank;
}

static assay_status check_choice(const archive *a)
{
    const char *path = a->table->path, *metric = a->table->options->metric;

    if (a->n_matrices == 0)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "an archive without a matrix of numbers, expected one of scores%s%s%s"
                             "%s",
                             a->others.length ? "; it has " : "", a->others.text,
                             a->objects.length ? "; Python objects are never unpickled: " : "",
                             a->objects.text);
    if (metric && a->n_chosen == 0)
        return assay_fail_at(ASSAY_E_VALUE, path, 0,
                             "no matrix \"%.60s\" (--metric); there are: %s", metric,
                             a->matrices.text);
    if (!metric && a->n_matrices > 1)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0,
                             "has %zu matrices of numbers (%s): --metric NAME chooses the scores",
                             a->n_matrices, a->matrices.text);
    if (a->n_chosen > 1)
        return assay_fail_at(ASSAY_E_FORMAT, path, 0, "has two arrays called \"%.60s\"", metric);
    return ASSAY_OK;
}
