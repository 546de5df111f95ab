/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of lm-evaluation-harness into a table: recognised, filtered, with the prompts' texts and
   the file's SHA-256.

   bench_lmeval --make choices FILE   200 MB of a task with four choices, 2.3 kB a line
   bench_lmeval FILE                  seconds, best of 5; rows and mean score; fewest processor
                                      seconds, of all threads and of the calling one, which
                                      on a busy machine is what it would take on two free cores */
#include "bench.h"

#include <assay/read.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_RUNS = 5, MADE_MEGABYTES = 200, N_CHOICES = 4 };

static const char question[] =
    "Which of these would let the most heat travel through it from a stove "
    "to a person's hand, when all of them are of thickness ";
static const char *const choices[N_CHOICES] = { "a new pair of jeans",
                                                "a steel spoon in a cafeteria",
                                                "a cotton candy at a store",
                                                "a calvin klein cotton hat" };

static int make_file(const char *path);
static void write_line(FILE *to, unsigned id);
static int measure(const char *path);
static double seconds_of(clockid_t clock);
static double mean_score(const assay_results *results);

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--make") == 0 && strcmp(argv[2], "choices") == 0)
        return make_file(argv[3]);
    if (argc == 2) return measure(argv[1]);
    fputs("usage: bench_lmeval --make choices FILE | bench_lmeval FILE\n", stderr);
    return 2;
}

static int make_file(const char *path)
{
    FILE *to = fopen(path, "w");

    if (!to) {
        perror(path);
        return 1;
    }
    for (unsigned id = 0; ftell(to) < MADE_MEGABYTES * 1000000L; id++) write_line(to, id);
    return fclose(to) == 0 ? 0 : 1;
}

/* The keys, their order and the texts' lengths are those of ARC without examples. */
static void write_line(FILE *to, unsigned id)
{
    fprintf(to,
            "{\"doc_id\": %u, \"doc\": {\"id\": \"M_%u\", \"question\": \"%s%u?\", \"choices\": "
            "{\"text\": [",
            id, id, question, id);
    for (int k = 0; k < N_CHOICES; k++) fprintf(to, "%s\"%s\"", k ? ", " : "", choices[k]);
    fputs("], \"label\": [\"A\", \"B\", \"C\", \"D\"]}, \"answerKey\": \"B\"}, \"target\": \"1\", "
          "\"arguments\": {",
          to);
    for (int k = 0; k < N_CHOICES; k++) {
        fprintf(to, "%s\"gen_args_%d\": {\"arg_0\": \"Question: %s%u?\\n", k ? ", " : "", k,
                question, id);
        for (int j = 0; j < N_CHOICES; j++) fprintf(to, "%c. %s\\n", 'A' + j, choices[j]);
        fprintf(to, "Answer:\", \"arg_1\": \" %s\"}", choices[k]);
    }
    fputs("}, \"resps\": [", to);
    for (int k = 0; k < N_CHOICES; k++)
        fprintf(to, "%s[[\"-%d.%u\", \"False\"]]", k ? ", " : "", 10 + k, id % 977);
    fputs("], \"filtered_resps\": [", to);
    for (int k = 0; k < N_CHOICES; k++)
        fprintf(to, "%s[\"-%d.%u\", \"False\"]", k ? ", " : "", 10 + k, id % 977);
    fprintf(to,
            "], \"filter\": \"none\", \"metrics\": [\"acc\", \"acc_norm\"], \"doc_hash\": "
            "\"%08x%056u\", \"prompt_hash\": \"%064u\", \"target_hash\": \"%064u\", \"acc\": "
            "%u.0, \"acc_norm\": 1.0}\n",
            2654435761u * id, id, id, id, id % 2);
}

static int measure(const char *path)
{
    double best = INFINITY, all_threads = INFINITY, one_thread = INFINITY, mean = 0.0;
    size_t n_rows = 0;

    for (int run = 0; run < N_RUNS; run++) {
        assay_results *results = NULL;
        double began = bench_now(), all = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
               one = seconds_of(CLOCK_THREAD_CPUTIME_ID);

        if (assay_results_new(0, &results) != ASSAY_OK ||
            assay_read(results, path, NULL) != ASSAY_OK) {
            fprintf(stderr, "%s\n", assay_last_error());
            return 1;
        }
        best = fmin(best, bench_now() - began);
        all_threads = fmin(all_threads, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all);
        one_thread = fmin(one_thread, seconds_of(CLOCK_THREAD_CPUTIME_ID) - one);
        n_rows = (size_t)assay_results_coverage(results).used;
        mean = mean_score(results);
        assay_results_free(results);
    }
    printf("%.3f %zu %.4f %.3f %.3f\n", best, n_rows, mean, all_threads, one_thread);
    return 0;
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double mean_score(const assay_results *results)
{
    double sum = 0.0, score;
    size_t n = assay_results_n_items(results);

    for (size_t i = 0; i < n; i++)
        if (assay_results_cell(results, 0, i, &score) == ASSAY_SCORED) sum += score;
    return sum / (double)n;
}
