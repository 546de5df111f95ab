/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/model_column.h"
#include "assay/read.h"
#include "failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char matrix_path[] = "/tmp/assay-column-XXXXXX", file_path[] = "/tmp/assay-column-XXXXXX";
static assay_results *results;

static void write_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "wb");

    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    fclose(to);
}

static int set_up(void **state)
{
    assay_read_options options;

    (void)state;
    close(mkstemp(matrix_path));
    close(mkstemp(file_path));
    write_text(matrix_path, "model,size,q1,q2\nada,7,1,0\nbob,,0,1\n\"c,y\",70,1,1\n");
    assay_read_options_init(&options, sizeof options);
    options.drop = "size";
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, matrix_path, &options), ASSAY_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assay_results_free(results);
    remove(matrix_path);
    remove(file_path);
    return 0;
}

static void assert_texts(const assay_model_column *column, const char *ada, const char *bob,
                         const char *cy)
{
    const char *want[] = { ada, bob, cy };

    for (size_t m = 0; m < 3; m++) {
        const char *got = assay_model_column_text(column, m);

        if (want[m])
            assert_string_equal(got, want[m]);
        else
            assert_null(got);
    }
}

static void a_dropped_column_is_found(void **state)
{
    assay_model_column *column = NULL;

    (void)state;
    assert_int_equal(assay_model_column_find(results, "size", ASSAY_COLUMN_DATE, &column),
                     ASSAY_OK);
    assert_string_equal(assay_model_column_name(column), "size");
    assert_texts(column, "7", NULL, "70");
    assert_int_equal(assay_model_column_n_unknown(column), 0);
    assay_model_column_free(column);
}

/* The usual name, its ending, or the first of the others; tabs, quotes and a byte order mark. */
static void a_file_is_read(void **state)
{
    static const struct {
        const char *text, *name;
    } files[] = {
        { "model,date\nada,2024\n\"c,y\",2025\n", "date" },
        { "Model\tnote\tRelease Date\nada\tx\t2024\nc,y\ty\t2025\n", "Release Date" },
        { "\xef\xbb\xbf"
          "when,agent\n2024,ada\n2025,\"c,y\"\n,bob\n",
          "when" },
        { "who;year\nada;2024\nc,y;2025\nada;2024\n", "year" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        assay_model_column *column = NULL;

        write_text(file_path, files[k].text);
        assert_int_equal(assay_model_column_find(results, file_path, ASSAY_COLUMN_DATE, &column),
                         ASSAY_OK);
        assert_string_equal(assay_model_column_name(column), files[k].name);
        assert_texts(column, "2024", NULL, "2025");
        assay_model_column_free(column);
    }
}

static void other_models_are_counted(void **state)
{
    assay_model_column *column = NULL;

    (void)state;
    write_text(file_path, "model,date\nada,2024\nzed,2020\nyan,2021\n");
    assert_int_equal(assay_model_column_find(results, file_path, ASSAY_COLUMN_TEXT, &column),
                     ASSAY_OK);
    assert_int_equal(assay_model_column_n_unknown(column), 2);
    assert_texts(column, "2024", NULL, NULL);
    assay_model_column_free(column);
}

static void errors(void **state)
{
    static const struct {
        const char *text;
        assay_status status;
    } files[] = {
        { "", ASSAY_E_FORMAT },
        { "model\nada\n", ASSAY_E_FORMAT },
        { "model,date\nada\n", ASSAY_E_FORMAT },
        { "model,date\nada,\"2024\n", ASSAY_E_FORMAT },
        { "model,date\nada,2024\nada,2025\n", ASSAY_E_CONFLICT },
        { "model,date\nzed,2024\n", ASSAY_E_SHAPE },
        { "model,date\nada,\n", ASSAY_E_SHAPE },
    };
    assay_model_column *column = NULL;

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        write_text(file_path, files[k].text);
        assert_int_equal(assay_model_column_find(results, file_path, ASSAY_COLUMN_DATE, &column),
                         files[k].status);
        assert_null(column);
    }
    assert_int_equal(assay_model_column_find(results, "q1", ASSAY_COLUMN_TEXT, &column),
                     ASSAY_E_VALUE);
    assert_int_equal(
        assay_model_column_find(results, "/nowhere/at all", ASSAY_COLUMN_TEXT, &column),
        ASSAY_E_VALUE);
    assert_int_equal(assay_model_column_find(results, "/tmp", ASSAY_COLUMN_TEXT, &column),
                     ASSAY_E_READ);
    assay_model_column_free(NULL);
}

static assay_status find(void *where)
{
    assay_model_column *column = NULL;
    assay_status status = assay_model_column_find(results, where, ASSAY_COLUMN_DATE, &column);

    assay_model_column_free(column);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_text(file_path, "model,date\nada,2024\nbob,2025\n");
    assert_true(fail_every_allocation(find, file_path) > 5);
    assert_true(fail_every_allocation(find, "size") >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_column_is_found), cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(other_models_are_counted),  cmocka_unit_test(errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
