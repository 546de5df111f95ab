/* SPDX-License-Identifier: Apache-2.0 */
/* A run of promptfoo: its results as they come, and as observations once all are there. Results stand
   in the order of completion, and only all tests together say which is a repetition of which. */
#ifndef ASSAY_LOGS_PROMPTFOO_RUN_H
#define ASSAY_LOGS_PROMPTFOO_RUN_H

#include "data/names.h"
#include "logs/head.h"
#include "logs/pick.h"
#include "logs/text.h"
#include "read/table.h"

/* One result on its way in; names are those of the run's tables. */
typedef struct assay_promptfoo_result {
    size_t vars;    /* which variables, by hash */
    size_t asserts; /* which assertions, by hash; SIZE_MAX: unknown */
    size_t template_id, model;
    size_t column;   /* promptIdx: which prompt with which provider; SIZE_MAX: unknown */
    size_t test;     /* testIdx, or the order of the file */
    size_t order;    /* of the file */
    size_t run;      /* set at the end */
    uint64_t output; /* of what was answered: equal for equal answers, 0: unknown */
    double score;
    assay_score_state state;
    size_t line;
} assay_promptfoo_result;

typedef struct assay_promptfoo_run {
    assay_table *table;
    const char *metric; /* NULL: "score" */
    const char *form;   /* of the file, for the note */
    assay_promptfoo_result *results;
    size_t n, results_capacity;
    assay_names vars, asserts, templates, models, metrics;
    char **texts, **clusters; /* by variables: NULL where none; n_told of them */
    size_t *text_columns;     /* the column that the text is of */
    size_t n_told, texts_capacity, clusters_capacity, text_columns_capacity;
    size_t n_with_metric, n_without_assertion, n_cached;
    int has_repeats_by_order; /* no testIdx in the file */
    int has_named;            /* of the result at hand: its namedScores have the metric, */
    double named;             /* with this score */
} assay_promptfoo_run; /* all zero but the table and metric is empty; free it whatever happened */

void assay_promptfoo_run_free(assay_promptfoo_run *run);

/* Add a result, whose order is set here. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_promptfoo_run_add(assay_promptfoo_run *run, assay_promptfoo_result result);

/* What variables are about: the text of the lowest column stays, and the first cluster. The same. */
assay_status assay_promptfoo_run_tell(assay_promptfoo_run *run, size_t vars, size_t column,
                                      assay_name text, assay_name cluster);

/* The index of a name in one of the run's tables. The same. */
assay_status assay_promptfoo_run_name(assay_names *names, const char *text, size_t length,
                                      size_t *index);

/* Take one of the namedScores of the result at hand: an assay_take_value, run being the run. What
   assay_json_leave() returns, or ASSAY_E_NOMEM. */
assay_status assay_promptfoo_run_take_named(void *run, assay_json_reader *reader, const char *key,
                                            const assay_value *value);

/* Variables, a part a name and a part a value, by the order of their names. */
typedef struct assay_promptfoo_vars {
    struct assay_promptfoo_var {
        size_t name, name_length, value, value_length; /* within the text */
    } * of;
    size_t n, capacity;
    assay_log_text text;
} assay_promptfoo_vars;

/* Whether a variable tells tests apart. */
int assay_promptfoo_var_counts(assay_name name);

/* Append a variable whose value stands behind its name in vars->text, value bytes from its end. */
assay_status assay_promptfoo_vars_end(assay_promptfoo_vars *vars, size_t name, size_t name_length);

/* The index of the variables' hash in the run; *vars is then empty. ASSAY_OK or ASSAY_E_NOMEM. */
assay_status assay_promptfoo_run_vars(assay_promptfoo_run *run, assay_promptfoo_vars *vars,
                                      size_t *index);

/* Put all into the table, with notes. What assay_read() returns. */
assay_status assay_promptfoo_run_finish(assay_promptfoo_run *run);

/* Whether the first bytes are a table of promptfoo; of a version that is not read. */
int assay_promptfoo_is_table(const assay_log_head *head);
int assay_promptfoo_is_old_table(const assay_log_head *head);

/* Read a table into the run, to the end of the input. ASSAY_OK; ASSAY_E_FORMAT; ASSAY_E_NOMEM. */
assay_status assay_promptfoo_table_read(assay_promptfoo_run *run);

#endif
