/* SPDX-License-Identifier: Apache-2.0 */
/* Observations of one table into another that knows their models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/matrix.h"
#include "assay/results.h"
#include "data/results.h"
#include "failing_memory.h"

#include <math.h>
#include <string.h>

struct said {
    const char *model, *item, *template_id, *run;
    double score;
};

static assay_results *table_of(const struct said *said, size_t n, int force)
{
    assay_results *results;

    assert_int_equal(assay_results_new(force, &results), ASSAY_OK);
    for (size_t i = 0; i < n; i++) {
        assay_observation put = { said[i].model, said[i].item,  said[i].template_id,
                                  said[i].run,   said[i].score, ASSAY_SCORED };

        if (isnan(put.score)) put.state = ASSAY_MISSING;
        assert_int_equal(assay_results_add(results, &put), ASSAY_OK);
    }
    return results;
}

static const struct said suite[] = {
    { "a", "old", NULL, NULL, 1.0 },
    { "b", "old", NULL, NULL, 0.0 },
    { "c", "old", NULL, NULL, .5 },
};

/* Two of four models are known; what the others have is counted refused, and they are no rows. */
static void only_known_models_come_in(void **state)
{
    const struct said offered[] = {
        { "z", "new", NULL, NULL, 1.0 }, { "c", "new", NULL, NULL, .25 },
        { "A", "new", NULL, NULL, 1.0 }, { "b", "new", NULL, NULL, NAN },
        { "c", "old", NULL, NULL, .5 }, /* said before: a duplicate */
    };
    assay_results *results = table_of(suite, 3, 0), *other = table_of(offered, 5, 0);
    assay_coverage coverage;
    assay_matrix *matrix;
    size_t n_matched;

    (void)state;
    assert_int_equal(assay_results_add_input(other, "new.csv",
                                             "0123456789abcdef0123456789abcdef"
                                             "0123456789abcdef0123456789abcdef",
                                             5, (assay_input_file){ 0 }),
                     ASSAY_OK);
    assert_int_equal(assay_results_add_note(other, "a note"), ASSAY_OK);
    assert_int_equal(assay_results_set_item_cluster(other, 0, "k", 1), ASSAY_OK);
    assert_int_equal(assay_results_join(results, other, &n_matched), ASSAY_OK);
    assay_results_free(other);
    assert_int_equal(n_matched, 2);
    assert_int_equal(assay_results_n_models(results), 3);
    assert_int_equal(assay_results_n_items(results), 2);
    assert_string_equal(assay_results_input(results, 0).path, "new.csv");
    assert_string_equal(assay_results_note(results, 0), "a note");
    assert_string_equal(assay_results_item_cluster(results, 1), "k");
    coverage = assay_results_coverage(results);
    assert_true(coverage.rows == 8 && coverage.used == 4 && coverage.missing == 1);
    assert_true(coverage.duplicate == 1 && coverage.refused == 2);
    assert_int_equal(assay_matrix_from_results(results, &matrix), ASSAY_OK);
    assert_int_equal(assay_matrix_n_models(matrix), 3);
    assert_true(assay_matrix_score(matrix, 2, 1) == .25);
    assert_true(isnan(assay_matrix_score(matrix, 0, 1)));
    assay_matrix_free(matrix);
    assay_results_free(results);
}

/* Names of templates and runs are matched, whatever their numbers. */
static void templates_and_runs_keep_their_names(void **state)
{
    const struct said own[] = { { "a", "i", "t1", "r1", 1.0 }, { "a", "i", "t2", "r1", 0.0 } };
    const struct said offered[] = { { "a", "j", "t2", "r2", 1.0 }, { "a", "j", "t1", "r1", 0.0 } };
    assay_results *results = table_of(own, 2, 0), *other = table_of(offered, 2, 0);
    size_t n_matched, n_seen = 0;

    (void)state;
    assert_int_equal(assay_results_join(results, other, &n_matched), ASSAY_OK);
    assert_int_equal(assay_results_n_templates(results), 2);
    assert_int_equal(assay_results_n_runs(results), 2);
    for (size_t r = 0; r < assay_results_n_records(results); r++) {
        assay_record record = assay_results_record(results, r);
        double score;

        if (assay_results_cell(results, r, 1, &score) != ASSAY_SCORED) continue;
        n_seen++;
        if (score == 1.0) {
            assert_string_equal(assay_results_template(results, record.template_index), "t2");
            assert_string_equal(assay_results_run(results, record.run), "r2");
        }
    }
    assert_int_equal(n_seen, 2);
    assay_results_free(results);
    assay_results_free(other);
}

static void strangers_are_refused_by_name(void **state)
{
    const struct said offered[] = { { "A", "new", NULL, NULL, 1.0 },
                                    { "B", "new", NULL, NULL, 1.0 },
                                    { "D", "new", NULL, NULL, 1.0 },
                                    { "E", "new", NULL, NULL, 1.0 } };
    assay_results *results = table_of(suite, 3, 0), *other = table_of(offered, 4, 0);
    size_t n_matched;

    (void)state;
    assert_int_equal(assay_results_join(results, other, &n_matched), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "none of 4 models (\"A\", \"B\", \"D\", ...) is among "
                                            "the 3 there are (\"a\", \"b\", \"c\")");
    assert_int_equal(n_matched, 0);
    assert_int_equal(assay_results_n_items(results), 1);
    assay_results_free(results);
    assay_results_free(other);
}

static void contradictions_are_as_of_one_table(void **state)
{
    const struct said offered[] = { { "a", "old", NULL, NULL, 0.0 } };
    assay_results *other = table_of(offered, 1, 0);
    size_t n_matched;

    (void)state;
    for (int force = 0; force < 2; force++) {
        assay_results *results = table_of(suite, 3, force);

        assert_int_equal(assay_results_join(results, other, &n_matched),
                         force ? ASSAY_OK : ASSAY_E_CONFLICT);
        if (force) assert_true(assay_results_coverage(results).refused == 1);
        assay_results_free(results);
    }
    assay_results_free(other);
}

static assay_status join_once(void *other)
{
    assay_results *results = NULL;
    size_t n_matched;
    assay_status status = assay_results_new(0, &results);

    for (size_t i = 0; status == ASSAY_OK && i < 3; i++) {
        const assay_observation put = { suite[i].model, suite[i].item,  NULL,
                                        NULL,           suite[i].score, ASSAY_SCORED };

        status = assay_results_add(results, &put);
    }
    if (status == ASSAY_OK) status = assay_results_join(results, other, &n_matched);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    const struct said offered[] = { { "a", "new", "t", "r", .5 }, { "b", "new", "t", "r", 1.0 } };
    assay_results *other = table_of(offered, 2, 0);

    (void)state;
    assert_int_equal(assay_results_set_item_text(other, 0, "text", 4), ASSAY_OK);
    assert_true(fail_every_allocation(join_once, other) > 8);
    assay_results_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_known_models_come_in),
        cmocka_unit_test(templates_and_runs_keep_their_names),
        cmocka_unit_test(strangers_are_refused_by_name),
        cmocka_unit_test(contradictions_are_as_of_one_table),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
