/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `assay score` as aggregates of Every Eval Ever, a file a model (its schema 0.3.0).
 */
#include "output.h"
#include "print_score.h"
#include "session.h"

#include <assay/every_eval_ever.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* One model's file. */
struct aggregate {
    const struct score_answer *answer;
    size_t model; /* of the trials */
    const char *id;
};

/* A score as the schema wants it; NaN where a number is not known. */
struct exchanged {
    const char *id, *description, *error_method, *interval_method;
    double score, error, low, high;
};

static int write_model(const struct score_answer *answer, size_t k, const char *path);
static int is_taken(const struct score_answer *answer, size_t k, const char *path);
static char *path_of(const char *folder, const char *model);
static assay_status print_aggregate(FILE *to, const void *data);

/* A name that ends in .json, or -, is the file of the only model. */
int print_score_every_eval_ever(const struct score_answer *answer)
{
    const char *where = answer->request->every_eval_ever;
    const size_t length = strlen(where), n = assay_trials_n_models(answer->trials);
    const int is_file =
        strcmp(where, "-") == 0 || (length > 5 && strcmp(where + length - 5, ".json") == 0);
    int exit_status = -1;

    if (is_file && n > 1)
        return cli_failed(cli_fail(ASSAY_E_VALUE,
                                   "--every-eval-ever is %s and there are %zu models, expected a "
                                   "folder for a file each",
                                   where, n));
    if (is_file) return write_model(answer, 0, where);
    mkdir(where, 0777); /* if it is there already, good; if it cannot be, writing says why */
    for (size_t k = 0; k < n && exit_status < 0; k++) {
        char *path = path_of(where, score_model_name(answer, k));

        if (path && is_taken(answer, k, path))
            exit_status = cli_failed(
                cli_fail(ASSAY_E_VALUE, "--every-eval-ever: two models would be called %s", path));
        else
            exit_status = path ? write_model(answer, k, path) : cli_failed(cli_no_memory());
        free(path);
    }
    return exit_status;
}

/* Whether a model before this one has the file. */
static int is_taken(const struct score_answer *answer, size_t k, const char *path)
{
    int taken = 0;

    for (size_t j = 0; j < k && !taken; j++) {
        char *other = path_of(answer->request->every_eval_ever, score_model_name(answer, j));

        taken = other && strcmp(other, path) == 0;
        free(other);
    }
    return taken;
}

static int write_model(const struct score_answer *answer, size_t k, const char *path)
{
    char *id = assay_every_eval_ever_id(answer->results, score_model_name(answer, k));
    const struct aggregate aggregate = { answer, k, id };
    int exit_status =
        id ? cli_output_raw(path, print_aggregate, &aggregate) : cli_failed(cli_no_memory());

    free(id);
    return exit_status;
}

/* What a file's name cannot hold, or would hide it, becomes "__", as lm-evaluation-harness does. */
static char *path_of(const char *folder, const char *model)
{
    size_t size = strlen(folder) + 2 * strlen(model) + sizeof "/.json" + 2, n;
    char *path = malloc(size);

    if (!path) return NULL;
    n = (size_t)snprintf(path, size, "%s/", folder);
    for (const char *p = model; *p; p++) {
        const int is_bad =
            strchr("<>:/|\\?*[]", *p) || (unsigned char)*p < ' ' || (p == model && *p == '.');

        path[n++] = is_bad ? '_' : *p;
        if (is_bad) path[n++] = '_';
    }
    snprintf(path + n, size - n, ".json");
    return path;
}

/* ---- one file ---- */

static void text(assay_json *json, const char *key, const char *words)
{
    assay_json_key(json, key);
    assay_json_text(json, words);
}

static void number(assay_json *json, const char *key, double x)
{
    assay_json_key(json, key);
    assay_json_number(json, x);
}

static void open_object(assay_json *json, const char *key)
{
    assay_json_key(json, key);
    assay_json_begin_object(json);
}

/* Seconds since 1970; SOURCE_DATE_EPOCH, where it is set, makes files that do not change. */
static void time_of(char seconds[24])
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH");

    if (fixed && *fixed && strlen(fixed) < 20 && !fixed[strspn(fixed, "0123456789")])
        snprintf(seconds, 24, "%s", fixed);
    else
        snprintf(seconds, 24, "%" PRIdMAX, (intmax_t)time(NULL));
}

