/* SPDX-License-Identifier: Apache-2.0 */
/* How fast two fields of every JSON line are read, the rest skipped.

   bench_json [FILE.jsonl [KEY]]    MB/s, best of 5; without a file, on a made one of 200 MB. The
                                    fields are doc_hash and KEY, exact_match unless it is given
   bench_json --make FILE.jsonl     only make that file, for bench_json_peers */
#include "read/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_RUNS = 5, MADE_MEGABYTES = 200, STATEMENTS = 16 };

static const char *score_key = "exact_match";

static int make_file(const char *path);
static void write_line(FILE *to, unsigned id);
static int measure(const char *path);
static assay_status read_fields(FILE *from, const char *path, size_t *n_lines, double *sum);
static assay_status read_line(assay_json_reader *reader, double *sum);
static double seconds(void);

int main(int argc, char **argv)
{
    char made[] = "/tmp/bench_json_XXXXXX";
    int failed, handle;

    if (argc == 3 && strcmp(argv[1], "--make") == 0) return make_file(argv[2]);
    if (argc == 3) score_key = argv[2];
    if (argc >= 2) return measure(argv[1]);
    handle = mkstemp(made);
    if (handle < 0) return 1;
    close(handle);
    failed = make_file(made) || measure(made);
    remove(made);
    return failed;
}

/* Lines as lm-evaluation-harness writes them, 5.7 kB each: a document, its prompt twice, the
   responses, hashes, and the score at the very end. */
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

static void write_line(FILE *to, unsigned id)
{
    static const char statement[] =
        "Question: Natalia sold clips to 48 of her friends in April, and then she sold "
        "\\\"half\\\" "
        "as many clips in May. How many clips?\\nAnswer: 48 + 24 = 72 {clips} [#72]\\n\\n";

    fprintf(to, "{\"doc_id\": %u, \"doc\": {\"question\": \"%s\", \"answer\": \"%u\"}, ", id,
            statement, 7 * id);
    fprintf(to, "\"target\": \"%u\", \"arguments\": {\"gen_args_0\": {\"arg_0\": \"", 7 * id);
    for (int i = 0; i < STATEMENTS; i++) fputs(statement, to);
    fputs("\", \"arg_1\": {\"until\": [\"\\n\\n\", \"Question:\"], \"temperature\": 0.0}}}, ", to);
    fputs("\"resps\": [[\"", to);
    for (int i = 0; i < STATEMENTS; i++) fputs(statement, to);
    fputs("\"]], \"filtered_resps\": [\"72\"], \"filter\": \"strict-match\", ", to);
    fprintf(to, "\"metrics\": [\"exact_match\"], \"doc_hash\": \"%08x%056u\", ", 2654435761u * id,
            id);
    fprintf(to, "\"prompt_hash\": \"%064u\", \"target_hash\": \"%064u\", ", id, id);
    fprintf(to, "\"exact_match\": %u.0}\n", id % 2);
}

static int measure(const char *path)
{
    double best = 0, sum = 0;
    size_t n_lines = 0;
    long size = 0;

    for (int run = 0; run < N_RUNS; run++) {
        FILE *from = fopen(path, "r");
        double start = seconds(), speed;
        assay_status status;

        if (!from) {
            perror(path);
            return 1;
        }
        status = read_fields(from, path, &n_lines, &sum);
        size = ftell(from);
        fclose(from);
        if (status != ASSAY_OK) {
            fprintf(stderr, "%s\n", assay_last_error());
            return 1;
        }
        speed = (double)size / 1e6 / (seconds() - start);
        if (speed > best) best = speed;
    }
    printf("assay, 2 fields of %zu lines, %.1f MB (mean score %.3f): %.0f MB/s, best of %d\n",
           n_lines, (double)size / 1e6, sum / (double)n_lines, best, (int)N_RUNS);
    return 0;
}

static assay_status from_file(void *user, char *buffer, size_t size, size_t *got)
{
    *got = fread(buffer, 1, size, user);
    return ferror((FILE *)user) ? ASSAY_E_READ : ASSAY_OK;
}

static assay_status read_fields(FILE *from, const char *path, size_t *n_lines, double *sum)
{
    assay_json_reader *reader;
    assay_status status = assay_json_open(path, from_file, from, &reader);

    *n_lines = 0;
    *sum = 0;
    while (status == ASSAY_OK) {
        assay_json_event event;
        const char *text;
        size_t length;
        double number;

        status = assay_json_next(reader, &event, &text, &length, &number);
        if (status != ASSAY_OK || event == ASSAY_JSON_END) break;
        status = read_line(reader, sum);
        ++*n_lines;
    }
    assay_json_close(reader);
    return status;
}

static assay_status read_line(assay_json_reader *reader, double *sum)
{
    assay_json_event event;
    assay_status status;
    const char *text;
    size_t length;
    double number;

    while ((status = assay_json_next(reader, &event, &text, &length, &number)) == ASSAY_OK &&
           event == ASSAY_JSON_KEY) {
        int is_hash = strcmp(text, "doc_hash") == 0, is_score = strcmp(text, score_key) == 0;

        status = is_hash || is_score ? assay_json_next(reader, &event, &text, &length, &number)
                                     : assay_json_skip(reader);
        if (status != ASSAY_OK) return status;
        if (is_score) *sum += number;
    }
    return status;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* on one thread */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
