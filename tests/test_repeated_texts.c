/* SPDX-License-Identifier: Apache-2.0 */
/* Prompts whose texts repeat: how many different ones there are, and what the mean is worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/prompts.h"
#include "assay/score.h"

#include "reading.h"

#include "log_reading.h"

enum { MMLU = 14042, MMLU_BETWEEN = 78, MMLU_WITHIN = 27 };

static assay_prompts *prompts_of(const char *name, const char *text)
{
    assay_prompts *prompts = NULL;

    if (assay_prompts_read(write_log(name, text), NULL, &prompts) != ASSAY_OK)
        fail_msg("%s", assay_last_error());
    return prompts;
}

/* As many rows as MMLU's test set has: 78 of them repeat a question of another subject, 27 one of
   their own, so that 14,042 - 105 = 13,937 are different. */
static void t47_repeats_within_and_between_subjects_are_counted(void **state)
{
    char *rows = malloc((size_t)MMLU * 80), *to = rows;
    assay_prompts *prompts;

    (void)state;
    assert_non_null(rows);
    for (int k = 0; k < MMLU; k++) {
        int is_copy = k >= MMLU - MMLU_BETWEEN - MMLU_WITHIN;
        int of = is_copy ? k - 1000 : k; /* a subject has 100 rows here */
        int subject = k >= MMLU - MMLU_WITHIN ? of / 100 : k / 100;

        to += sprintf(to, "{\"id\":%d,\"question\":\"Question %d?\\nA. x\",\"cluster\":\"s%d\"}\n",
                      k, of, subject);
    }
    prompts = prompts_of("mmlu.jsonl", rows);
    assert_int_equal(assay_prompts_n(prompts), MMLU); /* ids stay */
    assert_int_equal(assay_prompts_n_distinct(prompts), 13937);
    assay_prompts_free(prompts);
    free(rows);
}

static void t48_t49_texts_are_equal_after_normalising_and_ids_are_kept(void **state)
{
    assay_prompts *prompts = prompts_of(
        "p.jsonl", "{\"id\":\"253\",\"text\":\"3^3=\"}\n"
                   "{\"id\":\"271\",\"text\":\"3^3= \"}\n"
                   "{\"id\":\"a\",\"text\":\"The  Caf\\u00e9\"}\n"
                   "{\"id\":\"b\",\"text\":\"the cafe\\u0301\"}\n" /* NFD, case, spaces */
                   "{\"id\":\"c\",\"text\":\"the cafe\"}\n"
                   "{\"id\":\"c\",\"text\":\"the cafe\"}\n");

    (void)state;
    assert_int_equal(assay_prompts_n(prompts), 5);
    assert_int_equal(assay_prompts_n_distinct(prompts), 3);
    assert_int_equal(assay_prompts_n_repeated(prompts), 1); /* a row twice is one prompt */
    assert_int_equal(assay_prompts_find(prompts, "271"), 1);
    assay_prompts_free(prompts);
}

/* 17 prompts alone and 3 rewordings of one: 18 topics. The plain mean is worth n^2 / sum n_k^2 =
   400 / (17 + 9) prompts where the three agree; the mean over topics is worth its 18. */
static void t50_rewordings_are_worth_less_than_their_number(void **state)
{
    assay_score_options options;
    assay_vectors *vectors = NULL;
    assay_dendrogram *tree = NULL;
    assay_score *fit = NULL;
    assay_prompts *prompts;
    char rows[2000] = "", *to = rows;
    double x[20], m[20];

    (void)state;
    for (int k = 0; k < 20; k++) {
        to += k < 17 ? sprintf(to, "{\"id\":%d,\"text\":\"w%da w%db w%dc\"}\n", k, k, k, k)
                     : sprintf(to, "{\"id\":%d,\"text\":\"%s is the capital of France%s\"}\n", k,
                               k == 17 ? "What" : "what", k == 19 ? "?" : "");
        x[k] = k % 2 || k >= 17;
        m[k] = 1.0;
    }
    prompts = prompts_of("p.jsonl", rows);
    assert_int_equal(assay_prompts_n_distinct(prompts), 19); /* the question mark is text */
    assert_int_equal(assay_vectors_tfidf(assay_prompts_texts(prompts), 20, NULL, &vectors),
                     ASSAY_OK);
    assert_int_equal(assay_vectors_n_distinct(vectors), 18); /* but no word */
    assert_int_equal(assay_dendrogram_fit(vectors, NULL, &tree), ASSAY_OK);
    assay_score_options_init(&options, sizeof options);
    options.prior = (assay_prior){ .kind = ASSAY_PRIOR_FIXED, .a = 18.0 };
    assert_int_equal(assay_score_fit(tree, 1, x, m, &options, &fit), ASSAY_OK);
    assert_true(fabs(assay_score_value(fit, 0, ASSAY_SCORE_KISH) - 400.0 / 26.0) < 1e-12);
    assert_true(fabs(assay_score_value(fit, 0, ASSAY_SCORE_TOPICS) - 18.0) < 1e-12);
    assay_score_free(fit);
    assay_dendrogram_free(tree);
    assay_vectors_free(vectors);
    assay_prompts_free(prompts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(t47_repeats_within_and_between_subjects_are_counted,
                                  empty_log_folder),
        cmocka_unit_test_teardown(t48_t49_texts_are_equal_after_normalising_and_ids_are_kept,
                                  empty_log_folder),
        cmocka_unit_test_teardown(t50_rewordings_are_worth_less_than_their_number,
                                  empty_log_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
