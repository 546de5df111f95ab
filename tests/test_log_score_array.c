/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"

#include "reading.h"

#include "log_reading.h"
#include "npy_writer.h"
#include "samples.h"

static void fails(const char *path, const assay_read_options *options, assay_status status,
                  const char *sentence)
{
    assay_results *results = NULL;

    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, path, options), status);
    assert_string_equal(assay_last_error(), sentence);
    assay_results_free(results);
}

/* ---- .npy ---- */

static const unsigned char bits[6] = { 1, 0, 1, 0, 0, 1 };

static void a_bare_array_is_named_by_position(void **state)
{
    assay_results *results = read_ok(write_npy("a.npy", "|u1", 0, "(2, 3)", bits, 6), NULL);

    (void)state;
    assert_int_equal(assay_results_n_models(results), 2);
    assert_int_equal(assay_results_n_items(results), 3);
    assert_int_equal(assay_results_n_records(results), 2);
    assert_true(score_of(results, "model-001", "", "", "item-0001") == 1.0);
    assert_true(score_of(results, "model-001", "", "", "item-0002") == 0.0);
    assert_true(score_of(results, "model-002", "", "", "item-0003") == 1.0);
    assert_coverage(results, 6, 0, 0, 0);
    assert_true(assay_results_is_wide(results));
    assert_true(has_note(results, "a.npy: a matrix of 2 models and 3 items, a row a model; models "
                                  "called by position, model-001 and on, items called by position, "
                                  "item-0001 and on; such files are joined by position"));
    assay_results_free(results);
}

static void rows_may_be_items(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.rows = ASSAY_ROWS_ITEMS;
    results = read_ok(write_npy("a.npy", "|b1", 0, "(2, 3)", bits, 6), &options);
    assert_int_equal(assay_results_n_models(results), 3);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "model-003", "", "", "item-0001") == 1.0);
    assert_true(score_of(results, "model-001", "", "", "item-0002") == 0.0);
    assay_results_free(results);
}

/* The same two rows, (1, 0, 0.5) and (0, NaN, 2), in every type that holds them. */
static void every_type_and_order_holds_scores(void **state)
{
    static const double c[] = { 1, 0, .5, 0, NAN, 2 }, fortran[] = { 1, 0, 0, NAN, .5, 2 };
    static const float single[] = { 1, 0, .5F, 0, NAN, 2 };
    static const unsigned char half[] = { 0, 0x3c, 0, 0, 0, 0x38, 0, 0, 0, 0x7e, 0, 0x40 };
    unsigned char big[48];
    const struct form {
        const char *descr;
        int is_fortran;
        const void *data;
        size_t n_bytes;
    } forms[] = { { "<f8", 0, c, sizeof c },
                  { "<f8", 1, fortran, sizeof fortran },
                  { "<f4", 0, single, sizeof single },
                  { "<f2", 0, half, sizeof half },
                  { ">f8", 0, big, sizeof big } };

    (void)state;
    for (size_t k = 0; k < 6; k++)
        for (size_t b = 0; b < 8; b++) big[8 * k + b] = ((const unsigned char *)&c[k])[7 - b];
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        assay_results *results = read_ok(write_npy("a.npy", forms[k].descr, forms[k].is_fortran,
                                                   "(2, 3)", forms[k].data, forms[k].n_bytes),
                                         NULL);

        n_written--;
        assert_true(score_of(results, "model-001", "", "", "item-0001") == 1.0);
        assert_true(score_of(results, "model-001", "", "", "item-0003") == 0.5);
        assert_true(score_of(results, "model-002", "", "", "item-0003") == 2.0);
        assert_true(isnan(score_of(results, "model-002", "", "", "item-0002"))); /* missing */
        assert_coverage(results, 5, 1, 0, 0);
        assay_results_free(results);
    }
    n_written++;
}

static void whole_numbers_are_scores(void **state)
{
    static const int16_t tens[] = { 10, -1, 3, 0, 1, 7 };
    assay_results *results = read_ok(write_npy("a.npy", "<i2", 0, "(2, 3)", tens, 12), NULL);

    (void)state;
    assert_true(score_of(results, "model-001", "", "", "item-0001") == 10.0);
    assert_coverage(results, 6, 0, 0, 0);
    assay_results_free(results);
}

static void items_may_be_chosen(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    write_npy("a.npy", "|u1", 0, "(2, 3)", bits, 6);
    options.drop = "item-0002";
    results = read_ok("a.npy", &options);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_true(score_of(results, "model-002", "", "", "item-0003") == 1.0);
    assert_coverage(results, 4, 0, 0, 0);
    assay_results_free(results);
    options.columns = "item-0003";
    results = read_ok("a.npy", &options);
    assert_int_equal(assay_results_n_items(results), 1);
    assay_results_free(results);
    options.columns = "item-0002";
    fails("a.npy", &options, ASSAY_E_VALUE, "a.npy: no item is left");
    options.columns = "x";
    fails("a.npy", &options, ASSAY_E_VALUE,
          "a.npy: \"x\" (--columns) is not among its items; there are: item-0001, item-0002, "
          "item-0003");
}

