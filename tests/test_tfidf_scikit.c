/* SPDX-License-Identifier: Apache-2.0 */
/* TF-IDF against scikit-learn 1.2.1 on Python 3.11: hostile texts, and the prompt sets beside the
   repository. What was recorded of X = TfidfVectorizer(...).fit_transform(texts), in Python:
   X.shape, X.nnz, FNV-1a over "\n".join(get_feature_names_out()), the sums of the rows (of the first,
   the one at n // 2 and the last), and the sum of value * (column + 1) over all entries. */
#include "text/vectors.h"

#include "assay/prompts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g, expected %.17g", value, expected);
}

/* Sums of a few thousand numbers below 1 that differ in the last bit each. */
#define ROW_TOLERANCE 1e-12
#define SUM_TOLERANCE_RELATIVE 1e-12

typedef struct record {
    const char *set;
    int analyser, sublinear;
    size_t low, high, n, d, n_entries;
    uint64_t vocabulary;
    double rows[3], sum;
} record;

static const record records[] = {
    { "garak_ansiraw",
      0,
      0,
      0,
      0,
      58,
      68,
      454,
      0x57f122972f2f84e5u,
      { 2.62752506847701, 4.69771142637394, 4.50504352771745 },
      5375.90335606052 },
    { "garak_ansiraw",
      0,
      1,
      1,
      2,
      58,
      178,
      870,
      0xc304d43e018fe8aau,
      { 3.58004151872788, 6.73079941909344, 6.48942441057662 },
      18761.4922259436 },
    { "garak_ansiraw",
      1,
      0,
      3,
      5,
      58,
      1091,
      6423,
      0xd1858ef5455080a8u,
      { 9.73175272928743, 5.17411756362262, 5.63319774621022 },
      282997.754629427 },
    { "garak_enfr",
      0,
      0,
      0,
      0,
      270,
      78,
      8028,
      0x02ab26784f0d730cu,
      { 3.9463135361607, 4.70239978183997, 5.8265862148836 },
      54972.3499567166 },
    { "garak_js_v0.13.1",
      0,
      0,
      0,
      0,
      91,
      97,
      1116,
      0x8445f5b4e83fc43bu,
      { 2.60618894087011, 2.52163808462984, 5.66826863811417 },
      14904.770396434 },
    { "garak_js_v0.16.0",
      0,
      0,
      0,
      0,
      240,
      153,
      3047,
      0xfe7a3b9db430cc9cu,
      { 2.57142690210769, 3.44207032053822, 3.28111483403927 },
      62509.5892771868 },
    { "garak_repeat",
      0,
      0,
      0,
      0,
      36,
      9,
      183,
      0x12173356e80a5adau,
      { 2.30070011083797, 2.30070011083797, 1.88235406520061 },
      302.919800347211 },
    { "gsm8k_test",
      0,
      0,
      0,
      0,
      1319,
      5084,
      38994,
      0x89e79410a25ee0aeu,
      { 5.49633258608719, 2.8133580209823, 4.22095377798781 },
      14676621.1782127 },
    { "harmbench_copyright",
      0,
      0,
      0,
      0,
      100,
      390,
      984,
      0xf61cef2a20298613u,
      { 2.72790914661327, 3.0541928231818, 2.68253879592487 },
      51796.1910848523 },
    { "mmlu_high_school_world_history",
      0,
      0,
      0,
      0,
      237,
      4100,
      30413,
      0x6ffa7393b806f233u,
      { 7.66351984935753, 6.40654507945144, 11.4379553923344 },
      4905843.60605297 },
    { "mmlu_us_foreign_policy",
      0,
      0,
      0,
      0,
      100,
      493,
      1219,
      0x865a8c53d2b2dc2du,
      { 2.82464862230667, 3.13102492474179, 3.59008552051105 },
      88267.90539752 },
    { "truthfulqa",
      0,
      0,
      0,
      0,
      817,
      2107,
      8044,
      0x8fd6ca3810d95e01u,
      { 2.60006136629523, 2.37891183423273, 2.31268252093485 },
      2651715.30660564 },
    { "truthfulqa",
      0,
      1,
      1,
      2,
      817,
      7117,
      15639,
      0x0011e25b22803541u,
      { 3.75626719565189, 3.39434961819989, 3.20455125019573 },
      12334312.3460905 },
    { "truthfulqa",
      1,
      0,
      3,
      5,
      817,
      18331,
      91173,
      0x4b8ff4618370c263u,
      { 8.64896616678224, 7.88896532608619, 9.07292346092364 },
      69237252.8620637 },
};

