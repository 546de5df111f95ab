/* SPDX-License-Identifier: Apache-2.0 */
/* JSON rows: objects whose keys are the columns of a long table. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results.h"
#include "read/json_roles.h"
#include "read/row.h"
#include "read/selection.h"

#include <stdlib.h>
#include <string.h>

/* The key of a role, where no option gives it: found in the rows. */
typedef struct key {
    assay_json_buffer found; /* a NULL text: none yet */
    int rank;                /* of the one found, among the usual names */
    size_t row;              /* in which it was found, from 1 */
} key;

typedef struct rows {
    assay_table *table;
    assay_json_roles roles;
    key keys[ASSAY_N_ROLES];
    size_t n, done; /* rows begun, and put into the table */
    char first_keys[ASSAY_HEADER_LIST_SIZE], ignored[ASSAY_HEADER_LIST_SIZE]; /* of row 1 */
    int counts; /* row 1 has successes and trials, and no option names the score */
} rows;

static assay_status read_values(rows *r);
static assay_status read_members(rows *r);
static assay_status choose_usual(rows *r, int *role);
static assay_status put_row(rows *r);
static void choose_score_or_counts(rows *r);
static int serves(const rows *r, int role);
static assay_status check_keys(const rows *r);
static assay_status note_keys(rows *r);
static assay_status check_given(const rows *r);
static assay_status keep_what_came(rows *r, assay_status status);

assay_status assay_json_rows_read(assay_table *table)
{
    rows r = { .table = table };
    assay_status status;

    r.roles.file = table->path;
    assay_json_roles_give(&r.roles, table->options);
    if (assay_selection_is_asked(table->options))
        return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                             "has JSON rows: --columns and --drop choose among the items of a wide "
                             "table");
    assay_results_mark_rows(table->results);
    status = assay_json_open(table->path, assay_input_read, table->input, &r.roles.reader);
    if (status == ASSAY_OK) status = read_values(&r);
    if (status == ASSAY_E_FORMAT) status = keep_what_came(&r, status);
    if (status == ASSAY_OK && r.n == 0)
        status =
            assay_fail_at(ASSAY_E_FORMAT, table->path, 0, "has no rows, expected JSON objects");
    if (status == ASSAY_OK) status = check_given(&r);
    assay_json_close(r.roles.reader);
    for (int k = 0; k < ASSAY_N_ROLES; k++) free(r.keys[k].found.text);
    assay_json_roles_free(&r.roles);
    return status;
}

/* Objects one after the other, or within arrays. */
static assay_status read_values(rows *r)
{
    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        assay_status status = assay_json_next(r->roles.reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_END) return status;
        r->roles.line = assay_json_line(r->roles.reader);
        if (event == ASSAY_JSON_ARRAY_END) continue;
        if (event == ASSAY_JSON_ARRAY && assay_json_depth(r->roles.reader) <= 1) continue;
        if (event != ASSAY_JSON_OBJECT)
            return assay_fail_at(ASSAY_E_FORMAT, r->table->path, r->roles.line,
                                 "a JSON value that is not an object, expected an object a row");
        r->n++;
        assay_json_roles_begin(&r->roles, r->roles.line);
        if ((status = read_members(r)) != ASSAY_OK) return status;
        if ((status = put_row(r)) != ASSAY_OK) return status;
        r->done++;
        if ((status = assay_table_step(r->table)) != ASSAY_OK) return status;
    }
}

static assay_status read_members(rows *r)
{
    assay_json_roles *roles = &r->roles;

    for (;;) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;
        int role;
        assay_status status = assay_json_next(roles->reader, &event, &text, &length, &number);

        if (status != ASSAY_OK || event == ASSAY_JSON_OBJECT_END) return status;
        status = assay_json_buffer_set(&roles->path, 0, text, length);
        if (status != ASSAY_OK) return status;
        role = assay_json_roles_choose(roles);
        if (role == ASSAY_JSON_NO_ROLE) status = choose_usual(r, &role);
        if (status != ASSAY_OK) return status;
        if (r->n == 1) {
            assay_header_list_add(r->first_keys, text, length);
            if (role == ASSAY_JSON_NO_ROLE) assay_header_list_add(r->ignored, text, length);
        }
        if (role == ASSAY_JSON_NO_ROLE)
            status = assay_json_skip(roles->reader);
        else if (role == ASSAY_JSON_WITHIN)
            status = assay_json_roles_descend(roles);
        else
            status = assay_json_roles_take(roles, role);
        if (status != ASSAY_OK) return status;
    }
}

/* The role whose usual names hold this key. Two of them in one row are the caller's to decide,
   except where no option does: there the more usual one serves. */
static assay_status choose_usual(rows *r, int *role)
{
    const assay_name name = { r->roles.path.text, r->roles.path.length };

    for (int k = 0; k < ASSAY_N_ROLES; k++) {
        key *of = &r->keys[k];
        int is_open =
            !r->roles.of[k].given && assay_role_is_wanted((assay_role)k, r->table->options);
        int rank = is_open ? assay_role_rank((assay_role)k, name) : -1;
        const assay_name known = { of->found.text, of->found.length };

        if (rank < 0) continue;
        if (known.text && assay_name_is(known, name.text)) {
            *role = k;
            return ASSAY_OK;
        }
        if (known.text && of->row != r->n) return ASSAY_OK;
        if (known.text && assay_role_option((assay_role)k))
            return assay_columns_fail_twins(r->table->path, r->roles.line, (assay_role)k, known,
                                            name);
        if (known.text && rank > of->rank) return ASSAY_OK;
        *role = k;
        of->rank = rank;
        of->row = r->n;
        r->roles.of[k].present = 0; /* a less usual name's value gives way */
        return assay_json_buffer_set(&of->found, 0, name.text, name.length);
    }
    return ASSAY_OK;
}

