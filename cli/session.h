/* SPDX-License-Identifier: Apache-2.0 */
/* What every command does around its own work: read the inputs, say what was noticed, show
   progress, open the output, and turn a status into an exit status. */
#ifndef ASSAY_CLI_SESSION_H
#define ASSAY_CLI_SESSION_H

#include "options.h"

#include <assay/json_writer.h>
#include <assay/results.h>
#include <stdio.h>

/* Print the last error, the library's or the command line's own, as one line on standard error;
   returns the exit status. */
int cli_failed(assay_status status);

/* Keep a sentence for cli_failed() about what the command line itself noticed, as the library does
   with its own; returns the status. */
__attribute__((format(printf, 2, 3))) assay_status cli_fail(assay_status status, const char *format,
                                                            ...);

/* The same where the command line's own memory ran out. */
assay_status cli_no_memory(void);

/* 1 once the user has asked to stop (Ctrl-C, or a signal to end). */
int cli_interrupted(void);

/* A progress bar with the time left on standard error: only on a terminal, and not when quiet. With
   or without it, an interrupt (Ctrl-C) cancels the library's work, so that nothing is left
   half-written; a second one kills. */
assay_progress cli_progress(int quiet);

/* The same, also telling how many of n things, such as "texts", are done a second. */
assay_progress cli_progress_of(int quiet, size_t n, const char *things);

/* Remove the bar, before anything else is printed. */
void cli_progress_done(void);

/* What reading a table noticed, a line each on standard error. */
void cli_print_notes(const assay_results *results);

/* Read all inputs into one table and print the notes. Returns -1 to go on, or an exit status. */
int cli_read_inputs(const struct cli_usage *usage, const struct cli_common *common,
                    struct cli_reading *reading, int n_paths, char **paths,
                    assay_results **results);

/* The one line about coverage that heads each table (and stands on standard error where the output
   is no table). */
void cli_print_coverage(FILE *to, const assay_results *results);
void cli_print_coverage_of(FILE *to, assay_coverage coverage);

/* The keys that begin every JSON object: assay_version, schema, command, seed, inputs, coverage. */
void cli_json_head(assay_json *json, const char *schema, const char *command, uint64_t seed,
                   const assay_results *results);

/* The same where the inputs are no table of results: n_inputs files, and what became of their rows. */
void cli_json_head_of(assay_json *json, const char *schema, const char *command, uint64_t seed,
                      const assay_input *inputs, size_t n_inputs, assay_coverage coverage);

/* The sentence of the last failure, where it is no failure of the command: safe to print. It is then
   forgotten, and stands until the next one. */
const char *cli_reason(void);

/* A number, or null with "<key>_reason" beside it when it is NaN. */
void cli_json_estimate(assay_json *json, const char *key, double value, const char *reason);

/* n of them in a line; the reason stands beside them where one is null, and where there is none at
   all the key itself is null. */
void cli_json_estimates(assay_json *json, const char *key, const double *values, size_t n,
                        const char *reason);

/* How a command that went well ends: flushes standard output, and minds --strict. */
int cli_finish(const struct cli_common *common, const assay_results *results);

#endif
