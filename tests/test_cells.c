/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/cells.h"
#include "failing_memory.h"
#include "reading.h"

static assay_ids *ids_of(assay_axis axis, const char *text)
{
    assay_ids *ids;

    if (assay_ids_read(axis, write_text("ids.csv", text), &ids) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    unlink(written[--n_written]);
    return ids;
}

static assay_ids *positions(assay_axis axis, size_t n)
{
    assay_ids *ids;

    assert_int_equal(assay_ids_count(axis, n, &ids), ASSAY_OK);
    return ids;
}

static void ids_come_one_a_row(void **state)
{
    assay_ids *ids = ids_of(ASSAY_AXIS_TEMPLATES, "plain\n\"a, b\"\n  spaced \n");

    (void)state;
    assert_int_equal(assay_ids_n(ids), 3);
    assert_string_equal(assay_ids_text(ids, 0), "plain");
    assert_string_equal(assay_ids_text(ids, 1), "a, b");
    assert_string_equal(assay_ids_text(ids, 2), "spaced");
    assay_ids_free(ids);
    assay_ids_free(NULL);
}

/* The column of the axis wherever it stands; "id" where there is none; else no header. */
static void a_header_is_seen(void **state)
{
    assay_ids *ids = ids_of(ASSAY_AXIS_TEMPLATES, "id;Template;sep\n1;t9;x\n2;t8;y\n");

    (void)state;
    assert_int_equal(assay_ids_n(ids), 2);
    assert_string_equal(assay_ids_text(ids, 0), "t9");
    assay_ids_free(ids);
    ids = ids_of(ASSAY_AXIS_TEMPLATES, "sep,id\nx,1\ny,2\n");
    assert_string_equal(assay_ids_text(ids, 1), "2");
    assay_ids_free(ids);
    ids = ids_of(ASSAY_AXIS_ITEMS, "question_id\nq1\n");
    assert_int_equal(assay_ids_n(ids), 1);
    assay_ids_free(ids);
    ids = ids_of(ASSAY_AXIS_ITEMS, "q7,the first\nq8,the second\n");
    assert_int_equal(assay_ids_n(ids), 2);
    assert_string_equal(assay_ids_text(ids, 0), "q7");
    assay_ids_free(ids);
}

static void ids_fail(const char *text, const char *sentence)
{
    assay_ids *ids;

    assert_int_equal(assay_ids_read(ASSAY_AXIS_ITEMS, write_text("ids.csv", text), &ids),
                     ASSAY_E_FORMAT);
    assert_null(ids);
    assert_string_equal(assay_last_error(), sentence);
    unlink(written[--n_written]);
}

static void faults_of_ids_are_named(void **state)
{
    assay_ids *ids;

    (void)state;
    ids_fail("", "ids.csv: is empty");
    ids_fail("item\n", "ids.csv: has no ids, expected one a row");
    ids_fail("a\nb\na\n", "ids.csv:3: item \"a\" is row 1 already, expected every id once");
    ids_fail("a,1\n,2\n", "ids.csv:2: a blank item, expected its id");
    ids_fail("a,1\nb\n", "ids.csv:2: 1 field, expected 2 as in the first row");
    ids_fail("{\"id\": 1}\n", "ids.csv: is JSON, expected CSV or TSV");
    assert_int_equal(assay_ids_read(ASSAY_AXIS_ITEMS, "nowhere.csv", &ids), ASSAY_E_READ);
    assert_int_equal(assay_ids_count(ASSAY_AXIS_ITEMS, 0, &ids), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "0 items, expected 1 to 2147483647");
    assert_int_equal(assay_ids_count(ASSAY_AXIS_TEMPLATES, (size_t)INT32_MAX + 1, &ids),
                     ASSAY_E_SHAPE);
}

static void cells_are_by_position_or_id(void **state)
{
    assay_ids *templates = ids_of(ASSAY_AXIS_TEMPLATES, "x\ny\n");
    assay_ids *items = positions(ASSAY_AXIS_ITEMS, 12);
    const char *path =
        write_text("c.csv", "score,item,template\n1,11,y\n,5,x\n0,0,x\n"); /* one not run */
    const size_t *i, *j;
    assay_cell_list *cells;

    (void)state;
    assert_null(assay_ids_text(items, 3));
    assert_int_equal(assay_cell_list_read(path, templates, items, &cells), ASSAY_OK);
    assert_int_equal(assay_cell_list_get(cells, &i, &j), 2);
    assert_true(i[0] == 1 && j[0] == 11 && i[1] == 0 && j[1] == 0);
    assay_cell_list_free(cells);
    assay_cell_list_free(NULL);
    assay_ids_free(templates);
    assay_ids_free(items);
}

static void cells_fail(const char *text, const char *sentence)
{
    assay_ids *templates = ids_of(ASSAY_AXIS_TEMPLATES, "x\ny\n");
    assay_ids *items = positions(ASSAY_AXIS_ITEMS, 12);
    assay_cell_list *cells;

    assert_int_equal(assay_cell_list_read(write_text("c.csv", text), templates, items, &cells),
                     ASSAY_E_FORMAT);
    assert_null(cells);
    assert_string_equal(assay_last_error(), sentence);
    unlink(written[--n_written]);
    assay_ids_free(templates);
    assay_ids_free(items);
}

static void faults_of_cells_are_named(void **state)
{
    (void)state;
    cells_fail("template,item\nz,0\n",
               "c.csv:2: template \"z\" is unknown, expected one of the 2 ids");
    cells_fail("template,item\nx,12\n",
               "c.csv:2: item \"12\" is no position, expected 0 to 11, or a file of ids");
    cells_fail("template,item\nx,01\n",
               "c.csv:2: item \"01\" is no position, expected 0 to 11, or a file of ids");
    cells_fail("template,item\nx,99999999999999999999\n",
               "c.csv:2: item \"99999999999999999999\" is no position, expected 0 to 11, or a file "
               "of ids");
    cells_fail("template,item\nx,\n",
               "c.csv:2: item \"\" is no position, expected 0 to 11, or a file of ids");
    cells_fail("template,score\nx,1\n",
               "c.csv:1: no column \"item\", expected one beside: template, score");
}

static void groups_are_numbered(void **state)
{
    assay_ids *items = ids_of(ASSAY_AXIS_ITEMS, "a\nb\nc\n");
    size_t groups[3];

    (void)state;
    assert_int_equal(
        assay_groups_read(write_text("g.csv", "topic,item\n7,c\n2,a\n7,b\n2,a\n"), items, groups),
        ASSAY_OK);
    assert_true(groups[0] == 1 && groups[1] == 0 && groups[2] == 0);
    assert_int_equal(
        assay_groups_read(write_text("g.csv", "item,cluster,stratum\na,1,x\nb,1,y\nc,1,x\n"), items,
                          groups),
        ASSAY_OK);
    assert_true(groups[0] == 0 && groups[1] == 1 && groups[2] == 0);
    assay_ids_free(items);
}

/* The digest is that of `sha256sum g.csv`. */
static void files_are_told(void **state)
{
    static const char digest[] = "fbe9e8637aa7e1194fd7db9622aa7b077baf40561db9e66a4e94ac7b658a258c";
    assay_ids *items = ids_of(ASSAY_AXIS_ITEMS, "a\nb\n"),
              *counted = positions(ASSAY_AXIS_ITEMS, 2);
    size_t groups[2];
    assay_read_file file;

    (void)state;
    assert_int_equal(assay_ids_file(items)->rows, 2);
    assert_null(assay_ids_file(counted));
    assert_int_equal(assay_groups_read_file(write_text("g.csv", "item,topic\na,1\nb,2\na,1\n"),
                                            items, groups, &file),
                     ASSAY_OK);
    assert_int_equal(file.rows, 3);
    assert_string_equal(file.sha256, digest);
    assay_ids_free(items);
    assay_ids_free(counted);
}

static void groups_fail(const char *text, assay_status want, const char *sentence)
{
    assay_ids *items = ids_of(ASSAY_AXIS_ITEMS, "a\nb\n");
    size_t groups[2];

    assert_int_equal(assay_groups_read(write_text("g.csv", text), items, groups), want);
    assert_string_equal(assay_last_error(), sentence);
    unlink(written[--n_written]);
    assay_ids_free(items);
}

static void faults_of_groups_are_named(void **state)
{
    assay_ids *items = positions(ASSAY_AXIS_ITEMS, 2);
    size_t groups[2];

    (void)state;
    groups_fail("item,topic\na,1\n", ASSAY_E_SHAPE, "g.csv: item \"b\" has no stratum");
    groups_fail("item,topic\na,1\na,2\n", ASSAY_E_FORMAT,
                "g.csv:3: item \"a\" is in stratum \"1\" already, expected one an item");
    groups_fail("item,topic\na,\n", ASSAY_E_FORMAT, "g.csv:2: a blank stratum, expected a name");
    groups_fail("item,colour\na,1\n", ASSAY_E_FORMAT,
                "g.csv: no column \"stratum\", \"cluster\" or \"topic\", expected one");
    assert_int_equal(assay_groups_read(write_text("g.csv", "item,topic\n0,1\n"), items, groups),
                     ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "g.csv: item 1 has no stratum");
    assay_ids_free(items);
}

static assay_status read_all(void *context)
{
    size_t groups[2];
    assay_ids *templates = NULL, *items = NULL;
    assay_cell_list *cells = NULL;
    assay_status status = assay_ids_read(ASSAY_AXIS_TEMPLATES, context, &templates);

    if (status == ASSAY_OK) status = assay_ids_count(ASSAY_AXIS_ITEMS, 2, &items);
    if (status == ASSAY_OK) status = assay_cell_list_read(context, templates, items, &cells);
    if (status == ASSAY_OK) status = assay_groups_read(context, items, groups);
    assay_cell_list_free(cells);
    assay_ids_free(templates);
    assay_ids_free(items);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    char path[] = "all.csv";

    (void)state;
    write_text(path, "template,item,stratum\nx,0,s\ny,1,r\n");
    assert_true(fail_every_allocation(read_all, path) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(ids_come_one_a_row, empty_folder),
        cmocka_unit_test_teardown(a_header_is_seen, empty_folder),
        cmocka_unit_test_teardown(faults_of_ids_are_named, empty_folder),
        cmocka_unit_test_teardown(cells_are_by_position_or_id, empty_folder),
        cmocka_unit_test_teardown(faults_of_cells_are_named, empty_folder),
        cmocka_unit_test_teardown(groups_are_numbered, empty_folder),
        cmocka_unit_test_teardown(files_are_told, empty_folder),
        cmocka_unit_test_teardown(faults_of_groups_are_named, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
