/* SPDX-License-Identifier: Apache-2.0 */
#include "atlas_answer.h"
#include "print_atlas.h"
#include "session.h"

#include <math.h>
#include <stdlib.h>

static void estimate(assay_json *json, const struct atlas_row *row, const char *key,
                     assay_signals_number number)
{
    cli_json_estimate(json, key, atlas_value(row, number), assay_signals_reason(row->fit, number));
}

static void number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

static void text(assay_json *json, const char *key, const char *value)
{
    assay_json_key(json, key);
    assay_json_text(json, value);
}

static void json_shape(assay_json *json, const struct atlas_row *row)
{
    const struct {
        const char *key;
        uint64_t n;
    } counts[] = {
        { "models", row->models },
        { "items", row->items },
        { "observed", row->observed },
        { "missing", atlas_n_missing(row) },
    };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_json_key(json, counts[i].key);
        assay_json_count(json, counts[i].n);
    }
    assay_json_key(json, "small_shape");
    assay_json_bool(json, atlas_is_small(row));
}

static void json_dimension(assay_json *json, const struct atlas_row *row, double level)
{
    assay_json_key(json, "ed");
    assay_json_begin_object(json);
    estimate(json, row, "task", ASSAY_SIGNALS_ED_TASK);
    estimate(json, row, "model", ASSAY_SIGNALS_ED_MODEL);
    estimate(json, row, "double", ASSAY_SIGNALS_ED_DOUBLE);
    assay_json_end_object(json);
    assay_json_key(json, "ed_interval");
    assay_json_begin_object(json);
    number(json, "low", atlas_value(row, ASSAY_SIGNALS_ED_LOW));
    number(json, "high", atlas_value(row, ASSAY_SIGNALS_ED_HIGH));
    if (assay_signals_reason(row->fit, ASSAY_SIGNALS_ED_LOW))
        text(json, "reason", assay_signals_reason(row->fit, ASSAY_SIGNALS_ED_LOW));
    number(json, "level", level);
    text(json, "method", "jackknife-models");
    assay_json_end_object(json);
}

static void json_replicate(assay_json *json, const struct atlas_replicate *replicate, double level)
{
    if (!replicate->source) {
        cli_json_estimate(json, "ed_replicate", NAN, replicate->reason);
        return;
    }
    assay_json_key(json, "ed_replicate");
    assay_json_begin_object(json);
    number(json, "value", replicate->value);
    number(json, "low", replicate->low);
    number(json, "high", replicate->high);
    if (replicate->reason) text(json, "reason", replicate->reason);
    number(json, "level", level);
    text(json, "source", replicate->source);
    assay_json_key(json, "runs");
    assay_json_count(json, replicate->runs);
    assay_json_end_object(json);
}

static void json_row(assay_json *json, const struct atlas_row *row, double level)
{
    assay_json_begin_object(json);
    text(json, "name", row->name);
    text(json, "path", row->path);
    json_shape(json, row);
    json_dimension(json, row, level);
    json_replicate(json, &row->replicate, level);
    estimate(json, row, "pc1_share", ASSAY_SIGNALS_PC1_SHARE);
    estimate(json, row, "kaiser", ASSAY_SIGNALS_KAISER);
    estimate(json, row, "parallel_analysis", ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    assay_json_key(json, "null");
    assay_json_begin_object(json);
    estimate(json, row, "marchenko_pastur", ASSAY_SIGNALS_MARCHENKO_PASTUR);
    estimate(json, row, "permutations", ASSAY_SIGNALS_PERMUTATIONS);
    assay_json_end_object(json);
    estimate(json, row, "ed_over_null", ASSAY_SIGNALS_ED_OVER_NULL);
    assay_json_end_object(json);
}

static void json_failures(assay_json *json, const char *key, const struct atlas_failures *failures)
{
    assay_json_key(json, key);
    assay_json_begin_array(json);
    for (size_t k = 0; k < failures->n; k++) {
        assay_json_begin_object(json);
        text(json, "path", failures->each[k].path);
        text(json, "reason", failures->each[k].reason);
        assay_json_end_object(json);
    }
    assay_json_end_array(json);
}

/* The inputs of all rows, in their order; the texts stay the rows'. */
static assay_input *all_inputs(const struct atlas_answer *answer, size_t *n)
{
    assay_input *all;

    *n = 0;
    for (size_t k = 0; k < answer->n; k++) *n += answer->rows[k].n_inputs;
    all = malloc((*n + 1) * sizeof *all);
    if (!all) return NULL;
    *n = 0;
    for (size_t k = 0; k < answer->n; k++)
        for (size_t i = 0; i < answer->rows[k].n_inputs; i++)
            all[(*n)++] = answer->rows[k].inputs[i];
    return all;
}

assay_status print_atlas_json(FILE *to, const void *data)
{
    static const char *const sorts[] = { "ed", "ed-over-null", "models", "items", "name" };
    const struct atlas_answer *answer = data;
    size_t n_inputs;
    assay_input *inputs = all_inputs(answer, &n_inputs);
    assay_json json;

    if (!inputs) return cli_no_memory();
    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    cli_json_head_of(&json, "assay.signals/1", "signals", answer->analysis->seed, inputs, n_inputs,
                     atlas_coverage(answer));
    text(&json, "sort", sorts[answer->sort]);
    assay_json_key(&json, "atlas");
    assay_json_begin_array(&json);
    for (size_t k = 0; k < answer->n; k++)
        json_row(&json, &answer->rows[k], answer->analysis->level);
    assay_json_end_array(&json);
    json_failures(&json, "refused", &answer->refused);
    json_failures(&json, "left_out", &answer->left_out);
    assay_json_end_object(&json);
    putc('\n', to);
    free(inputs);
    return ASSAY_OK;
}
