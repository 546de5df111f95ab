/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/write.h"
#include "read/embeddings.h"
#include "text/vectors.h"

#include "failing_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reading.h"

static assay_prompts *three; /* with the ids c, a and b */

static int make_prompts(void **state)
{
    if (enter_folder(state) != 0) return -1;
    if (assay_prompts_read(write_text("p.csv", "id,text\nc,x\na,y\nb,z\n"), NULL, &three) !=
        ASSAY_OK)
        return -1;
    return empty_folder(state);
}

static int free_prompts(void **state)
{
    assay_prompts_free(three);
    return leave_folder(state);
}

/* (3, 4), (0, 0) and (-5, 0), scaled. */
static void check_vectors(const char *path)
{
    static const double expected[] = { 0.6, 0.8, 0, 0, -1, 0 };
    assay_vectors *v;

    if (assay_vectors_read(path, three, &v) != ASSAY_OK) fail_msg("%s", assay_last_error());
    assert_int_equal(assay_vectors_n(v), 3);
    assert_int_equal(assay_vectors_dimensions(v), 2);
    assert_int_equal(assay_vectors_n_zero(v), 1);
    for (size_t k = 0; k < 6; k++) assert_true(v->dense[k] == expected[k]);
    assay_vectors_free(v);
}

static void test_every_form_gives_each_prompt_its_vector(void **state)
{
    static const char *const files[] = {
        "3,4\n0,0\n-5,0\n",
        "x,y\n3,4\n0,-0\n-5,0\n",
        "id;x;y\nb;-5;0\nc;3;4\na;0;0\n",
        "b,-5,0\nc,3,4\nz,9,9\na,0,0\n",
        "item_id,0,1\n\"b\",-5,0\nc,3,4\na,0,0\nc,3,4\n",
        ("{\"id\":\"b\",\"embedding\":[-5,0]}\n{\"vector\":[3,4],\"id\":\"c\",\"more\":{\"id\":1}}"
         "{\"id\":\"a\",\"vector\":[0,0]}"),
        "[{\"embedding\":[3,4]},{\"embedding\":[0,0]},{\"embedding\":[-5e0,0]}]",
    };
    static const char npy[] =
        "\x93NUMPY\1\0\x38\0{'descr': '|i1', 'fortran_order': True, 'shape': (3, 2)}"
        "\3\0\xfb\4\0\0";

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        check_vectors(write_text("v", files[k]));
        empty_folder(NULL);
    }
    check_vectors(write_bytes("v", npy, sizeof npy - 1));
}

static void check_refused(const char *text, assay_status expected, const char *sentence)
{
    assay_vectors *v;

    assert_int_equal(assay_vectors_read(write_text("v", text), three, &v), expected);
    assert_string_equal(assay_last_error(), sentence);
    assert_null(v);
    empty_folder(NULL);
}

static void test_faults_of_rows_have_their_sentences(void **state)
{
    assay_vectors *v;

    (void)state;
    check_refused("1,2\n3,4\n", ASSAY_E_SHAPE,
                  "v: has 2 vectors without ids, expected 3: one a prompt, in their order");
    check_refused("1\n2\n3\n4\n", ASSAY_E_SHAPE,
                  "v: has 4 vectors without ids, expected 3: one a prompt, in their order");
    check_refused("id,x\nc,1\nb,2\n", ASSAY_E_SHAPE,
                  "v: has no vector for the prompt \"a\": 1 of 3 prompts have none");
    check_refused("id,x\nb,2\n", ASSAY_E_SHAPE,
                  "v: has no vector for the prompt \"c\" and others: 2 of 3 prompts have none");
    check_refused("id,x\nb,2\nb,3\n", ASSAY_E_CONFLICT,
                  "v:3: \"b\" was there before with another vector, expected one an id");
    check_refused("id,x\nb,2\nc,3,4\n", ASSAY_E_FORMAT,
                  "v:3: a vector of 2 numbers, expected 1 as in the first row");
    check_refused("id,x\nb,two\n", ASSAY_E_FORMAT, "v:2: column 2 has \"two\", expected a number");
    check_refused(",x\n0,1\n", ASSAY_E_FORMAT,
                  "v:1: the first column has no name, expected \"id\" or the name of a column of "
                  "numbers");
    check_refused("id\nb\n", ASSAY_E_FORMAT, "v:2: a row without numbers, expected a vector");
    check_refused("id,x\n", ASSAY_E_FORMAT, "v: has no vectors, expected one a prompt");
    check_refused("", ASSAY_E_FORMAT, "v: the file is empty");
    check_refused("PK\3\4", ASSAY_E_FORMAT,
                  "v: a zip archive that cannot be read: Truncated ZIP file header");
    assert_int_equal(assay_vectors_read("missing", three, &v), ASSAY_E_READ);
    assert_int_equal(assay_vectors_read("", three, &v), ASSAY_E_VALUE);
}

