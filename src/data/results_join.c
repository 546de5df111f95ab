/* SPDX-License-Identifier: Apache-2.0 */
/* Observations of one table into another that knows their models. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, NAMES_SIZE = 300 };

/* The numbers that the other table's names have in this one; a model that it does not know has
   SIZE_MAX. */
struct places {
    size_t *models, *items, *templates, *runs;
    size_t n_matched;
};

typedef assay_status (*name_it)(assay_results *, const char *, size_t, size_t *);

static assay_status find_models(const assay_results *results, const assay_results *other,
                                struct places *places);
static assay_status name_all(assay_results *results, const assay_names *names, name_it name,
                             size_t **out);
static assay_status join_record(assay_results *results, const assay_results *other, size_t r,
                                const struct places *places);
static assay_status join_rest(assay_results *results, const assay_results *other,
                              const struct places *places);

assay_status assay_results_join(assay_results *results, const assay_results *other,
                                size_t *n_matched)
{
    struct places places = { 0 };
    assay_status status = find_models(results, other, &places);

    *n_matched = places.n_matched;
    if (status == ASSAY_OK)
        status = name_all(results, &other->items, assay_results_name_item, &places.items);
    if (status == ASSAY_OK)
        status =
            name_all(results, &other->templates, assay_results_name_template, &places.templates);
    if (status == ASSAY_OK)
        status = name_all(results, &other->runs, assay_results_name_run, &places.runs);
    for (size_t r = 0; status == ASSAY_OK && r < other->n_records; r++)
        status = join_record(results, other, r, &places);
    if (status == ASSAY_OK) status = join_rest(results, other, &places);
    free(places.models);
    free(places.items);
    free(places.templates);
    free(places.runs);
    return status;
}

/* "a", "b", "c", ... */
static const char *some_names(const assay_names *names, char out[NAMES_SIZE])
{
    size_t used = 0;

    *out = '\0';
    for (size_t i = 0; i < names->count && i < SHOWN; i++)
        used += (size_t)snprintf(out + used, NAMES_SIZE - used, "%s\"%.60s\"", i ? ", " : "",
                                 names->text[i]);
    if (names->count > SHOWN) snprintf(out + used, NAMES_SIZE - used, ", ...");
    return out;
}

static assay_status find_models(const assay_results *results, const assay_results *other,
                                struct places *places)
{
    size_t n = other->models.count;
    char theirs[NAMES_SIZE], ours[NAMES_SIZE];

    places->models = assay_alloc(n, sizeof *places->models);
    if (!places->models) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu models", n);
    for (size_t m = 0; m < n; m++) {
        const char *name = other->models.text[m];
        ptrdiff_t place = assay_names_find(&results->models, name, strlen(name));

        places->models[m] = place < 0 ? SIZE_MAX : (size_t)place;
        places->n_matched += place >= 0;
    }
    if (places->n_matched > 0) return ASSAY_OK;
    return assay_fail(ASSAY_E_SHAPE, "none of %zu models (%s) is among the %zu there are (%s)", n,
                      some_names(&other->models, theirs), results->models.count,
                      some_names(&results->models, ours));
}

static assay_status name_all(assay_results *results, const assay_names *names, name_it name,
                             size_t **out)
{
    *out = assay_alloc(names->count, sizeof **out);
    if (!*out) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu names", names->count);
    for (size_t i = 0; i < names->count; i++) {
        assay_status status = name(results, names->text[i], strlen(names->text[i]), &(*out)[i]);

        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

static assay_status join_record(assay_results *results, const assay_results *other, size_t r,
                                const struct places *places)
{
    const assay_record *key = &other->records[r];
    size_t model = places->models[key->model], record = 0;
    assay_status status = ASSAY_OK;

    if (model != SIZE_MAX)
        status = assay_results_find_record(results, model, places->templates[key->template_index],
                                           places->runs[key->run], &record);
    for (size_t i = 0; status == ASSAY_OK && i < other->items.count; i++) {
        double score;
        assay_score_state state = assay_cells_get(&other->cells[r], i, &score);

        if (state == ASSAY_ABSENT) continue;
        if (model != SIZE_MAX) {
            status = assay_results_put(results, record, places->items[i], score, state);
        } else {
            results->coverage.rows++;
            results->coverage.refused++;
        }
    }
    return status;
}

/* What was counted but stands in no cell, what items carry, and where all of it came from. */
static assay_status join_rest(assay_results *results, const assay_results *other,
                              const struct places *places)
{
    assay_status status = ASSAY_OK;

    for (size_t i = 0; status == ASSAY_OK && i < other->items.count; i++) {
        const char *text = assay_results_item_text(other, i);
        const char *cluster = assay_results_item_cluster(other, i);

        if (text)
            status = assay_results_set_item_text(results, places->items[i], text, strlen(text));
        if (status == ASSAY_OK && cluster)
            status =
                assay_results_set_item_cluster(results, places->items[i], cluster, strlen(cluster));
    }
    for (size_t k = 0; status == ASSAY_OK && k < other->n_inputs; k++) {
        assay_input_file file = other->input_files[k];
        size_t model = file.model > 0 ? places->models[file.model - 1] : SIZE_MAX;

        file.model = model == SIZE_MAX ? 0 : model + 1;
        status = assay_results_add_input(results, other->inputs[k].path, other->inputs[k].sha256,
                                         other->inputs[k].rows, file);
    }
    for (size_t k = 0; status == ASSAY_OK && k < other->n_notes; k++)
        status = assay_results_add_note(results, "%s", other->notes[k]);
    results->coverage.duplicate += other->coverage.duplicate;
    results->coverage.refused += other->coverage.refused;
    results->coverage.rows += other->coverage.duplicate + other->coverage.refused;
    if (other->damaged) assay_results_mark_damaged(results);
    return status;
}
