/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/inspect_archive.h"

#include "core/error.h"
#include "core/memory.h"
#include "read/zip.h"

#include <stdlib.h>
#include <string.h>

#define JOURNAL "_journal/summaries/"
#define SAMPLES "samples/"
#define ENDING ".json"
#define DIGEST_WHOLE_MAX (UINT64_C(256) << 20)

/* A member while it is read, with progress. */
typedef struct member_source {
    assay_table *table;
    assay_zip_stream *stream;
} member_source;

/* How the value of a member is picked: done after each object of an array, or after the one object,
   which may be NULL. */
typedef struct shape {
    assay_picker *picker;
    assay_object_done done;
    int is_array;
} shape;

static int wants_log(const char *name, size_t length);
static int wants_samples(const char *name, size_t length);
static int is_within(const char *name, size_t length, const char *folder);
static assay_status read_header(assay_inspect_log *log, const assay_zip *zip);
static assay_status read_samples(assay_inspect_log *log, const assay_zip *zip);
static int has_samples(const assay_inspect_log *log);
static assay_status read_named(assay_inspect_log *log, const assay_zip *zip, const char *name,
                               shape as);
static assay_status read_journal(assay_inspect_log *log, const assay_zip *zip);
static int compare_entries(const void *a, const void *b);
static uint64_t number_of(const assay_zip_member *member);
static assay_status read_members(assay_inspect_log *log, shape as);
static assay_status read_member(assay_inspect_log *log, const assay_zip *zip,
                                const assay_zip_member *member, shape as);
static assay_status read_json(assay_json_reader *reader, const char *label, shape as);
static assay_status read_source(void *user, char *buffer, size_t size, size_t *got);

assay_status assay_inspect_archive_read(assay_inspect_log *log)
{
    assay_table *table = log->table;
    assay_zip zip = { 0 };
    assay_status status = assay_zip_open(&zip, table->input, wants_log);

    if (status == ASSAY_OK && assay_input_size(table->input) > DIGEST_WHOLE_MAX) {
        memcpy(table->sha256, zip.sha256, sizeof table->sha256);
        table->sha256_of = "central directory";
    }
    if (status == ASSAY_OK) status = read_header(log, &zip);
    if (status == ASSAY_OK) status = read_samples(log, &zip);
    assay_zip_close(&zip);
    return status;
}

