/* SPDX-License-Identifier: Apache-2.0 */
/* What was read of published scores, and a sample of it. */
#include "simulate/published.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

void assay_published_options_init(assay_published_options *options, size_t struct_size)
{
    const assay_published_options defaults = { .struct_size = struct_size };

    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

void assay_published_table_free(assay_published_table *table)
{
    free(table->task);
    free(table->model);
    free(table->counts);
    assay_names_free(&table->templates);
}

void assay_published_free(assay_published *published)
{
    if (!published) return;
    for (size_t k = 0; k < published->n; k++) assay_published_table_free(&published->tables[k]);
    free(published->tables);
    free(published->path);
    free(published);
}

/* Selection sampling (Knuth's algorithm S): each table in turn stays with the probability that as
   many stay as are still wanted. */
assay_status assay_published_sample(assay_published *published, size_t n, uint64_t seed)
{
    assay_random random;
    size_t kept = 0, all = published->n;

    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "a sample of no tables, expected 1 or more");
    assay_random_start(&random, seed, ASSAY_PURPOSE_SAMPLE_PUBLISHED, 0);
    for (size_t k = 0; k < all && n < all; k++) {
        assay_published_table *table = &published->tables[k];

        if (assay_random_below(&random, all - k) >= n - kept)
            assay_published_table_free(table);
        else
            published->tables[kept++] = *table;
    }
    if (n < all) published->n = kept;
    published->rows = 0;
    for (size_t k = 0; k < published->n; k++)
        published->rows += published->tables[k].templates.count;
    return ASSAY_OK;
}

assay_input assay_published_input(const assay_published *published)
{
    return (assay_input){ published->path, published->sha256, published->rows, NULL };
}

size_t assay_published_n_rounded(const assay_published *published)
{
    return published->n_rounded;
}

size_t assay_published_n(const assay_published *published)
{
    return published->n;
}

const char *assay_published_task(const assay_published *published, size_t k)
{
    return published->tables[k].task;
}

const char *assay_published_model(const assay_published *published, size_t k)
{
    return published->tables[k].model;
}

size_t assay_published_n_templates(const assay_published *published, size_t k)
{
    return published->tables[k].templates.count;
}

size_t assay_published_n_items(const assay_published *published, size_t k)
{
    return published->tables[k].n_items;
}

const char *assay_published_template(const assay_published *published, size_t k,
                                     size_t template_index)
{
    return published->tables[k].templates.text[template_index];
}

const size_t *assay_published_counts(const assay_published *published, size_t k)
{
    return published->tables[k].counts;
}

size_t assay_published_place(const assay_published *published, size_t k)
{
    return published->tables[k].place;
}
