/* SPDX-License-Identifier: Apache-2.0 */
#include "read/columns.h"

#include "core/error.h"

#include <string.h>
#include <strings.h>

enum { ALIASES_MAX = 13, SHOWN_MAX = 60 };

static const struct role {
    const char *name, *option;
    const char *aliases[ALIASES_MAX];
} roles[ASSAY_N_ROLES] = {
    [ASSAY_ROLE_MODEL] = { "model",
                           "--model",
                           { "model", "model_id", "model_name", "system", "subject", "subject_id",
                             "provider", "agent", "llm" } },
    [ASSAY_ROLE_ITEM] = { "item",
                          "--item",
                          { "item", "item_id", "question_id", "doc_id", "sample_id", "instance_id",
                            "task_id", "problem_id", "input_id", "example_id", "id" } },
    [ASSAY_ROLE_SCORE] = { "score",
                           "--score",
                           { "score", "correct", "is_correct", "acc", "accuracy", "exact_match",
                             "resolved", "reward", "value", "passed", "pass@1", "pass1" } },
    [ASSAY_ROLE_TEMPLATE] = { "template",
                              "--template",
                              { "template", "prompt_id", "prompt_template", "promptId",
                                "variant" } },
    [ASSAY_ROLE_RUN] = { "run",
                         "--run",
                         { "run", "run_idx", "epoch", "trial", "seed", "repeat", "sample" } },
    [ASSAY_ROLE_CLUSTER] = { "cluster",
                             NULL,
                             { "cluster", "cluster_id", "group", "passage_id", "category",
                               "subtask" } },
    [ASSAY_ROLE_SUCCESSES] = { "successes",
                               NULL,
                               { "successes", "n_successes", "n_correct", "correct_count" } },
    [ASSAY_ROLE_TRIALS] = { "trials", NULL, { "trials", "n_trials", "n_runs", "attempts" } },
    [ASSAY_ROLE_TASK] = { "task", "--task", { "task", "task_name" } },
    [ASSAY_ROLE_TEXT] = { "text", NULL, { "text", "prompt", "input", "question" } },
};

static assay_status find_given(const char *path, const assay_header *header,
                               const assay_read_options *options, assay_columns *columns);
static ptrdiff_t find_outer(const assay_header *header, const char *given);
static ptrdiff_t find_usual(const assay_header *header, const assay_columns *given, assay_role role,
                            ptrdiff_t *second);
static assay_status find_keys_of_one_model(const char *path, const assay_header *header,
                                           const assay_read_options *options,
                                           assay_columns *columns);
static int is_given(const assay_columns *columns, ptrdiff_t column, int role);
static assay_status find_long(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns);
static void choose_score_or_counts(assay_columns *columns, int counts);
static assay_status find_wide(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns);
static assay_status find_rows(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns);
static assay_status find_keys(const char *path, const assay_header *header,
                              const assay_read_options *options, size_t first,
                              assay_columns *columns);
static int role_of_key(const assay_header *header, const assay_read_options *options,
                       const assay_columns *given, ptrdiff_t column);

const char *assay_role_name(assay_role role)
{
    return roles[role].name;
}

const char *assay_role_option(assay_role role)
{
    return roles[role].option;
}

const char *assay_role_given(assay_role role, const assay_read_options *options)
{
    switch (role) {
    case ASSAY_ROLE_MODEL: return options->model;
    case ASSAY_ROLE_ITEM: return options->item;
    case ASSAY_ROLE_SCORE: return options->score;
    case ASSAY_ROLE_TEMPLATE: return options->template_column;
    case ASSAY_ROLE_RUN: return options->run;
    case ASSAY_ROLE_TASK: return options->by_task ? options->task : NULL;
    default: return NULL;
    }
}

int assay_role_is_wanted(assay_role role, const assay_read_options *options)
{
    return role != ASSAY_ROLE_TASK || options->by_task;
}

