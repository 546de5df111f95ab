/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of the readers of application tools' logs fails in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "reading.h"

#include <sys/stat.h>

typedef struct reading {
    const char *path;
    const assay_read_options *options;
    uint64_t rows;
} reading;

static assay_status read_once(void *context)
{
    reading *r = context;
    assay_results *results = NULL;
    assay_status status = assay_results_new(0, &results);

    if (status == ASSAY_OK) status = assay_read(results, r->path, r->options);
    if (status == ASSAY_OK) r->rows = assay_results_coverage(results).rows;
    assay_results_free(results);
    return status;
}

static void survives(const char *path, const char *score, uint64_t rows)
{
    assay_read_options options = defaults();
    reading r = { path, &options, 0 };

    options.score = score;
    assert_true(fail_every_allocation(read_once, &r) > 10);
    assert_int_equal(r.rows, rows);
}

static void readers_of_files_survive(void **state)
{
    static const struct {
        const char *text, *score;
        uint64_t rows;
    } files[] = {
        { "{\"evalId\":\"e\",\"results\":{\"results\":[{\"testIdx\":0,\"promptIdx\":0,\"prompt\":{"
          "\"raw\":\"r\",\"label\":\"l\"},\"provider\":{\"label\":\"A\"},\"vars\":{\"q\":[1],\"a\":"
          "\"x\"},\"testCase\":{\"assert\":[{}],\"metadata\":{\"cluster\":\"c\"}},\"score\":1,"
          "\"namedScores\":{\"n\":1},\"failureReason\":0,\"response\":{\"output\":\"o\"}},{"
          "\"testIdx\":0,\"promptIdx\":1,\"prompt\":{\"label\":\"l\"},\"provider\":{\"label\":"
          "\"A\"},\"vars\":{\"q\":[1],\"a\":\"x\"},\"score\":1,\"failureReason\":0}]}}",
          NULL, 2 },
        { "q,[A] P,Status,Score,Named Scores,Grader Reason,Comment\none,x,PASS,1,\"{\"\"n\"\":1}\","
          ",\n",
          NULL, 1 },
        { "{\"testCases\":[{\"input\":\"i\",\"expectedOutput\":\"e\",\"metricsData\":[{\"name\":"
          "\"m\",\"score\":1}]},{\"turns\":[{\"role\":\"user\",\"content\":\"u\"}]}],"
          "\"metricsScores\":[]}",
          NULL, 2 },
        { "{\"spec\":{\"completion_fns\":[\"a\",\"b\"],\"eval_name\":\"e\",\"run_config\":{}}}\n"
          "{\"run_id\":\"R\",\"event_id\":0,\"sample_id\":\"s\",\"type\":\"sampling\",\"data\":{"
          "\"prompt\":[{\"role\":\"user\",\"content\":\"u\"}]},\"created_by\":\"\"}\n"
          "{\"run_id\":\"R\",\"event_id\":1,\"sample_id\":\"s\",\"type\":\"metrics\",\"data\":{"
          "\"f1\":1}}\n",
          NULL, 1 },
        { "{\"id\":\"a\",\"s\":[{\"name\":\"x\",\"value\":1}]}\n", "s.x", 1 },
        { "id,s\na,\"[{\"\"name\"\":\"\"x\"\",\"\"value\"\":1}]\"\n", "s.x", 1 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        survives(write_text("f", files[k].text), files[k].score, files[k].rows);
        empty_folder(NULL);
    }
}

static void the_reader_of_helms_folders_survives(void **state)
{
    (void)state;
    assert_int_equal(mkdir("m:k=v,model=x", 0777), 0);
    write_text("m:k=v,model=x/per_instance_stats.json",
               "[{\"instance_id\":\"a\",\"perturbation\":{\"name\":\"p\"},\"train_trial_index\":0,"
               "\"stats\":[{\"name\":{\"name\":\"exact_match\",\"split\":\"test\",\"sub_split\":"
               "\"s\"},\"count\":1,\"sum\":1,\"mean\":1}]}]");
    survives("m:k=v,model=x/per_instance_stats.json", NULL, 1);
    write_text("m:k=v,model=x/scenario_state.json",
               "{\"adapter_spec\":{\"method\":\"g\",\"model\":\"o/m\"},\"request_states\":[{"
               "\"instance\":{\"input\":{\"text\":\"t\"},\"references\":[{}],\"split\":\"test\","
               "\"id\":\"a\"}}]}");
    survives("m:k=v,model=x", NULL, 1);
    write_text("m:k=v,model=x/run_spec.json",
               "{\"name\":\"m:k=v,method=j,data_augmentation=d,model=x\",\"scenario_spec\":{"
               "\"class_name\":\"c\"},\"adapter_spec\":{\"model\":\"o/m\"}}");
    write_text("m:k=v,model=x/instances.json",
               "[{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]},\"references\":"
               "[],\"id\":\"a\"}]");
    survives("m:k=v,model=x", NULL, 1);
    empty_folder(NULL);
    assert_int_equal(rmdir("m:k=v,model=x"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(readers_of_files_survive, empty_folder),
        cmocka_unit_test_teardown(the_reader_of_helms_folders_survives, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