static void two_arrays_are_joined_by_position(void **state)
{
    static const unsigned char other[6] = { 1, 0, 1, 1, 1, 1 };
    assay_results *results = read_ok(write_npy("a.npy", "|u1", 0, "(2, 3)", bits, 6), NULL);

    (void)state;
    assert_int_equal(assay_read(results, write_npy("b.npy", "|u1", 0, "(1, 3)", other, 3), NULL),
                     ASSAY_OK);
    assert_int_equal(assay_results_coverage(results).duplicate, 3);
    assert_int_equal(assay_read(results, write_npy("c.npy", "|u1", 0, "(2, 3)", other, 6), NULL),
                     ASSAY_E_CONFLICT);
    assay_results_free(results);
}

static void what_is_no_matrix_of_scores_is_refused(void **state)
{
    static const double infinite[] = { 1, 0, INFINITY, 0 };
    assay_read_options options = defaults();

    (void)state;
    fails(write_npy("a.npy", "|u1", 0, "(6,)", bits, 6), NULL, ASSAY_E_FORMAT,
          "a.npy: an array of one dimension, expected models by items (of one model: "
          "scores[None, :])");
    fails(write_npy("a.npy", "|u1", 0, "(0, 3)", bits, 0), NULL, ASSAY_E_FORMAT,
          "a.npy: an empty array of 0 x 3, expected models by items");
    fails(write_npy("a.npy", "|u1", 0, "(1152921504606846976, 0)", bits, 0), NULL, ASSAY_E_FORMAT,
          "a.npy: an empty array of 1152921504606846976 x 0, expected models by items");
    fails(
        write_npy("a.npy", "|O", 0, "(2, 3)", bits, 6), NULL, ASSAY_E_FORMAT,
        "a.npy: an array of type '|O', Python objects, which are never unpickled, expected numbers "
        "(b1, i1 to i8, u1 to u8, f2, f4 or f8)");
    fails(write_npy("a.npy", "<U4", 0, "(2, 3)", bits, 6), NULL, ASSAY_E_FORMAT,
          "a.npy: an array of type '<U4', expected numbers (b1, i1 to i8, u1 to u8, f2, f4 or f8)");
    fails(write_npy("a.npy", "<f8", 0, "(2, 2)", infinite, 32), NULL, ASSAY_E_FORMAT,
          "a.npy: the number at row 2, column 1 is infinite, expected a score");
    fails(write_npy("a.npy", "|u1", 0, "(2, 3)", bits, 5), NULL, ASSAY_E_FORMAT,
          "a.npy: the data are cut short: 5 of 2 x 3 numbers are there");
    options.metric = "acc";
    fails(write_npy("a.npy", "|u1", 0, "(2, 3)", bits, 6), &options, ASSAY_E_VALUE,
          "a.npy: one array of scores: --metric chooses in an .npz");
    options.metric = NULL;
    options.score = "acc";
    fails("a.npy", &options, ASSAY_E_VALUE,
          "a.npy: is a matrix of scores, of which --score can name no column; --metric chooses its "
          "score");
    options.score = NULL;
    options.format = ASSAY_FORMAT_CSV;
    fails("a.npy", &options, ASSAY_E_FORMAT, "a.npy: a NumPy array, expected a table of text");
    n_written = 1;
}

/* Wide floats of both signs are vectors, unless it is said that they are not. */
static void embeddings_are_refused(void **state)
{
    assay_read_options options = defaults();
    float vectors[32];
    assay_results *results;

    (void)state;
    for (int k = 0; k < 32; k++) vectors[k] = (float)(k - 15) / 7.0F;
    fails(write_npy("a.npy", "<f4", 0, "(2, 16)", vectors, sizeof vectors), NULL, ASSAY_E_FORMAT,
          "a.npy: 2 x 16 floats from -2.14 to 2.29 without names, by their looks vectors of an "
          "embedding, which assay score takes with --embed; if they are scores, say --format npy");
    options.format = ASSAY_FORMAT_NPY;
    results = read_ok("a.npy", &options);
    assert_coverage(results, 32, 0, 0, 0);
    assay_results_free(results);
    for (int k = 0; k < 32; k++) vectors[k] = (float)(k + 1); /* a judge's, say */
    n_written--;
    results = read_ok(write_npy("a.npy", "<f4", 0, "(2, 16)", vectors, sizeof vectors), NULL);
    assert_coverage(results, 32, 0, 0, 0);
    assay_results_free(results);
}

