/* SPDX-License-Identifier: Apache-2.0 */
/* What the columns of a table are: found by their usual names, or as the caller says. */
#ifndef ASSAY_READ_COLUMNS_H
#define ASSAY_READ_COLUMNS_H

#include "assay/read.h"
#include "read/header.h"

typedef enum assay_role {
    ASSAY_ROLE_MODEL,
    ASSAY_ROLE_ITEM,
    ASSAY_ROLE_SCORE,
    ASSAY_ROLE_TEMPLATE,
    ASSAY_ROLE_RUN,
    ASSAY_ROLE_CLUSTER,
    ASSAY_ROLE_TEXT,
    ASSAY_ROLE_SUCCESSES, /* with trials, in place of a score: so many of so many runs */
    ASSAY_ROLE_TRIALS,
    ASSAY_ROLE_TASK, /* only where the options split models by it */
    ASSAY_N_ROLES
} assay_role;

typedef struct assay_columns {
    int is_long;
    assay_rows rows;             /* of a wide table: ASSAY_ROWS_MODELS or ASSAY_ROWS_ITEMS */
    ptrdiff_t of[ASSAY_N_ROLES]; /* the column of each role, or ASSAY_NO_COLUMN */
    unsigned char is_within[ASSAY_N_ROLES]; /* the role's value is within the JSON of that column's
                                               cells, where "COLUMN.KEY" names it */
} assay_columns;

/* "item"; "--item", NULL for a role that no option decides; what the options say, or NULL. */
const char *assay_role_name(assay_role role);
const char *assay_role_option(assay_role role);
const char *assay_role_given(assay_role role, const assay_read_options *options);

/* ASSAY_OK; ASSAY_E_VALUE when two options name one column. */
assay_status assay_roles_check(const assay_read_options *options);

/* The place of a name among the usual ones of a role, from 0, whatever its case and with spaces or
   dashes for underscores; -1: not one. */
int assay_role_rank(assay_role role, assay_name name);

/* Whether the options have a role at all. */
int assay_role_is_wanted(assay_role role, const assay_read_options *options);

/**
 * Decide what a table is and what its columns are.
 *
 * It is long when a column holds items and one holds scores (or two hold successes and trials, which then
 * serve unless an option names the score), by usual name or by option, and
 * options->rows does not say otherwise. In a wide table the first column (or the one that an option
 * names) holds the names of the rows; where rows are models, the columns after it that are called
 * like a template, a run or (where wanted) a task belong to the row as well; where tasks are wanted
 * these may come first, and there may be no model. A column that an option gives to one role is
 * not looked at for another. Of a long table an option may name what is within a column of JSON:
 * "scores.exact_match" of the column "scores", where no column has the whole name.
 *
 * @param options  checked by assay_roles_check().
 * @return ASSAY_OK; ASSAY_E_VALUE when an option names a column that is not there, or that holds
 *         the names of the rows; ASSAY_E_FORMAT when two columns could have one role (but for cluster
 *         and text, where the more usual name serves), or when it is not known what the rows of a
 *         wide table are.
 */
assay_status assay_columns_find(const char *path, const assay_header *header,
                                const assay_read_options *options, assay_columns *columns);

/* Fail because two columns or keys could have one role. Returns ASSAY_E_FORMAT. */
assay_status assay_columns_fail_twins(const char *path, size_t line, assay_role role,
                                      assay_name first, assay_name second);

#endif
