/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/cells.h"

#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "read/fields.h"
#include "read/score_text.h"

#include <stdlib.h>
#include <string.h>

struct assay_ids {
    assay_read_file file;
    assay_axis axis;
    size_t n;
    int are_positions;
    assay_names names;
};

struct assay_cell_list {
    assay_read_file file;
    size_t *templates, *items, n, template_capacity, item_capacity;
};

/* What a callback needs of the call. */
typedef struct context {
    const char *path;
    const assay_ids *templates, *items;
    assay_ids *ids;
    assay_cell_list *cells;
    size_t *groups;
    assay_names group_names;
    assay_take_fields take;
    uint64_t rows;
} context;

static const size_t NO_GROUP = (size_t)-1;

static assay_status read_file(const char *path, const assay_wanted *wanted, size_t n, int headless,
                              context *c, assay_read_file *file);
static assay_status new_ids(assay_axis axis, assay_ids **out);
static assay_status take_id(void *user, size_t line, const assay_name *fields);
static assay_status take_cell(void *user, size_t line, const assay_name *fields);
static assay_status take_group(void *user, size_t line, const assay_name *fields);
static assay_status check_groups(const context *c);
static assay_status find_id(const context *c, const assay_ids *ids, size_t line, assay_name id,
                            size_t *index);
static ptrdiff_t look_up(const assay_ids *ids, assay_name id);
static assay_status no_memory(const char *path);

static const char *const axis_name[] = { "template", "item" };
static const assay_role axis_role[] = { ASSAY_ROLE_TEMPLATE, ASSAY_ROLE_ITEM };

assay_status assay_ids_count(assay_axis axis, size_t n, assay_ids **out)
{
    assay_status status;

    *out = NULL;
    if (n < 1 || n > INT32_MAX)
        return assay_fail(ASSAY_E_SHAPE, "%zu %ss, expected 1 to %d", n, axis_name[axis],
                          INT32_MAX);
    if ((status = new_ids(axis, out)) != ASSAY_OK) return status;
    (*out)->n = n;
    (*out)->are_positions = 1;
    return ASSAY_OK;
}

assay_status assay_ids_read(assay_axis axis, const char *path, assay_ids **out)
{
    const assay_wanted wanted[] = { { axis_role[axis], axis_name[axis], 1 },
                                    { ASSAY_N_ROLES, "id", 1 } };
    context c = { .path = path, .take = take_id };
    assay_status status;

    *out = NULL;
    if ((status = new_ids(axis, &c.ids)) != ASSAY_OK) return status;
    status = read_file(path, wanted, 2, 1, &c, &c.ids->file);
    if (status == ASSAY_OK && c.ids->n == 0)
        status = assay_fail_at(ASSAY_E_FORMAT, path, 0, "has no ids, expected one a row");
    if (status == ASSAY_OK) {
        *out = c.ids;
        c.ids = NULL;
    }
    assay_ids_free(c.ids);
    return status;
}

static assay_status take_and_count(void *user, size_t line, const assay_name *fields)
{
    context *c = user;

    c->rows++;
    return c->take(c, line, fields);
}

static assay_status read_file(const char *path, const assay_wanted *wanted, size_t n, int headless,
                              context *c, assay_read_file *file)
{
    assay_input_stream *input = NULL;
    assay_status status = assay_input_open(path, NULL, &input);

    if (status == ASSAY_OK)
        status = assay_fields_read_input(input, wanted, n, headless, take_and_count, c);
    if (status == ASSAY_OK) status = assay_input_sha256(input, file->sha256);
    file->rows = c->rows;
    assay_input_close(input);
    return status;
}

static assay_status new_ids(assay_axis axis, assay_ids **out)
{
    *out = assay_alloc_zero(1, sizeof **out);
    if (!*out) return assay_fail(ASSAY_E_NOMEM, "no memory for the ids of %ss", axis_name[axis]);
    (*out)->axis = axis;
    return ASSAY_OK;
}

void assay_ids_free(assay_ids *ids)
{
    if (!ids) return;
    assay_names_free(&ids->names);
    free(ids);
}

size_t assay_ids_n(const assay_ids *ids)
{
    return ids->n;
}

const assay_read_file *assay_ids_file(const assay_ids *ids)
{
    return ids->are_positions ? NULL : &ids->file;
}

const char *assay_ids_text(const assay_ids *ids, size_t index)
{
    return ids->are_positions ? NULL : ids->names.text[index];
}

static assay_status take_id(void *user, size_t line, const assay_name *fields)
{
    context *c = user;
    assay_name id = fields[0].text ? fields[0] : fields[1];
    size_t index;

    if (id.length == 0)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line, "a blank %s, expected its id",
                             axis_name[c->ids->axis]);
    if (assay_names_add(&c->ids->names, id.text, id.length, &index) != 0) return no_memory(c->path);
    if (index < c->ids->n)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line,
                             "%s \"%s\" is row %zu already, expected every id once",
                             axis_name[c->ids->axis], c->ids->names.text[index], index + 1);
    c->ids->n = c->ids->names.count;
    return ASSAY_OK;
}

assay_status assay_cell_list_read(const char *path, const assay_ids *templates,
                                  const assay_ids *items, assay_cell_list **out)
{
    const assay_wanted wanted[] = { { ASSAY_ROLE_TEMPLATE, "template", 0 },
                                    { ASSAY_ROLE_ITEM, "item", 0 },
                                    { ASSAY_ROLE_SCORE, "score", 1 } };
    context c = { .path = path, .templates = templates, .items = items, .take = take_cell };
    assay_status status;

    *out = NULL;
    c.cells = assay_alloc_zero(1, sizeof *c.cells);
    if (!c.cells) return no_memory(path);
    status = read_file(path, wanted, 3, 0, &c, &c.cells->file);
    if (status == ASSAY_OK) {
        *out = c.cells;
        c.cells = NULL;
    }
    assay_cell_list_free(c.cells);
    return status;
}

