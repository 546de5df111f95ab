/* SPDX-License-Identifier: Apache-2.0 */
/* Only keys are held in memory: a vector is read when it is asked for, since a file gathers those
   of many runs. Records are never moved nor changed, and a write that was cut short is written over,
   so a reader needs no lock: what it sees half written fails its check. */
#include "embed/store.h"

#include "core/error.h"
#include "core/folders.h"
#include "core/memory.h"
#include "embed/store_file.h"
#include "embed/store_index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SPACE_MOST = 200, BLOCK_BYTES = 1 << 20, LOCK_ATTEMPTS = 300 };

struct assay_store {
    char *path;
    int file; /* -1 while there is none */
    int may_write;
    size_t d;              /* 0 while nothing has decided it */
    uint64_t n_seen;       /* records of the file that were looked at */
    unsigned char *record; /* room for one */
    assay_store_index index;
    unsigned char *waiting; /* whole records */
    size_t n_waiting, waiting_capacity;
};

static assay_status make_path(assay_store *store, const char *folder, const char *space);
static assay_status open_file(assay_store *store);
static assay_status read_records(assay_store *store, uint64_t size);
static const unsigned char *record_of(const assay_store *store, const assay_store_entry *entry);
static assay_status open_for_writing(assay_store *store);
static assay_status catch_up(assay_store *store);
static assay_status append(assay_store *store);
static int decide_d(assay_store *store, size_t d);

static assay_status no_memory(const assay_store *store)
{
    return assay_fail(ASSAY_E_NOMEM, "no memory for the vectors of %s", store->path);
}

static assay_status cannot_write(const assay_store *store)
{
    return assay_fail_at(ASSAY_E_WRITE, store->path, 0, "cannot be written: %s", strerror(errno));
}

assay_status assay_store_open(const char *folder, const char *space, assay_store **out)
{
    assay_store *store = assay_alloc_zero(1, sizeof *store);
    assay_status status;

    *out = NULL;
    if (!store) return assay_fail(ASSAY_E_NOMEM, "no memory to open the vectors in %s", folder);
    store->file = -1;
    if ((status = make_path(store, folder, space)) != ASSAY_OK) goto done;
    if ((status = open_file(store)) != ASSAY_OK) goto done;
    *out = store;
    store = NULL;
done:
    assay_store_close(store);
    return status;
}

void assay_store_close(assay_store *store)
{
    if (!store) return;
    if (store->file >= 0) close(store->file);
    free(store->path);
    free(store->record);
    assay_store_index_free(&store->index);
    free(store->waiting);
    free(store);
}

size_t assay_store_dimensions(const assay_store *store)
{
    return store->d;
}

int assay_store_find(const assay_store *store, const unsigned char key[ASSAY_STORE_KEY], float *out)
{
    const assay_store_entry *entry = assay_store_index_find(&store->index, key);
    const unsigned char *record = entry ? record_of(store, entry) : NULL;

    if (!record) return 0;
    assay_store_take_vector(record, store->d, out);
    return 1;
}

assay_status assay_store_put(assay_store *store, const unsigned char key[ASSAY_STORE_KEY],
                             const float *vector, size_t d)
{
    size_t size = assay_store_record_size(d);

    if (d == 0 || d > ASSAY_STORE_MOST)
        return assay_fail_at(ASSAY_E_SHAPE, store->path, 0,
                             "a vector has 1 to %d numbers here, not %zu", ASSAY_STORE_MOST, d);
    if (store->d && d != store->d)
        return assay_fail_at(ASSAY_E_SHAPE, store->path, 0,
                             "holds vectors of %zu numbers, and one of %zu was put", store->d, d);
    if (assay_store_index_find(&store->index, key)) return ASSAY_OK;
    if (assay_store_index_reserve(&store->index) != 0 ||
        assay_grow(&store->waiting, &store->waiting_capacity, (store->n_waiting + 1) * size, 1) !=
            0 ||
        decide_d(store, d) != 0)
        return no_memory(store);
    assay_store_make_record(store->waiting + store->n_waiting * size, key, vector, d);
    assay_store_index_add(&store->index, key, ~(int64_t)store->n_waiting++);
    return ASSAY_OK;
}

