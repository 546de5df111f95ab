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

/* Of several columns the one that is called like a date, or has nothing but values of the kind; or
   the one that was asked for. */
static void a_column_is_found_among_several(void **state)
{
    static const struct {
        const char *text, *column;
        assay_model_column_kind kind;
        const char *name;
    } files[] = {
        { "model,license,date,params\nada,mit,2024,7\n\"c,y\",mit,2025,70\n", NULL,
          ASSAY_COLUMN_DATE, "date" },
        { "model,org,Released\nada,x,2024\n\"c,y\",y,2025\n", NULL, ASSAY_COLUMN_DATE, "Released" },
        { "model,org,seen\nada,x,2024\n\"c,y\",y,2025\nzed,z,2023\n", NULL, ASSAY_COLUMN_DATE,
          "seen" },
        { "model,org,size\nada,x,2024\n\"c,y\",y,2025\n", NULL, ASSAY_COLUMN_NUMBER, "size" },
        { "model,added,seen\nada,2020,2024\n\"c,y\",2021,2025\n", ":seen", ASSAY_COLUMN_DATE,
          "seen" },
        { "model,org,Open Since\nada,x,2024\n\"c,y\",y,2025\n", ":open_since", ASSAY_COLUMN_TEXT,
          "Open Since" },
        { "model,date,update_date\nada,2024,2026\n\"c,y\",2025,2026\n", NULL, ASSAY_COLUMN_DATE,
          "date" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        assay_model_column *column = NULL;
        char where[100];

        snprintf(where, sizeof where, "%s%s", file_path, files[k].column ? files[k].column : "");
        write_text(file_path, files[k].text);
        assert_int_equal(assay_model_column_find(results, where, files[k].kind, &column), ASSAY_OK);
        assert_string_equal(assay_model_column_name(column), files[k].name);
        assert_texts(column, "2024", NULL, "2025");
        assay_model_column_free(column);
    }
}

/* Where more than one could be meant, or none, or the header is missing, the sentence says which. */
static void a_doubtful_column_is_refused(void **state)
{
    static const struct {
        const char *text, *column;
        assay_model_column_kind kind;
        assay_status status;
        const char *says;
    } files[] = {
        { "model,added,seen\nada,2020,2024\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_FORMAT,
          "each of these columns could hold the dates: added, seen" },
        { "model,start_date,end_date\nada,2020,2024\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_FORMAT,
          "each of these columns could hold the dates: start_date, end_date" },
        { "model,org,license\nada,x,mit\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_FORMAT,
          "none of these columns holds the dates: org, license" },
        { "model,org,license\nada,x,mit\n", NULL, ASSAY_COLUMN_NUMBER, ASSAY_E_FORMAT,
          "none of these columns holds the numbers: org, license" },
        { "model,org,license\nada,x,mit\n", NULL, ASSAY_COLUMN_TEXT, ASSAY_E_FORMAT,
          "each of these columns could hold the values: org, license" },
        { "model,org,license\nada,x,mit\n", ":lisence", ASSAY_COLUMN_TEXT, ASSAY_E_VALUE,
          "no column \"lisence\"; there are: model, org, license" },
        { "ada,2024\nbob,2025\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_FORMAT,
          "\"ada\" is a model, expected a header that names the columns, such as model,date" },
        { "zed,2024\nada,2025\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_FORMAT,
          "\"2024\" is a date, expected a header" },
        { "zed,7\nada,70\n", NULL, ASSAY_COLUMN_NUMBER, ASSAY_E_FORMAT,
          "\"7\" is a number, expected a header" },
        { "zed,open\nada,closed\n", NULL, ASSAY_COLUMN_TEXT, ASSAY_OK, "" },
        /* Two values for a model matter in the column that is meant only. */
        { "model,org,date\nada,x,2024\nada,y,2024\n", NULL, ASSAY_COLUMN_DATE, ASSAY_OK, "" },
        { "model,org,seen\nada,x,2024\nada,x,2025\n", NULL, ASSAY_COLUMN_DATE, ASSAY_E_CONFLICT,
          ":3: model \"ada\" has \"2025\" here and \"2024\" before" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        assay_model_column *column = NULL;
        char where[100];

        snprintf(where, sizeof where, "%s%s", file_path, files[k].column ? files[k].column : "");
        write_text(file_path, files[k].text);
        assert_int_equal(assay_model_column_find(results, where, files[k].kind, &column),
                         files[k].status);
        if (files[k].status != ASSAY_OK) assert_non_null(strstr(assay_last_error(), files[k].says));
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
    write_text(file_path, "model,org,seen,note\nada,x,2024,\nada,y,2024,\nbob,x,2025,\n");
    assert_true(fail_every_allocation(find, file_path) > 5);
    assert_true(fail_every_allocation(find, "size") >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_column_is_found),
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(a_column_is_found_among_several),
        cmocka_unit_test(a_doubtful_column_is_refused),
        cmocka_unit_test(other_models_are_counted),
        cmocka_unit_test(errors),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
