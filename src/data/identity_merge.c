/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a source: what it joined, and items that it showed to be one. Input A may call an item 1
   and say what it asks; B answers item 7 and does not; C says that 7 asks the same: then 1 and 7 are
   one item, whichever of the three comes first. */
#include "core/error.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <stdlib.h>
#include <string.h>

static assay_status add_notes(assay_results *results, const char *path);
static assay_status join_twins(assay_results *results, const char *path);
static size_t find_twins(const assay_results *results, size_t *into, unsigned char *has_twin);
static int mark_twin(const assay_results *results, size_t alias, size_t *into,
                     unsigned char *has_twin);
static int share_a_record(const assay_results *results, size_t a, size_t b);
static assay_status merge_record(assay_results *results, size_t record, const size_t *into,
                                 const size_t *place);
static assay_status move_names(assay_results *results, const size_t *into);
static void move_attribute(assay_attribute *attribute, const size_t *into);
static void move_identity(assay_identity *identity, const size_t *into, const size_t *place);

assay_status assay_identity_end(assay_results *results, const char *path)
{
    assay_identity *identity = &results->identity;
    size_t n_items = results->items.count;
    assay_status status = add_notes(results, path);

    if (status == ASSAY_OK && identity->alias_names.count > 0 &&
        (n_items > identity->checked_items ||
         identity->alias_names.count > identity->checked_aliases))
        status = join_twins(results, path);
    identity->checked_items = results->items.count;
    identity->checked_aliases = identity->alias_names.count;
    return status;
}

static assay_status join_twins(assay_results *results, const char *path)
{
    size_t n_items = results->items.count, n_twins;
    size_t *into = assay_alloc(n_items, sizeof *into);
    unsigned char *has_twin = assay_alloc_zero(n_items, 1);
    assay_status status = ASSAY_OK;

    if (!into || !has_twin) {
        status = assay_results_no_memory(results);
        goto done;
    }
    n_twins = find_twins(results, into, has_twin);
    if (n_twins == 0) goto done;
    status =
        assay_results_add_note(results,
                               "%s: %zu item%s without content in other inputs, by the ids here "
                               "%s; joined",
                               path, n_twins, n_twins == 1 ? "" : "s",
                               n_twins == 1 ? "the same as another" : "the same as others");
    if (status == ASSAY_OK) status = assay_identity_merge(results, into);
done:
    free(into);
    free(has_twin);
    return status;
}

static assay_status add_notes(assay_results *results, const char *path)
{
    const assay_identity *identity = &results->identity;
    size_t joined = identity->joined, collided = identity->collided, mixed = identity->mixed_kinds;
    assay_status status = ASSAY_OK;

    if (joined > 0)
        status = assay_results_add_note(
            results, "%s: %zu item%s other ids here than before, joined by content", path, joined,
            joined == 1 ? " has" : "s have");
    if (status == ASSAY_OK && collided > 0)
        status = assay_results_add_note(
            results,
            "%s: %zu id%s for another content than in earlier inputs; joined by content (--force)",
            path, collided, collided == 1 ? " stands" : "s stand");
    if (status == ASSAY_OK && mixed > 0)
        status = assay_results_add_note(
            results, "%s: %zu id%s a number in one input and a text in another; taken for the same",
            path, mixed, mixed == 1 ? " is" : "s are");
    return status;
}

/* Items without a content whose name is what an earlier or this source calls another one. Only what
   came since the last source is looked at, so that all sources together cost O(items). */
static size_t find_twins(const assay_results *results, size_t *into, unsigned char *has_twin)
{
    const assay_identity *identity = &results->identity;
    size_t n = 0;

    for (size_t i = 0; i < results->items.count; i++) into[i] = i;
    for (size_t a = identity->checked_aliases; a < identity->alias_names.count; a++)
        n += (size_t)mark_twin(results, a, into, has_twin);
    for (size_t i = identity->checked_items; i < results->items.count; i++) {
        const char *name = results->items.text[i];
        ptrdiff_t alias = assay_names_find(&identity->alias_names, name, strlen(name));

        if (alias >= 0) n += (size_t)mark_twin(results, (size_t)alias, into, has_twin);
    }
    return n;
}

/* An item gets one twin a source, and none that a model answered beside it: two ids of one source are
   two items. */
