/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the method's vectors, and small trees by hand. Include it after cmocka.h. */
#ifndef TESTS_SCORE_GOLDEN_H
#define TESTS_SCORE_GOLDEN_H

#include "cluster/dendrogram.h"
#include "core/random.h"
#include "read/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.15g, not %.15g +- %g", what, got, want, tolerance);
}

static inline assay_status from_file(void *user, char *buffer, size_t size, size_t *got)
{
    *got = fread(buffer, 1, size, (FILE *)user);
    return ASSAY_OK;
}

/* All numbers below the value at path ("key|key|key") of a file of the shared folder, in order.
   Returns how many there are; skips the test when the file is not there. */
static inline size_t golden(const char *file, const char *path, double *out, size_t capacity)
{
    char at[64][64] = { "" }, name[512];
    size_t depth = 0, n = 0, length;
    assay_json_reader *reader;
    assay_json_event event;
    const char *text;
    double number;
    FILE *stream;

    snprintf(name, sizeof name, "%s/golden/%s", ASSAY_SHARED_FOLDER, file);
    if (!(stream = fopen(name, "rb"))) {
        print_message("skipped: %s is not there\n", name);
        skip();
    }
    assert_int_equal(assay_json_open(name, from_file, stream, &reader), ASSAY_OK);
    do {
        assert_int_equal(assay_json_next(reader, &event, &text, &length, &number), ASSAY_OK);
        depth = assay_json_depth(reader);
        if (event == ASSAY_JSON_KEY) {
            snprintf(at[depth], sizeof at[depth], "%s", text);
            for (size_t k = depth + 1; k < 64; k++) at[k][0] = 0;
        }
        if (event == ASSAY_JSON_NUMBER) {
            char here[1024] = "";
            size_t used = 0;
            for (size_t k = 1; k <= depth; k++)
                if (at[k][0])
                    used += (size_t)snprintf(here + used, sizeof here - used, "%s%s",
                                             used ? "|" : "", at[k]);
            if (strncmp(here, path, strlen(path)) == 0 &&
                (here[strlen(path)] == 0 || here[strlen(path)] == '|')) {
                if (n < capacity) out[n] = number;
                n++;
            }
        }
    } while (event != ASSAY_JSON_END);
    assay_json_close(reader);
    fclose(stream);
    return n;
}

static inline double golden_number(const char *file, const char *path)
{
    double value = NAN;

    assert_int_equal(golden(file, path, &value, 1), 1);
    return value;
}

/* A dendrogram of these merges. */
static inline assay_dendrogram *tree_of(const size_t *children, size_t n)
{
    assay_dendrogram *tree;

    assert_int_equal(assay_dendrogram_new(n, &tree), ASSAY_OK);
    for (size_t k = 0; k + 2 < 2 * n; k++) tree->children[k] = children[k];
    for (size_t t = 0; t + 1 < n; t++) tree->height[t] = (double)(t + 1);
    return tree;
}

static inline assay_dendrogram *golden_tree(const char *file, const char *path, size_t n)
{
    double *numbers = malloc(2 * n * sizeof *numbers);
    size_t *children = malloc(2 * n * sizeof *children);
    assay_dendrogram *tree;

    assert_int_equal(golden(file, path, numbers, 2 * n), 2 * n - 2);
    for (size_t k = 0; k + 2 < 2 * n; k++) children[k] = (size_t)numbers[k];
    tree = tree_of(children, n);
    free(numbers);
    free(children);
    return tree;
}

/* A tree that joins two nodes at random, again and again. */
static inline assay_dendrogram *random_tree(size_t n, uint64_t seed)
{
    size_t *open = malloc(n * sizeof *open), *children = malloc(2 * n * sizeof *children);
    assay_dendrogram *tree;
    assay_random random;

    assay_random_start(&random, seed, ASSAY_PURPOSE_PERMUTATION, n);
    for (size_t i = 0; i < n; i++) open[i] = i;
    for (size_t t = 0; t + 1 < n; t++) {
        size_t left = n - t, a = (size_t)assay_random_below(&random, left), b;
        children[2 * t] = open[a];
        open[a] = open[left - 1];
        b = (size_t)assay_random_below(&random, left - 1);
        children[2 * t + 1] = open[b];
        open[b] = n + t;
    }
    tree = tree_of(children, n);
    free(open);
    free(children);
    return tree;
}

/* The tree of the third hand case: leaves 0 and 1 join first. */
static const size_t v3_children[] = { 0, 1, 3, 2 };
static const double v3_x[] = { 3, 2, 0 }, v3_m[] = { 3, 3, 3 };

#endif
