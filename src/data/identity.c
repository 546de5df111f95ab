/* SPDX-License-Identifier: Apache-2.0 */
#include "data/identity.h"

#include "core/error.h"
#include "core/hex.h"
#include "core/memory.h"
#include "data/results_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many items of equal content are tried before a new one is made: an input whose rows all ask the
   same must not take quadratic time. */
enum { TRIES = 64, SHOWN_DIGITS = 8, SUFFIX_SIZE = 40 };

/* A claim whose id is new in its source, and where it leads. */
typedef struct search {
    assay_results *results;
    const assay_claim *claim;
    assay_content content;
    ptrdiff_t named; /* the item of that name, -1 for none */
    ptrdiff_t alias; /* the alias of that name, -1 for none */
    int collides;    /* the id stood for another content */
    int is_new;      /* no item that was there is meant */
} search;

static int is_taken_by_id(const search *s, size_t *item);
static assay_status resolve(search *s, size_t *item);
static assay_status check_collision(search *s);
static ptrdiff_t find_equal(const search *s);
static ptrdiff_t find_untaken(const search *s);
static int is_joinable(const search *s, size_t item);
static assay_status add_item(search *s, size_t *item);
static assay_status reserve(assay_results *results);
static assay_status take(search *s, size_t item);
static assay_status set_alias(search *s, size_t item);
static assay_status set_content(search *s, size_t item);
static int grow_slots(assay_identity *identity);
static size_t slot_of(const assay_identity *identity, const assay_content *content);
static uint32_t start_of(const assay_content *content);
static int is_same(const assay_content *a, const assay_content *b);
static int differs(const assay_content *a, const assay_content *b);
static void note_kind(assay_results *results, size_t item, assay_id_kind kind);

void assay_identity_free(assay_identity *identity)
{
    free(identity->items);
    free(identity->slots);
    free(identity->aliases);
    assay_names_free(&identity->alias_names);
    assay_content_free(identity);
    *identity = (assay_identity){ 0 };
}

void assay_identity_begin(assay_results *results)
{
    assay_identity *identity = &results->identity;

    identity->source++;
    identity->joined = identity->collided = identity->mixed_kinds = 0;
}

assay_status assay_identity_find(assay_results *results, const assay_claim *claim, size_t *item)
{
    search s = { .results = results, .claim = claim };
    assay_status status = ASSAY_OK;

    s.named = assay_names_find(&results->items, claim->id, claim->id_length);
    s.alias = assay_names_find(&results->identity.alias_names, claim->id, claim->id_length);
    if (is_taken_by_id(&s, item)) return ASSAY_OK;
    if (claim->content && claim->content_length > 0)
        status = assay_content_of(&results->identity, claim, &s.content);
    if (status == ASSAY_OK) status = resolve(&s, item);
    if (status == ASSAY_OK) note_kind(results, *item, claim->id_kind);
    return status;
}

/* Whether this id came in this source before. */
static int is_taken_by_id(const search *s, size_t *item)
{
    const assay_identity *identity = &s->results->identity;

    if (s->alias >= 0 && identity->aliases[s->alias].source == identity->source) {
        *item = identity->aliases[s->alias].item;
        return 1;
    }
    if (s->named < 0 || (size_t)s->named >= identity->n) return 0;
    *item = (size_t)s->named;
    return identity->items[*item].source == identity->source && identity->items[*item].own;
}

static assay_status resolve(search *s, size_t *item)
{
    const assay_identity *identity = &s->results->identity;
    ptrdiff_t found = -1;
    assay_status status = reserve(s->results);

    if (status == ASSAY_OK && s->content.kind) {
        status = check_collision(s);
        if (status != ASSAY_OK) return status;
        found = find_equal(s);
    }
    if (status != ASSAY_OK) return status;
    if (found < 0 && s->named >= 0 && !s->collides &&
        identity->items[s->named].source != identity->source)
        found = s->named; /* one of the two has no content that could be compared */
    s->is_new = found < 0;
    if (s->is_new)
        status = add_item(s, item);
    else
        *item = (size_t)found;
    return status == ASSAY_OK ? take(s, *item) : status;
}

/* Ids that are reused, or that the tool got wrong, must not put two questions into one item; and the
   same must be found whichever input comes first. */
