/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/prompts.h"
#include "failing_memory.h"

#include "reading.h"

static assay_prompts *prompts_of(const char *text)
{
    assay_results *results = read_text(text, NULL);
    assay_prompts *prompts;

    if (assay_prompts_from_results(results, &prompts) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    assay_results_free(results);
    return prompts;
}

static void items_with_texts_are_prompts_in_their_order(void **state)
{
    assay_prompts *prompts = prompts_of("model,item,score,prompt,category\n"
                                        "m,b,1,Second text,x\nm,a,0,First text,y\n"
                                        "n,b,0,,\nn,c,0,  second TEXT ,\n");

    (void)state;
    assert_int_equal(assay_prompts_n(prompts), 3);
    assert_string_equal(assay_prompts_id(prompts, 0), "b");
    assert_string_equal(assay_prompts_text(prompts, 0), "Second text");
    assert_string_equal(assay_prompts_cluster(prompts, 0), "x");
    assert_string_equal(assay_prompts_text(prompts, 1), "First text");
    assert_null(assay_prompts_cluster(prompts, 2));
    assert_int_equal(assay_prompts_find(prompts, "a"), 1);
    assert_int_equal(assay_prompts_find(prompts, "d"), -1);
    assert_int_equal(assay_prompts_n_distinct(prompts),
                     2); /* of b and c the letters' case differs */
    assert_int_equal(assay_prompts_n_repeated(prompts), 0);
    assay_prompts_free(prompts);
}

static void prompts_outlive_the_results(void **state)
{
    assay_prompts *prompts = prompts_of("item,score,text\na,1,hello\n");

    (void)state;
    assert_string_equal(assay_prompts_texts(prompts)[0], "hello");
    assay_prompts_free(prompts);
}

static void an_item_without_a_text_is_named(void **state)
{
    assay_results *results = read_text("item,score,text\na,1,hello\n\"b\x1b\",1,\n", NULL);
    assay_prompts *prompts = (assay_prompts *)results; /* to be made NULL */

    (void)state;
    assert_int_equal(assay_prompts_from_results(results, &prompts), ASSAY_E_SHAPE);
    assert_null(prompts);
    assert_string_equal(
        assay_last_error(),
        "the results hold no text for item \"b\\x1b\": give the prompts too (--prompts)");
    assay_results_free(results);
}

static void a_table_without_items_gives_no_prompts(void **state)
{
    assay_results *results;
    assay_prompts *prompts;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_prompts_from_results(results, &prompts), ASSAY_OK);
    assert_int_equal(assay_prompts_n(prompts), 0);
    assay_prompts_free(prompts);
    assay_results_free(results);
}

static void clusters_are_numbered_by_first_appearance(void **state)
{
    assay_prompts *prompts = prompts_of("item,score,text,cluster\n"
                                        "a,1,t,z\nb,1,t,\nc,1,t,y\nd,1,t,z\ne,1,t,\n");
    size_t labels[5], n;

    (void)state;
    assert_int_equal(assay_prompts_labels(prompts, labels, &n), ASSAY_OK);
    assert_int_equal(n, 4); /* those without a cluster are each alone */
    assert_memory_equal(labels, ((size_t[]){ 0, 2, 1, 0, 3 }), sizeof labels);
    assay_prompts_free(prompts);
}

static void without_clusters_there_are_no_labels(void **state)
{
    assay_prompts *prompts = prompts_of("item,score,text\na,1,t\nb,1,t\n");
    size_t labels[2], n = 7;

    (void)state;
    assert_int_equal(assay_prompts_labels(prompts, labels, &n), ASSAY_OK);
    assert_int_equal(n, 0);
    assay_prompts_free(prompts);
}

static assay_status make(void *context)
{
    assay_prompts *prompts;
    size_t labels[2], n;
    assay_status status = assay_prompts_from_results(context, &prompts);

    if (status == ASSAY_OK) status = assay_prompts_labels(prompts, labels, &n);
    assay_prompts_free(prompts);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    assay_results *results = read_text("item,score,text,cluster\na,1,t,x\nb,1,\xc3\x89,y\n", NULL);

    (void)state;
    assert_true(fail_every_allocation(make, results) > 10);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(items_with_texts_are_prompts_in_their_order, empty_folder),
        cmocka_unit_test_teardown(prompts_outlive_the_results, empty_folder),
        cmocka_unit_test_teardown(an_item_without_a_text_is_named, empty_folder),
        cmocka_unit_test_teardown(a_table_without_items_gives_no_prompts, empty_folder),
        cmocka_unit_test_teardown(clusters_are_numbered_by_first_appearance, empty_folder),
        cmocka_unit_test_teardown(without_clusters_there_are_no_labels, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