static void test_faults_of_json_rows_have_their_sentences(void **state)
{
    (void)state;
    check_refused("{\"id\":\"a\"}", ASSAY_E_FORMAT,
                  "v:1: a row without a vector, expected a key \"embedding\" or \"vector\"");
    check_refused("{\"vector\":[1],\"embedding\":[1]}", ASSAY_E_FORMAT,
                  "v:1: a row with two vectors, expected one");
    check_refused("{\"id\":1,\"item\":1,\"vector\":[1]}", ASSAY_E_FORMAT,
                  "v:1: a row with two ids, expected one");
    check_refused("{\"id\":null,\"vector\":[1]}", ASSAY_E_FORMAT,
                  "v:1: an id that is neither text nor a number, expected one of them");
    check_refused("{\"vector\":1}", ASSAY_E_FORMAT,
                  "v:1: a vector that is not an array, expected an array of numbers");
    check_refused("{\"vector\":[null]}", ASSAY_E_FORMAT,
                  "v:1: a vector that holds something else, expected an array of numbers");
    check_refused("{\"vector\":[1]}\n{\"vector\":[1],\"id\":\"a\"}", ASSAY_E_FORMAT,
                  "v:2: a row with an id, expected none as in the first row");
    check_refused("{\"vector\":[1],\"id\":\"a\"}\n{\"vector\":[1]}", ASSAY_E_FORMAT,
                  "v:2: a row without an id, expected one as in the first row");
    check_refused("[[1]]", ASSAY_E_FORMAT,
                  "v:1: a JSON value that is not an object, expected an object with \"id\" and "
                  "\"embedding\" or \"vector\" a row");
    check_refused("{\"vector\":[1]}{\"vector\":[NaN]}{\"vector\":[1]}", ASSAY_E_VALUE,
                  "v: vectors: [1, 0] is nan, expected a number");
}

/* The vectors of all-MiniLM-L6-v2 for the prompt sets: f4 rows of unit length. The number of
   distinct ones is the method page's; where it says 55 of 58, equal texts are among the rows. */
static void test_arrays_of_a_sentence_encoder_are_read(void **state)
{
    static const struct known {
        const char *set;
        size_t n, distinct;
    } known[] = { { "garak_ansiraw", 58, 55 },
                  { "garak_repeat", 36, 36 },
                  { "harmbench_copyright", 100, 100 },
                  { "gsm8k_test", 1319, 1319 } };

    (void)state;
    if (access(ASSAY_SHARED_FOLDER "/golden/minilm", R_OK) != 0) {
        print_message("no vectors beside the repository\n");
        skip();
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char path[512];
        assay_prompts *prompts;
        assay_vectors *v;

        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/data/prompts/%s.jsonl", known[k].set);
        assert_int_equal(assay_prompts_read(path, NULL, &prompts), ASSAY_OK);
        snprintf(path, sizeof path, ASSAY_SHARED_FOLDER "/golden/minilm/%s.npy", known[k].set);
        if (assay_vectors_read(path, prompts, &v) != ASSAY_OK) fail_msg("%s", assay_last_error());
        assert_int_equal(assay_vectors_n(v), known[k].n);
        assert_int_equal(assay_vectors_dimensions(v), 384);
        assert_int_equal(assay_vectors_n_distinct(v), known[k].distinct);
        assert_true(fabs(assay_vectors_dot(v, 0, 0) - 1) < 1e-14);
        assay_vectors_free(v);
        assay_prompts_free(prompts);
    }
}