static assay_status take_cell(void *user, size_t line, const assay_name *fields)
{
    context *c = user;
    assay_cell_list *cells = c->cells;
    size_t i, j;
    double score;
    assay_status status = find_id(c, c->templates, line, fields[0], &i);

    if (status == ASSAY_OK) status = find_id(c, c->items, line, fields[1], &j);
    if (status != ASSAY_OK) return status;
    if (fields[2].text &&
        assay_score_text_parse(fields[2].text, fields[2].length, 0, &score) == ASSAY_MISSING)
        return ASSAY_OK; /* it was not run */
    if (assay_grow(&cells->templates, &cells->template_capacity, cells->n + 1,
                   sizeof *cells->templates) != 0 ||
        assay_grow(&cells->items, &cells->item_capacity, cells->n + 1, sizeof *cells->items) != 0)
        return no_memory(c->path);
    cells->templates[cells->n] = i;
    cells->items[cells->n++] = j;
    return ASSAY_OK;
}

void assay_cell_list_free(assay_cell_list *cells)
{
    if (!cells) return;
    free(cells->templates);
    free(cells->items);
    free(cells);
}

size_t assay_cell_list_get(const assay_cell_list *cells, const size_t **templates,
                           const size_t **items)
{
    *templates = cells->templates;
    *items = cells->items;
    return cells->n;
}

const assay_read_file *assay_cell_list_file(const assay_cell_list *cells)
{
    return &cells->file;
}

assay_status assay_groups_read(const char *path, const assay_ids *items, size_t *groups)
{
    assay_read_file file;

    return assay_groups_read_file(path, items, groups, &file);
}

assay_status assay_groups_read_file(const char *path, const assay_ids *items, size_t *groups,
                                    assay_read_file *file)
{
    const assay_wanted wanted[] = { { ASSAY_ROLE_ITEM, "item", 0 },
                                    { ASSAY_ROLE_CLUSTER, "stratum", 1 },
                                    { ASSAY_N_ROLES, "topic", 1 } };
    context c = { .path = path, .items = items, .groups = groups, .take = take_group };
    assay_status status;

    for (size_t j = 0; j < items->n; j++) groups[j] = NO_GROUP;
    status = read_file(path, wanted, 3, 0, &c, file);
    if (status == ASSAY_OK) status = check_groups(&c);
    assay_names_free(&c.group_names);
    return status;
}

static assay_status take_group(void *user, size_t line, const assay_name *fields)
{
    context *c = user;
    assay_name name = fields[1].text ? fields[1] : fields[2];
    size_t j, group;
    assay_status status = find_id(c, c->items, line, fields[0], &j);

    if (status != ASSAY_OK) return status;
    if (!name.text)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, 0,
                             "no column \"stratum\", \"cluster\" or \"topic\", expected one");
    if (name.length == 0)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line, "a blank stratum, expected a name");
    if (assay_names_add(&c->group_names, name.text, name.length, &group) != 0)
        return no_memory(c->path);
    if (c->groups[j] != NO_GROUP && c->groups[j] != group)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line,
                             "item \"%.*s\" is in stratum \"%s\" already, expected one an item",
                             (int)fields[0].length, fields[0].text,
                             c->group_names.text[c->groups[j]]);
    c->groups[j] = group;
    return ASSAY_OK;
}

static assay_status check_groups(const context *c)
{
    for (size_t j = 0; j < c->items->n; j++) {
        const char *id = assay_ids_text(c->items, j);

        if (c->groups[j] != NO_GROUP) continue;
        if (!id) return assay_fail_at(ASSAY_E_SHAPE, c->path, 0, "item %zu has no stratum", j);
        return assay_fail_at(ASSAY_E_SHAPE, c->path, 0, "item \"%s\" has no stratum", id);
    }
    return ASSAY_OK;
}

static assay_status find_id(const context *c, const assay_ids *ids, size_t line, assay_name id,
                            size_t *index)
{
    ptrdiff_t found = look_up(ids, id);

    if (found >= 0) {
        *index = (size_t)found;
        return ASSAY_OK;
    }
    if (ids->are_positions)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line,
                             "%s \"%.*s\" is no position, expected 0 to %zu, or a file of ids",
                             axis_name[ids->axis], (int)id.length, id.text, ids->n - 1);
    return assay_fail_at(ASSAY_E_FORMAT, c->path, line,
                         "%s \"%.*s\" is unknown, expected one of the %zu ids",
                         axis_name[ids->axis], (int)id.length, id.text, ids->n);
}

/* The index of an id, -1 for none. Positions are digits without leading zeros. */
static ptrdiff_t look_up(const assay_ids *ids, assay_name id)
{
    size_t value = 0;

    if (!ids->are_positions) return assay_names_find(&ids->names, id.text, id.length);
    if (id.length == 0 || id.length > 10 || (id.length > 1 && id.text[0] == '0')) return -1;
    for (size_t k = 0; k < id.length; k++) {
        if (id.text[k] < '0' || id.text[k] > '9') return -1;
        value = 10 * value + (size_t)(id.text[k] - '0');
    }
    return value < ids->n ? (ptrdiff_t)value : -1;
}

static assay_status no_memory(const char *path)
{
    return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its rows", path);
}