int assay_role_rank(assay_role role, assay_name name)
{
    for (int k = 0; k < ALIASES_MAX && roles[role].aliases[k]; k++)
        if (assay_name_is_nearly(
                name, (assay_name){ roles[role].aliases[k], strlen(roles[role].aliases[k]) }))
            return k;
    return -1;
}

assay_status assay_roles_check(const assay_read_options *options)
{
    for (int r = 0; r < ASSAY_N_ROLES; r++) {
        const char *given = assay_role_given((assay_role)r, options);

        for (int other = 0; given && other < r; other++) {
            const char *same = assay_role_given((assay_role)other, options);

            if (!same || strcmp(same, given) != 0) continue;
            return assay_fail(ASSAY_E_VALUE,
                              "%s and %s both name \"%.60s\", expected a column each",
                              roles[other].option, roles[r].option, given);
        }
    }
    return ASSAY_OK;
}

assay_status assay_columns_find(const char *path, const assay_header *header,
                                const assay_read_options *options, assay_columns *columns)
{
    ptrdiff_t item, score, second;
    int counted;
    assay_status status = find_given(path, header, options, columns);

    if (status != ASSAY_OK) return status;
    item = columns->of[ASSAY_ROLE_ITEM];
    score = columns->of[ASSAY_ROLE_SCORE];
    if (item < 0) item = find_usual(header, columns, ASSAY_ROLE_ITEM, &second);
    if (score < 0) score = find_usual(header, columns, ASSAY_ROLE_SCORE, &second);
    counted = find_usual(header, columns, ASSAY_ROLE_SUCCESSES, &second) >= 0 &&
              find_usual(header, columns, ASSAY_ROLE_TRIALS, &second) >= 0;
    columns->is_long = options->rows == ASSAY_ROWS_AUTO && item >= 0 && (score >= 0 || counted);
    if (!columns->is_long && options->by_task && item >= 0 && options->rows == ASSAY_ROWS_AUTO)
        return assay_fail_at(ASSAY_E_FORMAT, path, 1,
                             "a column of items and none of scores, expected \"score\" or --score "
                             "COLUMN");
    if (!columns->is_long) return find_wide(path, header, options, columns);
    status = find_long(path, header, options, columns);
    choose_score_or_counts(columns, counted && !options->score);
    return status;
}

/* A score and counts of successes would say the same thing twice. */
static void choose_score_or_counts(assay_columns *columns, int counts)
{
    if (counts) {
        columns->of[ASSAY_ROLE_SCORE] = ASSAY_NO_COLUMN;
    } else {
        columns->of[ASSAY_ROLE_SUCCESSES] = ASSAY_NO_COLUMN;
        columns->of[ASSAY_ROLE_TRIALS] = ASSAY_NO_COLUMN;
    }
}

static assay_status find_given(const char *path, const assay_header *header,
                               const assay_read_options *options, assay_columns *columns)
{
    char list[ASSAY_HEADER_LIST_SIZE];

    for (int r = 0; r < ASSAY_N_ROLES; r++) {
        const char *given = assay_role_given((assay_role)r, options);

        columns->of[r] = ASSAY_NO_COLUMN;
        columns->is_within[r] = 0;
        if (!given) continue;
        columns->of[r] = assay_header_find(header, given, strlen(given));
        if (columns->of[r] < 0) {
            columns->of[r] = find_outer(header, given);
            columns->is_within[r] = columns->of[r] >= 0;
        }
        if (columns->of[r] < 0)
            return assay_fail_at(ASSAY_E_VALUE, path, 0, "no column \"%.60s\" (%s); there are: %s",
                                 given, roles[r].option, assay_header_list(header, list));
    }
    return ASSAY_OK;
}