static uint64_t hash_of_vocabulary(const assay_vectors *v)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t c = 0; c < v->d; c++) {
        const char *term = assay_vectors_term(v, c);

        if (c > 0) h = (h ^ '\n') * 0x100000001b3u;
        for (; *term; term++) h = (h ^ (unsigned char)*term) * 0x100000001b3u;
    }
    return h;
}

static double sum_of_row(const assay_vectors *v, size_t i)
{
    double sum = 0;

    for (size_t e = v->start[i]; e < v->start[i + 1]; e++) sum += v->value[e];
    return sum;
}

static assay_vectors *make(const char *const *texts, size_t n, int analyser, int sublinear,
                           size_t low, size_t high)
{
    assay_tfidf_options options;
    assay_vectors *v;

    assay_tfidf_options_init(&options, sizeof options);
    options.analyser = (assay_analyser)analyser;
    options.sublinear = sublinear;
    options.ngram_low = low;
    options.ngram_high = high;
    if (assay_vectors_tfidf(texts, n, &options, &v) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return v;
}

static void check_record(const record *r, const char *path)
{
    assay_prompts *prompts;
    assay_vectors *v;
    double sum = 0;

    if (assay_prompts_read(path, NULL, &prompts) != ASSAY_OK) fail_msg("%s", assay_last_error());
    v = make(assay_prompts_texts(prompts), assay_prompts_n(prompts), r->analyser, r->sublinear,
             r->low, r->high);
    assert_int_equal(v->n, r->n);
    assert_int_equal(v->d, r->d);
    assert_int_equal(v->start[v->n], r->n_entries);
    assert_true(hash_of_vocabulary(v) == r->vocabulary);
    for (size_t k = 0; k < 3; k++) {
        const size_t rows[] = { 0, v->n / 2, v->n - 1 };
        assert_near(sum_of_row(v, rows[k]), r->rows[k], ROW_TOLERANCE);
    }
    for (size_t e = 0; e < r->n_entries; e++) sum += v->value[e] * (v->column[e] + 1.0);
    assert_near(sum / r->sum, 1, SUM_TOLERANCE_RELATIVE);
    assay_vectors_free(v);
    assay_prompts_free(prompts);
}

static void test_every_prompt_set_has_scikit_learns_vectors(void **state)
{
    (void)state;
    if (access(ASSAY_SHARED_FOLDER "/data/prompts", R_OK) != 0) {
        print_message("no prompt sets beside the repository\n");
        skip();
    }
    for (size_t k = 0; k < sizeof records / sizeof records[0]; k++) {
        char path[512];

        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/data/prompts/%s.jsonl", records[k].set);
        check_record(&records[k], path);
    }
}

static void test_distinct_vectors_are_those_of_the_method_page(void **state)
{
    static const struct known {
        const char *set;
        size_t vectors, texts;
    } known[] = { { "garak_ansiraw", 43, 58 },
                  { "garak_repeat", 30, 36 },
                  { "garak_enfr", 45, 90 },
                  { "mmlu_us_foreign_policy", 98, 98 } };

    (void)state;
    if (access(ASSAY_SHARED_FOLDER "/data/prompts", R_OK) != 0) skip();
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char path[512];
        assay_prompts *prompts;
        assay_vectors *v;

        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/data/prompts/%s.jsonl", known[k].set);
        assert_int_equal(assay_prompts_read(path, NULL, &prompts), ASSAY_OK);
        v = make(assay_prompts_texts(prompts), assay_prompts_n(prompts), 0, 0, 0, 0);
        assert_int_equal(assay_vectors_n_distinct(v), known[k].vectors);
        assert_int_equal(assay_prompts_n_distinct(prompts), known[k].texts);
        assay_vectors_free(v);
        assay_prompts_free(prompts);
    }
}

