/* SPDX-License-Identifier: Apache-2.0 */
#include "read/selection.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 60 };

static assay_status mark_listed(const char *option, const char *list, const char *path,
                                const assay_header *header, unsigned char *is_item,
                                unsigned char mark, uint64_t *met);
static assay_status find_column(const char *option, const char *path, const assay_header *header,
                                const unsigned char *is_item, assay_name name, size_t *column,
                                char items[ASSAY_HEADER_LIST_SIZE]);
static void meet(uint64_t *met, size_t name);
static int is_listed(const assay_header *list, unsigned char *seen, assay_name name);
static assay_status check_list(const assay_header *list, const unsigned char *seen,
                               const char *option, const char *path, const char *items);
static assay_status fail_unknown(const char *option, const char *path, assay_name name,
                                 const char *items);

/* Marks on is_item beside MAY_BE, which the caller set. */
enum { MAY_BE = 1, WANTED = 2, DROPPED = 4 };

assay_status assay_selection_of_columns(const assay_read_options *options, const char *path,
                                        const assay_header *header, unsigned char *is_item)
{
    int all = !options->columns || !*options->columns;
    assay_status status =
        mark_listed("--columns", options->columns, path, header, is_item, WANTED, NULL);

    if (status == ASSAY_OK)
        status =
            mark_listed("--drop", options->drop, path, header, is_item, DROPPED, options->drop_met);
    for (size_t c = 0; c < header->n; c++)
        is_item[c] =
            (is_item[c] & MAY_BE) && (all || is_item[c] & WANTED) && !(is_item[c] & DROPPED);
    return status;
}

static assay_status mark_listed(const char *option, const char *list, const char *path,
                                const assay_header *header, unsigned char *is_item,
                                unsigned char mark, uint64_t *met)
{
    assay_header names = { 0 };
    assay_status status = assay_header_from_list(&names, option, list);

    for (size_t k = 0; status == ASSAY_OK && k < names.n; k++) {
        char items[ASSAY_HEADER_LIST_SIZE] = "";
        size_t column;

        status = find_column(option, path, header, is_item, names.names[k], &column, items);
        if (status == ASSAY_OK && column < header->n) {
            is_item[column] |= mark;
            meet(met, k);
        } else if (status == ASSAY_OK && !met) {
            status = fail_unknown(option, path, names.names[k], items);
        }
    }
    assay_header_free(&names);
    return status;
}

/* Names beyond the bits are not kept track of. */
static void meet(uint64_t *met, size_t name)
{
    if (met && name < 64) *met |= (uint64_t)1 << name;
}

/* The column of that name, header->n where there is none; then items lists those that there are. */
static assay_status find_column(const char *option, const char *path, const assay_header *header,
                                const unsigned char *is_item, assay_name name, size_t *column,
                                char items[ASSAY_HEADER_LIST_SIZE])
{
    ptrdiff_t exact = assay_header_find(header, name.text, name.length);
    char alike[ASSAY_HEADER_LIST_SIZE] = "";
    size_t n_alike = 0;

    if (exact >= 0 && is_item[exact]) {
        *column = (size_t)exact;
        return ASSAY_OK;
    }
    for (size_t c = 0; c < header->n; c++) {
        assay_name other = header->names[c];

        if (!is_item[c]) continue;
        assay_header_list_add(items, other.text, other.length);
        if (!assay_name_is_nearly(name, other)) continue;
        assay_header_list_add(alike, other.text, other.length);
        *column = c;
        n_alike++;
    }
    if (n_alike == 0) *column = header->n;
    if (n_alike <= 1) return ASSAY_OK;
    return assay_fail_at(ASSAY_E_VALUE, path, 0, "\"%.*s\" (%s) could be each of: %s",
                         (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX), name.text,
                         option, alike);
}

static assay_status fail_unknown(const char *option, const char *path, assay_name name,
                                 const char *items)
{
    return assay_fail_at(
        ASSAY_E_VALUE, path, 0, "\"%.*s\" (%s) is not among its items; there are: %s",
        (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX), name.text, option, items);
}

int assay_selection_is_asked(const assay_read_options *options)
{
    return options->columns || (options->drop && !options->drop_met);
}

assay_status assay_selection_open(assay_selection *selection, const assay_read_options *options)
{
    assay_status status;

    *selection = (assay_selection){ .drop_met = options->drop_met };
    status = assay_header_from_list(&selection->columns, "--columns", options->columns);
    if (status == ASSAY_OK)
        status = assay_header_from_list(&selection->drop, "--drop", options->drop);
    if (status != ASSAY_OK) return status;
    selection->columns_seen = assay_alloc_zero(selection->columns.n, 1);
    selection->drop_seen = assay_alloc_zero(selection->drop.n, 1);
    if (!selection->columns_seen || !selection->drop_seen)
        return assay_fail(ASSAY_E_NOMEM, "no memory for a list of columns");
    return ASSAY_OK;
}

void assay_selection_free(assay_selection *selection)
{
    assay_header_free(&selection->columns);
    assay_header_free(&selection->drop);
    free(selection->columns_seen);
    free(selection->drop_seen);
}

int assay_selection_takes(assay_selection *selection, assay_name name)
{
    int wanted = is_listed(&selection->columns, selection->columns_seen, name);
    int dropped = is_listed(&selection->drop, selection->drop_seen, name);

    if (selection->columns.n > 0 || selection->drop.n > 0)
        assay_header_list_add(selection->items, name.text, name.length);
    return (wanted || selection->columns.n == 0) && !dropped;
}

static int is_listed(const assay_header *list, unsigned char *seen, assay_name name)
{
    ptrdiff_t found = list->n > 0 ? assay_header_find(list, name.text, name.length) : -1;

    if (found < 0) return 0;
    seen[found] = 1;
    return 1;
}

assay_status assay_selection_check(const assay_selection *selection, const char *path)
{
    assay_status status = check_list(&selection->columns, selection->columns_seen, "--columns",
                                     path, selection->items);

    if (status != ASSAY_OK) return status;
    if (!selection->drop_met)
        return check_list(&selection->drop, selection->drop_seen, "--drop", path, selection->items);
    for (size_t k = 0; k < selection->drop.n; k++)
        if (selection->drop_seen[k]) meet(selection->drop_met, k);
    return ASSAY_OK;
}

assay_status assay_read_drop_check(const char *drop, uint64_t met)
{
    assay_header names = { 0 };
    assay_status status = assay_header_from_list(&names, "--drop", drop);

    for (size_t k = 0; status == ASSAY_OK && k < names.n && k < 64; k++)
        if (!(met >> k & 1))
            status = assay_fail(
                ASSAY_E_VALUE, "\"%.*s\" (--drop) is an item of none of the tables",
                (int)(names.names[k].length < SHOWN_MAX ? names.names[k].length : SHOWN_MAX),
                names.names[k].text);
    assay_header_free(&names);
    return status;
}

static assay_status check_list(const assay_header *list, const unsigned char *seen,
                               const char *option, const char *path, const char *items)
{
    for (size_t k = 0; k < list->n; k++)
        if (!seen[k]) return fail_unknown(option, path, list->names[k], items);
    return ASSAY_OK;
}
