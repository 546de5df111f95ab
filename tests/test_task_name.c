/* SPDX-License-Identifier: Apache-2.0 */
/* Names of tasks that hold the name of a template. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logs/task_name.h"

#include <string.h>

static void assert_split(const char *pattern, const char *name, const char *task,
                         const char *template_id)
{
    assay_name of = { name, strlen(name) }, found = { NULL, 0 };

    assert_int_equal(assay_task_name_check(pattern), ASSAY_OK);
    assert_int_equal(assay_task_name_split(pattern, &of, &found), task != NULL);
    if (!task) {
        assert_ptr_equal(of.text, name);
        assert_null(found.text);
        return;
    }
    assert_int_equal(of.length, strlen(task));
    assert_memory_equal(of.text, task, of.length);
    assert_int_equal(found.length, strlen(template_id));
    assert_memory_equal(found.text, template_id, found.length);
}

static void the_pattern_of_a_plan_is_undone(void **state)
{
    (void)state;
    assert_split("{task}_{template}", "anatomy_3", "anatomy", "3");
    assert_split("{task}_{template}", "mmlu_anatomy_12", "mmlu_anatomy", "12");
    assert_split("{template}_{task}", "3_mmlu_anatomy", "mmlu_anatomy", "3");
    assert_split("x-{task}--{template}.y", "x-a--b--c.y", "a--b", "c");
}

/* The words of the pattern decide where "_" alone could not. */
static void words_of_the_pattern_are_exact(void **state)
{
    (void)state;
    assert_split("anatomy_{template}", "anatomy_long_words", "anatomy", "long_words");
    assert_split("{template}_anatomy", "long_words_anatomy", "anatomy", "long_words");
    assert_split("{template}", "p7", "", "p7");
    assert_split("{task}_prompt_{template}", "a_prompt_b_c", "a", "b_c");
}

static void other_names_are_left_alone(void **state)
{
    static const char *const others[] = { "anatomy", "_3", "anatomy_", "_", "" };

    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_split("{task}_{template}", others[k], NULL, NULL);
    assert_split("anatomy_{template}", "hellaswag", NULL, NULL);
    assert_split("anatomy_{template}", "anatomy_", NULL, NULL);
    assert_split("a{template}a", "aa", NULL, NULL); /* the words may not overlap */
}

static void patterns_that_cannot_be_undone_are_refused(void **state)
{
    static const char *const bad[] = { "",
                                       "{task}",
                                       "{template}{task}",
                                       "{task}{template}",
                                       "{template}_{template}",
                                       "{task}_{template}_{task}" };

    (void)state;
    assert_int_equal(assay_task_name_check(NULL), ASSAY_OK);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_int_equal(assay_task_name_check(bad[k]), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "read: task-name is \"{task}_{template}_{task}\", "
                                            "expected {task} in it at most once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pattern_of_a_plan_is_undone),
        cmocka_unit_test(words_of_the_pattern_are_exact),
        cmocka_unit_test(other_names_are_left_alone),
        cmocka_unit_test(patterns_that_cannot_be_undone_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