/* Others hold the lock for as long as a write takes; whoever holds it for longer is not waited for. A
   file system without locks has none to wait for: there two writers at a time may lose records. */
static assay_status lock(const assay_store *store)
{
    const struct timespec pause = { .tv_nsec = 10000000 };

    for (int attempt = 0; flock(store->file, LOCK_EX | LOCK_NB) != 0; attempt++) {
        if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return ASSAY_OK;
        if (errno != EWOULDBLOCK && errno != EINTR) return cannot_write(store);
        if (attempt == LOCK_ATTEMPTS)
            return assay_fail_at(ASSAY_E_WRITE, store->path, 0, "another process holds its lock");
        nanosleep(&pause, NULL);
    }
    return ASSAY_OK;
}

assay_status assay_store_flush(assay_store *store)
{
    assay_status status;

    if (store->n_waiting == 0) return ASSAY_OK;
    if ((status = open_for_writing(store)) != ASSAY_OK) return status;
    if ((status = lock(store)) != ASSAY_OK) return status;
    status = catch_up(store);
    if (status == ASSAY_OK) status = append(store);
    flock(store->file, LOCK_UN);
    return status;
}

/* ---- opening ---- */

static int is_space(const char *space)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t length = strlen(space);

    return length > 0 && length <= SPACE_MOST && strspn(space, allowed) == length;
}

static assay_status make_path(assay_store *store, const char *folder, const char *space)
{
    size_t size = strlen(folder) + SPACE_MOST + sizeof "/.vectors";

    if (!is_space(space))
        return assay_fail(
            ASSAY_E_VALUE,
            "'%s' cannot name a space of vectors: 1 to %d letters, digits, - and _ can", space,
            SPACE_MOST);
    store->path = assay_alloc(size, 1);
    if (!store->path)
        return assay_fail(ASSAY_E_NOMEM, "no memory to open the vectors in %s", folder);
    snprintf(store->path, size, "%s", folder);
    if (assay_make_folders(store->path) != 0)
        return assay_fail_at(errno == ENOMEM ? ASSAY_E_NOMEM : ASSAY_E_WRITE, folder, 0,
                             "the folder cannot be made: %s", strerror(errno));
    snprintf(store->path, size, "%s/%s.vectors", folder, space);
    return ASSAY_OK;
}

/* A file that may only be read will do until something is to be written. No file is an empty one.
   (O_NONBLOCK: a pipe by that name is an error rather than a wait.) */