/* The column with the longest name before one of the dots. */
static ptrdiff_t find_outer(const assay_header *header, const char *given)
{
    for (size_t length = strlen(given); length-- > 1;) {
        ptrdiff_t found =
            given[length] == '.' ? assay_header_find(header, given, length) : ASSAY_NO_COLUMN;

        if (found >= 0) return found;
    }
    return ASSAY_NO_COLUMN;
}

/* The column with the first of a role's usual names, and another one with any of them, or none;
   given are the columns that have their role already. */
static ptrdiff_t find_usual(const assay_header *header, const assay_columns *given, assay_role role,
                            ptrdiff_t *second)
{
    ptrdiff_t found = ASSAY_NO_COLUMN;
    int best = ALIASES_MAX;

    *second = ASSAY_NO_COLUMN;
    for (size_t c = 0; c < header->n; c++) {
        int rank = assay_role_rank(role, header->names[c]);

        if (rank < 0 || is_given(given, (ptrdiff_t)c, (int)role)) continue;
        if (rank < best) {
            *second = found;
            found = (ptrdiff_t)c;
            best = rank;
        } else {
            *second = (ptrdiff_t)c;
        }
    }
    return found;
}

/* Whether an option gives the column to another role. */
static int is_given(const assay_columns *columns, ptrdiff_t column, int role)
{
    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (r != role && columns->of[r] == column) return 1;
    return 0;
}

static assay_status find_long(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns)
{
    const assay_columns given = *columns;

    for (int r = 0; r < ASSAY_N_ROLES; r++) {
        ptrdiff_t second;

        if (given.of[r] >= 0 || !assay_role_is_wanted((assay_role)r, options)) continue;
        columns->of[r] = find_usual(header, &given, (assay_role)r, &second);
        if (second >= 0 && roles[r].option)
            return assay_columns_fail_twins(path, 1, (assay_role)r, header->names[columns->of[r]],
                                            header->names[second]);
    }
    return ASSAY_OK;
}

assay_status assay_columns_fail_twins(const char *path, size_t line, assay_role role,
                                      assay_name first, assay_name second)
{
    return assay_fail_at(ASSAY_E_FORMAT, path, line,
                         "columns %.*s and %.*s could both be the %s: choose with %s",
                         (int)(first.length < SHOWN_MAX ? first.length : SHOWN_MAX), first.text,
                         (int)(second.length < SHOWN_MAX ? second.length : SHOWN_MAX), second.text,
                         roles[role].name, roles[role].option);
}

static assay_status find_wide(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns)
{
    char list[ASSAY_HEADER_LIST_SIZE];
    int lacks_item = options->score && !options->item;

    for (int r = 0; r < ASSAY_N_ROLES; r++)
        if (columns->is_within[r] && options->rows != ASSAY_ROWS_AUTO)
            return assay_fail_at(ASSAY_E_VALUE, path, 0, "no column \"%.60s\" (%s); there are: %s",
                                 assay_role_given((assay_role)r, options), roles[r].option,
                                 assay_header_list(header, list));

    if (options->rows == ASSAY_ROWS_AUTO && (options->score || (options->item && options->model)))
        return assay_fail_at(ASSAY_E_FORMAT, path, 1,
                             "no column is known to hold the %s: choose with %s; there are: %s",
                             lacks_item ? "items" : "scores", lacks_item ? "--item" : "--score",
                             assay_header_list(header, list));
    return find_rows(path, header, options, columns);
}

