/* SPDX-License-Identifier: Apache-2.0 */
/* Merges of real prompt sets: the stored ones of the reference, and the loop that defines them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cluster/agglomerate.h"
#include "cluster/dendrogram.h"
#include "cluster/linkage.h"
#include "dendrogram_oracle.h"
#include "read/json.h"

#include <stdio.h>

enum { TEXT_SIZE = 1 << 16, MOST_PROMPTS = 2000 };

static FILE *open_shared(const char *name, const char *mode)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", ASSAY_SHARED_FOLDER, name);
    file = fopen(path, mode);
    if (!file) {
        print_message("%s is not here\n", path);
        skip();
    }
    return file;
}

/* A .npy file of float32, row after row: 10 bytes, a header of this length, the numbers. */
static assay_vectors *encoded(const char *set)
{
    char name[128], header[256] = { 0 };
    unsigned char start[10];
    size_t n = 0, d = 0, length;
    float *row;
    FILE *from;
    double *x;

    snprintf(name, sizeof name, "golden/minilm/%s.npy", set);
    from = open_shared(name, "rb");
    assert_int_equal(fread(start, 1, 10, from), 10);
    length = start[8] + 256u * start[9];
    assert_true(length < sizeof header && fread(header, 1, length, from) == length);
    assert_int_equal(sscanf(strstr(header, "'shape'"), "'shape': (%zu, %zu)", &n, &d), 2);
    x = assay_alloc_aligned(n * d, sizeof *x);
    row = malloc(d * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(fread(row, sizeof *row, d, from), d);
        for (size_t k = 0; k < d; k++) x[i * d + k] = (double)row[k];
    }
    fclose(from);
    free(row);
    assay_vectors *vectors;
    assert_int_equal(assay_vectors_from_dense(x, n, d, &vectors), ASSAY_OK);
    return vectors;
}

static assay_status from_file(void *user, char *buffer, size_t size, size_t *got)
{
    *got = fread(buffer, 1, size, user);
    return ASSAY_OK;
}

static assay_vectors *tfidf_of(const char *set)
{
    char name[128], **texts, key[64] = "";
    size_t n = 0, length;
    assay_json_reader *reader;
    assay_vectors *vectors;
    assay_json_event event;
    const char *text;
    double number;

    snprintf(name, sizeof name, "data/prompts/%s.jsonl", set);
    FILE *from = open_shared(name, "rb");
    texts = calloc(MOST_PROMPTS, sizeof *texts);
    assert_non_null(texts);
    assert_int_equal(assay_json_open(name, from_file, from, &reader), ASSAY_OK);
    for (;;) {
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        if (event == ASSAY_JSON_END) break;
        if (event == ASSAY_JSON_STRING && strcmp(key, "prompt") == 0 && n < MOST_PROMPTS)
            texts[n++] = strdup(text);
        if (event == ASSAY_JSON_KEY) snprintf(key, sizeof key, "%s", text);
    }
    assay_json_close(reader);
    fclose(from);
    assert_int_equal(assay_vectors_tfidf((const char *const *)texts, n, NULL, &vectors), ASSAY_OK);
    for (size_t i = 0; i < n; i++) free(texts[i]);
    free(texts);
    return vectors;
}

static const char *const sets[] = {
    "garak_ansiraw",
    "garak_enfr",
    "garak_js_v0.13.1",
    "garak_js_v0.16.0",
    "garak_repeat",
    "harmbench_copyright",
    "mmlu_us_foreign_policy",
    "mmlu_high_school_world_history",
    "gsm8k_test",
    "truthfulqa", /* the last without stored vectors */
};
enum { N_ENCODED = 9 };

/* All linkages and two tie orders; only average linkage where there are so many prompts that the loop
   takes a second. */
