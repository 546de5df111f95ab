/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_stream.h"

#include "cli.h"
#include "options.h"
#include "output.h"
#include "session.h"

#include <assay/dimension_stream.h>
#include <assay/item_rows.h>
#include <assay/subsets.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct cli_usage usage = {
    .command = "signals --stream",
    .arguments = "MATRIX",
    .description = "ED alone of a wide CSV or TSV, a row an item, or of a .npy array, which may "
                   "be larger\nthan memory; - for standard input, .gz and .zst as they are.",
    .example = "  assay signals --stream items.csv.zst\n",
};

struct stream_request {
    struct cli_common common;
    struct cli_analysis analysis;
    int stream, rows;
};

struct stream_answer {
    const struct stream_request *request;
    assay_input input;
    assay_streamed_dimensions found;
    char sha256[65];
};

static int parse(int argc, char **argv, struct stream_request *request, int *first);
static assay_status check(const struct stream_request *request);
static assay_status find(const struct stream_request *request, const char *path,
                         struct stream_answer *answer);
static assay_status add_rows(assay_item_rows *rows, const struct stream_request *request,
                             struct stream_answer *answer);
static assay_status print_table(FILE *to, const void *data);
static assay_status print_json(FILE *to, const void *data);

int signals_stream(int argc, char **argv)
{
    struct stream_request request;
    struct stream_answer answer = { .request = &request };
    assay_status status;
    int first, exit_status = parse(argc, argv, &request, &first);

    if (exit_status >= 0) return exit_status;
    if (argc - first != 1) {
        fprintf(stderr,
                "assay signals: --stream reads one input (- is standard input), got %d; see 'assay "
                "signals --help'\n",
                argc - first);
        return EXIT_USAGE;
    }
    status = check(&request);
    if (status == ASSAY_OK) status = find(&request, argv[first], &answer);
    cli_progress_done();
    if (status != ASSAY_OK) return cli_failed(status);
    exit_status = cli_output(request.common.output,
                             request.analysis.json ? print_json : print_table, &answer);
    return exit_status < 0 ? cli_finish(&request.common, NULL) : exit_status;
}

static int parse(int argc, char **argv, struct stream_request *request, int *first)
{
    struct cli_option common[CLI_N_COMMON], analysis[CLI_N_ANALYSIS];
    const struct cli_option own[] = {
        { "stream", 0, CLI_FLAG, &request->stream, NULL, "ED alone, an item after the other" },
        { "rows", 0, CLI_CHOICE, &request->rows, "auto|models|items", "what a row is" },
    };
    const struct cli_option_table tables[] = {
        { "signals", own, sizeof own / sizeof *own },
        { "analysis", analysis, CLI_N_ANALYSIS },
        { "all commands", common, CLI_N_COMMON },
        { NULL, NULL, 0 },
    };

    request->stream = request->rows = 0;
    cli_common_options(&request->common, common);
    cli_analysis_options(&request->analysis, analysis);
    return cli_parse(argc, argv, &usage, tables, first);
}

/* What the command refuses without --stream it refuses with it. */
static assay_status check(const struct stream_request *request)
{
    assay_signals_options options;

    assay_signals_options_init(&options, sizeof options);
    options.level = request->analysis.level;
    options.threads = cli_threads(&request->analysis);
    return assay_signals_options_check(&options);
}

static assay_status find(const struct stream_request *request, const char *path,
                         struct stream_answer *answer)
{
    assay_item_rows *rows = NULL;
    assay_status status = assay_item_rows_open(path, (assay_rows)request->rows,
                                               cli_progress(request->common.quiet), &rows);

    if (status == ASSAY_OK) status = add_rows(rows, request, answer);
    if (status == ASSAY_OK) status = assay_item_rows_sha256(rows, answer->sha256);
    assay_item_rows_close(rows);
    answer->input = (assay_input){ path, answer->sha256, 0, NULL };
    answer->input.rows = (answer->found.n_items + answer->found.n_items_left_out) *
                         (answer->found.n_models + answer->found.n_models_left_out);
    return status;
}

static assay_status add_rows(assay_item_rows *rows, const struct stream_request *request,
                             struct stream_answer *answer)
{
    assay_dimension_stream_options options;
    assay_dimension_stream *stream = NULL;
    const double *scores = NULL;
    assay_status status;

    assay_dimension_stream_options_init(&options, sizeof options);
    options.threads = cli_threads(&request->analysis);
    status = assay_dimension_stream_new(assay_item_rows_n_models(rows), &options, &stream);
    do {
        if (status == ASSAY_OK) status = assay_item_rows_next(rows, &scores);
        if (status == ASSAY_OK && scores)
            status = assay_dimension_stream_add_items(stream, 1, scores);
    } while (status == ASSAY_OK && scores);
    if (status == ASSAY_OK) status = assay_dimension_stream_result(stream, &answer->found);
    assay_dimension_stream_free(stream);
    return status;
}

/* ---- the table ---- */

static const char nothing_left[] = "nothing varies once these means are taken out";

/* Cells of the models and items that are in the answer: those left out have none. */
static uint64_t n_missing(const struct stream_answer *answer)
{
    return answer->found.n_models * answer->found.n_items - answer->found.n_observed;
}

static void row(FILE *to, const char *label, double value, int decimals)
{
    if (isnan(value))
        fprintf(to, "  %-34s        -   (%s)\n", label, nothing_left);
    else
        fprintf(to, "  %-34s %8.*f\n", label, decimals, value);
}

