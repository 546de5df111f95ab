/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of tools where they would lie, what is read of them, and hostile forms of them. Include it
   after reading.h and failing_memory.h. */
#ifndef TESTS_LOG_READING_H
#define TESTS_LOG_READING_H

#include <math.h>
#include <sys/stat.h>

/* Write a file, with the folders that its path names. */
static inline const char *write_log(const char *path, const char *text)
{
    char part[PATH_SIZE];

    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
    return write_text(path, text);
}

/* What was written goes, and the folders that are empty then. */
static inline int empty_log_folder(void **state)
{
    (void)state;
    while (n_written > 0) {
        char *path = written[--n_written], *slash;

        unlink(path);
        while ((slash = strrchr(path, '/'))) {
            *slash = '\0';
            rmdir(path);
        }
    }
    return 0;
}

static inline assay_results *read_log(const char *path, const char *text,
                                      const assay_read_options *options)
{
    return read_ok(write_log(path, text), options);
}

static inline void assert_log_fails(const char *path, const char *text,
                                    const assay_read_options *options, assay_status status,
                                    const char *sentence)
{
    assay_results *results = NULL;

    write_log(path, text);
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

/* The number of a model's cells that have a score, and their mean. */
static inline double mean_of(const assay_results *results, const char *model, size_t *n)
{
    size_t m = find(assay_results_n_models(results), assay_results_model, results, model);
    double sum = 0.0, score;

    *n = 0;
    for (size_t r = 0; r < assay_results_n_records(results); r++) {
        if (assay_results_record(results, r).model != m) continue;
        for (size_t i = 0; i < assay_results_n_items(results); i++) {
            if (assay_results_cell(results, r, i, &score) != ASSAY_SCORED) continue;
            sum += score;
            ++*n;
        }
    }
    return sum / (double)*n;
}

static inline void assert_coverage(const assay_results *results, uint64_t used, uint64_t missing,
                                   uint64_t errored, uint64_t unscored)
{
    assay_coverage seen = assay_results_coverage(results);

    assert_int_equal(seen.used, used);
    assert_int_equal(seen.missing, missing);
    assert_int_equal(seen.errored, errored);
    assert_int_equal(seen.unscored, unscored);
}

static inline const char *text_of(const assay_results *results, const char *item)
{
    return assay_results_item_text(
        results, find(assay_results_n_items(results), assay_results_item, results, item));
}

static inline const char *cluster_of(const assay_results *results, const char *item)
{
    return assay_results_item_cluster(
        results, find(assay_results_n_items(results), assay_results_item, results, item));
}

static inline assay_status read_and_free(void *context)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, context, NULL);
    assay_results_free(results);
    return status;
}

/* Cut anywhere, a log is read, or refused in words; it never ends the program. */
static inline void cut_anywhere(const char *path, const char *text)
{
    char *part = malloc(strlen(text) + 1);

    assert_non_null(part);
    for (size_t length = 1; length < strlen(text); length++) {
        assay_results *results = NULL;

        memcpy(part, text, length);
        part[length] = '\0';
        write_log(path, part);
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        if (assay_read(results, path, NULL) != ASSAY_OK)
            assert_true(strlen(assay_last_error()) > strlen(path));
        assay_results_free(results);
        n_written--;
    }
    free(part);
    write_log(path, text);
}

#endif
