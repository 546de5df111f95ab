/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "cli.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the command line itself noticed; empty while the library's sentence stands. */
static char own_error[1024];

assay_status cli_fail(assay_status status, const char *format, ...)
{
    char raw[sizeof own_error + 1]; /* a byte more than fits, so that a cut shows */
    va_list args;

    va_start(args, format);
    vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    assay_printable(own_error, sizeof own_error, raw, strlen(raw));
    return status;
}

assay_status cli_no_memory(void)
{
    return cli_fail(ASSAY_E_NOMEM, "out of memory");
}

int cli_failed(assay_status status)
{
    cli_progress_done();
    fprintf(stderr, "assay: %s\n", own_error[0] ? own_error : assay_last_error());
    own_error[0] = '\0';
    if (status == ASSAY_E_CANCELLED) return EXIT_INTERRUPTED;
    if (status == ASSAY_E_VALUE) return EXIT_USAGE; /* an option out of its range */
    return status == ASSAY_E_NOMEM || status == ASSAY_E_WRITE ? EXIT_SYSTEM : EXIT_NO_ANSWER;
}

const char *cli_reason(void)
{
    static char kept[sizeof own_error];

    cli_progress_done();
    snprintf(kept, sizeof kept, "%s", own_error[0] ? own_error : assay_last_error());
    own_error[0] = '\0';
    return kept;
}

/* ---- progress ---- */

static volatile sig_atomic_t interrupted;
static struct timespec bar_began, bar_drawn;
static const char *bar_stage;
static int bar_shown;
static size_t bar_n;           /* of things that are done, or 0 */
static const char *bar_things; /* what they are */

int cli_interrupted(void)
{
    return interrupted;
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static double seconds_since(struct timespec then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then.tv_sec) + 1e-9 * (double)(now.tv_nsec - then.tv_nsec);
}

static void draw_bar(const char *stage, double fraction)
{
    enum { WIDTH = 30 };
    static const char full[WIDTH + 1] = "==============================";
    double spent = seconds_since(bar_began), left = spent / fraction - spent;
    int n = (int)(fraction * WIDTH);

    fprintf(stderr, "\r%-14s [%-*.*s] %3.0f %%  ", stage, WIDTH, n, full, 100.0 * fraction);
    if (bar_n && fraction > 0)
        fprintf(stderr, "%.0f %s/s  ", fraction * (double)bar_n / spent, bar_things);
    if (fraction > 0) fprintf(stderr, "%.0f s left ", left);
    fputs("\033[K", stderr);
    fflush(stderr);
    bar_shown = 1;
}

/* The bar appears once a stage has lasted a second, and is drawn ten times a second. */
static int step(void *user, const char *stage, double fraction)
{
    int visible = *(const int *)user;

    if (interrupted) return 1;
    if (!visible) return 0;
    if (stage != bar_stage) {
        bar_stage = stage;
        clock_gettime(CLOCK_MONOTONIC, &bar_began);
        bar_drawn = bar_began;
    }
    if (seconds_since(bar_began) > 1.0 && seconds_since(bar_drawn) > 0.1) {
        clock_gettime(CLOCK_MONOTONIC, &bar_drawn);
        draw_bar(stage, fraction);
    }
    return 0;
}

/* What whoever started us wants ignored (nohup) stays so. */
static void listen_to(int signal_number)
{
    struct sigaction before, action = { .sa_handler = on_interrupt,
                                        .sa_flags = (int)SA_RESETHAND }; /* a second one kills */

    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

assay_progress cli_progress(int quiet)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    static int visible;

    for (size_t i = 0; !interrupted && i < sizeof signals / sizeof *signals; i++)
        listen_to(signals[i]);
    visible = !quiet && isatty(STDERR_FILENO);
    return (assay_progress){ step, &visible };
}

assay_progress cli_progress_of(int quiet, size_t n, const char *things)
{
    bar_n = n;
    bar_things = things;
    return cli_progress(quiet);
}

void cli_progress_done(void)
{
    if (bar_shown) fputs("\r\033[K", stderr);
    bar_shown = 0;
    bar_n = 0;
    bar_stage = NULL;
}

/* ---- inputs ---- */

void cli_print_notes(const assay_results *results)
{
    for (size_t i = 0; i < assay_results_n_notes(results); i++)
        fprintf(stderr, "assay: %s\n", assay_results_note(results, i));
}

/* Whether the output is one of the files that were read, of a folder too. */
static int is_read(const char *output, const assay_results *results)
{
    for (size_t k = 0; output && k < assay_results_n_inputs(results); k++)
        if (cli_output_is_input(output, assay_results_input(results, k).path)) return 1;
    return 0;
}

int cli_read_inputs(const struct cli_usage *usage, const struct cli_common *common,
                    struct cli_reading *reading, int n_paths, char **paths, assay_results **results)
{
    assay_status status;

