/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the ids that are asked for a row belongs to. */
#include "core/error.h"
#include "core/memory.h"
#include "read/features.h"

#include <stdlib.h>
#include <string.h>

struct assay_id_place {
    const char *id;
    size_t at;
};

static int compare(const void *a, const void *b)
{
    const struct assay_id_place *x = a, *y = b;

    return strcmp(x->id, y->id);
}

assay_status assay_id_places_new(const char *const *ids, size_t n, const char *what,
                                 assay_id_places *out)
{
    *out = (assay_id_places){ .what = what, .ids = ids, .n = n };
    out->sorted = assay_alloc(n, sizeof *out->sorted);
    out->filled = assay_alloc_zero(n, 1);
    if (!out->sorted || !out->filled) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu ids", n);
    for (size_t k = 0; k < n; k++)
        if (ids[k]) out->sorted[out->n_named++] = (struct assay_id_place){ ids[k], k };
    qsort(out->sorted, out->n_named, sizeof *out->sorted, compare);
    return ASSAY_OK;
}

void assay_id_places_free(assay_id_places *places)
{
    free(places->sorted);
    free(places->filled);
}

/* Text that is not ended by NUL against one that is. */
static int compare_text(const char *text, size_t length, const char *id)
{
    int order = strncmp(text, id, length);

    return order != 0 ? order : id[length] ? -1 : 0;
}

ptrdiff_t assay_id_places_find(const assay_id_places *places, const char *text, size_t length)
{
    size_t low = 0, high = places->n_named;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_text(text, length, places->sorted[middle].id);

        if (order == 0) return (ptrdiff_t)places->sorted[middle].at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

assay_status assay_id_places_fill(assay_id_places *places, size_t place, size_t line)
{
    if (places->filled[place])
        return assay_fail_at(ASSAY_E_CONFLICT, places->path, line,
                             "a second row of the %s \"%.60s\", expected one", places->what,
                             places->ids[place]);
    places->filled[place] = 1;
    return ASSAY_OK;
}

assay_status assay_id_places_check(const assay_id_places *places, const char *first)
{
    size_t missing = 0, n_missing = 0;

    for (size_t k = places->n; k-- > 0;)
        if (!places->filled[k]) missing = k, n_missing++;
    if (n_missing == 0) return ASSAY_OK;
    if (!places->ids[missing])
        return assay_fail_at(ASSAY_E_SHAPE, places->path, 0,
                             "rows have ids, but one %s is only counted and has none",
                             places->what);
    if (n_missing == places->n && first)
        return assay_fail_at(ASSAY_E_SHAPE, places->path, 0,
                             "none of its ids, of which the first is \"%.60s\", is a %s's; theirs "
                             "begin with \"%.60s\"",
                             first, places->what, places->ids[missing]);
    return assay_fail_at(ASSAY_E_SHAPE, places->path, 0, "no row for the %s \"%.60s\"",
                         places->what, places->ids[missing]);
}

assay_status assay_id_places_fail_count(const assay_id_places *places, size_t n_rows)
{
    return assay_fail_at(ASSAY_E_SHAPE, places->path, 0,
                         "%zu rows without ids, expected one for each of %zu %ss", n_rows,
                         places->n, places->what);
}
