/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "replicate_tables.h"
#include "signals/complete.h"
#include "signals/replicates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count(const assay_replicates *replicates, assay_replicates_count which)
{
    return assay_replicates_get(replicates, which);
}

/* ---- what is complete ---- */

/* 4 x 5: the second item lacks three of four cells and goes. Then the third model lacks one of
   four, and the last item too: the item goes. */
static void the_worst_is_left_out_first(void **state)
{
    static const unsigned char lacks[] = { 0, 1, 0, 0, 0, /**/ 0, 1, 0, 0, 0,
                                           0, 1, 0, 0, 1, /**/ 0, 0, 0, 0, 0 };
    static const unsigned char models[] = { 1, 1, 1, 1 }, items[] = { 1, 0, 1, 1, 0 };
    assay_complete complete = { .n = { 1, 4, 5 }, .least = { 1, 0, 0 }, .lacks = lacks };

    (void)state;
    assert_int_equal(assay_complete_find(&complete), ASSAY_OK);
    assert_memory_equal(complete.kept[1], models, sizeof models);
    assert_memory_equal(complete.kept[2], items, sizeof items);
    assert_int_equal(complete.left[2], 3);
    assay_complete_free(&complete);
}

/* Any table, by the rule itself: nothing that is kept lacks, whatever was lacking. */
static void what_is_left_is_complete(void **state)
{
    assay_random random;

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        unsigned char lacks[3 * 7 * 9];
        assay_complete complete = { .n = { 3, 7, 9 }, .least = { 2, 0, 0 }, .lacks = lacks };

        assay_random_start(&random, seed, ASSAY_PURPOSE_PERMUTATION, 1);
        for (size_t k = 0; k < sizeof lacks; k++)
            lacks[k] = assay_random_uniform(&random) < 0.02 * (double)(seed + 1);
        assert_int_equal(assay_complete_find(&complete), ASSAY_OK);
        for (size_t k = 0; k < sizeof lacks; k++)
            if (complete.kept[0][k / 63] && complete.kept[1][k / 9 % 7] && complete.kept[2][k % 9])
                assert_int_equal(lacks[k], 0);
        assert_true(complete.left[0] >= 2);
        assay_complete_free(&complete);
    }
}

/* ---- arrays ---- */

/* Of 6 x 6 a model and an item lack equal shares. */
static void a_lacking_cell_costs_an_item(void **state)
{
    double x[6 * 6 * 2], y[6 * 5 * 2];
    assay_replicates *with, *without;
    assay_replicate_dimension a, b;

    (void)state;
    draw(4, 1, x, 72);
    for (size_t c = 0; c < 72; c++) x[c] = 0.3 * x[c] + (double)(c / 12);
    for (size_t c = 0; c < 60; c++) y[c] = x[c / 10 * 12 + (c % 10 < 4 ? c % 10 : c % 10 + 2)];
    x[2 * 12 + 2 * 2] = NAN; /* the third item of the third model has one run left */
    with = from_runs(x, 6, 6, 2);
    without = from_runs(y, 6, 5, 2);
    assert_int_equal(count(with, ASSAY_REPLICATES_N_ITEMS), 5);
    assert_int_equal(count(with, ASSAY_REPLICATES_ITEMS_LEFT_OUT), 1);
    assert_int_equal(count(with, ASSAY_REPLICATES_MODELS_LEFT_OUT), 0);
    a = fit(with, 0.95);
    b = fit(without, 0.95);
    assert_null(a.reason);
    assert_memory_equal(&a, &b, offsetof(assay_replicate_dimension, no_signal));
    assay_replicates_free(with);
    assay_replicates_free(without);
}

static void a_sparse_template_is_left_out(void **state)
{
    double x[3 * 6 * 4];
    assay_replicates *replicates;

    (void)state;
    draw(4, 1, x, 72);
    for (size_t c = 24; c < 48; c += 2) x[c] = NAN;
    assert_int_equal(assay_replicates_from_templates(x, 3, 6, 4, &replicates), ASSAY_OK);
    assert_int_equal(count(replicates, ASSAY_REPLICATES_TEMPLATES_LEFT_OUT), 1);
    assert_int_equal(count(replicates, ASSAY_REPLICATES_LEAST), 2);
    assert_int_equal(count(replicates, ASSAY_REPLICATES_N_ITEMS), 4);
    assay_replicates_free(replicates);
}

