/* SPDX-License-Identifier: Apache-2.0 */
/* What a prompt template looks like, as counts: get_features.py of the released code. */
#include "assay/covariates.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "text/characters.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* A word within a text, and the next one's beginning. */
struct word {
    const char *begin, *end;
};

/* Framing words of all texts, each once. */
struct framings {
    struct word *words;
    size_t n, capacity;
};

static const char *const strings[] = { ":", "-", "||", "<sep>", "::", "", "(", ")", "\"", "?" };
enum { N_STRINGS = sizeof strings / sizeof *strings };

static int next_word(const char **text, struct word *word);
static assay_status find_framings(const char *const *texts, size_t n, struct framings *found);
static void count_surface(const char *text, const struct framings *framings, double *counts);

assay_status assay_covariates_surface(const char *const *texts, size_t n, double **out,
                                      size_t *n_columns)
{
    struct framings found = { 0 };
    double *x = NULL;
    size_t d;
    assay_status status;

    *out = NULL;
    *n_columns = 0;
    if (n == 0) return assay_fail(ASSAY_E_SHAPE, "surface counts of no texts");
    if ((status = find_framings(texts, n, &found)) != ASSAY_OK) goto done;
    d = ASSAY_SURFACE_COUNTS + found.n;
    x = assay_alloc_zero(n, d * sizeof *x);
    if (!x) {
        status = assay_fail(ASSAY_E_NOMEM, "no memory for %zu x %zu counts", n, d);
        goto done;
    }
    for (size_t i = 0; i < n; i++) count_surface(texts[i], &found, x + i * d);
    *out = x;
    *n_columns = d;
done:
    free(found.words);
    return status;
}

/* ---- words ---- */

/* A byte that is not UTF-8 is a character of its own. */
static size_t decode(const char *text, uint32_t *code_point)
{
    size_t n = assay_utf8_decode(text, strlen(text) < 4 ? strlen(text) : 4, code_point);

    if (n > 0) return n;
    *code_point = ASSAY_REPLACEMENT;
    return 1;
}

static int next_word(const char **text, struct word *word)
{
    uint32_t c;
    size_t n;

    for (; **text && (n = decode(*text, &c), assay_is_space(c)); *text += n)
        ;
    word->begin = *text;
    for (; **text && (n = decode(*text, &c), !assay_is_space(c)); *text += n)
        ;
    word->end = *text;
    return word->end > word->begin;
}

static int same(const struct word *a, const struct word *b)
{
    size_t n = (size_t)(a->end - a->begin);

    return n == (size_t)(b->end - b->begin) && memcmp(a->begin, b->begin, n) == 0;
}

static int is_framing(const struct word *word)
{
    uint32_t c;
    utf8proc_category_t category;

    decode(word->begin, &c);
    category = utf8proc_category((utf8proc_int32_t)c);
    return memchr(word->begin, ':', (size_t)(word->end - word->begin)) &&
           (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_ND ||
            category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_NO);
}

static assay_status find_framings(const char *const *texts, size_t n, struct framings *found)
{
    struct word word;

    for (size_t i = 0; i < n; i++) {
        for (const char *text = texts[i]; next_word(&text, &word);) {
            int known = !is_framing(&word);

            for (size_t k = 0; k < found->n && !known; k++) known = same(&word, &found->words[k]);
            if (known) continue;
            if (assay_grow(&found->words, &found->capacity, found->n + 1, sizeof word) != 0)
                return assay_fail(ASSAY_E_NOMEM, "no memory for the framing words of %zu texts", n);
            found->words[found->n++] = word;
        }
    }
    return ASSAY_OK;
}

/* str.isupper(), islower() and istitle() of Python: 1 in each of the three that holds. */
static void count_case(const struct word *word, double counts[3])
{
    int cased = 0, after_cased = 0, upper = 1, lower = 1, title = 1;
    uint32_t c;

    for (const char *at = word->begin; at < word->end;) {
        utf8proc_category_t category;

        at += decode(at, &c);
        category = utf8proc_category((utf8proc_int32_t)c);
        if (category != UTF8PROC_CATEGORY_LU && category != UTF8PROC_CATEGORY_LL &&
            category != UTF8PROC_CATEGORY_LT) {
            after_cased = 0;
            continue;
        }
        if (category != UTF8PROC_CATEGORY_LU) upper = 0;
        if (category != UTF8PROC_CATEGORY_LL) lower = 0;
        if ((category == UTF8PROC_CATEGORY_LL) != after_cased) title = 0;
        cased = after_cased = 1;
    }
    counts[0] += cased && upper;
    counts[1] += cased && lower;
    counts[2] += cased && title;
}

/* ---- counts ---- */

static double count_string(const char *text, const char *string)
{
    size_t length = strlen(string), n = 0;
    uint32_t c;

    if (length == 0) {
        for (; *text; text += decode(text, &c)) n++;
        return (double)n + 1.0;
    }
    while ((text = strstr(text, string))) {
        n++;
        text += length;
    }
    return (double)n;
}

static void count_surface(const char *text, const struct framings *framings, double *counts)
{
    struct word word;

    for (const char *at = text; next_word(&at, &word);) {
        count_case(&word, counts);
        for (size_t k = 0; k < framings->n; k++)
            counts[ASSAY_SURFACE_COUNTS + k] += same(&word, &framings->words[k]);
    }
    counts[3] = count_string(text, "\n");
    for (size_t k = 0; k < N_STRINGS; k++) counts[4 + k] = count_string(text, strings[k]);
    counts[4 + N_STRINGS] = count_string(text, " ");
}
