/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/item_rows.h"
#include "failing_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static const char file[] = "item_rows.tmp";

static void write_bytes(const void *bytes, size_t n)
{
    FILE *to = fopen(file, "wb");

    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, n, to), n);
    assert_int_equal(fclose(to), 0);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static assay_item_rows *open_rows(assay_rows rows)
{
    assay_item_rows *table = NULL;

    assert_int_equal(assay_item_rows_open(file, rows, (assay_progress){ NULL, NULL }, &table),
                     ASSAY_OK);
    return table;
}

static void expect_row(assay_item_rows *table, const double *expected)
{
    const double *scores = NULL;

    assert_int_equal(assay_item_rows_next(table, &scores), ASSAY_OK);
    assert_non_null(scores);
    for (size_t m = 0; m < assay_item_rows_n_models(table); m++)
        if (isnan(expected[m]))
            assert_true(isnan(scores[m]));
        else
            assert_true(scores[m] == expected[m]);
}

static void expect_end(assay_item_rows *table)
{
    const double *scores = &(const double){ 0 };

    assert_int_equal(assay_item_rows_next(table, &scores), ASSAY_OK);
    assert_null(scores);
}

static void expect_failure(assay_rows rows, assay_status expected, const char *part)
{
    assay_item_rows *table = NULL;
    const double *scores = NULL;
    assay_status status = assay_item_rows_open(file, rows, (assay_progress){ NULL, NULL }, &table);

    while (status == ASSAY_OK && (status = assay_item_rows_next(table, &scores)) == ASSAY_OK)
        assert_non_null(scores); /* it has to fail before the end */
    assert_int_equal(status, expected);
    assert_non_null(strstr(assay_last_error(), part));
    assay_item_rows_close(table);
}

static const char table_text[] = "item,a,b,c,\nq1,1,0,NA,\n\"q,2\",\"0.5\",90%,true,\r\n";
static const double first[] = { 1, 0, NAN }, second[] = { 0.5, 0.9, 1 };

static void test_table(void **state)
{
    assay_item_rows *table;
    char hex[65];

    (void)state;
    write_text(table_text);
    table = open_rows(ASSAY_ROWS_AUTO);
    assert_int_equal(assay_item_rows_n_models(table), 3);
    expect_row(table, first);
    expect_row(table, second);
    expect_end(table);
    assert_int_equal(assay_item_rows_sha256(table, hex), ASSAY_OK);
    assert_int_equal(strlen(hex), 64);
    assay_item_rows_close(table);
}

static void test_gzip(void **state)
{
    gzFile to = gzopen(file, "wb");
    assay_item_rows *table;

    (void)state;
    assert_non_null(to);
    assert_int_equal(gzwrite(to, table_text, sizeof table_text - 1), sizeof table_text - 1);
    assert_int_equal(gzclose(to), Z_OK);
    table = open_rows(ASSAY_ROWS_ITEMS);
    expect_row(table, first);
    expect_row(table, second);
    expect_end(table);
    assay_item_rows_close(table);
}

/* A version 1 header, padded to 128 bytes in all, a multiple of 64 as NumPy has it, and the data. */
static void write_array(const char *dict, const void *data, size_t n)
{
    unsigned char bytes[256] = "\x93NUMPY\x01\x00";
    const size_t length = 118;

    bytes[8] = (unsigned char)length;
    memset(bytes + 10, ' ', length);
    memcpy(bytes + 10, dict, strlen(dict));
    bytes[10 + length - 1] = '\n';
    memcpy(bytes + 10 + length, data, n);
    write_bytes(bytes, 10 + length + n);
}

static void test_arrays(void **state)
{
    const double reals[] = { 1, 0, NAN, 0.5, 0.9, 1 };
    const unsigned char bits[] = { 1, 0, 1, 0, 0, 1 };
    const double bits_first[] = { 1, 0, 1 }, bits_second[] = { 0, 0, 1 };
    assay_item_rows *table;

    (void)state;
    write_array("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", reals, sizeof reals);
    table = open_rows(ASSAY_ROWS_AUTO);
    assert_int_equal(assay_item_rows_n_models(table), 3);
    expect_row(table, first);
    expect_row(table, second);
    expect_end(table);
    assay_item_rows_close(table);

    write_array("{'descr': '|u1', 'fortran_order': True, 'shape': (3, 2)}", bits, sizeof bits);
    table = open_rows(ASSAY_ROWS_MODELS);
    assert_int_equal(assay_item_rows_n_models(table), 3);
    expect_row(table, bits_first);
    expect_row(table, bits_second);
    expect_end(table);
    assay_item_rows_close(table);
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "Fortran order whose rows are items");

    write_array("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}", bits, 5);
    expect_failure(ASSAY_ROWS_ITEMS, ASSAY_E_FORMAT, "cut short: 1 of 2 items");
    write_array("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3)}", bits, 4);
    expect_failure(ASSAY_ROWS_ITEMS, ASSAY_E_FORMAT, "go on after the array");
    write_array("{'descr': '|u1', 'fortran_order': False, 'shape': (6,)}", bits, 6);
    expect_failure(ASSAY_ROWS_ITEMS, ASSAY_E_FORMAT, "one dimension");
    write_array("{'descr': '|u1', 'fortran_order': False, 'shape': (6, 0)}", bits, 0);
    expect_failure(ASSAY_ROWS_ITEMS, ASSAY_E_SHAPE, "0 models");
}

static void test_refusals(void **state)
{
    (void)state;
    write_text("item,a,b\nq1,1\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "item_rows.tmp:2: 2 fields, expected 3");
    write_text("item,a,b\nq1,1,0,1\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "item_rows.tmp:2: 4 fields, expected 3");
    write_text("item,a,b\nq1,1,0\nq2,1,two\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "item_rows.tmp:3: column \"b\" has \"two\"");
    write_text("item,a,b,\nq1,1,0,1\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "column 4 has no name");
    write_text("item,a,a\nq1,1,0\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "both called \"a\"");
    write_text("item,a\nq1,1\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_SHAPE, "1 model, expected 2 or more");
    write_text("\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "is empty");
    write_text("model,q1,q2\na,1,0\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "rows are models");
    expect_failure(ASSAY_ROWS_MODELS, ASSAY_E_VALUE, "rows are models");
    write_text("[{\"item\": 1}]\n");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "is JSON");
    write_text("PAR1");
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_FORMAT, "Parquet");
    expect_failure((assay_rows)7, ASSAY_E_VALUE, "rows is 7");
    remove(file);
    expect_failure(ASSAY_ROWS_AUTO, ASSAY_E_READ, "item_rows.tmp");
}

static assay_status read_all(void *context)
{
    assay_item_rows *table = NULL;
    const double *scores = NULL;
    assay_status status =
        assay_item_rows_open(file, ASSAY_ROWS_AUTO, (assay_progress){ NULL, NULL }, &table);

    (void)context;
    do {
        if (status == ASSAY_OK) status = assay_item_rows_next(table, &scores);
    } while (status == ASSAY_OK && scores);
    assay_item_rows_close(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    const unsigned char bits[] = { 1, 0, 1, 0, 0, 1 };

    (void)state;
    write_text(table_text);
    assert_true(fail_every_allocation(read_all, NULL) >= 6);
    write_array("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}", bits, sizeof bits);
    assert_true(fail_every_allocation(read_all, NULL) >= 4);
    remove(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
