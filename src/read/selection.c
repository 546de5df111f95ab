/* SPDX-License-Identifier: Apache-2.0 */
#include "read/selection.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

enum { SHOWN_MAX = 60 };

static int is_listed(const assay_header *list, unsigned char *seen, assay_name name);
static assay_status check_list(const assay_header *list, const unsigned char *seen,
                               const char *option, const char *path);

assay_status assay_selection_open(assay_selection *selection, const assay_read_options *options)
{
    assay_status status;

    *selection = (assay_selection){ 0 };
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
    assay_status status =
        check_list(&selection->columns, selection->columns_seen, "--columns", path);

    if (status != ASSAY_OK) return status;
    return check_list(&selection->drop, selection->drop_seen, "--drop", path);
}

static assay_status check_list(const assay_header *list, const unsigned char *seen,
                               const char *option, const char *path)
{
    for (size_t k = 0; k < list->n; k++) {
        assay_name name = list->names[k];

        if (seen[k]) continue;
        return assay_fail_at(ASSAY_E_VALUE, path, 0, "\"%.*s\" (%s) is not among its items",
                             (int)(name.length < SHOWN_MAX ? name.length : SHOWN_MAX), name.text,
                             option);
    }
    return ASSAY_OK;
}
