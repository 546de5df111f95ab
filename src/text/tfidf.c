/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/memory.h"
#include "core/options.h"
#include "text/counts.h"
#include "text/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NGRAM_MAX = 99 };

typedef struct ranked {
    const char *text;
    uint32_t term;
} ranked;

/* The entries of the counts, column by column: those of column c are start[c] .. start[c + 1] - 1,
   by text. */
typedef struct columns {
    ranked *order; /* the term of each column */
    size_t *start;
    uint32_t *text, *count;
} columns;

static assay_status resolve_options(const assay_tfidf_options *given, assay_tfidf_options *opt);
static assay_status sort_columns(const assay_counts *counts, columns *by_column);
static int compare_text(const void *a, const void *b);
static assay_status fill_columns(const assay_counts *counts, columns *by_column);
static assay_status allocate(const assay_counts *counts, assay_vectors *vectors);
static void weigh(const assay_counts *counts, const columns *by_column, int sublinear,
                  assay_vectors *vectors);
static void take_terms(assay_counts *counts, const columns *by_column, assay_vectors *vectors);
static assay_status fail_memory(const assay_counts *counts);

assay_status assay_vectors_tfidf(const char *const *texts, size_t n,
                                 const assay_tfidf_options *options, assay_vectors **out)
{
    assay_tfidf_options opt;
    assay_counts counts = { 0 };
    columns by_column = { 0 };
    assay_vectors *vectors = NULL;
    assay_status status = resolve_options(options, &opt);

    *out = NULL;
    if (status != ASSAY_OK) return status;
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "tfidf: no texts, expected at least 1");
    if ((status = assay_counts_take(&counts, texts, n, &opt)) != ASSAY_OK) goto done;
    if (counts.n_entries == 0) {
        status = assay_fail(ASSAY_E_DEGENERATE,
                            "tfidf: none of the %zu texts has a term: a word of two letters or "
                            "more that is not a stop word",
                            n);
        goto done;
    }
    if ((status = sort_columns(&counts, &by_column)) != ASSAY_OK) goto done;
    if ((status = fill_columns(&counts, &by_column)) != ASSAY_OK) goto done;
    vectors = assay_alloc_zero(1, sizeof *vectors);
    status = vectors ? allocate(&counts, vectors) : fail_memory(&counts);
    if (status != ASSAY_OK) goto done;
    weigh(&counts, &by_column, opt.sublinear, vectors);
    if ((status = assay_vectors_finish(vectors)) != ASSAY_OK) goto done;
    take_terms(&counts, &by_column, vectors);
    *out = vectors;
    vectors = NULL;
done:
    assay_vectors_free(vectors);
    free(by_column.order);
    free(by_column.start);
    free(by_column.text);
    free(by_column.count);
    assay_counts_free(&counts);
    return status;
}

void assay_tfidf_options_init(assay_tfidf_options *options, size_t struct_size)
{
    const assay_tfidf_options defaults = { .struct_size = struct_size };
    memcpy(options, &defaults, struct_size < sizeof defaults ? struct_size : sizeof defaults);
}

assay_status assay_tfidf_options_check(const assay_tfidf_options *options)
{
    assay_tfidf_options opt;
    return resolve_options(options, &opt);
}

static assay_status resolve_options(const assay_tfidf_options *given, assay_tfidf_options *opt)
{
    assay_status status;
    int by_word;

    assay_tfidf_options_init(opt, sizeof *opt);
    status = assay_options_take("tfidf", given, opt, sizeof *opt);
    if (status != ASSAY_OK) return status;
    by_word = opt->analyser == ASSAY_ANALYSER_WORD;
    if (!by_word && opt->analyser != ASSAY_ANALYSER_CHAR_WB)
        return assay_fail(ASSAY_E_VALUE, "tfidf: analyser is %d, expected 0 or 1",
                          (int)opt->analyser);
    if (opt->stop_words != ASSAY_STOP_WORDS_NONE && opt->stop_words != ASSAY_STOP_WORDS_ENGLISH)
        return assay_fail(ASSAY_E_VALUE, "tfidf: stop_words is %d, expected 0 or 1",
                          (int)opt->stop_words);
    if (!by_word && opt->stop_words != ASSAY_STOP_WORDS_NONE)
        return assay_fail(ASSAY_E_VALUE, "tfidf: stop words are for words, not for characters");
    if (opt->sublinear != 0 && opt->sublinear != 1)
        return assay_fail(ASSAY_E_VALUE, "tfidf: sublinear is %d, expected 0 or 1", opt->sublinear);
    if (opt->ngram_low == 0 && opt->ngram_high == 0) {
        opt->ngram_low = by_word ? 1 : 3;
        opt->ngram_high = by_word ? 1 : 5;
    }
    if (opt->ngram_low < 1 || opt->ngram_low > opt->ngram_high || opt->ngram_high > NGRAM_MAX)
        return assay_fail(ASSAY_E_VALUE,
                          "tfidf: n-grams of %zu to %zu, expected 1 <= low <= high "
                          "<= %d",
                          opt->ngram_low, opt->ngram_high, NGRAM_MAX);
    return ASSAY_OK;
}