    *results = NULL;
    if (n_paths < 1) {
        fprintf(stderr,
                "assay %s: no input, expected %s (- is standard input); see 'assay %s --help'\n",
                usage->command, usage->arguments, usage->command);
        return EXIT_USAGE;
    }
    reading->read.format = (assay_format)reading->format;
    reading->read.rows = (assay_rows)reading->rows;
    reading->read.join = (assay_join)reading->join;
    reading->read.progress = cli_progress(common->quiet);
    status = assay_results_new(common->force, results);
    for (int i = 0; i < n_paths && status == ASSAY_OK; i++)
        status = assay_read(*results, paths[i], &reading->read);
    if (status != ASSAY_OK) {
        int exit_status = cli_failed(status);

        assay_results_free(*results);
        *results = NULL;
        return exit_status;
    }
    cli_progress_done();
    if (!common->quiet) cli_print_notes(*results);
    if (!is_read(common->output, *results)) return -1;
    fprintf(stderr, "assay %s: -o names an input, which would be lost\n", usage->command);
    assay_results_free(*results);
    *results = NULL;
    return EXIT_USAGE;
}

/* ---- what heads an answer ---- */

void cli_print_coverage(FILE *to, const assay_results *results)
{
    cli_print_coverage_of(to, assay_results_coverage(results));
}

void cli_print_coverage_of(FILE *to, assay_coverage coverage)
{
    const struct {
        uint64_t n;
        const char *what;
    } lost[] = {
        { coverage.missing, "missing" },
        { coverage.errored, "errored" },
        { coverage.unscored, "unscored" },
        { coverage.duplicate, "duplicate" },
        { coverage.refused, "refused (contradictory, or of unknown models)" },
    };

    fprintf(to, "read %" PRIu64 " scores: %" PRIu64 " used", coverage.rows, coverage.used);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        if (lost[i].n) fprintf(to, ", %" PRIu64 " %s", lost[i].n, lost[i].what);
    putc('\n', to);
}

static void json_coverage(assay_json *json, assay_coverage coverage)
{
    const struct {
        const char *key;
        uint64_t n;
    } counts[] = {
        { "rows", coverage.rows },         { "used", coverage.used },
        { "missing", coverage.missing },   { "errored", coverage.errored },
        { "unscored", coverage.unscored }, { "duplicate", coverage.duplicate },
        { "refused", coverage.refused },
    };

    assay_json_key(json, "coverage");
    assay_json_begin_object(json);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_json_key(json, counts[i].key);
        assay_json_count(json, counts[i].n);
    }
    assay_json_end_object(json);
}

static void json_input(assay_json *json, assay_input input)
{
    assay_json_begin_object(json);
    assay_json_key(json, "path");
    assay_json_text(json, input.path);
    assay_json_key(json, "sha256");
    assay_json_text(json, input.sha256);
    if (input.sha256_of) {
        assay_json_key(json, "sha256_of");
        assay_json_text(json, input.sha256_of);
    }
    assay_json_key(json, "rows");
    assay_json_count(json, input.rows);
    assay_json_end_object(json);
}

static void json_begin(assay_json *json, const char *schema, const char *command, uint64_t seed)
{
    assay_json_key(json, "schema");
    assay_json_text(json, schema);
    assay_json_key(json, "assay_version");
    assay_json_text(json, assay_version());
    assay_json_key(json, "command");
    assay_json_text(json, command);
    assay_json_key(json, "seed");
    assay_json_count(json, seed);
    assay_json_key(json, "inputs");
    assay_json_begin_array(json);
}

void cli_json_head(assay_json *json, const char *schema, const char *command, uint64_t seed,
                   const assay_results *results)
{
    json_begin(json, schema, command, seed);
    for (size_t i = 0; i < assay_results_n_inputs(results); i++)
        json_input(json, assay_results_input(results, i));
    assay_json_end_array(json);
    json_coverage(json, assay_results_coverage(results));
}

void cli_json_head_of(assay_json *json, const char *schema, const char *command, uint64_t seed,
                      const assay_input *inputs, size_t n_inputs, assay_coverage coverage)
{
    json_begin(json, schema, command, seed);
    for (size_t i = 0; i < n_inputs; i++) json_input(json, inputs[i]);
    assay_json_end_array(json);
    json_coverage(json, coverage);
}

static void json_reason(assay_json *json, const char *key, const char *reason)
{
    char reason_key[80];

    snprintf(reason_key, sizeof reason_key, "%s_reason", key);
    assay_json_key(json, reason_key);
    assay_json_text(json, reason);
}

void cli_json_estimate(assay_json *json, const char *key, double value, const char *reason)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
    if (!isfinite(value)) json_reason(json, key, reason);
}

void cli_json_estimates(assay_json *json, const char *key, const double *values, size_t n,
                        const char *reason)
{
    int all_there = 1;

    if (n == 0) {
        cli_json_estimate(json, key, NAN, reason);
        return;
    }
    assay_json_key(json, key);
    assay_json_begin_array_in_line(json);
    for (size_t i = 0; i < n; i++) {
        assay_json_number(json, values[i]);
        all_there &= isfinite(values[i]) != 0;
    }
    assay_json_end_array(json);
    if (!all_there) json_reason(json, key, reason);
}

int cli_finish(const struct cli_common *common, const assay_results *results)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "assay: standard output cannot be written: %s\n", strerror(errno));
        return EXIT_SYSTEM;
    }
    return common->strict && results && assay_results_damaged(results) ? EXIT_DAMAGED : EXIT_DONE;
}