static void faults_are_told(void **state)
{
    double x[] = { 1, 0, INFINITY, 1 }, good[] = { 1, 0, 1, 1 }, few[] = { 2, 0, 2, 2 };
    size_t labels[] = { 0, 0 };
    assay_replicates *out;

    (void)state;
    assert_int_equal(assay_replicates_from_runs(x, 1, 2, 2, &out), ASSAY_E_VALUE);
    assert_null(out);
    assert_int_equal(assay_replicates_from_templates(x, 2, 1, 2, &out), ASSAY_E_VALUE);
    assert_int_equal(assay_replicates_from_clusters(x, 2, 2, labels, &out), ASSAY_E_VALUE);
    assert_int_equal(assay_replicates_from_runs(x, 0, 2, 2, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_runs(x, SIZE_MAX / 2, 4, 2, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_templates(x, 2, 0, 2, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_templates(x, 2, SIZE_MAX / 4, 4, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_clusters(x, 2, 0, labels, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_counts(good, few, 0, 2, &out), ASSAY_E_SHAPE);
    assert_int_equal(assay_replicates_from_counts(few, good, 2, 2, &out), ASSAY_E_VALUE);
    assert_int_equal(assay_replicates_from_counts(x, few, 2, 2, &out), ASSAY_E_VALUE);
    assert_null(out);
}

/* ---- a results table ---- */

enum { MODELS = 7, ITEMS = 6, TEMPLATES = 2, RUNS = 3 };

static double score_of(size_t model, size_t item, size_t t, size_t run)
{
    uint64_t hash = (((model * 31 + item) * 31 + t) * 31 + run + 7) * UINT64_C(0x9E3779B97F4A7C15);

    return (double)(hash >> 40) * 0x1p-24 + 2.0 * (double)model;
}

static assay_results *results_of(size_t n_templates, size_t n_runs)
{
    assay_results *results;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    for (size_t k = 0; k < MODELS * ITEMS * n_templates * n_runs; k++) {
        size_t run = k % n_runs, t = k / n_runs % n_templates;
        size_t item = k / n_runs / n_templates % ITEMS, model = k / n_runs / n_templates / ITEMS;
        char names[4][8];
        assay_observation o = {
            names[0], names[1], names[2], names[3], score_of(model, item, t, run), ASSAY_SCORED
        };

        snprintf(names[0], sizeof *names, "m%zu", model);
        snprintf(names[1], sizeof *names, "q%zu", item);
        snprintf(names[2], sizeof *names, "t%zu", t);
        snprintf(names[3], sizeof *names, "%zu", run + 1);
        assert_int_equal(assay_results_add(results, &o), ASSAY_OK);
    }
    return results;
}

static assay_replicate_dimension fit_results(const assay_results *results,
                                             assay_replicate_source source, const size_t *labels)
{
    assay_replicates *replicates;
    assay_replicate_dimension got;

    assert_int_equal(assay_replicates_from_results(results, source, labels, &replicates), ASSAY_OK);
    assert_int_equal(assay_replicates_source(replicates), source);
    got = fit(replicates, 0.95);
    assay_replicates_free(replicates);
    return got;
}

static void runs_come_from_results(void **state)
{
    assay_results *results = results_of(1, RUNS);
    double x[MODELS * ITEMS * RUNS];
    assay_replicates *replicates;
    assay_replicate_dimension a = fit_results(results, ASSAY_REPLICATES_RUNS, NULL), b;
    int runs, templates;

    (void)state;
    for (size_t c = 0; c < MODELS * ITEMS * RUNS; c++)
        x[c] = score_of(c / RUNS / ITEMS, c / RUNS % ITEMS, 0, c % RUNS);
    replicates = from_runs(x, MODELS, ITEMS, RUNS);
    b = fit(replicates, 0.95);
    assert_null(a.reason);
    assert_memory_equal(&a, &b, offsetof(assay_replicate_dimension, no_signal));
    assert_int_equal(assay_results_repeats(results, &runs, &templates), ASSAY_OK);
    assert_true(runs && !templates);
    assay_replicates_free(replicates);
    assay_results_free(results);
}

/* With several templates a cell is their mean, and the variances of its parts add up. Checked by
   hand on the table that results: mean and noise of one cell less those of another. */
static void runs_of_templates_are_kept_apart(void **state)
{
    assay_results *results = results_of(TEMPLATES, RUNS);
    assay_replicates *replicates;
    double noise[2] = { 0 }, ratio;
    int runs, templates;

    (void)state;
    assert_int_equal(
        assay_replicates_from_results(results, ASSAY_REPLICATES_RUNS, NULL, &replicates), ASSAY_OK);
    for (size_t i = 0; i < 2; i++)
        for (size_t t = 0; t < TEMPLATES; t++) {
            double mean = 0.0;

            for (size_t r = 0; r < RUNS; r++) mean += score_of(i, 0, t, r) / RUNS;
            for (size_t r = 0; r < RUNS; r++)
                noise[i] += (score_of(i, 0, t, r) - mean) * (score_of(i, 0, t, r) - mean) /
                            (RUNS * (RUNS - 1.0)) / (TEMPLATES * TEMPLATES);
        }
    ratio = replicates->noise[1] / replicates->noise[0]; /* a unit is in both */
    assert_near(ratio, noise[1] / noise[0], 1e-9);
    assert_int_equal(assay_results_repeats(results, &runs, &templates), ASSAY_OK);
    assert_true(runs && templates);
    assay_replicates_free(replicates);
    assay_results_free(results);
}

static void templates_come_from_results(void **state)
{
    assay_results *results = results_of(TEMPLATES, 1);
    double x[TEMPLATES * MODELS * ITEMS];
    assay_replicates *replicates;
    assay_replicate_dimension a = fit_results(results, ASSAY_REPLICATES_TEMPLATES, NULL), b;
    int runs, templates;

    (void)state;
    for (size_t c = 0; c < TEMPLATES * MODELS * ITEMS; c++)
        x[c] = score_of(c / ITEMS % MODELS, c % ITEMS, c / ITEMS / MODELS, 0);
    assert_int_equal(assay_replicates_from_templates(x, TEMPLATES, MODELS, ITEMS, &replicates),
                     ASSAY_OK);
    b = fit(replicates, 0.95);
    assert_null(a.reason);
    assert_memory_equal(&a, &b, offsetof(assay_replicate_dimension, no_signal));
    assert_int_equal(assay_results_repeats(results, &runs, &templates), ASSAY_OK);
    assert_true(!runs && templates);
    assay_replicates_free(replicates);
    assay_results_free(results);
}

static void write_file(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");

    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

/* q0 q1 | q2 q3 q4 | q5 alone; q9 is not in the table. */
static void clusters_come_from_a_file(void **state)
{
    static const char *const files[][2] = {
        { "replicate_clusters.csv", "cluster,item\na,q0\na,q1\nb,q2\nb,q3\nb,q4\nc,q5\nc,q9\n" },
        { "replicate_clusters.csv", "item,topic\nq0,1\nq1,1\nq2,2\nq3,2\nq4,2\n" },
        { "replicate_clusters.jsonl", "{\"id\":\"q0\",\"prompt\":\"x\",\"cluster\":\"a\"}\n"
                                      "{\"id\":\"q1\",\"prompt\":\"y\",\"cluster\":\"a\"}\n"
                                      "{\"id\":\"q2\",\"prompt\":\"z\",\"cluster\":\"b\"}\n"
                                      "{\"id\":\"q3\",\"prompt\":\"u\",\"cluster\":\"b\"}\n"
                                      "{\"id\":\"q4\",\"prompt\":\"v\",\"cluster\":\"b\"}\n"
                                      "{\"id\":\"q9\",\"prompt\":\"w\",\"cluster\":\"a\"}\n" },
    };
    assay_results *results = results_of(1, 1);
    size_t labels[ITEMS];

    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        write_file(files[f][0], files[f][1]);
        assert_int_equal(assay_item_clusters_read(files[f][0], results, labels), ASSAY_OK);
        assert_int_equal(labels[0], labels[1]);
        assert_int_equal(labels[2], labels[3]);
        assert_int_equal(labels[2], labels[4]);
        assert_true(labels[0] != labels[2] && labels[5] != labels[0] && labels[5] != labels[2]);
        remove(files[f][0]);
    }
    {
        assay_replicates *replicates;

        assert_int_equal(
            assay_replicates_from_results(results, ASSAY_REPLICATES_CLUSTERS, labels, &replicates),
            ASSAY_OK);
        assert_int_equal(count(replicates, ASSAY_REPLICATES_N_ITEMS), 2);
        assert_int_equal(count(replicates, ASSAY_REPLICATES_SINGLETONS), 1);
        assert_int_equal(count(replicates, ASSAY_REPLICATES_LEAST), 2);
        assert_int_equal(count(replicates, ASSAY_REPLICATES_MOST), 3);
        assay_replicates_free(replicates);
        assert_int_equal(
            assay_replicates_from_results(results, ASSAY_REPLICATES_CLUSTERS, NULL, &replicates),
            ASSAY_OK); /* the table has no clusters: all are alone */
        assert_int_equal(count(replicates, ASSAY_REPLICATES_SINGLETONS), ITEMS);
        assay_replicates_free(replicates);
    }
    assay_results_free(results);
}

static void faults_of_the_file_are_told(void **state)
{
    static const struct {
        const char *text;
        assay_status status;
    } files[] = {
        { "item,cluster\nq0,a\nq0,b\n", ASSAY_E_FORMAT },
        { "item,text\nq0,a\n", ASSAY_E_FORMAT },
        { "item,cluster\nz,a\n", ASSAY_E_SHAPE },
        { "item,cluster\nq0,a,b\n", ASSAY_E_FORMAT },
    };
    assay_results *results = results_of(1, 1);
    size_t labels[ITEMS];

    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        write_file("replicate_faults.csv", files[f].text);
        assert_int_equal(assay_item_clusters_read("replicate_faults.csv", results, labels),
                         files[f].status);
    }
    remove("replicate_faults.csv");
    assert_int_equal(assay_item_clusters_read("replicate_nowhere.csv", results, labels),
                     ASSAY_E_READ);
    assay_results_free(results);
}

static assay_status read_all_kinds(void *context)
{
    const assay_results *results = context;
    size_t labels[ITEMS];
    assay_replicates *replicates;
    int runs, templates;
    assay_status status = assay_results_repeats(results, &runs, &templates);

    if (status == ASSAY_OK)
        status = assay_item_clusters_read("replicate_memory.csv", results, labels);
    for (int source = 0; source < 4 && status == ASSAY_OK; source++) {
        status = assay_replicates_from_results(
            results, source < 3 ? (assay_replicate_source)source : ASSAY_REPLICATES_CLUSTERS,
            source < 3 ? labels : NULL, &replicates);
        if (status == ASSAY_OK) assay_replicates_free(replicates);
    }
    return status;
}

static void memory_may_fail(void **state)
{
    assay_results *results = results_of(TEMPLATES, 2);

    (void)state;
    write_file("replicate_memory.csv", "item,cluster\nq0,a\nq1,a\nq2,b\nq3,b\n");
    assert_true(fail_every_allocation(read_all_kinds, results) > 20);
    remove("replicate_memory.csv");
    assay_results_free(results);
}

static void an_empty_table_is_refused(void **state)
{
    assay_results *results;
    assay_replicates *replicates;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(
        assay_replicates_from_results(results, ASSAY_REPLICATES_RUNS, NULL, &replicates),
        ASSAY_E_SHAPE);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_is_left_out_first),
        cmocka_unit_test(what_is_left_is_complete),
        cmocka_unit_test(a_lacking_cell_costs_an_item),
        cmocka_unit_test(a_sparse_template_is_left_out),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(runs_come_from_results),
        cmocka_unit_test(runs_of_templates_are_kept_apart),
        cmocka_unit_test(templates_come_from_results),
        cmocka_unit_test(clusters_come_from_a_file),
        cmocka_unit_test(faults_of_the_file_are_told),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(an_empty_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