/* UTF-8 has the order of the code points. */
static assay_status sort_columns(const assay_counts *counts, columns *by_column)
{
    const size_t d = counts->vocabulary.count;

    by_column->order = assay_alloc(d, sizeof *by_column->order);
    if (!by_column->order) return fail_memory(counts);
    for (size_t k = 0; k < d; k++)
        by_column->order[k] = (ranked){ counts->vocabulary.text[k], (uint32_t)k };
    qsort(by_column->order, d, sizeof *by_column->order, compare_text);
    return ASSAY_OK;
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(((const ranked *)a)->text, ((const ranked *)b)->text);
}

static assay_status fill_columns(const assay_counts *counts, columns *by_column)
{
    const size_t d = counts->vocabulary.count;
    size_t *next = assay_alloc(d, sizeof *next); /* of each term, where its next entry goes */

    by_column->start = assay_alloc(d + 1, sizeof *by_column->start);
    by_column->text = assay_alloc(counts->n_entries, sizeof *by_column->text);
    by_column->count = assay_alloc(counts->n_entries, sizeof *by_column->count);
    if (!next || !by_column->start || !by_column->text || !by_column->count) {
        free(next);
        return fail_memory(counts);
    }
    by_column->start[0] = 0;
    for (size_t c = 0; c < d; c++) {
        const uint32_t term = by_column->order[c].term;

        next[term] = by_column->start[c];
        by_column->start[c + 1] = by_column->start[c] + counts->texts_with[term];
    }
    for (size_t i = 0; i < counts->n; i++)
        for (size_t e = counts->start[i]; e < counts->start[i + 1]; e++) {
            const size_t to = next[counts->term[e]]++;

            by_column->text[to] = (uint32_t)i;
            by_column->count[to] = counts->count[e];
        }
    free(next);
    return ASSAY_OK;
}

static assay_status allocate(const assay_counts *counts, assay_vectors *vectors)
{
    vectors->n = counts->n;
    vectors->d = counts->vocabulary.count;
    vectors->start = assay_alloc(counts->n + 1, sizeof *vectors->start);
    vectors->column = assay_alloc(counts->n_entries, sizeof *vectors->column);
    vectors->value = assay_alloc(counts->n_entries, sizeof *vectors->value);
    vectors->terms = assay_alloc_zero(vectors->d, sizeof *vectors->terms);
    vectors->n_terms = vectors->d;
    if (!vectors->start || !vectors->column || !vectors->value || !vectors->terms)
        return fail_memory(counts);
    return ASSAY_OK;
}

/* Going through the columns in order gives each row its entries in order. start[i] is meanwhile where
   the next entry of row i goes. */
static void weigh(const assay_counts *counts, const columns *by_column, int sublinear,
                  assay_vectors *vectors)
{
    size_t *next = vectors->start;

    memcpy(next, counts->start, counts->n * sizeof *next);
    for (size_t c = 0; c < vectors->d; c++) {
        const size_t first = by_column->start[c], end = by_column->start[c + 1];
        const double idf = log((1 + (double)counts->n) / (1 + (double)(end - first))) + 1;

        for (size_t e = first; e < end; e++) {
            const double tf = (double)by_column->count[e];
            const size_t to = next[by_column->text[e]]++;

            vectors->column[to] = (uint32_t)c;
            vectors->value[to] = (sublinear ? 1 + log(tf) : tf) * idf;
        }
    }
    memcpy(vectors->start, counts->start, (counts->n + 1) * sizeof *vectors->start);
}

static void take_terms(assay_counts *counts, const columns *by_column, assay_vectors *vectors)
{
    for (size_t c = 0; c < vectors->d; c++) {
        char **text = &counts->vocabulary.text[by_column->order[c].term];

        vectors->terms[c] = *text;
        *text = NULL;
    }
}

static assay_status fail_memory(const assay_counts *counts)
{
    return assay_fail(ASSAY_E_NOMEM, "tfidf: no memory for %zu texts with %zu terms", counts->n,
                      counts->vocabulary.count);
}