/* ---- .npz ---- */

static const uint32_t models[] = { 'm', 0x4e2d, 0, 'n', 0, 0 }; /* "m" and U+4E2D, "n" */
static const char items[] = "q1\0\0q2\0\0q33\0";

static void names_beside_the_matrix_are_used(void **state)
{
    npz_writer z = { 0 };
    assay_results *results;

    (void)state;
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "subjects", "<U3", "(2,)", models, sizeof models);
    put_npz(&z, "question_id", "|S4", "(3,)", items, 12);
    put_npz(&z, "clusters", "|S4", "(3,)", "A\0\0\0B\0\0\0A\0\0\0", 12);
    put_npz(&z, "notes", "|S4", "(1,)", "none", 4);
    results = read_ok(end_npz(&z, "a.npz"), NULL);
    assert_int_equal(assay_results_n_models(results), 2);
    assert_true(score_of(results, "m\xe4\xb8\xad", "", "", "q33") == 1.0);
    assert_true(score_of(results, "n", "", "", "q1") == 0.0);
    assert_string_equal(cluster_of(results, "q2"), "B");
    assert_string_equal(cluster_of(results, "q33"), "A");
    assert_true(has_note(results, "a.npz: a matrix of 2 models and 3 items, a row a model; models "
                                  "called as in \"subjects\", items called as in \"question_id\""));
    assay_results_free(results);
}

/* Names say which side is which; numbers may be names. */
static void names_turn_the_matrix(void **state)
{
    static const int64_t ids[] = { -7, 12 };
    assay_read_options options = defaults();
    npz_writer z = { 0 };
    assay_results *results;

    (void)state;
    begin_npz(&z);
    put_npz(&z, "item_ids", "<i8", "(2,)", ids, sizeof ids);
    put_npz(&z, "correct", "|b1", "(2, 3)", bits, 6);
    results = read_ok(end_npz(&z, "a.npz"), NULL);
    assert_int_equal(assay_results_n_models(results), 3);
    assert_true(score_of(results, "model-001", "", "", "-7") == 1.0);
    assert_true(score_of(results, "model-003", "", "", "12") == 1.0);
    assay_results_free(results);
    options.rows = ASSAY_ROWS_MODELS;
    fails("a.npz", &options, ASSAY_E_VALUE,
          "a.npz[correct]: 2 x 3 scores, of which the names beside them say that rows are items: "
          "leave out --rows");
}

static void a_metric_chooses_the_matrix(void **state)
{
    static const unsigned char others[6] = { 0, 0, 0, 0, 0, 1 };
    assay_read_options options = defaults();
    npz_writer z = { 0 };
    assay_results *results;

    (void)state;
    begin_npz(&z);
    put_npz(&z, "acc", "|u1", "(2, 3)", others, 6);
    put_npz(&z, "em", "|u1", "(2, 3)", bits, 6);
    end_npz(&z, "a.npz");
    fails("a.npz", NULL, ASSAY_E_FORMAT,
          "a.npz: has 2 matrices of numbers (acc, em): --metric NAME chooses the scores");
    options.metric = "em";
    results = read_ok("a.npz", &options);
    assert_true(score_of(results, "model-001", "", "", "item-0001") == 1.0);
    assay_results_free(results);
    options.metric = "f1";
    fails("a.npz", &options, ASSAY_E_VALUE,
          "a.npz: no matrix \"f1\" (--metric); there are: acc, em");
    options.metric = NULL;
    options.filter = "strict";
    fails("a.npz", &options, ASSAY_E_VALUE,
          "a.npz: no filter \"strict\" (--filter): such a log has none");
}

static void repeated_models_are_runs_if_that_is_said(void **state)
{
    assay_read_options options = defaults();
    npz_writer z = { 0 };
    assay_results *results;

    (void)state;
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "models", "|S1", "(2,)", "mm", 2);
    end_npz(&z, "a.npz");
    fails("a.npz", NULL, ASSAY_E_CONFLICT,
          "a.npz: model \"m\", item \"item-0001\" has score 0, and 1 before; with --repeats such "
          "rows count as further runs, with --force the first stays");
    options.repeats = 1;
    results = read_ok("a.npz", &options);
    assert_int_equal(assay_results_n_runs(results), 2);
    assert_coverage(results, 6, 0, 0, 0);
    assay_results_free(results);
}