/* The key of a role: what the options say, or found in the rows; NULL: none. */
static const char *name_of(const rows *r, int role)
{
    return r->roles.of[role].given ? r->roles.of[role].given : r->keys[role].found.text;
}

static assay_status put_row(rows *r)
{
    assay_row row = { .line = r->roles.line };
    const char *score_name = name_of(r, ASSAY_ROLE_SCORE);
    assay_status status;

    if (r->n == 1) choose_score_or_counts(r);
    if ((status = check_keys(r)) != ASSAY_OK) return status;
    if (r->n == 1 && (status = note_keys(r)) != ASSAY_OK) return status;
    for (int k = 0; k < ASSAY_N_ROLES; k++) {
        const assay_json_role *of = &r->roles.of[k];

        if (!serves(r, k)) continue;
        if (of->present)
            row.field[k] = (assay_name){ of->value.text, of->value.length };
        else if (name_of(r, k))
            row.field[k] = (assay_name){ "", 0 };
    }
    row.id_kind =
        r->roles.of[ASSAY_ROLE_ITEM].kind == ASSAY_JSON_NUMBER ? ASSAY_ID_NUMBER : ASSAY_ID_TEXT;
    if (score_name) row.score_column = (assay_name){ score_name, strlen(score_name) };
    return assay_row_put(r->table, &row);
}

/* As for a long table, and for all rows as the first one has it. */
static void choose_score_or_counts(rows *r)
{
    r->counts = r->roles.of[ASSAY_ROLE_SUCCESSES].present &&
                r->roles.of[ASSAY_ROLE_TRIALS].present && !r->roles.of[ASSAY_ROLE_SCORE].given;
}

/* A score and counts of successes would say the same thing twice. */
static int serves(const rows *r, int role)
{
    if (role == ASSAY_ROLE_SCORE) return !r->counts;
    return r->counts || (role != ASSAY_ROLE_SUCCESSES && role != ASSAY_ROLE_TRIALS);
}

static assay_status no_such_key(const rows *r, assay_role role)
{
    return assay_fail_at(ASSAY_E_VALUE, r->table->path, 0, "no key \"%.60s\" (%s); there are: %s",
                         r->roles.of[role].given, assay_role_option(role), r->first_keys);
}

/* An item or a model that an option names, and the first row has not, is a name that is not there. */
static assay_status check_needed(const rows *r)
{
    static const assay_role needed[] = { ASSAY_ROLE_ITEM, ASSAY_ROLE_MODEL };

    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++)
        if (r->roles.of[needed[k]].given && !r->roles.of[needed[k]].present)
            return no_such_key(r, needed[k]);
    return ASSAY_OK;
}

/* Item and score must be known from the first row on, and each row have its item and model. */
static assay_status check_keys(const rows *r)
{
    static const assay_role needed[] = { ASSAY_ROLE_ITEM, ASSAY_ROLE_SCORE, ASSAY_ROLE_MODEL };
    assay_status status = r->n == 1 ? check_needed(r) : ASSAY_OK;

    if (status != ASSAY_OK) return status;
    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++) {
        const char *name = name_of(r, (int)needed[k]);

        if (!name && needed[k] == ASSAY_ROLE_SCORE && r->counts) continue;
        if (!name && needed[k] != ASSAY_ROLE_MODEL)
            return assay_fail_at(ASSAY_E_FORMAT, r->table->path, r->roles.line,
                                 "no key is known to hold the %s: choose with %s; there are: %s",
                                 assay_role_name(needed[k]), assay_role_option(needed[k]),
                                 r->first_keys);
        if (name && !r->roles.of[needed[k]].present && needed[k] != ASSAY_ROLE_SCORE)
            return assay_fail_at(ASSAY_E_FORMAT, r->table->path, r->roles.line,
                                 "a row without \"%.60s\", expected its %s", name,
                                 assay_role_name(needed[k]));
    }
    return ASSAY_OK;
}

static assay_status note_keys(rows *r)
{
    char mapping[ASSAY_TABLE_NOTE_SIZE];
    assay_name of[ASSAY_N_ROLES] = { { NULL, 0 } };

    for (int k = 0; k < ASSAY_N_ROLES; k++) {
        const char *name = name_of(r, k);
        if (name && serves(r, k)) of[k] = (assay_name){ name, strlen(name) };
    }
    assay_table_describe(mapping, "JSON rows", of, "keys", r->ignored);
    return assay_table_note_mapping(r->table, mapping);
}

static assay_status check_given(const rows *r)
{
    for (int k = 0; k < ASSAY_N_ROLES; k++)
        if (r->roles.of[k].given && !r->roles.of[k].ever) return no_such_key(r, (assay_role)k);
    return ASSAY_OK;
}

/* A log that was cut off keeps the rows that are whole. */
static assay_status keep_what_came(rows *r, assay_status status)
{
    int is_cut = assay_json_is_cut(r->roles.reader) || assay_input_is_cut(r->table->input);

    if (!is_cut || r->done == 0) return status;
    assay_results_mark_damaged(r->table->results);
    return assay_results_add_note(r->table->results,
                                  "%s:%zu: cut short; the %zu rows before were "
                                  "read",
                                  r->table->path, assay_json_line(r->roles.reader), r->done);
}
