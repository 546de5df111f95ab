/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/every_eval_ever.h"

#include "assay/json_writer.h"
#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits: the digests of files that it takes are cryptographic already. */
static const uint64_t FNV_START = UINT64_C(0xcbf29ce484222325), FNV_PRIME = UINT64_C(0x100000001b3);

static void write_line(const assay_results *results, const char *id, size_t record, size_t item,
                       FILE *to);
static void write_names(assay_json *json, const assay_results *results, size_t item);
static void write_input(assay_json *json, const char *text);
static void write_evaluation(assay_json *json, double score, assay_score_state state);
static void write_metadata(assay_json *json, const assay_results *results, assay_record key,
                           size_t item, assay_score_state state);
static const char *within_cluster(const assay_results *results, size_t item);
static void member(assay_json *json, const char *key, const char *text);

assay_status assay_write_every_eval_ever(const assay_results *results, assay_progress progress,
                                         FILE *to)
{
    size_t n = assay_results_n_records(results);

    for (size_t r = 0; r < n; r++) {
        const char *model = assay_results_model(results, assay_results_record(results, r).model);
        char *id;

        if (progress.step && progress.step(progress.user, "writing", (double)r / (double)n) != 0)
            return assay_fail(ASSAY_E_CANCELLED, "cancelled in writing");
        id = assay_every_eval_ever_id(results, model);
        if (!id) return assay_fail(ASSAY_E_NOMEM, "no memory for an evaluation's id");
        for (size_t i = 0; i < assay_results_n_items(results); i++)
            write_line(results, id, r, i, to);
        free(id);
    }
    return ASSAY_OK;
}

char *assay_every_eval_ever_id(const assay_results *results, const char *model)
{
    uint64_t digest = FNV_START;
    size_t size = strlen(model) + sizeof "assay//0123456789abcdef";
    char *id = assay_alloc(size, 1);

    for (size_t k = 0; k < assay_results_n_inputs(results); k++)
        for (const char *p = assay_results_input(results, k).sha256; *p; p++)
            digest = (digest ^ (unsigned char)*p) * FNV_PRIME;
    if (id) snprintf(id, size, "assay/%s/%016" PRIx64, model, digest);
    return id;
}

static void write_line(const assay_results *results, const char *id, size_t record, size_t item,
                       FILE *to)
{
    assay_record key = assay_results_record(results, record);
    double score;
    assay_score_state state = assay_results_cell(results, record, item, &score);
    assay_json json;

    if (state == ASSAY_ABSENT) return;
    assay_json_start(&json, to, 0);
    assay_json_begin_object(&json);
    member(&json, "schema_version", ASSAY_EVERY_EVAL_EVER_SCHEMA);
    member(&json, "evaluation_id", id);
    member(&json, "model_id", assay_results_model(results, key.model));
    write_names(&json, results, item);
    member(&json, "interaction_type", "single_turn");
    write_input(&json, assay_results_item_text(results, item));
    write_evaluation(&json, score, state);
    write_metadata(&json, results, key, item, state);
    assay_json_end_object(&json);
    putc('\n', to);
}

static void write_names(assay_json *json, const assay_results *results, size_t item)
{
    const char *cluster = assay_results_item_cluster(results, item);
    const char *id = within_cluster(results, item);

    member(json, "evaluation_name", cluster ? cluster : "unnamed");
    member(json, "sample_id", id ? id : assay_results_item(results, item));
}

/* The rest of an item's name that begins with its cluster, as readers of logs name them. */
static const char *within_cluster(const assay_results *results, size_t item)
{
    const char *name = assay_results_item(results, item);
    const char *cluster = assay_results_item_cluster(results, item);
    size_t length = cluster ? strlen(cluster) : 0;

    return length > 0 && strncmp(name, cluster, length) == 0 && name[length] == '/' &&
                   name[length + 1]
               ? name + length + 1
               : NULL;
}

static void write_input(assay_json *json, const char *text)
{
    assay_json_key(json, "input");
    assay_json_begin_object(json);
    member(json, "raw", text ? text : "");
    assay_json_key(json, "reference");
    assay_json_begin_array(json);
    assay_json_end_array(json);
    assay_json_end_object(json);
    assay_json_key(json, "output");
    assay_json_begin_object(json);
    assay_json_key(json, "raw");
    assay_json_begin_array(json);
    assay_json_end_array(json);
    assay_json_end_object(json);
    assay_json_key(json, "answer_attribution");
    assay_json_begin_array(json);
    assay_json_end_array(json);
}

static void write_evaluation(assay_json *json, double score, assay_score_state state)
{
    static const char *const errors[] = { [ASSAY_MISSING] = "there is no score",
                                          [ASSAY_ERRORED] = "the run failed",
                                          [ASSAY_UNSCORED] = "the scorer gave no verdict" };

    assay_json_key(json, "evaluation");
    assay_json_begin_object(json);
    assay_json_key(json, "score");
    assay_json_number(json, state == ASSAY_SCORED ? score : 0.0);
    assay_json_key(json, "is_correct");
    assay_json_bool(json, state == ASSAY_SCORED && score >= 1.0);
    assay_json_end_object(json);
    if (state != ASSAY_SCORED) member(json, "error", errors[state]);
}

static void write_metadata(assay_json *json, const assay_results *results, assay_record key,
                           size_t item, assay_score_state state)
{
    static const char *const states[] = {
        [ASSAY_MISSING] = "missing", [ASSAY_ERRORED] = "errored", [ASSAY_UNSCORED] = "unscored"
    };
    const char *run = assay_results_run(results, key.run);
    const char *template_id = assay_results_template(results, key.template_index);
    const char *cluster = assay_results_item_cluster(results, item);
    const int is_whole = !within_cluster(results, item);

    if (!*run && !*template_id && !is_whole && state == ASSAY_SCORED) return;
    assay_json_key(json, "metadata");
    assay_json_begin_object(json);
    if (*run) member(json, "run", run);
    if (*template_id) member(json, "template", template_id);
    if (is_whole) member(json, "item", assay_results_item(results, item));
    if (is_whole && cluster) member(json, "cluster", cluster);
    if (state != ASSAY_SCORED) member(json, "state", states[state]);
    assay_json_end_object(json);
}

static void member(assay_json *json, const char *key, const char *text)
{
    assay_json_key(json, key);
    assay_json_text(json, text);
}