static void archives_that_say_too_little_are_refused(void **state)
{
    npz_writer z = { 0 };
    static const uint32_t none[] = { 0x110000, 'b', 'c' };

    (void)state;
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "models", "|O", "(2,)", "pickle", 6);
    fails(end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT,
          "a.npz: the names in \"models\" are Python objects, which are never unpickled; save them "
          "as text: numpy.savez(..., models=numpy.array(names, dtype=str))");
    begin_npz(&z);
    put_npz(&z, "scores", "|O", "(2, 3)", "pickle", 6);
    put_npz(&z, "models", "|S1", "(2,)", "mn", 2);
    fails(
        end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT,
        "a.npz: an archive without a matrix of numbers, expected one of scores; Python objects are "
        "never unpickled: scores");
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "models", "|S1", "(4,)", "mnop", 4);
    put_npz(&z, "items", "|S4", "(3,)", items, 12);
    fails(
        end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT,
        "a.npz[scores]: 2 x 3 scores and 4 names in \"models\" and 3 names in \"items\", expected "
        "a name each");
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "items", "|S1", "(3,)", "aba", 3);
    fails(end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT,
          "a.npz[scores]: two items are called \"a\", expected a name each");
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "items", "<U1", "(3,)", none, 12);
    fails(end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT,
          "a.npz[items]: text 1 is no text, expected code points up to U+10FFFF");
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "items", "|S2", "(3,)", "\0\0b\0c\0", 6);
    fails(end_npz(&z, "a.npz"), NULL, ASSAY_E_FORMAT, "a.npz: the item is blank, expected a name");
    n_written = 1;
}

/* ---- real files ---- */

static double sum_of(const assay_results *results)
{
    double sum = 0.0, score;

    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < assay_results_n_items(results); i++)
            if (assay_results_cell(results, r, i, &score) == ASSAY_SCORED) sum += score;
    return sum;
}

/* The same table as CSV, .npz and .npy: names and scores agree. */
static void samples_are_the_table_they_were_made_of(void **state)
{
    char csv[512], npz[512], npy[512];
    assay_results *from_csv, *from_npy;

    (void)state;
    if (!find_sample("matrix/swebench_verified_wide.csv", csv) ||
        !find_sample("npy/swebench_verified.npz", npz) ||
        !find_sample("npy/swebench_verified_134x500_u1.npy", npy))
        skip();
    from_csv = read_ok(csv, NULL);
    assert_int_equal(assay_read(from_csv, npz, NULL), ASSAY_OK);
    assert_int_equal(assay_results_coverage(from_csv).duplicate, 67000);
    assert_int_equal(assay_results_n_records(from_csv), 134);
    from_npy = read_ok(npy, NULL);
    assert_true(sum_of(from_npy) == sum_of(from_csv));
    assay_results_free(from_npy);
    assay_results_free(from_csv);
}

static void hostile_bytes_end_in_words(void **state)
{
    npz_writer z = { 0 };
    char whole[sizeof z.bytes];
    size_t length;

    (void)state;
    begin_npz(&z);
    put_npz(&z, "scores", "|u1", "(2, 3)", bits, 6);
    put_npz(&z, "models", "<U3", "(2,)", models, sizeof models);
    end_npz(&z, "a.npz");
    assert_true(fail_every_allocation(read_and_free, "a.npz") > 10);
    length = z.used;
    memcpy(whole, z.bytes, length);
    for (size_t k = 1; k < length; k++) {
        assay_results *results = NULL;
        char kept = whole[k];

        whole[k] = (char)(kept ^ 0x15);
        write_bytes("a.npz", whole, k % 2 ? k : length);
        n_written--;
        whole[k] = kept;
        assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
        if (assay_read(results, "a.npz", NULL) != ASSAY_OK)
            assert_true(strlen(assay_last_error()) > 5);
        assay_results_free(results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_bare_array_is_named_by_position, empty_folder),
        cmocka_unit_test_teardown(rows_may_be_items, empty_folder),
        cmocka_unit_test_teardown(every_type_and_order_holds_scores, empty_folder),
        cmocka_unit_test_teardown(whole_numbers_are_scores, empty_folder),
        cmocka_unit_test_teardown(items_may_be_chosen, empty_folder),
        cmocka_unit_test_teardown(two_arrays_are_joined_by_position, empty_folder),
        cmocka_unit_test_teardown(what_is_no_matrix_of_scores_is_refused, empty_folder),
        cmocka_unit_test_teardown(embeddings_are_refused, empty_folder),
        cmocka_unit_test_teardown(names_beside_the_matrix_are_used, empty_folder),
        cmocka_unit_test_teardown(names_turn_the_matrix, empty_folder),
        cmocka_unit_test_teardown(a_metric_chooses_the_matrix, empty_folder),
        cmocka_unit_test_teardown(repeated_models_are_runs_if_that_is_said, empty_folder),
        cmocka_unit_test_teardown(archives_that_say_too_little_are_refused, empty_folder),
        cmocka_unit_test(samples_are_the_table_they_were_made_of),
        cmocka_unit_test_teardown(hostile_bytes_end_in_words, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