static int mark_twin(const assay_results *results, size_t alias, size_t *into,
                     unsigned char *has_twin)
{
    const assay_identity *identity = &results->identity;
    const char *name = identity->alias_names.text[alias];
    ptrdiff_t found = assay_names_find(&results->items, name, strlen(name));
    size_t named = (size_t)found, item = identity->aliases[alias].item;

    if (found < 0 || named == item || into[named] != named || has_twin[named]) return 0;
    if (named < identity->n && identity->items[named].content.kind) return 0;
    if (!identity->aliases[alias].content.kind || has_twin[item] || into[item] != item) return 0;
    if (share_a_record(results, named, item)) return 0;
    into[named] = item;
    has_twin[item] = 1;
    return 1;
}

static int share_a_record(const assay_results *results, size_t a, size_t b)
{
    for (size_t r = 0; r < results->n_records; r++) {
        double score;

        if (assay_cells_get(&results->cells[r], a, &score) != ASSAY_ABSENT &&
            assay_cells_get(&results->cells[r], b, &score) != ASSAY_ABSENT)
            return 1;
    }
    return 0;
}

assay_status assay_identity_merge(assay_results *results, const size_t *into)
{
    size_t n = results->items.count, kept = 0, *place = assay_alloc(n, sizeof *place);
    assay_status status = ASSAY_OK;

    if (!place) return assay_results_no_memory(results);
    for (size_t i = 0; i < n; i++) place[i] = into[i] == i ? kept++ : SIZE_MAX;
    for (size_t r = 0; r < results->n_records && status == ASSAY_OK; r++)
        status = merge_record(results, r, into, place);
    if (status == ASSAY_OK) status = move_names(results, into);
    if (status == ASSAY_OK) {
        for (size_t t = 0; t < results->n_taken; t++) free(results->taken[t].runs);
        results->n_taken = 0; /* counted anew when they are asked for */
        move_attribute(&results->item_text, into);
        move_attribute(&results->item_cluster, into);
        move_identity(&results->identity, into, place);
    }
    free(place);
    return status;
}

static assay_status merge_record(assay_results *results, size_t record, const size_t *into,
                                 const size_t *place)
{
    const assay_cells *from = &results->cells[record];
    size_t n = results->items.count, room = 64 * from->n_words < n ? 64 * from->n_words : n;
    assay_cells to = { 0 };
    assay_status status = ASSAY_OK;

    if (assay_cells_reserve(&to, n) != 0) status = assay_results_no_memory(results);
    for (size_t i = 0; i < room && status == ASSAY_OK; i++) {
        double score;
        assay_score_state state = assay_cells_get(from, i, &score);

        if (state != ASSAY_ABSENT && /* no two meet: items that one record holds are not joined */
            assay_cells_put(&to, place[into[i]], score, state) != ASSAY_PUT_NEW)
            status = assay_results_no_memory(results);
    }
    if (status == ASSAY_OK) {
        assay_cells_free(&results->cells[record]);
        results->cells[record] = to;
    } else
        assay_cells_free(&to);
    return status;
}

static assay_status move_names(assay_results *results, const size_t *into)
{
    assay_names names = { 0 };

    for (size_t i = 0; i < results->items.count; i++) {
        const char *name = results->items.text[i];
        size_t index;

        if (into[i] != i || assay_names_add(&names, name, strlen(name), &index) == 0) continue;
        assay_names_free(&names);
        return assay_results_no_memory(results);
    }
    assay_names_free(&results->items);
    results->items = names;
    return ASSAY_OK;
}

/* What an item carries stays, or becomes the other's where that has none. */
static void move_attribute(assay_attribute *attribute, const size_t *into)
{
    size_t n = attribute->count, kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (into[i] == i || !attribute->text[i]) continue;
        if (into[i] < n && !attribute->text[into[i]]) attribute->text[into[i]] = attribute->text[i];
        attribute->text[i] = NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (into[i] == i) attribute->text[kept++] = attribute->text[i];
    attribute->count = kept;
}

static void move_identity(assay_identity *identity, const size_t *into, const size_t *place)
{
    size_t kept = 0;

    for (size_t i = 0; i < identity->n; i++) {
        assay_known_item *known = &identity->items[i];

        if (into[i] != i) continue; /* it has no content, so that no other leads to it */
        if (known->next) known->next = (uint32_t)place[known->next - 1] + 1;
        known->untaken = 0;
        identity->items[kept++] = *known;
    }
    identity->n = kept;
    for (size_t a = 0; a < identity->alias_names.count; a++) {
        uint32_t *item = &identity->aliases[a].item;

        *item = (uint32_t)place[into[*item]];
    }
    for (size_t k = 0; k < identity->n_slots; k++)
        if (identity->slots[k].first)
            identity->slots[k].first = (uint32_t)place[identity->slots[k].first - 1] + 1;
}
