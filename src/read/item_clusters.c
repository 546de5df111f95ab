/* SPDX-License-Identifier: Apache-2.0 */
/* Which cluster each item of a results table belongs to. */
#include "assay/prompts.h"
#include "assay/replicates.h"
#include "core/error.h"
#include "data/names.h"
#include "data/results_table.h"
#include "read/fields.h"

#include <stdlib.h>
#include <string.h>

static const size_t NO_CLUSTER = (size_t)-1;

struct context {
    const char *path;
    const assay_results *results;
    size_t *labels;
    assay_names names;
};

static int is_json(const char *path);
static assay_status take_row(void *user, size_t line, const assay_name *fields);
static assay_status take_prompts(struct context *c);
static assay_status put(struct context *c, size_t line, assay_name item, assay_name cluster);

assay_status assay_item_clusters_read(const char *path, const assay_results *results,
                                      size_t *labels)
{
    const assay_wanted wanted[] = { { ASSAY_ROLE_ITEM, "item", 0 },
                                    { ASSAY_ROLE_CLUSTER, "cluster", 1 },
                                    { ASSAY_N_ROLES, "topic", 1 } };
    struct context c = { .path = path, .results = results, .labels = labels };
    size_t n_items = assay_results_n_items(results), n_found = 0;
    assay_status status;

    for (size_t a = 0; a < n_items; a++) labels[a] = NO_CLUSTER;
    status = is_json(path) ? take_prompts(&c) : assay_fields_read(path, wanted, 3, 0, take_row, &c);
    for (size_t a = 0; a < n_items; a++) {
        n_found += labels[a] != NO_CLUSTER;
        if (labels[a] == NO_CLUSTER) labels[a] = c.names.count + a;
    }
    assay_names_free(&c.names);
    if (status == ASSAY_OK && n_found == 0)
        return assay_fail_at(ASSAY_E_SHAPE, path, 0,
                             "no row is of an item of the results, expected their clusters");
    return status;
}

/* By its name: the table's reader tells what it is, should this be wrong. */
static int is_json(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strstr(name, ".json") != NULL || strstr(name, ".ndjson") != NULL;
}

static assay_status take_row(void *user, size_t line, const assay_name *fields)
{
    struct context *c = user;
    assay_name cluster = fields[1].text ? fields[1] : fields[2];

    if (!cluster.text)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, 0,
                             "no column \"cluster\" or \"topic\", expected one");
    if (cluster.length == 0) return ASSAY_OK; /* an item without a cluster is alone */
    return put(c, line, fields[0], cluster);
}

static assay_status take_prompts(struct context *c)
{
    assay_prompts *prompts = NULL;
    assay_status status = assay_prompts_read(c->path, NULL, &prompts);

    for (size_t i = 0; status == ASSAY_OK && i < assay_prompts_n(prompts); i++) {
        const char *id = assay_prompts_id(prompts, i), *cluster = assay_prompts_cluster(prompts, i);

        if (cluster && *cluster)
            status =
                put(c, 0, (assay_name){ id, strlen(id) }, (assay_name){ cluster, strlen(cluster) });
    }
    assay_prompts_free(prompts);
    return status;
}

static assay_status put(struct context *c, size_t line, assay_name item, assay_name cluster)
{
    ptrdiff_t a = assay_names_find(&c->results->items, item.text, item.length);
    size_t label;

    if (a < 0) return ASSAY_OK;
    if (assay_names_add(&c->names, cluster.text, cluster.length, &label) != 0)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its clusters", c->path);
    if (c->labels[a] != NO_CLUSTER && c->labels[a] != label)
        return assay_fail_at(ASSAY_E_FORMAT, c->path, line,
                             "item \"%.*s\" is in cluster \"%s\" already, expected one an item",
                             (int)item.length, item.text, c->names.text[c->labels[a]]);
    c->labels[a] = label;
    return ASSAY_OK;
}
