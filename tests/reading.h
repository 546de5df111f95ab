/* SPDX-License-Identifier: Apache-2.0 */
/* Writes small tables, reads them, and looks up cells by name. Include it after cmocka.h. */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include "assay/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 128, N_PATHS = 8 };

/* Each program works in a folder of its own; what a test writes there goes after it. */
static char folder[] = "test_read_XXXXXX";
static char written[N_PATHS][PATH_SIZE];
static size_t n_written;

static inline int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static inline int empty_folder(void **state)
{
    (void)state;
    while (n_written > 0) unlink(written[--n_written]);
    return 0;
}

static inline int leave_folder(void **state)
{
    (void)state;
    return chdir("..") == 0 ? rmdir(folder) : -1;
}

static inline const char *write_bytes(const char *name, const char *bytes, size_t length)
{
    char *path = written[n_written++];
    FILE *to;

    assert_true(n_written <= N_PATHS);
    snprintf(path, PATH_SIZE, "%s", name);
    to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

static inline assay_read_options defaults(void)
{
    assay_read_options options;
    assay_read_options_init(&options, sizeof options);
    return options;
}

static inline assay_results *read_ok(const char *path, const assay_read_options *options)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    if (assay_read(results, path, options) != ASSAY_OK) fail_msg("%s", assay_last_error());
    return results;
}

static inline assay_results *read_text(const char *text, const assay_read_options *options)
{
    assay_results *results = read_ok(write_text("t.csv", text), options);

    unlink(written[--n_written]);
    return results;
}

static inline void assert_fails(const char *text, const assay_read_options *options,
                                assay_status status, const char *sentence)
{
    const char *path = write_text("f.csv", text);
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
    unlink(written[--n_written]);
}

/* What lies between start and end is the table's own sentence. */
static inline void assert_conflicts(const char *text, const char *start, const char *end)
{
    const char *path = write_text("f.csv", text), *sentence;
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, NULL), ASSAY_E_CONFLICT);
    sentence = assay_last_error();
    assert_true(strlen(sentence) > strlen(start) + strlen(end));
    assert_memory_equal(sentence, start, strlen(start));
    assert_string_equal(sentence + strlen(sentence) - strlen(end), end);
    assay_results_free(results);
    unlink(written[--n_written]);
}

static inline size_t find(size_t n, const char *(*name)(const assay_results *, size_t),
                          const assay_results *results, const char *wanted)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(name(results, k), wanted) == 0) return k;
    fail_msg("no %s", wanted);
    return n;
}

/* The score of a cell by names, NaN where it is missing, -1 where it was never said. */
static inline double score_of(const assay_results *results, const char *model,
                              const char *template_id, const char *run, const char *item)
{
    size_t m = find(assay_results_n_models(results), assay_results_model, results, model);
    size_t i = find(assay_results_n_items(results), assay_results_item, results, item);

    for (size_t r = 0; r < assay_results_n_records(results); r++) {
        assay_record record = assay_results_record(results, r);
        double score;

        if (record.model != m || strcmp(assay_results_run(results, record.run), run) != 0 ||
            strcmp(assay_results_template(results, record.template_index), template_id) != 0)
            continue;
        return assay_results_cell(results, r, i, &score) == ASSAY_ABSENT ? -1.0 : score;
    }
    return -1.0;
}

static inline int has_note(const assay_results *results, const char *part)
{
    for (size_t k = 0; k < assay_results_n_notes(results); k++)
        if (strstr(assay_results_note(results, k), part)) return 1;
    return 0;
}

#endif
