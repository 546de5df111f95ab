/* SPDX-License-Identifier: Apache-2.0 */
/* The prompts and clusters of a simulated benchmark. */
#include "assay/simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_simulate_options of_size(size_t n_models, size_t n_items, size_t n_clusters)
{
    assay_simulate_options opt;

    assay_simulate_options_init(&opt, sizeof opt);
    opt.n_models = n_models;
    opt.n_items = n_items;
    opt.n_clusters = n_clusters;
    return opt;
}

static assay_simulation *simulate(const assay_simulate_options *opt)
{
    assay_simulation *sim = NULL;

    assert_int_equal(assay_simulate(opt, &sim), ASSAY_OK);
    assert_non_null(sim);
    return sim;
}

static void check_sizes(double size_exponent, size_t *smallest, size_t *largest)
{
    assay_simulate_options opt = of_size(2, 207, 30);
    size_t counted[30] = { 0 }, total = 0;

    opt.size_exponent = size_exponent;
    assay_simulation *sim = simulate(&opt);
    for (size_t i = 0; i < 207; i++) counted[assay_simulation_item_cluster(sim, i)]++;
    *smallest = SIZE_MAX;
    *largest = 0;
    for (size_t c = 0; c < 30; c++) {
        size_t size = assay_simulation_cluster_size(sim, c);
        assert_int_equal(size, counted[c]);
        total += size;
        if (size < *smallest) *smallest = size;
        if (size > *largest) *largest = size;
    }
    assert_int_equal(total, 207);
    assay_simulation_free(sim);
}

static void test_sizes_sum_and_follow_the_exponent(void **state)
{
    size_t smallest, largest;

    (void)state;
    check_sizes(0.0, &smallest, &largest); /* 207 / 30 = 6.9 */
    assert_int_equal(smallest, 6);
    assert_int_equal(largest, 7);
    check_sizes(1.0, &smallest, &largest); /* 1 + 177 / H_30 = 45.3 for the first */
    assert_in_range(smallest, 1, 3);
    assert_in_range(largest, 45, 46);
    check_sizes(100.0, &smallest, &largest);
    assert_int_equal(smallest, 1);
    assert_int_equal(largest, 178);
}

static void test_names_are_numbered_from_one_and_padded(void **state)
{
    assay_simulate_options opt = of_size(100, 200, 30);

    (void)state;
    opt.n_templates = 10;
    assay_simulation *sim = simulate(&opt);
    assert_string_equal(assay_simulation_item(sim, 0), "q0001");
    assert_string_equal(assay_simulation_item(sim, 199), "q0200");
    assert_string_equal(assay_simulation_cluster(sim, 6), "t07");
    assert_string_equal(assay_simulation_model(sim, 2), "model-003");
    assert_string_equal(assay_simulation_template(sim, 9), "template-10");
    assay_simulation_free(sim);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_distinct(const assay_simulation *sim)
{
    size_t n = assay_simulation_options(sim)->n_items, distinct = 1;
    const char **texts = malloc(n * sizeof *texts);

    assert_non_null(texts);
    for (size_t i = 0; i < n; i++) texts[i] = assay_simulation_item_text(sim, i);
    qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t i = 1; i < n; i++) distinct += strcmp(texts[i - 1], texts[i]) != 0;
    free(texts);
    return distinct;
}

static void check_distinct(assay_members members, size_t n_items, size_t n_clusters, size_t want)
{
    assay_simulate_options opt = of_size(1, n_items, n_clusters);

    opt.members = members;
    opt.n_dimensions = 1;
    assay_simulation *sim = simulate(&opt);
    assert_int_equal(count_distinct(sim), want);
    assert_int_equal(assay_simulation_texts_distinct(sim), want == n_items);
    assay_simulation_free(sim);
}