enum { N_HOSTILE = 14 };

/* Dotted and dotless i, sigmas, marks, scripts without case or spaces, numbers of every kind, white
   space of every kind, planes beyond the first, ligatures, titlecase, zero-width characters. */
static const char *const hostile[N_HOSTILE] = {
    "\xc4\xb0stanbul \xc3\x87"
    "A\xc4\x9e",
    "\xce\x9f\xce\x94\xce\x9f\xce\xa3 \xce\x9f\xce\x94\xce\x9f\xce\xa3.\xce\x91 \xce\xa3 "
    "\xce\x91\xce\xa3'",
    "a b cc",
    "na\xc3\xafve NAI\xcc\x88VE",
    "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97 \xe4\xb8\xad \xed\x95\x9c\xea\xb5\xad\xec\x96\xb4",
    "x_1 __ _ 9 42",
    "don't we'll",
    "\xc2\xbd \xe2\x91\xa0\xe2\x91\xa1 \xe2\x85\xa7 \xe2\x85\xb7\xe2\x85\xb7",
    "tab\x09new\x0aline\xe3\x80\x80wide\xc2\xa0nbsp",
    "\xf0\x9f\x98\x80ok \xf0\x90\x90\x80\xf0\x90\x90\x81",
    "e\xcc\x81"
    "e\xcc\x81 \xef\xac\x81\xef\xac\x81 \xc7\x85\xc7\x85 \xe1\xba\x9e\xc3\x9f",
    "",
    "\xe2\x80\x8bzero\xe2\x80\x8dwidth \xc2\xadsoft",
    "\xcd\x85\xce\x91\xce\xa3\xcd\x85 \xca\xb0\xce\xa3 \xc2\xaa\xce\xa3"
};

static void check_hostile(int analyser, size_t low, size_t high, size_t d, size_t n_entries,
                          uint64_t vocabulary, const double sums[N_HOSTILE])
{
    assay_vectors *v = make(hostile, N_HOSTILE, analyser, 0, low, high);

    assert_int_equal(v->d, d);
    assert_int_equal(v->start[v->n], n_entries);
    assert_true(hash_of_vocabulary(v) == vocabulary);
    for (size_t i = 0; i < N_HOSTILE; i++) assert_near(sum_of_row(v, i), sums[i], ROW_TOLERANCE);
    assay_vectors_free(v);
}

static void test_hostile_texts_have_scikit_learns_vectors(void **state)
{
    static const double words[N_HOSTILE] = { 1.41421356237309, 1.72824817744092, 1,
                                             1.73205080756888, 1.41421356237309, 1.73205080756888,
                                             1.73205080756888, 1.41421356237309, 2.23606797749979,
                                             1.41421356237309, 1.73205080756888, 0,
                                             1.73205080756888, 1.72824817744092 };
    static const double characters[N_HOSTILE] = {
        5.0941701621132,  4.91973318867012, 3.31408716504806, 4.02412878415271,
        3.90006747579955, 4.42635206378713, 4.68524053857718, 3.57770876399966,
        6.01032249407219, 3.46410161513776, 4.70678724331642, 0,
        5.82530883003489, 4.35343800453477
    };
    static const double pairs[N_HOSTILE] = { 1.73205080756888, 2.23265900135869, 1,
                                             2.23606797749979, 1.73205080756888, 2.23606797749979,
                                             2.23606797749979, 1.73205080756888, 3,
                                             1.73205080756888, 2.23606797749979, 0,
                                             2.23606797749979, 2.23265900135869 };

    (void)state;
    check_hostile(ASSAY_ANALYSER_WORD, 1, 1, 34, 35, 0x6909bfe7b4ff9290u, words);
    check_hostile(ASSAY_ANALYSER_CHAR_WB, 2, 3, 267, 281, 0xf469ec0a61093533u, characters);
    check_hostile(ASSAY_ANALYSER_WORD, 1, 2, 56, 57, 0xd1d087c417028114u, pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prompt_set_has_scikit_learns_vectors),
        cmocka_unit_test(test_distinct_vectors_are_those_of_the_method_page),
        cmocka_unit_test(test_hostile_texts_have_scikit_learns_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
