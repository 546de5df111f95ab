/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/promptfoo.h"

#include "core/error.h"
#include "core/memory.h"
#include "logs/cell.h"
#include "logs/promptfoo_run.h"
#include "logs/rows.h"

#include <math.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

/* What is picked of a result. */
enum {
    TEST,
    COLUMN,
    PROMPT_ID,
    LABEL,
    RAW,
    PROVIDER,
    PROVIDER_LABEL,
    PROVIDER_ID,
    SUCCESS,
    SCORE,
    REASON,
    FAULT,
    GRADING,
    CACHED,
    CLUSTER,
    VARS,
    ASSERTS,
    NAMED_SCORES,
    OUTPUT,
    N_PICKS
};

typedef struct results {
    assay_promptfoo_run run;
    assay_picker picker;
    assay_promptfoo_vars vars;
    assay_log_text scratch;
    int has_asserts;
    size_t asserts; /* SIZE_MAX: none told */
    uint64_t output;
    int is_document;
} results;

static assay_status read_document(assay_table *table, results *r);
static assay_status take_results(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_result(void *user);
static assay_status take_var(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value);
static assay_status take_asserts(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value);
static assay_status take_named(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value);
static assay_status take_output(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value);
static assay_status name_template(results *r, size_t *index);
static assay_status name_model(results *r, size_t *index);
static void judge(results *r, assay_promptfoo_result *result);
static int is_errored(const assay_value *values);
static size_t whole(const assay_value *value);
static assay_status read_input(assay_table *table, results *r);
static void start_result(results *r);

static const assay_pick picks[N_PICKS] = {
    [TEST] = { "testIdx", NULL },
    [COLUMN] = { "promptIdx", NULL },
    [PROMPT_ID] = { "promptId", NULL },
    [LABEL] = { "prompt/label", NULL },
    [RAW] = { "prompt/raw", NULL },
    [PROVIDER] = { "provider", NULL },
    [PROVIDER_LABEL] = { "provider/label", NULL },
    [PROVIDER_ID] = { "provider/id", NULL },
    [SUCCESS] = { "success", NULL },
    [SCORE] = { "score", NULL },
    [REASON] = { "failureReason", NULL },
    [FAULT] = { "error", NULL },
    [GRADING] = { "gradingResult", NULL },
    [CACHED] = { "response/cached", NULL },
    [CLUSTER] = { "testCase/metadata/cluster", NULL },
    [VARS] = { "vars/*", take_var },
    [ASSERTS] = { "testCase/assert", take_asserts },
    [NAMED_SCORES] = { "namedScores/*", take_named },
    [OUTPUT] = { "response/output", take_output },
};

int assay_promptfoo_is_output(const assay_log_head *head)
{
    static const char *const versions[][3] = {
        { "results/version", "results/prompts", "results" },
        { "results/version", "results/results", "results" },
        { "evalId", "results", "results" },
        { "results/prompt/raw", "results/vars", "results/provider" },
        { "results/testIdx", "results/promptIdx", "results" },
        { "version", "table/head", "results" },
        { "testIdx", "promptIdx", "provider" },
        { "prompt/raw", "vars", "success" },
    };

    if (assay_promptfoo_is_table(head)) return 1;
    for (size_t k = 0; k < sizeof versions / sizeof versions[0]; k++)
        if (assay_log_head_has(head, versions[k], 3)) return 1;
    return 0;
}

assay_status assay_promptfoo_read(assay_table *table, const assay_log_head *head)
{
    const char *metric = table->options->metric;
    results r = { .run = { .table = table,
                           .metric = metric && strcmp(metric, "score") != 0 ? metric : NULL } };
    assay_status status;

    r.is_document = assay_log_head_at(head, "results") != ASSAY_JSON_END;
    if (assay_promptfoo_is_table(head))
        status = assay_promptfoo_table_read(&r.run);
    else
        status = read_input(table, &r);
    if (status == ASSAY_OK) status = assay_promptfoo_run_finish(&r.run);
    assay_promptfoo_run_free(&r.run);
    free(r.vars.of);
    free(r.vars.text.text);
    free(r.scratch.text);
    return status;
}

static assay_status read_input(assay_table *table, results *r)
{
    assay_status status = assay_picker_open(&r->picker, table->path, picks, N_PICKS, r);

    r->run.form = r->is_document ? "JSON" : "JSON lines";
    start_result(r);
    if (status == ASSAY_OK)
        status = r->is_document ? read_document(table, r)
                                : assay_log_rows(table, &r->picker, take_result);
    assay_picker_close(&r->picker);
    return status;
}

/* Results stand in an array, of old versions right below the document, else within its "results". */
static assay_status read_document(assay_table *table, results *r)
{
    static const assay_pick where[] = { { "results", take_results },
                                        { "results/results", take_results } };
    assay_picker outer;
    assay_status status = assay_picker_open(&outer, table->path, where, 2, r);

    if (status == ASSAY_OK) status = assay_log_document(table, &outer);
    assay_picker_close(&outer);
    return status;
}

static assay_status take_results(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    results *r = user;

    (void)key;
    if (value->kind == ASSAY_JSON_OBJECT) return assay_json_leave(reader);
    if (value->kind != ASSAY_JSON_ARRAY) return ASSAY_OK;
    return assay_picker_array(&r->picker, reader, take_result);
}

static void start_result(results *r)
{
    r->has_asserts = r->run.has_named = 0;
    r->asserts = SIZE_MAX;
    r->run.named = NAN;
    r->output = 0;
    r->vars.n = r->vars.text.length = 0;
}

static assay_status take_result(void *user)
{
    results *r = user;
    const assay_value *values = r->picker.values;
    assay_promptfoo_result result = { .asserts = r->asserts,
                                      .column = whole(&values[COLUMN]),
                                      .test = whole(&values[TEST]),
                                      .output = r->output,
                                      .line = r->picker.line };
    assay_status status = assay_promptfoo_run_vars(&r->run, &r->vars, &result.vars);

    if (status == ASSAY_OK) status = name_template(r, &result.template_id);
    if (status == ASSAY_OK) status = name_model(r, &result.model);
    if (status == ASSAY_OK)
        status = assay_promptfoo_run_tell(&r->run, result.vars, result.column,
                                          assay_value_name(&values[RAW]),
                                          assay_value_name(&values[CLUSTER]));
    if (status != ASSAY_OK) return status;
    judge(r, &result);
    if (result.test == SIZE_MAX) r->run.has_repeats_by_order = 1;
    r->run.n_cached += values[CACHED].kind == ASSAY_JSON_TRUE;
    r->run.n_without_assertion +=
        result.state == ASSAY_SCORED && values[TEST].kind != ASSAY_JSON_END && !r->has_asserts;
    start_result(r);
    status = assay_promptfoo_run_add(&r->run, result);
    return status == ASSAY_OK ? assay_table_step(r->run.table) : status;
}

/* A null is as good as none. */
static assay_status take_var(void *user, assay_json_reader *reader, const char *key,
                             const assay_value *value)
{
    results *r = user;
    assay_log_text *text = &r->vars.text;
    const assay_name name = { key, strlen(key) };
    size_t start = text->length;
    assay_status status = assay_log_text_add(text, name.text, name.length);

    if (status == ASSAY_OK && value->kind != ASSAY_JSON_NULL)
        status = assay_log_text_add_value(text, reader, value, 1);
    if (status != ASSAY_OK) return status;
    if (!assay_promptfoo_var_counts(name)) text->length = start;
    return assay_promptfoo_var_counts(name) ? assay_promptfoo_vars_end(&r->vars, start, name.length)
                                            : ASSAY_OK;
}

static assay_status take_asserts(void *user, assay_json_reader *reader, const char *key,
                                 const assay_value *value)
{
    results *r = user;
    char hex[ASSAY_LOG_HASH_SIZE];
    assay_status status;

    (void)key;
    r->scratch.length = 0;
    status = assay_log_text_add_value(&r->scratch, reader, value, 0);
    if (status != ASSAY_OK) return status;
    r->has_asserts = value->kind == ASSAY_JSON_ARRAY && r->scratch.length > 2;
    if (!r->has_asserts) return ASSAY_OK; /* [] */
    assay_log_text_hash(&r->scratch, hex);
    return assay_promptfoo_run_name(&r->run.asserts, hex, ASSAY_LOG_HASH_SHORT, &r->asserts);
}

static assay_status take_named(void *user, assay_json_reader *reader, const char *key,
                               const assay_value *value)
{
    results *r = user;

    return assay_promptfoo_run_take_named(&r->run, reader, key, value);
}

static assay_status take_output(void *user, assay_json_reader *reader, const char *key,
                                const assay_value *value)
{
    results *r = user;
    unsigned char digest[SHA256_DIGEST_LENGTH];
    assay_status status;

    (void)key;
    r->scratch.length = 0;
    status = assay_log_text_add_value(&r->scratch, reader, value, 0);
    if (status != ASSAY_OK) return status;
    SHA256((const unsigned char *)r->scratch.text, r->scratch.length, digest);
    memcpy(&r->output, digest, sizeof r->output);
    r->output |= 1;
    return ASSAY_OK;
}

static assay_status name_template(results *r, size_t *index)
{
    const assay_value *values = r->picker.values;
    assay_name name = assay_value_name(&values[PROMPT_ID]),
               label = assay_value_name(&values[LABEL]);
    char hex[ASSAY_LOG_HASH_SIZE];

    if (name.length == 0 && label.length == 0)
        return assay_promptfoo_run_name(&r->run.templates, "", 0, index);
    if (name.length == 0) { /* what promptId is */
        r->scratch.length = 0;
        if (assay_log_text_add(&r->scratch, label.text, label.length) != ASSAY_OK)
            return ASSAY_E_NOMEM;
        assay_log_text_hash(&r->scratch, hex);
        name = (assay_name){ hex, ASSAY_LOG_HASH_SIZE - 1 };
    }
    return assay_promptfoo_run_name(&r->run.templates, name.text, name.length, index);
}

static assay_status name_model(results *r, size_t *index)
{
    const assay_value *values = r->picker.values;
    assay_name name = assay_value_name(&values[PROVIDER_LABEL]);

    if (name.length == 0) name = assay_value_name(&values[PROVIDER_ID]);
    if (name.length == 0) name = assay_value_name(&values[PROVIDER]);
    if (name.length == 0) name = (assay_name){ "", 0 };
    return assay_promptfoo_run_name(&r->run.models, name.text, name.length, index);
}

static void judge(results *r, assay_promptfoo_result *result)
{
    const assay_value *values = r->picker.values;
    const char *metric = r->run.metric;

    result->score = NAN;
    result->state = ASSAY_ERRORED;
    if (metric && strcmp(metric, "success") == 0) {
        r->run.n_with_metric++;
        if (!is_errored(values)) result->state = assay_log_score(&values[SUCCESS], &result->score);
    } else if (metric) {
        r->run.n_with_metric += (size_t)r->run.has_named;
        result->score = r->run.named;
        if (!is_errored(values)) result->state = r->run.has_named ? ASSAY_SCORED : ASSAY_UNSCORED;
        if (result->state != ASSAY_SCORED) result->score = NAN;
    } else if (!is_errored(values)) {
        result->state = assay_log_score(&values[SCORE], &result->score);
    }
}

/* "error" also says why an assertion failed: of old versions, which give no reason, a result that was
   never graded is one that failed. */
static int is_errored(const assay_value *values)
{
    if (values[REASON].kind == ASSAY_JSON_NUMBER) return values[REASON].number == 2.0;
    return values[FAULT].kind == ASSAY_JSON_STRING && values[FAULT].length > 0 &&
           (values[GRADING].kind == ASSAY_JSON_END || values[GRADING].kind == ASSAY_JSON_NULL) &&
           values[SUCCESS].kind != ASSAY_JSON_TRUE;
}

static size_t whole(const assay_value *value)
{
    return value->kind == ASSAY_JSON_NUMBER && value->number >= 0 && value->number < 1e9
               ? (size_t)value->number
               : SIZE_MAX;
}