static assay_status find_rows(const char *path, const assay_header *header,
                              const assay_read_options *options, assay_columns *columns)
{
    assay_name first = header->names[0];
    assay_role key;

    columns->rows = options->rows;
    if (options->by_task && columns->rows != ASSAY_ROWS_ITEMS && !options->model &&
        !options->item && role_of_key(header, options, columns, 0) >= 0)
        return find_keys_of_one_model(path, header, options, columns);
    if (columns->rows == ASSAY_ROWS_AUTO && options->model) columns->rows = ASSAY_ROWS_MODELS;
    if (columns->rows == ASSAY_ROWS_AUTO && options->item) columns->rows = ASSAY_ROWS_ITEMS;
    if (columns->rows == ASSAY_ROWS_AUTO) {
        if (assay_role_rank(ASSAY_ROLE_MODEL, first) >= 0 ||
            (first.length >= 5 && strncasecmp(first.text, "model", 5) == 0))
            columns->rows = ASSAY_ROWS_MODELS;
        else if (assay_role_rank(ASSAY_ROLE_ITEM, first) >= 0 ||
                 (first.length >= 4 && strncasecmp(first.text, "item", 4) == 0))
            columns->rows = ASSAY_ROWS_ITEMS;
        else
            return assay_fail_at(ASSAY_E_FORMAT, path, 1,
                                 "the first column is called \"%.*s\", which does not say what the "
                                 "rows are: choose with --rows models or --rows items; or for a "
                                 "table of one observation a row, with --item and --score",
                                 (int)(first.length < SHOWN_MAX ? first.length : SHOWN_MAX),
                                 first.text);
    }
    key = columns->rows == ASSAY_ROWS_MODELS ? ASSAY_ROLE_MODEL : ASSAY_ROLE_ITEM;
    if (columns->of[key] < 0 && is_given(columns, 0, (int)key))
        return assay_fail_at(
            ASSAY_E_VALUE, path, 1,
            "an option names the first column \"%.*s\", which holds the %s: choose "
            "another with %s",
            (int)(first.length < SHOWN_MAX ? first.length : SHOWN_MAX), first.text,
            key == ASSAY_ROLE_MODEL ? "models" : "items", roles[key].option);
    if (columns->of[key] < 0) columns->of[key] = 0;
    if (columns->rows == ASSAY_ROWS_MODELS)
        return find_keys(path, header, options, (size_t)columns->of[key] + 1, columns);
    if (options->template_column || options->run)
        return assay_fail_at(ASSAY_E_VALUE, path, 1,
                             "rows are items, and each column is a model: --template and --run "
                             "have no place here");
    return ASSAY_OK;
}

/* A table that begins with a row's other keys; its model may come among them. */
static assay_status find_keys_of_one_model(const char *path, const assay_header *header,
                                           const assay_read_options *options,
                                           assay_columns *columns)
{
    columns->rows = ASSAY_ROWS_MODELS;
    return find_keys(path, header, options, 0, columns);
}

/* Template, run and task of a row stand right after its model, or first. */
static assay_status find_keys(const char *path, const assay_header *header,
                              const assay_read_options *options, size_t first,
                              assay_columns *columns)
{
    const assay_columns given = *columns;

    for (size_t c = first; c < header->n; c++) {
        int role = role_of_key(header, options, &given, (ptrdiff_t)c);

        if (role < 0) return ASSAY_OK;
        if (columns->of[role] >= 0 && columns->of[role] != (ptrdiff_t)c)
            return assay_columns_fail_twins(path, 1, (assay_role)role,
                                            header->names[columns->of[role]], header->names[c]);
        columns->of[role] = (ptrdiff_t)c;
    }
    return ASSAY_OK;
}

/* The role of a row's key other than its item, or -1. */
static int role_of_key(const assay_header *header, const assay_read_options *options,
                       const assay_columns *given, ptrdiff_t column)
{
    static const assay_role keys[] = { ASSAY_ROLE_TEMPLATE, ASSAY_ROLE_RUN, ASSAY_ROLE_TASK,
                                       ASSAY_ROLE_MODEL };
    const size_t n = options->by_task ? 4 : 2;

    for (size_t k = 0; k < n; k++)
        if (given->of[keys[k]] == column) return (int)keys[k];
    for (size_t k = 0; k < n; k++)
        if (given->of[keys[k]] < 0 && !is_given(given, column, (int)keys[k]) &&
            assay_role_rank(keys[k], header->names[column]) >= 0)
            return (int)keys[k];
    return -1;
}
