/* SPDX-License-Identifier: Apache-2.0 */
/* What a table is: counts by hand, and which questions it allows. */
#include "failing_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/inspect.h"
#include "reading.h"

static assay_inspection inspect(const char *text)
{
    assay_results *results = read_text(text, NULL);
    assay_inspection found;

    assert_int_equal(assay_inspect(results, &found), ASSAY_OK);
    assay_results_free(results);
    return found;
}

static void a_long_table_is_counted(void **state)
{
    const assay_inspection found =
        inspect("model,item,run,template,score,prompt,cluster\n"
                "x,1,1,t,1,hi,c\nx,1,2,t,0,hi,c\nx,1,3,t,0,hi,c\nx,1,1,u,1,hi,c\n"
                "x,2,1,t,1,hi,d\ny,1,1,t,0,hi,c\ny,3,1,t,,ho,d\nz,3,1,t,,ho,d\n");

    (void)state;
    assert_int_equal(found.models, 3);
    assert_int_equal(found.models_scored, 2);
    assert_int_equal(found.items, 3);
    assert_int_equal(found.items_scored, 2);
    assert_int_equal(found.items_of_all, 1);
    assert_int_equal(found.fewest_items, 1);
    assert_int_equal(found.most_items, 2);
    assert_int_equal(found.templates, 2);
    assert_int_equal(found.runs, 3);
    assert_int_equal(found.repeated_cells, 1); /* x on 1 under t, three times */
    assert_int_equal(found.clusters, 2);
    assert_int_equal(found.items_with_text, 3);
    assert_int_equal(found.distinct_texts, 2);
    assert_int_equal(found.scores, 6);
    assert_int_equal(found.binary, 1);
    assert_true(found.low == 0.0 && found.high == 1.0);
    assert_int_equal(found.most_templates_of_a_model, 2);
    assert_int_equal(found.items_that_differ, 1);
    for (int q = 0; q < ASSAY_ASK_NOISE; q++)
        assert_null(assay_inspection_lacks(&found, (assay_question)q));
}

static void what_is_lacking_is_said(void **state)
{
#define NO_TEXTS "needs the items' texts: give them with --prompts"
#define NO_TEMPLATES "needs 2 prompt templates or more"
    static const struct {
        const char *text;
        const char *lacks[ASSAY_N_QUESTIONS];
    } cases[] = {
        { "model,q1\nx,\n", { "needs scores", "needs scores", "needs scores", "needs scores" } },
        { "model,q1\nx,0.5\n",
          { NO_TEXTS, NO_TEMPLATES, "needs 2 models or more", "needs 4 models or more" } },
        { "model,q1\nx,5\ny,-1\nz,0\nw,1\n",
          { "needs scores from 0 to 1", NO_TEMPLATES, NULL,
            "needs runs, templates, or clusters of items" } },
        /* clusters of one item each are none, nor is one of all items */
        { "model,item,score,cluster\nx,1,0,a\ny,1,1,a\nz,1,0,a\nw,2,0,b\n",
          { NO_TEXTS, NO_TEMPLATES, NULL, "needs runs, templates, or clusters of items" } },
        { "model,item,score,cluster\nx,1,0,a\ny,1,1,a\nz,1,0,a\nw,2,0,a\n",
          { NO_TEXTS, NO_TEMPLATES, NULL, "needs runs, templates, or clusters of items" } },
        { "model,item,score,cluster\nx,1,0,a\ny,1,1,a\nz,2,0,a\nw,3,0,b\n",
          { NO_TEXTS, NO_TEMPLATES, NULL,
            "needs runs or templates; --replicates clusters, where the items of a cluster ask for "
            "one thing" } },
        /* models that all say the same, each under a template of its own */
        { "model,item,score,template\nx,1,1,a\ny,1,1,b\nz,1,1,a\nw,2,0,b\n",
          { NO_TEXTS, NO_TEMPLATES, "needs an item on which models differ",
            "needs an item on which models differ" } },
        { "model,item,score,run\nx,1,1,1\nx,1,0,2\ny,1,1,1\nz,1,1,1\nw,2,0,1\n",
          { NO_TEXTS, NO_TEMPLATES, NULL, NULL } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const assay_inspection found = inspect(cases[k].text);

        for (int q = 0; q < ASSAY_N_QUESTIONS; q++) {
            const char *lacks = assay_inspection_lacks(&found, (assay_question)q);

            if (!cases[k].lacks[q])
                assert_null(lacks);
            else
                assert_string_equal(lacks, cases[k].lacks[q]);
        }
    }
}

static void a_table_without_scores_has_no_range(void **state)
{
    const assay_inspection found = inspect("model,q1\nx,\n");

    (void)state;
    assert_true(isnan(found.low) && isnan(found.high));
    assert_int_equal(found.models_scored, 0);
    assert_int_equal(found.items_of_all, 0);
    assert_null(assay_question_command(ASSAY_N_QUESTIONS));
    assert_string_equal(assay_question_command(ASSAY_ASK_NOISE), "signals");
}

static assay_status inspect_again(void *context)
{
    assay_inspection found;

    return assay_inspect(context, &found);
}

static void every_allocation_may_fail(void **state)
{
    assay_results *results = read_text("model,item,score,prompt,cluster\nx,1,0,a,b\n", NULL);

    (void)state;
    assert_true(fail_every_allocation(inspect_again, results) >= 8);
    assay_results_free(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_long_table_is_counted, empty_folder),
        cmocka_unit_test_teardown(what_is_lacking_is_said, empty_folder),
        cmocka_unit_test_teardown(a_table_without_scores_has_no_range, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