static void check_set(const assay_vectors *x)
{
    int n_linkages = x->n > 500 ? 1 : 3;
    uint64_t n_orders = x->n > 500 ? 1 : 2;
    size_t *order = malloc(x->n * sizeof *order);

    for (int linkage = 0; linkage < n_linkages; linkage++) {
        for (uint64_t k = 0; k < n_orders; k++) {
            assay_dendrogram_options options;
            assay_dendrogram *tree;
            oracle_tree expected;

            assay_dendrogram_options_init(&options, sizeof options);
            options.linkage = (assay_linkage)linkage;
            options.tie_order = k;
            assay_tie_order(options.tie_seed, k, x->n, order);
            expected = oracle(x, options.linkage, order);
            oracle_settle(&expected);
            assert_int_equal(assay_dendrogram_fit(x, &options, &tree), ASSAY_OK);
            assert_same_tree(tree, &expected);
            assay_dendrogram_free(tree);
            if (linkage == ASSAY_LINKAGE_AVERAGE && x->dense) {
                assay_slot_merge *merges = malloc(x->n * sizeof *merges);

                assert_int_equal(assay_agglomerate_sums(x, order, 2, (assay_progress){ 0 }, merges),
                                 ASSAY_OK);
                assert_int_equal(assay_dendrogram_from_merges(merges, order, x->n, &tree),
                                 ASSAY_OK);
                assert_same_tree(tree, &expected);
                assay_dendrogram_free(tree);
                free(merges);
            }
            oracle_free(&expected);
        }
    }
    free(order);
}

static void encoded_prompts_merge_as_in_the_loop(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_ENCODED; k++) {
        assay_vectors *x = encoded(sets[k]);

        check_set(x);
        assay_vectors_free(x);
    }
}

static void tfidf_prompts_merge_as_in_the_loop(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        assay_vectors *x = tfidf_of(sets[k]);

        check_set(x);
        assay_vectors_free(x);
    }
}

/* The stored trees, "NAME:tf" and "NAME:mini": keys "data" and "children" of each. */
static void check_stored(const char *set, int is_tfidf, const size_t *children, size_t n_children)
{
    assay_vectors *x = is_tfidf ? tfidf_of(set) : encoded(set);
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_fit(x, NULL, &tree), ASSAY_OK);
    assert_int_equal(n_children, 2 * (x->n - 1));
    for (size_t t = 0; t + 1 < x->n; t++) {
        /* Stored in the order of the loop, which is that of the smallest leaves. */
        assert_int_equal(tree->children[2 * t], children[2 * t]);
        assert_int_equal(tree->children[2 * t + 1], children[2 * t + 1]);
    }
    assay_dendrogram_free(tree);
    assay_vectors_free(x);
}

static void stored_merges_are_met_exactly(void **state)
{
    FILE *from = open_shared("golden/minilm/bhm_esc.json", "rb");
    size_t *children = malloc(2 * MOST_PROMPTS * sizeof *children), n_children = 0, length;
    char set[128] = "", top[128] = "", key[128] = "";
    assay_json_reader *reader;
    assay_json_event event;
    size_t n_trees = 0;
    const char *text;
    double number;

    (void)state;
    assert_int_equal(assay_json_open("bhm_esc.json", from_file, from, &reader), ASSAY_OK);
    for (;;) {
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        if (event == ASSAY_JSON_END) break;
        if (event == ASSAY_JSON_KEY && assay_json_depth(reader) == 1)
            snprintf(top, sizeof top, "%s", text);
        else if (event == ASSAY_JSON_KEY)
            snprintf(key, sizeof key, "%s", text);
        if (event == ASSAY_JSON_STRING && strcmp(key, "data") == 0)
            snprintf(set, sizeof set, "%s", text);
        if (event == ASSAY_JSON_NUMBER && strcmp(key, "children") == 0)
            children[n_children++] = (size_t)number;
        if (event == ASSAY_JSON_OBJECT_END && assay_json_depth(reader) == 1) {
            check_stored(set, strstr(top, ":tf") != NULL, children, n_children);
            n_children = 0;
            n_trees++;
        }
    }
    assert_int_equal(n_trees, 10);
    assay_json_close(reader);
    fclose(from);
    free(children);
}

/* The reference page's counts, of merges with TF-IDF. */
static void tied_merges_are_as_many_as_the_reference_counts(void **state)
{
    static const struct {
        const char *set;
        size_t n_tied;
    } counts[] = {
        { "garak_enfr", 224 },
        { "garak_ansiraw", 16 },
        { "garak_repeat", 19 },
        { "garak_js_v0.13.1", 27 },
    };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        assay_vectors *x = tfidf_of(counts[k].set);
        assay_dendrogram *tree;

        assert_int_equal(assay_dendrogram_fit(x, NULL, &tree), ASSAY_OK);
        assert_int_equal(assay_dendrogram_n_tied(tree), counts[k].n_tied);
        assay_dendrogram_free(tree);
        assay_vectors_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoded_prompts_merge_as_in_the_loop),
        cmocka_unit_test(tfidf_prompts_merge_as_in_the_loop),
        cmocka_unit_test(stored_merges_are_met_exactly),
        cmocka_unit_test(tied_merges_are_as_many_as_the_reference_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
