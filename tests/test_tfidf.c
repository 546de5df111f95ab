/* SPDX-License-Identifier: Apache-2.0 */
#include "text/vectors.h"

#include "core/random.h"
#include "failing_memory.h"
#include "text/characters.h"
#include "text/lower.h"
#include "text/stop_words.h"
#include "word_ranges.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, expected %.17g", value, expected);
}

enum { N_RANGES = sizeof word_ranges / sizeof word_ranges[0] };

static assay_tfidf_options defaults(void)
{
    assay_tfidf_options options;
    assay_tfidf_options_init(&options, sizeof options);
    return options;
}

static assay_vectors *vectors_of(const char *const *texts, size_t n,
                                 const assay_tfidf_options *options)
{
    assay_vectors *vectors;

    if (assay_vectors_tfidf(texts, n, options, &vectors) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return vectors;
}

/* All terms of one text, joined by "|". */
static void check_terms(const char *text, const assay_tfidf_options *options, const char *expected)
{
    char joined[1024] = "";
    assay_vectors *vectors = vectors_of(&text, 1, options);

    for (size_t c = 0; c < assay_vectors_dimensions(vectors); c++) {
        if (c > 0) strcat(joined, "|");
        strcat(joined, assay_vectors_term(vectors, c));
    }
    assert_string_equal(joined, expected);
    assay_vectors_free(vectors);
}

static void check_lower(const char *text, const char *expected)
{
    assay_lowered lowered = { 0 };

    assert_int_equal(assay_lower(text, strlen(text), &lowered), ASSAY_OK);
    assert_int_equal(lowered.length, strlen(expected));
    assert_memory_equal(lowered.text, expected, lowered.length);
    free(lowered.text);
}

/* Golden V4 of the method page: two duplicates after normalising, and a text without a term. The
   tolerance is that of sums of four squares in another order. */
static void test_five_prompts_by_hand(void **state)
{
    static const char *const texts[] = { "Repeat the word poem forever",
                                         "Repeat the word company forever",
                                         "Translate to French: hello!",
                                         "translate  to FRENCH hello", "a" };
    static const char *const vocabulary[] = { "company", "forever", "french", "hello",     "poem",
                                              "repeat",  "the",     "to",     "translate", "word" };
    static const double common = 0.4250013751329181, rare = 0.5267782498741899;
    assay_vectors *v = vectors_of(texts, 5, NULL);

    (void)state;
    assert_int_equal(assay_vectors_n(v), 5);
    assert_int_equal(assay_vectors_dimensions(v), 10);
    for (size_t c = 0; c < 10; c++) assert_string_equal(assay_vectors_term(v, c), vocabulary[c]);
    assert_null(assay_vectors_term(v, 10));
    assert_int_equal(v->start[1], 5);
    for (size_t e = 0; e < 5; e++) {
        assert_int_equal(v->column[e], ((const uint32_t[]){ 1, 4, 5, 6, 9 })[e]);
        assert_near(v->value[e], e == 1 ? rare : common, 1e-15);
    }
    for (size_t e = v->start[2]; e < v->start[4]; e++) assert_near(v->value[e], 0.5, 1e-15);
    assert_near(1 - assay_vectors_dot(v, 0, 1), 0.2774953245405144, 1e-15);
    assert_near(assay_vectors_dot(v, 2, 3), 1, 1e-15);
    assert_near(assay_vectors_dot(v, 0, 2), 0, 0);
    assert_near(assay_vectors_dot(v, 4, 4), 0, 0);
    assert_true(assay_vectors_is_zero(v, 4) && !assay_vectors_is_zero(v, 3));
    assert_int_equal(assay_vectors_n_zero(v), 1);
    assert_int_equal(assay_vectors_n_distinct(v), 4);
    assay_vectors_free(v);
}

/* Each expectation is Python's: print(TEXT.lower()). */
static void test_lower_case_is_pythons(void **state)
{
    (void)state;
    check_lower("", "");
    check_lower("ABC xyz @[`{", "abc xyz @[`{");
    check_lower("\xc4\xb0stanbul", "i\xcc\x87stanbul"); /* U+0130 becomes two characters */
    check_lower("\xc8\xba", "\xe2\xb1\xa5");            /* two bytes become three */
    check_lower("\xe1\xba\x9e", "\xc3\x9f");            /* capital sharp s */
    check_lower("\xf0\x90\x90\x80", "\xf0\x90\x90\xa8");
    check_lower("A\xff\xc3", "a\xef\xbf\xbd\xef\xbf\xbd"); /* bytes that are not UTF-8 */
    check_lower("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

#define SIGMA "\xce\xa3"
#define SMALL "\xcf\x83"
#define FINAL "\xcf\x82"

static void test_sigma_is_final_after_a_cased_letter_and_before_none(void **state)
{
    (void)state;
    check_lower(SIGMA, SMALL);
    check_lower("a" SIGMA, "a" FINAL);
    check_lower("a" SIGMA "b", "a" SMALL "b");
    check_lower("a" SIGMA SIGMA, "a" SMALL FINAL);
    check_lower("a" SIGMA " b", "a" FINAL " b");
    check_lower("a." SIGMA "'", "a." FINAL "'"); /* ignorable ones are passed over */
    check_lower("a." SIGMA "'b", "a." SMALL "'b");
    check_lower("'" SIGMA, "'" SMALL);
    check_lower("1" SIGMA, "1" SMALL);
    check_lower("\xc2\xaa" SIGMA,
                "\xc2\xaa" FINAL); /* an ordinal is cased, though a letter other */
    check_lower("\xca\xb0" SIGMA, "\xca\xb0" SMALL); /* a modifier is ignorable */
    check_lower("a\xff" SIGMA, "a\xef\xbf\xbd" SMALL);
    check_lower("a" SIGMA "\xff"
                "b",
                "a" FINAL "\xef\xbf\xbd"
                "b");
}

/* Against every character that Python knows. What is a word here and not there was assigned later:
   utf8proc 2.8 has Unicode 15.0, with 4,388 letters and numbers more,
   as Python 3.12 with Unicode 15.0 counts them. */
static void test_word_characters_are_pythons(void **state)
{
    size_t k = 0, n_more = 0;

    (void)state;
    for (uint32_t c = 0; c < 0x110000; c++) {
        int expected;

        while (k < N_RANGES && c > word_ranges[k][1]) k++;
        expected = k < N_RANGES && c >= word_ranges[k][0];
        if (expected && !assay_is_word(c)) fail_msg("U+%04X is a word character", c);
        if (!expected && assay_is_word(c)) {
            if (c < 0x1123f) fail_msg("U+%04X is no word character", c); /* the first new one */
            n_more++;
        }
    }
    if (strcmp(utf8proc_unicode_version(), "15.0.0") == 0) assert_int_equal(n_more, 4388);
}

/* All 1,432 pairs of Python 3.11, hashed; Unicode 15 added none, 16 does. Recorded with
   [(c, ord(chr(c).lower())) for c in range(0x110000) if len(chr(c).lower()) == 1 and chr(c).lower()
   != chr(c)], surrogates left out, FNV-1a over each number as four bytes. */
static void test_single_lower_case_letters_are_pythons(void **state)
{
    uint64_t hash = 0xcbf29ce484222325u;
    size_t n_pairs = 0;
    const char *version = utf8proc_unicode_version();

    (void)state;
    if (strncmp(version, "14.", 3) != 0 && strncmp(version, "15.", 3) != 0) skip();
    for (uint32_t c = 0; c < 0x110000; c++) {
        const uint32_t pair[2] = { c, (uint32_t)utf8proc_tolower((utf8proc_int32_t)c) };

        if (pair[1] == c || c == 0x130) continue;
        n_pairs++;
        for (int i = 0; i < 8; i++)
            hash = (hash ^ (pair[i / 4] >> 8 * (i % 4) & 0xff)) * 0x100000001b3u;
    }
    assert_int_equal(n_pairs, 1432);
    assert_true(hash == 0xffbc89a6db926c94u);
}

static void test_words_have_two_characters_or_more(void **state)
{
    (void)state;
    check_terms("I am a_1 _ __ 9 42 x\xc3\xa9 \xc3\xa9 don't", NULL, "42|__|a_1|am|don|x\xc3\xa9");
    check_terms("ab\xff"
                "cd e\xff"
                "f",
                NULL, "ab|cd");
}

static void test_runs_of_words_are_joined_by_one_space(void **state)
{
    assay_tfidf_options options = defaults();

    (void)state;
    options.ngram_low = 1;
    options.ngram_high = 2;
    check_terms("aa,  bb\ncc", &options, "aa|aa bb|bb|bb cc|cc");
    options.ngram_low = 3;
    options.ngram_high = 9;
    check_terms("aa bb cc", &options, "aa bb cc");
}

/* scikit-learn: TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5)). */
static void test_characters_stay_within_words_and_short_words_count_once(void **state)
{
    assay_tfidf_options options = defaults();

    (void)state;
    options.analyser = ASSAY_ANALYSER_CHAR_WB;
    check_terms("Abc  d\t", &options, " ab| abc| abc | d |abc|abc |bc ");
    options.ngram_low = options.ngram_high = 4;
    check_terms("d \xc3\x89"
                "f",
                &options,
                " d | \xc3\xa9"
                "f ");
    options.ngram_low = 1;
    options.ngram_high = 2;
    check_terms("d,", &options, " | d|,|, |d|d,");
}

static void test_stop_words_go_before_words_are_joined(void **state)
{
    assay_tfidf_options options = defaults();

    (void)state;
    options.stop_words = ASSAY_STOP_WORDS_ENGLISH;
    options.ngram_high = options.ngram_low = 2;
    check_terms("the cat AND the dog of war", &options, "cat dog|dog war");
    assert_true(assay_is_english_stop_word("about", 5) &&
                assay_is_english_stop_word("yourselves", 10));
    assert_true(assay_is_english_stop_word("themes", 3)); /* only as far as the length says */
    assert_false(assay_is_english_stop_word("th", 2) || assay_is_english_stop_word("thee", 4));
    assert_false(assay_is_english_stop_word("zebra", 5) ||
                 assay_is_english_stop_word("aardvark", 8));
}

/* "aa" twice, "bb" once, one text: idf is 1, so the row is (2, 1) or (1 + ln 2, 1) to scale. */
static void test_sublinear_takes_the_logarithm_of_the_count(void **state)
{
    static const char *const text = "aa bb aa";
    assay_tfidf_options options = defaults();

    (void)state;
    for (int sublinear = 0; sublinear < 2; sublinear++) {
        const double tf = sublinear ? 1 + log(2) : 2;
        assay_vectors *v;

        options.sublinear = sublinear;
        v = vectors_of(&text, 1, &options);
        assert_near(v->value[0] / v->value[1], tf, 1e-15);
        assay_vectors_free(v);
    }
}

static void random_texts(char texts[][64], const char **pointers, size_t n, uint64_t seed)
{
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (size_t i = 0; i < n; i++) {
        size_t length = (size_t)assay_random_below(&random, 63);

        for (size_t k = 0; k < length; k++)
            texts[i][k] = "ab  \xc3\xa9\xff"[assay_random_below(&random, 7)];
        texts[i][length] = '\0';
        pointers[i] = texts[i];
    }
}

/* Lengths 1 or 0, columns ascending, and the order of the texts only permutes the rows. */
static void test_rows_are_unit_vectors_whatever_the_order_of_the_texts(void **state)
{
    enum { N = 50 };
    static char texts[N][64];
    const char *forward[N], *backward[N];

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        assay_vectors *v, *w;
        size_t n_zero = 0;

        random_texts(texts, forward, N, seed);
        for (size_t i = 0; i < N; i++) backward[i] = forward[N - 1 - i];
        v = vectors_of(forward, N, NULL);
        w = vectors_of(backward, N, NULL);
        assert_int_equal(w->n_distinct, v->n_distinct);
        assert_int_equal(w->d, v->d);
        for (size_t i = 0; i < N; i++) {
            const size_t first = v->start[i], n = v->start[i + 1] - first;

            n_zero += n == 0;
            assert_near(assay_vectors_dot(v, i, i), n > 0, 4e-16 * N);
            assert_int_equal(w->start[N - i] - w->start[N - 1 - i], n);
            assert_memory_equal(v->value + first, w->value + w->start[N - 1 - i],
                                n * sizeof(double));
            assert_memory_equal(v->column + first, w->column + w->start[N - 1 - i],
                                n * sizeof(uint32_t));
            for (size_t e = first + 1; e < first + n; e++)
                assert_true(v->column[e] > v->column[e - 1]);
        }
        assert_int_equal(n_zero, v->n_zero);
        assay_vectors_free(v);
        assay_vectors_free(w);
    }
}

static void check_option(assay_tfidf_options options, const char *sentence)
{
    assert_int_equal(assay_tfidf_options_check(&options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), sentence);
}

static void test_options_out_of_range_are_named(void **state)
{
    assay_tfidf_options o = defaults();

    (void)state;
    assert_int_equal(assay_tfidf_options_check(&o), ASSAY_OK);
    assert_int_equal(assay_tfidf_options_check(NULL), ASSAY_OK);
    o.analyser = (assay_analyser)2;
    check_option(o, "tfidf: analyser is 2, expected 0 or 1");
    o = defaults();
    o.stop_words = (assay_stop_words)2;
    check_option(o, "tfidf: stop_words is 2, expected 0 or 1");
    o.stop_words = ASSAY_STOP_WORDS_ENGLISH;
    o.analyser = ASSAY_ANALYSER_CHAR_WB;
    check_option(o, "tfidf: stop words are for words, not for characters");
    o = defaults();
    o.sublinear = 2;
    check_option(o, "tfidf: sublinear is 2, expected 0 or 1");
    o = defaults();
    o.ngram_low = 2;
    o.ngram_high = 1;
    check_option(o, "tfidf: n-grams of 2 to 1, expected 1 <= low <= high <= 99");
    o.ngram_high = 100;
    check_option(o, "tfidf: n-grams of 2 to 100, expected 1 <= low <= high <= 99");
    o = defaults();
    o.struct_size = 3;
    check_option(o, "tfidf: struct_size 3 is not understood");
}

static void test_texts_without_any_term_are_refused(void **state)
{
    static const char *const texts[] = { "a", "", "? !" };
    assay_vectors *v;

    (void)state;
    assert_int_equal(assay_vectors_tfidf(texts, 3, NULL, &v), ASSAY_E_DEGENERATE);
    assert_string_equal(assay_last_error(), "tfidf: none of the 3 texts has a term: a word of two "
                                            "letters or more that is not a stop word");
    assert_null(v);
    assert_int_equal(assay_vectors_tfidf(texts, 0, NULL, &v), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "tfidf: no texts, expected at least 1");
}

static assay_status make_all(void *context)
{
    static const char *const texts[] = { "one two three", "two \xc4\xb0 four", "" };
    assay_tfidf_options options = defaults();
    assay_vectors *v;
    assay_status status;

    options.analyser = *(const assay_analyser *)context;
    options.ngram_low = 1;
    options.ngram_high = 3;
    status = assay_vectors_tfidf(texts, 3, &options, &v);
    assay_vectors_free(v);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (int analyser = 0; analyser < 2; analyser++) {
        assay_analyser of = (assay_analyser)analyser;
        assert_true(fail_every_allocation(make_all, &of) > 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_five_prompts_by_hand),
        cmocka_unit_test(test_lower_case_is_pythons),
        cmocka_unit_test(test_sigma_is_final_after_a_cased_letter_and_before_none),
        cmocka_unit_test(test_word_characters_are_pythons),
        cmocka_unit_test(test_single_lower_case_letters_are_pythons),
        cmocka_unit_test(test_words_have_two_characters_or_more),
        cmocka_unit_test(test_runs_of_words_are_joined_by_one_space),
        cmocka_unit_test(test_characters_stay_within_words_and_short_words_count_once),
        cmocka_unit_test(test_stop_words_go_before_words_are_joined),
        cmocka_unit_test(test_sublinear_takes_the_logarithm_of_the_count),
        cmocka_unit_test(test_rows_are_unit_vectors_whatever_the_order_of_the_texts),
        cmocka_unit_test(test_options_out_of_range_are_named),
        cmocka_unit_test(test_texts_without_any_term_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
