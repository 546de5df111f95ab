/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts as vectors: TF-IDF, or vectors made elsewhere. */
#ifndef ASSAY_VECTORS_H
#define ASSAY_VECTORS_H

#include "assay/prompts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n vectors of unit length (or zero), dense or sparse. Opaque and unchanging; free with
   assay_vectors_free(). */
typedef struct assay_vectors assay_vectors;

ASSAY_API void assay_vectors_free(assay_vectors *vectors); /* NULL is fine */

ASSAY_API size_t assay_vectors_n(const assay_vectors *vectors);
ASSAY_API size_t assay_vectors_dimensions(const assay_vectors *vectors);

/* Rows that were zero (a text without a token, say), and how many different rows there are. */
ASSAY_API size_t assay_vectors_n_zero(const assay_vectors *vectors);
ASSAY_API size_t assay_vectors_n_distinct(const assay_vectors *vectors);

/* Copy row i to out, assay_vectors_dimensions() numbers. */
ASSAY_API void assay_vectors_row(const assay_vectors *vectors, size_t i, double *out);

/* What the terms of a text are. Part of the ABI: never renumber. */
typedef enum assay_analyser {
    ASSAY_ANALYSER_WORD = 0,   /* words of two characters or more, and runs of such words */
    ASSAY_ANALYSER_CHAR_WB = 1 /* runs of characters within a word and the spaces around it */
} assay_analyser;

typedef enum assay_stop_words {
    ASSAY_STOP_WORDS_NONE = 0,
    ASSAY_STOP_WORDS_ENGLISH =
        1 /* assay's own list of English function words, not scikit-learn's */
} assay_stop_words;

/* Start from assay_tfidf_options_init(); later versions add fields only at the end. */
typedef struct assay_tfidf_options {
    size_t struct_size; /* sizeof this struct as the caller was compiled */
    assay_analyser analyser;
    assay_stop_words stop_words;  /* taken out before words are joined; for words alone */
    int sublinear;                /* 1: 1 + ln tf in place of tf; default 0 */
    size_t ngram_low, ngram_high; /* how many words or characters make a term, 1 to 99; default 0
                                      and 0: 1 to 1 for words, 3 to 5 for characters */
} assay_tfidf_options;

ASSAY_API void assay_tfidf_options_init(assay_tfidf_options *options, size_t struct_size);

/* ASSAY_OK; ASSAY_E_VALUE naming the first option that is out of its range. */
ASSAY_API assay_status assay_tfidf_options_check(const assay_tfidf_options *options);

/**
 * Texts as TF-IDF vectors: what scikit-learn's TfidfVectorizer makes of them by default.
 *
 * A text is put into lower case as Python's str.lower() does it, and its terms are the matches of
 * \b\w\w+\b with Python's \w. With tf how often a term is in a text, df how many texts it is in and
 * n texts, the entry is tf (ln((1 + n) / (1 + df)) + 1), and each row is scaled to length 1.
 * Columns are the terms in the order of their code points. A text without a term has a zero row.
 *
 * @param texts    n of them, ended by NUL; a byte that is not UTF-8 counts as U+FFFD. Borrowed.
 * @param options  NULL for the defaults.
 * @param out      sparse vectors, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_SHAPE without texts, or with 2^32 terms; ASSAY_E_DEGENERATE when no text
 *         has a term; ASSAY_E_VALUE for options; ASSAY_E_NOMEM.
 * Cost: O(bytes + terms log terms) time. Safe to call from any thread.
 */
ASSAY_API assay_status assay_vectors_tfidf(const char *const *texts, size_t n,
                                           const assay_tfidf_options *options, assay_vectors **out);

/* The term of a column of TF-IDF vectors; NULL for other vectors and for columns that are not there.
   Owned by the vectors. It may hold any character: assay_printable() makes it safe to print. */
ASSAY_API const char *assay_vectors_term(const assay_vectors *vectors, size_t column);

/**
 * Vectors that were made elsewhere, one a prompt.
 *
 * A NumPy array (.npy, of numbers, n x d) has them in the order of the prompts, unless VECTORS.ids.csv
 * as `assay embed` writes it stands beside VECTORS.npy, and says whose each row is. So has an archive of
 * arrays (.npz) in its only one of rows and columns of numbers or, of several, the one called
 * vectors, embeddings, X or arr_0; nothing in it is unpickled. So have a CSV file of nothing but
 * numbers, and JSON rows without an id. With ids (a first column "id", or of text; a
 * key "id" beside "embedding" or "vector") each prompt gets the vector of its id, and vectors of
 * other ids are passed by. Gzip and Zstandard are undone. Rows are scaled to length 1.
 *
 * @param path     a file, or "-" for standard input; told apart by its first bytes.
 * @param prompts  borrowed for the call.
 * @param out      dense vectors, owned by the caller; NULL on any failure.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT when the file is malformed or of another kind;
 *         ASSAY_E_SHAPE when a prompt has no vector (the sentence names it) or the numbers of rows
 *         differ; ASSAY_E_CONFLICT when two vectors of one id differ; ASSAY_E_VALUE for a number
 *         that is not finite; ASSAY_E_NOMEM.
 * Cost: O(bytes). Memory: the n x d numbers, and a row of the file.
 */
ASSAY_API assay_status assay_vectors_read(const char *path, const assay_prompts *prompts,
                                          assay_vectors **out);

#ifdef __cplusplus
}
#endif
#endif