static assay_status check_collision(search *s)
{
    const assay_identity *identity = &s->results->identity;
    size_t input;

    if (s->named >= 0 && differs(&identity->items[s->named].content, &s->content))
        input = identity->items[s->named].input;
    else if (s->alias >= 0 && differs(&identity->aliases[s->alias].content, &s->content))
        input = identity->items[identity->aliases[s->alias].item].input;
    else
        return ASSAY_OK;
    s->collides = 1;
    if (s->results->force) return ASSAY_OK;
    return assay_fail(ASSAY_E_CONFLICT,
                      "item \"%.*s\" asks something else than in %s; --force joins items by what "
                      "they ask, --join id by their ids",
                      (int)(s->claim->id_length < 80 ? s->claim->id_length : 80), s->claim->id,
                      input < s->results->n_inputs ? s->results->inputs[input].path
                                                   : "another input");
}

/* An item of equal content that this source has not taken, or -1: the one of this id first. */
static ptrdiff_t find_equal(const search *s)
{
    const assay_identity *identity = &s->results->identity;

    if (s->named >= 0 && is_same(&identity->items[s->named].content, &s->content) &&
        identity->items[s->named].source != identity->source)
        return s->named;
    if (s->alias >= 0 && is_same(&identity->aliases[s->alias].content, &s->content)) {
        uint32_t item = identity->aliases[s->alias].item;

        if (identity->items[item].source != identity->source) return item;
    }
    return identity->n_slots > 0 ? find_untaken(s) : -1;
}

static ptrdiff_t find_untaken(const search *s)
{
    assay_identity *identity = &s->results->identity;
    uint32_t at = identity->slots[slot_of(identity, &s->content)].first;
    assay_known_item *items = identity->items, *first = at ? &items[at - 1] : NULL;

    if (!first) return -1;
    if (first->source == identity->source) { /* then it knows up to where all are taken */
        while (first->untaken && items[first->untaken - 1].source == identity->source)
            first->untaken = items[first->untaken - 1].next;
        at = first->untaken;
    }
    for (int k = 0; at != 0 && k < TRIES; k++, at = items[at - 1].next)
        if (items[at - 1].source != identity->source && is_joinable(s, at - 1))
            return (ptrdiff_t)at - 1;
    return -1;
}

/* A model that answered the item under another id already answers it a second time here: one of the
   duplicates that benchmarks have. */
static int is_joinable(const search *s, size_t item)
{
    double score;

    return s->claim->record < 0 ||
           assay_results_cell(s->results, (size_t)s->claim->record, item, &score) == ASSAY_ABSENT;
}

/* A new item, by its id where no other item is called so. */
static assay_status add_item(search *s, size_t *item)
{
    const assay_claim *claim = s->claim;
    char digits[2 * ASSAY_CONTENT_SIZE + 1], suffix[SUFFIX_SIZE];
    char *name;
    size_t length = 0;
    assay_status status;

    if (s->named < 0) return assay_results_name_item(s->results, claim->id, claim->id_length, item);
    assay_hex(s->content.digest, ASSAY_CONTENT_SIZE, digits);
    name = assay_alloc(claim->id_length + SUFFIX_SIZE, 1);
    if (!name) return assay_results_no_memory(s->results);
    memcpy(name, claim->id, claim->id_length);
    for (size_t k = 1; k == 1 || assay_names_find(&s->results->items, name, length) >= 0; k++) {
        int n = k == 1 ? snprintf(suffix, sizeof suffix, "~%.*s", SHOWN_DIGITS, digits)
                       : snprintf(suffix, sizeof suffix, "~%.*s-%zu", SHOWN_DIGITS, digits, k);

        length = claim->id_length + (size_t)n;
        memcpy(name + claim->id_length, suffix, (size_t)n);
    }
    status = assay_results_name_item(s->results, name, length, item);
    free(name);
    return status;
}

/* Room for what is known of every item so far. */
static assay_status reserve(assay_results *results)
{
    assay_identity *identity = &results->identity;
    size_t n = results->items.count;

    if (assay_grow(&identity->items, &identity->capacity, n + 1, sizeof *identity->items) != 0)
        return assay_results_no_memory(results);
    for (; identity->n < n; identity->n++)
        identity->items[identity->n] = (assay_known_item){ .input = (uint32_t)results->n_inputs };
    return ASSAY_OK;
}

