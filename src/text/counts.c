/* SPDX-License-Identifier: Apache-2.0 */
#include "text/counts.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>

static assay_status take_term(void *user, const char *text, size_t length);
static int know(assay_counts *counts, size_t term);
static int add_entry(assay_counts *counts, size_t term);
static assay_status fail_memory(const assay_counts *counts);

assay_status assay_counts_take(assay_counts *counts, const char *const *texts, size_t n,
                               const assay_tfidf_options *options)
{
    assay_terms terms = { .options = options };
    assay_status status = ASSAY_OK;

    if (n >= UINT32_MAX) return assay_fail(ASSAY_E_SHAPE, "tfidf: %zu texts, more than 2^32", n);
    counts->start = assay_alloc_zero(n + 1, sizeof *counts->start);
    if (!counts->start) return fail_memory(counts);
    for (counts->n = 0; status == ASSAY_OK && counts->n < n; counts->n++) {
        counts->start[counts->n] = counts->n_entries;
        status = assay_terms_each(&terms, texts[counts->n], take_term, counts);
    }
    counts->start[counts->n] = counts->n_entries;
    assay_terms_free(&terms);
    return status;
}

static assay_status take_term(void *user, const char *text, size_t length)
{
    assay_counts *counts = user;
    const size_t known = counts->vocabulary.count;
    size_t term;

    if (assay_names_add(&counts->vocabulary, text, length, &term) != 0) return fail_memory(counts);
    if (term == known && know(counts, term) != 0) return fail_memory(counts);
    if (counts->texts_with[term] == 0 || counts->latest[term] < counts->start[counts->n]) {
        if (term >= UINT32_MAX)
            return assay_fail(ASSAY_E_SHAPE, "tfidf: more than 2^32 different terms");
        return add_entry(counts, term) == 0 ? ASSAY_OK : fail_memory(counts);
    }
    if (counts->count[counts->latest[term]] == UINT32_MAX)
        return assay_fail(ASSAY_E_SHAPE, "tfidf: a term is in a text more than 2^32 times");
    counts->count[counts->latest[term]]++;
    return ASSAY_OK;
}

static int know(assay_counts *counts, size_t term)
{
    if (assay_grow(&counts->texts_with, &counts->texts_with_capacity, term + 1,
                   sizeof *counts->texts_with) != 0 ||
        assay_grow(&counts->latest, &counts->latest_capacity, term + 1, sizeof *counts->latest) !=
            0)
        return -1;
    counts->texts_with[term] = 0;
    counts->latest[term] = 0;
    return 0;
}

/* The first time that a term is in the text at hand. */
static int add_entry(assay_counts *counts, size_t term)
{
    const size_t entry = counts->n_entries;

    if (assay_grow(&counts->term, &counts->term_capacity, entry + 1, sizeof *counts->term) != 0 ||
        assay_grow(&counts->count, &counts->count_capacity, entry + 1, sizeof *counts->count) != 0)
        return -1;
    counts->term[entry] = (uint32_t)term;
    counts->count[entry] = 1;
    counts->texts_with[term]++;
    counts->latest[term] = entry;
    counts->n_entries++;
    return 0;
}

static assay_status fail_memory(const assay_counts *counts)
{
    return assay_fail(ASSAY_E_NOMEM, "tfidf: no memory for the terms of text %zu", counts->n + 1);
}

void assay_counts_free(assay_counts *counts)
{
    free(counts->start);
    free(counts->term);
    free(counts->count);
    free(counts->texts_with);
    free(counts->latest);
    assay_names_free(&counts->vocabulary);
    *counts = (assay_counts){ 0 };
}