static assay_status open_file(assay_store *store)
{
    uint64_t size;
    size_t d;
    assay_status status;

    store->file = open(store->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    store->may_write = store->file >= 0;
    if (!store->may_write && errno == ENOENT) return ASSAY_OK;
    if (!store->may_write) store->file = open(store->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (store->file < 0)
        return assay_fail_at(ASSAY_E_READ, store->path, 0, "cannot be read: %s", strerror(errno));
    status = assay_store_read_header(store->file, store->path, &size, &d);
    if (status != ASSAY_OK || d == 0) return status;
    if (decide_d(store, d) != 0) return no_memory(store);
    return read_records(store, size);
}

static int decide_d(assay_store *store, size_t d)
{
    if (store->d) return 0;
    store->record = assay_alloc(assay_store_record_size(d), 1);
    if (!store->record) return -1;
    store->d = d;
    return 0;
}

/* Enter the records of a block that are whole and not known from before. */
static int see_records(assay_store *store, const unsigned char *block, size_t n)
{
    for (size_t i = 0; i < n; i++, store->n_seen++) {
        const unsigned char *record = block + i * assay_store_record_size(store->d);
        assay_store_entry *known = assay_store_index_find(&store->index, record);

        if ((known && known->place >= 0) || !assay_store_is_intact(record, store->d)) continue;
        if (known)
            known->place = (int64_t)store->n_seen; /* another process wrote what waits here */
        else if (assay_store_index_reserve(&store->index) != 0)
            return -1;
        else
            assay_store_index_add(&store->index, record, (int64_t)store->n_seen);
    }
    return 0;
}

/* From the first record that was not looked at to the last whole one. */
static assay_status read_records(assay_store *store, uint64_t size)
{
    size_t record = assay_store_record_size(store->d), most = BLOCK_BYTES / record + 1;
    uint64_t n = (size - ASSAY_STORE_HEADER) / record;
    unsigned char *block = NULL;
    assay_status status = ASSAY_OK;

    if (store->n_seen > n) store->n_seen = n; /* somebody has cut the file */
    if (store->n_seen < n && !(block = assay_alloc(most, record))) status = no_memory(store);
    while (status == ASSAY_OK && store->n_seen < n) {
        size_t want = n - store->n_seen < most ? (size_t)(n - store->n_seen) : most;
        long long got = assay_store_read_at(store->file, block, want * record,
                                            assay_store_offset(store->d, store->n_seen));

        if (got < 0)
            status =
                assay_fail_at(ASSAY_E_READ, store->path, 0, "cannot be read: %s", strerror(errno));
        else if (see_records(store, block, (size_t)got / record) != 0)
            status = no_memory(store);
        else if ((size_t)got < want * record)
            break;
    }
    free(block);
    return status;
}

/* ---- finding ---- */

/* What is read is looked at again: somebody may have cut the file. */
static const unsigned char *record_of(const assay_store *store, const assay_store_entry *entry)
{
    size_t size = assay_store_record_size(store->d);
    uint64_t offset = assay_store_offset(store->d, (uint64_t)entry->place);

    if (entry->place < 0) return store->waiting + (size_t)~entry->place * size;
    if (assay_store_read_at(store->file, store->record, size, offset) != (long long)size)
        return NULL;
    if (memcmp(store->record, entry->key, ASSAY_STORE_KEY) != 0) return NULL;
    return assay_store_is_intact(store->record, store->d) ? store->record : NULL;
}

/* ---- writing ---- */

static assay_status open_for_writing(assay_store *store)
{
    int file;

    if (store->may_write) return ASSAY_OK;
    file = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0) return cannot_write(store);
    if (store->file >= 0) close(store->file);
    store->file = file;
    store->may_write = 1;
    return ASSAY_OK;
}

/* Take in what others have written since; the first to come writes the header. */
static assay_status catch_up(assay_store *store)
{
    uint64_t size;
    size_t d;
    assay_status status = assay_store_read_header(store->file, store->path, &size, &d);

    if (status != ASSAY_OK) return status;
    if (d == 0) {
        if (assay_store_write_header(store->file, store->d) != 0) return cannot_write(store);
        size = ASSAY_STORE_HEADER;
    } else if (d != store->d) {
        return assay_fail_at(ASSAY_E_SHAPE, store->path, 0,
                             "another process has put vectors of %zu numbers, and these have %zu",
                             d, store->d);
    }
    return read_records(store, size);
}

/* Of what waits, keep what nobody else wrote. */
static void drop_written(assay_store *store)
{
    size_t record = assay_store_record_size(store->d), kept = 0;

    for (size_t i = 0; i < store->n_waiting; i++) {
        unsigned char *from = store->waiting + i * record;
        assay_store_entry *entry = assay_store_index_find(&store->index, from);

        if (entry->place >= 0) continue;
        entry->place = ~(int64_t)kept;
        memmove(store->waiting + kept++ * record, from, record);
    }
    store->n_waiting = kept;
}

/* Behind the last whole record, over what a crash may have left there, which is shorter. Records
   that got through before a failure count as somebody else's the next time. */
static assay_status append(assay_store *store)
{
    size_t record = assay_store_record_size(store->d);
    uint64_t offset = assay_store_offset(store->d, store->n_seen);

    drop_written(store);
    if (assay_store_write_at(store->file, store->waiting, store->n_waiting * record, offset) != 0)
        return cannot_write(store);
    for (size_t i = 0; i < store->n_waiting; i++)
        assay_store_index_find(&store->index, store->waiting + i * record)->place =
            (int64_t)store->n_seen++;
    store->n_waiting = 0;
    return ASSAY_OK;
}