static int wants_log(const char *name, size_t length)
{
    static const char *const names[] = { "header.json", "summaries.json", "reductions.json",
                                         "_journal/start.json" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (length == strlen(names[k]) && memcmp(name, names[k], length) == 0) return 1;
    if (!is_within(name, length, JOURNAL)) return 0;
    for (size_t k = strlen(JOURNAL); k < length - strlen(ENDING); k++)
        if (name[k] < '0' || name[k] > '9') return 0;
    return 1;
}

/* samples/ID_epoch_N.json */
static int wants_samples(const char *name, size_t length)
{
    static const char epoch[] = "_epoch_";
    const size_t before = sizeof epoch - 1;
    size_t end = length - strlen(ENDING), k = end;

    if (!is_within(name, length, SAMPLES)) return 0;
    while (k > 0 && name[k - 1] >= '0' && name[k - 1] <= '9') k--;
    return k < end && k > before && memcmp(name + k - before, epoch, before) == 0;
}

static int is_within(const char *name, size_t length, const char *folder)
{
    const size_t before = strlen(folder), after = strlen(ENDING);

    return length > before + after && memcmp(name, folder, before) == 0 &&
           memcmp(name + length - after, ENDING, after) == 0;
}

static assay_status read_header(assay_inspect_log *log, const assay_zip *zip)
{
    static const char *const names[] = { "header.json", "_journal/start.json" };
    const shape as = { .picker = &log->header };

    for (size_t k = 0; k < 2; k++) {
        const assay_zip_member *member;
        assay_status status = assay_zip_find(zip, names[k], &member);

        if (status != ASSAY_OK) return status;
        if (member) return read_member(log, zip, member, as);
    }
    return assay_fail_at(ASSAY_E_FORMAT, log->table->path, 0,
                         "a zip archive without header.json and _journal/start.json, expected an "
                         "Inspect log");
}

/* From the best source to the poorest, until one has samples. */
static assay_status read_samples(assay_inspect_log *log, const assay_zip *zip)
{
    assay_inspect_reader *r = &log->reader;
    const shape summaries = { &r->samples, assay_inspect_sample_done, 1 };
    const shape sample = { &r->samples, assay_inspect_sample_done, 0 };
    const shape reductions = { &r->reductions, assay_inspect_reduction_done, 1 };
    const shape marks = { &r->marks, assay_inspect_mark_done, 0 };
    assay_status status = read_named(log, zip, "summaries.json", summaries);

    if (status == ASSAY_OK && !has_samples(log)) {
        status = read_journal(log, zip);
        log->source = ASSAY_INSPECT_JOURNAL;
    }
    if (status == ASSAY_OK && !has_samples(log)) {
        status = read_members(log, sample);
        log->source = ASSAY_INSPECT_MEMBERS;
    }
    if (status == ASSAY_OK && !has_samples(log)) {
        if (log->samples.n == 0) status = read_named(log, zip, "reductions.json", reductions);
        log->source = ASSAY_INSPECT_WHOLE;
    }
    if (status == ASSAY_OK && log->is_invalidated && log->source != ASSAY_INSPECT_MEMBERS)
        status = read_members(log, marks);
    return status;
}

/* Reductions that the header held are none. */
static int has_samples(const assay_inspect_log *log)
{
    return log->samples.n > log->samples.n_reduced;
}

static assay_status read_named(assay_inspect_log *log, const assay_zip *zip, const char *name,
                               shape as)
{
    const assay_zip_member *member;
    assay_status status = assay_zip_find(zip, name, &member);

    return status == ASSAY_OK && member ? read_member(log, zip, member, as) : status;
}

static assay_status read_journal(assay_inspect_log *log, const assay_zip *zip)
{
    const shape as = { &log->reader.samples, assay_inspect_sample_done, 1 };
    const assay_zip_member **entries = assay_alloc(zip->n, sizeof *entries);
    size_t n = 0;
    assay_status status = ASSAY_OK;

    if (!entries)
        return assay_fail(ASSAY_E_NOMEM, "%s: no memory for its journal", log->table->path);
    for (size_t k = 0; k < zip->n; k++)
        if (is_within(zip->members[k].name, strlen(zip->members[k].name), JOURNAL))
            entries[n++] = &zip->members[k];
    if (n > 1) qsort(entries, n, sizeof *entries, compare_entries);
    log->samples.later_wins = 1;
    for (size_t k = 0; status == ASSAY_OK && k < n; k++)
        status = read_member(log, zip, entries[k], as);
    free(entries);
    return status;
}

/* By number, 2 before 10; of one number in the directory's order. */
static int compare_entries(const void *a, const void *b)
{
    const assay_zip_member *one = *(const assay_zip_member *const *)a;
    const assay_zip_member *other = *(const assay_zip_member *const *)b;
    const uint64_t m = number_of(one), n = number_of(other);

    if (m != n) return m < n ? -1 : 1;
    return one < other ? -1 : one > other;
}

static uint64_t number_of(const assay_zip_member *member)
{
    return strtoull(member->name + strlen(JOURNAL), NULL, 10);
}

/* Every member of samples/, one after the other; of a name that stands twice the later one wins. */
static assay_status read_members(assay_inspect_log *log, shape as)
{
    assay_zip zip = { 0 };
    assay_status status = assay_zip_open(&zip, log->table->input, wants_samples);

    log->samples.later_wins = 1;
    for (size_t k = 0; status == ASSAY_OK && k < zip.n; k++)
        status = read_member(log, &zip, &zip.members[k], as);
    assay_zip_close(&zip);
    return status;
}

static assay_status read_member(assay_inspect_log *log, const assay_zip *zip,
                                const assay_zip_member *member, shape as)
{
    member_source source = { log->table, NULL };
    assay_json_reader *reader = NULL;
    assay_status status = assay_zip_enter(zip, member, &source.stream);
    const char *label = status == ASSAY_OK ? assay_zip_label(source.stream) : log->table->path;

    if (status == ASSAY_OK) status = assay_json_open(label, read_source, &source, &reader);
    if (status == ASSAY_OK) {
        assay_inspect_reader_at(&log->reader, label);
        log->header.path = label;
        status = read_json(reader, label, as);
        assay_inspect_reader_at(&log->reader, log->table->path);
        log->header.path = log->table->path;
    }
    assay_json_close(reader);
    assay_zip_leave(source.stream);
    return status;
}

/* To the member's very end, where its CRC-32 is compared. */
static assay_status read_json(assay_json_reader *reader, const char *label, shape as)
{
    assay_json_event event;
    const char *text;
    size_t length;
    double number;
    assay_status status = assay_json_next(reader, &event, &text, &length, &number);

    if (status != ASSAY_OK) return status;
    if (event != (as.is_array ? ASSAY_JSON_ARRAY : ASSAY_JSON_OBJECT))
        return assay_fail_at(ASSAY_E_FORMAT, label, 0, "holds no %s, expected one",
                             as.is_array ? "array" : "object");
    if (as.is_array) {
        status = assay_picker_array(as.picker, reader, as.done);
    } else {
        status = assay_picker_object(as.picker, reader);
        if (status == ASSAY_OK && as.done) status = as.done(as.picker->user);
    }
    if (status == ASSAY_OK) status = assay_json_next(reader, &event, &text, &length, &number);
    if (status == ASSAY_OK && event != ASSAY_JSON_END)
        return assay_fail_at(ASSAY_E_FORMAT, label, 0, "other values behind the first");
    return status;
}

static assay_status read_source(void *user, char *buffer, size_t size, size_t *got)
{
    member_source *source = user;
    assay_status status = assay_table_step(source->table);

    *got = 0;
    return status == ASSAY_OK ? assay_zip_read(source->stream, buffer, size, got) : status;
}