/* The item is this id's for the rest of the source. */
static assay_status take(search *s, size_t item)
{
    assay_identity *identity = &s->results->identity;
    const char *name = s->results->items.text[item];
    assay_known_item *known;
    int own =
        strlen(name) == s->claim->id_length && memcmp(name, s->claim->id, s->claim->id_length) == 0;
    assay_status status = reserve(s->results);

    if (status == ASSAY_OK && !own) status = set_alias(s, item);
    if (status == ASSAY_OK && s->content.kind && !identity->items[item].content.kind)
        status = set_content(s, item);
    if (status != ASSAY_OK) return status;
    known = &identity->items[item];
    known->own = (unsigned char)own;
    known->source = identity->source;
    known->untaken = known->next; /* of the first: those that come later are this source's own */
    identity->joined += (size_t)(!own && !s->collides && !s->is_new);
    identity->collided += (size_t)s->collides;
    return ASSAY_OK;
}

static assay_status set_alias(search *s, size_t item)
{
    assay_identity *identity = &s->results->identity;
    size_t alias;

    if (assay_grow(&identity->aliases, &identity->aliases_capacity, identity->alias_names.count + 1,
                   sizeof *identity->aliases) != 0 ||
        assay_names_add(&identity->alias_names, s->claim->id, s->claim->id_length, &alias) != 0)
        return assay_results_no_memory(s->results);
    identity->aliases[alias] = (assay_alias){ s->content, (uint32_t)item, identity->source };
    return ASSAY_OK;
}

/* The item stands among those of equal content from now on: behind the first, which keeps its place. */
static assay_status set_content(search *s, size_t item)
{
    assay_identity *identity = &s->results->identity;
    assay_known_item *known;
    assay_content_slot *slot;

    if (grow_slots(identity) != 0) return assay_results_no_memory(s->results);
    known = &identity->items[item];
    known->content = s->content;
    known->input = (uint32_t)s->results->n_inputs;
    slot = &identity->slots[slot_of(identity, &s->content)];
    if (slot->first == 0) {
        *slot = (assay_content_slot){ start_of(&s->content), (uint32_t)item + 1 };
        identity->n_contents++;
    } else {
        known->next = identity->items[slot->first - 1].next;
        identity->items[slot->first - 1].next = (uint32_t)item + 1;
    }
    return ASSAY_OK;
}

static int grow_slots(assay_identity *identity)
{
    size_t old_n = identity->n_slots, n = old_n ? 2 * old_n : 64;
    assay_content_slot *old = identity->slots, *slots;

    if (2 * (identity->n_contents + 1) <= old_n) return 0;
    slots = assay_alloc_zero(n, sizeof *slots);
    if (!slots) return -1;
    for (size_t k = 0; k < old_n; k++) {
        size_t slot = old[k].start & (n - 1);

        if (!old[k].first) continue;
        while (slots[slot].first) slot = (slot + 1) & (n - 1);
        slots[slot] = old[k];
    }
    identity->slots = slots;
    identity->n_slots = n;
    free(old);
    return 0;
}

/* The slot of the first item of a content, or the free one where it belongs. */
static size_t slot_of(const assay_identity *identity, const assay_content *content)
{
    uint32_t start = start_of(content);
    size_t mask = identity->n_slots - 1, slot = start & mask;

    for (; identity->slots[slot].first; slot = (slot + 1) & mask) {
        const assay_content_slot *known = &identity->slots[slot];

        if (known->start == start && is_same(&identity->items[known->first - 1].content, content))
            break;
    }
    return slot;
}

/* It is a digest: its bits are mixed. */
static uint32_t start_of(const assay_content *content)
{
    uint32_t start;

    memcpy(&start, content->digest, sizeof start);
    return start;
}

static int is_same(const assay_content *a, const assay_content *b)
{
    return a->kind && a->kind == b->kind && memcmp(a->digest, b->digest, ASSAY_CONTENT_SIZE) == 0;
}

static int differs(const assay_content *a, const assay_content *b)
{
    return a->kind && a->kind == b->kind && memcmp(a->digest, b->digest, ASSAY_CONTENT_SIZE) != 0;
}

/* 1 in one input and "1" in another. */
static void note_kind(assay_results *results, size_t item, assay_id_kind kind)
{
    assay_known_item *known = &results->identity.items[item];
    unsigned char before = known->id_kinds;

    if (!known->own) return;
    known->id_kinds |= (unsigned char)kind;
    results->identity.mixed_kinds +=
        known->id_kinds == (ASSAY_ID_NUMBER | ASSAY_ID_TEXT) && known->id_kinds != before;
}
