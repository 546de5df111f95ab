/* SPDX-License-Identifier: Apache-2.0 */
/* How long the scores of a large Inspect log take, and how much memory. With a file, its size in
   GB and its number of samples as arguments it writes the log: a ZIP64 archive as Inspect writes
   it, whose samples are stored and holes of the file, so that it takes little room on disk, and
   whose summaries are deflated. With a file alone it reads the scores, and prints seconds (best
   of 5), the peak of resident megabytes and the number of scores. */
#include "bench.h"

#include <assay/read.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

enum { SUMMARY_MAX = 600, NAME_MAX_BYTES = 64, ENTRY_MAX = 46 + NAME_MAX_BYTES + 28 };

static const char header[] = "{\"version\":2,\"status\":\"success\",\"eval\":{\"created\":\"2026-"
                             "01-01T00:00:00+00:00\",\"task\":"
                             "\"made\",\"model\":\"bench/model\",\"config\":{\"epochs\":1}}}";

/* An archive on its way to the disk. */
typedef struct archive {
    int to;
    uint64_t at;
    unsigned char *directory;
    size_t length;
    uint64_t n;
} archive;

static void put(unsigned char **to, uint64_t value, size_t size)
{
    for (size_t k = 0; k < size; k++) *(*to)++ = (unsigned char)(value >> (8 * k));
}

static int write_all(archive *a, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(a->to, (const char *)bytes + done, size - done, (off_t)(a->at + done));

        if (n <= 0) return -1;
        done += (size_t)n;
    }
    a->at += size;
    return 0;
}

/* packed is NULL for a hole. */
static int add(archive *a, const char *name, unsigned method, uint32_t crc, const void *packed,
               uint64_t packed_size, uint64_t size)
{
    unsigned char local[30], *p = local, *e = a->directory + a->length;
    const size_t length = strlen(name);
    const uint64_t began = a->at;

    put(&p, 0x04034b50, 4);
    put(&p, 45, 4);
    put(&p, method, 2);
    put(&p, 0, 4);
    put(&p, crc, 4);
    put(&p, packed_size, 4);
    put(&p, size, 4);
    put(&p, length, 4);
    put(&e, 0x02014b50, 4);
    put(&e, 45 | 45 << 16, 6);
    put(&e, method, 2);
    put(&e, 0, 4);
    put(&e, crc, 4);
    put(&e, UINT32_MAX, 4);
    put(&e, UINT32_MAX, 4);
    put(&e, length, 2);
    put(&e, 28, 2);
    put(&e, 0, 10);
    put(&e, UINT32_MAX, 4);
    memcpy(e, name, length);
    e += length;
    put(&e, 1 | 24 << 16, 4);
    put(&e, size, 8);
    put(&e, packed_size, 8);
    put(&e, began, 8);
    a->length = (size_t)(e - a->directory);
    a->n++;
    if (write_all(a, local, sizeof local) != 0 || write_all(a, name, length) != 0) return -1;
    if (packed) return write_all(a, packed, (size_t)packed_size);
    a->at += packed_size;
    return 0;
}

static int add_end(archive *a)
{
    const uint64_t directory = a->at;
    unsigned char end[98], *p = end;

    put(&p, 0x06064b50, 4);
    put(&p, 44, 8);
    put(&p, 45 | 45 << 16, 12);
    put(&p, a->n, 8);
    put(&p, a->n, 8);
    put(&p, a->length, 8);
    put(&p, directory, 8);
    put(&p, 0x07064b50, 8);
    put(&p, directory + a->length, 8);
    put(&p, 1, 4);
    put(&p, 0x06054b50, 8);
    put(&p, UINT32_MAX, 4);
    put(&p, UINT64_MAX, 8);
    put(&p, 0, 2);
    return write_all(a, a->directory, a->length) != 0 || write_all(a, end, sizeof end) != 0 ? -1
                                                                                            : 0;
}

