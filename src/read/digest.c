/* SPDX-License-Identifier: Apache-2.0 */
#include "read/digest.h"

#include "core/memory.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A slot is small enough that its copy is still in a cache when the thread comes to it. */
enum { ALONE_BYTES = 4 * 1000 * 1000, SLOT_SIZE = 128 * 1024, N_SLOTS = 16 };

struct assay_digest {
    EVP_MD_CTX *context; /* the thread's while there is one */
    size_t alone;        /* bytes that were taken without a thread */
    int has_no_thread;   /* none could be started: it is not tried again */

    unsigned char *ring; /* slot k stands at (k % N_SLOTS) * SLOT_SIZE; NULL: no thread yet */
    size_t filled;       /* bytes in the slot that the caller fills, which is slot given */
    int is_running, has_lock;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t
        moved; /* the caller waits, or the thread, never both: the ring is full or empty */
    size_t given, taken; /* slots so far */
    size_t last_length;  /* of the last slot; the others are full */
    int ended, failed;
};

static int start(assay_digest *digest);
static int create_thread(assay_digest *digest);
static void *take_slots(void *user);
static int add_to_ring(assay_digest *digest, const unsigned char *bytes, size_t length);
static int give_slot(assay_digest *digest);
static void end_thread(assay_digest *digest, size_t last_length);

assay_status assay_digest_open(assay_digest **out)
{
    assay_digest *digest = assay_alloc_zero(1, sizeof *digest);

    *out = NULL;
    if (!digest) return ASSAY_E_NOMEM;
    digest->context = EVP_MD_CTX_new();
    if (!digest->context || !EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL)) {
        assay_digest_close(digest);
        return ASSAY_E_NOMEM;
    }
    *out = digest;
    return ASSAY_OK;
}

void assay_digest_close(assay_digest *digest)
{
    if (!digest) return;
    end_thread(digest, 0);
    if (digest->has_lock) {
        pthread_cond_destroy(&digest->moved);
        pthread_mutex_destroy(&digest->lock);
    }
    EVP_MD_CTX_free(digest->context);
    free(digest->ring);
    free(digest);
}

assay_status assay_digest_add(assay_digest *digest, const void *bytes, size_t length)
{
    if (!digest->is_running && !digest->has_no_thread && digest->alone >= ALONE_BYTES &&
        start(digest) != 0)
        return ASSAY_E_NOMEM;
    if (digest->is_running)
        return add_to_ring(digest, bytes, length) == 0 ? ASSAY_OK : ASSAY_E_NOMEM;
    digest->alone += length;
    return EVP_DigestUpdate(digest->context, bytes, length) ? ASSAY_OK : ASSAY_E_NOMEM;
}

assay_status assay_digest_finish(assay_digest *digest, unsigned char sha256[ASSAY_DIGEST_SIZE])
{
    unsigned length = 0;

    end_thread(digest, digest->filled);
    if (digest->failed || !EVP_DigestFinal_ex(digest->context, sha256, &length))
        return ASSAY_E_NOMEM;
    return length == ASSAY_DIGEST_SIZE ? ASSAY_OK : ASSAY_E_NOMEM;
}

/* Returns 0, with a thread or without, or -1 when there is no memory. */
static int start(assay_digest *digest)
{
    digest->ring = assay_alloc(N_SLOTS, SLOT_SIZE);
    if (!digest->ring) return -1;
    if (pthread_mutex_init(&digest->lock, NULL) == 0) {
        digest->has_lock = pthread_cond_init(&digest->moved, NULL) == 0;
        if (!digest->has_lock) pthread_mutex_destroy(&digest->lock);
    }
    digest->is_running = digest->has_lock && create_thread(digest);
    digest->has_no_thread = !digest->is_running;
    return 0;
}

/* Signals are the caller's to take: one of them ends its waiting for bytes. */
static int create_thread(assay_digest *digest)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return 0;
    failed = pthread_create(&digest->thread, NULL, take_slots, digest);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

/* ---- the thread ---- */

static void *take_slots(void *user)
{
    assay_digest *digest = user;

    pthread_mutex_lock(&digest->lock);
    for (;;) {
        const unsigned char *slot = digest->ring + digest->taken % N_SLOTS * SLOT_SIZE;
        size_t length = digest->taken < digest->given ? SLOT_SIZE : digest->last_length;
        int is_last = digest->taken == digest->given, went;

        if (is_last && !digest->ended) {
            pthread_cond_wait(&digest->moved, &digest->lock);
            continue;
        }
        pthread_mutex_unlock(&digest->lock);
        went = EVP_DigestUpdate(digest->context, slot, length);
        pthread_mutex_lock(&digest->lock);
        if (!went) digest->failed = 1;
        if (is_last) break;
        if (digest->given - digest->taken++ == N_SLOTS) pthread_cond_signal(&digest->moved);
    }
    pthread_mutex_unlock(&digest->lock);
    return NULL;
}

/* ---- the caller ---- */

static int add_to_ring(assay_digest *digest, const unsigned char *bytes, size_t length)
{
    while (length > 0) {
        unsigned char *slot = digest->ring + digest->given % N_SLOTS * SLOT_SIZE;
        size_t room = SLOT_SIZE - digest->filled, n = length < room ? length : room;

        memcpy(slot + digest->filled, bytes, n);
        digest->filled += n;
        bytes += n;
        length -= n;
        if (digest->filled == SLOT_SIZE && give_slot(digest) != 0) return -1;
    }
    return 0;
}

/* Returns when the next slot is free. */
static int give_slot(assay_digest *digest)
{
    int failed;

    pthread_mutex_lock(&digest->lock);
    if (digest->given++ == digest->taken) pthread_cond_signal(&digest->moved);
    while (digest->given - digest->taken == N_SLOTS)
        pthread_cond_wait(&digest->moved, &digest->lock);
    failed = digest->failed;
    pthread_mutex_unlock(&digest->lock);
    digest->filled = 0;
    return failed ? -1 : 0;
}

static void end_thread(assay_digest *digest, size_t last_length)
{
    if (!digest->is_running) return;
    pthread_mutex_lock(&digest->lock);
    digest->ended = 1;
    digest->last_length = last_length;
    pthread_cond_signal(&digest->moved);
    pthread_mutex_unlock(&digest->lock);
    pthread_join(digest->thread, NULL);
    digest->is_running = 0;
}