static void write_source(assay_json *json, const char *model)
{
    open_object(json, "source_metadata");
    text(json, "source_name", "assay");
    text(json, "source_type", "evaluation_run");
    text(json, "source_organization_name", "unknown");
    text(json, "evaluator_relationship", "other");
    assay_json_end_object(json);
    open_object(json, "eval_library");
    text(json, "name", "assay");
    text(json, "version", assay_version());
    assay_json_end_object(json);
    open_object(json, "model_info");
    text(json, "name", model);
    text(json, "id", model);
    open_object(json, "additional_details");
    text(json, "deployment_type", "unknown");
    text(json, "model_availability", "unknown");
    assay_json_end_object(json);
    assay_json_end_object(json);
}

static void write_uncertainty(assay_json *json, const struct exchanged *score, double level,
                              double n)
{
    open_object(json, "uncertainty");
    if (isfinite(score->error)) {
        open_object(json, "standard_error");
        number(json, "value", score->error);
        text(json, "method", score->error_method);
        assay_json_end_object(json);
    }
    if (isfinite(score->low) && isfinite(score->high)) {
        open_object(json, "confidence_interval");
        number(json, "lower", score->low);
        number(json, "upper", score->high);
        number(json, "confidence_level", level);
        text(json, "method", score->interval_method);
        assay_json_end_object(json);
    }
    assay_json_key(json, "num_samples");
    assay_json_count(json, (uint64_t)n);
    assay_json_end_object(json);
}

static void write_score(assay_json *json, const struct exchanged *score, double level, double n)
{
    if (!isfinite(score->score)) return; /* the schema has no place for what is not known */
    assay_json_begin_object(json);
    text(json, "evaluation_result_id", score->id);
    text(json, "evaluation_name", score->id);
    open_object(json, "source_data");
    text(json, "dataset_name", "unknown");
    text(json, "source_type", "other");
    assay_json_end_object(json);
    open_object(json, "metric_config");
    text(json, "evaluation_description", score->description);
    text(json, "metric_id", score->id);
    assay_json_key(json, "lower_is_better");
    assay_json_bool(json, 0);
    text(json, "score_type", "continuous");
    number(json, "min_score", 0.0);
    number(json, "max_score", 1.0);
    assay_json_end_object(json);
    open_object(json, "score_details");
    number(json, "score", score->score);
    write_uncertainty(json, score, level, n);
    assay_json_end_object(json);
    assay_json_end_object(json);
}

static void write_scores(assay_json *json, const struct score_answer *answer, size_t k)
{
    const struct score_raw *raw = &answer->raw[k];
    const double level = answer->request->analysis.level;
    const double *lead = score_lead_interval(raw);
    const struct exchanged plain = { .id = "assay.raw_score",
                                     .description = "mean over prompts",
                                     .interval_method = score_lead_method(raw),
                                     .score = raw->mean,
                                     .error = NAN,
                                     .low = lead[0],
                                     .high = lead[1] };
    const struct exchanged corrected = {
        .id = "assay.corrected_score",
        .description = "mean over topics of prompts that say the same (BHM-ESC)",
        .error_method = "posterior standard deviation (BHM-ESC)",
        .interval_method = "equal-tailed posterior interval (BHM-ESC)",
        .score = score_value(answer, k, score_published.mean),
        .error = score_value(answer, k, score_published.these_sd),
        .low = score_value(answer, k, score_published.these[0]),
        .high = score_value(answer, k, score_published.these[1]),
    };

    write_score(json, &plain, level, raw->n);
    write_score(json, &corrected, level, raw->n);
}

static assay_status print_aggregate(FILE *to, const void *data)
{
    const struct aggregate *aggregate = data;
    const char *model = score_model_name(aggregate->answer, aggregate->model);
    char seconds[24];
    assay_json json;

    time_of(seconds);
    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    text(&json, "schema_version", ASSAY_EVERY_EVAL_EVER_SCHEMA);
    text(&json, "evaluation_id", aggregate->id);
    text(&json, "retrieved_timestamp", seconds);
    write_source(&json, model);
    assay_json_key(&json, "evaluation_results");
    assay_json_begin_array(&json);
    write_scores(&json, aggregate->answer, aggregate->model);
    assay_json_end_array(&json);
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}
