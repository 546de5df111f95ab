/* SPDX-License-Identifier: Apache-2.0 */
/* Readers: files, folders and standard input into a results table. */
#ifndef ASSAY_READ_H
#define ASSAY_READ_H

#include "assay/results.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_format {
    ASSAY_FORMAT_AUTO = 0, /* recognised from the content */
    ASSAY_FORMAT_CSV = 1,  /* comma- or semicolon-separated */
    ASSAY_FORMAT_TSV = 2,  /* tab-separated */
    ASSAY_FORMAT_JSONL =
        3, /* JSON rows: one object a line, or concatenated, or one array of them */
    ASSAY_FORMAT_GARAK = 4, /* report.jsonl of garak; what tools write is told in docs/formats.md */
    ASSAY_FORMAT_LM_EVAL = 5,
    ASSAY_FORMAT_INSPECT = 6,
    ASSAY_FORMAT_PROMPTFOO = 7,
    ASSAY_FORMAT_HELM = 8,
    ASSAY_FORMAT_EVERY_EVAL_EVER = 9,
    ASSAY_FORMAT_OPENCOMPASS = 10,
    ASSAY_FORMAT_SWE_BENCH = 11,
    ASSAY_FORMAT_EVALPLUS = 12,
    ASSAY_FORMAT_BIGCODEBENCH = 13,
    ASSAY_FORMAT_LIVECODEBENCH = 14,
    ASSAY_FORMAT_DEEPEVAL = 15,
    ASSAY_FORMAT_PY_IRT = 16,
    ASSAY_FORMAT_BFCL = 17,
    ASSAY_FORMAT_ALPACA_EVAL = 18,
    ASSAY_FORMAT_MT_BENCH = 19,
    ASSAY_FORMAT_LIGHTEVAL = 20,
    ASSAY_FORMAT_OLMES = 21,
    ASSAY_FORMAT_OPENAI_EVALS = 22,
    ASSAY_FORMAT_NPY = 23,     /* .npy or .npz: a matrix of scores */
    ASSAY_FORMAT_PARQUET = 24, /* where libduckdb is there */
    ASSAY_N_FORMATS = 25
} assay_format;

/* What the rows of a wide table are. */
typedef enum assay_rows {
    ASSAY_ROWS_AUTO = 0, /* the name of the first column says it */
    ASSAY_ROWS_MODELS = 1,
    ASSAY_ROWS_ITEMS = 2
} assay_rows;

/* By what items of several inputs are joined (docs/formats.md, "One item in several files"). */
typedef enum assay_join {
    ASSAY_JOIN_CONTENT = 0, /* by what they ask, where the inputs say it, else by id */
    ASSAY_JOIN_ID = 1       /* by id alone */
} assay_join;

/* Start from assay_read_options_init(); later versions add fields only at the end. Column names are
   borrowed for the call; NULL means: find the column by its usual names (docs/formats.md). */
typedef struct assay_read_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    assay_format format;
    assay_rows rows;
    const char *item, *model, *score, *template_column, *run; /* columns of a long table */
    const char *columns; /* a CSV record: of a wide table's columns read only these as items */
    const char *drop;    /* a CSV record: these are not items; kept as the models' covariates */
    int repeats; /* 1: without a run column, rows that repeat a cell are further runs of it */
    assay_progress progress;
    const char
        *metric; /* of a log with several scores: which one; NULL: its first (docs/formats.md) */
    int by_task; /* 1: rows of a model belong to its tasks (see assay_read()); 0, the default: a
                    column that names the task is one like others */
    const char *task;   /* the column that names it, with by_task */
    uint64_t *drop_met; /* NULL, the default: what drop lists must be there. Else a table may lack
                           it, and bit k is set where name k of the list, of the first 64, is met */
    const char
        *filter; /* of a log that holds answers as several filters left them: which; NULL: its
                           first (docs/formats.md) */
    assay_join join;
    const char *task_name; /* of lm-evaluation-harness: how a template's task is called, with
                              {template} and perhaps {task} in it; NULL: tasks are no templates */
} assay_read_options;

#define ASSAY_TASK_COVARIATE "task"
#define ASSAY_TASK_SEPARATOR " / "

/* What --format calls it ("lm-eval"), or NULL where there is no such format. */
ASSAY_API const char *assay_format_name(assay_format format);

ASSAY_API void assay_read_options_init(assay_read_options *options, size_t struct_size);

/**
 * Whether every name of a list that tables may lack was met in one of them: what was not is likely
 * misspelt.
 *
 * @param drop  as in the options; NULL has no names.
 * @param met   what readings set drop_met to.
 * @return ASSAY_OK; ASSAY_E_VALUE naming the first (of 64) that no table has, or when the list is
 *         malformed; ASSAY_E_NOMEM.
 */
ASSAY_API assay_status assay_read_drop_check(const char *drop, uint64_t met);

/**
 * Read one input into the table, beside what it holds already.
 *
 * A wide table has one row a model and one column an item (or the transpose); a long one has a row
 * an observation; without a column for the model, its model is called as the file is. Gzip and
 * Zstandard are undone as they are met. An option that names a column or key of a long table or of JSON
 * rows may name what is nested in one, as "scores.exact_match" does. Reading streams: memory is what
 * the table needs, and a buffer that holds the longest row. docs/formats.md says all of it.
 *
 * The first Parquet file loads libduckdb, which the environment's ASSAY_DUCKDB names, or the loader
 * finds; it stays loaded.
 *
 * Items of several inputs are joined by what they ask, where the inputs say it, and else by id; one
 * id with two contents is a conflict. Within an input the id decides.
 *
 * by_task is for tables of prompt templates, where an item is one of a task's and its name may be
 * another item in the next task: a model on a task is a model of its own in the table, called
 * "MODEL / TASK" and with the covariate "task" (ASSAY_TASK_COVARIATE). The first columns of a wide
 * table may then be called task or template in any order, without a model.
 *
 * @param path     a file; a folder (every log below it by its name's ending, in the order of their
 *                 names; one that is malformed before its first observation is left out with a
 *                 note); or "-" for standard input.
 * @param options  NULL for the defaults.
 * @return ASSAY_OK; ASSAY_E_READ when it is missing or unreadable, or a folder has nothing to read;
 *         ASSAY_E_FORMAT when it is malformed or of an unknown kind ("PATH:LINE: what, expected");
 *         ASSAY_E_CONFLICT; ASSAY_E_VALUE for options; ASSAY_E_CANCELLED; ASSAY_E_NOMEM. After a
 *         failure the table can only be freed.
 * Cost: O(bytes). Of an input beyond 4 MB one helper thread takes the SHA-256, and reads ahead in a
 * file; it ends before this returns, takes no signals and calls nothing of the caller's.
 */
ASSAY_API assay_status assay_read(assay_results *results, const char *path,
                                  const assay_read_options *options);

#ifdef __cplusplus
}
#endif
#endif