static void test_texts_differ_as_far_as_there_are_wordings(void **state)
{
    (void)state;
    for (int members = 0; members < 2; members++) {
        check_distinct((assay_members)members, 200, 40, 200);
        check_distinct((assay_members)members, 2 * ASSAY_SIMULATE_MAX_CLUSTERS,
                       ASSAY_SIMULATE_MAX_CLUSTERS, 2 * ASSAY_SIMULATE_MAX_CLUSTERS);
    }
    check_distinct(ASSAY_MEMBERS_SHARE_WORDS, 8260, 1, 8260);
    check_distinct(ASSAY_MEMBERS_SHARE_WORDS, 8261, 1, 8260);
    check_distinct(ASSAY_MEMBERS_PARAPHRASES, 3840, 1, 3840);
    check_distinct(ASSAY_MEMBERS_PARAPHRASES, 3900, 1, 3840);
}

static void test_texts_are_plain_english_sentences(void **state)
{
    assay_simulate_options opt = of_size(1, 7680, ASSAY_SIMULATE_MAX_CLUSTERS);

    (void)state;
    for (int members = 0; members < 2; members++) {
        opt.members = (assay_members)members;
        assay_simulation *sim = simulate(&opt);
        for (size_t i = 0; i < opt.n_items; i++) {
            const char *text = assay_simulation_item_text(sim, i);
            assert_true(isupper((unsigned char)text[0]));
            assert_non_null(strchr(".?", text[strlen(text) - 1]));
            assert_null(strchr(text, '%'));
            assert_null(strstr(text, "  "));
            for (const char *s = text; *s; s++) assert_true(isprint((unsigned char)*s));
        }
        assay_simulation_free(sim);
    }
}

typedef struct words {
    char text[64][24];
    size_t n;
} words;

static int has_word(const words *set, const char *word)
{
    for (size_t k = 0; k < set->n; k++)
        if (strcmp(set->text[k], word) == 0) return 1;
    return 0;
}

/* The set of lower-case runs of letters and digits. */
static words words_of(const char *text)
{
    words set = { .n = 0 };

    while (*text) {
        char word[24] = "";
        size_t length = 0;
        for (; isalnum((unsigned char)*text); text++)
            word[length++] = (char)tolower((unsigned char)*text);
        if (length && !has_word(&set, word)) memcpy(set.text[set.n++], word, sizeof word);
        if (*text) text++;
    }
    return set;
}

static double jaccard(const words *a, const words *b)
{
    size_t both = 0;

    for (size_t k = 0; k < a->n; k++) both += (size_t)has_word(b, a->text[k]);
    return (double)both / (double)(a->n + b->n - both);
}

static void mean_jaccard(assay_members members, double *within, double *across)
{
    assay_simulate_options opt = of_size(1, 200, 40);
    words *sets = malloc(opt.n_items * sizeof *sets);
    double sums[2] = { 0.0, 0.0 }, counts[2] = { 0.0, 0.0 };

    assert_non_null(sets);
    opt.members = members;
    assay_simulation *sim = simulate(&opt);
    for (size_t i = 0; i < opt.n_items; i++) {
        sets[i] = words_of(assay_simulation_item_text(sim, i));
        for (size_t j = 0; j < i; j++) {
            int same =
                assay_simulation_item_cluster(sim, i) == assay_simulation_item_cluster(sim, j);
            sums[same] += jaccard(&sets[i], &sets[j]);
            counts[same] += 1.0;
        }
    }
    *within = sums[1] / counts[1];
    *across = sums[0] / counts[0];
    assay_simulation_free(sim);
    free(sets);
}

static void test_paraphrases_share_few_words_and_edits_most(void **state)
{
    double within, across;

    (void)state;
    mean_jaccard(ASSAY_MEMBERS_SHARE_WORDS, &within, &across);
    assert_true(within > 0.6);
    assert_true(across < 0.15);
    mean_jaccard(ASSAY_MEMBERS_PARAPHRASES, &within, &across);
    assert_true(within < 0.25);
    assert_true(across < 0.1);
    assert_true(within > 2.0 * across); /* the topic still shows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_sum_and_follow_the_exponent),
        cmocka_unit_test(test_names_are_numbered_from_one_and_padded),
        cmocka_unit_test(test_texts_differ_as_far_as_there_are_wordings),
        cmocka_unit_test(test_texts_are_plain_english_sentences),
        cmocka_unit_test(test_paraphrases_share_few_words_and_edits_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