/* ---- ids beside an array ---- */

static void write_array(const float *rows, size_t n)
{
    FILE *to = fopen(write_text("v.npy", ""), "wb");

    assert_non_null(to);
    assay_write_npy(rows, n, 2, to);
    assert_int_equal(fclose(to), 0);
}

static void test_ids_beside_an_array_say_whose_its_rows_are(void **state)
{
    static const float rows[] = { -5, 0, 9, 9, 3, 4, 0, 0 };
    assay_vectors *v;

    (void)state;
    write_array(rows, 4); /* of b, z, c and a, where z is no prompt */
    write_text("v.ids.csv", "id," ASSAY_IDS_LONG "\nb,0\nz,1\nc,0\na,0\n");
    check_vectors("v.npy");
    write_text("v.ids.csv", "id," ASSAY_IDS_LONG "\nb,0\nz,1\nc,0\n");
    assert_int_equal(assay_vectors_read("v.npy", three, &v), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "v.ids.csv: 3 ids, expected 4 as there are vectors");
    write_text("v.ids.csv", "id," ASSAY_IDS_LONG "\nb,0\nz,1\nc,0\ny,0\n");
    assert_int_equal(assay_vectors_read("v.npy", three, &v), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(),
                        "v.npy: prompt \"a\" has no vector by the ids beside it");
    assert_null(v);
}

static void test_somebody_elses_file_beside_an_array_is_left_alone(void **state)
{
    static const float rows[] = { 3, 4, 0, 0, -5, 0 };

    (void)state;
    write_array(rows, 3);
    write_text("v.ids.csv", "id,weight\nb,0\nz,1\nc,0\n");
    check_vectors("v.npy");
}

static void test_ids_are_not_taken_for_vectors(void **state)
{
    (void)state;
    check_refused("id," ASSAY_IDS_LONG "\nc,0\na,1\nb,0\n", ASSAY_E_FORMAT,
                  "v:1: is a file of ids, expected the vectors beside it (.npy)");
}

static assay_status read_some(void *context)
{
    assay_vectors *v;
    assay_status status = assay_vectors_read(context, three, &v);

    assay_vectors_free(v);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    char csv[] = "v.csv", json[] = "v.json", array[] = "v.npy";

    (void)state;
    write_text(csv, "id,x\nb,1\na,2\nc,3\n");
    write_text(json, "{\"id\":\"a\",\"vector\":[1]}{\"id\":\"c\",\"vector\":[1]}{\"id\":\"b\","
                     "\"vector\":[1]}");
    assert_true(fail_every_allocation(read_some, csv) > 8);
    assert_true(fail_every_allocation(read_some, json) > 8);
    write_array((const float[]){ 1, 2, 3, 4, 5, 6 }, 3);
    write_text("v.ids.csv", "id," ASSAY_IDS_LONG "\nb,0\nc,0\na,0\n");
    assert_true(fail_every_allocation(read_some, array) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_every_form_gives_each_prompt_its_vector, empty_folder),
        cmocka_unit_test_teardown(test_faults_of_rows_have_their_sentences, empty_folder),
        cmocka_unit_test_teardown(test_faults_of_json_rows_have_their_sentences, empty_folder),
        cmocka_unit_test_teardown(test_arrays_of_a_sentence_encoder_are_read, empty_folder),
        cmocka_unit_test_teardown(test_ids_beside_an_array_say_whose_its_rows_are, empty_folder),
        cmocka_unit_test_teardown(test_somebody_elses_file_beside_an_array_is_left_alone,
                                  empty_folder),
        cmocka_unit_test_teardown(test_ids_are_not_taken_for_vectors, empty_folder),
        cmocka_unit_test_teardown(test_every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, make_prompts, free_prompts);
}
