/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of templates and items, and lists of cells and groups by these ids, from CSV or TSV files. */
#ifndef ASSAY_CELLS_H
#define ASSAY_CELLS_H

#include "assay/base.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the ids are of. */
typedef enum assay_axis { ASSAY_AXIS_TEMPLATES = 0, ASSAY_AXIS_ITEMS = 1 } assay_axis;

/* A file as it was read: the digest of its bytes on disk, 64 hexadecimal digits, and its rows. */
typedef struct assay_read_file {
    char sha256[65];
    uint64_t rows;
} assay_read_file;

/* Ids in order. Opaque; free with assay_ids_free(). */
typedef struct assay_ids assay_ids;

/* The positions 0 .. n - 1 as ids. ASSAY_OK; ASSAY_E_SHAPE unless n is from 1 to 2^31 - 1;
   ASSAY_E_NOMEM. */
ASSAY_API assay_status assay_ids_count(assay_axis axis, size_t n, assay_ids **out);

/**
 * Read ids, one a row.
 *
 * They stand in the column that is called "template" (or another usual name of templates, or "id"),
 * or "item" (likewise). A file whose first row has no such column has no header, and its first
 * column holds the ids. docs/formats.md lists the usual names.
 *
 * @param out  owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT, naming the line, for a blank id, one that comes
 *         twice, a row of another length, and a file without ids; ASSAY_E_NOMEM.
 * Cost: O(bytes).
 */
ASSAY_API assay_status assay_ids_read(assay_axis axis, const char *path, assay_ids **out);
ASSAY_API void assay_ids_free(assay_ids *ids); /* NULL is fine */

ASSAY_API size_t assay_ids_n(const assay_ids *ids);

/* An id, owned by ids; NULL where the ids are positions. */
ASSAY_API const char *assay_ids_text(const assay_ids *ids, size_t index);

/* The file that they came from, owned by ids; NULL where they are positions. */
ASSAY_API const assay_read_file *assay_ids_file(const assay_ids *ids);

/* A list of cells. Opaque; free with assay_cell_list_free(). */
typedef struct assay_cell_list assay_cell_list;

/**
 * Read cells, one a row: the columns template and item, by their usual names; others are ignored.
 * Where there is a column of scores too, a row without one is a cell that was not run.
 *
 * @param templates, items  what the ids in the file are; borrowed for the call.
 * @return ASSAY_OK, also for no row below the header; ASSAY_E_READ; ASSAY_E_FORMAT, naming the
 *         line, for a missing column or an id that is not among the given ones; ASSAY_E_NOMEM.
 * Cost: O(bytes).
 */
ASSAY_API assay_status assay_cell_list_read(const char *path, const assay_ids *templates,
                                            const assay_ids *items, assay_cell_list **out);
ASSAY_API void assay_cell_list_free(assay_cell_list *cells); /* NULL is fine */

/* How many there are, in the order of the file, and their indices, owned by cells. */
ASSAY_API size_t assay_cell_list_get(const assay_cell_list *cells, const size_t **templates,
                                     const size_t **items);

/* The file that they came from, owned by cells. */
ASSAY_API const assay_read_file *assay_cell_list_file(const assay_cell_list *cells);

/**
 * Read the group of every item: the columns item and stratum (or topic, or a usual name of
 * clusters), such as the list of topics that `assay score --topics` writes.
 *
 * @param groups  as many numbers as there are items, counted from 0 by first appearance.
 * @return as assay_cell_list_read(); ASSAY_E_FORMAT also for an item with two groups, and
 *         ASSAY_E_SHAPE for one without any.
 */
ASSAY_API assay_status assay_groups_read(const char *path, const assay_ids *items, size_t *groups);

/* The same, also telling of the file. */
ASSAY_API assay_status assay_groups_read_file(const char *path, const assay_ids *items,
                                              size_t *groups, assay_read_file *file);

#ifdef __cplusplus
}
#endif
#endif