static void print_shape(FILE *to, const struct stream_answer *answer)
{
    const assay_streamed_dimensions *found = &answer->found;
    uint64_t missing = answer->input.rows - found->n_observed;

    fprintf(to, "read %" PRIu64 " scores: %" PRIu64 " used", answer->input.rows, found->n_observed);
    if (missing) fprintf(to, ", %" PRIu64 " missing", missing);
    fprintf(to, "\n%zu models x %" PRIu64 " item%s, streamed", found->n_models, found->n_items,
            found->n_items == 1 ? "" : "s");
    if (n_missing(answer))
        fprintf(to, "; cells without a score that stand at their item's mean: %" PRIu64,
                n_missing(answer));
    if (found->n_models_left_out || found->n_items_left_out)
        fprintf(to, "; left out for having no score: %zu models, %" PRIu64 " items",
                found->n_models_left_out, found->n_items_left_out);
    if (found->n_constant)
        fprintf(to, "\n%" PRIu64 " item%s the same score for every model", found->n_constant,
                found->n_constant == 1 ? " has" : "s have");
    fputs("\n\n", to);
}

static assay_status print_table(FILE *to, const void *data)
{
    const struct stream_answer *answer = data;
    const assay_streamed_dimensions *found = &answer->found;
    uint64_t most = found->n_models - 1;

    print_shape(to, answer);
    fprintf(to, "effective dimensionality (ED), at most %" PRIu64 "\n",
            found->n_items < most ? found->n_items : most);
    row(to, "items' means out (BenchScope)", found->ed.task, 2);
    row(to, "models' means out", found->ed.model, 2);
    row(to, "both out", found->ed.both, 2);
    fputs("\nED if the models carried no signal\n", to);
    row(to, "pure noise (Marchenko-Pastur)", found->marchenko_pastur, 2);
    row(to, "shuffled, at the exact mean", found->permutation_ed_at_mean, 2);
    row(to, "ED / pure noise", found->ed_over_null, 4);
    row(to, "ED / shuffled, at the exact mean", found->ed_over_permutation, 4);
    fputs("\nED is an upper bound for screening, not a sample size: on single runs much of it is "
          "the\nnoise of the outcomes. Near 1, one ability explains the table; near the null, "
          "nothing\ndoes.\n",
          to);
    return ASSAY_OK;
}

/* ---- JSON: the keys of assay.signals/1 ---- */

static void estimate(assay_json *json, const char *key, double value)
{
    cli_json_estimate(json, key, value, nothing_left);
}

/* What is not found of a stream. */
static void streamed(assay_json *json, const char *key)
{
    cli_json_estimate(json, key, NAN, "streamed");
}

static void json_counts(assay_json *json, const struct stream_answer *answer)
{
    const assay_streamed_dimensions *found = &answer->found;
    const struct {
        const char *key;
        uint64_t n;
    } counts[] = {
        { "models", found->n_models },
        { "items", found->n_items },
        { "observed", found->n_observed },
        { "missing", n_missing(answer) },
        { "models_left_out", found->n_models_left_out },
        { "items_left_out", found->n_items_left_out },
        { "constant_items", found->n_constant },
    };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_json_key(json, counts[i].key);
        assay_json_count(json, counts[i].n);
    }
}

static void json_dimension(assay_json *json, const struct stream_answer *answer)
{
    assay_json_key(json, "ed");
    assay_json_begin_object(json);
    estimate(json, "task", answer->found.ed.task);
    estimate(json, "model", answer->found.ed.model);
    estimate(json, "double", answer->found.ed.both);
    assay_json_end_object(json);
    assay_json_key(json, "ed_interval");
    assay_json_begin_object(json);
    assay_json_key(json, "low");
    assay_json_number(json, NAN);
    assay_json_key(json, "high");
    assay_json_number(json, NAN);
    assay_json_key(json, "reason");
    assay_json_text(json, "streamed");
    assay_json_key(json, "level");
    assay_json_number(json, answer->request->analysis.level);
    assay_json_end_object(json);
}

static void json_nulls(assay_json *json, const assay_streamed_dimensions *found)
{
    assay_json_key(json, "null");
    assay_json_begin_object(json);
    estimate(json, "marchenko_pastur", found->marchenko_pastur);
    estimate(json, "permutation_ed_at_mean", found->permutation_ed_at_mean);
    streamed(json, "permutation_mean");
    streamed(json, "permutation_mean_se");
    streamed(json, "permutations");
    streamed(json, "permutation_q95");
    assay_json_end_object(json);
    estimate(json, "ed_over_null", found->ed_over_null);
    estimate(json, "ed_over_permutation", found->ed_over_permutation);
}

static assay_status print_json(FILE *to, const void *data)
{
    static const char *const before[] = { "model_copies", "ed_standardised", "ed_replicate",
                                          "pc1_share",    "kaiser",          "parallel_analysis" };
    static const char *const after[] = { "pairs", "pairs_left_out", "groups", "spectrum" };
    const struct stream_answer *answer = data;
    const assay_streamed_dimensions *found = &answer->found;
    assay_coverage coverage = { .rows = answer->input.rows, .used = found->n_observed };
    assay_json json;

    coverage.missing = coverage.rows - coverage.used;
    assay_json_start(&json, to, 1);
    assay_json_begin_object(&json);
    cli_json_head_of(&json, "assay.signals/1", "signals", answer->request->analysis.seed,
                     &answer->input, 1, coverage);
    json_counts(&json, answer);
    json_dimension(&json, answer);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) streamed(&json, before[i]);
    json_nulls(&json, found);
    streamed(&json, "ed_tetrachoric");
    assay_json_key(&json, "shape_flag");
    assay_json_bool(&json,
                    found->n_models <= ASSAY_SMALL_SHAPE || found->n_items <= ASSAY_SMALL_SHAPE);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) streamed(&json, after[i]);
    assay_json_end_object(&json);
    putc('\n', to);
    return ASSAY_OK;
}