static int add_summaries(archive *a, size_t n)
{
    char *text = malloc(n * SUMMARY_MAX + 3);
    size_t length = 0;
    z_stream z = { 0 };
    unsigned char *packed = NULL;
    uint32_t crc;
    int status = -1;

    if (!text || deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) goto done;
    text[length++] = '[';
    for (size_t k = 0; k < n; k++)
        length += (size_t)snprintf(
            text + length, SUMMARY_MAX,
            "%s{\"id\":%zu,\"epoch\":1,\"input\":\"Question %zu: what follows from the case "
            "before, and "
            "why is it so? Say it in a sentence, then give the letter alone.\",\"target\":\"B\","
            "\"metadata\":{\"subject\":\"made\"},\"scores\":{\"choice\":{\"value\":\"%c\","
            "\"answer\":\"B\","
            "\"explanation\":\"ANSWER: B\",\"history\":[]}},\"model_usage\":{\"bench/model\":{"
            "\"input_tokens\":%zu,\"output_tokens\":33}},\"completed\":true}",
            k ? "," : "", k + 1, k + 1, k % 3 ? 'C' : 'I', 100 + k % 77);
    text[length++] = ']';
    packed = malloc(deflateBound(&z, length));
    if (!packed) goto done;
    z.next_in = (unsigned char *)text;
    z.avail_in = (uInt)length;
    z.next_out = packed;
    z.avail_out = (uInt)deflateBound(&z, length);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) goto done;
    crc = (uint32_t)crc32(0, (const unsigned char *)text, (uInt)length);
    status = add(a, "summaries.json", 8, crc, packed, z.total_out, length);
done:
    deflateEnd(&z);
    free(packed);
    free(text);
    return status;
}

static int write_log(const char *path, double gigabytes, size_t n)
{
    archive a = { .to = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) };
    const uint64_t hole = (uint64_t)(gigabytes * 1e9 / (double)n);
    int status = -1;

    a.directory = malloc((n + 2) * ENTRY_MAX);
    if (a.to < 0 || !a.directory) goto done;
    for (size_t k = 0; k < n; k++) {
        char name[NAME_MAX_BYTES];

        snprintf(name, sizeof name, "samples/%zu_epoch_1.json", k + 1);
        if (add(&a, name, 0, 0, NULL, hole, hole) != 0) goto done;
    }
    if (add_summaries(&a, n) != 0) goto done;
    if (add(&a, "header.json", 0,
            (uint32_t)crc32(0, (const unsigned char *)header, sizeof header - 1), header,
            sizeof header - 1, sizeof header - 1) != 0)
        goto done;
    status = add_end(&a);
done:
    free(a.directory);
    if (a.to >= 0) close(a.to);
    return status;
}

/* Seconds, or NAN. */
static double read_log(const char *path, uint64_t *n)
{
    const double began = bench_now();
    assay_results *results = NULL;
    double seconds = NAN;

    if (assay_results_new(0, &results) == ASSAY_OK && assay_read(results, path, NULL) == ASSAY_OK)
        seconds = bench_now() - began;
    else
        fprintf(stderr, "%s\n", assay_last_error());
    *n = results ? assay_results_coverage(results).used : 0;
    assay_results_free(results);
    return seconds;
}

int main(int argc, char **argv)
{
    double best = INFINITY;
    struct rusage usage;
    uint64_t n = 0;

    if (argc == 2) {
        for (int k = 0; k < 5; k++) {
            double seconds = read_log(argv[1], &n);

            if (isnan(seconds)) return 1;
            best = fmin(best, seconds);
        }
        getrusage(RUSAGE_SELF, &usage);
        printf("%.4f %.1f %llu\n", best, (double)usage.ru_maxrss / 1024.0, (unsigned long long)n);
        return 0;
    }
    if (argc != 4) return 2;
    if (write_log(argv[1], strtod(argv[2], NULL), (size_t)strtoull(argv[3], NULL, 10)) != 0) {
        fprintf(stderr, "bench_inspect: %s cannot be written\n", argv[1]);
        return 1;
    }
    return 0;
}
